"""Rows of documents 000 and 002: the double pendulum, one and two links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from seed_pages.row import Row, gap, share
from seed_pages.simulated import simulated

from gaitdyn.multibody.muscles import moment_arms
from gaitdyn.multibody.symbolic import double_pendulum, one_link, two_link
from gaitdyn.multibody.systems import simulate
from gaitdyn.multibody.systems.double_pendulum import Bars
from tests.peer.seed_trees import oracle

if TYPE_CHECKING:
    from collections.abc import Iterator

SYSTEMS = "tests/peer/test_seed_systems.py"
SYMBOLIC = "tests/unit/test_symbolic.py"
PENDULUM = "`systems/double_pendulum.py` `Bars`, `motion`"
ARM = "`systems/two_link.py`, `systems/arm.py`"


def at(run: Any, times: Any) -> Any:
    """Return qd and q of a run of 100 Hz at some times."""
    rows = [round(float(t) * 100) for t in times]
    return np.hstack((run.qd[rows], run.q[rows]))


def pendulum() -> Iterator[Row]:
    """Yield the rows of document 000."""
    d = oracle("000_double_pendulum")
    start = np.array(d["inputs"]["y0"])[[2, 3, 0, 1]]
    found = share(Bars().acceleration(start), d["qdd0_corrected"])
    parts = double_pendulum().numpy("watanabe")(
        start[:2], start[2:], {"m1": 1.0, "m2": 1.0, "l1": 1.0, "l2": 0.5, "g": 9.81}
    )
    found = max([found, *(share(parts[k], d["MCG_at_y0"][k]) for k in "MCG")])
    path = f"{PENDULUM}; `symbolic.double_pendulum`"
    yield Row(
        "0.1", "M, C, G, Q of the double pendulum and its accelerations", path,
        "sympy, numpy (000)", found, 1e-9, f"{SYSTEMS}::test_row_0_1", " rel",
    )  # fmt: skip
    yield from pendulum_runs(d)
    yield Row(
        "0.5", "stick figure: ends of the bars", "`Bars.points`; `gaitdyn simulate` draws it",
        "place of the ends by complex numbers", stick(), 1e-12,
        "tests/unit/test_seed_systems.py::test_row_0_5",
    )  # fmt: skip
    yield Row(
        "0.6, 1.8", "two problems of a textbook by Lagrange", "`symbolic.System.from_lagrangian`",
        "Newton-Euler form of the double pendulum",
        "not testable: the statements are not available; the route is shown on the double pendulum",
        None, f"{SYMBOLIC}::test_rows_0_6_and_1_8",
    )  # fmt: skip


def pendulum_runs(d: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of the runs of document 000: corrected, as printed, under its PID."""
    for l2, key in (("0.5", "corrected_free"), ("1", "text_bars_1m_corrected")):
        _, run = simulate("double-pendulum", [f"l2={l2}"], duration_s=2.0)
        off = gap(at(run, d["t"][:4]), np.array(d[key]["state"])[:4])
        yield Row(
            "0.2", f"corrected run, second bar {l2} m, states to 2 s", PENDULUM,
            "DOP853 at 3e-14, LSODA (000)", off, 1e-8, f"{SYSTEMS}::test_row_0_2",
        )  # fmt: skip
        yield Row(
            "0.2", f"energy of that run, {l2} m, J", PENDULUM, "itself",
            float(np.abs(run.imbalance_j()).max()), 1e-9, f"{SYSTEMS}::test_row_0_2",
        )  # fmt: skip
    times = ["0.1", "0.5", "1.0", "2.0"]
    for number, words, key in (
        ("0.3", [], "euler_published"),
        ("0.4", ["control=pid"], "euler_pid_published_G"),
    ):
        _, run = simulate("double-pendulum", words, duration_s=2.0, as_published=True)
        wanted = [d[key]["state"][t] for t in times]
        what = "printed Euler run as it is, to 2 s" + (", with its PID" if words else "")
        yield Row(
            number, what, "`simulate(..., as_published=True)`", "the printed code (000)",
            gap(at(run, times), wanted), 1e-6, f"{SYSTEMS}::test_rows_0_3_and_0_4",
        )  # fmt: skip
    run = simulated("double-pendulum", "control=pid")
    wanted = np.array(d["pid_corrected_ode"]["state_plus_integral"])[:, :4]
    yield Row(
        "0.4", "PID with its integral as a state, 20 s",
        "`multibody/systems/double_pendulum.py` `Pid`", "DOP853 (000)",
        gap(at(run, d["t"]), wanted), 1e-7, f"{SYSTEMS}::test_row_0_4",
    )  # fmt: skip


def stick() -> float:
    """Return how far the ends of the bars are from sums of complex numbers, m."""
    _, run = simulate("double-pendulum", duration_s=2.0)
    ends = np.cumsum(np.array([1.0, 0.5]) * -1j * np.exp(1j * run.q), axis=1)
    return gap(run.sticks[0][:, 1:], np.stack((ends.real, ends.imag), axis=-1))


def links() -> Iterator[Row]:
    """Yield the rows of document 002."""
    d = oracle("002_links")
    yield from one(d)
    f = two_link().numpy("duarte")
    off = []
    for c in d["random_states_pinocchio"]:
        values = {**d["params"]["seed"], "g": 9.81, "F_ex": c["F"][0], "F_ey": c["F"][1]}
        part = f(np.array(c["q"]), np.array(c["qd"]), values)
        off.append(gap(part["M"] @ c["qdd"] + part["C"] + part["G"] + part["E"], c["tau"]))
    yield Row(
        "2.2", "torques of the two links in random states, N m", "`symbolic.two_link`",
        "pinocchio (002)", max(off), 1e-10, "tests/unit/test_symbolic.py::test_row_2_2",
    )  # fmt: skip
    for motion in ("slow", "fast", "horizontal"):
        run = simulated("two-link", f"motion={motion}", "segments=seed")
        exact = np.array(d[motion]["exact"]["tau"][2:], dtype=float)
        off_exact = gap(run.tables[0].values[2:, :2], exact)
        run = simulated("two-link", f"motion={motion}", as_published=True)
        off_printed = max(
            gap(run.tables[0].values[:, 2 * i : 2 * i + 2], d[motion]["seed_as_is"][name])
            for i, name in enumerate(("tau", "M", "C", "G"))
        )
        where = f"{SYSTEMS}::test_rows_2_3_to_2_5"
        yield Row(
            "2.3-2.5", f"{motion} movement, exact, from 2 % on, N m", ARM, "mpmath, numpy (002)",
            off_exact, 1e-6, where,
        )  # fmt: skip
        yield Row(
            "2.3-2.5", f"{motion} movement as printed, M, C, G and torque, N m",
            f"{ARM}, `as_published`", "the printed code (002)", off_printed, 1e-8, where,
        )  # fmt: skip
    yield from reached(d)
    yield from exercises()


def one(d: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of the single link."""
    o = d["one_link_inverse"]
    words = ["motion=inverse", "fx=10", f"q0={o['q0']!r}", f"q1={o['q1']!r}"]
    _, run = simulate("one-link", words, rate_hz=20)
    test = f"{SYSTEMS}::test_rows_2_1_and_2_9"
    path = "`systems/one_link.py` `Link`; `symbolic.one_link`"
    yield Row(
        "2.1", "torque of one link under a force, N m", path, "closed form (002)",
        gap(run.tables[0].values[:, 0], o["tau"]), 1e-9, test,
    )  # fmt: skip
    o = d["one_link_direct"]
    _, run = simulate("one-link")
    yield Row(
        "2.9", "one link from its torque, 2 s, rad and rad/s", path, "DOP853 (002)",
        gap(at(run, o["t"])[:, ::-1], o["state"]), 1e-8, test,
    )  # fmt: skip
    yield Row(
        "2.9", "hanging pendula from the inverted links, terms that differ",
        "`symbolic.System.in_coordinates`", "sympy", hanging(), 0,
        "docs/seeds/002-one-and-two-links.md runs as a test",
    )  # fmt: skip


def hanging() -> float:
    """Return how many terms of the inverted links, hung up, are not those of pendula."""
    link = one_link()
    theta = sp.Symbol("theta")
    m, d, g = sp.symbols("m d g")
    turned = link.g[0].subs(link.q[0], theta - sp.pi / 2)
    wrong = int(sp.simplify(turned + m * g * d * sp.sin(theta)) != 0)
    pendulum = double_pendulum()
    hung = two_link("segment").in_coordinates(pendulum.q, [q - sp.pi / 2 for q in pendulum.q])
    m1, m2, l1, l2, far, near = sp.symbols("m1 m2 l1 l2 L1 L2", positive=True)
    bars: dict[Any, Any] = {far: l1, near: l2}
    for number, mass, length in (("1", m1, l1), ("2", m2, l2)):
        bars[sp.Symbol(f"d{number}", positive=True)] = length / 2
        bars[sp.Symbol(f"I{number}", positive=True)] = mass * length**2 / 12
    for name in ("M", "c", "g"):
        left = getattr(hung, name).subs(bars) - getattr(pendulum, name)
        wrong += sum(sp.simplify(entry) != 0 for entry in left)
    return float(wrong)


def reached(d: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of the smooth movement and of the muscle."""
    off, back = [], []
    for c in d["joint_space_minjerk"]:
        segments = "seed" if c["params"] == "seed_params" else "corrected"
        words = ["motion=joint", f"segments={segments}", f"fx={c['F'][0]}", f"fy={c['F'][1]}"]
        _, run = simulate("two-link", words, rate_hz=40)
        off.append(
            max(
                gap(run.tables[0].values[:, 2 * i : 2 * i + 2], c[name])
                for i, name in enumerate(("tau", "M", "C", "G", "E"))
            )
        )
        back.append(float(run.notes[0].rsplit(" ", 2)[1]))
    test = f"{SYSTEMS}::test_rows_2_6_and_2_7"
    yield Row(
        "2.6", "direct dynamics gives the movement back, rad", "`systems/two_link.py` `forward`",
        "the movement itself", max(back), 1e-8, test,
    )  # fmt: skip
    yield Row(
        "2.7", "terms of the movement, also under a force on the finger tip, N m",
        "`Arm.terms` E", "pinocchio (002)", max(off), 1e-9, test,
    )  # fmt: skip
    m, arm = d["muscle_moment_arm"], d["params"]["seed"]

    def length(q: Any) -> Any:
        far = np.exp(1j * (q[0] + q[1])) * complex(*m["insertion_link2"])
        end = arm["L1"] * np.exp(1j * q[0]) + far
        return np.array([abs(end - complex(*m["origin_base"]))])

    yield Row(
        "2.8", "moment arms r = -dL/dq, m", "`multibody/muscles.py` `moment_arms`",
        "lever of the line of pull (002)",
        gap(moment_arms(length, np.array(m["q"]))[:, 0], m["r_geometric"]), 1e-9,
        f"{SYSTEMS}::test_row_2_8",
    )  # fmt: skip


def exercises() -> Iterator[Row]:
    """Yield exercises 5 to 7, as identities."""
    system = two_link()
    q1, q2 = system.q
    d1, d2 = system.qd
    L1, L2, c2, m2 = sp.symbols("L1 L2 d2 m2", positive=True)
    k = L1 * c2 * m2
    stays = {
        "a": ({d1: 0}, (-k * sp.sin(q2) * d2**2, 0)),
        "b": ({q2: 0}, (0, 0)),
        "c": ({d2: 0}, (0, k * sp.sin(q2) * d1**2)),
        "d": ({d2: -2 * d1}, (0, k * sp.sin(q2) * d1**2)),
    }
    wrong = 0
    for given, wanted in stays.values():
        left = system.subs(given).c - sp.Matrix(wanted)
        wrong += sum(sp.simplify(entry) != 0 for entry in left)
    tip = L1 * sp.cos(q1) + L2 * sp.cos(q1 + q2)
    wrong += sp.simplify(tip.subs(q2, sp.pi - 2 * q1).subs(L2, L1)) != 0
    yield Row(
        "2.10", "velocity terms of exercise 5 a to d, entries that differ",
        "`symbolic.two_link().subs`", "by hand", float(wrong), 0, f"{SYMBOLIC}::test_row_2_10",
    )  # fmt: skip
    segment = two_link("segment")
    first, second = segment.q
    turned = system.in_coordinates([first, second], [first, second - first])
    wrong = sum(
        sp.simplify(entry) != 0
        for name in ("M", "c", "g", "e")
        for entry in getattr(turned, name) - getattr(segment, name)
    )
    yield Row(
        "2.11", "segment angles by J^T M J and by Lagrange, entries that differ",
        "`symbolic.System.in_coordinates`", "sympy", float(wrong), 0,
        f"{SYMBOLIC}::test_row_2_11",
    )  # fmt: skip
    yield Row(
        "2.12", "other parameters", "`gaitdyn simulate two-link --set KEY=VALUE`, a loop",
        "-", "a loop; a test of its laws, no oracle", None,
        "tests/unit/test_seed_systems.py::test_row_2_12",
    )  # fmt: skip
