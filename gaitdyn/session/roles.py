"""Which file of a session is a static, which a walk, which is left out, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.calibrate.find_static import has_quiet_part
from gaitdyn.calibrate.functional import TRAVEL_M
from gaitdyn.calibrate.static_files import called_static, words_of
from gaitdyn.session.contents import pelvis_travel_m, travel_m
from gaitdyn.types.options import split_frames

if TYPE_CHECKING:
    from gaitdyn.session.contents import RecordingContents
    from gaitdyn.session.session_file import SessionFile

Role = Literal["dynamic", "static", "functional", "left-out"]


@dataclass(frozen=True, slots=True)
class Decision:
    """A role, why, and whether a person said so (in a file or by the name)."""

    role: Role
    reason: str
    told: bool = True


def decide_role(seen: RecordingContents, file: SessionFile) -> Decision:
    """Return the role of a file: ``session.toml``, then its ``.enf``, its name, its stillness.

    Parameters
    ----------
    seen : RecordingContents
    file : SessionFile
    """
    told = _by_session(seen, file)
    if told is not None:
        return told
    if seen.content is None:
        return Decision("dynamic", "it cannot be read")
    return _by_type(seen) or _by_name(seen) or _functional(seen) or _by_stillness(seen)


def _by_session(seen: RecordingContents, file: SessionFile) -> Decision | None:
    """Return the role that ``session.toml`` gives a file."""
    name = seen.path.name
    use, place = file.trial(name).use, file.place(seen.path)
    if use is False:
        return Decision("left-out", "session.toml: use = false")
    if _is_one_of(seen.path, place, [entry.file for entry in file.statics]):
        return Decision("static", "named in session.toml")
    if _is_one_of(seen.path, place, [e.static for e in file.trials.values() if e.static]):
        return Decision("static", "named in session.toml as the static of a trial")
    keys = [
        key
        for key, path in file.options.get("functional", ())
        if Path(path).resolve() == seen.path.resolve()
    ]
    if keys:
        return Decision("functional", f"named in session.toml as {' and '.join(keys)}")
    return Decision("dynamic", "session.toml: use = true") if use else None


def _is_one_of(path: Path, folder: Path, names: list[str]) -> bool:
    return path.resolve() in [(folder / split_frames(name)[0]).resolve() for name in names]


def _by_type(seen: RecordingContents) -> Decision | None:
    enf = seen.enf
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


def _by_name(seen: RecordingContents) -> Decision | None:
    if not called_static(seen.path.stem):
        return None
    moved = travel_m(seen)
    if moved is not None and moved > WALKED_M:
        if has_quiet_part(seen.path, seen.match, seen.words):
            return Decision("static", f"by its name; it moves {moved:.1f} m, and stands in a part")
        why = f"named like a static, but pelvis or feet move {moved:.1f} m in it"
        return Decision("dynamic", why, told=False)
    return Decision("static", "by its name")


def _functional(seen: RecordingContents) -> Decision | None:
    """Return the role of a file that is called functional and in which the pelvis stays."""
    if not called_functional(seen.path.stem) or seen.content is None:
        return None
    feet, pelvis = travel_m(seen), pelvis_travel_m(seen)
    if feet is None or pelvis is None or feet <= WALKED_M or pelvis > TRAVEL_M:
        return None
    why = (
        f"by its name; the pelvis moves no more than {pelvis:.2f} m; name its joint in [functional]"
        " of session.toml to use it"
    )
    return Decision("functional", why)


def called_functional(stem: str) -> bool:
    """Return whether the name of a file says functional trial, and no walk.

    Examples
    --------
    >>> [called_functional(x) for x in ("Test_func_lhip", "BTK_FunctionalLHip", "SCoRE left")]
    [True, True, True]
    >>> [called_functional(x) for x in ("FunctionalWalk", "walk01")]
    [False, False]
    """
    found = [*words_of(stem), *re.findall("[a-z]+", stem.lower())]
    says = any(word.startswith(_FUNCTIONAL) for word in found)
    return says and not any(word.startswith(_WALKS) for word in found)


_FUNCTIONAL = ("func", "score", "sara", "star")
_WALKS = ("walk", "gait", "run", "stat")


def _by_stillness(seen: RecordingContents) -> Decision:
    """Return the role by what moves; a file of unknown markers is processed, to be refused."""
    moved = travel_m(seen)
    if seen.match is None:
        return Decision("dynamic", "no marker model fits it", told=False)
    if moved is None:
        return Decision("dynamic", "no pelvis or feet are seen that could stand still", told=False)
    if moved <= WALKED_M:
        why = f"pelvis and feet move no more than {moved:.2f} m"
        return Decision("static", why, told=False)
    return Decision("dynamic", f"pelvis or feet move {moved:.1f} m", told=False)
