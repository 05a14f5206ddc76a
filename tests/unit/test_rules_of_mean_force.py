"""The mean force changes the speed: what else it holds comes from a channel or a tilted axis."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gaitdyn.quality.rules.balance.mean_force import acceleration_error, vertical_shares
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import Walker, newtonian, write_session
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import processed, with_plates

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.recording import PlateRecord


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("newtonian")
    write_session(folder, newtonian(Walker()), trials=1)
    return read_session(folder / "walk01.c3d", Options())


def with_crosstalk(session: Session, *shares: float) -> Result:
    """Return a result whose plates show a share of Fz in both horizontal channels."""

    share_of = dict(zip((p.number for p in session.trial.recording.plates), shares, strict=True))

    def leaking(plate: PlateRecord) -> PlateRecord:
        channels = plate.channels.copy()
        channels[:, :2] += share_of[plate.number] * channels[:, 2:3]
        return replace(plate, channels=channels)

    return processed(session, with_plates(leaking))


def told(result: Result) -> list[Finding]:
    return [f for f in result.findings if f.code == "force-against-speed"]


def test_a_walk_as_its_forces_ask_says_nothing(session: Session) -> None:
    result = with_crosstalk(session, 0.0, 0.0, 0.0)
    assert told(result) == []
    assert abs(acceleration_error(result, result.pose.walking_G)) < 0.15
    shares = vertical_shares(result, result.pose.walking_G)
    assert max(map(abs, shares.values())) < 0.035


def test_each_plate_with_a_part_of_the_vertical_force_is_named(session: Session) -> None:
    found = told(with_crosstalk(session, 0.0, 0.08, 0.0))
    assert {f.scope for f in found} == {"plate 2"}
    assert all(f.value == pytest.approx(0.08, abs=0.035) for f in found)


def test_plates_that_cancel_in_the_mean_are_found(session: Session) -> None:
    result = with_crosstalk(session, 0.08, -0.08, 0.08)
    assert {f.scope for f in told(result)} >= {"plate 1", "plate 2"}


def test_where_the_plates_do_not_fit_the_mean_alone_tells(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaitdyn.quality.rules.balance.mean_force.FITS_M_S", 0.0)
    (found, *_) = told(with_crosstalk(session, 0.16, 0.16, 0.16))
    assert found.scope == "plates"
    assert found.value == pytest.approx(0.16 * 9.81 / 3.0, abs=0.15)  # one plate lies crosswise
    assert "pushes or pulls" in found.message


def test_a_plate_that_hardly_carries_anything_is_not_judged(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = with_crosstalk(session, 0.0, 0.08, 0.0)
    assert vertical_shares(result, result.pose.walking_G)
    monkeypatch.setattr("gaitdyn.quality.rules.balance.mean_force.CARRIED_S", 2.0)
    assert vertical_shares(result, result.pose.walking_G) == {}


def test_a_run_that_is_too_short_says_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaitdyn.quality.rules.balance.momentum.SHORTEST_S", 60.0)
    assert told(with_crosstalk(session, 0.08, 0.08, 0.08)) == []
