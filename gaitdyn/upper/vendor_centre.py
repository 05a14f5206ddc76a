"""The centre of mass of the body as the vendor's software computes it, in its three generations."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import known_mean
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import LegBody, Pose
from gaitdyn.types.upper import UpperPose
from gaitdyn.upper.vendor import (
    ARM_MASS,
    L5_ABOVE,
    MASS,
    SKULL,
    THORAX_CENTRE,
    VendorTrunk,
    arm_centres,
)

_HEAD_FORWARD = 0.52
"""Centre of mass of the head ahead of its origin, in head sizes, from the vendor's results."""
_MM = 1e-3


def centre_of_mass(
    upper: UpperPose, legs: Pose, bodies: dict[str, LegBody], trunk: VendorTrunk, kind: str
) -> Array | None:
    """Return the vendor's centre of mass, shape (n, 3), m; None if a segment is missing.

    Parameters
    ----------
    upper : UpperPose
    legs : Pose
    bodies : dict
        Side -> masses as fractions of the body and centres of mass of the leg.
    trunk : VendorTrunk
    kind : {"A", "B", "C"}
    """
    if upper.head is None or len(upper.arms) + len(bodies) < 4:  # noqa: PLR2004  limbs
        return None
    if kind == "A":
        return _centre_of_origins(upper, legs, bodies, trunk)
    head = upper.head
    head_cm = head.front_G + head.size_m * rotate(
        head.R_GS, SKULL + np.array([_HEAD_FORWARD, 0.0, 0.0])
    )
    total = MASS["pelvis"] * trunk.pelvis_cm_G() + MASS["head"] * head_cm
    total = total + MASS["thorax"] * (upper.thorax_G + rotate(upper.R_GT, trunk.cm_in_thorax))
    for arm in upper.arms.values():
        total = total + np.einsum("s,nsi->ni", ARM_MASS, arm_centres(arm))
    for body in bodies.values():
        total = total + np.einsum("s,nsi->ni", body.mass, body.r_cm_G)
    return total


def _centre_of_origins(
    upper: UpperPose, legs: Pose, bodies: dict[str, LegBody], trunk: VendorTrunk
) -> Array:
    """Return the centre of mass of generation A: length fractions as millimetres from origins."""
    head = upper.head
    assert head is not None  # noqa: S101  checked by the caller
    share = (trunk.pelvis_cm_G() - legs.origin_G) / (L5_ABOVE * trunk.pelvis_m)[:, None]
    total = MASS["pelvis"] * (legs.origin_G + _MM * share)
    along = THORAX_CENTRE * (trunk.cm_in_thorax / np.linalg.norm(trunk.cm_in_thorax))
    total = total + MASS["thorax"] * (upper.thorax_G + _MM * rotate(upper.R_GT, along))
    forward = np.array([_HEAD_FORWARD * head.size_m, 0.0, 0.0])
    vertebra = rotate_back(head.R_GS, trunk.vertebra_G - head.front_G)
    length = float(np.linalg.norm(known_mean(vertebra) - forward))
    total = total + MASS["head"] * (head.front_G + _MM * rotate(head.R_GS, forward / length))
    for arm in upper.arms.values():
        wrist, elbow = arm.r_prox_G[:, 0], arm.r_prox_G[:, 1]
        rows = (
            ("hand", 2 * arm.hand_G - wrist, 0.6205),
            ("forearm", wrist, 0.57),
            ("upper_arm", elbow, 0.564),
        )
        for k, (name, origin, share) in enumerate(rows):
            total = total + MASS[name] * (origin + _MM * share * arm.R_GS[:, k, :, 1])
    for side, body in bodies.items():
        leg = legs.leg(side)
        origins = (leg.r_prox_G[:, 0], leg.r_prox_G[:, 0], leg.r_prox_G[:, 1])
        axes = leg.R_GS[:, 0, :, 0], leg.R_GS[:, 1, :, 1], leg.R_GS[:, 2, :, 1]
        for k, share in enumerate((0.5, 0.567, 0.567)):
            total = total + body.mass[k] * (origins[k] + _MM * share * axes[k])
    return total
