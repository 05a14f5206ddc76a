"""Which static a trial of a session gets, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.calibrate.find_static import Candidate, StaticChoice, choose, look
from gaitdyn.calibrate.same_person import plain_names
from gaitdyn.calibrate.static_files import natural_order, places
from gaitdyn.errors import UsageError
from gaitdyn.types.options import split_frames

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.session.contents import RecordingContents
    from gaitdyn.session.roles import Decision
    from gaitdyn.session.session_file import SessionFile

SESSION = "session.toml"


def choose_static(
    seen: RecordingContents,
    condition: str,
    file: SessionFile,
    files: Sequence[tuple[RecordingContents, Decision]],
) -> StaticChoice:
    """Return the static of a trial: the one ``session.toml`` names, or else one that fits it.

    Found statics must show the same person and all markers of the trial's model; of several the
    last one before the trial. Where the files say nothing of the person, a file that is called
    static is taken: one session, one person.

    Parameters
    ----------
    seen : RecordingContents
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
    own = file.trial(seen.path.name).static
    if own is not None:
        path, frames = named_static(file.place(seen.path), own)
        return StaticChoice(path, f"{SESSION}, for this trial", frames)
    if file.statics:
        return _of_session(seen, condition, file)
    return _found(seen, [(s, d) for s, d in files if d.role == "static" and s.path != seen.path])


def named_static(folder: Path, text: str) -> tuple[Path, tuple[int, int] | None]:
    """Return path and frames of a static as ``session.toml`` names it.

    Raises
    ------
    UsageError
        When it is not there.
    """
    name, frames = split_frames(text)
    path = folder / name
    if not path.is_file():
        message = f"{SESSION}: static {name!r} is not there; wanted a recording of the session"
        raise UsageError(message)
    return path, frames


def _of_session(seen: RecordingContents, condition: str, file: SessionFile) -> StaticChoice:
    """Return the static that the session names for a condition, or for all."""
    folder = file.place(seen.path)
    named = [(condition, f"{SESSION}, for {condition}")] if condition else []
    for wanted, why in (*named, (None, SESSION)):
        fit = [named_static(folder, e.file) for e in file.statics if e.condition == wanted]
        fit.sort(key=lambda found: natural_order(found[0].name))
        if fit:
            own = natural_order(seen.path.name)
            before = [found for found in fit if natural_order(found[0].name) < own]
            more = ", the last one before the trial" if len(fit) > 1 and before else ""
            path, frames = (before or fit[:1])[-1]
            return StaticChoice(path, why + more, frames)
    message = f"no static: {SESSION} names none for the condition {condition or 'of this trial'!r}"
    return StaticChoice(None, message)


def _found(
    seen: RecordingContents, statics: list[tuple[RecordingContents, Decision]]
) -> StaticChoice:
    """Return a static that fits by person and markers: of the folder, else of those near it."""
    if seen.content is None:
        return StaticChoice(None, "no static: the trial cannot be read")
    own = _candidate(seen, called=False)
    others = [_candidate(s, called=d.told) for s, d in statics if s.content is not None]
    inside = choose(own, seen.match, others, seen.words)
    if inside.path is not None:
        return inside
    why = [inside.reason] if others else []
    for place, files in places(seen.path)[1:]:
        near = [c for c in (look(f, seen.words) for f in files) if c is not None]
        choice = choose(own, seen.match, near, seen.words)
        if choice.path is not None:
            return StaticChoice(choice.path, f"{choice.reason}, in {place.name}/")
        why += [choice.reason] if near else []
    return StaticChoice(None, "; ".join(why) or "no static in the session")


def _candidate(seen: RecordingContents, *, called: bool) -> Candidate:
    assert seen.content is not None  # noqa: S101  asked before
    return Candidate(
        seen.path, plain_names(seen.content.sample.persons), seen.content.sample, called
    )
