"""Read small text files written by other programs, in any common encoding."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np

from gaitdyn.io.c3d.parameters import size_of_file
from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.io.plain_files import recovered
from gaitdyn.types.arrays import Array
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import system_reason

__all__ = ["LARGEST_BYTES", "numbers_of", "numbers_or_gaps", "read_text", "shown"]

LARGEST_BYTES = 1_000_000
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str | Path, wanted: str) -> str:
    """Return the text of a small file: UTF-8, or else Latin-1; UTF-16 if it has a byte-order mark.

    Parameters
    ----------
    path : str or Path
    wanted : str
        What the file should be, for the message.

    Raises
    ------
    FileRefused
        When it is not a regular file, is empty or too large, or cannot be read.
    """
    return hashed_text(path, wanted, LARGEST_BYTES)[1]


def hashed_text(path: str | Path, wanted: str, largest: int) -> tuple[str, str, str]:
    """Return the name, the text and the SHA-256 of a file.

    Parameters
    ----------
    path : str or Path
    wanted : str
        What the file should be, for the message.
    largest : int
        Maximum size, bytes.

    Raises
    ------
    FileRefused
        As :func:`read_text`.
    """
    name, todo = recovered(Path(path).name), "check the file"
    size = size_of_file(path, wanted)
    if size > largest:
        raise refused(name, f"{size} bytes", f"{wanted} of at most {largest}", todo)
    try:
        data = Path(path).read_bytes()[:largest]
    except OSError as error:
        raise refused(name, system_reason(error), wanted, todo) from error
    return name, _decoded(data), hashlib.sha256(data).hexdigest()


def numbers_of(cells: list[str]) -> Array:
    """Return the numbers in cells; ``nan`` marks a gap, and ``inf`` what a program could not know.

    Raises
    ------
    ValueError
        For any other text, such as ``1_000`` and digits of other scripts.

    Examples
    --------
    >>> numbers_of(["1e3", "nan"])
    array([1000.,   nan])
    """
    text = "".join(cells)
    values = np.array(cells, dtype=float)
    if "_" in text or not text.isascii():
        raise ValueError("a cell without a number")
    return values


def numbers_or_gaps(cells: list[str]) -> Array:
    """Return the numbers in cells, NaN for those without one."""
    try:
        return numbers_of(cells)
    except ValueError:
        return np.array([number_in(cell, math.nan) for cell in cells])


def _decoded(data: bytes) -> str:
    if data.startswith(_UTF_16):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
