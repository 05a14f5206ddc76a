"""Find the frame from which the times of the EVENT group count, and the frames of the events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.io.c3d.checks import stated_frames, trial_field

if TYPE_CHECKING:
    from gaitdyn.io.c3d.parameters import C3DHeader, Parameters
    from gaitdyn.types.recording import Event

_FEWEST = 3
"""A gait cycle has two strikes and an off."""

_ROUNDED = 2.0**-23
"""Relative error of a 32-bit float, with the room of a second rounding."""

_KEPT = 0.0005
"""Distance from a frame, in frames, that rounding removes later."""


def on_the_clock(
    events: tuple[Event, ...], header: C3DHeader, params: Parameters, rate_hz: float
) -> tuple[tuple[Event, ...], str]:
    """Return events on the clock of the frames, and a note if their times were stored on another.

    Time 0 is frame 1 by definition (C3D format user guide, "EVENT:TIMES"). If another program
    numbered the frames anew in the header, or it cannot hold their numbers, the events still count
    by those of TRIAL:ACTUAL_START_FIELD. These are used only if no event lies in the recording as
    stored and all of at least three do by them. Events of a part that was cut off stay outside.

    Parameters
    ----------
    events : tuple of Event
        In chronological order, s.
    header : C3DHeader
    params : Parameters
    rate_hz : float
    """
    first = max(1, header.first_frame)
    start, field = (first - 1) / rate_hz, trial_field(params, "START")
    stop, margin = start + (stated_frames(header, params) - 1) / rate_hz, 0.5 / rate_hz

    def inside(shift_s: float) -> list[bool]:
        return [start - margin <= e.time_s + shift_s <= stop + margin for e in events]

    if len(events) < _FEWEST or field is None or any(inside(0.0)):
        return events, ""
    shift_s = (first - field) / rate_hz
    if not all(inside(shift_s)):
        return events, ""
    moved = tuple(replace(event, time_s=event.time_s + shift_s) for event in events)
    by_field = "the frame numbers of TRIAL:ACTUAL_START_FIELD"
    return moved, f"event times are on the clock of {by_field}: as stored, all lie outside"


def on_their_frames(events: tuple[Event, ...], rate_hz: float) -> tuple[Event, ...]:
    """Return events with the times of frames where they differ from these by rounding alone.

    Times are stored as 32-bit floats, which after some minutes are hundredths of a frame off. An
    event just behind its frame would need the next one, in which the load may not be known. Smaller
    errors stay: rows are rounded to a thousandth of a frame.
    """

    def at_frame(event: Event) -> Event:
        frame_s = round(event.time_s * rate_hz) / rate_hz
        off_s = abs(event.time_s - frame_s)
        moved = _KEPT / rate_hz < off_s <= _ROUNDED * abs(event.time_s)
        return replace(event, time_s=frame_s) if moved else event

    return tuple(map(at_frame, events))
