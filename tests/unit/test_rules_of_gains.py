"""Gains of moments and of sideways forces, told by the soles and by the body they carry."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.balance.side_gain import ASIDE, leaning, moving, side_gain_rules
from gaitdyn.quality.rules.plates import moment_gain
from gaitdyn.quality.rules.plates.cop_gain import COURSE, SHORTEST_M, course_rules, stray_slope
from gaitdyn.quality.rules.plates.cop_path import cop_path
from gaitdyn.quality.rules.plates.moment_gain import moment_gain_rules
from gaitdyn.quality.rules.steps import steps

if TYPE_CHECKING:
    from gaitdyn.trial import Result

RULES = load_rules()


def sideways(result: Result, gain: float) -> Result:
    """Return a result with another gain of the sideways forces; the walk is along x."""
    sides: dict[str, Any] = {}
    for name, side in result.sides.items():
        assert side.wrench is not None
        force = side.wrench.force_G * [1.0, 1.0, gain]
        sides[name] = replace(side, wrench=replace(side.wrench, force_G=force))
    return replace(result, sides=sides)


def with_moments(result: Result, gain: float | tuple[float, float, float]) -> Result:
    """Return a result whose forces act so much nearer to the centres of their plates."""
    centres = {plate.number: plate.centre_G for plate in result.trial.plates}
    sides: dict[str, Any] = {}
    for name, side in result.sides.items():
        assert side.wrench is not None
        cop = side.wrench.cop_G.copy()
        for contact in (c for c in result.contacts if c.side == name and c.accepted):
            rows, centre = slice(contact.start, contact.stop), centres[contact.plate]
            cop[rows] = centre + np.multiply(gain, cop[rows] - centre)
        sides[name] = replace(side, wrench=replace(side.wrench, cop_G=cop))
    return replace(result, sides=sides)


def told(result: Result) -> list[str]:
    ways = [(step, cop_path(result, step)) for step in steps(result)]
    found = [*side_gain_rules(result, RULES), *course_rules(result, ways, RULES)]
    return [finding.code for finding in found]


def test_a_walk_as_it_is_keeps_to_the_course_and_leans_to_the_hips(clean: Result) -> None:
    assert told(clean) == []


@pytest.mark.parametrize("gain", [0.3, 0.5, 2.0])
def test_sideways_forces_with_another_gain_lean_and_move_the_body_by_as_much(
    clean: Result, gain: float
) -> None:
    other = sideways(clean, gain)
    assert leaning(other) == pytest.approx(gain * leaning(clean), rel=0.1)
    assert moving(other, ASIDE) == pytest.approx(gain * moving(clean, ASIDE), rel=1e-6)
    assert told(other) == ["force-side-gain"]


def test_an_offset_of_the_pelvis_cancels_however_many_steps_each_foot_has(clean: Result) -> None:
    counts = [sum(s.entire and s.side == side for s in steps(clean)) for side in clean.sides]
    assert counts[0] != counts[1]
    legs: dict[str, Any] = {}
    for side in clean.sides:
        leg = clean.pose.leg(side)
        legs[side] = replace(leg, r_prox_G=leg.r_prox_G + np.array((0.0, 0.0, 0.03)))
    aside = replace(clean, pose=replace(clean.pose, **legs))
    assert leaning(aside) == pytest.approx(leaning(clean), rel=1e-9)


def test_one_foot_without_an_entire_step_says_nothing_of_sideways_forces(clean: Result) -> None:
    left = replace(clean, sides={"left": clean.sides["left"]}, feet={"left": clean.feet["left"]})
    assert side_gain_rules(left, RULES) == []
    contacts = tuple(
        replace(c, verdict="partial") if c.side == "left" else c for c in clean.contacts
    )
    assert np.isnan(leaning(replace(clean, contacts=contacts)))


def test_moments_with_half_their_gain_draw_the_force_to_the_centre_of_the_plate(
    clean: Result,
) -> None:
    assert "cop-gain" in told(with_moments(clean, 0.5))
    assert "cop-gain" in told(with_moments(clean, 2.0))


@pytest.mark.parametrize(
    ("gain", "words"),
    [((0.4, 1.0, 1.0), "strays along the walk"), ((1.0, 1.0, 0.3), "strays across the walk")],
)
def test_one_moment_with_another_gain_strays_in_its_direction(
    clean: Result, gain: tuple[float, float, float], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(result: Result) -> list[str]:
        ways = [(step, cop_path(result, step)) for step in steps(result)]
        return [finding.message for finding in moment_gain_rules(result, ways, RULES)]

    assert found(clean) == []
    said = found(with_moments(clean, gain))
    assert said
    assert all(words in message for message in said)
    monkeypatch.setattr(moment_gain, "DIRECTIONS", {"": moment_gain.DIRECTIONS[""]})
    assert len(found(with_moments(clean, gain))) < len(said)


def test_both_moments_with_another_gain_are_told_as_what_is_clearest(
    clean: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = with_moments(clean, (0.4, 1.0, 0.4))
    ways = [(step, cop_path(result, step)) for step in steps(result)]
    told = moment_gain_rules(result, ways, RULES)
    assert any("its force strays from its usual place" in finding.message for finding in told)
    for words, measures in moment_gain.DIRECTIONS.items():
        monkeypatch.setattr(moment_gain, "DIRECTIONS", {words: measures})
        alone = {f.scope: abs(f.value or 0.0) for f in moment_gain_rules(result, ways, RULES)}
        assert all(alone.get(f.scope, 0.0) <= abs(f.value or 0.0) for f in told)


def test_forces_beside_the_centre_of_the_plate_say_nothing_of_moments() -> None:
    at = 0.9 * SHORTEST_M * np.resize((1.0, -1.0), 11)
    usual = np.full(11, 0.1)
    assert np.isnan(stray_slope(np.stack((at, at, usual), axis=1)))
    at[10] = np.nan  # a part without a foot
    known = stray_slope(np.stack((2 * at, at, usual), axis=1))
    assert known == pytest.approx(0.5)


def test_a_foot_whose_course_is_shorter_everywhere_says_nothing_of_moments() -> None:
    usual = 0.26 * np.array([part for _, part in COURSE])
    # a toe marker at the tip of the toes, on plates whose centres lie under the middle of the foot
    course = np.stack((0.8 * usual - 0.15, -0.2 * usual, usual), axis=1)
    assert abs(stray_slope(course)) < 0.1
    halved = course.copy()
    halved[:, 0] *= 0.5
    halved[:, 1] -= halved[:, 0]
    assert RULES["cop-gain"].beyond(stray_slope(halved))
