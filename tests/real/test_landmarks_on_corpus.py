"""Labels of 24 laboratories become landmarks, their own spellings known or left out."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRUTH = ROOT.parent / "shared" / "accept" / "landmarks.csv"
BENCHMARKS = ROOT / "benchmarks"
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not TRUTH.is_file(), reason="../shared/accept/landmarks.csv is not there"),
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="benchmarks are not in this copy"),
]
GATE, LOWEST, WRONG = 0.97, 0.85, 0.003
KNOWN = 0.99


@pytest.fixture
def reach(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("reach")


@cache
def counts(left_out: bool) -> Any:
    reach = importlib.import_module("reach")
    return reach.count_all(reach.truths(), left_out=left_out)


def share(count: Any) -> float:
    return count.right / count.total


def test_known_laboratories_are_read_but_for_toes_that_stand_elsewhere(reach: Any) -> None:
    whole = reach.total_of(counts(left_out=False))
    assert share(whole) >= KNOWN
    assert whole.wrong <= WRONG * whole.total, whole.misses
    assert whole.silent == 0, whole.misses


def test_laboratories_that_were_never_met_are_read(reach: Any) -> None:
    whole = reach.total_of(counts(left_out=True))
    assert share(whole) >= GATE, whole.misses
    assert whole.wrong <= WRONG * whole.total, whole.misses
    assert whole.silent == 0, whole.misses


def test_no_laboratory_is_lost(reach: Any) -> None:
    found = counts(left_out=True)
    low = {lab: count.misses for lab, count in found.items() if share(count) < LOWEST}
    assert low == {}


def test_the_table_of_spellings_is_that_of_the_labels_as_met(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spellings = importlib.import_module("spellings")
    shipped = spellings.OURS.read_text(encoding="utf-8")
    monkeypatch.setattr(spellings, "OURS", tmp_path / "spellings.csv")
    monkeypatch.setattr(spellings, "ROOT", tmp_path)
    spellings.main()
    assert (tmp_path / "spellings.csv").read_text(encoding="utf-8") == shipped
