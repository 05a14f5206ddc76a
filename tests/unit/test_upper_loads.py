"""Loads above the hips that nobody has: how large, where they are emptied, what is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.upper_loads import plausible_upper, upper_load_rules
from gaitdyn.types.upper import JointWrench, UpperBody, UpperPose

if TYPE_CHECKING:
    from gaitdyn.trial import Result

RULES = load_rules()
ROW = 150  # reached by a moment, power or force in a single frame; 0.3 s are 30 frames


def body(
    result: Result, moment: float = 0.0, power: float = 0.0, force: float = 0.0, **parts: Any
) -> UpperBody:
    """Return an upper body whose right elbow has loads per kg in one frame, and none elsewhere."""
    n, mass = result.recording.n_frames, result.subject.mass_kg or 0.0
    eye, still = np.broadcast_to(np.eye(3), (n, 3, 3)), np.zeros((n, 3))
    at = mass * (np.arange(n) == ROW)
    joint = JointWrench(
        still + force * at[:, None] * (0.0, 1.0, 0.0),
        still + moment * at[:, None] * (0.0, 0.0, -1.0),
        power * at, eye, eye, np.ones(n, bool),
    )  # fmt: skip
    return UpperBody(UpperPose(eye, still, still, None), {}, {"right_elbow": joint}, **parts)


@pytest.mark.parametrize(
    ("load", "share"),
    [
        ({"moment": 5.4}, 1.2),  # of 4.5 N m/kg
        ({"power": 21.0}, 1.5),  # of 14 W/kg
        ({"power": -21.0}, 1.5),
        ({"force": 39.6}, 1.1),  # of 36 N/kg
        ({"moment": 5.4, "force": 39.6}, 1.2),
        ({"moment": 4.4, "power": -13.9, "force": 35.9}, None),
    ],
)
def test_each_load_is_held_against_its_limit_for_the_legs(
    clean: Result, load: dict[str, float], share: float | None
) -> None:
    upper = body(clean, **load)
    found = upper_load_rules(replace(clean, upper=upper), RULES)
    shown = plausible_upper(upper, clean, RULES).joints["right_elbow"].published
    if share is None:
        assert found == []
        assert shown.all()
        return
    (one,) = found
    n = clean.recording.n_frames
    assert (one.scope, one.side, one.value) == ("right elbow", "right", pytest.approx(share))
    assert one.message == (
        f"right elbow: loads up to {share:.1f} times what a joint of the legs has, in 1 of {n}"
        " frames; left empty"
    )
    assert np.flatnonzero(~shown).tolist() == list(range(ROW - 30, ROW + 31))


def test_what_is_not_shown_anyway_is_not_told(clean: Result) -> None:
    upper = body(clean, moment=9.0)
    elbow = upper.joints["right_elbow"]
    published = np.arange(clean.recording.n_frames) < ROW
    hidden = replace(upper, joints={"right_elbow": replace(elbow, published=published)})
    assert upper_load_rules(replace(clean, upper=hidden), RULES) == []
    published[ROW] = True
    half = replace(upper, joints={"right_elbow": replace(elbow, published=published)})
    (found,) = upper_load_rules(replace(clean, upper=half), RULES)
    assert f"in 1 of {ROW + 1} frames" in found.message


def test_without_a_body_mass_nothing_is_judged(clean: Result) -> None:
    upper = body(clean, moment=9.0)
    weightless = replace(clean, upper=upper, subject=replace(clean.subject, mass_kg=None))
    assert upper_load_rules(weightless, RULES) == []
    assert plausible_upper(upper, weightless, RULES) is upper


@pytest.mark.parametrize(
    ("force", "moment", "frames"),
    [(40.0, 0.0, 1), (0.0, 5.0, 1), (35.0, 4.4, 0), (np.nan, np.nan, 0)],
)
def test_loads_from_below_and_above_that_do_not_meet_are_told_and_emptied(
    clean: Result, force: float, moment: float, frames: int
) -> None:
    n, mass = clean.recording.n_frames, clean.subject.mass_kg or 0.0
    at = (np.arange(n) == ROW)[:, None] * np.array((0.0, -mass, 0.0))
    small = np.full((n, 3), 0.1)
    closure: dict[str, Any] = {
        "closure_force_G": np.where(at, force * at, small),
        "closure_moment_G": np.where(at, moment * at, small),
    }
    upper = body(clean, **closure)
    found = upper_load_rules(replace(clean, upper=upper), RULES)
    assert [f.message for f in found] == [
        "waist: the loads from below and above do not meet in 1 frame; left empty"
    ] * frames
    shown = plausible_upper(upper, clean, RULES)
    kept = np.array([i for i in range(n) if not frames or abs(i - ROW) > 30])
    for name, old in closure.items():
        new = getattr(shown, name)
        np.testing.assert_array_equal(new[kept], old[kept])
        assert not frames or np.isnan(new[ROW - 30 : ROW + 31]).all()
