"""Where a person walks unlike a reference set: the largest stretches, ranked.

The rule stands here alone: which stretch counts (:func:`strongest_run`), when it is clear, and how
stretches are ranked. Sizes are of the mean over the strides of a side against the mean of the
reference, in units of the SD between people of the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.core.runs import runs
from gaitdyn.metrics.phases import CycleEvents
from gaitdyn.metrics.scores import PERCENT, VARIABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.norms import Band

MOMENTS = (
    "hip_moment_extension",
    "hip_moment_abduction",
    "knee_moment_extension",
    "knee_moment_abduction",
    "ankle_moment_plantarflexion",
)
POWERS = ("hip_power", "knee_power", "ankle_power")
_MIRRORED = ("pelvis_angle_obliquity", "pelvis_angle_rotation")
"""One body: what the left side shows, the right one shows with the other sign."""

_SHARED = "pelvis_angle_tilt"
"""One body again: both sides show the same."""

_IMPACT, _POWER_END = 6.0, 96.0
"""%: before it the reference holds the impact; after it powers hold that of the next step."""

_MILD, _CLEAR = 1.0, 2.0
_LONG, _CLEAR_LONG = 8.0, 6.0
_OVERLAP, _WEAKER = 0.5, 0.3
MOST = 6


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one curve of one side that lies beside the reference.

    Attributes
    ----------
    side, name : str
    sign : int
        1 above the reference, -1 below it.
    start, stop : float
        %.
    size : float
        Mean difference over the stretch, in the unit of the curve, positive.
    peak_sd : float
        Largest distance, SD.
    area : float
        Integral of the distance beyond one SD over the stretch, SD times %.
    clear : bool
        Beyond two SD for 6 % of the cycle.
    mean, normal : float
        Of the person and of the reference over the stretch.
    """

    side: str
    name: str
    sign: int
    start: float
    stop: float
    size: float
    peak_sd: float
    area: float
    clear: bool
    mean: float
    normal: float


@dataclass(frozen=True, slots=True)
class Deviation:
    """One thing to say: a stretch of one side, or the same stretch of both."""

    runs: tuple[Run, ...]

    @property
    def first(self) -> Run:
        """The stronger side."""
        return max(self.runs, key=lambda run: run.area)

    @property
    def clear(self) -> bool:
        """Whether either side is clear."""
        return any(run.clear for run in self.runs)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, left first."""
        return tuple(sorted(run.side for run in self.runs))


def ranked_names(bands: Iterable[str]) -> tuple[str, ...]:
    """Return the curves of a reference that are ranked: nine angles, five moments, three powers."""
    wanted = {*VARIABLES, *MOMENTS, *POWERS}
    return tuple(name for name in bands if internal_name(name) in wanted)


def find_deviations(
    means: Mapping[tuple[str, str], Array],
    bands: Mapping[str, Band],
    events: Mapping[str, CycleEvents],
    most: int = MOST,
) -> tuple[Deviation, ...]:
    """Return what differs most from a reference: clear ones first, then by area.

    Parameters
    ----------
    means : mapping
        (side, curve) -> mean over the strides at 0, 1, ... 100 %, shape (101,).
    bands : mapping
        Curve -> reference, under the names of ``means``.
    events : mapping
        Side -> its events.
    most : int
        Mild ones fill the list up to so many; clear ones are cut there, too.
    """
    found = []
    for name in ranked_names(bands):
        own = []
        for side in ("left", "right"):
            curve = means.get((side, name))
            if curve is None:
                continue
            run = strongest_run(side, name, curve, bands[name], events.get(side, CycleEvents()))
            own += [] if run is None else [run]
        found += _joined(own)
    found.sort(key=lambda one: (not one.clear, -one.first.area))
    return tuple(found[:most])


def window_of(name: str, events: CycleEvents) -> tuple[float, float]:
    """Return between which % a curve is judged."""
    key = key_of(name)
    if key.is_moment:
        return _IMPACT, events.stance
    if key.quantity == "power":
        return _IMPACT, _POWER_END
    return 0.0, 100.0


def distance_sd(curve: Array, band: Band) -> Array:
    """Return how far a curve lies from a reference at 0, 2, ... 100 %, SD, shape (51,)."""
    values = np.interp(PERCENT, np.linspace(0.0, 100.0, len(curve)), curve)
    mean = np.interp(PERCENT, band.percent, band.mean)
    return (values - mean) / np.interp(PERCENT, band.percent, band.sd)


def strongest_run(
    side: str, name: str, curve: Array, band: Band, events: CycleEvents
) -> Run | None:
    """Return the stretch of largest area of a curve, or nothing.

    A stretch lies on one side of the reference, further than one SD, for at least 8 % of the cycle;
    one of its points may fail.
    """
    z = distance_sd(curve, band)
    low, high = window_of(name, events)
    inside = (low <= PERCENT) & (high >= PERCENT) & np.isfinite(z)
    found = [
        _run(side, name, sign, span, (z, curve, band))
        for sign in (1, -1)
        for span in _spans(inside & (sign * z > _MILD), inside)
    ]
    return max(found, key=lambda run: run.area, default=None)


def _spans(beyond: Mask, inside: Mask) -> list[tuple[int, int]]:
    """Return the stretches of points, long enough, with a gap of one point closed."""
    closed = beyond.copy()
    closed[1:-1] |= beyond[:-2] & beyond[2:] & inside[1:-1]
    step = float(PERCENT[1] - PERCENT[0])
    return [(a, b) for a, b in runs(closed) if (b - 1 - a) * step >= _LONG]


def _run(
    side: str, name: str, sign: int, span: tuple[int, int], parts: tuple[Array, Array, Band]
) -> Run:
    z, curve, band = parts
    rows = slice(*span)
    at = PERCENT[rows]
    own = np.interp(at, np.linspace(0.0, 100.0, len(curve)), curve)
    normal = np.interp(at, band.percent, band.mean)
    over = sign * z[rows]
    step = float(PERCENT[1] - PERCENT[0])
    clear = any((b - 1 - a) * step >= _CLEAR_LONG for a, b in runs(over > _CLEAR))
    return Run(
        side, name, sign, float(at[0]), float(at[-1]),
        float(abs(np.mean(own - normal))), float(over.max()),
        float(np.trapezoid(np.maximum(over - _MILD, 0.0), at)), clear,
        float(own.mean()), float(normal.mean()),
    )  # fmt: skip


def _joined(own: Sequence[Run]) -> list[Deviation]:
    """Return both sides as one where they say the same; of the pelvis the stronger one."""
    if len(own) < 2:  # noqa: PLR2004  two sides
        return [Deviation((run,)) for run in own]
    weak, strong = sorted(own, key=lambda run: run.area)
    if weak.name in _MIRRORED:
        return [Deviation((strong,))]
    if weak.name == _SHARED:
        return [Deviation(tuple(r for r in own if r.sign == strong.sign))]
    both = min(weak.stop, strong.stop) - max(weak.start, strong.start)
    shorter = min(weak.stop - weak.start, strong.stop - strong.start)
    alike = weak.sign == strong.sign and both >= _OVERLAP * shorter
    if alike and weak.area >= _WEAKER * strong.area:
        return [Deviation(tuple(sorted(own, key=lambda run: run.side)))]
    return [Deviation((run,)) for run in own]
