"""Foot-offs that the motion of the toe contradicts.

A foot on the ground does not move fast for long, and one that has left does not stay. In a foot
that pushes off, the toe rises fastest just after foot-off. On a slope it can rise faster later in
the swing; in a foot that hardly pushes off, as in hemiplegia or with a stiff knee, earlier, while
it rolls over the toes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.rotations import lengths
from gaitdyn.events.stance import SLOW_M_S
from gaitdyn.events.standings import standing_velocity
from gaitdyn.types.belts import horizontal

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    starts = [_strike(strikes, offs, off) for off in offs]
    ground = _ground_velocities(foot, list(zip(starts, offs, strict=True)), rate_hz)
    for k, off in enumerate(offs):
        start = starts[k] or 0
        end = min([off + SWING_S * rate_hz, *strikes[strikes > off]])
        toe = foot.toe_G[start : round(float(end)) + 1]
        if len(toe) < 2:  # noqa: PLR2004
            continue
        moved = (np.gradient(toe, axis=0) * rate_hz - ground[k]) * (1.0, 0.0, 1.0)
        left[k] = start + _left(lengths(moved), float(off) - start, rate_hz)
    return left


def _strike(strikes: Array, offs: Array, off: float) -> int | None:
    """Return the row of the strike that began the stance before a foot-off; None if not found."""
    found = strikes[strikes < off]
    if not found.size or (offs[offs < off] > found[-1]).any():
        return None
    return round(float(found[-1]))


def _ground_velocities(
    foot: TrialFoot, stances: Sequence[tuple[int | None, float]], rate_hz: float
) -> list[Array]:
    """Return the velocity of the ground before each foot-off, m/s; NaN where it is not known.

    Without its strike, a foot-off may follow a swing that the cameras saw in part. Then the median
    of this foot's other stances holds, and without any the foot has to be seen to be slow.
    """
    found = [
        standing_velocity(foot.heel_G, foot.toe_G, start or 0, round(float(off)), rate_hz)
        for start, off in stances
    ]
    known = [
        velocity
        for velocity, (start, _) in zip(found, stances, strict=True)
        if start is not None and np.isfinite(velocity).all()
    ]
    for k, (start, _) in enumerate(stances):
        if start is None and known:
            found[k] = median(known, axis=0)
        elif start is None and not horizontal(found[k]) < SLOW_M_S:
            found[k] = np.full(3, np.nan)
    return found


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
