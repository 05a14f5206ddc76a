"""Read a file as a :class:`~gaitdyn.types.recording.Recording`: SI units, laboratory axes.

:data:`READERS` lists the suffixes of files that are not read as C3D.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.c3d.recording import c3d_recording
from gaitdyn.io.c3d.records import refused
from gaitdyn.io.file_kinds import MUSCLES_ALONE, NO_MARKERS, TABLES, holds_forces
from gaitdyn.io.labels import marker_prefixes

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.io.c3d.reader import ReaderName
    from gaitdyn.types.recording import Recording


def read_recording(
    path: str | Path,
    subject_prefix: str | None = None,
    reader: ReaderName = "gaitdyn",
    forces: str | Path | None = None,
) -> Recording:
    """Read a recording, with the analog channels of plates and possible electromyography.

    Parameters
    ----------
    path : str or Path
        A file with a suffix in :data:`READERS`, or else a C3D file.
    subject_prefix : str, optional
        The subject to read from a file with several.
    reader : {"gaitdyn", "ezc3d"}
        Which reader reads the data section of a C3D file.
    forces : str or Path, optional
        File of forces to use instead of the recording's own; ``none`` for no forces. By default a
        recording that cannot contain forces takes them from the file that belongs to it.

    Raises
    ------
    FileRefused
        When it cannot be read, is damaged, has several subjects, or the forces belong to another
        recording.
    """
    suffix = Path(path).suffix.lower()
    if suffix in NO_MARKERS:
        more = "and give this one with --forces if it has another name"
        if suffix == MUSCLES_ALONE:
            more = "next to which this one is read if it has the same name"
        todo = f"name the TRC file, {more}"
        raise refused(Path(path).name, f"no markers in a {suffix} file", "markers", todo)
    if suffix in TABLES:
        todo = "export the trial as C3D or TRC from the capture software"
        raise refused(Path(path).name, f"a {suffix} file", "a C3D or TRC file", todo)
    read = READERS.get(suffix)
    recording = (
        c3d_recording(path, subject_prefix, reader) if read is None else read(path, subject_prefix)
    )
    if forces is None and read is None:
        return recording
    from gaitdyn.io.forces.pairing import (  # needed for few recordings
        with_its_forces,
        with_its_muscles,
    )

    recording = recording if read is None else with_its_muscles(recording, Path(path))
    return with_its_forces(recording, Path(path), forces)


def _trc(path: str | Path, subject_prefix: str | None) -> Recording:
    from gaitdyn.io.trc import trc_recording

    return trc_recording(path, subject_prefix)


READERS: dict[str, Callable[[str | Path, str | None], Recording]] = {".trc": _trc}
"""Suffix -> reader of the markers in such a file, instead of the C3D reader."""


def prefixes_in(path: str | Path) -> list[str]:
    """Return the different subject prefixes of the markers of a recording, in order.

    Raises
    ------
    FileRefused
    """
    if not holds_forces(Path(path).name):
        from gaitdyn.io.trc import prefixes_in_trc  # needed for few recordings

        return prefixes_in_trc(path)
    return marker_prefixes(read_parameters(path)[1])
