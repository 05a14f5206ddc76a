"""Foot-offs that the motion of the toe contradicts.

A foot on the ground does not move fast for long, and one that has left does not stay. In a foot
that pushes off, the toe rises fastest just after foot-off. On a slope it can rise faster later in
the swing; in a foot that hardly pushes off, as in hemiplegia or with a stiff knee, earlier, while
it rolls over the toes.
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

LATE_S, USUAL_S = 0.12, 0.02
"""The toe becomes faster than :data:`gaitdyn.events.stance.SLOW_M_S` from 0.08 s before to 0.03 s
after the foot-offs of the corpus, 0.02 s before them in the median. If it has been faster for
0.12 s, the foot left when it began to move."""

EARLY_S, MOVES = 0.06, 0.25
"""The toe reaches that speed, or a quarter of its largest in the swing if that is less, at most
0.06 s after a foot-off."""

SWING_S = 0.6
"""The largest speed is that within this time, before the next strike."""


def left_as_toe_moves(foot: TrialFoot, events: Rows, rate_hz: float) -> Array:
    """Return the foot-offs, moved where they contradict the motion of the toe.

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
        before, after = strikes[strikes < off], strikes[strikes > off]
        strike = round(float(before[-1])) if before.size else 0  # it stood when the trial began
        end = min([off + SWING_S * rate_hz, *after])
        still = standing_velocity(foot.heel_G, foot.toe_G, strike, round(float(off)), rate_hz)
        toe = foot.toe_G[strike : round(float(end)) + 1]
        if len(toe) < 2:  # noqa: PLR2004
            continue
        moved = (np.gradient(toe, axis=0) * rate_hz - still) * (1.0, 0.0, 1.0)
        left[k] = strike + _left(lengths(moved), float(off) - strike, rate_hz)
    return left


def _left(speed: Array, off: float, rate_hz: float) -> float:
    """Return the row of a foot-off from the speed of the toe since the strike."""
    row = round(off)
    slow = np.flatnonzero(~(speed[: row + 1] > SLOW_M_S))
    if slow.size and off - slow[-1] > LATE_S * rate_hz:
        return float(slow[-1]) + USUAL_S * rate_hz
    swing = speed[row:]
    known = swing[np.isfinite(swing)]
    least = min(SLOW_M_S, MOVES * float(known.max())) if known.size else np.inf
    moves = np.flatnonzero(swing > least)
    if moves.size and moves[0] > EARLY_S * rate_hz and np.isfinite(swing[: moves[0]]).all():
        return off + float(moves[0]) - EARLY_S * rate_hz
    return off
