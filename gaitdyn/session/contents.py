"""A look at every file of a session folder; nothing is decided here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import pelvis_pair
from gaitdyn.calibrate.find_static import natural_order
from gaitdyn.calibrate.marker_models import choose_model, renamed
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import FileRefused, ModelNotFound
from gaitdyn.io.glance import Glance, glance
from gaitdyn.io.recording import read_recording
from gaitdyn.io.text_files import shown
from gaitdyn.session.eclipse import TrialEnf, find_trial_enf, person_of, read_trial_enf

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.recording import Recording

_FEET = ("LTOE", "RTOE", "LHEE", "RHEE", "LMT5", "RMT5")


@dataclass(frozen=True, slots=True)
class Seen:
    """A C3D file after a look.

    Attributes
    ----------
    path : Path
    glance : Glance or None
        ``None`` when it cannot be read.
    match : ModelMatch or None
        The marker model that fits.
    problem : str
        Why it cannot be read, or no model fits.
    enf : TrialEnf or None
    """

    path: Path
    glance: Glance | None = None
    match: ModelMatch | None = None
    problem: str = ""
    enf: TrialEnf | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of a session folder.

    Attributes
    ----------
    files : tuple of Seen
        C3D files in natural order of their names; nested folders are not searched.
    parameters : tuple of Path
        Vicon ``.mp`` files.
    persons : tuple of str
        Names that files or their names hold; never for printing.
    """

    files: tuple[Seen, ...]
    parameters: tuple[Path, ...]
    persons: tuple[str, ...]


def look_at_folder(folder: Path, subject_prefix: str | None, model: str) -> Contents:
    """Look at the files of a folder.

    Parameters
    ----------
    folder : Path
    subject_prefix : str or None
    model : str
        Marker model asked for, or ``auto``.

    Raises
    ------
    FileRefused
        When there is no such folder, or no C3D file in it.
    """
    try:
        inside = sorted(
            (p for p in folder.iterdir() if not p.name.startswith(".") and p.is_file()),
            key=lambda p: (natural_order(p.name), p.name),
        )
    except OSError as error:
        reason = "no such folder" if not folder.exists() else "no folder that can be read"
        message = f"{shown(str(folder))}: found {reason}; wanted a folder of C3D files"
        raise FileRefused(message) from error
    names = [p.name for p in inside if p.suffix.lower() == ".enf"]
    files = []
    for path in (p for p in inside if p.suffix.lower() == ".c3d"):
        own = find_trial_enf(names, path.stem)
        enf = None if own is None else read_trial_enf(folder / own)
        files.append(_look(path, enf, subject_prefix, model))
    if not files:
        message = (
            f"{shown(folder.name)}: found no C3D file in it; wanted a folder of C3D files (folders"
            " in it are not searched: name each by itself)"
        )
        raise FileRefused(message)
    persons = [person_of(name) for name in names]
    persons += [seen.glance.subject for seen in files if seen.glance is not None]
    parameters = tuple(p for p in inside if p.suffix.lower() == ".mp")
    return Contents(tuple(files), parameters, tuple(dict.fromkeys(p for p in persons if p)))


def _look(path: Path, enf: TrialEnf | None, prefix: str | None, model: str) -> Seen:
    try:
        found = glance(path, prefix)
    except FileRefused as error:
        return Seen(path, problem=str(error), enf=enf)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        return Seen(path, problem=f"{shown(path.name)}: {reason}", enf=enf)
    try:
        return Seen(path, found, _model(path, found, prefix, model), enf=enf)
    except ModelNotFound as error:
        return Seen(path, found, problem=str(error), enf=enf)
    except FileRefused as error:
        return Seen(path, problem=str(error), enf=enf)


def _model(path: Path, found: Glance, prefix: str | None, name: str) -> ModelMatch:
    """Return the model of a file; the whole file is read where its few frames leave a doubt."""
    try:
        return choose_model(found.sample, name)
    except ModelNotFound:
        if not np.isnan(found.sample.markers_L).all(axis=(0, 2)).any():
            raise
    return choose_model(read_recording(path, prefix), name)


def pelvis_labels(seen: Seen) -> tuple[str, str] | None:
    """Return the file's own labels of the ASIS or what stands for them."""
    if seen.glance is None or seen.match is None:
        return None
    ours = {role: seen.glance.sample.labels[i] for i, role in seen.match.places.items()}
    pair = pelvis_pair(ours)
    return (ours[pair[0]], ours[pair[-1]]) if set(pair) <= set(ours) else None


def travel_m(seen: Seen) -> float | None:
    """Return the largest box that pelvis or feet move in, diagonal in m; ``None`` when not seen."""
    if seen.glance is None:
        return None
    sample = seen.glance.sample
    sample = sample if seen.match is None else renamed(sample, seen.match)
    labels = [x for x in (*pelvis_pair(sample.labels), *_FEET) if x in sample.labels]
    sizes = [size for size in (_box(sample.marker(x)) for x in labels) if size is not None]
    return max(sizes) if sizes else None


def pelvis_travel_m(sample: Recording, pelvis: tuple[str, str]) -> float | None:
    """Return how far the middle of two markers moves, m; ``None`` when they are not seen."""
    if not set(pelvis) <= set(sample.labels):
        return None
    return _box(0.5 * (sample.marker(pelvis[0]) + sample.marker(pelvis[1])))


def _box(marker: Array) -> float | None:
    known = marker[complete_rows(marker)]
    return float(np.linalg.norm(np.ptp(known, axis=0))) if len(known) else None
