"""The recursion of document 003 against the Jacobian form, on random trees of all joints."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.multibody import AppliedWrench, Body, Tree, recursive
from tests.peer.random_tree import KINDS, random_motion, random_tree


def gaps(tree: Tree, frames: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the differences of M and C over their largest values."""
    q, v, _ = random_motion(rng, tree, frames)
    points = rng.normal(size=(3, frames, 3))
    last = tree.bodies[-1].name
    pushed = [
        AppliedWrench(last, *points),
        AppliedWrench(tree.bodies[0].name, *points[::-1], frame="body"),
    ]
    M, c, g = tree.dynamics(tree.state(q, v))
    outside = -tree.inverse(q, v, np.zeros(tree.nv), pushed).E
    found, wanted = recursive(tree, q, v, pushed), c - g - outside
    return (
        float(np.abs(found.M - M).max() / np.abs(M).max()),
        float(np.abs(found.C - wanted).max() / np.abs(wanted).max()),
    )


@pytest.mark.parametrize("root", ["free", "ball", "cardan", "revolute", "prismatic", "fixed"])
def test_the_recursion_and_the_jacobians_give_the_same(root: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(8):
        kinds = ("cardan", *KINDS)
        tree = random_tree(rng, int(rng.integers(5, 10)), root, kinds)
        assert max(gaps(tree, 5, rng)) < 1e-12


def test_the_printed_recursion_does_not() -> None:
    rng = np.random.default_rng(4)
    rod = np.diag([0.0, 0.1, 0.1])
    x, z = np.eye(3)[0], np.eye(3)[2]
    bodies = [
        Body("crane", None, "revolute", 2.0, 0.5 * x, rod, axis=z),
        Body("jib", "crane", "prismatic", 1.0, 0.5 * x, rod, x, x),
        Body("hook", "jib", "revolute", 1.0, 0.5 * x, rod, x, z),
    ]
    tree = Tree(bodies, (0.0, -9.81, 0.0))
    q, v = rng.normal(size=(2, 4, 3))
    M, c, g = tree.dynamics(tree.state(q, v))
    wrong = recursive(tree, q, v, printed=True)
    assert np.abs(wrong.M - M).max() > 1.0
    assert np.abs(wrong.C - c + g).max() > 1.0
