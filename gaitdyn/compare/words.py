"""A comparison in words and as a table of lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.compare.agreement import Row, SourceComparison
    from gaitdyn.compare.detect import Convention
    from gaitdyn.compare.two_results import PeakRow

_HEAD = ("", "unit", "side", "frames", "RMSE", "r", "largest", "at frame", "% cycle")
_WIDTHS = (34, 8, 6, 7, 9, 7, 10, 9, 8)


def convention_line(found: Convention) -> str:
    """Return what was found of one quantity, in one line."""
    unit = found.unit
    if unit == "unknown":
        unit = f"unit not recognised (1 {found.quantity.unit} is {found.factor:.4g} in the file)"
    said = f", labelled {found.labelled}" if found.labelled else ""
    parts = [unit + said, *_direction(found), *_order(found)]
    axes = "axes of the walking direction" if found.axes == "walking" else f"{found.axes} axes"
    if found.axes in {"distal", "proximal", "lab", "jcs", "walking"}:
        parts.insert(1, axes)
    return f"{found.quantity.name}s: {', '.join(parts)}"


def _direction(found: Convention) -> list[str]:
    """Return the signs: internal or external moments, and the labels that differ."""
    sure = [s for signs in found.signs.values() for s in signs if s]
    main = -1 if sum(sure) < 0 else 1
    words = {"moment": {1: "internal", -1: "external"}}.get(
        found.quantity.name, {1: "signs as ours", -1: "signs opposite to ours"}
    )
    parts = [words[main]]
    odd = [
        f"{label}_{found.order[_part(found, label)][i] + 1}"
        for label, signs in found.signs.items()
        for i, s in enumerate(signs)
        if s == -main
    ]
    return [*parts, f"other sign in {' '.join(odd)}"] if odd else parts


def _order(found: Convention) -> list[str]:
    """Return the order of components where it is not ours."""
    usual = (0, 1, 2)
    return [
        f"{part.lower()} components 1 2 3 of gaitdyn are {' '.join(str(i + 1) for i in order)}"
        for part, order in found.order.items()
        if order != usual
    ]


def _part(found: Convention, label: str) -> str:
    return next(part for part in found.order if label[1:].startswith(part))


def table_lines(rows: tuple[Row, ...]) -> list[str]:
    """Return a heading and a line a column."""
    lines = [_line(_HEAD)]
    lines += [
        _line(
            (
                row.name,
                row.unit,
                row.side,
                str(row.frames),
                _number(row.rmse),
                "-" if math.isnan(row.r) else f"{row.r:.4f}",
                _number(row.largest),
                str(row.frame),
                "-" if math.isnan(row.percent) else f"{row.percent:.0f}",
            )
        )
        for row in rows
    ]
    return lines


def two_result_lines(found: SourceComparison) -> list[str]:
    """Return the peaks and the columns that differ, and how many columns are equal."""
    rows = tuple(row for row in found.rows if row.largest or row.alone)
    equal = len(found.rows) - len(rows)
    lines = [_equal_words(equal, len(found.rows))]
    alone = sum(row.alone for row in rows)
    if alone:
        lines.append(f"{alone} values are known in one of both only")
    if found.peaks:
        lines += ["peaks, mean over the cycles that both know:", *peak_lines(found.peaks)]
    if rows:
        lines += ["columns, the largest difference as first minus second:", *table_lines(rows)]
    return lines


def peak_lines(peaks: Sequence[PeakRow]) -> list[str]:
    """Return a heading and a line a peak."""
    lines = [_line(("", "unit", "side", "cycles", "first", "second", "1st - 2nd"))]
    lines += [
        _line(
            (
                one.name, one.unit, one.side, str(one.cycles), _number(one.first),
                _number(one.second), _number(one.first - one.second),
            )
        )
        for one in peaks
    ]  # fmt: skip
    return lines


def _equal_words(equal: int, count: int) -> str:
    """Return how many columns are equal in a sentence.

    Examples
    --------
    >>> _equal_words(0, 118), _equal_words(117, 118)
    ('All 118 columns differ.', '117 of 118 columns are equal, 1 differs.')
    """
    if equal == count:
        return f"All {count} columns are equal: the largest difference is 0."
    if not equal:
        return f"All {count} columns differ."
    word = "differs" if count - equal == 1 else "differ"
    return f"{equal} of {count} columns are equal, {count - equal} {word}."


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}" if np.isfinite(value) else "-"


def _line(texts: tuple[str, ...]) -> str:
    cells = [f"{texts[0]:{_WIDTHS[0]}s}", f"{texts[1]:{_WIDTHS[1]}s}", f"{texts[2]:{_WIDTHS[2]}s}"]
    cells += [f"{text:>{width}s}" for text, width in zip(texts[3:], _WIDTHS[3:], strict=False)]
    return " ".join(cells).rstrip()
