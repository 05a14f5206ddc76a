"""Rules of markers against the static: all pairs of a segment keep their distance."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.markers import LETTER
from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points

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
        return [*unlike_sides(result, rules), *unlike_lines(result, rules)]
    groups: list[tuple[str, str | None, tuple[str, ...]]] = [("pelvis", None, PELVIS)]
    for side in result.sides:
        groups += [
            (f"{side} {segment}", side, tuple(LETTER[side] + role for role in roles))
            for segment, roles in SEGMENTS.items()
        ]
    for segment, side, labels in groups:
        found += _moved(result, segment, side, labels, rules)
    return found + unlike_lines(result, rules)


ALIKE: tuple[tuple[str, str], ...] = (
    ("ASI", "SACR"), ("ASI", "PSI"), ("ASI", "other PSI"), ("KNE", "ANK"), ("ANK", "HEE"),
    ("HEE", "TOE"), ("ANK", "TOE"), ("HEE", "MT5"), ("ANK", "MT5"), ("ANK", "MT1"),
)  # fmt: skip
"""Markers on bones: left and right are alike where nothing is known of the person."""

OUTWARD: tuple[tuple[str, str, str, bool], ...] = (
    ("KNE", "hip", "ANK", False), ("THI", "hip", "KNE", True), ("TIB", "KNE", "ANK", True),
    ("ANK", "TOE", "HEE", False),
)  # fmt: skip
"""A marker, the ends of the line beside which it stands, and whether a static does not tell its
place: a wand that points to the other side of its leg keeps its distances."""

LINES = 1.5
"""Legs that are bowed, wands of two lengths differ more than distances on a bone: times the
limit."""


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
    return found


def unlike_lines(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each marker that stands further outside its leg or foot than the other.

    The distance to the outside of a line, median over stance: left and right differ by 18 mm at
    knees, 24 mm at thigh and shank, 11 mm at ankles in the trials of 17 laboratories. With a static
    only what its distances do not tell is asked.
    """
    rule, found = rules["sides-unlike"], []
    limit = LINES * rule.bound
    for role, far, near, always in OUTWARD:
        if result.static is not None and not always:
            continue
        beside = {side: outside(result, side, role, far, near) for side in result.sides}
        off = abs(beside["left"] - beside["right"]) if len(beside) > 1 else 0.0
        if not off > limit:
            continue
        told = " and ".join(
            f"{LETTER[s]}{role} {1000 * value:.0f} mm" for s, value in beside.items()
        )
        view = "seen from above" if far == "TOE" else "seen from ahead"
        message = (
            f"{told} outside the line from {far} to {near}, {view}: a marker is misplaced, or the"
            " person's legs do differ"
        )
        found.append(rule.found(f"L{role}", message, off, limit=limit))
    return found


def outside(result: Processed, side: str, role: str, far: str, near: str) -> float:
    """Return how far outside a line between two markers a third stands, m; NaN where none is seen.

    The line is followed upward to the height of the marker, that of a foot ahead to beside it. The
    pelvis tells what is ahead. Median over the stances of the side.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    role, far, near : str
        Our names without the side; ``hip`` is its centre.
    """
    trial, letter = result.trial, LETTER[side]
    if not {letter + x for x in (role, far, near) if x != "hip"} <= set(trial.labels):
        return np.nan
    ahead = result.pose.R_GP[:, :, 0] * (1.0, 0.0, 1.0)
    outward = np.cross(ahead, (0.0, 1.0 if side == "right" else -1.0, 0.0))
    end = trial.marker(letter + near)
    hip = result.pose.leg(side).r_prox_G[:, 2]
    line = (hip if far == "hip" else trial.marker(letter + far)) - end
    arm = trial.marker(letter + role) - end
    along = ahead if far == "TOE" else np.array((0.0, 1.0, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        part = (arm * along).sum(axis=1) / (line * along).sum(axis=1)
        off = ((arm - part[:, None] * line) * outward).sum(axis=1) / lengths(ahead)
    return known_median(off[result.sides[side].stance])


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
