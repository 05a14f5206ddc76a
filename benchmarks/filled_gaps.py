"""Gaps filled with a curve: what they do to moments, and how many the rule tells.

usage: python benchmarks/filled_gaps.py [CORPUS]

Into every walk of the corpus, a gap of each marker of legs and pelvis is filled at three times with
a straight line or with a spline through four samples on either side, stored in single precision:
which share of them ``marker-interpolated`` finds over most of their length. Then cubics are put
into markers of four real trials, one at a time: by how much the largest change of a moment is, of
the largest moment of the leg, and whether another warning would have told it. Prints both tables;
the numbers stand in the table of rules.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import fault_changes as alter
import faulty_trials as trials
import numpy as np
from page import SHARED, table
from scipy.interpolate import make_interp_spline
from usage import help_shown

from gaitdyn.calibrate.ladder.model import is_role
from gaitdyn.clean.butterworth import zero_lag_butterworth
from gaitdyn.errors import GaitdynError
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.quality.rules.markers.interpolated import FEWEST, drawn_curves
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording

DEGREES, LASTING_S, PLACES = (1, 3, 5), (0.1, 0.15, 0.2, 0.3), (0.3, 0.5, 0.7)
MARKERS = ("LKNE", "LANK", "LTHI", "LTIB", "LTOE", "LHEE", "LASI", "RKNE", "RANK", "RASI")
CUT_OFFS_HZ = (3, 4, 6, 8, 10, 12)
MOST, WRONG = 0.7, 0.1
"""Share of a fill that must be found; change of a moment that counts, of the leg's largest."""


def filled(path: Array, start: int, stop: int, degree: int) -> Array | None:
    """Return a path with a filled gap, as stored in mm; None where its ends are not seen."""
    beside = 4 if degree > 1 else 1
    rows = np.r_[start - beside : start, stop : stop + beside]
    if rows[0] < 0 or rows[-1] >= len(path) or not np.isfinite(path[rows]).all():
        return None
    own = path.copy()
    own[start:stop] = make_interp_spline(rows, path[rows], k=degree)(np.arange(start, stop))
    return (1000.0 * own).astype(np.float32).astype(float) / 1000.0


def walks(corpus: Path) -> Iterator[Result]:
    """Yield the walks of the corpus that are processed."""
    for path in sorted((corpus / "gait").rglob("*.c3d")):
        try:
            result = process_trial(path, Options())
        except GaitdynError:
            continue
        if result.task == "walking":
            yield result


def told(corpus: Path) -> list[tuple[str, ...]]:
    """Return a row for each degree: the share of fills that are found, by their duration."""
    counts = np.zeros((len(DEGREES), len(LASTING_S), 2))
    longest, smoothed = 0.0, 0
    for result in walks(corpus):
        rate_hz, recording = result.recording.rate_hz, result.recording
        own = [i for i, label in enumerate(recording.labels) if is_role(label)]
        points = recording.markers_L[:, own]
        for _, first, last in drawn_curves(points, rate_hz, 0.0):
            longest = max(longest, (last - first) / rate_hz)
        smoothed += _told_in_smoothed(points, rate_hz)
        for d, degree in enumerate(DEGREES):
            for t, lasting in enumerate(LASTING_S):
                counts[d, t] += _found(points, rate_hz, degree, lasting)
    print(f"longest curve in a walk as it is: {longest:.2f} s")
    print(
        f"walks filtered at one of {CUT_OFFS_HZ} Hz, with no gap, in which one is told: {smoothed}"
    )
    shares = counts[..., 0] / counts[..., 1]
    return [(str(k), *(f"{x:.2f}" for x in row)) for k, row in zip(DEGREES, shares, strict=True)]


def _told_in_smoothed(points: Array, rate_hz: float) -> int:
    """Return after how many filters a walk seems to have a filled gap; it has none."""
    whole = points[:, np.isfinite(points).all(axis=(0, 2))]
    flat = whole.reshape(len(whole), -1)
    if whole.shape[1] < FEWEST:
        return 0
    stored = (
        (1000.0 * zero_lag_butterworth(flat, cutoff, rate_hz)).astype(np.float32).astype(float)
        for cutoff in CUT_OFFS_HZ
    )
    return sum(
        any(True for _ in drawn_curves(each.reshape(whole.shape) / 1000.0, rate_hz, 0.15))
        for each in stored
    )


def _found(points: Array, rate_hz: float, degree: int, lasting: float) -> Array:
    """Return how many fills of one kind are found in a walk, and how many there are."""
    n, found = round(lasting * rate_hz), np.zeros(2)
    for place in PLACES:
        start = int(place * len(points))
        for k in range(points.shape[1]):
            path = filled(points[:, k], start, start + n, degree)
            if path is None:
                continue
            changed = points.copy()
            changed[:, k] = path
            spans = drawn_curves(changed, rate_hz, MOST * lasting)
            hit = any(j == k and a < start + n and b > start for j, a, b in spans)
            found += hit, 1
    return found


def largest_change(clean: Result, broken: Result) -> float:
    """Return the largest change of a moment, of the largest of its leg."""
    changes = [0.0]
    for side, one in clean.sides.items():
        other = broken.sides[side].kinetics if side in broken.sides else None
        if one.kinetics is not None and other is not None:
            hidden = np.where(one.kinetics.published & other.published, 1.0, np.nan)[..., None]
            size = np.linalg.norm(one.kinetics.loads.moment_S * hidden, axis=-1)
            off = np.linalg.norm(
                (other.loads.moment_S - one.kinetics.loads.moment_S) * hidden, axis=-1
            )
            if np.isfinite(off).any():
                changes.append(float(np.nanmax(off) / np.nanmax(size)))
    return max(changes)


def effects() -> list[tuple[str, ...]]:
    """Return a row for each duration: change of moments, and what other rules tell."""
    found: dict[float, list[tuple[float, bool]]] = {lasting: [] for lasting in LASTING_S}
    for name in trials.TRIALS:
        session, options = trials.read(name)
        clean, recording = process_loaded(session, options), session.trial.recording
        before = set(trials.judged(clean)[1])
        for label in (x for x in MARKERS if x in recording.labels):
            for place in (0.3, 0.45, 0.6, 0.75):
                for lasting in LASTING_S:
                    start = int(place * recording.n_frames)
                    stop, at = (
                        start + round(lasting * recording.rate_hz),
                        recording.labels.index(label),
                    )
                    path = filled(recording.markers_L[:, at], start, stop, 3)
                    if path is None:
                        continue

                    def fill(old: Recording, path: Array = path, at: int = at) -> Recording:
                        markers = old.markers_L.copy()
                        markers[:, at] = path
                        return replace(old, markers_L=markers)

                    broken = process_loaded(alter.in_trial(session, fill), options)
                    new = set(trials.judged(broken)[1]) - before - {"marker-interpolated"}
                    found[lasting].append((largest_change(clean, broken), bool(new)))
    rows = []
    for lasting, changes in found.items():
        sizes = np.array([size for size, _ in changes])
        large = [other for size, other in changes if size > WRONG]
        middle, most, worst = np.median(sizes), np.percentile(sizes, 90), sizes.max()
        rows.append((f"{lasting:g}", f"{middle:.3f}", f"{most:.3f}", f"{worst:.2f}",
                     f"{len(large)} of {len(sizes)}", str(sum(large))))  # fmt: skip
    return rows


def main() -> int:
    """Print both tables."""
    corpus = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED / "corpus"
    rows = told(corpus)
    print(*table(("degree", *(f"{x:g} s" for x in LASTING_S)), rows), sep="\n")
    head = ("cubic, s", "change: median", "90 %", "largest", f"above {WRONG:g}", "told otherwise")
    print(*table(head, effects()), sep="\n")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
