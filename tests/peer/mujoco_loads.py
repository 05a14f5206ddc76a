"""Joint loads of a chain of segments as MuJoCo finds them.

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
