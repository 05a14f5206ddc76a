"""Rules on distances between markers of a segment: since the static, from stance to stance."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
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

Pair = tuple[str, str]

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
    findings += _moved(result, None, {"pelvis": PELVIS_MARKERS}, rules)
    for side in result.sides:
        findings += _moved(result, side, _segments(side), rules)
    return findings


def _segments(side: str) -> dict[str, tuple[str, ...]]:
    """Return the names of the markers on each segment of a leg."""
    return {
        f"{side} {segment}": tuple(LETTER[side] + role for role in roles)
        for segment, roles in SEGMENTS.items()
    }


def _pairs(segments: dict[str, tuple[str, ...]], known: Container[str]) -> list[tuple[str, Pair]]:
    """Return the pairs of known markers on one segment, each with its segment."""
    return [
        (segment, pair)
        for segment, labels in segments.items()
        for pair in combinations([x for x in labels if x in known], 2)
    ]


def _moved(
    result: Processed, side: str | None, segments: dict[str, tuple[str, ...]], rules: Rules
) -> list[Finding]:
    """Return a finding on the marker of each segment whose distances changed most."""
    static, trial, rule = result.static, result.trial, rules["static-distance"]
    assert static is not None  # noqa: S101  checked before
    within = _pairs(segments, {*trial.labels} & {*static.labels})
    pairs = [pair for _, pair in within]
    rows = like_standing(result, side)
    standing = known_medians(distances(static.markers_L, static.labels, pairs)).tolist()
    moving = known_medians(distances(trial.markers_G, trial.labels, pairs)[rows]).tolist()
    changed: dict[str, dict[Pair, tuple[float, float]]] = {}
    for (segment, pair), was, now in zip(within, standing, moving, strict=True):
        change = abs(now - was)
        if change > FAR * rule.bound or (change > rule.bound and change > PART * was):
            changed.setdefault(segment, {})[pair] = (now, was)
    findings: list[Finding] = []
    for segment, off in changed.items():
        marker, (first, second) = _blamed({pair: abs(n - w) for pair, (n, w) in off.items()})
        now, was = off[first, second]
        message = (
            f"{segment}: {first} to {second} is {1000 * now:.0f} mm, {1000 * was:.0f} mm in the"
            f" static {static.name} (pairs of markers that differ: {len(off)}):"
            f" {_either(marker, off)} is exchanged or was moved, or the static is another person's"
        )
        findings.append(rule.found(marker, message, abs(now - was), side=side))
    return findings


def _blamed(off: dict[Pair, float]) -> tuple[str, Pair]:
    """Return the marker whose pairs are off most in sum, and its pair that is off most."""
    sums: dict[str, float] = {}
    for pair, size in off.items():
        for label in pair:
            sums[label] = sums.get(label, 0.0) + size
    marker = max(sums, key=lambda label: sums[label])
    return marker, max((pair for pair in off if marker in pair), key=lambda pair: off[pair])


def _either(marker: str, off: Iterable[Pair]) -> str:
    """Return the marker that is blamed, or both of the only pair: nothing tells which it is."""
    pairs = list(off)
    return marker if len(pairs) > 1 else " or ".join(sorted(pairs[0], key=marker.__ne__))


def creeping_markers(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each segment with a marker that is elsewhere in another stance."""
    rule, findings = rules["marker-creeps"], list[Finding]()
    for side in result.sides:
        middles = _middles_of_stances(result, side)
        within = _pairs(_segments(side), result.trial.labels) if len(middles) > 1 else []
        spreads = _spreads(result.trial, [pair for _, pair in within], middles) if within else []
        crept: dict[str, dict[Pair, float]] = {}
        for (segment, pair), size in zip(within, spreads, strict=True):
            if size > rule.bound:
                crept.setdefault(segment, {})[pair] = size
        for segment, off in crept.items():
            marker, (first, second) = _blamed(off)
            size = off[first, second]
            message = (
                f"{segment}: {first} to {second} differs by {1000 * size:.0f} mm between"
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


def _spreads(trial: Trial, pairs: list[Pair], middles: list[slice]) -> list[float]:
    """Return how much the distance of each pair differs between parts of a trial, m."""
    apart = distances(trial.markers_G, trial.labels, pairs)
    medians = [
        np.where(np.isfinite(apart[rows]).mean(axis=0) >= SEEN, known_medians(apart[rows]), np.nan)
        for rows in middles
    ]
    return (np.fmax.reduce(medians) - np.fmin.reduce(medians)).tolist()


def distances(points: Array, labels: Sequence[str], pairs: list[Pair]) -> Array:
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
