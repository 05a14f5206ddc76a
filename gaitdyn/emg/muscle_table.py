"""The table of muscles: how they are written, their norms, and where a page shows them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


@frozen()
class Muscle:
    """A row of the table: pattern of the label, muscle, its norm, its joint, what is ambiguous."""

    pattern: str
    muscle: str
    norm: str
    joint: str
    note: str


@cache
def muscle_table() -> tuple[Muscle, ...]:
    """Return the rows of the table of muscles, read once."""
    return tuple(
        Muscle(row["pattern"], row["muscle"], row["norm"], row["joint"], row["note"])
        for row in shipped_rows("emg/muscles.csv")
    )


@cache
def norm_of(muscle: str) -> str:
    """Return the signal of the norm that a muscle is compared with, or an empty string."""
    return next((row.norm for row in muscle_table() if row.muscle == muscle), "")


@cache
def joint_of(muscle: str) -> str:
    """Return the column of a page in which a muscle is shown, ``hip`` to ``foot``, or nothing."""
    return next((row.joint for row in muscle_table() if row.muscle == muscle), "")


@cache
def row_of(word: str) -> Muscle | None:
    """Return the first row whose pattern fits a word of lower-case letters; None for none."""
    return next((row for row in muscle_table() if word and re.fullmatch(row.pattern, word)), None)


@cache
def _beside() -> tuple[dict[str, str], ...]:
    return tuple(shipped_rows("emg/beside.csv"))


def row_among(word: str, named: AbstractSet[str]) -> Muscle | None:
    """Return the row of a word, decided by the other channels where it may be two muscles.

    Parameters
    ----------
    word : str
        In lower-case letters.
    named : set of str
        Words of the other labels, and the muscles that they surely name.

    Examples
    --------
    >>> row_among("vi", {"vastus_medialis"}).muscle, row_among("vi", set()).note[:10]
    ('vastus_intermedius', 'VI is read')
    """
    row = row_of(word)
    if row is None:
        return None
    for told in _beside():
        if re.fullmatch(told["word"], word) and any(re.fullmatch(told["beside"], w) for w in named):
            return replace(row, muscle=told["muscle"], note=told["note"])
    return row
