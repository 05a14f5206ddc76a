"""Empty impossible values in a result: joints, and everything computed from them.

If the finding of a rule with ``empties`` in the table is an error, curves are emptied:
``kinematics`` empties those of the joint and of everything computed from it, ``kinetics`` the loads
of the side. A finding with a time empties only 0.3 s around it. The results of the stages are kept
in ``motion.npz`` and in the findings.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gaitdyn.core.runs import mask_of, runs
from gaitdyn.quality.impossible_upper import upper_without
from gaitdyn.quality.sides import sides_of
from gaitdyn.quality.upper_angles import without_impossible_angles
from gaitdyn.quality.upper_loads import ANYWAY, SPREAD_S, plausible_upper
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import later, unread
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import LegKinetics, Processed, Side
    from gaitdyn.types.upper import UpperBody
    from gaitdyn.types.wrench import FootWrench

R = TypeVar("R", bound="Processed")
Rows = tuple[int, int]

REACHED: dict[str | None, tuple[str, ...]] = {
    None: ("pelvis", "hip", "knee", "ankle", "foot"),
    "pelvis": ("pelvis", "hip", "knee", "ankle", "foot"),
    "hip": ("hip", "knee", "ankle", "foot"),
    "knee": ("hip", "knee", "ankle", "foot"),
    "ankle": ("knee", "ankle", "foot"),
    "foot": ("ankle", "foot"),
}
"""Joint of an impossible pose -> angles that are computed from it. The centres of knee and ankle
follow from the joint above; loads are computed from the foot upward, so that all are emptied."""


@frozen()
class Emptied:
    """Values of one side that are emptied.

    Attributes
    ----------
    poses : dict
        Segment or joint -> half-open rows in which its angles and its centre are emptied.
    rows : tuple of (int, int)
        Half-open rows in which the loads of all joints are emptied.
    force_rows : tuple of (int, int)
        Half-open rows in which the ground reaction force and the loads are emptied.
    """

    poses: dict[str, list[Rows]] = field(default_factory=dict[str, list[tuple[int, int]]])
    rows: tuple[Rows, ...] = ()
    force_rows: tuple[Rows, ...] = ()


def emptied(result: R, rules: Rules, candidates: Iterable[Finding] | None = None) -> R:
    """Return the result without impossible values; with ``publish_anyway`` they are only marked.

    The upper body is treated when it is first read.

    Parameters
    ----------
    result : Processed
        With its findings.
    rules : Rules
    candidates : iterable of Finding, optional
        Findings that may empty something; all findings of the result by default.
    """
    if candidates is None:
        candidates = result.judged or ()  # reading these computes the upper body
    impossible = [finding for finding in candidates if empties(finding, rules)]
    if impossible and result.options.publish_anyway:
        marked = [
            replace(f, message=f.message + ANYWAY) if f in impossible else f
            for f in result.judged or ()
        ]
        return replace(result, **unread(result, "upper", "noticed"), judged=tuple(marked))
    sides, pose = _without_parts_of_feet(result), result.pose
    if impossible:
        gone = {side: _emptied(result, side, impossible, rules) for side in sides}
        legs: dict[str, Any] = {
            side: replace(leg, r_prox_G=_blank(leg.r_prox_G, gone[side].poses))
            for side in SIDES
            if side in gone and gone[side].poses and (leg := pose.leg(side))
        }
        sides = {name: _side(side, gone[name]) for name, side in sides.items()}
        pose = replace(pose, **legs)
    upper = later(lambda: _upper(result, rules, sides))
    same = unread(result, "noticed", "judged")
    return replace(result, **same, sides=sides, pose=pose, upper=upper)


def _upper(result: Processed, rules: Rules, sides: dict[str, Side]) -> UpperBody | None:
    """Return the upper body without impossible values and without those that depend on such."""
    if result.upper is None:
        return None
    upper = plausible_upper(result.upper, result, rules)
    return upper_without(without_impossible_angles(upper, result, rules), result, sides)


def empties(finding: Finding, rules: Rules) -> bool:
    """Return whether a finding empties curves."""
    known = finding.level == "error" and rules.has(finding.code)
    return known and bool(rules[finding.code].empties)


def _emptied(result: Processed, side: str, findings: Iterable[Finding], rules: Rules) -> Emptied:
    """Return the values of one side that findings empty; an impossible pelvis empties both."""
    poses: dict[str, list[Rows]] = {}
    rows: list[Rows] = []
    for finding in findings:
        if side not in sides_of(result, finding):
            continue
        rows.append(around := _around(result, finding))
        if rules[finding.code].empties == "kinematics":
            for name in REACHED[finding.joint]:
                poses.setdefault(name, []).append(around)
    return Emptied(poses, tuple(rows))


def _around(result: Processed, finding: Finding) -> Rows:
    """Return the half-open rows that a finding empties: all of them without a time."""
    if finding.start_s is None or finding.stop_s is None:
        return 0, result.recording.n_frames
    reach = round(SPREAD_S * result.recording.rate_hz)
    start, stop = (int(result.row(t)) for t in (finding.start_s, finding.stop_s))
    return max(0, start - reach), stop + 1 + reach


def _side(side: Side, gone: Emptied) -> Side:
    """Return a leg without the values that are emptied."""
    angles = {
        name: np.where(mask_of(gone.poses[name], len(values))[:, None], np.nan, values)
        if name in gone.poses else values
        for name, values in side.angles.items()
    }  # fmt: skip
    kinetics, wrench = side.kinetics, side.wrench
    if kinetics is not None:
        kinetics = _unpublished(kinetics, gone)
    if wrench is not None and gone.force_rows:
        wrench = _unknown(wrench, mask_of(gone.force_rows, len(wrench.in_contact)))
    return replace(side, angles=angles, kinetics=kinetics, wrench=wrench)


def _unpublished(kinetics: LegKinetics, gone: Emptied) -> LegKinetics:
    """Return loads that may not be shown where they are emptied."""
    published = kinetics.published.copy()
    published[mask_of(gone.rows + gone.force_rows, len(published))] = False
    return replace(kinetics, published=published)


def _unknown(wrench: FootWrench, rows: Mask) -> FootWrench:
    """Return a wrench that is not known in some rows."""
    hidden = np.where(rows, np.nan, 1.0)
    return replace(
        wrench,
        force_G=wrench.force_G * hidden[:, None],
        moment_G=wrench.moment_G * hidden[:, None],
        cop_G=wrench.cop_G * hidden[:, None],
        free_moment=wrench.free_moment * hidden,
    )


def _blank(points: Array, poses: dict[str, list[Rows]]) -> Array:
    """Return joint centres, shape (n, 3, 3), with some unknown in some rows."""
    points = points.copy()
    for i, joint in enumerate(JOINTS):
        points[mask_of(poses.get(joint, ()), len(points)), i] = np.nan
    return points


def carries_a_part(contact: Contact) -> bool:
    """Return whether a contact carries only part of the foot's force, not part of its time."""
    return contact.verdict == "partial" and contact.code in ("light", "late")


def _without_parts_of_feet(result: Processed) -> dict[str, Side]:
    """Return the legs without the loads of stances that plates carry only in part.

    This applies to the default profile; the vendor's profile keeps the vendor's mask. Frames before
    and after the stance into which the filter spreads the force are emptied too.
    """
    if result.options.profile != "default" or result.options.publish_anyway:
        return result.sides
    sides = dict(result.sides)
    spread = force_filter(result.options, result.recording.rate_hz).spread
    for name, side in result.sides.items():
        partial = [c for c in result.contacts if c.side == name and carries_a_part(c)]
        rows = [
            (max(0, run[0] - spread), run[1] + spread)
            for run in runs(side.stance)
            if any(c.start < run[1] and c.stop > run[0] for c in partial)
        ]
        if rows:
            sides[name] = _side(side, Emptied(force_rows=tuple(rows)))
    return sides
