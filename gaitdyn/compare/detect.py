"""Identify the unit, axes, order and signs of the vendor's numbers by the best fit to our values.

The length of a vector does not depend on axes, order or signs. The unit is therefore found first,
from the ratio of lengths. Then, for each kind of axes, every vendor component is compared with
each of ours, with both signs. All components have the same weight, whatever their size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from gaitdyn.compare.quantities import OutputKind, unit_factors
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

ORDERS = tuple(permutations((0, 1, 2)))
FEWEST = 10
"""Frames in which a component must be known to be compared."""

_FAR = 1.6
"""Ratio to the nearest unit above which the unit is not recognised."""

_BETTER = 0.8
"""Another choice is taken if its misfit is below this fraction of the usual choice's."""

_SURE = 0.6
"""A sign is certain if the ratio of the misfits of the two signs is below this."""


@frozen(eq=False)
class Pair:
    """One output in the vendor's version and in ours.

    Attributes
    ----------
    label : str
        gaitdyn's label, such as ``LKneeMoment``.
    part : str
        Body part of the label, such as ``Knee``.
    vendor : array, shape (n, 3)
        File units, NaN in gaps.
    ours : dict
        Axes -> array, shape (n, 3).
    """

    label: str
    part: str
    vendor: Array
    ours: Mapping[str, Array]


@frozen()
class Convention:
    """How the vendor stored one quantity.

    Attributes
    ----------
    quantity : OutputKind
    unit : str
        ``unknown`` if no unit is close enough.
    labelled : str
        Unit stated in the file.
    factor : float
        Vendor's number that equals 1 in the quantity's unit.
    axes : str
    order : dict
        Body part -> index of the vendor's component for each of ours, from 0.
    signs : dict
        Label -> for each of our components +1, -1, or 0 if neither sign fits clearly better.
    misfit : dict
        Axes -> mean squared difference divided by the vendor's mean square, all components.
    """

    quantity: OutputKind
    unit: str
    labelled: str
    factor: float
    axes: str
    order: dict[str, tuple[int, ...]]
    signs: dict[str, tuple[int, ...]]
    misfit: dict[str, float]

    def covers(self, pairs: Sequence[Pair]) -> bool:
        """Return whether it has the axes, order and signs of some outputs."""
        return all(
            p.part in self.order and p.label in self.signs and self.axes in p.ours for p in pairs
        )

    def turned(self, pair: Pair) -> Array:
        """Return the vendor's values in our unit, order and signs, shape (n, 3)."""
        values = pair.vendor[:, list(self.order[pair.part])] / self.factor
        signs = np.array([s or 1 for s in self.signs[pair.label]], float)
        return values * signs


def detect(
    quantity: OutputKind, pairs: Sequence[Pair], mass_kg: float, labelled: str
) -> Convention | None:
    """Return the unit, axes, order and signs of one vendor quantity; None without enough frames.

    Parameters
    ----------
    quantity : OutputKind
    pairs : sequence of Pair
    mass_kg : float
        Body mass.
    labelled : str
        Unit stated in the file.
    """
    usual = quantity.axes[0]
    factor, unit = _unit(quantity, pairs, mass_kg)
    if factor is None:
        return None
    candidates = [a for a in quantity.axes if all(a in pair.ours for pair in pairs)]
    fits = {axes: _fit(pairs, axes, factor, wrapped=quantity.unit == "deg") for axes in candidates}
    if not fits:
        return None
    misfit = {axes: float(np.mean(cost)) for axes, (_, _, cost) in fits.items()}
    best = min(misfit, key=lambda axes: misfit[axes])
    if usual in misfit and misfit[best] >= _BETTER * misfit[usual]:
        best = usual
    order, signs, _ = fits[best]
    return Convention(quantity, unit, labelled, factor, best, order, signs, misfit)


def _unit(quantity: OutputKind, pairs: Sequence[Pair], mass_kg: float) -> tuple[float | None, str]:
    """Return factor and name of the nearest unit, from the ratio of vector lengths."""
    ratios = []
    for pair in pairs:
        for ours in pair.ours.values():
            known = np.isfinite(ours) & np.isfinite(pair.vendor)
            size = np.abs(ours[known]).sum()
            if known.any(axis=1).sum() >= FEWEST and size > 0:
                squares = [np.sum(x[known] ** 2) for x in (pair.vendor, ours)]
                ratios.append(np.sqrt(squares[0]) / np.sqrt(squares[1]))
                break
    if not ratios:
        return None, ""
    ratio = float(np.median(ratios))
    factors = {u: f for u, f in unit_factors(quantity, mass_kg).items() if np.isfinite(f)}
    distances = {unit: abs(np.log(max(ratio, 1e-12) / f)) for unit, f in factors.items()}
    unit = min(distances, key=lambda u: distances[u])
    if distances[unit] > np.log(_FAR):
        return ratio, "unknown"
    return factors[unit], unit


def _fit(
    pairs: Sequence[Pair], axes: str, factor: float, *, wrapped: bool
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]], list[float]]:
    """Return the order per body part, the signs per label and the misfit of each component."""
    tables = {pair.label: _misfits(pair, axes, factor, wrapped=wrapped) for pair in pairs}
    order: dict[str, tuple[int, ...]] = {}
    for part in dict.fromkeys(pair.part for pair in pairs):
        costs_of_part = [tables[p.label].min(axis=-1) for p in pairs if p.part == part]
        cost = np.sum(costs_of_part, axis=0)
        totals = {o: float(sum(cost[i, o[i]] for i in range(3))) for o in ORDERS}
        best = min(totals, key=lambda o: totals[o])
        order[part] = ORDERS[0] if totals[best] >= _BETTER * totals[ORDERS[0]] else best
    signs, costs = {}, []
    for pair in pairs:
        table = tables[pair.label]
        both_signs = np.array([table[i, order[pair.part][i]] for i in range(3)])
        costs += [float(x) for x in both_signs.min(axis=-1) if x != 1.0]
        signs[pair.label] = tuple(_sign(plus, minus) for plus, minus in both_signs)
    return order, signs, costs or [1.0]


def _sign(plus: float, minus: float) -> int:
    if min(plus, minus) >= _SURE * max(plus, minus):
        return 0
    return 1 if plus < minus else -1


def _misfits(pair: Pair, axes: str, factor: float, *, wrapped: bool) -> Array:
    """Return the misfit of our component i and the vendor's j for both signs, shape (3, 3, 2).

    A component of zeros has a misfit of one. So has a component that is known in too few frames:
    it then has no influence.
    """
    ours, vendor = pair.ours[axes], pair.vendor / factor
    misfits = np.ones((3, 3, 2))
    for i in range(3):
        for j in range(3):
            known = np.isfinite(ours[:, i]) & np.isfinite(vendor[:, j])
            x, y = ours[known, i], vendor[known, j]
            size = float(np.mean(y**2)) if len(y) else 0.0
            if len(y) < FEWEST or size == 0:
                continue
            for k, sign in enumerate((1.0, -1.0)):
                difference = sign * y - x
                if wrapped:
                    difference = (difference + 180.0) % 360.0 - 180.0
                misfits[i, j, k] = float(np.mean(difference**2)) / size
    return misfits
