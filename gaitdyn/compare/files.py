"""Write ``compare.csv``, and ``compare.png``: both curves, with their difference below them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import sideless
from gaitdyn.errors import OutputRefused
from gaitdyn.plots.frames import Frame, below_words, known_lines, scale_marks, ticks, title_marks
from gaitdyn.plots.marks import COLOUR, GREY, INK, Mark, Sheet, Stroke, TextLine, wrapped
from gaitdyn.store.single_file import put_in_place, refuse_foreign
from gaitdyn.tables.csv_files import csv_text, safe_cell
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.compare.agreement import CurvePair, SourceComparison

TABLE, PICTURE = "compare.csv", "compare.png"

_NAMES = (
    *("quantity", "side", "unit", "frames", "known_in_one"),
    *("rmse", "r", "largest", "frame", "percent"),
)
_WIDTH, _HEIGHT, _BELOW = 52.0, 24.0, 10.0
_GUTTER, _STEP_Y, _HEAD, _FOOT, _EDGE = 16.0, 52.0, 17.0, 4.0, 8.0
_ACROSS = 3
_OTHER = {"left": "#EBA5A9", "right": "#9CC4F0", "": "#BBBBBB"}
"""The second source is a broad pale line under the thin line of the first."""

_DRAWN = ("angle", "moment", "power")
_SHORT = 1e-12


def write_comparison(comparison: SourceComparison, folder: Path, *, force: bool) -> list[Path]:
    """Write the table and the picture of a comparison.

    Parameters
    ----------
    comparison : SourceComparison
    folder : Path
        Created if it does not exist.
    force : bool
        Replace files that gaitdyn did not write.

    Raises
    ------
    OutputRefused
        If the folder is a file, or contains files of these names that gaitdyn did not write.
    """
    from gaitdyn.plots.png import png_bytes

    check_folder(folder, force=force)
    put_in_place(folder / TABLE, table_text(comparison).encode())
    put_in_place(folder / PICTURE, png_bytes(comparison_sheet(comparison)))
    return [folder / TABLE, folder / PICTURE]


def check_folder(folder: Path, *, force: bool) -> None:
    """Refuse a folder whose files of these names gaitdyn did not write.

    Raises
    ------
    OutputRefused
    """
    if folder.exists() and not folder.is_dir():
        raise OutputRefused(f"-o {folder} is a file, wanted a folder; name another")
    refuse_foreign(folder / TABLE, ",".join(_NAMES), force=force)
    refuse_foreign(folder / PICTURE, force=force)


def table_text(comparison: SourceComparison) -> str:
    """Return ``compare.csv``; an unknown number is an empty cell."""
    of_file = bool(comparison.conventions)
    first, second = ("gaitdyn", comparison.second) if of_file else ("gaitdyn_1", "gaitdyn_2")
    rows = []
    for row in comparison.rows:
        numbers = (row.rmse, row.r, row.largest, row.frame, row.percent, row.first, row.second)
        texts = ["" if math.isnan(x) else f"{x:.10g}" for x in numbers]
        cells = (row.name, row.side, row.unit, row.frames, row.alone, *texts)
        rows.append([safe_cell(cell) for cell in cells])
    return csv_text([*_NAMES, first, second], rows)


def comparison_sheet(comparison: SourceComparison) -> Sheet:
    """Draw the angles, moments and powers of a comparison."""
    groups: dict[str, list[CurvePair]] = {}
    for pair in comparison.drawn:
        if any(word in pair.row.name.lower() for word in _DRAWN):
            groups.setdefault(_panel_name(pair), []).append(pair)
    count = max(-(-len(groups) // _ACROSS), 1)
    width = _EDGE + _ACROSS * (_GUTTER + _WIDTH)
    notes = [line for note in comparison.notes for line in wrapped(note, width - 2 * _EDGE, 7.0)]
    height = _HEAD + 3.4 * len(notes) + count * _STEP_Y + _FOOT
    marks = _heading(comparison, notes, height)
    for i, (name, group) in enumerate(groups.items()):
        left = _GUTTER + (i % _ACROSS) * (_GUTTER + _WIDTH)
        top = height - _HEAD - 3.4 * len(notes) - (i // _ACROSS) * _STEP_Y
        marks += _panel(comparison, name, group, left, top)
    return Sheet(width, height, tuple(marks))


def _panel_name(pair: CurvePair) -> str:
    """Return the name of a column without its side: ``left_``, or the ``L`` of the vendor's."""
    name = pair.row.name
    bare = sideless(name)
    if bare == name:
        bare = name.removeprefix(LETTER.get(pair.row.side, "_"))
    return name if bare == name else bare.replace("_", " ")


def _heading(comparison: SourceComparison, notes: Sequence[str], height: float) -> list[Mark]:
    first, second = comparison.first, comparison.second
    key = f"thin line: {first}; broad pale line: {second}; below: the difference"
    marks: list[Mark] = [
        TextLine(_EDGE, height - 6.0, comparison.title, 9.0),
        TextLine(_EDGE, height - 10.4, f"{key}; left red, right blue", 7.0, GREY),
    ]
    lines = (TextLine(_EDGE, height - 14.0 - 3.4 * i, n, 7.0, GREY) for i, n in enumerate(notes))
    return [*marks, *lines]


def _panel(
    comparison: SourceComparison, name: str, group: Sequence[CurvePair], left: float, top: float
) -> list[Mark]:
    time = comparison.time_s
    span = float(time[0]), float(max(time[-1], time[0] + 1e-3))
    curves = np.concatenate([np.concatenate((pair.ours, pair.other)) for pair in group])
    differences = np.concatenate([pair.ours - pair.other for pair in group])
    upper = Frame(left, top - 5.0 - _HEIGHT, _WIDTH, _HEIGHT, span, _limits(curves))
    limits = _around_zero(differences)
    lower = Frame(left, upper.bottom - 2.6 - _BELOW, _WIDTH, _BELOW, span, limits)
    marks = title_marks(upper, name, group[0].row.unit)
    marks += scale_marks(upper, ticks(*span, most=5), ticks(*upper.y, most=4), numbers_below=False)
    marks += scale_marks(lower, ticks(*span, most=5), _tick_values(lower))
    marks.append(below_words(lower, "s"))
    for pair in group:
        side = pair.row.side
        broad = Stroke(_OTHER[side], 2.6, level=2)
        thin = Stroke(COLOUR.get(side, INK), 0.9, level=3)
        marks += known_lines(upper, time, pair.other, broad, f"{comparison.second} {side}")
        marks += known_lines(upper, time, pair.ours, thin, f"{comparison.first} {side}")
        marks += known_lines(lower, time, pair.ours - pair.other, thin, f"difference {side}")
    return marks


def _limits(values: np.ndarray) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    margin = max(0.05 * (high - low), _SHORT)
    return low - margin, high + margin


def _around_zero(values: np.ndarray) -> tuple[float, float]:
    known = np.abs(values[np.isfinite(values)])
    size = max(1.1 * float(known.max()) if known.size else 1.0, _SHORT)
    return -size, size


def _tick_values(frame: Frame) -> list[float]:
    """Return zero and the same round number above and below it."""
    power = 10.0 ** np.floor(np.log10(frame.y[1]))
    size = next(
        s * power
        for s in (8.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.5, 1.0)
        if s * power <= frame.y[1] * (1 + 1e-9)
    )
    return [-size, 0.0, size]
