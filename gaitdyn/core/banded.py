"""Banded systems solved with LAPACK, without the rest of ``scipy.linalg``.

A smoothing spline needs two LAPACK routines (``dpbsv``, ``dgbsv``). Importing ``scipy.linalg``
takes longer than solving a trial, so only the extension module of the routines is loaded. If scipy
keeps it somewhere else, they come from the package.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.types.arrays import Array


@cache
def _lapack() -> Any:
    """Return the scipy module that contains the LAPACK routines."""
    scipy = find_spec("scipy")
    folders = () if scipy is None else scipy.submodule_search_locations or ()
    spec = PathFinder.find_spec("_flapack", [str(Path(folder) / "linalg") for folder in folders])
    if spec is not None and spec.loader is not None:
        for _ in range(2):
            with suppress(ImportError):
                module = module_from_spec(spec)
                spec.loader.exec_module(module)
                if hasattr(module, "dpbsv"):
                    return module
            import_module("scipy")  # sets the path of its libraries, where the system needs one
    from scipy.linalg import lapack

    return lapack


def solve_banded(banded: Array, right: Array) -> Array:
    """Return the solution of a symmetric positive definite banded system, shape (m, c).

    Parameters
    ----------
    banded : array, shape (1 + bands, m)
        The diagonal and the diagonals below it, as LAPACK stores them; may be overwritten.
    right : array, shape (m, c)

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is not positive definite.
    """
    _, solution, failed = _lapack().dpbsv(banded, right, lower=True, overwrite_ab=True)
    if failed:
        raise np.linalg.LinAlgError(f"the banded matrix is not positive definite (row {failed})")
    return solution


def solve_any_banded(banded: Array, right: Array) -> Array:
    """Return the solution of a banded system that need not be definite, shape (m, c).

    Parameters
    ----------
    banded : array, shape (1 + 3 bands, m)
        A column of the matrix in each column, with ``bands`` diagonals on either side of the main
        one, which is row ``2 bands``; the first ``bands`` rows are room for the solution, as LAPACK
        wants it. May be overwritten.
    right : array, shape (m, c)

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular.
    """
    bands = len(banded) // 3
    *_, solution, failed = _lapack().dgbsv(bands, bands, banded, right, overwrite_ab=True)
    if failed:
        raise np.linalg.LinAlgError(f"the banded matrix is singular (row {failed})")
    return solution
