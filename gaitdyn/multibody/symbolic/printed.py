"""Print equations as functions of Python and C and as LaTeX, call them with numpy, shorten them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gaitdyn.multibody.symbolic.extra import sympy
from gaitdyn.multibody.symbolic.lambdas import filled
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

_LARGE = 3000
"""Operations above which an expression is left as it is."""


@frozen(eq=False)
class Functions:
    """Named matrices in q, qd and parameters, with methods that print them.

    Attributes
    ----------
    parts : mapping of str to sympy matrix
    q, qd : tuple of symbols
    values : mapping of symbol to float
        The parameters and their defaults.
    """

    parts: Mapping[str, Any]
    q: tuple[Any, ...]
    qd: tuple[Any, ...]
    values: Mapping[Any, float]

    def numpy(self) -> Callable[..., dict[str, Array]]:
        """Return ``f(q, qd, parameters)``: arrays of shape (T, rows, columns) by name.

        The axis of a single column is dropped; ``parameters`` override the defaults by name.
        """
        return filled(self.parts, self.q, self.qd, self.values)

    def python(self) -> str:
        """Return a module of plain Python in which ``M(q, qd, p)`` and so on return rows."""
        sp = sympy()
        lines = ['"""Equations of motion, written by gaitdyn."""', "", "import math", ""]
        names = ", ".join(f'"{s}": {v!r}' for s, v in self.values.items())
        lines += [f"PARAMETERS = {{{names}}}", ""]
        for name, matrix in self.parts.items():
            replaced, (body,) = sp.cse([matrix], sp.numbered_symbols("x"))
            lines += ["", f"def {name}(q, qd, p=PARAMETERS):"]
            lines += [f"    {s} = {text}" for s, text in self._inputs("q[{}]", 'p["{}"]', matrix)]
            lines += [f"    {s} = {sp.pycode(e)}" for s, e in replaced]
            rows = [", ".join(sp.pycode(e) for e in body.row(i)) for i in range(body.rows)]
            lines += ["    return [", *(f"        [{row}]," for row in rows), "    ]", ""]
        return "\n".join(lines)

    def c(self) -> str:
        """Return C99 functions: ``void M(q, qd, p, out)`` and so on fill ``out`` row by row.

        ``p`` has the parameters in the order of the comment at the top.
        """
        sp = sympy()
        order = ", ".join(f"{i} {s}" for i, s in enumerate(self.values))
        lines = ["/* Equations of motion, written by gaitdyn.", f"   p: {order} */", ""]
        lines += ["#include <math.h>", ""]
        numbers = {str(s): i for i, s in enumerate(self.values)}
        for name, matrix in self.parts.items():
            replaced, (body,) = sp.cse([matrix], sp.numbered_symbols("x"))
            arguments = "const double *q, const double *qd, const double *p, double *out"
            lines.append(f"void {name}({arguments})")
            lines += ["{", "    (void)q; (void)qd; (void)p;"]
            for symbol, text in self._inputs("q[{}]", "p[{}]", matrix, numbers):
                lines.append(f"    const double {symbol} = {text};")
            lines += [f"    const double {s} = {sp.ccode(e)};" for s, e in replaced]
            lines += [f"    out[{i}] = {sp.ccode(e)};" for i, e in enumerate(body)]
            lines += ["}", ""]
        return "\n".join(lines)

    def latex(self) -> dict[str, str]:
        """Return every part as LaTeX, with velocities as dots."""
        sp = sympy()
        names = {s: f"q_{{{i + 1}}}" for i, s in enumerate(self.q)}
        names |= {s: f"\\dot q_{{{i + 1}}}" for i, s in enumerate(self.qd)}
        return {name: sp.latex(part, symbol_names=names) for name, part in self.parts.items()}

    def _inputs(
        self, element: str, parameter: str, matrix: Any, numbers: Mapping[str, int] | None = None
    ) -> list[tuple[str, str]]:
        """Return the symbols that a matrix needs and the expression that gives each."""
        used = {str(s) for s in matrix.free_symbols}
        inputs = [(str(s), element.format(i)) for i, s in enumerate(self.q)]
        inputs += [(str(s), element.replace("q[", "qd[").format(i)) for i, s in enumerate(self.qd)]
        inputs += [
            (str(s), parameter.format(str(s) if numbers is None else numbers[str(s)]))
            for s in self.values
        ]
        return [(symbol, text) for symbol, text in inputs if symbol in used]


def short(expression: Any) -> Any:
    """Return an equal expression that is no longer.

    Products of sines and cosines are turned into sums (rule TR8 of Fu, Zhong and Zeng 2006, Math
    Comput Model 44:1169-1177, as in sympy), terms are collected, and common factors taken out; the
    shortest of all stages is returned. This is far faster than sympy's ``simplify`` on equations of
    motion.

    Parameters
    ----------
    expression : sympy expression

    Examples
    --------
    >>> import sympy as sp
    >>> a, b = sp.symbols("a b")
    >>> short(sp.cos(a) * sp.cos(b) - sp.sin(a) * sp.sin(b))
    cos(a + b)
    """
    sp = sympy()
    if expression.is_Atom or sp.count_ops(expression) > _LARGE:
        return expression
    from sympy.simplify.fu import TR8

    stages = [expression, sp.expand(expression)]
    stages.append(sp.expand(TR8(stages[1])))
    stages.append(sp.factor_terms(stages[2]))
    return min(stages, key=_length)


def _length(expression: Any) -> tuple[int, int]:
    sp = sympy()
    return len(expression.atoms(sp.sin, sp.cos)), sp.count_ops(expression)
