"""The synthetic walker: its geometry, derivatives, loads, files and looks."""

from __future__ import annotations

import itertools
import json
import struct
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitdyn.errors import UsageError
from gaitdyn.synthetic import (
    LABELS,
    SIDES,
    BodySide,
    Course,
    Gait,
    Recording,
    Walker,
    WalkerBody,
    newtonian,
    pose,
    stand,
    walk,
    write_session,
    write_trial,
)
from gaitdyn.synthetic.__main__ import main
from gaitdyn.synthetic.body import GRAVITY, foot_points, sign
from gaitdyn.synthetic.ground import walking_wrenches
from gaitdyn.synthetic.jets import angular_motion
from gaitdyn.synthetic.loads import leg_motion
from gaitdyn.synthetic.newton import missing_force
from tests.read_back import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from gaitdyn.synthetic import LegMotion, LegTruth, Walk
    from gaitdyn.synthetic.body import Side
    from gaitdyn.synthetic.recording import Direction

    Array = NDArray[np.float64]

UNEVEN = WalkerBody(
    mass_kg=82.0,
    marker_diameter_mm=16.0,
    left=BodySide(leg_length_mm=930, thigh_m=0.431, rotation_offset=-0.03),
    right=BodySide(knee_width_mm=110, ankle_width_mm=68, shank_m=0.418, heel_to_toe_m=0.2),
)
# v_ours = OURS @ v_spec: the specification's axes are forward, left, up
OURS = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
# 8th order central differences
OFFSETS = np.arange(-4, 5)
FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])


def unit(v: Any) -> Array:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def columns(x: Array, y: Array, z: Array) -> Array:
    return np.stack([x, y, z], axis=-1)


def spec_markers(trial: Walk) -> dict[str, Array]:
    """Markers by label in the specification's axes, mm."""
    points = 1000.0 * trial.markers_G @ OURS
    return {label: points[:, i] for i, label in enumerate(trial.labels)}


def chord(prox: Array, lateral: Array, wand: Array, delta: float) -> Array:
    u, length = unit(prox - lateral), np.linalg.norm(prox - lateral, axis=-1, keepdims=True)
    arm = wand - lateral
    w = unit(arm - np.sum(arm * u, axis=-1, keepdims=True) * u)
    c = delta / length
    return lateral + delta * c * u - delta * np.sqrt(1 - c**2) * w


def spec_pelvis(m: dict[str, Array]) -> tuple[Array, Array]:
    middle = (m["LASI"] + m["RASI"]) / 2
    back = (m["LPSI"] + m["RPSI"]) / 2
    y = unit(m["LASI"] - m["RASI"])
    z = unit(np.cross(middle - back, y))
    return middle, columns(np.cross(y, z), y, z)


def spec_leg(
    m: dict[str, Array], body: WalkerBody, side: Side
) -> tuple[tuple[Array, Array, Array], Array, Array, Array]:
    """Joint centres and frames of one leg, transcribed from the specification, sections 1-3."""
    sg, p, size = (1 if side == "left" else -1), side[0].upper(), body.side(side)
    md = body.marker_diameter_mm
    middle, pelvis = spec_pelvis(m)
    c = 0.115 * (body.left.leg_length_mm + body.right.leg_length_mm) / 2 - 15.3
    d = 0.1288 * size.leg_length_mm - 48.56 + md / 2
    half = np.mean(np.linalg.norm(m["LASI"] - m["RASI"], axis=-1)) / 2
    th, be = 0.5, 0.314
    local = [
        c * np.cos(th) * np.sin(be) - d * np.cos(be),
        -sg * (c * np.sin(th) - half),
        -c * np.cos(th) * np.cos(be) - d * np.sin(be),
    ]
    hip = middle + pelvis @ np.array(local)
    knee = chord(hip, m[p + "KNE"], m[p + "THI"], (size.knee_width_mm + md) / 2)
    ankle = chord(knee, m[p + "ANK"], m[p + "TIB"], (size.ankle_width_mm + md) / 2)
    frames = []
    for above, below, lateral in ((hip, knee, m[p + "KNE"]), (knee, ankle, m[p + "ANK"])):
        z, y = unit(above - below), unit(sg * (lateral - below))
        frames.append(columns(np.cross(y, z), y, z))
    thigh, shank = frames
    z = unit(ankle - m[p + "TOE"])
    x = unit(np.cross(shank[..., 1], z))
    return (hip, knee, ankle), thigh, shank, columns(x, np.cross(z, x), z)


def spec_offsets(m: dict[str, Array], body: WalkerBody, side: Side) -> tuple[float, float]:
    """StaticPlantFlex and StaticRotOff from the static's markers, section 3."""
    p = side[0].upper()
    _, _, shank, uncorrected = spec_leg(m, body, side)
    z = unit(m[p + "HEE"] - m[p + "TOE"])
    x = unit(np.cross(shank[..., 1], z))
    between = np.swapaxes(uncorrected, -1, -2) @ columns(x, np.cross(z, x), z)
    b, a, _ = Rotation.from_matrix(between).as_euler("YXZ").T
    return -b.mean(), -sign(side) * a.mean()


def in_our_foot_axes(R_spec: Array) -> Array:
    """Foot frame: x = -z_spec, y = x_spec, z = -y_spec, components in our axes."""
    x, y, z = OURS @ R_spec[..., 0:1], OURS @ R_spec[..., 1:2], OURS @ R_spec[..., 2:3]
    return np.concatenate([-z, x, -y], axis=-1)


@pytest.mark.parametrize("body", [WalkerBody(), UNEVEN])
def test_static_calibration_returns_the_foot_offsets(body: WalkerBody) -> None:
    trial = stand(Walker(body))
    for side in SIDES:
        wanted = body.side(side).plantar_flexion_offset, body.side(side).rotation_offset
        assert np.allclose(spec_offsets(spec_markers(trial), body, side), wanted, atol=1e-12)


@pytest.mark.parametrize("body", [WalkerBody(), UNEVEN])
def test_markers_give_back_joint_centres_and_frames(body: WalkerBody) -> None:
    trial = walk(Walker(body, course=Course(heading_rad=0.1, start_m=(0.3, 0.02, -0.4))))
    m = spec_markers(trial)
    assert np.allclose(OURS @ spec_pelvis(m)[1] @ OURS.T, trial.R_GP, atol=1e-12)
    for side in SIDES:
        motion, size = trial.leg(side).motion, body.side(side)
        centres, thigh, shank, uncorrected = spec_leg(m, body, side)
        for j, centre in enumerate(reversed(centres)):
            assert np.allclose(centre @ OURS.T / 1000, motion.r_prox_G[:, j], atol=1e-12)
        assert np.allclose(OURS @ thigh @ OURS.T, motion.R_GS[:, 2], atol=1e-12)
        assert np.allclose(OURS @ shank @ OURS.T, motion.R_GS[:, 1], atol=1e-12)
        tilt = Rotation.from_euler("Y", -size.plantar_flexion_offset)
        turn = Rotation.from_euler("X", -sign(side) * size.rotation_offset)
        foot = uncorrected @ (tilt * turn).as_matrix()
        assert np.allclose(in_our_foot_axes(foot), motion.R_GS[:, 0], atol=1e-12)


def test_angles_are_those_of_the_specification() -> None:
    trial = walk()
    m, table = spec_markers(trial), trial.columns()
    _, pelvis = spec_pelvis(m)
    for side in SIDES:
        sg, size = sign(side), trial.walker.body.side(side)
        _, thigh, shank, uncorrected = spec_leg(m, trial.walker.body, side)
        tilt = Rotation.from_euler("Y", -size.plantar_flexion_offset)
        foot = (
            uncorrected @ (tilt * Rotation.from_euler("X", -sg * size.rotation_offset)).as_matrix()
        )

        def yxz(proximal: Array, distal: Array) -> Array:
            between = np.swapaxes(proximal, -1, -2) @ distal
            return Rotation.from_matrix(between).as_euler("YXZ", degrees=True).T

        lab = np.broadcast_to(np.eye(3), pelvis.shape)
        b, a, c = yxz(lab, pelvis)
        wanted = {"pelvis_angle_tilt": b, "pelvis_angle_obliquity": sg * a}
        wanted["pelvis_angle_rotation"] = -sg * c
        b, a, c = yxz(pelvis, thigh)
        wanted |= {"hip_angle_flexion": -b, "hip_angle_adduction": -sg * a}
        wanted["hip_angle_internal_rotation"] = -sg * c
        b, a, c = yxz(thigh, shank)
        wanted |= {"knee_angle_flexion": b, "knee_angle_adduction": -sg * a}
        wanted["knee_angle_internal_rotation"] = -sg * c
        b, a, c = yxz(shank, foot)
        wanted |= {"ankle_angle_dorsiflexion": -90 - b, "ankle_angle_inversion": sg * c}
        wanted["ankle_angle_internal_rotation"] = -sg * a
        wanted["foot_angle_progression"] = -sg * yxz(lab, foot)[1]
        for name, curve in wanted.items():
            error = (curve - table[f"{side}_{name}"] + 180) % 360 - 180
            assert np.abs(error).max() < 1e-9, name


def differences(
    curve: Callable[[Array], Array], time_s: Array, step: float = 2e-3
) -> tuple[Array, Array]:
    """First and second derivative of a function of time by 8th order central differences."""
    stack = np.stack([curve(time_s + k * step) for k in OFFSETS])
    return np.tensordot(FIRST, stack, 1) / step, np.tensordot(SECOND, stack, 1) / step**2


def motion_at(walker: Walker, side: Side, time_s: Array) -> LegMotion:
    return leg_motion(walker.body, pose(walker, time_s), side)


def change_of(
    quantity: Callable[[LegMotion], Array], walker: Walker, side: Side, time_s: Array
) -> tuple[Array, Array]:
    return differences(lambda t: quantity(motion_at(walker, side, t)), time_s)


def test_velocities_and_accelerations_are_the_derivatives_of_the_positions() -> None:
    walker, time_s = Walker(UNEVEN, course=Course(heading_rad=0.2)), np.linspace(0, 1.1, 37)
    for side in SIDES:
        motion = motion_at(walker, side, time_s)
        first, second = change_of(lambda m: m.r_cm_G, walker, side, time_s)
        assert np.allclose(first, motion.v_cm_G, atol=1e-9)
        assert np.allclose(second, motion.a_cm_G, atol=1e-6)


def test_a_stance_nearer_to_the_other_foot_adducts_the_hip_from_swing_to_swing() -> None:
    plain, inward = Walker(), Walker(gait=Gait(inward=(("left", 1, 0.2),)))
    at = [inward.strike_s("left", n) + 0.3 * inward.gait.stride_s for n in (0, 1, 2)]

    def adducted(time_s: Array) -> Array:
        first, second = (pose(walker, time_s).left.R_GThigh.value for walker in (plain, inward))
        apart = np.linalg.norm(first - second, axis=(1, 2))
        return np.asarray(2.0 * np.arcsin(apart / np.sqrt(8.0)))

    assert adducted(np.array(at)) == pytest.approx([0.0, 0.2, 0.0], abs=1e-7)
    time_s = np.linspace(at[0], at[2], 61)
    motion = motion_at(inward, "left", time_s)
    first, second = change_of(lambda m: m.r_cm_G, inward, "left", time_s)
    assert np.allclose(first, motion.v_cm_G, atol=1e-6)
    assert np.allclose(second, motion.a_cm_G, atol=1e-3)


def test_angular_velocities_and_accelerations_are_the_derivatives_of_the_rotations() -> None:
    walker, time_s = Walker(), np.linspace(0, 1.1, 37)

    for side in SIDES:
        motion = motion_at(walker, side, time_s)
        first, _ = change_of(lambda m: m.R_GS, walker, side, time_s)
        skew = np.swapaxes(motion.R_GS, -1, -2) @ first
        omega = np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1)
        assert np.allclose(omega, motion.omega_S, atol=1e-8)
        alpha, _ = change_of(lambda m: m.omega_S, walker, side, time_s)
        assert np.allclose(alpha, motion.alpha_S, atol=1e-7)


def test_pelvis_rotation_rate_is_the_derivative_of_its_frame() -> None:
    walker, time_s = Walker(), np.linspace(0, 1.1, 23)
    R_GP = pose(walker, time_s).R_GP
    first, second = differences(lambda t: pose(walker, t).R_GP.value, time_s)
    assert np.allclose(first, R_GP.rate, atol=1e-9)
    assert np.allclose(second, R_GP.accel, atol=1e-6)
    assert angular_motion(R_GP)[0].shape == (23, 3)


def recursive_loads(leg: LegTruth) -> tuple[Array, Array]:
    """Newton and Euler from the foot up, about the centres of mass; moments in segment axes."""
    motion, ground = leg.motion, leg.ground
    distal_force, distal_moment = ground.force_G, ground.moment_O_G
    distal_point = np.zeros_like(distal_force)
    moments, forces = [], []
    for i in range(3):
        R_GS, r_cm = motion.R_GS[:, i], motion.r_cm_G[:, i]
        force = motion.mass[i] * (motion.a_cm_G[:, i] + [0, GRAVITY, 0]) - distal_force
        spin = motion.omega_S[:, i] @ motion.inertia_S[i]
        rate_S = motion.alpha_S[:, i] @ motion.inertia_S[i] + np.cross(motion.omega_S[:, i], spin)
        moment = np.einsum("nij,nj->ni", R_GS, rate_S) - distal_moment
        moment -= np.cross(distal_point - r_cm, distal_force)
        moment -= np.cross(motion.r_prox_G[:, i] - r_cm, force)
        forces.append(force)
        moments.append(np.einsum("nij,ni->nj", R_GS, moment))
        distal_force, distal_moment, distal_point = -force, -moment, motion.r_prox_G[:, i]
    return np.stack(forces, axis=1), np.stack(moments, axis=1)


@pytest.mark.parametrize("body", [WalkerBody(), UNEVEN])
def test_true_loads_equal_a_recursion_from_the_foot_up(body: WalkerBody) -> None:
    trial = walk(Walker(body, course=Course(heading_rad=-0.15, start_m=(2, 0, 1))))
    for side in SIDES:
        leg = trial.leg(side)
        forces, moments = recursive_loads(leg)
        assert np.abs(forces - leg.joints.force_G).max() < 1e-10
        assert np.abs(moments - leg.joints.moment_S).max() < 1e-10


def test_joint_powers_are_the_rate_of_change_of_the_legs_energy() -> None:
    walker = Walker()
    trial = walk(walker)
    time_s = trial.time_s - trial.recording.clock_s

    def energy(m: LegMotion) -> Array:
        spin = np.einsum("sij,nsj->nsi", m.inertia_S, m.omega_S)
        turning = np.sum(m.omega_S * spin, axis=(1, 2)) / 2
        moving = np.sum(m.mass[:, None] * (m.v_cm_G**2 / 2), axis=(1, 2))
        return turning + moving + GRAVITY * np.sum(m.mass * m.r_cm_G[..., 1], axis=1)

    for side in SIDES:
        leg, where = trial.leg(side), pose(walker, time_s)
        rate, _ = change_of(energy, walker, side, time_s)
        omega_G = np.einsum("nij,nj->ni", leg.motion.R_GS[:, 0], leg.motion.omega_S[:, 0])
        origin = where.leg(side).ankle_G.rate - np.cross(omega_G, leg.motion.r_prox_G[:, 0])
        ground = np.sum(leg.ground.force_G * origin + leg.ground.moment_O_G * omega_G, axis=-1)
        pelvis = np.einsum("nij,nj->ni", trial.R_GP, trial.omega_pelvis_S)
        at_hip = leg.joints.force_G[:, 2] * where.leg(side).hip_G.rate
        at_hip += leg.joints.moment_G[:, 2] * pelvis
        supplied = leg.joints.power.sum(axis=1) + ground + at_hip.sum(axis=-1)
        assert np.abs(rate - supplied).max() < 1e-6


def test_power_parts_add_up() -> None:
    table = walk().columns()
    for side, joint in itertools.product(SIDES, ("ankle", "knee", "hip")):
        whole = table[f"{side}_{joint}_power"]
        parts = [table[f"{side}_{joint}_power_{p}"] for p in ("sagittal", "frontal", "transverse")]
        assert np.allclose(sum(parts), whole, atol=1e-10)


def test_a_mirrored_walker_has_mirrored_truth() -> None:
    walker = Walker(UNEVEN, course=Course(heading_rad=0.05, start_m=(0.1, 0.0, 0.2)))
    trial, image = walk(walker), walk(walker.mirrored())
    table, reflected = trial.columns(), image.columns()
    swapped = [LABELS.index({"L": "R", "R": "L"}[label[0]] + label[1:]) for label in LABELS]
    assert np.allclose(image.markers_G[:, swapped] * [1, 1, -1], trial.markers_G, atol=1e-12)
    for name in table.names[1:]:
        side, rest = name.split("_", 1)
        sign_changes = rest.endswith("_z") or rest == "free_moment"
        other = reflected[f"{'left' if side == 'right' else 'right'}_{rest}"]
        expected = -other if sign_changes else other
        assert np.allclose(table[name], expected, atol=1e-8, equal_nan=True), name


def test_one_side_follows_the_other_by_half_a_cycle() -> None:
    body = replace(WalkerBody(), left=WalkerBody().right)
    table = walk(Walker(body)).columns()
    for name in ("knee_angle_flexion", "hip_moment_abduction", "ankle_power"):
        right, left = table[f"right_{name}"], table[f"left_{name}"]
        assert np.allclose(right[:-55], left[55:], atol=1e-9), name


def test_each_cycle_of_a_limping_walker_begins_with_its_own_strike() -> None:
    walker = Walker(gait=Gait(follow=0.4))
    for one in (walker, walker.mirrored()):
        for side in SIDES:
            strikes = np.array([one.strike_s(side, number) for number in (0, 1, 5)])
            assert one.cycles(side, strikes) == pytest.approx([0.0, 1.0, 5.0])
    late = walker.strike_s("left", 0) - walker.strike_s("right", 0)
    assert late == pytest.approx(0.4 * walker.gait.stride_s)


def test_the_feet_of_a_standing_person_are_flat_on_the_floor() -> None:
    trial, leg = stand(), WalkerBody().left
    for label in ("LHEE", "LTOE", "RHEE", "RTOE"):
        heights = trial.markers_G[:, trial.labels.index(label), 1]
        assert heights == pytest.approx(np.full(len(heights), leg.toe_height_m), abs=1e-3)


def test_the_gait_looks_like_walking() -> None:
    table, trial = walk().columns(), walk()
    limits = {
        "hip_angle_flexion": (-12, 32),
        "knee_angle_flexion": (2, 62),
        "ankle_angle_dorsiflexion": (-18, 12),
        "hip_angle_adduction": (-8, 8),
        "foot_angle_progression": (-16, 8),
        "ankle_moment_plantarflexion": (-0.3 * 70, 1.6 * 70),
        "knee_moment_extension": (-0.5 * 70, 0.8 * 70),
        "hip_moment_extension": (-1.2 * 70, 0.8 * 70),
        "grf_y": (0, 1.15 * 70 * GRAVITY),
    }
    for side, (name, (low, high)) in itertools.product(SIDES, limits.items()):
        curve = table[f"{side}_{name}"]
        assert low <= curve.min(), name
        assert curve.max() <= high, name
        assert np.ptp(curve) > (high - low) / 3, name
    speed = np.diff(trial.markers_G[[0, -1], 0, 0])[0] / np.ptp(trial.time_s)
    assert speed == pytest.approx(1.25, abs=0.005)


def test_feet_stand_still_on_the_floor_in_stance_and_clear_it_in_swing() -> None:
    walker, cycle = Walker(), np.arange(220) / 220
    for side in SIDES:
        points = foot_points(walker.body, side)
        leg = pose(walker, walker.strike_s(side, 0) + 1.1 * cycle).leg(side)
        heel, ball = (
            leg.ankle_G.value + leg.R_GF.value @ points[name] for name in ("heel_sole", "ball")
        )
        flat, pushing = (cycle > 0.02) & (cycle < 0.30), (cycle > 0.1) & (cycle < 0.58)
        assert np.ptp(heel[flat], axis=0).max() < 0.01
        assert np.ptp(ball[pushing], axis=0).max() < 0.01
        assert min(heel[:, 1].min(), ball[:, 1].min()) > -0.003
        swing = (cycle > 0.66) & (cycle < 0.95)
        assert ball[swing, 1].min() > 0.01


@pytest.mark.parametrize("walker", [Walker(), Walker(course=Course(heading_rad=0.4)).mirrored()])
def test_a_newtonian_walker_is_carried_by_its_forces(walker: Walker) -> None:
    time_s = np.arange(0.0, 2 * walker.gait.stride_s, 0.004)
    before, after = (
        missing_force(one, time_s) / walker.body.mass_kg for one in (walker, newtonian(walker))
    )
    assert np.abs(before).max() > 3.0
    assert np.abs(after).max() < 0.05
    assert abs(after.mean()) < 0.001
    moved = newtonian(walker)
    foot, own = (pose(one, time_s).left.ankle_G.value for one in (moved, walker))
    assert np.ptp(foot - own, axis=0).max() < 0.04
    forces = zip(walking_wrenches(moved, time_s), walking_wrenches(walker, time_s), strict=True)
    for force, usual in forces:
        np.testing.assert_allclose(force.force_G, moved.gait.load * usual.force_G, atol=1e-9)


def test_forces_are_exactly_zero_out_of_contact_and_start_smoothly() -> None:
    walker = Walker()
    strike = walker.strike_s("right", 0)
    off = strike + walker.gait.stance * walker.gait.stride_s
    outside = walking_wrenches(walker, np.linspace(off + 1e-6, strike + 1.0999, 50))[1]
    assert not outside.force_G.any()
    assert not outside.moment_O_G.any()
    assert np.isnan(outside.cop_G).all()
    near = walking_wrenches(walker, strike + np.array([1e-3, 2e-3]))[1]
    assert near.force_G[1, 1] / near.force_G[0, 1] == pytest.approx(16, rel=0.02)


def test_centres_of_pressure_and_feet_stay_inside_their_plates() -> None:
    for walker in (Walker(), Walker(UNEVEN), Walker(course=Course(heading_rad=np.radians(5)))):
        trial = walk(walker)
        assert [s.plate for s in trial.stances if s.plate] == [1, 2, 3]
        assert [s.side for s in trial.stances if s.plate] == ["left", "right", "left"]
        for stance in trial.stances:
            if stance.plate is None:
                continue
            on = (trial.time_s > stance.strike_s) & (trial.time_s < stance.off_s)
            corners = trial.plates[stance.plate - 1].corners_G
            low, high = corners.min(axis=0), corners.max(axis=0)
            cop = trial.leg(stance.side).ground.cop_G[on]
            assert np.allclose(cop[:, 1], corners[0, 1])
            assert (cop[:, [0, 2]] > low[[0, 2]] + 0.02).all()
            assert (cop[:, [0, 2]] < high[[0, 2]] - 0.02).all()
            assert trial.leg(stance.side).known[on].all()


def test_a_walk_that_begins_many_cycles_later_has_all_its_stances() -> None:
    first = walk()
    course = Course(start_phase=first.walker.course.start_phase + 9.0)
    later = walk(Walker(course=course))
    assert [s.side for s in later.stances] == [s.side for s in first.stances]
    np.testing.assert_allclose(
        [event.time_s for event in later.events], [event.time_s for event in first.events]
    )
    assert len(later.plates) == len(first.plates)


def test_however_many_plates_are_wanted_only_whole_stances_have_one() -> None:
    trial = walk(recording=Recording(plates=20))
    first, last = trial.time_s[0], trial.time_s[-1]
    whole = [s for s in trial.stances if first < s.strike_s and s.off_s < last]
    assert len(whole) < len(trial.stances)
    assert [s.plate for s in whole] == list(range(1, len(trial.plates) + 1))
    assert {s.plate for s in trial.stances if s not in whole} == {None}


def test_loads_are_unknown_where_a_foot_stands_beside_the_plates() -> None:
    trial = walk()
    beside = np.isfinite(trial.right.ground.free_moment) & ~trial.right.known
    assert beside.any()
    assert not (trial.right.known & beside).any()
    assert not trial.channels[: 60 * 10].any()
    assert not trial.channels[-60 * 10 :].any()


LABS = [("z", "+x"), ("z", "-x"), ("z", "+y"), ("z", "-y"), ("y", "+x"), ("y", "-z")]


def read(path: Path) -> Any:
    ezc3d = pytest.importorskip("ezc3d")
    return ezc3d.c3d(str(path))


@pytest.mark.parametrize(("up", "forward"), LABS)
@pytest.mark.parametrize("units", ["mm", "m"])
def test_a_file_gives_back_markers_and_the_ground_wrench(
    tmp_path: Path, up: Literal["y", "z"], forward: Direction, units: Literal["mm", "m"]
) -> None:
    recording = Recording(up=up, forward=forward, units=units, negative_origin=units == "m")
    trial = walk(Walker(course=Course(start_m=(0, 0.05, 0))), recording)
    write_trial(tmp_path / "walk.c3d", trial)
    file = read(tmp_path / "walk.c3d")
    per_m, R_LG = recording.per_m, recording.R_LG
    assert np.linalg.det(R_LG) == pytest.approx(1.0)
    assert list(file["parameters"]["POINT"]["LABELS"]["value"]) == list(LABELS)
    points = file["data"]["points"][:3].transpose(2, 1, 0) / per_m @ R_LG
    assert np.abs(points - trial.markers_G).max() < 1e-6
    force, moment = raw_plates(file, per_m)
    force, moment = force @ R_LG, moment @ R_LG
    frames = slice(None, None, recording.analog_ratio)
    truth = np.zeros((2, len(trial.time_s), 3))
    for stance in trial.stances:
        if stance.plate:
            on = (trial.time_s > stance.strike_s) & (trial.time_s < stance.off_s)
            ground = trial.leg(stance.side).ground
            truth[0, on] += ground.force_G[on]
            truth[1, on] += ground.moment_O_G[on]
    assert np.abs(force[frames] - truth[0]).max() < 1e-3
    assert np.abs(moment[frames] - truth[1]).max() < 2e-3


def raw_plates(file: Any, per_m: float) -> tuple[Array, Array]:
    """Sum of all type 2 plates from the raw channels: force and moment about the lab's origin."""
    group = file["parameters"]["FORCE_PLATFORM"]
    analog = file["data"]["analogs"][0].T
    force, moment = np.zeros((2, len(analog), 3))
    for k in range(int(group["USED"]["value"][0])):
        assert int(group["TYPE"]["value"][k]) == 2
        corners = group["CORNERS"]["value"][:, :, k].T / per_m
        ex, along = unit(corners[0] - corners[1]), corners[0] - corners[3]
        ey = unit(along - along @ ex * ex)
        R_LK = np.stack([ex, ey, np.cross(ex, ey)], axis=1)
        origin = group["ORIGIN"]["value"][:, k] / per_m
        sensor = corners.mean(axis=0) + R_LK @ (origin if origin[2] > 0 else -origin)
        channels = analog[:, np.asarray(group["CHANNEL"]["value"])[:, k].astype(int) - 1]
        assert channels[:, 2].min() < -600
        at_sensor = channels[:, :3] @ R_LK.T
        force += at_sensor
        moment += channels[:, 3:] @ R_LK.T / per_m + np.cross(sensor, at_sensor)
    return force, moment


def test_header_parameters_and_events_are_what_was_asked_for(tmp_path: Path) -> None:
    recording = Recording(rate_hz=200, analog_ratio=5, first_frame=62, offsets=True)
    trial = walk(recording=recording)
    path = tmp_path / "walk.c3d"
    write_trial(path, trial)
    words = struct.unpack("<5H", path.read_bytes()[2:12])
    assert words[2:4] == (62, 62 + 660)
    file = read(path)
    assert file["header"]["points"]["first_frame"] == 61
    group = file["parameters"]
    assert group["POINT"]["RATE"]["value"][0] == 200
    assert group["ANALOG"]["RATE"]["value"][0] == 1000
    assert group["SUBJECTS"]["NAMES"]["value"] == ["SYN01"]
    assert group["PROCESSING"]["Bodymass"]["value"][0] == 70
    assert group["PROCESSING"]["RKneeWidth"]["value"][0] == 104
    assert group["PROCESSING"]["InterAsisDistance"]["value"][0] == 0
    assert group["PROCESSING"]["LStaticPlantFlex"]["value"][0] == pytest.approx(0.165)
    times = group["EVENT"]["TIMES"]["value"]
    assert times.shape == (2, len(trial.events))
    assert np.allclose(times[1], [event.time_s for event in trial.events], atol=1e-6)
    assert trial.time_s[0] == pytest.approx(61 / 200)
    strike = next(e for e in trial.events if e.side == "right" and e.kind == "foot_strike")
    assert strike.time_s == pytest.approx(61 / 200 + 0.2)


def test_gaps_are_missing_in_their_frames_only(tmp_path: Path) -> None:
    trial = walk(recording=Recording(gaps=(("LKNE", 150, 159),)))
    write_trial(tmp_path / "walk.c3d", trial)
    file = read(tmp_path / "walk.c3d")
    knee = LABELS.index("LKNE")
    residuals = file["data"]["meta_points"]["residuals"][0]
    assert np.flatnonzero(residuals[knee] == -1).tolist() == list(range(49, 59))
    missing = np.isnan(file["data"]["points"][0])
    assert missing.sum() == 10
    assert missing[knee, 49:59].all()


def test_the_static_weighs_the_body_one_foot_on_each_plate(tmp_path: Path) -> None:
    trial = stand()
    write_trial(tmp_path / "static.c3d", trial)
    down = read(tmp_path / "static.c3d")["data"]["analogs"][0, 2::6].sum(axis=0)
    assert -down.mean() / GRAVITY == pytest.approx(70.0, abs=1e-4)
    for plate, side in zip(trial.plates, SIDES, strict=True):
        low, high = plate.corners_G.min(axis=0), plate.corners_G.max(axis=0)
        names = [LABELS.index(side[0].upper() + name) for name in ("HEE", "TOE", "ANK")]
        feet = trial.markers_G[:, names]
        assert (feet[..., [0, 2]] > low[[0, 2]]).all()
        assert (feet[..., [0, 2]] < high[[0, 2]]).all()
        assert trial.markers_G[0, names[:2], 1] == pytest.approx([0.05, 0.05], abs=0.004)


def test_noise_has_the_size_that_was_asked_for_and_comes_from_the_seed(tmp_path: Path) -> None:
    trial = walk(recording=Recording(marker_noise_mm=0.5, force_noise_n=2.0, baseline_n=12.0))
    for name in ("a.c3d", "b.c3d"):
        write_trial(tmp_path / name, trial)
    assert (tmp_path / "a.c3d").read_bytes() == (tmp_path / "b.c3d").read_bytes()
    file = read(tmp_path / "a.c3d")
    points = file["data"]["points"][:3].transpose(2, 1, 0) / 1000 @ trial.recording.R_LG
    assert np.std(points - trial.markers_G) == pytest.approx(5e-4, rel=0.02)
    quiet = file["data"]["analogs"][0, 2, :500]
    assert np.mean(quiet) == pytest.approx(12, abs=0.5)
    assert np.std(quiet) == pytest.approx(2, rel=0.15)


def test_a_session_holds_recordings_and_their_truth(tmp_path: Path) -> None:
    paths = write_session(tmp_path / "new" / "session", trials=2)
    assert [path.name for path in paths] == [
        "static.c3d",
        "walk01.c3d",
        "walk01.truth.csv",
        "walk02.c3d",
        "walk02.truth.csv",
        "truth.json",
    ]
    rows = rows_of(paths[2])
    assert len(rows) == 331
    assert rows[0]["frame"] == "101"
    assert float(rows[0]["time_s"]) == 1.0
    assert rows[0]["left_cop_x"] != ""
    assert rows[60]["left_cop_x"] == ""
    truth = json.loads(paths[-1].read_text(encoding="utf-8"))
    assert truth["body"]["mass_kg"] == 70.0
    feet = [[c["side"] for c in t["contacts"] if c["plate"]] for t in truth["trials"].values()]
    assert feet == [["left", "right", "left"], ["right", "left", "right"]]
    static = read(paths[0])
    assert static["parameters"]["EVENT"]["USED"]["value"][0] == 0


def test_a_session_can_do_without_plates(tmp_path: Path) -> None:
    recording = Recording(plates=0, static_plates=False, events=False, parameters=False)
    write_session(tmp_path, recording=recording, trials=1)
    for name in ("static.c3d", "walk01.c3d"):
        file = read(tmp_path / name)
        assert file["parameters"]["FORCE_PLATFORM"]["USED"]["value"][0] == 0
        assert "PROCESSING" not in file["parameters"]


def test_a_walk_along_the_vertical_is_refused() -> None:
    with pytest.raises(UsageError, match="two axes"):
        Recording(up="z", forward="+z")


@pytest.mark.parametrize(
    ("name", "value"),
    [("forward", "up"), ("rate_hz", 0.0), ("rate_hz", np.nan), ("first_frame", 70000),
     ("analog_ratio", 0), ("seed", -1), ("marker_noise_mm", -1.0)],
)  # fmt: skip
def test_settings_that_no_file_has_are_refused(name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=f"{name} is .*, wanted "):
        Recording(**{name: value})


def test_the_module_writes_a_session_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(tmp_path), "--noise", "0.3", "--rate", "200", "--trials", "1", "--mirror"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[1] == str(tmp_path / "walk01.c3d")
    assert main([str(tmp_path), "--forward=+z"]) == 1
    assert "two axes" in capsys.readouterr().err
