"""Both PDFs: pages in order, A4, type embedded, the numbers of the tables, the same bytes twice."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import warnings
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.plots.clinic.figure import WIDE_MM, figure_sheet, key_below
from gaitdyn.plots.flow import LANDSCAPE, MARGIN_MM, PORTRAIT, flow_pages
from gaitdyn.plots.flow import table as table_blocks
from gaitdyn.plots.marks import MM_PER_PT, Area, Line, TextLine, text_width
from gaitdyn.plots.render import write_pdf
from gaitdyn.plots.typeface import typeface
from gaitdyn.report import Group, Report, make_report, read_groups
from gaitdyn.report.compared.comparison import comparisons_of
from gaitdyn.report.first_screen.shown_findings import shown_findings
from gaitdyn.report.grid_sheets import load_sheets
from gaitdyn.report.paper.annex import annex_sheets
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.report.paper.grids import kinematics_marks, kinetics_marks
from gaitdyn.report.paper.summary import _finding
from gaitdyn.store.stored import read_trial
from tests.read_back import inflated
from tests.unit import report_cases as build
from tests.unit.made_once import annex_of, clinic_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.plots.marks import Mark, Sheet

ORDER = (
    "Gait report, annex",
    "Moments, powers, ground force",
    "Net joint forces",
    *(f"Internal moments in {axes} axes" for axes in ("proximal", "jcs", "jcs-dual", "lab")),
    "Verdicts on the curves",
    "Gait parameters",
    "Power bursts, work and peaks",
    "Quality",
    "Methods and provenance",
)
FOOT_MM = 10.5


def printed(report: Report) -> bytes:
    stream = BytesIO()
    write_pdf(annex_of(report), stream, f"Gait report: {report.title}")
    return stream.getvalue()


@pytest.fixture(scope="module")
def sheets(report: Report) -> list[Sheet]:
    return annex_of(report)


@pytest.fixture(scope="module")
def content(report: Report) -> bytes:
    return printed(report)


def words_of(sheets: Sequence[Sheet]) -> list[TextLine]:
    return [mark for sheet in sheets for mark in sheet.marks if isinstance(mark, TextLine)]


def heads_of(sheets: Sequence[Sheet]) -> list[str]:
    return [word.text for word in words_of(sheets) if word.name in {"heading", "title"}]


def page_of(sheets: Sequence[Sheet], title: str) -> Sheet:
    """Return the page that begins with a title."""
    (page,) = (sheet for sheet in sheets if title in heads_of([sheet]))
    return page


def extent(mark: Mark) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a mark, mm."""
    if not isinstance(mark, TextLine):
        (left, low), (right, high) = mark.points.min(axis=0), mark.points.max(axis=0)
        return left, low, right, high
    face, height = typeface(bold=mark.bold), 0.3 * mark.size_pt
    if face.has(mark.text):  # the type that the file embeds
        width = face.width(mark.text) * mark.size_pt * MM_PER_PT
    else:
        width = build.true_width(mark.text, mark.size_pt)
    start = {"left": 0.0, "center": width / 2, "right": width}[mark.align]
    if mark.turned:
        return mark.x - height, mark.y - start, mark.x, mark.y - start + width
    return mark.x - start, mark.y, mark.x - start + width, mark.y + height


# ---------------------------------------------------------------- sheets


def test_the_pages_stand_in_their_order(sheets: list[Sheet], compared: Report) -> None:
    assert tuple(heads_of(sheets)) == ORDER
    earlier = (compared.title,) * 3  # the clinician's sheets of the first session
    assert tuple(heads_of(annex_of(compared))) == (*ORDER, *earlier)


def test_every_page_is_a4(sheets: list[Sheet]) -> None:
    for sheet in sheets:
        across = any(word.text in ORDER[1:7] for word in words_of([sheet]) if word.name == "title")
        assert (sheet.width_mm, sheet.height_mm) == (LANDSCAPE if across else PORTRAIT)


@cache
def long_labels(report: Report) -> Report:
    """Return the same report of groups with long names."""
    groups = tuple(
        Group(f"{group.label} the operation of 2023, barefoot, with aids", group.trials)
        for group in report.groups
    )
    norm = None if report.norm is None else report.norm.norm
    return replace(make_report(groups, norm), groups=groups)


@cache
def four_groups(report: Report) -> Report:
    groups = [
        Group(f"{group.label}, {word}", group.trials)
        for group in report.groups
        for word in ("barefoot", "shoes")
    ]
    return make_report(groups, None if report.norm is None else report.norm.norm)


@pytest.mark.parametrize("change", [lambda r: r, long_labels, four_groups])
@pytest.mark.parametrize("kind", ["report", "compared"])
def test_nothing_lies_beyond_its_page_or_over_its_foot(
    kind: str, change: Any, request: pytest.FixtureRequest
) -> None:
    for sheet in annex_of(change(request.getfixturevalue(kind))):
        for mark in sheet.marks:
            left, low, right, high = extent(mark)
            assert left >= 5.0
            assert right <= sheet.width_mm - 5.0, mark
            assert high <= sheet.height_mm - 5.0
            if getattr(mark, "name", "") != "foot":
                assert low >= FOOT_MM, mark


def test_text_pages_keep_their_margins(sheets: list[Sheet]) -> None:
    for sheet in sheets:
        if (sheet.width_mm, sheet.height_mm) != PORTRAIT:
            continue
        for mark in sheet.marks:
            left, low, right, high = extent(mark)
            assert left >= MARGIN_MM - 1e-6
            assert right <= sheet.width_mm - MARGIN_MM + 1e-6, mark
            assert high <= sheet.height_mm - MARGIN_MM
            if getattr(mark, "name", "") != "foot":
                assert low >= MARGIN_MM


def test_every_cell_of_every_table_is_on_some_page(report: Report, sheets: list[Sheet]) -> None:
    text = "".join("".join(word.text for word in words_of(sheets)).split())
    alone = {word.text for word in words_of(sheets)}
    tables = (*report.parameters, *report.bursts, *report.quality, *report.notes)
    for table in (*tables, *report.methods, *report.scores):
        assert table.title in alone
        cells = [cell for row in (table.columns, *table.rows) for cell in row if cell]
        for cell in cells:  # in one piece, or its pieces between those of its neighbours
            words = cell.split()
            assert cell in alone or all("".join(word.split()) in text for word in words), cell
    subject = [fact for _, facts in report.headline.subject for fact in facts]
    assert len(subject) == 6
    for _, value in (*report.headline.facts, *subject):
        assert value in alone or all(word in text for word in value.split())


def test_rows_of_the_parameters_stand_as_in_their_table(
    report: Report, sheets: list[Sheet]
) -> None:
    lines: dict[tuple[int, float], list[TextLine]] = {}
    for i, sheet in enumerate(sheets):
        for word in words_of([sheet]):
            lines.setdefault((i, round(word.y, 6)), []).append(word)
    shown = {
        tuple([w.text for w in sorted(found, key=lambda w: w.x) if w.text])
        for found in lines.values()
    }
    for table in (*report.parameters, *report.bursts):
        for row in table.rows:
            head, *numbers = (cell for cell in row if cell)
            assert any(
                tuple(numbers) == line[1:] and head.startswith(line[0]) for line in shown if line
            )


def test_the_first_page_holds_verdict_reasons_facts_and_scores(
    report: Report, sheets: list[Sheet]
) -> None:
    words = [word.text for word in words_of(sheets[:1])]
    assert "\u2713 PASS: no warnings" in words
    assert any(word.startswith("\u2022 no full kinetics in right cycle 1") for word in words)
    assert report.scores
    for table in report.scores:
        assert table.title in words
    assert "Gait parameters" not in words  # all of them stand on a page of their own
    assert [w.text for w in words_of(sheets) if w.text.startswith("page ")] == [
        f"page {i} of {len(sheets)}" for i in range(1, len(sheets) + 1)
    ]


def test_without_loads_there_are_no_pages_of_them(no_plates: Path) -> None:
    report = make_report(read_groups([no_plates]))
    sheets = annex_of(report)
    heads = [head for head in heads_of(sheets) if not head.startswith("Quality \u2013")]
    assert heads == [ORDER[0], *ORDER[8:]]  # no norm, no verdicts
    assert "Quality \u2013 walk: CHECK" in heads_of(sheets)
    bursts = page_of(sheets, "Power bursts, work and peaks")
    assert f"No kinetics: {report.no_loads}." in [word.text for word in words_of([bursts])]


def test_a_comparison_tells_the_changes_in_place_of_both_tables(compared: Report) -> None:
    titles = [w.text for w in words_of(annex_of(compared)) if w.name == "table"]
    for table in (*compared.changes, *compared.peak_changes):
        assert table.title in titles
    assert titles.count("Gait parameters, before to after") == 1
    assert not {t.title for t in (*compared.parameters, *compared.bursts)} & set(titles)
    assert {"Subject, before", "Subject, after"} <= set(titles)


def test_a_table_over_two_pages_has_its_head_on_both() -> None:
    rows = [(f"row {i}", str(i)) for i in range(120)]
    pages = flow_pages(table_blocks("Long", ("Name", "Value"), rows, (), 180.0))
    assert len(pages) > 1
    for page in pages:
        first = max(word.y for word in words_of([page]) if word.text.startswith("row "))
        (head,) = (word for word in words_of([page]) if word.text == "Value")
        assert head.y > first
    shown = [w.text for w in words_of(pages) if w.text.startswith("row ")]
    assert shown == [name for name, _ in rows]


# ---------------------------------------------------------------- the clinician's four sheets


def means_of(sheet: Sheet) -> list[str]:
    """Return the names of the heavy lines of a sheet, with the strides beside them."""
    return [m.name for m in sheet.marks if isinstance(m, Line) and m.name.split()[-1] in KINDS]


KINDS = ("mean", "stride", "incomplete")


def test_the_clinician_has_four_sheets_across(report: Report) -> None:
    sheets = clinic_of(report)
    assert [(s.width_mm, s.height_mm) for s in sheets] == [LANDSCAPE] * 4
    numbers = [w.text for w in words_of(sheets) if w.name == "number"]
    assert numbers == [f"{i} of 4" for i in range(1, 5)]
    assert [w.text for w in words_of(sheets) if w.name == "heading"] == [report.title] * 4


def test_a_comparison_has_sheets_of_both_sides_and_the_earlier_session_in_the_annex(
    compared: Report,
) -> None:
    sheets = clinic_of(compared)
    assert len(sheets) == 8
    earlier, later = compared.views
    for told, view in ((sheets[0], later), (annex_of(compared)[-3], earlier)):
        words = " ".join(w.text for w in words_of([told]))
        assert view.scores is not None
        assert view.label in words
        assert f"{view.scores.gps['left'].value:.1f}" in words
    boxes = {"Interpretation", "Recommendation", "Read by, date"}
    shown = [[w.text for w in words_of([sheet])] for sheet in sheets[3:]]
    assert [boxes <= set(words) for words in shown] == [False] * 4 + [True]
    for i, side in enumerate(comparisons_of(compared)[-1].sides):
        angles, loads = shown[2 * i : 2 * i + 2]
        assert any(w.startswith(f"Comparison, {side.side} side: A before") for w in angles)
        assert any(w.startswith("Comparison of moments, powers and forces") for w in loads)
        for words, panels in ((angles, side.panels), (loads, side.loads)):
            for panel in panels:
                assert not panel.name or panel.title in words
                assert panel.note in words or not panel.note


def test_rotations_that_a_knee_axis_makes_are_marked_on_paper_as_on_the_page(
    report: Report,
) -> None:
    (view,) = report.views
    for remarks in ((), (KneeAxisRemark("left", 15.0, by_rotations=False),)):
        marks = kinematics_marks(replace(view, remarks=remarks))
        told = [m.text for m in marks if isinstance(m, TextLine)]
        assert told.count("knee axis?") == 2 * len(remarks)


def test_without_loads_the_sheet_tells_no_units_of_them(no_plates: Path, report: Report) -> None:
    (view,) = make_report(read_groups([no_plates])).views
    assert [m.text for m in kinetics_marks(view)[:1] if isinstance(m, TextLine)] == ["Kinetics"]
    first = kinetics_marks(report.views[0])[0]
    assert isinstance(first, TextLine)
    assert "N\u00b7m/kg" in first.text


def test_heads_are_broken_before_the_texts_of_a_narrow_table() -> None:
    rows = [("Hip moment, sagittal (N m/kg)", *["12"] * 7)]
    heads = ("Curve", *(f"centre of pressure {i} (%)" for i in range(7)))
    blocks = table_blocks("Shares", heads, rows, (), 170.0)
    words = [m.text for block in blocks for m in block.marks if isinstance(m, TextLine)]
    assert rows[0][0] in words
    wide = table_blocks("Shares", ("Curve", "centre of pressure (%)"), [("a", "b")], (), 170.0)
    assert "centre of pressure (%)" in [
        m.text for block in wide for m in block.marks if isinstance(m, TextLine)
    ]


def test_turning_strides_have_no_band_of_straight_walking_behind_them(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaitdyn.report.groups.turns", lambda _: True)
    _, sheet = load_sheets(report)[0]
    assert not any(w.text.startswith("Grey: ") for w in words_of([sheet]))
    assert not [m for m in sheet.marks if isinstance(m, Area) and m.name == "band"]


def test_only_sheets_with_bands_say_what_is_grey(report: Report) -> None:
    told = {
        name: any(w.text.startswith("Grey: ") for w in words_of([sheet]))
        for name, sheet in load_sheets(report)
    }
    assert told["Moments, powers, ground force"]
    assert not told["Net joint forces"]


def test_sideways_forces_of_both_feet_have_no_band_of_left_ones(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[set[str]] = []
    band = next(iter(report.bands.values()))
    monkeypatch.setattr(type(report), "bands", {"grf_y": band, "grf_z": band})
    monkeypatch.setattr(
        "gaitdyn.report.grid_sheets.grid_sheet", lambda *words: told.append({*words[-1].bands})
    )
    load_sheets(report)
    assert told[0] == {"grf_y"}


def test_a_comparison_without_loads_has_a_sheet_a_side_and_one_of_the_patient(
    compared: Report,
) -> None:
    bare = replace(
        compared,
        views=tuple(replace(v, curves={k: one for k, one in v.curves.items()
                                       if "angle" in k[1]}) for v in compared.views),
    )  # fmt: skip
    sheets = clinic_sheets(bare)
    assert len(sheets) == 6
    shown = [{w.text for w in words_of([sheet])} for sheet in sheets]
    assert ["What changed" in words for words in shown] == [False] * 3 + [True] * 2 + [False]
    assert {"Patient", "Interpretation"} <= shown[-1]


@pytest.mark.parametrize("change", [lambda r: r, long_labels])
@pytest.mark.parametrize("kind", ["report", "compared"])
def test_nothing_of_the_four_lies_beyond_its_sheet(
    kind: str, change: Any, request: pytest.FixtureRequest
) -> None:
    for sheet in clinic_of(change(request.getfixturevalue(kind))):
        for mark in sheet.marks:
            left, low, right, high = extent(mark)
            assert left >= 5.0, mark
            assert right <= sheet.width_mm - 5.0, mark
            assert high <= sheet.height_mm - 5.0, mark
            assert low >= 5.0, mark


@pytest.mark.parametrize("norm", ["", "norm: own controls, at this speed; \u2193 \u2191 far " * 2])
def test_below_a_tall_floor_plan_the_timing_stands_above_the_foot(
    report: Report, monkeypatch: pytest.MonkeyPatch, norm: str
) -> None:
    """The cadence on two belts stood in the line with the version."""
    monkeypatch.setattr("gaitdyn.report.paper.grids.peak_norm_words", lambda *_: norm)
    monkeypatch.setattr("gaitdyn.report.paper.grids.floor_drawing", lambda _: ([], 168.0))
    texts = [m for m in kinetics_marks(report.views[0]) if isinstance(m, TextLine)]
    assert min(text.y for text in texts) > FOOT_MM


def test_the_four_sheets_hold_the_numbers_of_the_first_screen(report: Report) -> None:
    view = report.views[0]
    words = " ".join(w.text for w in words_of(clinic_of(report)))
    for row in view.numbers:
        for value in row.values.values():
            assert value is not None
            assert f"{value:.{row.digits}f}" in words
    for line in view.side_lines:
        assert line.text.split(":")[0] in words
    for one in shown_findings(view):
        assert one.words in words  # broken into lines, none left out


def test_a_long_title_of_a_finding_is_whole_and_ends_before_its_size(report: Report) -> None:
    long = "Left internal hip moment more extensor"
    sizes = (("L", "0.6", " N\u00b7m/kg"), ("R", "0.4", " N\u00b7m/kg"))
    finding = replace(shown_findings(report.views[0])[0], words=long, sizes=sizes)
    marks = _finding(finding, 200.0, 100.0, 22.0)
    titles = [m for m in marks if isinstance(m, TextLine) and m.bold and m.align == "left"]
    numbers = [m for m in marks if isinstance(m, TextLine) and m.bold and m.align == "right"]
    assert " ".join(m.text for m in titles) == long
    assert [m.text for m in numbers] == ["L 0.6", "R 0.4"]
    assert max(extent(m)[2] for m in titles) < min(extent(m)[0] for m in numbers)


def test_means_are_heavy_and_incomplete_strides_pale_and_in_no_mean(session: Path) -> None:
    (group,) = read_groups([session / "walk01"])
    report = make_report([group])
    sheets = clinic_of(report)
    angles, loads = (means_of(sheets[i]) for i in (1, 2))
    assert angles.count("left mean") == angles.count("right mean") == 11
    assert not [name for name in angles if name.endswith("incomplete")]
    assert loads.count("left mean") == loads.count("right mean") == 10
    assert [name for name in loads if name == "right incomplete"]
    shown = report.views[0].curves["right", "hip_moment_extension"]
    assert (len(shown.whole), len(shown.partial)) == (1, 1)
    np.testing.assert_array_equal(shown.mean, shown.whole[0])


def test_without_a_norm_there_is_no_band_and_no_strip(session: Path) -> None:
    sheets = clinic_sheets(make_report(read_groups([session])))
    names = {m.name for s in sheets for m in s.marks if isinstance(m, Area)}
    assert not {name for name in names if name == "band" or name.endswith("strip")}
    assert "No norm given" in [w.text for w in words_of(sheets[:1])]


# ---------------------------------------------------------------- the file


@pytest.mark.slow
def test_the_type_is_embedded_as_truetype(content: bytes) -> None:
    found = inflated(content)
    assert b"/FontFile2" in found
    assert b"/Type3" not in found
    assert b"Inter" in found


@pytest.mark.slow
def test_pages_of_the_file_are_as_large_as_their_sheets(
    content: bytes, sheets: list[Sheet]
) -> None:
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", inflated(content))
    sizes = [(float(w) * 25.4 / 72, float(h) * 25.4 / 72) for w, h in boxes]
    assert sizes == [pytest.approx((s.width_mm, s.height_mm), abs=0.01) for s in sheets]


@pytest.mark.slow
def test_the_file_says_what_it_is_and_not_when_or_where(content: bytes) -> None:
    assert content.startswith(b"%PDF-")
    assert b"/Creator (gaitdyn)" in content
    assert b"/Title (Gait report: 2 trials: walk01, walk02)" in content
    assert b"/CreationDate" not in content
    assert b"/tmp" not in inflated(content)
    assert tempfile.gettempdir().encode() not in inflated(content)


@pytest.mark.slow
def test_the_same_report_gives_the_same_bytes(session: Path, norm_file: Path) -> None:
    def again() -> bytes:
        groups = read_groups([session / "walk01"])
        stream = BytesIO()
        sheets = annex_sheets(make_report(groups, read_norm(norm_file)))
        write_pdf([sheets[0], page_of(sheets, ORDER[1])], stream, "Gait report")
        return stream.getvalue()

    assert again() == again()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext")
def test_the_text_of_the_file_has_the_numbers_of_the_tables(
    report: Report, content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    done = subprocess.run(  # the program of poppler
        [str(shutil.which("pdftotext")), "-layout", "-enc", "UTF-8", str(path), "-"],
        capture_output=True,
        check=True,
    )
    lines = {" ".join(line.split()) for line in done.stdout.decode("utf-8").splitlines()}
    for table in (*report.parameters, *report.bursts):
        for row in table.rows:
            head, *cells = (cell for cell in row if cell)
            numbers = " ".join(cells)
            same = [line.removesuffix(numbers) for line in lines if line.endswith(numbers)]
            assert any(line.strip() and head.startswith(line.strip()) for line in same)
    pages = done.stdout.decode("utf-8").split("\f")
    firsts = [page.split("\n")[0].strip() for page in pages]
    assert [first for first in firsts if first in ORDER] == list(ORDER)


def test_a_name_that_the_type_lacks_is_printed_without_a_warning(
    session: Path, tmp_path: Path
) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")

    def named(document: Any) -> None:
        document["inputs"][0]["name"] = "\u0448\u0430\u0433 \u6b65\u6001 \U0001f6b6 $x$ \u00f1.c3d"

    build.change_json(folder / "result.json", named)
    report = make_report([Group("", (read_trial(folder),))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stream = BytesIO()
        write_pdf(annex_of(report)[:1], stream, f"Gait report: {report.title}")
    assert stream.getvalue().startswith(b"%PDF-")


def test_sheets_of_angles_and_of_loads_each_have_one_key(report: Report) -> None:
    for sheet in clinic_sheets(report)[1:3]:
        texts = [word.text for word in words_of([sheet])]
        for words in ("left", "norm \u00b11 SD", "foot-off"):
            assert texts.count(words) == 1, words


def test_a_key_below_five_columns_explains_the_strips(report: Report) -> None:
    drawn = report.views[0].drawn
    texts = [mark.text for mark in key_below(drawn) if isinstance(mark, TextLine)]
    assert "outside: possible, clear" in texts
    assert drawn.judged


def test_the_key_of_a_figure_for_print_ends_inside_it_and_explains_the_strips(
    report: Report,
) -> None:
    """Its last words were cut off at the right edge, and the strips were not explained."""
    view = report.views[0]
    marks = figure_sheet(view.kinetics, view.drawn).marks
    key = [mark for mark in marks if isinstance(mark, TextLine) and mark.name == "key"]
    assert {"95 % stay inside", "outside: possible, clear"} <= {mark.text for mark in key}
    assert max(mark.x + text_width(mark.text, mark.size_pt) for mark in key) < WIDE_MM
    assert min(mark.y for mark in key) > 0.0
    panels = [mark.y for mark in marks if isinstance(mark, TextLine) and mark.name == "percent"]
    assert max(mark.y for mark in key) < min(panels) - 3.0  # mm
