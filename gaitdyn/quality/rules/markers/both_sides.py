"""Rules on left against right: markers of the two legs are alike unless one is misplaced."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import cross, lengths
from gaitdyn.quality.rules.markers.placement import like_standing, median_length
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER
from gaitdyn.types.words import signed

_UP = np.array((0.0, 1.0, 0.0))

ALIKE: tuple[tuple[str, str], ...] = (
    ("ASI", "SACR"), ("ASI", "PSI"), ("ASI", "other PSI"), ("KNE", "ANK"), ("ANK", "HEE"),
    ("HEE", "TOE"), ("ANK", "TOE"), ("HEE", "MT5"), ("ANK", "MT5"), ("ANK", "MT1"),
    ("KNE", "KNM"), ("ANK", "MED"), ("MED", "HEE"), ("HEE", "MT1"), ("ASI", "FTC"), ("ASI", "GTR"),
    ("KNE", "FAX"), ("KNE", "HFI"), ("KNE", "TTC"), ("KNE", "TTU"),
)  # fmt: skip
"""Marker pairs on bones: without a static, left and right distances are expected to be alike."""


@frozen()
class MarkerLine:
    """A line from one marker of a leg to another, and a third marker next to it.

    Attributes
    ----------
    role, far, near : str
        The third marker; the ends of the line, ``hip`` for the hip centre.
    ahead : bool
        Whether the offset ahead of the line is checked, not that outside.
    times : float
        Multiple of the limit of a distance by which left and right may differ: bowed legs and wands
        that point elsewhere differ more than distances on a bone.
    always : bool
        Whether it is also checked with a static: a wand that points to the other side of its leg
        keeps its distances.
    """

    role: str
    far: str
    near: str
    ahead: bool = False
    times: float = 1.5
    always: bool = False

    def labels(self, letter: str) -> set[str]:
        """Return the labels of the markers needed on one leg."""
        return {letter + x for x in (self.role, self.far, self.near) if x != "hip"}


LINES = (
    MarkerLine("KNE", "hip", "ANK"), MarkerLine("ANK", "TOE", "HEE"),
    MarkerLine("MT5", "TOE", "HEE"), MarkerLine("MT1", "TOE", "HEE"),
    MarkerLine("THI", "hip", "KNE", always=True), MarkerLine("TIB", "KNE", "ANK", always=True),
    MarkerLine("THI", "hip", "KNE", ahead=True, times=2.5),
    MarkerLine("TIB", "KNE", "ANK", ahead=True, times=2.5),
)  # fmt: skip
"""In untouched trials of 17 laboratories, left and right differ outside by 18 mm at knees, 24 mm at
thigh and shank, 11 mm at ankles, and ahead by 49 mm."""


def _partner(letter: str, role: str) -> str:
    """Return the label of a marker of one side, the pelvis or the other side.

    Examples
    --------
    >>> _partner("L", "PSI"), _partner("L", "other PSI"), _partner("L", "SACR")
    ('LPSI', 'RPSI', 'SACR')
    """
    if role == "SACR":
        return role
    opposite = {"L": "R", "R": "L"}[letter]
    return opposite + role.removeprefix("other ") if role.startswith("other ") else letter + role


def both_sides(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on markers placed differently from those of the other side."""
    alone = unlike_sides(result, rules) if result.static is None else []
    return [*alone, *unlike_lines(result, rules), *unlike_rotations(result, rules)]


def unlike_sides(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each pair of markers whose distance differs on the other leg."""
    rule, labels, findings = rules["sides-unlike"], set(result.trial.labels), []
    for first, second in ALIKE:
        pairs = [(x + first, _partner(x, second)) for x in LETTER.values()]
        if not {label for pair in pairs for label in pair} <= labels:
            continue
        apart = (result.trial.marker(a) - result.trial.marker(b) for a, b in pairs)
        sizes = [
            median_length(each[like_standing(result, side)])
            for side, each in zip(LETTER, apart, strict=True)
        ]
        off = abs(sizes[0] - sizes[1])
        if off > rule.bound:
            sizes_mm = " and ".join(
                f"{a} to {b} is {1000 * size:.0f} mm"
                for (a, b), size in zip(pairs, sizes, strict=True)
            )
            message = f"{sizes_mm}: a marker is misplaced or exchanged, or the person's legs differ"
            findings.append(rule.found(f"{pairs[0][0]}, {pairs[1][0]}", message, off))
    return findings


def unlike_lines(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each marker whose offset from its leg or foot differs between sides.

    With a static, only lines that its distances do not check are used.
    """
    rule, findings = rules["sides-unlike"], []
    for line in LINES if len(result.sides) > 1 else ():
        if result.static is not None and not line.always:
            continue
        apart = {side: beside(result, side, line) for side in result.sides}
        off, limit = abs(apart["left"] - apart["right"]), line.times * rule.bound
        if not off > limit:
            continue
        offsets = " and ".join(
            f"{LETTER[s]}{line.role} {1000 * value:.0f} mm" for s, value in apart.items()
        )
        relation = "ahead of" if line.ahead else "outside"
        message = (
            f"{offsets} {relation} the line from {line.far} to {line.near}: a marker is misplaced,"
            " or the person's legs differ"
        )
        scope = ", ".join(letter + line.role for letter in LETTER.values())
        findings.append(rule.found(scope, message, off, limit=limit))
    return findings


def beside(result: Processed, side: str, line: MarkerLine) -> float:
    """Return the offset of a marker outside or ahead of its line, m; NaN if a marker is missing.

    It is measured at the height of the marker, for a foot at its position along the foot. Ahead is
    defined by the pelvis. It is the median over the stances of the side.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    line : MarkerLine
    """
    return result.once(
        f"beside {side} {line.role} {line.ahead}", lambda: _beside(result, side, line)
    )


def _beside(result: Processed, side: str, line: MarkerLine) -> float:
    trial, letter = result.trial, LETTER[side]
    if not line.labels(letter) <= set(trial.labels):
        return np.nan
    hip = result.pose.leg(side).r_prox_G[:, 2]
    far_end = hip if line.far == "hip" else trial.marker(letter + line.far)
    points = (trial.marker(letter + line.role), far_end, trial.marker(letter + line.near))
    axes = result.once("ways of the pelvis", lambda: PelvisAxes.of(result.pose.R_GP[:, :, 0], _UP))
    rows = result.sides[side].stance & like_standing(result, side)
    return known_median(off_line(line, side, points, axes)[rows])


class PelvisAxes(NamedTuple):
    """Directions ahead, right and up of a pelvis: shapes (n, 3), (n, 3) and (3,).

    The first two are horizontal with the length ``size``, shape (n,).
    """

    ahead: Array
    right: Array
    up: Array
    size: Array

    @classmethod
    def of(cls, facing: Array, up: Array) -> PelvisAxes:
        """Return the axes of a pelvis that faces in some direction, shape (n, 3)."""
        ahead = facing - np.outer(facing @ up, up)
        return cls(ahead, cross(ahead, np.broadcast_to(up, ahead.shape)), up, lengths(ahead))


def off_line(
    line: MarkerLine, side: str, points: tuple[Array, Array, Array], axes: PelvisAxes
) -> Array:
    """Return the offset of a marker outside or ahead of its line, shape (n,), m.

    Parameters
    ----------
    line : MarkerLine
    side : {"left", "right"}
    points : tuple of arrays, shape (n, 3)
        The marker, the far and the near end of the line, m; in any right-handed axes.
    axes : PelvisAxes
    """
    third, far_end, near_end = points
    outward = axes.right if side == "right" else -axes.right
    whole, arm = far_end - near_end, third - near_end
    along = axes.ahead if line.far == "TOE" else axes.up
    direction = axes.ahead if line.ahead else outward
    with np.errstate(invalid="ignore", divide="ignore"):
        part = _sums(arm * along) / _sums(whole * along)
        return _sums((arm - part[:, None] * whole) * direction) / axes.size


def _sums(products: Array) -> Array:
    return products[:, 0] + products[:, 1] + products[:, 2]


def unlike_rotations(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the hip rotation in stance differs between the sides."""
    rule = rules["rotations-unlike"]
    turned = {
        side: known_median(leg.angles["hip"][leg.stance, 2]) for side, leg in result.sides.items()
    }
    off = abs(turned["left"] - turned["right"]) if len(turned) > 1 else 0.0
    if not off > rule.bound:
        return []
    message = (
        f"hip rotation differs by {off:.0f} deg between sides (left {signed(turned['left'], 0)},"
        f" right {signed(turned['right'], 0)} deg, inward +): a thigh marker turns the knee axis"
        " of its side, or the person's hips differ"
    )
    return [rule.found("hips", message, off)]
