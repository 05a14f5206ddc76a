"""TRC with MOT from the command line: the synthetic walk written as such, and processed again."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn import process_trial
from gaitdyn.errors import UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.session import plan_session
from tests.unit.trc_texts import as_mot, as_trc

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., subprocess.CompletedProcess[str]]

SUBJECT = """[subject]
mass_kg = 70
height_m = 1.77
marker_diameter_mm = 14
[subject.left]
leg_length_mm = 920
knee_width_mm = 104
ankle_width_mm = 72
[subject.right]
leg_length_mm = 920
knee_width_mm = 104
ankle_width_mm = 72
"""
"""What the parameters of the C3D say."""


@pytest.fixture(scope="module")
def session(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The synthetic session as TRC and MOT files."""
    folder = tmp_path_factory.mktemp("visit")
    for name in ("walk01", "static"):
        recording = read_recording(synthetic / f"{name}.c3d")
        (folder / f"{name}.trc").write_text(as_trc(recording), encoding="utf-8")
        (folder / f"{name}_grf.mot").write_text(as_mot(recording), encoding="utf-8")
    (folder / "session.toml").write_text(SUBJECT, encoding="utf-8")
    return folder


@pytest.fixture
def own(session: Path, tmp_path: Path) -> Path:
    """A copy of the session that a test may change."""
    return shutil.copytree(session, tmp_path / "visit")


def test_the_walk_gives_the_moments_of_its_c3d(synthetic: Path, session: Path) -> None:
    """Numbers are written to nm, 1e-8 of a force: 1e-3 N m; the same edges of contacts."""
    one = process_trial(synthetic / "walk01.c3d", baseline="keep")
    two = process_trial(session / "walk01.trc", subject=str(session / "session.toml"))
    assert [(c.plate, c.side, c.start, c.stop) for c in one.contacts] == [
        (c.plate, c.side, c.start, c.stop) for c in two.contacts
    ]
    assert two.static is not None
    assert two.static.name == "static.trc"
    np.testing.assert_allclose(two.time_s, one.time_s, atol=1e-9)
    for side in ("left", "right"):
        a, b = one.sides[side].kinetics, two.sides[side].kinetics
        assert a is not None
        assert b is not None
        known = np.isfinite(a.loads.moment_S).all(axis=2)
        assert known.sum() > 100
        np.testing.assert_allclose(b.loads.moment_S[known], a.loads.moment_S[known], atol=2e-2)


def test_process_says_where_the_forces_are_from_and_records_them(
    session: Path, gaitdyn: Command, tmp_path: Path
) -> None:
    done = gaitdyn("process", session / "walk01.trc", "--no-figures")
    assert done.returncode == 0, done.stderr
    assert "forces: walk01_grf.mot (given)" in done.stderr
    folder = tmp_path / "gaitdyn-results" / "walk01"
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    roles = {entry["role"]: entry["name"] for entry in document["inputs"]}
    assert roles == {
        "trial": "walk01.trc",
        "forces": "walk01_grf.mot",
        "static": "static.trc",
        "static forces": "static_grf.mot",
        "subject": "session.toml",
    }
    assert document["options"]["forces"] == "walk01_grf.mot"
    assert document["kinetics"] == "computed"
    again = gaitdyn("reproduce", folder)
    assert again.returncode == 0, again.stdout
    assert "forces   walk01_grf.mot" in again.stdout


NO_PLATES = "no force plates in the file: kinematics only; name its forces (--forces) for kinetics"


@pytest.mark.slow
def test_forces_are_named_or_left_out_by_an_option(
    own: Path, gaitdyn: Command, tmp_path: Path
) -> None:
    (own / "walk01_grf.mot").rename(own / "elsewhere.mot")
    words = ("process", own / "walk01.trc", "--no-figures", "--quiet")
    for more, kinetics, name in (
        (("--forces", own / "elsewhere.mot"), "computed", "elsewhere.mot"),
        (("--forces", "none"), NO_PLATES, None),
        ((), NO_PLATES, None),
    ):
        assert gaitdyn(*words, *more).returncode == 0
        folder = tmp_path / "gaitdyn-results" / "walk01"
        document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        assert document["kinetics"].startswith(kinetics)
        assert document["options"]["forces"] == name
        assert gaitdyn("reproduce", folder).returncode == 0


def test_forces_of_a_c3d_take_the_place_of_its_own(
    synthetic: Path, gaitdyn: Command, tmp_path: Path
) -> None:
    trial = synthetic / "walk01.c3d"
    done = gaitdyn("process", trial, "--forces", trial, "--no-figures", "--quiet")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "gaitdyn-results" / "walk01"
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert {"role": "forces", "name": "walk01.c3d"}.items() <= next(
        entry for entry in document["inputs"] if entry["role"] == "forces"
    ).items()


@pytest.mark.parametrize(
    ("name", "said"),
    [("missing.mot", "no such file"), ("notes.txt", "wanted forces of the ground"),
     ("other.mot", "no line endheader")],
)  # fmt: skip
def test_forces_that_cannot_be_are_refused_in_one_line(
    own: Path, gaitdyn: Command, name: str, said: str
) -> None:
    for other in ("notes.txt", "other.mot"):
        (own / other).write_text("nothing", encoding="utf-8")
    done = gaitdyn("process", own / "walk01.trc", "--forces", own / name)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["walk01_grf.mot", "walk.anc", "walk.forces", "walk.sto"])
def test_forces_alone_are_no_trial(own: Path, gaitdyn: Command, name: str) -> None:
    if not (own / name).exists():
        (own / name).write_text("nothing", encoding="utf-8")
    done = gaitdyn("process", own / name)
    assert done.returncode == 1
    assert "no markers" in done.stderr
    assert done.stderr.count("\n") == 1


def test_info_shows_given_forces(session: Path, gaitdyn: Command) -> None:
    planned = gaitdyn("info", session).stdout
    assert "forces: walk01_grf.mot (by its name and its times)" in planned
    done = gaitdyn("info", session / "walk01.trc")
    assert done.returncode == 0, done.stderr
    assert "forces from walk01_grf.mot" in done.stdout
    assert "(given force): loaded in frames" in done.stdout
    assert "static.trc" in done.stdout


@pytest.mark.slow
def test_a_session_of_trc_files_is_planned_and_processed(
    session: Path, gaitdyn: Command, tmp_path: Path
) -> None:
    plan = {trial.path.name: trial for trial in plan_session(session).trials}
    assert {name: trial.role for name, trial in plan.items()} == {
        "static.trc": "static",
        "walk01.trc": "dynamic",
    }
    assert plan["walk01.trc"].options.forces == str(session / "walk01_grf.mot")
    assert not plan["walk01.trc"].missing
    done = gaitdyn("batch", session, "-o", tmp_path / "out", "--jobs", "1", "--quiet")
    assert done.returncode == 0, done.stderr
    (found,) = (tmp_path / "out").glob("*/walk01/result.json")
    assert json.loads(found.read_text(encoding="utf-8"))["kinetics"] == "computed"


def test_a_session_file_names_the_forces_of_a_trial(own: Path) -> None:
    (own / "walk01_grf.mot").rename(own / "elsewhere.mot")
    toml = own / "session.toml"
    table = SUBJECT + '[trials."walk01.trc"]\nforces = "{}"\n'
    toml.write_text(table.format("elsewhere.mot"), encoding="utf-8")
    plan = {trial.path.name: trial for trial in plan_session(own).trials}
    assert plan["walk01.trc"].options.forces == str(own / "elsewhere.mot")
    assert not plan["walk01.trc"].missing
    toml.write_text(table.format("none.mot"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"forces 'none\.mot' does not exist"):
        plan_session(own)


def test_several_files_of_forces_are_a_problem_of_the_plan_until_one_is_named(own: Path) -> None:
    shutil.copy(own / "walk01_grf.mot", own / "walk01.sto")
    (problem,) = [t.problem for t in plan_session(own).trials if t.path.name == "walk01.trc"]
    assert "several files of its forces (walk01.sto, walk01_grf.mot)" in problem
    toml = own / "session.toml"
    toml.write_text(SUBJECT + '[trials."walk01.trc"]\nforces = "walk01.sto"\n', encoding="utf-8")
    (problem,) = [t.problem for t in plan_session(own).trials if t.path.name == "walk01.trc"]
    assert not problem


def test_a_trc_beside_the_c3d_of_its_name_is_the_same_trial(synthetic: Path, own: Path) -> None:
    shutil.copy(synthetic / "walk01.c3d", own)
    names = [trial.path.name for trial in plan_session(own).trials]
    assert names == ["static.trc", "walk01.c3d"]


def test_results_of_a_trc_go_to_other_programs_but_not_into_a_c3d(
    session: Path, gaitdyn: Command, tmp_path: Path
) -> None:
    gaitdyn("process", session / "walk01.trc", "--no-figures", "--quiet")
    folder = tmp_path / "gaitdyn-results" / "walk01"
    done = gaitdyn("export", folder, "--to", "c3d")
    assert done.returncode == 1
    assert "found a file that is not C3D" in done.stderr
    done = gaitdyn("export", folder, "--to", "trc-mot")
    assert done.returncode == 0, done.stderr
    again = read_recording(tmp_path / "walk01.gaitdyn.trc")
    assert again.forces is not None
    assert again.forces.name == "walk01.gaitdyn.mot"
    own = read_recording(session / "walk01.trc")
    assert (again.first_frame, again.n_frames) == (own.first_frame, own.n_frames)
