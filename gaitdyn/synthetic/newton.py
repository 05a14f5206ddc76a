"""A walker whose body moves as the forces on its feet ask: Newton's law for the whole of it.

The default gait's pelvis follows from feet that do not slip, its forces from the usual course of
forces; neither knows of the other. Here the path of the pelvis, from which both legs hang, is what
the forces make of the body's mass. The feet slip by some millimetres instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.body import GRAVITY, SIDES, hip_in_pelvis, sign
from gaitdyn.synthetic.ground import walking_wrenches
from gaitdyn.synthetic.kinematics import pose
from gaitdyn.synthetic.loads import leg_motion

if TYPE_CHECKING:
    from gaitdyn.synthetic.arrays import Array
    from gaitdyn.synthetic.kinematics import Walker


_SAMPLES, _HARMONICS = 512, 16


def newtonian(walker: Walker) -> Walker:
    """Return the walker with the path of its pelvis changed until force and motion agree.

    Both legs hang from the pelvis, so that its acceleration is added to all of the body:
    ``sum F = sum m a + (M - sum m) a_hips - M g``, with the middle of the hip centres for all but
    the legs. The force on average over a stride is made the weight; what the motion lacks of the
    rest is integrated twice as a Fourier series of the stride.

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
    lacking = missing_force(walker, time_s) @ walker.course.R_GW / body.mass_kg
    lacking[:, 2] *= -sign(gait.lead)
    parts = np.fft.rfft(lacking, axis=0)[1 : _HARMONICS + 1] * 2.0 / _SAMPLES
    order = np.arange(1, _HARMONICS + 1) * gait.phase_rate
    parts /= -body.leg_m * order[:, None] ** 2
    path = np.zeros((3, 1 + 2 * _HARMONICS))
    path[:, : gait.pelvis_path.shape[1]] = gait.pelvis_path
    path[:, 1::2] += parts.real.T
    path[:, 2::2] -= parts.imag.T
    path.setflags(write=False)
    return replace(walker, gait=replace(gait, pelvis_path=path))


def missing_force(walker: Walker, time_s: Array) -> Array:
    """Return the force on both feet less what the motion of the whole body asks, N, shape (n, 3).

    Parameters
    ----------
    walker : Walker
    time_s : array, shape (n_times,)
    """
    where, body = pose(walker, time_s), walker.body
    legs = [leg_motion(body, where, side) for side in SIDES]
    middle = 0.5 * (hip_in_pelvis(body, "left") + hip_in_pelvis(body, "right"))
    hips = where.mid_asis_G + where.R_GP.apply(middle)
    rest = body.mass_kg - sum(float(leg.mass.sum()) for leg in legs)
    asked = rest * hips.accel + body.mass_kg * np.array([0.0, GRAVITY, 0.0])
    for leg in legs:
        asked = asked + np.einsum("s,nsi->ni", leg.mass, leg.a_cm_G)
    return sum(foot.force_G for foot in walking_wrenches(walker, time_s)) - asked
