"""Bands, terms and peaks by cut-off: the numbers of the tables on disk, toggles, nothing else."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.plots.panels import KINETICS
from gaitdyn.report.trust_data import PEAKS
from tests.browser.driven_page import changed, moments
from tests.rich_results import rich_results

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser

BANDED = {panel.name for row in KINETICS[:3] for panel in row}
CAUSES = ("inertial", "velocity", "gravity", "ground")
SEGMENTS = ("from_foot", "from_shank", "from_thigh", "from_ground")
_BANDS = """() => [...document.querySelectorAll(".panel .plot")].map((plot) =>
  plot.data.filter((t) => (t.name || "").startsWith("95 %")).map((t) =>
    [t.name, t.fillpattern.shape, [...t.x], [...t.y]]))"""
_TERMS = """() => [...document.querySelectorAll("#grid-terms .plot")].map((plot) => {
  const line = plot.data.at(-1);
  return [line.name, plot.closest("figure").querySelector("figcaption").textContent,
          [...line.y], line.customdata.map((row) => [...row])];
})"""
_CUTOFFS = """() => [...document.querySelectorAll("#grid-cutoffs .plot")].map((plot) =>
  plot.data.map((t) => [t.name, [...t.x], [...t.y]]))"""


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of the synthetic walk with everything that can be asked for."""
    return rich_results(synthetic / "walk01.c3d", tmp_path_factory.mktemp("rich"))


@pytest.fixture(scope="module")
def rich_page(open_page, folder, norm_file):
    return open_page(folder, norm=norm_file)


@pytest.fixture
def rich(rich_page):
    """The page as it opens; nothing may go wrong on it meanwhile."""
    rich_page.reset()
    yield rich_page
    assert rich_page.problems == []


def halves(folder: Path, name: str) -> dict[tuple[str, int], np.ndarray]:
    found: dict[tuple[str, int], list[float]] = {}
    for row in rows_of(folder / "uncertainty.csv"):
        found.setdefault((row["side"], int(row["cycle"])), []).append(float(row[name] or "nan"))
    return {key: np.array(values) for key, values in found.items()}


def shown_bands(page) -> dict[str, list[tuple[str, str, np.ndarray, np.ndarray]]]:
    """Return the bands of every panel: name, hatch, half-width and middle."""
    found = {}
    for name, bands in zip(page.panels(), page.page.evaluate(_BANDS), strict=True):
        found[name] = []
        for told, hatch, _, y in bands:
            high, low = np.split(np.array(y), 2)
            found[name].append((told, hatch, (high - low[::-1]) / 2, (high + low[::-1]) / 2))
    return found


def test_it_asks_for_nothing_and_has_no_errors(rich):
    assert rich.requests == [rich.path.as_uri()]
    assert rich.at_opening == []


def test_a_band_is_the_half_width_of_the_table_about_a_cycle(rich, folder):
    panels, found = rich.panels(), shown_bands(rich)
    assert {name for name, bands in found.items() if bands} == BANDED
    for name in BANDED:
        table = halves(folder, name)
        assert {told.split(",")[1].split()[0] for told, *_ in found[name]} == {"left", "right"}
        for told, _, half, middle in found[name]:
            side, number = told.split(", ")[1].split()
            np.testing.assert_allclose(half, table[side, int(number)], atol=1.1e-5)
            curve = panels[name].cycles[side, int(number)]
            np.testing.assert_allclose(middle, curve, atol=1e-9)


def test_the_band_of_a_mean_is_the_mean_of_the_half_widths(rich, folder):
    rich.choose("view", "mean")
    panels, found = rich.panels(), shown_bands(rich)
    for name in ("knee_moment_extension", "hip_power"):
        table = halves(folder, name)
        for told, _, half, middle in found[name]:
            side = told.split(", ")[1].split()[0]
            line = next(t for t in panels[name].traces if t.name.startswith(f"{side}  mean"))
            np.testing.assert_allclose(middle, line.y, atol=1e-9)
            whole = [v for (s, _), v in table.items() if s == side and np.isfinite(v).all()]
            np.testing.assert_allclose(half, np.mean(whole, axis=0), atol=1.1e-5)


def test_bands_are_hatched_and_the_legend_tells_them_from_spread_and_reference(rich):
    hatches = {(t.split()[3], h) for bands in shown_bands(rich).values() for t, h, *_ in bands}
    assert hatches == {("left", "/"), ("right", "\\")}
    assert "hatched: 95 % band" in rich.page.inner_text("#band-legend")
    assert "grey: reference" in rich.page.inner_text("#band-legend")
    assert "one SD" not in rich.page.inner_text("#band-legend")
    rich.choose("view", "mean")
    assert "tint: one SD of the cycles" in rich.page.inner_text("#band-legend")


def test_the_bands_come_and_go_and_nothing_else_changes(rich):
    before = rich.panels()
    rich.page.uncheck("#bands")
    after = rich.panels()
    assert changed(before, after) == BANDED
    assert not any(shown_bands(rich).values())
    assert rich.page.inner_text("#band-legend") == ""
    for name in BANDED:
        assert after[name].cycles.keys() == before[name].cycles.keys()
        assert after[name].bands == before[name].bands
    rich.page.focus("#bands")
    rich.page.keyboard.press("Space")
    assert changed(before, rich.panels()) == set()


def test_moments_have_bands_in_the_axes_of_the_results_alone(rich):
    rich.choose("axes", "lab")
    found = {name for name, bands in shown_bands(rich).items() if bands}
    assert found == BANDED - moments(BANDED)
    assert "axes of the results (distal)" in rich.page.inner_text("#band-legend")


def test_bands_follow_the_units(rich, folder):
    rich.choose("units", "hof")
    (_, _, half, _), *_ = shown_bands(rich)["knee_moment_extension"]
    table = halves(folder, "knee_moment_extension")
    wanted = [v / (9.80665 * 0.92) for v in table.values()]
    assert min(np.nanmax(abs(half - w)) for w in wanted) < 2e-6


def test_the_numbers_behind_a_panel_hold_the_band(rich):
    index = list(rich.panels()).index("knee_moment_extension")
    panel = rich.page.locator(".panel").nth(index)
    panel.locator("summary").click()
    panel.locator("thead th").first.wait_for()
    heads = panel.locator("thead th").all_text_contents()
    assert heads.count("95 % \u00b1") == 2


def test_the_shares_are_those_of_the_file(rich, folder):
    told = json.loads((folder / "uncertainty.json").read_text(encoding="utf-8"))
    rows = rich.page.locator("#shares tbody tr").evaluate_all(
        "rows => rows.map(r => [r.dataset.curve, r.dataset.side,"
        " [...r.cells].map(c => c.textContent), [...r.querySelectorAll('.bar i')].map("
        "i => parseFloat(i.style.width))])"
    )
    assert len(rows) == 24
    for curve, side, cells, bars in rows:
        wanted = [100 * told["share_of_variance"][side][curve][s] for s in told["sources"]]
        np.testing.assert_allclose(bars, wanted, atol=0.006)
        assert [float(cell) for cell in cells[4:]] == [round(w) for w in wanted]


@pytest.mark.parametrize(("kind", "words"), [("cause", CAUSES), ("segment", SEGMENTS)])
@pytest.mark.parametrize("plane", ["0", "1"])
def test_the_terms_are_those_of_the_table_and_add_up(rich, folder, kind, words, plane):
    rich.page.select_option("#terms-kind", kind)
    rich.page.select_option("#terms-plane", plane)
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    mass, rate = document["subject"]["mass_kg"], document["file"]["rate_hz"]
    table = rows_of(folder / "terms.csv")
    view = json.loads((folder / "view.json").read_text(encoding="utf-8"))["cycles"]
    whole = {
        (s["side"], s["cycle"])
        for s in document["status"]
        if all(t["status"] == "ok" for t in document["status"]
               if (t["side"], t["cycle"]) == (s["side"], s["cycle"]))
    }  # fmt: skip
    found = rich.page.evaluate(_TERMS)
    assert len(found) == 6
    for column, caption, total, parts in found:
        side = caption.split(":")[0].lower()
        for k, word in enumerate(words):
            values = np.array([float(r[f"{side}_{column}_{word}"] or "nan") for r in table])
            times = np.array([float(r["time_s"]) for r in table])
            means = []
            for cycle in view:
                if (cycle["side"], cycle["cycle"]) in whole and cycle["side"] == side:
                    at = np.linspace(cycle["start_s"], cycle["stop_s"], 101)
                    means.append(np.interp(at, times, values) / mass)
            drawn = np.array(parts)[:, k]
            near = np.abs(drawn - np.mean(means, axis=0))  # cubic against straight lines
            assert np.nanmax(near) < 0.02 * max(np.abs(drawn).max(), 0.05) * 100 / rate
        np.testing.assert_allclose(np.sum(parts, axis=1), total, atol=1e-9)
    rich.page.select_option("#terms-kind", "cause")
    rich.page.select_option("#terms-plane", "0")


def test_the_terms_add_up_to_the_moment_of_the_cycles(rich, folder):
    table = rows_of(folder / "cycles.csv")
    for column, caption, total, _ in rich.page.evaluate(_TERMS):
        side = caption.split(":")[0].lower()
        cycles: dict[str, list[float]] = {}
        for row in table:
            if row["side"] == side:
                cycles.setdefault(row["cycle"], []).append(float(row[column] or "nan"))
        known = [np.array(v) for v in cycles.values() if np.isfinite(v).all()]
        np.testing.assert_allclose(total, np.mean(known, axis=0), atol=5e-5)


@pytest.mark.parametrize("mode", ["matched", "markers", "forces"])
def test_the_peaks_by_cut_off_are_those_of_the_table(rich, folder, mode):
    rich.page.select_option("#cutoff-mode", mode)
    key = "force_cutoff_hz" if mode == "forces" else "marker_cutoff_hz"
    wanted: dict[tuple[str, str], dict[float, float]] = {}
    for row in rows_of(folder / "sensitivity.csv"):
        if row["mode"] == mode and row["value"]:
            peak = wanted.setdefault((row["side"], row["quantity"]), {})
            peak[float(row[key])] = float(row["value"])
    names = [name for row in PEAKS for name in row]
    for name, lines in zip(names, rich.page.evaluate(_CUTOFFS), strict=True):
        assert {side for side, *_ in lines} == {"left", "right"}
        for side, hz, values in lines:
            assert hz == sorted(wanted[side, name])
            np.testing.assert_allclose(values, [wanted[side, name][x] for x in hz], atol=1e-6)
    rich.page.select_option("#cutoff-mode", "matched")


def test_the_advice_and_the_sweep_stand_on_the_page(rich, folder):
    told = json.loads((folder / "sensitivity.json").read_text(encoding="utf-8"))
    advice = told["advice_hz"]["residual_analysis"]["median"]
    assert f"residual analysis ({advice:.1f} Hz" in rich.page.inner_text("#cutoff-told")
    rich.page.locator("#sweep details summary").click()
    heads = rich.texts("#sweep thead th")
    assert heads == ["Peak", "Side", "As run", "cutoff=6", "cutoff=12"]
    assert rich.page.locator("#not-there").count() == 0


def test_without_them_one_line_tells_how_to_get_them(driven):
    words = driven.page.inner_text("#not-there")
    for option in ("--uncertainty default", "--terms", "--sensitivity", "--sweep"):
        assert option in words
    assert driven.page.locator("#trust .grid").count() == 0
    assert driven.page.is_disabled("#bands")
    assert driven.page.inner_text("#band-legend") == ""


def test_the_picture_of_quality_is_on_the_page(rich):
    drawing = rich.page.locator("#quality .drawing svg")
    assert drawing.count() == 1
    assert drawing.get_attribute("role") == "img"
    words = rich.texts("#quality .drawing text")
    assert {"left hip", "right ankle", "plate 1", "time (s)", "frame"} <= set(words)


def test_it_fits_a_narrow_screen_and_paper(rich):
    page = rich.page
    page.set_viewport_size({"width": 400, "height": 800})
    fitted = """() => [...document.querySelectorAll(".plot")].every((plot) =>
      Math.abs(plot.clientWidth - plot._fullLayout.width) < 2)"""
    page.wait_for_function(fitted)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.set_viewport_size({"width": 1032, "height": 703})
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for hidden in ("#terms-kind", "#cutoff-mode", ".small details", "#bands"):
        assert page.locator(f"{hidden}:visible").count() == 0, hidden
    scales = page.evaluate(
        """() => [...document.querySelectorAll(".small .main-svg:first-of-type")].map((svg) =>
        svg.getScreenCTM().a)"""
    )
    assert len(scales) == 18
    assert min(scales) > 0.95
    assert max(scales) < 1.05
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="null")
    page.set_viewport_size({"width": 1300, "height": 900})
    page.wait_for_function(fitted)
