"""How well the place of a marker fits a landmark: penalties, never proof."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.landmarks.places import LandmarkPlace, places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.landmarks.standing import StandingPerson
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import BodySide

_OF_HEIGHT, _OF_PLACE = 1.5, 1.0
_NOT_UPRIGHT = 0.15
_WALKING_SD = 0.02
_LEVEL_SD = 0.022
_WANTED = 2
_AHEAD = 0.08
"""Difference of two forward places from which on their order is a vote."""


class MarkerPosition(NamedTuple):
    """Where one marker is, in ASIS heights: above the floor, outward, ahead of the mid-plane."""

    height: float
    outward: float
    ahead: float


class PlaceFit(NamedTuple):
    """Penalty of a place for a landmark, and its parts: what is measured, found and wanted.

    ``known`` is whether any place was measured; ``whole`` is the penalty as if the person stood
    upright.
    """

    penalty: float
    known: bool
    whole: float = 0.0
    parts: tuple[tuple[str, float, float], ...] = ()

    @property
    def words(self) -> str:
        """Return the parts in words."""
        return ", ".join(
            f"{name} {found:.2f} for {wanted:.2f}" for name, found, wanted in self.parts
        )


NOWHERE = PlaceFit(0.0, known=False)


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Markers of one level, held against each other within the same frames.

    Attributes
    ----------
    members : list of int
        Items whose names are sure.
    outward, ahead : array, shape (items, members)
        Place of each item as each member alone would have it: the median of their difference, and
        where the member's name wants the member. NaN of an item of the other side.
    """

    members: list[int]
    outward: Array
    ahead: Array

    def without(self, i: int) -> tuple[float, float, int]:
        """Return outward and forward place of an item by all other members, and their number."""
        places = zip(self.members, self.outward[i].tolist(), self.ahead[i].tolist(), strict=True)
        others = [(out, ahead) for j, out, ahead in places if j != i and not math.isnan(ahead)]
        if not others:
            return math.nan, math.nan, 0
        outward, ahead = zip(*others, strict=True)
        return median(outward), median(ahead), len(others)


@dataclass(frozen=True, slots=True, eq=False)
class PlaceEvidence:
    """Places of the markers of one file, held against the table.

    Markers of one level (knee or foot of a side, pelvis) are held against each other: a person may
    stand wide, or with the toes out.

    Attributes
    ----------
    where : list of MarkerPosition or None
        Of each item; ``None`` when it is not in this file or its height is not known.
    sides : sequence of {"left", "right", ""}
    levels : dict
        (level, side) -> its markers against each other.
    upright, moving, mirrored : bool
    """

    where: list[MarkerPosition | None]
    sides: Sequence[BodySide]
    levels: dict[tuple[str, str], Level]
    upright: bool
    moving: bool
    mirrored: bool

    def seen(self, i: int) -> MarkerPosition | None:
        """Return where an item is."""
        return self.where[i]

    def fit(self, i: int, code: str) -> PlaceFit:
        """Return how well the place of an item fits a landmark."""
        place, seen = places().get(code), self.where[i]
        if place is None or seen is None:
            return NOWHERE
        spread = _WALKING_SD if self.moving else 0.0
        total = _term(seen.height, place.height, place.height_sd, spread, _OF_HEIGHT)
        parts = [("height", seen.height, place.height)]
        outward, outward_sd, ahead = self._beside(i, place, seen)
        if math.isfinite(outward):
            total += _term(outward, place.outward, outward_sd, spread, _OF_PLACE)
            parts.append(("outward", outward, place.outward))
        if math.isfinite(ahead):
            total += _term(ahead, place.forward, place.forward_sd, spread, _OF_PLACE)
            parts.append(("forward", ahead, place.forward))
        weight = 1.0 if self.upright else _NOT_UPRIGHT
        return PlaceFit(weight * total, known=True, whole=total, parts=tuple(parts))

    def _beside(
        self, i: int, place: LandmarkPlace, seen: MarkerPosition
    ) -> tuple[float, float, float]:
        """Return outward place with its spread and forward place against the same level."""
        level = self.levels.get((place.level, "" if place.level == "pelvis" else self.sides[i]))
        if level is None or not math.isfinite(place.forward):
            return seen.outward, place.outward_sd, math.nan
        outward, ahead, count = level.without(i)
        if place.level != "foot" or count < _WANTED:
            return seen.outward, place.outward_sd, ahead
        return outward, min(place.outward_sd, _LEVEL_SD), ahead


def ground_of(
    body: StandingPerson | None, sides: Sequence[BodySide], top: Mapping[int, str], *, moving: bool
) -> PlaceEvidence:
    """Return the places of a file, by item.

    Parameters
    ----------
    body : StandingPerson or None
    sides : sequence of {"left", "right", ""}
    top : mapping
        Item of this file -> the code that its name surely means, ``""`` for none.
    moving : bool
        No static.
    """
    where: list[MarkerPosition | None] = [None] * len(sides)
    if body is None:
        return PlaceEvidence(where, sides, {}, upright=False, moving=moving, mirrored=False)
    known: list[list[float]] = [x.tolist() for x in (body.height, body.outward, body.ahead)]
    for i, (side, height, outward, ahead) in enumerate(zip(sides, *known, strict=True)):
        if math.isfinite(height):
            where[i] = MarkerPosition(height, -outward if side == "right" else outward, ahead)
    levels = {
        key: _level(body, sides, key[1], members)
        for key, members in _members(where, sides, top).items()
    }
    mirrored = _is_mirrored(levels, top)
    if mirrored:
        levels = {
            k: Level(v.members, v.outward, 2 * _wanted(v, top) - v.ahead) for k, v in levels.items()
        }
        where = [s and MarkerPosition(s.height, s.outward, -s.ahead) for s in where]
    levels = {key: level for key, level in levels.items() if len(level.members) > 0}
    return PlaceEvidence(where, sides, levels, body.standing.upright, moving, mirrored)


def _members(
    where: Sequence[MarkerPosition | None], sides: Sequence[BodySide], top: Mapping[int, str]
) -> dict[tuple[str, str], list[tuple[int, LandmarkPlace]]]:
    """Return by level and side the items whose names are sure."""
    found: dict[tuple[str, str], list[tuple[int, LandmarkPlace]]] = defaultdict(list)
    for i, code in top.items():
        place = places().get(code)
        if place is not None and where[i] is not None and math.isfinite(place.forward):
            found[place.level, "" if place.level == "pelvis" else sides[i]].append((i, place))
    return found


def _level(
    body: StandingPerson,
    sides: Sequence[BodySide],
    side: str,
    members: list[tuple[int, LandmarkPlace]],
) -> Level:
    """Return where each item of a side, or of both, is, as each member of a level has it."""
    at = [i for i, _ in members]
    own = [i for i, other in enumerate(sides) if side in {"", other}]
    seen = np.stack((body.to_left, body.to_front))
    found = np.full((2, len(sides), len(at)), np.nan)
    apart = known_medians(np.swapaxes(seen[:, :, own, None] - seen[:, :, None, at], 0, 1))
    found[:, own] = apart * np.array([-1.0 if side == "right" else 1.0, 1.0])[:, None, None]
    found += np.array([(place.outward, place.forward) for _, place in members]).T[:, None]
    return Level(at, found[0], found[1])


def _wanted(level: Level, top: Mapping[int, str]) -> Array:
    return np.array([places()[top[i]].forward for i in level.members])


def _is_mirrored(levels: dict[tuple[str, str], Level], top: Mapping[int, str]) -> bool:
    """Return whether front and back of pelvis and feet contradict left and right."""
    right = wrong = 0
    for (name, _), level in levels.items():
        forward = _wanted(level, top).tolist()
        for a, i in enumerate(level.members if name in {"pelvis", "foot"} else ()):
            for b in range(a):
                wanted, found = forward[a] - forward[b], level.ahead[i, b] - forward[b]
                if abs(wanted) > _AHEAD and math.isfinite(found):
                    right, wrong = right + (wanted * found > 0), wrong + (wanted * found <= 0)
    return bool(wrong > 2 and wrong > 2 * right)  # noqa: PLR2004


def _term(found: float, wanted: float, sd: float, spread: float, weight: float) -> float:
    two_sd = 2.0 * math.hypot(sd, spread)
    return weight * math.log1p(((found - wanted) / two_sd) ** 2)
