"""The muscles in the columns of the joints: below the loads, or as a drawing of their own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from gaitdyn.emg.naming import joint_of
from gaitdyn.plots.clinic.muscles import muscle_drawing, muscle_height
from gaitdyn.plots.clinic.palette import INK, MUTED
from gaitdyn.plots.clinic.panel import LEFT_EDGE, WIDTH
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.marks import Sheet, TextLine, wrapped
from gaitdyn.types.subject import LETTER, SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.plots.marks import Mark

COLUMNS = (("hip", "Hip"), ("knee", "Knee"), ("ankle", "Ankle"), ("foot", "Foot and others"))
"""The joints whose loads stand above; a muscle that none of them is named for stands last."""

_GAP, _TITLE, _NOTE, _HEAD = 6.0, 4.0, 3.6, 4.0
_TITLE_PT, _NOTE_PT, _USUAL = 7.4, 5.8, 62.0
"""Of a cell of the usual width, mm; in narrower ones they are smaller."""

_LEAST, _LEAST_PT = 0.8, 5.4
_WIDE_MM, _EDGE, _HEADING = 180.0, 3.0, 9.0
WORDS = (
    "Pale: rectified signal of one stride; heavy: mean envelope; grey: shape of the norm, its bar"
    " where that is above half; coloured bar: on in most strides; r: correlation with that shape"
)


@dataclass(frozen=True, slots=True, eq=False)
class MuscleCell:
    """One muscle: its panels by side, None for a side that has no channel of it."""

    muscle: str
    panels: Mapping[str, EmgPanel | None]

    @property
    def title(self) -> str:
        """The muscle's name."""
        return self.muscle.replace("_", " ").capitalize()

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told in words of each side that is drawn."""
        found = [one for one in self.panels.values() if one is not None and one.mean.size]
        return tuple(f"{LETTER[one.side]} {_note(one)}" for one in found)


MuscleGrid = tuple[tuple[MuscleCell | None, ...], ...]


def wired_sides(panels: Sequence[EmgPanel]) -> list[str]:
    """Return the legs of which any muscle was recorded."""
    return [s for s in SIDES if any(p.side == s and p.status != "not_recorded" for p in panels)]


def muscle_grid(panels: Sequence[EmgPanel]) -> MuscleGrid:
    """Return the muscles that any side shows, in the columns of :data:`COLUMNS`.

    Of a leg that was not wired there is no row; muscles without curves are told in words
    (:func:`silent_words`).
    """
    found = {(p.muscle, p.side): p for p in panels}
    shown = dict.fromkeys(p.muscle for p in panels if p.mean.size)
    sides = wired_sides(panels)
    own: dict[str, list[MuscleCell]] = {joint: [] for joint, _ in COLUMNS}
    last = COLUMNS[-1][0]
    for muscle in shown:
        cell = MuscleCell(muscle, {side: found.get((muscle, side)) for side in sides})
        own[joint_of(muscle) or last].append(cell)
    return tuple(zip_longest(*own.values()))


def silent_words(panels: Sequence[EmgPanel]) -> str:
    """Return the muscles without curves on any side, and why: ``Tibialis posterior: noise only``.

    Legs that were not wired are told, too; nothing where all muscles have curves.
    """
    wired = wired_sides(panels)
    shown = {p.muscle for p in panels if p.mean.size}
    reasons: dict[str, list[str]] = {}
    for one in panels:
        if one.muscle not in shown and one.side in wired:
            told = reasons.setdefault(one.muscle.replace("_", " "), [])
            told.append(one.reason.partition(":")[0].partition(" (")[0])
    alike: dict[str, list[str]] = {}
    for muscle, why in reasons.items():
        alike.setdefault(", ".join(dict.fromkeys(why)), []).append(muscle)
    lines = [f"{', '.join(muscles)} ({why})" for why, muscles in alike.items()]
    absent = [side for side in SIDES if side not in wired]
    legs = f"{' and '.join(absent).capitalize()} leg not recorded. " if panels and absent else ""
    return (legs + (f"Without curves: {'; '.join(lines)}." if lines else "")).strip()


def _note(panel: EmgPanel) -> str:
    """Return strides, likeness to the norm, and a doubt."""
    like = "" if panel.norm_r is None else f", r {panel.norm_r:.2f}".replace("-", "\u2212")
    doubt = f"; {panel.reason}" if panel.status == "check" and panel.reason else ""
    return f"n {panel.strides}{like}{doubt}"


def muscle_room(grid: MuscleGrid) -> tuple[float, float]:
    """Return how high a grid is on a sheet: mm of words, and units of drawings."""
    return _HEAD + len(grid) * (_TITLE + _NOTE), sum(_units(row) for row in grid)


def _units(row: tuple[MuscleCell | None, ...]) -> float:
    return muscle_height(max(len(one.panels) for one in row if one is not None))


def muscle_marks(
    grid: MuscleGrid, foot_off: Mapping[str, float | None], place: tuple[float, float, float],
    gap: float = _GAP,
) -> tuple[list[Mark], float]:  # fmt: skip
    """Return the muscles on a sheet, and where they end, mm.

    Parameters
    ----------
    grid : tuple of tuple of MuscleCell or None
    foot_off : mapping
        Side -> % of the cycle.
    place : tuple of float
        Left, top and width, mm.
    gap : float
        Between columns, mm.
    """
    left, top, wide = place
    step = (wide + gap) / len(COLUMNS)
    cell = step - gap
    scale, small = cell / WIDTH, max(min(1.0, cell / _USUAL), _LEAST)
    at = scale * LEFT_EDGE
    marks: list[Mark] = [
        TextLine(left + i * step + at, top - 3.0, title, _NOTE_PT * small, MUTED, name="column")
        for i, (joint, title) in enumerate(COLUMNS)
        if any(row[i] is not None for row in grid)
    ]
    y = top - _HEAD
    for row in grid:
        high = scale * _units(row) + _TITLE + _NOTE
        for i, one in enumerate(row):
            if one is None:
                continue
            x = left + i * step
            drawn = muscle_drawing(one.panels, foot_off)
            low = y - _TITLE - scale * drawn.height
            title = TextLine(x + at, y - 3.0, one.title, _TITLE_PT * small, INK, bold=True)
            note = wrapped(";  ".join(one.notes), cell - at, _NOTE_PT * small)[0]
            told = TextLine(x + at, low - 1.9, note, _NOTE_PT * small, MUTED)
            marks += [title, told, *placed(drawn.marks, x, low, scale, least_pt=_LEAST_PT)]
        y -= high
    return marks, y


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
    grid, wide = muscle_grid(panels), _WIDE_MM - 2 * _EDGE
    words, units = muscle_room(grid)
    room = words + units / WIDTH * (wide - _GAP * (len(COLUMNS) - 1)) / len(COLUMNS)
    told = wrapped(f"{WORDS}. {silent_words(panels)}", wide, 4.6)
    height = room + _HEADING + 2 * _EDGE + 2.2 * len(told)
    top = height - _EDGE
    heading = TextLine(
        _EDGE, top - 4.0, f"Muscles \u2013 {name}", 9.0, INK, bold=True, name="title"
    )
    marks, low = muscle_marks(grid, foot_off, (_EDGE, top - _HEADING + 2.0, wide))
    key = [
        TextLine(_EDGE, low - 2.2 * (i + 1), line, 4.6, MUTED, name="key")
        for i, line in enumerate(told)
    ]
    return Sheet(_WIDE_MM, height, (heading, *marks, *key))
