"""Left-right symmetry: five indices and the plain difference.

Positive means that the right side is larger. An index that its formula cannot give (division by
zero, a logarithm or ratio of numbers of different sign) is NaN, with the reason.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_UNKNOWN = "a side is not known"
_ZERO = "it would divide by zero"
_MIXED = "left and right have different signs"


@dataclass(frozen=True, slots=True)
class Symmetry:
    """An index of symmetry.

    Attributes
    ----------
    value : float
        NaN if it cannot be computed.
    unit : str
        ``%``, or empty for a ratio; the difference has the unit of the values compared.
    refused : str
        Reason for a missing value; empty if there is a value.
    """

    value: float
    unit: str
    refused: str = ""


def difference(left: float, right: float) -> Symmetry:
    """Return right minus left, in the unit of both.

    Examples
    --------
    >>> difference(0.5, 0.75).value
    0.25
    """
    return Symmetry(right - left, "") if _both_known(left, right) else _none("", _UNKNOWN)


def ratio(left: float, right: float) -> Symmetry:
    """Return right / left; 1 is symmetric.

    Examples
    --------
    >>> ratio(0.5, 0.75).value
    1.5
    >>> ratio(0.0, 0.75).refused
    'it would divide by zero'
    """
    refused = _refused(left, right, left)
    return _none("", refused) if refused else Symmetry(right / left, "")


def robinson_index(left: float, right: float) -> Symmetry:
    """Return 200 (XR - XL) / (XR + XL), % (Robinson et al. 1987, J Manip Physiol Ther 10:172-176).

    Examples
    --------
    >>> robinson_index(0.75, 1.25).value
    50.0
    >>> robinson_index(-0.5, 0.6).refused
    'left and right have different signs'
    """
    refused = _refused(left, right, left + right)
    return _none("%", refused) if refused else Symmetry(200 * (right - left) / (right + left), "%")


def gait_asymmetry(left: float, right: float) -> Symmetry:
    """Return 100 ln(XR / XL), % (Plotnik et al. 2005, Ann Neurol 57:656-663).

    Examples
    --------
    >>> round(gait_asymmetry(0.4, 0.44).value, 3)
    9.531
    >>> gait_asymmetry(0.4, 0.0).refused
    'it would divide by zero'
    """
    refused = _refused(left, right, left * right)
    return _none("%", refused) if refused else Symmetry(100 * math.log(right / left), "%")


def symmetry_angle(left: float, right: float) -> Symmetry:
    """Return the symmetry angle, % (Zifchock et al. 2008, Gait Posture 27:622-627).

    100 (45 deg - atan2(XL, XR)) / 90 deg, within -100 and 100. An angle outside -90 and 90 deg is
    shifted by 180 deg, so that changing both signs does not change the angle. It is undefined only
    for two zeros.

    Examples
    --------
    >>> round(symmetry_angle(1.0, 2.0).value, 2), round(symmetry_angle(-1.0, -2.0).value, 2)
    (20.48, 20.48)
    >>> round(symmetry_angle(2.0, 1.0).value, 2), round(symmetry_angle(0.0, 1.0).value, 2)
    (-20.48, 50.0)
    >>> symmetry_angle(0.0, 0.0).refused
    'it would divide by zero'
    """
    if not _both_known(left, right):
        return _none("%", _UNKNOWN)
    if left == 0 and right == 0:
        return _none("%", _ZERO)
    angle = 45.0 - math.degrees(math.atan2(left, right))
    if abs(angle) > 90.0:  # noqa: PLR2004  deg
        angle -= math.copysign(180.0, angle)
    return Symmetry(100 * angle / 90.0, "%")


def normalised_index(left: float, right: float, trials: Iterable[float]) -> Symmetry:
    """Return the normalised symmetry index, % (Queen et al. 2020, J Biomech 99:109531).

    100 (XR - XL) / (max(0, all) - min(0, all)): bounded by 100 even near zero and with mixed signs.

    Parameters
    ----------
    left, right : float
    trials : iterable of float
        The values of both sides in all cycles; the two compared values are included in any case.

    Examples
    --------
    >>> normalised_index(0.5, 0.75, [0.5, 0.75, 1.0]).value
    25.0
    >>> normalised_index(-0.5, 0.5, []).value
    100.0
    """
    if not _both_known(left, right):
        return _none("%", _UNKNOWN)
    values = [0.0, left, right, *(x for x in trials if math.isfinite(x))]
    span = max(values) - min(values)
    return Symmetry(100 * (right - left) / span, "%") if span else _none("%", _ZERO)


def _refused(left: float, right: float, divisor: float) -> str:
    """Return why a quotient of both sides is refused; empty if it is not."""
    if not _both_known(left, right):
        return _UNKNOWN
    if left * right < 0:
        return _MIXED
    return _ZERO if divisor == 0 else ""


def _both_known(left: float, right: float) -> bool:
    return math.isfinite(left) and math.isfinite(right)


def _none(unit: str, why: str) -> Symmetry:
    return Symmetry(math.nan, unit, why)
