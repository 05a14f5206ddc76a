"""The direction of a stride, and how much it turns.

``timeseries.csv`` uses the direction of the whole trial. The curves of a stride use that of the
stride: the horizontal displacement of the pelvis from strike to strike.
"""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.kinematics.angles import headed_angles, progression_frame
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import Stretch
from gaitdyn.types.result import Processed

SHORTEST_M = 0.15
"""If the pelvis moves less than this in a stride, the person is on a belt or stands: there are no
lengths, and the direction of the trial is used."""

_PART = 0.25
"""Share of the stride on either side of a strike over which its direction is taken."""

_FLAT = np.array([1.0, 0.0, 1.0])


def stride_direction(pelvis_G: Array, start_row: float, stop_row: float) -> Array | None:
    """Return the unit horizontal direction of the pelvis between two rows, shape (3,), or None.

    Parameters
    ----------
    pelvis_G : array, shape (n, 3)
        Its centre, G, m; NaN where not known.
    start_row, stop_row : float
        Of the strikes.

    Returns
    -------
    array, shape (3,), or None
        None if the pelvis is not known, or moves less than 0.15 m.
    """
    walked = (_point_at(pelvis_G, stop_row) - _point_at(pelvis_G, start_row)) * _FLAT
    length = float(np.linalg.norm(walked))
    return walked / length if length >= SHORTEST_M else None


def heading_change(pelvis_G: Array, start_row: float, stop_row: float) -> float:
    """Return the change of direction over a stride, deg, positive to the left; NaN if unknown.

    It is the direction at the end minus that at the start, each the displacement of the pelvis
    over half a stride about the strike. Both are taken at the same phase of the stride, so that
    the sway of the pelvis cancels. If the recording ends within a quarter of a stride of a strike,
    a parabola and one wave of the stride's length are fitted to the frames that exist, and both
    directions are those of the parabola.

    Parameters
    ----------
    pelvis_G : array, shape (n, 3)
    start_row, stop_row : float

    Examples
    --------
    A pelvis on a circle turns by the angle it travels:

    >>> angle = np.radians(np.arange(181.0))
    >>> pelvis = np.stack((np.sin(angle), 0 * angle, np.cos(angle)), axis=1)
    >>> round(heading_change(pelvis, 60.0, 120.0), 6)
    60.0
    """
    if stride_direction(pelvis_G, start_row, stop_row) is None:
        return float("nan")
    part = _PART * (stop_row - start_row)
    before = pelvis_G[: max(math.floor(start_row - part) + 1, 0)]
    if _ever_known(before[::-1]) and _ever_known(pelvis_G[math.ceil(stop_row + part) :]):
        first, last = (
            (_point_at(pelvis_G, row + part) - _point_at(pelvis_G, row - part)) * _FLAT
            for row in (start_row, stop_row)
        )
    else:
        first, last = _fitted_directions(pelvis_G, start_row, stop_row)
    turn = np.arctan2(first[2] * last[0] - first[0] * last[2], first @ last)
    return float(np.degrees(turn))


def _fitted_directions(pelvis_G: Array, start_row: float, stop_row: float) -> tuple[Array, Array]:
    """Return the walking directions at two strikes, without the sway of the pelvis.

    They are ``b + 2 c t`` at the strikes of the least-squares fit of ``a + b t + c t^2 +
    d sin 2 pi t + e cos 2 pi t`` over the stride and a quarter before and after it, t in strides
    from the middle of the stride. They are NaN where the pelvis is known in fewer frames than there
    are terms.
    """
    length = stop_row - start_row
    low = max(int(np.ceil(start_row - _PART * length)), 0)
    high = min(int(stop_row + _PART * length), len(pelvis_G) - 1)
    rows = np.arange(low, high + 1)
    rows = rows[complete_rows(pelvis_G[low : high + 1])]
    t = (rows - start_row) / length - 0.5
    wave = 2.0 * np.pi * t
    terms = np.stack((np.ones(len(t)), t, t**2, np.sin(wave), np.cos(wave)), axis=1)
    if len(t) < terms.shape[1]:
        return np.full(3, np.nan), np.full(3, np.nan)
    fitted = np.linalg.lstsq(terms, pelvis_G[rows] * _FLAT, rcond=None)[0]
    return fitted[1] - fitted[2], fitted[1] + fitted[2]


def curve_direction(result: Processed, stretch: Stretch) -> Array:
    """Return the walking direction to which the curves of a stride refer, unit, G, shape (3,).

    It is that of the stride. It is that of the trial if the stride has none, and in the
    plug-in-gait profile, whose direction is an axis of the laboratory.
    """
    if result.options.profile == "plug-in-gait":
        return result.pose.walking_G
    pelvis_G = pelvis_path(result, stretch.side)
    direction = stride_direction(pelvis_G, stretch.start_row, stretch.stop_row)
    return result.pose.walking_G if direction is None else direction


def pelvis_path(result: Processed, side: str) -> Array:
    """Return the centre of the pelvis against the ground below a foot, shape (n, 3), G, m."""
    return result.once(
        f"cycles pelvis {side}", lambda: result.pose.origin_G - result.ground_travel(side)
    )


def headed_columns(result: Processed, side: str, rows: slice, walking_G: Array) -> dict[str, Array]:
    """Return the columns that depend on the direction of walking, recomputed for another one.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    rows : slice
        Of the trial.
    walking_G : array, shape (3,)
        Unit, horizontal.

    Returns
    -------
    dict
        Name without the side -> values of the rows, in the unit of the column.
    """
    columns = headed_angles(result.pose, side, rows, walking_G)
    if (wrench := result.sides[side].wrench) is not None:
        force = wrench.force_G[rows] @ progression_frame(walking_G)
        columns |= {"grf_x": force[:, 0], "grf_z": force[:, 2]}
    if result.upper is not None:
        from gaitdyn.cycles.upper_heading import headed_upper

        columns |= headed_upper(result.upper, side, rows, walking_G, result.sides[side].stance)
    return columns


def _ever_known(points: Array) -> bool:
    """Return whether a point is known in some frame; mostly the first one tells."""
    return bool(complete_rows(points[:1]).any() or complete_rows(points).any())


def _point_at(points: Array, row: float) -> Array:
    """Return a point at a fractional row, on the line between the two frames."""
    row = min(max(row, 0.0), len(points) - 1.0)
    low = min(int(row), max(len(points) - 2, 0))
    part = row - low
    if part == 0.0:
        return points[low]
    if part == 1.0:
        return points[low + 1]
    return (1.0 - part) * points[low] + part * points[low + 1]
