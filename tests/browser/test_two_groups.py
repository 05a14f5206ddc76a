"""Two trials compared: views of each, one side at a time, changes in words."""

from __future__ import annotations

import pytest

from gaitdyn.synthetic import Recording, Walker, write_session

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def compared(open_page, make_results, norm_file, tmp_path_factory):
    """The page of the walker's first and second trial."""
    session = tmp_path_factory.mktemp("two")
    write_session(session, Walker(), Recording(), trials=2)
    folders = [make_results(session / f"walk0{i}.c3d") for i in (1, 2)]
    return open_page(*folders, norm=norm_file, compare=True)


def test_each_group_has_its_view(compared):
    page = compared.page
    assert compared.at_opening == []
    assert page.inner_text("h1") == "walk01 against walk02"
    assert compared.texts("[data-view]") == ["walk01", "walk02"]
    assert page.get_attribute('[data-view="1"]', "aria-pressed") == "true"  # the later one
    after = compared.panels()
    page.click('[data-view="0"]')
    assert page.is_visible("#summary-0")
    assert not page.is_visible("#summary")
    before = compared.panels()
    assert before.keys() == after.keys()
    assert page.input_value('[data-view-of="0"] [data-stride]') == "0-0"
    page.click('[data-view="1"]')
    assert page.is_visible("#summary")
    assert compared.problems == []


def test_one_side_is_compared_at_a_time_by_shade(compared):
    page = compared.page
    for side in ("Left", "Right"):
        page.locator("#compare").get_by_role("button", name=side, exact=True).click()
        pairs = page.locator(".pair:visible")
        assert pairs.count() == 1
        assert pairs.get_attribute("data-side") == side[0]
        assert pairs.locator("div.s2 .card > .grid .panel").count() == 11
        assert pairs.locator("details .panel").count() == 10
        both = pairs.locator("svg").first.evaluate(
            "s => [...s.querySelectorAll('path.mean')].slice(0, 2)"
            ".map(p => [p.getAttribute('class'), p.getAttribute('stroke-dasharray')])"
        )
        assert [(kind.split()[0], bool(dash)) for kind, dash in both] == [
            (f"{side[0]}p", True), (side[0], False),
        ]  # fmt: skip
        assert pairs.locator(".say2").inner_text().startswith("GPS ")


def test_the_compared_loads_are_printed_and_closed_again(compared):
    page = compared.page
    loads = page.locator(".pair .loads")
    for view, label in ((0, "walk01"), (1, "walk02")):
        page.click(f'[data-view="{view}"]')
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert loads.locator(".panel:visible").count() == 2 * 10
        tops = page.locator(".paper.top span:last-child:visible").all_inner_texts()
        first = page.locator(".sc:visible").first.inner_text()
        page.emulate_media(media="null")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert loads.evaluate_all("all => all.some(one => one.open)") is False
        assert page.locator(".pair:visible").count() == 1
        assert tops == [f"{i} of 8" for i in range(1, 9)]  # of the group that is shown alone
        assert f", {label}" in first
        assert "Since walk01" in first
        assert page.locator("#clinic > .since").count() == 1


def test_a_change_stands_beside_what_it_must_pass(compared):
    page = compared.page
    rows = page.locator(".pair:visible .rail .tab:not(.told) tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert rows[0] == ["", "A", "B", "B \u2212 A"]
    assert [row[0] for row in rows[1:3]] == ["GPS", "Pelvic tilt"]
    told = page.locator(".say2:visible").inner_text()
    assert told.endswith("to matter (1.6\u00b0).")
    assert "remeasurement" not in told  # both trials used one static
    assert "The markers stayed on" in page.locator(".pair:visible .below").first.inner_text()
    told = page.locator(".pair:visible .verdicts tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert len(told) > 15
    assert {"knee flexion", "ankle plantarflexion moment"} <= {curve for curve, _, _ in told}
    assert {word for _, word, _ in told} <= {"clear", "possible", "not shown", "not judged"}
    for _, word, sentence in told:
        assert ("less than" in sentence) == (word == "not shown")


def test_the_first_screen_says_what_changed(compared):
    lines = compared.texts(".since li")
    assert lines[0].startswith(("Left: GPS", "Right: GPS"))
    assert 2 <= len(lines) <= 5


_HEAD_BESIDE_A_LONG_LINE = """head => {
  const line = document.querySelector(".since li"), text = line.textContent;
  line.textContent = "left knee less flexed, ".repeat(20);
  const whole = head.scrollWidth <= head.clientWidth;
  line.textContent = text;
  return whole;
}"""


def test_the_name_of_the_first_session_is_whole_beside_a_long_line(compared):
    """It was "Since bef...", with room for more."""
    assert compared.page.locator(".since b").evaluate(_HEAD_BESIDE_A_LONG_LINE)


def test_the_engineer_has_the_changes_of_the_parameters(compared):
    compared.engineer()
    assert "Change" in compared.texts("#parameters th")
    compared.page.click("#to-engineer")
    assert compared.problems == []


def test_the_names_above_the_panels_are_those_of_the_pair_that_is_chosen(
    open_page, make_results, norm_file
):
    """They stayed those of the last pair."""
    folders = [make_results(), make_results(moments_in="jcs"), make_results(moments_in="proximal")]
    page = open_page(*folders, norm=norm_file, compare=True).page
    named = []
    for number in ("1", "0"):
        page.select_option("#compare-pair", number)
        named.append(page.inner_text("#compare-named"))
        keys = page.locator(".pair:visible .key span").all_inner_texts()[:2]
        assert named[-1] == ", ".join(keys)
    assert len(set(named)) == 2


_CUT = """() => {
  for (const change of document.querySelectorAll(".cmp .change")) {
    change.textContent = "shape \u221212.4 (15.6)\u00b0";
  }
  const found = [];
  for (const kind of ["grid g4", "grid g5"]) {
    const grid = document.querySelector(".pair:not([hidden]) .cmp .grid"), before = grid.className;
    grid.className = kind;
    for (const words of grid.querySelectorAll("h3, .change")) {
      const cut = words.scrollWidth > words.clientWidth;
      if (cut) found.push([kind, words.textContent]);
    }
    grid.className = before;
  }
  return found;
}"""


@pytest.mark.parametrize(("width", "media"), [(1001, "screen"), (1281, "screen"), (1047, "print")])
def test_titles_and_changes_of_compared_panels_are_whole(compared, width, media):
    """They shared a line: at 1300 px "Knee adduction (varus)" lost a third of its letters."""
    page = compared.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media=media)
    assert page.evaluate(_CUT) == []
    page.emulate_media(media="null")
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_title_with_a_remark_is_whole_in_five_columns(compared):
    page = compared.page
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1281, "height": 900})
    sizes = page.evaluate(
        """() => {
        const panel = document.querySelector(
          ".view:not([hidden]) [data-n=knee_angle_internal_rotation]");
        panel.closest(".grid").className = "grid g5";
        document.body.classList.remove("oncur");  // the readout takes the place of the remark
        const title = panel.querySelector("h3");
        panel.querySelector(".tag")?.remove();
        title.insertAdjacentHTML("afterend", '<span class="tag">knee axis?</span>');
        const sizes = [title.scrollWidth, title.clientWidth];
        panel.querySelector(".tag").remove();
        panel.closest(".grid").className = "grid g4";
        return sizes;
        }"""
    )
    assert sizes[0] == sizes[1] > 0
    page.set_viewport_size({"width": 1440, "height": 900})
