"""Trials of many strides: areas in the place of lines, the raster of strides, trends."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from statistics import stdev
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.metrics.trends import repeatability_rows, trend_rows
from gaitdyn.plots.clinic.panel import panel_drawing
from gaitdyn.plots.clinic.shown import PanelCurve
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_style import PERCENT
from gaitdyn.plots.marks import Area, Line, TextLine, text_width
from gaitdyn.plots.panels import Panel
from gaitdyn.report.many_strides import many_sheets, stride_states, trend_tables
from gaitdyn.report.numbers import DASH
from gaitdyn.statistics.repeatability import signed_variation, variance_ratio
from gaitdyn.statistics.trend import _of_neighbours, trend
from gaitdyn.store.headings import by_heading
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.curves import Quantity
from gaitdyn.types.cycles import Cycle, CycleCurves

PANEL = Panel("knee_angle_flexion", "Knee flexion", "deg", (-20.0, 80.0), "flexion", "extension")
SINE = 30.0 + 30.0 * np.sin(np.linspace(0.0, 2.0 * np.pi, 101))


def shown(count: int) -> PanelCurve:
    whole = tuple(SINE + 0.5 * k for k in range(count))
    half = (np.where(np.arange(101) < 50, SINE, np.nan),)
    return PanelCurve("left", PANEL.name, whole, half, np.mean(whole, axis=0), (60.0,))


@pytest.mark.parametrize(("count", "lines"), [(10, True), (11, False)])
def test_more_than_ten_strides_are_an_area(count: int, lines: bool) -> None:
    drawn = panel_drawing(PANEL, {("left", PANEL.name): shown(count)}, None, strips=False)
    names = [m.name for m in drawn.marks if isinstance(m, Line)]
    assert ("left stride" in names) == lines
    assert ("left incomplete" in names) == lines
    assert "left mean" in names
    areas = [m for m in drawn.marks if isinstance(m, Area) and m.name == "left strides"]
    assert len(areas) == (0 if lines else 1)


def test_the_area_holds_ninety_per_cent_of_the_strides() -> None:
    low, high = shown(21).percentiles
    np.testing.assert_allclose(low, SINE + 0.5)
    np.testing.assert_allclose(high, SINE + 9.5)


def test_a_grid_of_many_cycles_says_what_the_area_is() -> None:
    def texts(count: int, complete: int = 100) -> str:
        at = np.linspace(0, 100, 101)
        curves = [np.where((at > 90) & (k >= complete), np.nan, SINE + k) for k in range(count)]
        strips = [CurveStrip("left", at, (PANEL.name,), c[:, None], (60.0,)) for c in curves]
        sheet = grid_sheet(((PANEL,),), strips, PERCENT, ("Kinematics", []), "none")
        return " ".join(m.text for m in sheet.marks if isinstance(m, TextLine))

    assert "5 to 95 %" in texts(11)
    assert "each cycle" not in texts(11)
    assert "each cycle" in texts(10)
    assert "5 to 95 %" not in texts(10)
    assert "each cycle" in texts(12, complete=5)  # an area needs more than ten complete ones
    assert "5 to 95 %" not in texts(12, complete=5)
    assert "thick: mean" in texts(12, complete=5)
    assert "thick: mean" not in texts(12, complete=1)


def stored(count: int, aside: int = 0) -> StoredTrial:
    names = tuple(f"{joint}_angle_flexion" for joint in ("hip", "knee", "ankle"))
    cycles = []
    status: list[dict[str, Any]] = []
    for number in range(1, count + 1):
        code = "left-out" if number == aside else ""
        word = "skipped" if code else "partial" if number == 2 else "ok"
        status += [
            {"side": "left", "cycle": number, "joint": joint, "status": word, "code": code}
            for joint in ("ankle", "knee", "hip")
        ]
        if number == aside:
            continue
        values = np.stack((SINE, SINE, SINE), axis=1)
        if number == 3:
            values[:40, 0] = np.nan
        cycle = Cycle("left", number, 100.0 * number, 100.0 * number + 100.0, 60.0)
        cycles.append(CycleCurves(cycle, names, ("deg",) * 3, values))
    row = {"side": "left", "quantity": "speed", "unit": "m/s", "strides": count, "mean": 1.2,
           "sd": 0.02, "per_minute": 0.05, "low": 0.01, "high": 0.09}  # fmt: skip
    return StoredTrial(
        Path("walk"), "walk", {"status": status, "trends": [row]}, {}, tuple(cycles), {}
    )


def test_every_stride_has_its_state() -> None:
    angles, moments = stride_states(stored(12, aside=5), "left")
    assert angles[1] == moments[1] == "whole"
    assert (angles[2], moments[2]) == ("whole", "a part is known")
    assert (angles[3], moments[3]) == ("a part is known", "whole")
    assert angles[5] == moments[5] == "set aside"
    assert len(angles) == 12


class _Group:
    def __init__(self, trial: StoredTrial) -> None:
        self.trials = (trial,)


class _Report:
    def __init__(self, trial: StoredTrial) -> None:
        self.groups: tuple[_Group, ...] = (_Group(trial),)


def test_the_raster_stands_for_trials_of_more_than_ten_strides_alone() -> None:
    assert many_sheets(_Report(stored(10))) == []  # pyrefly: ignore[bad-argument-type]
    ((title, sheet),) = many_sheets(_Report(stored(12, aside=5)))  # pyrefly: ignore[bad-argument-type]
    assert title == "Strides of walk"
    cells = [m.name for m in sheet.marks if isinstance(m, Area)]
    assert cells.count("whole") == 10 + 10 + 1  # angles, moments, the key
    told = [m.text for m in sheet.marks if isinstance(m, TextLine)]
    assert "left angles 10/12" in told
    assert not any(text.startswith("right angles") for text in told)
    for mark in sheet.marks:
        if not isinstance(mark, TextLine):
            assert mark.points[:, 0].max() <= sheet.width_mm
            assert mark.points[:, 1].min() >= 0.0


@pytest.mark.parametrize("count", [12, 300, 400, 1000, 1001, 3000])
def test_the_numbers_of_strides_never_overlap(count: int) -> None:
    ((_, sheet),) = many_sheets(_Report(stored(count)))  # pyrefly: ignore[bad-argument-type]
    numbers = [m for m in sheet.marks if isinstance(m, TextLine) and m.text.isdigit()]
    assert len(numbers) > 10
    for one, other in pairwise(numbers):
        room = 0.5 * (text_width(one.text, one.size_pt) + text_width(other.text, other.size_pt))
        assert other.x - one.x > room


def test_strides_that_turn_are_in_the_raster_of_their_recording() -> None:
    """Only the straight ones were, and the others left holes that no key explained."""
    trial = stored(14, aside=5)
    document = {**trial.document, "options": {"condition": ""}}
    cycles = tuple(
        replace(c, cycle=replace(c.cycle, heading_change_deg=40.0 * (c.cycle.number > 11)))
        for c in trial.cycles
    )
    view = {"cycles": [{}] * len(cycles), "moments": {}}
    parts = by_heading(replace(trial, document=document, cycles=cycles, view=view))
    assert [len(part.cycles) for part in parts] == [10, 3]
    known = [{row["cycle"] for row in part.document["status"]} for part in parts]
    assert known == [set(range(1, 12)), {12, 13, 14}]  # why 5 was set aside is told, too
    report = _Report(parts[0])
    report.groups = tuple(map(_Group, parts))
    ((_, sheet),) = many_sheets(report)  # pyrefly: ignore[bad-argument-type]
    told = [m.text for m in sheet.marks if isinstance(m, TextLine)]
    assert "left angles 12/14" in told


def test_the_table_of_trends_says_which_are_sure() -> None:
    (table,) = trend_tables(_Report(stored(12)))  # pyrefly: ignore[bad-argument-type]
    (row,) = table.rows
    assert row[0] == "Walking speed, m/s"
    assert row[1] == "1.2 \u00b1 0.02 (12)"
    assert row[2] == "+0.05 [+0.01, +0.09] *"
    assert row[3:] == ("", "")


def strides_of(side: str, values: Any, name: str, heading: float = 0.0) -> list[CycleCurves]:
    """Return one cycle per row of values, shape (n, 101)."""
    return [
        CycleCurves(
            Cycle(side, k, 100.0 * k, 100.0 * k + 100.0, 60.0, heading), (name,), ("N m/kg",),
            np.asarray(row, dtype=float)[:, None],
        )
        for k, row in enumerate(values, 1)
    ]  # fmt: skip


def test_the_agreement_of_moments_is_a_variance_ratio_and_a_coefficient() -> None:
    """Half of twelve strides 0.1 above, half 0.1 below a wave of +-1: SD^2 = 12 0.01 / 11."""
    wave = np.where(np.arange(101) % 2, 1.0, -1.0)
    strides = wave + np.where(np.arange(12) % 2, 0.1, -0.1)[:, None]
    whole = strides_of("left", strides, "knee_moment_extension")
    (row,) = repeatability_rows(whole)
    assert (row["side"], row["quantity"], row["strides"]) == ("left", "knee_moment_extension", 12)
    assert row["variation"] == pytest.approx(np.sqrt(0.12 / 11))  # the mean curve is of size 1
    mean = -1.0 / 101.0  # 51 points at -1, 50 at 1
    total = (12 * 101 * (1.0 - mean**2) + 12 * 101 * 0.01) / (12 * 101 - 1)
    assert row["variance_ratio"] == pytest.approx(0.12 / 11 / total)
    assert signed_variation(strides) == row["variation"]
    assert np.isnan(signed_variation(strides[:1]))
    unlike = np.array([[1.0, -1.0], [-1.0, 3.0]])  # a mean curve of 0 and 1, variances of 2 and 8
    assert signed_variation(unlike) == pytest.approx(np.sqrt(5.0) / 0.5)
    assert variance_ratio(strides) == row["variance_ratio"]


def test_only_whole_straight_strides_of_joint_moments_count_and_only_many() -> None:
    rng = np.random.default_rng(3)
    strides = SINE + rng.standard_normal((13, 101))
    known = strides.copy()
    known[0, 50] = np.nan
    name = "hip_moment_abduction"
    assert repeatability_rows(strides_of("left", known, name))[0]["strides"] == 12
    assert repeatability_rows(strides_of("left", strides[:10], name)) == []
    turned = strides_of("left", strides[:3], name, heading=40.0)
    assert repeatability_rows([*turned, *strides_of("left", strides[3:], name)]) == []
    for other in ("knee_angle_flexion", "knee_power", "waist_moment_lateral", "grf_y"):
        assert repeatability_rows(strides_of("left", strides, other)) == []
    nothing = repeatability_rows(strides_of("right", 0 * strides, name))
    assert (nothing[0]["variance_ratio"], nothing[0]["variation"]) == (None, None)


def test_the_table_of_the_agreement_has_both_sides() -> None:
    row = {"side": "right", "quantity": "knee_moment_external_rotation", "strides": 12,
           "variance_ratio": 0.034, "variation": 0.208}  # fmt: skip
    trial = stored(12)
    document = trial.document | {"moment_repeatability": [row, row | {"side": "left"}]}
    tables = trend_tables(_Report(replace(trial, document=document)))  # pyrefly: ignore[bad-argument-type]
    assert [table.title for table in tables] == [
        "Variation and trends of walk", "Agreement of the moments of walk",
    ]  # fmt: skip
    told = ("Knee external rotation moment", "0.03 (12)", "0.21", "0.03 (12)", "0.21")
    assert tables[1].rows == (told,)
    document["moment_repeatability"] = [row | {"variation": None}]
    _, table = trend_tables(_Report(replace(trial, document=document)))  # pyrefly: ignore[bad-argument-type]
    assert table.rows[0][1:] == ("", "", "0.03 (12)", DASH)


def test_a_trend_is_per_minute_of_the_trial_and_of_more_than_ten_strides() -> None:
    """Strides of 1.1 s at 200 Hz; the speed rises by 0.3 m/s in a minute, a stride has none."""
    kept, numbers = dict[str, Any](), list[Quantity]()
    for side, count in (("left", 13), ("right", 11)):
        cycles = [Cycle(side, k + 1, 220.0 * k, 220.0 * (k + 1), 60.0) for k in range(count)]
        kept |= {f"cycles {side}": tuple(cycles), f"cycles set aside {side}": {}}
        for c in cycles:
            value = np.nan if c.number == 2 else 1.2 + 0.3 * c.start_row / 200.0 / 60.0
            numbers.append(Quantity(side, c.number, "speed", value, "m/s"))
    kept["cycles set aside left"] = {7: "too long"}
    result = SimpleNamespace(
        sides=dict.fromkeys(("left", "right")), recording=SimpleNamespace(rate_hz=200.0),
        options=SimpleNamespace(leave_out=()), once=lambda name, _: kept[name],
    )  # fmt: skip
    (row,) = trend_rows(cast("Any", result), numbers)
    used = [q.value for q in numbers[:13] if q.cycle not in (2, 7)]
    told = [row[name] for name in ("side", "quantity", "unit", "strides")]
    assert told == ["left", "speed", "m/s", 11]
    assert (row["mean"], row["sd"]) == pytest.approx((sum(used) / 11, stdev(used)))
    assert [row[name] for name in ("per_minute", "low", "high")] == pytest.approx([0.3] * 3)


def test_a_trend_is_that_of_sen() -> None:
    """The median of the 21 slopes, and noise alone is taken for a trend in about one of twenty."""
    x = np.array([1.0, 2.0, 3.0, 4.0, 10.0, 12.0, 18.0])
    y = np.array([9.0, 15.0, 19.0, 20.0, 45.0, 55.0, 78.0])
    found = trend(x, y)
    assert found.slope == pytest.approx(4.0)
    slopes = sorted((y[j] - y[i]) / (x[j] - x[i]) for i, j in combinations(range(7), 2))
    assert found[1:] == pytest.approx((slopes[2], slopes[18]))  # C = 13.05: numbers 3 and 19 of 21
    assert found.sure
    rng = np.random.default_rng(1)
    noise = [trend(np.arange(30.0), rng.normal(size=30)).sure for _ in range(300)]
    assert 0.02 < np.mean(noise) < 0.09


@pytest.mark.parametrize(
    ("order", "r"),
    [
        (list(range(1, 13)), 0.95),  # the most: with bias it is 11/8
        ([1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6, 7], 0.0),
        ([5, 1, 2, 7, 3, 6, 11, 12, 4, 9, 8, 10], None),
    ],
)
def test_the_factor_for_neighbours_is_that_of_hamed_and_rao(
    order: list[int], r: float | None
) -> None:
    """With the correlation of the ranks of neighbours plus its bias, (2 + 4 r) / n."""
    n, away = len(order), [one - 6.5 for one in order]
    if r is None:
        own = sum(a * b for a, b in pairwise(away)) / sum(a * a for a in away)
        r = (n * own + 2) / (n - 4)
        assert 0.3 < r < 0.95
        assert r == pytest.approx(own + (2 + 4 * r) / n)
    wanted = 1.0
    for i in range(1, n - 2):
        wanted += 2 * r**i * (n - i) * (n - i - 1) * (n - i - 2) / (n * (n - 1) * (n - 2))
    assert _of_neighbours(np.array(order) ** 3.0) == pytest.approx(wanted)
    assert _of_neighbours(np.arange(10.0)) == 1.0  # too few to tell


def test_the_interval_of_a_trend_goes_with_it_and_turns_with_its_sign() -> None:
    rng, x = np.random.default_rng(3), np.arange(25.0)
    y = np.round(np.cumsum(rng.normal(size=25)))  # neighbours are alike, and some are equal
    found, steeper, turned = trend(x, y), trend(x, y + 8.0 * x), trend(x, -y)
    assert tuple(steeper) == pytest.approx([one + 8.0 for one in found])
    assert tuple(turned) == pytest.approx((-found.slope, -found.high, -found.low))
    assert tuple(trend(x[:3], np.array([0.0, 1.0, 4.0]))) == (2.0, 1.0, 3.0)  # all of the slopes


@pytest.mark.parametrize(("of_one", "most"), [(0.0, 0.07), (0.3, 0.08), (0.5, 0.11)])
def test_strides_that_resemble_the_one_before_make_no_trend(of_one: float, most: float) -> None:
    rng = np.random.default_rng(2)
    found, y = [], np.empty(100)
    for _ in range(300):
        y = rng.normal(size=100)
        for i in range(1, 100):
            y[i] += of_one * y[i - 1]
        found.append(trend(np.arange(60.0), y[40:]).sure)
    assert np.mean(found) < most
    lag = np.arange(60.0)  # fractional noise with H = 0.75: it wanders slowly
    r = 0.5 * (np.abs(lag + 1) ** 1.5 - 2 * lag**1.5 + np.abs(lag - 1) ** 1.5)
    chol = np.linalg.cholesky(r[np.abs(np.subtract.outer(range(60), range(60)))])
    wandering = [trend(lag, chol @ rng.normal(size=60)).sure for _ in range(200)]
    assert 0.1 < np.mean(wandering) < 0.25  # docs/treadmill.md
    drifting = trend(np.arange(60.0), y[40:] + 0.2 * np.arange(60.0))
    assert drifting.sure
    same = trend(np.arange(20.0), 3.0 * np.arange(20.0))
    assert (same.low, same.high) == (3.0, 3.0)
