"""A comparison in words and as a table of lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitdyn.compare.agreement import Comparison, Row
    from gaitdyn.compare.detect import Convention

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


def two_result_lines(found: Comparison) -> list[str]:
    """Return the columns that differ, and how many are equal."""
    rows = tuple(row for row in found.rows if row.largest or row.alone)
    equal = len(found.rows) - len(rows)
    lines = [f"{equal} of {len(found.rows)} columns are equal: the largest difference is 0"]
    alone = sum(row.alone for row in rows)
    if alone:
        lines.append(f"{alone} values are known in one of both only")
    return lines + (table_lines(rows) if rows else [])


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}" if np.isfinite(value) else "-"


def _line(texts: tuple[str, ...]) -> str:
    cells = [f"{texts[0]:{_WIDTHS[0]}s}", f"{texts[1]:{_WIDTHS[1]}s}", f"{texts[2]:{_WIDTHS[2]}s}"]
    cells += [f"{text:>{width}s}" for text, width in zip(texts[3:], _WIDTHS[3:], strict=True)]
    return " ".join(cells).rstrip()
