"""Gains and places of plates, by the motion and the soles of a body that moves as they ask."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from walkers.laboratory import laboratory
from walkers.laboratory_files import walker_of, write_laboratory

from gaitdyn.pipeline import process_trial
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.balance.body_motion import long_runs
from gaitdyn.quality.rules.balance.force_lines import force_line_rules
from gaitdyn.quality.rules.balance.momentum import body_centre, plate_masses, velocity_share
from gaitdyn.quality.rules.balance.side_gain import ALONG, leaning_along, moving, side_gain_rules
from gaitdyn.quality.rules.markers.foot_heights import height_rules, rises
from gaitdyn.quality.rules.markers.pelvis import twist_deg, twisted
from gaitdyn.quality.rules.plates.apart import plates_apart
from gaitdyn.quality.rules.plates.cop_path import cop_path
from gaitdyn.quality.rules.plates.moment_gain import shift_rules
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.upper import waist
from gaitdyn.quality.rules.upper.waist import waist_rules
from gaitdyn.synthetic import newtonian
from gaitdyn.types.options import Options
from tests.walks import processed

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result
    from gaitdyn.types.findings import Finding

RULES = load_rules()


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Result:
    lab = replace(laboratory(5), rate_hz=100.0, analog_ratio=10)
    folder = tmp_path_factory.mktemp("laboratory")
    files = write_laboratory(folder, lab, newtonian(walker_of(lab)))
    return process_trial(files.walk, Options(static=str(files.static)))


@pytest.fixture(scope="module")
def standing(synthetic: Path) -> Result:
    return processed(synthetic / "walk01.c3d")


def changed(result: Result, along: float = 1.0, up: float = 1.0, plate: int = 0) -> Result:
    """Return a result with other gains of the forces on a plate, on all if none is named."""
    ahead = result.pose.walking_G
    sides: dict[str, Any] = {}
    for name, side in result.sides.items():
        assert side.wrench is not None
        force = side.wrench.force_G.copy()
        for c in (c for c in result.contacts if c.accepted and c.side == name):
            if plate in (0, c.plate):
                own = force[c.start : c.stop]
                own *= 1.0 + (up - 1.0) * np.array((0.0, 1.0, 0.0))
                own += (along - 1.0) * np.outer(own @ ahead, ahead)
        sides[name] = replace(side, wrench=replace(side.wrench, force_G=force))
    return replace(result, sides=sides)


def moved(result: Result, by_m: np.ndarray[Any, Any]) -> Result:
    """Return a result whose forces act elsewhere."""
    sides: dict[str, Any] = {
        name: replace(side, wrench=replace(side.wrench, cop_G=side.wrench.cop_G + by_m))
        for name, side in result.sides.items()
        if side.wrench is not None
    }
    return replace(result, sides=sides)


def codes(findings: list[Finding]) -> set[str]:
    return {finding.code for finding in findings if finding.level != "info"}


def judged(result: Result) -> set[str]:
    paths = [(step, cop_path(result, step)) for step in steps(result)]
    return codes(
        [
            *side_gain_rules(result, RULES),
            *plates_apart(result, RULES),
            *shift_rules(result, paths, RULES),
            *force_line_rules(result, RULES),
        ]
    )


def test_a_body_that_moves_as_its_forces_ask_weighs_the_same_on_every_plate(clean: Result) -> None:
    (run,) = long_runs(clean)
    masses = plate_masses(clean, run)
    assert len(masses) > 1
    assert list(masses.values()) == pytest.approx([clean.subject.mass_kg] * len(masses), rel=0.01)
    share = velocity_share(clean, clean.pose.walking_G, body_centre(clean))
    assert share == pytest.approx(1.0, abs=0.05)
    assert judged(clean) == set()


@pytest.mark.parametrize("gain", [0.9, 1.1])
def test_a_tenth_of_the_load_beside_one_plate_is_told(clean: Result, gain: float) -> None:
    """As with a crutch: the other plate is 8 % apart at least."""
    (finding,) = plates_apart(changed(clean, up=gain, plate=2), RULES)
    assert (finding.code, finding.scope) == ("plate-unlike", "plate 2")
    assert abs(finding.value or 0.0) == pytest.approx(0.1, abs=0.02)
    assert ("small" if gain < 1.0 else "large") in finding.message


@pytest.mark.parametrize("gain", [0.5, 2.0])
def test_another_gain_along_the_walk_leans_and_moves_the_body_by_as_much(
    clean: Result, gain: float
) -> None:
    other = changed(clean, along=gain)
    assert leaning_along(other) == pytest.approx(gain * leaning_along(clean))
    assert moving(other, ALONG) == pytest.approx(gain * moving(clean, ALONG), rel=0.01)
    assert "force-along-gain" in judged(other)


@pytest.mark.parametrize("gain", [0.5, 2.0])
def test_another_gain_of_one_plate_along_the_walk_is_told(clean: Result, gain: float) -> None:
    other = changed(clean, along=gain, plate=2)
    found = {f.code: f.scope for f in plates_apart(other, RULES)}
    assert found == {"plate-unlike-along": "plate 2"}


@pytest.mark.parametrize(("nearer", "gain", "level"), [(0.4, 1.0, "info"), (0.0, 2.0, "warning")])
def test_a_steep_line_of_force_blames_the_plate_only_if_the_body_moves_otherwise(
    clean: Result, nearer: float, gain: float, level: str
) -> None:
    """A trunk that leans keeps the hips nearer to the foot; the forces move the body as usual."""
    ahead = clean.pose.walking_G
    hips = 0.5 * sum(clean.pose.leg(side).r_prox_G[:, 2] for side in ("left", "right"))
    other = changed(clean, along=gain)
    sides: dict[str, Any] = {}
    for name, side in other.sides.items():
        assert side.wrench is not None
        cop = side.wrench.cop_G + nearer * np.outer((hips - side.wrench.cop_G) @ ahead, ahead)
        sides[name] = replace(side, wrench=replace(side.wrench, cop_G=cop))
    found = force_line_rules(replace(other, sides=sides), RULES)
    along = [f for f in found if f.code == "force-line-along"]
    assert {f.level for f in along} == {level}
    assert all("the trunk leans" in f.message for f in along)


@pytest.mark.parametrize(("ahead_m", "right_m"), [(0.0, 0.03), (0.0, -0.03), (0.07, 0.0)])
def test_plates_shifted_against_both_soles_are_told(
    clean: Result, ahead_m: float, right_m: float
) -> None:
    ahead = clean.pose.walking_G
    other = moved(clean, ahead_m * ahead + right_m * np.cross(ahead, (0.0, 1.0, 0.0)))
    paths = [(step, cop_path(other, step)) for step in steps(other)]
    (finding,) = shift_rules(other, paths, RULES)
    assert finding.value == pytest.approx(abs(ahead_m + right_m), abs=0.03)
    word = "ahead" if ahead_m else "right" if right_m > 0.0 else "left"
    assert f"mm {word} of" in finding.message


def test_a_force_on_the_edge_of_one_foot_is_no_shift(clean: Result) -> None:
    """As in a foot that bears its load on the lateral edge."""
    right = 0.07 * np.cross(clean.pose.walking_G, (0.0, 1.0, 0.0))
    side, aside = clean.sides["right"], moved(clean, right).sides["right"]
    assert side.wrench is not None
    other = replace(clean, sides=clean.sides | {"right": aside})
    paths = [(step, cop_path(other, step)) for step in steps(other)]
    assert shift_rules(other, paths, RULES) == []


@pytest.mark.parametrize(("up_m", "found"), [(0.0, False), (0.01, False), (0.03, True)])
def test_a_toe_marker_that_moved_up_since_the_static_is_told(
    standing: Result, up_m: float, *, found: bool
) -> None:
    trial, label = standing.trial, "RTOE"
    paths = trial.markers_G.copy()
    paths[:, trial.labels.index(label), 1] += up_m
    other = replace(standing, trial=replace(trial, markers_G=paths))
    assert rises(other)[label] - rises(standing)[label] == pytest.approx(up_m)
    findings = height_rules(other, RULES)
    assert [(f.code, f.scope, f.side) for f in findings] == [
        ("foot-height", label, "right")
    ] * found


def test_a_raised_heel_and_another_floor_are_no_moved_marker(standing: Result) -> None:
    trial = standing.trial
    raised, floor = trial.markers_G.copy(), trial.markers_G + np.array((0.0, 0.04, 0.0))
    raised[:, trial.labels.index("RHEE"), 1] += 0.05
    for paths in (raised, floor):
        other = replace(standing, trial=replace(trial, markers_G=paths))
        assert height_rules(other, RULES) == []


@pytest.mark.parametrize(("up_m", "found"), [(0.01, False), (0.04, True)])
def test_a_pelvis_twisted_since_the_static_is_told(
    standing: Result, up_m: float, *, found: bool
) -> None:
    trial = standing.trial
    paths = trial.markers_G.copy()
    paths[:, trial.labels.index("LASI"), 1] += up_m
    other = replace(standing, trial=replace(trial, markers_G=paths))
    assert abs(twist_deg(other.trial)) < RULES["pelvis-twisted"].bound
    findings = twisted(other, RULES)
    assert [f.limit for f in findings] == [6.0] * found


@pytest.mark.parametrize(
    ("aside", "along", "found"),
    [(0.2, -0.4, None), (0.4, -0.4, 0.4), (-0.4, -0.4, 0.4), (0.0, 0.2, 0.2), (0.0, -0.7, -0.7)],
)
def test_a_moment_that_the_body_lacks_is_told_at_the_waist(
    clean: Result, aside: float, along: float, found: float | None
) -> None:
    """Moments about the walking direction and about the axis to the right, N m/kg."""
    ahead, mass = clean.pose.walking_G, clean.subject.mass_kg
    lacks = (mass or 0.0) * (aside * ahead + along * np.cross(ahead, (0.0, 1.0, 0.0)))
    rows = np.tile(lacks, (clean.recording.n_frames, 1))
    rows[:20] = np.nan
    upper: Any = SimpleNamespace(closure_moment_G=rows)
    findings = waist_rules(replace(clean, upper=upper), RULES)
    assert [f.value for f in findings] == ([] if found is None else [pytest.approx(found)])
    assert codes(findings) == ({"waist-closure"} if abs(aside) > 0.3 else set())
    assert waist_rules(clean, RULES) == []  # no markers above the pelvis


def test_doubtful_trunk_markers_explain_what_does_not_meet_at_the_waist(
    clean: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = clean.pose.walking_G
    rows = np.tile((clean.subject.mass_kg or 0.0) * ahead, (clean.recording.n_frames, 1))
    upper: Any = SimpleNamespace(closure_moment_G=rows)
    other = replace(clean, upper=upper)
    doubt = [RULES["upper-marker"].found("CLAV", "CLAV: moved")]
    assert codes(waist_rules(other, RULES)) == {"waist-closure"}
    monkeypatch.setattr(waist, "upper_marker_rules", lambda _result, _rules: doubt)
    assert waist_rules(other, RULES) == []
