"""Random chains that hold together at their joints, and what an engine needs to know of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.property.random_chain import Arguments, random_chain, turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


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
    return (turn, omega[i] - above, alpha[i] - turn.T @ alpha[i + 1] + np.cross(omega[i], above))


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


def top_acceleration(chain: Arguments, place: Arguments, k: int) -> Array:
    """Return the acceleration of the proximal joint of the top segment in one frame, G."""
    w, al, up = chain["omega_S"][k, -1], chain["alpha_S"][k, -1], place["up"][k, -1]
    arm = np.cross(al, up) + np.cross(w, np.cross(w, up))
    return chain["a_cm_G"][k, -1] + chain["R_GS"][k, -1] @ arm
