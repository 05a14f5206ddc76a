"""The page on paper: the clinician's sheets across, no controls, nothing of the engineer's."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from gaitdyn.report import make_report, pooled, write_report
from gaitdyn.store import read_trial
from gaitdyn.store.stored import trial_of_result
from tests.browser.driven_page import DrivenPage
from tests.read_back import inflated
from tests.unit.emg_trials import burst, emg_of, phase, trial

pytestmark = pytest.mark.browser


@pytest.fixture
def on_paper(driven):
    """The main page as it is laid out for a sheet of A4 across."""
    driven.page.set_viewport_size({"width": 1047, "height": 728})
    driven.page.emulate_media(media="print")
    yield driven
    driven.page.emulate_media(media="null")
    driven.page.set_viewport_size({"width": 1440, "height": 900})


def test_controls_are_not_printed_and_panels_are(on_paper):
    page = on_paper.page
    for hidden in (".bar", "nav", "[data-play]", ".btn", ".seg", "details.tb", ".skip", "textarea"):
        assert page.locator(f"{hidden}:visible").count() == 0, hidden
    assert not page.is_visible("#engineer")
    assert page.locator("#kinematics .panel:visible").count() == 11
    assert page.locator('[data-grid="kinetics"] .panel:visible').count() == 10
    tops = on_paper.texts(".paper.top span:last-child")
    assert tops == ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]


def test_a_printed_sheet_cuts_nothing(on_paper):
    overflow = on_paper.page.evaluate(
        """() => [...document.querySelectorAll("section.sc")].map((s) =>
        [s.id, s.scrollHeight - s.clientHeight, s.scrollWidth - s.clientWidth])"""
    )
    assert [name for name, high, wide in overflow if high > 2 or wide > 2] == []


def test_panels_stand_in_four_columns(on_paper):
    columns = on_paper.page.evaluate(
        "() => [...document.querySelectorAll('.view .card > .grid')].map(g =>"
        " getComputedStyle(g).gridTemplateColumns.split(' ').length)"
    )
    assert set(columns) == {4}


def test_five_columns_stay_five_on_paper_with_larger_numbers(on_paper):
    columns, size = on_paper.page.evaluate(
        """() => {
        const grid = document.querySelector("#kinematics .grid");
        grid.className = "grid g5";
        const told = [getComputedStyle(grid).gridTemplateColumns.split(" ").length,
                      getComputedStyle(grid.querySelector("text:not([font-weight])")).fontSize];
        grid.className = "grid g4";
        return told;
        }"""
    )
    assert (columns, size) == (5, "118px")


def test_the_pdf_of_the_page_has_four_sheets_across_with_embedded_type(driven, tmp_path):
    file = tmp_path / "page.pdf"
    driven.page.pdf(path=file, prefer_css_page_size=True)
    content = file.read_bytes()
    assert content.startswith(b"%PDF")
    boxes = boxes_of(content)
    assert len(boxes) == 4
    assert {(round(float(w)), round(float(h))) for w, h in boxes} == {(842, 595)}
    assert b"/FontFile2" in inflated(content)


HIP = ("Gluteus maximus", "Gluteus medius", "Adductor longus", "Sartorius", "TFL", "Iliopsoas")


@pytest.mark.parametrize("loads", [True, False])
def test_six_rows_of_muscles_fit_a_sheet_in_the_columns_of_the_joints(
    loads, chromium, make_results, tmp_path
):
    """The fourth row was cut, the later ones lost, and the joints were not written."""
    labels = [f"{side} {word}" for word in (*HIP, "Soleus", "Vastus medialis") for side in "LR"]
    signals = {
        label: burst(phase(4500, {"L": 0.2, "R": 0.7}[label[0]], 1), 0.1, 0.4, seed)
        for seed, label in enumerate(labels)
    }
    muscles = trial(signals)
    stored = trial_of_result(muscles)
    stored = replace(read_trial(make_results()), emg=emg_of(muscles)) if loads else stored
    write_report(make_report(pooled([stored])), [tmp_path / "report.html"])
    driven = DrivenPage.opened(chromium, tmp_path / "report.html")
    driven.page.set_viewport_size({"width": 980, "height": 728})
    order = driven.texts('[data-grid="muscles"] h3')
    assert order == [word.replace("TFL", "Tensor fasciae latae") for word in HIP] + [
        "Vastus medialis", "Soleus",
    ]  # fmt: skip
    driven.page.emulate_media(media="print")
    assert driven.texts(".emg .heads span:visible") == ["Hip", "Knee", "Ankle", ""]
    bottom, sheet, lefts = driven.page.evaluate(
        """() => { const grid = document.querySelector('[data-grid="muscles"]');
        const shown = [...grid.querySelectorAll(".panel")].map((p) => p.getBoundingClientRect());
        return [Math.max(...shown.map((r) => r.bottom)),
          grid.closest("section").getBoundingClientRect().bottom,
          shown.map((r) => Math.round(r.left))]; }"""
    )
    driven.page.context.close()
    assert bottom < sheet
    assert lefts == sorted(lefts)
    assert [lefts.count(left) for left in sorted(set(lefts))] == [6, 1, 1]


def boxes_of(content: bytes) -> list[tuple[bytes, bytes]]:
    """Return the sizes of the sheets of a PDF."""
    return re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", inflated(content))


def test_the_print_has_the_sheets_of_the_report(open_page, make_results, norm_file, tmp_path):
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.report import make_report, read_groups
    from gaitdyn.report.paper.clinic import clinic_sheets

    folders = [make_results(), make_results(moments_in="jcs")]
    for chosen in (folders[:1], folders):
        page = open_page(*chosen, norm=norm_file, compare=len(chosen) > 1).page
        groups = read_groups(chosen, compare=len(chosen) > 1)
        sheets = clinic_sheets(make_report(groups, read_norm(norm_file)))
        page.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
        assert len(boxes_of((tmp_path / "page.pdf").read_bytes())) == len(sheets)
        page.click("#to-engineer")  # its part is an annex: the print stays the clinician's
        page.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
        assert len(boxes_of((tmp_path / "page.pdf").read_bytes())) == len(sheets)
        page.click("#to-engineer")


def test_timing_is_printed_beside_the_loads_and_an_empty_comment_is_not(on_paper):
    page = on_paper.page
    assert page.locator("#kinetics h3:visible", has_text="Timing").count() == 1
    assert page.locator("#patient h3:visible", has_text="Comments").count() == 0
    assert page.locator(".paper.foot:visible").count() == 3


def test_long_comments_are_printed_whole_and_line_by_line(open_page, make_results, tmp_path):
    page = open_page(make_results()).page
    remarks = "\n".join(f"remark {i}" for i in range(80))
    page.fill("#comments", remarks)
    page.emulate_media(media="print")
    assert page.inner_text(".kept") == remarks
    sizes = page.evaluate(
        "(s => [s.scrollHeight, s.clientHeight])(document.getElementById('patient'))"
    )
    assert sizes[0] <= sizes[1] + 2
    page.emulate_media(media="null")
    page.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
    assert len(boxes_of((tmp_path / "page.pdf").read_bytes())) > 4


def test_the_dark_theme_is_not_printed(driven):
    page = driven.page
    page.emulate_media(color_scheme="dark", media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="dark", media="screen")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="light", media="null")
