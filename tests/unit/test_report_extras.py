"""Bands, terms, cut-offs and sweeps in the report: contents, PDF pages, what a folder lacks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.errors import ResultsRefused
from gaitdyn.plots.marks import COLOUR, Area, Line, TextLine
from gaitdyn.report import make_report, pooled, read_groups
from gaitdyn.report.extra_sheets import banded_strips, cutoff_sheets
from gaitdyn.report.page.document import page_text
from gaitdyn.report.paper.annex import annex_sheets
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.report.tables.extras import cutoff_table
from gaitdyn.store.stored import read_trial
from gaitdyn.types.loads import PARTS
from tests.read_back import rows_of
from tests.rich_results import rich_results
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.report import Report

SHEETS = ("Uncertainty of moments and powers", "What the moments are made of", "Peaks by cut-off")


@pytest.fixture(scope="module")
def external(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in the axes of the laboratory, external."""
    out = tmp_path_factory.mktemp("lab")
    words = {"moments_in": "lab", "convention": "external"}
    return rich_results(synthetic / "walk01.c3d", out, cutoffs_hz=(6, 10), **words)


@pytest.fixture(scope="module")
def rich(rich_folder: Path) -> Report:
    return make_report(read_groups([rich_folder]))


def titles(report: Report) -> list[str]:
    return [
        mark.text
        for sheet in annex_sheets(report)
        for mark in sheet.marks
        if isinstance(mark, TextLine) and mark.name in {"title", "heading"}
    ]


@pytest.mark.slow
def test_the_terms_of_a_cycle_add_up_to_its_moments(rich_folder: Path) -> None:
    trial = read_trial(rich_folder)
    terms = trial.terms
    assert terms is not None
    assert len(terms) == len(trial.cycles)
    for curves in trial.cycles:
        own = terms[curves.cycle.side, curves.cycle.number]
        for name in (n for n in curves.names if "_moment_" in n and n.startswith("knee")):
            for half in (PARTS[:4], PARTS[4:]):
                total = np.sum([own.curve(f"{name}_{part}") for part in half], axis=0)
                if np.isfinite(curves.curve(name)).all():
                    np.testing.assert_allclose(total, curves.curve(name), atol=1e-7)


def test_the_bands_that_are_drawn_are_those_of_the_table(rich: Report, rich_folder: Path) -> None:
    strips, margins = banded_strips(rich, 0)
    bands = read_trial(rich_folder).bands
    assert bands is not None
    (trial,) = rich.groups[0].trials
    for side in ("left", "right"):
        numbers = kinetic_cycles(trial, side)
        assert sum(strip.side == side for strip in strips) == len(numbers) > 0
        for i, name in enumerate(bands.names):
            wanted = np.mean([bands.half[side, n][:, i] for n in numbers], axis=0)
            np.testing.assert_allclose(margins[side][name], wanted, atol=1e-12)


@pytest.mark.slow
def test_external_results_have_their_bands_under_internal_names(external: Path) -> None:
    report = make_report(read_groups([external]))
    _, margins = banded_strips(report, 0)
    assert "knee_moment_z" in margins["left"]
    names = [one.name for one in report.extras.terms]
    assert [name for name in names if name.startswith("knee")][:3] == [
        "knee_moment_x", "knee_moment_y", "knee_moment_z",
    ]  # fmt: skip
    assert len(report.shares) == 24
    assert set(SHEETS) <= set(titles(report))


def test_the_page_draws_all_of_them_and_each_cut_off_alone(rich: Report) -> None:
    text = page_text(rich)
    for name in (*SHEETS, "Peaks by cut-off, markers alone", "Peaks by cut-off, forces alone"):
        assert f'role="region" aria-label="{name}"' in text
    for mode in ("markers", "forces"):
        (sheet,) = cutoff_sheets(rich, mode)
        words = [m.text for m in sheet.marks if isinstance(m, TextLine)]
        assert f"cut-off of {mode} alone (Hz)" in words


def test_a_peak_unknown_at_some_cut_offs_takes_none_from_the_others(
    rich: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All curves had the cut-offs of the first peak alone."""
    ankle = {4.0: 1.0, 6.0: 1.1, 8.0: 1.2, 10.0: 1.3}
    series = {
        (0, "left", "hip_moment_extension_max"): {6.0: 1.0, 8.0: 1.1},
        (0, "left", "ankle_moment_plantarflexion_max"): ankle,
    }
    monkeypatch.setattr("gaitdyn.report.extra_sheets.cutoff_series", lambda *_: series)
    (sheet,) = cutoff_sheets(rich, "matched")
    lines = [m for m in sheet.marks if isinstance(m, Line) and m.stroke.colour == COLOUR["left"]]
    assert max(len(line.points) for line in lines) == len(ankle)


def test_shares_add_up_to_one_and_name_hip_first(rich: Report) -> None:
    assert len(rich.shares) == 24
    assert [one.title for one in rich.shares[:2]] == ["Hip moment, sagittal"] * 2
    for one in rich.shares:
        assert sum(one.parts) == pytest.approx(1.0)
        assert one.half is not None
        assert one.half > 0.0


def test_the_table_of_cut_offs_is_that_of_the_file(rich: Report, rich_folder: Path) -> None:
    (group,) = rich.groups
    table = cutoff_table(group.trials)
    rows = [r for r in rows_of(rich_folder / "sensitivity.csv") if r["mode"] == "matched"]
    wanted = {
        (r["side"], float(r["marker_cutoff_hz"])): float(r["value"])
        for r in rows
        if r["quantity"] == "ankle_power_a2_peak"
    }
    for row in (r for r in table.rows if r[0].startswith("A2 ankle power")):
        shown = [float(cell.replace("\u2212", "-")) for cell in row[2:9]]
        exact = [wanted[row[1], hz] for hz in (4.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0)]
        np.testing.assert_allclose(shown, exact, atol=0.0051)


def test_the_sweep_tells_value_and_difference(rich: Report) -> None:
    (table,) = rich.sweeps
    assert table.columns == ("Peak", "Side", "As run", "cutoff=6", "cutoff=12")
    for row in table.rows:
        base = float(row[2].replace("\u2212", "-"))
        for cell in row[3:]:
            value, change = (float(x.strip("()").replace("\u2212", "-")) for x in cell.split())
            assert value - base == pytest.approx(change, abs=0.0151)


def test_the_pdf_has_their_pages_and_tinted_bands(rich: Report) -> None:
    heads = titles(rich)
    assert [head for head in heads if head in SHEETS] == list(SHEETS)
    assert "Trust in the loads" in heads
    page = next(
        sheet for sheet in annex_sheets(rich)
        if any(isinstance(m, TextLine) and m.text == SHEETS[0] for m in sheet.marks)
    )  # fmt: skip
    areas = [m for m in page.marks if isinstance(m, Area) and m.name == "band"]
    assert len(areas) == 24
    keys = [m.text for m in page.marks if isinstance(m, TextLine)]
    assert "tinted: 95 % band by the stated input errors, about the mean" in keys


def test_nothing_of_these_pages_lies_beyond_the_sheet(rich: Report) -> None:
    for sheet in annex_sheets(rich):
        for mark in sheet.marks:
            if isinstance(mark, TextLine):
                continue
            assert mark.points[:, 0].min() >= 5.0
            assert mark.points[:, 0].max() <= sheet.width_mm - 5.0
            assert mark.points[:, 1].min() >= 10.5
            assert mark.points[:, 1].max() <= sheet.height_mm - 5.0


def test_a_plain_folder_has_no_such_section_and_says_how_to_get_it(session: Path) -> None:
    report = make_report(read_groups([session / "walk01"]))
    assert (report.shares, report.cutoffs, report.sweeps, report.extras.terms) == ((), (), (), ())
    assert banded_strips(report, 0) == ([], {})
    assert cutoff_sheets(report, "matched") == []
    text = page_text(report)
    for option in ("--uncertainty default", "--terms", "--sensitivity", "--sweep cutoff=6,10"):
        assert f"<code>gaitdyn process TRIAL.c3d {option}</code>" in text
    assert not set(SHEETS) & set(titles(report))


def test_trials_with_and_without_them_are_pooled_and_counted(
    rich_folder: Path, session: Path
) -> None:
    report = make_report(read_groups([rich_folder, session / "walk02"]))
    assert report.extras.counts == {"terms": 1, "bands": 1, "cutoffs": 1, "sweep": 1}
    assert report.extras.of("bands") == "; of 1 of the 2 trials"
    assert "; of 1 of the 2 trials" in page_text(report)


def test_doubtful_cycles_are_in_no_mean_of_the_terms(rich_folder: Path, tmp_path: Path) -> None:
    copy = build.copied(rich_folder, tmp_path / "walk01")

    def doubt(document: dict[str, list[dict[str, str]]]) -> None:
        for row in document["status"]:
            if row["side"] == "left":
                row["verdict"] = "fail"

    build.change_json(copy / "result.json", doubt)
    report = make_report(read_groups([copy]))
    assert {one.side for one in report.extras.terms} == {"right"}
    assert all(one.half is None for one in report.shares if one.side == "left")


@pytest.mark.parametrize("name", ["uncertainty.csv", "terms.csv", "sensitivity.csv", "sweep.csv"])
def test_a_damaged_table_is_refused_in_words(rich_folder: Path, tmp_path: Path, name: str) -> None:
    copy = build.copied(rich_folder, tmp_path / "walk01")
    lines = (copy / name).read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace(lines[3].split(",")[-2], "nonsense")
    (copy / name).write_text("\n".join(["a,b", *lines[1:]]), encoding="utf-8")
    with pytest.raises(ResultsRefused, match=name):
        make_report(read_groups([copy]))


def test_hostile_texts_stay_text(rich_folder: Path) -> None:
    hostile = "</script><img src=x onerror=alert(1)>"
    trial = read_trial(rich_folder)
    assert trial.bands is not None
    assert trial.sweep is not None
    bands = replace(trial.bands, document=trial.bands.document | {"draws": hostile})
    table = replace(trial.sweep.table, settings=(("cutoff", hostile), ("cutoff", "12")))
    changed = replace(trial, bands=bands, sweep=replace(trial.sweep, table=table))
    text = page_text(make_report(pooled([changed])))
    assert "<img" not in text
    assert text.count(hostile.replace("<", "&lt;").replace(">", "&gt;")) >= 2
