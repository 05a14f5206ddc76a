"""pendulum-3d, manipulator and biped, as ``gaitdyn simulate`` runs them, against the oracles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gaitdyn.multibody.systems import simulate
from gaitdyn.multibody.systems.biped_body import JOINTS
from tests.peer.seed_trees import oracle
from tests.shared_files import WITH_SEEDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from gaitdyn.multibody.systems import SystemRun

    Array = NDArray[np.float64]

pytestmark = [pytest.mark.peer, WITH_SEEDS]


def words(names: Iterable[str], values: Iterable[float]) -> list[str]:
    return [f"{name}={float(value)!r}" for name, value in zip(names, values, strict=True)]


def columns(run: SystemRun, table: int, prefix: str) -> Array:
    """Return the columns of a table whose names begin so, all instants."""
    found = run.tables[table]
    at = [i for i, column in enumerate(found.columns) if column.name.startswith(prefix)]
    return found.values[:, at]


@pytest.mark.slow
def test_row_1_9_the_cylinders_swing_as_the_oracle_does() -> None:
    data = oracle("001_double_pendulum_3d")
    _, run = simulate("pendulum-3d", words((), ()))
    assert run.q[0] == pytest.approx(np.array(data["q0_xyzw"]), abs=1e-12)
    for point, tolerance in zip(data["free_motion"], data["tol_state"], strict=True):
        k, limit = round(point["t"] * 100), 10 * tolerance
        R1 = Rotation.from_quat(run.q[k, :4]).as_matrix()
        R2 = R1 @ Rotation.from_quat(run.q[k, 4:]).as_matrix()
        assert_allclose([R1, R2], [point["R1"], point["R2"]], rtol=0, atol=limit)
        for prefix, key, size in (
            ("w1", "w1_body", 10),
            ("w2", "w2_rel_body2", 10),
            ("F1", "F1_G", 100),
            ("F2", "F2_G", 100),
        ):
            assert_allclose(columns(run, 0, prefix)[k], point[key], rtol=0, atol=size * limit)
        assert run.energy_j[k] == pytest.approx(point["energy"], abs=1e-9)
        spin = columns(run, 0, "H_y")[k, 0]
        assert spin == pytest.approx(point["Ly_about_support"], abs=1e-9)
    first = data["free_motion"][0]["qdd_spherical"]
    assert_allclose(columns(run, 0, "alpha")[0], first, rtol=0, atol=1e-9)
    assert np.abs(run.imbalance_j()).max() < 1e-9


@pytest.mark.parametrize("case", range(5))
def test_rows_3_1_and_4_2_the_manipulator_at_the_states_of_the_oracle(case: int) -> None:
    given = oracle("003_004_tree_manipulator")["cases"][case]
    five = range(1, 6)
    asked = [
        *words([f"q{i}" for i in five], given["q"]),
        *words([f"v{i}" for i in five], given["qd"]),
        *words([f"tau{i}" for i in five], given["tau"]),
        *words(["fx", "fy", "fz"], given["f_ext"]),
        *words(["mx", "my", "mz"], given["m_ext"]),
    ]
    _, run = simulate("manipulator", asked, duration_s=0.01, rate_hz=200.0)
    size = np.abs(given["qdd"]).max()
    assert_allclose(columns(run, 0, "qdd")[0], given["qdd"], rtol=0, atol=1e-10 * size)
    wanted = {"C": "coriolis_Cqd", "tau": "tau"}
    for prefix, key in wanted.items():
        assert_allclose(columns(run, 0, prefix)[0], given[key], rtol=0, atol=1e-10)
    assert_allclose(-columns(run, 0, "G")[0], given["tau_g"], rtol=0, atol=1e-10)
    assert_allclose(-columns(run, 0, "E")[0], given["tau_ext"], rtol=0, atol=1e-10)
    upper = np.array(given["M"])[np.triu_indices(5)]
    assert_allclose(columns(run, 0, "M")[0, 5:], upper, rtol=0, atol=1e-10)
    assert np.abs(run.imbalance_j()).max() < 1e-9


def standing(state: dict[str, Any], v: Array) -> list[str]:
    """Return the words that put the biped into a state of the oracle; v with the world's base."""
    q = np.array(state["q"])
    turn = Rotation.from_quat(q[3:7]).as_euler("XYZ")
    root = ("x", "y", "z", "rx", "ry", "rz")
    return [
        "control=none",
        "push_x=0",
        *words((*root, *JOINTS), [*q[:3], *turn, *q[7:]]),
        *words([f"v_{name}" for name in (*root, *JOINTS)], v),
        *words([f"tau_{name}" for name in JOINTS], state["tau"]),
    ]


@pytest.mark.parametrize("case", range(4))
def test_row_4_5_the_biped_on_one_foot_has_the_wrench_of_the_oracle(case: int) -> None:
    given = oracle("004_biped")["cases"][case]
    asked = standing(given, np.array(given["world_base"]["v"]))
    _, run = simulate("biped", ["feet=right", *asked], duration_s=0.002, rate_hz=1000.0)
    qdd = given["world_base"]["qdd"]
    assert_allclose(columns(run, 1, "qdd")[0], qdd, rtol=0, atol=1e-8 * np.abs(qdd).max())
    assert_allclose(run.tables[0].values[0, :6], given["wrench_sole_R"], rtol=0, atol=1e-7)
    assert_allclose(columns(run, 1, "com")[0], given["com"], rtol=0, atol=1e-9)


def test_row_4_5_the_biped_on_two_feet_has_the_wrenches_of_the_oracle() -> None:
    both = oracle("004_biped")["double_support"]
    asked = standing(both, np.zeros(18))
    _, run = simulate("biped", asked, duration_s=0.002, rate_hz=1000.0)
    qdd = np.array(both["qdd"])
    R = Rotation.from_quat(np.array(both["q"])[3:7]).as_matrix()
    qdd[:3] = R @ qdd[:3]
    assert_allclose(columns(run, 1, "qdd")[0], qdd, rtol=0, atol=1e-8 * np.abs(qdd).max())
    assert_allclose(run.tables[0].values[0, :6], both["wrench_R"], rtol=0, atol=1e-7)
    assert_allclose(run.tables[0].values[0, 9:15], both["wrench_L"], rtol=0, atol=1e-7)


@pytest.mark.slow
def test_row_3_4_the_four_bar_transmission_moves_as_the_oracle_does() -> None:
    wanted = oracle("003_loops")["FourBarTrans"]["free_motion"]
    _, run = simulate("four-bar-transmission", rate_hz=80.0 / 3)
    rows = [int(np.argmin(np.abs(run.time_s - t))) for t in wanted["t"]]
    assert_allclose(run.time_s[rows], wanted["t"], rtol=0, atol=1e-12)
    found = np.hstack((run.q[rows, :2], run.qd[rows, :2]))
    assert_allclose(found, wanted["state"], rtol=0, atol=wanted["tol"])
    assert_allclose(run.energy_j[rows], wanted["energy"], rtol=0, atol=1e-9)


def test_row_3_4_the_transmission_speeds_up_as_the_oracle_does() -> None:
    data = oracle("003_loops")["Transmission"]
    sizes = words(data["params"], data["params"].values())
    _, run = simulate("transmission", [*sizes, f"tau1={data['tau1']}", f"tau2={data['tau2']}"])
    assert_allclose(run.qd[:, 0], data["u_dd"] * run.time_s, rtol=0, atol=1e-9)
