"""Workers of one run share what has to be compiled: each begins with another part of it.

All of them import everything, in the same order and at the same time, so that without compiled
files each would compile all. What one of them wrote the others read.
"""

from __future__ import annotations

import sys
from compileall import compile_file
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIBRARIES = (
    ("sympy", "scipy.signal"),
    ("pandas", "matplotlib.figure", "hypothesis", "ezc3d", "typer", "rich.console", "jinja2"),
)
"""Large ones, in two halves of about the same time."""


def compile_part(number: int, count: int) -> None:
    """Compile what the worker of a number, from 0, takes upon itself."""
    if count < 2 or sys.dont_write_bytecode:
        return
    for name in LIBRARIES[number % len(LIBRARIES)]:
        with suppress(ImportError):
            import_module(name)
    product = sorted([*ROOT.glob("gaitdyn/**/*.py"), *ROOT.glob("cli/gaitdyn_cli/**/*.py")])
    for path in product[number::count]:
        compile_file(path, quiet=2)
    for path in sorted(ROOT.glob("tests/*/test_*.py"))[number::count]:
        _import(".".join(path.relative_to(ROOT).with_suffix("").parts))


def _import(name: str) -> None:
    """Import a module of tests, whose assertions pytest writes anew; collecting tells faults."""
    with suppress(Exception, pytest.skip.Exception):
        import_module(name)
