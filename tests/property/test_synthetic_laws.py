"""Laws that hold for every synthetic walker, whatever its body, gait and place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gaitdyn.synthetic import SIDES, BodySide, Course, Gait, Recording, Walker, WalkerBody, walk
from gaitdyn.synthetic.jets import Jet, angular_motion, fixed_turn, fourier_rows, turn
from gaitdyn.synthetic.plates import WalkwayPlate

FEW = settings(max_examples=15)
COARSE = Recording(rate_hz=50.0, analog_ratio=5)


def reals(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False)


LEGS = st.builds(
    BodySide,
    leg_length_mm=reals(700, 1050),
    knee_width_mm=reals(80, 130),
    ankle_width_mm=reals(55, 90),
    thigh_m=reals(0.32, 0.5),
    shank_m=reals(0.32, 0.5),
    plantar_flexion_offset=reals(0.0, 0.3),
    rotation_offset=reals(-0.1, 0.1),
)
BODIES = st.builds(WalkerBody, mass_kg=reals(30, 120), left=LEGS, right=LEGS)


def shaken(seed: int) -> Gait:
    """Return the default gait with every coefficient changed a little."""
    rng, gait = np.random.default_rng(seed), Gait()
    spread = 0.01 * rng.normal(size=gait.leg_angles.shape)
    tilt = 0.01 * rng.normal(size=gait.pelvis_angles.shape)
    return replace(
        gait, leg_angles=gait.leg_angles + spread, pelvis_angles=gait.pelvis_angles + tilt
    )


WALKERS = st.builds(Walker, BODIES, st.builds(shaken, st.integers(0, 2**32 - 1)))


@FEW
@given(WALKERS, reals(-0.3, 0.3), st.tuples(reals(-3, 3), reals(-1, 1), reals(-3, 3)))
def test_a_turned_and_shifted_walk_keeps_every_curve_in_its_own_axes(
    walker: Walker, heading: float, start: tuple[float, float, float]
) -> None:
    moved = replace(walker, course=Course(heading_rad=heading, start_m=start))
    here, there = walk(walker, COARSE).columns(), walk(moved, COARSE).columns()
    for name in here.names:
        if "center" in name or "cop" in name:
            continue
        assert np.allclose(here[name], there[name], rtol=1e-9, atol=1e-7, equal_nan=True), name


@FEW
@given(WALKERS)
def test_a_walker_mirrored_twice_is_the_same_walker(walker: Walker) -> None:
    once, twice = walk(walker, COARSE), walk(walker.mirrored().mirrored(), COARSE)
    assert np.array_equal(once.markers_G, twice.markers_G)
    assert np.array_equal(once.channels, twice.channels)
    image = walk(walker.mirrored(), COARSE)
    for side, other in (SIDES, SIDES[::-1]):
        here, there = once.leg(side).joints, image.leg(other).joints
        assert np.allclose(here.power, there.power, rtol=1e-9, atol=1e-8)
        assert np.allclose(here.moment_S * [-1, -1, 1], there.moment_S, rtol=1e-9, atol=1e-8)


@FEW
@given(WALKERS)
def test_segments_are_rigid_and_their_frames_orthonormal(walker: Walker) -> None:
    trial = walk(walker, COARSE)
    for side in SIDES:
        motion, size = trial.leg(side).motion, walker.body.side(side)
        gram = np.swapaxes(motion.R_GS, -1, -2) @ motion.R_GS
        assert np.allclose(gram, np.eye(3), atol=1e-13)
        assert np.allclose(np.linalg.det(motion.R_GS), 1.0)
        lengths = np.linalg.norm(np.diff(motion.r_prox_G, axis=1), axis=-1)
        assert np.allclose(lengths, [size.shank_m, size.thigh_m], atol=1e-13)


@given(
    st.lists(reals(-2, 2), min_size=3, max_size=7).filter(lambda c: len(c) % 2 == 1),
    reals(-3, 3),
    reals(0.1, 9),
    st.sampled_from(["x", "y", "z"]),
)
def test_a_turn_about_one_axis_spins_at_the_rate_of_its_angle(
    coefficients: list[float], phase: float, rate: float, axis: str
) -> None:
    (q,) = fourier_rows(np.array([coefficients]), np.array([phase]), rate)
    omega, alpha = angular_motion(turn(axis, q))  # pyrefly: ignore[bad-argument-type]
    unit = np.eye(3)["xyz".index(axis)]
    assert np.allclose(omega, q.rate[:, None] * unit, atol=1e-9 * (1 + rate))
    assert np.allclose(alpha, q.accel[:, None] * unit, atol=1e-9 * (1 + rate**2 + q.rate[0] ** 2))


@given(reals(-3, 3), reals(-3, 3), reals(-5, 5), reals(-5, 5))
def test_angular_velocities_of_turns_in_a_row_add_up(
    a: float, b: float, rate_a: float, rate_b: float
) -> None:
    def steady(angle: float, rate: float) -> Jet:
        return Jet(np.array([angle]), np.array([rate]), np.zeros(1))

    omega, _ = angular_motion(turn("z", steady(a, rate_a)) @ turn("x", steady(b, rate_b)))
    expected = rate_a * fixed_turn("x", b).T @ [0, 0, 1] + rate_b * np.array([1, 0, 0])
    assert np.allclose(omega[0], expected, atol=1e-12)


@given(
    st.integers(0, 3),
    st.lists(reals(-1000, 1000), min_size=6, max_size=6),
    st.tuples(reals(-2, 2), reals(-0.5, 0.5), reals(-2, 2)),
)
def test_the_channels_of_a_plate_hold_the_wrench(
    turns: int, wrench: list[float], centre: tuple[float, float, float]
) -> None:
    plate = WalkwayPlate(np.array(centre), turns, np.array([0.001, -0.002, 0.04]))
    force, moment = np.array(wrench[:3])[None], np.array(wrench[3:])[None]
    channels = plate.channels(force, moment)
    assert plate.sensor_G[1] < centre[1]
    assert np.allclose(np.ptp(plate.corners_G, axis=0), [0.6, 0.0, 0.4])
    normal = np.cross(*(plate.corners_G[[0, 0]] - plate.corners_G[[1, 3]]))
    assert np.allclose(normal, [0, -0.24, 0])
    back = channels[:, :3] @ plate.R_GK.T
    about_origin = channels[:, 3:] @ plate.R_GK.T + np.cross(plate.sensor_G, back)
    assert np.allclose(back, force, atol=1e-9)
    assert np.allclose(about_origin, moment, atol=1e-9)
