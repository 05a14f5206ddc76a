"""Write a table of numbers as text: exactly the digits of ``%.15g``, in half the time.

A number of at most 15 digits is an integer times a power of ten. This integer is the rounded
product of the value and an exact power of ten. Rounding is monotonic, so only a product halfway
between two integers is in doubt. Its rounding error, which is known exactly, then decides
(T. J. Dekker, Numer. Math. 18, 224-242, 1971). Numbers with an exponent are left to ``%``.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.types.arrays import Array

_Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
_Powers = np.ndarray[tuple[int, ...], np.dtype[np.int8]]
_Whole = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

_LEAST, _MOST = -4, 15
"""Range of powers of ten in which a number is written without an exponent."""

_TENS = np.array([float(f"1e{power}") for power in range(_MOST - _LEAST + 1)])
_SIZES = np.array([float(f"1e{power}") for power in range(_LEAST, _MOST + 1)])
_HALVINGS = 14
"""Minus the exponent of two of the smallest size."""

_ABOVE = np.searchsorted(_SIZES, 2.0 ** np.arange(-_HALVINGS, 50), side="right")
"""Power of two -> index in ``_SIZES`` of the only power of ten that may be below the next one."""

_FOUR = np.array([b"%04d" % i for i in range(10_000)]).view(np.uint32)
_SMALL = np.frombuffer(b"0.000", dtype=np.uint8)
_SPLIT = 2.0**27 + 1.0
_LINE, _COMMA, _MINUS, _POINT, _ZERO = b"\n,-.0"
_LEAD = 2
"""Bytes before a number: its separator and a minus sign."""


def lines_of(table: Array, digits: int) -> bytes:
    r"""Return the rows of a table as lines, with fields separated by commas.

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
    without_exponent = (size >= _SIZES[0]) & (size < _SIZES[digits - _LEAST])
    places = np.flatnonzero(without_exponent)
    power, whole = _decimal(size.ravel()[places], digits)
    order = np.argsort(power, kind="stable")
    cells = np.zeros((*values.shape, width), dtype=np.uint8)
    flat = cells.reshape(-1, width)
    written = _written(power[order], whole[order], digits, width)
    flat.view(f"V{width}")[places[order]] = written.view(f"V{width}")
    without_exponent.ravel()[places[power == digits]] = False
    zero = size == 0.0
    without_exponent |= zero
    flat[np.flatnonzero(zero), _LEAD] = _ZERO
    with_exponent = np.flatnonzero(~without_exponent & np.isfinite(values))
    texts = [b"%.*g" % (digits, value) for value in values.ravel()[with_exponent].tolist()]
    room = width - _LEAD
    flat[with_exponent, _LEAD:] = np.array(texts, dtype=f"S{room}").view(np.uint8).reshape(-1, room)
    negative = without_exponent & np.signbit(values)
    separators = np.full(values.shape[1], _COMMA, dtype=np.uint8)
    separators[:1] = _LINE
    cells[..., 0] = negative * separators
    cells[..., 1] = np.where(negative, np.uint8(_MINUS), separators)
    text = cells[cells != 0]
    return text[1:].tobytes() + text[:1].tobytes()


def _decimal(size: Array, digits: int) -> tuple[_Powers, _Whole]:
    """Return the power and the integer of each size, rounded to a number of digits.

    A size is ``whole / 10**(digits - 1) * 10**power``, and ``whole`` has ``digits`` digits.
    """
    index = _ABOVE[(size.view(np.int64) >> 52) - (1023 - _HALVINGS)]
    index += size >= _SIZES[index]
    tens = _TENS[digits - _LEAST :: -1][index]
    product = size * tens
    whole = np.rint(product)
    halfway = np.flatnonzero(np.abs(product - whole) == 0.5)  # noqa: PLR2004
    rounded = product[halfway]
    error = _rounding_error(rounded, size[halfway], tens[halfway])
    whole[halfway] += np.where(
        error == 0.0, 0.0, rounded + np.copysign(0.5, error) - whole[halfway]
    )
    too_large = whole >= _TENS[digits]
    whole[too_large] = _TENS[digits - 1]
    power = (index + (too_large + (_LEAST - 1))).astype(np.int8)  # sorted fastest
    return power, whole.astype(np.int64)


def _rounding_error(product: Array, x: Array, y: Array) -> Array:
    """Return the exact amounts by which true products exceed their rounded values."""
    (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
    return ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


def _halves(values: Array) -> tuple[Array, Array]:
    """Split each value exactly into a sum of two numbers with half the bits."""
    scaled = _SPLIT * values
    high = scaled - (scaled - values)
    return high, values - high


def _written(power: _Powers, whole: _Whole, digits: int, width: int) -> _Bytes:
    """Return the texts of numbers sorted by power; omitted characters are zero bytes."""
    text = _digits_of(whole, digits)
    before = np.maximum(power + 1, 0)
    point = (before < digits) * np.uint8(_POINT)
    zero_ending = np.flatnonzero(text[:, -1] == _ZERO)
    ending = text[zero_ending]
    n_kept = digits - np.argmax(ending[:, ::-1] != _ZERO, axis=1)
    ending *= np.arange(digits) < np.maximum(n_kept, before[zero_ending])[:, None]
    text[zero_ending] = ending
    point[zero_ending] *= n_kept > before[zero_ending]
    cells = np.zeros((len(power), width), dtype=np.uint8)
    powers = range(_LEAST, digits)
    begin = np.searchsorted(power, [*powers, digits]).tolist()
    for first, start, stop in zip(powers, begin, begin[1:], strict=False):
        digits_of_power, text_of_power = text[start:stop], cells[start:stop, _LEAD:]
        if first < 0:
            text_of_power[:, : 1 - first] = _SMALL[: 1 - first]
            text_of_power[:, 1 - first : 1 - first + digits] = digits_of_power
        else:
            text_of_power[:, : first + 1] = digits_of_power[:, : first + 1]
            text_of_power[:, first + 1] = point[start:stop]
            text_of_power[:, first + 2 : digits + 1] = digits_of_power[:, first + 1 :]
    return cells


def _digits_of(whole: _Whole, digits: int) -> _Bytes:
    """Return the digits of integers with ``digits`` digits, shape (n, digits)."""
    fours = -(-digits // 4)
    text = np.empty((len(whole), fours), dtype=np.uint32)
    for place in range(fours - 1, 0, -1):
        quotient = whole // 10_000
        text[:, place] = _FOUR[whole - quotient * 10_000]
        whole = quotient
    text[:, 0] = _FOUR[whole]
    return text.view(np.uint8)[:, 4 * fours - digits :]
