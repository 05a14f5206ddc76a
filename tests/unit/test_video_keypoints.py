"""Key points of a video: the hip, knee and ankle of a file in one plane, as the sagittal model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.models.files import load_model
from gaitdyn.calibrate.models.fitted import match_model
from gaitdyn.errors import UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.synthetic import Walk, write_trial
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.placing import place_again
from tests.unit.test_sagittal import FAST, dressed, planar_walker, processed
from tests.walks import curve_values, walk

if TYPE_CHECKING:
    from gaitdyn.trial import Result

ROLES = {"GT": "Hip", "LFC": "Knee", "LMAL": "Ankle", "HEE": "Heel", "5MH": "SmallToe"}
MEDIAPIPE = {**ROLES, "5MH": "foot_index"}


def keypoints(trial: Walk, words: dict[str, str], sides: dict[str, str]) -> Walk:
    """Return the markers of a one-plane walk under the names of key points, with face and neck."""
    labels = [
        sides[label[0]] + words.get(label[1:], "Shoulder") for label in trial.labels
    ]  # LGT -> LHip
    labels = [x.lower() for x in labels] if sides["L"] == "left_" else labels
    shoulders = [i for i, x in enumerate(labels) if x.casefold().endswith("shoulder")]
    neck = trial.markers_G[:, shoulders].mean(axis=1)
    face = np.stack([neck + np.array((0.1, 0.2, side)) for side in (0.0, -0.05, 0.05)], axis=1)
    names = ("nose", *(f"{sides[letter]}Ear".lower() for letter in "LR"))
    markers_G = np.concatenate((trial.markers_G, face), axis=1)
    return replace(trial, labels=(*labels, *names), markers_G=markers_G)


@pytest.fixture(scope="module")
def plane() -> Walk:
    return dressed(walk(planar_walker(), FAST))


@pytest.fixture(scope="module")
def by_markers(plane: Walk, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return processed(tmp_path_factory.mktemp("markers"), plane)


@pytest.mark.parametrize(
    ("words", "sides"),
    [(ROLES, {"L": "L", "R": "R"}), (MEDIAPIPE, {"L": "left_", "R": "right_"})],
    ids=["BODY_25", "MediaPipe"],
)
def test_key_points_give_the_curves_of_markers_at_the_same_places(
    plane: Walk, by_markers: Result, tmp_path: Path, words: Any, sides: Any
) -> None:
    """A file of Pose2Sim or MediaPipe was refused: it shows no pelvis."""
    result = processed(tmp_path, keypoints(plane, words, sides))
    assert result.model == "video-keypoints"
    here, there = curve_values(by_markers), curve_values(result)
    known = [name for name, values in here.items() if np.isfinite(values).any()]
    assert {"left_knee_angle_flexion", "right_ankle_moment_plantarflexion"} <= set(known)
    for name in known:
        np.testing.assert_allclose(there[name], here[name], atol=1e-9, err_msg=name)


def test_what_is_used_as_a_joint_centre_is_told_as_it_is(
    plane: Walk, by_markers: Result, tmp_path: Path
) -> None:
    result = processed(tmp_path, keypoints(plane, ROLES, {"L": "L", "R": "R"}))
    (told,) = (f.message for f in result.findings if f.code == "sagittal-only")
    assert "no pelvis is found among the labels: points of the file are used as the joint" in told
    (told,) = (f.message for f in by_markers.findings if f.code == "sagittal-only")
    assert "lateral markers are used as the joint centres" in told


def test_key_points_have_no_marker_diameter_and_nothing_to_place_again(
    plane: Walk, by_markers: Result, tmp_path: Path
) -> None:
    bare = replace(plane, recording=replace(plane.recording, marker_diameter=False))
    result = processed(tmp_path, keypoints(bare, ROLES, {"L": "L", "R": "R"}))
    assert "marker diameter" not in " ".join((*result.log, *(f.message for f in result.findings)))
    assert result.subject.marker_diameter_m is None
    with pytest.raises(UsageError, match=r"found joint centres, as of a video, not markers: not"):
        place_again(stages_of(result), result)
    with pytest.raises(UsageError, match="needs a static"):
        place_again(stages_of(by_markers), by_markers)


def test_a_leg_that_lacks_a_joint_is_told_by_the_kind_it_has_most_of(
    plane: Walk, tmp_path: Path
) -> None:
    trial = keypoints(plane, ROLES, {"L": "L", "R": "R"})
    keep = [label != "LKnee" for label in trial.labels]
    labels = tuple(label for label, kept in zip(trial.labels, keep, strict=True) if kept)
    write_trial(
        tmp_path / "walk.c3d", replace(trial, labels=labels, markers_G=trial.markers_G[:, keep])
    )
    match = match_model(load_model("video-keypoints"), read_recording(tmp_path / "walk.c3d", None))
    assert match.sides == ["right"]
    assert match.missing["left"] == ["LKJC"]
