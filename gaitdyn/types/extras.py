"""Import libraries that not every user has, with a clear message if one is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gaitdyn.errors import ExtraMissing

_INSTALLED_AS = {"pyarrow": "'gaitdyn[parquet]'", "sympy": "'gaitdyn[symbolic]'"}
"""What to install, where it is not the library alone."""


def import_extra(module: str, purpose: str) -> Any:
    """Return a module of a library that not every user has.

    Parameters
    ----------
    module : str
        Such as ``pyarrow.parquet``.
    purpose : str
        What needs it, such as ``--format parquet``.

    Raises
    ------
    ExtraMissing
        If it is not installed; the message gives the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise ExtraMissing(
            f"{purpose} needs {library}, which is not installed; install it with"
            f" pip install {_INSTALLED_AS.get(library, library)}"
        ) from None
