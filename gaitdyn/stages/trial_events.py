"""The events with which a trial begins: those of its file, or the given ones."""

from __future__ import annotations

from dataclasses import replace

from gaitdyn.errors import UsageError
from gaitdyn.events.alternation import has_cycle
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event, Recording
from gaitdyn.types.subject import SIDES


def with_events(recording: Recording, options: Options) -> Recording:
    """Return the recording with the given events instead of those in the file.

    Raises
    ------
    UsageError
        When one lies outside the recording.
    """
    if not options.events:
        return recording
    start, stop = _time_range(recording)
    first, last = recording.first_frame, recording.first_frame + recording.n_frames - 1
    for event in options.events:
        if not _contains(recording, event):
            frame = first + (event.time_s - start) * recording.rate_hz
            raise UsageError(
                f"{recording.name}: a given {event.side} {event.kind.replace('_', ' ')} is at"
                f" {event.time_s:g} s, frame {frame:.0f}; the recording lasts from {start:g} to"
                f" {stop:g} s, frames {first} to {last}"
            )
    return replace(recording, events=tuple(sorted(options.events)))


def without_events_of_another_clock(recording: Recording) -> tuple[Recording, list[Finding]]:
    """Return the recording without its events, and a finding, if most of them lie outside it.

    Files that were cut keep events outside the remaining frames, but have a gait cycle inside.
    """
    events = recording.events
    inside = [event for event in events if _contains(recording, event)]
    of_sides = [[event for event in inside if event.side == side] for side in SIDES]
    if 2 * len(inside) >= len(events) or any(has_cycle(side) for side in of_sides):
        return recording, []
    start, stop = _time_range(recording)
    message = (
        f"{len(events) - len(inside)} of {len(events)} events of the file (from"
        f" {events[0].time_s:.2f} to {events[-1].time_s:.2f} s) lie outside the recording (from"
        f" {start:.2f} to {stop:.2f} s), and no gait cycle inside: its rate or first frame is"
        " wrong, or the events are from another clock; they are detected again"
    )
    return replace(recording, events=()), [Finding("warning", "events-outside", "events", message)]


def _time_range(recording: Recording) -> tuple[float, float]:
    """Return the times of the first and the last frame, s."""
    return recording.time_of(0), recording.time_of(recording.n_frames - 1)


def _contains(recording: Recording, event: Event) -> bool:
    """Return whether an event lies within a recording, with half a frame of tolerance."""
    (start, stop), half = _time_range(recording), 0.5 / recording.rate_hz
    return start - half <= event.time_s <= stop + half
