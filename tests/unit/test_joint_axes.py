"""Moments in the axes of the joint coordinate system, which are not at right angles."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core.rotations import about, rotate
from gaitdyn.dynamics.clinical import clinical_moments, joint_axes, moments_in
from gaitdyn.dynamics.inverse import inverse_dynamics
from gaitdyn.types.motion import LegPose, Pose
from tests.walks import processed

STILL = np.eye(3)


def knee_bent_sideways(adduction: float):
    """A left leg whose shank is turned about the x axis of the thigh, and its loads."""
    shank = about("x", adduction)
    R = np.stack((shank, shank, STILL))[None]
    pose = Pose(
        STILL[None], np.zeros((1, 3)), LegPose("left", R, np.zeros((1, 3, 3))),
        LegPose("right", R, np.zeros((1, 3, 3))), np.array([1.0, 0, 0]),
    )  # fmt: skip
    return R, pose


def loads_with(R, moment_G):
    """Loads whose knee and hip carry one moment, given in G: pulled on the foot from outside."""
    n = len(R)
    zero = np.zeros((n, 3, 3))
    pull = zero.copy()
    pull[:, 0] = -np.asarray(moment_G)
    return inverse_dynamics(
        mass=np.ones(3), inertia_S=np.tile(STILL, (3, 1, 1)), R_GS=R, r_cm_G=zero, r_prox_G=zero,
        a_cm_G=zero, omega_S=zero, alpha_S=zero, external_force_G=zero, external_moment_G=pull,
        gravity_G=np.zeros(3),
    )  # fmt: skip


def test_in_the_neutral_position_all_axes_agree():
    R, pose = knee_bent_sideways(0.0)
    loads = loads_with(R, [3.0, 5.0, 7.0])
    for axes in ("distal", "proximal", "jcs", "jcs-dual", "lab"):
        assert moments_in(loads, pose, "left", axes)[0] == pytest.approx(
            np.tile([3.0, 5.0, 7.0], (3, 1))
        )


def test_thirty_degrees_off_square_projections_and_components_differ_as_the_drawing_says():
    # The shank leans 30 degrees: its long axis e3 is 60 degrees away from the flexion axis e1 of
    # the thigh. A moment of 10 about e1 projects 10 on e1 and 10 cos 60 = 5 on e3; written as
    # n1 e1 + n3 e3 it needs n1 = 10 and nothing along e3.
    R, pose = knee_bent_sideways(np.radians(30.0))
    loads = loads_with(R, [0.0, 0.0, 10.0])
    x, y, z = moments_in(loads, pose, "left", "jcs")[0, 1]
    assert (x, y, z) == pytest.approx((0.0, 5.0, 10.0))
    x, y, z = moments_in(loads, pose, "left", "jcs-dual")[0, 1]
    assert (x, y, z) == pytest.approx((0.0, 0.0, 10.0))


def test_a_moment_about_the_leaning_shank_needs_only_the_long_axis():
    R, pose = knee_bent_sideways(np.radians(30.0))
    loads = loads_with(R, 10.0 * R[0, 1, :, 1])
    assert moments_in(loads, pose, "left", "jcs-dual")[0, 1] == pytest.approx((0.0, 10.0, 0.0))
    assert moments_in(loads, pose, "left", "jcs")[0, 1] == pytest.approx((0.0, 10.0, 5.0))


def test_components_along_the_axes_add_up_to_the_moment():
    rng = np.random.default_rng(3)
    R = np.linalg.qr(rng.normal(size=(4, 3, 3, 3)))[0]
    R *= np.linalg.det(R)[..., None, None]
    pelvis = np.linalg.qr(rng.normal(size=(4, 3, 3)))[0]
    pelvis *= np.linalg.det(pelvis)[..., None, None]
    leg = LegPose("right", R, np.zeros((4, 3, 3)))
    pose = Pose(pelvis, np.zeros((4, 3)), leg, leg, np.array([1.0, 0, 0]))
    loads = loads_with(R, rng.normal(size=(4, 3)))
    above = np.concatenate((R[:, 1:], pelvis[:, None]), axis=1)
    E = joint_axes(above, R)
    total = rotate(E, moments_in(loads, pose, "right", "jcs-dual"))
    assert total == pytest.approx(rotate(R, loads.moment_S), abs=1e-9)


def test_projections_are_work_conjugate_to_the_cardan_angles(synthetic):
    # power = sum of (projection on each axis) x (rate of that Cardan angle): the synthetic walk
    from gaitdyn.kinematics.derivatives import derivatives
    from gaitdyn.types.subject import SIGN

    result = processed(synthetic / "walk01.c3d")
    words = {"ankle": (1, -1, -1), "knee": (-1, -1, -1), "hip": (1, -1, -1)}
    for side, found in result.sides.items():
        kinetics, sg = found.kinetics, SIGN[side]
        assert kinetics is not None
        moments = moments_in(kinetics.loads, result.pose, side, "jcs")
        for i, (joint, (first, second, third)) in enumerate(words.items()):
            angles = np.radians(found.angles[joint]) * (first, second * sg, third * sg)
            rates = derivatives(angles, result.recording.rate_hz)[0]
            power = (moments[:, i, [2, 0, 1]] * rates).sum(axis=1)
            shown = kinetics.published[:, i] & np.isfinite(power)
            truth = kinetics.power[:, i].sum(axis=1)
            # quintic splines on angles and on matrices differ by 1e-3 W here
            assert power[shown] == pytest.approx(truth[shown], abs=0.02), (side, joint)


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_words_hold_in_the_joint_coordinate_system_too(side):
    R, pose = knee_bent_sideways(0.0)
    loads = loads_with(R, [0.0, 0.0, 4.0])
    knee = moments_in(loads, pose, side, "jcs")[:, 1]
    assert clinical_moments(knee, "knee", side)[0] == pytest.approx((4.0, 0.0, 0.0))


def test_axes_in_one_plane_have_no_components():
    """The long axis of the shank along the flexion axis of the thigh: empty, not a failure."""
    R, pose = knee_bent_sideways(np.radians(90.0))
    loads = loads_with(R, [0.0, 0.0, 4.0])
    assert np.isnan(moments_in(loads, pose, "left", "jcs-dual")[0, 1]).all()
    assert np.isfinite(moments_in(loads, pose, "left", "jcs")[0, 1]).all()
