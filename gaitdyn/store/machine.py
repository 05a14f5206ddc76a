"""Identify the machine, the Python version and the libraries of a run."""

from __future__ import annotations

import platform
import sys
from functools import lru_cache
from pathlib import Path

LIBRARIES = ("numpy", "scipy", "ezc3d")
"""Libraries whose version can change a number."""


@lru_cache(maxsize=1)
def _facts() -> tuple[tuple[str, str], ...]:
    return (
        ("system", f"{platform.system()} {platform.release()}".strip()),
        ("machine", platform.machine()),
        ("python", platform.python_version()),
        *((name, _version(name)) for name in LIBRARIES),
    )


def _version(name: str) -> str:
    """Return the version of an installed library, ``unknown`` if it is not installed.

    The version is taken from the name of the metadata folder: ``importlib.metadata`` would load
    Python's e-mail package.
    """
    for folder in map(Path, sys.path):
        for metadata in folder.glob(f"{name}-*.dist-info") if folder.is_dir() else ():
            return metadata.stem.rpartition("-")[2]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def machine() -> dict[str, str]:
    """Return ``system``, ``machine``, ``python``, ``numpy``, ``scipy`` and ``ezc3d``."""
    return dict(_facts())
