"""Real trials as other laboratories would have recorded them; scripts of acceptance."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
PIG = ("pig", "pig_upper")
"""Scripts of the shared folder that run the command by ``pig.run``; the second changes tables of
the first."""


@pytest.fixture
def retold(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module that tells trials otherwise; skip where it is not."""
    if not BENCHMARKS.is_dir():
        pytest.skip("benchmarks are not in a source distribution")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("retold")
    monkeypatch.setattr(module, "CORPUS", shared / "corpus")
    return module


@pytest.fixture
def accepted(
    shared: Path,
    gaitdyn: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str]]:
    """Run a script of :data:`PIG` with the words of its command line; return exit code and text."""

    def run(name: str, *words: object) -> tuple[int, str]:
        monkeypatch.syspath_prepend(shared / "accept")
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        for known in PIG:
            monkeypatch.delitem(sys.modules, known, raising=False)
        module = importlib.import_module(name)
        commands = SimpleNamespace(run=lambda command, **_: gaitdyn(*command[1:]))
        monkeypatch.setattr(importlib.import_module("pig"), "subprocess", commands)
        monkeypatch.setattr(sys, "argv", [name, *map(str, words)])
        return module.main(), capsys.readouterr().out

    return run
