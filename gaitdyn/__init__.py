"""gaitdyn: from C3D markers and force plates to joint forces and moments.

>>> import gaitdyn
>>> result = gaitdyn.process_trial("walk01.c3d")  # doctest: +SKIP
>>> result.sides["left"].kinetics.loads.moment_S  # doctest: +SKIP

Everything is SI inside; names of arrays end in the basis of their components (G: the laboratory,
x forward, y up, z to the right; S: the segment's own axes).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from gaitdyn.version import __version__

if TYPE_CHECKING:
    from gaitdyn.dynamics.inverse import inverse_dynamics
    from gaitdyn.pipeline import process_trial
    from gaitdyn.types.options import Options
    from gaitdyn.types.result import Result


__all__ = ["Options", "Result", "__version__", "inverse_dynamics", "process_trial"]

_HOMES = {
    "Options": "gaitdyn.types.options",
    "Result": "gaitdyn.types.result",
    "inverse_dynamics": "gaitdyn.dynamics.inverse",
    "process_trial": "gaitdyn.pipeline",
}


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for: the command line starts without numpy."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    message = f"module 'gaitdyn' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
