"""What a run says of its methods is what it did: every model, rule of the hip and filter."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.hip_choice import HIP_WORDS, OWN_RULE, pelvis_depth
from gaitdyn.calibrate.hip_regressions import HIP_RULES, PelvisMeasures
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.report.tables.checklist import checklist
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.motion import find_motion
from gaitdyn.stages.session import read_session
from gaitdyn.store.stored import trial_of_result
from gaitdyn.synthetic import Recording, write_session, write_trial
from gaitdyn.tables.columns import leg_curves
from gaitdyn.types.options import CHOICES, Options
from gaitdyn.types.subject import LETTER
from tests.unit.test_models_on_walker import ASKED_FOR, MODELS, dressed, walker_of
from tests.unit.test_sagittal import dressed as in_one_plane
from tests.unit.test_sagittal import planar_walker
from tests.walks import stand, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.motion import Motion
    from gaitdyn.trial import Result

FILTERS: list[dict[str, Any]] = [
    {"cutoff_hz": 6.0},
    {"cutoff_hz": None, "force_cutoff_hz": 20.0},
    {"filter": "butterworth", "force_cutoff_hz": None},
]
SLOW = Recording(rate_hz=50.0, analog_ratio=5, strides=2.0, marker_diameter=True)
RULES = CHOICES["hip_centre"]
PERSON = "[subject]\nmass_kg = 70\n[subject.left]\nleg_length_mm = 930\n"


class Runs:
    """Runs of one recording: a body serves every filter, and a motion every rule for the hip."""

    def __init__(self, path: Path, options: Options) -> None:
        self.session, self.options = read_session(path, options), options
        self.body = cache(self._body)
        self.motion = cache(self._motion)

    def _body(self, rule: Any) -> SubjectBody:
        return calibrate_session(self.session, replace(self.options, hip_centre=rule))

    def _motion(self, how: int) -> Motion:
        options = replace(self.options, **FILTERS[how])
        return find_motion(self.session, self.body(OWN_RULE), options)

    def result(self, rule: Any, how: int) -> Result:
        """Return the run with a rule and one of the filters; nothing of it is judged."""
        options = replace(self.options, hip_centre=rule, **FILTERS[how])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("gaitdyn.pipeline.checked", lambda unjudged: unjudged)
            return process_loaded(self.session, options, self.body(rule), motion=self.motion(how))


@pytest.fixture(scope="module", params=sorted(MODELS))
def dressed_walker(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    model, folder = MODELS[request.param], tmp_path_factory.mktemp("methods")
    walker = walker_of(model)
    still = stand(walker, replace(SLOW, gaps=(), events=False))
    write_trial(folder / "walk.c3d", dressed(model, walk(walker, SLOW), still))
    write_trial(folder / "static.c3d", dressed(model, still, still))
    person = folder / "subject.toml"
    right = "[subject.right]\nleg_length_mm = 930\n"
    person.write_text(PERSON + right, encoding="utf-8")
    asked = model.name if model.name in ASKED_FOR else "auto"
    static = str(folder / "static.c3d")
    options = Options(static=static, subject=str(person), model=asked, audit=False)
    return model, Runs(folder / "walk.c3d", options)


@pytest.fixture(scope="module")
def wands(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from gaitdyn.synthetic import Walker

    folder = tmp_path_factory.mktemp("wands")
    write_session(folder, Walker(), SLOW, trials=1)
    return Runs(folder / "walk01.c3d", Options(audit=False))


CASES = [*((rule, 0) for rule in RULES), *((OWN_RULE, how) for how in range(1, len(FILTERS)))]
"""Every rule with the first of the filters, and every filter: neither asks for the other."""


def told(result: Result, column: str) -> str:
    return result.methods[column]


def check_filters(result: Result) -> None:
    """Assert that every curve tells the filters that the options asked for, and no other."""
    options = result.options
    force = options.cutoff_hz if options.force_cutoff_hz == "same" else options.force_cutoff_hz
    kind = {"spline": "quintic smoothing spline", "butterworth": "Butterworth"}[options.filter]
    other = {"spline": "Butterworth", "butterworth": "spline"}[options.filter]
    vendor = options.profile == "plug-in-gait"
    for what, cutoff, column in (
        ("markers", options.cutoff_hz, "left_knee_angle_flexion"),
        ("markers", options.cutoff_hz, "right_hip_center_x"),
        ("markers", options.cutoff_hz, "left_ankle_moment_plantarflexion"),
        ("forces", force, "left_ankle_moment_plantarflexion"),
        ("forces", force, "right_grf_y"),
    ):
        text = told(result, column)
        if cutoff is None or vendor:
            assert f"{what} as recorded" in text, (column, text)
            assert f"{what} smoothed" not in text
        else:
            assert f"{what} smoothed by a " in text
            assert f"cut-off {cutoff:g} Hz" in text
            assert kind in text
        assert other not in text
        assert ("vendor" in text) == (vendor and "moment" in column)


def rules_of(hip: Any, width: float, depth: float, result: Result, side: Any) -> set[str]:
    """Return the rules that put a hip where it is, in pelvis axes, m."""
    leg = result.subject.leg(side).leg_length_m or np.nan
    measures = PelvisMeasures(width, depth, leg, result.subject.marker_diameter_m or 0.0)
    return {n for n, rule in HIP_RULES.items() if np.allclose(rule(measures, side), hip, atol=1e-7)}


def check_document(result: Result) -> None:
    """Assert that report and result.json say of the centres what the columns say."""
    trial = trial_of_result(result)
    rows = {row[0]: row[1] for row in checklist(trial).rows}
    for joint in ("hip", "knee", "ankle"):
        words = result.rungs[f"left_{joint}"]
        assert trial.document["methods"][f"left_{joint}_center"] == words
        assert f"left: {words}" in rows[f"{joint.capitalize()} centre"]
        assert told(result, f"left_{joint}_center_y").startswith(words)
    json.dumps(trial.document["methods"])


@pytest.mark.parametrize(("rule", "how"), CASES)
def test_a_model_of_landmarks_says_what_it_did(dressed_walker: Any, rule: str, how: int) -> None:
    model, runs = dressed_walker
    result = runs.result(rule, how)
    check_filters(result)
    assert "carried by rigid clusters" in told(result, "left_hip_angle_flexion")
    assert result.body is not None
    reference = result.body.reference
    assert reference is not None
    static = runs.session.static
    place = {name: static.markers_G[0, i] for i, name in enumerate(static.labels)}
    for side in ("left", "right"):
        letter, leg = LETTER[side], reference.legs[side]
        words = result.rungs[f"{side}_hip"]
        step = result.rung(side, "hip")
        assert step is not None
        if step.rung == "stored-centre":
            assert words == step.text
            assert rule == OWN_RULE
            np.testing.assert_allclose(leg.hip, place[f"{letter}HJC"], atol=1e-6)
        else:
            back = place["SACR"] if "SACR" in place else (place["LPSI"] + place["RPSI"]) / 2
            width = float(np.linalg.norm(place["LASI"] - place["RASI"]))
            depth = float(np.linalg.norm(reference.origin - back))
            hip = reference.R_GP.T @ (leg.hip - reference.origin)
            fits = rules_of(hip, width, depth, result, side)
            assert words in {HIP_WORDS[name] for name in fits}, (rule, fits)
        for joint, centre, roles in (
            ("knee", leg.knee, ("KJC", "KNE", "KNM")),
            ("ankle", leg.ankle, ("AJC", "ANK", "MED")),
        ):
            stored, lateral, medial = (letter + role for role in roles)
            step = result.rung(side, joint)
            assert step is not None
            assert result.rungs[f"{side}_{joint}"] == step.text
            if step.rung.startswith("two-"):
                where = (place[lateral] + place[medial]) / 2
                np.testing.assert_allclose(centre, where, atol=1e-4)
            elif "width" in step.rung:
                assert 0.01 < np.linalg.norm(centre - place[lateral]) < 0.1
            elif step.coarse:
                above = leg.hip if joint == "knee" else leg.knee
                share = {"knee": 0.151, "ankle": 0.102}[joint]
                usual = share * np.linalg.norm(place[lateral] - above)
                assert np.linalg.norm(centre - place[lateral]) == pytest.approx(usual, abs=2e-4)
            else:
                np.testing.assert_allclose(centre, place[stored], atol=1e-4)
    if how == 0:
        check_document(result)
    assert model.name == result.model


@pytest.mark.parametrize(("rule", "how"), CASES)
def test_the_model_with_wands_says_what_it_did(wands: Runs, rule: str, how: int) -> None:
    result = wands.result(rule, how)
    check_filters(result)
    static, width = wands.session.static, result.calibration.inter_asis_m
    assert static is not None
    for side in ("left", "right"):
        hip = result.calibration.hips_P[side]
        fits = rules_of(hip, width, pelvis_depth(static), result, side)
        assert result.rungs[f"{side}_hip"] in {HIP_WORDS[name] for name in fits}
        words, letter = result.rungs[f"{side}_knee"], LETTER[side]
        assert words.startswith(f"condyle-width-wand from {letter}KNE, {letter}THI")
    assert "landmarks" not in told(result, "left_hip_angle_flexion")
    check_document(result)


def test_the_profile_of_the_vendor_has_its_own_numerics(wands: Runs) -> None:
    session, options = wands.session, wands.options
    result = process_loaded(session, replace(options, profile="plug-in-gait"))
    check_filters(result)
    assert "9.81" in told(result, "left_hip_power")
    named = process_loaded(session, replace(options, names="pig", hip_centre="bell"))
    assert HIP_WORDS["bell"] in named.methods["LHJC_1"]
    assert "cut-off 10 Hz" in named.methods["LKneeMoment_1"]


def test_the_dictionary_names_the_shank_in_which_the_angles_of_the_ankle_are(wands: Runs) -> None:
    """With tibial torsion it is not the shank of the moments; the other leg has none."""
    result = wands.result(OWN_RULE, 0)
    turned = replace(result.pose.left, R_shank_distal=result.pose.left.R_GS[:, 1])
    result = replace(result, pose=replace(result.pose, left=turned))
    for axes in ("distal", "jcs"):
        chosen = replace(result, options=replace(result.options, moments_in=axes))
        frames = {curve.name: curve.frame for curve in leg_curves(chosen)}
        assert "tibial torsion" in frames["left_ankle_angle_inversion"]
        assert "torsion" not in frames["right_ankle_angle_inversion"]
        assert "torsion" not in frames["left_knee_angle_flexion"]
        told_axis = "ankle axis" in frames["left_ankle_moment_plantarflexion"]
        assert told_axis == (axes == "jcs")
        assert "ankle axis" not in frames["right_ankle_moment_plantarflexion"]


def test_the_checklist_tells_steps_of_floor_and_belt_and_what_is_not_shown(wands: Runs) -> None:
    result = wands.result(OWN_RULE, 0)
    trial = trial_of_result(result)
    on_belt = replace(trial, document=trial.document | {"belts": [{}]})
    steps = [{row[0]: row[1] for row in checklist(t).rows}["Steps"] for t in (trial, on_belt)]
    assert "20 N" in steps[0]
    assert "40 N" in steps[1]
    hidden = trial.document["options"]["unpublished_frames"]
    curves = {curve.name: curve.values for curve in leg_curves(result)}
    assert np.isfinite(curves["left_knee_angle_flexion"]).all()
    assert np.isnan(curves["left_knee_moment_extension"][:hidden]).all()
    assert f"loads and powers in the first and last {hidden} frames" in str(checklist(trial).rows)


def test_the_checklist_tells_gaps_and_filter_of_the_vendors_program(wands: Runs) -> None:
    """It said "filled up to 0 s", and nothing of the filter that this program has."""
    trial = trial_of_result(wands.result(OWN_RULE, 0))
    vendor = {"profile": "plug-in-gait", "longest_gap_s": 0.0, "filter": "cross-validation"}
    options = trial.document["options"] | vendor
    alike = replace(trial, document=trial.document | {"options": options})
    rows = {row[0]: row[1] for row in checklist(alike).rows}
    assert rows["Gaps"] == "not filled: they stay empty"
    assert rows["Derivatives"] == "as the vendor's program: cross-validation"
    filled = {row[0]: row[1] for row in checklist(trial).rows}["Gaps"]
    assert filled == "filled up to 0.1 s, longer ones stay empty"


def test_a_rule_for_the_hip_has_its_words() -> None:
    assert set(HIP_WORDS) == set(RULES) - {OWN_RULE} == set(HIP_RULES)
    assert len(set(HIP_WORDS.values())) == len(HIP_WORDS)


def test_a_sagittal_model_says_that_markers_stand_for_joints(tmp_path: Path) -> None:
    write_trial(tmp_path / "walk.c3d", in_one_plane(walk(planar_walker(), SLOW)))
    result = process_trial(tmp_path / "walk.c3d", Options(mass_kg=70.0))
    assert result.rungs["left_hip"].startswith("one-plane from LGTR, LKNE, LANK")
    assert "lines of markers in the sagittal plane" in told(result, "left_knee_angle_flexion")
    for column, text in result.methods.items():
        assert not any(words in text for words in HIP_WORDS.values()), column
        assert "chord" not in text
