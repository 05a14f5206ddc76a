"""Trunk, head and arms as parts of the mechanism of the whole body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import known_mean
from gaitdyn.types.generalised import HungPart, UpperTree
from gaitdyn.types.subject import SIDES
from gaitdyn.types.upper import ARM, UpperPose
from gaitdyn.upper.vendor import find_trunk
from gaitdyn.upper.whole_body import arm_chains, body_share, moving_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.motion import Pose
    from gaitdyn.upper.newton import Moving


def upper_tree(
    upper: UpperPose,
    pose: Pose,
    diameter_m: float,
    mass_kg: float,
    leg_kg: Sequence[float],
    rate_hz: float,
) -> UpperTree | None:
    """Return pelvis, thorax, head and arms; None if one of them is never completely visible.

    Parameters
    ----------
    upper : UpperPose
    pose : Pose
        Pelvis and legs.
    diameter_m : float
        Marker diameter.
    mass_kg : float
        Body mass.
    leg_kg : sequence of float
        Mass of each leg, kg.
    rate_hz : float
    """
    if upper.head is None or len(upper.arms) < len(SIDES):
        return None
    trunk = find_trunk(upper, pose, diameter_m, "C")
    share = body_share([kg / mass_kg for kg in leg_kg])
    segments = moving_segments(upper, pose, trunk, share, rate_hz)
    neck = upper.thorax_G + rotate(upper.R_GT, trunk.neck_in_thorax)
    parts = [
        _part("thorax", "pelvis", segments["thorax"], trunk.low_back_G, mass_kg),
        _part("head", "thorax", segments["head"], neck, mass_kg),
    ]
    for side, chain in arm_chains(upper.arms, share, rate_hz).items():
        turning, angular = (rotate(chain.R_GS, v) for v in (chain.omega_S, chain.alpha_S))
        parents = (f"{side}_forearm", f"{side}_upper_arm", "thorax")
        for k in (2, 1, 0):
            inertia = mass_kg * chain.inertia_S[k]
            parts.append(
                HungPart(
                    f"{side}_{ARM[k]}", parents[k], mass_kg * float(chain.mass[k]), inertia,
                    chain.R_GS[:, k], chain.r_cm_G[:, k], turning[:, k], chain.a_cm_G[:, k],
                    angular[:, k], chain.r_prox_G[:, k],
                )
            )  # fmt: skip
    pelvis = segments["pelvis"]
    centre = known_mean(rotate_back(pose.R_GP, pelvis.r_cm_G - trunk.mid_hip_G))
    constants = (centre, pelvis.inertia_S, *(part.inertia for part in parts))
    if not all(np.isfinite(values).all() for values in constants):
        return None
    return UpperTree(mass_kg * pelvis.mass, centre, mass_kg * pelvis.inertia_S, tuple(parts))


def _part(name: str, parent: str, segment: Moving, joint: Array, mass_kg: float) -> HungPart:
    return HungPart(
        name, parent, mass_kg * segment.mass, mass_kg * np.asarray(segment.inertia_S),
        segment.R_GS, segment.r_cm_G, segment.omega_G, segment.a_cm_G,
        rotate(segment.R_GS, segment.alpha_S), joint,
    )  # fmt: skip
