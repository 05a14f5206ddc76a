"""Which leg a finding concerns: by its side, its joint, its scope, or the foot on its plate."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.quality.sides import side_of, sides_of, sides_without_plate
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from gaitdyn.trial import Result

BOTH = ("left", "right")


@pytest.mark.parametrize(
    ("label", "side"),
    [("LKNE", "left"), ("RBHD", "right"), ("LASI", None), ("RPSI", None), ("SACR", None),
     ("C7", None)],
)  # fmt: skip
def test_a_marker_is_of_a_leg_or_of_the_pelvis(label: str, side: str | None) -> None:
    assert side_of(label) == side


@pytest.mark.parametrize(
    ("scope", "where", "sides"),
    [
        ("left knee", {}, ("left",)),
        ("right", {}, ("right",)),
        ("right.knee", {}, ("right",)),
        ("leftover", {}, BOTH),
        ("LKNE", {}, ("left",)),
        ("RASI", {}, BOTH),
        ("RXYZ", {}, BOTH),  # no marker of the trial
        ("LKNE", {"side": "right"}, ("right",)),
        ("left pelvis", {"side": "left", "joint": "pelvis"}, BOTH),
        ("plate 1", {}, ("right",)),
        ("plate 11", {}, ()),
        ("plates 1, 2", {}, BOTH),
        ("subject", {}, BOTH),
    ],
)
def test_a_finding_concerns_the_legs_of_its_scope(
    clean: Result, scope: str, where: dict[str, Any], sides: tuple[str, ...]
) -> None:
    """The right foot stands on plate 1, the left beside it and on plate 2."""
    one = replace(clean.contacts[0], plate=1, side="right", verdict="valid")
    beside = replace(one, side="left", verdict="rejected")
    result = replace(clean, contacts=(one, beside, replace(one, plate=2, side="left")))
    assert sides_of(result, Finding("warning", "a-code", scope, "", **where)) == sides


def standing(frames: int = 30, toe_m: float = 0.2, *, virtual: bool = False) -> Any:
    """Return a left foot that stands on a plate of 0.5 m at 100 Hz; the right one is in swing."""
    n, ahead = 100, np.array((1.0, 0.0, 0.0))
    corners = np.array(
        [(0.25, 0.25, 0.0), (0.25, -0.25, 0.0), (-0.25, -0.25, 0.0), (-0.25, 0.25, 0.0)]
    )
    heel, toe = np.zeros((n, 3)), np.zeros((n, 3)) + toe_m * ahead
    stance = {"left": np.arange(n) < frames, "right": np.zeros(n, bool)}
    plate = SimpleNamespace(number=3, corners_L=corners, virtual=virtual)
    return SimpleNamespace(
        recording=SimpleNamespace(plates=(plate,), rate_hz=100.0),
        trial=SimpleNamespace(R_GL=np.array([(1.0, 0, 0), (0, 0, 1.0), (0, -1.0, 0)])),
        feet=dict.fromkeys(BOTH, (heel, toe)),
        sides={side: SimpleNamespace(stance=stance[side]) for side in BOTH},
    )


@pytest.mark.parametrize(
    ("result", "scope", "sides"),
    [
        (standing(), "plate 3", ("left",)),
        (standing(20), "plate 3", ("left",)),  # 0.2 s
        (standing(19), "plate 3", ()),
        (standing(toe_m=0.3), "plate 3", ()),  # the toes are beside it
        (standing(toe_m=-0.3), "plate 3", ()),
        (standing(virtual=True), "plate 3", ()),
        (standing(), "plate 1", ()),
        (standing(), "subject", ()),
    ],
)
def test_a_fault_of_a_plate_costs_the_foot_that_stands_on_it_a_step(
    result: Any, scope: str, sides: tuple[str, ...]
) -> None:
    assert sides_without_plate(result, Finding("warning", "a-code", scope, "")) == sides
    for foot in BOTH:  # a heel beside the plate, too
        result.feet[foot] = (result.feet[foot][0] + 1.0, result.feet[foot][1])
    assert sides_without_plate(result, Finding("warning", "a-code", scope, "")) == ()
