"""Rules on markers that moved across their leg between static and walk, or stand unlike in it.

The markers of a leg are nearly in line, so that a marker moved across the leg keeps its distances.
A medial marker is often worn in the static alone: only the other leg shows where it belongs.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.plug_in_gait.joint_centres import hip_centre, pelvis_frame
from gaitdyn.calibrate.plug_in_gait.markers import LETTER, PELVIS, sacrum
from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths, rotate_back
from gaitdyn.quality.rules.markers.both_sides import (
    ALIKE,
    LINES,
    MarkerLine,
    PelvisAxes,
    beside,
    off_line,
)
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import Recording
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import OTHER, SIDES
from gaitdyn.types.trial import Trial

OUTSIDE, AHEAD = 2.5, 4.0
"""Multiples of the limit of a distance: 30 and 48 mm. In untouched trials of 14 laboratories,
markers differ from the static by 15 mm outside, 18 mm ahead, 34 mm if its legs are turned out."""

KNEE_AHEAD = 3.0
"""A knee marker moved ahead leaves thigh and shank marker behind their lines: twice the smaller is
36 mm more than in the static, and than on the other leg. In untouched legs it is 20 mm, and 58 mm
on both legs if they are turned out."""

UPRIGHT = 0.9
"""Least cosine of a line with the vertical in a static, so that the leg is upright."""

STANDING: dict[tuple[str, str], float] = {
    ("KNE", "KNM"): 0.6, ("ANK", "MED"): 0.6, ("KNE", "MED"): 0.8, ("KNM", "ANK"): 1.0,
    ("KNM", "MED"): 1.0, ("MED", "HEE"): 0.75, ("MED", "TOE"): 0.75, ("TOE", ""): 0.6,
    ("MT1", ""): 0.6, ("MT5", ""): 0.6,
}  # fmt: skip
"""Pairs of markers in a static, or a marker and the floor, and the multiple of the limit by which
left and right may differ; those on bones that only the static shows are added. In untouched statics
of 15 laboratories: widths 8 mm, heel and toe 15 mm, others 17 mm, 29 mm in one whose ankle has
another label, heights 12 mm."""


@frozen(eq=False)
class StaticPosture:
    """Posture of a person in a static, in the axes of its laboratory.

    Attributes
    ----------
    static : Recording
    axes : PelvisAxes
        Of the pelvis.
    origin : array, shape (n, 3)
        The middle of the ASIS markers, m.
    R_LP : array, shape (n, 3, 3)
    up : array, shape (3,)
    """

    static: Recording
    axes: PelvisAxes
    origin: Array
    R_LP: Array
    up: Array


def static_lines(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each marker whose distance from its line differs from the static."""
    stance = stance_of(result)
    pelvis = pelvis_of(result.trial)
    if stance is None or pelvis is None:
        return []
    findings: list[Finding] = []
    behind: dict[str, list[float]] = {}
    for side in result.sides:
        offset_P = rotate_back(pelvis[0], result.pose.leg(side).r_prox_G[:, 2] - pelvis[1])
        offset_P = np.array([known_median(part) for part in offset_P.T])
        hips = hip_centre(stance.R_LP, stance.origin, offset_P)
        for line in LINES:
            if line.labels(LETTER[side]) <= set(stance.static.labels):
                was = known_median(_standing(stance, line, side, hips))
                now = beside(result, side, line)
                findings += _compared(result, side, line, (was, now), rules)
                if line.ahead:
                    behind.setdefault(side, []).append(was - now)
    return findings or _knees_ahead(behind, rules)


def static_sides(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each pair of markers that is unlike on the other leg in the static."""
    stance, rule = stance_of(result), rules["sides-unlike"]
    findings: list[Finding] = []
    if stance is None:
        return findings
    have, walking = set(stance.static.labels), set(result.trial.labels)
    bony = {pair: 1.0 for pair in ALIKE if "ASI" not in pair}
    for (first, second), times in (bony | STANDING).items():
        labels = {x + y for x in LETTER.values() for y in (first, second or "HEE")}
        if not labels <= have or ((first, second) not in STANDING and labels <= walking):
            continue  # what the walk shows as well is compared with it
        measure = _apart if second else _height
        sizes = [measure(stance, x + first, x + (second or "HEE")) for x in LETTER.values()]
        off = float(np.abs(sizes[0] - sizes[1]).min())
        if off > times * rule.bound:
            left, right = (1000 * float(size[0]) for size in sizes)
            message = (
                f"static {stance.static.name}: {first} to {second or 'floor'} is {left:.0f} mm on"
                f" the left, {right:.0f} mm on the right: a marker is misplaced or exchanged, or"
                " the person's legs differ"
            )
            scope = ", ".join(x + first for x in LETTER.values())
            findings.append(rule.found(scope, message, off, limit=times * rule.bound))
    return findings


def _apart(stance: StaticPosture, first: str, second: str) -> Array:
    """Return the distance of two markers of a static, shape (1,), m."""
    apart = stance.static.marker(first) - stance.static.marker(second)
    return np.array([known_median(lengths(apart))])


def _height(stance: StaticPosture, marker: str, heel: str) -> Array:
    """Return the height of a marker over the origin and over the heel, shape (2,), m.

    The first alone differs if one foot stands on a block, the second alone if a heel is raised.
    """
    top, low = (known_median(stance.static.marker(x) @ stance.up) for x in (marker, heel))
    return np.array((top, top - low))


def shows_pelvis(marked: Trial | Recording) -> bool:
    """Return whether the markers of a pelvis are present."""
    have = set(marked.labels)
    return have.issuperset(PELVIS) and ({"LPSI", "RPSI"} <= have or "SACR" in have)


def pelvis_of(marked: Trial | Recording) -> tuple[Array, Array] | None:
    """Return axes and origin of a pelvis from its markers, None without them."""
    if not shows_pelvis(marked):
        return None
    return pelvis_frame(marked.marker("LASI"), marked.marker("RASI"), sacrum(marked))


def stance_of(result: Processed) -> StaticPosture | None:
    """Return the posture in the static of a trial; None without a static that shows it."""
    static = result.static
    return None if static is None else result.once("stance in static", lambda: find_stance(static))


def find_stance(static: Recording) -> StaticPosture | None:
    """Return the posture in a static; up is the axis nearest to the direction up the legs."""
    frame, have = pelvis_of(static), set(static.labels)
    legs = [(f"{x}ASI", f"{x}ANK") for x in LETTER.values() if {f"{x}ASI", f"{x}ANK"} <= have]
    if frame is None or not legs:
        return None
    upward = np.mean([static.marker(hip) - static.marker(ankle) for hip, ankle in legs], axis=0)
    upward = np.array([known_median(part) for part in upward.T])
    up, axis = np.zeros(3), int(np.argmax(np.abs(np.nan_to_num(upward))))
    up[axis] = np.sign(upward[axis])
    return StaticPosture(static, PelvisAxes.of(frame[0][:, :, 0], up), frame[1], frame[0], up)


def _standing(stance: StaticPosture, line: MarkerLine, side: str, hips: Array) -> Array:
    """Return the offsets of a marker from its line in frames with an upright leg, m."""
    letter, marker = LETTER[side], stance.static.marker
    far_end = hips if line.far == "hip" else marker(letter + line.far)
    near_end = marker(letter + line.near)
    off = off_line(line, side, (marker(letter + line.role), far_end, near_end), stance.axes)
    if line.far == "TOE":
        return off
    with np.errstate(invalid="ignore"):
        return off[(far_end - near_end) @ stance.up > UPRIGHT * lengths(far_end - near_end)]


def _compared(
    result: Processed, side: str, line: MarkerLine, offsets: tuple[float, float], rules: Rules
) -> list[Finding]:
    assert result.static is not None  # noqa: S101  checked before
    rule, (was, now) = rules["static-distance"], offsets
    limit = rule.bound * (AHEAD if line.ahead else OUTSIDE)
    if not abs(now - was) > limit:
        return []
    marker, relation = LETTER[side] + line.role, "ahead of" if line.ahead else "outside"
    message = (
        f"{side} leg: {marker} is {1000 * now:.0f} mm {relation} the line from {line.far} to"
        f" {line.near}, {1000 * was:.0f} mm in the static {result.static.name}: it or an end of the"
        " line was moved, or the static is another person's"
    )
    return [rule.found(marker, message, abs(now - was), side=side, limit=limit)]


def _knees_ahead(behind: dict[str, list[float]], rules: Rules) -> list[Finding]:
    """Return a finding for a knee marker that moved ahead or back since the static.

    Thigh and shank marker then both lie behind their lines, or ahead, on this leg alone.
    """
    rule, findings = rules["static-distance"], list[Finding]()
    limit = KNEE_AHEAD * rule.bound
    if len(behind) < len(SIDES):
        return findings
    both: dict[str, float] = {side: 2.0 * _common(*behind[side]) for side in SIDES}
    for side, other in OTHER.items():
        moved, way = abs(both[side]), np.sign(both[side])
        if moved > limit and way * (both[side] - both[other]) > limit:
            message = (
                f"{side} leg: thigh and shank marker are {500 * moved:.0f} mm or more further"
                f" {'behind' if way > 0.0 else 'ahead of'} the lines through {LETTER[side]}KNE"
                " than in the static, unlike on the other leg: the knee marker was moved ahead or"
                " back"
            )
            scope = f"{LETTER[side]}KNE"
            findings.append(rule.found(scope, message, moved, side=side, limit=limit))
    return findings


def _common(first: float, second: float = 0.0) -> float:
    """Return the smaller of two numbers of the same sign, else 0."""
    return float(min(first, second, key=abs)) if first * second > 0.0 else 0.0
