"""Choose the static of each trial of a session, with the reason."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from gaitdyn.calibrate.posture.posed import NEEDS_NO_STATIC
from gaitdyn.calibrate.statics.doubts import Candidate, read_candidate
from gaitdyn.calibrate.statics.files import natural_order, searched_folders
from gaitdyn.calibrate.statics.find import StaticChoice, choose
from gaitdyn.calibrate.statics.same_person import plain_names
from gaitdyn.errors import UsageError
from gaitdyn.session.session_file import SESSION_FILE, SessionFile
from gaitdyn.types.arguments import at_home
from gaitdyn.types.options import NO_STATIC, split_frames

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.session.contents import RecordingContents
    from gaitdyn.session.roles import Decision


def choose_static(
    recording: RecordingContents,
    condition: str,
    file: SessionFile,
    files: Sequence[tuple[RecordingContents, Decision]],
) -> StaticChoice:
    """Return the static of a trial: the one named in ``session.toml``, or else one that fits it.

    A static that is not named must show the same person and all markers of the trial's model; of
    several, the last one before the trial is used. If the files do not identify the person, a
    file that is named static is used: one session, one person.

    Parameters
    ----------
    recording : RecordingContents
        The trial.
    condition : str
    file : SessionFile
    files : sequence of (RecordingContents, Decision)
        All files of the session.

    Raises
    ------
    UsageError
        When ``session.toml`` names a file that is not there.
    """
    named = file.trial(recording.path.name).static
    if named == NO_STATIC:
        return StaticChoice(None, f"no static: {SESSION_FILE}, for this trial")
    if named is not None:
        path, frames = named_static(file.folder_of(recording.path), named)
        return StaticChoice(path, f"{SESSION_FILE}, for this trial", frames)
    if file.statics:
        return _of_session(recording, condition, file)
    statics = [(s, d) for s, d in files if d.role == "static" and s.path != recording.path]
    return _fitting_static(recording, statics)


def named_static(folder: Path, text: str) -> tuple[Path, tuple[int, int] | None]:
    """Return the path and frames of a static from its entry in ``session.toml``.

    Raises
    ------
    UsageError
        When the file does not exist.
    """
    name, frames = split_frames(text)
    path = folder / at_home(name)
    if not path.is_file():
        message = (
            f"{SESSION_FILE}: static {name!r} does not exist; wanted a recording of the session"
        )
        raise UsageError(message)
    return path, frames


def _of_session(recording: RecordingContents, condition: str, file: SessionFile) -> StaticChoice:
    """Return the static that the session names for a condition, or for all conditions."""
    folder = file.folder_of(recording.path)
    named = [(condition, f"{SESSION_FILE}, for {condition}")] if condition else []
    for wanted, why in (*named, (None, SESSION_FILE)):
        fit = [named_static(folder, e.file) for e in file.statics if e.condition == wanted]
        fit.sort(key=lambda static: natural_order(static[0].name))
        if fit:
            order = natural_order(recording.path.name)
            before = [static for static in fit if natural_order(static[0].name) < order]
            suffix = ", the last one before the trial" if len(fit) > 1 and before else ""
            path, frames = (before or fit[:1])[-1]
            return StaticChoice(path, why + suffix, frames)
    there = ", ".join(sorted({e.condition for e in file.statics if e.condition}))
    wanted = f"the condition {condition!r}" if condition else "a trial without a condition"
    message = f"no static: {SESSION_FILE} names none for {wanted}, only for {there}"
    return StaticChoice(None, message)


def _fitting_static(
    recording: RecordingContents, statics: list[tuple[RecordingContents, Decision]]
) -> StaticChoice:
    """Return a static of the same person with the same markers: of the folder, else near it."""
    if recording.content is None:
        return StaticChoice(None, "no static: the trial cannot be read")
    if recording.match is not None and recording.match.model.engine == "poses":
        return StaticChoice(None, NEEDS_NO_STATIC)
    options = recording.label_options
    trial = _candidate(recording, called=False)
    inside = [_candidate(s, called=d.explicit) for s, d in statics if s.content is not None]
    choice = choose(trial, recording.match, inside, options)
    if choice.path is not None:
        return choice
    reasons = [choice.reason] if inside else []
    for folder, files, left_out in islice(searched_folders(recording.path), 1, None):
        nearby = [c for c in (read_candidate(f, options) for f in files) if c is not None]
        choice = choose(trial, recording.match, nearby, options)
        if choice.path is not None:
            return StaticChoice(choice.path, f"{choice.reason}, in {folder.name}/{left_out}")
        reasons += [f"{choice.reason}{left_out}"] if nearby else []
    return StaticChoice(None, "; ".join(reasons) or "no static in the session")


def _candidate(recording: RecordingContents, *, called: bool) -> Candidate:
    assert recording.content is not None  # noqa: S101  the callers check it
    return Candidate(
        recording.path,
        plain_names(recording.content.sample.persons),
        recording.content.sample,
        called,
    )
