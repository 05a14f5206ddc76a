"""Markers that a walk should show and does not: those of its static, those of the other side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gaitdyn.calibrate.axes import seen_labels
from gaitdyn.calibrate.ladder import is_role
from gaitdyn.core.runs import known_points
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.marker_model import MarkerModel
    from gaitdyn.types.recording import Recording

TRUNK = ("CLAV", "C7", "STRN", "T10")
_ARM_OR_HEAD = re.compile(r"^[LR](?:SHO|ELB|WR[ABI]|FIN|FHD|BHD)$")
_MIRROR = {"L": "R", "R": "L"}


def is_upper(label: str) -> bool:
    """Return whether a label is one of our names of markers above the pelvis."""
    return label in TRUNK or bool(_ARM_OR_HEAD.match(label))


def lost_markers(
    trial: Recording, static: Recording | None, model: MarkerModel, written: Sequence[str]
) -> list[Finding]:
    """Return a finding for each marker that walk or static lacks and shows of the other side.

    A laboratory that uses a marker in the static alone does so on both sides. Markers of the trunk
    have no other side: any of them that is seen will do. Without a static the walk itself lists
    what it should show.

    Parameters
    ----------
    trial, static : Recording
        Markers under our names.
    model : MarkerModel
        Whose markers are meant, besides those of the ladder and above the pelvis.
    written : sequence of str
        The labels of the trial as the laboratory writes them.
    """
    if static is None:
        return _never_seen(trial, model, written)
    walk = seen_labels(trial.labels, trial.markers_L)
    stance = seen_labels(static.labels, static.markers_L)
    found: list[Finding] = []
    for label in sorted(stance - walk):
        if (there := _partner(label, walk)) and _is_meant(label, model):
            known = f"seen in the static and not in the walk, which shows {there}"
            found.append(_finding(label, label, known))
    for label in sorted(walk - stance):
        there = _partner(label, stance)
        if there in walk and not is_upper(label) and _is_meant(label, model):
            known = f"seen in the walk and not in the static {static.name}, which shows {there}"
            found.append(_finding(label, label, known))
    return found


def _partner(label: str, seen: set[str]) -> str:
    """Return a marker that is seen where another should be: of the other side, of the trunk."""
    others = TRUNK if label in TRUNK else (_MIRROR.get(label[:1], "") + label[1:],)
    return next((other for other in others if other in seen), "")


def _never_seen(trial: Recording, model: MarkerModel, written: Sequence[str]) -> list[Finding]:
    """Return a finding for each label of which only the other side's is ever seen.

    Poses of segments have no labels of markers.
    """
    if len(written) != len(trial.labels):
        return []
    known = known_points(trial.markers_L)
    seen = [bool(known[:, i].any()) for i in range(known.shape[1])]
    shown = {label for label, there in zip(written, seen, strict=True) if there}
    found: list[Finding] = []
    for role, own, there in zip(trial.labels, written, seen, strict=True):
        if not there or role[:1] not in _MIRROR or not _is_meant(role, model):
            continue
        twin = next((x for x in written if x not in shown and are_twins(x, own)), None)
        if twin is not None:
            said = f"listed in the walk and never seen in it, which shows {own}"
            found.append(_finding(_MIRROR[role[0]] + role[1:], twin, said))
    return found


def _is_meant(label: str, model: MarkerModel) -> bool:
    return is_role(label) or label in model.labels or is_upper(label)


def _finding(role: str, label: str, known: str) -> Finding:
    upper = is_upper(role)
    code, level = ("upper-marker", "info") if upper else ("marker-lost", "warning")
    message = f"{label} is {known}: its neighbours stand for it"
    return Finding(level, code, label, message, side=None if role in TRUNK else SIDE_OF[role[0]])


def are_twins(one: str, other: str) -> bool:
    """Return whether two labels differ in their side alone.

    Examples
    --------
    >>> are_twins("L_FTC", "R_FTC"), are_twins("left knee", "right knee"), are_twins("LTH1", "LTH2")
    (True, True, False)
    """
    one, other = one.lower(), other.lower()
    if len(one) != len(other):
        return one != other and one.replace("left", "right") == other.replace("left", "right")
    return [{a, b} for a, b in zip(one, other, strict=True) if a != b] == [{"l", "r"}]
