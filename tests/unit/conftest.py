"""What unit tests share: a writer of small files, results folders and reports.

The pipeline is imported by the fixtures that run it: most tests need a small part of the program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.report import Report
    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes to a file of a name and return its path."""

    def _write(content: bytes, name: str = "trial.c3d") -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return _write


@pytest.fixture(scope="session")
def as_read(synthetic: Path) -> Session:
    """The recordings of the synthetic walk, as read."""
    from gaitdyn.stages.session import read_session
    from gaitdyn.types.options import Options

    return read_session(synthetic / "walk01.c3d", Options())


@pytest.fixture(scope="session")
def clean(synthetic: Path) -> Result:
    """The result of the synthetic walk."""
    from tests.walks import processed

    return processed(synthetic / "walk01.c3d")


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of two trials with noise, walk01 and walk02."""
    from tests.unit import report_cases as build

    place = tmp_path_factory.mktemp("before") / "before"
    for trial in build.recorded(place / "c3d", build.NOISY, ("walk01", "walk02")):
        build.results_of(trial, place)
    return place


@pytest.fixture(scope="session")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second session of one trial, with other noise."""
    from tests.unit import report_cases as build

    place = tmp_path_factory.mktemp("after") / "after"
    for trial in build.recorded(place / "c3d", replace(build.NOISY, seed=7), ("walk01",)):
        build.results_of(trial, place)
    return place


@pytest.fixture(scope="session")
def no_plates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of a trial without plates and without a body mass: kinematics only."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.synthetic import Recording, Walker, write_trial
    from tests.unit import report_cases as build
    from tests.walks import stand, walk

    place = tmp_path_factory.mktemp("light")
    write_trial(place / "static.c3d", stand(Walker(), Recording()))
    trial = replace(walk(Walker(), Recording()), plates=())
    trial = replace(trial, channels=trial.channels[:, :0])
    write_trial(place / "walk.c3d", trial)
    result = process_trial(place / "walk.c3d")
    light = replace(result, subject=replace(result.subject, mass_kg=None))
    return build.written(light, place / "walk.c3d", place / "out")


@pytest.fixture(scope="session")
def no_cycle(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of a trial without any complete cycle."""
    from gaitdyn.pipeline import process_trial
    from tests.unit import report_cases as build

    trial = synthetic / "walk01.c3d"
    bare = replace(process_trial(trial), events=())
    return build.written(bare, trial, tmp_path_factory.mktemp("cycleless"))


@pytest.fixture(scope="session")
def one_sided(session: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of which the cycles of the right side are taken out."""
    from tests.unit import report_cases as build

    place = build.copied(session / "walk01", tmp_path_factory.mktemp("one") / "walk01")
    build.without_side(place, "right")
    return place


@pytest.fixture(scope="session")
def norm_file(session: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reference set of the first left cycle of walk01, all angles 3 deg lower."""
    from tests.unit import report_cases as build

    place = tmp_path_factory.mktemp("norm") / "own.csv"
    return build.offset_norm(place, session / "walk01", 3.0)


@pytest.fixture(scope="session")
def report(session: Path, norm_file: Path) -> Report:
    """The report of the first session against the reference set."""
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.report import make_report, read_groups

    groups = read_groups([session])
    return make_report(groups, read_norm(norm_file))


@pytest.fixture(scope="session")
def compared(session: Path, later: Path, norm_file: Path) -> Report:
    """The report of two sessions against the reference set."""
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.report import make_report, read_groups

    groups = read_groups([session, later])
    return make_report(groups, read_norm(norm_file))
