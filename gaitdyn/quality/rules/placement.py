"""Rules of markers against the static: all pairs of a segment keep their distance."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.markers import LETTER
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_median, known_points

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

PELVIS = ("LASI", "RASI", "LPSI", "RPSI", "SACR")
SEGMENTS: dict[str, tuple[str, ...]] = {
    "thigh": ("THI", "KNE", "KNM", "TH1", "TH2", "TH3", "TH4", "GTR", "HFI", "FTC"),
    "shank": ("KNE", "KNM", "TIB", "ANK", "MED", "TTU", "TTC", "FAX", "HFI", "TB1", "TB2", "TB3",
              "SK1", "SK2", "SK3", "SK4"),
    "foot": ("ANK", "MED", "HEE", "TOE", "MT1", "MT5"),
}  # fmt: skip
"""Our names of markers on one segment, without the side."""

LEAST_M, PART, ENOUGH_M = 0.02, 0.08, 0.012
"""Untouched pairs differ from the static by 11 mm and 5 % at most; 20 mm, or 8 % and 12 mm, is
another place."""


def placement_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each segment whose markers do not stand as in the static."""
    found: list[Finding] = []
    if result.static is None:
        return unlike_sides(result, rules)
    groups: list[tuple[str, str | None, tuple[str, ...]]] = [("pelvis", None, PELVIS)]
    for side in result.sides:
        groups += [
            (f"{side} {segment}", side, tuple(LETTER[side] + role for role in roles))
            for segment, roles in SEGMENTS.items()
        ]
    for segment, side, labels in groups:
        found += _moved(result, segment, side, labels, rules)
    return found


ALIKE: tuple[tuple[str, str], ...] = (
    ("ASI", "SACR"), ("ASI", "PSI"), ("ASI", "other PSI"), ("KNE", "ANK"), ("ANK", "HEE"),
    ("HEE", "TOE"), ("ANK", "TOE"), ("HEE", "MT5"), ("ANK", "MT5"), ("ANK", "MT1"),
)  # fmt: skip
"""Markers on bones: left and right are alike where nothing is known of the person."""

KNEES = 1.5
"""Knees that are bowed on one side differ more than distances on a bone: times the limit."""


def _partner(letter: str, role: str) -> str:
    """Return the label of a marker of one side, the pelvis or the other side.

    Examples
    --------
    >>> _partner("L", "PSI"), _partner("L", "other PSI"), _partner("L", "SACR")
    ('LPSI', 'RPSI', 'SACR')
    """
    if role == "SACR":
        return role
    other = {"L": "R", "R": "L"}[letter]
    return other + role.removeprefix("other ") if role.startswith("other ") else letter + role


def unlike_sides(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each pair of markers that stand otherwise on the other leg."""
    rule, labels, found = rules["sides-unlike"], set(result.trial.labels), []
    for one, other in ALIKE:
        pairs = [(x + one, _partner(x, other)) for x in LETTER.values()]
        if not {label for pair in pairs for label in pair} <= labels:
            continue
        sizes = [_median(result.trial.marker(a) - result.trial.marker(b)) for a, b in pairs]
        off = abs(sizes[0] - sizes[1])
        if off > rule.bound:
            told = " and ".join(
                f"{a} to {b} is {1000 * size:.0f} mm"
                for (a, b), size in zip(pairs, sizes, strict=True)
            )
            message = f"{told}: a marker is misplaced or exchanged, or the person's legs do differ"
            found.append(rule.found(pairs[0][0], message, off))
    return found + unlike_knees(result, rules)


def unlike_knees(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding where one knee marker stands further outside its leg than the other.

    The distance to the outside of the line from the hip centre to the ankle marker, seen from
    ahead, median over stance: 5 to 60 mm in the trials of 17 laboratories, left and right within
    12 mm of each other.
    """
    rule, beside = rules["sides-unlike"], {}
    right = np.cross(result.pose.walking_G, (0.0, 1.0, 0.0))
    for side, outward in (("left", -right), ("right", right)):
        knee, ankle = LETTER[side] + "KNE", LETTER[side] + "ANK"
        if side not in result.sides or not {knee, ankle} <= set(result.trial.labels):
            return []
        line = result.pose.leg(side).r_prox_G[:, 2] - result.trial.marker(ankle)
        arm = result.trial.marker(knee) - result.trial.marker(ankle)
        with np.errstate(invalid="ignore", divide="ignore"):
            off = (arm - (arm[:, 1] / line[:, 1])[:, None] * line) @ outward
        beside[side] = known_median(off[result.sides[side].stance])
    off, limit = abs(beside["left"] - beside["right"]), KNEES * rule.bound
    if not off > limit:
        return []
    told = " and ".join(f"{LETTER[s]}KNE {1000 * value:.0f} mm" for s, value in beside.items())
    message = (
        f"{told} outside the line from hip to ankle, seen from ahead: a marker is misplaced, or the"
        " person's legs do differ"
    )
    return [rule.found("LKNE", message, off, limit=limit)]


def _moved(
    result: Processed, segment: str, side: str | None, labels: tuple[str, ...], rules: Rules
) -> list[Finding]:
    """Return a finding about the marker of a segment whose distances changed most."""
    static, trial = result.static, result.trial
    assert static is not None  # noqa: S101  asked before
    own = [x for x in labels if x in trial.labels and static.has(x)]
    off: dict[tuple[str, str], tuple[float, float]] = {}
    for one, other in combinations(own, 2):
        was = _median(static.marker(one) - static.marker(other))
        now = _median(trial.marker(one) - trial.marker(other))
        change = abs(now - was)
        if change > LEAST_M or (change > ENOUGH_M and change > PART * was):
            off[one, other] = (now, was)
    if not off:
        return []
    blame = {x: sum(abs(n - w) for pair, (n, w) in off.items() if x in pair) for x in own}
    marker = max(blame, key=lambda x: blame[x])
    pairs = [(p, v) for p, v in off.items() if marker in p] or list(off.items())
    (one, other), (now, was) = max(pairs, key=lambda pair: abs(pair[1][0] - pair[1][1]))
    rule = rules["static-distance"]
    message = (
        f"{segment}: {one} to {other} is {1000 * now:.0f} mm, {1000 * was:.0f} mm in the static"
        f" {static.name} (pairs of markers that differ: {len(off)}): {marker} is exchanged or"
        " was moved, or the static is another person's"
    )
    return [rule.found(marker, message, abs(now - was), side=side)]


def _median(apart: Array) -> float:
    """Return the median length of vectors, NaN where none is known."""
    known = known_points(apart)
    if not known.any():
        return np.nan
    return known_median(lengths(apart[known]))
