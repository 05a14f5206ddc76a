"""Rows of documents 001, 003 and 004: the stacked chain, trees, loops, the biped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from seed_pages.row import Row, gap, share

import gaitdyn
from gaitdyn.dynamics.stacked import stacked_system
from gaitdyn.multibody import (
    AppliedWrench,
    Support,
    com_coordinates,
    crank_slider,
    driven,
    four_bar,
    four_bar_transmission,
    induced,
    recursive,
    residual,
    sliding_block,
    supported,
    transmission,
    wrench_margin,
)
from tests.peer.random_tree import KINDS as JOINTS
from tests.peer.random_tree import random_tree
from tests.peer.seed_trees import biped, cases, leg, manipulator, oracle, two_cylinders
from tests.peer.test_oracles import stacked_case
from tests.peer.test_seed_trees import leg_arguments, leg_motion, reactions, to_world
from tests.unit.test_closed_forms import BOTH, KINDS, compare
from tests.unit.test_recursive import gaps
from tests.unit.test_symbolic_bodies import arm

if TYPE_CHECKING:
    from collections.abc import Iterator

TREES, LOOPS = "tests/peer/test_seed_trees.py", "tests/peer/test_seed_loops.py"
ORACLES = "tests/peer/test_oracles.py"


def chain() -> Iterator[Row]:
    """Yield the rows of document 001."""
    data = oracle("001_stacked_chain")
    frames = data["frames"]
    for free, number, key in ((True, "1.1-1.5", "out"), (False, "1.6", "out_without_free_moment")):
        loads = gaitdyn.inverse_dynamics(**stacked_case(frames, data, free=free), method="stacked")
        moment_G = (loads.chain.R_GS @ loads.moment_S[..., None])[..., 0]
        out = [frame[key] for frame in frames]
        off = [gap(moment_G[:, i], cases(out, f"M_{j}_G")) for i, j in enumerate("AKH")]
        if free:
            off += [gap(loads.force_G[:, i], cases(out, f"F_{j}_G")) for i, j in enumerate("AKH")]
            A = stacked_system(loads.chain).A[:, :12, :12]
            off.append(float(np.abs(np.linalg.det(A) - 1).max()))
        word = "with" if free else "without"
        test = "test_the_stacked_chain" if free else "test_the_seed_without_the_free_moment"
        yield Row(
            number, f"foot, shank, thigh {word} the free moment, 23 frames, N and N m",
            "`dynamics/stacked.py` `stacked_system`, `solve_stacked`",
            "pinocchio, MuJoCo, global Newton-Euler (001)", max(off), 1e-8, f"{ORACLES}::{test}",
        )  # fmt: skip
    tree, arguments = leg(data), leg_arguments(frames, data)
    q, v, a = leg_motion(tree, arguments)
    cop, force, moment = (cases(frames, k) for k in ("cop_G", "GRF_G", "free_moment_G"))
    ground = AppliedWrench("foot", cop, force, moment)
    tau = tree.inverse(q, v, a, [ground]).tau
    off = []
    for method in ("substitution", "stacked"):
        loads = gaitdyn.inverse_dynamics(**arguments, method=method)
        off.append(gap(tau[:, 3:], loads.moment_S[:, ::-1].reshape(len(q), 9)))
    yield Row(
        "1.7", "one solve, the recursion and generalised coordinates, N m",
        "`solve_stacked`, `solve_by_substitution`, `Tree.inverse`", "each other", max(off), 1e-9,
        f"{TREES}::test_row_1_7",
    )  # fmt: skip
    yield from cylinders()


def cylinders() -> Iterator[Row]:
    """Yield problem 2 of document 001."""
    data = oracle("001_double_pendulum_3d")
    tree, given = two_cylinders(data), data["inverse_cases"]
    R1, R2, w1, w2, wd1, wd2 = (cases(given, k) for k in ("R1", "R2", "w1", "w2", "wd1", "wd2"))
    turn = np.swapaxes(R1, 1, 2) @ R2
    above = np.einsum("nji,nj->ni", turn, w1)
    rate = wd2 - np.einsum("nji,nj->ni", turn, wd1) + np.cross(w2, above)
    q = np.hstack([Rotation.from_matrix(R).as_quat() for R in (R1, turn)])
    v, a = np.hstack((w1, w2 - above)), np.hstack((wd1, rate))
    tau = tree.inverse(q, v, a).tau
    off = [gap(tau, np.hstack((cases(given, "M1_body1"), cases(given, "M2_body2"))))]
    off += [gap(F, cases(given, f"F{i}_G")) for i, F in enumerate(reactions(tree, q, v, a), 1)]
    yield Row(
        "1.9", "two cylinders on ball joints: moments and forces of five states, N m and N",
        "`Tree.inverse`", "Newton-Euler, pinocchio (001)", max(off), 1e-9, f"{TREES}::test_row_1_9",
    )  # fmt: skip
    motion = data["free_motion"]

    def slope(_: float, y: Any) -> Any:
        q = tree.normalised(y[:8])
        return np.r_[tree.qdot(q, y[8:])[0], tree.forward(q, y[8:], np.zeros((1, 6)))[0]]

    times = [point["t"] for point in motion]
    start = np.r_[data["q0_xyzw"], data["v0"]]
    run = solve_ivp(slope, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12)
    state = tree.state(tree.normalised(run.y.T[:, :8]), run.y.T[:, 8:])
    energy = gap(tree.energy(state).total, [point["energy"] for point in motion])
    yield Row(
        "1.9", f"their free motion to {times[-1]:g} s: energy, J", "`Tree.forward`",
        "pinocchio with DOP853, MuJoCo (001)", energy, 1e-9,
        "tests/peer/test_seed_space.py::test_row_1_9",
    )  # fmt: skip


def tree_rows() -> Iterator[Row]:
    """Yield the rows of the five-joint tree."""
    data = oracle("003_004_tree_manipulator")
    given, tree = data["cases"], manipulator(data)
    q, qd = cases(given, "q"), cases(given, "qd")
    state = tree.state(q, qd)
    M, c, g = tree.dynamics(state)
    found = max(gap(M, cases(given, "M")), gap(c, cases(given, "coriolis_Cqd")))
    test = f"{TREES}::test_rows_3_1_and_4_1"
    yield Row(
        "3.1, 4.1", "mass matrix and velocity terms, five joints, one prismatic, a branch",
        "`multibody/dynamics.py` `matrices`", "pinocchio (003, 004)", found, 1e-10, test,
    )  # fmt: skip
    one = recursive(tree, q, qd)
    yield Row(
        "3.2", "corrected recursion of the document", "`multibody/recursive.py` `recursive`",
        "pinocchio (003)", max(gap(one.M, M), gap(one.C, c - g)), 1e-10, f"{TREES}::test_row_3_2",
    )  # fmt: skip
    force, moment = cases(given, "f_ext"), cases(given, "m_ext")
    push = [AppliedWrench("b3", tree.coms[3], force, moment, frame="body")]
    outside = -tree.inverse(q, qd, np.zeros_like(qd), push).E
    found = max(
        gap(g, cases(given, "tau_g")),
        gap(tree.com(state).J, cases(given, "Jcom")),
        gap(outside, cases(given, "tau_ext")),
    )
    yield Row(
        "4.2", "gravity terms, Jacobian of the centre of mass, a wrench on a body",
        "`Tree.dynamics`, `Tree.com`, `Contact`", "pinocchio (004)", found, 1e-10,
        f"{TREES}::test_row_4_2",
    )  # fmt: skip


def loop_rows() -> Iterator[Row]:
    """Yield the rows of the closed loops."""
    makers = {
        "FourBar": four_bar, "CrankSlider": crank_slider, "FourBarTrans": four_bar_transmission,
    }  # fmt: skip
    for name, make in makers.items():
        data = oracle("003_loops")[name]
        loop, given = make(**data["params"]), data["cases"]
        q, qd, tau = (cases(given, key) for key in ("q", "qd", "tau"))
        found = loop.multipliers(q, qd, tau)
        yield Row(
            "3.3", f"{name}: multipliers and accelerations", "`constraint.kkt`, `Loop.multipliers`",
            "40-digit Lagrangian, pinocchio (003)",
            max(share(found.w, cases(given, "lambda_xy")), share(found.qdd, cases(given, "qdd"))),
            1e-9, f"{LOOPS}::test_row_3_3", " rel",
        )  # fmt: skip
        reduced = loop.reduced(q, qd)
        closed = loop.close(cases(given, "u"), q[:, loop.u :] + 0.05, branch=1)
        found = max(
            share(closed, q),
            share(reduced.B, cases(given, "B_vu")),
            gap(reduced.b, cases(given, "b_prime")) / max(1e-3, abs(cases(given, "b_prime")).max()),
            share(reduced.M, cases(given, "M_red")),
            share(loop.forward(q, qd, tau), cases(given, "qdd")),
        )
        yield Row(
            "3.4", f"{name}: v = H(u), B, b', reduced M, accelerations",
            "`Loop.close`, `constraint.reduce`", "40-digit Lagrangian, pinocchio (003)", found,
            1e-9, f"{LOOPS}::test_row_3_4", " rel",
        )  # fmt: skip
    data = oracle("003_loops")["Transmission"]
    loop = transmission(**data["params"])
    q, tau = [[0.4, 0.4 * data["params"]["ratio"]]], [data["tau1"], data["tau2"]]
    found = loop.multipliers(q, loop.velocities(q, [2.0]), tau)
    off = max(share(found.qdd[0, 0], data["u_dd"]), share(found.w[0, 0], data["lam_on_q2"]))
    yield Row(
        "3.4", "Transmission: acceleration and multiplier", "`loops.transmission`", "by hand (003)",
        off, 1e-9, f"{LOOPS}::test_row_3_4", " rel",
    )  # fmt: skip


def biped_rows() -> Iterator[Row]:
    """Yield the rows of the biped."""
    data = oracle("004_biped")
    given, tree = data["cases"], biped(data)
    world = [case["world_base"] for case in given]
    q, v, a = cases(given, "q"), cases(world, "v"), cases(world, "qdd")
    state = tree.state(q, v)
    M, c, g = tree.dynamics(state)
    T = to_world(tree, state)
    off = [gap(np.swapaxes(T, 1, 2) @ M @ T, cases(given, "M")), gap(c - g, cases(world, "h"))]
    yield Row(
        "4.3", "floating base: mass matrix, c - g", "root joint `free`; `floating.driven`",
        "pinocchio, MuJoCo (004)", max(off), 1e-9, f"{TREES}::test_row_4_3",
    )  # fmt: skip
    wrench = cases(given, "wrench_sole_R")
    foot = tree.point(state, "ankle_inv_R", data["sole_centre"])
    held = AppliedWrench("ankle_inv_R", foot.x, wrench[:, :3], wrench[:, 3:])
    tau = tree.inverse(q, v, a, [held]).tau
    off = max(
        gap(residual(tree, tau), np.zeros((len(q), 6))),
        gap(tau @ driven(tree).T, cases(given, "tau")),
    )
    yield Row(
        "4.3", "residual of the base, torques back, N and N m", "`floating.residual`",
        "pinocchio (004)", off, 1e-7, f"{TREES}::test_row_4_3",
    )  # fmt: skip
    off = max(gap(foot.J, cases(world, "Jc_sole_R")), gap(foot.bias, cases(world, "Jdot_v_sole_R")))
    yield Row(
        "4.4", "contact Jacobian and its bias", "`Tree.point`, `Support`", "pinocchio (004)", off,
        1e-9, f"{TREES}::test_row_4_4",
    )  # fmt: skip
    yield from contacts(data, tree, state)
    turned = com_coordinates(tree, state).g
    yield Row(
        "4.6", "gravity in centre-of-mass coordinates, N", "`floating.com_coordinates`",
        "(0, -m g, 0, ...) (004)", gap(turned, cases(given, "gravity_in_com_coordinates")), 1e-9,
        f"{TREES}::test_row_4_6",
    )  # fmt: skip
    yield from floor_rows(data)


def floor_rows(data: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of friction: the cone of a sole, the block."""
    cone = data["wrench_cone"]
    w = cases(cone["samples"], "w")
    margin = wrench_margin(w, cone["X"], cone["Y"], cone["mu"])
    wrong = int(((margin >= 0) != cases(cone["samples"], "inside")).sum())
    yield Row(
        "4.7", f"wrench cone: wrong answers in {len(w)} samples", "`cones.wrench_margin`",
        "linear programme over four corners (004)", float(wrong), 0, f"{TREES}::test_row_4_7",
    )  # fmt: skip
    block = data["sliding_block"]
    u, speed, acc = (cases(block["cases"], k) for k in ("u", "v", "acc"))
    found = sliding_block(u, speed, block["m"], block["mu_k"], block["mu_s"])
    yield Row(
        "4.8", "sliding block: acceleration, m/s2", "`cones.sliding_block`", "by hand (004)",
        gap(found, acc), 1e-14, f"{TREES}::test_row_4_8",
    )  # fmt: skip


def contacts(data: dict[str, Any], tree: Any, state: Any) -> Iterator[Row]:
    """Yield the rows of surface contacts."""
    given = data["cases"]
    wanted = cases([case["world_base"] for case in given], "qdd")
    tau = np.hstack((np.zeros((len(given), 6)), cases(given, "tau")))
    sole = [Support("ankle_inv_R", data["sole_centre"])]
    corners = [Support("ankle_inv_R", corner, "point") for corner in data["corners"]]
    qdd, w = supported(tree, state, tau, sole)
    forces = supported(tree, state, tau, corners, redundant="allow").w
    both = data["double_support"]
    feet = [Support(f"ankle_inv_{side}", data["sole_centre"]) for side in "RL"]
    still = tree.state(np.array(both["q"]), np.array(both["v"]))
    twice = supported(tree, still, np.r_[np.zeros(6), both["tau"]], feet).w[0]
    found = max(
        gap(w, cases(given, "wrench_sole_R")),
        gap(forces, cases(given, "corner_forces_minnorm")),
        gap(twice, np.r_[both["wrench_R"], both["wrench_L"]]),
    )
    test = f"{TREES}::test_row_4_5"
    yield Row(
        "4.5", "wrench under a foot, four corners, both feet, N and N m", "`induced.supported`",
        "pinocchio (004)", found, 1e-7, test,
    )  # fmt: skip
    yield Row(
        "4.5", "accelerations on a foot", "`induced.supported`", "pinocchio (004)",
        share(qdd, wanted), 1e-8, test, " rel",
    )  # fmt: skip
    total = sum(part.qdd for part in induced(tree, state, tau, sole).values())
    yield Row(
        "4.5", "induced accelerations add up", "`induced.induced`", "itself", share(total, qdd),
        1e-12, f"{TREES}::test_induced_accelerations", " rel",
    )  # fmt: skip


def new_rows() -> Iterator[Row]:
    """Yield closed forms against Newton's method, the recursion and symbols on random trees."""
    for kind in KINDS:
        found = compare(kind, 500, 12, BOTH)
        yield Row(
            "3.4", f"{kind}: closed form against Newton, {found['closed']} postures, "
            f"{found['refused']} refused, {found['dead']} at a dead centre",
            "`multibody/closed_form.py`", "`constraint.close`",
            max(found["v"], found["B"], found["b"]), 1e-12,
            "tests/unit/test_closed_forms.py::test_a_hundred_linkages",
        )  # fmt: skip
    rng, off = np.random.default_rng(5), 0.0
    for i in range(60):
        root = ("free", "ball", "cardan", "revolute", "prismatic", "fixed")[i % 6]
        tree = random_tree(rng, int(rng.integers(5, 10)), root, ("cardan", *JOINTS))
        off = max(off, *gaps(tree, 3, rng))
    yield Row(
        "3.2", "recursion against the Jacobian form, 60 random trees of all joints",
        "`multibody/recursive.py`", "`Tree.dynamics`", off, 1e-12,
        "tests/unit/test_recursive.py::test_the_recursion", " rel",
    )  # fmt: skip
    off = 0.0
    for joints in (2, 3):
        tree = arm(joints)
        q, v = rng.uniform(-2, 2, (2, 50, joints))
        got, wanted = tree.symbolic().functions().numpy()(q, v), tree.dynamics(tree.state(q, v))
        off = max(off, *(share(got[k], part) for k, part in zip("Mhf", wanted, strict=True)))
    yield Row(
        "3.1", "symbolic M, h, f from bodies and joints against numbers, 2 and 3 hinges",
        "`Tree.symbolic`", "`Tree.dynamics`", off, 1e-12,
        "tests/unit/test_symbolic_bodies.py::test_short_mass_matrices", " rel",
    )  # fmt: skip
