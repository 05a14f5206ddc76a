"""Find clusters without known names: markers beside one thigh or shank that move as one body."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.landmarks.assign import MarkerClaim
from gaitdyn.landmarks.body.case import Case
from gaitdyn.landmarks.rigid import spreads
from gaitdyn.types.findings import Finding
from gaitdyn.types.landmarks import BodySide

_HEIGHTS = {"THX": (0.55, 0.84), "SHX": (0.14, 0.46)}
_SEGMENT = {"THX": "thigh", "SHX": "shank"}
_OUTWARD = (0.03, 0.30)
_FEWEST, _FIRM_M = 3, 0.018
_WEIGHT = 0.3
_AT_JOINTS = {"HJC", "KJC", "AJC", "GTR", "KLE", "KME", "ANL", "ANM"}


def nameless_clusters(
    case: Case, won: dict[int, MarkerClaim]
) -> dict[int, tuple[MarkerClaim, Finding]]:
    """Return item -> claim and finding, for markers without a known name that form a cluster.

    At least three markers beside one thigh or shank, away from hanging hands, whose distances stay
    within 18 mm while the person moves, form its cluster. Without a side in the label, the position
    decides. Markers that complete a cluster of which two are known count in the same way, unless
    their labels name a joint: they may be its centre.

    Parameters
    ----------
    case : Case
    won : dict
        Item -> its claim, for all items that have one.
    """
    number = len(case.files) - 1
    bodies = (case.body(n) for n in range(len(case.files)))
    person = (
        None if number == case.static_index else next((b for b in bodies if b is not None), None)
    )
    if person is None or not person.standing.upright:
        return {}
    groups: dict[tuple[BodySide, str], list[int]] = defaultdict(list)
    for i, item in enumerate(case.items):
        segment = None if i in won or number not in item.index else _segment_at(case, i)
        if segment is not None:
            groups[segment].append(i)
    claimed: dict[int, tuple[MarkerClaim, Finding]] = {}
    for (side, code), group in groups.items():
        two = _two_known(case, won, (side, code), number)
        several = [i for i in group if not (two and _names_joint(case, i))]
        members = [i for i in _rigid_members(case, several + two, number) if i not in two]
        message = _message(case, members, two, f"{side} {_SEGMENT[code]}")
        finding = Finding(
            "warning", "landmark-doubtful", f"{side} {_SEGMENT[code]}", message, side=side or None
        )
        for i in members:
            files = frozenset(case.items[i].index)
            claim = MarkerClaim(i, files, side, code, _WEIGHT, _WEIGHT, math.log(_WEIGHT))
            claimed[i] = (claim, finding)
    return claimed


def _segment_at(case: Case, i: int) -> tuple[BodySide, str] | None:
    """Return side and cluster code at the position of an item, or None."""
    position, side = case.position(i), case.words[i].sided.side
    if position is None:
        return None
    outward = position.outward if side else abs(position.outward)
    if not _OUTWARD[0] <= outward <= _OUTWARD[1]:
        return None
    inferred: BodySide = side or ("left" if position.outward > 0 else "right")
    fits = (code for code, (low, high) in _HEIGHTS.items() if low <= position.height <= high)
    return next(((inferred, code) for code in fits), None)


def _names_joint(case: Case, i: int) -> bool:
    codes = case.words[i].meaning.codes
    return bool(codes) and max(codes, key=lambda code: codes[code]) in _AT_JOINTS


def _two_known(
    case: Case, won: dict[int, MarkerClaim], segment: tuple[BodySide, str], number: int
) -> list[int]:
    """Return the known markers of a segment in a file if they are two: too few for a cluster."""
    known = [
        i for i, claim in won.items()
        if (claim.side, claim.code) == segment and number in case.items[i].index
    ]  # fmt: skip
    return known if len(known) == _FEWEST - 1 else []


def _message(case: Case, members: list[int], two: list[int], segment: str) -> str:
    names, known = (", ".join(case.label(i) for i in some) for some in (members, two))
    beside = f"they are beside the {segment} and move as one body"
    if known:
        beside = f"beside the {segment}, they move as one body with {known}"
    return (
        f"{names}: no known names; {beside}, so they are taken as its cluster; check them, or"
        " rename them"
    )


def _rigid_members(case: Case, group: list[int], number: int) -> list[int]:
    """Return the members that keep their distances to most others; empty if fewer than three."""
    members = group
    while len(members) >= _FEWEST:
        indices = [case.items[i].index[number] for i in members]
        spread = spreads(case.files[number].markers_L[:, indices])
        np.fill_diagonal(spread, np.nan)
        has_spread = [bool(row.any()) for row in np.isfinite(spread)]
        if not all(has_spread):
            members = [i for i, keep in zip(members, has_spread, strict=True) if keep]
            continue
        deviations: list[float] = known_medians(spread.T).tolist()
        if max(deviations) <= _FIRM_M:
            return members
        worst = deviations.index(max(deviations))
        members = [i for k, i in enumerate(members) if k != worst]
    return []
