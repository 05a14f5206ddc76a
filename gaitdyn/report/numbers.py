"""Numbers as a report prints them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from statistics import fmean

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.words import without_sign_of_zero

_FEW = 3
_ROUNDING, _MOST_DIGITS = 1e-9, 12

DASH = "\u2013"
"""Stands for an unknown value."""

_RANGE = re.compile(r"(?<![\d-])(\d+)-(?=\d+(?![\d-]))")
"""A range of two numbers; a date has three."""


def decimal(value: float, digits: int, sign: str = "") -> str:
    """Return a number with a true minus sign; one that rounds to zero has no sign.

    Examples
    --------
    >>> decimal(-0.04, 1), decimal(-1.25, 2), decimal(0.5, 1, "+"), decimal(0.04, 1, "+")
    ('0.0', '\u22121.25', '+0.5', '0.0')
    """
    text = f"%{sign}.{digits}f" % value
    if text[0] in "-+":
        return without_sign_of_zero(text).replace("-", "\u2212")
    return text


def shown(value: float | None, digits: int, sign: str = "") -> str:
    """Return a number as :func:`decimal` does, or a dash if it is not known."""
    return DASH if value is None or not math.isfinite(value) else decimal(value, digits, sign)


def extent_words(values: Array, digits: int) -> str:
    """Return the smallest and the largest known value; empty if none is known."""
    known = values[np.isfinite(values)]
    ends = (known.min(), known.max()) if known.size else ()
    return " to ".join(decimal(float(value), digits) for value in ends)


def with_dashes(text: str) -> str:
    """Return a text with dashes in its ranges of numbers, as a page prints them.

    Examples
    --------
    >>> with_dashes("from pre-swing to mid swing 52-80 %"), with_dashes("2024-01-10")
    ('from pre-swing to mid swing 52\u201380 %', '2024-01-10')
    """
    return _RANGE.sub(rf"\1{DASH}", text)


def mean_sd(values: Sequence[float], digits: int = 2) -> str:
    """Return ``mean \u00b1 SD``; for two values their mean and both, for none a dash.

    Examples
    --------
    >>> mean_sd([1.0, 2.0, 3.0], 1), mean_sd([1.0, 2.0], 1), mean_sd([1.5]), mean_sd([])
    ('2.0 \u00b1 1.0', '1.5 (1.0; 2.0)', '1.50', '\u2013')
    """
    if not values:
        return DASH
    if len(values) == 1:
        return decimal(values[0], digits)
    if len(values) < _FEW:
        return f"{decimal(fmean(values), digits)} ({'; '.join(decimal(v, digits) for v in values)})"
    mean = fmean(values)
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (len(values) - 1))
    return plus_minus(mean, spread, digits)


def plus_minus(mean: float, sd: float, digits: int) -> str:
    """Return ``mean \u00b1 SD`` with the decimals of :func:`digits_for`.

    Examples
    --------
    >>> plus_minus(0.692, 0.04, 2), plus_minus(0.692, 0.0031, 2), plus_minus(1.0, 0.0, 2)
    ('0.69 \u00b1 0.04', '0.692 \u00b1 0.003', '1.00 \u00b1 0.00')
    """
    digits = digits_for(mean, sd, digits)
    return f"{decimal(mean, digits)} \u00b1 {sd:.{digits}f}"


def digits_for(mean: float, sd: float, digits: int) -> int:
    """Return the decimals, at least ``digits``, from which an SD that is not 0 is not printed as 0.

    An SD of no more than rounding errors of the mean counts as 0.
    """
    if not sd > _ROUNDING * abs(mean):
        return digits
    return next((d for d in range(digits, _MOST_DIGITS) if float(f"{sd:.{d}f}")), digits)
