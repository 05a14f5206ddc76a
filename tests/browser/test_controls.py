"""Every control changes the curves that it should, and no other."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.dynamics.clinical import MOMENTS
from tests.browser.driven_page import PANELS, changed, moments, of_unit

pytestmark = pytest.mark.browser

ALL = {panel.name for panels in PANELS.values() for panel in panels}
ANGLES = of_unit("deg")
HOF = {"N m/kg": 1 / (9.80665 * 0.92), "N/kg": 1 / 9.80665, "W/kg": 1 / (9.80665**1.5 * 0.92**0.5)}
"""The synthetic walker's legs are 0.92 m long."""


def test_the_view_draws_means_in_place_of_cycles(driven):
    before = driven.panels()
    driven.choose("view", "mean")
    after = driven.panels()
    assert changed(before, after) == ALL
    for name, shown in after.items():
        assert shown.cycles == {}
        assert shown.caption == before[name].caption
        known: dict[str, list] = {"left": [], "right": []}
        for (side, _), y in before[name].cycles.items():
            if np.isfinite(y).all() or name == "free_moment":  # it has no swing
                known[side].append(y)
        lines = [t for t in shown.traces if " mean of " in t.name]
        assert len(lines) == sum(bool(ys) for ys in known.values())
        for line in lines:
            ys = known[line.name.split()[0]]
            assert f"mean of {len(ys)}" in line.name
            np.testing.assert_allclose(line.y, np.mean(ys, axis=0), rtol=1e-6, atol=1e-9)
    driven.choose("view", "cycles")
    assert changed(before, driven.panels()) == set()


def test_the_area_around_a_mean_is_one_standard_deviation(driven):
    shown = driven.panels()["hip_moment_extension"]
    ys = [y for (side, _), y in shown.cycles.items() if side == "left"]
    assert len(ys) == 2
    driven.choose("view", "mean")
    area = next(t for t in driven.panels()["hip_moment_extension"].traces if "193,39,45" in t.fill)
    mean, sd = np.mean(ys, axis=0), np.std(ys, axis=0, ddof=1)
    np.testing.assert_allclose(area.y[:101], mean + sd, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(area.y[101:], (mean - sd)[::-1], rtol=1e-6, atol=1e-9)


def test_external_moments_have_the_opposite_words_and_the_same_numbers(driven):
    before = driven.panels()
    driven.choose("convention", "external")
    after = driven.panels()
    assert changed(before, after) == moments(ALL)
    for name in moments(ALL):
        top, bottom = (word[2:] for word in before[name].words)
        assert [word[2:] for word in after[name].words] == [bottom, top]
        assert after[name].caption == before[name].caption
        assert _same_lines(before[name], after[name])


def test_in_laboratory_axes_the_convention_turns_the_sign(driven):
    driven.choose("axes", "lab")
    before = driven.panels()
    driven.choose("convention", "external")
    after = driven.panels()
    assert changed(before, after) == moments(ALL)
    for name in moments(ALL):
        assert after[name].words == before[name].words
        for cycle, y in before[name].cycles.items():
            np.testing.assert_array_equal(after[name].cycles[cycle], -y)


@pytest.mark.parametrize("axes", ["jcs", "lab"])
def test_the_axes_change_moments_alone(driven, axes):
    before = driven.panels()
    driven.choose("axes", axes)
    after = driven.panels()
    found = changed(before, after)
    assert found <= moments(ALL)
    assert {name.split("_")[0] for name in found} == set(MOMENTS)
    same_words = {name for name in moments(ALL) if before[name].words == after[name].words}
    assert same_words == (set() if axes == "lab" else moments(ALL))
    assert all(after[name].bands == 0 for name in moments(ALL))


def test_non_dimensional_loads_are_scaled_after_hof_and_angles_stay(driven):
    before = driven.panels()
    driven.choose("units", "hof")
    after = driven.panels()
    assert changed(before, after) == ALL - ANGLES
    for unit, factor in HOF.items():
        for name in of_unit(unit):
            assert "(non-dimensional)" in after[name].caption
            assert after[name].bands == 0
            for cycle, y in before[name].cycles.items():
                np.testing.assert_allclose(after[name].cycles[cycle], y * factor, rtol=1e-12)


def test_the_reference_band_comes_and_goes_and_no_line_moves(driven):
    before = driven.panels()
    banded = {name for name in ALL if before[name].bands}
    assert banded == {n for n in ALL if "_force_" not in n and n != "free_moment"}
    assert all(before[name].bands == 2 for name in banded)
    driven.page.uncheck("#norm")
    after = driven.panels()
    assert changed(before, after) == banded
    for name in ALL:
        assert after[name].bands == 0
        assert after[name].range == before[name].range
        assert _same_lines(before[name], after[name])
    driven.page.check("#norm")
    assert changed(before, driven.panels()) == set()


def test_the_band_is_the_reference_set_as_its_file_has_it(driven, norm_file):
    lines = [x.split(",") for x in norm_file.read_text(encoding="utf-8").splitlines()[1:]]
    for name in ("knee_angle_flexion", "ankle_moment_plantarflexion", "hip_power", "grf_y"):
        rows = np.array([[float(x) for x in c[4:7]] for c in lines if c[3] == name])
        percent, mean, sd = rows.T
        areas = [t.y for t in driven.panels()[name].traces if "120,120,120" in t.fill]
        for k, y in zip((2, 1), areas, strict=True):
            high, low = np.split(y, 2)
            points = np.linspace(0, 100, len(high))
            for found, wanted in ((high, mean + k * sd), (low[::-1], mean - k * sd)):
                assert np.abs(np.interp(percent, points, found) - wanted).max() < 2e-5


def test_a_hidden_cycle_is_gone_from_every_panel_and_no_other_is(driven):
    before = driven.panels()
    driven.page.click("#cycle-list summary")
    driven.page.get_by_label("walk01: left 2").uncheck()
    after = driven.panels()
    for name in ALL:
        assert set(after[name].cycles) == set(before[name].cycles) - {("left", 2)}
        for cycle, y in after[name].cycles.items():
            np.testing.assert_array_equal(y, before[name].cycles[cycle])
    assert driven.page.inner_text("#told") == "left cycle 2 hidden"
    driven.page.get_by_label("walk01: left 2").check()
    assert changed(before, driven.panels()) == set()


def test_panels_without_a_shown_cycle_say_so(driven):
    driven.page.evaluate("document.querySelectorAll('#cycles input').forEach(box => box.click())")
    for shown in driven.panels().values():
        assert shown.empty == "no data: no cycle that is shown has this curve"
        assert shown.cycles == {}


def test_without_a_reference_set_its_control_is_off(plain_page):
    assert plain_page.page.is_disabled("#norm")
    assert not plain_page.page.is_checked("#norm")
    assert "--norm FILE" in plain_page.page.inner_text("#scores")
    assert all(shown.bands == 0 for shown in plain_page.panels().values())
    assert plain_page.problems == []


def _same_lines(one, other) -> bool:
    return one.cycles.keys() == other.cycles.keys() and all(
        np.array_equal(y, other.cycles[cycle], equal_nan=True) for cycle, y in one.cycles.items()
    )
