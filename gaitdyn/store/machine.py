"""What the numbers were computed with: the machine, Python and the libraries."""

from __future__ import annotations

import platform
import sys
from functools import lru_cache
from pathlib import Path

LIBRARIES = ("numpy", "scipy", "ezc3d")
"""Those whose version can change a number."""


@lru_cache(maxsize=1)
def _facts() -> tuple[tuple[str, str], ...]:
    system = f"{platform.system()} {platform.release()}".strip()
    found = [("system", system), ("machine", platform.machine())]
    found.append(("python", platform.python_version()))
    return (*found, *((name, _version(name)) for name in LIBRARIES))


def _version(name: str) -> str:
    """Return the version of an installed library, ``unknown`` without it.

    The name of its folder of metadata tells it; what else can tell loads Python's readers of mail.
    """
    for place in map(Path, sys.path):
        for found in place.glob(f"{name}-*.dist-info") if place.is_dir() else ():
            return found.stem.rpartition("-")[2]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def machine() -> dict[str, str]:
    """Return ``system``, ``machine``, ``python``, ``numpy``, ``scipy`` and ``ezc3d``."""
    return dict(_facts())
