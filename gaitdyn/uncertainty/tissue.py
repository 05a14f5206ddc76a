"""Apply errors of skin and axes to a pose: markers that sway with the stride, a rotated knee axis.

Skin markers move relative to the bone with the stride. The model is that of Cheze, Fregly and
Dimnet (1995, J Biomech 28:879-884): each coordinate gains ``A sin(w t + phi)``, the amplitude
uniform from 0 to the largest of its segment, the phase uniform. In this module w is one of the
first four harmonics of the stride (0 to 25 rad/s in the paper), so that the sway follows the cycle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import about
from gaitdyn.stages.motion import find_pose
from gaitdyn.types.motion import SEGMENTS, LegPose, Pose
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.uncertainty.inputs import InputErrors
    from gaitdyn.uncertainty.leg_curves import Stages

_MM = 0.001
HARMONICS = 4
_USUAL_STRIDE_S = 1.1
"""Assumed in a trial without a whole stride."""

_CARRIES = {"THI": "thigh", "GTR": "thigh", "KNE": "thigh", "TIB": "shank", "ANK": "shank"}
"""Marker, without its side -> segment whose skin carries it, in models without clusters."""


def swayed_pose(run: Stages, errors: InputErrors, count: int, rng: np.random.Generator) -> Pose:
    """Return the pose from swaying markers, frames times draws in the order of time.

    The marker filter passes frequencies below 4 Hz and is left out.
    """
    trial = run.motion.trial
    n, m, _ = trial.markers_G.shape
    largest = amplitudes_m(run, errors)[None, :, None]
    shape = (count, m, 3)
    amplitude = largest * rng.uniform(size=shape)
    omega = 2 * np.pi / stride_s(run) * rng.integers(1, HARMONICS + 1, size=shape)
    t = np.arange(n)[:, None, None, None] / trial.rate_hz
    sway = amplitude * np.sin(omega * t + rng.uniform(0, 2 * np.pi, size=shape))
    drawn = trial.markers_G[:, None] + sway
    batch = replace(trial, markers_G=drawn.reshape(n * count, m, 3))
    return find_pose(batch, run.session, run.body, run.options)


def stride_s(run: Stages) -> float:
    """Return the median time between foot strikes of a foot, s; a usual value if there are none."""
    times = [
        sorted(e.time_s for e in run.ground.events if (e.side, e.kind) == (side, "foot_strike"))
        for side in LETTER
    ]
    strides = np.concatenate([np.diff(of_side) for of_side in times])
    return float(np.median(strides)) if strides.size else _USUAL_STRIDE_S


def amplitudes_m(run: Stages, errors: InputErrors) -> Array:
    """Return the largest sway of every marker of the trial, shape (m,), m.

    It is that of the segment that carries the marker; if two carry it, the larger one.
    """
    by_segment = {"thigh": errors.thigh_tissue_mm * _MM, "shank": errors.shank_tissue_mm * _MM}
    elsewhere = errors.other_tissue_mm * _MM
    largest = dict.fromkeys(run.motion.trial.labels, elsewhere)
    for label, segment in _carried(run):
        if label in largest:
            largest[label] = max(largest[label], by_segment.get(segment, elsewhere))
    return np.array([largest[label] for label in run.motion.trial.labels])


def _carried(run: Stages) -> list[tuple[str, str]]:
    """Return the markers of the legs, each with a segment whose skin carries it."""
    reference = run.body.reference
    if reference is None:
        return [(LETTER[s] + name, segment) for s in LETTER for name, segment in _CARRIES.items()]
    return [
        (label, segment)
        for leg in reference.legs.values()
        for segment, (labels, _) in zip(SEGMENTS, leg.template, strict=True)
        for label in labels
    ]


def turned_pose(run: Stages, errors: InputErrors) -> Pose:
    """Return the pose with the knee axes rotated by one deviation outward and inward, two draws.

    The thigh rotates about its long axis, and so does the shank if its z axis follows the knee.
    """
    pose, angle = run.motion.pose, np.radians(errors.knee_axis_deg)
    return replace(
        pose,
        R_GP=np.repeat(pose.R_GP, 2, axis=0),
        origin_G=np.repeat(pose.origin_G, 2, axis=0),
        left=turned_leg(pose.left, np.array([angle, -angle])),
        right=turned_leg(pose.right, np.array([angle, -angle])),
    )


def turned_leg(leg: LegPose, angles: Array) -> LegPose:
    """Return a leg with its knee axis rotated about the long axis of the thigh.

    Parameters
    ----------
    leg : LegPose
    angles : array, shape (k,)
        rad.

    Returns
    -------
    LegPose
        n k frames, in the order of time.
    """
    n, k = len(leg.R_GS), len(angles)
    R = np.repeat(leg.R_GS[:, None], k, axis=1)
    turn = about("y", angles)
    for i in (1, 2) if leg.shank_axis == "knee" else (2,):
        R[:, :, i] = R[:, :, i] @ turn
    distal = leg.R_shank_distal
    return replace(
        leg,
        R_GS=R.reshape(n * k, 3, 3, 3),
        r_prox_G=np.repeat(leg.r_prox_G, k, axis=0),
        own_prox_G=None if leg.own_prox_G is None else np.repeat(leg.own_prox_G, k, axis=0),
        R_shank_distal=None if distal is None else np.repeat(distal, k, axis=0),
    )
