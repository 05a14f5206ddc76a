"""The finding on one curve, for tables and pages."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.judge.finding_words import where_of
from gaitdyn.judge.phases import phase_at
from gaitdyn.statistics.families import PointRun, Word, runs_of
from gaitdyn.types.arrays import Array, Mask, Places
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.judge.doubt import Doubt
    from gaitdyn.judge.finding_words import Phases

BOTH = "both"
"""The side of a curve that is the mean of a person's legs."""

_KINDS = ("deg", "N m/kg", "W/kg")
"""Units in the order in which a clinician reads curves; what is in another unit comes last."""

_HEIGHT = {"clear": 2, "possible": 1}


@frozen(eq=False)
class CurveFinding:
    """One curve of one side: abnormal, or changed.

    Attributes
    ----------
    side, curve, family, unit : str
    word : {"clear", "possible", "not shown", "not judged"}
    sentence : str
        Size, then certainty, with unit and place.
    reason : str
        Why it is not judged, or at most possible.
    p, p_holm : float
        NaN if it is not judged.
    places : tuple of CycleStretch
        Where it leaves the band, the farthest first; if it stays within, its farthest point.
    difference, limit : array, shape (101,)
        Curve less reference, or second session less first (of the shape, if level and shape are
        tested separately), and the limit that |difference| must exceed; NaN if not known. A single
        stride has both against a reference, but no verdict.
    cells : array of int, shape (101,)
        The strip under the curve: 0 within the band, 1 possible, 2 clear, with the sign.
    level, level_limit : float
        For a change, the offset over the cycle and its limit; NaN without.
    planned : str
        The plan, such as ``left knee_angle_flexion swing``; empty if it was not planned.
    number : str
        The title of a planned number, of which ``curve`` is the name and ``level`` the change;
        empty for a curve.
    means : tuple of 2 float or None
        Of a planned number that is judged, in both sessions.
    unjudged : CycleStretch or None
        Where a curve with too few strides for a verdict is farthest from a reference.
    """

    side: str
    curve: str
    family: str
    unit: str
    word: Word
    sentence: str
    reason: str
    p: float
    p_holm: float
    places: tuple[CycleStretch, ...]
    difference: Array
    limit: Array
    cells: Places
    level: float = np.nan
    level_limit: float = np.nan
    planned: str = ""
    number: str = ""
    unjudged: CycleStretch | None = None
    means: tuple[float, float] | None = None

    @property
    def kind(self) -> int:
        """Where its kind of curve stands in a list: angles, moments, powers, ground forces."""
        return _KINDS.index(self.unit) if self.unit in _KINDS else len(_KINDS)

    @property
    def farthest(self) -> CycleStretch | None:
        """Where it is farthest out, whatever the verdict."""
        return self.places[0] if self.places else self.unjudged

    @property
    def foremost(self) -> ChangeSize | None:
        """The size of a change that stands for it; None if none is known.

        Of a change that is shown it is what the verdict rests on: the level, or the first place in
        shape. Of any other it is the one nearer to its limit.
        """
        place = self.places[0] if self.places else None
        of_shape = place is not None and isfinite(self.level) and not place.whole_cycle
        sizes = [] if place is None else [ChangeSize(place.difference, place.limit, of_shape)]
        if place is None or self.word not in ("clear", "possible"):
            sizes.append(ChangeSize(self.level, self.level_limit, of_shape=False))
        known = [size for size in sizes if isfinite(size.value) and size.limit > 0]
        return max(known, key=lambda size: abs(size.value) / size.limit, default=None)

    @property
    def relative(self) -> float:
        """Its largest size relative to the limit."""
        part = np.abs(self.difference) / self.limit
        shape = float(np.nanmax(part)) if np.isfinite(part).any() else 0.0
        level = abs(self.level) / self.level_limit if self.level_limit > 0 else 0.0
        return max(shape, level)


@frozen()
class CycleStretch:
    """A stretch of the cycle.

    Attributes
    ----------
    phase : str
        The phase of its peak; empty if the phases are not known.
    start, end, peak_at : float
        % of the cycle.
    difference : float
        At the peak, in the unit of the curve.
    sd : float
        The same in SDs of the reference; NaN for a change.
    limit : float
        The limit that |difference| must exceed at the peak.
    where : str
        In words, such as ``in mid swing 78-84 %``; of a point, where half its size is reached.
    """

    phase: str
    start: float
    end: float
    peak_at: float
    difference: float
    sd: float
    limit: float
    where: str

    @property
    def whole_cycle(self) -> bool:
        """Whether it is the cycle from end to end, as of a level."""
        return self.start == 0 and self.end == 100  # noqa: PLR2004  %


class ChangeSize(NamedTuple):
    """A change, the limit that it must exceed, and whether it is in shape, beside the level."""

    value: float
    limit: float
    of_shape: bool


def not_judged(
    side: str, rule: CurveRule, unit: str, doubts: Iterable[Doubt], *,
    difference: Array | None = None, limit: Array | None = None,
    planned: str = "", number: str = "", unjudged: CycleStretch | None = None,
) -> CurveFinding:  # fmt: skip
    """Return the finding on a curve without a verdict, with the doubts that refuse one."""
    reason = "; ".join(doubt.reason for doubt in doubts if doubt.refuses)
    title = rule.title if side == BOTH else f"{side} {rule.title}"
    empty = np.full(101, np.nan)
    return CurveFinding(
        side, rule.name, rule.family, unit, "not judged", f"{title}: not judged: {reason}", reason,
        np.nan, np.nan, (), empty if difference is None else difference,
        empty if limit is None else limit, np.zeros(101, dtype=np.intp),
        planned=planned, number=number, unjudged=unjudged,
    )  # fmt: skip


def places_of(
    runs: Iterable[PointRun],
    phases: Phases,
    difference: Array,
    limit: Array,
    sd: Array | None = None,
) -> tuple[CycleStretch, ...]:
    """Return stretches of the cycle with phase, size and limit, and SDs if ``sd`` is given.

    Parameters
    ----------
    runs : iterable of PointRun
    phases : sequence of (name, start, stop)
        %.
    difference, limit, sd : arrays, shape (101,)
    """
    return tuple(
        CycleStretch(
            phase_at(phases, run.peak), run.start, run.stop, run.peak, float(difference[run.peak]),
            np.nan if sd is None else float(difference[run.peak] / sd[run.peak]),
            float(limit[run.peak]), where_of(phases, run.start, run.stop),
        )
        for run in runs
    )  # fmt: skip


def half_size(difference: Array, peak: int, limit: Array | None = None) -> tuple[int, int]:
    """Return the ends of the run around a peak in which a difference keeps half its size.

    Parameters
    ----------
    difference : array, shape (n,)
    peak : int
    limit : array, shape (n,), optional
        NaN where the curve is not judged.

    Examples
    --------
    >>> half_size(np.array([3.0, 0.0, -2.0, -4.0, -2.0, 1.0]), 3)
    (2, 4)
    >>> half_size(np.array([4.0, 0.0, 4.0, 1.0]), 2)
    (2, 2)
    >>> half_size(np.zeros(3), 1, np.full(3, np.nan))
    (1, 1)
    """
    known = difference if limit is None else np.where(np.isfinite(limit), difference, np.nan)
    large = known * np.sign(known[peak]) >= abs(known[peak]) / 2
    around = ((a, b) for a, b in runs(large) if a <= peak < b)
    start, stop = next(around, (peak, peak + 1))
    return start, stop - 1


def strip(beyond: Mask, difference: Array, word: Word) -> Places:
    """Return the cells of the strip under a curve, shape (101,)."""
    height = _HEIGHT.get(word, 0)
    return np.where(beyond, np.sign(difference) * height, 0).astype(np.intp)


def stretches(beyond: Mask, far: Array, *, flagged: bool) -> tuple[PointRun, ...]:
    """Return the stretches where a flagged curve is out, or else its farthest point."""
    runs = runs_of(beyond, far) if flagged else ()
    if runs or not np.isfinite(far).any():
        return runs
    peak = int(np.nanargmax(far))
    return (PointRun(peak, peak, peak),)
