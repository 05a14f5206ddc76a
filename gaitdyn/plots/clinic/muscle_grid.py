"""The muscles of both legs as one drawing: a row of pairs, left beside right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.plots.clinic.muscles import HEIGHT, muscle_drawing
from gaitdyn.plots.clinic.palette import INK, MUTED
from gaitdyn.plots.clinic.panel import LEFT_EDGE, WIDTH
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.marks import Sheet, Words, wrapped
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.plots.marks import Mark

_COLUMNS = 4
"""Drawings a row: two muscles of both legs, or four of the one that was wired."""

_GAP, _TITLE, _NOTE = 6.0, 4.6, 2.8
_TITLE_PT, _NOTE_PT, _USUAL = 7.4, 5.8, 62.0
"""Of a cell of the usual width, mm; in narrower ones they are smaller."""

_WIDE_MM, _EDGE, _HEAD = 180.0, 3.0, 9.0
WORDS = (
    "Pale: rectified signal of the stride nearest to the mean; heavy: mean envelope, 1 is its peak;"
    " grey: shape of the norm; bars: on in most strides, grey where the norm is above half"
)


def wired_sides(panels: Sequence[EmgPanel]) -> list[str]:
    """Return the legs of which any muscle was recorded."""
    return [s for s in SIDES if any(p.side == s and p.status != "not_recorded" for p in panels)]


def muscle_cells(panels: Sequence[EmgPanel]) -> list[tuple[str, str]]:
    """Return muscle and side of every drawing; of a leg that was not wired there is none."""
    muscles = dict.fromkeys(p.muscle for p in panels)
    sides = wired_sides(panels) or list(SIDES)
    return [(muscle, side) for muscle in muscles for side in sides]


def muscle_note(panel: EmgPanel) -> str:
    """Return what is told of a muscle in words: strides, likeness to the norm, a doubt."""
    strides = f"{panel.strides} stride{'' if panel.strides == 1 else 's'}"
    like = "" if panel.norm_r is None else f", r {panel.norm_r:.2f} with the norm"
    doubt = f"; {panel.reason}" if panel.status == "check" and panel.reason else ""
    return f"{strides}{like}{doubt}" if panel.strides else panel.status.replace("_", " ")


def muscle_marks(
    panels: Sequence[EmgPanel],
    foot_off: Mapping[str, float | None],
    place: tuple[float, float, float],
    room: float,
) -> tuple[list[Mark], float]:
    """Return the muscles on a sheet, and where they end, mm.

    Parameters
    ----------
    panels : sequence of EmgPanel
    foot_off : mapping
        Side -> % of the cycle.
    place : tuple of float
        Left, top and width, mm.
    room : float
        Height into which they are fitted, mm.
    """
    left, top, wide = place
    found = {(p.muscle, p.side): p for p in panels}
    cells = muscle_cells(panels)
    rows = -(-len(cells) // _COLUMNS)
    cell = (wide - _GAP * (_COLUMNS - 1)) / _COLUMNS
    scale = min(cell / WIDTH, (room / max(rows, 1) - _TITLE - _NOTE) / HEIGHT)
    high, small = scale * HEIGHT + _TITLE + _NOTE, min(1.0, cell / _USUAL)
    marks: list[Mark] = []
    for i, (muscle, side) in enumerate(cells):
        row, column = divmod(i, _COLUMNS)
        x, y = left + column * (cell + _GAP), top - row * high
        one = found.get((muscle, side))
        title = f"{muscle.replace('_', ' ').capitalize()}, {side}"
        at = x + scale * LEFT_EDGE
        pt = _TITLE_PT * max(small, 0.72)
        marks.append(Words(at, y - 3.4, title, pt, INK, bold=True, name="panel"))
        note = "not recorded" if one is None else muscle_note(one)
        pt, low = _NOTE_PT * max(small, 0.72), y - _TITLE - scale * HEIGHT - 1.2
        line = wrapped(note, cell - scale * LEFT_EDGE, pt)[0]
        marks.append(Words(at, low if one is not None else y - 6.4, line, pt, MUTED))
        if one is not None:
            drawn = muscle_drawing(one, foot_off.get(side))
            marks += placed(drawn, x, y - _TITLE - scale * HEIGHT, scale)
    return marks, top - rows * high


def muscle_sheet(
    name: str, panels: Sequence[EmgPanel], foot_off: Mapping[str, float | None]
) -> Sheet:
    """Return the muscles as a figure.

    Parameters
    ----------
    name : str
        Of the trial.
    panels : sequence of EmgPanel
        Of :func:`gaitdyn.emg.panels.emg_panels`.
    foot_off : mapping
        Side -> % of the cycle.
    """
    rows = -(-len(muscle_cells(panels)) // _COLUMNS)
    wide = _WIDE_MM - 2 * _EDGE
    cell = (wide - _GAP * (_COLUMNS - 1)) / _COLUMNS
    room = rows * (cell / WIDTH * HEIGHT + _TITLE + _NOTE)
    height = room + _HEAD + 2 * _EDGE
    top = height - _EDGE
    heading = Words(_EDGE, top - 4.0, f"Muscles \u2013 {name}", 9.0, INK, bold=True, name="title")
    marks, _ = muscle_marks(panels, foot_off, (_EDGE, top - _HEAD + 2.0, wide), room)
    key = Words(_EDGE, _EDGE - 1.0, WORDS, 4.6, MUTED, name="key")
    return Sheet(_WIDE_MM, height, (heading, *marks, key))
