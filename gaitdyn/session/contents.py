"""A look at every file of a session folder; nothing is decided here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gaitdyn.calibrate.find_static import travel_m as box_m
from gaitdyn.calibrate.ladder import PELVIS_TRACKS
from gaitdyn.calibrate.marker_models import choose_model, renamed
from gaitdyn.calibrate.renaming import mended
from gaitdyn.calibrate.static_files import natural_order
from gaitdyn.errors import FileRefused, ModelNotFound
from gaitdyn.io.file_sample import FileSample, file_sample
from gaitdyn.io.labels import mask_file
from gaitdyn.io.model_parameters import read_model_parameters
from gaitdyn.io.recording import read_recording, recordings_of
from gaitdyn.io.text_files import shown
from gaitdyn.session.eclipse import TrialEnf, find_trial_enf, person_of, read_trial_enf
from gaitdyn.stages.labels import resolve
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.types.marker_model import ModelMatch


_OF_LABELS = ("subject_prefix", "model", "rename")
_OURS = ("LASI", "RASI", "LGTR", "RGTR", "LTOE", "RTOE", "LHEE", "RHEE", "LMT5", "RMT5")


@dataclass(frozen=True, slots=True)
class RecordingContents:
    """A recording after a look.

    Attributes
    ----------
    path : Path
    content : FileSample or None
        ``None`` when it cannot be read.
    match : ModelMatch or None
        The marker model that fits.
    problem : str
        Why it cannot be read, or no model fits.
    enf : TrialEnf or None
    words : Options
        What is said of its labels: ``subject_prefix``, ``model``, ``rename``.
    """

    path: Path
    content: FileSample | None = None
    match: ModelMatch | None = None
    problem: str = ""
    enf: TrialEnf | None = None
    words: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of a session folder.

    Attributes
    ----------
    files : tuple of RecordingContents
        Recordings in natural order of their names; nested folders are not searched.
    parameters : tuple of Path
        Vicon ``.mp`` files that can be read.
    persons : tuple of str
        Names that files or their names hold; never for printing.
    notes : tuple of str
        What was passed over.
    """

    files: tuple[RecordingContents, ...]
    parameters: tuple[Path, ...]
    persons: tuple[str, ...]
    notes: tuple[str, ...] = ()


def look_at_folder(folder: Path, words: Callable[[str], dict[str, Any]]) -> Contents:
    """Look at the files of a folder.

    Parameters
    ----------
    folder : Path
    words : callable
        File name -> options of it; the subject's prefix and the marker model count here.

    Raises
    ------
    FileRefused
        When there is no such folder, or no recording in it.
    """
    try:
        inside = sorted(
            (p for p in folder.iterdir() if not p.name.startswith(".") and not p.is_dir()),
            key=lambda p: (natural_order(p.name), p.name),
        )
    except OSError as error:
        reason = "no such folder" if not folder.exists() else "no folder that can be read"
        message = f"{shown(str(folder))}: found {reason}; wanted a folder of recordings"
        raise FileRefused(message) from error
    names = [p.name for p in inside if p.suffix.lower() == ".enf"]
    files = []
    for path in recordings_of(inside):
        own = find_trial_enf(names, path.stem)
        enf = None if own is None else read_trial_enf(folder / own)
        files.append(look_at_file(path, words(path.name), enf))
    if not files:
        raise FileRefused(
            f"{shown(folder.name)}: found no C3D or TRC file in it; wanted a folder of recordings"
            " (sub-folders are not searched: name each one)"
        )
    persons = [person_of(name) for name in names]
    persons += [seen.content.subject for seen in files if seen.content is not None]
    parameters, notes = _parameters([p for p in inside if p.suffix.lower() == ".mp"])
    told = tuple(dict.fromkeys(person for person in persons if person))
    return Contents(tuple(files), parameters, told, notes)


def _parameters(paths: list[Path]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return the ``.mp`` files that can be read, and a note for each other."""
    good, notes = [], []
    for path in paths:
        try:
            read_model_parameters(path)
        except FileRefused as error:
            why = str(error).partition(": ")[2]
            notes.append(f"{mask_file(shown(path.name))} is passed over: {why}")
        else:
            good.append(path)
    return tuple(good), tuple(notes)


def look_at_file(
    path: Path, words: dict[str, Any], enf: TrialEnf | None = None
) -> RecordingContents:
    """Look at one C3D file; one that cannot be read is a value with a problem.

    Parameters
    ----------
    path : Path
    words : dict
        Options of the file.
    enf : TrialEnf, optional
    """
    told = {name: words[name] for name in _OF_LABELS if name in words}
    says = Options(**told)
    try:
        found = file_sample(path, says.subject_prefix)
    except FileRefused as error:
        return RecordingContents(path, problem=str(error), enf=enf, words=says)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        return RecordingContents(path, problem=f"{shown(path.name)}: {reason}", enf=enf, words=says)
    found = replace(found, sample=mended(found.sample, says.rename))
    try:
        return RecordingContents(path, found, _model(path, found, says), enf=enf, words=says)
    except ModelNotFound as error:
        return RecordingContents(path, found, problem=str(error), enf=enf, words=says)
    except FileRefused as error:
        return RecordingContents(path, problem=str(error), enf=enf, words=says)


def _model(path: Path, found: FileSample, says: Options) -> ModelMatch:
    """Return the model of a file; the whole file is read where its few frames leave a doubt."""
    roles = tuple(new for _, new in says.rename)
    try:
        return choose_model(found.sample, says.model, roles)
    except ModelNotFound:
        whole = mended(read_recording(path, says.subject_prefix), says.rename)
        return resolve(whole, None, says).match


def pelvis_travel_m(seen: RecordingContents) -> float | None:
    """Return the largest box that the markers of the pelvis move in, diagonal in m."""
    if seen.content is None:
        return None
    sample = seen.content.sample if seen.match is None else renamed(seen.content.sample, seen.match)
    at = [i for i, label in enumerate(sample.labels) if label in PELVIS_TRACKS]
    return (
        None
        if not at
        else box_m(
            replace(
                sample,
                labels=tuple(sample.labels[i] for i in at),
                markers_L=sample.markers_L[:, at],
            )
        )
    )


def travel_m(seen: RecordingContents) -> float | None:
    """Return the largest box that pelvis or feet move in, diagonal in m; ``None`` when not seen."""
    if seen.content is None:
        return None
    sample = seen.content.sample
    if seen.match is None:
        return None if not any(map(sample.has, _OURS)) else box_m(sample)
    return box_m(renamed(sample, seen.match))
