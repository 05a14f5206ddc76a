"""Medial markers that a static of Plug-in Gait holds under a laboratory's own labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from walkers.laboratory import laboratory, spoken_as
from walkers.laboratory_files import write_laboratory

from gaitdyn.calibrate.statics.doubts import Candidate
from gaitdyn.calibrate.statics.find import choose
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.stages.labels import model_of, resolve
from gaitdyn.stages.session import read_session
from gaitdyn.store.document import document_of
from gaitdyn.store.run_lines import run_lines
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from gaitdyn.types.recording import Recording

LAB = replace(
    spoken_as(laboratory(0), "plug-in-gait"), rung="condyles", medial="in static", static="quiet",
    foot="heel and toe", tracking="wands", legs="both", seen="all", pelvis="psis",
)  # fmt: skip
OURS = {"KNM": "KNM", "MED": "MED", "MKNE": "KNM", "MMAL": "MED"}
OWN = {"KNM": ("MKNE", "MedKnee", "KNI"), "MED": ("MMAL", "MedAnk", "MMA")}


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[Recording, Recording]:
    made = write_laboratory(tmp_path_factory.mktemp("lab"), LAB)
    assert made.static is not None
    return read_recording(made.walk), read_recording(made.static)


def spelled(static: Recording, way: int) -> Recording:
    labels = (x[0] + OWN[x[1:]][way] if x[1:] in OWN else x for x in static.labels)
    return replace(static, labels=tuple(labels))


@pytest.mark.parametrize("way", range(3))
def test_medial_markers_of_the_static_alone_are_used_under_any_label(files, way) -> None:
    trial, static = files
    assert not {"LKNM", "LMED"} & set(trial.labels)
    found = resolve(trial, spelled(static, way), Options())
    assert found.match.model.name == "plug-in-gait"
    assert found.static is not None
    assert {"LKNM", "RKNM", "LMED", "RMED"} <= set(found.static.labels)
    assert any(f"L{OWN['KNM'][way]} = LKNM" in line for line in found.log)


def test_the_vendors_own_model_knows_its_own_labels_alone(files) -> None:
    trial, static = files
    found = resolve(trial, spelled(static, 0), Options(profile="plug-in-gait"))
    assert found.static is not None
    assert not {"LKNM", "LMED"} & set(found.static.labels)


def turned_about_the_thigh(recording: Recording, ahead_m: float) -> Recording:
    """Return a recording whose thigh wands stand ahead of the side of the thigh."""
    points = recording.markers_L.copy()
    at = {label: points[:, i] for i, label in enumerate(recording.labels)}
    ahead = (at["LASI"] + at["RASI"] - at["LPSI"] - at["RPSI"]) / 2.0
    ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
    for label in ("LTHI", "RTHI"):
        at[label] += ahead_m * ahead
    return replace(recording, markers_L=points)


@pytest.mark.parametrize("profile", ["default", "plug-in-gait"])
def test_a_wand_away_from_the_side_is_said_where_the_axis_of_the_knee_is_taken_from_it(
    files, profile
) -> None:
    trial, static = (turned_about_the_thigh(recording, 0.15) for recording in files)
    static = replace(static, labels=tuple(x.replace("KNM", "X1") for x in static.labels))
    hidden = static.markers_L.copy()
    hidden[:, [x.endswith("X1") for x in static.labels]] = np.nan
    options = Options(profile=profile)
    found = resolve(trial, replace(static, markers_L=hidden), options)
    said = {f.scope: f.joint for f in found.findings if f.code == "wand-astray"}
    assert said == {"LTHI": "knee", "RTHI": "knee"}
    assert not resolve(files[0], files[1], options).findings


def test_a_wand_away_from_the_side_does_no_harm_beside_a_medial_marker(files) -> None:
    trial, static = (turned_about_the_thigh(recording, 0.15) for recording in files)
    assert not resolve(trial, static, Options()).findings


def test_medial_markers_of_walk_and_static_are_used_under_any_label(files) -> None:
    static = spelled(files[1], 0)
    found = resolve(static, static, Options())  # as if the walk had them too
    assert found.static is not None
    assert {"LKNM", "RKNM", "LMED", "RMED"} <= set(found.static.labels)


@pytest.mark.parametrize("way", range(3))
def test_medial_markers_of_a_walk_without_a_static_are_used_under_any_label(files, way) -> None:
    found = resolve(spelled(files[1], way), None, Options())
    assert {"LKNM", "RKNM", "LMED", "RMED"} <= set(found.trial.labels)
    assert f"L{OWN['KNM'][way]} = LKNM" in "".join(found.log)
    vendor = resolve(spelled(files[1], way), None, Options(profile="plug-in-gait"))
    assert not {"LKNM", "LMED"} & set(vendor.trial.labels)


def test_a_wand_away_from_the_side_does_no_harm_beside_a_medial_marker_of_the_walk(files) -> None:
    walk = turned_about_the_thigh(spelled(files[1], 0), 0.15)
    codes = {finding.code for finding in resolve(walk, None, Options()).findings}
    assert codes == {"labels-read"}


@pytest.mark.parametrize("written", [("LKNM", "LMED", "RKNM", "RMED"), ("LMKNE", "RMMAL")])
def test_medial_markers_of_a_walk_without_a_static_give_the_axes_of_knee_and_ankle(
    tmp_path, written
) -> None:
    """The wands gave them, in silence."""
    made = write_laboratory(tmp_path, replace(LAB, medial="in both", static="none"))
    options = Options(rename=tuple((x[0] + OURS[x[1:]], x) for x in written))
    session = read_session(made.walk, options)
    trial = session.trial
    ahead = turned_about_the_thigh(replace(trial.recording, markers_L=trial.markers_G), 0.15)
    turned = replace(session, trial=replace(trial, markers_G=ahead.markers_L))
    found = [process_loaded(s, options) for s in (session, turned)]
    for result in found:
        steps = {(s.side, s.place): (s.rung, s.seen_in) for s in result.taken}
        assert steps["left", "knee"] == ("condyles-width", "walk")
        assert steps["right", "ankle"] == ("malleoli-width", "walk")
        assert "medial malleoli of the walk" in "".join(result.log)
    for side in ("left", "right"):
        angles = [result.calibration.offsets[side].thigh_rotation for result in found]
        assert abs(angles[1] - angles[0]) > 0.3
        knees = [result.sides[side].angles["knee"] for result in found]
        np.testing.assert_allclose(knees[0], knees[1], atol=2.0)


def test_a_medial_malleolus_gives_the_shank_another_axis_and_that_is_told(tmp_path) -> None:
    """A medial malleolus turned the axes of the knee moment by the torsion, and nothing said so."""
    made = write_laboratory(tmp_path, LAB)
    without = Options(static=str(made.static), rename=(("LMED", "X1"), ("RMED", "X2")))
    axes, lines = {}, {}
    for name, options in {"with": replace(without, rename=()), "without": without}.items():
        result = process_trial(made.walk, options)
        axes[name] = {result.pose.leg(side).shank_axis for side in ("left", "right")}
        lines[name] = [line for line in result.log if line.startswith("tibial torsion, outward")]
        assert "hip centres davis" in "".join(run_lines(result, document_of(result)))
    assert axes == {"with": {"knee"}, "without": {"wand"}}
    assert "medial malleoli of the static" in lines["with"][0]
    assert not lines["without"]


@pytest.mark.parametrize("written", ["P_01_{}", "Ann B {}", "{}_1", "{i}_{}"])
def test_what_stands_on_every_label_does_not_change_the_model(files, written) -> None:
    trial, static = (
        replace(x, labels=tuple(written.format(label, i=i) for i, label in enumerate(x.labels)))
        for x in files
    )
    plain, found = resolve(files[0], files[1], Options()), resolve(trial, static, Options())
    walk, still = (Candidate(Path(x.name), frozenset("p"), x) for x in (trial, static))
    assert choose(walk, model_of(trial, Options()), [still], Options()).path == still.path
    assert found.match.model.name == "plug-in-gait"
    assert found.match.places == plain.match.places
