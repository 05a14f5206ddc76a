"""Trees whose answers can be seen without calculating, conventions, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gaitdyn.errors import ArrayShapeError, GaitdynError, TreeRefused
from gaitdyn.multibody import AppliedWrench, Body, Terms, Tree, com_coordinates, driven, residual

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

X, Y, Z = np.eye(3)
G = np.array([0.0, -9.81, 0.0])
BALL = 0.1 * np.eye(3)
TWO = np.diag([0.1, 0.2, 0.3])
WHEEL = Tree([Body("wheel", None, "revolute", inertia=TWO)], G)


def rod(name: str, parent: str | None, p: Any = (0.0, 0.0, 0.0), mass: float = 2.0) -> Body:
    """Return a uniform rod of 1 m along its own -y that turns about z."""
    inertia = np.diag([mass / 12, 0.0, mass / 12])
    return Body(name, parent, "revolute", mass, -0.5 * Y, inertia, np.array(p))


def arm() -> Tree:
    """Return a bead of 2 kg that slides along x on an arm of no mass turning about z."""
    bead = Body("bead", "arm", "prismatic", 2.0, axis=X)
    return Tree([Body("arm", None, "revolute"), bead], [0.0, 0.0, 0.0])


def test_a_level_rod_needs_half_its_weight_times_its_length() -> None:
    terms = Tree([rod("rod", None)], G).inverse([[np.pi / 2]], [[0.0]], [[0.0]])
    assert_allclose(terms.tau, [[2.0 * 9.81 * 0.5]])
    assert_allclose(terms.G, terms.tau)


def test_a_double_pendulum_has_the_textbook_matrices() -> None:
    tree = Tree([rod("one", None), rod("two", "one", (0.0, -1.0, 0.0))], G)
    q2, w1, w2 = 0.7, 1.5, -0.4
    M, c, g = tree.dynamics(tree.state([[0.2, q2]], [[w1, w2]]))
    k = 2.0 * 1.0 * 0.5
    assert_allclose(M[0, 0, 0], 2 / 3 + 2 / 3 + 2.0 + 2 * k * np.cos(q2))
    assert_allclose(M[0, 0, 1], 2 / 3 + k * np.cos(q2))
    assert_allclose(M[0, 1, 1], 2 / 3)
    assert_allclose(c[0, 0], -k * np.sin(q2) * (2 * w1 * w2 + w2**2))
    assert_allclose(c[0, 1], k * np.sin(q2) * w1**2)
    assert_allclose(g[0, 1], -2.0 * 9.81 * 0.5 * np.sin(0.2 + q2))


def test_a_bead_on_a_turning_arm_is_thrown_out_and_dragged_along() -> None:
    r, rd, w = 1.5, 0.4, 3.0
    terms = arm().inverse([[0.3, r]], [[w, rd]], [[0.0, 0.0]])
    assert_allclose(terms.C, [[2 * 2.0 * r * rd * w, -2.0 * r * w**2]])
    assert_allclose(arm().inverse([[0.3, r]], [[w, rd]], [[1.0, 1.0]]).M, [[2.0 * r**2, 2.0]])


def test_a_spinning_top_needs_a_moment_to_keep_its_turning() -> None:
    tree = Tree([Body("top", None, "ball", 1.0, inertia=TWO)], [0.0, 0.0, 0.0])
    turn = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_quat()
    w = np.array([1.0, -2.0, 3.0])
    assert_allclose(tree.inverse(turn, w, np.zeros(3)).tau, [np.cross(w, TWO @ w)])


def test_a_thrown_body_falls_with_gravity_whatever_it_spins() -> None:
    tree = Tree([Body("ball", None, "free", 1.0, inertia=BALL)], G)
    q = np.r_[1.0, 2.0, 3.0, Rotation.from_rotvec([0.3, -0.8, 0.5]).as_quat()]
    v = [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    assert_allclose(tree.forward(q, v, np.zeros(6)), [[0, -9.81, 0, 0, 0, 0]], atol=1e-13)


def test_the_free_joint_has_world_linear_and_body_angular_velocities() -> None:
    tree = Tree([Body("box", None, "free", 1.0, inertia=TWO)], G)
    quarter = np.r_[0.0, 0.0, 0.0, Rotation.from_rotvec(np.pi / 2 * Z).as_quat()]
    state = tree.state(quarter, [1.0, 0.0, 0.0, 2.0, 0.0, 0.0])
    assert_allclose(state.v[0, 0], X, atol=1e-15)
    assert_allclose(state.w[0, 0], 2.0 * Y, atol=1e-15)


def test_quaternions_are_x_y_z_w() -> None:
    tree = Tree([Body("box", None, "ball", 1.0, inertia=TWO)], G)
    half = np.sqrt(0.5)
    R = tree.state([0.0, 0.0, half, half], np.zeros(3)).R[0, 0]
    assert_allclose(R @ X, Y, atol=1e-15)
    assert_allclose(tree.neutral(), [0, 0, 0, 1])


def test_qdot_is_the_derivative_of_the_coordinates() -> None:
    rng = np.random.default_rng(3)
    tree = Tree(
        [Body("root", None, "free", 1.0, inertia=TWO), Body("b", "root", "ball", 1.0, inertia=TWO)],
        G,
    )
    q = tree.normalised(rng.normal(size=(5, tree.nq)))
    v = rng.normal(size=(5, tree.nv))
    h = 1e-6
    ahead = tree.state(tree.normalised(q + h * tree.qdot(q, v)), v)
    behind = tree.state(tree.normalised(q - h * tree.qdot(q, v)), v)
    now = tree.state(q, v)
    turn = (ahead.R - behind.R) / (2 * h) @ np.swapaxes(now.R, 2, 3)
    assert_allclose(turn[..., [2, 0, 1], [1, 2, 0]], now.w, atol=1e-8)
    assert_allclose((ahead.p - behind.p) / (2 * h), now.v, atol=1e-8)
    assert_allclose(np.einsum("ni,ni->n", q[:, 3:7], tree.qdot(q, v)[:, 3:7]), 0, atol=1e-14)


def test_energy_changes_by_the_power_of_the_joints() -> None:
    rng = np.random.default_rng(4)
    bodies = [rod("a", None), Body("b", "a", "ball", 1.0, X, TWO, -Y)]
    tree = Tree([*bodies, Body("c", "b", "prismatic", 0.5, Y, BALL, X, Z + X)], G)
    q, v = tree.normalised(rng.normal(size=(4, tree.nq))), rng.normal(size=(4, tree.nv))
    tau, h = rng.normal(size=(4, tree.nv)), 1e-5
    a, qd = tree.forward(q, v, tau), tree.qdot(q, v)

    def energy(step: float) -> Array:
        at = tree.normalised(q + step * qd)
        return tree.energy(tree.state(at, v + step * a)).total

    power = (energy(h) - energy(-h)) / (2 * h)
    assert_allclose(power, np.einsum("ni,ni->n", tau, v), atol=1e-7)


def test_a_contact_may_be_placed_in_the_world_or_in_the_body() -> None:
    tree = Tree([rod("rod", None)], G)
    q = [[np.pi / 2]]
    held = AppliedWrench("rod", [1.0, 0.0, 0.0], [0.0, 9.81, 0.0])
    assert_allclose(tree.inverse(q, [[0.0]], [[0.0]], [held]).tau, [[0.0]], atol=1e-14)
    same = AppliedWrench("rod", [0.0, -1.0, 0.0], [0.0, 9.81, 0.0], frame="body")
    assert_allclose(tree.forward(q, [[0.0]], [[0.0]], [same]), [[0.0]], atol=1e-14)
    twisted = AppliedWrench("rod", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 3.0])
    assert_allclose(tree.inverse(q, [[0.0]], [[0.0]], [twisted]).E, [[-3.0]])


def test_a_standing_body_leaves_its_unexplained_load_as_the_residual() -> None:
    tree = Tree([Body("box", None, "free", 10.0, inertia=TWO), rod("leg", "box")], G)
    q, zero = tree.neutral(), np.zeros(tree.nv)
    tau = tree.inverse(q, zero, zero, [AppliedWrench("leg", [0, -1, 0], [0, 100.0, 0])]).tau
    assert_allclose(residual(tree, tau), [[0, 12 * 9.81 - 100, 0, 0, 0, 0]], atol=1e-12)
    assert_allclose(driven(tree), [[0, 0, 0, 0, 0, 0, 1]])
    g = com_coordinates(tree, tree.state(q, zero)).g
    assert_allclose(g, [[0, -12 * 9.81, 0, 0, 0, 0, 0]], atol=1e-12)


def test_the_signs_of_the_texts_are_views_of_the_same_numbers() -> None:
    rng = np.random.default_rng(5)
    terms = Terms(*rng.normal(size=(4, 2, 3)))
    v = {signs: terms.view(signs).terms for signs in ("gaitdyn", "duarte", "watanabe")}  # type: ignore[arg-type]
    d, w, own = v["duarte"], v["watanabe"], v["gaitdyn"]
    assert_allclose(d["tau"], d["M qdd"] + d["C"] + d["G"] + d["E"])
    assert_allclose(w["M qdd"], w["C"] + w["G"] + w["Q"] + w["E"])
    assert_allclose(own["M qdd"] + own["c"], own["tau"] + own["g"] + own["J^T w"])
    p = terms.view("pymbs").terms
    assert_allclose(p["M qdd"] + p["h"], p["f"] + p["W lambda"])
    c = terms.view("caron").terms
    assert_allclose(c["M qdd"] + c["qd^T C qd"], c["tau"] + c["tau_g"] + c["J^T f"])


def test_a_gap_stays_in_its_frame() -> None:
    tree = Tree([Body("box", None, "free", 1.0, inertia=TWO), rod("leg", "box")], G)
    q = np.tile(tree.neutral(), (3, 1))
    q[1] = np.nan
    out = tree.forward(q, np.zeros((3, 7)), np.zeros((3, 7)))
    assert np.isnan(out[1]).all()
    assert np.isfinite(out[[0, 2]]).all()


def test_no_frames_give_no_matrices() -> None:
    none = np.empty((0, 1))
    M, c, g = WHEEL.dynamics(WHEEL.state(none, none))
    assert (M.shape, c.shape, g.shape) == ((0, 1, 1), (0, 1), (0, 1))


REFUSED = {
    "knee has the parent 'hip'": lambda: Tree([rod("knee", "hip")], G),
    "two bodies are called": lambda: Tree([rod("a", None), rod("a", "a")], G),
    "without bodies": lambda: Tree([], G),
    "neither mass nor inertia": lambda: Tree([rod("a", None), Body("b", "a", "revolute")], G),
    "unknown joint": lambda: Body("a", None, "hinge", 1.0),  # type: ignore[arg-type]
    "a mass of -1": lambda: Body("a", None, "ball", -1.0),
    "not symmetric": lambda: Body("a", None, "ball", 1.0, inertia=np.triu(np.ones((3, 3)))),
    "negative principal": lambda: Body("a", None, "ball", 1.0, inertia=np.diag([1.0, 1.0, -1.0])),
    "length 0": lambda: Body("a", None, "revolute", 1.0, axis=np.zeros(3)),
    "not a rotation": lambda: Body("a", None, "ball", 1.0, R0=np.diag([1.0, 1.0, -1.0])),
    "not a number": lambda: Body("a", None, "ball", 1.0, com=np.full(3, np.nan)),
    "connects a body to the world": lambda: Tree([rod("a", None), Body("b", "a", "free", 1.0)], G),
    "with p = 0": lambda: Body("a", None, "free", 1.0, p=X),
    "no body is called 'toe'": lambda: arm().point(arm().state([0, 1], [0, 0]), "toe", X),
    "'heel'": lambda: arm().forward([0, 1], [0, 0], [0, 0], [AppliedWrench("heel", X, X)]),
    "wanted world or body": lambda: arm().forward(
        [0, 1], [0, 0], [0, 0], [AppliedWrench("bead", X, X, X, frame="lab")]  # type: ignore[arg-type]
    ),
    "singular": lambda: arm().forward([0.0, 0.0], [0.0, 0.0], [1.0, 0.0]),
    "0 free bodies": lambda: residual(arm(), np.zeros((1, 2))),
    "without mass": lambda: WHEEL.com(WHEEL.state([0.0], [0.0])),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_no_tree_is_refused_in_words(words: str) -> None:
    with pytest.raises(TreeRefused, match=words) as caught:
        REFUSED[words]()
    assert isinstance(caught.value, GaitdynError)
    assert "\n" not in str(caught.value)


def test_a_quaternion_that_is_none_is_refused_with_its_frame() -> None:
    tree = Tree([Body("a", None, "ball", 1.0, inertia=TWO)], G)
    q = np.tile(tree.neutral(), (3, 1))
    q[2] *= 1.001
    with pytest.raises(TreeRefused, match=r"frame 2 has length 1\.001"):
        tree.state(q, np.zeros((3, 3)))


@pytest.mark.parametrize(
    ("q", "v", "words"),
    [
        ([[0.0]], [[0.0, 0.0]], r"q has shape \(1, 1\), wanted \(n, 2\)"),
        ([[0.0, 1.0]], [[0.0]], r"v has shape \(1, 1\), wanted \(n, 2\)"),
        (np.zeros((3, 2)), np.zeros((2, 2)), "q has 3 frames, v has 2"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(q: Any, v: Any, words: str) -> None:
    with pytest.raises(ArrayShapeError, match=words):
        arm().state(q, v)


def test_loads_and_points_that_do_not_fit_are_refused() -> None:
    state = arm().state(np.zeros((3, 2)), np.zeros((3, 2)))
    with pytest.raises(ArrayShapeError, match=r"r of bead has shape \(2, 3\)"):
        arm().point(state, "bead", np.zeros((2, 3)))
    with pytest.raises(ArrayShapeError, match="force of a contact"):
        arm().forward([0, 1], [0, 0], [0, 0], [AppliedWrench("bead", X, np.zeros((2, 3)))])
    with pytest.raises(ArrayShapeError, match="tau has 2 frames"):
        arm().forward(np.ones((3, 2)), np.zeros((3, 2)), np.zeros((2, 2)))


def test_a_state_cannot_be_written_to() -> None:
    state = arm().state([0.0, 1.0], [0.0, 0.0])
    with pytest.raises(ValueError, match="read-only"):
        state.Jp[0, 0, 0, 0] = 1.0
