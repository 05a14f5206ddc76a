"""Loops in closed form against Newton's method, free bodies of their joints, dead centres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gaitdyn.errors import ConstraintRefused, SingularPosture
from gaitdyn.multibody import (
    Loop,
    crank_slider,
    four_bar,
    four_bar_transmission,
    joint_wrenches,
    transmission,
)
from gaitdyn.multibody.loop import Pin
from gaitdyn.multibody.systems import simulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

KINDS = ("four-bar", "crank-slider", "four-bar-transmission", "transmission")
STUCK = ["l1=4", "l2=3", "l3=2.5", "l4=3"]
FOLDED = np.arccos(-5.25 / 24.0)  # B to D is then l3 + l4


def linkage(kind: str, rng: np.random.Generator) -> tuple[Loop, Array]:
    """Return a loop of random bars and where it closes, of eight crank angles of the circle."""
    turn = rng.uniform(0, 2 * np.pi) + np.arange(8) * np.pi / 4
    if kind == "four-bar":
        l1, l2, l3, l4 = rng.uniform(0.3, 3.0, 4)
        r = np.sqrt(l1**2 + l2**2 - 2 * l1 * l2 * np.cos(turn))
        return four_bar(l1, l2, l3, l4), turn[(r > abs(l3 - l4)) & (r < l3 + l4), None]
    if kind == "crank-slider":
        l1, l2 = rng.uniform(0.3, 3.0, 2)
        return crank_slider(l1, l2), turn[np.abs(l1 * np.sin(turn)) < l2, None]
    if kind == "transmission":
        return transmission(ratio=rng.uniform(-3, 3)), turn[:, None]
    u = np.stack((turn, rng.uniform(-np.pi, np.pi, 8)), axis=1)
    return four_bar_transmission(*rng.uniform(0.3, 3.0, 3)), u


EACH, BOTH = ((1,), (-1,)), ((1, -1),)
"""Branches that are closed at once; one alone is asked for, both are those nearest to the start."""


def compare(
    kind: str, count: int, seed: int, closed: tuple[tuple[int, ...], ...]
) -> dict[str, float]:
    """Return the largest differences of closed form and Newton's method on both branches."""
    rng = np.random.default_rng(seed)
    found = {"v": 0.0, "B": 0.0, "b": 0.0, "closed": 0, "refused": 0, "dead": 0}
    done = 0
    while done < count:
        loop, u_round = linkage(kind, rng)
        done += len(u_round) > 0
        for branches in closed if len(u_round) else ():
            explicit = loop.explicit
            assert explicit is not None
            u = np.tile(u_round, (len(branches), 1))
            v = np.concatenate([loop.dependent(u_round, branch) for branch in branches])
            fold = np.abs(loop.fold(np.hstack((u, v))))
            regular = fold > 1e-5
            found["dead"] += int((~regular).sum())
            start = v + 1e-2 * fold[:, None] * rng.normal(size=v.shape)
            u, v, start = u[regular], v[regular], start[regular]
            ud = rng.normal(size=u.shape)
            try:
                q = loop.close(u, start, sum(branches))
            except ConstraintRefused:
                found["refused"] += 1
                continue
            found["closed"] += len(q)
            reduced = loop.reduced(q, loop.velocities(q, ud))
            B, b = explicit.rates(u, v), explicit.bias(u, v, ud)
            tight = fold[regular]  # rounding grows with 1/fold
            for key, one, two in (
                ("v", v, q[:, loop.u :]),
                ("B", B, reduced.B),
                ("b", b, reduced.b),
            ):
                axes = tuple(range(1, one.ndim))
                off = np.abs(one - two).max(axis=axes)
                if key != "v":
                    off = off * tight / (1.0 + np.abs(two).max(axis=axes))
                found[key] = max(found[key], float(off.max()))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_closed_form_and_newton_agree_all_round_on_both_branches(kind: str) -> None:
    found = compare(kind, 40, 11, EACH)
    assert found["refused"] == 0
    assert found["closed"] > 300
    for key in ("v", "B", "b"):
        assert found[key] < 1e-12, (key, found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_linkages_of_each_kind(kind: str) -> None:
    """Both branches at once; benchmarks/seed_pages/rows_trees.py compares five hundred."""
    found = compare(kind, 100, 12, BOTH)
    assert found["refused"] == 0
    assert max(found["v"], found["B"], found["b"]) < 1e-12, found


def test_branch_one_of_the_four_bar_has_the_pin_on_the_left_of_its_diagonal() -> None:
    loop = four_bar()
    for branch in (1, -1):
        q = np.hstack(([[0.3]], loop.dependent(np.array([[0.3]]), branch)))
        state = loop.tree.state(q, np.zeros((1, 3)))
        B = loop.tree.point(state, "crank", (4.0, 0, 0)).x[0]
        C = loop.tree.point(state, "coupler", (4.0, 0, 0)).x[0]
        D = np.array([1.0, 0.0, 0.0])
        assert np.sign(np.cross(D - B, C - B)[2]) == branch


def test_a_crank_slider_keeps_its_branch_round_the_circle() -> None:
    u = np.linspace(0.0, 2 * np.pi, 73)[:, None]
    loop = crank_slider()
    for branch in (1, -1):
        v = loop.dependent(u, branch)
        assert np.abs(np.diff(v, axis=0)).max() < 0.1
        assert (branch * (v[:, 0] - 0.5 * np.cos(u[:, 0])) > 0).all()


def test_a_linkage_that_does_not_reach_says_how_far_its_pins_are() -> None:
    with pytest.raises(ConstraintRefused, match=r"0\.5 to 5\.5 m apart, they are 7 m"):
        four_bar(l1=4, l2=3, l3=2.5, l4=3).close([np.pi])
    with pytest.raises(ConstraintRefused, match=r"away from it by 2 m"):
        crank_slider(2.0, 1.0).close([np.pi / 2])
    bare = four_bar()
    loop = Loop("my-loop", bare.coordinates, bare.tree, bare.closure, 1, -1)
    with pytest.raises(ConstraintRefused, match="my-loop has no closed form: give v0"):
        loop.close([1.0])
    assert_allclose(loop.close([1.0], [-1.5, 0.4], 1), bare.close([1.0], branch=1), atol=1e-13)


def test_the_dead_centre_alone_is_refused() -> None:
    loop = four_bar(l1=4, l2=3, l3=2.5, l4=3)
    with pytest.raises(SingularPosture):
        loop.close([FOLDED])
    assert np.abs(loop.fold(loop.close([FOLDED - 1e-6]))) < 2e-3


@pytest.mark.parametrize("words", [[], ["branch=-1"], ["q1=3.5", "branch=+1"], ["q1=5", "tau=9"]])
def test_a_four_bar_starts_anywhere_on_either_branch(words: list[str]) -> None:
    _, run = simulate("four-bar", words, duration_s=0.1)
    assert np.abs(run.imbalance_j()).max() < 1e-9
    assert "gap of the loop" in run.notes[0]


@pytest.mark.slow
def test_a_run_ends_at_its_dead_centre_and_says_when_and_where() -> None:
    _, run = simulate("four-bar", [*STUCK, "q1=1.6", "qd1=4", "g=0"])
    assert run.notes[0].startswith("the loop meets a dead centre after ")
    assert run.q[-1, 0] == pytest.approx(FOLDED, abs=1e-9)
    assert run.time_s[-1] < 0.2
    assert run.time_s[0] == 0.0
    assert run.qd[-1, 0] == pytest.approx(0.0, abs=1e-6)  # the crank turns back there
    assert np.abs(run.imbalance_j()).max() < 1e-8
    assert run.further is not None
    assert np.isfinite(run.further.values).all()
    _, near = simulate(
        "four-bar", [*STUCK, f"q1={FOLDED - 1e-5}", "qd1=-0.01", "g=0"], duration_s=0.1
    )
    assert near.time_s[0] == 0.0
    assert len(near.time_s) == 11  # a start near a dead centre that moves away from it


@pytest.mark.parametrize("kind", KINDS)
def test_every_free_body_of_a_loop_is_in_balance(kind: str) -> None:
    """Newton and Euler of each body about its own centre of mass, from the table alone."""
    _, run = simulate(kind, [] if kind == "transmission" else ["tau=3"], duration_s=0.03)
    assert run.further is not None
    names = [column.name for column in run.further.columns]
    at = dict(zip(names, run.further.values.T, strict=True))
    if kind == "transmission":
        assert_allclose(at["first_m"], 1.5, rtol=1e-12)  # the motor; the gear is outside
        assert_allclose(at["second_m"], 0.3, rtol=1e-12)
        assert_allclose(0.35 * at["qdd2"], at["second_m"] + at["lambda1"], rtol=1e-12)
        assert_allclose(0.02 * at["qdd1"], at["first_m"] + 0.25 * at["lambda1"], rtol=1e-12)
        return
    makers = {
        "four-bar": four_bar,
        "crank-slider": crank_slider,
        "four-bar-transmission": four_bar_transmission,
    }
    loop = makers[kind]()
    assert isinstance(loop.closure, Pin)
    for b, body in enumerate(loop.tree.bodies):
        force = np.array([at[f"{body.name}_f{axis}"] for axis in "xy"])
        for child, parent in zip(loop.tree.bodies, loop.tree.parents, strict=True):
            if parent == b:
                force -= np.array([at[f"{child.name}_f{axis}"] for axis in "xy"])
        cut = np.array([at["lambda1"], at["lambda2"]])
        force += cut * (
            (body.name == loop.closure.first[0]) - float(body.name == loop.closure.second[0])
        )
        force[1] -= 9.81 * body.mass
        a = np.array([at[f"{body.name}_a{axis}"] for axis in "xy"])
        assert_allclose(body.mass * a, force, atol=1e-9 * max(1.0, np.abs(force).max()))
    driven = loop.tree.bodies[0].name
    assert_allclose(at[f"{driven}_m"], 3.0, atol=1e-9)
    for body in loop.tree.bodies[1:]:
        if body.joint == "revolute" and kind != "four-bar-transmission":
            assert_allclose(at[f"{body.name}_m"], 0.0, atol=1e-9)


def test_joint_wrenches_do_the_work_of_the_joint_forces() -> None:
    loop = four_bar()
    q = loop.close([1.0])
    qd = loop.velocities(q, [2.0])
    tau = [3.0, -1.0, 0.5]
    qdd, w = loop.multipliers(q, qd, tau)
    state = loop.tree.state(q, qd)
    found = joint_wrenches(loop.tree, state, qdd, loop.closure.contacts(loop.tree, w))
    assert_allclose(found.moment[0, :, 2], tau, atol=1e-12)
