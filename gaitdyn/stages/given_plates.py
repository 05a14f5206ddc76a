"""Plates that are given to a foot by hand, against those of the file."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.events.assignment import check_overlaps
from gaitdyn.types.options import Assignment, Options
from gaitdyn.types.recording import Recording


def usable_assignments(
    options: Options, usable: Sequence[int], recording: Recording
) -> tuple[Assignment, ...]:
    """Return the assignments, without those from a data base to plates that cannot be used.

    Parameters
    ----------
    options : Options
    usable : sequence of int
        Numbers of the plates whose force can be used.
    recording : Recording

    Raises
    ------
    UsageError
        When the user assigns a plate or frames that the file does not have.
    FileRefused
        When the plate is in the file but cannot be used.
    """
    check_overlaps(options.assign)
    assignments = tuple(a for a in options.assign if a.origin == "user" or a.plate in usable)
    last = recording.first_frame + recording.n_frames - 1
    for given in assignments:
        if given.plate not in usable:
            numbers = ", ".join(map(str, usable)) or "none"
            message = (
                f"assign names plate {given.plate}; {recording.name} has usable plates {numbers}"
            )
            stored = given.plate in {plate.number for plate in recording.plates}
            raise FileRefused(message) if stored else UsageError(message)
        frames = given.frames
        if frames and not recording.first_frame <= frames[0] <= frames[1] <= last:
            raise UsageError(
                f"assign names frames {frames[0]}-{frames[1]} of plate {given.plate};"
                f" {recording.name} has frames {recording.first_frame}-{last}"
            )
    return assignments
