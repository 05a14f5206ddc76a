"""When each foot stands: by events of the file, by its speed, until its foot-off, under load."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import mask_of
from gaitdyn.events.detect import event_rows
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.stance import (
    closed_stances,
    open_stances,
    stance_from_events,
    stance_from_speed,
    stance_mask,
)
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from gaitdyn.stages.motion import Motion
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.recording import Event, Recording


@frozen(eq=False)
class Standing:
    """The feet of a trial and when they stand.

    Attributes
    ----------
    feet : list of TrialFoot
        With all their stances.
    closed : dict
        Side -> mask, shape (n,), of the stances that events of the file close.
    """

    feet: list[TrialFoot]
    closed: dict[str, Mask]


def find_standing(session: Session, motion: Motion, travel: dict[str, Array]) -> Standing:
    """Return the feet and when they stand.

    Parameters
    ----------
    session : Session
    motion : Motion
    travel : dict
        Side -> how far the ground below the foot has moved, shape (n, 3), m; empty on the floor.
    """
    trial = motion.trial
    feet: list[TrialFoot] = []
    closed: dict[str, Mask] = {}
    for side in session.sides:
        heel, toe = motion.feet[side]
        events = [event for event in trial.recording.events if event.side == side]
        rows = event_rows(events, trial.recording)
        from_file = stance_from_events(events, rows, len(heel))
        moved = travel.get(side, 0.0)
        moving = stance_from_speed(heel - moved, toe - moved, trial.rate_hz)
        moving |= open_stances(events, rows, len(heel), trial.rate_hz)
        feet.append(TrialFoot(side, heel, toe, stance_mask(from_file, moving)))
        closed[side] = closed_stances(from_file)
    return Standing(feet, closed)


def until_foot_off(
    foot: TrialFoot, events: tuple[Event, ...], recording: Recording, away: list[tuple[int, int]]
) -> TrialFoot:
    """Return a foot that also stands between the strikes and foot-offs that were found.

    A foot that pushes off is too fast to be seen to stand, but its force is not zero. As with
    events of a file, which are at frames, the last frame of a cycle is not yet in the next stance.

    Parameters
    ----------
    foot : TrialFoot
    events : tuple of Event
    recording : Recording
    away : list of tuple
        Half-open rows in which nobody is in view.
    """
    own, n = [event for event in events if event.side == foot.side], len(foot.stance)
    rows = event_rows(own, recording)
    rows = np.where([event.kind == "foot_strike" for event in own], np.ceil(rows), rows)
    stands = closed_stances(stance_from_events(own, rows, n))
    stands |= open_stances(own, rows, n, recording.rate_hz)
    return replace(foot, stance=foot.stance | (stands & ~mask_of(away, n)))


def under_contacts(foot: TrialFoot, contacts: list[Contact]) -> Mask:
    """Return the stance of a foot, including the load runs of its accepted contacts, shape (n,)."""
    rows = ((c.start, c.stop) for c in contacts if c.side == foot.side and c.accepted)
    return foot.stance | mask_of(rows, len(foot.stance))
