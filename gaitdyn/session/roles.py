"""Decide which files of a session are statics, which are walks, which are left out, and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.calibrate.functional import TRAVEL_M
from gaitdyn.calibrate.statics.doubts import SHORTEST_FRAMES, has_quiet_part
from gaitdyn.calibrate.statics.files import called_static, words_of
from gaitdyn.session.contents import RecordingContents, pelvis_travel_m, travel_m
from gaitdyn.session.session_file import SessionFile
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import split_frames
from gaitdyn.types.words import counted

Role = Literal["dynamic", "static", "functional", "left-out"]


@frozen()
class Decision:
    """A role, the reason, and whether a person set it (in a file or by the file's name)."""

    role: Role
    reason: str
    explicit: bool = True


def decide_role(recording: RecordingContents, file: SessionFile) -> Decision:
    """Return the role of a file, from ``session.toml``, its ``.enf``, its name or its stillness.

    The first of these that decides is used.
    """
    if (by_session := _by_session(recording, file)) is not None:
        return by_session
    if recording.content is None:
        return Decision("dynamic", "it cannot be read")
    return (
        _by_type(recording)
        or _by_name(recording)
        or _functional(recording)
        or _by_stillness(recording)
    )


def _by_session(recording: RecordingContents, file: SessionFile) -> Decision | None:
    """Return the role that ``session.toml`` gives a file."""
    name = recording.path.name
    use, folder = file.trial(name).use, file.folder_of(recording.path)
    if use is False:
        return Decision("left-out", "session.toml: use = false")
    if use:  # perhaps with its own standing frames as static
        return Decision("dynamic", "session.toml: use = true")
    if _is_one_of(recording.path, folder, [entry.file for entry in file.statics]):
        return Decision("static", "named in session.toml")
    if _is_one_of(recording.path, folder, [e.static for e in file.trials.values() if e.static]):
        return Decision("static", "named in session.toml as the static of a trial")
    keys = [
        key
        for key, path in file.options.get("functional", ())
        if Path(path).resolve() == recording.path.resolve()
    ]
    if keys:
        return Decision("functional", f"named in session.toml as {' and '.join(keys)}")
    return None


def _is_one_of(path: Path, folder: Path, names: list[str]) -> bool:
    return path.resolve() in [(folder / split_frames(name)[0]).resolve() for name in names]


def _by_type(recording: RecordingContents) -> Decision | None:
    enf = recording.enf
    if enf is None or not enf.kind:
        return None
    why = f"type {enf.kind} in its .enf"
    if enf.static:
        return Decision("static", why)
    if enf.dynamic:
        return Decision("dynamic", why)
    if "calib" in enf.kind.lower():
        return Decision("left-out", f"{why}: neither a static nor a walk")
    return None


def _by_name(recording: RecordingContents) -> Decision | None:
    if not called_static(recording.path.stem):
        return None
    moved = travel_m(recording)
    if moved is not None and moved > WALKED_M:
        if has_quiet_part(recording.path, recording.match, recording.label_options):
            why = f"by its name; it moves {moved:.1f} m, but stands still in a part"
            return Decision("static", why)
        why = f"named like a static, but pelvis or feet move {moved:.1f} m in it"
        return Decision("dynamic", why, explicit=False)
    return Decision("static", "by its name")


def _functional(recording: RecordingContents) -> Decision | None:
    """Return the role of a file that is named functional and in which the pelvis stays in place."""
    if not called_functional(recording.path.stem) or recording.content is None:
        return None
    feet, pelvis = travel_m(recording), pelvis_travel_m(recording)
    if feet is None or pelvis is None or feet <= WALKED_M or pelvis > TRAVEL_M:
        return None
    why = (
        f"by its name; the pelvis moves no more than {pelvis:.2f} m; name its joint in [functional]"
        " of session.toml to use it"
    )
    return Decision("functional", why)


def called_functional(stem: str) -> bool:
    """Return whether the name of a file indicates a functional trial and not a walk.

    Examples
    --------
    >>> [called_functional(x) for x in ("Test_func_lhip", "BTK_FunctionalLHip", "SCoRE left")]
    [True, True, True]
    >>> [called_functional(x) for x in ("FunctionalWalk", "walk01", "start01")]
    [False, False, False]
    """
    words = [*words_of(stem), *re.findall("[a-z]+", stem.lower())]
    functional = any(word.startswith("func") or word in _METHODS for word in words)
    return functional and not any(word.startswith(_WALKS) for word in words)


_METHODS = ("score", "sara", "star")
_WALKS = ("walk", "gait", "run", "stat")


def _by_stillness(recording: RecordingContents) -> Decision:
    """Return the role according to what moves.

    A file of unknown markers counts as a walk, so that it is processed and refused.
    """
    moved = travel_m(recording)
    if recording.match is None:
        return Decision("dynamic", "no marker model fits it", explicit=False)
    if moved is None:
        why = "no markers of pelvis or feet show whether the person stands"
        return Decision("dynamic", why, explicit=False)
    frames = 0 if recording.content is None else recording.content.frames
    if moved <= WALKED_M and frames < SHORTEST_FRAMES:
        why = f"{counted(frames, 'frame')} do not show whether the person stands"
        return Decision("dynamic", why, explicit=False)
    if moved <= WALKED_M:
        why = f"pelvis and feet move no more than {max(moved, 0.01):.2f} m"
        return Decision("static", why, explicit=False)
    return Decision("dynamic", f"pelvis or feet move {moved:.1f} m", explicit=False)
