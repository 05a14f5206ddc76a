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
_Powers = np.ndarray[tuple[int, ...], np.dtype[np.int8]]
_Whole = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

_LEAST, _MOST = -4, 15
"""Powers of ten between which a number is written without an exponent."""

_TENS = np.array([float(f"1e{power}") for power in range(_MOST - _LEAST + 1)])
_SIZES = np.array([float(f"1e{power}") for power in range(_LEAST, _MOST + 1)])
_HALVINGS = 14
"""The least size has this power of two before its point, negative."""

_ABOVE = np.searchsorted(_SIZES, 2.0 ** np.arange(-_HALVINGS, 50), side="right")
"""Power of two -> place in ``_SIZES`` of the one power of ten that may lie before the next."""

_FOUR = np.array([b"%04d" % i for i in range(10_000)]).view(np.uint32)
_SMALL = np.frombuffer(b"0.000", dtype=np.uint8)
_SPLIT = 2.0**27 + 1.0
_LINE, _COMMA, _MINUS, _POINT, _ZERO = b"\n,-.0"
_LEAD = 2
"""Bytes before a number: what parts it from the one before it, and a minus."""


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
    values = np.ascontiguousarray(table, dtype=float)
    size, width = np.abs(values), digits + 9
    plain = (size >= _SIZES[0]) & (size < _SIZES[digits - _LEAST])
    at = np.flatnonzero(plain)
    power, whole = _decimal(size.ravel()[at], digits)
    order = np.argsort(power, kind="stable")
    cells = np.zeros((*values.shape, width), dtype=np.uint8)
    flat = cells.reshape(-1, width)
    written = _written(power[order], whole[order], digits, width)
    flat.view(f"V{width}")[at[order]] = written.view(f"V{width}")
    plain.ravel()[at[power == digits]] = False
    other = np.flatnonzero(~plain & np.isfinite(values))
    texts = [b"%.*g" % (digits, value) for value in values.ravel()[other].tolist()]
    room = width - _LEAD
    flat[other, _LEAD:] = np.array(texts, dtype=f"S{room}").view(np.uint8).reshape(-1, room)
    below = plain & (values < 0.0)
    parted = np.full(values.shape[1], _COMMA, dtype=np.uint8)
    parted[:1] = _LINE
    cells[..., 0] = below * parted
    cells[..., 1] = np.where(below, np.uint8(_MINUS), parted)
    text = cells.tobytes().translate(None, b"\0")
    return text[1:] + text[:1]


def _decimal(size: Array, digits: int) -> tuple[_Powers, _Whole]:
    """Return power and whole number of sizes, rounded to so many digits.

    A size is ``whole / 10**(digits - 1) * 10**power``, and ``whole`` has all these digits.
    """
    above = _ABOVE[(size.view(np.int64) >> 52) - (1023 - _HALVINGS)]
    power = above + (size >= _SIZES[above]) + (_LEAST - 1)
    tens = _TENS[digits - 1 - power]
    product = size * tens
    whole = np.rint(product)
    half = np.flatnonzero(np.abs(product - whole) == 0.5)  # noqa: PLR2004
    lost = _lost(product[half], size[half], tens[half])
    whole[half] += np.where(lost == 0.0, 0.0, product[half] + np.copysign(0.5, lost) - whole[half])
    over = whole >= _TENS[digits]
    whole[over] = _TENS[digits - 1]
    return (power + over).astype(np.int8), whole.astype(np.int64)  # few bits are sorted fastest


def _lost(product: Array, one: Array, other: Array) -> Array:
    """Return by how much products are larger than what they were rounded to, exactly."""
    (high, low), (own, rest) = _halves(one), _halves(other)
    return ((high * own - product) + high * rest + low * own) + low * rest


def _halves(values: Array) -> tuple[Array, Array]:
    """Return two numbers of half the bits whose sum is each value."""
    far = _SPLIT * values
    high = far - (far - values)
    return high, values - high


def _written(power: _Powers, whole: _Whole, digits: int, width: int) -> _Bytes:
    """Return the texts of numbers in the order of their powers, what is left out as zero bytes."""
    text = _digits_of(whole, digits)
    before = np.maximum(power + 1, 0)
    point = (before < digits) * np.uint8(_POINT)
    ending = np.flatnonzero(text[:, -1] == _ZERO)
    known = digits - np.argmax(text[ending, ::-1] != _ZERO, axis=1)
    text[ending] *= np.arange(digits) < np.maximum(known, before[ending])[:, None]
    point[ending] *= known > before[ending]
    cells = np.zeros((len(power), width), dtype=np.uint8)
    powers = range(_LEAST, digits)
    begin = np.searchsorted(power, [*powers, digits]).tolist()
    for first, start, stop in zip(powers, begin, begin[1:], strict=False):
        own, part = text[start:stop], cells[start:stop, _LEAD:]
        if first < 0:
            part[:, : 1 - first] = _SMALL[: 1 - first]
            part[:, 1 - first : 1 - first + digits] = own
        else:
            part[:, : first + 1] = own[:, : first + 1]
            part[:, first + 1] = point[start:stop]
            part[:, first + 2 : digits + 1] = own[:, first + 1 :]
    return cells


def _digits_of(whole: _Whole, digits: int) -> _Bytes:
    """Return the digits of whole numbers of so many, shape (n, digits)."""
    fours = -(-digits // 4)
    text = np.empty((len(whole), fours), dtype=np.uint32)
    for place in range(fours - 1, 0, -1):
        rest = whole // 10_000
        text[:, place] = _FOUR[whole - rest * 10_000]
        whole = rest
    text[:, 0] = _FOUR[whole]
    return text.view(np.uint8)[:, 4 * fours - digits :]
