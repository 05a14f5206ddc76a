"""Read what each file of a session folder contains, without deciding what is done with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from gaitdyn.calibrate.ladder.model import PELVIS_TRACKS
from gaitdyn.calibrate.models.choice import choose_model
from gaitdyn.calibrate.models.fitted import renamed
from gaitdyn.calibrate.models.renaming import mended
from gaitdyn.calibrate.statics.doubts import travel_m as box_m
from gaitdyn.calibrate.statics.files import natural_order
from gaitdyn.errors import FileRefused, ModelNotFound
from gaitdyn.io.c3d.file_sample import FileSample, file_sample
from gaitdyn.io.file_kinds import RECORDINGS, exported, recordings_of
from gaitdyn.io.labels import mask_file
from gaitdyn.io.model_parameters import read_model_parameters
from gaitdyn.io.recording import read_recording
from gaitdyn.io.text_files import shown
from gaitdyn.session.eclipse import TrialEnf, find_trial_enf, person_of, read_trial_enf
from gaitdyn.stages.labels import resolve
from gaitdyn.types.frozen import frozen
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.options import Options
from gaitdyn.types.words import system_reason

LABEL_OPTIONS = ("subject_prefix", "model", "rename")
"""Fields of the options that decide how the labels of a file are read."""

_MOST_NAMED = 3
"""Most sub-folders named in a message."""

_GAITDYN_LABELS = ("LASI", "RASI", "LGTR", "RGTR", "LTOE", "RTOE", "LHEE", "RHEE", "LMT5", "RMT5")


@frozen()
class RecordingContents:
    """What a recording contains.

    Attributes
    ----------
    path : Path
    content : FileSample or None
        ``None`` when it cannot be read.
    match : ModelMatch or None
        The marker model that fits.
    problem : str
        Why it cannot be read, or why no model fits.
    enf : TrialEnf or None
    label_options : Options
        The options about its labels: ``subject_prefix``, ``model``, ``rename``.
    """

    path: Path
    content: FileSample | None = None
    match: ModelMatch | None = None
    problem: str = ""
    enf: TrialEnf | None = None
    label_options: Options = field(default_factory=Options)


@frozen()
class Contents:
    """The files of a session folder.

    Attributes
    ----------
    files : tuple of RecordingContents
        Recordings in natural order of their names; nested folders are not searched.
    parameters : tuple of Path
        Vicon ``.mp`` files that can be read.
    persons : tuple of str
        Names of persons in the files or in their file names; never for printing.
    notes : tuple of str
        What was left out.
    unread : tuple of str
        ``.mp`` files that cannot be read, with the reason.
    """

    files: tuple[RecordingContents, ...]
    parameters: tuple[Path, ...]
    persons: tuple[str, ...]
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def scan_folder(folder: Path, options_of: Callable[[str], dict[str, Any]]) -> Contents:
    """Return what the files of a folder contain.

    Parameters
    ----------
    folder : Path
    options_of : callable
        File name -> its options; only the subject's prefix, the marker model and renames are used.

    Raises
    ------
    FileRefused
        When there is no such folder, or no recording in it.
    """
    try:
        inside = _files_in(folder)
    except OSError as error:
        what = "no such folder" if not folder.exists() else "a folder that cannot be read"
        reason = "a file" if folder.is_file() else what
        message = f"{shown(str(folder))}: found {reason}; wanted a folder of recordings"
        raise FileRefused(message) from error
    names = [p.name for p in inside if p.suffix.lower() == ".enf"]
    files = []
    recordings = recordings_of(inside)
    for path in recordings:
        enf_name = find_trial_enf(names, path.stem)
        enf = None if enf_name is None else read_trial_enf(folder / enf_name)
        files.append(scan_file(path, options_of(path.name), enf))
    if not files:
        below = folders_below(folder)
        advice = f", such as {below}; `gaitdyn batch` takes all of them" if below else ""
        raise FileRefused(
            f"{shown(folder.name or str(folder))}: found no C3D or TRC file in it; wanted a folder"
            f" of recordings{advice}"
        )
    persons = [person_of(name) for name in names]
    persons += [file.content.subject for file in files if file.content is not None]
    parameters, unread = _readable_parameters([p for p in inside if p.suffix.lower() == ".mp"])
    notes = tuple(
        f"{shown(path.name)} is left out: `gaitdyn export` wrote it"
        for path in recordings_of(inside, exports=True)
        if path not in recordings
    )
    return Contents(
        tuple(files), parameters, tuple(dict.fromkeys(filter(None, persons))), notes, unread
    )


def recordings_in(folder: Path) -> list[Path]:
    """Return the files of a folder that may be trials or statics, in their natural order."""
    return recordings_of(_files_in(folder))


def folders_with_recordings(folder: Path) -> list[Path]:
    """Return the folders that hold recordings, this one or below, without hidden ones.

    Folders of what `gaitdyn export` wrote alone are none of them, unless there are no others.
    """
    own, exports = _folders_by_origin(folder)
    return own or exports


def folders_of_exports(folder: Path) -> list[Path]:
    """Return the folders that are left out as they hold nothing but what `gaitdyn export` wrote."""
    own, exports = _folders_by_origin(folder)
    return exports if own else []


def folders_below(folder: Path) -> str:
    """Return in words which sub-folders hold recordings; empty if none does."""
    found = [path for path in folders_with_recordings(folder) if path != folder]
    names = [shown(str(path.relative_to(folder))) for path in found]
    if not names:
        return ""
    more = ", ..." if len(names) > _MOST_NAMED else ""
    return f"its sub-folder{'s' if len(names) > 1 else ''} {', '.join(names[:_MOST_NAMED])}{more}"


def linked_folders(folders: Sequence[Path]) -> list[Path]:
    """Return the links below some folders that lead to folders outside of them, not followed."""
    named = [folder.resolve() for folder in folders]
    links = (
        path
        for folder in folders
        for path in sorted(folder.glob("**/*"))
        if path.is_symlink() and path.is_dir() and not _hidden(path, folder)
    )
    return [link for link in links if not any(map(link.resolve().is_relative_to, named))]


def _folders_by_origin(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the folders with recordings of the laboratory, and those with exports alone."""
    inside = (p for p in folder.glob("**/*") if p.suffix.lower() in RECORDINGS)
    seen = [p for p in inside if p.is_file() and not _hidden(p, folder)]
    own = {p.parent for p in seen if not exported(p)}
    parts = own, {p.parent for p in seen} - own
    own, exports = (sorted(part, key=lambda p: (natural_order(str(p)), p)) for part in parts)
    return own, exports


def _hidden(path: Path, below: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(below).parts)


def _files_in(folder: Path) -> list[Path]:
    """Return the files of a folder that are not hidden; links that lead nowhere count."""
    inside = (p for p in folder.iterdir() if not p.name.startswith(".") and not p.is_dir())
    return sorted(inside, key=lambda p: (natural_order(p.name), p.name))


def _readable_parameters(paths: list[Path]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return the ``.mp`` files that can be read, and notes on the others and on bad values."""
    good, notes = [], []
    for path in paths:
        name = mask_file(shown(path.name))
        try:
            found = read_model_parameters(path)
        except FileRefused as error:
            why = str(error).partition(": ")[2]
            notes.append(f"{name} is skipped: {why}")
        else:
            good.append(path)
            notes += [f"{name}: {note}" for note in found.notes]
    return tuple(good), tuple(notes)


def scan_file(
    path: Path, options: dict[str, Any], enf: TrialEnf | None = None
) -> RecordingContents:
    """Return what one recording contains; if it cannot be read, ``problem`` gives the reason.

    Parameters
    ----------
    path : Path
    options : dict
        Options of the file.
    enf : TrialEnf, optional
    """
    label_options = Options(**{name: options[name] for name in LABEL_OPTIONS if name in options})
    contents = RecordingContents(path, enf=enf, label_options=label_options)
    try:
        content = file_sample(path, label_options.subject_prefix)
    except FileRefused as error:
        return replace(contents, problem=str(error))
    except OSError as error:
        return replace(contents, problem=f"{shown(path.name)}: {system_reason(error)}")
    content = replace(content, sample=mended(content.sample, label_options.rename))
    try:
        return replace(contents, content=content, match=_model(path, content, label_options))
    except ModelNotFound as error:
        return replace(contents, content=content, problem=str(error))
    except FileRefused as error:
        return replace(contents, problem=str(error))


def _model(path: Path, content: FileSample, options: Options) -> ModelMatch:
    """Return the model of a file; the whole file is read if the sampled frames are not enough."""
    roles = tuple(new for _, new in options.rename)
    try:
        return choose_model(content.sample, options.model, roles)
    except ModelNotFound:
        whole = mended(read_recording(path, options.subject_prefix), options.rename)
        return resolve(whole, None, options).match


def pelvis_travel_m(file: RecordingContents) -> float | None:
    """Return the diagonal, m, of the largest box in which the pelvis markers move."""
    if file.content is None:
        return None
    sample = file.content.sample if file.match is None else renamed(file.content.sample, file.match)
    columns = [i for i, label in enumerate(sample.labels) if label in PELVIS_TRACKS]
    if not columns:
        return None
    labels = tuple(sample.labels[i] for i in columns)
    return box_m(replace(sample, labels=labels, markers_L=sample.markers_L[:, columns]))


def travel_m(file: RecordingContents) -> float | None:
    """Return the diagonal, m, of the largest box in which pelvis or feet move.

    ``None`` when neither is visible.
    """
    if file.content is None:
        return None
    sample = file.content.sample
    if file.match is None:
        return None if not any(map(sample.has, _GAITDYN_LABELS)) else box_m(sample)
    return box_m(renamed(sample, file.match))
