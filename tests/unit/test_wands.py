"""Lone markers of thigh and shank: a wand at the side shows an axis, one in front only tracks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.landmarks import resolve
from tests.unit.marked_walker import hidden, marked, plug_in_gait, recording

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.recording import Recording
    from tests.unit.marked_walker import Array

SEGMENTS = {"thigh": ("THI", "TH1", "KLE"), "shank": ("TIB", "SK1", "ANL")}


def at(segment: str, letter: str, degrees: float) -> Array:
    """Return a marker 60 mm from the bone, turned forward from the side of the leg, (n, 3), G."""
    points = marked("stand")
    side = {"L": "left", "R": "right"}[letter]
    outward = np.array([0.0, 0.0, -1.0 if letter == "L" else 1.0])
    lower = points[SEGMENTS[segment][2], side]
    knee = (points["KLE", side] + points["KME", side]) / 2
    top = points["GTR", side] - 0.09 * outward if segment == "thigh" else knee
    angle = np.radians(degrees)
    arm = 0.06 * (np.cos(angle) * outward + np.sin(angle) * np.array([1.0, 0.0, 0.0]))
    return lower + 0.5 * (top - lower) + arm


def standing(segment: str, **degrees: float) -> Recording:
    """Return a static with the lone marker of a segment turned on the sides that are given."""
    name = SEGMENTS[segment][0]
    labels = {x: place for x, place in plug_in_gait().items() if x[1:] != name}
    return recording(labels | {f"{x}{name}": at(segment, x, turn) for x, turn in degrees.items()})


def told(found: Resolution) -> dict[str, float | None]:
    return {f.scope: f.value for f in found.findings if f.code == "landmark-no-wand"}


def roles(found: Resolution, segment: str) -> set[str]:
    names = SEGMENTS[segment][:2]
    return {mark.role for mark in found.landmarks if mark.role[1:] in names}


@pytest.mark.parametrize("segment", SEGMENTS)
@pytest.mark.parametrize("degrees", [-20.0, 0.0, 20.0])
def test_a_marker_near_the_side_is_a_wand(segment: str, degrees: float) -> None:
    found, _ = resolve(standing(segment, L=degrees, R=degrees))
    assert told(found) == {}
    wand = SEGMENTS[segment][0]
    assert roles(found, segment) == {f"L{wand}", f"R{wand}"}


@pytest.mark.parametrize("segment", SEGMENTS)
@pytest.mark.parametrize(("degrees", "direction"), [(75.0, "ahead of"), (-75.0, "behind")])
def test_markers_far_from_the_side_only_track(segment: str, degrees: float, direction: str) -> None:
    found, _ = resolve(standing(segment, L=degrees, R=degrees))
    wand, series, _ = SEGMENTS[segment]
    assert told(found) == {x + wand: pytest.approx(degrees, abs=10.0) for x in "LR"}
    assert roles(found, segment) == {f"L{series}", f"R{series}"}
    said = {f.side: f.message for f in found.findings if f.code == "landmark-no-wand"}
    for letter, side in (("L", "left"), ("R", "right")):
        assert said[side].startswith(f"{letter}{wand} is ")
        assert f"degrees {direction} the side of the {segment}" in said[side]


def test_a_marker_read_by_its_description_is_told_by_its_label() -> None:
    """`gaitdyn info` said "L.Thigh is 67 degrees ahead" of a marker that options call LTHI."""
    file = standing("thigh", L=75.0, R=75.0)
    cut = replace(file, labels=tuple(x[:3] for x in file.labels), descriptions=file.labels)
    found, _ = resolve(cut)
    assert told(found).keys() == {"LTH", "RTH"}
    assert {f.message[:7] for f in found.findings if f.scope in told(found)} == {
        "LTH is ",
        "RTH is ",
    }


@pytest.mark.parametrize(("left", "right"), [(75.0, -75.0), (75.0, 0.0), (0.0, -75.0)])
def test_both_legs_must_show_the_same(left: float, right: float) -> None:
    found, _ = resolve(standing("thigh", L=left, R=right))
    assert told(found) == {}


@pytest.mark.parametrize("letter", ["L", "R"])
def test_a_marker_of_one_leg_alone_is_judged_by_itself(letter: str) -> None:
    found, _ = resolve(standing("shank", **{letter: 75.0}))
    assert list(told(found)) == [f"{letter}TIB"]


@pytest.mark.parametrize("other", ["LKNE", "LANK"])
def test_a_marker_that_is_never_seen_with_the_ends_of_its_segment_stays_a_wand(other: str) -> None:
    whole = standing("shank", L=75.0)
    half = whole.n_frames // 2
    apart = hidden(hidden(whole, "LTIB", slice(0, half)), other, slice(half, None))
    assert told(resolve(apart)[0]) == {}
    shown = hidden(whole, "LTIB", slice(0, half))
    assert list(told(resolve(shown)[0])) == ["LTIB"]
