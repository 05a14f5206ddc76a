"""Workers of a run of tests compile each module once between them."""

from __future__ import annotations

import sys

import pytest

from tests.compiled_once import LIBRARIES, ROOT, compile_part, part


@pytest.fixture(autouse=True)
def writing(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.mark.parametrize("count", [2, 3])
def test_every_module_belongs_to_one_worker(count):
    parts = [part(number, count) for number in range(count)]
    assert sum((one.libraries for one in parts), ()) == sum(LIBRARIES, ())
    product = [path for one in parts for path in one.product]
    tests = [path for one in parts for path in one.tests]
    assert len(set(product)) == len(product) > 500
    assert len(set(tests)) == len(tests) > 200
    assert ROOT / "gaitdyn" / "pipeline.py" in product
    assert ROOT / "tests" / "unit" / "test_compiled_once.py" in tests


def test_a_worker_alone_and_one_that_writes_nothing_compile_nothing_ahead(monkeypatch):
    assert not any(part(0, 1))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert not any(part(0, 2))


def test_what_cannot_be_imported_is_left_to_who_collects_it(tmp_path, monkeypatch):
    (tmp_path / "tests").mkdir()
    broken = tmp_path / "tests" / "test_broken.py"
    broken.write_text("raise RuntimeError\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    product = tmp_path / "product.py"
    product.write_text("VALUE = 1\n", encoding="utf-8")
    monkeypatch.setattr("tests.compiled_once.ROOT", tmp_path)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "compiled"))
    compile_part(
        part(0, 2)._replace(libraries=("no_such_library",), product=[product], tests=[broken])
    )
    written = {path.name.split(".")[0] for path in tmp_path.rglob("*.pyc")}
    assert written == {"product", "test_broken"}
