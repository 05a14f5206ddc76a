"""Scores of the kinematics relative to a reference set, and their changes: MAP, GPS and GDI*.

The gait variable score of one variable is the root mean square difference from the reference mean
over the cycle, the gait profile score the root mean square of nine such scores (Baker et al. 2009,
Gait Posture 30:265-269). GDI* scales the logarithm of the profile score like the gait deviation
index (Schwartz, Rozumalski and Baker 2013, GCMAS annual meeting).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace

import numpy as np

from gaitdyn.cycles.averages import ANGLES
from gaitdyn.metrics.norms.speed import at_free_speed
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import MatchedNorm, fewest_people
from gaitdyn.types.words import counted

VARIABLES = ANGLES
"""The nine variables of a side (Baker et al. 2009); the pelvis in the cycles of that side."""

_NOT_PELVIS = slice(3, 9)
LEGS = VARIABLES[_NOT_PELVIS]
"""Those of a leg: the pelvis is one segment."""

PERCENT = np.arange(0.0, 101.0, 2.0)
"""The 51 points of the cycle on which the scores are defined, %."""

MCID_DEG = 1.6
"""Smallest difference of the GPS that matters to a clinician (Baker et al. 2012, Gait Posture
35:612-615)."""

GDI_STAR_A, GDI_STAR_B = 1.677, 0.263
"""Mean and SD of ln(r / deg) of the control group of Schwartz, Rozumalski and Baker 2013."""

FEWEST_PEOPLE = 20
"""People that a reference set needs for a GPS: as many as observations in Gait Posture 2023,
99:51-53 ("How many observations in the reference dataset are required to compute a consistent Gait
Deviation Index & Gait Profile Score?"), where both legs of a person may count."""
SDC_GPS_DEG = 1.3
"""Smallest detectable change of the GPS between sessions, as quoted in Gait Posture 2023, 99:51-53;
markers moved by 3.5 mm change it by 1.1 to 1.9 deg, by 5 mm by 1.6 to 2.8 deg."""


@frozen()
class Score:
    """The median of a score over cycles.

    Attributes
    ----------
    value : float or None
        deg, GDI* without unit; None if it cannot be computed.
    quartiles : tuple of 2 float or None
        25 and 75 % of the cycles.
    cycles : int
        Number of cycles; for the overall score, pairs of a left and a right one.
    reason : str
        Reason for a missing value.
    """

    value: float | None
    quartiles: tuple[float, float] | None
    cycles: int
    reason: str = ""


@frozen(eq=False)
class CycleScores:
    """The scores of one cycle.

    Attributes
    ----------
    side : str
    number : int
    gvs : array, shape (9,)
        deg, of :data:`VARIABLES`; NaN if the cycle or the reference set lacks the variable.
    gps, gdi_star : float
        NaN unless all nine are known.
    """

    side: str
    number: int
    gvs: Array
    gps: float
    gdi_star: float


@frozen(eq=False)
class GaitScores:
    """Scores relative to a reference set.

    Attributes
    ----------
    profile : dict
        (side, variable) -> Score in deg: the movement analysis profile.
    gps, gdi_star : dict
        Side -> Score.
    gps_at_speed : dict
        Side -> Score against the reference for the walker's own speed; empty if not asked for.
    gps_overall : Score
        Over the nine variables of the left side and the six of the right other than the pelvis.
    cycles : tuple of CycleScores
    note : str
        How the reference set was matched.
    warnings : tuple of str
    """

    profile: dict[tuple[str, str], Score]
    gps: dict[str, Score]
    gdi_star: dict[str, Score]
    gps_overall: Score
    cycles: tuple[CycleScores, ...]
    note: str
    warnings: tuple[str, ...]
    gps_at_speed: dict[str, Score] = field(default_factory=dict[str, Score])


def free_speed_scores(curves: Sequence[CycleCurves], matched: MatchedNorm) -> GaitScores:
    """Return the scores against free speed, with the GPS against the walker's own speed.

    One reference at every speed keeps sessions comparable, and it is that of the constants of GDI*
    and of the smallest change that matters.

    Parameters
    ----------
    curves : sequence of CycleCurves
        Cycles of both sides.
    matched : MatchedNorm
        The reference set at the walker's speed.
    """
    free, own = at_free_speed(matched), gait_scores(curves, matched)
    return replace(own if free is matched else gait_scores(curves, free), gps_at_speed=own.gps)


def gait_scores(curves: Sequence[CycleCurves], matched: MatchedNorm) -> GaitScores:
    """Return MAP, GPS and GDI* of both sides, medians over their cycles.

    The overall GPS of a left and a right cycle is the root mean square of 15 variable scores; its
    median is over all pairs of a left and a right cycle.

    Parameters
    ----------
    curves : sequence of CycleCurves
        Of one or more trials.
    matched : MatchedNorm

    Returns
    -------
    GaitScores
        A score that lacks a variable has no value; its ``reason`` names the variable.
    """
    cycles = tuple(cycle_scores(cycle, matched) for cycle in curves)
    profile, gps, gdi = {}, {}, {}
    for side in ("left", "right"):
        side_cycles = [cycle for cycle in cycles if cycle.side == side]
        for i, name in enumerate(VARIABLES):
            lack = _lacking(side, side_cycles, matched, (name,))
            profile[side, name] = _median([cycle.gvs[i] for cycle in side_cycles], lack)
        lack = _lacking(side, side_cycles, matched, VARIABLES)
        gps[side] = _median([cycle.gps for cycle in side_cycles], lack)
        gdi[side] = _median([cycle.gdi_star for cycle in side_cycles], lack)
    overall = _overall(cycles, matched)
    return GaitScores(profile, gps, gdi, overall, cycles, matched.note, _warnings(matched))


def cycle_scores(curves: CycleCurves, matched: MatchedNorm) -> CycleScores:
    """Return the scores of one cycle.

    ``GVS = sqrt(mean((x - reference mean)^2))`` over 51 points, ``GPS = sqrt(mean(GVS^2))`` over
    nine variables, ``GDI* = 100 - 10 (ln GPS - A) / B``.
    """
    gvs = np.array([_variable_score(curves, matched, name) for name in VARIABLES])
    gps = float(_rms(gvs))
    return CycleScores(curves.cycle.side, curves.cycle.number, gvs, gps, gdi_star(gps))


def gdi_star(gps_deg: float) -> float:
    """Return GDI* from a side's GPS in deg: 100 is the mean of the controls, 10 one SD.

    Examples
    --------
    >>> round(gdi_star(5.35))
    100
    """
    if not gps_deg > 0:
        return math.nan
    return 100 - 10 * (math.log(gps_deg) - GDI_STAR_A) / GDI_STAR_B


def _variable_score(curves: CycleCurves, matched: MatchedNorm, name: str) -> float:
    if name not in curves.names or name not in matched.bands:
        return math.nan
    band = matched.bands[name]
    values = np.interp(PERCENT, np.arange(101.0), curves.curve(name))
    return float(_rms(values - np.interp(PERCENT, band.percent, band.mean)))


def _rms(values: Array) -> Array:
    """Return the root mean square over the last axis; NaN if a value is not known."""
    return np.sqrt(np.mean(np.square(values), axis=-1))


def _overall(cycles: tuple[CycleScores, ...], matched: MatchedNorm) -> Score:
    left = [cycle for cycle in cycles if cycle.side == "left"]
    right = [cycle for cycle in cycles if cycle.side == "right"]
    lack = _lacking("left", left, matched, VARIABLES) or _lacking("right", right, matched, LEGS)
    whole = np.array([np.sum(cycle.gvs**2) for cycle in left])
    leg = np.array([np.sum(cycle.gvs[_NOT_PELVIS] ** 2) for cycle in right])
    pairs = np.sqrt((whole[:, None] + leg) / (len(VARIABLES) + len(LEGS)))
    return _median(pairs.ravel(), lack)


def _median(values: Sequence[float] | Array, lacking: str) -> Score:
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    if not known.size:
        return Score(None, None, 0, lacking or "no cycle has all of its variables")
    low, middle, high = np.percentile(known, (25, 50, 75))
    return Score(float(middle), (float(low), float(high)), known.size)


def _lacking(
    side: str, cycles: Sequence[CycleScores], matched: MatchedNorm, names: Sequence[str]
) -> str:
    """Return what a score lacks, as the reason for its missing value; empty if nothing."""
    if matched.refused:
        return matched.refused
    if not cycles:
        return f"no {side} cycle"
    absent = [name for name in names if name not in matched.bands]
    if absent:
        return f"the reference set lacks {', '.join(absent)}"
    unknown = [n for n in names if all(np.isnan(c.gvs[VARIABLES.index(n)]) for c in cycles)]
    return f"no {side} cycle has {', '.join(unknown)}" if unknown else ""


def _warnings(matched: MatchedNorm) -> tuple[str, ...]:
    if matched.refused:
        return ()
    warnings = []
    count = fewest_people({n: band for n, band in matched.bands.items() if n in VARIABLES})
    if count is None:
        warnings.append(f"the reference set does not say how many people; wanted {FEWEST_PEOPLE}")
    elif count < FEWEST_PEOPLE:
        warnings.append(
            f"the reference set has {counted(count, 'person', 'people')}; wanted {FEWEST_PEOPLE}"
        )
    warnings.append("GDI* is scaled for the controls of Schwartz et al. 2013, whatever the set")
    return tuple(warnings)


@frozen()
class ScoreChange:
    """The change of a GPS, second session less first.

    Attributes
    ----------
    gps, gdi_star : float
        Change of the GPS, deg, and of GDI*, which has no unit.
    matters, measurable : bool
        Whether the GPS changed by 1.6 deg or more (Baker et al. 2012), and by more than the
        smallest detectable change.
    """

    gps: float
    gdi_star: float
    matters: bool
    measurable: bool


def score_change(
    before_deg: float, after_deg: float, detectable_deg: float = SDC_GPS_DEG
) -> ScoreChange:
    """Return whether the change of a GPS matters and is measurable.

    Parameters
    ----------
    before_deg, after_deg : float
        GPS of both sessions against one reference set.
    detectable_deg : float
        The smallest detectable change.

    Examples
    --------
    >>> change = score_change(9.0, 7.5)
    >>> change.matters, change.measurable
    (False, True)
    >>> score_change(9.0, 7.4).matters
    True
    """
    change = round(after_deg - before_deg, 9)  # 7.4 - 9.0 is a little less than 1.6
    matters, measurable = abs(change) >= MCID_DEG, abs(change) > detectable_deg
    points = gdi_star(after_deg) - gdi_star(before_deg)
    return ScoreChange(change, points, matters, measurable)
