"""Rules on distances between markers of a segment: since the static, from stance to stance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points, runs
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import PELVIS_MARKERS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER
from gaitdyn.types.task import WALKING
from gaitdyn.types.trial import Trial

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

MIDDLE, SEEN, SHORTEST_S = (0.2, 0.5), 0.8, 0.3
"""Part of a stance in which markers of one segment are compared with those in other stances: skin
moves alike in each; least share of it that is known; shortest stance."""


STRAIGHT_DEG = {"hip": 30.0, "knee": 20.0, "ankle": 12.0}
"""Largest flexion either way in which a leg in another task than walking is compared with the
standing one: a deep bend draws the malleolus 16 mm towards the toes, and ahead of a raised thigh is
along it."""


def like_standing(result: Processed, side: str | None) -> Mask:
    """Return the frames in which a leg is compared with that of a standing person, shape (n,).

    In a walk these are all, in other tasks those in which its joints are nearly straight: none of a
    leg without angles.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}, optional
        None for the pelvis.
    """
    if side is None or result.task == WALKING:
        return np.ones(result.recording.n_frames, bool)
    if side not in result.sides:
        return np.zeros(result.recording.n_frames, bool)
    angles = result.sides[side].angles
    bent = [np.abs(angles[joint][:, 0]) > limit for joint, limit in STRAIGHT_DEG.items()]
    return ~np.any(bent, axis=0)


def placement_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each segment with marker distances unlike the static or each other."""
    findings = creeping_markers(result, rules)
    if result.static is None:
        return findings
    groups: list[tuple[str, str | None, tuple[str, ...]]] = [("pelvis", None, PELVIS_MARKERS)]
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
    rows = like_standing(result, side)
    standing = known_medians(distances(static.markers_L, static.labels, pairs)).tolist()
    moving = known_medians(distances(trial.markers_G, trial.labels, pairs)[rows]).tolist()
    for (first, second), was, now in zip(pairs, standing, moving, strict=True):
        change = abs(now - was)
        if change > FAR * rule.bound or (change > rule.bound and change > PART * was):
            off[first, second] = (now, was)
    if not off:
        return []
    marker, (first, second) = _blamed({pair: abs(n - w) for pair, (n, w) in off.items()})
    now, was = off[first, second]
    message = (
        f"{segment}: {first} to {second} is {1000 * now:.0f} mm, {1000 * was:.0f} mm in the static"
        f" {static.name} (pairs of markers that differ: {len(off)}): {_either(marker, off)} is"
        " exchanged or"
        " was moved, or the static is another person's"
    )
    return [rule.found(marker, message, abs(now - was), side=side)]


def _blamed(off: dict[tuple[str, str], float]) -> tuple[str, tuple[str, str]]:
    """Return the marker whose pairs are off most in sum, and its pair that is off most."""
    sums: dict[str, float] = {}
    for pair, size in off.items():
        for label in pair:
            sums[label] = sums.get(label, 0.0) + size
    marker = max(sums, key=lambda label: sums[label])
    return marker, max((pair for pair in off if marker in pair), key=lambda pair: off[pair])


def _either(marker: str, off: Iterable[tuple[str, str]]) -> str:
    """Return the marker that is blamed, or both of the only pair: nothing tells which it is."""
    pairs = list(off)
    return marker if len(pairs) > 1 else " or ".join(sorted(pairs[0], key=marker.__ne__))


def creeping_markers(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each segment with a marker that is elsewhere in another stance."""
    rule, findings = rules["marker-creeps"], list[Finding]()
    for side in result.sides:
        middles = _middles_of_stances(result, side)
        for segment, roles in SEGMENTS.items() if len(middles) > 1 else ():
            labels = [x for role in roles if (x := LETTER[side] + role) in result.trial.labels]
            pairs = list(combinations(labels, 2))
            apart = zip(pairs, _spreads(result.trial, pairs, middles), strict=True)
            off = {pair: size for pair, size in apart if size > rule.bound}
            if off:
                marker, (first, second) = _blamed(off)
                size = off[first, second]
                message = (
                    f"{side} {segment}: {first} to {second} differs by {1000 * size:.0f} mm between"
                    f" stances of the {side} foot (pairs of markers that differ: {len(off)}):"
                    f" {_either(marker, off)} slips, or is another marker for a part of the trial"
                )
                findings.append(rule.found(marker, message, size, side=side))
    return findings


def _middles_of_stances(result: Processed, side: str) -> list[slice]:
    """Return the rows in the middle of each stance that begins and ends within the trial."""
    stance, least = result.sides[side].stance, SHORTEST_S * result.recording.rate_hz
    return [
        slice(start + int(MIDDLE[0] * (stop - start)), start + int(MIDDLE[1] * (stop - start)))
        for start, stop in runs(stance)
        if start > 0 and stop < len(stance) and stop - start >= least
    ]


def _spreads(trial: Trial, pairs: list[tuple[str, str]], middles: list[slice]) -> list[float]:
    """Return how much the distance of each pair differs between parts of a trial, m."""
    apart = distances(trial.markers_G, trial.labels, pairs)
    medians = [
        np.where(np.isfinite(apart[rows]).mean(axis=0) >= SEEN, known_medians(apart[rows]), np.nan)
        for rows in middles
    ]
    return (np.fmax.reduce(medians) - np.fmin.reduce(medians)).tolist()


def distances(points: Array, labels: Sequence[str], pairs: list[tuple[str, str]]) -> Array:
    """Return the distance of each pair of markers, shape (n, pairs), m."""
    places = [(labels.index(first), labels.index(second)) for first, second in pairs]
    ends = np.array(places, int).reshape(-1, 2).T
    return lengths(points[:, ends[0]] - points[:, ends[1]])


def median_length(apart: Array) -> float:
    """Return the median length of vectors; NaN if none is known."""
    known = known_points(apart)
    if not known.any():
        return np.nan
    return known_median(lengths(apart[known]))
