"""What is found where results were wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def found_instead(path: Path) -> str:
    """Return what stands at a path that holds no results, for an error.

    Parameters
    ----------
    path : Path
    """
    if path.is_dir():
        return "no results in it"
    if not path.exists():
        return "no such folder"
    from gaitdyn.io.recording import RECORDINGS  # a mistake alone needs it

    if path.suffix.lower() in RECORDINGS:
        return "a recording, which `gaitdyn process` makes results of"
    return "a file"
