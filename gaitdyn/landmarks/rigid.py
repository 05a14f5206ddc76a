"""Markers of one segment keep their distances in movement: who moves with another one is misnamed.

Pairs of one segment spread by 5 to 8 mm (95 % below 19 mm), pairs across a joint by 24 to 51 mm, in
the walks of 41 laboratories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import spread_rows
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from gaitdyn.landmarks.assign import MarkerClaim
    from gaitdyn.landmarks.case import Case
    from gaitdyn.types.arrays import Array

_SEGMENTS = {
    "pelvis": {"ASIS", "PSIS", "SACR", "ILC", "PEX"},
    "thigh": {"GTR", "THX", "KLE", "KME"},
    "shank": {"SHX", "TTU", "FIB", "ANL", "ANM"},
    "foot": {"CAL", "CALL", "CALM", "TOE", "MT2H", "MT1H", "MT5H", "MT1B", "MT5B", "HLX", "FTX"},
}
_AT_JOINTS = {"GTR", "KLE", "KME", "ANL", "ANM"}
"""They move with both segments of their joint, and are not judged."""

_LOOKED_AT = 60
_FEWEST_FRAMES, _FEWEST_OTHERS = 20, 2
_LOOSE_M, _FIRM_M = 0.030, 0.018
"""Spread to the own segment from which a marker is loose; to another, below which it is firm."""


def check_rigid(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Return findings on markers that move with another segment than that of their name.

    Parameters
    ----------
    case : Case
    won : dict
        Item -> its claim.
    number : int
        Of a file in which the person moves.
    """
    found: list[tuple[int, Finding]] = []
    for side in ("left", "right"):
        here = [
            i for i, claim in won.items()
            if number in case.items[i].at and claim.side in {side, ""} and _segment(claim.code)
        ]  # fmt: skip
        at = [case.items[i].at[number] for i in here]
        names = [_segment(won[i].code) for i in here]
        spread = spreads(case.files[number].markers_L[:, at])
        for k, i in enumerate(here):
            finding = _moved(case.items[i].text, k, names, spread[k])
            judged = won[i].side == side and won[i].code not in _AT_JOINTS
            if finding is not None and judged:
                found.append((i, finding))
    return found


def _segment(code: str) -> str:
    return next((name for name, codes in _SEGMENTS.items() if code in codes), "")


def spreads(points: Array) -> Array:
    """Return the spread (95 % less 5 %) of the distance of each pair, m, shape (m, m)."""
    some = points[spread_rows(len(points), _LOOKED_AT)]
    distance = np.linalg.norm(some[:, :, None] - some[:, None], axis=-1)
    ordered = np.sort(distance, axis=0)
    count = np.isfinite(distance).sum(axis=0)
    low, high = (
        np.take_along_axis(ordered, np.maximum((share * (count - 1)).astype(int), 0)[None], 0)[0]
        for share in (0.05, 0.95)
    )
    return np.where(count >= _FEWEST_FRAMES, high - low, np.nan)


def _moved(label: str, k: int, names: list[str], spread: Array) -> Finding | None:
    """Return a finding when a marker is loose in its own segment and firm in another."""
    by_segment: dict[str, list[float]] = {}
    for j, name in enumerate(names):
        if j != k and np.isfinite(spread[j]):
            by_segment.setdefault(name, []).append(float(spread[j]))
    medians = {n: float(median(x)) for n, x in by_segment.items() if len(x) >= _FEWEST_OTHERS}
    own = medians.pop(names[k], None)
    if own is None or not medians or own < _LOOSE_M:
        return None
    other = min(medians, key=lambda name: medians[name])
    if medians[other] > _FIRM_M:
        return None
    message = (
        f"{label} is named like a marker of the {names[k]} and moves with the {other}: distances"
        f" spread by {1000 * medians[other]:.0f} mm there and by {1000 * own:.0f} mm in its own"
        " segment; look whether labels are exchanged"
    )
    return Finding("warning", "landmark-geometry", label, message, round(own, 4), _LOOSE_M)
