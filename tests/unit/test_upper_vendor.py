"""The vendor's trunk and centre of mass in its three generations, on a walker that is known."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from walkers.upper import LOW_BACK, Upper, with_upper

from gaitdyn.synthetic import Recording, Walker
from gaitdyn.tables.upper_vendor_names import _loads
from gaitdyn.types.motion import LegBody, LegPose, Pose
from gaitdyn.types.subject import SIDES
from gaitdyn.types.upper import ArmPose, HeadPose, JointWrench, UpperPose
from gaitdyn.upper.vendor import find_trunk
from gaitdyn.upper.vendor_centre import centre_of_mass
from tests.walks import walk

Array = np.ndarray[Any, np.dtype[np.float64]]
BALL = 0.014
C7 = np.array([-0.100, 0.060, 0.0])
DEPTH = np.array([1.05 * BALL / 2, 0.0, 0.0])


@pytest.fixture(scope="module")
def body() -> tuple[Upper, UpperPose, Pose, dict[str, LegBody], Array]:
    """Return the walker's truth as poses, and the lab place of the head's skull point."""
    trial, upper = with_upper(walk(Walker(), Recording(rate_hz=100.0, analog_ratio=2)))
    at = dict(zip(upper.labels, np.moveaxis(upper.markers_G, 1, 0), strict=True))
    R_GT, R_GH = (upper.segments[name].R_GS.value for name in ("thorax", "head"))
    front = (at["LFHD"] + at["RFHD"]) / 2
    head = HeadPose(R_GH, front, 2 * (0.14 - BALL), 0.0)
    arms: dict[str, ArmPose] = {}
    for side in SIDES:
        R = np.stack(
            [upper.segments[f"{side}_{n}"].R_GS.value for n in ("hand", "forearm", "upper_arm")], 1
        )
        joints = [upper.joints[f"{side}_{n}"].value for n in ("wrist", "elbow", "shoulder")]
        hand = upper.joints[f"{side}_hand_end"].value
        arms[side] = ArmPose(side, R, np.stack(joints, axis=1), hand)
    pose = UpperPose(R_GT, at["CLAV"] - BALL / 2 * R_GT[..., 0], at["C7"], head, arms)
    legs, bodies = {}, {}
    mass = trial.walker.body.mass_kg
    for side in SIDES:
        motion = trial.leg(side).motion
        legs[side] = LegPose(side, motion.R_GS, motion.r_prox_G)
        bodies[side] = LegBody(motion.mass / mass, motion.inertia_S, motion.r_cm_G)
    asis = dict(zip(trial.labels, np.moveaxis(trial.markers_G, 1, 0), strict=True))
    origin = (asis["LASI"] + asis["RASI"]) / 2
    ahead = np.array([1.0, 0.0, 0.0])
    return (
        upper,
        pose,
        Pose(trial.R_GP, origin, legs["left"], legs["right"], ahead),
        bodies,
        at["C7"],
    )


def test_the_last_generation_has_the_neck_where_it_is(body):
    _, pose, legs, _, _ = body
    trunk = find_trunk(pose, legs, BALL, "C")
    np.testing.assert_allclose(trunk.neck_in_thorax, C7 - DEPTH, atol=1e-12)
    d = -LOW_BACK - (C7 - DEPTH)
    assert trunk.length_m == pytest.approx(np.linalg.norm(d))
    np.testing.assert_allclose(trunk.cm_in_thorax, C7 - DEPTH + 0.63 * d, atol=1e-12)


@pytest.mark.parametrize("kind", ["A", "B"])
def test_the_earlier_generations_take_a_place_of_the_laboratory_for_one_of_the_thorax(body, kind):
    _, pose, legs, _, c7 = body
    trunk = find_trunk(pose, legs, BALL, kind)
    lab = (c7 - DEPTH[0] * pose.R_GT[..., 0]).mean(axis=0)
    neck = np.einsum("nji,nj->ni", pose.R_GT, lab - pose.thorax_G).mean(axis=0)
    np.testing.assert_allclose(trunk.neck_in_thorax, neck, atol=1e-12)
    assert np.linalg.norm(neck - (C7 - DEPTH)) > 1e-4
    d = -LOW_BACK - neck
    forgotten = 0.0 if kind == "A" else 1.0
    np.testing.assert_allclose(trunk.cm_in_thorax, forgotten * neck + 0.63 * d, atol=1e-12)


def test_the_centre_of_mass_of_the_last_generation_is_the_sum_of_the_segments(body):
    upper, pose, legs, bodies, _ = body
    trunk = find_trunk(pose, legs, BALL, "C")
    found = centre_of_mass(pose, legs, bodies, trunk, "C")
    kg = Walker().body.mass_kg
    true = np.sum([one.mass * one.centre.value for one in upper.segments.values()], axis=0) / kg
    for side in SIDES:
        true = true + np.einsum("s,nsi->ni", bodies[side].mass, bodies[side].r_cm_G)
        # the vendor's hand is one and a half times as long as it is
        arm = pose.arms[side]
        true = true + 0.006 * 0.506 * 0.5 * (arm.hand_G - arm.r_prox_G[:, 0])
    assert found is not None
    np.testing.assert_allclose(found, true, atol=1e-12)


def test_the_centre_of_mass_of_the_first_generation_is_that_of_the_origins(body):
    """Fractions of lengths count as millimetres there: the sum is that of the origins, to 1 mm."""
    _, pose, legs, bodies, _ = body
    trunk = find_trunk(pose, legs, BALL, "A")
    found = centre_of_mass(pose, legs, bodies, trunk, "A")
    total = 0.142 * legs.origin_G + 0.355 * pose.thorax_G
    assert pose.head is not None
    total = total + 0.081 * pose.head.front_G
    for side in SIDES:
        arm, leg = pose.arms[side], legs.leg(side)
        wrist, elbow = arm.r_prox_G[:, 0], arm.r_prox_G[:, 1]
        total = total + 0.006 * (2 * arm.hand_G - wrist) + 0.016 * wrist + 0.028 * elbow
        ankle, knee = leg.r_prox_G[:, 0], leg.r_prox_G[:, 1]
        total = total + (0.0145 + 0.0465) * ankle + 0.1 * knee
    assert found is not None
    assert 1e-5 < np.abs(found - total).max() < 1e-3


def test_a_body_without_a_head_has_no_centre_of_mass(body):
    _, pose, legs, bodies, _ = body
    from dataclasses import replace

    trunk = find_trunk(pose, legs, BALL, "C")
    assert centre_of_mass(replace(pose, head=None), legs, bodies, trunk, "C") is None
    one = {"left": pose.arms["left"]}
    assert centre_of_mass(replace(pose, arms=one), legs, bodies, trunk, "C") is None


@pytest.mark.parametrize("joint", ["left_wrist", "left_elbow", "left_shoulder", "waist", "neck"])
def test_loads_have_the_same_size_in_the_vendors_components(joint: str) -> None:
    """They are turned and mirrored; power is the third component."""
    force, moment = np.array([[3.0, 4.0, 12.0]]), np.array([[2.0, 3.0, 6.0]])
    turned = np.array([[[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]])
    load = JointWrench(force, moment, np.array([5.0]), turned, turned, np.array([True]))
    upper: Any = SimpleNamespace(joints={joint: load})
    ((found, about, power),) = _loads(upper, "left").values()
    assert np.linalg.norm(found) == pytest.approx(13.0)
    assert np.linalg.norm(about) == pytest.approx(7.0)
    np.testing.assert_array_equal(power, [[0.0, 0.0, 5.0]])
    hidden = replace(load, published=np.array([False]))
    upper.joints[joint] = hidden
    ((found, about, power),) = _loads(upper, "left").values()
    assert np.isnan([*found, *about, *power]).all()
