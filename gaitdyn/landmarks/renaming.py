"""Rename the markers of a recording to gaitdyn names."""

from __future__ import annotations

from dataclasses import replace

from gaitdyn.types.landmarks import Resolution
from gaitdyn.types.recording import Recording


def renamed(recording: Recording, resolution: Resolution) -> Recording:
    """Return the recording with its landmarks under gaitdyn names.

    Other markers keep their labels. A label that now means another marker, or a marker that is not
    to be used, gets a star in front.

    Parameters
    ----------
    recording : Recording
    resolution : Resolution
        Of this recording.
    """
    roles = resolution.roles()
    taken = set(roles.values())
    unused = {mark.index for mark in resolution.landmarks if not mark.role}
    labels = tuple(
        roles.get(i) or (f"*{label}" if label in taken or i in unused else label)
        for i, label in enumerate(recording.labels)
    )
    return replace(recording, labels=labels)
