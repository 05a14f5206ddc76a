"""Every sign of the results, by a posed limb whose answer can be seen without calculating.

A pose is built from turns such as ``turn(DOWN, FORWARD, 30)``: what pointed down points 30 degrees
forward of down. Loads are those of a leg without mass that stands straight: the ankle is 0.1 m, the
knee 0.5 m and the hip 0.9 m above the floor, on one vertical line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np
import pytest

from gaitdyn.calibrate.plug_in_gait.segments import shank_frames
from gaitdyn.clean.smoothing import Filter
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.leg import make_chain
from gaitdyn.dynamics.power import joint_power
from gaitdyn.events.ground import foot_wrench
from gaitdyn.kinematics.angles import segment_angles, tilt_angles
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.motion import LegBody, LegPose, Pose
from gaitdyn.types.options import Options
from gaitdyn.types.result import LegKinetics, Processed
from gaitdyn.types.result import Side as LegResult
from gaitdyn.types.wrench import FootWrench
from tests.unit.directions import (
    BACK,
    DOWN,
    FORWARD,
    LATERAL,
    LEFT,
    MEDIAL,
    RIGHT,
    SIDES,
    UP,
    Array,
    Name,
    turn,
)

N = 100.0  # newtons of every push
# a handful of products of numbers of order 100
ROUNDING = 1e-10


def posed(
    side: Name, pelvis: Array, thigh: Array, shank: Array, foot: Array, walking: Array = FORWARD
) -> Pose:
    """Return one frame; what is given are the turns of the segments from upright standing."""
    still = LegPose("left", np.tile(np.eye(3), (1, 3, 1, 1)), np.zeros((1, 3, 3)))
    leg = LegPose(side, np.stack((foot, shank, thigh))[None], np.zeros((1, 3, 3)))
    legs = {"left": still, "right": still, side: leg}
    return Pose(pelvis[None], np.zeros((1, 3)), legs["left"], legs["right"], walking)


def result(pose: Pose, side: str, leg: LegResult, options: Options | None = None) -> Processed:
    """Return a result with one leg and nothing that the columns do not ask for."""
    nothing = cast("Any", None)
    return Processed(
        recording=nothing, trial=nothing, static=None, options=options or Options(),
        subject=nothing, calibration=nothing, pose=pose, sides={side: leg}, contacts=(), events=(),
        noticed=(),
    )  # fmt: skip


def angle_columns(pose: Pose, side: str) -> dict[str, float]:
    """Return the angles of one posed frame under their column names, deg."""
    leg = LegResult(segment_angles(pose, side), None, None, np.ones(1, bool))
    curves = run_curves(result(pose, side, leg))
    return {
        c.name.removeprefix(side + "_"): float(c.values[0]) for c in curves if "angle" in c.name
    }


def only(found: dict[str, float], name: str, value: float, leave: tuple[str, ...] = ()) -> None:
    """Assert one column's value, and that all others (but ``leave``) are zero."""
    assert found[name] == pytest.approx(value, abs=ROUNDING), name
    others = {k: v for k, v in found.items() if k != name and not k.startswith(leave)}
    assert others
    for key, other in others.items():
        assert other == pytest.approx(0, abs=ROUNDING), key


STILL = np.eye(3)


# ---------------------------------------------------------------- angles


@SIDES
def test_upright_standing_has_no_angles(side: Name) -> None:
    found = angle_columns(posed(side, STILL, STILL, STILL, STILL), side)
    assert len(found) == 13
    assert np.abs(list(found.values())).max() == 0


@SIDES
def test_a_pelvis_whose_top_leans_forward_tilts_anteriorly(side: Name) -> None:
    body = turn(UP, FORWARD, 10)  # the legs lean with it: hip, knee and ankle stay straight
    only(angle_columns(posed(side, body, body, body, body), side), "pelvis_angle_tilt", 10)


@SIDES
def test_a_pelvis_whose_side_is_raised_has_that_side_up(side: Name) -> None:
    body = turn(LATERAL[side], UP, 8)
    only(angle_columns(posed(side, body, body, body, body), side), "pelvis_angle_obliquity", 8)


@SIDES
def test_a_pelvis_whose_side_is_lowered_has_that_side_down(side: Name) -> None:
    body = turn(LATERAL[side], DOWN, 8)
    only(angle_columns(posed(side, body, body, body, body), side), "pelvis_angle_obliquity", -8)


@SIDES
def test_a_pelvis_whose_side_is_ahead_has_that_side_forward(side: Name) -> None:
    # the whole body turns: the toes of that side then point inwards by as much
    body = turn(LATERAL[side], FORWARD, 12)
    found = angle_columns(posed(side, body, body, body, body), side)
    only(found, "pelvis_angle_rotation", 12, ("foot",))
    assert found["foot_angle_progression"] == pytest.approx(12)


@SIDES
@pytest.mark.parametrize(
    ("turned", "told"),
    [
        ((176.0, np.nan, 186.0), (176.0, np.nan, 186.0)),
        ((-176.0, -181.0, -186.0), (184.0, 179.0, 174.0)),  # 180, never -180, whichever way
        ((-150.0, -160.0, -165.0), (-150.0, -160.0, -165.0)),
        ((80.0, 85.0, 89.0), (80.0, 85.0, 89.0)),
    ],
)
def test_a_pelvis_that_faces_away_turns_without_a_jump(
    side: Name, turned: tuple[float, ...], told: tuple[float, ...]
) -> None:
    body = np.stack([turn(RIGHT, FORWARD, angle) @ STILL for angle in turned])
    found = np.degrees(tilt_angles(body, FORWARD, side))[:, 2]
    np.testing.assert_allclose(found if side == "right" else -found, told, atol=1e-9)


@SIDES
def test_a_thigh_swung_forward_is_a_flexed_hip(side: Name) -> None:
    leg = turn(DOWN, FORWARD, 30)  # the knee goes forward, shank and foot go along
    only(angle_columns(posed(side, STILL, leg, leg, leg), side), "hip_angle_flexion", 30)


@SIDES
def test_a_thigh_swung_back_is_an_extended_hip(side: Name) -> None:
    leg = turn(DOWN, BACK, 20)
    only(angle_columns(posed(side, STILL, leg, leg, leg), side), "hip_angle_flexion", -20)


@SIDES
def test_a_leg_swung_towards_the_other_is_an_adducted_hip(side: Name) -> None:
    leg = turn(DOWN, MEDIAL[side], 15)
    only(angle_columns(posed(side, STILL, leg, leg, leg), side), "hip_angle_adduction", 15)


@SIDES
def test_a_leg_whose_kneecap_turns_inwards_is_an_internally_rotated_hip(side: Name) -> None:
    leg = turn(FORWARD, MEDIAL[side], 15)  # the toes turn in with it
    found = angle_columns(posed(side, STILL, leg, leg, leg), side)
    only(found, "hip_angle_internal_rotation", 15, ("foot",))
    assert found["foot_angle_progression"] == pytest.approx(15)


@SIDES
def test_a_shank_folded_back_is_a_flexed_knee(side: Name) -> None:
    shank = turn(DOWN, BACK, 60)
    only(angle_columns(posed(side, STILL, STILL, shank, shank), side), "knee_angle_flexion", 60)


@SIDES
def test_a_shank_whose_foot_goes_to_the_midline_is_an_adducted_knee(side: Name) -> None:
    # bow legs (varus): the knee stands out, the foot is inwards of it
    shank = turn(DOWN, MEDIAL[side], 7)
    only(angle_columns(posed(side, STILL, STILL, shank, shank), side), "knee_angle_adduction", 7)


@SIDES
def test_a_shank_turned_inwards_is_an_internally_rotated_knee(side: Name) -> None:
    shank = turn(FORWARD, MEDIAL[side], 9)
    found = angle_columns(posed(side, STILL, STILL, shank, shank), side)
    only(found, "knee_angle_internal_rotation", 9, ("foot",))


@SIDES
def test_toes_pulled_up_are_a_dorsiflexed_ankle(side: Name) -> None:
    foot = turn(FORWARD, UP, 18)
    found = angle_columns(posed(side, STILL, STILL, STILL, foot), side)
    only(found, "ankle_angle_dorsiflexion", 18)


@SIDES
def test_toes_pointed_down_are_a_plantarflexed_ankle(side: Name) -> None:
    foot = turn(FORWARD, DOWN, 25)
    found = angle_columns(posed(side, STILL, STILL, STILL, foot), side)
    only(found, "ankle_angle_dorsiflexion", -25)


@SIDES
def test_a_sole_that_faces_the_midline_is_an_inverted_foot(side: Name) -> None:
    foot = turn(DOWN, MEDIAL[side], 10)
    only(angle_columns(posed(side, STILL, STILL, STILL, foot), side), "ankle_angle_inversion", 10)


@SIDES
def test_a_sole_that_faces_the_midline_is_an_inverted_foot_in_the_walking_axes_too(
    side: Name,
) -> None:
    """Pitch and inversion of the foot are in no column, and in the result."""
    foot = turn(DOWN, MEDIAL[side], 10)
    found = segment_angles(posed(side, STILL, STILL, STILL, foot), side)["foot"]
    np.testing.assert_allclose(found, [[0, 10, 0]], atol=ROUNDING)


@SIDES
def test_toes_turned_in_below_a_still_shank_are_internal_rotation_and_toe_in(side: Name) -> None:
    foot = turn(FORWARD, MEDIAL[side], 11)
    found = angle_columns(posed(side, STILL, STILL, STILL, foot), side)
    only(found, "ankle_angle_internal_rotation", 11, ("foot",))
    assert found["foot_angle_progression"] == pytest.approx(11)


@SIDES
def test_a_shank_twisted_outwards_turns_the_foot_and_not_the_ankle(side: Name) -> None:
    """Tibial torsion: the ankle axis stands 15 degrees outwards of the knee axis."""
    outwards = turn(FORWARD, LATERAL[side], 15)
    knee, ankle = 0.5 * UP[None], 0.1 * UP[None]
    malleolus = ankle + 0.04 * outwards @ LATERAL[side]
    distal, proximal = shank_frames(knee, ankle, malleolus, side, -np.radians(15))  # outward: -
    np.testing.assert_allclose(distal[0], outwards, atol=ROUNDING)
    np.testing.assert_allclose(proximal[0], STILL, atol=ROUNDING)
    pose = posed(side, STILL, STILL, proximal[0], outwards)
    leg = replace(pose.leg(side), R_shank_distal=distal)
    pose = replace(pose, left=leg) if side == "left" else replace(pose, right=leg)
    only(angle_columns(pose, side), "foot_angle_progression", -15)


@SIDES
def test_toes_turned_out_are_toe_out(side: Name) -> None:
    foot = turn(FORWARD, LATERAL[side], 11)
    found = angle_columns(posed(side, STILL, STILL, STILL, foot), side)
    assert found["foot_angle_progression"] == pytest.approx(-11)


@SIDES
@pytest.mark.parametrize("heading", [20.0, 90.0, -160.0])
def test_angles_are_told_from_the_walking_direction_not_from_the_laboratory(
    side: Name, heading: float
) -> None:
    turned = turn(FORWARD, LEFT, heading)
    parts = [
        turn(UP, FORWARD, 5),
        turn(DOWN, FORWARD, 25),
        turn(DOWN, BACK, 20),
        turn(FORWARD, LATERAL[side], 7),
    ]
    here = angle_columns(posed(side, *parts), side)
    there = posed(side, *(turned @ part for part in parts), walking=turned @ FORWARD)
    for name, value in angle_columns(there, side).items():
        assert value == pytest.approx(here[name], abs=ROUNDING), name
    assert here["foot_angle_progression"] == pytest.approx(-7)


# ---------------------------------------------------------------- moments, forces, power

ANKLE, KNEE, HIP = 0.1 * UP, 0.5 * UP, 0.9 * UP
STRAIGHT = np.stack((ANKLE, KNEE, HIP))
TOES, HEEL = 0.15 * FORWARD, 0.05 * BACK
ZERO = np.zeros(3)


def push(force: Array, at: Array, free: float = 0.0) -> FootWrench:
    """Return the wrench of the ground that pushes at one point of the floor, one frame."""
    total = np.tile(np.r_[force, np.cross(at, force) + free * UP], (9, 1))
    contact = np.ones(9, bool)  # the shortest curve that can be smoothed is longer than a frame
    w = foot_wrench((total, np.zeros(3), contact), ~contact, Filter(100.0, None), 700.0)
    return FootWrench(
        w.force_G[:1], w.moment_G[:1], w.cop_G[:1], w.free_moment[:1], w.in_contact[:1]
    )


def loads(
    side: Name,
    wrench: FootWrench,
    axes: tuple[Array, Array, Array, Array] = (STILL, STILL, STILL, STILL),
    centres: Array = STRAIGHT,
    spin: tuple[Array, Array, Array, Array] | None = None,
    walking: Array = FORWARD,
    **options: Any,
) -> dict[str, float]:
    """Return all columns of a leg without mass.

    ``axes`` are the turns, ``spin`` the angular velocities (G) of pelvis, thigh, shank, foot.
    """
    pelvis, thigh, shank, foot = axes
    R = np.stack((foot, shank, thigh))[None]
    pose = posed(side, pelvis, thigh, shank, foot, walking)
    leg = LegPose(side, R, centres[None])
    zero = np.zeros((1, 3, 3))
    w = np.zeros((4, 3)) if spin is None else np.stack(spin)
    omega = np.einsum("nsji,nsj->nsi", R, w[[3, 2, 1]][None])
    body = LegBody(np.zeros(3), np.zeros((3, 3, 3)), centres[None])
    chain = make_chain(leg, body, wrench, zero, omega, zero)
    found = joint_loads(chain)
    power = joint_power(chain, found.moment_S, w[:1])
    kinetics = LegKinetics(found, power, np.ones((1, 3), bool))
    whole = LegResult(segment_angles(pose, side), wrench, kinetics, np.ones(1, bool))
    curves = run_curves(result(pose, side, whole, Options(**options)))
    assert all(c.name.startswith(side + "_") for c in curves)
    return {c.name.removeprefix(side + "_"): float(c.values[0]) for c in curves}


def moments(found: dict[str, float]) -> dict[str, float]:
    """Return the moments that are not zero."""
    return {
        name.replace("_moment", ""): round(value, 9)
        for name, value in found.items()
        if "_moment_" in name and not name.startswith("free") and abs(value) > ROUNDING
    }


@SIDES
def test_a_push_up_under_the_toes_asks_for_plantarflexors(side: Name) -> None:
    """The ground lifts the toes; the calf must hold them down.

    The same push passes in front of the straight knee (it would extend it backwards: the flexors
    hold) and in front of the hip (it would fold it: the extensors hold).
    """
    assert moments(loads(side, push(N * UP, TOES))) == {
        "ankle_plantarflexion": 15,
        "knee_extension": -15,
        "hip_extension": 15,
    }


@SIDES
def test_a_push_up_under_the_heel_asks_for_the_opposite(side: Name) -> None:
    """It passes behind ankle, knee and hip: the knee folds, and the quadriceps must extend it."""
    assert moments(loads(side, push(N * UP, HEEL))) == {
        "ankle_plantarflexion": -5,
        "knee_extension": 5,
        "hip_extension": -5,
    }


@SIDES
def test_a_push_up_on_the_inner_side_asks_for_evertors_and_abductors(side: Name) -> None:
    """A force medial to the knee bends the leg outwards (varus); abduction resists it.

    Under the inner edge of the foot it turns the sole to the midline; eversion resists it.
    """
    at = 0.04 * MEDIAL[side]
    assert moments(loads(side, push(N * UP, at))) == {
        "ankle_eversion": 4,
        "knee_abduction": 4,
        "hip_abduction": 4,
    }


@SIDES
def test_a_push_inwards_at_the_toes_asks_for_external_rotators(side: Name) -> None:
    """The ground turns the toes inwards about the leg; every joint must turn them out.

    The push also acts 0.1, 0.5 and 0.9 m below the joints: it swings the leg to the midline, and
    the abductors (at the ankle: evertors, as it turns the sole inwards) resist.
    """
    assert moments(loads(side, push(N * MEDIAL[side], TOES))) == {
        "ankle_eversion": 10,
        "ankle_external_rotation": 15,
        "knee_abduction": 50,
        "knee_external_rotation": 15,
        "hip_abduction": 90,
        "hip_external_rotation": 15,
    }


@SIDES
def test_a_free_moment_that_turns_the_toes_inwards_asks_for_external_rotators(side: Name) -> None:
    inwards = -6.0 if side == "left" else 6.0  # seen from above, clockwise for the left foot
    found = loads(side, push(N * UP, 0 * UP, inwards))
    assert moments(found) == {
        "ankle_external_rotation": 6,
        "knee_external_rotation": 6,
        "hip_external_rotation": 6,
    }


@SIDES
def test_braking_asks_for_the_muscles_that_hold_the_leg_against_it(side: Name) -> None:
    """A foot held back by the floor: the toes are forced down, the knee folds, the hip extends."""
    assert moments(loads(side, push(N * BACK, 0 * UP))) == {
        "ankle_plantarflexion": -10,
        "knee_extension": 50,
        "hip_extension": -90,
    }


OPPOSITE = {
    "ankle": ("dorsiflexion", "inversion", "internal_rotation"),
    "knee": ("flexion", "adduction", "internal_rotation"),
    "hip": ("flexion", "adduction", "internal_rotation"),
}


@SIDES
def test_external_moments_are_named_by_what_the_ground_does(side: Name) -> None:
    """The same numbers under the opposite words: the ground dorsiflexes, inverts, adducts."""
    toes = moments(loads(side, push(N * UP, TOES), convention="external"))
    assert toes == {"ankle_dorsiflexion": 15, "knee_flexion": -15, "hip_flexion": 15}
    inner = moments(loads(side, push(N * UP, 0.04 * MEDIAL[side]), convention="external"))
    assert inner == {"ankle_inversion": 4, "knee_adduction": 4, "hip_adduction": 4}
    inwards = -6.0 if side == "left" else 6.0
    twist = moments(loads(side, push(N * UP, 0 * UP, inwards), convention="external"))
    assert twist == {
        "ankle_internal_rotation": 6,
        "knee_internal_rotation": 6,
        "hip_internal_rotation": 6,
    }
    names = {n for n in loads(side, push(N * UP, TOES), convention="external") if "_moment_" in n}
    words = {f"{joint}_moment_{word}" for joint, three in OPPOSITE.items() for word in three}
    assert names == words


@SIDES
@pytest.mark.parametrize("convention", ["internal", "external"])
def test_laboratory_moments_are_vectors_that_turn_with_the_convention(
    side: Name, convention: Literal["internal", "external"]
) -> None:
    """The ground lifts the toes: a right hand's thumb to the right, +z; the muscles hold, -z."""
    held = -15 if convention == "internal" else 15
    found = loads(side, push(N * UP, TOES), moments_in="lab", convention=convention)
    assert moments(found) == {"ankle_z": held, "knee_z": held, "hip_z": held}
    pushed_right = loads(side, push(N * RIGHT, 0 * UP), moments_in="lab", convention=convention)
    # its lower end goes to its own right: clockwise seen from the front, the ground's thumb points
    # back, the muscles' forward
    sign = 1 if convention == "internal" else -1
    assert moments(pushed_right) == {"ankle_x": sign * 10, "knee_x": sign * 50, "hip_x": sign * 90}
    twisted = loads(side, push(N * UP, 0 * UP, 6.0), moments_in="lab", convention=convention)
    # the floor turns the foot to the left, thumb up; the muscles turn it back
    assert moments(twisted) == {"ankle_y": -sign * 6, "knee_y": -sign * 6, "hip_y": -sign * 6}


SITTING = (STILL, turn(DOWN, FORWARD, 90), STILL, STILL)
SEATED = np.stack((ANKLE, KNEE, KNEE + 0.4 * BACK))


@SIDES
def test_seated_a_twist_of_the_foot_is_rotation_in_the_shank_and_abduction_in_the_thigh(
    side: Name,
) -> None:
    """The thigh lies forward, the shank hangs: its long axis is the thigh's front-back axis.

    At the hip the vertical is the front-back axis of the thigh too, and the long axis of the
    pelvis.
    """
    inwards = -6.0 if side == "left" else 6.0
    distal, proximal = (
        moments(loads(side, push(0 * UP, 0 * UP, inwards), SITTING, SEATED, moments_in=axes))
        for axes in ("distal", "proximal")
    )
    assert distal == {"ankle_external_rotation": 6, "knee_external_rotation": 6, "hip_abduction": 6}
    assert proximal == {
        "ankle_external_rotation": 6,
        "knee_abduction": 6,
        "hip_external_rotation": 6,
    }


@SIDES
def test_seated_a_twist_of_the_foot_is_about_the_vertical_of_the_laboratory(side: Name) -> None:
    found = moments(loads(side, push(0 * UP, ZERO, 6.0), SITTING, SEATED, moments_in="lab"))
    assert found == {"ankle_y": -6, "knee_y": -6, "hip_y": -6}


@SIDES
def test_joint_forces_are_those_of_the_proximal_on_the_distal_segment(side: Name) -> None:
    """The ground pushes up, forward and to the right: the body pushes down, back and left."""
    found = loads(side, push(N * (3 * UP + 2 * FORWARD + RIGHT), 0 * UP))
    for joint in ("ankle", "knee", "hip"):
        x, y, z = (found[f"{joint}_force_{axis}"] for axis in "xyz")
        assert (x, y, z) == pytest.approx((-200, -300, -100))


@SIDES
def test_joint_forces_are_in_the_axes_of_the_distal_segment(side: Name) -> None:
    """Seated, the push up on the shank goes on at the hip along the thigh's front-back axis."""
    found = loads(side, push(N * UP, 0 * UP), SITTING, SEATED)
    assert found["knee_force_y"] == pytest.approx(-N)
    assert found["hip_force_x"] == pytest.approx(-N)  # the front of the thigh faces up
    assert found["hip_force_y"] == pytest.approx(0, abs=ROUNDING)


@SIDES
def test_the_ground_reaction_is_told_along_the_walking_direction(side: Name) -> None:
    """Somebody walks to the left of the laboratory: forward is left, right is forward."""
    force = 3 * N * UP + 2 * N * LEFT + N * FORWARD
    found = loads(side, push(force, TOES), walking=LEFT)
    assert [found[f"grf_{axis}"] for axis in "xyz"] == pytest.approx([200, 300, 100])
    straight = loads(side, push(3 * N * UP + 2 * N * FORWARD + N * RIGHT, TOES))
    assert [straight[f"grf_{axis}"] for axis in "xyz"] == pytest.approx([200, 300, 100])


@SIDES
def test_the_centre_of_pressure_is_where_the_floor_is_pushed(side: Name) -> None:
    at = 0.3 * FORWARD + 0.2 * RIGHT
    found = loads(side, push(8 * N * UP + N * FORWARD + N * LEFT, at, 4.0))
    assert [found[f"cop_{axis}"] for axis in "xyz"] == pytest.approx([300, 0, 200])
    assert found["free_moment"] == pytest.approx(4.0)  # thumb up: to the left, from above


@SIDES
def test_a_light_touch_has_no_centre_of_pressure(side: Name) -> None:
    found = loads(side, push(49 * UP, TOES))  # below max(50 N, 5 % of 700 N)
    names = ("cop_x", "cop_y", "cop_z", "free_moment")
    assert np.isnan([found[name] for name in names]).all()
    assert found["grf_y"] == 49


def still(*spin: Array) -> tuple[Array, Array, Array, Array]:
    return cast("tuple[Array, Array, Array, Array]", spin)


# joint -> which of pelvis, thigh, shank, foot move when what is below the joint moves
BELOW = {"hip": (1, 2, 3), "knee": (2, 3), "ankle": (3,)}


def spinning(joint: str, omega: Array, *, distal: bool) -> tuple[Array, Array, Array, Array]:
    """Return velocities with everything below (or above) a joint turning."""
    moves = [(i in BELOW[joint]) == distal for i in range(4)]
    return still(*(omega if m else ZERO for m in moves))


@SIDES
@pytest.mark.parametrize(
    ("joint", "at", "moves"),
    [
        # pushing the toes down against the floor, straightening the knee, swinging the leg back:
        # each in the direction of the muscles that work
        ("ankle", TOES, (FORWARD, DOWN)),
        ("knee", HEEL, (DOWN, FORWARD)),
        ("hip", TOES, (DOWN, BACK)),
    ],
)
def test_muscles_that_shorten_generate_and_muscles_that_give_way_absorb(
    side: Name, joint: str, at: Array, moves: tuple[Array, Array]
) -> None:
    omega = 2.0 * np.cross(*moves)  # rad/s
    size = 2.0 * N * np.linalg.norm(at)
    for direction in (1.0, -1.0):
        for distal in (True, False):
            # when what is above turns instead, the joint opens by the opposite turn
            turning = direction * omega * (1 if distal else -1)
            found = loads(side, push(N * UP, at), spin=spinning(joint, turning, distal=distal))
            assert found[f"{joint}_power"] == pytest.approx(direction * size)
            assert found[f"{joint}_power_sagittal"] == pytest.approx(direction * size)
            assert found[f"{joint}_power_frontal"] == pytest.approx(0, abs=ROUNDING)
            assert found[f"{joint}_power_transverse"] == pytest.approx(0, abs=ROUNDING)
            for other in {"ankle", "knee", "hip"} - {joint}:
                assert found[f"{other}_power"] == pytest.approx(0, abs=ROUNDING)


@SIDES
@pytest.mark.parametrize("joint", ["ankle", "knee", "hip"])
def test_power_of_the_other_planes_is_generated_in_the_same_sense(side: Name, joint: str) -> None:
    """Abductors that swing the leg outwards and rotators that turn the toes out generate."""
    outwards = 2.0 * np.cross(DOWN, LATERAL[side])
    wrench = push(N * UP, 0.04 * MEDIAL[side])
    found = loads(side, wrench, spin=spinning(joint, outwards, distal=True))
    assert found[f"{joint}_power_frontal"] == pytest.approx(8)
    assert found[f"{joint}_power"] == pytest.approx(8)
    toes_out = 2.0 * np.cross(FORWARD, LATERAL[side])
    inwards = -6.0 if side == "left" else 6.0
    found = loads(side, push(N * UP, ZERO, inwards), spin=spinning(joint, toes_out, distal=True))
    assert found[f"{joint}_power_transverse"] == pytest.approx(12)
    assert found[f"{joint}_power"] == pytest.approx(12)


@SIDES
def test_the_parts_of_the_power_add_up(side: Name) -> None:
    spin = still(*np.random.default_rng(1).normal(size=(4, 3)))
    found = loads(side, push(N * (3 * UP + FORWARD), TOES + 0.02 * RIGHT, 5.0), spin=spin)
    for joint in ("ankle", "knee", "hip"):
        parts = [found[f"{joint}_power_{plane}"] for plane in ("sagittal", "frontal", "transverse")]
        assert found[f"{joint}_power"] == pytest.approx(sum(parts))
        assert min(np.abs(parts)) > 0


@SIDES
def test_a_joint_that_is_not_published_is_empty_and_the_others_are_not(side: Name) -> None:
    wrench, zero = push(N * UP, TOES), np.zeros((1, 3, 3))
    pose = posed(side, STILL, STILL, STILL, STILL)
    leg = LegPose(side, np.tile(STILL, (1, 3, 1, 1)), STRAIGHT[None])
    body = LegBody(np.zeros(3), np.zeros((3, 3, 3)), STRAIGHT[None])
    chain = make_chain(leg, body, wrench, zero, zero, zero)
    found = joint_loads(chain)
    power = joint_power(chain, found.moment_S, np.zeros((1, 3)))
    hidden = LegKinetics(found, power, np.array([[True, False, True]]))
    whole = LegResult(segment_angles(pose, side), wrench, hidden, np.ones(1, bool))
    for curve in run_curves(result(pose, side, whole)):
        kinetic = any(f"knee_{word}" in curve.name for word in ("moment", "force", "power"))
        assert np.isnan(curve.values[0]) == kinetic, curve.name
