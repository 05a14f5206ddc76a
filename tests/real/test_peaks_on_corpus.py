"""Bursts of power of a real walk against those of the vendor's own power curves in its file."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves, find_cycles, per_kilogram, resample
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.metrics.peaks import peaks
from gaitdyn.metrics.windows import signed_area
from gaitdyn.pipeline import process_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.options import Options

pytestmark = [pytest.mark.real]
BURSTS = ("ankle_power_a2", "knee_power_k3", "knee_power_k4", "hip_power_h3")
VENDOR = {
    "ankle_power_a2_peak": (3.17, 3.71), "ankle_power_a2_work": (0.203, 0.270),
    "knee_power_k3_peak": (-1.81, -1.50), "knee_power_k4_peak": (-1.95, -1.43),
    "knee_power_k4_work": (-0.166, -0.132), "hip_power_h3_peak": (1.67, 1.82),
    "hip_power_h3_work": (0.256, 0.259),
}  # fmt: skip
"""Least and largest of three or four cycles, of the file's LAnklePower and so on."""
DEFAULT = {
    "ankle_power_a2_peak": (3.20, 3.79), "ankle_power_a2_work": (0.206, 0.270),
    "knee_power_k3_peak": (-1.26, -0.93), "knee_power_k4_peak": (-1.50, -1.10),
    "knee_power_k4_work": (-0.142, -0.114), "hip_power_h3_peak": (1.19, 1.40),
    "hip_power_h3_work": (0.204, 0.211),
}  # fmt: skip
"""The same of the default profile: markers and forces at 10 Hz, so less at knee and hip."""


@pytest.fixture(scope="module", params=["plug-in-gait", "default"])
def trial(request, shared):
    path = shared / "corpus" / "gait" / "BTK-B" / "PiG_Motion3_FF.c3d"
    return process_trial(path, Options(profile=request.param)), path


def ends(quantities):
    found: dict[str, list[float]] = {}
    for q in quantities:
        if q.name.startswith(BURSTS) and np.isfinite(q.value):
            found.setdefault(q.name, []).append(q.value)
    return {name: (min(v), max(v)) for name, v in found.items()}


def test_bursts_are_near_the_vendor_s(trial):
    result, _ = trial
    found = ends(peaks(cycle_curves(result, run_curves(result)), result.recording.rate_hz))
    wanted = VENDOR if result.options.profile == "plug-in-gait" else DEFAULT
    for name, (low, high) in wanted.items():
        assert found[name] == pytest.approx((low, high), rel=0.01, abs=0.001), name


def test_bursts_of_the_vendor_s_own_curves_are_the_stated_ones(trial):
    ezc3d = pytest.importorskip("ezc3d")
    result, path = trial
    file = ezc3d.c3d(str(path))
    labels = file["parameters"]["POINT"]["LABELS"]["value"]
    cycles = []
    for side in ("left", "right"):
        own = [f"{side[0].upper()}{joint}Power" for joint in ("Ankle", "Knee", "Hip")]
        at = [next(i for i, label in enumerate(labels) if label.endswith(o)) for o in own]
        power = file["data"]["points"][2, at].T
        for cycle in find_cycles(result, side):
            values = resample(power, cycle.start_row, cycle.stop_row)
            names = ("ankle_power", "knee_power", "hip_power")
            cycles.append(CycleCurves(cycle, names, ("W/kg",) * 3, values))
    found = ends(peaks(cycles, result.recording.rate_hz))
    for name, (low, high) in VENDOR.items():
        assert found[name] == pytest.approx((low, high), rel=0.01, abs=0.001), name


def test_work_of_101_points_is_that_of_the_frames_within_one_percent(trial):
    result, _ = trial
    own, rate, checked = run_curves(result), result.recording.rate_hz, 0
    for curves in cycle_curves(result, own):
        cycle = curves.cycle
        names, _, table = per_kilogram(result, own, cycle.side)
        rows, length = np.arange(len(table)), cycle.stop_row - cycle.start_row
        found = {q.name: q.value for q in peaks([curves], rate)}
        for one in DEFINITIONS:
            if one.take not in ("positive", "negative") or np.isnan(found[one.name]):
                continue
            a, b = (
                cycle.start_row + edge.percent(cycle.foot_off_percent) / 100 * length
                for edge in (one.window.start, one.window.stop)
            )
            at = np.unique([a, *rows[(rows > a) & (rows < b)], b])
            values = np.interp(at, rows, table[:, names.index(one.curve)])
            frames = signed_area(at, values, 1 if one.take == "positive" else -1) / rate
            assert found[one.name] == pytest.approx(frames, rel=0.01), one.name
            checked += 1
    assert checked > 60
