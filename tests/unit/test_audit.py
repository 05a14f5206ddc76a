"""The audit of the loads: second opinion, closure and energy, on motions that are known exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.audit import closure, legs
from gaitdyn.audit.closure import accelerations_back, between, inverse_inertia, window_drifts
from gaitdyn.audit.energy import power_residuals
from gaitdyn.audit.legs import audit_legs, audit_of, drift, power_balance, second_opinion
from gaitdyn.core.rotations import about, cross, rotate
from gaitdyn.dynamics import stacked
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.sources import source_terms
from gaitdyn.dynamics.stacked import solve_stacked
from gaitdyn.synthetic import Recording, Walker
from gaitdyn.types.chain import Chain
from gaitdyn.types.loads import CAUSES, JointLoads
from tests.property.random_chain import random_chain
from tests.walks import processed, walk

RATE = 100.0
FOOT, SHANK, THIGH = 0, 1, 2
Array = np.ndarray[Any, np.dtype[np.float64]]


def exact_loads(rate_hz: float) -> JointLoads:
    """The left leg of the walker from its exact motion and the ground's exact wrench, SI."""
    leg = walk(Walker(), Recording(rate_hz=rate_hz, analog_ratio=2)).left
    force, moment = np.zeros_like(leg.motion.r_cm_G), np.zeros_like(leg.motion.r_cm_G)
    force[:, 0] = leg.ground.force_G
    moment[:, 0] = leg.ground.moment_O_G - cross(leg.motion.r_cm_G[:, 0], leg.ground.force_G)
    fields = ("mass", "inertia_S", "R_GS", "r_cm_G", "r_prox_G", "a_cm_G", "omega_S", "alpha_S")
    values = {name: getattr(leg.motion, name) for name in fields}
    gravity = np.array([0.0, -9.80665, 0.0])
    return joint_loads(
        Chain(**values, external_force_G=force, external_moment_G=moment, gravity_G=gravity)
    )


@pytest.fixture(scope="module")
def loads() -> JointLoads:
    return exact_loads(RATE)


@pytest.fixture
def everywhere(loads: JointLoads) -> np.ndarray[Any, np.dtype[np.bool_]]:
    shown = np.zeros(loads.force_G.shape[:2], bool)
    shown[10:-10] = True
    return shown


def limb(**changes: Any) -> dict[str, Array]:
    """Return the parts of the moments of one pose by cause, shape (joint, source, 3) each.

    A leg of 1, 3 and 7 kg that points straight forward from the hip, every centre of mass 0.2 m
    before its joint, joints 0.4 m apart, everything at rest without weight or ground.
    """
    zero = np.zeros((1, 3, 3))
    x = np.array([0.8, 0.4, 0.0])
    values = {
        "mass": np.array([1.0, 3.0, 7.0]),
        "inertia_S": np.stack([np.diag([0.01, 0.02, 0.03])] * 3),
        "R_GS": np.broadcast_to(np.eye(3), (1, 3, 3, 3)),
        "r_prox_G": x[None, :, None] * np.array([1.0, 0, 0]),
        "r_cm_G": (x[None, :, None] + 0.2) * np.array([1.0, 0, 0]),
        **dict.fromkeys(
            ("a_cm_G", "omega_S", "alpha_S", "external_force_G", "external_moment_G"), zero
        ),
        "gravity_G": np.zeros(3),
    }
    terms = source_terms(Chain(**{**values, **changes})).moment_S[0]
    return {cause: terms[:, :, k] for k, cause in enumerate(CAUSES)}


def only(parts: dict[str, Array], cause: str) -> Array:
    """Return the z components of the one cause that is not zero, shape (joint, source)."""
    assert all((parts[other] == 0).all() for other in parts if other != cause)
    return parts[cause][..., 2]


def test_a_still_limb_in_the_air_has_gravity_alone() -> None:
    found = only(limb(gravity_G=np.array([0.0, -10.0, 0.0])), "gravity")
    # each weight times its arm to the joint: the internal moment lifts
    wanted = [[2.0, 0, 0], [6.0, 6.0, 0], [10.0, 18.0, 14.0]]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


def test_a_hanging_still_limb_needs_no_moment() -> None:
    down = np.broadcast_to(about("z", -np.pi / 2), (1, 3, 3, 3))
    hanging = {
        "r_prox_G": np.array([[[0, -0.8, 0], [0, -0.4, 0], [0, 0.0, 0]]]),
        "r_cm_G": np.array([[[0, -1.0, 0], [0, -0.6, 0], [0, -0.2, 0]]]),
    }
    parts = limb(R_GS=down, **hanging, gravity_G=np.array([0.0, -10.0, 0.0]))
    assert all(np.abs(part).max() < 1e-12 for part in parts.values())


def test_a_push_of_the_ground_is_ground_alone_and_comes_through_the_foot() -> None:
    force = np.zeros((1, 3, 3))
    force[0, FOOT, 1] = 100.0
    found = only(limb(external_force_G=force), "external")
    np.testing.assert_allclose(found[:, FOOT], [-20.0, -60.0, -100.0], rtol=0, atol=1e-12)
    assert (found[:, SHANK:] == 0).all()


def test_a_shank_that_starts_to_turn_is_inertia_alone() -> None:
    alpha = np.zeros((1, 3, 3))
    alpha[0, SHANK, 2] = 50.0
    found = only(limb(alpha_S=alpha), "inertial")
    np.testing.assert_allclose(found[:, SHANK], [0.0, 1.5, 1.5], rtol=0, atol=1e-12)
    assert (found[:, [FOOT, THIGH]] == 0).all()


def test_a_thigh_that_spins_about_a_slanting_axis_is_velocity_alone() -> None:
    omega = np.zeros((1, 3, 3))
    omega[0, THIGH] = [2.0, 3.0, 0.0]
    found = only(limb(omega_S=omega), "velocity")
    # omega x I omega about z: 2 * 3 * (I_yy - I_xx)
    np.testing.assert_allclose(found[THIGH, THIGH], 0.06, rtol=0, atol=1e-12)
    assert np.count_nonzero(found) == 1


def test_the_second_opinion_agrees_and_sees_a_change(loads: JointLoads) -> None:
    assert second_opinion(loads) < 1e-12
    moment = loads.moment_S.copy()
    moment[50, THIGH, 2] += 1e-6 * np.abs(moment).max()
    assert second_opinion(replace(loads, moment_S=moment)) == pytest.approx(1e-6, rel=1e-3)


def test_the_second_opinion_of_nothing_is_not_a_number(loads: JointLoads) -> None:
    unknown = np.full_like(loads.force_G, np.nan)
    assert np.isnan(second_opinion(replace(loads, force_G=unknown, moment_S=unknown)))


def test_the_loads_give_the_accelerations_back(loads: JointLoads) -> None:
    assert max(accelerations_back(loads)) < 1e-9


def test_accelerations_of_chains_with_products_of_inertia_come_back() -> None:
    chain = Chain(**random_chain(np.random.default_rng(5), 4, 3))
    assert max(accelerations_back(joint_loads(chain))) < 1e-9


def wrong(loads: JointLoads) -> dict[str, JointLoads]:
    """Return loads with one mistake each."""
    chain = loads.chain
    lost = joint_loads(replace(chain, gravity_G=np.zeros(3)))
    spin = joint_loads(replace(chain, omega_S=chain.omega_S * np.array([1.0, 1.0, -1.0])))
    free = chain.external_moment_G.copy()
    free[:, 0, 1] *= -1.0
    turned = joint_loads(replace(chain, external_moment_G=free))
    flipped = loads.moment_S * np.array([1.0, 1.0, -1.0])
    lab = rotate(chain.R_GS, loads.moment_S)
    return {
        "sign of the moment": replace(loads, moment_S=-loads.moment_S),
        "sign of one component": replace(loads, moment_S=flipped),
        "moment in axes of the laboratory": replace(loads, moment_S=lab),
        "sign of the force": replace(loads, force_G=-loads.force_G),
        "without gravity": replace(lost, chain=chain),
        "sense of the turning": replace(spin, chain=chain),
        "sign of a ground moment": replace(turned, chain=chain),
        "alpha in degrees": joint_loads(replace(chain, alpha_S=np.degrees(chain.alpha_S))),
        "axes with a mirrored z": joint_loads(replace(chain, omega_S=-chain.omega_S)),
    }


@pytest.mark.parametrize(("rate", "limit"), [(50, 0.03), (100, 0.01), (200, 0.01), (250, 0.01)])
def test_windows_of_forward_dynamics_end_on_the_exact_motion(rate: float, limit: float) -> None:
    exact = exact_loads(rate)
    shown = np.zeros(exact.force_G.shape[:2], bool)
    shown[10:-10] = True
    for angle, distance in window_drifts([(exact, shown)], rate)[0]:
        assert len(angle) > 50
        assert angle.max() < limit  # deg; at 50 Hz frames are too few to tell what lies between
        assert distance.max() < 0.02  # mm


def largest(loads: JointLoads, shown: Any) -> float:
    return max(float(angle.max()) for angle, _ in window_drifts([(loads, shown)], RATE)[0])


def drifts(loads: JointLoads, shown: Any) -> float:
    """Return how far the windows drift, mm or deg, whichever is larger."""
    ends = window_drifts([(loads, shown)], RATE)[0]
    return max(float(np.concatenate((angle, distance)).max()) for angle, distance in ends)


@pytest.mark.parametrize("mistake", list(range(9)))
def test_windows_catch_a_wrong_sign_or_frame(
    loads: JointLoads, everywhere: Any, mistake: int
) -> None:
    name, broken = list(wrong(loads).items())[mistake]
    assert drifts(broken, everywhere) > 0.1, name


def test_windows_lie_within_the_published_frames(loads: JointLoads, everywhere: Any) -> None:
    shown = everywhere.copy()
    shown[:, THIGH] = False
    counts = [len(angle) for angle, _ in window_drifts([(loads, shown)], RATE)[0]]
    assert counts[THIGH] == 0
    assert counts[FOOT] == counts[SHANK] > 0
    audit = audit_legs([(loads, shown)], RATE)[0]
    assert audit.closure["thigh"].windows == 0
    assert np.isnan(audit.closure["thigh"].median_deg)
    assert np.isnan(audit.energy["thigh"].rms_w)


def test_a_long_recording_is_judged_in_blocks_with_the_same_outcome(
    loads: JointLoads, everywhere: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt = replace(loads, moment_S=loads.moment_S + np.sin(np.arange(3.0)))
    whole = window_drifts([(spoilt, everywhere)] * 2, RATE)
    solved, back = solve_stacked(loads.chain), accelerations_back(spoilt)
    for module in (closure, legs, stacked):
        monkeypatch.setattr(module, "AT_ONCE", 50)
    assert loads.chain.n_frames > 250
    assert np.array_equal(window_drifts([(spoilt, everywhere)] * 2, RATE), whole)
    for in_blocks, at_once in zip(solve_stacked(loads.chain), solved, strict=True):
        assert in_blocks == pytest.approx(at_once, rel=1e-12, abs=1e-9)
    assert accelerations_back(spoilt) == pytest.approx(back, rel=1e-9)
    assert audit_legs([(loads, everywhere)], RATE)[0].second_opinion < 1e-12


def test_a_rod_without_inertia_about_its_length_is_followed(
    loads: JointLoads, everywhere: Any
) -> None:
    inertia = loads.chain.inertia_S * np.array([[1.0, 0, 1.0]])[..., None]
    inertia = inertia * np.array([1.0, 0, 1.0])
    thin = joint_loads(replace(loads.chain, inertia_S=inertia))
    assert largest(thin, everywhere) < 0.01
    assert max(accelerations_back(thin)) < 1e-9


def test_the_inverse_fills_the_axis_without_inertia_with_the_largest() -> None:
    inverse, empty = inverse_inertia(np.diag([4.0, 0.0, 2.0]))
    np.testing.assert_allclose(inverse, np.diag([0.25, 0.25, 0.5]), atol=1e-15)
    np.testing.assert_allclose(empty, np.diag([0.0, 1.0, 0.0]), atol=1e-15)


def test_values_between_frames_are_those_of_a_polynomial() -> None:
    t = np.arange(16.0)
    finer = between((t / 4 - 2) ** 11, 4)
    wanted = (np.arange(61) / 16 - 2) ** 11
    inside = slice(20, 41)
    np.testing.assert_allclose(finer[inside], wanted[inside], atol=1e-8)
    assert np.isnan(finer[19])
    assert np.isnan(finer[41])


def residuals(loads: JointLoads) -> Array:
    """Return the root mean square residual of each segment, W."""
    missing, _, _ = power_residuals([loads], RATE)[0]
    return np.sqrt(np.mean(missing[10:-10] ** 2, axis=0))


def test_the_power_of_the_loads_is_the_change_of_energy(loads: JointLoads) -> None:
    _, through, slip = power_residuals([loads], RATE)[0]
    assert np.abs(slip[10:-10]).max() < 0.05
    assert residuals(loads).max() < 0.05  # W, of spline derivatives at 100 Hz
    assert np.sqrt(np.mean(through**2, axis=0)).min() > 20.0


def test_a_joint_centre_beside_its_place_is_seen(loads: JointLoads) -> None:
    chain = loads.chain
    r_prox = chain.r_prox_G.copy()
    r_prox[:, SHANK] += rotate(chain.R_GS[:, THIGH], np.array([0.02, 0.0, 0.0]))
    moved = joint_loads(replace(chain, r_prox_G=r_prox))
    found = residuals(moved)
    assert found[SHANK] > 1.0
    assert found[FOOT] < 0.05
    missing, _, slip = power_residuals([moved], RATE)[0]
    assert np.abs(missing + slip)[10:-10].max() < 0.3  # nothing else is wrong


@pytest.mark.parametrize("mistake", [0, 1, 2, 3, 4, 7])
def test_the_energy_sees_wrong_loads(loads: JointLoads, mistake: int) -> None:
    name, broken = list(wrong(loads).items())[mistake]
    assert residuals(broken).max() > 1.0, name
    missing, _, slip = power_residuals([broken], RATE)[0]
    assert np.abs(missing + slip).max() > 1.0, name


def test_a_segment_whose_inertia_is_not_known_is_not_audited_and_harms_no_other():
    tensors = np.stack((np.diag([0.1, 0.2, 0.3]), np.full((3, 3), np.nan)))
    inverse, empty = inverse_inertia(tensors)
    np.testing.assert_allclose(inverse[0], np.diag([10.0, 5.0, 1 / 0.3]))
    np.testing.assert_allclose(empty[0], 0.0)
    assert np.isnan(inverse[1]).all()


def test_a_joint_centre_that_slips_explains_what_is_missing_on_both_sides(
    loads: JointLoads,
) -> None:
    """The knee centre wanders by 10 mm at 1 Hz against shank and thigh."""
    centres = loads.chain.r_prox_G.copy()
    t = np.arange(len(centres)) / RATE
    centres[:, SHANK, 0] += 0.01 * np.sin(2 * np.pi * t)
    slipping = joint_loads(replace(loads.chain, r_prox_G=centres))
    missing, _, slip = power_residuals([slipping], RATE)[0]
    inside = slice(10, -10)
    for segment in (SHANK, THIGH):
        rms = np.sqrt(np.mean(missing[inside, segment] ** 2))
        rest = np.sqrt(np.mean((missing + slip)[inside, segment] ** 2))
        assert rms > 1.0
        assert rest < 0.01 * rms


def test_the_numbers_of_an_audit_are_those_of_its_samples() -> None:
    found = drift(np.arange(101.0), 2.0 * np.arange(101.0))
    assert (found.windows, found.median_deg, found.p95_deg, found.largest_deg) == (101, 50, 95, 100)
    assert (found.median_mm, found.p95_mm, found.largest_mm) == (100, 190, 200)
    wave = np.array([3.0, -3.0, np.nan])
    balance = power_balance(wave, np.array([4.0, 4.0, 4.0]), np.array([-3.0, 3.0, 0.0]))
    assert (balance.frames, balance.rms_w, balance.largest_w) == (2, 3.0, 3.0)
    assert (balance.rest_w, balance.throughput_w) == (0.0, 4.0)


def test_a_planar_result_is_audited_with_all_its_components(synthetic: Path) -> None:
    """What lies outside the plane was taken out of its moments and is not an error of them."""
    result = processed(synthetic / "walk01.c3d")
    flat = {}
    for name, side in result.sides.items():
        assert side.kinetics is not None
        whole = side.kinetics.loads
        only = replace(whole, moment_S=whole.moment_S * np.array([0.0, 0.0, 1.0]))
        flat[name] = replace(side, kinetics=replace(side.kinetics, loads=only))
    planar = replace(result, sides=flat, pose=replace(result.pose, planar=True))
    assert audit_of(planar)["left"].second_opinion == audit_of(result)["left"].second_opinion
    assert audit_of(planar)["left"].acceleration_m_s2 < 1e-9
