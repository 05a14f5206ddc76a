"""The numbers of the page are those of ``cycles.csv``."""

from __future__ import annotations

import numpy as np
import pytest

from tests.read_back import rows_of

pytestmark = pytest.mark.browser


def curves_of(folder):
    """Return column -> side and number of a cycle -> 101 values of ``cycles.csv``."""
    rows = rows_of(folder / "cycles.csv")
    keys = list(dict.fromkeys((row["side"], int(row["cycle"])) for row in rows))
    return {
        column: {
            key: np.array([float(row[column] or "nan") for row in rows[101 * i : 101 * (i + 1)]])
            for i, key in enumerate(keys)
        }
        for column in rows[0]
        if column not in {"side", "cycle", "percent"}
    }


def mean_of(table, name, side):
    """Return the mean of the strides that know a curve from 0 to 100 %, None without one."""
    known = [y for (s, _), y in table[name].items() if s == side and np.isfinite(y).all()]
    return np.mean(known, axis=0) if known else None


@pytest.mark.parametrize("convention", ["internal", "external"])
def test_every_heavy_line_is_the_mean_of_the_table(open_page, make_results, convention):
    folder = make_results(convention=convention)
    driven, table = open_page(folder), curves_of(folder)
    compared = 0
    for name, shown in driven.panels().items():
        for letter, side in (("L", "left"), ("R", "right")):
            mean = mean_of(table, name, side)
            if mean is None:
                assert shown.lines(letter, "mean") == []
                continue
            (points,) = shown.lines(letter, "mean")
            sign = -1.0 if (name, side) == ("grf_z", "right") else 1.0  # medial is positive
            found = shown.values(points)
            height = np.ptp([y for *_, y in shown.words]) or 1.0
            tolerance = (
                1.2 * abs(np.ptp(shown.values(np.array([[0.0, 0.0], [0.0, height]])))) / height
            )
            np.testing.assert_allclose(
                found, sign * mean[: len(found)], atol=tolerance, err_msg=name
            )
            compared += 1
    assert compared > 40
    assert driven.problems == []


def test_every_whole_stride_is_drawn_and_no_other_is_in_the_mean(driven, make_results):
    table = curves_of(make_results())
    for name, shown in driven.panels().items():
        for letter, side in (("L", "left"), ("R", "right")):
            own = [y for (s, _), y in table[name].items() if s == side and np.isfinite(y).any()]
            whole = [y for y in own if np.isfinite(y).all()]
            thin = shown.lines(letter, "stride")
            assert len(thin) == (len(whole) if len(whole) > 1 else 0), name
            pale = shown.lines(letter, "incomplete")
            if not name.startswith("grf"):  # ends at foot-off, where an incomplete one begins
                assert (len(pale) > 0) == (len(own) > len(whole)), name


def test_the_cursor_reads_the_means_of_the_table(driven, make_results):
    table = curves_of(make_results())
    slider = driven.page.locator("[data-percent]").first
    for percent in (0, 40, 87):
        slider.evaluate(
            "(s, v) => { s.value = v; s.dispatchEvent(new Event('input', {bubbles: true})); }",
            percent,
        )
        for name in ("knee_angle_flexion", "ankle_moment_plantarflexion", "hip_power"):
            told = driven.panels()[name].told
            for letter, side, words in zip("LR", ("left", "right"), told, strict=True):
                mean = mean_of(table, name, side)
                assert mean is not None
                value = float(words.removeprefix(f"{letter} ").replace("\u2212", "-"))
                assert value == pytest.approx(
                    mean[percent], abs=0.56 if "angle" in name else 0.0056
                )


def test_the_numbers_behind_a_panel_are_the_means_of_the_table(driven, make_results):
    table = curves_of(make_results())
    for name, shown in driven.panels().items():
        head, *rows = shown.rows
        assert head[0] == "%"
        assert [row[0] for row in rows] == [str(p) for p in range(0, 101, 10)]
        for column, side in ((1, "left"), (2, "right")):
            mean = mean_of(table, name, side)
            known = [y for (s, _), y in table[name].items() if s == side and np.isfinite(y).all()]
            assert head[column] == f"{side[0].upper()} (n {len(known)})"
            if mean is None or name.startswith("grf"):
                continue
            for row in rows:
                value = float(row[column].replace("\u2212", "-"))
                limit = 0.051 if "angle" in name else 0.0051
                assert value == pytest.approx(mean[int(row[0])], abs=limit), name
        assert (len(head) == 4) == (shown.bands > 0)


def test_the_band_is_the_reference_set_as_its_file_has_it(driven, norm_file):
    lines = [x.split(",") for x in norm_file.read_text(encoding="utf-8").splitlines()[1:]]
    for name in ("knee_angle_flexion", "ankle_moment_plantarflexion", "hip_power", "grf_y"):
        shown = driven.panels()[name]
        rows = np.array([[float(x) for x in c[4:7]] for c in lines if c[3] == name])
        told = {row[0]: row[-1] for row in shown.rows[1:]}
        for percent, mean, sd in rows[::5]:
            words = told[str(int(percent))].replace("\u2212", "-").split(" \u00b1 ")
            assert [float(w) for w in words] == pytest.approx([mean, sd], abs=0.051)
        assert shown.bands == 2


def test_the_first_screen_has_the_scores_of_the_engineers_tables(driven):
    words = "rows => rows.map(row => [...row.cells].map(c => c.firstChild?.textContent || ''))"
    cells = driven.page.locator(".four").first.locator("tr").evaluate_all(words)
    shown = {row[0]: row[1:3] for row in cells[1:]}
    tables = (
        driven.page.locator("#scores table")
        .first.locator("tr")
        .evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")
    )
    scores = {row[0]: row[1:3] for row in tables[1:]}
    assert shown["GPS"] == [cell.split(" ")[0] for cell in scores["GPS (deg)"]]
    assert shown["GDI*"] == [cell.split(" ")[0] for cell in scores["GDI*"]]
