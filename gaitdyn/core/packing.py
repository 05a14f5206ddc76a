"""Arrays as text: little-endian numbers in base64, for documents with many numbers."""

from __future__ import annotations

from base64 import b64decode, b64encode

import numpy as np

from gaitdyn.types.arrays import Array

UNKNOWN = -32768
"""Represents NaN among two-byte integers."""


def pack_floats(values: Array) -> str:
    """Return an array as text, four bytes per number; NaN stays NaN.

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
    """Return an array rounded to integers as text, two bytes per number.

    Magnitudes above 32767 are clipped; NaN becomes ``UNKNOWN``.

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
