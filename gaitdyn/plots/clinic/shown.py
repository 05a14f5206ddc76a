"""What is drawn of one curve: whole strides thin, their mean heavy, incomplete strides pale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles.averages import mean_time
from gaitdyn.cycles.outliers import MANY
from gaitdyn.plots.clinic.grids import is_load
from gaitdyn.types.arrays import Array, Places
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gaitdyn.types.cycles import CycleCurves

SIDEWAYS = "grf_z"


@dataclass(frozen=True, slots=True, eq=False)
class VerdictStrip:
    """The verdict on a curve, as the strip under its panel.

    Attributes
    ----------
    cells : array of int, shape (101,)
        0 within the band, 1 possibly, 2 clearly outside, with the sign.
    words : str
        In place of an empty strip: why there is none.
    """

    cells: Places
    words: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PanelCurve:
    """One curve of one side.

    Attributes
    ----------
    side, name : str
    whole : tuple of array, shape (101,)
        Strides that know the curve from 0 to 100 %, of loads those of whole steps that count.
    partial : tuple of array, shape (101,)
        The other strides; in no mean.
    mean : array, shape (101,), or None
        Of the whole strides.
    foot_offs : tuple of float
        Of all strides that are drawn, %.
    strip : VerdictStrip or None
        None where nothing was asked.
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
        """Standard deviation (n - 1) of the whole strides, shape (101,); of two or more."""
        return np.array(self.whole).std(axis=0, ddof=1) if len(self.whole) > 1 else None

    @property
    def foot_off(self) -> float | None:
        """Mean time at which the foot leaves the ground, %."""
        return mean_time(self.foot_offs) if self.foot_offs else None

    @property
    def many(self) -> bool:
        """Whether there are too many strides to see their lines."""
        return len(self.whole) > MANY

    @property
    def most(self) -> tuple[Array, Array]:
        """Between which 90 % of the whole strides lie: 5 and 95 %, shape (101,) each."""
        stack = np.stack(self.whole)
        known = np.isfinite(stack).all(axis=0)
        ends = np.full((2, stack.shape[1]), np.nan)
        ends[:, known] = np.percentile(stack[:, known], (5.0, 95.0), axis=0)
        return ends[0], ends[1]

    @property
    def seen(self) -> bool:
        """Whether there is anything to draw."""
        return bool(self.whole or self.partial)


def any_many(curves: Iterable[PanelCurve]) -> bool:
    """Return whether areas stand in the place of the lines of some strides."""
    return any(one.many for one in curves)


def shown_curves(
    cycles: Sequence[CycleCurves], names: Sequence[str], counts: Callable[[CycleCurves], bool]
) -> dict[tuple[str, str], PanelCurve]:
    """Return what is drawn of each curve of each side.

    The sideways force is turned so that medial is positive on both sides, and the force of the
    ground ends when the foot leaves it: what follows is the next step.

    Parameters
    ----------
    cycles : sequence of CycleCurves
    names : sequence of str
    counts : callable
        Whether the loads of a stride count; of these the stance must be known.

    Returns
    -------
    dict
        (side, name) -> Shown; a curve that no stride has is not in it.
    """
    found: dict[tuple[str, str], PanelCurve] = {}
    for side in SIDES:
        own = [(one, _known(one), counts(one)) for one in cycles if one.cycle.side == side]
        for name in names:
            shown = _shown(side, name, own)
            if shown.seen:
                found[side, name] = shown
    return found


def _known(one: CycleCurves) -> dict[str, tuple[int, bool]]:
    """Return the place of each curve that is known anywhere, and whether it is throughout."""
    known = np.isfinite(one.values)
    some, whole = (found.reduce(known).tolist() for found in (np.logical_or, np.logical_and))
    return {name: (i, whole[i]) for i, name in enumerate(one.names) if some[i]}


def _shown(
    side: str, name: str, own: Sequence[tuple[CycleCurves, dict[str, tuple[int, bool]], bool]]
) -> PanelCurve:
    whole: list[Array] = []
    partial: list[Array] = []
    offs: list[float] = []
    load = is_load(name)
    for one, known, counts in own:
        if name not in known:
            continue
        column, complete = known[name]
        curve, off = one.values[:, column], one.cycle.foot_off_percent
        if load:
            stance = curve[: len(curve) if off is None else int(off) + 1]
            complete = counts and (complete or bool(np.isfinite(stance).all()))
        drawn = _as_drawn(curve, name, side, off)
        if drawn is curve or np.isfinite(drawn).any():
            offs += [] if off is None else [off]
            (whole if complete else partial).append(drawn)
    mean = np.array(whole).mean(axis=0) if whole else None
    return PanelCurve(side, name, tuple(whole), tuple(partial), mean, tuple(offs))


def _as_drawn(curve: Array, name: str, side: str, off: float | None) -> Array:
    """Return a curve as it is shown: medial positive, the force of the ground to foot-off."""
    if name == SIDEWAYS and side == "right":
        curve = -curve
    if name.startswith("grf_") and off is not None:
        curve = np.where(np.arange(len(curve)) <= off, curve, np.nan)
    return curve
