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
from types import ModuleType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
LIBRARIES = (
    ("sympy", "scipy.signal"),
    ("pandas", "matplotlib.figure", "ezc3d", "typer", "rich.console", "jinja2"),
)
"""Large ones, in two halves of about the same time."""


class Part(NamedTuple):
    """What one worker takes upon itself: names of libraries, files of gaitdyn and of tests."""

    libraries: tuple[str, ...]
    product: list[Path]
    tests: list[Path]


def part(number: int, count: int) -> Part:
    """Return the part of a worker, by its number from 0; one that is alone has nothing to share."""
    if count < 2 or sys.dont_write_bytecode:
        return Part((), [], [])
    product = [*ROOT.glob("gaitdyn/**/*.py"), *ROOT.glob("cli/gaitdyn_cli/**/*.py")]
    tests = ROOT.glob("tests/*/test_*.py")
    libraries = LIBRARIES[number] if number < len(LIBRARIES) else ()
    return Part(libraries, sorted(product)[number::count], sorted(tests)[number::count])


def compile_part(own: Part) -> None:
    """Compile a part; what goes wrong is told by whoever imports it then."""
    for name in own.libraries:
        with suppress(ImportError):
            import_module(name)
    for path in own.product:
        compile_file(path, quiet=2)
        _keep_constants(path)
    for path in own.tests:  # imported, since pytest writes their assertions anew
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        _keep_constants(path)


def _keep_constants(path: Path) -> None:
    """Let hypothesis keep the constants of a file, of which it makes examples, in its own folder.

    It reads all files of a project when tests have been collected, in each worker.
    """
    with suppress(ImportError):
        from hypothesis.internal.constants_ast import constants_from_module

        module = ModuleType(path.stem)
        module.__file__ = str(path)
        constants_from_module(module)
