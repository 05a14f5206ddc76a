"""Kinds of files by the endings of their names; no file is opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MARKERS_ALONE = (".trc",)
"""Suffixes of recordings without forces; see :data:`gaitdyn.io.recording.READERS`."""

RECORDINGS = (".c3d", *MARKERS_ALONE)
"""Suffixes of the files that may be trials and statics."""

MUSCLES_ALONE = ".anc"
"""Suffix of the files of electromyography that are read beside a recording of the same name."""

NO_MARKERS = (".mot", ".sto", ".forces", MUSCLES_ALONE)
"""Suffixes of the files that accompany a recording of markers."""

TABLES = (".csv", ".tsv", ".txt")
"""Suffixes of tables that capture software also writes; each maker has its own."""


def recordings_of(paths: Iterable[Path], *, exports: bool = False) -> list[Path]:
    """Return the files of a folder that may be trials or statics, in the given order.

    A recording that also exists as a C3D file of the same name, with its plates, is left out.

    Parameters
    ----------
    paths : iterable of Path
    exports : bool
        Keep what `gaitdyn export` wrote next to recordings of the laboratory; it shows them again.

    Examples
    --------
    >>> [path.name for path in recordings_of(map(Path, ("a.trc", "b.trc", "b.C3D", "b.mot")))]
    ['a.trc', 'b.C3D']
    """
    recordings = [path for path in paths if path.suffix.lower() in RECORDINGS]
    if not exports:
        recordings = [path for path in recordings if not exported(path)] or recordings
    stems = {path.stem.lower() for path in recordings if path.suffix.lower() == ".c3d"}
    return [p for p in recordings if p.suffix.lower() == ".c3d" or p.stem.lower() not in stems]


def exported(path: Path) -> bool:
    """Return whether `gaitdyn export` gave a file its name, such as ``a.gaitdyn.static.trc``."""
    return ".gaitdyn" in (suffix.lower() for suffix in path.suffixes[:-1])


def holds_forces(name: str) -> bool:
    """Return whether a recording of this name can itself contain forces: C3D can, TRC cannot.

    Parameters
    ----------
    name : str
        File name.
    """
    return Path(name).suffix.lower() not in MARKERS_ALONE
