"""Published reference tables: signs, leave-one-out over speed, scores, and the facts that ship."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.healthy import SCHWARTZ_SPEEDS
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.metrics.scores import VARIABLES, gait_scores
from gaitdyn.pipeline import process_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.options import Options
from tests.read_back import rows_of

pytestmark = pytest.mark.real

ROWS = {
    "speed_nondimensional": "Dimensionless Speed",
    "hip_moment_extension_max": "Max Hip Ext Mom (stance)",
    "hip_moment_extension_min": "Max Hip Flex Mom (stance)",
    "hip_moment_abduction_first_peak": "Hip Add Mom Peak (1st half stance)",
    "hip_moment_abduction_second_peak": "Hip Add Mom Peak (2nd half stance)",
    "knee_moment_extension_max": "Max Knee Ext Mom (stance)",
    "knee_moment_extension_min": "Max Knee Flex Mom (stance)",
    "knee_moment_abduction_first_peak": "Max Knee Valg Mom (1st half stance)",
    "knee_moment_abduction_second_peak": "Max Knee Valg Mom (2nd half stance)",
    "ankle_moment_plantarflexion_max": "Max Plantarflex Mom",
    "hip_power_h3_peak": "Max Hip Power Gen (late stance/early swing)",
    "hip_power_h2_peak": "Max Hip Power Abs (mid stance)",
    "grf_y_first_peak": "First Vertical Peak Force",
    "grf_y_midstance_min": "Mid Stance Force Min",
    "grf_y_second_peak": "Second Vertical Peak Force",
    "grf_x_braking_min": "Peak Braking Force",
    "grf_x_propulsion_max": "Peak Propuls Force",
}


@pytest.fixture(scope="module")
def tables(shared):
    folder = shared / "norms"
    if not (folder / "schwartz2008.csv").is_file():
        pytest.skip("needs ../shared/norms with the published tables")
    return folder


@pytest.fixture(scope="module")
def schwartz(tables):
    return read_norm(tables / "schwartz2008.csv")


def free_of(norm):
    return next(group for group in norm.groups if group.name == "free")


def at(bands, name, percent):
    return float(np.interp(percent, bands[name].percent, bands[name].mean))


def test_groups_have_the_people_and_speeds_of_the_paper(schwartz):
    assert [group.count for group in schwartz.groups] == [77, 82, 82, 76, 51]
    for group in schwartz.groups:
        assert group.speed == pytest.approx(SCHWARTZ_SPEEDS[group.name], abs=5e-4)
        assert len(group.bands) == 21
        assert "grf_z" not in group.bands


def test_curves_turn_the_way_people_walk(schwartz):
    """At strike, loading (14 %), late stance (50 %) and swing (72 %), by the words of the names."""
    bands = free_of(schwartz).bands
    ups = [
        ("pelvis_angle_tilt", 0), ("pelvis_angle_rotation", 0), ("pelvis_angle_obliquity", 14),
        ("hip_angle_flexion", 0), ("hip_angle_adduction", 14), ("knee_angle_flexion", 72),
        ("ankle_angle_dorsiflexion", 46), ("hip_moment_extension", 10), ("hip_power", 62),
        ("hip_moment_abduction", 14), ("knee_moment_extension", 14), ("grf_x", 50),
        ("knee_moment_abduction", 14), ("ankle_moment_plantarflexion", 50), ("ankle_power", 54),
    ]  # fmt: skip
    downs = [
        ("pelvis_angle_obliquity", 62), ("pelvis_angle_rotation", 50), ("hip_angle_flexion", 50),
        ("hip_angle_adduction", 64), ("ankle_angle_dorsiflexion", 64), ("grf_x", 14),
        ("hip_moment_extension", 50), ("foot_angle_progression", 30), ("knee_power", 58),
        ("knee_moment_extension", 40),
    ]  # fmt: skip
    assert all(at(bands, name, percent) > 0 for name, percent in ups)
    assert all(at(bands, name, percent) < 0 for name, percent in downs)
    assert 10 < bands["grf_y"].mean.max() < 12  # N/kg, a little above 9.81
    assert 55 < bands["knee_angle_flexion"].mean.max() < 65


ALIKE = (
    "pelvis_angle_obliquity", "hip_angle_flexion", "hip_angle_adduction", "knee_angle_flexion",
    "ankle_angle_dorsiflexion", "foot_angle_progression", "grf_x", "grf_y",
    "hip_moment_extension", "hip_moment_abduction", "knee_moment_extension",
    "knee_moment_abduction", "ankle_moment_plantarflexion",
    "hip_power", "knee_power", "ankle_power",
)  # fmt: skip
"""Curves that have the same shape in every walker; not the flat ones, whose shape is noise."""


@pytest.mark.parametrize(
    ("trial", "names"),
    [
        ("BTK-B/PiG_Motion3_FF.c3d", ALIKE),
        ("BTK-A/PiG_Motion-FlatFoot-Full.c3d", ("pelvis_angle_rotation",)),
    ],
)
def test_a_walker_has_the_shape_and_size_of_the_bands(shared, schwartz, trial, names):
    """Another model, laboratory and age: correlation above 0.6, spread 0.4 to 2.5 times."""
    result = process_trial(shared / "corpus" / "gait" / trial, Options())
    curves = cycle_curves(result, run_curves(result))
    bands = match_norm(schwartz, None).bands
    seen = dict.fromkeys(names, 0)
    for cycle, name in ((cycle, name) for cycle in curves for name in names):
        own, band = cycle.curve(name)[::2], bands[name]
        known = np.isfinite(own) & (band.percent > 6)  # the bands have an impact spike before
        if known.sum() > 25:
            seen[name] += 1
            assert np.corrcoef(own[known], band.mean[known])[0, 1] > 0.6, name
            assert 0.4 < own[known].std() / band.mean[known].std() < 2.5, name
    assert min(seen.values()) >= 2


def test_free_is_found_from_slow_and_fast(schwartz):
    """Leave one out: RMS error over the mean SD at most 0.28, ankle power 0.46."""
    free = free_of(schwartz)
    others = replace(schwartz, groups=tuple(g for g in schwartz.groups if g is not free))
    matched = match_norm(others, free.speed)
    assert "between slow (0.290) and fast (0.560)" in matched.note
    assert matched.count == 76
    slow = next(group for group in schwartz.groups if group.name == "slow")

    def error(bands, name):
        off = bands[name].mean - free.bands[name].mean
        return np.sqrt(np.mean(off**2)) / free.bands[name].sd.mean()

    errors = {name: error(matched.bands, name) for name in free.bands}
    assert errors.pop("ankle_power") == pytest.approx(0.454, abs=0.01)
    assert max(errors.values()) == pytest.approx(0.27, abs=0.01)
    assert min(errors.values()) > 0.02
    assert error(slow.bands, "grf_x") == pytest.approx(1.41, abs=0.02)
    assert error(slow.bands, "ankle_power") == pytest.approx(1.26, abs=0.02)
    sds = [matched.bands[n].sd.mean() / free.bands[n].sd.mean() for n in free.bands]
    assert 0.7 < min(sds) < max(sds) < 1.4


def test_two_laboratories_agree_within_a_score_of_controls(tables, schwartz):
    """Mean curves of another centre, read as one cycle a side: GPS of a mean is small."""
    other = next(
        group for group in read_norm(tables / "pinzone2014.csv").groups if group.name == "centre_2"
    )
    grid = np.arange(101.0)
    values = np.stack(
        [np.interp(grid, other.bands[n].percent, other.bands[n].mean) for n in VARIABLES], axis=1
    )
    curves = [
        CycleCurves(Cycle(side, 1, 0, 100, 60), VARIABLES, ("deg",) * 9, values)
        for side in ("left", "right")
    ]
    scores = gait_scores(curves, match_norm(schwartz, None))
    left = scores.gps["left"].value
    assert left == scores.gps["right"].value
    assert left is not None
    assert 1 < left < 3.5
    assert scores.gps_overall.value == pytest.approx(_by_hand(values, free_of(schwartz)), rel=1e-9)


def _by_hand(values, group):
    means = np.stack([group.bands[name].mean for name in VARIABLES], axis=1)
    squares = np.mean((values[::2] - means) ** 2, axis=0)
    return np.sqrt((squares.sum() + squares[3:].sum()) / 15)


def test_the_facts_that_ship_are_those_of_the_supplement(tables):
    rows = [row for row in rows_of(tables / "schwartz2008_scalars.csv") if row["group"] == "Free"]
    found = {row["parameter"].partition("  [")[0]: row for row in rows}
    facts = {row["quantity"]: row for row in shipped_rows("gait_reference/facts.csv")}
    for quantity, row in ROWS.items():
        factor = STANDARD_GRAVITY if quantity.startswith("grf") else 1.0
        value, sd = facts[quantity]["value"], facts[quantity]["sd"]
        assert rounds_to(value, float(found[row]["mean"]) * factor), quantity
        assert not sd or rounds_to(sd, float(found[row]["sd"])), quantity


def rounds_to(told: str, exact: float) -> bool:
    """Return whether a number is the exact one with the digits that it has."""
    return float(told) == round(exact, len(told.partition(".")[2]))


def test_the_peaks_at_five_speeds_are_those_of_the_supplement(tables):
    found = {
        (r["parameter"].partition("  [")[0], r["group"]): r
        for r in rows_of(tables / "schwartz2008_scalars.csv")
    }
    for row in shipped_rows("gait_reference/peaks.csv"):
        for group in SCHWARTZ_SPEEDS:
            source = found[ROWS[row["quantity"]], group.replace("_", " ").title()]
            assert rounds_to(row[group], float(source[row["number"]])), (row["quantity"], group)
