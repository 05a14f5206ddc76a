"""Curves as drawn: whole strides thin, their mean heavy, incomplete strides pale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.core.percentiles import percentiles_across
from gaitdyn.cycles.averages import mean_time
from gaitdyn.cycles.outliers import MANY
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.plots.clinic.grids import is_load
from gaitdyn.types.arrays import Array, Places
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

SIDEWAYS = "grf_z"


@frozen(eq=False)
class VerdictStrip:
    """The verdict on a curve, as the strip below its panel.

    Attributes
    ----------
    cells : array of int, shape (101,)
        0 inside the band, 1 possibly and 2 clearly outside; negative if below.
    words : str
        Reason why there is no strip, shown in its place.
    """

    cells: Places
    words: str = ""


@frozen(eq=False)
class PanelCurve:
    """One curve of one side.

    Attributes
    ----------
    side, name : str
    whole : tuple of array, shape (101,)
        Strides in which the curve is known from 0 to 100 %; for loads, those whose step counts.
    partial : tuple of array, shape (101,)
        The other strides, which are not averaged.
    mean : array, shape (101,), or None
        Mean of the whole strides.
    foot_offs : tuple of float
        Foot-offs of all strides that are drawn, %.
    strip : VerdictStrip or None
        None if the curve was not judged.
    """

    side: str
    name: str
    whole: tuple[Array, ...]
    partial: tuple[Array, ...]
    mean: Array | None
    foot_offs: tuple[float, ...]
    strip: VerdictStrip | None = None

    @property
    def sd(self) -> Array | None:
        """Standard deviation (n - 1) of two or more whole strides, shape (101,), or None."""
        return np.array(self.whole).std(axis=0, ddof=1) if len(self.whole) > 1 else None

    @property
    def foot_off(self) -> float | None:
        """Mean time of foot-off, %."""
        return mean_time(self.foot_offs) if self.foot_offs else None

    @property
    def many(self) -> bool:
        """Whether there are too many strides to distinguish their lines."""
        return len(self.whole) > MANY

    @property
    def percentiles(self) -> tuple[Array, Array]:
        """The 5th and 95th percentile of the whole strides, shape (101,) each."""
        low, high = percentiles_across(np.array(self.whole), 5.0, 95.0)
        return low, high


def shown_curves(
    cycles: Sequence[CycleCurves],
    names: Sequence[str],
    counts: Callable[[CycleCurves], bool],
    angles_count: Callable[[CycleCurves], bool] = lambda _: True,
) -> dict[tuple[str, str], PanelCurve]:
    """Return each curve of each side as it is drawn.

    The sign of the sideways force is changed so that medial is positive on both sides. The ground
    reaction force ends at foot-off: what follows is the next step.

    Parameters
    ----------
    cycles : sequence of CycleCurves
    names : sequence of str
    counts : callable
        Whether the loads of a stride count; they must then be known in stance.
    angles_count : callable
        Whether its angles count if they are known throughout.

    Returns
    -------
    dict
        (side, name) -> PanelCurve; a curve that no stride has is left out.
    """
    curves: dict[tuple[str, str], PanelCurve] = {}
    for side in SIDES:
        strides = [
            (x, _known_columns(x), (counts(x), angles_count(x)))
            for x in cycles
            if x.cycle.side == side
        ]
        for name in names:
            curve = _panel_curve(side, name, strides)
            if curve.whole or curve.partial:
                curves[side, name] = curve
    return curves


def _known_columns(stride: CycleCurves) -> dict[str, tuple[int, bool]]:
    """Return the column of each curve that is known anywhere, and whether it has no gap."""
    known = np.isfinite(stride.values)
    anywhere, throughout = (f.reduce(known).tolist() for f in (np.logical_or, np.logical_and))
    return {name: (i, throughout[i]) for i, name in enumerate(stride.names) if anywhere[i]}


def _panel_curve(
    side: str,
    name: str,
    strides: Sequence[tuple[CycleCurves, dict[str, tuple[int, bool]], tuple[bool, bool]]],
) -> PanelCurve:
    whole: list[Array] = []
    partial: list[Array] = []
    foot_offs: list[float] = []
    load = is_load(name)
    for stride, known, (loads_count, angles_count) in strides:
        if name not in known:
            continue
        column, complete = known[name]
        curve, foot_off = stride.values[:, column], stride.cycle.foot_off_percent
        if load:
            stance = curve[: len(curve) if foot_off is None else int(foot_off) + 1]
            complete = loads_count and (complete or bool(np.isfinite(stance).all()))
        else:
            complete = complete and angles_count
        drawn = _as_drawn(curve, name, side, foot_off)
        if drawn is curve or np.isfinite(drawn).any():
            foot_offs += [] if foot_off is None else [foot_off]
            (whole if complete else partial).append(drawn)
    mean = np.array(whole).mean(axis=0) if whole else None
    return PanelCurve(side, name, tuple(whole), tuple(partial), mean, tuple(foot_offs))


def shown_course(strips: Sequence[CurveStrip]) -> tuple[CurveStrip, ...]:
    """Return curves over a whole trial as they are drawn: medial is positive on both sides."""
    return tuple(
        replace(strip, values=strip.values * _signs(strip)) if SIDEWAYS in strip.names else strip
        for strip in strips
    )


def _signs(strip: CurveStrip) -> Array:
    return np.array([-1.0 if _mirrored(name, strip.side) else 1.0 for name in strip.names])


def _mirrored(name: str, side: str) -> bool:
    """Return whether a curve is the sideways force, to the right in the data, of a right foot."""
    return name == SIDEWAYS and side == "right"


def _as_drawn(curve: Array, name: str, side: str, foot_off: float | None) -> Array:
    """Return a curve as drawn: medial positive, ground reaction force up to foot-off."""
    if _mirrored(name, side):
        curve = -curve
    if name.startswith("grf_") and foot_off is not None:
        curve = np.where(np.arange(len(curve)) <= foot_off, curve, np.nan)
    return curve
