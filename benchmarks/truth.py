"""Errors of the default profile against the synthetic walker's exact truth.

usage: python benchmarks/truth.py

Prints the root mean square and the largest error of angles and moments for several rates, noise
levels and cut-offs; the table of docs/synthetic-truth.md.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Recording, Walker, walk, write_session
from gaitdyn.tables.agreement import Agreement, agreement, known_truth
from gaitdyn.tables.columns import own_curves
from gaitdyn.types.options import Options

CASES: tuple[tuple[float, float, float | None], ...] = (
    (200, 0, None),
    (100, 0, None),
    (100, 0, 10),
    (100, 1, 10),
    (200, 1, 10),
    (100, 1, 6),
)
"""Rate (Hz), marker noise (mm; the plates get 2 N a mm), cut-off (Hz)."""

EDGE = 16


def errors(rate_hz: float, noise_mm: float, cutoff_hz: float | None) -> dict[str, Agreement]:
    """Return the errors of one case by quantity."""
    recording = Recording(
        rate_hz=rate_hz,
        analog_ratio=round(1000 / rate_hz),
        marker_noise_mm=noise_mm,
        force_noise_n=2.0 * noise_mm,
    )
    with tempfile.TemporaryDirectory() as folder:
        write_session(Path(folder), Walker(), recording, trials=1)
        result = process_trial(Path(folder) / "walk01.c3d", Options(cutoff_hz=cutoff_hz))
    rows = np.zeros(result.recording.n_frames, bool)
    rows[EDGE:-EDGE] = True
    found = agreement(own_curves(result), known_truth(walk(Walker(), recording)), rows)
    return {row.name: row for row in found}


def main() -> int:
    """Print the table."""
    for rate, noise, cutoff in CASES:
        found = errors(rate, noise, cutoff)
        print(f"{rate:g} Hz, noise {noise:g} mm, cut-off {cutoff or 'none'}")
        for quantity in ("angle", "moment"):
            for joint in ("hip", "knee", "ankle"):
                row = found[f"{joint} {quantity}"]
                print(
                    f"  {row.name:14s} rmse {row.rmse:9.2g}  largest {row.largest:9.2g} {row.unit}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
