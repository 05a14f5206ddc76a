"""A file of measurements beside the recordings that nobody named is not passed over in silence."""

from __future__ import annotations

import shutil

import pytest

from gaitdyn.session import plan_session, plan_trial

TOLD = (
    "subject.toml beside the recordings is not read: name it with --subject subject.toml, or put"
    " its lines into session.toml"
)


@pytest.fixture
def folder(synthetic, tmp_path):
    for path in synthetic.glob("*.c3d"):
        shutil.copy(path, tmp_path)
    (tmp_path / "subject.toml").write_text("[subject]\nmass_kg = 60.0\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("with_session", [False, True])
def test_it_is_noted_for_a_trial_and_for_a_session(folder, with_session):
    if with_session:
        (folder / "session.toml").write_text("[options]\ncutoff = 8\n", encoding="utf-8")
    assert TOLD in plan_trial(folder / "walk01.c3d").notes
    assert TOLD in plan_session(folder).notes
    named = {"subject": str(folder / "subject.toml")}
    assert TOLD not in plan_trial(folder / "walk01.c3d", named).notes
    assert TOLD not in plan_session(folder, named).notes
    (folder / "subject.toml").unlink()
    assert TOLD not in plan_trial(folder / "walk01.c3d").notes
    assert TOLD not in plan_session(folder).notes


@pytest.mark.parametrize("name", ["session.toml.txt", "Session.toml"])
def test_a_session_file_of_another_name_is_noted(folder, name):
    (folder / "subject.toml").unlink()
    (folder / name).write_text("[options]\ncutoff = 8\n", encoding="utf-8")
    if (folder / "session.toml").exists():
        pytest.skip("this disk does not tell upper from lower case")
    told = f"{name} is not read: rename it session.toml"
    assert plan_trial(folder / "walk01.c3d").notes == (told,)
    assert plan_session(folder).notes == (told,)
    (folder / name).rename(folder / "session.toml")
    assert told not in plan_session(folder).notes
