"""Rules of left against right: markers of the two legs stand alike, unless one is misplaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import cross, lengths
from gaitdyn.quality.rules.placement import median_length
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

_UP = np.array((0.0, 1.0, 0.0))

ALIKE: tuple[tuple[str, str], ...] = (
    ("ASI", "SACR"), ("ASI", "PSI"), ("ASI", "other PSI"), ("KNE", "ANK"), ("ANK", "HEE"),
    ("HEE", "TOE"), ("ANK", "TOE"), ("HEE", "MT5"), ("ANK", "MT5"), ("ANK", "MT1"),
    ("KNE", "KNM"), ("ANK", "MED"), ("MED", "HEE"), ("HEE", "MT1"), ("ASI", "FTC"), ("ASI", "GTR"),
    ("KNE", "FAX"), ("KNE", "HFI"), ("KNE", "TTC"), ("KNE", "TTU"),
)  # fmt: skip
"""Markers on bones: left and right are alike where nothing is known of the person."""


@dataclass(frozen=True, slots=True)
class MarkerLine:
    """A line from one marker of a leg to another, beside which a third stands.

    Attributes
    ----------
    role, far, near : str
        The third; the ends of the line, ``hip`` for its centre.
    ahead : bool
        Ahead of it is asked, not outside.
    times : float
        By how much of the limit of a distance left and right may differ: legs that are bowed, wands
        that point elsewhere differ more than distances on a bone.
    always : bool
        With a static, too: a wand that points to the other side of its leg keeps its distances.
    """

    role: str
    far: str
    near: str
    ahead: bool = False
    times: float = 1.5
    always: bool = False

    def labels(self, letter: str) -> set[str]:
        """Return the markers of one leg that it needs."""
        return {letter + x for x in (self.role, self.far, self.near) if x != "hip"}


LINES = (
    MarkerLine("KNE", "hip", "ANK"), MarkerLine("ANK", "TOE", "HEE"),
    MarkerLine("MT5", "TOE", "HEE"), MarkerLine("MT1", "TOE", "HEE"),
    MarkerLine("THI", "hip", "KNE", always=True), MarkerLine("TIB", "KNE", "ANK", always=True),
    MarkerLine("THI", "hip", "KNE", ahead=True, times=2.5),
    MarkerLine("TIB", "KNE", "ANK", ahead=True, times=2.5),
)  # fmt: skip
"""Untouched trials of 17 laboratories: outside, left and right differ by 18 mm at knees, 24 mm at
thigh and shank, 11 mm at ankles; ahead by 49 mm."""


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


def both_sides(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about markers that stand otherwise than those of the other side."""
    alone = unlike_sides(result, rules) if result.static is None else []
    return [*alone, *unlike_lines(result, rules), *unlike_rotations(result, rules)]


def unlike_sides(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each pair of markers that stand otherwise on the other leg."""
    rule, labels, found = rules["sides-unlike"], set(result.trial.labels), []
    for one, other in ALIKE:
        pairs = [(x + one, _partner(x, other)) for x in LETTER.values()]
        if not {label for pair in pairs for label in pair} <= labels:
            continue
        sizes = [median_length(result.trial.marker(a) - result.trial.marker(b)) for a, b in pairs]
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
    """Return a finding for each marker that stands elsewhere beside its leg or foot than the other.

    With a static only what its distances do not tell is asked.
    """
    rule, found = rules["sides-unlike"], []
    for line in LINES if len(result.sides) > 1 else ():
        if result.static is not None and not line.always:
            continue
        apart = {side: beside(result, side, line) for side in result.sides}
        off, limit = abs(apart["left"] - apart["right"]), line.times * rule.bound
        if not off > limit:
            continue
        told = " and ".join(
            f"{LETTER[s]}{line.role} {1000 * value:.0f} mm" for s, value in apart.items()
        )
        where = "ahead of" if line.ahead else "outside"
        message = (
            f"{told} {where} the line from {line.far} to {line.near}: a marker is misplaced, or the"
            " person's legs do differ"
        )
        found.append(rule.found(f"L{line.role}", message, off, limit=limit))
    return found


def beside(result: Processed, side: str, line: MarkerLine) -> float:
    """Return how far outside or ahead of its line a marker stands, m; NaN where none is seen.

    The line is followed to the height of the marker, that of a foot ahead to beside it. The pelvis
    tells what is ahead. Median over the stances of the side.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    line : MarkerLine
    """
    return result.once(f"beside {side} {line}", lambda: _beside(result, side, line))


def _beside(result: Processed, side: str, line: MarkerLine) -> float:
    trial, letter = result.trial, LETTER[side]
    if not line.labels(letter) <= set(trial.labels):
        return np.nan
    hip = result.pose.leg(side).r_prox_G[:, 2]
    far = hip if line.far == "hip" else trial.marker(letter + line.far)
    points = (trial.marker(letter + line.role), far, trial.marker(letter + line.near))
    ways = result.once("ways of the pelvis", lambda: Ways.of(result.pose.R_GP[:, :, 0], _UP))
    off = off_line(line, side, points, ways)
    return known_median(off[result.sides[side].stance])


class Ways(NamedTuple):
    """Where ahead, right and up are for a pelvis: shapes (n, 3), (n, 3) and (3,), and ``size``.

    The first two are level and ``size`` long, shape (n,).
    """

    ahead: Array
    right: Array
    up: Array
    size: Array

    @classmethod
    def of(cls, facing: Array, up: Array) -> Ways:
        """Return the ways of a pelvis that faces so, shape (n, 3)."""
        ahead = facing - np.outer(facing @ up, up)
        return cls(ahead, cross(ahead, np.broadcast_to(up, ahead.shape)), up, lengths(ahead))


def off_line(line: MarkerLine, side: str, points: tuple[Array, Array, Array], ways: Ways) -> Array:
    """Return how far outside or ahead of its line a marker stands, shape (n,), m.

    Parameters
    ----------
    line : MarkerLine
    side : {"left", "right"}
    points : tuple of arrays, shape (n, 3)
        The marker, the far and the near end of the line, m; in any right-handed axes.
    ways : Ways
    """
    third, far, end = points
    outward = ways.right if side == "right" else -ways.right
    whole, arm = far - end, third - end
    along = ways.ahead if line.far == "TOE" else ways.up
    way = ways.ahead if line.ahead else outward
    with np.errstate(invalid="ignore", divide="ignore"):
        part = _sums(arm * along) / _sums(whole * along)
        return _sums((arm - part[:, None] * whole) * way) / ways.size


def _sums(products: Array) -> Array:
    return products[:, 0] + products[:, 1] + products[:, 2]


def unlike_rotations(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding where the hips stand turned otherwise on the two sides."""
    rule = rules["rotations-unlike"]
    turned = {
        side: known_median(leg.angles["hip"][leg.stance, 2]) for side, leg in result.sides.items()
    }
    off = abs(turned["left"] - turned["right"]) if len(turned) > 1 else 0.0
    if not off > rule.bound:
        return []
    message = (
        f"the hips stand {off:.0f} deg apart in rotation (left {turned['left']:+.0f}, right"
        f" {turned['right']:+.0f} deg, inward +): a thigh marker turns the knee axis of its side,"
        " or the person's hips do differ"
    )
    return [rule.found("hips", message, off)]
