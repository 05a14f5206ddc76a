"""The trees of the seeds against the numbers of their oracles, a test for each row.

Tolerances are those of ../shared/specs/seeds.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import gaitdyn
from gaitdyn.core.rotations import skew
from gaitdyn.multibody import (
    AppliedWrench,
    RedundantContacts,
    Support,
    com_coordinates,
    driven,
    friction_margin,
    induced,
    recursive,
    residual,
    sliding_block,
    supported,
    wrench_cone,
    wrench_margin,
)
from tests.peer.seed_trees import biped, cases, leg, manipulator, oracle, two_cylinders
from tests.shared_files import WITH_SEEDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

pytestmark = [pytest.mark.peer, WITH_SEEDS]
SIDES = ("R", "L")


def close(found: Any, wanted: Any, tolerance: float) -> None:
    assert_allclose(found, wanted, rtol=0, atol=tolerance)


def relative(found: Any, wanted: Any, tolerance: float) -> None:
    close(found, wanted, tolerance * np.abs(wanted).max())


# ------------------------------------------------- rows 1.7 and 1.9: document 001


def leg_arguments(frames: list[dict[str, Any]], data: dict[str, Any]) -> dict[str, Array]:
    """Return the arguments of ``inverse_dynamics``, foot first."""
    order = ("foot", "shank", "thigh")

    def all_of(key: str) -> Array:
        return np.array([[f["segments"][s][key] for s in order] for f in frames])

    force, moment = np.zeros((2, len(frames), 3, 3))
    force[:, 0] = cases(frames, "GRF_G")
    arm = cases(frames, "cop_G") - all_of("com")[:, 0]
    moment[:, 0] = cases(frames, "free_moment_G") + np.cross(arm, force[:, 0])
    return {
        "mass": np.array([data["segments"][s]["m"] for s in order]),
        "inertia_S": np.array([data["segments"][s]["I"] for s in order]),
        "R_GS": all_of("R"), "r_cm_G": all_of("com"), "r_prox_G": all_of("pj"),
        "a_cm_G": all_of("a"), "omega_S": all_of("w"), "alpha_S": all_of("wd"),
        "external_force_G": force, "external_moment_G": moment,
        "gravity_G": np.array(data["g"]),
    }  # fmt: skip


def leg_motion(tree: Any, arguments: dict[str, Array]) -> tuple[Array, Array, Array]:
    """Return q, v, a of thigh, shank, foot from the motion of the segments."""
    R, w, al = (arguments[k][:, ::-1] for k in ("R_GS", "omega_S", "alpha_S"))
    arm = -tree.coms[0]
    spin = skew(al[:, 0]) + skew(w[:, 0]) @ skew(w[:, 0])
    hip = arguments["a_cm_G"][:, 2] + np.einsum("nij,njk,k->ni", R[:, 0], spin, arm)
    n = len(R)
    q = [arguments["r_prox_G"][:, 2], Rotation.from_matrix(R[:, 0]).as_quat()]
    v, a = [np.zeros((n, 3)), w[:, 0]], [hip, al[:, 0]]
    for i in (1, 2):
        turn = np.swapaxes(R[:, i - 1], 1, 2) @ R[:, i]
        above = np.einsum("nji,nj->ni", turn, w[:, i - 1])
        above_rate = np.einsum("nji,nj->ni", turn, al[:, i - 1])
        q.append(Rotation.from_matrix(turn).as_quat())
        v.append(w[:, i] - above)
        a.append(al[:, i] - above_rate + np.cross(w[:, i], above))
    return np.hstack(q), np.hstack(v), np.hstack(a)


def test_row_1_7_three_routes_give_the_joint_loads_of_the_stacked_chain() -> None:
    data = oracle("001_stacked_chain")
    frames, tree = data["frames"], leg(data)
    arguments = leg_arguments(frames, data)
    q, v, a = leg_motion(tree, arguments)
    cop, force, moment = (cases(frames, k) for k in ("cop_G", "GRF_G", "free_moment_G"))
    ground = AppliedWrench("foot", cop, force, moment)
    tau = tree.inverse(q, v, a, [ground]).tau
    out = [frame["out"] for frame in frames]
    assert_allclose(tree.state(q, v).p[:, ::-1], arguments["r_prox_G"], atol=1e-12)
    for columns, key in ((0, "F_H_G"), (3, "M_H_seg"), (6, "M_K_seg"), (9, "M_A_seg")):
        close(tau[:, columns : columns + 3], cases(out, key), 1e-8)
    for method in ("substitution", "stacked"):
        loads = gaitdyn.inverse_dynamics(**arguments, method=method)
        moments = loads.moment_S[:, ::-1].reshape(len(q), 9)
        close(tau[:, 3:], moments, 1e-9)
        close(tau[:, :3], loads.force_G[:, 2], 1e-9)


def test_row_1_9_two_cylinders_need_the_moments_and_forces_of_the_oracle() -> None:
    data = oracle("001_double_pendulum_3d")
    tree, given = two_cylinders(data), data["inverse_cases"]
    R1, R2, w1, w2, wd1, wd2 = (cases(given, k) for k in ("R1", "R2", "w1", "w2", "wd1", "wd2"))
    turn = np.swapaxes(R1, 1, 2) @ R2
    above = np.einsum("nji,nj->ni", turn, w1)
    rate = wd2 - np.einsum("nji,nj->ni", turn, wd1) + np.cross(w2, above)
    q = np.hstack([Rotation.from_matrix(R).as_quat() for R in (R1, turn)])
    v, a = np.hstack((w1, w2 - above)), np.hstack((wd1, rate))
    tau = tree.inverse(q, v, a).tau
    close(tau, np.hstack((cases(given, "M1_body1"), cases(given, "M2_body2"))), 1e-9)
    F1, F2 = reactions(tree, q, v, a)
    close(F1, cases(given, "F1_G"), 1e-9)
    close(F2, cases(given, "F2_G"), 1e-9)


def reactions(tree: Any, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """Return the forces of the support on the first body and of the first on the second."""
    state = tree.state(q, v)
    thrust = []
    for i, body in enumerate(tree.bodies):
        at = tree.point(state, body.name, body.com)
        seen = (np.einsum("nij,nj->ni", at.J, a) + at.bias)[:, :3]
        thrust.append(tree.masses[i] * (seen - tree.gravity))
    return thrust[0] + thrust[1], thrust[1]


@pytest.mark.slow
def test_row_1_9_two_cylinders_swing_as_the_oracle_does() -> None:
    """To 0.5 s; test_seed_space.py goes on to 3 s with the system that is built of this tree."""
    data = oracle("001_double_pendulum_3d")
    tree, wanted = two_cylinders(data), data["free_motion"][:3]
    start = np.r_[data["q0_xyzw"], data["v0"]]

    def slope(_: float, y: Array) -> Array:
        q = tree.normalised(y[:8])
        qdd = tree.forward(q, y[8:], np.zeros((1, 6)))
        return np.r_[tree.qdot(q, y[8:])[0], qdd[0]]

    times = [point["t"] for point in wanted]
    run = solve_ivp(slope, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12)
    q, v = tree.normalised(run.y.T[:, :8]), run.y.T[:, 8:]
    state, qdd = tree.state(q, v), tree.forward(q, v, np.zeros_like(v))
    F1, F2 = reactions(tree, q, v, qdd)
    for k, point in enumerate(wanted):
        limit = 10 * data["tol_state"][k]
        close(state.R[k], [point["R1"], point["R2"]], limit)
        close(v[k], np.r_[point["w1_body"], point["w2_rel_body2"]], 10 * limit)
        close(F1[k], point["F1_G"], 100 * limit)
        close(F2[k], point["F2_G"], 100 * limit)
    close(qdd[0], wanted[0]["qdd_spherical"], 1e-9)
    close(tree.energy(state).total, [point["energy"] for point in wanted], 1e-9)
    spin = np.zeros(len(q))
    for b, body in enumerate(tree.bodies):
        at = tree.point(state, body.name, body.com)
        inertia = state.R[:, b] @ tree.inertias[b] @ np.swapaxes(state.R[:, b], 1, 2)
        turning = np.einsum("nij,nj->ni", inertia, state.w[:, b])
        speed = np.einsum("nij,nj->ni", at.J, v)[:, :3]
        spin += (turning + tree.masses[b] * np.cross(at.x, speed))[:, 1]
    close(spin, [point["Ly_about_support"] for point in wanted], 1e-9)


# ------------------------------------- rows 3.1, 3.2, 4.1, 4.2: documents 003, 004


def test_rows_3_1_and_4_1_the_jacobian_form_gives_mass_matrix_and_velocity_terms() -> None:
    data = oracle("003_004_tree_manipulator")
    given, tree = data["cases"], manipulator(data)
    state = tree.state(cases(given, "q"), cases(given, "qd"))
    M, c, g = tree.dynamics(state)
    close(M, cases(given, "M"), 1e-10)
    close(c, cases(given, "coriolis_Cqd"), 1e-10)
    close(c - g, cases(given, "h_nle"), 1e-10)
    at = tree.point(state, "b3", tree.coms[3])
    close(at.J[:, :3], cases(given, "Jt_cg_body3"), 1e-10)
    close(at.J[:, 3:], cases(given, "JR_body3"), 1e-10)
    close(at.bias[:, :3], cases(given, "Jdot_qd_cg_body3"), 1e-10)


def test_row_4_2_gravity_the_centre_of_mass_and_an_outside_wrench() -> None:
    data = oracle("003_004_tree_manipulator")
    given, tree = data["cases"], manipulator(data)
    q, qd = cases(given, "q"), cases(given, "qd")
    state = tree.state(q, qd)
    close(tree.dynamics(state).g, cases(given, "tau_g"), 1e-10)
    J = tree.com(state).J
    close(J, cases(given, "Jcom"), 1e-10)
    weight = tree.masses.sum() * tree.gravity
    close(np.einsum("nij,i->nj", J, weight), cases(given, "tau_g_from_JcomT"), 1e-10)
    force, moment = cases(given, "f_ext"), cases(given, "m_ext")
    pushed = [AppliedWrench("b3", tree.coms[3], force, moment, frame="body")]
    terms = tree.inverse(q, qd, np.zeros_like(qd), pushed)
    close(-terms.E, cases(given, "tau_ext"), 1e-10)
    qdd = tree.forward(q, qd, cases(given, "tau"), pushed)
    relative(qdd, cases(given, "qdd"), 1e-10)


def test_row_3_2_the_corrected_recursion_agrees_and_the_printed_one_does_not() -> None:
    data = oracle("003_004_tree_manipulator")
    tree = manipulator(data)
    off = np.zeros(2)
    for case in data["cases"]:
        q, qd = np.array(case["q"]), np.array(case["qd"])
        M, c, g = (part[0] for part in tree.dynamics(tree.state(q, qd)))
        found_M, found_C = (part[0] for part in recursive(tree, q, qd))
        close(found_M, M, 1e-10)
        close(found_C, c - g, 1e-10)
        wrong_M, wrong_C = (part[0] for part in recursive(tree, q, qd, printed=True))
        off = np.maximum(off, [np.abs(wrong_M - M).max(), np.abs(wrong_C - c + g).max()])
    assert (off > 1.0).all()


# ---------------------------------------------------- rows 4.3 to 4.8: document 004


def biped_states() -> tuple[Any, Any, dict[str, Any], list[Any], Array, Array]:
    data = oracle("004_biped")
    given = data["cases"]
    tree = biped(data)
    q = cases(given, "q")
    v = cases([case["world_base"] for case in given], "v")
    return tree, tree.state(q, v), data, given, q, v


def to_world(tree: Any, state: Any) -> Array:
    """Return T of ``v_world_base = T v_body_base``."""
    T = np.tile(np.eye(tree.nv), (len(state.R), 1, 1))
    T[:, :3, :3] = state.R[:, 0]
    return T


def test_row_4_3_a_floating_base_in_both_conventions() -> None:
    tree, state, _, given, q, v = biped_states()
    T, world = to_world(tree, state), [case["world_base"] for case in given]
    close(np.einsum("nij,nj->ni", T, cases(given, "v")), v, 1e-12)
    M, c, g = tree.dynamics(state)
    close(np.swapaxes(T, 1, 2) @ M @ T, cases(given, "M"), 1e-10)
    close(c - g, cases(world, "h"), 1e-9)
    close(np.einsum("nji,nj->ni", T, g), cases(given, "tau_g"), 1e-9)
    S = driven(tree)
    close(S, np.hstack((np.zeros((12, 6)), np.eye(12))), 0)
    a = cases(world, "qdd")
    tau = tree.inverse(q, v, a).tau
    wrench, sole = cases(given, "wrench_sole_R"), Support("ankle_inv_R", [0.06, -0.07, 0.0])
    at = tree.point(state, sole.body, sole.point)
    ground = AppliedWrench("ankle_inv_R", at.x, wrench[:, :3], wrench[:, 3:])
    tau = tree.inverse(q, v, a, [ground]).tau
    close(residual(tree, tau), np.zeros((len(q), 6)), 1e-7)
    close(tau @ S.T, cases(given, "tau"), 1e-7)


def test_row_4_4_contact_jacobians_and_their_biases() -> None:
    tree, state, data, given, _, v = biped_states()
    world = [case["world_base"] for case in given]
    sole = tree.point(state, "ankle_inv_R", data["sole_centre"])
    close(sole.J, cases(world, "Jc_sole_R"), 1e-9)
    close(sole.bias, cases(world, "Jdot_v_sole_R"), 1e-9)
    left = tree.point(state, "ankle_inv_L", data["sole_centre"])
    close(left.J @ to_world(tree, state), cases(given, "Jc_sole_L"), 1e-9)
    for corner in data["corners"]:
        at = tree.point(state, "ankle_inv_R", corner)
        arm = at.x - sole.x
        moved = sole.J[:, :3] + np.cross(sole.J[:, 3:], arm[:, :, None], axis=1)
        close(at.J[:, :3], moved, 1e-12)
    assert np.isfinite(v).all()


def test_row_4_5_a_surface_contact_its_corners_and_double_support() -> None:
    tree, state, data, given, q, v = biped_states()
    tau = np.hstack((np.zeros((len(q), 6)), cases(given, "tau")))
    sole = Support("ankle_inv_R", data["sole_centre"])
    qdd, w = supported(tree, state, tau, [sole])
    wanted = cases([case["world_base"] for case in given], "qdd")
    relative(qdd, wanted, 1e-8)
    close(w, cases(given, "wrench_sole_R"), 1e-7)
    J, bias, x = tree.com(state)
    a_com = np.einsum("nij,nj->ni", J, qdd) + bias
    close(x, cases(given, "com"), 1e-9)
    close(a_com, cases(given, "com_acc"), 1e-7)
    close(tree.masses.sum() * (a_com - tree.gravity), w[:, :3], 1e-9)
    corners = [Support("ankle_inv_R", corner, "point") for corner in data["corners"]]
    with pytest.warns(RedundantContacts, match="6 of 12"):
        again, forces = supported(tree, state, tau, corners)
    relative(again, wanted, 1e-8)
    close(forces, cases(given, "corner_forces_minnorm"), 1e-7)
    both = data["double_support"]
    q, v = np.array(both["q"]), np.array(both["v"])
    assert not v.any()  # at rest the two conventions of the base differ by a turn only
    feet = [Support(f"ankle_inv_{side}", data["sole_centre"]) for side in SIDES]
    still = tree.state(q, v)
    qdd, w = supported(tree, still, np.r_[np.zeros(6), both["tau"]], feet)
    relative(qdd[0], to_world(tree, still)[0] @ both["qdd"], 1e-8)
    close(w[0], np.r_[both["wrench_R"], both["wrench_L"]], 1e-7)


def test_row_4_6_gravity_acts_on_the_centre_of_mass_alone() -> None:
    tree, state, _, given, q, v = biped_states()
    M, c, g = com_coordinates(tree, state)
    close(g, cases(given, "gravity_in_com_coordinates"), 1e-9)
    mass = tree.masses.sum()
    close(M[:, :3, :3], np.tile(mass * np.eye(3), (len(q), 1, 1)), 1e-9)
    close(M[:, :3, 3:], np.zeros((len(q), 3, tree.nv - 3)), 1e-9)
    close(c[:, :3], np.zeros((len(q), 3)), 1e-8)
    a = cases([case["world_base"] for case in given], "qdd")
    centre = tree.com(state)
    turned = a.copy()
    turned[:, :3] = np.einsum("nij,nj->ni", centre.J, a) + centre.bias
    tau = tree.inverse(q, v, a).tau
    A = np.tile(np.eye(tree.nv), (len(q), 1, 1))
    A[:, :3] = centre.J
    found = np.einsum("nij,nj->ni", M, turned) + c - g
    relative(np.einsum("nji,nj->ni", A, found), tau, 1e-9)


def test_induced_accelerations_add_up_and_equal_the_oracle() -> None:
    tree, state, data, given, q, _ = biped_states()
    tau = np.hstack((np.zeros((len(q), 6)), cases(given, "tau")))
    sole = Support("ankle_inv_R", data["sole_centre"])
    shares = induced(tree, state, tau, [sole])
    qdd, w = supported(tree, state, tau, [sole])
    relative(sum(share.qdd for share in shares.values()), qdd, 1e-12)
    relative(sum(share.w for share in shares.values()), w, 1e-12)
    relative(sum(share.a_com for share in shares.values()), cases(given, "com_acc"), 1e-9)
    for source in given[0]["induced"]:
        wanted = [case["induced"][source] for case in given]
        close(shares[source].a_com, cases(wanted, "com_acc"), 1e-7)
        close(shares[source].w, cases(wanted, "wrench"), 1e-7)
    assert set(shares) - set(given[0]["induced"]) == {"hat"}
    assert not shares["hat"].qdd.any()


def test_row_4_7_the_wrench_cone_decides_as_the_oracle_does() -> None:
    cone = oracle("004_biped")["wrench_cone"]
    samples = cone["samples"]
    w = cases(samples, "w")
    margin = wrench_margin(w, cone["X"], cone["Y"], cone["mu"])
    assert wrench_cone(cone["X"], cone["Y"], cone["mu"]).shape == (16, 6)
    assert ((margin >= 0) == cases(samples, "inside")).all()
    close(margin / w[:, 2], cases(samples, "margin_over_fz"), 1e-12)
    inside = w[cases(samples, "inside") > 0]
    assert (friction_margin(inside[:, :3], cone["mu"]) >= 0).all()


def test_row_4_8_the_block_slides_or_sticks() -> None:
    block = oracle("004_biped")["sliding_block"]
    given = block["cases"]
    found = sliding_block(
        cases(given, "u"), cases(given, "v"), block["m"], block["mu_k"], block["mu_s"]
    )
    close(found, cases(given, "acc"), 1e-14)
