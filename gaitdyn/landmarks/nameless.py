"""Clusters whose names say nothing: markers beside one thigh or shank that move as one body."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.landmarks.assign import MarkerClaim
from gaitdyn.landmarks.rigid import spreads
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from gaitdyn.landmarks.case import Case
    from gaitdyn.types.landmarks import BodySide

_HEIGHTS = {"THX": (0.55, 0.84), "SHX": (0.14, 0.46)}
_SEGMENT = {"THX": "thigh", "SHX": "shank"}
_OUTWARD = (0.03, 0.30)
_FEWEST, _FIRM_M = 3, 0.018
_WEIGHT = 0.3


def nameless_clusters(
    case: Case, won: dict[int, MarkerClaim]
) -> dict[int, tuple[MarkerClaim, Finding]]:
    """Return item -> claim and finding, of markers without a known name that form a cluster.

    Three and more that stand beside one thigh or shank, where hands do not hang, and whose
    distances keep within 18 mm while the person moves, are its cluster; a side that no label says
    is that of the place.

    Parameters
    ----------
    case : Case
    won : dict
        Item -> its claim, of all that have one.
    """
    number = len(case.files) - 1
    bodies = (case.body(n) for n in range(len(case.files)))
    seen = None if number == case.still else next((b for b in bodies if b is not None), None)
    if seen is None or not seen.standing.upright:
        return {}
    groups: dict[tuple[BodySide, str], list[int]] = defaultdict(list)
    for i, item in enumerate(case.items):
        where = None if i in won or number not in item.at else _beside(case, i)
        if where is not None:
            groups[where].append(i)
    out: dict[int, tuple[MarkerClaim, Finding]] = {}
    for (side, code), group in groups.items():
        members = _as_one(case, group, number)
        names = ", ".join(case.items[i].text for i in members)
        message = (
            f"{names}: no known names; they stand beside the {side} {_SEGMENT[code]} and move as"
            " one body, and are taken for its cluster; look at it, or rename them"
        )
        finding = Finding(
            "warning", "landmark-doubtful", f"{side} {_SEGMENT[code]}", message, side=side or None
        )
        for i in members:
            files = frozenset(case.items[i].at)
            claim = MarkerClaim(i, files, side, code, _WEIGHT, _WEIGHT, math.log(_WEIGHT))
            out[i] = (claim, finding)
    return out


def _beside(case: Case, i: int) -> tuple[BodySide, str] | None:
    """Return side and cluster code of the place of an item, None where no cluster is."""
    seen, side = case.seen(i), case.words[i].sided.side
    if seen is None:
        return None
    outward = seen.outward if side else abs(seen.outward)
    if not _OUTWARD[0] <= outward <= _OUTWARD[1]:
        return None
    of_place: BodySide = side or ("left" if seen.outward > 0 else "right")
    fits = (code for code, (low, high) in _HEIGHTS.items() if low <= seen.height <= high)
    return next(((of_place, code) for code in fits), None)


def _as_one(case: Case, group: list[int], number: int) -> list[int]:
    """Return the members that keep their distances to most others; none of fewer than three."""
    members = group
    while len(members) >= _FEWEST:
        at = [case.items[i].at[number] for i in members]
        spread = spreads(case.files[number].markers_L[:, at])
        np.fill_diagonal(spread, np.nan)
        known = [bool(row.any()) for row in np.isfinite(spread)]
        if not all(known):
            members = [i for i, seen in zip(members, known, strict=True) if seen]
            continue
        far: list[float] = np.nanmedian(spread, axis=1).tolist()
        if max(far) <= _FIRM_M:
            return members
        worst = far.index(max(far))
        members = [i for k, i in enumerate(members) if k != worst]
    return []
