"""How far the trees and loops are from the numbers of the seeds' oracles, row by row.

usage: PYTHONPATH=. python benchmarks/multibody_rows.py

Needs ../shared/oracles/seeds. Prints the largest absolute difference of every row and the
tolerance that the row asks for; the tests hold the same rows to these tolerances.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.multibody import (
    Contact,
    Support,
    com_coordinates,
    crank_slider,
    four_bar,
    four_bar_transmission,
    induced,
    supported,
    wrench_margin,
)
from tests.peer.seed_trees import SEEDS, biped, cases, manipulator, oracle

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[str, str, float, str]


def gap(found: Any, wanted: Any) -> float:
    """Return the largest absolute difference."""
    return float(np.abs(np.asarray(found) - np.asarray(wanted)).max())


def tree_rows() -> Iterator[Row]:
    """Yield the rows of the manipulator."""
    data = oracle("003_004_tree_manipulator")
    given, tree = data["cases"], manipulator(data)
    q, qd = cases(given, "q"), cases(given, "qd")
    state = tree.state(q, qd)
    M, c, g = tree.dynamics(state)
    yield "3.1, 4.1", "mass matrix, 5 joints", gap(M, cases(given, "M")), "1e-10"
    yield "3.1, 4.1", "velocity terms", gap(c, cases(given, "coriolis_Cqd")), "1e-10"
    yield "4.2", "gravity terms", gap(g, cases(given, "tau_g")), "1e-10"
    force, moment = cases(given, "f_ext"), cases(given, "m_ext")
    push = [Contact("b3", tree.coms[3], force, moment, frame="body")]
    qdd = tree.forward(q, qd, cases(given, "tau"), push)
    yield "4.2", "accelerations with a wrench", gap(qdd, cases(given, "qdd")), "1e-10 rel"


def loop_rows() -> Iterator[Row]:
    """Yield the rows of the loops."""
    makers = {
        "FourBar": four_bar, "CrankSlider": crank_slider, "FourBarTrans": four_bar_transmission,
    }  # fmt: skip
    for name, make in makers.items():
        data = oracle("003_loops")[name]
        loop, given = make(**data["params"]), data["cases"]
        q, qd, tau = (cases(given, key) for key in ("q", "qd", "tau"))
        wanted = cases(given, "qdd")
        found = gap(loop.forward(q, qd, tau), wanted) / np.abs(wanted).max()
        yield "3.4", f"{name}: accelerations, reduced", found, "1e-9 rel"
        pins = cases(given, "lambda_xy")
        found = gap(loop.multipliers(q, qd, tau).w, pins) / np.abs(pins).max()
        yield "3.3", f"{name}: multipliers", found, "1e-9 rel"


def biped_rows() -> Iterator[Row]:
    """Yield the rows of the floating biped."""
    data = oracle("004_biped")
    given, tree = data["cases"], biped(data)
    world = [case["world_base"] for case in given]
    q, v = cases(given, "q"), cases(world, "v")
    state = tree.state(q, v)
    _, c, g = tree.dynamics(state)
    yield "4.3", "floating base: c - g", gap(c - g, cases(world, "h")), "1e-9"
    foot = tree.point(state, "ankle_inv_R", data["sole_centre"])
    yield "4.4", "contact Jacobian", gap(foot.J, cases(world, "Jc_sole_R")), "1e-9"
    tau = np.hstack((np.zeros((len(q), 6)), cases(given, "tau")))
    sole = [Support("ankle_inv_R", data["sole_centre"])]
    qdd, w = supported(tree, state, tau, sole)
    wanted = cases(world, "qdd")
    yield "4.5", "accelerations on a foot", gap(qdd, wanted) / np.abs(wanted).max(), "1e-8 rel"
    yield "4.5", "wrench under the foot", gap(w, cases(given, "wrench_sole_R")), "1e-7"
    corners = [Support("ankle_inv_R", corner, "point") for corner in data["corners"]]
    forces = supported(tree, state, tau, corners, redundant="allow").w
    yield "4.5", "corner forces", gap(forces, cases(given, "corner_forces_minnorm")), "1e-7"
    turned = com_coordinates(tree, state).g
    wanted = cases(given, "gravity_in_com_coordinates")
    yield "4.6", "gravity, centre-of-mass coordinates", gap(turned, wanted), "1e-9"
    shares = induced(tree, state, tau, sole)
    total = sum(share.qdd for share in shares.values())
    yield "4.5", "shares of sources add up", gap(total, qdd) / np.abs(qdd).max(), "1e-12 rel"
    cone = data["wrench_cone"]
    w = cases(cone["samples"], "w")
    margin = wrench_margin(w, cone["X"], cone["Y"], cone["mu"]) / w[:, 2]
    yield (
        "4.7",
        "wrench cone margin / fz",
        gap(margin, cases(cone["samples"], "margin_over_fz")),
        "exact",
    )


def main() -> int:
    """Print the table."""
    if not SEEDS.is_dir():
        print("../shared/oracles/seeds is not there")
        return 1
    print("| row | what | largest difference | asked |\n|---|---|---|---|")
    for rows in (tree_rows(), loop_rows(), biped_rows()):
        for number, what, found, asked in rows:
            print(f"| {number} | {what} | {found:.1e} | {asked} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
