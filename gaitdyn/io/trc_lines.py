"""Bring the lines of a TRC file to one form: tabs between cells, points in numbers."""

from __future__ import annotations

import re

from gaitdyn.types.words import counted

_HEADER_LINES = 30
_SEPARATED = re.compile(r"\s*frame#\s*(?P<by>[;,])", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_ADDED = re.compile(
    r"\tgaitdyn/.*; its last (?P<count>\d{1,4}) of (?P<points>\d{1,5}) points? (is|are) added\s*"
)
_COORDINATE = re.compile(r"(?P<stem>.+?)[ _.:-]?(?P<axis>[xyz])", re.IGNORECASE)


def plain_lines(text: str) -> tuple[list[str], int | None]:
    r"""Return the lines of a TRC file without blank ones in front, and that of the labels.

    Semicolons or commas between cells, as spreadsheets write them, become tabs. Decimal commas
    become points, and commas between thousands are removed.

    Returns
    -------
    list of str
    int or None
        Index of the line that begins with ``Frame#``; None if there is none.

    Examples
    --------
    >>> plain_lines("PathFileType\nFrame#;Time;A\n1;0,01;2,5;3;4")
    (['PathFileType', 'Frame#\tTime\tA', '1\t0.01\t2.5\t3\t4'], 1)
    """
    lines = text.lstrip().splitlines()
    starts = (i for i, x in enumerate(lines[:_HEADER_LINES]) if x.lower().lstrip()[:6] == "frame#")
    head = next(starts, None)
    if head is None:
        return lines, None
    separated = _SEPARATED.match(lines[head])
    if separated:
        lines = [line.replace(separated["by"], "\t") for line in lines]
    title, values, rows = lines[:head][:1], lines[:head][1:], lines[head + 1 :]
    return [*title, *_with_points(values), lines[head], *_with_points(rows)], head


def _with_points(lines: list[str]) -> list[str]:
    """Return lines of numbers without commas in them."""
    if not any("," in line for line in lines):
        return lines
    if any("." in line for line in lines):
        return [_THOUSANDS.sub("", line) for line in lines]
    return [line.replace(",", ".") for line in lines]


def added_words(count: int, points: int) -> str:
    """Return what the first line of an exported file says of its last points; empty for none.

    Examples
    --------
    >>> added_words(6, 41), added_words(0, 35)
    ('; its last 6 of 41 points are added', '')
    """
    are = "is" if count == 1 else "are"
    return f"; its last {count} of {counted(points, 'point')} {are} added" if count else ""


def added_count(first_line: str, points: int) -> int:
    r"""Return how many of the last points of a file `gaitdyn export` added, by its first line.

    None if the file has another number of points: somebody took columns out since, perhaps these.

    Examples
    --------
    >>> line = "PathFileType\t4\t(X/Y/Z)\tgaitdyn/walk01.trc; its last 6 of 41 points are added"
    >>> added_count(line, 41), added_count(line, 35)
    (6, 0)
    """
    told = _ADDED.search(first_line)
    return int(told["count"]) if told and int(told["points"]) == points else 0


def one_per_marker(labels: list[str]) -> list[str]:
    """Return the labels of markers where each coordinate has a label of its own.

    Examples
    --------
    >>> one_per_marker(["LASI_x", "LASI_y", "LASI_z"]), one_per_marker(["LASIX", "RASIX", "C7"])
    (['LASI'], ['LASIX', 'RASIX', 'C7'])
    """
    split = [_COORDINATE.fullmatch(label) for label in labels]
    parts = [(m["stem"], m["axis"].lower()) for m in split if m]
    stems = [stem for stem, _ in parts[::3]]
    wanted = [(stem, axis) for stem in stems for axis in "xyz"]
    return stems if len(parts) == len(labels) and parts == wanted else labels
