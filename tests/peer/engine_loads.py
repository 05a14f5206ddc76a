"""Joint loads of a chain of segments as pinocchio and MuJoCo find them.

Each engine has two routes: every segment flies freely and the net wrenches are added up along the
chain, or the segments hang on ball joints whose own torques are the moments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.property.random_chain import Arguments, random_chain, turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Loads = tuple[Array, Array]


def linked_chain(rng: np.random.Generator, n: int, s: int) -> tuple[Arguments, Arguments]:
    """Return a chain whose joints hold together, and where its joints are in their segments.

    The segments hang from a free top segment on ball joints. The places of the joints (``up`` and
    ``down``, from the centre of mass in segment axes) differ from frame to frame, as if every
    frame were another body.
    """
    chain = random_chain(rng, n, s)
    up, down = rng.normal(size=(n, s, 3)), rng.normal(size=(n, s, 3))
    R, omega, alpha = chain["R_GS"], chain["omega_S"], chain["alpha_S"]

    def seen(arm_S: Array, i: int) -> Array:
        w, a = omega[:, i], alpha[:, i]
        return turned(R[:, i], np.cross(a, arm_S) + np.cross(w, np.cross(w, arm_S)))

    r_cm, a_cm, r_prox = (chain[key] for key in ("r_cm_G", "a_cm_G", "r_prox_G"))
    for i in range(s - 1, -1, -1):
        if i < s - 1:
            joint = r_cm[:, i + 1] + turned(R[:, i + 1], down[:, i + 1])
            a_joint = a_cm[:, i + 1] + seen(down[:, i + 1], i + 1)
            r_cm[:, i] = joint - turned(R[:, i], up[:, i])
            a_cm[:, i] = a_joint - seen(up[:, i], i)
        r_prox[:, i] = r_cm[:, i] + turned(R[:, i], up[:, i])
    return chain, {"up": up, "down": down, "v_top_G": rng.normal(size=(n, 3))}


def relative_motion(chain: Arguments, k: int, i: int) -> tuple[Array, Array, Array]:
    """Return turn, velocity and acceleration of segment i against i + 1, axes of i, frame k.

    omega_rel = omega_i - R' omega_(i+1) in the axes of i; its derivative holds the turning of
    these axes, omega_i x R' omega_(i+1).
    """
    R = chain["R_GS"][k]
    turn = R[i + 1].T @ R[i]
    omega, alpha = chain["omega_S"][k], chain["alpha_S"][k]
    above = turn.T @ omega[i + 1]
    return (
        turn,
        omega[i] - above,
        alpha[i] - turn.T @ alpha[i + 1] + np.cross(omega[i], above),
    )


def net_to_joint_loads(chain: Arguments, force_G: Array, moment_G: Array) -> tuple[Array, Array]:
    """Return joint forces (G) and moments (segment axes) from the net wrenches at the centres.

    A joint carries everything below it: moments of all lower segments about its own centre.
    """
    n, s = force_G.shape[:2]
    F, M = np.zeros((n, s, 3)), np.zeros((n, s, 3))
    for i in range(s):
        arm = chain["r_cm_G"][:, : i + 1] - chain["r_prox_G"][:, i : i + 1]
        F[:, i] = force_G[:, : i + 1].sum(axis=1)
        M[:, i] = (moment_G[:, : i + 1] + np.cross(arm, force_G[:, : i + 1])).sum(axis=1)
    return F, turned(np.swapaxes(chain["R_GS"], -1, -2), M)


# ---------------------------------------------------------------- pinocchio


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


def top_acceleration(chain: Arguments, place: Arguments, k: int) -> Array:
    """Return the acceleration of the proximal joint of the top segment in one frame, G."""
    w, al, up = chain["omega_S"][k, -1], chain["alpha_S"][k, -1], place["up"][k, -1]
    arm = np.cross(al, up) + np.cross(w, np.cross(w, up))
    return chain["a_cm_G"][k, -1] + chain["R_GS"][k, -1] @ arm


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


# ---------------------------------------------------------------- MuJoCo


def text(*values: float) -> str:
    return " ".join(f"{x:.17g}" for x in np.ravel(values))


def body_xml(chain: Arguments, i: int, at: Array, lever: Array, joint: str, inner: str) -> str:
    """Return one body with a full inertia tensor at ``lever`` from its origin."""
    J = chain["inertia_S"][i]
    full = text(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    return (
        f'<body name="b{i}" pos="{text(*at)}"><joint type="{joint}"/>'
        f'<inertial pos="{text(*lever)}" mass="{chain["mass"][i]:.17g}" fullinertia="{full}"/>'
        f"{inner}</body>"
    )


def world_xml(chain: Arguments, bodies: str) -> str:
    return (
        '<mujoco><compiler angle="radian" boundmass="0"/>'
        f'<option gravity="{text(*chain["gravity_G"])}"/>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def mujoco_inverse(mujoco: Any, xml: str, q: Array, v: Array, a: Array, chain: Any) -> Array:
    """Return the generalised forces; MuJoCo's free joint: linear in G, angular in body axes."""
    arguments, k = chain
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
    mujoco.mj_inverse(model, data)
    outside = np.zeros(model.nv)
    for i in range(len(arguments["mass"])):
        number = model.body(f"b{i}").id
        np.testing.assert_allclose(data.xipos[number], arguments["r_cm_G"][k, i], atol=1e-12)
        mujoco.mj_applyFT(
            model, data, arguments["external_force_G"][k, i],
            arguments["external_moment_G"][k, i], data.xipos[number], number, outside,
        )  # fmt: skip
    return data.qfrc_inverse - outside


def wxyz(R: Array) -> Array:
    return np.roll(Rotation.from_matrix(R).as_quat(), 1)


def mujoco_free(mujoco: Any, chain: Arguments) -> Loads:
    """Return joint forces (G) and moments (segment axes) from freely flying segments."""
    n, s = chain["r_cm_G"].shape[:2]
    rng, zero = np.random.default_rng(s), np.zeros(3)
    bodies = "".join(body_xml(chain, i, zero, zero, "free", "") for i in range(s))
    force, moment = np.zeros((n, s, 3)), np.zeros((n, s, 3))
    for k in range(n):
        q = [np.r_[chain["r_cm_G"][k, i], wxyz(chain["R_GS"][k, i])] for i in range(s)]
        v = [np.r_[rng.normal(size=3), chain["omega_S"][k, i]] for i in range(s)]
        a = [np.r_[chain["a_cm_G"][k, i], chain["alpha_S"][k, i]] for i in range(s)]
        q, v, a = (np.concatenate(part) for part in (q, v, a))
        tau = mujoco_inverse(mujoco, world_xml(chain, bodies), q, v, a, (chain, k))
        force[k] = tau.reshape(s, 2, 3)[:, 0]
        moment[k] = turned(chain["R_GS"][k], tau.reshape(s, 2, 3)[:, 1])
    return net_to_joint_loads(chain, force, moment)


def mujoco_linked(mujoco: Any, chain: Arguments, place: Arguments) -> Loads:
    """Return the top joint's force (G, shape (n, 1, 3)) and all moments of a chain of ball joints.

    MuJoCo tells the forces of a free joint alone.
    """
    n, s = chain["r_cm_G"].shape[:2]
    R, up, down = chain["R_GS"], place["up"], place["down"]
    force, moment = np.zeros((n, 1, 3)), np.zeros((n, s, 3))
    for k in range(n):
        bodies = ""
        for i in range(s):
            top = i == s - 1
            at = np.zeros(3) if top else down[k, i + 1] - up[k, i + 1]
            bodies = body_xml(chain, i, at, -up[k, i], "free" if top else "ball", bodies)
        q = [np.r_[chain["r_prox_G"][k, -1], wxyz(R[k, -1])]]
        v = [np.r_[place["v_top_G"][k], chain["omega_S"][k, -1]]]
        a = [np.r_[top_acceleration(chain, place, k), chain["alpha_S"][k, -1]]]
        for i in range(s - 2, -1, -1):
            turn, v_rel, a_rel = relative_motion(chain, k, i)
            q.append(wxyz(turn))
            v.append(v_rel)
            a.append(a_rel)
        q, v, a = (np.concatenate(part) for part in (q, v, a))
        tau = mujoco_inverse(mujoco, world_xml(chain, bodies), q, v, a, (chain, k))
        force[k, 0], moment[k] = tau[:3], tau[3:].reshape(s, 3)[::-1]
    return force, moment
