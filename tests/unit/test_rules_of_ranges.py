"""Rules with a lower and an upper limit: told on their side from the limit on, with their value."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.metrics.gait_parameters import gait_parameters
from gaitdyn.quality.rules import load_rules, strides
from gaitdyn.quality.rules.anatomy import EXCURSIONS, RANGES, excursions, joint_ranges
from gaitdyn.quality.rules.markers.segments import leg_lengths
from gaitdyn.quality.rules.numbers import rhythm
from gaitdyn.quality.rules.plates.cop_path import cop_path
from gaitdyn.quality.rules.plates.moment_gain import shift_rules
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.timing import stated_rates

if TYPE_CHECKING:
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array

RULES = load_rules()


def with_angle(result: Result, side: str, segment: str, column: int, values: Array) -> Result:
    """Return a result with other values of one angle of one side, deg."""
    leg = result.sides[side]
    angles = leg.angles[segment].copy()
    angles[:, column] = values
    changed = replace(leg, angles={**leg.angles, segment: angles})
    return replace(result, sides={**result.sides, side: changed})


@pytest.mark.parametrize("code", RANGES)
def test_an_angle_is_told_from_the_limits_of_its_joint_on(clean: Result, code: str) -> None:
    segment, column, word = RANGES[code]
    low, high = RULES[code].low, RULES[code].limit
    assert low is not None
    assert high is not None
    for side, bound, way in (("left", low, -1.0), ("right", high, 1.0)):
        angle = np.zeros(clean.recording.n_frames)
        angle[10:13] = bound - way * 0.5
        assert [*joint_ranges(with_angle(clean, side, segment, column, angle), RULES)] == []
        angle[11] = bound + way * 2.0
        (found,) = joint_ranges(with_angle(clean, side, segment, column, angle), RULES)
        assert (found.code, found.side, found.joint) == (code, side, segment)
        assert (found.value, found.limit) == (bound + way * 2.0, bound)
        told = f"{side} {word} is {bound + way * 2.0:.0f} deg in 1 of {len(angle)} frames"
        assert found.message.startswith(told)


@pytest.mark.parametrize("code", EXCURSIONS)
def test_an_angle_is_told_that_moves_further_than_in_any_walk(clean: Result, code: str) -> None:
    joint, column, word, _ = EXCURSIONS[code]
    n, most = clean.recording.n_frames, RULES[code].bound
    for part, told in ((0.99, []), (1.1, [code])):  # 96 of 100 frames are within the percentiles
        wave = np.linspace(-10.0, part * most / 0.96 - 10.0, n) - 0.01
        found = excursions(with_angle(clean, "right", joint, column, wave), RULES)
        assert [f.code for f in found] == told
    assert (found[0].side, found[0].joint) == ("right", joint)
    assert found[0].value == pytest.approx(1.1 * most, rel=1e-3)
    assert found[0].message.startswith(f"right {word} goes from -9 to ")


@pytest.mark.parametrize(("part", "told"), [(0.79, True), (0.81, False), (1.01, True)])
def test_a_leg_length_that_thigh_and_shank_do_not_fit_is_told(
    clean: Result, part: float, *, told: bool
) -> None:
    _, shank, thigh = clean.calibration.lengths_m["left"]
    left = replace(clean.subject.left, leg_length_m=(shank + thigh) / part)
    found = leg_lengths(replace(clean, subject=replace(clean.subject, left=left)), RULES)
    assert [(f.code, f.side) for f in found] == [("leg-length-differs", "left")] * told
    assert [f.value for f in found] == [pytest.approx(part)] * told


@pytest.mark.parametrize(
    ("camera_hz", "static_hz", "off"),
    [
        (0.0, 100.0, None), (100.5, 200.0, None), (100.0, 50.0, None), (102.0, 100.0, 0.02),
        (200.0, 100.0, 1.0), (100.0, 60.0, 1.0 / 3.0), (100.0, 240.0, 0.4),
    ],
)  # fmt: skip
def test_a_rate_is_held_against_the_cameras_and_as_a_multiple_against_the_static(
    clean: Result, camera_hz: float, static_hz: float, off: float | None
) -> None:
    assert clean.static is not None
    other = replace(
        clean,
        recording=replace(clean.recording, camera_rate_hz=camera_hz),
        static=replace(clean.static, rate_hz=static_hz),
    )
    found = stated_rates(other, RULES)
    assert [f.value for f in found] == ([] if off is None else [pytest.approx(off)])
    if off is not None:
        stated = static_hz if "static" in found[0].message else camera_hz
        assert "POINT:RATE is 100 Hz, " in found[0].message
        assert f"{stated:g} Hz: one of them is wrong" in found[0].message


def test_a_stride_longer_than_anybodys_is_told(clean: Result) -> None:
    usual = [
        q.value for q in gait_parameters(clean) if (q.name, q.side) == ("stride_length", "left")
    ]
    times = 1.05 * RULES["stride-length"].bound / min(usual)
    found = [
        rhythm(replace(clean, pose=replace(clean.pose, origin_G=o)), RULES)
        for o in (clean.pose.origin_G / 1.1 * times, clean.pose.origin_G * times)
    ]
    assert found[0] == []
    mine = [f for f in found[1] if f.side == "left"]
    assert [f.code for f in mine] == ["stride-length"] * len(usual)
    assert [f.value for f in mine] == pytest.approx([times * one for one in usual], rel=0.01)
    assert [f.cycle for f in mine] == [*range(1, len(usual) + 1)]


@pytest.mark.parametrize(
    ("by_m", "told"),
    [
        ((0.0, 0.0, 0.0), ""), ((0.0, 0.0, 0.06), "right of the middle of the soles"),
        ((0.0, 0.0, -0.06), "left of the middle of the soles"),
        ((0.09, 0.0, 0.0), "ahead of their usual course"),
        ((-0.09, 0.0, 0.0), "behind their usual course"),
    ],
)  # fmt: skip
def test_forces_under_both_feet_that_act_to_one_side_are_told(
    clean: Result, by_m: tuple[float, float, float], told: str
) -> None:
    """The walk is along x; a single foot may bear its load on one edge."""
    for feet in (("left", "right"), ("left",)):
        sides = dict(clean.sides)
        for side in feet:
            wrench = sides[side].wrench
            assert wrench is not None
            moved = replace(wrench, cop_G=wrench.cop_G + np.array(by_m))
            sides[side] = replace(sides[side], wrench=moved)
        other = replace(clean, sides=sides)
        found = shift_rules(other, [(s, cop_path(other, s)) for s in steps(other)], RULES)
        assert len(found) == (bool(told) and len(feet) == 2)
        for one in found:
            assert (one.code, one.side) == ("cop-shifted", None)
            assert one.value == pytest.approx(abs(sum(by_m)), abs=0.025)
            assert f" mm {told} (limit " in one.message


def test_strides_that_are_set_aside_or_turn_are_told_on_their_side(
    clean: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = {"left": {}, "right": {2: "slow", 3: "short"}}
    monkeypatch.setattr(strides, "outlying_cycles", lambda _, side: aside[side])
    (found,) = strides.stride_rules(clean, RULES)
    assert (found.code, found.side, found.value) == ("stride-outlier", "right", 2.0)
    assert found.message == "right: 2 strides set aside: 2 (slow); 3 (short)"
    limit = RULES["turning"].bound
    turns = {"left": (limit - 1.0, limit + 1.0), "right": (-limit - 2.0, 1.0 - limit)}
    monkeypatch.setattr(strides, "find_cycles", lambda _, side: [
        SimpleNamespace(number=i, heading_change_deg=turn) for i, turn in enumerate(turns[side], 1)
    ])  # fmt: skip
    found = [*strides.heading_rules(clean, RULES)]
    assert [(f.side, f.cycle, f.value) for f in found] == [
        ("left", 2, limit + 1.0), ("right", 1, limit + 2.0),
    ]  # fmt: skip
    assert "deg to the left in this stride" in found[0].message
    assert "deg to the right in this stride" in found[1].message
