"""Published rules of events from markers, beside which ours are measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.events.kinematic import ahead_of_pelvis, in_order, tops, upward_speed

if TYPE_CHECKING:
    from gaitdyn.events.kinematic import Rows
    from gaitdyn.types.arrays import Array

LOW = 0.35
"""At O'Connor's strike the heel is below this part of its range."""


def zeni_events(
    heel_G: Array, toe_G: Array, pelvis_G: Array, walking_G: Array, rate: float
) -> Rows:
    """Return strikes and offs as the extremes of heel and toe before the pelvis (Zeni 2008).

    Parameters and result as of :func:`gaitdyn.events.kinematic.foot_events`.
    """
    heel, toe, (forward, back) = ahead_of_pelvis(heel_G, toe_G, pelvis_G, walking_G, rate)
    return in_order(tops(heel, forward, rate)), in_order(tops(-toe, back, rate))


def oconnor_events(
    heel_G: Array, toe_G: Array, pelvis_G: Array, walking_G: Array, rate: float
) -> Rows:
    """Return strikes and offs as extremes of the foot's vertical speed (O'Connor et al. 2007).

    The speed of the middle of heel and toe: lowest, with the heel in the lower 0.35 of its range,
    at a strike; highest at an off. Parameters and result as of
    :func:`gaitdyn.events.kinematic.foot_events`.
    """
    _, _, (forward, back) = ahead_of_pelvis(heel_G, toe_G, pelvis_G, walking_G, rate)
    speed = upward_speed((heel_G + toe_G) / 2, rate)
    height = heel_G[:, 1]
    with np.errstate(invalid="ignore"):
        known = height[np.isfinite(height)]
        low = height < known.min() + LOW * np.ptp(known) if known.size else np.zeros(len(height))
    strikes = tops(np.where(low, -speed, np.nan), forward, rate)
    return in_order(strikes), in_order(tops(speed, back, rate))
