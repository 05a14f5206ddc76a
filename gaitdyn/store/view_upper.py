"""Trunk, head and arms of the moving figure: points and lines."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import rotate
from gaitdyn.types.arrays import Array
from gaitdyn.types.upper import ARM_JOINTS, UpperPose

_CROWN = (-0.42, 0.25, 0.0)
"""Drawn point of the head, from the middle of the front markers, as a fraction of head size."""


def upper_figure(
    upper: UpperPose, mid_hip_G: Array
) -> tuple[dict[str, Array], dict[str, list[list[str]]]]:
    """Return the points of the upper body, shape (n, 3), m, and its lines by group.

    Parameters
    ----------
    upper : UpperPose
    mid_hip_G : array, shape (n, 3)
        m.

    Returns
    -------
    points : dict
        Name -> positions.
    lines : dict
        ``pelvis`` (trunk and head), ``left``, ``right`` -> rows of names.
    """
    points = {"mid hip": mid_hip_G, "neck": upper.c7_G, "sternum": upper.thorax_G}
    trunk = [["mid hip", "neck", "sternum"]]
    lines: dict[str, list[list[str]]] = {"pelvis": trunk}
    if upper.head is not None:
        head = upper.head
        points["forehead"] = head.front_G
        points["crown"] = head.front_G + rotate(head.R_GS, head.size_m * np.array(_CROWN))
        trunk.append(["neck", "crown", "forehead", "neck"])
    for side, arm in upper.arms.items():
        row = [f"{side} {joint}" for joint in ("shoulder", "elbow", "wrist", "hand")]
        for k, joint in enumerate(ARM_JOINTS):
            points[f"{side} {joint}"] = arm.r_prox_G[:, k]
        points[row[-1]] = arm.hand_G
        lines[side] = [row]
        trunk.append(["neck", row[0]])
    return points, lines
