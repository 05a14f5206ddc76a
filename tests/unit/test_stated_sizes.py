"""Stated widths of joints against the markers on either side of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.calibrate.statics.stated_sizes import joint_width_doubts, pelvis_width_doubts
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


@pytest.mark.parametrize(
    ("markers_m", "stored_m", "codes"),
    [
        (0.240, None, []),
        (0.242, 0.238, []),
        (0.243, None, ["inter-asis-unlike"]),
        (0.237, 0.240, ["inter-asis-unlike"]),
        (0.240, 0.230, ["inter-asis-differs"]),
        (0.250, 0.250, ["inter-asis-unlike", "inter-asis-differs"]),
    ],
)
def test_a_distance_of_the_asis_is_held_to_markers_and_trial(
    markers_m: float, stored_m: float | None, codes: list[str]
) -> None:
    """240 mm are used; 1 % is 2.4 mm."""
    subject = SimpleNamespace(subject=Subject(inter_asis_m=stored_m))
    trial: Any = SimpleNamespace(recording=subject)
    found = pelvis_width_doubts(0.24, markers_m, trial)
    assert [f.code for f in found] == codes
    values = {f.code: f.value for f in found}
    assert values.get("inter-asis-unlike", 0.0) == pytest.approx(
        1000 * (0.24 - markers_m) if "inter-asis-unlike" in codes else 0.0
    )
    if "inter-asis-differs" in codes:
        assert stored_m is not None
        assert values["inter-asis-differs"] == pytest.approx(abs(stored_m - 0.24) / 0.24)
        assert f"240 mm is used, {1000 * stored_m:.0f} mm by the trial" in found[-1].message
