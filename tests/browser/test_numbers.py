"""The numbers of the page are those of ``cycles.csv``."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from gaitdyn.plots.panels import fitting_panel
from tests.browser.driven_page import PANELS

pytestmark = pytest.mark.browser


def curves_of(folder):
    """Return column -> side and number of a cycle -> 101 values of ``cycles.csv``."""
    with (folder / "cycles.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    keys = list(dict.fromkeys((row["side"], int(row["cycle"])) for row in rows))
    return {
        column: {
            key: np.array([float(row[column] or "nan") for row in rows[101 * i : 101 * (i + 1)]])
            for i, key in enumerate(keys)
        }
        for column in rows[0]
        if column not in {"side", "cycle", "percent"}
    }


def check_panels(driven, folder) -> None:
    """Compare every cycle in every panel with the table, at the precision of a float32."""
    table, shown = curves_of(folder), driven.panels()
    compared = 0
    for panels in PANELS.values():
        for panel in panels:
            fitting = fitting_panel(panel, table)
            drawn = shown[panel.name]
            assert drawn.caption.startswith(f"{fitting.title} ({fitting.unit})")
            assert [word[2:] for word in drawn.words] == [fitting.top, fitting.bottom]
            known = {k: y for k, y in table[fitting.name].items() if np.isfinite(y).any()}
            assert set(drawn.cycles) == set(known)
            for cycle, y in known.items():
                np.testing.assert_allclose(
                    drawn.cycles[cycle], y, rtol=1e-6, atol=5.1e-6, err_msg=panel.name
                )
                compared += 1
    assert compared > 3 * len(shown)


@pytest.mark.parametrize(
    ("axes", "convention"),
    [
        ("distal", "internal"),
        ("proximal", "internal"),
        ("jcs", "external"),
        ("jcs-dual", "internal"),
        ("lab", "internal"),
    ],
)
def test_every_drawn_cycle_equals_the_table_in_all_axes(driven, make_results, axes, convention):
    driven.choose("axes", axes)
    driven.choose("convention", convention)
    check_panels(driven, make_results(moments_in=axes, convention=convention))


def test_the_page_opens_in_the_convention_of_its_results(plain_page, make_results):
    assert plain_page.page.input_value("#axes") == "lab"
    assert plain_page.page.input_value("#convention") == "external"
    check_panels(plain_page, make_results(moments_in="lab", convention="external"))


def test_the_numbers_behind_a_panel_are_the_means_of_the_table(driven, make_results):
    table = curves_of(make_results())
    for name in ("knee_angle_flexion", "ankle_moment_plantarflexion", "hip_force_y"):
        index = list(driven.panels()).index(name)
        panel = driven.page.locator(".panel").nth(index)
        panel.locator("summary").click()
        panel.locator(".table tr").first.wait_for()
        rows = panel.locator("tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
        )
        wanted: list[list[float]] = [list(range(0, 101, 2))]
        heads = ["%"]
        for side in ("left", "right"):
            known = [y for (s, _), y in table[name].items() if s == side and np.isfinite(y).all()]
            heads += [f"{side} mean (n {len(known)})", "SD"]
            spread = np.std(known, axis=0, ddof=1) if len(known) > 1 else np.full(101, np.nan)
            wanted += [list(np.mean(known, axis=0)[::2]), list(spread[::2])]
        assert [" ".join(head.split()) for head in rows[0][: len(heads)]] == heads
        found = np.array([[float(x or "nan") for x in row[: len(heads)]] for row in rows[1:]])
        np.testing.assert_allclose(found, np.array(wanted).T, atol=0.00051)
        reference = rows[0][len(heads) :]
        assert reference == ([] if name == "hip_force_y" else ["reference", "SD"])


def test_an_open_table_follows_the_controls(driven):
    index = list(driven.panels()).index("ankle_moment_plantarflexion")
    panel = driven.page.locator(".panel").nth(index)
    panel.locator("summary").click()
    cell = panel.locator("tbody tr").nth(20).locator("td").first
    before = float(cell.text_content() or "")
    driven.choose("units", "hof")
    assert float(cell.text_content() or "") == pytest.approx(before / (9.80665 * 0.92), abs=0.0006)
