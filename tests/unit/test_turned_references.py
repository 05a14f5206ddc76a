"""The reference position that a walk shows is the person's: not the laboratory's axes tell it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import write_trial
from gaitdyn.types.options import Options
from tests.unit.walker_roles import FAST, WALKER, in_roles
from tests.walks import walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

WORN = ("LASI", "RASI", "SACR", "THI", "KNE", "TIB", "ANK", "HEE", "TOE")


def walked_towards(heading_deg: float, folder: Path, worn: tuple[str, ...] = WORN) -> Result:
    """Return the result of the walk in some direction, which has no static."""
    course = replace(WALKER.course, heading_rad=float(np.radians(heading_deg)))
    trial = walk(replace(WALKER, course=course), FAST)
    write_trial(folder / "walk.c3d", in_roles(trial, lambda x: x.endswith(worn)))
    options = Options(model="ladder", static="none", mass_kg=70.0, cutoff_hz=None)
    return process_trial(folder / "walk.c3d", options)


def test_a_joint_that_is_not_known_has_no_doubt_of_zero(tmp_path: Path) -> None:
    """ "0 at the ankle" was said where no marker shows it."""
    for worn, last in ((WORN, " at the ankle"), ([x for x in WORN if x != "ANK"], " at the knee")):
        result = walked_towards(0.0, tmp_path, tuple(worn))
        (told,) = (f.message for f in result.findings if f.code == "reference-in-walk")
        assert told.endswith(last)
        assert "by 0" not in told


@pytest.mark.parametrize("heading_deg", [37.0, 250.0])
def test_doubt_and_angles_are_those_of_the_walk_along_an_axis(
    heading_deg: float, tmp_path: Path
) -> None:
    results = [walked_towards(angle, tmp_path) for angle in (0.0, heading_deg)]
    doubts = [
        next(f.value for f in result.findings if f.code == "reference-in-walk")
        for result in results
    ]
    assert doubts[1] == pytest.approx(doubts[0], abs=1e-3)
    frames = [result.to_frame() for result in results]
    for name in frames[0].columns:
        if "_angle_" in name and "pelvis" not in name:
            np.testing.assert_allclose(frames[1][name], frames[0][name], atol=1e-3)
