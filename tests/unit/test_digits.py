"""Text of numbers, held against what ``%`` writes of each."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.tables.csv_files import block_lines
from gaitdyn.tables.digits import lines_of

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array

DIGITS = (10, 15)


def one_by_one(table: Array, digits: int) -> bytes:
    """Return the lines that Python writes, number by number."""
    known = [[f"{x:.{digits}g}" if isfinite(x) else "" for x in row] for row in table.tolist()]
    return "".join(",".join(row) + "\n" for row in known).encode()


def edges() -> Array:
    """Return powers of ten with their neighbours, and what is no number."""
    tens = np.array([float(f"1e{i}") for i in range(-20, 21)])
    odd = [0.0, np.nan, np.inf, 5e-324, 1.7e308, 9999999999.5, 99999.999995, 999999999999999.9]
    found = np.concatenate((tens, np.nextafter(tens, 0.0), np.nextafter(tens, np.inf), odd))
    return np.concatenate((found, -found))[:, None]


@pytest.mark.parametrize("digits", DIGITS)
def test_powers_of_ten_and_their_neighbours_are_as_python_writes_them(digits: int) -> None:
    assert lines_of(edges(), digits) == one_by_one(edges(), digits)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("kind", ["measured", "of any size", "few digits", "binary", "half-way"])
def test_numbers_of_every_kind_are_as_python_writes_them(kind: str, digits: int) -> None:
    draw, shape = np.random.default_rng(2026), (60, 40)
    numbers = draw.normal(size=shape)
    sizes: dict[str, Any] = {
        "measured": 50.0 * numbers,
        "of any size": numbers * 10.0 ** draw.integers(-12, 20, shape),
        "few digits": np.round(100.0 * numbers, 2),
        "binary": draw.integers(-2000, 2000, shape) / 2.0 ** draw.integers(0, 30, shape),
        "half-way": (draw.integers(10 ** (digits - 1), 10**digits, shape) + 0.5) / 2.0**4,
    }
    assert lines_of(sizes[kind], digits) == one_by_one(sizes[kind], digits)


def test_a_number_half_way_between_two_texts_goes_to_the_even_one() -> None:
    assert lines_of(np.array([[1000000000.5, 1000000001.5]]), 10) == b"1000000000,1000000002\n"


def test_a_minus_at_the_start_of_a_row_an_empty_row_and_no_row_are_written() -> None:
    table = np.array([[-1.0, np.nan], [np.nan, np.nan], [np.nan, -2.5e-7], [-0.0, -1e-300]])
    assert lines_of(table, 10) == b"-1,\n,\n,-2.5e-07\n-0,-1e-300\n"
    assert lines_of(table[:0], 10) == b""


def test_blocks_that_are_written_together_are_those_written_alone() -> None:
    rng = np.random.default_rng(0)
    blocks = [((f"m{i}, left",), rng.normal(size=(101 + i, 4))) for i in range(60)]
    names = ("muscle", "cycle", "percent", "envelope", "on")
    head, *together = b"".join(block_lines(names, blocks)).splitlines()
    alone = [b"".join(block_lines(names, [block])).splitlines()[1:] for block in blocks]
    assert head == b"muscle,cycle,percent,envelope,on"
    assert together == [line for lines in alone for line in lines]
    assert together[0].startswith(b'"m0, left",')
    assert list(block_lines(names, [])) == [head + b"\n"]
