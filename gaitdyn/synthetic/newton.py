"""A walker whose motion agrees with the forces on its feet, by Newton's law for the whole body.

The pelvis path of the default gait follows from feet that do not slip, its forces from typical
force curves; the two are independent. This module computes the path of the pelvis, to which both
legs are attached, from the forces and the body's mass. The feet then slip by some millimetres.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import GRAVITY, SIDES, hip_in_pelvis, sign
from gaitdyn.synthetic.ground import walking_wrenches
from gaitdyn.synthetic.kinematics import Walker, pose
from gaitdyn.synthetic.loads import leg_motion

_SAMPLES, _HARMONICS = 512, 16


def newtonian(walker: Walker) -> Walker:
    """Return the walker with the path of its pelvis changed so that force and motion agree.

    Both legs are attached to the pelvis, so its acceleration is added to the whole body:
    ``sum F = sum m a + (M - sum m) a_hips - M g``, with the middle of the hip centres for all but
    the legs. The mean force over a stride is scaled to the weight. The acceleration that the motion
    still lacks is integrated twice as a Fourier series of the stride.

    Parameters
    ----------
    walker : Walker
    """
    gait, body = walker.gait, walker.body
    first = walker.strike_s(gait.lead, 0)
    time_s = first + np.arange(_SAMPLES) / _SAMPLES * gait.stride_s
    carried = sum(foot.force_G[:, 1].mean() for foot in walking_wrenches(walker, time_s))
    gait = replace(gait, load=gait.load * body.mass_kg * GRAVITY / float(carried))
    walker = replace(walker, gait=gait)
    missing = missing_force(walker, time_s) @ walker.course.R_GW / body.mass_kg
    missing[:, 2] *= -sign(gait.lead)
    parts = np.fft.rfft(missing, axis=0)[1 : _HARMONICS + 1] * 2.0 / _SAMPLES
    order = np.arange(1, _HARMONICS + 1) * gait.phase_rate
    parts /= -body.leg_m * order[:, None] ** 2
    path = np.zeros((3, 1 + 2 * _HARMONICS))
    path[:, : gait.pelvis_path.shape[1]] = gait.pelvis_path
    path[:, 1::2] += parts.real.T
    path[:, 2::2] -= parts.imag.T
    path.setflags(write=False)
    return replace(walker, gait=replace(gait, pelvis_path=path))


def missing_force(walker: Walker, time_s: Array) -> Array:
    """Return the force on both feet minus that needed by the body's motion, N, shape (n, 3).

    Parameters
    ----------
    walker : Walker
    time_s : array, shape (n_times,)
    """
    poses, body = pose(walker, time_s), walker.body
    legs = [leg_motion(body, poses, side) for side in SIDES]
    middle = 0.5 * (hip_in_pelvis(body, "left") + hip_in_pelvis(body, "right"))
    hips = poses.mid_asis_G + poses.R_GP.apply(middle)
    rest = body.mass_kg - sum(float(leg.mass.sum()) for leg in legs)
    needed = rest * hips.accel + body.mass_kg * np.array([0.0, GRAVITY, 0.0])
    for leg in legs:
        needed = needed + np.einsum("s,nsi->ni", leg.mass, leg.a_cm_G)
    return sum(foot.force_G for foot in walking_wrenches(walker, time_s)) - needed
