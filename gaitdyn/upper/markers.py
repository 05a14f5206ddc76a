"""Find the upper-body landmarks of a trial and the pose of each segment from them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.nearest import nearest_rotations
from gaitdyn.core.rotations import about, columns, cross, unit
from gaitdyn.core.runs import complete_rows
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import LETTER, SIDES, Subject
from gaitdyn.types.trial import Trial
from gaitdyn.types.upper import ArmPose, HeadPose, UpperPose
from gaitdyn.upper.arms import ARM_MARKERS, find_arm
from gaitdyn.upper.frames import Heads, head_axes, head_offset, thorax_axes

HEAD = ("LFHD", "RFHD", "LBHD", "RBHD")
TRUNK = ("CLAV", "C7")
LOWER_TRUNK = ("STRN", "T10")


@dataclass(slots=True)
class UpperPoseFound:
    """The pose, its findings, and a description of each segment."""

    pose: UpperPose
    findings: list[Finding] = field(default_factory=list[Finding])
    words: dict[str, str] = field(default_factory=dict[str, str])


def wanted_labels(labels: tuple[str, ...]) -> list[str]:
    """Return the labels of the upper body that a trial has."""
    names = [*HEAD, *TRUNK, *LOWER_TRUNK]
    names += [letter + name for letter in LETTER.values() for name in ARM_MARKERS]
    have = set(labels)
    return [name for name in names if name in have]


def build_pose(
    trial: Trial, static: Trial | None, subject: Subject, *, vendor: bool
) -> UpperPoseFound:
    """Return thorax, head and arms of a trial.

    Parameters
    ----------
    trial : Trial
        With its markers filtered.
    static : Trial or None
        With all its frames.
    subject : Subject
        With the marker diameter.
    vendor : bool
        Follow the vendor, who levels the head only if a file says so.
    """
    diameter = subject.marker_diameter_m or 0.0
    findings: list[Finding] = []
    words: dict[str, str] = {}
    R_GT = _thorax(trial, static, findings, words)
    origin = trial.marker("CLAV") - 0.5 * diameter * R_GT[..., 0]
    head = _head(trial, static, (R_GT, diameter), findings, words, vendor=vendor)
    arms: dict[str, ArmPose] = {}
    for side in SIDES:
        found = find_arm(side, trial, static, subject, (R_GT, origin), vendor=vendor)
        if found is not None:
            arms[side], words[f"{side}_arm"] = found.pose, found.words
            findings += found.findings
    c7 = trial.marker("C7")
    return UpperPoseFound(UpperPose(R_GT, origin, c7, head, arms), findings, words)


def _thorax(
    trial: Trial, static: Trial | None, findings: list[Finding], words: dict[str, str]
) -> Array:
    """Return the thorax axes from four markers, or from three and levelled by the static."""
    lower = [name for name in LOWER_TRUNK if name in trial.labels]
    words["thorax"] = f"axes of {', '.join((*TRUNK, *lower))}"
    if len(lower) == len(LOWER_TRUNK):
        return _four(trial)
    R = _three(trial, lower[0])
    missing = next(name for name in LOWER_TRUNK if name not in lower)
    rotation, how = _levelled(static, lower[0])
    words["thorax"] += f" ({how})"
    message = f"thorax: no marker {missing}; its axes are those of CLAV, C7 and {lower[0]}, {how}"
    findings.append(Finding("info", "thorax-three-markers", "thorax", message))
    return R @ rotation


def _four(trial: Trial) -> Array:
    clav, strn, c7, t10 = (trial.marker(name) for name in ("CLAV", "STRN", "C7", "T10"))
    return thorax_axes(0.5 * (clav + strn), 0.5 * (c7 + t10), 0.5 * (clav + c7), 0.5 * (strn + t10))


def _three(trial: Trial, lower: str) -> Array:
    """Return axes with y along the line of two markers on the front or the back of the trunk."""
    clav, c7, lower_marker = (trial.marker(name) for name in ("CLAV", "C7", lower))
    y = unit((clav if lower == "STRN" else c7) - lower_marker)
    z = unit(cross(clav - c7, y))
    return columns(cross(y, z), y, z)


def _levelled(static: Trial | None, lower: str) -> tuple[Array, str]:
    """Return the rotation from the axes of three markers to the thorax axes, in words too."""
    if static is None or not {*TRUNK, lower} <= set(static.labels):
        return np.eye(3), "not levelled: its lean has no true zero"
    three = _three(static, lower)
    if set(LOWER_TRUNK) <= set(static.labels):
        to_thorax = np.swapaxes(three, -1, -2) @ _four(static)
        words = "turned to those of four markers in the static"
    else:
        y = three[:, 1, :]  # up in the axes of the three markers
        lean = np.arctan2(-y[:, 0], y[:, 1])
        to_thorax, words = about("z", lean), "upright in the static"
    rows = to_thorax[complete_rows(to_thorax)]
    if not len(rows):
        return np.eye(3), "not levelled: its lean has no true zero"
    return nearest_rotations(rows.mean(axis=0)), words


def _heads(trial: Trial) -> Heads | None:
    if not set(HEAD) <= set(trial.labels):
        return None
    a, b, c, d = (trial.marker(name) for name in HEAD)
    return a, b, c, d


def _head(
    trial: Trial,
    static: Trial | None,
    thorax: tuple[Array, float],
    findings: list[Finding],
    words: dict[str, str],
    *,
    vendor: bool,
) -> HeadPose | None:
    """Return the head, levelled by the static; None without its four markers."""
    heads = _heads(trial)
    if heads is None:
        return None
    R_GT, diameter = thorax
    order = _swapped(heads, R_GT, trial)
    standing = order if static is None else _order_in(static, order)
    for one, where in ((order, ""), (standing if standing != order else HEAD, " of the static")):
        if one != HEAD:
            message = _exchanged(one, where, vendor=vendor)
            findings.append(Finding("info", "head-upside-down", "head", message))
    order, standing = (HEAD, HEAD) if vendor else (order, standing)
    a, b, c, d = (trial.marker(name) for name in order)
    offset, level = _head_level(trial, static, standing, vendor=vendor)
    tilt = abs(float(np.degrees(offset)))
    message = f"head: its markers are tilted by {tilt:.0f} deg where it counts as level ({level})"
    findings.append(Finding("warning", "head-unlevelled", "head", message, tilt))
    if not offset and static is None:
        message = "head: no static shows how its markers lie; its tilt has no true zero"
        findings.append(Finding("info", "head-no-static", "head", message))
    words["head"] = f"axes of {', '.join(HEAD)}, {level}"
    R = head_axes((a, b, c, d)) @ about("z", -offset)
    gap = np.linalg.norm(a - b, axis=1)
    size = 2.0 * (float(gap[np.isfinite(gap)].mean()) - diameter) if np.isfinite(gap).any() else 0.0
    return HeadPose(R, 0.5 * (a + b), size, offset)


def _swapped(heads: Heads, R_GT: Array, trial: Trial) -> tuple[str, ...]:
    """Return the labels of left front, right front, left back and right back by position.

    Of a head and a thorax that face opposite ways, the head is wrong only if the shoulders
    have left and right as the thorax does.
    """
    a, b, c, d = heads
    forward = known_median(np.einsum("ni,ni->n", a + b - c - d, R_GT[..., 0]))
    right = known_median(np.einsum("ni,ni->n", b + d - a - c, R_GT[..., 2]))
    if right < 0 and forward > 0:
        return (HEAD[1], HEAD[0], HEAD[3], HEAD[2])
    if forward < 0 and right > 0:
        return (HEAD[2], HEAD[3], HEAD[0], HEAD[1])
    if right < 0 and forward < 0 and {"LSHO", "RSHO"} <= set(trial.labels):
        across = trial.marker("RSHO") - trial.marker("LSHO")
        if known_median(np.einsum("ni,ni->n", across, R_GT[..., 2])) > 0:
            return HEAD[::-1]
    return HEAD


def _order_in(static: Trial, order: tuple[str, ...]) -> tuple[str, ...]:
    """Return the head labels of a static by position; without a thorax there, those of the walk."""
    heads, lower = _heads(static), [name for name in LOWER_TRUNK if name in static.labels]
    if heads is None or not lower or not set(TRUNK) <= set(static.labels):
        return order
    R_GT = _four(static) if len(lower) == len(LOWER_TRUNK) else _three(static, lower[0])
    return _swapped(heads, R_GT, static) if complete_rows(R_GT).any() else order


def _exchanged(order: tuple[str, ...], where: str, *, vendor: bool) -> str:
    """Return the sentence on head markers whose labels differ from their positions."""
    action = "the vendor uses them as labelled" if vendor else "they are used by position"
    turned = order == HEAD[::-1]
    both = "left and right, and" if turned else "left and right, or"
    pose = "face backwards" if turned else "be upside down"
    return (
        f"the labels LFHD, RFHD, LBHD, RBHD{where} have {both} front and back, exchanged: the head"
        f" would {pose}; {action}"
    )


def _head_level(
    trial: Trial, static: Trial | None, order: tuple[str, ...], *, vendor: bool
) -> tuple[float, str]:
    """Return the head's offset, rad, and how it was found, in words."""
    recordings = [trial.recording, *([] if static is None else [static.recording])]
    stored = next((r.head_offset_rad for r in recordings if r.head_offset_rad), 0.0)
    if vendor and not stored:
        return 0.0, "not levelled, as no file says that it is"
    offset = np.nan
    if static is not None and _heads(static) is not None:
        a, b, c, d = (static.marker(name) for name in order)
        offset = head_offset((a, b, c, d))
    if np.isfinite(offset):
        return offset, "level as in the static"
    if stored:
        return stored, "level by the offset that the file stores"
    return 0.0, "not levelled: its tilt has no true zero"
