"""What other settings change most, said after a run."""

from __future__ import annotations

import numpy as np

from gaitdyn.types.uncertainty import CutoffPeaks, PeakTable, SweptPeaks
from gaitdyn.uncertainty.largest_changes import sensitivity_lines, sweep_lines

NAN = float("nan")
PEAKS = {
    ("left", "hip_angle_flexion_max"): "deg",
    ("left", "knee_moment_extension_max"): "N m/kg",
    ("right", "ankle_moment_plantarflexion_max"): "N m/kg",
    ("right", "ankle_power_a2_peak"): "W/kg",
    ("left", "hip_power_h1_peak"): "W/kg",
}


def table(**rows: list[float]) -> PeakTable:
    settings = tuple(("cutoff", word.removeprefix("at_")) for word in rows)
    return PeakTable(settings, tuple(PEAKS), tuple(PEAKS.values()), np.array(list(rows.values())))


def test_a_sweep_says_which_moment_and_power_it_changes_most():
    swept = table(
        at_6=[30.0, 0.5, 1.6, 3.4, NAN],
        at_12=[50.0, 0.6, 1.5, 3.8, 0.3],
        at_10=[50.0, 0.5801, 1.5, 3.8, 0.3],
    )
    base = np.array([50.0, 0.58, 1.5, 3.8, 0.3])
    assert sweep_lines(SweptPeaks(swept, base, (("hip=seidel", "no width"),))) == [
        "--sweep hip=seidel is left out: no width",
        (
            "--sweep cutoff=6: largest change in right ankle moment plantarflexion max 1.50 to"
            " 1.60 N m/kg, in right ankle power a2 peak 3.80 to 3.40 W/kg"
        ),
        "--sweep cutoff=12: largest change in left knee moment extension max 0.58 to 0.60 N m/kg",
        "--sweep cutoff=10: no peak of a moment or power changes by 0.01 N m/kg or W/kg",
    ]


def test_a_sweep_of_angles_alone_says_nothing_of_loads():
    angles = PeakTable(
        (("cutoff", "6"),), (("left", "hip_angle_flexion_max"),), ("deg",), np.eye(1)
    )
    assert sweep_lines(SweptPeaks(angles, np.zeros(1))) == []


def test_cut_offs_say_the_range_of_what_differs_most():
    settings = ("matched", 4.0, 4.0), ("matched", 12.0, 12.0), ("markers", 4.0, 10.0)
    peaks = (("left", "knee_moment_extension_max"), ("left", "hip_moment_extension_max"))
    values = np.array([[0.5, 0.3], [0.7, 0.31], [9.0, NAN]])
    found = PeakTable(settings, peaks, ("N m/kg", "N m/kg"), values)
    assert sensitivity_lines(CutoffPeaks(found, {})) == [
        (
            "--sensitivity, 4 to 12 Hz: largest change in left knee moment extension max"
            " 0.50 to 0.70 N m/kg"
        )
    ]
    unknown = PeakTable(settings, peaks, ("N m/kg", "N m/kg"), np.full((3, 2), NAN))
    assert sensitivity_lines(CutoffPeaks(unknown, {})) == []
