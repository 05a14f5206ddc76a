"""The part of the cycle in which a curve is judged: a ground force in stance alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.types.arrays import Array, Mask

if TYPE_CHECKING:
    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.types.norms import MatchedNorm

PERCENT: Array = np.arange(101.0)
"""The points of a curve, % of the cycle."""

IMPACT = 6.0
"""Up to here, %, loads follow the cut-offs of the filters: published hip and knee moments and
powers have a spike at 2 %, and a low-pass filter spreads the ground force across the strike. In
nine of ten of 31 strides of recorded walks, loads with forces filtered at 10 Hz and unfiltered
differ by up to 7 SD of healthy children at 0 % (ankle power; ground force 6, knee and hip 2 to 3),
by 1.3 at 4 %, 0.8 at 6 % and 0.5 at 8 %; the moment of the ankle never by more than 0.4."""

_STANDING = 0.5
"""Upward force in N/kg, 5 % of the weight, above which the people of a reference set stand."""


def in_stance(rule: CurveRule, foot_offs: Iterable[float | None]) -> Mask | None:
    """Return where a ground force is judged, up to the first foot-off; None for another curve.

    After foot-off the curve is what the filter leaves of the force.

    Parameters
    ----------
    rule : CurveRule
    foot_offs : iterable of float or None
        Of those who are compared, % of the cycle; None if it is not known.
    """
    if not rule.of_ground:
        return None
    known = [percent for percent in foot_offs if percent is not None]
    return min(known, default=np.inf) > PERCENT


def against_reference(rule: CurveRule, norm: MatchedNorm, foot_off: float | None) -> Mask:
    """Return where a curve is judged against a reference set, shape (101,).

    A ground force that is not filtered is zero for everybody at the strike and in swing: it is
    judged where the people of the set differ.

    Parameters
    ----------
    rule : CurveRule
    norm : MatchedNorm
    foot_off : float or None
        Of the walker, % of the cycle.
    """
    spiked = rule.impact and not norm.norm.in_house
    judged = (IMPACT if spiked else 0.0) <= PERCENT
    stance = in_stance(rule, (foot_off, _standing_until(norm)))
    if stance is None:
        return judged
    band = norm.bands.get(rule.name)
    varies = True if band is None else np.interp(PERCENT, band.percent, band.sd) > 0
    return judged & stance & varies


def _standing_until(norm: MatchedNorm) -> float | None:
    """Return where the people of a set carry no weight any more, %; None without their force."""
    band = norm.bands.get("grf_y")
    if band is None:
        return None
    standing = np.interp(PERCENT, band.percent, band.mean) > _STANDING
    stance = PERCENT[standing & (PERCENT < 80)]  # noqa: PLR2004  the next strike is spread before 100 %
    return float(stance[-1]) + 1 if stance.size else None
