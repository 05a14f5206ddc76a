"""Measures of trunk, head and wrists that one misplaced or exchanged marker changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.rigid import rigid_motion
from gaitdyn.core.rotations import cross, lengths, unit
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.result import Processed

Problems = list[tuple[str, str]]
"""Each with the marker or the part, and why it is in doubt."""

SHAPES: dict[str, tuple[tuple[str, ...], float]] = {
    "trunk": (("CLAV", "STRN", "C7", "T10"), 0.012),
    "head": (("LFHD", "RFHD", "LBHD", "RBHD"), 0.006),
}
"""Part -> its four markers, and how far they may lie from their places in the static (root mean
square of the best fit, m). Ten walks have at most 6.1 and 1.8 mm; one marker 60 mm off has 8 to 29
mm at the trunk, most above 13, and 9 to 26 at the head. Distances show such a marker only along the
lines to its neighbours."""

OUT_OF_PLANE_M = 0.036
"""How much further a marker of the trunk may lie off the plane of the other three than in the
static: the best fit absorbs most of a marker at an end that is off sideways. Nine walks have at
most 18 mm, at T10."""

WRIST_SHARE = 0.5
"""Largest distance of the two wrist markers, as a share of that from the elbow marker to the nearer
one; in 18 recordings of the corpus it is 0.23 to 0.33, as a median over time."""


def other_shapes(result: Processed, paths: dict[str, Array]) -> Problems:
    """Return trunk and head, if their four markers lie otherwise than in the static of a walk."""
    static = result.static
    if static is None or result.task != WALKING:
        return []
    problems: dict[str, str] = {}
    for part, (names, limit) in SHAPES.items():
        if not (set(names) <= set(paths) and all(map(static.has, names))):
            continue
        still, walk = _standing(static, names), np.stack([paths[x] for x in names], axis=1)
        if (off := _off(still, walk)) > limit:
            shape = f"{', '.join(names)} lie {1000 * off:.0f} mm from their places in the"
            why = f"{shape} static {static.name} (limit {1000 * limit:g}): one is misplaced"
            problems[part] = why
        elif part == "trunk":
            aside = np.nan_to_num(np.abs(known_medians(_heights(walk)) - _heights(still[None])[0]))
            worst = int(np.argmax(aside))
            if aside[worst] > OUT_OF_PLANE_M:
                further = f"{names[worst]} lies {1000 * aside[worst]:.0f} mm further off the plane"
                problems[part] = f"{further} of the other three than in the static {static.name}"
    return list(problems.items())


def _heights(points: Array) -> Array:
    """Return how far each of four points lies off the plane of the others, shape (n, 4), m."""
    heights: list[Array] = []
    for i in range(points.shape[1]):
        a, b, c = (points[:, j] for j in range(points.shape[1]) if j != i)
        normal = unit(cross(b - a, c - a))
        heights.append(np.einsum("ij,ij->i", points[:, i] - a, normal))
    return np.stack(heights, axis=1)


def _standing(static: Recording, names: tuple[str, ...]) -> Array:
    """Return the mean places of markers in the static, in the frames that show all of them."""
    points = np.stack([static.marker(x) for x in names], axis=1)
    return known_mean(points[complete_rows(points)])


def _off(shape: Array, points: Array) -> float:
    """Return the distance of points from their fitted shape, median of the root mean squares, m."""
    if not np.isfinite(shape).all():
        return 0.0
    residual = rigid_motion(shape, points)[2]
    off = known_median(np.sqrt((residual**2).mean(axis=1)))
    return off if np.isfinite(off) else 0.0


def wide_wrists(paths: dict[str, Array]) -> Problems:
    """Return the elbow markers that lie no further from the wrist than a wrist is wide."""
    problems: Problems = []
    for letter in "LR":
        elbow, thumb, little = (letter + name for name in ("ELB", "WRA", "WRB"))
        if not {elbow, thumb, little} <= set(paths):
            continue
        width = known_median(lengths(paths[thumb] - paths[little]))
        forearm = min(known_median(lengths(paths[elbow] - paths[x])) for x in (thumb, little))
        if width > WRIST_SHARE * forearm:
            why = f"{1000 * width:.0f} mm from {little}, and {elbow} {1000 * forearm:.0f} mm"
            problems.append((thumb, f"{why}: exchanged with it or another marker"))
    return problems
