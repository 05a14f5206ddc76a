"""The line of force points at the body; thigh and shank fit the leg; parts of feet count."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.balance.force_lines import (
    force_line_rules,
    lean_along,
    line_offsets,
    middle_of_hips,
)
from gaitdyn.quality.rules.markers.segments import leg_lengths
from gaitdyn.quality.rules.plates.force import no_whole_step
from gaitdyn.quality.rules.plates.places import silent_plates
from gaitdyn.quality.rules.steps import steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array

RULES = load_rules()


def changed(result: Result, force: Callable[[Array], Array], cop_m: float = 0.0) -> Result:
    """Return a result with other forces under the feet, acting so far to the right of where."""
    sides: dict[str, Any] = {}
    for name, side in result.sides.items():
        assert side.wrench is not None
        wrench = replace(
            side.wrench,
            force_G=force(side.wrench.force_G),
            cop_G=side.wrench.cop_G + np.array([0.0, 0.0, cop_m]),
        )
        sides[name] = replace(side, wrench=wrench)
    return replace(result, sides=sides)


def told(result: Result) -> dict[str, float]:
    return {f.code: f.value or 0.0 for f in force_line_rules(result, RULES)}


def test_the_force_points_at_the_hips_and_reversed_it_does_not(clean: Result) -> None:
    """The walk is along x, to the right is z: reversed, the force leans as far the other way."""
    assert told(clean) == {}
    (first, *_) = steps(clean)
    aside = changed(clean, lambda F: F * [1.0, 1.0, -1.0])
    (mirrored, *_) = steps(aside)
    before, after = line_offsets(clean, first), line_offsets(aside, mirrored)
    assert before is not None
    assert after == pytest.approx(before[::-1], abs=1e-6)
    assert "force-side-reversed" in told(aside)


def test_a_force_that_acts_aside_passes_the_hips_by_as_much(clean: Result) -> None:
    before = {s.side: line_offsets(clean, s) for s in steps(clean)}
    moved = changed(clean, lambda F: F, cop_m=0.1)
    for step in steps(moved):
        now, was = line_offsets(moved, step), before[step.side]
        assert now is not None
        assert was is not None
        assert abs(now[0] - was[0]) == pytest.approx(0.1, abs=0.06)
    found = [f for f in force_line_rules(moved, RULES) if f.code == "force-line-aside"]
    outward = [now[0] for s in steps(moved) if s.entire and (now := line_offsets(moved, s))]
    outward = [value for value in outward if value > RULES["force-line-aside"].bound]
    assert outward
    assert [f.value for f in found if f.value and f.value > 0.0] == pytest.approx(outward)


@pytest.mark.parametrize(
    ("gain", "found"), [(1.0, False), (2.0, True), (0.8, False), (0.6, True), (0.4, True)]
)
def test_seen_from_the_side_the_force_leans_to_the_hips(
    clean: Result, gain: float, *, found: bool
) -> None:
    """The slope is in proportion to the fore-aft force alone."""
    other = changed(clean, lambda F: F * [gain, 1.0, 1.0])
    assert ("force-line-along" in told(other)) is found
    for one, same in zip(steps(clean), steps(other), strict=True):
        assert lean_along(other, same) == pytest.approx(gain * lean_along(clean, one))


def test_a_force_that_leans_too_far_inward_is_told_sooner(clean: Result) -> None:
    """With three times the sideways force each foot's line passes on the other side of the hips."""
    step = next(s for s in steps(clean) if s.entire)
    steep = changed(clean, lambda F: F * [1.0, 1.0, 3.0])
    passes = line_offsets(steep, next(s for s in steps(steep) if s.side == step.side))
    assert passes is not None
    assert passes[0] < -0.035
    assert told(steep)["force-line-aside"] < 0.0


def test_a_line_needs_a_foot_that_stands_alone(clean: Result) -> None:
    always = {n: replace(s, stance=np.ones_like(s.stance)) for n, s in clean.sides.items()}
    both = replace(clean, sides=always)
    assert [line_offsets(both, step) for step in steps(both)] == [None] * len(steps(both))


@pytest.mark.parametrize(("part", "found"), [(0.9, False), (1.03, True), (0.7, True)])
def test_thigh_and_shank_are_shorter_than_the_leg(clean: Result, part: float, found: bool) -> None:
    _, shank, thigh = clean.calibration.lengths_m["right"]
    leg = replace(clean.subject.right, leg_length_m=(thigh + shank) / part)
    other = replace(clean, subject=replace(clean.subject, right=leg))
    findings = [f for f in leg_lengths(other, RULES) if f.side == "right"]
    assert [f.value for f in findings] == ([pytest.approx(part)] if found else [])
    none = replace(clean.subject.right, leg_length_m=None)
    without = replace(clean, subject=replace(clean.subject, left=none, right=none))
    assert leg_lengths(without, RULES) == []


def test_plates_that_carry_only_parts_of_feet_are_summed_up(clean: Result) -> None:
    parts = [
        replace(c, verdict="partial", code="light") if c.accepted else c for c in clean.contacts
    ]
    assert no_whole_step(clean, RULES) == []
    (found,) = no_whole_step(replace(clean, contacts=tuple(parts)), RULES)
    assert found.value == len([c for c in parts if c.accepted])
    one_whole = (*parts[:-1], clean.contacts[-1])
    assert no_whole_step(replace(clean, contacts=one_whole), RULES) == []


@pytest.mark.parametrize(("shift_m", "found"), [(0.0, True), (0.15, True), (20.0, False)])
def test_a_silent_plate_is_told_under_a_part_of_a_foot(
    clean: Result, *, shift_m: float, found: bool
) -> None:
    """Shifted by 150 mm along the walk a plate is under heel or ball alone."""
    plates = tuple(
        replace(p, force_G=0.0 * p.force_G, corners_G=p.corners_G + np.array([shift_m, 0.0, 0.0]))
        for p in clean.trial.plates
    )
    silent = replace(clean, trial=replace(clean.trial, plates=plates))
    assert bool(silent_plates(silent, RULES)) is found


def one_leg(result: Result) -> Result:
    """Return a result of the left leg alone; nothing shows where the right hip is."""
    right = replace(result.pose.right, r_prox_G=np.full_like(result.pose.right.r_prox_G, np.nan))
    return replace(
        result, sides={"left": result.sides["left"]}, pose=replace(result.pose, right=right)
    )


def test_one_leg_alone_shows_the_middle_of_the_hips_and_a_reversed_force(clean: Result) -> None:
    """In a trial with one leg, nothing was said of a reversed sideways force."""
    left = one_leg(clean)
    (step, *_) = (s for s in steps(left) if s.entire)
    twin = next(s for s in steps(clean) if s.start == step.start and s.side == "left")
    np.testing.assert_allclose(middle_of_hips(left, step), middle_of_hips(clean, twin), atol=0.003)
    assert told(left) == {}
    assert "force-side-reversed" in told(changed(left, lambda force: force * [1.0, 1.0, -1.0]))
    assert "force-line-along" in told(changed(left, lambda force: force * [2.5, 1.0, 1.0]))
