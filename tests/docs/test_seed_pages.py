"""The pages of the seed documents: every error stands once, every test named is one."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.docs.pages import ROOT, name_of

PAGES = sorted((ROOT / "docs" / "seeds").glob("*.md"))
ROWS = ROOT / "reports" / "validation" / "seeds.md"
ERRORS = ROOT / "benchmarks" / "seed_pages" / "errors.toml"
SHARED_BY_ALL = "E26"
LIMIT_BYTES = 80_000


def test_there_is_a_page_for_each_document():
    assert [page.name[:3] for page in PAGES] == ["000", "001", "002", "003", "004"]


def test_every_error_stands_on_the_page_of_its_document():
    found = [
        re.findall(r"^\*\*(E\d+)\*\*$", page.read_text(encoding="utf-8"), re.MULTILINE)
        for page in PAGES
    ]
    for codes in found:
        assert codes[-1] == SHARED_BY_ALL
    single = [code for codes in found for code in codes[:-1]]
    assert sorted(single, key=lambda code: int(code[1:])) == [f"E{n}" for n in (*range(1, 26), 27)]


@pytest.mark.skipif(not ERRORS.is_file(), reason="benchmarks/ is not here")
def test_the_errors_on_the_pages_are_those_of_the_list():
    listed = tomllib.loads(ERRORS.read_text(encoding="utf-8"))["error"]
    for error in listed:
        for number in error["page"].split():
            (page,) = (page for page in PAGES if page.name.startswith(number))
            assert error["printed"] in page.read_text(encoding="utf-8"), error["code"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_is_filled_and_its_figures_are_small_and_all_used(page):
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"<<\w+>>|\bnan\b", text)
    shown = set(re.findall(r"\(\.\./images/seeds/([\w-]+\.png)\)", text))
    drawn = {path.name for path in (ROOT / "docs/images/seeds").glob(f"{page.name[:3]}-*.png")}
    assert shown == drawn
    for name in shown:
        assert 2_000 < (ROOT / "docs/images/seeds" / name).stat().st_size < LIMIT_BYTES


def test_every_row_of_the_list_is_in_the_table_and_within_its_tolerance():
    text = ROWS.read_text(encoding="utf-8")
    numbers = set()
    for cell in re.findall(r"^\| (\d[^|]*) \|", text, re.MULTILINE):
        for part in cell.strip().split(", "):
            found = re.fullmatch(r"(\d)\.(\d+)(?:-\d\.(\d+))?", part)
            assert found is not None, part
            chapter, first, last = found.groups()
            numbers |= {f"{chapter}.{n}" for n in range(int(first), int(last or first) + 1)}
    counts = {0: 6, 1: 9, 2: 12, 3: 4, 4: 8}
    assert numbers == {f"{c}.{n}" for c, last in counts.items() for n in range(1, last + 1)}
    assert "missed" not in text


def test_every_test_named_in_the_table_is_one():
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", ROWS.read_text(encoding="utf-8"))
    assert named
    for file, name in set(named):
        assert f"def {name or 'test_'}" in (ROOT / file).read_text(encoding="utf-8"), (file, name)


def test_the_table_of_systems_names_every_system_and_its_keys():
    from gaitdyn.multibody.systems import NAMES, find

    text = (ROOT / "docs" / "multibody.md").read_text(encoding="utf-8")
    for name in NAMES:
        (row,) = re.findall(rf"^\| `{name}` \|.*$", text, re.MULTILINE)
        for parameter in find(name).parameters:
            families = [parameter.name, re.sub(r"\d$", "1", parameter.name)]
            families += [re.sub(r"_L$", "_R", parameter.name), parameter.name.split("_")[0] + "_"]
            assert any(f"`{key}`" in row for key in families), (name, parameter.name)
