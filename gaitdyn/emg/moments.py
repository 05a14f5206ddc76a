"""Muscles compared with joint moments: a strong moment without its muscles, or the reverse."""

from __future__ import annotations

from functools import cache

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.cycles.normalise import find_cycles, resample
from gaitdyn.dynamics.clinical import clinical_moments
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.emg import Emg
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed

_MOST, _NO_MOMENT, _WORKING = 0.5, 0.1, 0.3
"""By judgement: share of the strides in which a muscle is on; share of a strong moment below which
there is none; share of the peak of its mean envelope from which a muscle works."""


@frozen()
class Agonists:
    """The muscles that produce a moment, and the size (N m/kg) from which it needs them."""

    joint: str
    direction: str
    strong: float
    muscles: tuple[str, ...]


@frozen()
class Contradiction:
    """A part of the cycle, in per cent of it, in which moment and muscles do not agree."""

    side: str
    joint: str
    percent: float
    message: str


@cache
def agonists() -> tuple[Agonists, ...]:
    """Return the rows of ``resources/emg/agonists.csv``, read once."""
    return tuple(
        Agonists(r["joint"], r["direction"], float(r["strong_nm_kg"]), tuple(r["muscles"].split()))
        for r in shipped_rows("emg/agonists.csv")
    )


def contradictions(result: Processed, emg: Emg, longest: float) -> list[Contradiction]:
    """Return where a joint's moment and its recorded muscles contradict each other.

    Means over the strides of a side are compared. A contradiction is a moment above ``strong``
    while no recorded muscle of it is on in half of the strides; or such a muscle on, with more
    than 0.3 of its peak, while the moment is below a tenth of ``strong``.

    Parameters
    ----------
    result : Processed
    emg : Emg
    longest : float
        Longest contradiction that is accepted, % of the cycle.
    """
    contradicting: list[Contradiction] = []
    for side in result.sides:
        for row in agonists():
            curves = [c for c in emg.curves if c.side == side and c.muscle in row.muscles]
            if not curves or not all(np.isfinite(c.on).all() for c in curves):
                continue
            moment = mean_moment(result, side, row.joint)
            if moment is None:
                continue
            on = np.array([c.on_share >= _MOST for c in curves])
            working = on & np.array([c.mean > _WORKING * c.mean.max() for c in curves])
            names = ", ".join(dict.fromkeys(c.muscle for c in curves))
            contradicting += _compared(side, (row, names), (moment, on, working), longest)
    return contradicting


def mean_moment(result: Processed, side: str, joint: str) -> Array | None:
    """Return the mean published sagittal moment of complete strides, N m/kg, (101,), or None."""
    kinetics, mass = result.sides[side].kinetics, result.subject.mass_kg
    if kinetics is None or not mass:
        return None
    i = JOINTS.index(joint)
    moment = np.where(kinetics.published[:, i, None], kinetics.loads.moment_S[:, i], np.nan)
    sagittal = clinical_moments(moment, joint, side)[:, :1] / mass
    strides = [resample(sagittal, c.start_row, c.stop_row)[:, 0] for c in find_cycles(result, side)]
    whole = [stride for stride in strides if np.isfinite(stride).mean() > 0.9]  # noqa: PLR2004
    return np.mean([_bridged(stride) for stride in whole], axis=0) if whole else None


def _bridged(stride: Array) -> Array:
    """Return a stride with its few unknown points interpolated linearly."""
    finite = np.flatnonzero(np.isfinite(stride))
    return np.interp(np.arange(len(stride)), finite, stride[finite])


def _compared(
    side: str, wanted: tuple[Agonists, str], curves: tuple[Array, Mask, Mask], longest: float
) -> list[Contradiction]:
    """Return the longest contradiction of each kind, if it exceeds ``longest``."""
    (row, names), (moment, on, working) = wanted, curves
    silent = (moment > row.strong) & ~on.any(axis=0)
    idle = (moment < _NO_MOMENT * row.strong) & working.any(axis=0)
    lacking = (
        f"{row.direction} moment above {row.strong:g} N m/kg although no recorded muscle that makes"
        f" it is on ({names}): check side and cable, or a ligament carries the joint"
    )
    without_moment = (
        f"muscles on ({names}) without {row.direction} moment: cross-talk, a wrong side or cable,"
        " or co-contraction"
    )
    contradicting: list[Contradiction] = []
    for mask, words in ((silent, lacking), (idle, without_moment)):
        length, where = _longest_part(mask)
        if length > longest:
            message = f"{side} {row.joint}, {where} % of the cycle: {words}"
            contradicting.append(Contradiction(side, row.joint, float(length), message))
    return contradicting


def _longest_part(mask: Mask) -> tuple[int, str]:
    """Return the length of the longest part of the cycle within a mask, %, and its ends in words.

    A part may begin before a strike and end after it: 100 % is 0 % again.

    Examples
    --------
    >>> percent = np.arange(101)
    >>> _longest_part((percent > 10) & (percent < 31)), _longest_part(abs(percent - 50) > 39)
    ((20, '11-30'), (21, '90-100 and 0-10'))
    >>> _longest_part((percent > 10) & (percent < 31) | (percent > 40) & (percent < 71))
    (30, '41-70')
    """
    cycle = mask[:-1]
    outside = int(cycle.argmin())
    parts = runs(np.roll(cycle, -outside))
    start, stop = max(parts, key=lambda part: part[1] - part[0], default=(0, 0))
    first, last = (start + outside) % len(cycle), (stop - 1 + outside) % len(cycle)
    ends = f"{first}-{last}" if first <= last else f"{first}-{len(cycle)} and 0-{last}"
    return stop - start, ends
