"""The validation pages, their index and the rows of the mutation check fit what they speak of."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gaitdyn.quality.rules.table import load_rules

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "benchmarks"
pytestmark = pytest.mark.skipif(
    not BENCHMARKS.is_dir(), reason="benchmarks are not in a source distribution"
)


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((BENCHMARKS / name).read_text(encoding="utf-8"))


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


def test_every_row_of_the_mutation_check_changes_its_symbol(benchmark: Any) -> None:
    rows = benchmark("mutation_rows")
    for file, table in read("mutations.toml")["file"].items():
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert all((ROOT / "tests" / name).exists() for name in table["tests"]), file
        for symbol, name, old, new in table["rows"]:
            assert rows.place(tree, symbol, old)
            assert rows.dumped(rows.pieces(old)) != rows.dumped(rows.pieces(new)), (file, name)
    assert all(any(ROOT.glob(pattern)) for pattern in read("mutations.toml")["terms"])


def test_a_row_is_held_by_the_syntax_of_its_symbol(benchmark: Any) -> None:
    rows = benchmark("mutation_rows")
    text = "def f(a, b):\n    return (a\n        - b) * 2\n\n\nWORDS = {'a': 1, 'b': 1}\n"
    assert "return (a + b) * 2" in rows.changed(text, "f", "a - b", "a + b")
    assert "{'a': 1, 'b': 2}" in rows.changed(text, "WORDS", "'b': 1", "'b': 2")
    assert "def f(a, b):\n    pass" in rows.changed(text, "f", "return (a - b) * 2", "pass")
    for symbol, old, why in (("g", "a - b", "g is not there"), ("WORDS", "1", "stands 2 times")):
        with pytest.raises(ValueError, match=why):
            rows.changed(text, symbol, old, "0")


def test_what_changes_nothing_is_still_there(benchmark: Any) -> None:
    terms = benchmark("mutation_terms")
    for file, change, why in read("mutations.toml")["no_change"]:
        found = terms.changes((ROOT / file).read_text(encoding="utf-8"))
        assert change in [one.name for one in found], file
        assert why


def test_a_change_is_first_shown_to_the_test_that_saw_it_also_in_a_file_that_moved(
    benchmark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutations, page = benchmark("mutations"), tmp_path / "mutations.md"
    page.write_text(
        "| dynamics/old.py | no weight | unit/test_a.py::test_b |\n"
        "| dynamics/here.py | turned | unit/test_a.py::test_c stops: TypeError |\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(mutations, "PAGE", page)
    wanted = {
        ("gaitdyn/dynamics/here.py", "turned", "unit/test_a.py"): "unit/test_a.py::test_c",
        ("gaitdyn/dynamics/new.py", "no weight", "unit/test_a.py"): "unit/test_a.py::test_b",
        ("gaitdyn/dynamics/new.py", "no weight", "unit/test_d.py"): "",
        ("gaitdyn/dynamics/here.py", "gone", "unit/test_a.py"): "",
    }
    every = [mutations.Mutation(name, file, "", [test]) for file, name, test in wanted]
    assert [one.likely for one in mutations.seen_before(every)] == list(wanted.values())


def test_terms_and_signs_of_a_sum_a_minus_and_a_cross_product_are_changed(benchmark: Any) -> None:
    terms = benchmark("mutation_terms")
    text = "def f(a, b, c):\n    return a[-1] + c - cross(-b, c[1:])\n"
    found = terms.changes(text)
    made = [ast.unparse(ast.parse(terms.applied(text, one)).body[0].body[0].value) for one in found]
    assert made == [
        "+c - cross(-b, c[1:])",
        "-a[-1] + c - cross(-b, c[1:])",
        "+a[-1] - cross(-b, c[1:])",
        "+a[-1] - c - cross(-b, c[1:])",
        "+a[-1] + c",
        "+a[-1] + c + cross(-b, c[1:])",
        "a[-1] + c - -cross(-b, c[1:])",
        "a[-1] + c - cross(b, c[1:])",
    ]


def test_the_index_tells_every_page_its_command_and_its_number(benchmark: Any) -> None:
    pages = benchmark("all_pages")
    index = (ROOT / "reports" / "validation" / "README.md").read_text(encoding="utf-8")
    for entry in read("pages.toml")["page"]:
        told = pages.headline(entry)
        assert told not in ("not written", "see the page"), entry["name"]
        assert f"| {told.replace('|', chr(92) + '|')} |" in index, entry["name"]
        assert f"`python benchmarks/{entry['command']}`" in index
        assert (BENCHMARKS / entry["command"].split()[0]).is_file()


def test_every_page_of_the_folder_is_in_the_index() -> None:
    told = {entry["name"] for entry in read("pages.toml")["page"]}
    there = {path.stem for path in (ROOT / "reports" / "validation").glob("*.md")}
    assert there - told == {"README"}


def test_what_is_remembered_is_computed_once_and_handed_out_as_a_copy(
    benchmark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def twice(values: Any) -> Any:
        asked.append(float(values[0]))
        return 2.0 * values

    room = ModuleType("gaitdyn.room")
    room.__dict__["twice"] = twice
    monkeypatch.setitem(sys.modules, room.__name__, room)
    with benchmark("remembered").remembered(twice):
        found = room.twice(np.ones(2))
        found[:] = 0.0
        assert room.twice(np.ones(2)).tolist() == [2.0, 2.0]
        assert room.twice(np.full(2, 3.0)).tolist() == [6.0, 6.0]
    assert asked == [1.0, 3.0]
    assert room.twice is twice


def test_where_markers_blink_all_rules_that_empty_moments_are_asked(benchmark: Any) -> None:
    emptying = {rule.code for rule in load_rules().rows if rule.empties}
    modules = {sys.modules[rule.__module__] for rule in benchmark("blink").EMPTYING}
    told = "".join(inspect.getsource(module) for module in modules)
    assert {code for code in emptying if f'"{code}"' in told} == emptying != set()


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("", "laboratories"), ("20", ""), ("20 --page", "laboratories"), ("500", "laboratories"),
        ("--harder", "laboratories-harder"), ("250 --harder", "laboratories-harder"),
        ("500 --harder", ""), ("--dialect german", ""),
    ],
)  # fmt: skip
def test_only_a_whole_run_of_laboratories_writes_its_page(
    words: str, page: str, monkeypatch: pytest.MonkeyPatch, benchmark: Any
) -> None:
    laboratories, written = benchmark("laboratories"), list[str]()
    monkeypatch.setattr(laboratories, "outcomes", lambda *_, **__: [])
    monkeypatch.setattr(laboratories, "page", lambda *_: [])
    monkeypatch.setattr(laboratories, "write", lambda name, _: written.append(name))
    monkeypatch.setattr(sys, "argv", ["laboratories.py", *words.split()])
    assert laboratories.main() == 0
    assert written == [page] * bool(page)
