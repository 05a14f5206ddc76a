"""The shape of a muscle's envelope over the cycle, compared with published means.

Amplitudes are never compared: both curves are divided by their mean over the cycle.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.healthy import SCHWARTZ_SPEEDS
from gaitdyn.types.arrays import Array

SOURCE = "Schwartz et al. 2008, J Biomech 41:1639-1650"

FREE, UNKNOWN = "free", "unknown"
"""The group that is used if the speed is not known, and the name of that case."""

NOT_COMPARED = "none"
"""Group of a walk that is not compared with the norms; it has no shapes."""

_POINTS = 101


class Shape(NamedTuple):
    """A norm divided by its mean over the cycle: mean and SD between persons, shape (101,)."""

    mean: Array
    sd: Array


@cache
def _shapes() -> dict[tuple[str, str], Shape]:
    """Return group and signal -> shape, read once."""
    points: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for row in shipped_rows("emg/schwartz2008.csv"):
        point = float(row["percent"]), float(row["mean"]), float(row["sd"])
        points.setdefault((row["group"], row["signal"]), []).append(point)
    shapes: dict[tuple[str, str], Shape] = {}
    for key, rows in points.items():
        percent, mean, sd = np.array(rows).T
        grid = np.linspace(0.0, 100.0, _POINTS)
        middle, spread = (np.interp(grid, percent, y) for y in (mean, sd))
        shapes[key] = Shape(middle / middle.mean(), spread / middle.mean())
    return shapes


def norm_shape(signal: str, group: str = FREE) -> Shape | None:
    """Return the shape of one muscle at one speed, or None if the norm does not have it.

    Parameters
    ----------
    signal : str
        ``rectus_femoris``, ``medial_hamstrings``, ``lateral_hamstrings``, ``anterior_tibialis`` or
        ``medial_gastrocnemius``.
    group : str
        Of ``SCHWARTZ_SPEEDS``; :data:`UNKNOWN` gives the shape at free speed, and
        :data:`NOT_COMPARED` none.
    """
    return _shapes().get((FREE if group == UNKNOWN else group, signal))


def speed_group(speed: float | None) -> str:
    """Return the group whose mean speed is nearest; ``unknown`` if the speed is not known.

    Parameters
    ----------
    speed : float or None
        v / sqrt(g L).

    Examples
    --------
    >>> speed_group(0.44), speed_group(0.2), speed_group(None)
    ('free', 'very_slow', 'unknown')
    """
    if speed is None or not np.isfinite(speed):
        return UNKNOWN
    return min(SCHWARTZ_SPEEDS, key=lambda name: abs(SCHWARTZ_SPEEDS[name] - speed))


def middle_group(groups: list[str]) -> str:
    """Return the middle one of the known speed groups, the slower of two; or ``unknown``.

    One walk that is not compared keeps all from being compared.

    Examples
    --------
    >>> middle_group(["fast", "unknown", "slow"]), middle_group(["unknown"])
    ('slow', 'unknown')
    >>> middle_group(["fast", "none"])
    'none'
    """
    if NOT_COMPARED in groups:
        return NOT_COMPARED
    known = [name for name in SCHWARTZ_SPEEDS for group in groups if group == name]
    return known[(len(known) - 1) // 2] if known else UNKNOWN


def likeness(envelope: Array, shape: Array) -> float:
    """Return the correlation of two curves over the cycle; NaN if one of them is flat.

    Examples
    --------
    >>> wave = np.sin(np.linspace(0.0, 6.0, 101))
    >>> round(likeness(3.0 * wave + 1.0, wave), 6)
    1.0
    """
    return float(likenesses(envelope[None], shape)[0])


def likenesses(envelopes: Array, shape: Array) -> Array:
    """Return the correlation of each of m curves with one, shape (m,); NaN where one is flat."""
    a, b = envelopes - envelopes.mean(axis=1, keepdims=True), shape - shape.mean()
    size = np.sqrt((a * a).sum(axis=1) * (b @ b))
    products = (a[:, None] @ b)[:, 0]  # each by itself: ``a @ b`` rounds by how many there are
    return np.divide(products, size, out=np.full(len(a), np.nan), where=size > 0)
