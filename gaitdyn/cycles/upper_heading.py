"""Curves of the upper body that depend on the walking direction, for that of a stride."""

from __future__ import annotations

import numpy as np

from gaitdyn.catalogue.keys import Key
from gaitdyn.kinematics.angles import tilt_angles
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.upper import UpperBody
from gaitdyn.upper.angles import ANGLES
from gaitdyn.upper.stability import margins

_MM = 1000.0
MARGINS = ("forward", "lateral")


def headed_upper(
    upper: UpperBody, side: str, rows: slice, walking_G: Array, stance: Mask
) -> dict[str, Array]:
    """Return the columns of a side recomputed for another direction of walking.

    Parameters
    ----------
    upper : UpperBody
    side : {"left", "right"}
    rows : slice
    walking_G : array, shape (3,)
        Unit, horizontal.
    stance : array of bool, shape (n,)
        Of this foot; there are margins only while it stands.

    Returns
    -------
    dict
        Name without the side -> values of the rows, deg and mm.
    """
    axes = {"trunk": upper.pose.R_GT}
    if upper.pose.head is not None:
        axes["head"] = upper.pose.head.R_GS
    columns: dict[str, Array] = {}
    for part, R in axes.items():
        turned = np.degrees(tilt_angles(R[rows], walking_G, side))
        words = enumerate(ANGLES[part])
        columns |= {Key("", part, "angle", word).name: turned[:, i] for i, word in words}
    if (edge := upper.edges.get(side)) is not None:
        of_rows = margins(edge.at(rows), side, walking_G) * _MM
        both = np.where(stance[rows, None], of_rows, np.nan)
        columns |= {f"margin_of_stability_{word}": both[:, i] for i, word in enumerate(MARGINS)}
    return columns
