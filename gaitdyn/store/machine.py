"""What the numbers were computed with: the machine, Python and the libraries."""

from __future__ import annotations

import platform
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("numpy", "scipy", "ezc3d")
"""Those whose version can change a number."""


@lru_cache(maxsize=1)
def _facts() -> tuple[tuple[str, str], ...]:
    system = f"{platform.system()} {platform.release()}".strip()
    found = [("system", system), ("machine", platform.machine())]
    found.append(("python", platform.python_version()))
    for name in LIBRARIES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            found.append((name, "unknown"))
    return tuple(found)


def machine() -> dict[str, str]:
    """Return ``system``, ``machine``, ``python``, ``numpy``, ``scipy`` and ``ezc3d``."""
    return dict(_facts())
