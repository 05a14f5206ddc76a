"""Real trials as other laboratories would have recorded them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def retold(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module that tells trials otherwise; skip where it is not."""
    if not BENCHMARKS.is_dir():
        pytest.skip("benchmarks are not in a source distribution")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("retold")
    monkeypatch.setattr(module, "CORPUS", shared / "corpus")
    return module
