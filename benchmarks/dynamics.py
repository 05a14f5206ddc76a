"""Inverse dynamics of one leg against a Python loop, a batched dense solve and two engines.

usage: python benchmarks/dynamics.py [FRAMES ...]

Prints the processor time a frame and the ratio to the substitution; medians of alternating runs.
The loop is the usual segment-by-segment recursion with numpy vectors of three; pinocchio's
``rnea`` and MuJoCo's ``mj_inverse`` are called frame by frame from Python, as their bindings want
it.
"""

from __future__ import annotations

import contextlib
import importlib
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import page  # noqa: F401  it puts this tree before any other
from usage import help_shown

import gaitdyn
from tests.peer.linked_chain import linked_chain
from tests.peer.mujoco_loads import body_xml, world_xml
from tests.peer.pinocchio_loads import pin_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RUNS = 7
FRAMES = (1_000, 10_000, 100_000)
MANY = 10_000
"""Frames that the Python loop runs through at most, then once: each costs as much as any other."""


def random_leg(frames: int) -> dict[str, Array]:
    """Return the arguments of ``inverse_dynamics`` for a leg that tumbles at random."""
    rng = np.random.default_rng(1)
    turn = np.linalg.qr(rng.normal(size=(frames, 3, 3, 3)))[0]
    turn[..., 0] *= np.sign(np.linalg.det(turn))[..., None]
    vectors = {
        name: rng.normal(size=(frames, 3, 3))
        for name in (
            "r_cm_G", "r_prox_G", "a_cm_G", "omega_S", "alpha_S",
            "external_force_G", "external_moment_G",
        )
    }  # fmt: skip
    inertia = np.einsum("s,ij->sij", np.array([0.01, 0.05, 0.12]), np.eye(3))
    gravity = np.array([0.0, -9.80665, 0.0])
    return {
        "mass": np.array([1.0, 3.3, 7.0]), "inertia_S": inertia, "R_GS": turn,
        **vectors, "gravity_G": gravity,
    }  # fmt: skip


def python_loop(leg: dict[str, Array]) -> Array:
    """Return the joint moments in G, frame by frame and segment by segment, of MANY at most."""
    frames = min(len(leg["R_GS"]), MANY)
    out = np.empty((frames, 3, 3))
    for k in range(frames):
        force_below, moment_below, joint_below = np.zeros(3), np.zeros(3), np.zeros(3)
        for i in range(3):
            R, cm = leg["R_GS"][k, i], leg["r_cm_G"][k, i]
            inertia, omega = leg["inertia_S"][i], leg["omega_S"][k, i]
            weight = leg["mass"][i] * (leg["a_cm_G"][k, i] - leg["gravity_G"])
            force = weight - leg["external_force_G"][k, i] + force_below
            spin = inertia @ leg["alpha_S"][k, i] + np.cross(omega, inertia @ omega)
            moment = R @ spin - leg["external_moment_G"][k, i] + moment_below
            moment -= np.cross(leg["r_prox_G"][k, i] - cm, force)
            if i:
                moment += np.cross(joint_below - cm, force_below)
            force_below, moment_below, joint_below = force, moment, leg["r_prox_G"][k, i]
            out[k, i] = moment
    return out


def engine_motion(frames: int) -> tuple[Array, Array, Array, Array]:
    """Return coordinates (quaternions x, y, z, w), velocities, accelerations and a wrench."""
    rng = np.random.default_rng(2)
    quaternions = rng.normal(size=(frames, 3, 4))
    quaternions /= np.linalg.norm(quaternions, axis=-1, keepdims=True)
    q = np.concatenate((rng.normal(size=(frames, 3)), quaternions.reshape(frames, 12)), axis=1)
    v, a = rng.normal(size=(2, frames, 12))
    return q, v, a, rng.normal(size=(frames, 6))


def pinocchio_loop(frames: int) -> Callable[[], object]:
    """Return a run of ``rnea`` over frames: free thigh, ball joints, a wrench on the foot."""
    pin = importlib.import_module("pinocchio")
    chain, place = linked_chain(np.random.default_rng(1), 1, 3)
    up, down = place["up"][0], place["down"][0]
    parts = [(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), -up[2])]
    for number, i in ((1, 1), (2, 0)):
        at = pin.SE3(np.eye(3), down[i + 1] - up[i + 1])
        parts.append((number, pin.JointModelSpherical(), at, -up[i]))
    model = pin_model(pin, chain, parts)
    data, (q, v, a, wrench) = model.createData(), engine_motion(frames)
    outside = pin.StdVec_Force()
    outside.extend([pin.Force.Zero()] * 4)

    def run() -> Array:
        tau = np.empty((frames, 12))
        for k in range(frames):
            outside[3] = pin.Force(wrench[k])
            tau[k] = pin.rnea(model, data, q[k], v[k], a[k], outside)
        return tau

    return run


def mujoco_loop(frames: int) -> Callable[[], object]:
    """Return a run of ``mj_inverse`` over frames: free thigh, ball joints, no wrench."""
    mujoco = importlib.import_module("mujoco")
    chain, place = linked_chain(np.random.default_rng(1), 1, 3)
    up, down = place["up"][0], place["down"][0]
    bodies = ""
    for i in range(3):
        at = np.zeros(3) if i == 2 else down[i + 1] - up[i + 1]
        joint = "free" if i == 2 else "ball"
        bodies = body_xml(chain, i, at, -up[i], joint, bodies)
    model = mujoco.MjModel.from_xml_string(world_xml(chain, bodies))
    data, (q, v, a, _) = mujoco.MjData(model), engine_motion(frames)

    def run() -> Array:
        tau = np.empty((frames, 12))
        for k in range(frames):
            data.qpos[:], data.qvel[:], data.qacc[:] = q[k], v[k], a[k]
            mujoco.mj_inverse(model, data)
            tau[k] = data.qfrc_inverse
        return tau

    return run


def runs(frames: int) -> dict[str, Callable[[], object]]:
    """Return what is timed at a number of frames, by name."""
    leg: dict[str, Any] = random_leg(frames)
    works: dict[str, Callable[[], object]] = {
        "substitution": lambda: gaitdyn.inverse_dynamics(**leg),
        "stacked solve": lambda: gaitdyn.inverse_dynamics(**leg, method="stacked"),
        "Python loop": lambda: python_loop(leg),
    }
    for name, make in (("pinocchio", pinocchio_loop), ("MuJoCo", mujoco_loop)):
        with contextlib.suppress(ImportError):
            works[name] = make(frames)
    return works


def timed(frames: int) -> dict[str, float]:
    """Return the median processor time of each by name, s; the slow ones run less often."""
    times: dict[str, list[float]] = {}
    works = runs(frames)
    for run in range(RUNS + 1):
        for name, work in works.items():
            once = name == "Python loop" and frames >= MANY
            often = name == "substitution" or (name == "stacked solve" and frames <= MANY)
            if run > (0 if once else RUNS if often else 3):
                continue
            start = time.process_time()
            work()
            if run or once:
                times.setdefault(name, []).append(time.process_time() - start)
    median = {name: statistics.median(values) for name, values in times.items()}
    median["Python loop"] *= max(1, frames / MANY)
    return median


def main() -> int:
    """Print the table."""
    for frames in [int(word) for word in sys.argv[1:]] or list(FRAMES):
        median = timed(frames)
        for name, seconds in median.items():
            each, ratio = 1e6 * seconds / frames, seconds / median["substitution"]
            print(f"{frames:7d} frames  {name:14s} {each:8.2f} us a frame and leg  {ratio:7.1f} x")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
