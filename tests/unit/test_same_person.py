"""Whether a static is that of the person who walks: names, and the mass that the files state."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.calibrate.same_person import mass_finding, person_doubt, shanks_differ
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject

SHANKS = {"LKNE": 0.5, "RKNE": 0.5, "LANK": 0.1, "RANK": 0.1}


def recorded(
    mass_kg: float | None = None, names: tuple[str, ...] = (), heights: dict[str, float] = SHANKS
) -> Recording:
    points = np.zeros((4, len(heights), 3))
    points[..., 1] = list(heights.values())
    return Recording(
        "still.c3d", "", 100.0, 1, 1, tuple(heights), points, {}, (), (), Subject(mass_kg=mass_kg),
        persons=names,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("walk", "static", "told"),
    [
        (70.0, 80.4, None), (70.0, 80.6, 10.6 / 70.0), (70.0, 59.6, None),
        (70.0, 59.4, 10.6 / 70.0), (None, 80.6, None), (70.0, None, None), (70.0, 0.0, None),
    ],
)  # fmt: skip
def test_masses_that_differ_by_more_than_15_percent_are_told(walk, static, told) -> None:
    found = mass_finding(recorded(walk), recorded(static))
    assert [f.value for f in found] == ([] if told is None else [pytest.approx(told)])


@pytest.mark.parametrize(
    ("walk", "static", "other"),
    [
        (("Ann B.",), ("annb",), False), (("Ann",), ("Bea", "Ann"), False),
        (("Ann",), ("Bea",), True), ((), ("Bea",), False), (("Ann",), (), False), ((), (), False),
    ],
)  # fmt: skip
def test_only_two_files_that_name_people_can_name_different_ones(walk, static, other) -> None:
    said = person_doubt(recorded(names=walk), recorded(names=static))
    assert said == ("its SUBJECTS:NAMES are another person's" if other else "")


def test_both_shanks_must_differ_by_more_than_3_percent() -> None:
    """Shanks of 400 mm; a marker that is never seen shows nothing."""
    longer = {"LKNE": 0.513, "RKNE": 0.513}
    said = shanks_differ(recorded(), recorded(heights=SHANKS | longer))
    assert said == "left 413 against 400 mm, right 413 against 400 mm"
    for same in ({"RKNE": 0.511}, {"RKNE": np.nan}):
        assert not shanks_differ(recorded(), recorded(heights=SHANKS | longer | same))
    centres = {
        f"{side}{x}": SHANKS[f"{side}{y}"]
        for side in "LR"
        for x, y in (("KJC", "KNE"), ("AJC", "ANK"))
    }
    hidden = dict.fromkeys(SHANKS, np.nan)
    shorter = centres | {"LKJC": 0.48, "RKJC": 0.48}
    assert "380 against 400" in shanks_differ(
        recorded(heights=hidden | centres), recorded(heights=hidden | shorter)
    )
