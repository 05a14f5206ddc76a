"""Which file of a session is a static, which a walk, which is left out, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.session.contents import travel_m

if TYPE_CHECKING:
    from gaitdyn.session.contents import Seen
    from gaitdyn.session.session_file import SessionFile

Role = Literal["dynamic", "static", "left-out"]

_PARTS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_STATIC_STARTS = ("static", "calib", "standing")
_STATIC_WORDS = ("cal", "stat")


@dataclass(frozen=True, slots=True)
class Decision:
    """A role, why, and whether a person said so (in a file or by the name)."""

    role: Role
    reason: str
    told: bool = True


def called_static(stem: str) -> bool:
    """Return whether the name of a file says static, calibration or standing.

    Examples
    --------
    >>> [called_static(x) for x in ("FunctionalStatic", "S4 AM Cal 01", "Capture0008_Standing")]
    [True, True, True]
    >>> called_static("vertical local walk"), called_static("PN01S01STAT")
    (False, True)
    """
    parts = [part.lower() for part in _PARTS.findall(stem)]
    return any(part.startswith(_STATIC_STARTS) or part in _STATIC_WORDS for part in parts)


def decide_role(seen: Seen, file: SessionFile) -> Decision:
    """Return the role of a file: ``session.toml``, then its ``.enf``, its name, its stillness.

    Parameters
    ----------
    seen : Seen
    file : SessionFile
    """
    name = seen.path.name
    use = file.trial(name).use
    if use is False:
        return Decision("left-out", "session.toml: use = false")
    if name in [entry.file for entry in file.statics]:
        return Decision("static", "named in session.toml")
    if any(entry.static == name for entry in file.trials.values()):
        return Decision("static", "named in session.toml as the static of a trial")
    if use:
        return Decision("dynamic", "session.toml: use = true")
    if seen.glance is None:
        return Decision("dynamic", "it cannot be read")
    return _by_type(seen) or _by_name(seen) or _by_stillness(seen)


def _by_type(seen: Seen) -> Decision | None:
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


def _by_name(seen: Seen) -> Decision | None:
    if not called_static(seen.path.stem):
        return None
    moved = travel_m(seen)
    if moved is not None and moved > WALKED_M:
        why = f"named like a static, but pelvis or feet move {moved:.1f} m in it"
        return Decision("dynamic", why, told=False)
    return Decision("static", "by its name")


def _by_stillness(seen: Seen) -> Decision:
    moved = travel_m(seen)
    if moved is None:
        return Decision("dynamic", "no pelvis or feet are seen that could stand still", told=False)
    if moved <= WALKED_M:
        why = f"pelvis and feet move no more than {moved:.2f} m"
        return Decision("static", why, told=False)
    return Decision("dynamic", f"pelvis or feet move {moved:.1f} m", told=False)
