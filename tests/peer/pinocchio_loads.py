"""Joint loads of a chain of segments as pinocchio finds them.

Either every segment flies freely and the net wrenches are added up along the chain, or the
segments hang on ball joints whose own torques are the moments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.peer.linked_chain import net_to_joint_loads, relative_motion, top_acceleration
from tests.property.random_chain import Arguments, turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Loads = tuple[Array, Array]


def pin_model(pin: Any, chain: Arguments, parts: list[tuple[int, Any, Any, Array]]) -> Any:
    """Return a model with one joint a segment, top first: (parent, joint, placement, lever)."""
    model = pin.Model()
    model.gravity = pin.Motion(np.r_[chain["gravity_G"], 0, 0, 0])
    s = len(chain["mass"])
    for number, (parent, joint, placement, lever) in enumerate(parts):
        i = s - 1 - number
        added = model.addJoint(parent, joint, placement, f"joint{i}")
        inertia = pin.Inertia(float(chain["mass"][i]), lever, chain["inertia_S"][i])
        model.appendBodyToJoint(added, inertia, pin.SE3.Identity())
    return model


def pin_external(pin: Any, chain: Arguments, k: int, levers: list[Array]) -> Any:
    """Return the external wrenches in joint axes about joint origins, top first."""
    s = len(chain["mass"])
    forces = pin.StdVec_Force()
    forces.append(pin.Force.Zero())
    for number, lever in enumerate(levers):
        i = s - 1 - number
        R_SG = chain["R_GS"][k, i].T
        force = R_SG @ chain["external_force_G"][k, i]
        moment = R_SG @ chain["external_moment_G"][k, i] + np.cross(lever, force)
        forces.append(pin.Force(force, moment))
    return forces


def pin_free(R: Array, r_G: Array, v_G: Array, omega_S: Array, a_G: Array, alpha_S: Array) -> Any:
    """Return q, v, a of a free joint: its linear velocity is in body axes, and so is turned too."""
    v = R.T @ v_G
    a = R.T @ a_G - np.cross(omega_S, v)
    return np.r_[r_G, Rotation.from_matrix(R).as_quat()], np.r_[v, omega_S], np.r_[a, alpha_S]


def pinocchio_free(pin: Any, chain: Arguments) -> Loads:
    """Return joint forces (G) and moments (segment axes) from freely flying segments."""
    n, s = chain["r_cm_G"].shape[:2]
    speed = np.random.default_rng(s).normal(size=(n, s, 3))  # must not matter
    parts = [(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), np.zeros(3)) for _ in range(s)]
    model = pin_model(pin, chain, parts)
    data = model.createData()
    force, moment = np.zeros((n, s, 3)), np.zeros((n, s, 3))
    for k in range(n):
        pieces = [
            pin_free(
                chain["R_GS"][k, i], chain["r_cm_G"][k, i], speed[k, i],
                chain["omega_S"][k, i], chain["a_cm_G"][k, i], chain["alpha_S"][k, i],
            )
            for i in range(s - 1, -1, -1)
        ]  # fmt: skip
        q, v, a = (np.concatenate(part) for part in zip(*pieces, strict=True))
        outside = pin_external(pin, chain, k, [np.zeros(3)] * s)
        tau = pin.rnea(model, data, q, v, a, outside).reshape(s, 2, 3)[::-1]
        force[k], moment[k] = (turned(chain["R_GS"][k], tau[:, j]) for j in (0, 1))
    return net_to_joint_loads(chain, force, moment)


def pinocchio_linked(pin: Any, chain: Arguments, place: Arguments) -> Loads:
    """Return joint forces (G) and moments (segment axes) of a chain of ball joints.

    The ball joints' own torques are the moments; force and moment of the top one, and all forces,
    are the wrenches that the joints carry.
    """
    n, s = chain["r_cm_G"].shape[:2]
    R, up, down = chain["R_GS"], place["up"], place["down"]
    force, moment = np.zeros((n, s, 3)), np.zeros((n, s, 3))
    for k in range(n):
        parts = [(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), -up[k, s - 1])]
        for number, i in enumerate(range(s - 2, -1, -1), start=1):
            at = pin.SE3(np.eye(3), down[k, i + 1] - up[k, i + 1])
            parts.append((number, pin.JointModelSpherical(), at, -up[k, i]))
        model = pin_model(pin, chain, parts)
        data = model.createData()
        pieces = [
            pin_free(
                R[k, -1], chain["r_prox_G"][k, -1], place["v_top_G"][k], chain["omega_S"][k, -1],
                top_acceleration(chain, place, k), chain["alpha_S"][k, -1],
            )
        ]  # fmt: skip
        for i in range(s - 2, -1, -1):
            turn, v_rel, a_rel = relative_motion(chain, k, i)
            pieces.append((Rotation.from_matrix(turn).as_quat(), v_rel, a_rel))
        q, v, a = (np.concatenate(part) for part in zip(*pieces, strict=True))
        levers = [-up[k, i] for i in range(s - 1, -1, -1)]
        tau = pin.rnea(model, data, q, v, a, pin_external(pin, chain, k, levers))
        wrenches = [data.f[s - i].copy() for i in range(s)]
        pin.forwardKinematics(model, data, q, v, a)  # rnea leaves the places as they were
        for i in range(s):
            np.testing.assert_allclose(data.oMi[s - i].rotation, R[k, i], atol=1e-12)
            np.testing.assert_allclose(
                data.oMi[s - i].translation, chain["r_prox_G"][k, i], atol=1e-12
            )
            force[k, i] = R[k, i] @ wrenches[i].linear
        moment[k, :-1], moment[k, -1] = tau[6:].reshape(s - 1, 3)[::-1], wrenches[-1].angular
    return force, moment
