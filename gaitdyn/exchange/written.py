"""What an export wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Written:
    """The files of an export, and what a reader must be told about them.

    Attributes
    ----------
    paths : tuple of Path
    notes : tuple of str
    """

    paths: tuple[Path, ...]
    notes: tuple[str, ...] = ()
