"""Rows of numbers as text, a table at once: the very digits of ``%.15g``, in half its time.

A number of at most 15 digits is a whole number times a power of ten. The whole number is the
product of the value and an exact power of ten, rounded. Rounding keeps the order, so that only a
product half-way between two whole numbers is in doubt; there decides what it lost, which is known
exactly (T. J. Dekker, Numer. Math. 18, 224-242, 1971). A number with an exponent is left to ``%``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array

_Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
_Whole = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

_LEAST, _MOST = -4, 15
"""Powers of ten between which a number is written without an exponent."""

_PLACES = 16
"""Digits that a whole number is taken apart into, four at a time."""

_TENS = np.array([float(f"1e{power}") for power in range(_MOST - _LEAST + 1)])
_SIZES = np.array([float(f"1e{power}") for power in range(_LEAST, _MOST + 1)])
_FOUR = np.array([b"%04d" % i for i in range(10_000)]).view(np.uint32)
_ENDING_ZEROS = np.array([4 - len(f"{i:04d}".rstrip("0")) for i in range(10_000)], np.int8)
_KEPT = np.tri(_PLACES + 1, _PLACES, -1, dtype=np.uint8) * np.uint8(255)
_SMALL = np.frombuffer(b"0.000", dtype=np.uint8)
_SPLIT = 2.0**27 + 1.0


def lines_of(table: Array, digits: int) -> bytes:
    r"""Return the rows of a table as lines, fields parted by commas.

    Parameters
    ----------
    table : array, shape (n, k)
        NaN and infinities are empty fields.
    digits : int
        Significant digits, 2 to 15.

    Examples
    --------
    >>> lines_of(np.array([[1.0, -0.1], [np.nan, 2e-7]]), 10)
    b'1,-0.1\n,2e-07\n'
    """
    values = np.ascontiguousarray(table, dtype=float).ravel()
    size, width = np.abs(values), digits + 8
    plain = (size >= _SIZES[0]) & (size < _SIZES[digits - _LEAST])
    at = np.flatnonzero(plain)
    power, whole = _decimal(size[at], digits)
    order = np.argsort(power.astype(np.int8), kind="stable")  # few bits are sorted fastest
    cells = np.zeros((values.size, width), dtype=np.uint8)
    written = _written(power[order], whole[order], digits, width)
    cells.view(f"V{width}")[at[order]] = written.view(f"V{width}")
    cells[:, 0] = (plain & (values < 0.0)) * np.uint8(ord("-"))
    plain[at[power == digits]] = False
    for i in np.flatnonzero(~plain & np.isfinite(values)).tolist():
        text = b"%.*g" % (digits, values[i])
        cells[i] = np.frombuffer(text.ljust(width, b"\0"), dtype=np.uint8)
    ends = cells.reshape(*table.shape, width)[..., -1]
    ends[:, :-1], ends[:, -1] = ord(","), ord("\n")
    return cells.tobytes().translate(None, b"\0")


def _decimal(size: Array, digits: int) -> tuple[_Whole, _Whole]:
    """Return power and whole number of sizes, rounded to so many digits.

    A size is ``whole / 10**15 * 10**power`` with ``10**15 <= whole < 10**16``.
    """
    power = np.searchsorted(_SIZES, size, side="right") - 1 + _LEAST
    tens = _TENS[digits - 1 - power]
    product = size * tens
    whole = np.rint(product)
    half = np.flatnonzero(np.abs(product - whole) == 0.5)  # noqa: PLR2004
    lost = _lost(product[half], size[half], tens[half])
    whole[half] += np.where(lost == 0.0, 0.0, product[half] + np.copysign(0.5, lost) - whole[half])
    over = whole >= _TENS[digits]
    whole[over] = _TENS[digits - 1]
    return power + over, whole.astype(np.int64) * 10 ** (_PLACES - digits)


def _lost(product: Array, one: Array, other: Array) -> Array:
    """Return by how much products are larger than what they were rounded to, exactly."""
    (high, low), (own, rest) = _halves(one), _halves(other)
    return ((high * own - product) + high * rest + low * own) + low * rest


def _halves(values: Array) -> tuple[Array, Array]:
    """Return two numbers of half the bits whose sum is each value."""
    far = _SPLIT * values
    high = far - (far - values)
    return high, values - high


def _written(power: _Whole, whole: _Whole, digits: int, width: int) -> _Bytes:
    """Return the texts of numbers in the order of their powers, what is left out as zero bytes."""
    text, known = _digits_of(whole)
    before = np.maximum(power + 1, 0)
    text &= _KEPT[np.maximum(known, before)]
    point = (known > before) * np.uint8(ord("."))
    cells = np.zeros((len(power), width), dtype=np.uint8)
    powers = range(_LEAST, digits)
    begin = np.searchsorted(power, [*powers, digits]).tolist()
    for first, start, stop in zip(powers, begin, begin[1:], strict=False):
        own, part = text[start:stop, :digits], cells[start:stop, 1:]
        if first < 0:
            part[:, : 1 - first] = _SMALL[: 1 - first]
            part[:, 1 - first : 1 - first + digits] = own
        else:
            part[:, : first + 1] = own[:, : first + 1]
            part[:, first + 1] = point[start:stop]
            part[:, first + 2 : digits + 1] = own[:, first + 1 :]
    return cells


def _digits_of(whole: _Whole) -> tuple[_Bytes, _Whole]:
    """Return the 16 digits of whole numbers, and how many there are before the last zeros."""
    high = whole // 10**8
    halves = np.stack((high, whole - high * 10**8), axis=1).astype(np.uint32)
    first = halves // 10_000
    fours = np.stack((first, halves - first * 10_000), axis=2).reshape(-1, 4)
    zeros = _ENDING_ZEROS[fours]
    ending = zeros[:, 3].astype(np.int64)
    for place in (2, 1, 0):
        ending += (ending == 4 * (3 - place)) * zeros[:, place]
    return _FOUR[fours].view(np.uint8).reshape(-1, _PLACES), _PLACES - ending
