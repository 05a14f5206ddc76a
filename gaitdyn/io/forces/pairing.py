"""Find the force file of a recording without forces of its own, by name and by clock."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused, NoForces
from gaitdyn.io.anc import read_anc, with_muscles
from gaitdyn.io.c3d.records import shown
from gaitdyn.io.file_kinds import MUSCLES_ALONE
from gaitdyn.io.forces.axes import in_marker_axes
from gaitdyn.io.forces.reading import OVERLAP, Forces, overlap, read_forces, with_forces
from gaitdyn.io.plain_files import parent_of
from gaitdyn.types.options import NO_FORCES
from gaitdyn.types.recording import NOT_USED

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.recording import Recording

_ENDINGS = (".mot", ".sto", ".forces")
_KINDS = frozenset(
    (
        "grf", "grfs", "grw", "force", "forces", "ground", "reaction", "kinetics", "kinetic", "fp",
        "plates", "marker", "markers", "motion", "capture", "mocap", "trc", "raw", "new",
        "filtered",
    )
)  # fmt: skip
"""Words in a file name that describe the kind of file, not the trial."""
_FORCES = frozenset(("grf", "grfs", "grw", "force", "forces", "ground", "reaction", "fp", "plates"))
"""Those of a file of forces: if it has none, the user is told."""
_FOLDERS = ("ForceData", "ForcesData", "GRF", "ID", "Forces")
"""Folders next to that of the markers where forces are stored, as in OpenCap."""


def with_its_forces(recording: Recording, path: Path, forces: str | Path | None) -> Recording:
    """Return a recording with the forces of the named file, or of the file that belongs to it.

    Parameters
    ----------
    recording : Recording
    path : Path
        Where it is.
    forces : str, Path or None
        A file or ``none``; by default a file of the same name and time is searched for.

    Raises
    ------
    FileRefused
        When the file cannot be read or covers another time, or several files belong to the
        recording.
    """
    if forces is not None:
        if str(forces) == NO_FORCES:
            return replace(recording, plates=())
        named = read_forces(forces)
        if recording.poses is None or recording.labels != recording.poses.landmark_names:
            return in_marker_axes(with_forces(recording, named))
        from gaitdyn.io.forces.synchrony import synchronised

        shifted, offset_notes = synchronised(recording, named)
        joined = with_forces(recording, shifted)
        return replace(joined, notes=(*joined.notes, *offset_notes))
    found: list[Forces] = []
    notes: list[str] = []
    for file in candidates(path):
        try:
            found.append(read_forces(file))
        except NoForces as error:  # such as joint angles
            if not _FORCES.isdisjoint(_words(file.stem)):
                notes.append(f"{NOT_USED}{error}")
        except FileRefused as error:
            notes.append(f"{NOT_USED}{error}")
    matching = [known for known in found if overlap(recording, known) >= OVERLAP]
    if len(matching) > 1:
        names = ", ".join(shown(known.file.name) for known in matching)
        raise FileRefused(
            f"{shown(path.name)}: found several files of its forces ({names}); wanted one; name it"
            " with --forces FILE, or give --forces none"
        )
    if matching:
        return in_marker_axes(with_forces(recording, matching[0]))
    notes += [f"{shown(k.file.name)} has other times and is not used" for k in found]
    return replace(recording, notes=(*recording.notes, *notes))


def with_its_muscles(recording: Recording, path: Path) -> Recording:
    """Return a recording with the electromyography of the ANC file of the same name, if any.

    Parameters
    ----------
    recording : Recording
    path : Path
        Where it is.
    """
    for file in candidates(path, (MUSCLES_ALONE,)):
        try:
            return with_muscles(recording, read_anc(file))
        except FileRefused as error:
            return replace(recording, notes=(*recording.notes, str(error)))
    return recording


def companions(path: Path) -> list[Path]:
    """Return the files that are looked at when a recording without forces of its own is read.

    Parameters
    ----------
    path : Path
        Of the recording.
    """
    return candidates(path, (*_ENDINGS, MUSCLES_ALONE))


def candidates(path: Path, endings: tuple[str, ...] = _ENDINGS) -> list[Path]:
    """Return the files near a recording whose names differ from it only in words for their kind.

    ``walk.mot`` or ``walk_grf.mot`` for ``walk.trc``, in its folder or an adjacent one for forces.

    Parameters
    ----------
    path : Path
        Of the recording.
    endings : tuple of str
    """
    words = trial_words(path.stem)
    found: list[Path] = []
    for directory in _folders_near(path.parent):
        try:
            files = sorted(p for p in directory.iterdir() if p.suffix.lower() in endings)
        except OSError:
            continue
        found += [p for p in files if trial_words(p.stem) == words]
    return found


def _folders_near(folder: Path) -> list[Path]:
    """Return a folder and those for forces beside it, each once."""
    beside = parent_of(folder)
    near = [folder]
    for path in (beside / name for name in _FOLDERS):
        if path.is_dir() and not any(path.samefile(other) for other in near if other.is_dir()):
            near.append(path)
    return near


def trial_words(stem: str) -> tuple[str, ...]:
    """Return the words of a name that identify the trial, in their order.

    Examples
    --------
    >>> trial_words("motion_capture_walk") == trial_words("grf_walk") != trial_words("walk2_grf")
    True
    >>> trial_words("gait 01_01 grf"), trial_words("gait_01")
    (('gait', '01', '01'), ('gait', '01'))
    """
    return tuple(w for w in _words(stem) if w not in _KINDS)


def _words(stem: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", stem.lower())
