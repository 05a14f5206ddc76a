"""The hip rule as a setting: a posed pelvis, the walker with each rule, and its sweep."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.calibrate.hip_choice import OWN_RULE, hip_offsets_P
from gaitdyn.calibrate.hip_regressions import HIP_RULES, PelvisMeasures
from gaitdyn.errors import SubjectDataMissing, UsageError
from gaitdyn.pipeline import process_trial
from gaitdyn.provenance.rerun import recorded_run
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.store.result_tables import write_sweep
from gaitdyn.synthetic import Walker, write_session
from gaitdyn.types.options import CHOICES, Options
from gaitdyn.types.subject import LegMeasures, Subject
from gaitdyn.uncertainty.kept import swept_peaks
from gaitdyn.uncertainty.on_demand import keepers_of
from gaitdyn.uncertainty.peak_means import peak_means
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps
from tests.read_back import rows_of

WIDTH, DEPTH, LEG, DIAMETER = 0.25, 0.15, 0.9, 0.014
RULES = [name for name in CHOICES["hip_centre"] if name != OWN_RULE]


def person(leg: float | None = LEG) -> Subject:
    measures = LegMeasures(leg_length_m=leg)
    return Subject(left=measures, right=measures, marker_diameter_m=DIAMETER)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("walk")
    write_session(folder, Walker(), trials=1)
    return folder / "walk01.c3d"


def test_the_words_of_the_option_are_the_rules():
    assert set(RULES) == set(HIP_RULES)


def test_the_hip_of_a_pelvis_that_stands_square_is_where_the_formula_says():
    """Harrington, right: 0.24 * 150 + 9.9 + 7 mm behind, 85.9 below, 89.8 outside the middle."""
    offset = hip_offsets_P("harrington", person(), WIDTH, DEPTH, ["right"])["right"]
    np.testing.assert_allclose(1000 * offset, [-52.9, -85.9, 89.8], atol=1e-9)


def test_a_rule_that_needs_a_leg_length_is_refused_without_one():
    assert np.isfinite(hip_offsets_P("bell", person(None), WIDTH, DEPTH, ["left"])["left"]).all()
    with pytest.raises(SubjectDataMissing, match="--hip-centre hara needs leg lengths"):
        hip_offsets_P("hara", person(None), WIDTH, DEPTH, ["left"])


@pytest.mark.parametrize("name", RULES)
def test_the_walker_has_its_hips_where_the_rule_puts_them(trial: Path, name: str):
    result = process_trial(trial, Options(hip_centre=name))
    pose, subject = result.pose, result.subject
    markers = result.static
    assert markers is not None
    middle = 0.5 * (markers.marker("LASI") + markers.marker("RASI"))
    back = 0.5 * (markers.marker("LPSI") + markers.marker("RPSI"))
    depth = float(np.linalg.norm(middle - back, axis=1).mean())
    for side in ("left", "right"):
        leg = subject.leg(side)
        measures = PelvisMeasures(
            result.calibration.inter_asis_m,
            depth,
            leg.leg_length_m or np.nan,
            subject.marker_diameter_m or 0.0,
        )
        hip = pose.leg(side).r_prox_G[:, 2]
        found = np.einsum("nji,nj->ni", pose.R_GP, hip - pose.origin_G)
        np.testing.assert_allclose(found, np.tile(HIP_RULES[name](measures, side), (len(hip), 1)),
                                   atol=1e-12)  # fmt: skip


def test_davis_is_the_rule_of_the_plug_in_gait_model(trial: Path):
    own, davis = (process_trial(trial, Options(hip_centre=name)) for name in ("model", "davis"))
    for side in ("left", "right"):
        np.testing.assert_array_equal(own.pose.leg(side).r_prox_G, davis.pose.leg(side).r_prox_G)


def test_the_vendors_profile_keeps_its_hip():
    with pytest.raises(UsageError, match="vendor's hip centre"):
        Options(profile="plug-in-gait", hip_centre="bell")


def test_a_sweep_of_the_vendors_hip_says_what_to_leave_out():
    with pytest.raises(UsageError) as refusal:
        keepers_of(Options(profile="plug-in-gait"), sensitivity=False, sweeps=["hip=bell,hara"])
    assert str(refusal.value) == (
        "--sweep hip=bell: --profile plug-in-gait has the vendor's hip centre; leave out hip=bell,"
        " or use the profile default"
    )


def test_the_rule_is_recorded_and_taken_up_again(trial: Path, tmp_path: Path):
    folder = ResultsFolder(tmp_path / "walk01")
    write_results(folder, process_trial(trial, Options(hip_centre="hara")), figures=False)
    document = json.loads((folder.path / "result.json").read_text(encoding="utf-8"))
    assert document["options"]["hip_centre"] == "hara"
    assert recorded_run(folder.path, near=[trial.parent]).options.hip_centre == "hara"


def test_a_sweep_over_hip_rules_moves_the_hip_and_writes_a_table(trial: Path, tmp_path: Path):
    swept = find_sweep(process_trial(trial), parse_sweeps(["hip=davis,harrington"]))
    hip = ("left", "hip_moment_extension_max")
    direct = process_trial(trial, Options(hip_centre="harrington"))
    direct = replace(direct, events=process_trial(trial).events)
    assert swept.values[0][hip] == swept.base[hip]
    assert swept.values[1][hip] == peak_means(direct)[hip] != swept.base[hip]
    write_sweep(tmp_path, swept_peaks(swept))
    rows = [row for row in rows_of(tmp_path / "sweep.csv") if (row["side"], row["quantity"]) == hip]
    assert [(row["key"], row["setting"]) for row in rows] == [
        ("hip", "davis"),
        ("hip", "harrington"),
    ]
    assert float(rows[0]["difference"]) == 0.0
    assert abs(float(rows[1]["difference"])) > 0.005
