"""Arrays as text: little-endian numbers in base64, for documents that carry many of them."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode

import numpy as np

from gaitdyn.types.arrays import Array

UNKNOWN = -32768
"""Stands for NaN among whole numbers of two bytes."""


_LARGEST = 2**28
"""Units; second differences of larger numbers could leave four bytes."""


def pack_floats(values: Array) -> str:
    """Return an array as text, four bytes a number; NaN stays NaN.

    Examples
    --------
    >>> unpack_floats(pack_floats(np.array([1.5, np.nan]))).tolist()
    [1.5, nan]
    """
    return b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


def unpack_floats(text: str) -> Array:
    """Return the numbers of :func:`pack_floats`, shape (n,)."""
    return np.frombuffer(b64decode(text), dtype="<f4").astype(float)


def pack_whole(values: Array) -> str:
    """Return an array rounded to whole numbers as text, two bytes a number.

    Numbers beyond 32767 are cut there; NaN becomes ``UNKNOWN``.

    Examples
    --------
    >>> unpack_whole(pack_whole(np.array([-3.2, np.nan, 1e6]))).tolist()
    [-3.0, nan, 32767.0]
    """
    whole = np.where(np.isfinite(values), np.clip(np.round(values), UNKNOWN + 1, 32767), UNKNOWN)
    return b64encode(np.ascontiguousarray(whole, dtype="<i2").tobytes()).decode("ascii")


def unpack_whole(text: str) -> Array:
    """Return the numbers of :func:`pack_whole`, shape (n,)."""
    whole = np.frombuffer(b64decode(text), dtype="<i2").astype(float)
    return np.where(whole == UNKNOWN, np.nan, whole)


def squeeze(values: Array, unit: float) -> dict[str, str]:
    """Return smooth rows as a short text: whole units, second differences, deflated.

    Parameters
    ----------
    values : array, shape (rows, n)
        NaN where nothing is known.
    unit : float
        What they are rounded to.

    Returns
    -------
    dict
        ``data``: the bytes of the differences, lowest bytes of all numbers first; ``known``: one
        bit a number.

    Raises
    ------
    OverflowError
        When a number is beyond two thousand million units.

    Examples
    --------
    >>> rows = np.array([[1.0, 1.25, np.nan, 1.5]])
    >>> expand(squeeze(rows, 0.01), 0.01, 4).tolist()
    [[1.0, 1.25, nan, 1.5]]
    """
    known = np.isfinite(values)
    whole = np.round(np.where(known, values, 0.0) / unit)
    if np.abs(whole).max(initial=0.0) > _LARGEST:
        message = f"a number is beyond {_LARGEST} times {unit}"
        raise OverflowError(message)
    steps = whole.astype("<i4")
    for start in (1, 2):
        steps[:, start:] = np.diff(steps[:, start - 1 :], axis=1)
    planes = np.ascontiguousarray(steps).view(np.uint8).reshape(-1, 4).T
    bits = np.packbits(known, bitorder="little")
    return {"data": _deflated(planes.tobytes()), "known": _deflated(bits.tobytes())}


def fitting_unit(values: Array, unit: float) -> float:
    """Return the unit, or the power of ten of it that the largest value needs.

    Examples
    --------
    >>> fitting_unit(np.array([60.0]), 1e-5), fitting_unit(np.array([60000.0]), 1e-5)
    (1e-05, 0.001)
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    while largest / unit > _LARGEST:
        unit *= 10
    return unit


def expand(packed: dict[str, str], unit: float, columns: int) -> Array:
    """Return the rows of :func:`squeeze`, shape (rows, columns)."""
    planes = np.frombuffer(zlib.decompress(b64decode(packed["data"])), np.uint8)
    steps = np.ascontiguousarray(planes.reshape(4, -1).T).view("<i4").reshape(-1, columns).copy()
    for start in (2, 1):
        steps[:, start - 1 :] = np.cumsum(steps[:, start - 1 :], axis=1)
    bits = np.frombuffer(zlib.decompress(b64decode(packed["known"])), np.uint8)
    known = np.unpackbits(bits, count=steps.size, bitorder="little").reshape(steps.shape)
    return np.where(known, steps * unit, np.nan)


def _deflated(data: bytes) -> str:
    return b64encode(zlib.compress(data, 6)).decode("ascii")
