"""The loops of document 003 against a 40-digit Lagrangian (rows 3.3 and 3.4 of the seeds)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from gaitdyn.multibody import Loop, crank_slider, four_bar, four_bar_transmission, kkt, transmission
from tests.peer.seed_trees import cases, oracle
from tests.shared_files import WITH_SEEDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

pytestmark = [pytest.mark.peer, WITH_SEEDS]
LOOPS = {"FourBar": four_bar, "CrankSlider": crank_slider, "FourBarTrans": four_bar_transmission}
RELATIVE = 1e-9


def same(found: Any, wanted: Array, tolerance: float = RELATIVE) -> None:
    size = max(np.abs(wanted).max(), 1e-3)  # b' of a loop at rest is zero
    assert_allclose(found, wanted, rtol=0, atol=tolerance * size)


def given(name: str) -> tuple[Loop, list[dict[str, Any]], dict[str, Any]]:
    data = oracle("003_loops")[name]
    return LOOPS[name](**data["params"]), data["cases"], data


@pytest.mark.parametrize("name", LOOPS)
def test_row_3_3_the_multipliers_are_the_forces_of_the_pin(name: str) -> None:
    loop, found, _ = given(name)
    q, qd, tau = (cases(found, key) for key in ("q", "qd", "tau"))
    rows = loop.equations(q, qd)
    M, c, g = loop.tree.dynamics(loop.tree.state(q, qd))
    qdd, w = kkt(M, tau + g - c, rows.J, rows.gamma)
    same(w, cases(found, "lambda_xy"))
    same(qdd, cases(found, "qdd"))
    assert np.abs(rows.h).max() < 1e-14


@pytest.mark.parametrize("name", LOOPS)
def test_row_3_4_partitioned_coordinates(name: str) -> None:
    loop, found, data = given(name)
    assert loop.coordinates[: loop.u] == tuple(data["u"]) or name == "CrankSlider"
    q, qd, tau = (cases(found, key) for key in ("q", "qd", "tau"))
    M, c, g = loop.tree.dynamics(loop.tree.state(q, qd))
    same(M, cases(found, "M"))
    same(c - g, cases(found, "h_incl_gravity"))
    reduced = loop.reduced(q, qd)
    same(reduced.B, cases(found, "B_vu"))
    same(reduced.b, cases(found, "b_prime"))
    same(reduced.M, cases(found, "M_red"))
    qdd = loop.forward(q, qd, tau)
    same(qdd, cases(found, "qdd"))
    same(qdd[:, : loop.u], cases(found, "lagrangian_udd"))
    same(loop.velocities(q, cases(found, "ud")), qd)


@pytest.mark.parametrize("name", LOOPS)
def test_row_3_4_newton_closes_the_loop_on_the_branch_asked_for(name: str) -> None:
    loop, found, _ = given(name)
    q = cases(found, "q")
    same(loop.close(cases(found, "u"), q[:, loop.u :] + 0.05, branch=1), q)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS)
def test_row_3_4_the_loop_moves_as_the_oracle_does(name: str) -> None:
    loop, found, data = given(name)
    motion, k = data["free_motion"], loop.u
    states = np.array(motion["state"])
    n = loop.tree.nv
    start = np.r_[loop.close(states[0, :k], found[0]["q"][k:], branch=1)[0], states[0, k:]]
    tau = np.zeros(n)

    def slope(_: float, y: Array) -> Array:
        qd = loop.velocities(y[:n], y[n:])[0]
        return np.r_[qd, loop.forward(y[:n], qd, tau)[0, :k]]

    end, times = motion["t"][-1], motion["t"]
    run = solve_ivp(slope, (0, end), start, "DOP853", times, rtol=1e-10, atol=1e-11)
    q, ud = run.y.T[:, :n], run.y.T[:, n:]
    assert_allclose(np.hstack((q[:, :k], ud)), states, rtol=0, atol=10 * motion["tol"])
    assert np.abs(loop.equations(q, np.zeros_like(q)).h).max() < 1e-8
    state = loop.tree.state(q, loop.velocities(q, ud))
    same(loop.tree.energy(state).total, np.array(motion["energy"]))


def test_row_3_4_a_transmission_turns_both_wheels() -> None:
    data = oracle("003_loops")["Transmission"]
    loop = transmission(**data["params"])
    q, tau = [[0.4, 0.4 * data["params"]["ratio"]]], [data["tau1"], data["tau2"]]
    qd = loop.velocities(q, [2.0])
    found = loop.multipliers(q, qd, tau)
    assert loop.forward(q, qd, tau)[0, 0] == pytest.approx(data["u_dd"], rel=RELATIVE)
    assert found.qdd[0, 0] == pytest.approx(data["u_dd"], rel=RELATIVE)
    assert found.w[0, 0] == pytest.approx(data["lam_on_q2"], rel=RELATIVE)
    assert loop.close([0.4], [5.0])[0, 1] == pytest.approx(-0.1)
