"""Hip joint centres by regression, side by side: Davis, Harrington, Hara, Bell.

Every rule gives the hip centre from the midpoint of the ASIS markers in pelvis axes (x forward in
the plane of ASIS and PSIS, y up, z to the right on both sides), in m. The regressions were derived
on bone, each in the pelvis axes of its paper; the same numbers in other axes give another point.
All but Davis are moved half a marker backwards, because markers are in front of the bone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from gaitdyn.calibrate.plug_in_gait.joint_centres import hip_offset_P
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIGN, LegMeasures, Side, Subject

_MM = 0.001


@frozen()
class PelvisMeasures:
    """Input of the regressions, m; NaN if not measured.

    Attributes
    ----------
    width_m : float
        Distance between the ASIS.
    depth_m : float
        From the midpoint of the ASIS to the midpoint of the PSIS.
    leg_length_m : float
        Of the side of the hip.
    diameter_m : float
        Of the markers.
    """

    width_m: float
    depth_m: float
    leg_length_m: float
    diameter_m: float


def davis(pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by Davis et al. 1991, as the vendor's model has it, shape (3,), m.

    :func:`gaitdyn.calibrate.plug_in_gait.joint_centres.hip_offset_P`, the rule of the marker model,
    with the leg length of this side for both legs.
    """
    leg = LegMeasures(leg_length_m=pelvis.leg_length_m)
    return hip_offset_P(Subject(left=leg, right=leg), side, pelvis.width_m, pelvis.diameter_m)


def regressed(rule: str, pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by a regression on bone, half a marker further back, shape (3,), m.

    Parameters
    ----------
    rule : {"harrington", "harrington-full", "harrington-width", "hara", "bell", "bell-1989"}
        Harrington et al. 2007 by one predictor each, by all, by the width alone; Hara et al. 2016
        (Sci Rep 6:37707) by the leg length; Bell et al. 1990 (J Biomech 23:617-621), adults, as in
        public implementations; Bell et al. 1989 (Hum Mov Sci 8:3-16), adults: 30 % of the distance
        between the ASIS below, 14 % inside and 22 % behind the ASIS (abstract).
    pelvis : PelvisMeasures
    side : {"left", "right"}

    Examples
    --------
    >>> pelvis = PelvisMeasures(width_m=0.24, depth_m=0.16, leg_length_m=0.9, diameter_m=0.014)
    >>> (1000 * regressed("harrington", pelvis, "right")).round(1).tolist()
    [-55.3, -82.9, 86.5]
    """
    width, depth, leg = pelvis.width_m, pelvis.depth_m, pelvis.leg_length_m
    back, down, outward = {
        "harrington": (
            0.24 * depth + 9.9 * _MM, 0.30 * width + 10.9 * _MM, 0.33 * width + 7.3 * _MM
        ),
        "harrington-full": (
            0.24 * depth + 9.9 * _MM,
            0.16 * width + 0.04 * leg + 7.1 * _MM,
            0.28 * depth + 0.16 * width + 7.9 * _MM,
        ),
        "harrington-width": (
            0.138 * width + 10.4 * _MM, 0.305 * width + 10.9 * _MM, 0.33 * width + 7.3 * _MM
        ),
        "hara": (0.063 * leg - 11 * _MM, 0.078 * leg + 9 * _MM, 0.086 * leg + 8 * _MM),
        "bell": (0.19 * width, 0.30 * width, 0.36 * width),
        "bell-1989": (0.22 * width, 0.30 * width, 0.36 * width),
    }[rule]  # fmt: skip
    return np.array([-back - pelvis.diameter_m / 2, -down, -SIGN[side] * outward])


HIP_RULES: dict[str, Callable[[PelvisMeasures, Side], Array]] = {"davis": davis}
for _rule in ("harrington", "harrington-full", "harrington-width", "hara", "bell", "bell-1989"):
    HIP_RULES[_rule] = partial(regressed, _rule)
harrington = HIP_RULES["harrington"]


def compare_hip_centres(
    pelvis: PelvisMeasures, side: Side
) -> list[tuple[str, float, float, float]]:
    """Return the hip centre by every rule: (name, x, y, z) in pelvis axes, mm.

    A rule whose measurement is NaN gives NaN.

    Examples
    --------
    >>> pelvis = PelvisMeasures(width_m=0.24, depth_m=0.16, leg_length_m=0.9, diameter_m=0.014)
    >>> for name, x, y, z in compare_hip_centres(pelvis, "right"):
    ...     print(f"{name:16} {x:6.1f} {y:6.1f} {z:6.1f}")
    davis             -46.8  -96.6   77.7
    harrington        -55.3  -82.9   86.5
    harrington-full   -55.3  -81.5   91.1
    harrington-width  -50.5  -84.1   86.5
    hara              -52.7  -79.2   85.4
    bell              -52.6  -72.0   86.4
    bell-1989         -59.8  -72.0   86.4
    """
    table = []
    for name, rule in HIP_RULES.items():
        x, y, z = 1000 * rule(pelvis, side)
        table.append((name, float(x), float(y), float(z)))
    return table
