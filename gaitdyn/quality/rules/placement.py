"""Rules on markers against the static: all pairs of a segment keep their distance."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER
from gaitdyn.types.trial import Trial

PELVIS = ("LASI", "RASI", "LPSI", "RPSI", "SACR")
SEGMENTS: dict[str, tuple[str, ...]] = {
    "thigh": ("THI", "KNE", "KNM", "TH1", "TH2", "TH3", "TH4", "GTR", "HFI", "FTC"),
    "shank": ("KNE", "KNM", "TIB", "ANK", "MED", "TTU", "TTC", "FAX", "HFI", "TB1", "TB2", "TB3",
              "SK1", "SK2", "SK3", "SK4"),
    "foot": ("ANK", "MED", "HEE", "TOE", "MT1", "MT5"),
}  # fmt: skip
"""Standard names of the markers on each segment, without the side."""

FAR, PART = 5 / 3, 0.08
"""Untouched pairs differ from the static by 11 mm and 5 % at most. With 5/3 of the limit, 20 mm, or
with the limit, 12 mm, and 8 %, a marker was moved."""


def placement_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each segment with marker distances that differ from the static."""
    findings: list[Finding] = []
    if result.static is None:
        return findings
    groups: list[tuple[str, str | None, tuple[str, ...]]] = [("pelvis", None, PELVIS)]
    for side in result.sides:
        groups += [
            (f"{side} {segment}", side, tuple(LETTER[side] + role for role in roles))
            for segment, roles in SEGMENTS.items()
        ]
    for segment, side, labels in groups:
        findings += _moved(result, segment, side, labels, rules)
    return findings


def _moved(
    result: Processed, segment: str, side: str | None, labels: tuple[str, ...], rules: Rules
) -> list[Finding]:
    """Return a finding on the marker of a segment whose distances changed most."""
    static, trial, rule = result.static, result.trial, rules["static-distance"]
    assert static is not None  # noqa: S101  checked before
    shared = [x for x in labels if x in trial.labels and static.has(x)]
    off: dict[tuple[str, str], tuple[float, float]] = {}
    pairs = list(combinations(shared, 2))
    lengths_m = zip(_median_lengths(static, pairs), _median_lengths(trial, pairs), strict=True)
    for (first, second), (was, now) in zip(pairs, lengths_m, strict=True):
        change = abs(now - was)
        if change > FAR * rule.bound or (change > rule.bound and change > PART * was):
            off[first, second] = (now, was)
    if not off:
        return []
    blame = {x: sum(abs(n - w) for pair, (n, w) in off.items() if x in pair) for x in shared}
    marker = max(blame, key=lambda x: blame[x])
    blamed = [(p, v) for p, v in off.items() if marker in p] or list(off.items())
    (first, second), (now, was) = max(blamed, key=lambda pair: abs(pair[1][0] - pair[1][1]))
    message = (
        f"{segment}: {first} to {second} is {1000 * now:.0f} mm, {1000 * was:.0f} mm in the static"
        f" {static.name} (pairs of markers that differ: {len(off)}): {marker} is exchanged or"
        " was moved, or the static is another person's"
    )
    return [rule.found(marker, message, abs(now - was), side=side)]


def _median_lengths(marked: Trial | Recording, pairs: list[tuple[str, str]]) -> list[float]:
    """Return the median distance of each pair of markers, m; NaN if none is known."""
    if not pairs:
        return []
    first, second = (
        np.stack([marked.marker(x) for x in ends], axis=1) for ends in zip(*pairs, strict=True)
    )
    return known_medians(lengths(first - second)).tolist()


def median_length(apart: Array) -> float:
    """Return the median length of vectors; NaN if none is known."""
    known = known_points(apart)
    if not known.any():
        return np.nan
    return known_median(lengths(apart[known]))
