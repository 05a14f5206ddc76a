"""Read markers from a TRC file: a header of names and values, then one row per frame.

The format is that of Motion Analysis, adopted by OpenSim (OpenSim documentation, "Marker (.trc)
files"). The path in the first line is never read, as it may name a person; only what `gaitdyn
export` wrote behind its own is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import ever_known, known_points
from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.io.clock import Clock, clock_of
from gaitdyn.io.labels import added_note, prefixes
from gaitdyn.io.names import distinct_names
from gaitdyn.io.one_person import names_of_subject
from gaitdyn.io.pieces import join_pieces
from gaitdyn.io.text_files import hashed_text, numbers_or_gaps
from gaitdyn.io.trc_lines import added_count, one_per_marker, plain_lines
from gaitdyn.io.units import by_size, stated_unit, unit_of_a_body
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

WANTED = "a TRC file of markers"
_LARGEST_BYTES = 100_000_000
_MOST_LABELS, _CELLS_A_BYTE = 2000, 8
_WORLD = re.compile(r"[OXYZ]_?global", re.IGNORECASE)
"""Labels of points that show the laboratory axes; they are not part of a body."""
_COLUMNS = re.compile(r"\t|\s{2,}")
_INTEGER = re.compile(r"[+-]?\d{1,9}(\.0*)?", re.ASCII)


@frozen(eq=False)
class _Table:
    """The contents of a file: numbers as written, gaps as NaN."""

    header: dict[str, str]
    labels: tuple[str, ...]
    numbers: Array
    times_s: Array
    points: Array
    notes: tuple[str, ...]
    added: int = 0
    """How many of the last points `gaitdyn export` added."""


def trc_recording(path: str | Path, subject_prefix: str | None = None) -> Recording:
    """Read a TRC file: markers alone, without forces.

    Labels are taken in order, regardless of their columns; the number of markers in the header is
    not trusted. Rows missing from the frame numbers are gaps. Prefixes of labels are taken away.

    Parameters
    ----------
    path : str or Path
    subject_prefix : str, optional
        The subject to read from a file with several.

    Returns
    -------
    Recording
        ``first_frame`` counts from time 0 of the file, so that its clock is kept.

    Raises
    ------
    FileRefused
        When it is not a TRC file, its rate and times contradict each other, it has several
        subjects, or no marker is visible.
    """
    name, text, digest = hashed_text(path, WANTED, _LARGEST_BYTES)
    table = _table(text, name)
    clock = clock_of(table.numbers, table.times_s, table.header.get("datarate", ""), name)
    names, of_subject = names_of_subject(
        list(table.labels), set(), table.points, subject_prefix, name
    )
    kept, notes = _markers(table, names, name)
    every = np.full((clock.frames, len(names), 3), np.nan)
    every[clock.rows] = table.points
    points = every[:, kept]
    outputs = {names[i]: every[:, i] for i in _added(table)}
    metres, unit, decided = _unit(points, table.header.get("units", ""), name)
    points *= metres
    labels = tuple(names[i] for i in kept)
    joined = join_pieces(labels, [""] * len(labels), points, clock.rate_hz)
    points.flags.writeable = False
    return Recording(
        name=name,
        sha256=digest,
        rate_hz=clock.rate_hz,
        samples_per_frame=1,
        first_frame=clock.first_frame,
        labels=labels,
        markers_L=points,
        outputs=outputs,
        added=tuple(outputs),
        events=(),
        plates=(),
        subject=Subject(),
        units={"points": unit},
        notes=(
            *clock.notes,
            *_frame_note(table.numbers, clock),
            *decided,
            *table.notes,
            *notes,
            *of_subject,
            *joined,
            *added_note(len(outputs)),
        ),
        called=distinct_names(prefixes(list(table.labels))),
        path=Path(path),
        clock_s=clock.rest_s,
    )


def names_in_trc(path: str | Path) -> list[str]:
    """Return the prefixes of the labels of a TRC file; for a user who requested them.

    Raises
    ------
    FileRefused
    """
    return list(distinct_names(prefixes_in_trc(path)))


def prefixes_in_trc(path: str | Path) -> list[str]:
    """Return the different subject prefixes of the labels of a TRC file, in order.

    Raises
    ------
    FileRefused
    """
    name, text, _ = hashed_text(path, WANTED, _LARGEST_BYTES)
    return prefixes(list(_table(text, name).labels))


def _frame_note(numbers: Array, clock: Clock) -> tuple[str, ...]:
    if not len(numbers) or int(numbers[0]) == clock.first_frame:
        return ()
    first = f"{numbers[0]:.0f}, the number of its first frame, is not used"
    return (f"frames are counted from time 0: {first}; it is {clock.first_frame} here",)


def _table(text: str, name: str) -> _Table:
    lines, head = plain_lines(text)
    if head is None:
        raise refused(name, "no line that begins with Frame#", WANTED)
    if not lines[0].lower().startswith("pathfiletype"):
        raise refused(name, "a first line that does not begin with PathFileType", WANTED)
    rows = _rows(lines[head + 1 :])
    labels = tuple(_one_per_marker(_labels(lines[head]), rows))
    if not 0 < len(labels) <= _MOST_LABELS:
        raise refused(name, f"{len(labels)} labels", f"1 to {_MOST_LABELS} markers")
    start = next((i for i, x in enumerate(rows) if _INTEGER.fullmatch(_cells(x)[0])), len(rows))
    before, rows = rows[:start], rows[start:]
    if not rows:
        raise refused(name, "no row of data", "one row per frame")
    if len(rows) * 3 * len(labels) > _CELLS_A_BYTE * len(text):
        raise refused(name, f"{len(labels)} labels over empty rows", "coordinates of each marker")
    numbers, notes = _numbers(rows, len(labels), name)
    notes = (*_unnumbered(before), *notes)
    points = numbers[:, 2:].reshape(len(rows), len(labels), 3)
    points[~known_points(points) | (points == 0).all(axis=2)] = np.nan
    header, added = _header(lines[1:head]), added_count(lines[0], len(labels))
    return _Table(header, labels, numbers[:, 0], numbers[:, 1], points, notes, added)


def _labels(line: str) -> list[str]:
    """Return the labels behind ``Frame#`` and ``Time``: between tabs, or in columns of blanks."""
    cells = _cells(line)
    if len(cells) == 2:  # noqa: PLR2004  Time and all the labels in one cell
        cells = _COLUMNS.split(line.strip())
    return [shown(cell) for cell in cells[2:] if cell]


def _one_per_marker(labels: list[str], rows: Sequence[str]) -> list[str]:
    """Return the labels of markers, where each coordinate has its own, or the marker's once more.

    Three markers of one label have three coordinates each.
    """
    thrice = labels[::3]
    if thrice and [label for label in thrice for _ in range(3)] == labels:
        widest = max((len(_cells(row.rstrip())) for row in rows), default=0)
        return labels if widest > 2 + len(labels) else thrice
    return one_per_marker(labels)


def _rows(lines: Sequence[str]) -> list[str]:
    """Return the lines that are not blank, without a tab before every frame number."""
    rows = [line for line in lines if line.strip()]
    numbered = [row for row in rows if _INTEGER.fullmatch(row.split()[0])]
    if numbered and all(row.startswith("\t") for row in numbered):
        return [row.removeprefix("\t") for row in rows]
    return rows


def _unnumbered(lines: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the lines before the first frame number that hold numbers all the same."""
    count = sum(np.isfinite(numbers_or_gaps(_cells(line)[1:])).any() for line in lines)
    fact = f"{counted(int(count), 'row')} of numbers before the first frame number"
    return (f"{fact}: left out",) if count else ()


def _cells(line: str) -> list[str]:
    """Return the cells of a line, separated by tabs if there are any, otherwise by blanks."""
    return [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()


def _header(lines: Sequence[str]) -> dict[str, str]:
    """Return the names and values of the header, names in lower case.

    Both are split at white space. With tabs, a missing value does not shift the others.
    """
    written = [line for line in lines if line.strip()]
    if len(written) < 2:  # noqa: PLR2004  a line of names, a line of values
        return {}
    names, values = written[0].split(), written[1].split()
    if len(names) != len(values):
        names, values = _cells(written[0]), _cells(written[1])
    return {n.lower(): value for n, value in zip(names, values, strict=False) if n}


def _numbers(rows: Sequence[str], count: int, name: str) -> tuple[Array, tuple[str, ...]]:
    """Return frame, time and coordinates of each row, shape (n, 2 + 3 count), and notes.

    What is missing is NaN. Between blanks a gap leaves no trace: a row that has fewer numbers than
    the others does not show whose they are.
    """
    width = 2 + 3 * count
    found = np.full((len(rows), width), np.nan)
    lengths = np.full(len(rows), width)
    for i, row in enumerate(rows):
        cells = _cells(row)
        while not cells[-1]:
            cells.pop()
        if len(cells) > width:
            wanted = f"at most {width - 2}, three for each of {counted(count, 'label')}"
            raise refused(name, f"{len(cells) - 2} coordinates in row {i + 1}", wanted)
        found[i, : len(cells)] = numbers_or_gaps(cells)
        lengths[i] = width if "\t" in row else len(cells)
    short = lengths < lengths.max()
    found[short, 2:] = np.nan
    many = counted(int(short.sum()), "row")
    note = f"{many} without tabs with fewer numbers than the others: whose is not told, left empty"
    return found, (note,) if short.any() else ()


def _added(table: _Table) -> range:
    """Return the indices of the points that `gaitdyn export` added: the last ones."""
    return range(max(0, len(table.labels) - table.added), len(table.labels))


def _markers(table: _Table, names: Sequence[str], file: str) -> tuple[list[int], tuple[str, ...]]:
    """Return the indices of the markers that are kept, and notes on the others.

    Those of other people, which :func:`gaitdyn.io.labels.one_subject` calls by a number, are not.
    """
    visible = set(np.flatnonzero(ever_known(table.points)).tolist())
    kept: list[int] = []
    left_out: dict[str, list[str]] = {}
    for i, label in enumerate(names):
        if i in _added(table) or label == f"*{i}" != table.labels[i]:
            continue
        if _WORLD.fullmatch(label):
            left_out.setdefault("the laboratory's axes, not markers: left out", []).append(label)
        elif i not in visible:
            left_out.setdefault("never visible and left out", []).append(label)
        else:
            kept.append(i)
    if not kept:
        raise refused(file, "no visible marker in any frame", "marker trajectories")
    notes = (f"{', '.join(labels)}: {words}" for words, labels in left_out.items())
    return kept, tuple(notes)


def _unit(points: Array, stated: str, name: str) -> tuple[float, str, tuple[str, ...]]:
    """Return metres per unit, the unit, and a note if the body contradicts the header."""
    unit, metres = unit_of_a_body(points, stated)
    if not unit:
        found = f"markers that fit a body in no unit; the file says {stated!r}"
        raise refused(name, found, "coordinates of a person in m, cm or mm")
    if unit == stated_unit(stated):
        return metres, unit, ()
    return metres, unit, (by_size(unit, stated),)
