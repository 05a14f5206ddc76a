"""The folders of the corpus as sessions: every static found, every trial with its partner."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaitdyn.session import plan_session
from gaitdyn.types.options import NO_STATIC
from tests.read_back import rows_of
from tests.shared_files import CORPUS, WITH_CORPUS

pytestmark = [pytest.mark.real, WITH_CORPUS]


def catalogue() -> dict[str, dict[str, str]]:
    path = CORPUS / "catalogue.csv"
    if not path.is_file():
        return {}
    entries = rows_of(path)
    return {e["file"]: e for e in entries if e["file"].startswith("gait/")}


FOLDERS = sorted({file.split("/")[1] for file in catalogue()})


@pytest.mark.parametrize("name", FOLDERS)
def test_roles_and_statics_are_those_of_the_catalogue(name):
    entries = catalogue()
    for trial in plan_session(CORPUS / "gait" / name).trials:
        entry = entries[f"gait/{name}/{trial.path.name}"]
        assert trial.role == entry["role"], trial.reason
        assert not trial.problem
        if trial.role == "dynamic":
            static = trial.options.static or ""
            wanted = entry["static_partner"]
            assert (static if static == NO_STATIC else Path(static).name) == (wanted or NO_STATIC)


def test_no_hostile_file_stops_a_plan():
    folder = CORPUS / "hostile"
    plan = plan_session(folder)
    files = [p for p in folder.iterdir() if p.suffix.lower() == ".c3d"]
    assert len(plan.trials) == len(files)
    assert all(trial.reason for trial in plan.trials)
