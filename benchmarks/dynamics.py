"""Inverse dynamics of one leg against a Python loop and a batched dense solve.

usage: python benchmarks/dynamics.py [FRAMES ...]

Prints the time a frame and the ratio to the substitution; medians of alternating runs. The loop
is the usual segment-by-segment recursion with numpy vectors of three.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

import gaitdyn

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RUNS = 7


def random_leg(frames: int) -> dict[str, Array]:
    """Return the arguments of ``inverse_dynamics`` for a leg that tumbles at random."""
    rng = np.random.default_rng(1)
    turn = np.linalg.qr(rng.normal(size=(frames, 3, 3, 3)))[0]
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
    """Return the joint moments in G, frame by frame and segment by segment."""
    frames = len(leg["R_GS"])
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


def main() -> int:
    """Print the table."""
    for frames in [int(word) for word in sys.argv[1:]] or [1_000, 10_000, 100_000]:
        leg = random_leg(frames)
        works: dict[str, Callable[[], object]] = {
            "substitution": lambda leg=leg: gaitdyn.inverse_dynamics(**leg),
            "stacked solve": lambda leg=leg: gaitdyn.inverse_dynamics(**leg, method="stacked"),
        }
        if frames <= 10_000:
            works["Python loop"] = lambda leg=leg: python_loop(leg)
        times: dict[str, list[float]] = {name: [] for name in works}
        for run in range(RUNS + 1):
            for name, work in works.items():
                if name == "Python loop" and run > 2:
                    continue
                start = time.perf_counter()
                work()
                if run:
                    times[name].append(time.perf_counter() - start)
        median = {name: statistics.median(values) for name, values in times.items()}
        for name, seconds in median.items():
            each, ratio = 1e6 * seconds / frames, seconds / median["substitution"]
            print(f"{frames:7d} frames  {name:14s} {each:8.2f} us a frame and leg  {ratio:7.1f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
