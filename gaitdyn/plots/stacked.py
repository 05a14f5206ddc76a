"""Draw the parts that add up to a curve as stacked areas over the gait cycle or the trial."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.plots.frames import (
    Frame,
    areas_between,
    below_words,
    empty_marks,
    end_words,
    known_lines,
    scale_marks,
    ticks,
    title_marks,
    widened_limits,
    with_limits,
)
from gaitdyn.plots.grid import FOOT, GAP, GUTTER, HEAD, KEY_STEP
from gaitdyn.plots.grid_style import Abscissa, over_time
from gaitdyn.plots.headline import (
    EDGE_MM,
    header_height,
    headline,
    key_marks,
    key_rows,
    moment_line,
    trial_name,
)
from gaitdyn.plots.marks import INK, Mark, Sheet, Stroke
from gaitdyn.plots.panels import KINETICS, Panel, fitting_panel
from gaitdyn.types.frozen import frozen
from gaitdyn.types.loads import CAUSE_WORDS, SOURCE_WORDS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.result import Processed


COLOURS = {
    "inertial": "#E69F00",
    "velocity": "#AA4499",
    "gravity": "#8C8C8C",
    "ground": "#88CCEE",
    "from_foot": "#117733",
    "from_shank": "#DDCC77",
    "from_thigh": "#CC6677",
    "from_ground": "#88CCEE",
    "m": "#E69F00",
    "c": "#AA4499",
    "g": "#8C8C8C",
    "e": "#88CCEE",
    "ankle": "#117733",
    "knee": "#DDCC77",
    "hip": "#CC6677",
    "other_leg": "#332288",
    "trunk": "#999933",
    "residual": "#E69F00",
    "contact": "#88CCEE",
}
"""Mostly the muted set of P. Tol (Colour schemes, SRON 2021): safe for red-blind readers."""

_KEY_WORDS = {"m": "M qdd", "c": "C", "g": "G", "e": "E"}
PANEL_MM = (50.0, 42.0)
"""Width and height of a panel."""

_TOTAL = Stroke(INK, 1.2, level=4)


@frozen()
class Stacks:
    """Contents of a sheet of stacked areas.

    Attributes
    ----------
    title : str
    panels : tuple of Panel
        One row each; the name of a part is that of the panel followed by the word of the part.
    kinds : tuple of (str, tuple of str)
        Name, and words of the parts that add up; one column per side.
    lines : tuple of str
        Lines below the title.
    total : str
        Name of the sum in the key.
    """

    title: str
    panels: tuple[Panel, ...]
    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    lines: tuple[str, ...]
    total: str = "moment"


def stacked_sheet(
    strips: Sequence[CurveStrip],
    abscissa: Abscissa,
    stacks: Stacks,
    size: tuple[float, float] = PANEL_MM,
) -> Sheet:
    """Draw panels of stacked areas, left and right, with the sum as a line.

    Parameters
    ----------
    strips : sequence of CurveStrip
    abscissa : Abscissa
    stacks : Stacks
    size : tuple of float
        Width and height of a panel, mm.
    """
    panel_width, panel_height = size
    columns = [(side, kind, words) for kind, words in stacks.kinds for side in SIDES]
    width = 2 * EDGE_MM + len(columns) * (GUTTER + panel_width + GAP) - GAP - 5.0
    keys = key_rows(_key_entries(stacks), width - 2 * EDGE_MM)
    above = header_height(stacks.lines, width) + 10.0 + (len(keys) - 1) * KEY_STEP
    height = above + len(stacks.panels) * (HEAD + panel_height) + FOOT + EDGE_MM - 4.0
    marks, taken = headline(stacks.title, stacks.lines, width, height)
    for i, entries in enumerate(keys):
        marks += key_marks(entries, EDGE_MM, height - taken - 6.5 - i * KEY_STEP)
    for i, panel in enumerate(stacks.panels):
        for j, (side, kind, words) in enumerate(columns):
            left = EDGE_MM + GUTTER - 5.0 + j * (GUTTER + panel_width + GAP)
            bottom = height - above - (i + 1) * (HEAD + panel_height)
            frame = Frame(left, bottom, panel_width, panel_height, abscissa.limits, panel.limits)
            strips_of_side = [strip for strip in strips if strip.side == side]
            subject = f"{side.capitalize()} {_subject(panel)}{kind}"
            last = i == len(stacks.panels) - 1
            marks += _panel_marks(panel, subject, frame, strips_of_side, abscissa, words, last=last)
            if last:
                marks.append(below_words(frame, abscissa.label))
    return Sheet(width, height, tuple(marks))


def stacked_edges(parts: Array) -> Array:
    """Return the edges of stacked areas: positive parts upwards from zero, negative ones downwards.

    Parameters
    ----------
    parts : array, shape (n, k)

    Returns
    -------
    array, shape (n, k, 2)
        Lower and upper edge of every part; equal if the part is zero.

    Examples
    --------
    >>> stacked_edges(np.array([[1.0, -2.0, 3.0]]))[0].tolist()
    [[0.0, 1.0], [-2.0, 0.0], [1.0, 4.0]]
    """
    up = np.cumsum(np.maximum(parts, 0.0), axis=1)
    down = np.cumsum(np.minimum(parts, 0.0), axis=1)
    before_up, before_down = np.roll(up, 1, axis=1), np.roll(down, 1, axis=1)
    before_up[:, 0] = before_down[:, 0] = 0.0
    rising = parts > 0
    low, high = np.where(rising, before_up, down), np.where(rising, up, before_down)
    return np.stack((low, high), axis=-1)


def _panel_marks(
    panel: Panel,
    title: str,
    frame: Frame,
    strips: Sequence[CurveStrip],
    abscissa: Abscissa,
    words: Sequence[str],
    *,
    last: bool,
) -> list[Mark]:
    names = {name.removesuffix(f"_{words[0]}") for strip in strips for name in strip.names}
    panel = fitting_panel(panel, names)
    marks = title_marks(frame, title, panel.unit)
    stack = [np.stack([s.curve(f"{panel.name}_{word}") for word in words], axis=1) for s in strips]
    if abscissa.averaged:
        stack = [parts for parts in stack if np.isfinite(parts).all()]
    if not any(np.isfinite(parts).all(axis=1).any() for parts in stack):
        part = "no whole cycle" if abscissa.averaged else "in no frame are all parts known"
        return marks + empty_marks(frame, part)
    parts = np.mean(stack, axis=0)
    edges = stacked_edges(parts)
    limits, _ = widened_limits(panel.limits, edges)
    frame = with_limits(frame, limits)
    marks += scale_marks(frame, abscissa.ticks, ticks(*limits), numbers_below=last)
    marks += end_words(frame, panel.top, panel.bottom)
    x = strips[0].at
    for start, stop in runs(complete_rows(parts)):
        rows = slice(start, stop)
        for k, word in enumerate(words):
            marks += _area(frame, x[rows], edges[rows, k], word)
    return marks + known_lines(frame, x, parts.sum(axis=1), _TOTAL, "moment")


def _area(frame: Frame, x: Array, edges: Array, word: str) -> list[Mark]:
    """Draw the areas of one part, one for each phase in which it keeps its sign."""
    nonzero = edges[:, 1] > edges[:, 0]
    positive = edges.sum(axis=1) > 0
    cuts = np.flatnonzero(np.diff(positive.astype(int))) + 1
    marks: list[Mark] = []
    for start, stop in pairwise([0, *cuts.tolist(), len(x)]):
        if stop - start > 1 and nonzero[start:stop].any():
            low, high = edges[start:stop].T
            marks += areas_between(frame, x[start:stop], low, high, COLOURS[word], word)
    return marks


def _subject(panel: Panel) -> str:
    """Return the subject of a panel: the joint of a moment, else its title."""
    key = key_of(panel.name)
    return key.part if key.is_moment else panel.title


def _key_entries(stacks: Stacks) -> list[tuple[str, Stroke | None]]:
    words = [word for _, kind in stacks.kinds for word in kind if word != "from_ground"]
    areas = [
        (_KEY_WORDS.get(word, word.replace("_", " ")), Stroke(COLOURS[word], 6.0)) for word in words
    ]
    return [*areas, (f"{stacks.total}, their sum", _TOTAL)]


def shown_cycles(result: Processed, cycles: Sequence[CycleCurves]) -> str:
    """Return a line on the part of the trial that a sheet shows."""
    if not cycles:
        return "No complete gait cycle: the whole trial"
    counts = [f"{side} {sum(c.cycle.side == side for c in cycles)}" for side in result.sides]
    return f"Mean of the cycles in which all parts are known, of {', '.join(counts)}"


_KINDS = ((", by cause", CAUSE_WORDS), (", by segment", SOURCE_WORDS))


def terms_sheet(result: Processed, terms: Sequence[Curve], cycles: Sequence[CycleCurves]) -> Sheet:
    """Draw sagittal moments of hip, knee and ankle, left and right, as stacked areas.

    Positive parts are stacked upwards, negative ones downwards; the line is their sum, the moment.
    The curves are means of the cycles in which all parts are known.

    Parameters
    ----------
    result : Processed
    terms : sequence of Curve
        From :func:`gaitdyn.tables.terms.term_curves`.
    cycles : sequence of CycleCurves
        Cycles of the same curves; without any, the whole trial is shown.
    """
    title = f"What the moments are made of \u2013 {trial_name(result)}"
    lines = shown_cycles(result, cycles), moment_line(result)
    return parts_sheet(*over_time(result, terms, cycles), (title, lines))


def parts_sheet(
    strips: Sequence[CurveStrip],
    abscissa: Abscissa,
    heading: tuple[str, Sequence[str]],
    size: tuple[float, float] = PANEL_MM,
    plane: int = 0,
) -> Sheet:
    """Draw the moments of hip, knee and ankle in a plane as stacked areas, by cause and segment.

    Parameters
    ----------
    strips : sequence of CurveStrip
        Columns of ``terms.csv``.
    abscissa : Abscissa
    heading : (str, sequence of str)
        Title and the lines below it.
    size : tuple of float
        Width and height of a panel, mm.
    plane : int
        0 sagittal, 1 frontal, 2 transverse.
    """
    panels = tuple(row[plane] for row in KINETICS[:3])
    return stacked_sheet(
        strips, abscissa, Stacks(heading[0], panels, _KINDS, tuple(heading[1])), size
    )
