"""The mean posture of somebody who moves.

Every landmark is averaged in the axes of the markers that carry it, over all frames that show both.
An axis that a segment takes from its neighbour is averaged over the stance of that leg.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.clusters.tracking import RigidMotion, track
from gaitdyn.calibrate.ladder.legs import build_reference
from gaitdyn.calibrate.models.segments import segment_of
from gaitdyn.calibrate.posture.first_places import facing, first_places
from gaitdyn.calibrate.posture.mean import ABOVE, mean_posture
from gaitdyn.calibrate.posture.reference import Person, Posture
from gaitdyn.core.medians import known_median, median
from gaitdyn.core.rigid import move
from gaitdyn.core.rotations import rotate_back, unit
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.subject import LETTER
from gaitdyn.types.trial import Trial
from gaitdyn.types.words import all_of

_JOINTS = {"thigh": "hip", "shank": "knee", "foot": "ankle"}
"""Segment -> the joint above it."""


def moving_posture(
    trial: Trial, model: MarkerModel, sides: list[str], person: Person
) -> tuple[Posture, list[Finding]]:
    """Return the mean posture of a person who moves, and the finding about its uncertainty.

    A frame that shows the pelvis and one leg gives the first guess. The markers are then averaged
    in the axes of their segments, the segments in those of their neighbours, and the markers once
    more in that posture.
    """
    first = first_places(trial, model, sides)
    R_GB = facing(first)
    places = {label: point @ R_GB for label, point in first.items()}
    motions = track(trial, build_reference(Posture(places), model, sides, person)).motions
    places |= mean_places(trial, model, motions)
    reference = build_reference(Posture(places), model, sides, person)
    stances = {side: stance_rows(trial, side) for side in reference.legs}
    places = _posed(places, model, mean_posture(motions, reference.legs.values(), stances))
    reference = build_reference(Posture(places), model, sides, person)
    motions = track(trial, reference).motions
    places |= mean_places(trial, model, motions)
    turns, spread = _mean_turns(trial, reference_sides=list(reference.legs), motions=motions)
    return Posture(places, turns), [_uncertainty(trial, spread)]


def _posed(
    places: dict[str, Array], model: MarkerModel, motions: dict[str, RigidMotion]
) -> dict[str, Array]:
    """Return the positions of markers after their segments have moved, shape (3,) each."""
    of_marker = {label: motions.get(segment_of(label, model) or "") for label in places}
    return {
        label: point if (motion := of_marker[label]) is None else move(*motion, point)
        for label, point in places.items()
    }


def _uncertainty(trial: Trial, spread: dict[str, float]) -> Finding:
    """Return the finding about the uncertainty of a reference taken from a walk, deg."""
    worst: dict[str, float] = {}
    for name, off in spread.items():
        joint = _JOINTS[name.rpartition(" ")[2]]
        worst[joint] = max(off, worst.get(joint, 0.0))
    sizes = [f"{off:.0f}{' deg' * (not i)} at the {x}" for i, (x, off) in enumerate(worst.items())]
    by = f", by {all_of(sizes)}" if sizes else ""
    message = (
        f"nobody stands still in {trial.recording.name}: landmarks are means over its frames, joint"
        f" axes means over stance; the zero of rotation and inversion is uncertain{by}"
    )
    scope = trial.recording.name
    return Finding("info", "reference-in-walk", scope, message, max(worst.values(), default=0.0))


def mean_places(
    trial: Trial, model: MarkerModel, motions: dict[str, RigidMotion]
) -> dict[str, Array]:
    """Return the mean position of each marker in the reference position of its segment."""
    places = {}
    for i, label in enumerate(trial.labels):
        segment = segment_of(label, model)
        if segment is None or segment not in motions:
            continue
        R, t = motions[segment]
        carried = rotate_back(R, trial.markers_G[:, i] - t)
        if complete_rows(carried).any():
            places[label] = median(carried[complete_rows(carried)], axis=0)
    return places


def _mean_turns(
    trial: Trial, reference_sides: list[str], motions: dict[str, RigidMotion]
) -> tuple[dict[str, Array], dict[str, float]]:
    """Return the mean rotation of the segment above in each segment, and its spread, deg."""
    turns, spread = {}, {}
    for side in reference_sides:
        stance = stance_rows(trial, side)
        for segment, above in ABOVE.items():
            upper = motions[above if above == "pelvis" else f"{side} {above}"][0]
            name = f"{side} {segment}"
            turn = np.swapaxes(motions[name][0], -1, -2) @ upper
            known = complete_rows(turn)
            rows = stance & known if (stance & known).any() else known
            if not rows.any():
                continue
            turns[name] = known_mean(turn[rows])
            axes = unit(turn[rows][:, :, 2])
            apart = np.degrees(np.arccos(np.clip(axes @ unit(axes.mean(axis=0)), -1.0, 1.0)))
            spread[name] = float(np.sqrt((apart**2).mean()))
    return turns, spread


def stance_rows(trial: Trial, side: str) -> Mask:
    """Return the frames in which a foot is in the lower half of its heights, shape (n,).

    That is most of stance, overground and on a treadmill; all frames if no marker of the leg that
    could show it is visible.
    """
    n = len(trial.markers_G)
    for role in ("ANK", "HEE", "AJC", "TOE", "MT5", "MED", "MT1", "TIB", "SK1", "KNE"):
        label = LETTER[side] + role
        if label in trial.labels:
            height = trial.marker(label)[:, 1]
            if np.isfinite(height).any():
                with np.errstate(invalid="ignore"):
                    return np.asarray(height <= known_median(height), dtype=bool)
    return np.ones(n, bool)
