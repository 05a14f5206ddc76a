"""TOML that people write: where each key stands, and what is wrong in words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.io.plain_files import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Place = tuple["str | int", ...]
"""Names of the tables that lead to a key, and the key; an entry of ``[[table]]`` has a number."""

_SHORT = 80
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_SETTING = re.compile(r"\s*([^=#]+?)\s*=\s*([^#]*?)\s*(?:#.*)?")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.\s\"']+)")
_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(?:#.*)?")

_HINTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"([+-]?\d+),(\d+)"), r"write \1.\2, with a point"),
    (re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{4}"), "write year-month-day, such as 2024-05-17"),
    (re.compile(r"[“”„«»]([^“”„«»\"]*)[“”„«»]"), r'write "\1", with straight quotes'),
    (re.compile(r"(True|False)"), "write true or false, with small letters"),
    (re.compile(r"([^\"'\[{=]*[^\W\d][^\"'\[{=]*)"), r'write "\1", with quotes'),
    (re.compile(r""), "write a value behind ="),
)
"""What stands behind ``=`` in a line that is no TOML, and what to write in its place."""


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises
    ------
    ValueError
        With the line, and what to write where that is plain.

    Examples
    --------
    >>> read_toml("mass_kg = 74,5")
    Traceback (most recent call last):
        ...
    ValueError: line 1, 'mass_kg = 74,5' cannot be read; write 74.5, with a point
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_in_words(text, str(error))) from error


def read_toml_file(
    path: str | Path, option: str, wanted: str = "a TOML file; check the path"
) -> tuple[str, dict[str, Any]]:
    """Return the text and the tables of a file that an option names.

    Parameters
    ----------
    path : str or Path
    option : str
        Such as ``--subject``.
    wanted : str

    Raises
    ------
    UsageError
        Naming the option, the file, and what is wrong.
    """
    told = f"{option} {Path(path).name}"
    try:
        text = plain_text(path)
        return text, read_toml(text)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"{told}: {reason}; wanted {wanted}") from error
    except ValueError as error:
        raise UsageError(f"{told}: {error}") from error


def _in_words(text: str, told: str) -> str:
    """Return what is wrong in a line; the words of the reader where no hint fits."""
    at = _AT_LINE.search(told)
    if at is None:
        return told
    line = text.split("\n")[int(at[1]) - 1].strip()
    setting = _SETTING.fullmatch(line)
    if setting is None or len(line) > _SHORT:
        return told
    for pattern, hint in _HINTS:
        found = pattern.fullmatch(setting[2])
        if found:
            return f"line {at[1]}, {line!r} cannot be read; {found.expand(hint)}"
    return told


def line_of(lines: Sequence[str], where: Place) -> str:
    """Return ``, line 7`` of a key, of the table that should hold it, or nothing.

    Parameters
    ----------
    lines : sequence of str
    where : tuple of str and int

    Examples
    --------
    >>> lines = ["[[a.b]]", "c = 1", "[[a.b]]", "c = 2"]
    >>> (
    ...     line_of(lines, ("a", "b", 1, "c")),
    ...     line_of(lines, ("a", "b", 0, "d")),
    ...     line_of(lines, ("e",)),
    ... )
    (', line 4', ', line 1', '')
    """
    places = list(_places(lines))
    for length in range(len(where), 0, -1):
        own = where[:length]
        exact = (i for place, i in places if place == own)
        named = (i for place, i in places if _names(place) == _names(own))
        found = next(exact, None) or next(named, None)
        if found:
            return f", line {found}"
    return ""


def _places(lines: Sequence[str]) -> Iterator[tuple[Place, int]]:
    """Return the place of each header and key with its line, from 1."""
    table: Place = ()
    counts: dict[tuple[str, ...], int] = {}
    for i, line in enumerate(lines, 1):
        header, setting = _HEADER.fullmatch(line), _SETTING.fullmatch(line)
        if header:
            names = _parts(header[2])
            if header[1] == "[[":
                counts[names] = counts.get(names, -1) + 1
            table = (*names, counts[names]) if header[1] == "[[" else names
            yield table, i
        elif setting:
            yield (*table, *_parts(setting[1])), i


def _parts(text: str) -> tuple[str, ...]:
    return tuple(a or b or c for a, b, c in _PART.findall(text))


def _names(place: Place) -> tuple[str, ...]:
    return tuple(part for part in place if isinstance(part, str))
