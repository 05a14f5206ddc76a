"""gaitdyn: from C3D markers and force plates to joint forces and moments.

>>> import gaitdyn
>>> result = gaitdyn.process_trial("walk01.c3d", cutoff_hz=6)  # doctest: +SKIP
>>> result.verdict, result.peaks(), result.plot("knee_moment")  # doctest: +SKIP

Everything is SI inside; names of arrays end in the basis of their components (G: the laboratory,
x forward, y up, z to the right; S: the segment's own axes). Tables have the units of the results
folder.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "GaitdynError": "gaitdyn.errors",
    "Options": "gaitdyn.types.options",
    "Result": "gaitdyn.trial",
    "__version__": "gaitdyn.version",
    "errors": "gaitdyn",
    "inverse_dynamics": "gaitdyn.dynamics.inverse",
    "process_session": "gaitdyn.door",
    "process_trial": "gaitdyn.door",
    "read_results": "gaitdyn.trial",
}
"""Where each public name lives; ``__init__.pyi`` tells the same to type checkers."""

__all__ = list(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the command line starts without numpy."""
    if name not in _HOMES:
        raise AttributeError(f"module 'gaitdyn' has no attribute {name!r}")
    home = _HOMES[name]
    return (
        import_module(f"gaitdyn.{name}")
        if home == "gaitdyn"
        else getattr(import_module(home), name)
    )


def __dir__() -> list[str]:
    return sorted(__all__)
