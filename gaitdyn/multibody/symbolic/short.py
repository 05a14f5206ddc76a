"""Shorten expressions: products of sines and cosines become sines and cosines of sums."""

from __future__ import annotations

from typing import Any

from gaitdyn.multibody.symbolic.extra import sympy

_LARGE = 3000
"""Operations above which an expression is left as it is."""


def short(expression: Any) -> Any:
    """Return an equal expression that is no longer.

    Products of sines and cosines are turned into sums (rule TR8 of Fu, Zhong and Zeng 2006, as
    in sympy), terms are collected, and common factors taken out; the shortest of all stages is
    returned. This is far faster than sympy's ``simplify`` on equations of motion.

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
