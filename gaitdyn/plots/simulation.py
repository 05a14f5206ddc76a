"""Figures of a simulated system: bodies, coordinates, energy, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.curve_panels import CurvePanel, curves_sheet, limits_of
from gaitdyn.plots.frames import Frame, below_words, scale_marks, ticks, title_marks
from gaitdyn.plots.headline import EDGE_MM, header_height, headline, key_marks
from gaitdyn.plots.marks import GREY, INK, Line, Mark, Sheet, Stroke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.systems import ExtraTable, SystemRun
    from gaitdyn.types.arrays import Array


_MOST, _MOST_PANELS = 8, 9
"""Most curves of a panel and most panels; a larger table is not drawn."""
_PARTS = {
    "tau": Stroke(INK, 1.8, (), 3),
    "M": Stroke("#C26419", 1.3, (5.0, 2.0), 5),
    "C": Stroke("#AA4499", 1.3, (1.4, 1.4), 6),
    "G": Stroke("#0057B8", 1.3, (6.0, 2.0, 1.2, 2.0), 4),
    "E": Stroke("#117733", 1.1, (2.5, 1.5), 2),
}
_PART_WORDS = {"tau": "whole", "M": "M qdd", "C": "C", "G": "G", "E": "E"}


def simulation_sheets(name: str, run: SystemRun) -> dict[str, Sheet]:
    """Return the figures of a run: name of the file -> sheet.

    Parameters
    ----------
    name : str
        Name of the system.
    run : SystemRun
    """
    sheets: dict[str, Sheet] = {"energy": _energy(name, run)}
    bodies = sticks_sheet(f"{name}: bodies over time", run)
    if bodies is not None:
        sheets["sticks"] = bodies
    if all(column.unit != "1" for column in run.columns):  # quaternions are not readable as curves
        sheets["coordinates"] = _coordinates(name, run)
    for table in run.tables:
        panels = _terms(table) if table.name == "terms" else _grouped(table)
        if panels:
            words = {"terms": "parts of the joint loads, tau = M qdd + C + G + E"}
            title = f"{name}: {words.get(table.name, table.name)}"
            sheets[table.name] = curves_sheet(title, _short(run), run.time_s, panels)
    return sheets


def _short(run: SystemRun) -> list[str]:
    """Return the first note, which states the kind of run."""
    return [run.notes[0]] if run.notes else []


def _energy(name: str, run: SystemRun) -> Sheet:
    panels = [CurvePanel("kinetic and potential energy", "J", (("energy", run.energy_j),))]
    imbalance = run.imbalance_j()
    if np.isfinite(imbalance).any():
        work = (("work of torques, friction and forces", run.work_j),) if _worked(run) else ()
        panels[0] = CurvePanel(panels[0].title, "J", (*panels[0].curves, *work))
        panels.append(CurvePanel("drift: energy minus work done", "J", (("drift", imbalance),)))
    return curves_sheet(f"{name}: energy", _short(run), run.time_s, panels)


def _worked(run: SystemRun) -> bool:
    known = np.abs(run.work_j[np.isfinite(run.work_j)])
    return bool(known.size and known.max() > 0)


def _coordinates(name: str, run: SystemRun) -> Sheet:
    panels = []
    for values, columns in (
        (run.q, run.columns[: run.q.shape[1]]),
        (run.qd, run.columns[run.q.shape[1] :]),
    ):
        for unit in dict.fromkeys(column.unit for column in columns):
            curves = tuple(
                (column.name, values[:, i])
                for i, column in enumerate(columns)
                if column.unit == unit
            )
            title = "coordinates" if values is run.q else "their derivatives"
            panels.append(CurvePanel(title, unit, curves))
    return curves_sheet(f"{name}: coordinates", _short(run), run.time_s, panels)


def _terms(table: ExtraTable) -> list[CurvePanel]:
    """Return one panel per joint: its load and the parts of the load."""
    index_of = {column.name: i for i, column in enumerate(table.columns)}
    panels = []
    for i in range(1, len(index_of) + 1):
        parts = [part for part in _PARTS if f"{part}{i}" in index_of]
        if f"tau{i}" not in index_of:
            break
        first = table.columns[index_of[f"tau{i}"]]
        curves = tuple((_PART_WORDS[p], table.values[:, index_of[f"{p}{i}"]]) for p in parts)
        title = first.meaning.split(", ", 1)[-1]
        panels.append(CurvePanel(title, first.unit, curves, tuple(_PARTS[p] for p in parts)))
    return panels


def _grouped(table: ExtraTable) -> list[CurvePanel]:
    """Return one panel for columns whose names differ only after the last ``_``."""
    groups: dict[tuple[str, str], list[int]] = {}
    for i, column in enumerate(table.columns):
        name = column.name.rpartition("_")[0] or column.name
        groups.setdefault((name, column.unit), []).append(i)
    if len(groups) > _MOST_PANELS or any(len(rows) > _MOST for rows in groups.values()):
        return []
    return [
        CurvePanel(
            _words(name, *{table.columns[i].meaning for i in rows}),
            unit,
            tuple((_words(table.columns[i].name), table.values[:, i]) for i in rows),
        )
        for (name, unit), rows in groups.items()
    ]


def _words(name: str, *meanings: str) -> str:
    """Return the name of columns, with what they mean if all mean one thing the name does not say.

    Examples
    --------
    >>> _words("length_elbow", "over the optimal one"), _words("torque", "torque of the muscles")
    ('length elbow (over the optimal one)', 'torque of the muscles')
    """
    words = name.replace("_", " ")
    if len(meanings) != 1 or meanings[0] in words:
        return words
    return meanings[0] if words in meanings[0] else f"{words} ({meanings[0]})"


_SNAPSHOTS = 13
_LONG_S, _WINDOW_S = 5.0, 2.0
"""A run longer than ``_LONG_S`` is drawn up to ``_WINDOW_S`` only, to stay readable."""
_LONGEST_MM, _WIDEST_MM = 105.0, 150.0
_SLENDER = 3.0
_GUTTER, _ABOVE, _BELOW = 18.0, 8.0, 20.0
_PATH = Stroke(GREY, 0.6, (1.5, 1.5), 2)
_EARLY, _LATE = np.array([0xC4, 0xD3, 0xE8]), np.array([0x00, 0x2F, 0x6C])


def sticks_sheet(title: str, run: SystemRun) -> Sheet | None:
    """Draw the bodies at some instants, light to dark, one panel per view; None without lines.

    Parameters
    ----------
    title : str
    run : SystemRun
        Its ``sticks`` are in the plane, or in space; in space two side views are drawn.
    """
    if not run.sticks:
        return None
    last = len(run.time_s) - 1
    if run.time_s[-1] > _LONG_S:
        last = max(int(np.searchsorted(run.time_s, _WINDOW_S, "right")) - 1, 1)
    rows = np.unique(np.linspace(0, last, _SNAPSHOTS).round().astype(int))
    views = _views(run)
    lines = [[line[: last + 1][..., view] for line in run.sticks] for view, _ in views]
    frames = _frames(lines)
    width = max(sum(f.width + _GUTTER for f in frames) + 2 * EDGE_MM, 110.0)
    step = run.time_s[last] / max(len(rows) - 1, 1)
    words = [f"0 to {run.time_s[last]:g} s, every {step:.3g} s; dashed: path of the last point"]
    header = header_height(words, width)
    height = header + _ABOVE + max(f.height for f in frames) + _BELOW + EDGE_MM
    marks, _ = headline(title, words, width, height)
    left = EDGE_MM + _GUTTER - 4.0
    for frame, (_, names), lines_of_view in zip(frames, views, lines, strict=True):
        placed = Frame(left, EDGE_MM + _BELOW, frame.width, frame.height, frame.x, frame.y)
        marks += _view_marks(placed, names, lines_of_view, rows)
        left += frame.width + _GUTTER
    ends: list[tuple[str, Stroke | None]] = [
        ("start", Stroke(_shade(0.0), 1.2)),
        (f"{run.time_s[last]:g} s", Stroke(_shade(1.0), 1.6)),
    ]
    return Sheet(width, height, (*marks, *key_marks(ends, EDGE_MM + _GUTTER - 4.0, EDGE_MM + 2.0)))


def _views(run: SystemRun) -> list[tuple[list[int], tuple[str, str]]]:
    """Return the components drawn across and up in each view, and their names."""
    if run.sticks[0].shape[-1] == 2:  # noqa: PLR2004
        return [([0, 1], ("across", "up"))]
    level = [i for i in range(3) if i != run.up]
    return [([i, run.up], ("xyz"[i], f"{'xyz'[run.up]} (up)")) for i in level]


def _frames(lines: Sequence[Sequence[Array]]) -> list[Frame]:
    """Return the panels of all views with one scale for both directions, lengths in mm."""
    limits = []
    for view in lines:
        points = np.concatenate([line.reshape(-1, 2) for line in view])
        limits.append([limits_of(points[:, i]) for i in (0, 1)])
    spans = np.array([[high - low for low, high in view] for view in limits])
    largest = float(spans.max())
    spans = np.maximum(spans, largest / _SLENDER) * 1.08
    per_m = min(_LONGEST_MM / float(spans[:, 1].max()), _WIDEST_MM / float(spans[:, 0].sum()))
    frames = []
    for view, size in zip(limits, spans, strict=True):
        ends = [
            ((low + high) / 2 - s / 2, (low + high) / 2 + s / 2)
            for (low, high), s in zip(view, size, strict=True)
        ]
        width, height = (float(s * per_m) for s in size)
        frames.append(Frame(0.0, 0.0, width, height, ends[0], ends[1]))
    return frames


def _view_marks(
    frame: Frame, names: tuple[str, str], lines: Sequence[Array], rows: Array
) -> list[Mark]:
    across, up = (max(int(size / 9.0), 3) for size in (frame.width, frame.height))
    marks = scale_marks(frame, ticks(*frame.x, most=across), ticks(*frame.y, most=up))
    marks += title_marks(frame, f"{names[1]}, m", "")
    marks.append(below_words(frame, f"{names[0]}, m"))
    path = lines[0][:, -1]
    marks.append(Line(frame.at(path[:, 0], path[:, 1]), _PATH, "path"))
    for k, row in enumerate(rows):
        fraction = k / max(len(rows) - 1, 1)
        stroke = Stroke(_shade(fraction), 1.2 + 0.4 * fraction, level=3 + k)
        for line in lines:
            marks.append(Line(frame.at(line[row, :, 0], line[row, :, 1]), stroke, "body"))
    return marks


def _shade(fraction: float) -> str:
    mixed = (_EARLY + fraction * (_LATE - _EARLY)).round().astype(int)
    return "#" + "".join(f"{value:02X}" for value in mixed)
