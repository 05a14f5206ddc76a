"""Stated widths of joints against the markers on either side of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.calibrate.stated_sizes import joint_width_doubts
from gaitdyn.quality.rules import judged, load_rules
from gaitdyn.types.subject import LegMeasures, Subject

DIAMETER_M = 0.014


def standing(**across_m: float) -> Any:
    """Return a static whose left markers are on either side of joints of these widths, m."""
    places: dict[str, np.ndarray] = {}
    for pair, width in across_m.items():
        lateral, medial = pair.split("_")
        places[lateral] = np.zeros((5, 3))
        places[medial] = np.tile([0.0, 0.0, width + DIAMETER_M], (5, 1))
        places[medial][2] = np.nan
    return SimpleNamespace(labels=tuple(places), marker=places.__getitem__)


@pytest.mark.parametrize(
    ("stated_m", "level"),
    [(0.103, None), (0.115, "info"), (0.130, "warning"), (0.085, "info"), (0.070, "warning")],
)
def test_a_width_is_held_to_the_markers_on_either_side(stated_m: float, level: str | None) -> None:
    subject = Subject(left=LegMeasures(knee_width_m=stated_m), marker_diameter_m=DIAMETER_M)
    found = joint_width_doubts(subject, standing(LKNE_LKNM=0.1), ["left"])
    told = [finding for one in found for finding in judged(one, load_rules())]
    assert [(f.code, f.level, f.joint) for f in told] == [("width-unlike", level, "knee")] * bool(
        level
    )
    assert all(f.value == pytest.approx(1000 * (stated_m - 0.1)) for f in told)
    assert all(f.limit == (-20.0 if stated_m < 0.08 else 20.0) for f in told)


def test_without_a_medial_marker_or_a_diameter_nothing_is_said() -> None:
    subject = Subject(left=LegMeasures(knee_width_m=0.2, ankle_width_m=0.2))
    assert joint_width_doubts(subject, standing(LKNE_LKNM=0.1), ["left"]) == []
    sized = Subject(left=subject.left, marker_diameter_m=DIAMETER_M)
    assert joint_width_doubts(sized, standing(LKNE_ELSE=0.1), ["left"]) == []
    (own,) = joint_width_doubts(sized, standing(LANK_LMED=0.06), ["left"])
    assert (own.joint, own.value) == ("ankle", pytest.approx(140.0))
