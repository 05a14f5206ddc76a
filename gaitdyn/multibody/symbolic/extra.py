"""Import of sympy: only when an expression is derived, with a clear message if it is missing."""

from __future__ import annotations

from typing import Any

from gaitdyn.types.extras import import_extra


def sympy() -> Any:
    """Return the module sympy.

    Raises
    ------
    ExtraMissing
        If it is not installed; the message gives the command that installs it.
    """
    return import_extra("sympy", "deriving equations")


def mechanics() -> Any:
    """Return the module ``sympy.physics.mechanics``.

    Raises
    ------
    ExtraMissing
        If sympy is not installed.
    """
    return import_extra("sympy.physics.mechanics", "deriving equations")
