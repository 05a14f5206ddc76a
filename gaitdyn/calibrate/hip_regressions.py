"""Hip joint centres by regression, side by side: Davis, Harrington, Hara, Bell.

Every rule gives the hip centre from the midpoint of the ASIS markers in pelvis axes (x forward in
the plane of ASIS and PSIS, y up, z to the right on both sides), in m. The regressions were derived
on bone, each in the pelvis axes of its paper; the same numbers in other axes give another point.
All but Davis are moved half a marker backwards, because markers are in front of the bone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.joint_centres import hip_offset_P
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIGN, LegMeasures, Side, Subject

if TYPE_CHECKING:
    from collections.abc import Callable

_MM = 0.001


@dataclass(frozen=True, slots=True)
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

    :func:`gaitdyn.calibrate.joint_centres.hip_offset_P`, the rule of the marker model, with the
    leg length of this side for both legs.
    """
    leg = LegMeasures(leg_length_m=pelvis.leg_length_m)
    return hip_offset_P(Subject(left=leg, right=leg), side, pelvis.width_m, pelvis.diameter_m)


def harrington(pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by Harrington et al. 2007, one predictor each, shape (3,), m.

    x = -0.24 PD - 9.9, y = -0.30 PW - 10.9, outward 0.33 PW + 7.3 (mm; PD depth, PW width).

    Examples
    --------
    >>> pelvis = PelvisMeasures(width_m=0.24, depth_m=0.16, leg_length_m=0.9, diameter_m=0.014)
    >>> (1000 * harrington(pelvis, "right")).round(1).tolist()
    [-55.3, -82.9, 86.5]
    """
    width, depth = pelvis.width_m, pelvis.depth_m
    return _placed(
        -0.24 * depth - 9.9 * _MM,
        -0.30 * width - 10.9 * _MM,
        0.33 * width + 7.3 * _MM,
        pelvis,
        side,
    )


def harrington_full(pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by Harrington et al. 2007, all predictors, shape (3,), m.

    x = -0.24 PD - 9.9, y = -0.16 PW - 0.04 LL - 7.1, outward 0.28 PD + 0.16 PW + 7.9 (mm; LL leg
    length).
    """
    width, depth, leg = pelvis.width_m, pelvis.depth_m, pelvis.leg_length_m
    return _placed(
        -0.24 * depth - 9.9 * _MM,
        -0.16 * width - 0.04 * leg - 7.1 * _MM,
        0.28 * depth + 0.16 * width + 7.9 * _MM,
        pelvis,
        side,
    )


def harrington_width(pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by Harrington et al. 2007, pelvic width alone, shape (3,), m.

    x = -0.138 PW - 10.4, y = -0.305 PW - 10.9, outward 0.33 PW + 7.3 (mm).
    """
    width = pelvis.width_m
    return _placed(
        -0.138 * width - 10.4 * _MM,
        -0.305 * width - 10.9 * _MM,
        0.33 * width + 7.3 * _MM,
        pelvis,
        side,
    )


def hara(pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by Hara et al. 2016 (Sci Rep 6:37707), by leg length, shape (3,), m.

    x = 11 - 0.063 LL, y = -9 - 0.078 LL, outward 8 + 0.086 LL (mm).
    """
    leg = pelvis.leg_length_m
    return _placed(
        11 * _MM - 0.063 * leg, -9 * _MM - 0.078 * leg, 8 * _MM + 0.086 * leg, pelvis, side
    )


def bell(pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by Bell et al. 1990 (J Biomech 23:617-621), adults, shape (3,), m.

    x = -0.19 PW, y = -0.30 PW, outward 0.36 PW, as in public implementations.
    """
    width = pelvis.width_m
    return _placed(-0.19 * width, -0.30 * width, 0.36 * width, pelvis, side)


def bell_1989(pelvis: PelvisMeasures, side: Side) -> Array:
    """Return the hip centre by Bell et al. 1989 (Hum Mov Sci 8:3-16), adults, shape (3,), m.

    30 % of the distance between the ASIS below, 14 % inside and 22 % behind the ASIS (abstract):
    x = -0.22 PW, y = -0.30 PW, outward 0.36 PW.
    """
    width = pelvis.width_m
    return _placed(-0.22 * width, -0.30 * width, 0.36 * width, pelvis, side)


def _placed(x: float, y: float, outward: float, pelvis: PelvisMeasures, side: Side) -> Array:
    """Return an offset from the bone as one from the markers: half a marker further back."""
    return np.array([x - pelvis.diameter_m / 2, y, -SIGN[side] * outward])


HIP_RULES: dict[str, Callable[[PelvisMeasures, Side], Array]] = {
    "davis": davis,
    "harrington": harrington,
    "harrington-full": harrington_full,
    "harrington-width": harrington_width,
    "hara": hara,
    "bell": bell,
    "bell-1989": bell_1989,
}


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
