"""Recognise the movement in a trial from the paths of pelvis and feet.

A trial counts as walking unless the paths clearly show another movement, because other movements
get no gait cycles. In walks of 30 laboratories and on a belt, the feet move 0.5 to 0.9 m forward
and back relative to the pelvis, in turn (correlation -0.7 to -0.9).
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.gravity import STANDARD_GRAVITY
from gaitdyn.core.medians import known_median, median
from gaitdyn.core.percentiles import percentile, percentiles, percentiles_across
from gaitdyn.core.runs import runs
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.task import WALKING, Task

STEP_M, IN_TURN = 0.12, -0.3
"""Least range of each foot relative to the pelvis and largest correlation of both, for alternating
feet."""
PLACE_M = 1.0
"""If the pelvis moves further than this the person walks, whatever the feet show."""
AIR_M, JUMP_M, JUMP_S = 0.03, 0.05, 0.1
"""Height of the lower foot above the ground in flight, and in a jump for at least this time."""
FLIGHT, FROUDE = 0.05, 0.35
"""Least share of the time in flight and least Froude number v^2 / (g h) of running, h the height
of the pelvis. People change from walking to running at about 0.5 (Alexander 1989, Physiol Rev
69:1199-1227)."""
STAIR_M, CLIMBED_M = 0.08, 0.20
"""Least rise from one foot placement to the next, and of the pelvis over the trial."""
PLANTED_M, MOVED_M, DOWN_M = 0.15, 0.30, 0.10
"""A planted foot moves less than 0.15 m, a moving one more than 0.30 m. A pelvis that is lowered
moves at least 0.10 m; while one hip is moved on purpose it moves less than twice that."""
SEAT_M = 0.15
"""On a seat the pelvis is at least this much further behind the feet than in standing."""

TALLEST_M = 1.6
"""No pelvis is higher above the feet: legs of 1.3 m at most (``body-size``), and the feet."""

_SLOW_M_S, _SET_S = 0.2, 0.1
_EDGE = 5
_FEWEST = 10


@frozen(eq=False)
class _Foot:
    """Path of one foot: position ahead of the pelvis, floor position and heights of the lower end.

    ``low`` is the height of the lower of heel and toe; ``raised`` is measured from the lowest
    heights of both. Shape (n,), but ``floor`` (n, 2).
    """

    ahead: Array
    floor: Array
    low: Array
    raised: Array


def recognise(
    pelvis_G: Array, feet: dict[str, tuple[Array, Array]], walking_G: Array, rate_hz: float
) -> Task:
    """Return the movement that a person performs in a trial.

    Parameters
    ----------
    pelvis_G : array, shape (n, 3)
        Centre of the pelvis, m; y up.
    feet : mapping
        Side -> heel and toe, shape (n, 3) each, m.
    walking_G : array, shape (3,)
        Unit horizontal walking direction, or the direction that the pelvis faces.
    rate_hz : float

    Returns
    -------
    str
        Of :data:`gaitdyn.types.task.TASK_WORDS`.
    """
    tracks = [_foot(pelvis_G, heel, toe, walking_G) for heel, toe in feet.values()]
    level = _extent(pelvis_G[:, [0, 2]])
    extents = [level, *(_extent(foot.floor) for foot in tracks)]
    if len(tracks) != 2 or not np.isfinite(extents).all():  # noqa: PLR2004  both feet tell
        return WALKING
    left, right = tracks
    height = known_median(pelvis_G[:, 1]) - known_median(np.fmax(left.low, right.low))
    if not 0.0 < height < TALLEST_M:
        return WALKING  # upside down, or in another unit: the quality rules report that
    if _in_turn(left, right):
        if _climbs(pelvis_G, left, right, rate_hz):
            return "stairs"
        return "running" if _runs(pelvis_G, left, right, rate_hz) else WALKING
    if _jumps(left, right, rate_hz):
        return "jump"
    return WALKING if level > PLACE_M else _in_place(pelvis_G, left, right)


def _in_place(pelvis_G: Array, left: _Foot, right: _Foot) -> Task:
    """Return the movement of a person who stays in place."""
    down = _extent(pelvis_G[:, 1:2])
    moved = sorted(_extent(foot.floor) for foot in (left, right))
    if moved[1] < PLANTED_M and down >= DOWN_M:
        return "sit-to-stand" if _sits(pelvis_G[:, 1], left, right) else "squat"
    if moved[0] < PLANTED_M and moved[1] > MOVED_M and down < 2 * DOWN_M:
        return "functional"
    return "other"


def _foot(pelvis_G: Array, heel: Array, toe: Array, walking_G: Array) -> _Foot:
    """Return the path of a foot from heel and toe, shape (n, 3) each, G, m."""
    middle = 0.5 * (heel + toe)
    ends = heel[:, 1], toe[:, 1]
    raised = np.minimum(*(end - _lowest(end) for end in ends))
    return _Foot((middle - pelvis_G) @ walking_G, middle[:, [0, 2]], np.minimum(*ends), raised)


def _in_turn(left: _Foot, right: _Foot) -> bool:
    """Return whether the feet pass the pelvis one after the other."""
    known = np.isfinite(left.ahead + right.ahead)
    ranges = [_extent(foot.ahead[:, None]) for foot in (left, right)]
    if not min(ranges) >= STEP_M or known.sum() < _FEWEST:
        return False
    return float(np.corrcoef(left.ahead[known], right.ahead[known])[0, 1]) <= IN_TURN


def _runs(pelvis_G: Array, left: _Foot, right: _Foot, rate_hz: float) -> bool:
    """Return whether both feet are in the air between steps, at a running speed."""
    lower = np.minimum(left.raised, right.raised)
    known = np.isfinite(lower)
    if not known.any() or float((lower[known] > AIR_M).mean()) < FLIGHT:
        return False
    back = [-np.gradient(foot.ahead) * rate_hz for foot in (left, right)]
    speed = known_median(np.fmax(*back))  # of the foot on the ground, belt or floor
    floor = min(_lowest(foot.low) for foot in (left, right))
    height = known_median(pelvis_G[:, 1]) - floor
    return speed > 0 and speed**2 >= FROUDE * STANDARD_GRAVITY * height


def _climbs(pelvis_G: Array, left: _Foot, right: _Foot, rate_hz: float) -> bool:
    """Return whether every foot placement is higher, or every one lower, than the one before."""
    if _extent(pelvis_G[:, 1:2]) < CLIMBED_M:
        return False
    levels = sorted(
        (start + stop, known_median(foot.low[start:stop]))
        for foot in (left, right)
        for start, stop in _set_down(foot, rate_hz)
    )
    steps = np.diff([height for _, height in levels])
    rising = steps[np.abs(steps) > STAIR_M]
    return (
        len(rising) > 0
        and bool(np.abs(rising.sum()) > CLIMBED_M - STAIR_M)
        and (bool((rising > 0).all()) or bool((rising < 0).all()))
    )


def _set_down(foot: _Foot, rate_hz: float) -> list[tuple[int, int]]:
    """Return the runs of rows in which a foot does not move."""
    speed = np.linalg.norm(np.gradient(foot.floor, axis=0), axis=1) * rate_hz
    still: Mask = np.nan_to_num(speed, nan=np.inf) < _SLOW_M_S
    return [run for run in runs(still) if run[1] - run[0] >= _SET_S * rate_hz]


def _jumps(left: _Foot, right: _Foot, rate_hz: float) -> bool:
    """Return whether both feet are in the air for a while."""
    lower = np.nan_to_num(np.minimum(left.raised, right.raised), nan=0.0)
    return any(stop - start >= JUMP_S * rate_hz for start, stop in runs(lower > JUMP_M))


def _sits(height: Array, left: _Foot, right: _Foot) -> bool:
    """Return whether the pelvis is behind the feet at its lowest, as on a seat."""
    ahead = 0.5 * (left.ahead + right.ahead)
    known = np.isfinite(height + ahead)
    if not known.any():
        return False
    low, high = percentiles(height[known], 10, 90)
    seated, up = (
        float(median(ahead[known][rows])) for rows in (height[known] <= low, height[known] >= high)
    )
    return seated - up >= SEAT_M


def _extent(points: Array) -> float:
    """Return the diagonal of the box of the 2 to 98 % range of points (n, k), m; NaN if none."""
    known = points[np.isfinite(points).all(axis=1)]
    if not len(known):
        return float("nan")
    low, high = percentiles_across(known, 2, 98)
    return float(np.linalg.norm(high - low))


def _lowest(values: Array) -> float:
    known = values[np.isfinite(values)]
    return percentile(known, _EDGE) if len(known) else float("nan")
