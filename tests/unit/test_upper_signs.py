"""Every sign above the hips, by a pose whose answer can be seen without calculating.

A person stands upright, arms hanging, palms forward, and walks forward; turns such as
``turn(UP, FORWARD, 10)`` bring what pointed up 10 degrees forward.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.catalogue.keys import key_of
from gaitdyn.tables.upper_columns import upper_curves
from gaitdyn.types.motion import LegPose, Pose
from gaitdyn.types.options import Options
from gaitdyn.types.result import Processed, Side
from gaitdyn.types.upper import ArmPose, HeadPose, JointWrench, SoleEdge, UpperBody, UpperPose
from gaitdyn.upper.angles import upper_angles, vendor_angles
from tests.unit.directions import (
    BACK,
    DOWN,
    FORWARD,
    LATERAL,
    MEDIAL,
    RIGHT,
    SIDES,
    UP,
    Array,
    Name,
    turn,
)

STILL = np.eye(3)
NONE = cast("Any", None)


def legs(pelvis: Array = STILL) -> Pose:
    still = LegPose("left", np.tile(np.eye(3), (1, 3, 1, 1)), np.zeros((1, 3, 3)))
    return Pose(pelvis[None], np.zeros((1, 3)), still, still, FORWARD)


def posed(
    thorax: Array = STILL, head: Array = STILL, upper: Array = STILL, fore: Array = STILL,
    hand: Array = STILL,
) -> UpperPose:  # fmt: skip
    """Return one frame in which both arms stand alike."""
    zero = np.zeros((1, 3))
    R = np.stack((hand, fore, upper))[None]
    arms = {side: ArmPose(side, R, np.zeros((1, 3, 3)), zero) for side in ("left", "right")}
    return UpperPose(thorax[None], zero, zero, HeadPose(head[None], zero, 0.2, 0.0), arms)


def result(pelvis: Array = STILL, **options: Any) -> Processed:
    recording = type("Recording", (), {"rate_hz": 100.0})()
    sides = {side: Side({}, None, None, np.ones(1, bool)) for side in ("left", "right")}
    return Processed(
        recording=cast("Any", recording), trial=NONE, static=None, options=Options(**options),
        subject=NONE, calibration=NONE, pose=legs(pelvis), sides=sides, contacts=(), events=(),
        noticed=(),
    )  # fmt: skip


def columns(body: UpperBody, side: str, pelvis: Array = STILL, **options: Any) -> dict[str, float]:
    """Return the columns of a side that are not zero, and those without a side."""
    curves = upper_curves(result(pelvis, **options), body)
    assert all(key_of(curve.name).name == curve.name for curve in curves)
    other = "right_" if side == "left" else "left_"
    return {
        c.name.removeprefix(side + "_"): round(float(c.values[0]), 9)
        for c in curves
        if not c.name.startswith(other) and abs(c.values[0]) > 1e-10
    }


def angles(side: str, pelvis: Array = STILL, isb: bool = False, **pose: Array) -> dict[str, float]:
    upper = posed(**pose)
    body = UpperBody(upper, upper_angles(upper, legs(pelvis), isb=isb))
    return columns(body, side, pelvis, shoulder="isb" if isb else "cardan")


def carried(R: Array) -> dict[str, Any]:
    """Return head and arms that turn with the thorax."""
    return {"thorax": R, "head": R, "upper": R, "fore": R, "hand": R}


@SIDES
def test_a_trunk_that_leans_forward_tilts_and_flexes_the_spine(side: Name) -> None:
    found = angles(side, **carried(turn(UP, FORWARD, 10)))
    assert found == {"trunk_angle_tilt": 10, "head_angle_tilt": 10, "spine_angle_flexion": 10}


@SIDES
def test_a_trunk_that_leans_to_this_side_lowers_it_and_bends_towards_it(side: Name) -> None:
    found = angles(side, **carried(turn(UP, LATERAL[side], 10)))
    assert found == {
        "trunk_angle_obliquity": -10, "head_angle_obliquity": -10, "spine_angle_lateral": 10,
    }  # fmt: skip


@SIDES
def test_a_trunk_turned_with_this_side_forward(side: Name) -> None:
    found = angles(side, **carried(turn(LATERAL[side], FORWARD, 10)))
    assert found == {
        "trunk_angle_rotation": 10, "head_angle_rotation": 10, "spine_angle_rotation": 10,
    }  # fmt: skip


@SIDES
def test_a_nodding_head_flexes_the_neck(side: Name) -> None:
    found = angles(side, head=turn(UP, FORWARD, 15))
    assert found == {"head_angle_tilt": 15, "neck_angle_flexion": 15}


@SIDES
def test_a_head_bent_towards_this_side_and_turned_with_this_side_forward(side: Name) -> None:
    assert angles(side, head=turn(UP, LATERAL[side], 15)) == {
        "head_angle_obliquity": -15, "neck_angle_lateral": 15,
    }  # fmt: skip
    assert angles(side, head=turn(LATERAL[side], FORWARD, 15)) == {
        "head_angle_rotation": 15, "neck_angle_rotation": 15,
    }  # fmt: skip


@SIDES
def test_a_pelvis_that_tilts_under_an_upright_trunk_extends_the_spine(side: Name) -> None:
    assert angles(side, pelvis=turn(UP, FORWARD, 10)) == {"spine_angle_flexion": -10}


@SIDES
def test_a_straight_arm_swung_forward_flexes_the_shoulder(side: Name) -> None:
    R = turn(DOWN, FORWARD, 20)
    assert angles(side, upper=R, fore=R, hand=R) == {"shoulder_angle_flexion": 20}


@SIDES
def test_a_straight_arm_lifted_to_the_side_abducts_the_shoulder(side: Name) -> None:
    R = turn(DOWN, LATERAL[side], 20)
    assert angles(side, upper=R, fore=R, hand=R) == {"shoulder_angle_abduction": 20}


@SIDES
def test_an_arm_turned_inwards_about_its_length(side: Name) -> None:
    R = turn(FORWARD, MEDIAL[side], 20)
    assert angles(side, upper=R, fore=R, hand=R) == {"shoulder_angle_internal_rotation": 20}


@SIDES
def test_a_bent_elbow(side: Name) -> None:
    R = turn(DOWN, FORWARD, 90)
    assert angles(side, fore=R, hand=R) == {"elbow_angle_flexion": 90}


@SIDES
def test_a_wrist_bent_to_the_palm_to_the_thumb_and_turned_inwards(side: Name) -> None:
    assert angles(side, hand=turn(DOWN, FORWARD, 20)) == {"wrist_angle_flexion": 20}
    assert angles(side, hand=turn(DOWN, LATERAL[side], 20)) == {"wrist_angle_abduction": 20}
    turned = angles(side, hand=turn(FORWARD, MEDIAL[side], 20))
    assert turned == {"wrist_angle_internal_rotation": 20}


@SIDES
def test_the_isb_shoulder_lifted_forward_and_to_the_side(side: Name) -> None:
    """Plane 0 is the frontal one, 90 the sagittal one in front."""
    aside = turn(DOWN, LATERAL[side], 60)
    assert angles(side, isb=True, upper=aside, fore=aside, hand=aside) == {
        "shoulder_angle_elevation": 60
    }
    ahead = turn(DOWN, FORWARD, 60)
    found = angles(side, isb=True, upper=ahead, fore=ahead, hand=ahead)
    assert found["shoulder_angle_elevation_plane"] == 90
    assert found["shoulder_angle_elevation"] == 60
    # the arm itself is not turned: plane and rotation undo each other
    assert found["shoulder_angle_internal_rotation"] == -90


@SIDES
def test_the_isb_arm_turned_inwards(side: Name) -> None:
    R = turn(DOWN, LATERAL[side], 60) @ turn(FORWARD, MEDIAL[side], 20)
    found = angles(side, isb=True, upper=R, fore=R, hand=R)
    assert found["shoulder_angle_internal_rotation"] == pytest.approx(20)


@SIDES
def test_the_vendors_words_are_ours_with_its_signs(side: Name) -> None:
    """Head tilts back, thorax leans forward; the second component of both is the other side."""
    thorax, head = turn(UP, FORWARD, 10), turn(UP, FORWARD, 5)
    found = vendor_angles(posed(thorax=thorax, head=head), legs())[side]
    assert found["Thorax"][0] == pytest.approx([10, 0, 0])
    assert found["Head"][0] == pytest.approx([-5, 0, 0])
    assert found["Neck"][0] == pytest.approx([-5, 0, 0])
    assert found["Spine"][0] == pytest.approx([10, 0, 0])


@SIDES
def test_the_vendors_trunk_and_head_lean_to_a_side_and_turn_it_forward(side: Name) -> None:
    """A side that sinks is negative; spine and neck are below against above."""
    for R, above in (
        (turn(UP, LATERAL[side], 8), [0, -8, 0]),
        (turn(LATERAL[side], FORWARD, 6), [0, 0, 6]),
    ):
        below = [-angle for angle in above]
        trunk = vendor_angles(posed(thorax=R, head=R), legs())[side]
        assert trunk["Thorax"][0] == pytest.approx(above)
        assert trunk["Spine"][0] == pytest.approx(below)
        assert trunk["Neck"][0] == pytest.approx([0, 0, 0])
        nod = vendor_angles(posed(head=R), legs())[side]
        assert nod["Head"][0] == pytest.approx(above)
        assert nod["Neck"][0] == pytest.approx(below)


@SIDES
def test_the_vendors_arm_goes_forward_to_the_side_and_turns_inwards(side: Name) -> None:
    ways = (turn(DOWN, FORWARD, 20), turn(DOWN, LATERAL[side], 20), turn(FORWARD, MEDIAL[side], 20))
    for angle, R in zip(20.0 * np.eye(3), ways, strict=True):
        upper = vendor_angles(posed(upper=R, fore=R, hand=R), legs())[side]
        assert upper["Shoulder"][0] == pytest.approx(angle)
        assert upper["Elbow"][0] == pytest.approx([0, 0, 0])
        assert vendor_angles(posed(hand=R), legs())[side]["Wrist"][0] == pytest.approx(angle)
    bent = turn(DOWN, FORWARD, 20)
    found = vendor_angles(posed(fore=bent, hand=bent), legs())[side]
    assert found["Elbow"][0] == pytest.approx([20, 0, 0])


# Moments: what the proximal segment does to the distal one.


def loaded(side: str, joint: str, moment: Array, **options: Any) -> dict[str, float]:
    name = joint if joint == "waist" else f"{side}_{joint}"
    one = JointWrench(
        np.zeros((1, 3)), moment[None], np.zeros(1), STILL[None], turn(UP, FORWARD, 90)[None],
        np.ones(1, bool),
    )  # fmt: skip
    body = UpperBody(posed(), upper_angles(posed(), legs()), {name: one})
    return columns(body, side, **options)


def torque(what: Array, goes: Array) -> Array:
    """Return the moment that would turn one direction towards another, 5 N m."""
    return 5.0 * np.cross(what, goes)


@SIDES
@pytest.mark.parametrize("joint", ["shoulder", "elbow", "wrist"])
def test_a_moment_that_takes_the_arm_back_extends(side: Name, joint: str) -> None:
    assert loaded(side, joint, torque(DOWN, BACK)) == {f"{joint}_moment_extension": 5}


@SIDES
@pytest.mark.parametrize("joint", ["shoulder", "wrist"])
def test_a_moment_that_takes_the_arm_to_the_body_adducts(side: Name, joint: str) -> None:
    assert loaded(side, joint, torque(DOWN, MEDIAL[side])) == {f"{joint}_moment_adduction": 5}


@SIDES
@pytest.mark.parametrize("joint", ["shoulder", "wrist"])
def test_a_moment_that_turns_the_front_of_the_arm_outwards(side: Name, joint: str) -> None:
    found = loaded(side, joint, torque(FORWARD, LATERAL[side]))
    assert found == {f"{joint}_moment_external_rotation": 5}


@SIDES
def test_the_moments_of_the_pelvis_on_the_thorax(side: Name) -> None:
    assert loaded(side, "waist", torque(UP, BACK)) == {"waist_moment_extension": 5}
    assert loaded(side, "waist", torque(UP, LATERAL[side])) == {"waist_moment_lateral": 5}
    turning = torque(LATERAL[side], FORWARD)
    assert loaded(side, "waist", turning) == {"waist_moment_rotation": 5}


@SIDES
def test_external_moments_have_the_opposite_words_or_signs(side: Name) -> None:
    found = loaded(side, "shoulder", torque(DOWN, BACK), convention="external")
    assert found == {"shoulder_moment_flexion": 5}
    assert key_of("shoulder_moment_flexion").internal().name == "shoulder_moment_extension"
    assert key_of("shoulder_moment_abduction").internal().name == "shoulder_moment_adduction"
    found = loaded(side, "waist", torque(UP, LATERAL[side]), convention="external")
    assert found == {"waist_moment_lateral": -5}


def test_moments_in_the_laboratory_and_in_the_proximal_axes() -> None:
    assert loaded("left", "elbow", 5 * RIGHT, moments_in="lab") == {"elbow_moment_z": 5}
    # the proximal axes here lie on their face: their y is forward
    found = loaded("left", "waist", 5 * FORWARD, moments_in="proximal")
    assert found == {"waist_moment_rotation": -5}


@SIDES
def test_the_sole_ahead_of_and_outside_of_the_extrapolated_centre_of_mass(side: Name) -> None:
    edge = SoleEdge((0.10 * FORWARD)[None], (0.05 * LATERAL[side])[None], np.array([0.04]))
    upper = posed()
    body = UpperBody(upper, upper_angles(upper, legs()), com_G=np.zeros((1, 3)), edges={side: edge})
    found = columns(body, side)
    assert found == {"margin_of_stability_forward": 100, "margin_of_stability_lateral": 90}


def test_the_closure_is_written_once_in_the_laboratory() -> None:
    upper = posed()
    body = UpperBody(
        upper, upper_angles(upper, legs()), closure_force_G=(3 * UP)[None],
        closure_moment_G=(2 * RIGHT)[None],
    )  # fmt: skip
    assert columns(body, "left") == {"waist_closure_force_y": 3, "waist_closure_moment_z": 2}
