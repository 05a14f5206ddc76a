"""A floor that rises along the walk shows that the axes of the laboratory are tilted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import pytest

from gaitdyn.core.rotations import about
from gaitdyn.quality.rules.markers import foot_heights
from gaitdyn.quality.rules.markers.foot_heights import floor_slope
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording

Axis: TypeAlias = 'Literal["x", "z"]'


def tilted(session: Session, degrees: float, axis: Axis) -> Callable[[Recording], Recording]:
    """Return what turns the markers about an axis: x is forward, z to the right."""
    to_G = session.trial.R_GL
    turn = to_G.T @ about(axis, np.radians(degrees)) @ to_G
    return lambda recording: replace(recording, markers_L=recording.markers_L @ turn.T)


def test_the_floor_of_a_walk_is_level(clean: Result) -> None:
    assert abs(floor_slope(clean)) < 0.2
    assert "floor-slope" not in {told.code for told in clean.findings}


@pytest.mark.parametrize("degrees", [2.0, -2.0])
def test_markers_that_are_tilted_forward_make_it_rise_by_as_much(
    as_read: Session, clean: Result, degrees: float
) -> None:
    """Turned about the axis to the right by a positive angle, what lies ahead is higher."""
    broken = processed(as_read, tilted(as_read, degrees, "z"))
    assert floor_slope(broken) - floor_slope(clean) == pytest.approx(degrees, abs=0.1)
    (told,) = [one for one in broken.findings if one.code == "floor-slope"]
    assert (told.level, told.scope, told.side) == ("warning", "laboratory", None)
    assert ("rises" if degrees > 0 else "falls") in told.message


def test_a_tilt_across_the_walk_does_not_show(as_read: Session) -> None:
    assert abs(floor_slope(processed(as_read, tilted(as_read, 2.0, "x")))) < 0.3


def test_one_stance_of_each_foot_shows_no_slope(
    as_read: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foot_heights, "SHORTEST_STEP_M", 50.0)
    assert np.isnan(floor_slope(processed(as_read, lambda recording: recording)))
    monkeypatch.setattr(foot_heights, "SHORTEST_S", 50.0)
    assert np.isnan(floor_slope(processed(as_read, lambda recording: recording)))
