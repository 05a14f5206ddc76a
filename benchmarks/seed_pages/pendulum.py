"""Numbers and figures of the page of document 000."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from seed_pages.drawing import BLUE, GREY, RED, label, legend, panels, save, sticks
from seed_pages.simulated import simulated

from gaitdyn.multibody.symbolic import double_pendulum
from gaitdyn.multibody.systems.double_pendulum import Bars, motion

START = np.array([np.pi / 10, np.pi / 3, 2 * np.pi, -6 * np.pi])


def values() -> dict[str, Any]:
    """Return the numbers of the page; draw its figures."""
    t = np.arange(0, 2001) / 100
    runs = {
        "printed": motion(Bars(printed_G=True), START, t, method="euler"),
        "euler": motion(Bars(), START, t, method="euler"),
        "true": motion(Bars(), START, t),
    }
    apart = np.abs(loosely(t) - runs["true"][:, :2]).max(axis=1)
    energy = {name: Bars().energy(states) for name, states in runs.items()}
    draw_energy(t, energy, runs)
    draw_sticks(runs)
    pid = draw_pid()
    equal = Bars(l2=1.0)
    second = motion(equal, START, np.array([0.0, 1.0]))[1, :2]
    corrected, printed = Bars().acceleration(START), Bars(printed_G=True).acceleration(START)
    latex = double_pendulum().latex("watanabe")
    return {
        **{f"latex_{k}": latex[k] for k in "MCG"},
        "e1_torque": f"{Bars().g * 0.5 * np.sin(START[0]):.3f}",
        "e1_qdd": f"{abs(printed - corrected).max():.2f}",
        "e2_gap": f"{np.abs(second - runs['true'][100, :2]).max():.1f}",
        "e3_start": f"{energy['euler'][0]:.3f}",
        "e3_end": f"{energy['euler'][-1]:.3f}",
        "e3_percent": f"{100 * (energy['euler'][-1] / energy['euler'][0] - 1):+.1f}",
        "e3_theta": f"{runs['euler'][500, 1]:.2f}",
        "e3_true": f"{runs['true'][500, 1]:.2f}",
        "e3_dop": f"{np.abs(energy['true'] - energy['true'][0]).max():.0e}",
        "numpy": np.__version__,
        "e4_trapz": "`np.trapz` is not there" if not hasattr(np, "trapz") else "still there",
        "qdd1": f"{corrected[0]:.4f}",
        "qdd2": f"{corrected[1]:.4f}",
        "residual": residual(),
        "apart2": f"{apart[:201].max():.0e}",
        "apart10": f"{apart[:1001].max():.0e}",
        "apart20": f"{apart.max():.1g}",
        "printed_span": f"{np.ptp(energy['printed']):.2f}",
        "pid_end": f"{pid[0]:.3f}",
        "pid_want": f"{pid[1]:.3f}",
        "pid_time": f"{pid[2]:.0f}",
    }


def loosely(t: Any) -> Any:
    """Return the angles of the true run by a solver with a larger tolerance."""
    from gaitdyn.multibody.simulate import integrate

    def rate(_: float, y: Any) -> Any:
        return np.concatenate((y[2:], Bars().acceleration(y)))

    return integrate(rate, START, t, tolerance=1e-12)[:, :2]


def residual() -> str:
    """Return Newton-Euler less Lagrange, of all terms."""
    system = double_pendulum()
    a, b = system.q
    ad, bd = system.qd
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g", positive=True)
    k = m2 * l1 * l2 / 2
    M = sp.Matrix(
        [[m1 * l1**2 / 3 + m2 * l1**2, k * sp.cos(a - b)], [k * sp.cos(a - b), m2 * l2**2 / 3]]
    )
    C = sp.Matrix([-k * bd**2 * sp.sin(a - b), k * ad**2 * sp.sin(a - b)])
    G = sp.Matrix([-(m1 / 2 + m2) * g * l1 * sp.sin(a), -m2 * g * l2 / 2 * sp.sin(b)])
    parts = system.parts("watanabe")
    left = [*(parts["M"] - M), *(parts["C"] - C), *(parts["G"] - G)]
    return str(sum(abs(sp.simplify(entry)) for entry in left))


def draw_energy(t: Any, energy: dict[str, Any], runs: dict[str, Any]) -> None:
    """Draw the energy and the angle of the second bar of three runs."""
    figure, (left, right) = panels(1, 2, 8.2, 3.0)
    words = {
        "printed": ("printed: Euler, $l_2$ in gravity", GREY),
        "euler": ("Euler, gravity corrected", RED),
        "true": ("DOP853, corrected", BLUE),
    }
    for name, (word, colour) in words.items():
        left.plot(t, energy[name], color=colour, lw=1.0, label=word)
        right.plot(t[:601], runs[name][:601, 1], color=colour, lw=1.3, label=word)
    label(left, "energy of the true system", "time, s", "J")
    left.set_ylim(top=float(max(e.max() for e in energy.values())) * 1.35)
    legend(left, loc="upper left")
    label(right, "angle of the second bar", "time, s", "rad")
    save(figure, "000-energy")


def draw_sticks(runs: dict[str, Any]) -> None:
    """Draw stick figures of the first 1.2 s."""
    figure, axes = panels(1, 2, 6.6, 2.8)
    for one, name, word in zip(
        axes, ("true", "printed"), ("corrected, DOP853", "as printed"), strict=True
    ):
        states = runs[name][:121:6]
        colour = BLUE if name == "true" else GREY
        sticks(one, Bars().points(states), colour, alpha=0.45)
        one.plot(*Bars().points(runs[name][:121])[:, 2].T, color=RED, lw=0.8, label="free end")
        one.set(xlim=(-1.6, 1.6), ylim=(-1.6, 0.9))
        label(one, word, "m", "m" if name == "true" else "")
    legend(axes[0], loc="upper left")
    save(figure, "000-sticks")


def draw_pid() -> tuple[float, float, float]:
    """Draw the elbow under its PID; return the last angle, the wanted one and the time."""
    run = simulated("double-pendulum", "control=pid")
    figure, (one,) = panels(1, 1, 5.0, 2.5)
    one.plot(run.time_s, run.q[:, 1], color=BLUE, lw=1.0, label="second bar")
    one.plot(run.time_s, run.q[:, 0], color=GREY, lw=0.8, label="first bar")
    one.axhline(np.pi / 3, color=RED, lw=0.8, ls="--", label="wanted of the second")
    label(one, "angles with a PID at the elbow", "time, s", "rad")
    one.set_ylim(top=2.3)
    legend(one, loc="upper right", ncols=3)
    save(figure, "000-pid")
    return float(run.q[-1, 1]), np.pi / 3, float(run.time_s[-1])
