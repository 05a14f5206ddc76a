"""Groups of walking speed in a reference set."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from gaitdyn.errors import NormRefused, UsageError
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.texts import number_in

_QUANTILES = {
    "3": ("slow", "free", "fast"),
    "5": ("very_slow", "slow", "free", "fast", "very_fast"),
}
_GROUP = re.compile(r"\s*([\w-]+)\s*:\s*([0-9.]*?)\s*\.\.\s*([0-9.]*)\s*")


@frozen()
class SpeedGroup:
    """Cycles with low <= v / sqrt(g L) < high; without limits also those of unknown speed."""

    name: str
    low: float | None = None
    high: float | None = None

    @property
    def all_speeds(self) -> bool:
        """Whether it has no limits."""
        return self.low is None and self.high is None

    def rows(self, speeds: Array) -> Mask:
        """Return which speeds are in the group."""
        inside = np.ones(len(speeds), dtype=bool)
        if self.low is not None:
            inside &= speeds >= self.low
        if self.high is not None:
            inside &= speeds < self.high
        return inside


ONE = (SpeedGroup("free"),)
"""All cycles as one group."""


def parse_groups(text: str | None, speeds: Array) -> tuple[SpeedGroup, ...]:
    """Return the speed groups described by a text.

    Parameters
    ----------
    text : str or None
        ``slow:..0.36,free:0.36..0.5,fast:0.5..``, or 3 or 5 for groups of equally many cycles.
        None for one group, ``free``.
    speeds : array, shape (n,)
        v / sqrt(g L) of all cycles, for the quantiles.

    Raises
    ------
    UsageError

    Examples
    --------
    >>> parse_groups("slow:..0.36,free:0.36..0.5", np.array([]))
    (SpeedGroup(name='slow', low=None, high=0.36), SpeedGroup(name='free', low=0.36, high=0.5))
    """
    if text is None:
        return ONE
    if text.strip() in _QUANTILES:
        return _quantiles(_QUANTILES[text.strip()], speeds)
    groups = tuple(_group(part) for part in text.split(","))
    names = [group.name for group in groups]
    if len(set(names)) < len(names):
        raise UsageError(f"--groups {text!r}: a name appears twice; wanted each once")
    return groups


def _group(part: str) -> SpeedGroup:
    match = _GROUP.fullmatch(part)
    ends = match.groups()[1:] if match else ()
    low, high = (number_in(end, math.nan) if end else None for end in ends or ("", ""))
    least, most = -math.inf if low is None else low, math.inf if high is None else high
    if match is None or not least < most:
        raise UsageError(
            f"--groups {part!r} cannot be read; wanted NAME:LOW..HIGH in v / sqrt(g L), one end may"
            " be open, as in slow:..0.36,free:0.36..0.5,fast:0.5.., or 3 or 5"
        )
    return SpeedGroup(match[1], low, high)


def _quantiles(names: Sequence[str], speeds: Array) -> tuple[SpeedGroup, ...]:
    known = speeds[np.isfinite(speeds)]
    if not len(known):
        message = "found no cycle with a speed; wanted some for speed groups; leave --groups out"
        raise NormRefused(message)
    inner = np.quantile(known, np.arange(1, len(names)) / len(names)).tolist()
    limits = [None, *inner, None]
    return tuple(
        SpeedGroup(name, low, high)
        for name, low, high in zip(names, limits[:-1], limits[1:], strict=True)
    )
