"""Measure how well the position of a marker fits a landmark: as penalties, never as proof."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.landmarks.body.places import LandmarkPlace, places
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.landmarks.body.standing import StandingPerson
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import BodySide

_OF_HEIGHT, _OF_PLACE = 1.5, 1.0
_NOT_UPRIGHT = 0.15
_WALKING_SD = 0.02
_LEVEL_SD = 0.022
_WANTED = 2
_AHEAD = 0.08
"""Smallest difference of two forward positions whose order counts as a vote."""


class MarkerPosition(NamedTuple):
    """Marker position in ASIS heights: above the floor, outward, ahead of the mid-plane.

    ``resting`` is the height below which it is in a quarter of the frames.
    """

    height: float
    outward: float
    ahead: float
    resting: float


class PlaceFit(NamedTuple):
    """Penalty of a position for a landmark, and its parts: quantity, measured and expected value.

    ``known`` is whether the position is known; ``whole`` is the penalty if the person stood
    upright.
    """

    penalty: float
    known: bool
    whole: float = 0.0
    parts: tuple[tuple[str, float, float], ...] = ()

    @property
    def words(self) -> str:
        """Return the parts in words, with their unit."""
        parts = (f"{name} {measured:.2f} for {wanted:.2f}" for name, measured, wanted in self.parts)
        return f"{', '.join(parts)}; fractions of the height of the pelvis"


NOWHERE = PlaceFit(0.0, known=False)


@frozen(eq=False)
class Level:
    """Markers of one level, compared within the same frames.

    Attributes
    ----------
    members : list of int
        Items with sure names.
    outward, ahead : array, shape (items, members)
        Position of each item relative to each member: the median of their difference plus the
        position expected from the member's name. NaN for items of the other side.
    """

    members: list[int]
    outward: Array
    ahead: Array

    def from_others(self) -> list[tuple[float, float, int]]:
        """Return each item's outward and forward position from other members, and their count."""
        positions = np.stack((self.outward, self.ahead), axis=-1)
        positions[self.members, range(len(self.members))] = np.nan
        outward, ahead = known_medians(np.swapaxes(positions, 0, 1)).T.tolist()
        count = np.isfinite(positions[..., 1]).sum(axis=1).tolist()
        return list(zip(outward, ahead, count, strict=True))


@frozen(eq=False)
class PlaceEvidence:
    """Positions of the markers of one file, to compare with the table.

    Markers of one level (knee or foot of a side, pelvis) are compared with each other, since a
    person may stand with feet apart or toes out.

    Attributes
    ----------
    where : list of MarkerPosition or None
        One per item; ``None`` if it is not in this file or its height is unknown.
    sides : sequence of {"left", "right", ""}
    levels : dict
        (level, side) -> outward and forward position of each item as its other markers tell, NaN if
        none does, and the number of these.
    upright, moving, mirrored : bool
    """

    where: list[MarkerPosition | None]
    sides: Sequence[BodySide]
    levels: dict[tuple[str, str], list[tuple[float, float, int]]]
    upright: bool
    moving: bool
    mirrored: bool

    def position(self, i: int) -> MarkerPosition | None:
        """Return the position of an item."""
        return self.where[i]

    def fit(self, i: int, code: str) -> PlaceFit:
        """Return how well the position of an item fits a landmark."""
        place, position = places().get(code), self.where[i]
        if place is None or position is None:
            return NOWHERE
        spread = _WALKING_SD if self.moving else 0.0
        height = position.height
        if self.moving and place.level == "foot":  # in running a foot is mostly in the air
            height = min(height, max(place.height, position.resting))
        total = _term(height, place.height, place.height_sd, spread, _OF_HEIGHT)
        parts = [("height", height, place.height)]
        outward, outward_sd, ahead = self._beside(i, place, position)
        if math.isfinite(outward):
            total += _term(outward, place.outward, outward_sd, spread, _OF_PLACE)
            parts.append(("outward", outward, place.outward))
        if math.isfinite(ahead):
            total += _term(ahead, place.forward, place.forward_sd, spread, _OF_PLACE)
            parts.append(("forward", ahead, place.forward))
        weight = 1.0 if self.upright else _NOT_UPRIGHT
        return PlaceFit(weight * total, known=True, whole=total, parts=tuple(parts))

    def _beside(
        self, i: int, place: LandmarkPlace, position: MarkerPosition
    ) -> tuple[float, float, float]:
        """Return outward position with its spread, and forward position relative to its level."""
        level = self.levels.get((place.level, "" if place.level == "pelvis" else self.sides[i]))
        if level is None or not math.isfinite(place.forward):
            return position.outward, place.outward_sd, math.nan
        outward, ahead, count = level[i]
        if place.level != "foot" or count < _WANTED:
            return position.outward, place.outward_sd, ahead
        return outward, min(place.outward_sd, _LEVEL_SD), ahead


def evidence_of(
    body: StandingPerson | None,
    sides: Sequence[BodySide],
    sure_codes: Mapping[int, str],
    *,
    moving: bool,
) -> PlaceEvidence:
    """Return the evidence on the positions in a file.

    Parameters
    ----------
    body : StandingPerson or None
    sides : sequence of {"left", "right", ""}
    sure_codes : mapping
        Item of this file -> the code that its name surely means, or ``""``.
    moving : bool
        Whether the file is not a static.
    """
    where: list[MarkerPosition | None] = [None] * len(sides)
    if body is None:
        return PlaceEvidence(where, sides, {}, upright=False, moving=moving, mirrored=False)
    measured = (body.height, body.outward, body.ahead, body.resting)
    positions = zip(*(x.tolist() for x in measured), strict=True)
    for i, (height, outward, ahead, resting) in enumerate(positions):
        if math.isfinite(height):
            out = -outward if sides[i] == "right" else outward
            where[i] = MarkerPosition(height, out, ahead, resting)
    levels = {
        key: _level(body, sides, key[1], members)
        for key, members in _members(where, sides, sure_codes).items()
    }
    mirrored = _is_mirrored(levels, sure_codes)
    if mirrored:
        levels = {
            key: Level(level.members, level.outward, 2 * _wanted(level, sure_codes) - level.ahead)
            for key, level in levels.items()
        }
        where = [p and p._replace(ahead=-p.ahead) for p in where]
    from_others = {key: level.from_others() for key, level in levels.items()}
    return PlaceEvidence(where, sides, from_others, body.standing.upright, moving, mirrored)


def _members(
    where: Sequence[MarkerPosition | None], sides: Sequence[BodySide], sure_codes: Mapping[int, str]
) -> dict[tuple[str, str], list[tuple[int, LandmarkPlace]]]:
    """Return the items with sure names, by level and side."""
    members: dict[tuple[str, str], list[tuple[int, LandmarkPlace]]] = defaultdict(list)
    for i, code in sure_codes.items():
        place = places().get(code)
        if place is not None and where[i] is not None and math.isfinite(place.forward):
            members[place.level, "" if place.level == "pelvis" else sides[i]].append((i, place))
    return members


def _level(
    body: StandingPerson,
    sides: Sequence[BodySide],
    side: str,
    members: list[tuple[int, LandmarkPlace]],
) -> Level:
    """Return the positions of the items on a side, or on both, relative to members of a level."""
    columns = [i for i, _ in members]
    rows = [i for i, item_side in enumerate(sides) if side in {"", item_side}]
    directions = np.stack((body.to_left, body.to_front))
    expected = np.full((2, len(sides), len(columns)), np.nan)
    offsets = directions[:, :, rows, None] - directions[:, :, None, columns]
    signs = np.array([-1.0 if side == "right" else 1.0, 1.0])[:, None, None]
    expected[:, rows] = known_medians(np.swapaxes(offsets, 0, 1)) * signs
    expected += np.array([(place.outward, place.forward) for _, place in members]).T[:, None]
    return Level(columns, expected[0], expected[1])


def _wanted(level: Level, sure_codes: Mapping[int, str]) -> Array:
    return np.array([places()[sure_codes[i]].forward for i in level.members])


def _is_mirrored(levels: dict[tuple[str, str], Level], sure_codes: Mapping[int, str]) -> bool:
    """Return whether front and back of pelvis and feet contradict left and right."""
    agree = disagree = 0
    for (name, _), level in levels.items():
        forward = _wanted(level, sure_codes).tolist()
        for a, i in enumerate(level.members if name in {"pelvis", "foot"} else ()):
            for b in range(a):
                wanted, measured = forward[a] - forward[b], level.ahead[i, b] - forward[b]
                if abs(wanted) > _AHEAD and math.isfinite(measured):
                    agree += wanted * measured > 0
                    disagree += wanted * measured <= 0
    return bool(disagree > 2 and disagree > 2 * agree)  # noqa: PLR2004


def _term(measured: float, wanted: float, sd: float, spread: float, weight: float) -> float:
    two_sd = 2.0 * math.hypot(sd, spread)
    return weight * math.log1p(((measured - wanted) / two_sd) ** 2)
