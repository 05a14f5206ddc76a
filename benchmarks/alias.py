"""Print what folds into the forces when plates come to the marker rate, before and after.

usage: python benchmarks/alias.py [CORPUS]
For each loaded plate: the force smoothed at the analog rate by the filter of the default profile
(10 Hz, gain 1 / (1 + k (f / fc)^6), nothing can fold there) against the same samples brought to the
marker rate first and smoothed by the spline there. Before: a parabola fitted to the samples half a
frame around each frame (decision 003); after: the low-pass of decision 012; beside them the centred
mean of the vendor. Largest distance of a component, N, 0.1 s at either end left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from usage import help_shown

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.low_pass import low_passed
from gaitdyn.errors import GaitdynError
from gaitdyn.io.plates.wrenches import frame_average
from gaitdyn.io.recording import read_recording

CUTOFF_HZ, EDGE_S, LOADED_N = 10.0, 0.1, 50.0
LABORATORIES = ("Sydney", "UNIPD", "MAC", "BMC", "BTK-C", "McGill", "IST", "Qualisys-ezc3d")


def smoothed_first(force: np.ndarray, rate_hz: float, ratio: int, n_frames: int) -> np.ndarray:
    """Return the force at the frames, smoothed at the analog rate."""
    pad = min(len(force) - 1, int(rate_hz * ratio))
    padded = np.pad(force, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    frequency = np.fft.rfftfreq(len(padded), 1.0 / (rate_hz * ratio))
    gain = 1.0 / (1.0 + (np.sqrt(2.0) - 1.0) * (frequency / CUTOFF_HZ) ** 6)
    whole = np.fft.irfft(np.fft.rfft(padded, axis=0) * gain[:, None], len(padded), axis=0)
    return whole[pad : pad + len(force)][::ratio][:n_frames]


def main() -> int:
    """Print a row a plate and the largest of each laboratory."""
    default = Path(__file__).resolve().parents[2] / "shared" / "corpus"
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    ways = {
        "mean": lambda x, n: frame_average(x, n, parabola=False),
        "before": lambda x, n: frame_average(x, n, parabola=True),
        "after": low_passed,
    }
    print("| laboratory | rates, Hz | plates | mean | before | after |\n|---|---|---|---|---|---|")
    for laboratory in LABORATORIES:
        worst, rates, plates = dict.fromkeys(ways, 0.0), set[str](), 0
        for path in sorted(root.glob(f"gait/{laboratory}/*.c3d")):
            try:
                recording = read_recording(path)
            except GaitdynError:
                continue
            n, ratio, rate = recording.n_frames, recording.samples_per_frame, recording.rate_hz
            for plate in recording.plates:
                force = plate.channels[:, :3]
                if plate.problem or ratio == 1 or np.ptp(force[:, 2]) < LOADED_N:
                    continue
                wanted = smoothed_first(force, rate, ratio, n)
                inside = slice(round(EDGE_S * rate), -round(EDGE_S * rate))
                for way, thin in ways.items():
                    thinned = thin(force, n)[:, None]
                    found = smooth(thinned, Filter(rate, CUTOFF_HZ, "spline", 0.0))[0][:, 0]
                    off = float(np.abs(found - wanted)[inside].max())
                    worst[way] = max(worst[way], off)
                plates += 1
                rates.add(f"{rate:g} of {rate * ratio:g}")
        numbers = " | ".join(f"{off:.1f}" for off in worst.values())
        print(f"| {laboratory} | {', '.join(sorted(rates))} | {plates} | {numbers} |")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
