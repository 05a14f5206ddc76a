"""Markers of trunk, head and arms: too low, noisy, hidden, crossed, or elsewhere than before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.quality.rules.upper.markers import _crossed, _elsewhere, _hidden, _low

N = 50
UP_IS_Z = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)])


def paths(**places: tuple[float, float, float]) -> dict[str, Any]:
    """Return markers that stay in their places, m."""
    return {label: np.tile(place, (N, 1)) for label, place in places.items()}


def still(height_m: float) -> Any:
    return np.tile((0.0, height_m, 0.0), (N, 1))


@pytest.mark.parametrize(
    ("label", "height_m", "left_foot_m", "told"),
    [
        ("CLAV", 0.90, 0.05, "50 mm below the hips (median)"),
        ("LSHO", 0.90, 0.05, "50 mm below the hips (median)"),
        ("RBHD", 1.00, 0.05, ""),
        ("LELB", 0.90, 0.05, ""),  # an arm may hang
        ("RWRA", 0.02, 0.05, "30 mm below the feet (median)"),
        ("RWRA", 0.04, 0.05, "10 mm below the feet (median)"),
        ("RWRA", 0.02, np.nan, "50 mm below the feet (median)"),  # of the right one alone
        ("RWRA", np.nan, 0.05, ""),
    ],
)
def test_a_trunk_is_above_the_hips_and_an_arm_above_the_feet(
    label: str, height_m: float, left_foot_m: float, told: str
) -> None:
    feet = {side: (still(z), still(z)) for side, z in (("left", left_foot_m), ("right", 0.07))}
    result: Any = SimpleNamespace(
        trial=SimpleNamespace(R_GL=UP_IS_Z), pose=SimpleNamespace(origin_G=still(0.95)), feet=feet
    )
    raw = np.tile((0.3, 0.2, height_m), (N, 1, 1))
    assert _low(result, [label], raw) == ([(label, told)] if told else [])
    result.feet = {}
    assert _low(result, ["RWRA"], raw) == []  # nothing to compare it with


@pytest.mark.parametrize(("seconds", "told"), [(0.3, False), (0.31, True)])
def test_a_marker_hidden_inside_for_longer_than_is_filled_is_told(
    seconds: float, told: bool
) -> None:
    result: Any = SimpleNamespace(
        recording=SimpleNamespace(rate_hz=100.0), options=SimpleNamespace(longest_gap_s=0.3)
    )
    raw = np.zeros((N, 3, 3))
    raw[10 : 10 + round(100 * seconds), 0] = np.nan
    raw[:, 1] = np.nan  # never seen
    raw[5:, 2] = np.nan  # seen at the beginning alone
    found = _hidden(result, ["CLAV", "C7", "T10"], raw)
    assert found == ([("CLAV", "hidden for 0.31 s between visible frames")] if told else [])


def static_of(**places: tuple[float, float, float]) -> Any:
    known = paths(**places)
    return SimpleNamespace(name="static.c3d", has=known.__contains__, marker=known.__getitem__)


def elsewhere(static: Any, **places: tuple[float, float, float]) -> list[tuple[str, str]]:
    return _elsewhere(SimpleNamespace(static=static), paths(**places))  # type: ignore[arg-type]


def test_a_distance_is_held_against_the_static_and_without_one_against_the_other_side() -> None:
    """An upper arm may differ by 75 mm, a wrist by 20."""
    arms = {"LSHO": (0.0, 0.2, 1.4), "RSHO": (0.0, -0.2, 1.4), "RELB": (0.0, -0.2, 1.1)}
    near, far = {"LELB": (0.0, 0.2, 1.03)}, {"LELB": (0.0, 0.2, 1.02)}
    whole = static_of(**arms, LELB=(0.0, 0.2, 1.1))
    assert elsewhere(whole, **arms, **near) == []
    told = "misplaced, exchanged or moved (LSHO to LELB is 380 mm, 300 mm {})"
    assert elsewhere(whole, **arms, **far) == [("LELB", told.format("in the static static.c3d"))]
    assert elsewhere(None, **arms, **near) == []
    assert elsewhere(None, **arms, **far) == [("LELB or RELB", told.format("on the other side"))]
    trunk = {"CLAV": (0.1, 0.0, 1.4), "STRN": (0.12, 0.0, 1.2)}
    assert elsewhere(None, **trunk) == []
    moved = static_of(CLAV=(0.1, 0.0, 1.4), STRN=(0.12, 0.0, 1.24))
    assert [label for label, _ in elsewhere(moved, **trunk)] == ["CLAV"]
    assert elsewhere(static_of(), **trunk) == []  # it has neither


@pytest.mark.parametrize(
    ("frames", "off_m", "told"), [(10, 0.05, True), (10, 0.04, False), (2, 0.2, False)]
)
def test_a_distance_that_strays_within_the_walk_is_told_unless_rarely(
    frames: int, off_m: float, told: bool
) -> None:
    """Of 50 frames, 2 are less than one in 20."""
    walk = paths(LWRA=(0.0, 0.2, 0.8), LWRB=(0.05, 0.2, 0.8))
    walk["LWRB"][:frames, 0] += off_m
    found = _elsewhere(SimpleNamespace(static=None), walk)  # type: ignore[arg-type]
    detail = f"LWRA to LWRB is up to {1000 * off_m:.0f} mm off its median"
    assert found == [("LWRB", f"misplaced, exchanged or moved ({detail})")] * told


def test_a_head_whose_lines_cross_is_told() -> None:
    head = {"LFHD": (0.1, 0.07, 1.6), "RFHD": (0.1, -0.07, 1.6),
            "LBHD": (-0.1, 0.07, 1.6), "RBHD": (-0.1, -0.07, 1.6)}  # fmt: skip
    assert _crossed(paths(**head)) == []
    turned = head | {"LFHD": head["RFHD"], "RFHD": head["LFHD"]}
    ((label, why),) = _crossed(paths(**turned))
    assert (label, why.startswith("exchanged with RFHD")) == ("LFHD", True)
    oblique = head | {"LFHD": (0.24, 0.07, 1.6)}  # the front line is turned by 45 deg
    assert _crossed(paths(**oblique)) == []
    far = head | {"LFHD": (0.4, 0.07, 1.6)}  # by 65 deg
    assert [label for label, _ in _crossed(paths(**far))] == ["LFHD"]
    del turned["RBHD"]
    assert _crossed(paths(**turned)) == []
    unseen = paths(**head)
    unseen["RBHD"][:] = np.nan
    assert _crossed(unseen) == []
