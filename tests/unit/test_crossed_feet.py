"""Legs that cross are a gait; labels that are exchanged put outer markers on the inner side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.pipeline import process_loaded
from gaitdyn.quality.rules.markers.gaps import OUTER_M, outer_side
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import Gait, Walker, write_session
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import codes, processed

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result

LEG = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")


@pytest.fixture(scope="module")
def scissors(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder: Path = tmp_path_factory.mktemp("scissors")
    angles = np.array(Gait().leg_angles)
    angles[1, 0] += np.radians(12.0)
    write_session(folder, Walker(gait=Gait(leg_angles=angles)), trials=1)
    return read_session(folder / "walk01.c3d", Options())


def exchanged(session: Session, roles: tuple[str, ...]) -> Result:
    other = {a + role: b + role for a, b in ("LR", "RL") for role in roles}
    return processed(session, lambda r: replace(r, labels=tuple(other.get(x, x) for x in r.labels)))


def test_a_scissors_gait_is_told_and_kept(scissors: Session) -> None:
    result = process_loaded(scissors, Options())
    assert "feet-crossed" in codes(result)
    assert "sides-swapped" not in codes(result)
    for side in result.sides.values():
        assert np.isfinite(side.angles["hip"]).all()
    assert min(outer_side(result, side) for side in result.feet) > OUTER_M


def test_exchanged_legs_are_told_though_they_cross_twice(scissors: Session) -> None:
    """The left foot is on the left again, and every angle is one of the other leg."""
    result = exchanged(scissors, LEG)
    (found,) = (f for f in result.findings if f.code == "sides-swapped")
    assert found.value is not None
    assert found.value > 0.0
    assert "inner sides" in found.message
    assert not np.isfinite(result.sides["left"].angles["hip"]).any()


def test_without_outer_markers_crossed_feet_count_as_exchanged(
    scissors: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaitdyn.quality.rules.markers.gaps.OUTER", ())
    result = process_loaded(scissors, Options())
    assert np.isnan(outer_side(result, "left"))
    assert "sides-swapped" in codes(result)
