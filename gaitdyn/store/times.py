"""Check the times of stored events and the rows of stored contacts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitdyn.types.result import Processed


def check_times(result: Processed) -> None:
    """Refuse events and contacts that no run can have written.

    Events of a cut file may lie outside its remaining frames.

    Parameters
    ----------
    result : Processed

    Raises
    ------
    ValueError
        With what was found and what was wanted.
    """
    recording, frames = result.recording, result.recording.n_frames
    if not (math.isfinite(recording.rate_hz) and recording.rate_hz > 0.0):
        raise ValueError(f"a rate of {recording.rate_hz} Hz, wanted one above 0")
    times = [event.time_s for event in result.events]
    wrong = [time for time in times if not math.isfinite(time)]
    if wrong:
        raise ValueError(f"an event at {wrong[0]} s, wanted a time")
    if times != sorted(times):
        raise ValueError("events that are not in the order of time")
    for contact in result.contacts:
        if not 0 <= contact.start < contact.stop <= frames:
            raise ValueError(
                f"a contact in the rows {contact.start} to {contact.stop},"
                f" wanted rows from 0 to {frames}"
            )
        if not (math.isfinite(contact.peak_N) and contact.peak_N >= 0.0):
            raise ValueError(f"a contact with a peak of {contact.peak_N} N, wanted a force")
