"""Convert sympy expressions to numpy functions that are vectorised over frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gaitdyn.multibody.symbolic.extra import mechanics, sympy
from gaitdyn.types.arrays import Array


def plain(expression: Any, q: Sequence[Any], qd: Sequence[Any]) -> Any:
    """Return an expression with plain symbols in place of q(t) and its derivative.

    Parameters
    ----------
    expression : sympy expression or matrix
    q : sequence of dynamicsymbols
    qd : sequence
        Symbols of the speeds: derivatives of ``q``, or separate speeds.
    """
    x, xd = plain_symbols(len(q))
    replaced = mechanics().msubs(expression, dict(zip(qd, xd, strict=True)))
    return mechanics().msubs(replaced, dict(zip(q, x, strict=True)))


def plain_symbols(n: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the symbols ``q1..qn`` and ``qd1..qdn`` that stand for q(t) and its derivative."""
    sp = sympy()
    return (
        tuple(sp.Symbol(f"q{i + 1}") for i in range(n)),
        tuple(sp.Symbol(f"qd{i + 1}") for i in range(n)),
    )


def batched(
    matrices: Mapping[str, Any], q: Sequence[Any], qd: Sequence[Any]
) -> Callable[..., dict[str, Array]]:
    """Return a function of q, qd and the parameters that evaluates every matrix for every frame.

    ``sympy.lambdify`` gives a ragged list if one entry of a matrix is constant and another is an
    array (seed 002, ``dyna``: ValueError with numpy 1.24 and later, E15). This function broadcasts
    every entry to all frames. Common subexpressions are computed once.

    Parameters
    ----------
    matrices : mapping of str to sympy matrix
    q, qd : sequence
        As in :func:`plain`.

    Returns
    -------
    callable
        ``f(q, qd, parameters)`` with q and qd of shape (n,) or (T, n) and parameters by name. It
        returns a dict of arrays of shape (T, rows, columns), without the last axis for a single
        column and without T for (n,).
    """
    sp = sympy()
    x, xd = plain_symbols(len(q))
    flat = {name: plain(sp.Matrix(matrix), q, qd) for name, matrix in matrices.items()}
    free = set().union(*(matrix.free_symbols for matrix in flat.values())) - {*x, *xd}
    symbols = sorted(free, key=lambda symbol: symbol.name)
    return _evaluated(
        flat, [*x, *xd, *symbols], lambda given: [given[symbol.name] for symbol in symbols]
    )


def filled(
    matrices: Mapping[str, Any], q: Sequence[Any], qd: Sequence[Any], values: Mapping[Any, float]
) -> Callable[..., dict[str, Array]]:
    """Return the same kind of function for matrices in plain symbols with default parameters.

    Parameters
    ----------
    matrices : mapping of str to sympy matrix
    q, qd : sequence of symbols
    values : mapping of symbol to float
        Defaults of the parameters that the call does not name.
    """
    sp = sympy()
    flat = {name: sp.Matrix(matrix) for name, matrix in matrices.items()}
    return _evaluated(
        flat, [*q, *qd, *values], lambda given: [given.get(str(s), v) for s, v in values.items()]
    )


def _evaluated(
    matrices: Mapping[str, Any],
    symbols: Sequence[Any],
    arguments: Callable[[Mapping[str, float]], list[float]],
) -> Callable[..., dict[str, Array]]:
    """Return the function of matrices in plain symbols; ``arguments`` orders its parameters."""
    entries = [list(matrix) for matrix in matrices.values()]
    function = sympy().lambdify(
        symbols, entries, "numpy", printer=_printer(), cse=True, docstring_limit=0
    )

    def call(
        q: Array, qd: Array, parameters: Mapping[str, float] | None = None
    ) -> dict[str, Array]:
        q, qd = np.asarray(q, dtype=float), np.asarray(qd, dtype=float)
        columns = (*np.moveaxis(q, -1, 0), *np.moveaxis(qd, -1, 0))
        values = function(*columns, *arguments(parameters or {}))
        frames = q.shape[:-1]
        return {
            name: _filled(value, frames, matrix.shape)
            for (name, matrix), value in zip(matrices.items(), values, strict=True)
        }

    return call


def _printer() -> Any:
    """Return a printer of a text that nobody reads, with a bracket around every sum.

    To sort terms, and to tell where a bracket is needed, takes most of the time of sympy's own.
    """
    from sympy.printing.numpy import NumPyPrinter

    class Printer(NumPyPrinter):
        def _print_Add(self, expr: Any, order: object = None) -> str:  # noqa: ARG002, N802
            return f"({' + '.join(map(self._print, expr.args))})"  # pyrefly: ignore[missing-attribute]

        def _print_Mul(self, expr: Any) -> str:  # noqa: N802
            if any(_divides(arg) for arg in expr.args):
                return super()._print_Mul(expr)  # pyrefly: ignore[missing-attribute]
            return "*".join(map(self._print, expr.args))  # pyrefly: ignore[missing-attribute]

    return Printer(
        {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True,
         "order": "none"}
    )  # fmt: skip


def _divides(factor: Any) -> bool:
    """Return whether a factor of a product may be printed as a division, or in brackets."""
    if factor.is_Pow:
        return not (factor.exp.is_Integer and factor.exp.is_positive)
    return factor.is_Mul or (factor.is_Rational and not factor.is_Integer)


def _filled(entries: Sequence[Any], frames: tuple[int, ...], shape: tuple[int, int]) -> Array:
    whole = np.stack([np.broadcast_to(np.asarray(e, dtype=float), frames) for e in entries], -1)
    return whole if shape[1] == 1 else whole.reshape(*frames, *shape)
