"""Symmetric banded systems by LAPACK, without the rest of ``scipy.linalg``.

A smoothing spline needs one routine of LAPACK (``dpbsv``). The package around it takes longer to
import than a trial to be solved, so the routine's own module is loaded by itself; where scipy keeps
it elsewhere, it is asked of the package.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.types.arrays import Array


@cache
def _lapack() -> Any:
    """Return the module of scipy that holds LAPACK's routines."""
    scipy = find_spec("scipy")
    places = () if scipy is None else scipy.submodule_search_locations or ()
    spec = PathFinder.find_spec("_flapack", [str(Path(place) / "linalg") for place in places])
    if spec is not None and spec.loader is not None:
        with suppress(ImportError):  # where scipy has to point to its libraries first
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            if hasattr(module, "dpbsv"):
                return module
    from scipy.linalg import lapack

    return lapack


def solve_banded(banded: Array, right: Array) -> Array:
    """Return the solution of a symmetric positive definite banded system, shape (m, c).

    Parameters
    ----------
    banded : array, shape (1 + bands, m)
        The diagonal and those below it, as LAPACK stores them; may be overwritten.
    right : array, shape (m, c)

    Raises
    ------
    numpy.linalg.LinAlgError
        When the matrix is not positive definite.
    """
    _, solution, failed = _lapack().dpbsv(banded, right, lower=True, overwrite_ab=True)
    if failed:
        raise np.linalg.LinAlgError(f"the banded matrix is not positive definite (row {failed})")
    return solution
