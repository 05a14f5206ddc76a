"""Foot strikes and offs: from the file, else from the plates, else from the speed of the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.events.contacts import ON_N
from gaitdyn.types.recording import Event

if TYPE_CHECKING:
    from gaitdyn.events.assignment import LoadedPlate
    from gaitdyn.events.feet import Foot
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.recording import Recording


def find_events(
    recording: Recording, contacts: list[Contact], plates: list[LoadedPlate], feet: list[Foot]
) -> tuple[Event, ...]:
    """Return the events of both feet in order of time.

    The events of a side that the file holds are taken as they are. A side without any gets the
    edges of its load runs and, for stances beside the plates, of its slow runs.

    Parameters
    ----------
    recording : Recording
    contacts : list of Contact
    plates : list of LoadedPlate
    feet : list of Foot

    Returns
    -------
    tuple of Event
    """
    found = list(recording.events)
    told = {event.side for event in found}
    for foot in feet:
        if foot.side not in told:
            found += _from_plates_and_speed(recording, contacts, plates, foot)
    return tuple(sorted(found))


def event_rows(events: list[Event], recording: Recording) -> Array:
    """Return the rows of events in a recording, fractions kept, shape (len(events),)."""
    times = np.array([event.time_s for event in events])
    return np.round(times * recording.rate_hz + 1 - recording.first_frame, 3)


def _from_plates_and_speed(
    recording: Recording, contacts: list[Contact], plates: list[LoadedPlate], foot: Foot
) -> list[Event]:
    n = recording.n_frames
    up = {plate.wrench.number: plate.up for plate in plates}
    own = [c for c in contacts if c.side == foot.side and c.accepted]
    loaded = np.zeros(n, bool)
    for contact in own:
        loaded[contact.start : contact.stop] = True
    found = []

    def add(row: float, kind: str, source: str) -> None:
        time = (row + recording.first_frame - 1) / recording.rate_hz
        found.append(Event(time, foot.side, kind, source))  # pyright: ignore[reportArgumentType]

    for start, stop in runs(loaded):
        total = np.sum([up[c.plate] for c in own if c.start < stop and c.stop > start], axis=0)
        if start > 0:
            add(_crossing(total, start - 1, start), "foot_strike", "plate")
        if stop < n:
            add(_crossing(total, stop - 1, stop), "foot_off", "plate")
    seen = np.isfinite(foot.heel_G[:, 0]) & np.isfinite(foot.toe_G[:, 0])
    for start, stop in runs(foot.stance):
        if not loaded[start:stop].any():
            if start > 0 and seen[start - 1]:
                add(start, "foot_strike", "kinematic")
            if stop < n and seen[stop]:
                add(stop, "foot_off", "kinematic")
    return found


def _crossing(up: Array, before: int, after: int) -> float:
    """Return the row, with its fraction, at which the force crosses 20 N between two rows."""
    a, b = up[before], up[after]
    if a == b:
        return float(after)
    return before + float(np.clip((ON_N - a) / (b - a), 0.0, 1.0)) * (after - before)
