"""Cut a recording."""

from __future__ import annotations

from dataclasses import replace

from gaitdyn.types.recording import Recording


def cut(recording: Recording, start: int, stop: int) -> Recording:
    """Return the frames ``[start, stop)`` of a recording, with their analog samples."""
    r = recording.samples_per_frame
    plates = tuple(
        replace(plate, channels=plate.channels[start * r : stop * r]) for plate in recording.plates
    )
    analog = recording.analog
    if analog is not None:
        analog = replace(analog, samples=analog.samples[:, start * r : stop * r])
    return replace(
        recording,
        first_frame=recording.first_frame + start,
        markers_L=recording.markers_L[start:stop],
        outputs={name: values[start:stop] for name, values in recording.outputs.items()},
        plates=plates,
        analog=analog,
        poses=None if recording.poses is None else recording.poses.rows(start, stop),
    )
