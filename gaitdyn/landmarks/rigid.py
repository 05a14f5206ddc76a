"""Find misnamed markers: those of one segment keep their distances during movement.

Pairs of one segment spread by 5 to 8 mm (95 % below 19 mm), pairs across a joint by 24 to 51 mm, in
the walks of 41 laboratories.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import spread_rows
from gaitdyn.landmarks.assign import MarkerClaim
from gaitdyn.landmarks.body.case import Case
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding

_SEGMENTS = {
    "pelvis": {"ASIS", "PSIS", "SACR", "ILC", "PEX"},
    "thigh": {"GTR", "THX", "KLE", "KME"},
    "shank": {"SHX", "TTU", "FIB", "ANL", "ANM"},
    "foot": {"CAL", "CALL", "CALM", "TOE", "MT2H", "MT1H", "MT5H", "MT1B", "MT5B", "HLX", "FTX"},
}
_AT_JOINTS = {"GTR", "KLE", "KME", "ANL", "ANM"}
"""Markers that move with both segments of their joint, and are not judged."""

_SAMPLED_FRAMES = 60
_FEWEST_FRAMES, _FEWEST_OTHERS = 20, 2
_LOOSE_M, _FIRM_M = 0.030, 0.018
"""A marker is loose if its distances to its named segment spread by more than the first, and firm
in another segment below the second."""


def check_rigid(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Return findings on markers that move with another segment than that in their name.

    Parameters
    ----------
    case : Case
    won : dict
        Item -> its claim.
    number : int
        Number of a file in which the person moves.
    """
    findings: list[tuple[int, Finding]] = []
    for side in ("left", "right"):
        items = [
            i for i, claim in won.items()
            if number in case.items[i].index and claim.side in {side, ""} and _segment(claim.code)
        ]  # fmt: skip
        indices = [case.items[i].index[number] for i in items]
        names = [_segment(won[i].code) for i in items]
        spread = spreads(case.files[number].markers_L[:, indices])
        for k, i in enumerate(items):
            finding = _misplaced(case.label(i), k, names, spread[k])
            judged = won[i].side == side and won[i].code not in _AT_JOINTS
            if finding is not None and judged:
                findings.append((i, finding))
    return findings


def _segment(code: str) -> str:
    return next((name for name, codes in _SEGMENTS.items() if code in codes), "")


def spreads(points: Array) -> Array:
    """Return the spread (95 % minus 5 %) of the distance of each pair, m, shape (m, m)."""
    sample = points[spread_rows(len(points), _SAMPLED_FRAMES)]
    distance = np.linalg.norm(sample[:, :, None] - sample[:, None], axis=-1)
    ordered = np.sort(distance, axis=0)
    count = np.isfinite(distance).sum(axis=0)
    low, high = (
        np.take_along_axis(ordered, np.maximum((share * (count - 1)).astype(int), 0)[None], 0)[0]
        for share in (0.05, 0.95)
    )
    return np.where(count >= _FEWEST_FRAMES, high - low, np.nan)


def _misplaced(label: str, k: int, names: list[str], spread: Array) -> Finding | None:
    """Return a finding if a marker is loose in its named segment and firm in another."""
    by_segment: dict[str, list[float]] = {}
    for j, name in enumerate(names):
        if j != k and np.isfinite(spread[j]):
            by_segment.setdefault(name, []).append(float(spread[j]))
    medians = {n: float(median(x)) for n, x in by_segment.items() if len(x) >= _FEWEST_OTHERS}
    here_m = medians.pop(names[k], None)
    if here_m is None or not medians or here_m < _LOOSE_M:
        return None
    segment = min(medians, key=lambda name: medians[name])
    if medians[segment] > _FIRM_M:
        return None
    message = (
        f"{label} is named like a marker of the {names[k]} but moves with the {segment}: distances"
        f" spread by {1000 * medians[segment]:.0f} mm there and by {1000 * here_m:.0f} mm in its"
        " named segment; check whether labels are exchanged"
    )
    return Finding("warning", "landmark-geometry", label, message, round(here_m, 4), _LOOSE_M)
