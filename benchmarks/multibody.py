"""Mass matrix, velocity and gravity terms and all Jacobians of a tree, against pinocchio.

usage: python benchmarks/multibody.py [FRAMES]

A free root and 18 revolute joints, 24 degrees of freedom: a pelvis with two branches of six and
one of six. Medians of alternating runs in one process; pinocchio is called frame by frame from
Python, as there is no batch door to it. Both return the same numbers, which is checked first.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from usage import help_shown

from gaitdyn.multibody import Body, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RUNS = 15
LIMIT_S = 0.1
AXES = np.eye(3)[[2, 0, 1, 2, 2, 0]]


def person(rng: np.random.Generator) -> Tree:
    """Return a free root with three branches of six revolute joints."""
    bodies = [Body("root", None, "free", 40.0, rng.normal(size=3), np.diag([2.0, 1.0, 1.6]))]
    for branch in "abc":
        above = "root"
        for i, axis in enumerate(AXES):
            name = f"{branch}{i}"
            inertia = np.diag([0.1, 0.2, 0.15])
            com, p = 0.2 * rng.normal(size=(2, 3))
            bodies.append(Body(name, above, "revolute", 2.0, com, inertia, p, axis))
            above = name
    return Tree(bodies, (0.0, -9.80665, 0.0))


def pinocchio_model(pin: Any, tree: Tree) -> Any:
    """Return the same tree for pinocchio."""
    model = pin.Model()
    model.gravity.linear = tree.gravity
    joints: list[int] = []
    for body, parent in zip(tree.bodies, tree.parents, strict=True):
        kind = (
            pin.JointModelFreeFlyer()
            if body.joint == "free"
            else pin.JointModelRevoluteUnaligned(body.axis)
        )
        place = pin.SE3(np.eye(3), np.array(body.p))
        joints.append(model.addJoint(joints[parent] if parent >= 0 else 0, kind, place, body.name))
        inertia = pin.Inertia(body.mass, np.array(body.com), np.array(body.inertia))
        model.appendBodyToJoint(joints[-1], inertia, pin.SE3.Identity())
    return model


def by_pinocchio(pin: Any, model: Any, q: Array, v: Array) -> list[tuple[Any, ...]]:
    """Return M, c - g, g and the Jacobians of all bodies of every frame."""
    data = model.createData()
    out = []
    for pose, rate in zip(q, v, strict=True):
        M = pin.crba(model, data, pose).copy()
        h = pin.nonLinearEffects(model, data, pose, rate).copy()
        g = pin.computeGeneralizedGravity(model, data, pose).copy()
        pin.computeJointJacobians(model, data, pose)
        J = [
            pin.getJointJacobian(model, data, joint, pin.LOCAL_WORLD_ALIGNED)
            for joint in range(1, model.njoints)
        ]
        out.append((M, h, g, J))
    return out


def by_gaitdyn(tree: Tree, q: Array, v: Array) -> tuple[Any, Any]:
    """Return the state, which holds the Jacobians, and M, c, g."""
    state = tree.state(q, v)
    return state, tree.dynamics(state)


def agreement(tree: Tree, found: Any, theirs: list[tuple[Any, ...]]) -> float:
    """Return the largest relative difference of M and g; the root's linear axes turned."""
    state, (M, _, g) = found
    worst = 0.0
    for k, (half, _, gravity, _) in enumerate(theirs):
        T = np.eye(tree.nv)
        T[:3, :3] = state.R[k, 0]
        upper = np.triu(half)
        full = T @ (upper + np.triu(upper, 1).T) @ T.T
        worst = max(worst, np.abs(full - M[k]).max() / np.abs(full).max())
        worst = max(worst, np.abs(T @ gravity + g[k]).max() / np.abs(gravity).max())
    return worst


def main() -> int:
    """Print the table; the exit code is 1 where the limit is missed."""
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(1)
    tree = person(rng)
    q = tree.normalised(rng.normal(size=(frames, tree.nq)))
    v = rng.normal(size=(frames, tree.nv))
    works: dict[str, Callable[[], Any]] = {"gaitdyn": lambda: by_gaitdyn(tree, q, v)}
    try:
        import pinocchio as pin
    except ImportError:
        print("pinocchio is not installed: no ratio")
    else:
        model = pinocchio_model(pin, tree)
        works["pinocchio"] = lambda: by_pinocchio(pin, model, q, v)
        worst = agreement(tree, works["gaitdyn"](), works["pinocchio"]())
        print(f"largest relative difference of M and g: {worst:.1e}")
    times: dict[str, list[float]] = {name: [] for name in works}
    for run in range(RUNS + 2):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            if run > 1:
                times[name].append(time.perf_counter() - start)
    median = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in median.items():
        ratio = seconds / median["gaitdyn"]
        least = min(times[name])
        print(
            f"{name:10s} {tree.nv} dof x {frames} frames: median {seconds:.4f} s, least"
            f" {least:.4f} s, {1e6 * seconds / frames:.1f} us a frame, {ratio:.2f} x gaitdyn"
        )
    return int(frames == 1000 and median["gaitdyn"] > LIMIT_S)


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
