"""Import of sympy: only when an expression is derived, with a clear message if it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gaitdyn.errors import ExtraMissing


def sympy() -> Any:
    """Return the module sympy.

    Raises
    ------
    ExtraMissing
        If it is not installed; the message gives the command that installs it.
    """
    return _module("sympy")


def mechanics() -> Any:
    """Return the module ``sympy.physics.mechanics``.

    Raises
    ------
    ExtraMissing
        If sympy is not installed.
    """
    return _module("sympy.physics.mechanics")


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        message = "deriving equations needs sympy: pip install 'gaitdyn[symbolic]'"
        raise ExtraMissing(message) from None
