"""How well the place of a marker fits a landmark: penalties, never proof."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.landmarks.places import Place, places

if TYPE_CHECKING:
    from gaitdyn.landmarks.standing import Body
    from gaitdyn.types.landmarks import BodySide

_OF_HEIGHT, _OF_PLACE = 1.5, 1.0
_NOT_UPRIGHT = 0.15
_WALKING_SD = 0.02
_LEVEL_SD = 0.022
_WANTED = 2


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


Shift = dict[tuple[str, str], list[tuple[int, float, float]]]


class Ground:
    """Places of the markers of one file, held against the table.

    Markers of one level (knee or foot of a side, pelvis) are held against each other: a person may
    stand wide, or with the toes out.
    """

    def __init__(self, body: Body | None, sides: list[BodySide], top: list[str]) -> None:
        """Take the places of a file; ``top`` is the sure code of a marker, or ``""``."""
        self._body, self._sides = body, sides
        self._shift: Shift = defaultdict(list)
        if body is None:
            return
        for i, code in enumerate(top):
            place, seen = places().get(code), self.seen(i)
            if place is None or seen is None:
                continue
            ahead = seen.ahead - place.forward
            self._shift[place.level, sides[i]].append((i, seen.outward - place.outward, ahead))
            if place.level == "pelvis":
                self._shift["pelvis", "any"].append((i, 0.0, ahead))

    def seen(self, i: int) -> Seen | None:
        """Return where a marker is; ``None`` when its height is not known."""
        if self._body is None or not np.isfinite(self._body.height[i]):
            return None
        sign = -1.0 if self._sides[i] == "right" else 1.0
        outward = sign * float(self._body.outward[i])
        return Seen(float(self._body.height[i]), outward, float(self._body.ahead[i]))

    def fit(self, i: int, code: str, *, moving: bool) -> Fit:
        """Return how well the place of a marker fits a landmark."""
        place, seen = places().get(code), self.seen(i)
        if place is None or seen is None or self._body is None:
            return Fit(0.0, "", known=False)
        spread = _WALKING_SD if moving else 0.0
        parts = [_term(seen.height, place.height, place.height_sd, spread, _OF_HEIGHT)]
        words = [f"height {seen.height:.2f} for {place.height:.2f}"]
        outward, outward_sd, ahead = self._beside(i, place, seen)
        if math.isfinite(outward):
            parts.append(_term(outward, place.outward, outward_sd, spread, _OF_PLACE))
            words.append(f"outward {outward:.2f} for {place.outward:.2f}")
        if math.isfinite(ahead) and math.isfinite(place.forward):
            parts.append(_term(ahead, place.forward, place.forward_sd, spread, _OF_PLACE))
            words.append(f"forward {ahead:.2f} for {place.forward:.2f}")
        weight = 1.0 if self._body.standing.upright else _NOT_UPRIGHT
        return Fit(weight * sum(parts), ", ".join(words), known=True)

    def _beside(self, i: int, place: Place, seen: Seen) -> tuple[float, float, float]:
        """Return outward place with its spread and forward place against the same level."""
        if place.level == "pelvis":
            others = [x for x in self._shift["pelvis", "any"] if x[0] != i]
            ahead = seen.ahead - float(np.median([x[2] for x in others])) if others else math.nan
            return seen.outward, place.outward_sd, ahead
        if place.level not in {"knee", "foot"}:
            return seen.outward, place.outward_sd, math.nan
        others = [x for x in self._shift[place.level, self._sides[i]] if x[0] != i]
        if not others:
            return seen.outward, place.outward_sd, math.nan
        ahead = seen.ahead - float(np.median([x[2] for x in others]))
        if place.level == "knee" or len(others) < _WANTED:
            return seen.outward, place.outward_sd, ahead
        outward = seen.outward - float(np.median([x[1] for x in others]))
        return outward, min(place.outward_sd, _LEVEL_SD), ahead


def _term(found: float, wanted: float, sd: float, spread: float, weight: float) -> float:
    two_sd = 2.0 * math.hypot(sd, spread)
    return weight * math.log1p(((found - wanted) / two_sd) ** 2)
