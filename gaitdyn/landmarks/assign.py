"""Each landmark of a side to one marker, the best total first; the loser takes its next meaning."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.landmarks.meanings import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.landmarks import BodySide

_ACCEPTED, _ACCEPTED_WHOLE = -2.6, -4.2
MANY = {
    "THX", "SHX", "FTX", "PEX", "HED", "TSP", "LSP", "TRX", "SCP", "HAN", "UPA", "FRM", "WRX",
    "VIR",
}  # fmt: skip
"""Codes that any number of markers of a side may have."""

_SOME = {"CAL": 3, "TOE": 2, "SACR": 3}


@dataclass(frozen=True, slots=True)
class MarkerClaim:
    """One marker that may be one landmark.

    Attributes
    ----------
    item : int
    files : frozenset of int
        Files that hold the marker.
    side : {"left", "right", ""}
    code : str
    weight : float
        Of the word for this landmark.
    whole : float
        Of the word for all its landmarks.
    score : float
        Logarithm of the weight less the penalty of the place.
    """

    item: int
    files: frozenset[int]
    side: BodySide
    code: str
    weight: float
    whole: float
    score: float

    @property
    def accepted(self) -> bool:
        """Whether the score is enough: a sure word may stand in a strange place.

        That a word is used for several landmarks decides between them; it counts half where one of
        them is accepted.
        """
        least = _ACCEPTED_WHOLE if self.weight >= WHOLE else _ACCEPTED
        return self.score + math.log(self.whole / self.weight) / 2 >= least


def assign(claims: Sequence[MarkerClaim]) -> dict[int, MarkerClaim]:
    """Return item -> the claim that it won."""
    won: dict[int, MarkerClaim] = {}
    holders: dict[tuple[str, str, int], int] = {}
    for claim in sorted(claims, key=lambda c: (-c.score, c.item, c.code)):
        if claim.item in won or not claim.accepted:
            continue
        keys = [(claim.code, claim.side, file) for file in claim.files]
        limit = _SOME.get(claim.code, 1)
        full = claim.code not in MANY and any(holders.get(key, 0) >= limit for key in keys)
        if full:
            continue
        won[claim.item] = claim
        for key in keys:
            holders[key] = holders.get(key, 0) + 1
    return won
