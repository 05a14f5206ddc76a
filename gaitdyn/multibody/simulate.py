"""Integration in time of any first-order system: scipy's solvers, explicit Euler, stop events."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

import numpy as np

from gaitdyn.errors import SimulationRefused, UsageError
from gaitdyn.types.arrays import Array

Method = Literal["DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA", "euler"]
_MOST_SAMPLES = 1_000_001
TIGHT = 3e-14
"""Relative tolerance near the smallest that scipy accepts, for runs that are compared."""


def integrate(
    f: Callable[[float, Array], Array],
    y0: Array,
    t: Array,
    method: Method = "DOP853",
    *,
    tolerance: float = 1e-12,
    step_s: float | None = None,
) -> Array:
    """Return the states of dy/dt = f(t, y) at given times, shape (n_times, n).

    Parameters
    ----------
    f : callable
    y0 : array, shape (n,)
        State at ``t[0]``.
    t : array, shape (n_times,)
        Increasing, s.
    method : str
        One of scipy's ``solve_ivp``, or ``"euler"``: explicit Euler with equal steps (seed 000).
    tolerance : float
        Relative and absolute tolerance of scipy's methods.
    step_s : float, optional
        Step of Euler's method; one step per interval by default. Every interval of ``t`` must be a
        whole number of steps.

    Raises
    ------
    SimulationRefused
        If the method is unknown, the solver fails, or an interval is not a whole number of steps.

    Examples
    --------
    >>> t = np.linspace(0.0, 1.0, 3)
    >>> integrate(lambda t, y: -y, np.array([1.0]), t)[:, 0].round(6).tolist()
    [1.0, 0.606531, 0.367879]
    >>> integrate(lambda t, y: -y, np.array([1.0]), t, "euler")[:, 0].tolist()
    [1.0, 0.5, 0.25]
    """
    return integrate_until(f, y0, t, None, method, tolerance=tolerance, step_s=step_s).y


class StateCourse(NamedTuple):
    """Times (n,) and states (n, k); ``stopped``: the run had to end at the last of them."""

    t: Array
    y: Array
    stopped: bool


def integrate_until(
    f: Callable[[float, Array], Array],
    y0: Array,
    t: Array,
    room: Callable[[Array], float] | None,
    method: Method = "DOP853",
    *,
    tolerance: float = 1e-12,
    step_s: float | None = None,
) -> StateCourse:
    """Return the states at given times, until ``room`` of the state falls to zero.

    Parameters
    ----------
    f, y0, t
        As in :func:`integrate`.
    room : callable, optional
        Positive at the start; the run ends when it reaches zero, with that state as the last one.
    method, tolerance, step_s
        As in :func:`integrate`.

    Raises
    ------
    SimulationRefused
        As in :func:`integrate`.

    Examples
    --------
    >>> t = np.linspace(0.0, 1.0, 3)
    >>> course = integrate_until(lambda t, y: -y, np.array([1.0]), t, lambda y: y[0] - 0.5)
    >>> course.t.round(6).tolist(), course.stopped
    ([0.0, 0.5, 0.693147], True)
    """
    if method not in get_args(Method):
        message = f"method {method!r} is unknown; wanted one of {', '.join(get_args(Method))}"
        raise SimulationRefused(message)
    y0, t = np.asarray(y0, dtype=float), np.asarray(t, dtype=float)
    rate = _within_numbers(f)
    if not np.isfinite(rate(float(t[0]), y0)).all():
        raise SimulationRefused("the motion cannot start: its rates are beyond all numbers")
    if method == "euler":
        course = _euler(rate, y0, t, step_s, room)
        if not np.isfinite(course.y).all():
            raise SimulationRefused(f"the motion grows beyond all numbers before {t[-1]:g} s")
        return course
    from scipy.integrate import solve_ivp

    if len(t) == 1:
        return StateCourse(t, y0[None].copy(), stopped=False)
    events = None if room is None else _Event(room)
    ends = t[0], t[-1]
    try:
        run = solve_ivp(
            rate, ends, y0, method=method, t_eval=t, rtol=tolerance, atol=tolerance, events=events
        )
    except ValueError as error:  # of a matrix of the implicit methods
        raise SimulationRefused(f"the solver {method} stopped: {error}") from error
    if not run.success or not np.isfinite(run.y).all():
        message = f"the solver stopped at {run.t[-1] if len(run.t) else t[0]:g} s: "
        raise SimulationRefused(message + str(run.message).lower())
    if run.t_events is None or run.y_events is None or not len(run.t_events[0]):
        return StateCourse(t, run.y.T, stopped=False)
    end, last = run.t_events[0][0], run.y_events[0][0]
    before = run.t < end
    times = np.append(run.t[before], end)
    return StateCourse(times, np.vstack((run.y.T[before], last)), stopped=True)


def _within_numbers(f: Callable[[float, Array], Array]) -> Callable[[float, Array], Array]:
    """Return rates that are unknown where the state or its rate is beyond all numbers."""

    def rate(t: float, y: Array) -> Array:
        if not np.isfinite(y).all():
            return np.full_like(y, np.nan)
        try:
            return f(t, y)
        except OverflowError:
            return np.full_like(y, np.nan)

    return rate


class _Event:
    """The remaining room as an event that ends a run of solve_ivp."""

    terminal = True
    direction = -1.0

    def __init__(self, room: Callable[[Array], float]) -> None:
        self.room = room

    def __call__(self, _t: float, y: Array) -> float:
        """Return the room of a state."""
        return self.room(y)


def _euler(
    f: Callable[[float, Array], Array],
    y0: Array,
    t: Array,
    step_s: float | None,
    room: Callable[[Array], float] | None,
) -> StateCourse:
    """Return y(k+1) = y(k) + dt f(t(k), y(k)) at the given times."""
    states = np.empty((len(t), len(y0)))
    states[0] = y = y0
    for i, (start, stop) in enumerate(pairwise(t)):
        steps = 1 if step_s is None else round((stop - start) / step_s)
        dt = (stop - start) / max(steps, 1)
        if step_s is not None and abs(dt - step_s) > 1e-9 * step_s * max(steps, 1):
            raise SimulationRefused(
                f"Euler's step of {step_s:g} s does not divide the interval of {stop - start:g} s;"
                " choose another rate"
            )
        dt = dt if step_s is None else step_s
        for k in range(steps):
            y = y + dt * f(start + k * dt, y)
            if room is not None and not room(y) > 0:
                end = start + (k + 1) * dt
                return StateCourse(
                    np.append(t[: i + 1], end), np.vstack((states[: i + 1], y)), True
                )
        states[i + 1] = y
    return StateCourse(t, states, stopped=False)


def instants(duration_s: float, rate_hz: float) -> Array:
    """Return the times 0, 1/rate, ... up to the duration, s.

    Raises
    ------
    UsageError
        If duration or rate is not positive, or the run has fewer than 2 or more than 1,000,001
        samples.

    Examples
    --------
    >>> instants(0.5, 4.0).tolist()
    [0.0, 0.25, 0.5]
    """
    for name, value in (("duration", duration_s), ("rate", rate_hz)):
        if not (np.isfinite(value) and value > 0):
            raise UsageError(f"--{name} is {value:g}, wanted a positive number")
    count = (
        int(np.floor(duration_s * rate_hz * (1 + 1e-12))) + 1
        if duration_s * rate_hz < _MOST_SAMPLES * 2
        else 0
    )
    if not 2 <= count <= _MOST_SAMPLES:  # noqa: PLR2004
        message = f"{duration_s:g} s at {rate_hz:g} Hz: wanted 2 to a million and one samples"
        raise UsageError(message)
    return np.arange(count) / rate_hz
