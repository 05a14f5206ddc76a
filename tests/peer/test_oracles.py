"""Inverse dynamics against numbers that other programs left in ../shared/oracles."""

from __future__ import annotations

import json
from typing import Any, Literal

import numpy as np
import pytest

from gaitdyn import inverse_dynamics
from gaitdyn.dynamics.stacked import stacked_system
from tests.shared_files import ORACLES, WITH_ORACLES

pytestmark = [pytest.mark.peer, WITH_ORACLES]
METHODS: tuple[Literal["substitution", "stacked"], ...] = ("substitution", "stacked")
Method = Literal["substitution", "stacked"]
SEGMENTS = ("foot", "shank", "thigh")


def seed(name: str) -> dict[str, Any]:
    return json.loads((ORACLES / "seeds" / f"{name}.json").read_text(encoding="utf-8"))


def opensim_leg(side: str) -> tuple[dict[str, Any], Any, Any]:
    """Return arguments, forces and moments of one leg of the walking oracle."""
    z = np.load(ORACLES / "opensim" / "oracle_walk_gait2354.npz")
    leg, plate = ([0, 1, 2], 0) if side == "right" else ([3, 4, 5], 1)
    R_SG = np.swapaxes(z["R"][:, leg], -1, -2)
    force, moment = np.zeros((2, len(R_SG), 3, 3))
    force[:, 0] = z["grf_force"][:, plate]
    arm = z["grf_cop"][:, plate] - z["com"][:, leg[0]]
    moment[:, 0] = z["grf_free_moment"][:, plate] + np.cross(arm, force[:, 0])
    arguments = {
        "mass": z["mass"][leg],
        "inertia_S": z["inertia_local"][leg],
        "R_GS": z["R"][:, leg],
        "r_cm_G": z["com"][:, leg],
        "r_prox_G": z["jc_prox"][:, leg],
        "a_cm_G": z["com_acc"][:, leg],
        "omega_S": (R_SG @ z["omega"][:, leg][..., None])[..., 0],
        "alpha_S": (R_SG @ z["alpha"][:, leg][..., None])[..., 0],
        "external_force_G": force,
        "external_moment_G": moment,
        "gravity_G": z["gravity"],
    }
    return arguments, z["F_prox"][:, leg], z["M_prox_local"][:, leg]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_walking_leg_has_the_loads_of_simbody_in_every_frame(side: str, method: Method) -> None:
    arguments, force, moment = opensim_leg(side)
    loads = inverse_dynamics(**arguments, method=method)
    # 1e-9: the design's limit; 3e-13 N, N m were reached, the rounding of forces of 1 kN
    np.testing.assert_allclose(loads.force_G, force, rtol=0, atol=1e-9)
    np.testing.assert_allclose(loads.moment_S, moment, rtol=0, atol=1e-9)


def stacked_case(
    frames: list[dict[str, Any]], document: dict[str, Any], *, free: bool
) -> dict[str, Any]:
    """Return the arguments of the seed's foot, shank and thigh."""
    body = [document["segments"][name] for name in SEGMENTS]

    def of(key: str) -> np.ndarray:
        return np.array([[f["segments"][name][key] for name in SEGMENTS] for f in frames])

    force, moment = np.zeros((2, len(frames), 3, 3))
    force[:, 0] = [f["GRF_G"] for f in frames]
    moment[:, 0] = np.cross([f["cop_G"] for f in frames] - of("com")[:, 0], force[:, 0])
    if free:
        moment[:, 0] += [f["free_moment_G"] for f in frames]
    return {
        "mass": [b["m"] for b in body],
        "inertia_S": [b["I"] for b in body],
        "R_GS": of("R"),
        "r_cm_G": of("com"),
        "r_prox_G": of("pj"),
        "a_cm_G": of("a"),
        "omega_S": of("w"),
        "alpha_S": of("wd"),
        "external_force_G": force,
        "external_moment_G": moment,
        "gravity_G": document["g"],
    }


@pytest.mark.parametrize("method", METHODS)
def test_the_stacked_chain_of_the_seed_has_the_loads_of_three_engines(method: Method) -> None:
    document = seed("seed001_stacked_chain")
    frames = document["frames"]
    loads = inverse_dynamics(**stacked_case(frames, document, free=True), method=method)
    for i, joint in enumerate("AKH"):
        F = [f["out"][f"F_{joint}_G"] for f in frames]
        M = [f["out"][f"M_{joint}_seg"] for f in frames]
        # 1e-8 N, N m: the tolerance that the oracle states for itself
        np.testing.assert_allclose(loads.force_G[:, i], F, rtol=0, atol=1e-8)
        np.testing.assert_allclose(loads.moment_S[:, i], M, rtol=0, atol=1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_without_the_free_moment_misses_it_in_every_joint(method: Method) -> None:
    document = seed("seed001_stacked_chain")
    frames = document["frames"]
    with_it, without = (
        inverse_dynamics(**stacked_case(frames, document, free=free), method=method)
        for free in (True, False)
    )
    assert (without.force_G == with_it.force_G).all()
    R = with_it.chain.R_GS
    free = np.array([f["free_moment_G"] for f in frames])
    assert np.abs(free).max() > 5.0
    for i, joint in enumerate("AKH"):
        M = [f["out_without_free_moment"][f"M_{joint}_G"] for f in frames]
        found = (R[:, i] @ without.moment_S[:, i, :, None])[..., 0]
        # 1e-8 N m: the oracle's own tolerance
        np.testing.assert_allclose(found, M, rtol=0, atol=1e-8)
        missed = found - (R[:, i] @ with_it.moment_S[:, i, :, None])[..., 0]
        np.testing.assert_allclose(missed, free, rtol=0, atol=1e-11)  # rounding of 300 N m


def test_the_stacked_matrix_of_the_seed_is_as_well_conditioned_as_it_was_measured() -> None:
    document = seed("seed001_stacked_chain")
    frames = document["frames"]
    chain = inverse_dynamics(**stacked_case(frames, document, free=True)).chain
    A = stacked_system(chain).A[:, :12, :12]  # foot and shank, as in the notebook
    wanted = [f["cond_stack12"] for f in frames if "cond_stack12" in f]
    # norms of 12 x 12 matrices: rounding
    np.testing.assert_allclose(np.linalg.cond(A)[: len(wanted)], wanted, rtol=1e-9)
    np.testing.assert_allclose(np.linalg.det(A), 1.0, rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_double_pendulum_of_the_seed_has_the_reactions_of_pinocchio(method: Method) -> None:
    """Problem 2: two cylinders hang from a fixed support; the lower one is the distal segment."""
    document = seed("seed001_double_pendulum_3d")
    cases, p = document["inverse_cases"], document["params"]

    def of(key: str) -> np.ndarray:
        return np.array([[case[f"{key}{i}"] for i in (2, 1)] for case in cases])

    R, n = of("R"), len(cases)
    lengths = {1: p["L1"], 2: p["L2"]}
    along = R[..., 1]  # the long axis, upwards
    support = np.zeros((n, 3))
    elbow = support - lengths[1] * along[:, 1]
    r_prox = np.stack((elbow, support), axis=1)
    half = np.array([lengths[2] / 2, lengths[1] / 2])[:, None]
    zero = np.zeros((n, 2, 3))
    loads = inverse_dynamics(
        [p["m2"], p["m1"]], [document["I2"], document["I1"]], R, r_prox - half * along, r_prox,
        of("a"), of("w"), of("wd"), zero, zero, document.get("g", (0.0, -9.81, 0.0)), method,
    )  # fmt: skip
    for i, k in enumerate((2, 1)):
        # 1e-9: the tolerance of the oracle
        F, M = [c[f"F{k}_G"] for c in cases], [c[f"M{k}_body{k}"] for c in cases]
        np.testing.assert_allclose(loads.force_G[:, i], F, rtol=0, atol=1e-9)
        np.testing.assert_allclose(loads.moment_S[:, i], M, rtol=0, atol=1e-9)
