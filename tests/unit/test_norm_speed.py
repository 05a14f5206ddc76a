"""Matching a reference set to a walking speed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.metrics.norms.speed import at_free_speed, match_norm, without_moments
from gaitdyn.report.tables.scores import _reference_words
from gaitdyn.types.norms import Band, MatchedNorm, Norm, NormGroup, NormNumber

PERCENT = np.linspace(0, 100, 51)


def group(
    name: str, speed: float | None, level: float, count: int | None = 30,
    curves: tuple[str, ...] = ("knee_angle_flexion",),
) -> NormGroup:  # fmt: skip
    band = Band(PERCENT, level + PERCENT, np.full(51, level / 10), "deg", count=count)
    return NormGroup(name, speed, dict.fromkeys(curves, band))


def norm(*groups):
    return Norm("a.csv", "a test", "0" * 64, groups)


THREE = norm(group("slow", 0.2, 10, 20), group("free", 0.4, 20, 40), group("fast", 0.5, 40, 30))


@pytest.mark.parametrize(
    ("speed", "level", "count"), [(0.2, 10, 20), (0.25, 12.5, 20), (0.4, 20, 20), (0.45, 30, 30)]
)
def test_mean_and_sd_are_linear_between_the_neighbours(speed, level, count):
    matched = match_norm(THREE, speed)
    band = matched.bands["knee_angle_flexion"]
    np.testing.assert_allclose(band.mean, level + PERCENT)
    np.testing.assert_allclose(band.sd, level / 10)
    assert matched.count == count
    assert "interpolated between" in matched.note


def test_numbers_are_linear_between_the_neighbours_and_moments_can_be_left_out():
    def numbered(name, speed, mean, count, *more):
        numbers = dict.fromkeys(("step_length", *more), NormNumber(mean, mean / 10, "m", count))
        return replace(group(name, speed, 10), numbers=numbers)

    slow = numbered("slow", 0.2, 1.0, 20, "hip_moment_extension_max", "speed")
    free = numbered("free", 0.4, 2.0, 40, "hip_moment_extension_max")
    matched = match_norm(norm(slow, free), 0.25)
    step = matched.numbers["step_length"]
    assert (step.mean, step.sd, step.count) == pytest.approx((1.25, 0.125, 20))
    assert list(matched.numbers) == ["step_length", "hip_moment_extension_max"]
    assert list(without_moments(matched).numbers) == ["step_length"]
    assert at_free_speed(matched).numbers is free.numbers
    assert list(at_free_speed(without_moments(matched)).numbers) == ["step_length"]


def test_the_grids_of_the_neighbours_may_differ():
    coarse = Band(np.array([0.0, 50, 100]), np.array([0.0, 100, 200]), np.ones(3), "deg")
    other = NormGroup("fast", 0.6, {"knee_angle_flexion": coarse})
    matched = match_norm(norm(group("slow", 0.2, 0.0), other), 0.4)
    np.testing.assert_allclose(matched.bands["knee_angle_flexion"].mean, 1.5 * PERCENT)
    assert matched.count is None


@pytest.mark.parametrize("known", [(9.0, 12.0, 12.0), (12.0, 9.0, 12.0), (9.0, None, None)])
def test_between_two_groups_the_rougher_curve_counts_if_both_are_known(known):
    groups = []
    for one, roughness in zip(THREE.groups, known, strict=False):
        band = replace(one.bands["knee_angle_flexion"], roughness=roughness)
        groups.append(replace(one, bands={"knee_angle_flexion": band}))
    matched = match_norm(norm(*groups), 0.3)
    assert matched.bands["knee_angle_flexion"].roughness == known[2]


@pytest.mark.parametrize(
    ("speed", "name", "word"),
    [
        *[(0.1, "slow", "below"), (0.19, "slow", "below")],
        *[(0.51, "fast", "above"), (0.9, "fast", "above")],
    ],
)
def test_outside_the_range_the_last_group_is_taken_and_named(speed, name, word):
    matched = match_norm(THREE, speed)
    assert matched.bands is next(g for g in THREE.groups if g.name == name).bands
    assert f"{word} all groups, not extrapolated: group {name}" in matched.note
    twins = norm(group("slow", 0.4, 10), group("fast", 0.4, 20))  # of one speed: none is between
    assert match_norm(twins, 0.4).group in {"slow", "fast"}


@pytest.mark.parametrize("speed", [None, float("nan")])
def test_without_a_speed_the_free_group_is_taken(speed):
    matched = match_norm(THREE, speed)
    assert (matched.bands, matched.count) == (THREE.groups[1].bands, 40)
    assert "speed or the leg length is not known" in matched.note
    assert matched.note.endswith(" is not known: group free")
    assert matched.unmatched
    assert not match_norm(THREE, 0.4).unmatched


def test_without_group_speeds_the_only_or_the_first_is_taken():
    one = match_norm(norm(group("all", None, 5)), 0.4)
    assert "states no speeds: the only group, all" in one.note
    for speed, note in (
        (0.4, "speed 0.400 sqrt(gL): group all (0.400)"),
        (0.44, "speed 0.440 sqrt(gL): group all"),
    ):
        assert match_norm(norm(group("all", 0.4, 5)), speed).note.startswith(note)
    assert "above all groups" in match_norm(norm(group("all", 0.4, 5)), 0.46).note
    two = match_norm(norm(group("b", None, 5), group("a", None, 6)), 0.4)
    assert "the first group, b" in two.note


def test_a_curve_of_one_neighbour_only_is_left_out_and_named():
    own = ("knee_angle_flexion", "grf_y")
    more = group("fast", 0.5, 40, curves=("knee_angle_flexion", "hip_power"))
    matched = match_norm(norm(group("slow", 0.2, 10, curves=own), more), 0.3)
    assert set(matched.bands) == {"knee_angle_flexion"}
    assert matched.note.endswith("left out, in one of the two only: grf_y, hip_power")


@pytest.mark.parametrize("speed", [None, 0.1, 0.25, 0.9])
def test_scores_have_one_reference_at_every_speed(speed):
    fixed = at_free_speed(match_norm(THREE, speed))
    assert (fixed.bands, fixed.note) == (THREE.groups[1].bands, "group free")
    only = norm(group("centre", 0.4, 20))
    assert at_free_speed(match_norm(only, speed)).note == "group centre"


def test_a_set_without_a_free_group_keeps_the_reference_for_the_speed():
    matched = match_norm(norm(group("slow", 0.2, 10), group("fast", 0.5, 40)), 0.3)
    assert at_free_speed(matched) is matched
    turning = MatchedNorm(THREE, "turning", {})
    assert at_free_speed(turning) is turning


def test_people_are_counted_with_their_range_where_it_depends_on_the_speed():
    assert (
        match_norm(THREE, 0.45).people_words
        == ", n 30 (20 to 40 by speed: not all people walked at each)"
    )
    assert match_norm(norm(group("free", 0.4, 20, 40)), 0.45).people_words == ", n 40"
    unknown = norm(group("free", 0.4, 20, None), group("fast", 0.5, 20, 30))
    assert match_norm(unknown, 0.4).people_words == ", n not stated (20 assumed)"
    assert MatchedNorm(unknown, "turning", {}).people_words == ""


@pytest.mark.parametrize("speed", [None, 0.4])
def test_scores_are_not_called_at_this_speed_if_it_is_not_known(speed: float | None) -> None:
    group: Any = SimpleNamespace(
        norm=match_norm(THREE, speed), scores=SimpleNamespace(note="group free")
    )
    told = _reference_words(group)
    assert told.startswith("GPS: group free; ")
    assert ("at this speed" in told) is (speed is not None)
