"""Rules on the markers above the pelvis: hidden, noisy, too low, or moved since the static."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.percentiles import percentile
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points, longest_inside
from gaitdyn.kinematics.angles import ahead_of, progression_frame
from gaitdyn.quality.rules.markers.noise import noise_sizes
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.rules.upper.shapes import SHAPES, other_shapes, wide_wrists
from gaitdyn.quality.rules.upper.slips import slipped_above
from gaitdyn.quality.sides import side_of
from gaitdyn.stages.lost_markers import is_upper
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed

USUAL_M = 0.03
FIXED: tuple[tuple[str, str, float], ...] = (
    ("CLAV", "STRN", USUAL_M), ("CLAV", "C7", USUAL_M), ("CLAV", "T10", USUAL_M),
    ("STRN", "C7", USUAL_M), ("STRN", "T10", USUAL_M), ("C7", "T10", USUAL_M),
    ("LFHD", "RFHD", USUAL_M), ("LBHD", "RBHD", USUAL_M), ("LFHD", "RBHD", USUAL_M),
    ("RFHD", "LBHD", USUAL_M),
    ("CLAV", "-SHO", 0.045), ("C7", "-SHO", 0.08), ("-SHO", "-ELB", 0.075),
    ("-ELB", "-WRA", 0.045), ("-ELB", "-WRB", 0.045), ("-ELB", "-WRI", 0.045),
    ("-ELB", "-WR2", 0.045), ("-WRI", "-WR2", 0.02),
    ("-WRA", "-WRB", 0.02), ("-WRA", "-FIN", USUAL_M), ("-WRB", "-FIN", USUAL_M),
    ("-ELB", "-ELM", 0.02), ("-ELB", "-RSP", 0.045), ("-ELB", "-USP", 0.045),
    ("-RSP", "-USP", 0.02), ("-RSP", "-FIN", USUAL_M), ("-USP", "-FIN", USUAL_M),
    ("-FHD", "-BHD", USUAL_M),
)  # fmt: skip
"""Marker pairs with a constant distance, and how much it may differ from the static, or without one
from the other side; ``-`` stands for the side. Largest differences of ten walks from their statics,
mm: thorax 15, head 3, CLAV to SHO 3, C7 to SHO 44, SHO to ELB 29, forearm 16, wrist 4, hand 8; left
and right 22."""

_PAIRS = tuple(
    (first.replace("-", letter), second.replace("-", letter), limit, letter)
    for first, second, limit in FIXED
    for letter in (("L", "R") if "-" in first + second else ("",))
)
"""Each pair with the letter of its side, left before right."""

_USED = sorted({label for first, second, _, _ in _PAIRS for label in (first, second)})
_FIRST = [_USED.index(first) for first, _, _, _ in _PAIRS]
_SECOND = [_USED.index(second) for _, second, _, _ in _PAIRS]

DRIFTS_M, RARELY = 0.045, 5.0
"""Within a walk distances deviate from their median by 22 mm at most, without the largest 5 %."""

MIDLINE = (("STRN", "CLAV"), ("T10", "C7"), ("T10", "STRN"), ("CLAV", "C7"))
MIDLINE_M = 0.07
"""Midline markers of the trunk, and their largest sideways distance; untouched walks have 16 mm."""

HEAD_ALIKE = 0.5
"""Least cosine between the front and back lines of a head; at least 0.97 in untouched walks."""

TRUNK_ORDER = (
    ("CLAV", "C7", 0, "behind"), ("STRN", "T10", 0, "behind"),
    ("RSHO", "LSHO", 2, "to the left of"), ("CLAV", "STRN", 1, "below"), ("C7", "T10", 1, "below"),
)  # fmt: skip
"""Trunk marker, the marker that it is ahead of, to the right of or above, the pelvis axis, and the
word for the wrong order."""

ABOVE_HIPS = ("CLAV", "C7", "STRN", "T10", "FHD", "BHD", "SHO")


def upper_marker_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on the markers of trunk, head and arms, if they are used.

    Hidden markers are information only: the curves that need them are empty there, not wrong.
    """
    if result.upper is None or result.recording.poses is not None:
        return []
    rule, labels = rules["upper-marker"], result.recording.labels
    rows = {x: i for i, x in enumerate(labels) if is_upper(x)}
    raw = result.recording.markers_L[:, list(rows.values())]
    paths = dict(zip(rows, np.moveaxis(raw, 1, 0), strict=True))
    wrong = [
        *_noisy(result, list(rows), raw, rules["marker-noise"].bound),
        *_low(result, list(rows), raw),
        *slipped_above(result, list(rows), raw, rules["marker-slipped"].bound),
        *_elsewhere(result, paths),
        *_crossed(paths),
        *_turned_trunk(result, paths),
        *wide_wrists(paths),
    ]
    doubted = {label for label, _ in wrong}
    wrong += [one for one in other_shapes(result, paths) if doubted.isdisjoint(SHAPES[one[0]][0])]
    hidden = _hidden(result, list(rows), raw)
    findings = [
        rule.found(x, f"{x}: {why}", side=side_of(x) if x in rows else None)
        for x, why in (*wrong, *hidden)
    ]
    count = len(wrong)
    return [*findings[:count], *(replace(f, level="info") for f in findings[count:])]


def _hidden(result: Processed, labels: list[str], raw: Array) -> list[tuple[str, str]]:
    """Return the markers with a gap inside the trial that is too long to be filled."""
    rate, longest = result.recording.rate_hz, result.options.longest_gap_s
    problems, known = list[tuple[str, str]](), known_points(raw)
    for i in np.flatnonzero(known.any(axis=0) & ~known.all(axis=0)):
        lasted = longest_inside(known[:, i]) / rate
        if lasted > longest:
            problems.append((labels[i], f"hidden for {lasted:.2f} s between visible frames"))
    return problems


def _noisy(
    result: Processed, labels: list[str], raw: Array, limit_m: float
) -> list[tuple[str, str]]:
    """Return the markers that are noisier than the limit for those of the legs."""
    sizes = noise_sizes(raw, known_points(raw), result.recording.rate_hz)
    return [
        (label, f"noise of {1000 * size:.1f} mm (standard deviation) from frame to frame")
        for label, size in zip(labels, sizes, strict=True)
        if size > limit_m
    ]


def _low(result: Processed, labels: list[str], raw: Array) -> list[tuple[str, str]]:
    """Return the markers of trunk and head below the hips, and of the arms below the feet."""
    up = result.trial.R_GL[1]
    hips = known_median(result.pose.origin_G[:, 1])
    soles = [known_median(point[:, 1]) for foot in result.feet.values() for point in foot]
    feet = min((height for height in soles if np.isfinite(height)), default=-np.inf)
    problems: list[tuple[str, str]] = []
    for label, path in zip(labels, np.moveaxis(raw, 1, 0), strict=True):
        trunk = label in ABOVE_HIPS or label[1:] in ABOVE_HIPS
        below = (hips if trunk else feet) - known_median(path @ up)
        if below > 0:
            height = "the hips" if trunk else "the feet"
            problems.append((label, f"{1000 * below:.0f} mm below {height} (median)"))
    return problems


def _elsewhere(result: Processed, paths: dict[str, Array]) -> list[tuple[str, str]]:
    """Return the markers whose distances differ from the static, or from the other side.

    Without a static nothing tells on which side the distance is wrong: both markers are named.
    """
    static, problems = result.static, dict[str, str]()
    apart = _apart(paths)
    usual = known_medians(apart)
    strays = np.abs(apart - usual)
    drifts: Mask = np.any(strays > DRIFTS_M, axis=0)
    known = {} if static is None else {x: static.marker(x) for x in _USED if static.has(x)}
    still = known_medians(_apart(known))
    for i, (a, b, limit, sided) in enumerate(_PAIRS):
        now, was, whose, which = float(usual[i]), np.nan, "", b if sided else a
        if static is not None:
            was, whose = float(still[i]), f"in the static {static.name}"
        elif sided == "L":
            was, whose = float(usual[i + 1]), "on the other side"  # the right one follows it
        strayed = _most(strays[:, i]) if drifts[i] else 0.0
        if strayed > DRIFTS_M:
            detail = f"{a} to {b} is up to {1000 * strayed:.0f} mm off its median"
        elif abs(now - was) > limit:
            detail = f"{a} to {b} is {1000 * now:.0f} mm, {1000 * was:.0f} mm {whose}"
            which = which if static is not None else f"{b} or R{b[1:]}"
        else:
            continue
        problems.setdefault(which, f"misplaced, exchanged or moved ({detail})")
    return list(problems.items())


def _crossed(paths: dict[str, Array]) -> list[tuple[str, str]]:
    """Return a head whose front and back markers disagree on left and right."""
    if not {"LFHD", "RFHD", "LBHD", "RBHD"} <= set(paths):
        return []
    front, back = paths["RFHD"] - paths["LFHD"], paths["RBHD"] - paths["LBHD"]
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = known_median((front * back).sum(axis=1) / (lengths(front) * lengths(back)))
    if not alike < HEAD_ALIKE:
        return []
    return [("LFHD", "exchanged with RFHD, or LBHD with RBHD: the lines of front and back cross")]


def _turned_trunk(result: Processed, paths: dict[str, Array]) -> list[tuple[str, str]]:
    """Return the trunk markers exchanged front to back or right to left, or off the midline.

    Both the pelvis and the walking direction must show it, because the pelvis may be turned by
    its markers.
    """
    walk = np.swapaxes(progression_frame(ahead_of(result.pose)), -1, -2) @ result.trial.R_GL
    pelvis = np.swapaxes(result.pose.R_GP, -1, -2) @ result.trial.R_GL

    def apart(first: str, second: str, axis: int) -> float:
        """Return the smaller of the two distances in size; 0 if they have different signs."""
        if not {first, second} <= set(paths):
            return 0.0
        line = paths[first] - paths[second]
        by = [known_median((line * axes[..., axis, :]).sum(axis=1)) for axes in (walk, pelvis)]
        return min(by, key=abs) if by[0] * by[1] > 0.0 else 0.0

    problems = [
        (first, f"{-1000 * off:.0f} mm {word} {second}: exchanged with it")
        for first, second, axis, word in TRUNK_ORDER
        if (off := apart(first, second, axis)) < 0.0
    ]
    strayed = {pair: abs(apart(*pair, 2)) for pair in MIDLINE}
    strayed = {pair: off for pair, off in strayed.items() if off > MIDLINE_M}
    if strayed:
        count = {x: sum(x in pair for pair in strayed) for pair in strayed for x in pair}
        offsets = ", ".join(f"{1000 * m:.0f} mm from {a} to {b}" for (a, b), m in strayed.items())
        blame = max(count, key=lambda x: count[x])
        problems.append((blame, f"misplaced, beside the middle of the trunk ({offsets})"))
    return problems


def _most(off: Array) -> float:
    """Return the largest known value without the rare ones above it; 0 without any."""
    off = off[np.isfinite(off)]
    return percentile(off, 100.0 - RARELY) if off.size else 0.0


def _apart(paths: dict[str, Array]) -> Array:
    """Return the distance of each pair, shape (n, pairs); NaN if a marker is missing."""
    nowhere = np.full((len(next(iter(paths.values()))) if paths else 1, 3), np.nan)
    points = np.stack([paths.get(x, nowhere) for x in _USED], axis=1)
    return lengths(points[:, _FIRST] - points[:, _SECOND])
