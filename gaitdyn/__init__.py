"""gaitdyn: from C3D markers and force plates to joint forces and moments.

>>> import gaitdyn
>>> result = gaitdyn.process_trial("data/walk01.c3d", cutoff_hz=6)
>>> result.verdict, result.peaks().shape, result.to_frame().shape
('pass', (268, 10), (331, 119))

All attributes are in SI units. Names of arrays end in the basis of their components (G: the
laboratory, x forward, y up, z to the right; S: the axes of the segment). Tables have the units of
the results folder.
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
"""Public name -> module that defines it; ``__init__.pyi`` repeats this for type checkers."""

__all__ = list(_HOMES)  # pyrefly: ignore[unresolvable-dunder-all]


def __getattr__(name: str) -> Any:
    """Import a public name at its first use, so that the command line starts without numpy."""
    if name not in _HOMES:
        raise AttributeError(f"module 'gaitdyn' has no attribute {name!r}")
    if name == "errors":
        return import_module("gaitdyn.errors")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
