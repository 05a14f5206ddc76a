"""Knee and ankle centres side by side, on the synthetic walker and on files with stored centres."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.ladder.limb_centres import MEDIAL, MIDDLE, WAND, compare_limb_centres
from gaitdyn.calibrate.models.choice import choose_model
from gaitdyn.calibrate.models.fitted import renamed
from gaitdyn.io.recording import read_recording
from gaitdyn.synthetic import Recording, Walk, Walker, write_trial
from gaitdyn.tables.centres_by_rule import hip_centres, limb_centres
from gaitdyn.types.subject import SIDES
from tests.shared_files import CORPUS, WITH_CORPUS
from tests.walks import stand, walk

if TYPE_CHECKING:
    from gaitdyn.types.subject import Side

FAST = Recording(rate_hz=200.0, analog_ratio=5, marker_diameter=True, gaps=())
DIAMETER_M = 0.014
JOINTS = {"knee": (1, "KNE", "KNM"), "ankle": (0, "ANK", "MED")}


def with_medial_markers(trial: Walk) -> Walk:
    """Return the trial with medial markers as far from the centre as the lateral ones."""
    added = {}
    for side in SIDES:
        for joint, lateral, medial in JOINTS.values():
            centre = trial.leg(side).motion.r_prox_G[:, joint]
            outside = trial.markers_G[:, trial.labels.index(side[0].upper() + lateral)]
            added[side[0].upper() + medial] = 2 * centre - outside
    markers = np.concatenate([trial.markers_G, np.stack(list(added.values()), axis=1)], axis=1)
    return replace(trial, labels=(*trial.labels, *added), markers_G=markers)


@pytest.fixture(scope="module", params=["static", "walk"])
def trial(request: pytest.FixtureRequest) -> Walk:
    made = stand(Walker(), FAST) if request.param == "static" else walk(Walker(), FAST)
    return with_medial_markers(made)


def true_place(trial: Walk, side: Side, joint: str) -> Any:
    """Return the true centre from the lateral marker in the axes of the leg, mm."""
    row, lateral, _ = JOINTS[joint]
    letter = side[0].upper()
    knee, ankle, outside = (
        trial.markers_G[:, trial.labels.index(letter + label)] for label in ("KNE", "ANK", lateral)
    )
    y = knee - ankle
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    x = np.cross(y, trial.R_GP[..., 2])
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    R = np.stack([x, y, np.cross(x, y)], axis=-1)
    away = trial.leg(side).motion.r_prox_G[:, row] - outside
    return 1000.0 * np.einsum("nij,ni->nj", R, away).mean(axis=0)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("joint", JOINTS)
def test_every_rule_finds_the_centre_of_the_walker(
    trial: Walk, side: Side, joint: str, tmp_path: Path
) -> None:
    write_trial(tmp_path / "trial.c3d", trial)
    recording = read_recording(tmp_path / "trial.c3d")
    found = [c for c in compare_limb_centres(recording, side, DIAMETER_M) if c.joint == joint]
    assert [centre.rule for centre in found] == [WAND, MEDIAL, MIDDLE]
    for centre in found:
        # coordinates of single precision, 1e-4 mm
        np.testing.assert_allclose(centre.place_mm, true_place(trial, side, joint), atol=2e-3)


def test_without_widths_the_chord_is_unknown_and_the_middle_is_not(tmp_path: Path) -> None:
    trial = with_medial_markers(stand(Walker(), replace(FAST, parameters=False)))
    write_trial(tmp_path / "trial.c3d", trial)
    found = limb_centres(read_recording(tmp_path / "trial.c3d"), "knee")["left"]
    assert {row["rule"]: row["x"] is None for row in found} == {
        WAND: True,
        MEDIAL: True,
        MIDDLE: False,
    }


def test_without_a_pelvis_there_is_nothing_to_compare(tmp_path: Path) -> None:
    trial = stand(Walker(), FAST)
    labels = tuple(f"{label}X" if label == "LASI" else label for label in trial.labels)
    write_trial(tmp_path / "trial.c3d", replace(trial, labels=labels))
    recording = read_recording(tmp_path / "trial.c3d")
    assert limb_centres(recording, "knee") == {}
    assert hip_centres(recording) == {}


def compared(path: Path, joint: str) -> dict[str, dict[str, Any]]:
    """Return side -> rule -> place of a file of the corpus, mm."""
    recording = read_recording(path)
    found = limb_centres(renamed(recording, choose_model(recording)), joint)
    return {
        side: {str(row["rule"]): np.array([row[k] for k in "xyz"], float) for row in rows}
        for side, rows in found.items()
    }


@pytest.mark.real
@WITH_CORPUS
@pytest.mark.parametrize(
    ("joint", "stored", "limit"), [("knee", "FEO", 1.5), ("ankle", "TIO", 0.1)]
)
def test_a_file_with_medial_markers_has_the_vendors_centres_by_width_and_medial_marker(
    joint: str, stored: str, limit: float
) -> None:
    found = compared(CORPUS / "gait" / "FMC" / "MH0222_BP08.c3d", joint)
    for side in SIDES:
        rules = found[side]
        vendor = rules[f"stored as {side[0].upper()}{stored}"]
        assert np.linalg.norm(rules[MEDIAL] - vendor) < limit
        assert np.linalg.norm(rules[MIDDLE] - vendor) < 5.0
        assert np.linalg.norm(rules[WAND] - vendor) > 5.0


@pytest.mark.real
@WITH_CORPUS
@pytest.mark.parametrize(("joint", "stored"), [("knee", "FEO"), ("ankle", "TIO")])
def test_a_file_without_them_has_the_vendors_centres_by_width_and_wand(
    joint: str, stored: str
) -> None:
    found = compared(CORPUS / "gait" / "McGill" / "HC002D02.c3d", joint)
    for side in SIDES:
        vendor = found[side][f"stored as {side[0].upper()}{stored}"]
        assert np.linalg.norm(found[side][WAND] - vendor) < 0.2


@pytest.mark.real
@WITH_CORPUS
def test_markers_seen_at_different_times_of_a_walk_leave_the_pelvis_its_depth() -> None:
    recording = read_recording(CORPUS / "gait" / "OpenSim" / "walking5.c3d")
    rows = hip_centres(renamed(recording, choose_model(recording)))["left"]
    forward = {str(row["rule"]): row["x"] for row in rows}
    assert forward["harrington"] == pytest.approx(forward["harrington-width"], abs=20.0)
