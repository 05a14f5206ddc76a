"""What the vendor's numbers are: unit, axes, order and sign, by the best fit over our values.

The length of a vector does not depend on axes, order and signs, so that the unit is found first,
from the ratio of lengths. Then, for every kind of axes, each component of the vendor's is held
against each of ours with both signs; every component counts alike, whatever its size.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.compare.quantities import unit_factors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.compare.quantities import OutputKind
    from gaitdyn.types.arrays import Array

ORDERS = tuple(permutations((0, 1, 2)))
FEWEST = 10
"""Frames that a component needs for a guess."""

_FAR = 1.6
"""Ratio to the nearest unit above which no unit is recognised."""

_BETTER = 0.8
"""Part of the usual choice's misfit below which another choice is taken."""

_SURE = 0.6
"""Ratio of the misfits of both signs below which a sign is sure."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One output of the vendor's and ours.

    Attributes
    ----------
    label : str
        Ours, such as ``LKneeMoment``.
    part : str
        Body part of the label, such as ``Knee``.
    vendor : array, shape (n, 3)
        File units, NaN in gaps.
    own : dict
        Axes -> array, shape (n, 3).
    """

    label: str
    part: str
    vendor: Array
    own: Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class Convention:
    """What was found of one quantity.

    Attributes
    ----------
    quantity : OutputKind
    unit : str
        ``unknown`` where no unit is near.
    labelled : str
        What the file says.
    factor : float
        The vendor's number for one of the quantity's unit.
    axes : str
    order : dict
        Body part -> for each of our components the vendor's, from 0.
    signs : dict
        Label -> for each of our components +1, -1, or 0 where either fits as badly.
    misfit : dict
        Axes -> mean squared difference over the mean square of the vendor's, all components.
    """

    quantity: OutputKind
    unit: str
    labelled: str
    factor: float
    axes: str
    order: dict[str, tuple[int, ...]]
    signs: dict[str, tuple[int, ...]]
    misfit: dict[str, float]

    def turned(self, pair: Pair) -> Array:
        """Return the vendor's values in our unit, order and signs, shape (n, 3)."""
        values = pair.vendor[:, list(self.order[pair.part])] / self.factor
        signs = np.array([s or 1 for s in self.signs[pair.label]], float)
        return values * signs


def detect(
    quantity: OutputKind, pairs: Sequence[Pair], mass_kg: float, labelled: str
) -> Convention | None:
    """Return what the vendor's numbers of one quantity are; None without enough frames.

    Parameters
    ----------
    quantity : OutputKind
    pairs : sequence of Pair
    mass_kg : float
        Of the body.
    labelled : str
        The unit that the file says.
    """
    usual = quantity.axes[0]
    factor, unit = _unit(quantity, pairs, mass_kg)
    if factor is None:
        return None
    tried = [a for a in quantity.axes if all(a in pair.own for pair in pairs)]
    fits = {axes: _fit(pairs, axes, factor, wrapped=quantity.unit == "deg") for axes in tried}
    if not fits:
        return None
    misfit = {axes: float(np.mean(cost)) for axes, (_, _, cost) in fits.items()}
    best = min(misfit, key=lambda axes: misfit[axes])
    if usual in misfit and misfit[best] >= _BETTER * misfit[usual]:
        best = usual
    order, signs, _ = fits[best]
    return Convention(quantity, unit, labelled, factor, best, order, signs, misfit)


def _unit(quantity: OutputKind, pairs: Sequence[Pair], mass_kg: float) -> tuple[float | None, str]:
    """Return the factor of the nearest unit, from the ratio of lengths."""
    ratios = []
    for pair in pairs:
        for own in pair.own.values():
            known = np.isfinite(own) & np.isfinite(pair.vendor)
            size = np.abs(own[known]).sum()
            if known.any(axis=1).sum() >= FEWEST and size > 0:
                lengths = (np.sqrt(np.sum(x[known] ** 2)) for x in (pair.vendor, own))
                ratios.append(next(lengths) / next(lengths))
                break
    if not ratios:
        return None, ""
    ratio = float(np.median(ratios))
    factors = {u: f for u, f in unit_factors(quantity, mass_kg).items() if np.isfinite(f)}
    far = {unit: abs(np.log(max(ratio, 1e-12) / f)) for unit, f in factors.items()}
    unit = min(far, key=lambda u: far[u])
    if far[unit] > np.log(_FAR):
        return ratio, "unknown"
    return factors[unit], unit


def _fit(
    pairs: Sequence[Pair], axes: str, factor: float, *, wrapped: bool
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]], list[float]]:
    """Return order by body part, signs by label, and the misfit of every component."""
    tables = {pair.label: _misfits(pair, axes, factor, wrapped=wrapped) for pair in pairs}
    order: dict[str, tuple[int, ...]] = {}
    for part in dict.fromkeys(pair.part for pair in pairs):
        both = [tables[p.label].min(axis=-1) for p in pairs if p.part == part]
        cost = np.sum(both, axis=0)
        totals = {o: float(sum(cost[i, o[i]] for i in range(3))) for o in ORDERS}
        best = min(totals, key=lambda o: totals[o])
        order[part] = ORDERS[0] if totals[best] >= _BETTER * totals[ORDERS[0]] else best
    signs, costs = {}, []
    for pair in pairs:
        table = tables[pair.label]
        both = np.array([table[i, order[pair.part][i]] for i in range(3)])
        costs += [float(x) for x in both.min(axis=-1) if x != 1.0]
        signs[pair.label] = tuple(_sign(plus, minus) for plus, minus in both)
    return order, signs, costs or [1.0]


def _sign(plus: float, minus: float) -> int:
    if min(plus, minus) >= _SURE * max(plus, minus):
        return 0
    return 1 if plus < minus else -1


def _misfits(pair: Pair, axes: str, factor: float, *, wrapped: bool) -> Array:
    """Return misfits of our component i, the vendor's j and both signs, shape (3, 3, 2).

    One is what a component of zeros gives; a component that is not known in enough frames gets it
    too, so that it decides nothing.
    """
    own, vendor = pair.own[axes], pair.vendor / factor
    found = np.ones((3, 3, 2))
    for i in range(3):
        for j in range(3):
            known = np.isfinite(own[:, i]) & np.isfinite(vendor[:, j])
            x, y = own[known, i], vendor[known, j]
            size = float(np.mean(y**2)) if len(y) else 0.0
            if len(y) < FEWEST or size == 0:
                continue
            for k, sign in enumerate((1.0, -1.0)):
                difference = sign * y - x
                if wrapped:
                    difference = (difference + 180.0) % 360.0 - 180.0
                found[i, j, k] = float(np.mean(difference**2)) / size
    return found
