"""What other settings change most, said after a run."""

from __future__ import annotations

from gaitdyn.store.extra_lines import sensitivity_lines, sweep_lines

SWEEP = """key,setting,side,quantity,value,base,difference,unit
cutoff,6,left,hip_angle_flexion_max,30,50,-20,deg
cutoff,6,left,knee_moment_extension_max,0.5,0.58,-0.08,N m/kg
cutoff,6,right,ankle_moment_plantarflexion_max,1.6,1.5,0.1,N m/kg
cutoff,6,right,ankle_power_a2_peak,3.4,3.8,-0.4,W/kg
cutoff,6,left,hip_power_h1_peak,,0.3,,W/kg
cutoff,12,left,knee_moment_extension_max,0.6,0.58,0.02,N m/kg
cutoff,10,left,knee_moment_extension_max,0.5801,0.58,0.0001,N m/kg
"""
SENSITIVITY = """mode,marker_cutoff_hz,force_cutoff_hz,side,quantity,value,unit
matched,4,4,left,knee_moment_extension_max,0.5,N m/kg
matched,12,12,left,knee_moment_extension_max,0.7,N m/kg
markers,4,10,left,knee_moment_extension_max,9,N m/kg
matched,4,4,left,hip_moment_extension_max,0.3,N m/kg
matched,12,12,left,hip_moment_extension_max,0.31,N m/kg
"""


def test_a_sweep_says_which_moment_and_power_it_changes_most(tmp_path):
    (tmp_path / "sweep.csv").write_text(SWEEP, encoding="utf-8")
    assert sweep_lines(tmp_path) == [
        (
            "--sweep cutoff=6: most in right ankle moment plantarflexion max 1.50 to 1.60 N m/kg,"
            " in right ankle power a2 peak 3.80 to 3.40 W/kg"
        ),
        "--sweep cutoff=12: most in left knee moment extension max 0.58 to 0.60 N m/kg",
        "--sweep cutoff=10: no peak of a moment or power by 0.01 N m/kg or W/kg",
    ]


def test_cut_offs_say_the_range_of_what_differs_most(tmp_path):
    (tmp_path / "sensitivity.csv").write_text(SENSITIVITY, encoding="utf-8")
    assert sensitivity_lines(tmp_path) == [
        "--sensitivity, 4 to 12 Hz: most in left knee moment extension max 0.50 to 0.70 N m/kg"
    ]


def test_without_a_table_nothing_is_said(tmp_path):
    assert sweep_lines(tmp_path) == sensitivity_lines(tmp_path) == []
