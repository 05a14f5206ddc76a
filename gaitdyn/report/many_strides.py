"""Trials of many strides: which strides are valid, how they vary and change over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from gaitdyn.cycles.outliers import MANY
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.plots.marks import (
    COLOUR,
    GREY,
    INK,
    PALE,
    Area,
    Line,
    Mark,
    Sheet,
    Stroke,
    TextLine,
    rectangle,
)
from gaitdyn.report.contents import TextTable, all_trials
from gaitdyn.report.report import Report
from gaitdyn.report.tables.moment_agreement import agreement_table
from gaitdyn.store.headings import rejoined
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import two_digits

WIDE_MM, EDGE_MM, LABEL_MM = 180.0, 4.0, 30.0
_ROW, _BETWEEN, _GAP = 5.0, 2.0, 6.0
_NUMBERED = ((20, 1), (60, 5), (300, 10), (600, 20), (1000, 50), (2000, 100), (4000, 200))
"""Largest number of strides -> every which stride has its number."""

_WORDS = ("whole", "a part is known", "not known", "set aside")
_ALPHA = {"whole": 1.0, "a part is known": 0.35}


def many_sheets(report: Report) -> list[tuple[str, Sheet]]:
    """Return the raster of strides, with a name, of each trial with more than ten per side."""
    trials = _recordings(report, lambda trial: max(_counts(trial)) > MANY)
    names = [f"Strides of {trial.name}" for trial in trials]
    return [(name, _raster(trial, name)) for name, trial in zip(names, trials, strict=True)]


def _recordings(report: Report, is_shown: Callable[[StoredTrial], object]) -> list[StoredTrial]:
    """Return the whole recordings to show, with their strides that turn."""
    return list(filter(is_shown, rejoined(all_trials(report.groups))))


def trend_tables(report: Report) -> list[TextTable]:
    """Return the tables of each trial of many strides: gait parameters, then the moments."""
    return [
        table(trial, trial.document[key])
        for key, table in (("trends", _trends), ("moment_repeatability", agreement_table))
        for trial in _recordings(report, partial(_told, key))
    ]


def _told(key: str, trial: StoredTrial) -> object:
    """Return what a trial's document has under a key; nothing in one of few strides."""
    return trial.document.get(key)


def stride_states(trial: StoredTrial, side: str) -> tuple[dict[int, str], dict[int, str]]:
    """Return how complete the angles and the moments of each stride of a side are.

    Parameters
    ----------
    trial : StoredTrial
    side : {"left", "right"}

    Returns
    -------
    angles, moments : dict
        Number of the stride -> ``whole``, ``a part is known``, ``not known`` or ``set aside``.
    """
    cycles = {c.cycle.number: c for c in trial.cycles if c.cycle.side == side}
    angles, moments = {}, {}
    by_cycle: dict[int, list[str]] = {}
    for row in trial.document["status"]:
        if row["side"] == side:
            left_out = row["code"] == "left-out"
            by_cycle.setdefault(row["cycle"], []).append("left out" if left_out else row["status"])
    heads = tuple(f"{joint}_angle_" for joint in JOINTS)
    for number, states in sorted(by_cycle.items()):
        if "left out" in states or number not in cycles:
            angles[number] = moments[number] = "set aside"
            continue
        curves = cycles[number]
        columns = [i for i, name in enumerate(curves.names) if name.startswith(heads)]
        known = np.isfinite(curves.values[:, columns])
        angles[number] = _word(whole=bool(known.all()), part=bool(known.any()))
        moments[number] = _word(
            whole=all(s == "ok" for s in states), part=any(s != "skipped" for s in states)
        )
    return angles, moments


def _word(*, whole: bool, part: bool) -> str:
    return _WORDS[0] if whole else _WORDS[1] if part else _WORDS[2]


def _counts(trial: StoredTrial) -> list[int]:
    return [sum(c.cycle.side == side for c in trial.cycles) for side in SIDES]


def _raster(trial: StoredTrial, title: str) -> Sheet:
    """Return one cell per stride, in a row for angles and one for moments of each side."""
    lanes = [
        (side, kind, states)
        for side in SIDES
        for kind, states in zip(("angles", "moments"), stride_states(trial, side), strict=True)
        if states
    ]
    most = max((max(states) for _, _, states in lanes), default=1)
    height = 2 * EDGE_MM + 12.0 + len(lanes) * _ROW + _BETWEEN + _GAP
    step = (WIDE_MM - 2 * EDGE_MM - LABEL_MM) / most
    left = EDGE_MM + LABEL_MM
    marks: list[Mark] = [
        TextLine(EDGE_MM, height - EDGE_MM - 3.0, title, 9.0, bold=True, name="title")
    ]
    y = height - EDGE_MM - 9.0
    last = ""
    for side, kind, states in lanes:
        y -= _ROW + (_BETWEEN if last and side != last else 0.0)
        whole = sum(state == _WORDS[0] for state in states.values())
        text = f"{side} {kind} {whole}/{len(states)}"
        marks.append(TextLine(left - 2.0, y + 1.2, text, 6.5, COLOUR[side], "right"))
        for number, state in states.items():
            marks += _cell(left + (number - 1) * step, y, step, side, state)
        last = side
    interval = next((every for strides, every in _NUMBERED if most <= strides), most)
    for number in (n for n in range(1, most + 1) if n == 1 or n % interval == 0):
        x = left + (number - 0.5) * step
        marks.append(TextLine(x, y - 3.4, str(number), 6.0, GREY, "center"))
    return Sheet(WIDE_MM, height, (*marks, *_key(y - 10.5)))


def _cell(x: float, y: float, step: float, side: str, state: str) -> list[Mark]:
    """Return one stride: filled if whole, pale if in part, crossed if set aside."""
    inset = min(0.3, 0.1 * step)
    box = rectangle(x + inset, y + 0.3, x + step - inset, y + _ROW - 0.3)
    if state in _ALPHA:
        return [Area(box, COLOUR[side], state, _ALPHA[state])]
    marks: list[Mark] = [Line(np.concatenate((box, box[:1])), Stroke(PALE, 0.5), state)]
    if state == _WORDS[3]:
        marks += [Line(box[[a, b]], Stroke(INK, 0.7), state) for a, b in ((0, 2), (1, 3))]
    return marks


def _key(y: float) -> list[Mark]:
    """Return the key in one line."""
    marks: list[Mark] = []
    x = EDGE_MM + LABEL_MM
    for word in _WORDS:
        marks += _cell(x, y, 5.0, "right", word)
        marks.append(TextLine(x + 6.5, y + 1.3, word, 6.5, GREY))
        x += 32.0
    return marks


def _trends(trial: StoredTrial, rows: Sequence[dict[str, object]]) -> TextTable:
    """Return the table of one trial, one row per parameter."""
    by_key = {(row["quantity"], row["side"]): row for row in rows}
    table: list[tuple[str, ...]] = []
    for parameter in PARAMETERS:
        sides = [by_key.get((parameter.name, side)) for side in SIDES]
        if not any(sides):
            continue
        title = f"{parameter.title}, {parameter.unit}" if parameter.unit else parameter.title
        table.append((title, *(cell for row in sides for cell in _cells(row))))
    columns = ["Parameter"]
    for side in SIDES:
        columns += [f"{side.capitalize()}: mean \u00b1 SD (strides)", "change per minute [95 %]"]
    note = (
        "Change: median slope between all pairs of strides (Sen 1968); * if its 95 % interval"
        " excludes zero, as by chance 1 in 20 do."
    )
    return TextTable(f"Variation and trends of {trial.name}", tuple(columns), tuple(table), (note,))


def _cells(row: dict[str, object] | None) -> tuple[str, str]:
    if row is None:
        return "", ""
    mean, sd, slope, low, high = (
        float(str(row[k])) for k in ("mean", "sd", "per_minute", "low", "high")
    )
    star = " *" if low > 0.0 or high < 0.0 else ""
    change = f"{_signed(slope)} [{_signed(low)}, {_signed(high)}]{star}"
    return f"{mean:.4g} \u00b1 {two_digits(sd)} ({row['strides']})", change


def _signed(value: float) -> str:
    return ("+" if value > 0.0 else "") + two_digits(value + 0.0)
