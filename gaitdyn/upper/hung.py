"""Trunk, head and arms as parts of the mechanism of the whole body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import known_mean
from gaitdyn.types.generalised import HungPart, UpperTree
from gaitdyn.types.subject import SIDES
from gaitdyn.types.upper import ARM
from gaitdyn.upper.vendor import find_trunk
from gaitdyn.upper.whole_body import arm_chains, body_share, moving_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.motion import Pose
    from gaitdyn.types.upper import UpperPose
    from gaitdyn.upper.newton import Moving


def upper_tree(
    upper: UpperPose,
    pose: Pose,
    diameter_m: float,
    mass_kg: float,
    leg_kg: Sequence[float],
    rate_hz: float,
) -> UpperTree | None:
    """Return pelvis, thorax, head and arms; None where one of them is in no frame seen whole.

    Parameters
    ----------
    upper : UpperPose
    pose : Pose
        Of pelvis and legs.
    diameter_m : float
        Of a marker.
    mass_kg : float
        Of the body.
    leg_kg : sequence of float
        Of each leg, kg.
    rate_hz : float
    """
    if upper.head is None or len(upper.arms) < len(SIDES):
        return None
    trunk = find_trunk(upper, pose, diameter_m, "C")
    share = body_share([one / mass_kg for one in leg_kg])
    segments = moving_segments(upper, pose, trunk, share, rate_hz)
    neck = upper.thorax_G + rotate(upper.R_GT, trunk.neck_in_thorax)
    parts = [
        _part("thorax", "pelvis", segments["thorax"], trunk.low_back_G, mass_kg),
        _part("head", "thorax", segments["head"], neck, mass_kg),
    ]
    for side, chain in arm_chains(upper.arms, share, rate_hz).items():
        turning, angular = (rotate(chain.R_GS, v) for v in (chain.omega_S, chain.alpha_S))
        above = (f"{side}_forearm", f"{side}_upper_arm", "thorax")
        for k in (2, 1, 0):
            inertia = mass_kg * chain.inertia_S[k]
            parts.append(
                HungPart(
                    f"{side}_{ARM[k]}", above[k], mass_kg * float(chain.mass[k]), inertia,
                    chain.R_GS[:, k], chain.r_cm_G[:, k], turning[:, k], chain.a_cm_G[:, k],
                    angular[:, k], chain.r_prox_G[:, k],
                )
            )  # fmt: skip
    pelvis = segments["pelvis"]
    centre = known_mean(rotate_back(pose.R_GP, pelvis.r_cm_G - trunk.mid_hip_G))
    rigid = (centre, pelvis.inertia_S, *(part.inertia for part in parts))
    if not all(np.isfinite(one).all() for one in rigid):
        return None
    return UpperTree(mass_kg * pelvis.mass, centre, mass_kg * pelvis.inertia_S, tuple(parts))


def _part(name: str, parent: str, one: Moving, joint: Array, mass_kg: float) -> HungPart:
    return HungPart(
        name, parent, mass_kg * one.mass, mass_kg * np.asarray(one.inertia_S), one.R_GS,
        one.r_cm_G, one.omega_G, one.a_cm_G, rotate(one.R_GS, one.alpha_S), joint,
    )  # fmt: skip
