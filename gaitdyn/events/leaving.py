"""Foot-offs that come too late: a foot on the ground does not move fast for long.

The toe rises fastest just after foot-off in a foot that pushes off. In a foot that hardly does, or
on a slope, it can rise faster later in the swing. The speed at which a foot counts as moving is
that of :data:`gaitdyn.events.stance.SLOW_M_S`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import lengths
from gaitdyn.events.belts import standing_velocity
from gaitdyn.events.stance import SLOW_M_S

if TYPE_CHECKING:
    from gaitdyn.events.feet import TrialFoot
    from gaitdyn.events.kinematic import Rows
    from gaitdyn.types.arrays import Array

LONG_S, USUAL_S = 0.12, 0.02
"""The toe is faster than that from 0.08 s before to 0.03 s after foot-off in 136 foot-offs of the
corpus, 0.02 s before it in the median. If it has been for more than 0.12 s, the foot has left."""


def left_before(foot: TrialFoot, events: Rows, rate_hz: float) -> Array:
    """Return the foot-offs, those that come too late moved to when the toe began to move.

    Parameters
    ----------
    foot : TrialFoot
    events : tuple of arrays
        Strikes and foot-offs, rows.
    rate_hz : float

    Returns
    -------
    array
        Rows of the foot-offs.
    """
    strikes, offs = events
    left = offs.copy()
    for k, off in enumerate(offs):
        before = strikes[strikes < off]
        if not before.size or not np.isfinite(off):
            continue
        stood = round(float(before[-1])), round(float(off))
        still = standing_velocity(foot.heel_G, foot.toe_G, *stood, rate_hz)
        toe = foot.toe_G[stood[0] : stood[1] + 1]
        if len(toe) <= LONG_S * rate_hz:
            continue
        speed = lengths((np.gradient(toe, axis=0) * rate_hz - still) * (1.0, 0.0, 1.0))
        slow = np.flatnonzero(~(speed > SLOW_M_S))
        began = stood[0] + float(slow[-1]) if slow.size else np.nan
        if off - began > LONG_S * rate_hz:
            left[k] = began + USUAL_S * rate_hz
    return left
