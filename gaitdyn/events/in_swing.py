"""Light loads that travel with a swinging foot: a foot that scuffs, or forces of a model.

Below the threshold of a contact a plate usually records noise, drift or vibration of the floor,
and the point of application lies anywhere or does not move. If it travels with a swinging foot and
stays below it, it is a force on that foot: a dragging toe, or simulated or smoothed forces.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.events.assignment import NEAR_M
from gaitdyn.events.contacts import ON_N, centre_of_pressure
from gaitdyn.events.feet import TrialFoot, distance_to_foot
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.options import Assignment
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.wrench import PlateWrench

LEAST_N, SHORTEST_S, LEAST_M, AGREES = 1.0, 0.05, 0.1, 0.3
"""A load in swing reaches 1 N, lasts 0.05 s, and its point travels 0.1 m or more, within 0.3 of the
displacement of the foot. No laboratory plate in the corpus records such a load."""

_FELT_N = 0.02


@frozen()
class SwingLoad:
    """A light load of a plate that travels with a foot, rows half-open."""

    plate: int
    side: Literal["left", "right"]
    start: int
    stop: int
    peak_N: float
    travel_m: float


def swing_loads(
    plates: Sequence[PlateWrench],
    feet: Sequence[TrialFoot],
    recording: Recording,
    given: Sequence[Assignment] = (),
) -> list[SwingLoad]:
    """Return the light loads that travel with one foot, ordered by plate and time.

    Parameters
    ----------
    plates : sequence of PlateWrench
        As read, with the baseline: a baseline of any size keeps the point of application fixed.
    feet : sequence of TrialFoot
    recording : Recording
        Its rate and first frame.
    given : sequence of Assignment
        Decisions of the user; a load in frames assigned to another foot or to none is left out.
    """
    rate_hz = recording.rate_hz
    loads: list[SwingLoad] = []
    for plate in plates:
        up = plate.force_G @ plate.normal_G
        up = up if up.max() >= -up.min() else -up  # a plate that records the force on itself
        size = np.linalg.norm(plate.force_G, axis=1)
        light = (size > _FELT_N) & (up > 0.0) & (up < ON_N)  # ringing after a step pulls
        if not (light & (size > LEAST_N)).any():
            continue
        cop = centre_of_pressure(plate.force_G, plate.moment_G, plate.centre_G, plate.normal_G)
        for foot in feet:
            with np.errstate(invalid="ignore"):
                under_foot = light & (distance_to_foot(cop, foot) <= NEAR_M)
            for start, stop in runs(under_foot):
                peak = float(size[start:stop].max())
                lasting = (stop - start) >= SHORTEST_S * rate_hz and peak >= LEAST_N
                if lasting and (travel := _travel(cop, foot, start, stop)):
                    load = SwingLoad(plate.number, foot.side, start, stop, peak, travel)  # pyrefly: ignore[bad-argument-type]
                    loads.append(load)
    return [load for load in loads if not _otherwise(load, given, recording.first_frame)]


def _otherwise(load: SwingLoad, given: Sequence[Assignment], first: int) -> bool:
    """Return whether the user assigned the frames of a load to another foot, or to none."""
    return any(
        a.plate == load.plate
        and a.side != load.side
        and (
            a.frames is None
            or (a.frames[0] < load.stop + first and load.start + first <= a.frames[1])
        )
        for a in given
    )


def _travel(cop: Array, foot: TrialFoot, start: int, stop: int) -> float:
    """Return how far a point travels with a foot, m; 0 if it does not."""
    ends = [start, stop - 1]
    first, last = cop[ends, ::2]
    before, after = 0.5 * (foot.heel_G[ends, ::2] + foot.toe_G[ends, ::2])
    moved, foot_moved = last - first, after - before
    length = float(np.linalg.norm(moved))
    largest = AGREES * np.linalg.norm(foot_moved)
    return length if length >= LEAST_M and np.linalg.norm(moved - foot_moved) <= largest else 0.0


def marked_as_loaded(
    plates: Sequence[PlateWrench], loads: Sequence[SwingLoad]
) -> list[PlateWrench]:
    """Return plates marked as loaded in the frames of their light loads, for the baseline."""
    marked: list[PlateWrench] = []
    for plate in plates:
        rows = np.zeros(len(plate.force_G), bool)
        for load in loads:
            rows[load.start : load.stop] |= load.plate == plate.number
        if rows.any() and plate.standing is not None:
            marked.append(replace(plate, standing=plate.standing | rows))
        else:
            marked.append(plate)
    return marked


def swing_load_findings(loads: Sequence[SwingLoad], recording: Recording) -> list[Finding]:
    """Return one finding per plate and foot with such loads, for the largest of them."""
    largest: dict[tuple[int, str], SwingLoad] = {}
    for load in loads:
        best = largest.get((load.plate, load.side))
        if best is None or load.peak_N > best.peak_N:
            largest[load.plate, load.side] = load
    findings: list[Finding] = []
    for load in largest.values():
        first, last = recording.frames_of(load.start, load.stop)
        message = (
            f"plate {load.plate}, frames {first}-{last}: up to {load.peak_N:.1f} N travel"
            f" {load.travel_m:.2f} m with the swinging {load.side} foot: taken as a force on it"
        )
        findings.append(
            Finding(
                "warning", "load-follows-foot", f"plate {load.plate}", message, load.peak_N,
                **recording.times_of(load.start, load.stop),
            )
        )  # fmt: skip
    return findings
