"""Read handwritten TOML: the line of each key, and plain explanations of errors."""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.io.plain_files import named_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

Place = tuple["str | int", ...]
"""Names of the tables that lead to a key, and the key; an entry of ``[[table]]`` has a number."""

_SHORT = 80
_NEAR = 0.72
"""Share of letters from which a key is taken for a misspelling of another."""
_LARGEST_INTEGER = 2**63
"""Whole numbers of TOML have 64 bits (TOML v1.0.0, "Integer"); Python's may have any number."""
_DOTTED = re.compile(r"(?<![^\s.=,{}\[\]#])(?:[^\s.=,{}\[\]#]+[ \t]*\.[ \t]*){100}")
"""A name of a hundred parts: the time to parse one grows with the square of their number."""
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_SETTING = re.compile(r"\s*([^=#]+?)\s*=\s*([^#]*?)\s*(?:#.*)?")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.\s\"']+)")
_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(?:#.*)?")

_HINTS: tuple[tuple[str, str], ...] = (
    (r"([+-]?\d+),(\d+)", r"write \1.\2, with a point"),
    (r"\d{1,2}[./]\d{1,2}[./]\d{4}", "write year-month-day, such as 2024-05-17"),
    (r"[“”„«»]([^“”„«»\"]*)[“”„«»]", r'write "\1", with straight quotes'),
    (r"(True|False)", "write true or false, with small letters"),
    (r"(?i:yes|no|on|off)", "write true or false"),
    (r"([^\"'\[{=]*[^\W\d][^\"'\[{=]*)", r'write "\1", with quotes'),
    (r"", "write a value behind ="),
)
"""Invalid text after ``=``, and what to write instead."""

_SLASHES = "write paths with /, such as C:/data/walk01.c3d"
_CAUSES = (
    ("Cannot overwrite", "this name is there twice: keep one"),
    ("Cannot declare", "this table is there twice: join the two"),
    ("Expected '='", "write NAME = VALUE; a name with blanks or letters beyond a to z in quotes"),
    ("Expected ']'", "write [TABLE], with both brackets"),
    ("Illegal character '\\n'", "close the quotes"),
    ("Unescaped '\\'", _SLASHES),
    ("Invalid hex value", _SLASHES),
    ("Invalid statement", "write NAME = VALUE, or [TABLE]"),
)
"""Beginning of a message of the parser, and what to do."""


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises
    ------
    ValueError
        With the line, and what to write if that is clear.

    Examples
    --------
    >>> read_toml("mass_kg = 74,5")
    Traceback (most recent call last):
        ...
    ValueError: line 1, 'mass_kg = 74,5' cannot be read; write 74.5, with a point
    """
    dotted = _DOTTED.search(text)
    if dotted:
        line = text.count("\n", 0, dotted.start()) + 1
        raise ValueError(f"line {line}, a name of a hundred parts cannot be read; write [TABLE]")
    try:
        tables = tomllib.loads(f"{text}\n")  # an error in the last line keeps its number
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_in_words(text, str(error))) from error
    except RecursionError:
        raise ValueError("tables or lists lie too deep within one another") from None
    except ValueError:
        raise ValueError("a whole number has thousands of digits") from None
    for where, value in _integers(tables, ()):
        if not -_LARGEST_INTEGER <= value < _LARGEST_INTEGER:
            line = line_of(text.splitlines(), where)
            raise ValueError(f"a whole number has more than 19 digits{line}")
    return tables


def _integers(value: Any, where: Place) -> Iterator[tuple[Place, int]]:
    """Yield the whole numbers in a table or a list, each with its place."""
    if isinstance(value, int):
        yield where, value
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _integers(inner, (*where, key))


def read_toml_file(
    path: str | Path, option: str, wanted: str = "a TOML file; check the path"
) -> tuple[str, dict[str, Any]]:
    """Return the text and the tables of a file named by an option.

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
    source = f"{option} {Path(path).name}"
    text = named_text(path, source, wanted)
    try:
        return text, read_toml(text)
    except ValueError as error:
        raise UsageError(f"{source}: {error}") from error


def _in_words(text: str, error: str) -> str:
    """Return an explanation of a TOML error; the parser's message if no hint fits."""
    line_number = _AT_LINE.search(error)
    if line_number is None:
        return error
    line = text.split("\n")[int(line_number[1]) - 1].strip()
    advice = next((todo for cause, todo in _CAUSES if error.startswith(cause)), "")
    setting = None if advice else _SETTING.fullmatch(line)
    if setting is not None:
        hints = ((re.fullmatch(pattern, setting[2]), hint) for pattern, hint in _HINTS)
        advice = next((found.expand(hint) for found, hint in hints if found), "")
    if not advice or len(line) > _SHORT:
        return error
    return f"line {line_number[1]}, {line!r} cannot be read; {advice}"


def wanted_key(key: str, keys: Collection[str]) -> str:
    """Return which key is wanted instead of an unknown one: the one that it is nearly, or all.

    Examples
    --------
    >>> wanted_key("mass", ["height_m", "mass_kg"]), wanted_key("weight", ["height_m", "mass_kg"])
    ('mass_kg', 'one of height_m, mass_kg')
    """
    near = get_close_matches(key, keys, 1, _NEAR)
    return near[0] if near else f"one of {', '.join(keys)}"


def line_of(lines: Sequence[str], where: Place) -> str:
    """Return ``, line 7`` for a key, or for the table it belongs in; empty if neither exists.

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
    positions = list(_positions(lines))
    for length in range(len(where), 0, -1):
        prefix = where[:length]
        exact = (i for position, i in positions if position == prefix)
        named = (i for position, i in positions if _names(position) == _names(prefix))
        found = next(exact, None) or next(named, None)
        if found:
            return f", line {found}"
    return ""


def _positions(lines: Sequence[str]) -> Iterator[tuple[Place, int]]:
    """Yield the path of each header and key with its line, from 1."""
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
