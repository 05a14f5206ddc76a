"""Windows of the gait cycle that depend on foot-off, and the parts of curves in them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

_LEAST = np.finfo(float).tiny
"""Stands for a size of zero in a division."""


@frozen()
class Edge:
    """A time in the cycle: ``of_stance`` times foot-off plus ``plus``, %.

    Examples
    --------
    >>> Edge(1.0, -15.0).percent(60.0), Edge(1.0, -15.0).percent(10.0)
    (45.0, 0.0)
    """

    of_stance: float
    plus: float

    def percent(self, foot_off: float | None) -> float:
        """Return the time, %, within 0 to 100; NaN if it needs a foot-off that is not known."""
        if self.of_stance == 0.0:
            return self.plus
        if foot_off is None:
            return np.nan
        return min(max(self.of_stance * foot_off + self.plus, 0.0), 100.0)


@frozen()
class Window:
    """The stretch between two edges."""

    start: Edge
    stop: Edge


def edge_of(text: str) -> Edge:
    """Return the edge named in a table: ``25`` %, ``off`` or ``off-15``, ``mid-stance``.

    Examples
    --------
    >>> edge_of("off-15")
    Edge(of_stance=1.0, plus=-15.0)
    """
    if text == "mid-stance":
        return Edge(0.5, 0.0)
    plus = text.removeprefix("off")
    return Edge(float(plus != text), float(plus or 0.0))


def within_stance(window: Window) -> bool:
    """Return whether a window is the stance, a half or an end of it.

    Examples
    --------
    >>> strike, half, off, last = map(edge_of, ("0", "mid-stance", "off", "100"))
    >>> within_stance(Window(strike, half)), within_stance(Window(off, last))
    (True, False)
    """
    return all(edge.plus == 0.0 for edge in (window.start, window.stop))


def stretch(values: Array, window: Window, foot_off: float | None) -> tuple[Array, Array] | None:
    """Return the times and values of curves inside a window, its edges included.

    Parameters
    ----------
    values : array, shape (..., n)
        At equal steps from 0 to 100 % of the cycle.
    window : Window
    foot_off : float or None
        % of the cycle.

    Returns
    -------
    tuple of arrays, shapes (k,) and (..., k), or None
        Time in % and values; an edge between two steps is interpolated linearly. None if the window
        is empty.

    Examples
    --------
    >>> stretch(np.array([0.0, 1.0, 4.0]), Window(edge_of("25"), edge_of("off")), 60.0)
    (array([25., 50., 60.]), array([0.5, 1. , 1.6]))
    """
    start, stop = window.start.percent(foot_off), window.stop.percent(foot_off)
    if not start <= stop or (start == stop and window.start != window.stop):
        return None
    percent, grid, inside = _times(start, stop, values.shape[-1])
    curves = np.empty((*values.shape[:-1], percent.size))
    curves[..., 0], curves[..., -1] = _between(values, grid, start), _between(values, grid, stop)
    curves[..., 1 : percent.size - 1] = values[..., inside]
    return percent, curves


@lru_cache(maxsize=256)
def _times(start: float, stop: float, count: int) -> tuple[Array, Array, slice]:
    """Return the times of a stretch with its edges and of all steps, %, and the steps inside."""
    grid = _steps(count)
    inside = slice(int(grid.searchsorted(start, "right")), int(grid.searchsorted(stop)))
    percent = np.concatenate(([start], grid[inside], [stop])) if start < stop else np.array([start])
    percent.flags.writeable = False
    return percent, grid, inside


@lru_cache(maxsize=4)
def _steps(count: int) -> Array:
    """Return the times of all steps, %."""
    grid = np.linspace(0.0, 100.0, count)
    grid.flags.writeable = False
    return grid


def _between(values: Array, grid: Array, percent: float) -> Array:
    """Return curves at one time, interpolated linearly between two steps."""
    i = int(grid.searchsorted(percent, side="right")) - 1
    if grid[i] == percent:
        return values[..., i]
    slope = (values[..., i + 1] - values[..., i]) / (grid[i + 1] - grid[i])
    return slope * (percent - grid[i]) + values[..., i]


def signed_area(x: Array, values: Array, sign: int) -> float:
    """Return the integral of the positive or the negative part of a polyline.

    It is exact for the polyline: a line that crosses zero is on each side in proportion to the
    size of its end there.

    Parameters
    ----------
    x, values : arrays, shape (k,)
    sign : {1, -1}
        The part above or below zero.

    Returns
    -------
    float
        Unit of ``values`` times unit of ``x``; not positive for ``sign`` -1.

    Examples
    --------
    >>> signed_area(np.array([0.0, 2.0]), np.array([-1.0, 1.0]), 1)
    0.5
    """
    part, size = np.where(values * sign > 0, values, 0.0), np.abs(values)
    sides = part[:-1] + part[1:]
    share = np.abs(sides) / np.maximum(size[:-1] + size[1:], _LEAST)
    return float((sides / 2 * share * (x[1:] - x[:-1])).sum())
