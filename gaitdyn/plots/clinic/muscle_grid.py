"""The muscles in the columns of the joints: below the loads, or as a separate drawing."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from gaitdyn.emg.muscle_table import joint_of
from gaitdyn.emg.norms import UNKNOWN
from gaitdyn.plots.clinic.axes import LEFT_EDGE, WIDTH
from gaitdyn.plots.clinic.muscles import muscle_drawing, muscle_height
from gaitdyn.plots.clinic.palette import INK, MUTED
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.marks import Mark, Sheet, TextLine, shortened, wrapped
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import LETTER, SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.emg.panels import EmgPanel

COLUMNS = (("hip", "Hip"), ("knee", "Knee"), ("ankle", "Ankle"), ("foot", "Foot and others"))
"""Columns, as for the loads above; muscles that belong to none of these joints come last."""

_GAP, _TITLE, _NOTE, _HEAD = 6.0, 4.0, 3.6, 4.0
_TITLE_PT, _NOTE_PT, _USUAL = 7.4, 5.8, 62.0
"""Sizes of type for a cell of the usual width, mm; type is smaller in narrower cells."""

_LEAST, _LEAST_PT = 0.8, 5.4
_WIDE_MM, _EDGE, _HEADING = 180.0, 3.0, 9.0
_WORDS = (
    "Pale: one rectified stride; heavy: mean envelope; grey: shape of the norm (children, Schwartz"
    " 2008), its bar where above half; coloured bar: on in most strides; r: correlation with that"
    " shape"
)
_FREE = " (free)"
_FREE_WORDS = " (free: at free speed, as the leg length or the speed is not known)"


@frozen(eq=False)
class MuscleCell:
    """One muscle and its panel for each side; None for a side without a channel."""

    muscle: str
    panels: Mapping[str, EmgPanel | None]

    @property
    def title(self) -> str:
        """The muscle's name."""
        return self.muscle.replace("_", " ").capitalize()

    @property
    def notes(self) -> tuple[str, ...]:
        """A note on each side that is drawn."""
        drawn = [panel for panel in self.panels.values() if panel is not None and panel.mean.size]
        return tuple(f"{LETTER[panel.side]} {_note(panel)}" for panel in drawn)


MuscleGrid = tuple[tuple[MuscleCell | None, ...], ...]


def _recorded_sides(panels: Sequence[EmgPanel]) -> list[str]:
    """Return the sides with at least one recorded muscle."""
    return [s for s in SIDES if any(p.side == s and p.status != "not_recorded" for p in panels)]


def muscle_grid(panels: Sequence[EmgPanel]) -> MuscleGrid:
    """Return the muscles with curves on any side, in the columns of :data:`COLUMNS`.

    A leg that was not recorded has no row. Muscles without curves are described in words
    (:func:`silent_words`).
    """
    by_muscle = {(p.muscle, p.side): p for p in panels}
    muscles = dict.fromkeys(p.muscle for p in panels if p.mean.size)
    sides = _recorded_sides(panels)
    columns: dict[str, list[MuscleCell]] = {joint: [] for joint, _ in COLUMNS}
    other = COLUMNS[-1][0]
    for muscle in muscles:
        cell = MuscleCell(muscle, {side: by_muscle.get((muscle, side)) for side in sides})
        columns[joint_of(muscle) or other].append(cell)
    return tuple(zip_longest(*columns.values()))


def key_words(panels: Sequence[EmgPanel]) -> str:
    """Return the key of the muscles; a mark that none of them has is not explained."""
    free = any(_FREE in _note(panel) for panel in panels if panel.mean.size)
    return _WORDS + (_FREE_WORDS if free else "")


def silent_words(panels: Sequence[EmgPanel]) -> str:
    """Return the muscles without curves and the reasons, such as ``Soleus (noise only)``.

    Legs that were not recorded are mentioned, too. The text is empty if all muscles have curves.
    """
    recorded = _recorded_sides(panels)
    shown = {p.muscle for p in panels if p.mean.size}
    reasons: dict[str, list[str]] = {}
    for panel in panels:
        if panel.muscle not in shown and panel.side in recorded:
            reasons_of_muscle = reasons.setdefault(panel.muscle.replace("_", " "), [])
            reasons_of_muscle.append(panel.reason.partition(":")[0].partition(" (")[0])
    by_reason: dict[str, list[str]] = {}
    for muscle, words in reasons.items():
        by_reason.setdefault(", ".join(dict.fromkeys(words)), []).append(muscle)
    lines = [f"{', '.join(muscles)} ({words})" for words, muscles in by_reason.items()]
    absent = [side for side in SIDES if side not in recorded]
    legs = f"{' and '.join(absent).capitalize()} leg not recorded. " if panels and absent else ""
    return (legs + (f"Without curves: {'; '.join(lines)}." if lines else "")).strip()


def _note(panel: EmgPanel) -> str:
    """Return the number of strides, the correlation with the norm, and any doubt."""
    likeness = "" if panel.norm_r is None else f", r {panel.norm_r:.2f}".replace("-", "\u2212")
    likeness += _FREE if likeness and panel.norm_group == UNKNOWN else ""
    doubt = f"; {panel.reason}" if panel.status == "check" and panel.reason else ""
    return f"n {panel.strides}{likeness}{doubt}"


def muscle_room(grid: MuscleGrid) -> tuple[float, float]:
    """Return the height of a grid on a sheet: that of its words, mm, and of its drawings, units."""
    return _HEAD + len(grid) * (_TITLE + _NOTE), sum(_units(row) for row in grid)


def _units(row: tuple[MuscleCell | None, ...]) -> float:
    return muscle_height(max(len(cell.panels) for cell in row if cell is not None))


def muscle_marks(
    grid: MuscleGrid, foot_off: Mapping[str, float | None], place: tuple[float, float, float],
    gap: float = _GAP,
) -> tuple[list[Mark], float]:  # fmt: skip
    """Draw the muscles on a sheet; return their marks and their lower edge, mm.

    Parameters
    ----------
    grid : tuple of tuple of MuscleCell or None
    foot_off : mapping
        Side -> % of the cycle.
    place : tuple of float
        Left, top and width, mm.
    gap : float
        Space between columns, mm.
    """
    left, top, width = place
    step = (width + gap) / len(COLUMNS)
    cell_width = step - gap
    scale, small = cell_width / WIDTH, max(min(1.0, cell_width / _USUAL), _LEAST)
    text_x, note_pt = scale * LEFT_EDGE, _NOTE_PT * small
    marks: list[Mark] = [
        TextLine(left + i * step + text_x, top - 3.0, title, note_pt, MUTED, name="column")
        for i, (joint, title) in enumerate(COLUMNS)
        if any(row[i] is not None for row in grid)
    ]
    y = top - _HEAD
    for row in grid:
        row_height = scale * _units(row) + _TITLE + _NOTE
        for i, cell in enumerate(row):
            if cell is None:
                continue
            x = left + i * step
            drawing = muscle_drawing(cell.panels, foot_off)
            low = y - _TITLE - scale * drawing.height
            title = TextLine(x + text_x, y - 3.0, cell.title, _TITLE_PT * small, INK, bold=True)
            note = shortened(";  ".join(cell.notes), cell_width - text_x, note_pt)
            note_line = TextLine(x + text_x, low - 1.9, note, note_pt, MUTED)
            marks += [title, note_line, *placed(drawing.marks, x, low, scale, least_pt=_LEAST_PT)]
        y -= row_height
    return marks, y


def muscle_sheet(
    name: str, panels: Sequence[EmgPanel], foot_off: Mapping[str, float | None]
) -> Sheet:
    """Draw the muscles as a figure.

    Parameters
    ----------
    name : str
        Name of the trial.
    panels : sequence of EmgPanel
        From :func:`gaitdyn.emg.panels.emg_panels`.
    foot_off : mapping
        Side -> % of the cycle.
    """
    grid, width = muscle_grid(panels), _WIDE_MM - 2 * _EDGE
    words, units = muscle_room(grid)
    body_height = words + units / WIDTH * (width - _GAP * (len(COLUMNS) - 1)) / len(COLUMNS)
    key_lines = wrapped(f"{key_words(panels)}. {silent_words(panels)}", width, 4.6)
    height = body_height + _HEADING + 2 * _EDGE + 2.2 * len(key_lines)
    top = height - _EDGE
    heading = TextLine(
        _EDGE, top - 4.0, f"Muscles \u2013 {name}", 9.0, INK, bold=True, name="title"
    )
    empty = next((i for i in range(len(COLUMNS)) if any(row[i] for row in grid)), 0)
    left = _EDGE - empty * (width + _GAP) / len(COLUMNS)  # the first muscle is at the edge
    marks, low = muscle_marks(grid, foot_off, (left, top - _HEADING + 2.0, width))
    key = [
        TextLine(_EDGE, low - 2.2 * (i + 1), line, 4.6, MUTED, name="key")
        for i, line in enumerate(key_lines)
    ]
    return Sheet(_WIDE_MM, height, (heading, *marks, *key))
