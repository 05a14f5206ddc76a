"""How well the place of a marker fits a landmark: penalties, never proof."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from gaitdyn.landmarks.places import Place, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.landmarks.standing import Body
    from gaitdyn.types.landmarks import BodySide

_OF_HEIGHT, _OF_PLACE = 1.5, 1.0
_NOT_UPRIGHT = 0.15
_WALKING_SD = 0.02
_LEVEL_SD = 0.022
_WANTED = 2
_AHEAD = 0.08
"""Difference of two forward places from which on their order is a vote."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Where one marker is, in ASIS heights: above the floor, outward, ahead of the mid-plane."""

    height: float
    outward: float
    ahead: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Penalty of a place for a landmark, and its parts in words.

    ``known`` is whether any place was measured.
    """

    penalty: float
    words: str
    known: bool


NOWHERE = Fit(0.0, "", known=False)

Shift = dict[tuple[str, str], list[tuple[int, float, float]]]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Places of the markers of one file, held against the table.

    Markers of one level (knee or foot of a side, pelvis) are held against each other: a person may
    stand wide, or with the toes out.

    Attributes
    ----------
    where : list of Seen or None
        Of each item; ``None`` when it is not in this file or its height is not known.
    sides : sequence of {"left", "right", ""}
    shift : dict
        (level, side) -> (item, outward, ahead less what its name wants).
    upright, moving, mirrored : bool
    """

    where: list[Seen | None]
    sides: Sequence[BodySide]
    shift: Shift
    upright: bool
    moving: bool
    mirrored: bool

    def seen(self, i: int) -> Seen | None:
        """Return where an item is."""
        return self.where[i]

    def fit(self, i: int, code: str) -> Fit:
        """Return how well the place of an item fits a landmark."""
        place, seen = places().get(code), self.where[i]
        if place is None or seen is None:
            return NOWHERE
        spread = _WALKING_SD if self.moving else 0.0
        total = _term(seen.height, place.height, place.height_sd, spread, _OF_HEIGHT)
        words = [f"height {seen.height:.2f} for {place.height:.2f}"]
        outward, outward_sd, ahead = self._beside(i, place, seen)
        if math.isfinite(outward):
            total += _term(outward, place.outward, outward_sd, spread, _OF_PLACE)
            words.append(f"outward {outward:.2f} for {place.outward:.2f}")
        if math.isfinite(ahead):
            total += _term(ahead, place.forward, place.forward_sd, spread, _OF_PLACE)
            words.append(f"forward {ahead:.2f} for {place.forward:.2f}")
        weight = 1.0 if self.upright else _NOT_UPRIGHT
        return Fit(weight * total, ", ".join(words), known=True)

    def _beside(self, i: int, place: Place, seen: Seen) -> tuple[float, float, float]:
        """Return outward place with its spread and forward place against the same level."""
        key = (place.level, "" if place.level == "pelvis" else self.sides[i])
        others = [x for x in self.shift.get(key, ()) if x[0] != i]
        if not others or not math.isfinite(place.forward):
            return seen.outward, place.outward_sd, math.nan
        ahead = seen.ahead - median(x[2] for x in others)
        if place.level != "foot" or len(others) < _WANTED:
            return seen.outward, place.outward_sd, ahead
        outward = seen.outward - median(x[1] for x in others)
        return outward, min(place.outward_sd, _LEVEL_SD), ahead


def ground_of(
    body: Body | None, sides: Sequence[BodySide], top: Sequence[str], *, moving: bool
) -> Ground:
    """Return the places of a file, by item.

    Parameters
    ----------
    body : Body or None
    sides : sequence of {"left", "right", ""}
    top : sequence of str
        The code that the name of an item surely means, ``""`` for none.
    moving : bool
        No static.
    """
    where: list[Seen | None] = [None] * len(sides)
    if body is None:
        return Ground(where, sides, {}, upright=False, moving=moving, mirrored=False)
    for i, side in enumerate(sides):
        height = float(body.height[i])
        if math.isfinite(height):
            sign = -1.0 if side == "right" else 1.0
            where[i] = Seen(height, sign * float(body.outward[i]), float(body.ahead[i]))
    mirrored = _is_mirrored(where, sides, top)
    if mirrored:
        where = [s and Seen(s.height, s.outward, -s.ahead) for s in where]
    shift = _shifts(where, sides, top)
    return Ground(where, sides, shift, body.standing.upright, moving, mirrored)


def _shifts(where: Sequence[Seen | None], sides: Sequence[BodySide], top: Sequence[str]) -> Shift:
    """Return by level and side how far the sure markers stand from where their names want them."""
    shift: Shift = defaultdict(list)
    for i, code in enumerate(top):
        place, seen = places().get(code), where[i]
        if place is None or seen is None or not math.isfinite(place.forward + seen.ahead):
            continue
        side = "" if place.level == "pelvis" else sides[i]
        off = (i, seen.outward - place.outward, seen.ahead - place.forward)
        shift[place.level, side].append(off)
    return dict(shift)


def _is_mirrored(
    where: Sequence[Seen | None], sides: Sequence[BodySide], top: Sequence[str]
) -> bool:
    """Return whether front and back of pelvis and feet contradict left and right."""
    levels: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for i, code in enumerate(top):
        place, seen = places().get(code), where[i]
        known = place is not None and seen is not None and math.isfinite(place.forward)
        if known and math.isfinite(seen.ahead) and place.level in {"pelvis", "foot"}:
            side = "" if place.level == "pelvis" else sides[i]
            levels[place.level, side].append((place.forward, seen.ahead))
    right = wrong = 0
    for members in levels.values():
        for n, (wanted, found) in enumerate(members):
            for other_wanted, other_found in members[:n]:
                if abs(wanted - other_wanted) > _AHEAD:
                    agrees = (wanted - other_wanted) * (found - other_found) > 0
                    right, wrong = right + agrees, wrong + (not agrees)
    return wrong > 2 and wrong > 2 * right  # noqa: PLR2004


def _term(found: float, wanted: float, sd: float, spread: float, weight: float) -> float:
    two_sd = 2.0 * math.hypot(sd, spread)
    return weight * math.log1p(((found - wanted) / two_sd) ** 2)
