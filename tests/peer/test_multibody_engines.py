"""Trees of rigid bodies against pinocchio and MuJoCo, which share no code with gaitdyn.

Pinocchio states the linear velocity of a free joint in the body's axes, MuJoCo and gaitdyn in the
world's; ``T`` turns one into the other, and the accelerations differ by ``omega x v``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.multibody import AppliedWrench, Tree
from tests.peer.random_tree import engine_order, mujoco_xml, pin_model, random_motion, random_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

pytestmark = pytest.mark.peer
RELATIVE = 1e-10  # what the seeds' rows ask of M and c; the engines round at about 1e-14
N = 4
ROOTS = ("free", "ball", "revolute", "prismatic")
SEEDS = range(4)


def same(found: Any, wanted: Any, tolerance: float = RELATIVE) -> None:
    size = max(1.0, np.abs(wanted).max())  # everything here is of order one or larger
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * size)


def pushes(rng: np.random.Generator, tree: Tree) -> list[AppliedWrench]:
    """Return a contact on two bodies, one placed in the world and one in the body."""
    names = [tree.bodies[-1].name, tree.bodies[len(tree.bodies) // 2].name]
    vectors = rng.normal(size=(2, 3, N, 3)) * np.array([1.0, 30.0, 5.0])[:, None, None]
    return [
        AppliedWrench(names[0], *vectors[0]),
        AppliedWrench(names[1], *vectors[1], frame="body"),
    ]


def in_pinocchio(tree: Tree, R: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """Return T (nv, nv) and the velocities and accelerations that pinocchio means, one frame."""
    T = np.eye(tree.nv)
    if tree.bodies[0].joint != "free":
        return T, v, a
    T[:3, :3] = R[0]
    v_pin, a_pin = T.T @ v, T.T @ a
    a_pin[:3] -= np.cross(v_pin[3:6], v_pin[:3])
    return T, v_pin, a_pin


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_against_pinocchio(seed: int, root: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="pinocchio has no wheel here")
    rng = np.random.default_rng([seed, ROOTS.index(root)])
    tree = random_tree(rng, 6 + seed, root)
    model = pin_model(pin, tree)
    data = model.createData()
    q, v, a = random_motion(rng, tree, N)
    contacts = pushes(rng, tree)
    at_q, at_v = engine_order(tree, scalar_first=False)
    state = tree.state(q, v)
    M, c, g = tree.dynamics(state)
    terms = tree.inverse(q, v, a, contacts)
    tau, E = terms.tau[:, at_v], terms.E[:, at_v]
    qdd = tree.forward(q, v, terms.tau, contacts)
    same(qdd, a, 1e-9)
    energy, centre = tree.energy(state), tree.com(state)
    for k in range(N):
        T, v_pin, a_pin = in_pinocchio(tree, state.R[k], v[k, at_v], a[k, at_v])
        still = in_pinocchio(tree, state.R[k], v[k, at_v], np.zeros(tree.nv))[2]
        pose = q[k, at_q]
        same(tau[k] - E[k], T @ pin.rnea(model, data, pose, v_pin, a_pin))
        same((c - g)[k, at_v], T @ pin.rnea(model, data, pose, v_pin, still))
        same(g[k, at_v], -T @ pin.computeGeneralizedGravity(model, data, pose))
        half = np.triu(pin.crba(model, data, pose))
        same(M[k][np.ix_(at_v, at_v)], T @ (half + np.triu(half, 1).T) @ T.T)
        same(energy.kinetic[k], pin.computeKineticEnergy(model, data, pose, v_pin))
        same(energy.potential[k], pin.computePotentialEnergy(model, data, pose))
        pin.centerOfMass(model, data, pose, v_pin, still)
        same(centre.x[k], data.com[0])
        same(centre.J[k] @ v[k], data.vcom[0])
        same(centre.bias[k], data.acom[0])
        pin.forwardKinematics(model, data, pose, v_pin, still)
        pin.computeJointJacobians(model, data, pose)
        pin.updateFramePlacements(model, data)
        outside = compared_bodies(pin, tree, (model, data), state, contacts, k, T)
        same(-E[k], outside)
        found = pin.aba(model, data, pose, v_pin, T.T @ (tau[k] + outside))
        if root == "free":
            found[:3] += np.cross(v_pin[3:6], v_pin[:3])
        same(qdd[k, at_v], T @ found, 1e-9)


def compared_bodies(
    pin: Any, tree: Tree, engine: tuple[Any, Any], state: Any, contacts: list[AppliedWrench],
    k: int, T: Array,
) -> Array:  # fmt: skip
    """Compare places, Jacobians and biases of all bodies; return pinocchio's J^T w."""
    model, data = engine
    frame, at_v = pin.LOCAL_WORLD_ALIGNED, engine_order(tree, scalar_first=False)[1]
    outside = np.zeros(tree.nv)
    for b, body in enumerate(tree.bodies):
        number = model.getFrameId(body.name)
        same(state.R[k, b], data.oMf[number].rotation)
        same(state.p[k, b], data.oMf[number].translation)
        J = pin.getFrameJacobian(model, data, number, frame) @ T.T
        same(np.vstack((state.Jp[k, b], state.Jw[k, b]))[:, at_v], J)
        speed = pin.getFrameVelocity(model, data, number, frame)
        bias = pin.getFrameClassicalAcceleration(model, data, number, frame)
        same(np.r_[state.v[k, b], state.w[k, b]], np.r_[speed.linear, speed.angular])
        same(np.r_[state.ap[k, b], state.aw[k, b]], np.r_[bias.linear, bias.angular])
        for contact in (x for x in contacts if x.body == body.name):
            place, force, moment = (
                np.asarray(x)[k] for x in (contact.point, contact.force, contact.free_moment)
            )
            arm = place - state.p[k, b] if contact.frame == "world" else state.R[k, b] @ place
            outside += J.T @ np.r_[force, moment + np.cross(arm, force)]
    return outside


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_against_mujoco(seed: int, root: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng([seed, 100 + ROOTS.index(root)])
    tree = random_tree(rng, 6 + seed, root)
    model = mujoco.MjModel.from_xml_string(mujoco_xml(tree))
    data = mujoco.MjData(model)
    q, v, a = random_motion(rng, tree, N)
    contacts = pushes(rng, tree)
    state = tree.state(q, v)
    M, c, g = tree.dynamics(state)
    terms = tree.inverse(q, v, a, contacts)
    forward = tree.forward(q, v, terms.tau, contacts)
    at_q, at_v = engine_order(tree, scalar_first=True)
    for k in range(N):
        data.qpos[:], data.qvel[:], data.qacc[:] = q[k, at_q], v[k, at_v], a[k, at_v]
        mujoco.mj_inverse(model, data)
        outside = np.zeros(model.nv)
        for contact in contacts:
            b = tree.index[contact.body]
            place, force, moment = (
                np.asarray(x)[k].copy() for x in (contact.point, contact.force, contact.free_moment)
            )
            if contact.frame == "body":
                place = state.p[k, b] + state.R[k, b] @ place
            number = model.body(contact.body).id
            mujoco.mj_applyFT(model, data, force, moment, place, number, outside)
        same(terms.tau[k, at_v], data.qfrc_inverse - outside)
        same((c - g)[k, at_v], data.qfrc_bias)
        full = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, full)
        same(M[k][np.ix_(at_v, at_v)], full)
        for b, body in enumerate(tree.bodies):
            same(state.R[k, b].ravel(), data.body(body.name).xmat)
            same(state.p[k, b], data.body(body.name).xpos)
        data.qfrc_applied[:] = terms.tau[k, at_v] + outside
        mujoco.mj_forward(model, data)
        same(forward[k, at_v], data.qacc, 1e-8)


def test_a_spinning_body_that_is_thrown_shows_which_convention_a_free_joint_has() -> None:
    pin = pytest.importorskip("pinocchio", reason="pinocchio has no wheel here")
    rng = np.random.default_rng(7)
    tree = random_tree(rng, 1, "free")
    model = pin_model(pin, tree)
    q, v, _ = random_motion(rng, tree, 1)
    ours = tree.forward(q, v, np.zeros((1, 6)))[0]
    T, v_pin, _ = in_pinocchio(tree, tree.state(q, v).R[0], v[0], np.zeros(6))
    theirs = pin.aba(model, model.createData(), q[0], v_pin, np.zeros(6))
    difference = T.T[:3, :3] @ ours[:3] - theirs[:3]
    same(difference, np.cross(v_pin[3:], v_pin[:3]))
    assert np.abs(difference).max() > 0.1
