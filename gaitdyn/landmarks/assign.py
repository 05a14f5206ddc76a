"""Assign each landmark to one marker, best score first; the others take their next meaning."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.meanings import WHOLE
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.landmarks import BodySide

_ACCEPTED, _ACCEPTED_WHOLE = -2.6, -4.2
MANY = {
    "THX", "SHX", "FTX", "PEX", "HED", "TSP", "LSP", "TRX", "SCP", "HAN", "UPA", "FRM", "WRX",
    "VIR",
}  # fmt: skip
"""Codes that any number of markers on a side may have."""

_SOME = {"CAL": 3, "TOE": 2, "SACR": 3}

_LATERAL = {"KME": "KLE", "ANM": "ANL"}
_OPEN = 0.5
"""Share of the weight of the medial landmark from which a word leaves the lateral one open."""


@frozen()
class MarkerClaim:
    """One marker that may be one landmark.

    Attributes
    ----------
    item : int
    files : frozenset of int
        Files that contain the marker.
    side : {"left", "right", ""}
    code : str
    weight : float
        Weight of the word for this landmark.
    whole : float
        Weight of the word for all its landmarks.
    score : float
        Logarithm of the weight minus the penalty of the position.
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
        """Whether the score is high enough; a sure word may be in a strange position.

        If a word is used for several landmarks, its shares decide between them; for acceptance they
        count half.
        """
        least = _ACCEPTED_WHOLE if self.weight >= WHOLE else _ACCEPTED
        return self.score + math.log(self.whole / self.weight) / 2 >= least


def assign(claims: Sequence[MarkerClaim]) -> dict[int, MarkerClaim]:
    """Return item -> the winning claim."""
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
    return _lateral_if_alone(won, claims)


def _lateral_if_alone(
    won: dict[int, MarkerClaim], claims: Sequence[MarkerClaim]
) -> dict[int, MarkerClaim]:
    """Return the winners with lone medial markers as lateral ones, if their words leave it open.

    A laboratory with one marker at a knee or an ankle has the lateral one.
    """
    taken = {(claim.code, claim.side) for claim in won.values()}
    lateral = {(claim.item, claim.code): claim for claim in claims if claim.accepted}
    changed = dict(won)
    for i, claim in won.items():
        code = _LATERAL.get(claim.code, "")
        other = lateral.get((i, code))
        if other and (code, claim.side) not in taken and other.weight >= _OPEN * claim.weight:
            changed[i] = other
    return changed
