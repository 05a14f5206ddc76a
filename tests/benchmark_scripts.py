"""The scripts of benchmarks/ as modules, for tests of what they measure."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"


def script(name: str) -> ModuleType:
    """Return a script as a module; the test is skipped where the folder is not shipped."""
    path = FOLDER / f"{name}.py"
    if not path.is_file():
        pytest.skip("benchmarks/ is not here")
    spec = spec_from_file_location(f"benchmarks_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))  # scripts import each other by name
    spec.loader.exec_module(module)
    return module
