"""Functional trials and tasks of the corpus: what is found, refused, and called by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.errors import FunctionalRefused
from gaitdyn.pipeline import process_trial
from gaitdyn.session import plan_session
from gaitdyn.stages.functional import find_functional_body
from gaitdyn.stages.session import read_session
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.real

BTK, HIP = "gait/BTK-C/FunctionalWalk.c3d", "BTK_FunctionalLHip.c3d"
LHIP, LKNEE, LANKLE, STANDS = (
    f"biobuddy_Test_func_{x}.c3d" for x in ("lhip", "lknee", "lankle", "anat")
)


def found(shared: Path, trial: str, key: str, file: str, **words: Any) -> Any:
    """Return what a functional trial gives a recording: its fit, and the hips in the pelvis."""
    corpus = shared / "corpus"
    options = Options(functional=((key, str(corpus / "functional" / file)),), **words)
    session = read_session(corpus / trial, options)
    subject = session.trial.recording.subject
    body = find_functional_body(session, options, subject, "harrington", session.model.engine)
    return body.fits[key], body


def test_the_left_hip_of_btk_is_where_it_was_measured(shared: Path) -> None:
    fit, body = found(shared, BTK, "hip_left", HIP)
    assert 1000 * fit.residual_m == pytest.approx(5.7, abs=0.05)
    assert fit.condition == pytest.approx(9.5, abs=0.05)
    assert fit.singular[3:] == pytest.approx([0.135, 0.107, 0.085], abs=0.001)
    assert 1000 * fit.halves_m == pytest.approx(6.7, abs=0.3)  # 6.9: noise of markers taken back
    assert 1000 * body.hips_P["left"] == pytest.approx([-65.0, -79.0, -99.0], abs=1.5)
    assert " mm from Harrington" in body.log[0]


def test_the_shift_of_the_left_hip_of_btk_is_told(shared: Path) -> None:
    given = (("hip_left", str(shared / "corpus" / "functional" / HIP)),)
    result = process_trial(shared / "corpus" / BTK, Options(functional=given))
    said = next(line for line in result.log if line.startswith("left hip: centre of"))
    assert "29.2 mm from Davis (-46, -94, -86): 20 mm back, 16 mm up, 13 mm out" in said
    assert "12.0 mm from Harrington" in said
    assert result.rung("left", "hip").rung == "functional"  # type: ignore[union-attr]


def test_hip_and_knee_of_another_laboratory_are_found(shared: Path) -> None:
    folder = "functional/"
    fit, _ = found(shared, folder + LKNEE, "hip_left", LHIP)
    assert 1000 * fit.residual_m == pytest.approx(7.9, abs=0.1)
    assert fit.condition == pytest.approx(9.1, abs=0.1)
    fit, _ = found(shared, folder + LHIP, "knee_left", LKNEE)
    assert fit.hinge == pytest.approx(14.3, abs=0.1)
    assert np.degrees(fit.about_rad) == pytest.approx(138, abs=1)
    assert np.degrees(fit.condyles_rad) == pytest.approx(5, abs=1)


@pytest.mark.parametrize(
    ("key", "file", "said"),
    [
        ("knee_left", LANKLE, "no hinge"),
        ("hip_left", LANKLE, "found"),
        ("hip_left", STANDS, "no centre"),
        ("hip_right", LHIP, "itself"),
        ("hip_left", "../gait/BTK-C/FunctionalWalk.c3d", "walks|another person"),
    ],
)
def test_what_shows_no_joint_is_refused(shared: Path, key: str, file: str, said: str) -> None:
    with pytest.raises(FunctionalRefused, match=said):
        found(shared, "functional/" + LHIP, key, file, static="none")


def test_a_walk_of_the_same_person_is_refused(shared: Path, tmp_path: Path) -> None:
    walk = tmp_path / "again.c3d"
    walk.write_bytes((shared / "corpus" / BTK).read_bytes() + b"\0")
    with pytest.raises(FunctionalRefused, match="a person who walks"):
        found(shared, BTK, "hip_left", str(walk))


def test_the_folder_of_functional_trials_holds_no_walk(shared: Path) -> None:
    plan = plan_session(shared / "corpus" / "functional")
    roles = {trial.path.name: trial.role for trial in plan.trials}
    assert roles == {STANDS: "static", **dict.fromkeys((LHIP, LKNEE, LANKLE, HIP), "functional")}
    plan = plan_session(shared / "corpus" / "gait" / "BTK-C")
    assert {t.path.name: t.role for t in plan.trials}["FunctionalWalk.c3d"] == "dynamic"


@pytest.mark.parametrize("name", [HIP, LHIP, LKNEE, LANKLE])
def test_a_functional_trial_that_is_processed_is_no_walk(shared: Path, name: str) -> None:
    result = process_trial(shared / "corpus" / "functional" / name, Options())
    assert result.task == "functional"
    assert not result.cycle_curves
