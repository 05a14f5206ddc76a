"""Check for a misplaced knee axis: varus that follows flexion.

A thigh marker that is placed too far forward or backward turns the knee's flexion axis. Part of the
flexion then appears as varus, and the rotations of hip and knee are shifted in opposite directions
(Baker, Finney and Orr 1999, Hum Mov Sci 18:655-667). It is a remark that changes no verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.norms import Band

_CORRELATION, _RANGE_DEG = 0.7, 10.0
_HIP_SD, _KNEE_SD = 1.0, 2.0
"""Limits by judgement; :func:`knee_axis_remark` says of what."""
FLEXION, VARUS = "knee_angle_flexion", "knee_angle_adduction"
HIP, KNEE = "hip_angle_internal_rotation", "knee_angle_internal_rotation"


@frozen()
class KneeAxisRemark:
    """The remark on one side.

    Attributes
    ----------
    side : str
    range_deg : float
        Of varus over the cycle.
    by_rotations : bool
        Whether it rests on hip and knee rotation on opposite sides of the reference.
    """

    side: str
    range_deg: float
    by_rotations: bool = False

    @property
    def reason(self) -> str:
        """What it rests on."""
        if self.by_rotations:
            return "hip and knee rotation lie on opposite sides of the norm"
        return f"adduction moves {self.range_deg:.0f} deg with flexion"


def remarks_of_strides(cycles: Sequence[CycleCurves]) -> list[KneeAxisRemark]:
    """Return the remarks that strides give without a reference.

    Parameters
    ----------
    cycles : sequence of CycleCurves
        Of one trial; a curve with a gap does not enter its mean.
    """
    curves: dict[tuple[str, str], list[Array]] = {}
    for stride in cycles:
        for name in {FLEXION, VARUS}.intersection(stride.names):
            curve = stride.values[:, stride.names.index(name)]
            if np.isfinite(curve).all():
                curves.setdefault((stride.cycle.side, name), []).append(curve)
    means = {key: np.mean(found, axis=0) for key, found in curves.items()}
    sides = dict.fromkeys(side for side, _ in means)
    return [remark for s in sides if (remark := knee_axis_remark(s, means, {})) is not None]


def knee_axis_remark(
    side: str, means: Mapping[tuple[str, str], Array], bands: Mapping[str, Band]
) -> KneeAxisRemark | None:
    """Return the remark on one side, or None.

    It is made if the correlation of varus with flexion is larger than 0.7 over a range of more than
    10 deg, or if the mean hip and knee rotations over the cycle are more than one and two SD from
    the reference, on opposite sides.

    Parameters
    ----------
    side : str
    means : mapping
        (side, curve) -> mean over the strides, shape (101,), deg.
    bands : mapping
        Curve -> reference; may be empty.
    """
    flexion, varus = means.get((side, FLEXION)), means.get((side, VARUS))
    if flexion is None or varus is None:
        return None
    known = np.isfinite(flexion) & np.isfinite(varus)
    if not known.any() or not float(np.ptp(flexion[known])) or not float(np.ptp(varus[known])):
        return None
    span = float(np.ptp(varus[known]))
    r = float(np.corrcoef(flexion[known], varus[known])[0, 1])
    if abs(r) > _CORRELATION and span > _RANGE_DEG:
        return KneeAxisRemark(side, span)
    if _opposed(side, means, bands):
        return KneeAxisRemark(side, span, by_rotations=True)
    return None


def _opposed(side: str, means: Mapping[tuple[str, str], Array], bands: Mapping[str, Band]) -> bool:
    """Return whether hip and knee rotation are far from the reference on opposite sides.

    A reference with an SD of 0 somewhere does not say what is far.
    """
    distances: list[float] = []
    for name in (HIP, KNEE):
        curve = means.get((side, name))
        if curve is None or name not in bands or not bands[name].sd.all():
            return False
        distances.append(float(np.mean(_distance_sd(curve, bands[name]))))
    hip, knee = distances
    return hip * knee < 0 and abs(hip) > _HIP_SD and abs(knee) > _KNEE_SD


def _distance_sd(curve: Array, band: Band) -> Array:
    """Return the distance of a curve from a reference at 0, 2, ... 100 %, SD, shape (51,)."""
    from gaitdyn.metrics.scores import PERCENT  # with a norm alone

    values = np.interp(PERCENT, np.linspace(0.0, 100.0, len(curve)), curve)
    mean = np.interp(PERCENT, band.percent, band.mean)
    return (values - mean) / np.interp(PERCENT, band.percent, band.sd)
