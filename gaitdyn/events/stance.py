"""Frames in which a foot stands, from events or from the speed of the foot."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import runs
from gaitdyn.events.alternation import STANCE_S
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.recording import Event

SLOW_M_S = 0.5
"""A foot is in stance while its heel or toe is slower than this: the rule of Ghoussayni et al. 2004
(Gait Posture 20:266-272), there 0.05 m/s, with the threshold of Bruening and Ridge 2014 (Gait
Posture 39:472-477)."""

SHORTEST_S = 0.1

STANCE, SWING, UNKNOWN = 1, 0, -1

_PHASES = {("foot_strike", "foot_off"): STANCE, ("foot_off", "foot_strike"): SWING}


def stance_from_events(events: list[Event], rows: Array, n_frames: int) -> np.ndarray:
    """Return the phase of every frame from the events of one side: 1 stance, 0 swing, -1 unknown.

    A frame is in stance if strike < frame <= foot-off. Frames before the first and after the last
    event, and between two events of the same kind, are unknown.

    Parameters
    ----------
    events : list of Event
        One side, in order of time.
    rows : array, shape (len(events),)
        Row of each event, fractions allowed.
    n_frames : int
    """
    state = np.full(n_frames, UNKNOWN)
    after = np.clip(np.floor(rows) + 1, 0, n_frames).astype(int)
    for (event, start), (following, stop) in pairwise(zip(events, after.tolist(), strict=True)):
        state[start:stop] = _PHASES.get((event.kind, following.kind), UNKNOWN)
    return state


def stance_from_speed(heel_G: Array, toe_G: Array, rate_hz: float) -> Mask:
    """Return the frames in which the slower of heel and toe is below 0.5 m/s for 0.1 s or more.

    Parameters
    ----------
    heel_G, toe_G : arrays, shape (n, 3)
        m; a missing marker does not count as slow.
    rate_hz : float

    Returns
    -------
    array of bool, shape (n,)
    """
    slow = np.zeros(len(heel_G), bool)
    for marker in (heel_G, toe_G):
        speed = np.full(len(marker), np.inf)
        speed[1:-1] = lengths(marker[2:] - marker[:-2]) * rate_hz / 2
        speed[0], speed[-1] = speed[1], speed[-2]
        slow |= np.nan_to_num(speed, nan=np.inf) < SLOW_M_S
    for start, stop in runs(slow):
        if (stop - start) / rate_hz < SHORTEST_S:
            slow[start:stop] = False
    return slow


def stance_mask(from_events: np.ndarray, from_speed: Mask) -> Mask:
    """Return the stance of a foot from events, and from the foot's speed where they are unknown.

    A slow run that ends at the first strike of the file, or starts at its last foot-off, is the
    swing next to that event, not a stance.

    Parameters
    ----------
    from_events : array of int, shape (n,)
        Of :func:`stance_from_events`.
    from_speed : array of bool, shape (n,)
    """
    recorded = np.flatnonzero(from_events != UNKNOWN)
    stance = np.where(from_events == UNKNOWN, from_speed, from_events == STANCE).astype(bool)
    if not recorded.size:
        return stance
    first, last = recorded[0], recorded[-1]
    for start, stop in runs(from_speed):
        if from_events[first] == STANCE and start < first <= stop:
            stance[start:first] = False
        if from_events[last] == STANCE and start <= last + 1 < stop:
            stance[last + 1 : stop] = False
    return stance


def open_stances(events: list[Event], rows: Array, n_frames: int, rate_hz: float) -> Mask:
    """Return the frames certain to be in stances of which the file has one end, shape (n,).

    A stance lasts 0.2 s or more: these are the frames as long before a first foot-off, and after a
    last strike. A foot that pushes off is too fast to be seen to stand.

    Parameters
    ----------
    events : list of Event
        One side, in order of time.
    rows : array, shape (len(events),)
    n_frames : int
    rate_hz : float
    """
    frame, reach = np.arange(n_frames), STANCE_S[0] * rate_hz
    certain = np.zeros(n_frames, bool)
    if events and events[0].kind == "foot_off":
        certain |= (frame > rows[0] - reach) & (frame <= np.floor(rows[0]))
    if events and events[-1].kind == "foot_strike":
        certain |= (frame > np.floor(rows[-1])) & (frame <= rows[-1] + reach)
    return certain


def closed_stances(from_events: np.ndarray) -> Mask:
    """Return the stances whose strike and foot-off are both in the file, shape (n,)."""
    return from_events == STANCE
