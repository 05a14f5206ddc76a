import subprocess
import sys

import numpy as np
import pytest
from scipy.linalg import solveh_banded

from gaitdyn.core import banded
from gaitdyn.core.banded import solve_banded


def test_a_banded_system_is_solved_to_the_bit_as_scipy_solves_it() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(4, 50))
    rows[0] = 10.0 + rng.random(50)
    right = rng.normal(size=(50, 7))
    wanted = solveh_banded(rows.copy(), right, lower=True)
    np.testing.assert_array_equal(solve_banded(rows.copy(), right), wanted)


def test_a_matrix_that_is_not_positive_definite_is_refused() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="row 3"):
        solve_banded(np.array([[1.0, 1.0, -1.0], [0.0, 0.0, 0.0]]), np.ones((3, 1)))


def test_the_package_stands_in_where_the_module_is_elsewhere(monkeypatch) -> None:
    banded._lapack.cache_clear()  # noqa: SLF001
    monkeypatch.setattr(banded.PathFinder, "find_spec", lambda *_: None)
    solution = solve_banded(np.array([[2.0, 2.0], [0.0, 0.0], [0.0, 0.0]]), np.ones((2, 1)))
    np.testing.assert_allclose(solution, 0.5)
    banded._lapack.cache_clear()  # noqa: SLF001


def test_scipy_linalg_is_not_imported_and_can_be_afterwards() -> None:
    code = (
        "import sys, numpy as np\n"
        "from gaitdyn.core.banded import solve_banded\n"
        "a, b = np.array([[3.0] * 4, [0.5] * 4, [0.1] * 4]), np.ones((4, 1))\n"
        "x = solve_banded(a.copy(), b)\n"
        "assert 'scipy.linalg' not in sys.modules\n"
        "from scipy.linalg import solveh_banded\n"
        "assert np.array_equal(x, solveh_banded(a, b, lower=True))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
