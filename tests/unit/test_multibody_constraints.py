"""Multipliers, loops at their dead centres and on the wrong side, cones, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from gaitdyn.errors import ArrayShapeError, ConstraintRefused, SingularPosture, WrongBranch
from gaitdyn.multibody import (
    AppliedWrench,
    Body,
    Loop,
    RedundantContacts,
    Support,
    Tree,
    close,
    crank_slider,
    four_bar,
    four_bar_transmission,
    friction_margin,
    induced,
    invert,
    kkt,
    sliding_block,
    supported,
    wrench_cone,
    wrench_margin,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

G = np.array([0.0, -9.81, 0.0])
DEAD = np.arccos(-5.0 / 16.0)  # B to D is then l3 + l4 = 5: coupler and rocker in one line


def short_loop() -> Loop:
    return four_bar(l1=4.0, l2=2.0, l3=2.0, l4=3.0)


def box() -> Tree:
    return Tree([Body("box", None, "free", 10.0, inertia=np.eye(3))], G)


def test_a_box_on_one_surface_is_carried() -> None:
    tree = box()
    state = tree.state(tree.neutral(), np.zeros(6))
    qdd, w = supported(tree, state, np.zeros(6), [Support("box", (0.5, -1.0, 0.0))])
    assert_allclose(qdd, 0, atol=1e-12)
    assert_allclose(w, [[0, 98.1, 0, 0, 0, -0.5 * 98.1]], atol=1e-12)


def test_redundant_contacts_warn_and_share_by_the_smallest_norm() -> None:
    tree = box()
    state = tree.state(tree.neutral(), np.zeros(6))
    corners = [Support("box", (x, -1.0, z), "point") for x in (-1.0, 1.0) for z in (-1.0, 1.0)]
    with pytest.warns(RedundantContacts, match="6 of 12 constraint rows depend on others"):
        qdd, w = supported(tree, state, np.zeros(6), corners)
    assert_allclose(qdd, 0, atol=1e-12)
    assert_allclose(w.reshape(4, 3), np.tile([0, 98.1 / 4, 0], (4, 1)), atol=1e-11)
    again = supported(tree, state, np.zeros(6), corners, redundant="allow")
    assert_allclose(again.w, w)
    with pytest.raises(ConstraintRefused, match="depend on others"):
        supported(tree, state, np.zeros(6), corners, redundant="refuse")


def test_constraints_that_contradict_each_other_are_refused() -> None:
    J = np.array([[[1.0, 0.0], [2.0, 0.0]]])
    with pytest.raises(ConstraintRefused, match="contradict each other in frame 0"):
        kkt(np.eye(2)[None], np.zeros((1, 2)), J, np.array([[1.0, 3.0]]), redundant="allow")


def test_multipliers_leave_a_gap_in_its_frame() -> None:
    M = np.tile(np.eye(2), (3, 1, 1))
    M[1] = np.nan
    J = np.tile([[1.0, 0.0]], (3, 1, 1))
    qdd, w = kkt(M, np.ones((3, 2)), J, np.zeros((3, 1)))
    assert np.isnan(qdd[1]).all()
    assert_allclose(qdd[[0, 2]], [[0, 1], [0, 1]])
    assert_allclose(w[[0, 2]], -1)


def test_shares_of_all_sources_add_up_with_known_forces_and_supports() -> None:
    rng = np.random.default_rng(1)
    J = np.diag([0.1, 0.2, 0.3])
    upper = Body("upper", "box", "ball", 2.0, np.array([0.1, -0.4, 0.0]), J)
    lower = Body("lower", "upper", "revolute", 1.0, np.array([0.0, -0.3, 0.1]), J, -G / 20)
    tree = Tree([*box().bodies, upper, lower], G)
    q, v = tree.normalised(rng.normal(size=(3, tree.nq))), rng.normal(size=(3, tree.nv))
    tau, state = rng.normal(size=(3, tree.nv)), tree.state(q, v)
    contacts = [
        AppliedWrench("upper", rng.normal(size=3), rng.normal(size=3)),
        Support("lower", (0.0, -0.5, 0.0)),
    ]
    shares = induced(tree, state, tau, contacts)
    assert list(shares) == ["gravity", "velocity", "box", "upper", "lower", "contact upper"]
    whole = supported(tree, state, tau, contacts)
    centre = tree.com(state)
    a_com = np.einsum("nij,nj->ni", centre.J, whole.qdd) + centre.bias
    for found, wanted in (("qdd", whole.qdd), ("w", whole.w), ("a_com", a_com)):
        total = np.sum([getattr(share, found) for share in shares.values()], axis=0)
        assert_allclose(total, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
    free = induced(tree, state, tau)
    assert_allclose(free["gravity"].a_com, np.tile(G, (3, 1)), atol=1e-12)
    assert_allclose(free["upper"].a_com, 0, atol=1e-12)


def test_a_four_bar_closes_on_the_side_asked_for() -> None:
    loop = short_loop()
    left, right = (loop.close([1.0], start, s)[0] for s, start in ((1, [0, 2.0]), (-1, [-2, -2.0])))
    B = 2.0 * np.array([np.cos(1.0), np.sin(1.0)])
    for q, sign in ((left, 1), (right, -1)):
        C = np.array([4.0, 0.0]) + 3.0 * np.array([np.cos(q[2]), np.sin(q[2])])
        assert np.hypot(*(C - B)) == pytest.approx(2.0)
        to_D, to_C = np.array([4.0, 0.0]) - B, C - B
        assert np.sign(to_D[0] * to_C[1] - to_D[1] * to_C[0]) == sign
    with pytest.raises(WrongBranch, match="other branch in frame 0"):
        loop.close([1.0], right[1:], branch=1)
    with pytest.raises(WrongBranch):
        loop.close([[1.0], [1.0]], np.array([left[1:], right[1:]]), branch=1)


def test_a_four_bar_at_its_dead_centre_is_refused() -> None:
    loop = short_loop()
    near = loop.close([DEAD - 0.01], [-1.0, 2.5], branch=1)
    with pytest.raises(SingularPosture, match="dead centre"):
        loop.close([DEAD], near[0, 1:])
    B = 2.0 * np.array([np.cos(DEAD), np.sin(DEAD)])
    along = np.arctan2(-B[1], 4.0 - B[0])
    stretched = np.array([[DEAD, along - DEAD, along + np.pi]])
    assert_allclose(loop.equations(stretched, np.zeros((1, 3))).h, 0, atol=1e-14)
    zero, tau = np.zeros((1, 3)), np.zeros(3)
    for act in (
        lambda: loop.reduced(stretched, zero),
        lambda: loop.velocities(stretched, [1.0]),
        lambda: loop.forward(stretched, zero, tau),
    ):
        with pytest.raises(SingularPosture, match="dead centre"):
            act()


def test_a_four_bar_beyond_its_dead_centre_does_not_close() -> None:
    with pytest.raises(ConstraintRefused, match="does not close in frame 0") as caught:
        short_loop().close([DEAD + 0.1], [-1.0, 2.5])
    assert not isinstance(caught.value, SingularPosture)
    with pytest.raises(ConstraintRefused, match="does not close"):
        close(lambda u, v: (v**2 + u, 2.0 * v[:, :, None]), np.ones((1, 1)), np.ones((1, 1)))


def test_the_other_loops_refuse_their_dead_centres_and_other_sides() -> None:
    slider = crank_slider(l1=2.0, l2=1.0)
    with pytest.raises(SingularPosture):
        slider.close([np.pi / 6], [2.0 * np.cos(np.pi / 6), np.pi / 2])
    q = crank_slider().close([0.7], [2.3, 3.0], branch=1)
    assert q[0, 1] > 0.5 * np.cos(0.7)
    with pytest.raises(WrongBranch):
        crank_slider().close([0.7], [-2.0, 0.1], branch=1)
    telescope = four_bar_transmission()
    q = telescope.close([1.2, -0.9], [1.1, 0.08], branch=1)
    turned = telescope.close([1.2, -0.9], [1.1 + np.pi, -0.08], branch=-1)
    assert_allclose(turned[0, 2:], [q[0, 2] + np.pi, -q[0, 3]])
    with pytest.raises(WrongBranch):
        telescope.close([1.2, -0.9], [1.1 + np.pi, -0.08], branch=1)


def test_a_stretched_arm_has_no_inverse() -> None:
    bar = np.array([1.0, 0.0, 0.0])
    arm = Tree(
        [Body("upper", None, "revolute", 1.0, 0.5 * bar),
         Body("lower", "upper", "revolute", 1.0, 0.5 * bar, p=bar)], G,
    )  # fmt: skip
    q = np.array([[0.4, 1.0], [0.4, 0.0]])
    J = arm.point(arm.state(q, np.zeros((2, 2))), "lower", bar).J[:, :2]
    assert_allclose(invert(J[:1], "the arm is stretched")[0] @ J[0], np.eye(2), atol=1e-14)
    with pytest.raises(SingularPosture, match="the arm is stretched in frame 1"):
        invert(J, "the arm is stretched")


def corner_forces_exist(w: Array, X: float, Y: float, mu: float) -> bool:
    """Decide by linear programming over the forces of the four corners."""
    rows, cones = [], []
    for k, (x, y) in enumerate(((X, Y), (X, -Y), (-X, Y), (-X, -Y))):
        rows.append(np.vstack((np.eye(3), [[0, 0, y], [0, 0, -x], [-y, x, 0]])))
        for i in (0, 1):
            for sign in (-1.0, 1.0):
                row = np.zeros(12)
                row[3 * k + i], row[3 * k + 2] = sign, -mu
                cones.append(row)
    found = linprog(
        np.zeros(12), A_ub=np.array(cones), b_ub=np.zeros(16),
        A_eq=np.hstack(rows), b_eq=w, bounds=(None, None),
    )  # fmt: skip
    return found.status == 0


def test_the_wrench_cone_is_the_sum_of_the_cones_of_its_corners() -> None:
    rng = np.random.default_rng(2)
    X, Y, mu = 0.12, 0.04, 0.7
    size = np.array([150.0, 150.0, 0.0, 8.0, 25.0, 15.0])
    w = np.r_["0,2", rng.normal(size=(120, 6)) * size]
    w[:, 2] = rng.uniform(300.0, 900.0, size=120)
    for inner, m in ((True, mu / np.sqrt(2)), (False, mu)):
        inside = wrench_margin(w, X, Y, mu, inner=inner) >= 0
        assert inside.tolist() == [corner_forces_exist(one, X, Y, m) for one in w]
        assert 10 < inside.sum() < 110


def test_cones_know_pulling_and_slipping() -> None:
    assert friction_margin(np.array([0.0, 0.0, -1.0]), 0.5) < 0
    assert friction_margin(np.array([0.3, 0.4, 1.0]), 0.5) == pytest.approx(0.0)
    assert wrench_margin(np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0]), 0.1, 0.1, 0.5) < 0
    with pytest.raises(ConstraintRefused, match="with friction 0"):
        wrench_cone(0.1, 0.1, 0.0)
    with pytest.raises(ArrayShapeError, match=r"wanted \(\.\.\., 6\)"):
        wrench_margin(np.zeros(3), 0.1, 0.1, 0.5)


def test_a_block_sticks_until_static_friction_gives_way() -> None:
    push, limit = np.array([0.0, 29.4, -29.4, 29.5, -29.5]), 0.6 * 5 * 9.81
    assert np.abs(push[1]) < limit < push[3]
    found = sliding_block(push, 0.0, 5.0, 0.4, 0.6)
    moving = 29.5 / 5 - 0.4 * 9.81
    assert_allclose(found, [0, 0, 0, moving, -moving])
    assert_allclose(sliding_block(0.0, [2.0, -2.0], 5.0, 0.4), [-0.4 * 9.81, 0.4 * 9.81])
    with pytest.raises(ConstraintRefused, match="friction"):
        sliding_block(1.0, 0.0, 5.0, 0.4, 0.3)
