"""Describe a comparison in words and as lines of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gaitdyn.compare.agreement import Row, SourceComparison
from gaitdyn.compare.detect import Convention
from gaitdyn.compare.two_results import PeakRow
from gaitdyn.types.words import counted

_HEAD = ("", "unit", "side", "frames", "RMSE", "r", "largest", "at frame", "% cycle")
_WIDTHS = (34, 8, 6, 7, 9, 7, 10, 9, 8)


def convention_line(convention: Convention) -> str:
    """Return one line on how the vendor stored a quantity."""
    unit, axes = convention.unit, convention.axes
    if unit == "unknown":
        one = f"1 {convention.quantity.unit}"
        unit = f"unit not recognised ({one} is {convention.factor:.4g} in the file)"
    labelled = f", labelled {convention.labelled}" if convention.labelled else ""
    parts = [unit + labelled, *_direction(convention), *_order(convention)]
    if axes in {"distal", "proximal", "lab", "jcs", "walking"}:
        words = "axes of the walking direction" if axes == "walking" else f"{axes} axes"
        parts.insert(1, words)
    return f"{convention.quantity.name}s: {', '.join(parts)}"


def _direction(convention: Convention) -> list[str]:
    """Return the main sign, such as internal or external, and the labels that differ from it."""
    certain = [s for signs in convention.signs.values() for s in signs if s]
    main = -1 if sum(certain) < 0 else 1
    words = {"moment": {1: "internal", -1: "external"}}.get(
        convention.quantity.name, {1: "signs as ours", -1: "signs opposite to ours"}
    )
    parts = [words[main]]
    odd = [
        f"{label}_{convention.order[_part(convention, label)][i] + 1}"
        for label, signs in convention.signs.items()
        for i, s in enumerate(signs)
        if s == -main
    ]
    return [*parts, f"other sign in {' '.join(odd)}"] if odd else parts


def _order(convention: Convention) -> list[str]:
    """Return the order of components for body parts whose order differs from ours."""
    ours = (0, 1, 2)
    return [
        f"{part.lower()} components 1 2 3 of gaitdyn are {' '.join(str(i + 1) for i in order)}"
        for part, order in convention.order.items()
        if order != ours
    ]


def _part(convention: Convention, label: str) -> str:
    return next(part for part in convention.order if label[1:].startswith(part))


def table_lines(rows: tuple[Row, ...]) -> list[str]:
    """Return a heading and one line per column."""
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


def two_result_lines(comparison: SourceComparison) -> list[str]:
    """Return the peaks and the columns that differ, and how many columns are equal."""
    rows = tuple(row for row in comparison.rows if row.largest or row.alone)
    equal = len(comparison.rows) - len(rows)
    lines = [_equal_words(equal, len(comparison.rows))]
    alone = sum(row.alone for row in rows)
    if alone:
        lines.append(f"known in only one of the two: {counted(alone, 'value')}")
    if comparison.peaks:
        lines += ["peaks, mean over the cycles known in both:", *peak_lines(comparison.peaks)]
    if rows:
        lines += ["columns, the largest difference as first minus second:", *table_lines(rows)]
    return lines


def peak_lines(peaks: Sequence[PeakRow]) -> list[str]:
    """Return a heading and one line per peak."""
    lines = [_line(("", "unit", "side", "cycles", "first", "second", "1st - 2nd"))]
    lines += [
        _line(
            (
                peak.name, peak.unit, peak.side, str(peak.cycles), _number(peak.first),
                _number(peak.second), _number(peak.first - peak.second),
            )
        )
        for peak in peaks
    ]  # fmt: skip
    return lines


def _equal_words(equal: int, count: int) -> str:
    """Return a sentence on how many columns are equal.

    Examples
    --------
    >>> _equal_words(0, 118), _equal_words(117, 118)
    ('All 118 columns differ.', '117 of 118 columns are equal, 1 differs.')
    """
    if not count:
        return "No column is known in both."
    if equal == count:
        return f"All {count} columns are equal: the largest difference is 0."
    if not equal:
        return f"All {count} columns differ."
    verbs = "is" if equal == 1 else "are", "differs" if count - equal == 1 else "differ"
    return f"{equal} of {count} columns {verbs[0]} equal, {count - equal} {verbs[1]}."


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}" if np.isfinite(value) else "-"


def _line(texts: tuple[str, ...]) -> str:
    cells = [f"{texts[0]:{_WIDTHS[0]}s}", f"{texts[1]:{_WIDTHS[1]}s}", f"{texts[2]:{_WIDTHS[2]}s}"]
    cells += [f"{text:>{width}s}" for text, width in zip(texts[3:], _WIDTHS[3:], strict=False)]
    return " ".join(cells).rstrip()
