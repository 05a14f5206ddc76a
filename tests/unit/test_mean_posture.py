"""The reference position of a walk is its mean posture, not that of the frame it begins with."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.posture.mean import mean_posture
from gaitdyn.calibrate.posture.reference_position import standing
from gaitdyn.core.rotations import about
from gaitdyn.errors import ModelNotFound
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import write_trial
from gaitdyn.types.options import Options
from tests.unit.walker_roles import FAST, WALKER, in_roles
from tests.walks import stand, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.synthetic import Walk

WORN = (
    "LASI", "RASI", "LPSI", "RPSI", "TH1", "TH2", "TH3", "TH4", "SK1", "SK2", "SK3", "SK4",
    "KNE", "KNM", "ANK", "MED", "HEE", "TOE", "MT1", "MT5",
)  # fmt: skip
SLIDES_M = 0.03
"""Way of the skin of a shank, forwards, for a radian of knee flexion."""


def on_skin() -> Walk:
    """Return a walk whose clusters of the shank slide forwards as the knee bends."""
    trial = in_roles(walk(WALKER, FAST), lambda x: x.endswith(WORN))
    markers, truth = trial.markers_G.copy(), trial.columns()
    for i, label in enumerate(trial.labels):
        if label[1:3] == "SK":
            side = "left" if label[0] == "L" else "right"
            flexion = np.radians(truth[f"{side}_knee_angle_flexion"])[:, None]
            forward = trial.leg(side).motion.R_GS[:, 1, :, 0]
            markers[:, i] += SLIDES_M * flexion * forward
    return replace(trial, markers_G=markers)


def knee_flexion(trial: Walk, lost: slice, folder: Path) -> np.ndarray:
    """Return the left knee's flexion where one marker of the pelvis is not seen in some frames."""
    markers = trial.markers_G.copy()
    markers[lost, trial.labels.index("RPSI")] = np.nan
    folder.mkdir()
    write_trial(folder / "walk.c3d", replace(trial, markers_G=markers))
    options = Options(model="ladder", static="none", mass_kg=70.0, cutoff_hz=None)
    return np.asarray(
        process_trial(folder / "walk.c3d", options).to_frame()["left_knee_angle_flexion"]
    )


def test_a_marker_that_is_lost_for_a_while_leaves_the_zero_of_flexion(tmp_path: Path) -> None:
    """Taken from the middle one of the frames that show all, it moved by 2.3 degrees."""
    trial = on_skin()
    n = len(trial.markers_G)
    early, late = (
        knee_flexion(trial, lost, tmp_path / name)
        for name, lost in (("early", slice(n // 2, n)), ("late", slice(0, n // 2)))
    )
    whole = knee_flexion(trial, slice(0, 0), tmp_path / "whole")
    for found in (early, late):
        assert np.nanmax(np.abs(found - whole)) == pytest.approx(0.0, abs=0.5)


@pytest.mark.parametrize("heading_deg", [0.0, 45.0, 100.0])
@pytest.mark.parametrize(("sway_m", "stands"), [(0.025, True), (0.04, False)])
def test_who_stands_does_not_hang_on_the_axes_of_the_laboratory(
    heading_deg: float, sway_m: float, *, stands: bool
) -> None:
    """A person who sways aslant moves by less along each axis: 40 mm passed for 28."""
    trial = in_roles(stand(WALKER, FAST), lambda x: x.endswith(WORN))
    way = np.sin(np.linspace(0.0, 20.0, len(trial.markers_G)))[:, None, None]
    heading = np.radians(heading_deg)
    along = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    swaying: Any = replace(trial, markers_G=trial.markers_G + 0.5 * sway_m * way * along)
    assert standing(swaying) is stands


def test_a_mirrored_walk_has_mirrored_angles(tmp_path: Path) -> None:
    """The pelvis of the left leg's first posture was taken for both: 0.1 degrees at a hip."""
    trial = on_skin()
    markers, half = trial.markers_G.copy(), len(trial.markers_G) // 2
    markers += np.random.default_rng(3).normal(0.0, 0.003, markers.shape)
    for label, lost in (("LKNE", slice(0, half)), ("RKNE", slice(half, None))):
        markers[lost, trial.labels.index(label)] = np.nan
    other = {"L": "R", "R": "L"}
    labels = tuple(other.get(label[0], label[0]) + label[1:] for label in trial.labels)
    one = replace(trial, markers_G=markers)
    mirrored = replace(one, markers_G=markers * (1.0, 1.0, -1.0), labels=labels)
    options = Options(model="ladder", static="none", forces="none", cutoff_hz=None)
    write_trial(tmp_path / "one.c3d", one)
    write_trial(tmp_path / "mirrored.c3d", mirrored)
    here, there = (
        process_trial(tmp_path / f"{name}.c3d", options).to_frame() for name in ("one", "mirrored")
    )
    for side, opposite in (("left", "right"), ("right", "left")):
        for angle in ("hip_angle_flexion", "hip_angle_internal_rotation", "ankle_angle_inversion"):
            found = there[f"{opposite}_{angle}"]
            np.testing.assert_allclose(found, here[f"{side}_{angle}"], atol=1e-4)


def test_a_pelvis_whose_markers_are_one_point_is_refused_in_words(tmp_path: Path) -> None:
    trial = on_skin()
    markers = trial.markers_G.copy()
    markers[:, trial.labels.index("RASI")] = markers[:, trial.labels.index("LASI")]
    write_trial(tmp_path / "walk.c3d", replace(trial, markers_G=markers))
    options = Options(model="ladder", static="none", mass_kg=70.0)
    with pytest.raises(ModelNotFound, match="on one line; check their labels"):
        process_trial(tmp_path / "walk.c3d", options)


def test_two_points_that_no_frame_shows_together_track_nothing(tmp_path: Path) -> None:
    """The thigh was said to be tracked by both, and not to be tracked."""
    worn = ("LASI", "RASI", "LPSI", "RPSI", "KNE", "ANK", "HEE", "TOE")
    trial, still = (
        in_roles(made, lambda x: x.endswith(worn))
        for made in (walk(WALKER, FAST), stand(WALKER, FAST))
    )
    markers, half = trial.markers_G.copy(), len(trial.markers_G) // 2
    markers[half:, trial.labels.index("LKNE")] = np.nan
    markers[:half, [trial.labels.index(label) for label in worn[:4]]] = np.nan
    write_trial(tmp_path / "walk.c3d", replace(trial, markers_G=markers))
    write_trial(tmp_path / "static.c3d", still)
    options = Options(model="ladder", static=str(tmp_path / "static.c3d"), mass_kg=70.0)
    found = process_trial(tmp_path / "walk.c3d", options).findings
    about = {f.code for f in found if f.scope == "left thigh"}
    assert "segment-untracked" in about
    assert "segment-by-line" not in about
    assert "segment-by-line" in {f.code for f in found if f.scope == "right thigh"}


def test_a_segment_without_a_joint_moves_with_the_one_above() -> None:
    """Of a leg that swings about the hip, the ankle is not known, or the foot never seen."""
    turn = about("z", np.linspace(0.2, 0.4, 5))
    hip = np.array([0.0, 0.9, 0.1])
    swing = turn, hip - turn @ hip
    still = np.tile(np.eye(3), (5, 1, 1)), np.zeros((5, 3))
    unseen = np.full((5, 3, 3), np.nan), np.full((5, 3), np.nan)
    names = {"pelvis": still, **{f"left {x}": swing for x in ("thigh", "shank", "foot")}}
    middle = about("z", np.array(0.3))
    for ankle, foot in ((np.full(3, np.nan), swing), (hip - [0.0, 0.8, 0.0], unseen)):
        leg: Any = SimpleNamespace(side="left", hip=hip, knee=hip - [0.0, 0.4, 0.0], ankle=ankle)
        found = mean_posture(names | {"left foot": foot}, [leg], {"left": np.ones(5, bool)})
        for segment in ("thigh", "shank", "foot"):
            R, t = found[f"left {segment}"]
            np.testing.assert_allclose(R, middle, atol=1e-12)
            np.testing.assert_allclose(t, hip - middle @ hip, atol=1e-12)
