"""Equations of the seed systems as text: Markdown with formulas, and Python and C functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.multibody.loop import Loop


_LEFT = {
    "Phi": r"\Phi(q)", "b": "b'", "M_red": "M_{red}", "h_red": "h_{red}", "f_red": "f_{red}",
}  # fmt: skip


def formulas(title: str, parts: Mapping[str, str], words: str = "") -> str:
    """Return a Markdown text with one formula per part.

    Parameters
    ----------
    title : str
    parts : mapping of str to str
        Left side -> LaTeX of the right side.
    words : str
        Introduction.
    """
    lines = [f"# {title}", ""]
    if words:
        lines += [words, ""]
    for name, text in parts.items():
        lines += ["$$", f"{name} = {text}", "$$", ""]
    return "\n".join(lines)


def of_loop(loop: Loop) -> dict[str, str]:
    """Return the equations of a loop in minimal coordinates (document 003).

    Raises
    ------
    ExtraMissing
        If sympy is not installed.
    """
    functions = loop.symbolic().functions()
    named = {_LEFT.get(name, name): text for name, text in functions.latex().items()}
    numbers = ", ".join(f"{s} = {v:g}" for s, v in functions.values.items())
    order = ", ".join(f"q{i} = {name}" for i, name in enumerate(loop.coordinates, 1))
    words = (
        f"Coordinates {order}; the first {loop.u} are u, the others v. The loop is closed if"
        " Phi = 0; dv/dt = B du/dt, with b' added for second derivatives;"
        " M_red u'' + h_red = [1 B^T] tau + f_red, multipliers act as W lambda."
        f" Numbers in SI units: {numbers}."
    )
    return {
        "equations.md": formulas(loop.name, named, words),
        "equations.py": functions.python(),
        "equations.c": functions.c(),
    }


def of_double_pendulum() -> dict[str, str]:
    """Return the matrices of document 000, in its signs."""
    from gaitdyn.multibody.symbolic import double_pendulum

    words = "M q'' = C + G + Q, with Q = (M_1 - M_12, M_12)."
    parts = double_pendulum().latex("watanabe")
    del parts["E"]
    return {"equations.md": formulas("double-pendulum", parts, words)}


def of_one_link() -> dict[str, str]:
    """Return the parts of the torque of one link (document 002)."""
    from gaitdyn.multibody.symbolic import one_link

    words = "T = M alpha'' + C + G + E."
    return {"equations.md": formulas("one-link", one_link().latex("duarte"), words)}


def of_two_link() -> dict[str, str]:
    """Return the Newton-Euler and Lagrange equations of the two-link arm (document 002)."""
    from gaitdyn.multibody.symbolic import two_link, two_link_newton_euler
    from gaitdyn.multibody.symbolic.extra import mechanics

    latex = mechanics().mlatex
    solution = two_link_newton_euler()
    text = [formulas("two-link", two_link().latex("duarte"), "Lagrange: tau = M q'' + C + G + E.")]
    lines = ["Newton and Euler, link 2 then link 1; each is zero:", ""]
    for equation in solution["equations"]:
        lines += ["$$", f"0 = {latex(equation)}", "$$", ""]
    text.append("\n".join(lines))
    parts = {r"(F_{r1x}, F_{r1y}, F_{r2x}, F_{r2y})^T": latex(solution["reactions"])}
    parts |= {name: latex(centre) for name, centre in solution["places"].items()}
    parts |= {f"J_{name[1]}": latex(J) for name, J in solution["J"].items()}
    text.append(formulas("Reactions, positions of the centres of mass, their Jacobians", parts))
    return {"equations.md": "\n".join(text)}
