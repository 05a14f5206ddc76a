"""Random trees of all joints, as gaitdyn, pinocchio and MuJoCo write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from gaitdyn.multibody import Body, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Order = NDArray[np.intp]

GRAVITY = (0.4, -9.7, 1.3)


KINDS = ("revolute", "prismatic", "ball", "fixed")


def random_tree(
    rng: np.random.Generator, size: int, root: str, kinds: tuple[str, ...] = KINDS
) -> Tree:
    """Return a branching tree; every kind of joint appears among six bodies."""
    bodies: list[Body] = []
    for i in range(size):
        spread = rng.normal(size=(6, 3))
        S = spread.T @ spread
        parent = None if i == 0 else f"b{rng.integers(max(0, i - 3), i)}"
        joint: Any = (
            root if i == 0 else kinds[i % len(kinds) if i < 5 else rng.integers(len(kinds))]
        )
        placed = joint != "free"
        bodies.append(
            Body(
                f"b{i}", parent, joint, float(rng.uniform(0.5, 3.0)), rng.normal(size=3),
                0.1 * (np.trace(S) * np.eye(3) - S),
                rng.normal(size=3) if placed else np.zeros(3),
                rng.normal(size=3),
                Rotation.random(random_state=rng).as_matrix() if placed else np.eye(3),
            )
        )  # fmt: skip
    return Tree(bodies, GRAVITY)


def random_motion(rng: np.random.Generator, tree: Tree, n: int) -> tuple[Array, Array, Array]:
    """Return q, v, a of n frames."""
    q = tree.normalised(rng.normal(size=(n, tree.nq)))
    return q, rng.normal(size=(n, tree.nv)), rng.normal(size=(n, tree.nv))


def pin_model(pin: Any, tree: Tree) -> Any:
    """Return pinocchio's model, with a frame of its name for each body.

    The joints stand depth first: ``crba`` takes the velocities of a branch to be neighbours.
    """
    model = pin.Model()
    model.gravity.linear = tree.gravity
    at: dict[int, tuple[int, Any]] = {}
    kinds = {
        "free": lambda _: pin.JointModelFreeFlyer(),
        "ball": lambda _: pin.JointModelSpherical(),
        "revolute": pin.JointModelRevoluteUnaligned,
        "prismatic": pin.JointModelPrismaticUnaligned,
    }
    for number in depth_first(tree):
        body, parent = tree.bodies[number], tree.parents[number]
        joint, place = at[parent] if parent >= 0 else (0, pin.SE3.Identity())
        place = place * pin.SE3(np.array(body.R0), np.array(body.p))
        if body.joint != "fixed":
            joint = model.addJoint(joint, kinds[body.joint](body.axis), place, body.name)
            place = pin.SE3.Identity()
        inertia = pin.Inertia(body.mass, np.array(body.com), np.array(body.inertia))
        model.appendBodyToJoint(joint, inertia, place)
        model.addFrame(pin.Frame(body.name, joint, 0, place, pin.FrameType.OP_FRAME))
        at[number] = (joint, place)
    return model


def text(*values: float) -> str:
    return " ".join(f"{x:.17g}" for x in np.ravel(values))


def wxyz(R: Array) -> Array:
    return np.roll(Rotation.from_matrix(R).as_quat(), 1)


def mujoco_xml(tree: Tree) -> str:
    """Return the model for MuJoCo."""
    kinds = {"revolute": "hinge", "prismatic": "slide", "ball": "ball", "free": "free"}

    def element(i: int) -> str:
        body = tree.bodies[i]
        J = body.inertia
        full = text(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        joint = ""
        if body.joint != "fixed":
            joint = f'<joint type="{kinds[body.joint]}" axis="{text(*body.axis)}"/>'
        inner = "".join(element(k) for k, p in enumerate(tree.parents) if p == i)
        return (
            f'<body name="{body.name}" pos="{text(*body.p)}" quat="{text(*wxyz(body.R0))}">'
            f'{joint}<inertial pos="{text(*body.com)}" mass="{body.mass:.17g}"'
            f' fullinertia="{full}"/>{inner}</body>'
        )

    roots = "".join(element(k) for k, p in enumerate(tree.parents) if p < 0)
    return (
        '<mujoco><compiler angle="radian" boundmass="0"/>'
        f'<option gravity="{text(*tree.gravity)}"><flag contact="disable"/></option>'
        f"<worldbody>{roots}</worldbody></mujoco>"
    )


def depth_first(tree: Tree) -> list[int]:
    """Return the bodies in the order of the engines: each branch to its end."""
    out: list[int] = []

    def visit(above: int) -> None:
        for i, parent in enumerate(tree.parents):
            if parent == above:
                out.append(i)
                visit(i)

    visit(-1)
    return out


def engine_order(tree: Tree, *, scalar_first: bool) -> tuple[Order, Order]:
    """Return which of our coordinates and velocities stand where in the order of the engines.

    MuJoCo's quaternions are w x y z: ``scalar_first``; pinocchio's are ours, x y z w.
    """
    q: list[int] = []
    v: list[int] = []
    for i in depth_first(tree):
        at = list(range(tree.q_at[i].start, tree.q_at[i].stop))
        if scalar_first and tree.bodies[i].joint in ("ball", "free"):
            at = [*at[:-4], at[-1], *at[-4:-1]]
        q.extend(at)
        v.extend(range(tree.v_at[i].start, tree.v_at[i].stop))
    return np.array(q, dtype=int), np.array(v, dtype=int)
