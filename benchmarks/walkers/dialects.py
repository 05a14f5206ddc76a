"""How laboratories write labels: the table of dialects, and one label from it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.synthetic.body import Side
    from walkers.laboratory import Laboratory

MIDLINE = "SAC"
"""The landmark that has no side."""

CUT = 4
"""Letters of a label that is cut."""


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """A row of ``dialects.toml``.

    Attributes
    ----------
    name : str
    sides : tuple of pairs of str
        Words for left and right.
    places, separators, cases : tuple of str
    words : mapping of str to str
        Landmark -> its name, a blank between words.
    """

    name: str
    sides: tuple[tuple[str, str], ...]
    places: tuple[str, ...]
    separators: tuple[str, ...]
    cases: tuple[str, ...]
    words: Mapping[str, str]


def _read() -> tuple[Dialect, ...]:
    """Return the dialects of the table."""
    text = Path(__file__).with_name("dialects.toml").read_text("utf-8")
    return tuple(
        Dialect(
            name=row["name"],
            sides=tuple((left, right) for left, right in row["sides"]),
            places=tuple(row["places"]),
            separators=tuple(row["separators"]),
            cases=tuple(row["cases"]),
            words=row["words"],
        )
        for row in tomllib.loads(text)["dialect"]
    )


DIALECTS = _read()


def dialect_of(name: str) -> Dialect:
    """Return the dialect of a name."""
    return next(dialect for dialect in DIALECTS if dialect.name == name)


def label_of(lab: Laboratory, key: str) -> str:
    """Return the label of a landmark as the laboratory writes it.

    Parameters
    ----------
    lab : Laboratory
        Dialect, side words, place, separator, case; cut labels are upper case without separator.
    key : str
        ``LKLE``, ``RTHC2``, ``SAC``: side, landmark, number in a cluster.

    Examples
    --------
    >>> from walkers.laboratory import laboratory
    >>> label_of(laboratory(0), "SAC") == label_of(laboratory(0), "SAC")
    True
    """
    dialect = dialect_of(lab.dialect)
    if key == MIDLINE:
        return _written(lab, dialect.words[key].split())
    side: Side = "left" if key[0] == "L" else "right"
    stem, number = (key[1:4], key[4:]) if key[1:4] in ("THC", "SHC") else (key[1:], "")
    words = dialect.words[stem].split()
    word = lab.side_words[0 if side == "left" else 1]
    if lab.place == "front":
        words = [word, *words]
    elif lab.place == "behind" or len(words) == 1:
        words = [*words, word]
    else:
        words = [words[0], word, *words[1:]]
    return _written(lab, words, number)


def _written(lab: Laboratory, words: list[str], number: str = "") -> str:
    """Return words as one label, a number behind them."""
    if lab.style.startswith("cut"):
        return "".join(words).upper()[:CUT]
    change = {"lower": str.lower, "upper": str.upper, "title": _title}.get(lab.case, str)
    label = lab.separator.join(change(word) for word in words)
    loose = lab.separator in ("_", " ") and len(words[-1]) > 2
    return label + (lab.separator if number and loose else "") + number


def _title(word: str) -> str:
    """Return a word with its first letter in upper case; what is all upper case stays so."""
    return word if word.isupper() else word[:1].upper() + word[1:].lower()
