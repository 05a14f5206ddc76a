"""Trunk and head of another shape than in the static, wrists as wide as a forearm."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.core.rotations import about
from gaitdyn.quality.rules.upper.markers import _turned_trunk
from gaitdyn.quality.rules.upper.shapes import other_shapes, wide_wrists

N = 40
HEAD = {"LFHD": (0.1, 0.07, 1.6), "RFHD": (0.1, -0.07, 1.6),
        "LBHD": (-0.1, 0.07, 1.6), "RBHD": (-0.1, -0.07, 1.6)}  # fmt: skip
TRUNK = {"CLAV": (0.08, 0.0, 1.35), "STRN": (0.1, 0.0, 1.15),
         "C7": (-0.05, 0.0, 1.4), "T10": (-0.07, 0.0, 1.1)}  # fmt: skip
TURNED = about("z", np.linspace(0.0, 1.0, N))


def paths(places: dict[str, tuple[float, float, float]]) -> dict[str, Any]:
    """Return markers of a body that turns about the vertical as it walks, m."""
    return {label: TURNED @ np.array(place) for label, place in places.items()}


def shapes(walk: dict[str, Any], task: str = "walking", **other: Any) -> list[tuple[str, str]]:
    """Return what is told of a walk, with the static of an upright body but for some markers."""
    known = {label: np.tile(x, (N, 1)) for label, x in {**HEAD, **TRUNK, **other}.items()}
    static = SimpleNamespace(name="static.c3d", has=known.__contains__, marker=known.__getitem__)
    result: Any = SimpleNamespace(static=static, task=task)
    return other_shapes(result, walk)


@pytest.mark.parametrize(
    ("label", "by_m", "told"),
    [
        ("LFHD", (0.0, 0.0, 0.06), "head"),  # changes no distance by more than 17 mm
        ("LFHD", (0.0, 0.0, 0.015), ""),
        ("C7", (0.0, 0.06, 0.0), "trunk"),
        ("C7", (0.0, 0.02, 0.0), ""),
        ("STRN", (0.0, -0.06, 0.0), "trunk"),
        ("T10", (0.0, 0.05, 0.0), "trunk"),  # off the plane of the others, the fit turns with it
        ("T10", (0.0, 0.03, 0.0), ""),
    ],
)
def test_a_marker_across_the_lines_to_its_neighbours_is_told(
    label: str, by_m: tuple[float, float, float], told: str
) -> None:
    place = (HEAD | TRUNK)[label]
    moved: dict[str, Any] = {label: tuple(np.add(place, by_m))}
    found = shapes(paths({**HEAD, **TRUNK, **moved}))
    assert [part for part, _ in found] == [told] * bool(told)
    assert all("in the static static.c3d" in why for _, why in found)
    in_static = shapes(paths(HEAD | TRUNK), **moved)
    assert [part for part, _ in in_static] == [told] * bool(told)


def test_shapes_are_compared_in_walks_with_all_four_markers_alone() -> None:
    off = paths(HEAD | TRUNK | {"LFHD": (0.1, 0.07, 1.7)})
    assert [part for part, _ in shapes(off)] == ["head"]
    assert shapes(off, task="squat") == []  # a trunk bends
    assert shapes(off, LFHD=(np.nan, np.nan, np.nan)) == []
    assert shapes({x: path for x, path in off.items() if x != "RBHD"}) == []
    nobody: Any = SimpleNamespace(static=None, task="walking")
    assert other_shapes(nobody, off) == []


def test_an_elbow_label_on_a_wrist_is_told_by_the_width_of_the_wrist() -> None:
    arm = {"LELB": (0.0, 0.2, 1.1), "LWRA": (0.02, 0.2, 0.85), "LWRB": (-0.03, 0.2, 0.85)}
    assert wide_wrists(paths(arm)) == []
    swapped = arm | {"LELB": arm["LWRA"], "LWRA": arm["LELB"]}
    ((label, why),) = wide_wrists(paths(swapped))
    assert label == "LWRA"
    assert why == "252 mm from LWRB, and LELB 50 mm: exchanged with it or another marker"
    del swapped["LWRB"]
    assert wide_wrists(paths(swapped)) == []


def test_markers_of_the_trunk_exchanged_up_and_down_are_told() -> None:
    upright, ahead = np.tile(np.eye(3), (N, 1, 1)), np.array((1.0, 0.0, 0.0))
    pose = SimpleNamespace(R_GP=upright, walking_G=ahead, against=None)
    result: Any = SimpleNamespace(pose=pose, trial=SimpleNamespace(R_GL=np.eye(3)))
    still = {x: np.tile((a, c, -b), (N, 1)) for x, (a, b, c) in TRUNK.items()}  # y is up
    assert _turned_trunk(result, still) == []
    for a, b, far in (("CLAV", "STRN", 200), ("C7", "T10", 300)):
        swapped = still | {a: still[b], b: still[a]}
        assert (a, f"{far} mm below {b}: exchanged with it") in _turned_trunk(result, swapped)
