"""Find markers that a walk should show and does not, from its static or from the other side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gaitdyn.calibrate.axes import seen_labels
from gaitdyn.calibrate.ladder.model import PELVIS_TRACKS, is_role
from gaitdyn.core.runs import known_points
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDE_OF

TRUNK = ("CLAV", "C7", "STRN", "T10")
_ARM_OR_HEAD = re.compile(r"^[LR](?:SHO|ELB|ELM|WR[ABI2]|[RU]SP|FIN|FHD|BHD)$")
_MIRROR = {"L": "R", "R": "L"}


def is_upper(label: str) -> bool:
    """Return whether a label is one of our names of markers above the pelvis."""
    return label in TRUNK or bool(_ARM_OR_HEAD.match(label))


def lost_markers(
    trial: Recording, static: Recording | None, model: MarkerModel, written: Sequence[str]
) -> list[Finding]:
    """Return a finding for each marker that walk or static lacks although its partner is visible.

    A laboratory that uses a marker only in the static does so on both sides. Markers of the trunk
    have no other side: any visible one counts as partner. Without a static, the labels of the walk
    are the list of what it should show.

    Parameters
    ----------
    trial, static : Recording
        Markers under our names.
    model : MarkerModel
        Only its markers, those of the ladder and those above the pelvis are considered.
    written : sequence of str
        The labels of the trial as written by the laboratory.
    """
    if static is None:
        return _never_seen(trial, model, written)
    walk = seen_labels(trial.labels, trial.markers_L)
    standing = seen_labels(static.labels, static.markers_L)
    findings: list[Finding] = []
    for label in sorted(standing - walk):
        if (partner := _partner(label, walk)) and _is_meant(label, model):
            state = f"visible in the static but not in the walk, which shows {partner}"
            findings.append(_finding(label, label, state))
    for label in sorted(walk - standing):
        partner = _partner(label, standing)
        if partner in walk and not is_upper(label) and _is_meant(label, model):
            state = (
                f"visible in the walk but not in the static {static.name}, which shows {partner}"
            )
            findings.append(_finding(label, label, state))
    return findings


def without_lost_of_other_legs(findings: Iterable[Finding], sides: Sequence[str]) -> list[Finding]:
    """Return the findings without lost markers of a leg that is not computed: none replaces them.

    Parameters
    ----------
    findings : iterable of Finding
        Their lost markers are named as in a model.
    sides : sequence of {"left", "right"}
        The legs that are computed.
    """
    return [
        finding
        for finding in findings
        if finding.code != "marker-lost" or finding.side in sides or finding.scope in PELVIS_TRACKS
    ]


def _partner(label: str, visible: set[str]) -> str:
    """Return a visible counterpart of a marker, on the other side or the trunk; empty if none."""
    others = TRUNK if label in TRUNK else (_MIRROR.get(label[:1], "") + label[1:],)
    return next((label for label in others if label in visible), "")


def _never_seen(trial: Recording, model: MarkerModel, written: Sequence[str]) -> list[Finding]:
    """Return a finding for each label that is never visible although the other side's label is.

    Segment poses have no marker labels.
    """
    if len(written) != len(trial.labels):
        return []
    recorded = known_points(trial.markers_L)
    visible = [bool(recorded[:, i].any()) for i in range(recorded.shape[1])]
    visible_labels = {
        label for label, is_visible in zip(written, visible, strict=True) if is_visible
    }
    findings: list[Finding] = []
    for role, label, is_visible in zip(trial.labels, written, visible, strict=True):
        ours = role if _is_meant(role, model) else label.upper()  # a label that nothing was read as
        if not is_visible or ours[:1] not in _MIRROR or not _is_meant(ours, model):
            continue
        twin = next((x for x in written if x not in visible_labels and are_twins(x, label)), None)
        if twin is not None:
            state = f"listed in the walk but never visible there, which shows {label}"
            findings.append(_finding(_MIRROR[ours[0]] + ours[1:], twin, state))
    return findings


def _is_meant(label: str, model: MarkerModel) -> bool:
    return is_role(label) or label in model.labels or is_upper(label)


def _finding(role: str, label: str, state: str) -> Finding:
    upper = is_upper(role)
    code, level = ("upper-marker", "info") if upper else ("marker-lost", "warning")
    message = f"{label} is {state}: its neighbours are used instead"
    return Finding(level, code, label, message, side=None if role in TRUNK else SIDE_OF[role[0]])


def are_twins(first: str, second: str) -> bool:
    """Return whether two labels differ only in their side.

    Examples
    --------
    >>> are_twins("L_FTC", "R_FTC"), are_twins("left knee", "right knee"), are_twins("LTH1", "LTH2")
    (True, True, False)
    """
    first, second = first.lower(), second.lower()
    if len(first) != len(second):
        return first != second and first.replace("left", "right") == second.replace("left", "right")
    return [{a, b} for a, b in zip(first, second, strict=True) if a != b] == [{"l", "r"}]
