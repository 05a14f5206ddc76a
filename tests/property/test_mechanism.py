"""Generalised coordinates against the stacked system, and laws of induced accelerations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gaitdyn.dynamics.induced import induced_accelerations
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.segment_tree import generalised_loads, measured_tree
from gaitdyn.multibody import AppliedWrench, Body, Tree
from gaitdyn.types.chain import Chain
from gaitdyn.types.generalised import PelvisMotion, Trunk
from gaitdyn.types.motion import JOINTS
from tests.property.random_chain import random_chain

SEEDS = st.integers(0, 2**32 - 1)
FRAMES = 6


def random_pelvis(rng: np.random.Generator, n: int = FRAMES) -> PelvisMotion:
    R = Rotation.random(n, rng=rng).as_matrix()
    return PelvisMotion(R, *(rng.normal(size=(n, 3)) * size for size in (1, 2, 5, 3, 20)))


def legs(rng: np.random.Generator, n: int = FRAMES) -> dict[str, Chain]:
    gravity = rng.normal(size=3) * 6
    chains = {side: Chain(**random_chain(rng, n, 3)) for side in ("left", "right")}
    return {side: replace(chain, gravity_G=gravity) for side, chain in chains.items()}


@settings(max_examples=25)
@given(SEEDS)
def test_generalised_loads_are_the_moments_of_the_stacked_system(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chains, pelvis = legs(rng), random_pelvis(rng)
    measured = measured_tree(pelvis, chains, Trunk(40.0, 0.3, np.diag([3.0, 0.5, 3.0])))
    tau = generalised_loads(measured, chains).tau
    for side, chain in chains.items():
        moment_S = joint_loads(chain).moment_S
        for i, joint in enumerate(JOINTS):
            found = tau[:, measured.rows(f"{side}_{joint}_")]
            np.testing.assert_allclose(found, moment_S[:, i], atol=1e-10 * np.abs(moment_S).max())


@settings(max_examples=25)
@given(SEEDS)
def test_the_residual_is_what_newton_and_euler_lack_of_the_whole_body(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chains, pelvis = legs(rng), random_pelvis(rng)
    trunk = Trunk(40.0, 0.3, np.diag([3.0, 0.5, 3.0]))
    measured = measured_tree(pelvis, chains, trunk)
    residual = generalised_loads(measured, chains).tau[:, :6]
    g = chains["left"].gravity_G
    force = trunk.mass * (pelvis.a_G - g)
    moment = np.cross([0.0, trunk.height_m, 0.0], force)
    for chain in chains.values():
        net = chain.mass[:, None] * (chain.a_cm_G - g) - chain.external_force_G
        force = force + net.sum(axis=1)
        spin = np.einsum("sij,nsj->nsi", chain.inertia_S, chain.alpha_S) + np.cross(
            chain.omega_S, np.einsum("sij,nsj->nsi", chain.inertia_S, chain.omega_S)
        )
        turn = np.einsum("nsij,nsj->nsi", chain.R_GS, spin) - chain.external_moment_G
        arm = chain.r_cm_G - pelvis.r_G[:, None]
        moment = moment + (turn + np.cross(arm, net)).sum(axis=1)
    np.testing.assert_allclose(residual[:, :3], force, atol=1e-9 * np.abs(force).max())
    about = np.einsum("nji,nj->ni", pelvis.R_GP, moment)
    np.testing.assert_allclose(residual[:, 3:], about, atol=1e-9 * np.abs(moment).max())


def test_a_rigid_tree_in_its_own_coordinates_says_the_same() -> None:
    """A third engine: q, v and a of a real tree, its places measured, the chain solved."""
    rng = np.random.default_rng(7)
    n, arms = 40, {"thigh": [0.0, 0.0, 0.1], "shank": [0.01, -0.4, 0.0], "foot": [0.0, -0.4, 0.02]}
    loose = random_chain(rng, n, 3)
    coms = {name: rng.normal(size=3) * 0.1 for name in arms}
    bodies, parent = [Body("pelvis", None, "free")], "pelvis"
    for i, (name, arm) in zip((2, 1, 0), arms.items(), strict=True):
        mass, inertia = float(loose["mass"][i]), loose["inertia_S"][i]
        bodies.append(Body(name, parent, "ball", mass, coms[name], inertia, np.array(arm)))
        parent = name
    tree = Tree(bodies, loose["gravity_G"])
    q = tree.normalised(rng.normal(size=(n, tree.nq)))
    v, a = rng.normal(size=(n, tree.nv)) * 3, rng.normal(size=(n, tree.nv)) * 10
    force, moment = rng.normal(size=(2, n, 3)) * 100
    state = tree.state(q, v)
    at = [tree.index[name] for name in ("foot", "shank", "thigh")]
    where = [tree.point(state, name, coms[name]) for name in ("foot", "shank", "thigh")]
    seen = [np.einsum("nij,nj->ni", point.J, a) + point.bias for point in where]
    R = state.R[:, at]
    R_SG = np.swapaxes(R, -1, -2)
    alpha_G = np.stack([acceleration[:, 3:] for acceleration in seen], axis=1)
    zero = np.zeros((n, 3, 3))
    external_force, external_moment = zero.copy(), zero.copy()
    external_force[:, 0], external_moment[:, 0] = force, moment
    chain = Chain(
        mass=loose["mass"], inertia_S=loose["inertia_S"], R_GS=R,
        r_cm_G=np.stack([point.x for point in where], axis=1), r_prox_G=state.p[:, at],
        a_cm_G=np.stack([acceleration[:, :3] for acceleration in seen], axis=1),
        omega_S=np.einsum("nsij,nsj->nsi", R_SG, state.w[:, at]),
        alpha_S=np.einsum("nsij,nsj->nsi", R_SG, alpha_G),
        external_force_G=external_force, external_moment_G=external_moment,
        gravity_G=loose["gravity_G"],
    )  # fmt: skip
    contact = AppliedWrench("foot", where[0].x, force, moment)
    terms = tree.inverse(q, v, a, [contact])
    stacked = joint_loads(chain).moment_S
    found = terms.tau[:, 6:].reshape(n, 3, 3)[:, ::-1]
    np.testing.assert_allclose(found, stacked, atol=1e-10 * np.abs(stacked).max())
    R_GP = state.R[:, 0]
    omega_P = np.einsum("nji,nj->ni", R_GP, state.w[:, 0])
    pelvis = PelvisMotion(R_GP, state.p[:, 0], v[:, :3], a[:, :3], omega_P, a[:, 3:6])
    measured = measured_tree(pelvis, {"left": chain})
    kinetic = measured.tree.energy(measured.state).kinetic
    np.testing.assert_allclose(kinetic, tree.energy(state).kinetic, rtol=1e-10)
    mine = generalised_loads(measured, {"left": chain})
    for name in ("M", "C", "G", "E"):  # hip first in both; the root is about another point
        want = getattr(terms, name)[:, 6:]
        np.testing.assert_allclose(
            getattr(mine, name)[:, 6:], want, atol=1e-10 * np.abs(terms.tau).max(), err_msg=name
        )


@pytest.mark.parametrize("held", [("left",), ("left", "right"), ()])
@settings(max_examples=10)
@given(seed=SEEDS)
def test_all_sources_together_give_the_motion_and_the_ground_force(
    held: tuple[str, ...], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    chains, pelvis, cop = legs(rng), random_pelvis(rng), {}
    for side, chain in list(chains.items()):
        cop[side] = rng.normal(size=(FRAMES, 3)) if side in held else np.full((FRAMES, 3), np.nan)
        force, moment = np.zeros((2, FRAMES, 3, 3))
        if side in held:  # what a plate can measure: a force at the point, a spin about y
            force[:, 0] = rng.normal(size=(FRAMES, 3)) * 300
            moment[:, 0] = np.cross(cop[side] - chain.r_cm_G[:, 0], force[:, 0])
            moment[:, 0, 1] += rng.normal(size=FRAMES) * 5
        chains[side] = replace(chain, external_force_G=force, external_moment_G=moment)
    measured = measured_tree(pelvis, chains, Trunk(40.0, 0.3, np.diag([3.0, 0.5, 3.0])))
    found = induced_accelerations(measured, chains, cop)
    total = np.sum(list(found.a_com_G.values()), axis=0)
    scale = max(float(np.abs(part).max()) for part in found.a_com_G.values())
    np.testing.assert_allclose(total, found.total_G, atol=1e-9 * scale)
    masses = np.concatenate([[40.0], *(chain.mass for chain in chains.values())])
    linear = np.concatenate([pelvis.a_G[:, None], *(c.a_cm_G for c in chains.values())], axis=1)
    np.testing.assert_allclose(found.total_G, masses @ linear / masses.sum(), atol=1e-9)
    ground = sum((c.external_force_G[:, 0] for c in chains.values()), np.zeros((FRAMES, 3)))
    forces = np.sum(list(found.force_G.values()), axis=0)
    size = max(float(np.abs(part).max()) for part in found.force_G.values())
    np.testing.assert_allclose(forces, ground, atol=1e-9 * max(size, 1.0))
