"""Convert stated channel units other than newtons and the points' length unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

NEWTONS = {
    "kn": 1000.0, "dan": 10.0, "kgf": 9.80665, "kg": 9.80665, "kp": 9.80665,
    "lbf": 4.4482216152605, "lb": 4.4482216152605, "lbs": 4.4482216152605,
}  # fmt: skip
"""Unit of force -> N (BIPM, The International System of Units; NIST SP 811, appendix B)."""
ARMS_M = {"cm": 0.01, "in": 0.0254, "ft": 0.3048}
"""Length in a unit of moment -> m; other lengths are tried without being stated."""
HARDEST_N = 5000.0
"""No step of a walk or a run is harder: a label that implies more is wrong."""
_PRESSURE, _SENSORS = 1, 3
_ARM = re.compile("|".join(f"^{name}(?=[kl])|{name}$" for name in ARMS_M))


def in_newtons(channels: Array, units: Sequence[str], kind: int) -> tuple[Array, str]:
    """Return the channels with forces in N if another unit is stated, and a note.

    Moments are scaled with the forces, so that only their length unit remains to be found.

    Parameters
    ----------
    channels : array, shape (n, k)
    units : sequence of str
        ANALOG:UNITS of each channel.
    kind : int
        Type of the plate: in type 1 the fourth and fifth channels are lengths, in type 3 all are
        forces.

    Examples
    --------
    >>> in_newtons(np.array([[0.0, 0.0, 0.75, 0.0, 0.0, 0.0]]), ["kN"] * 3 + ["kNm"] * 3, 2)[1]
    "forces are in 'kn', as ANALOG:UNITS says"
    """
    forces = channels.shape[1] if kind == _SENSORS else 3
    stated = {_plain(unit) for unit in units[:forces]}
    unit = stated.pop() if len(stated) == 1 else ""
    newtons = NEWTONS.get(unit)
    largest = np.abs(channels[:, :forces]).max(initial=0.0)
    if newtons is None or len(units) < forces or newtons * largest > HARDEST_N:
        return channels, ""
    factors = np.full(channels.shape[1], newtons)
    if kind == _PRESSURE:
        factors[3:5] = 1.0
    return channels * factors, f"forces are in {unit!r}, as ANALOG:UNITS says"


def stated_arm(units: Sequence[str]) -> tuple[str, float]:
    """Return the length in the unit of moments, and its metres; empty and 0 for common units.

    Examples
    --------
    >>> stated_arm(["N cm", "N cm"]), stated_arm(["in-lbs"]), stated_arm(["Nmm"])
    (('cm', 0.01), ('in', 0.0254), ('', 0.0))
    """
    stated = {match[0] if (match := _ARM.search(_plain(unit))) else "" for unit in units}
    arm = stated.pop() if len(stated) == 1 else ""
    return arm, ARMS_M.get(arm, 0.0)


def _plain(unit: str) -> str:
    return re.sub(r"[^a-z]", "", unit.lower())
