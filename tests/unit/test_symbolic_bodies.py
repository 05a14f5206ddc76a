"""Expressions from bodies and joints against the numbers of the tree."""

from __future__ import annotations

import shutil
import subprocess
import sys
from ctypes import CDLL, c_double
from math import cos, prod, sin
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gaitdyn.errors import TreeRefused
from gaitdyn.multibody import (
    Body,
    Loop,
    Tree,
    crank_slider,
    four_bar,
    four_bar_transmission,
    transmission,
)
from gaitdyn.multibody.symbolic import reduced, symbolic_tree
from gaitdyn.multibody.symbolic.lambdas import filled
from gaitdyn.multibody.symbolic.printed import short
from tests.peer.random_tree import random_motion

if TYPE_CHECKING:
    from pathlib import Path

sp = pytest.importorskip("sympy")
X, Y, Z = np.eye(3)


def same(found: Any, wanted: Any) -> None:
    size = max(1.0, float(np.abs(wanted).max()))
    assert_allclose(found, wanted, rtol=0, atol=1e-12 * size)


OPERATIONS: dict[Any, Any] = {
    sp.Add: lambda *terms: sum(terms), sp.Mul: lambda *factors: prod(factors), sp.Pow: pow,
    sp.sin: sin, sp.cos: cos,
}  # fmt: skip


def number(expression: Any, known: dict[Any, float]) -> float:
    """Return the value of an expression; each of its parts is computed once and kept in ``known``.

    A function of all expressions takes longer to be printed and read than to be called twice.
    """
    if expression not in known:
        parts = (number(part, known) for part in expression.args)
        known[expression] = (
            float(expression) if expression.is_Number else OPERATIONS[expression.func](*parts)
        )
    return known[expression]


def arm(joints: int) -> Tree:
    """Return a planar chain of hinges."""
    rod = np.diag([0.0, 0.1, 0.1])
    bodies = [
        Body(f"b{i}", None if i == 0 else f"b{i - 1}", "revolute", 1.0 + i, 0.3 * X, rod,
             0.5 * X * (i > 0))
        for i in range(joints)
    ]  # fmt: skip
    return Tree(bodies, (0.0, -9.81, 0.0))


def pair(rng: np.random.Generator, root: Any, second: Any) -> Tree:
    """Return two bodies with full inertia and a quarter turn between; any joints."""
    bodies = []
    for name, parent, joint in (("a", None, root), ("b", "a", second)):
        S = rng.normal(size=(3, 3))
        placed = joint != "free"
        bodies.append(
            Body(name, parent, joint, 2.0, rng.normal(size=3), S @ S.T + np.eye(3),
                 rng.normal(size=3) if placed else np.zeros(3), Y,
                 np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]) if placed else np.eye(3))
        )  # fmt: skip
    return Tree(bodies, (0.4, -9.7, 1.3))


@pytest.mark.slow
@pytest.mark.parametrize(("root", "second"), [
    ("free", "fixed"), ("ball", "prismatic"), ("cardan", "fixed"), ("revolute", "ball"),
    ("prismatic", "cardan"),
])  # fmt: skip
def test_expressions_of_any_joints_are_the_numbers_of_the_tree(root: str, second: str) -> None:
    rng = np.random.default_rng(21)
    tree = pair(rng, root, second)
    found = symbolic_tree(tree, simplify=lambda x: x)
    q, v, _ = random_motion(rng, tree, 6)
    state = tree.state(q, v)
    wanted = tree.dynamics(state)
    got = found.functions().numpy()(q, v)
    for name, part in zip("Mhf", wanted, strict=True):
        same(got[name], part)
    for k in range(2):
        symbols = (*found.q, *found.qd, *found.values)
        known = dict(zip(symbols, (*q[k], *v[k], *found.values.values()), strict=True))

        def numbers(matrix: Any, known: dict[Any, float] = known) -> Any:
            return np.reshape([number(x, known) for x in matrix], matrix.shape)

        same(numbers(found.qdot)[:, 0], tree.qdot(q, v)[k])
        for b, body in enumerate(tree.bodies):
            at, R = tree.point(state, body.name, body.com), state.R[k, b]
            same(numbers(found.frames[body.name][1])[:, 0], at.x[k])
            same(numbers(found.J_T[body.name]), at.J[k, :3])
            same(R @ numbers(found.J_R[body.name]), at.J[k, 3:])
            same(R @ numbers(found.bias[body.name][0])[:, 0], at.bias[k, :3])


def test_a_function_of_numpy_has_every_bracket_of_its_expression() -> None:
    """The text that numpy is given is printed by rules of its own."""
    x, y, z = symbols = sp.symbols("x y z")
    whole = sp.Matrix([
        (x + 1) * (y - z) * z, -x * (y - z) ** 2 + z, x * y / (z + 1) - 2 * x,
        -(x + y) * sp.sin(-x * y) / 3,
        sp.Rational(2, 3) * (x - 1) ** -2 * y, sp.sqrt(x + y) * (x - 1.5 * z), x ** (y + z) * -z,
        -sp.Mul(2, sp.Mul(x, y, evaluate=False), evaluate=False), sp.exp(-(x - y)) * x**-1,
    ])  # fmt: skip
    values = np.random.default_rng(3).uniform(1.5, 4.0, (3, 50))
    functions = filled({"f": whole}, symbols, (), {})
    plain = sp.lambdify(symbols, list(whole), "numpy", cse=True)
    same(functions(values.T, np.empty((50, 0)))["f"], np.stack(plain(*values), axis=-1))


def test_cardan_angles_give_the_numbers_of_the_tree() -> None:
    rng = np.random.default_rng(4)
    body = Body("a", None, "cardan", 2.0, 0.3 * X, np.diag([0.3, 0.1, 0.2]))
    tree = Tree([body], (0.0, -9.81, 0.0))
    q, v = rng.uniform(-1, 1, (2, 4, 3))
    got = symbolic_tree(tree, simplify=lambda x: x).functions().numpy()(q, v)
    for name, part in zip("Mhf", tree.dynamics(tree.state(q, v)), strict=True):
        same(got[name], part)


def test_two_hinges_give_the_equations_of_the_textbook() -> None:
    found = arm(2).symbolic()
    s = {str(x): x for x in [*found.values, *found.q, *found.qd]}
    far = s["I2zz"] + s["m2"] * s["c2x"] ** 2
    bend = s["m2"] * s["p2x"] * s["c2x"]
    off = far + bend * sp.cos(s["q2"])
    whole = s["I1zz"] + s["m1"] * s["c1x"] ** 2 + s["m2"] * s["p2x"] ** 2 + far
    M = sp.Matrix([[whole + 2 * bend * sp.cos(s["q2"]), off], [off, far]])
    assert sp.expand(found.M - M) == sp.zeros(2)
    turn = bend * sp.sin(s["q2"])
    h = [-turn * (2 * s["qd1"] + s["qd2"]) * s["qd2"], turn * s["qd1"] ** 2]
    assert sp.expand(found.h - sp.Matrix(h)) == sp.zeros(2, 1)
    assert not found.M.has(sp.sin)
    assert sp.count_ops(found.h) < 20


def test_short_mass_matrices_give_the_same_velocity_terms() -> None:
    rng = np.random.default_rng(2)
    bodies = [
        Body("a", None, "revolute", 1.0, 0.2 * X, np.diag([0.1, 0.2, 0.3]), axis=Y),
        Body("b", "a", "revolute", 2.0, 0.1 * X, np.diag([0.1, 0.2, 0.3]), X, axis=Z),
    ]
    for tree in (arm(3), Tree(bodies, (0.0, -9.81, 0.0))):
        q, v = rng.uniform(-1, 1, (2, 5, tree.nv))
        got = tree.symbolic().functions().numpy()(q, v)
        wanted = tree.dynamics(tree.state(q, v))
        for name, part in zip("Mhf", wanted, strict=True):
            same(got[name], part)
    heavier = tree.symbolic().functions().numpy()(q, v, {"m2": 5.0})
    assert np.abs(heavier["f"] - wanted.g).max() > 0.1


@pytest.mark.parametrize("loop", [four_bar(), crank_slider(), four_bar_transmission(),
                                  transmission()], ids=lambda x: x.name)  # fmt: skip
def test_loops_by_minimal_coordinates_are_the_numbers_of_the_loop(loop: Loop) -> None:
    rng = np.random.default_rng(3)
    found = loop.symbolic()
    q = loop.close(rng.uniform(0.8, 1.2, (5, loop.u)))
    qd = loop.velocities(q, rng.normal(size=(5, loop.u)))
    got = found.functions().numpy()(q, qd)
    wanted, rows = loop.reduced(q, qd), loop.equations(q, qd)
    assert_allclose(got["Phi"], 0, atol=1e-13)
    W = got["W"].reshape(len(q), loop.tree.nv, -1)
    same(np.swapaxes(W, 1, 2), rows.J)
    same(got["B"].reshape(wanted.B.shape), wanted.B)
    same(got["b"].reshape(wanted.b.shape), wanted.b)
    same(got["M_red"].reshape(wanted.M.shape), wanted.M)
    same(got["h_red"].reshape(wanted.h.shape), wanted.h)
    g = loop.tree.dynamics(loop.tree.state(q, qd)).g
    f = g[:, : loop.u] + np.einsum("nik,ni->nk", wanted.B, g[:, loop.u :])
    same(got["f_red"].reshape(f.shape), f)


def test_a_loop_of_quaternions_is_refused() -> None:
    tree = Tree([Body("a", None, "ball", 1.0, X, np.eye(3))], (0, -9.81, 0))
    found = symbolic_tree(tree, numbers=True, simplify=lambda x: x)
    with pytest.raises(TreeRefused, match="cardan"):
        reduced(found, sp.Matrix([found.q[0]]), 2)


def test_printed_python_and_c_are_the_same_functions(tmp_path: Path) -> None:
    tree = arm(2)
    functions = tree.symbolic().functions()
    q, v = np.array([0.4, -0.9]), np.array([1.5, 0.3])
    wanted = [part[0] for part in tree.dynamics(tree.state(q, v))]
    space: dict[str, Any] = {}
    exec(functions.python(), space)  # noqa: S102  our own text
    for name, part in zip("Mhf", wanted, strict=True):
        same(np.reshape(space[name](q, v), part.shape), part)
    latex = functions.latex()
    assert "\\dot q_{1}" in latex["h"]
    assert "matrix" in latex["M"]
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform == "win32":
        pytest.skip("no C compiler is here: the C functions are not called")
    (tmp_path / "equations.c").write_text(functions.c(), encoding="utf-8")
    library = tmp_path / "equations.so"
    command = [compiler, "-std=c99", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(library)]
    subprocess.run([*command, str(tmp_path / "equations.c"), "-lm"], check=True)
    called = CDLL(str(library))
    p = np.array([*functions.values.values()])
    for name, part in zip("Mhf", wanted, strict=True):
        out = np.zeros(part.size)
        given = [x.ctypes.data_as(_pointer()) for x in (q, v, p, out)]
        getattr(called, name)(*given)
        same(out.reshape(part.shape), part)


def _pointer() -> Any:
    from ctypes import POINTER

    return POINTER(c_double)


def test_short_never_makes_an_expression_longer_or_another_one() -> None:
    a, b, c = sp.symbols("a b c")
    for e in (sp.sin(a) ** 2 + sp.cos(a) ** 2, a * (b + c), sp.cos(a) * sp.sin(b) + c):
        assert sp.simplify(short(e) - e) == 0
        assert sp.count_ops(short(e)) <= sp.count_ops(e)
    assert short(sp.sin(a) ** 2 + sp.cos(a) ** 2) == 1
