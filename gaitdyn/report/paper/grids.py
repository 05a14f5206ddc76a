"""The grids of the clinician's sheets: kinematics, kinetics and muscles."""

from __future__ import annotations

from gaitdyn.plots.clinic.axes import WIDTH
from gaitdyn.plots.clinic.bars import TIMING_HEIGHT, TIMING_WIDTH, timing_drawing
from gaitdyn.plots.clinic.drawn import DrawnCurves
from gaitdyn.plots.clinic.figure import key_below
from gaitdyn.plots.clinic.floor import (
    BUTTERFLY_HEIGHT,
    FORCE_TITLE,
    butterfly_drawing,
    floor_drawing,
)
from gaitdyn.plots.clinic.floor import WIDTH as FLOOR_WIDTH
from gaitdyn.plots.clinic.grids import Cell, Grid
from gaitdyn.plots.clinic.key import key_sample
from gaitdyn.plots.clinic.muscle_grid import key_words, muscle_marks, muscle_room, silent_words
from gaitdyn.plots.clinic.palette import CHECK, INK, MUTED, SIDE
from gaitdyn.plots.clinic.placing import LEAST_PT, placed
from gaitdyn.plots.marks import Mark, TextLine
from gaitdyn.plots.typeface import bold_width
from gaitdyn.report.first_screen.shown_peaks import peak_norm_words, peak_rows, timing_rows
from gaitdyn.report.page.group import (
    kinetic_words,
    no_angle_words,
    no_load_words,
    over_words,
    view_butterflies,
    view_floor,
)
from gaitdyn.report.page.muscles import beside_loads, view_muscles
from gaitdyn.report.page.panels import panel_remark
from gaitdyn.report.paper.layout import (
    BELOW_HEADING,
    BODY_TOP,
    BOTTOM,
    LEFT,
    RIGHT,
    SheetColumn,
    paragraph,
)
from gaitdyn.report.views import GroupView

_RAIL, _COLUMN_GAP = 62.0, 9.0
_FLOOR_TALL = 27.0
"""Most height of the floor plan, mm: below a taller one the timing would run into the foot."""

_NORM_WORDS = 6.0
"""Height of two lines on the norm of the peaks, mm."""

_ABOVE_MUSCLES = 2.0
_KEY_PT, _SILENT_PT = 5.8, 6.4
"""Sizes of the words above and below the muscles, points."""

_TITLE = 5.0


def kinematics_marks(view: GroupView) -> list[Mark]:
    """Return the sheet of the angles, at full width."""
    heading = f"Kinematics, degrees {over_words(view)}"
    sheet = SheetColumn(LEFT, BODY_TOP, RIGHT - LEFT)
    sheet.text(heading, 11.0, bold=True)
    sheet.y -= BELOW_HEADING
    if not view.drawn.shows(view.kinematics):
        sheet.text(no_angle_words(view), 9.0, MUTED, above=6.0)
        return sheet.marks
    grid, _ = grid_marks(view, view.kinematics, sheet.y, RIGHT - LEFT, 11.0, key=True)
    if all(cell.panel is not None for row in view.kinematics for cell in row):
        grid += placed(key_below(view.drawn), LEFT, BOTTOM + 2.0, 1.0)
    return sheet.marks + grid


def kinetics_marks(view: GroupView) -> list[Mark]:
    """Return the sheet of the loads: panels, and a rail of floor, force, peaks and timing."""
    beside = beside_loads(view)
    name = "Kinetics and muscles" if view.muscles and beside else "Kinetics"
    heading = f"{name}, {kinetic_words(view)}" if view.has_loads else name
    marks, y = paragraph(heading, LEFT, BODY_TOP, 200.0, 11.0, bold=True)
    y -= BELOW_HEADING
    top, wide = y, RIGHT - LEFT - _RAIL - 8.0
    if not view.has_loads:
        notice, y = paragraph(no_load_words(view), LEFT, y, wide, 9.0, MUTED)
        marks += notice
    below = muscle_room(view_muscles(view)) if beside else (0.0, 0.0)
    loads = view.kinetics if view.has_loads else ()
    rows = [max(_height(view, cell) for cell in row) for row in loads]
    words = len(rows) * (_TITLE + 1.0) + below[0] + (_muscle_words(view, wide) if beside else 0.0)
    gap = _fitting_gap(wide, y - words, sum(rows) + below[1])
    if view.has_loads:
        alone = not (view.muscles and beside)
        grid, y = grid_marks(view, view.kinetics, y, wide, gap, key=alone)
        marks += grid
    if beside:
        marks += muscle_block(view, y - _ABOVE_MUSCLES, wide, gap)
    return marks + _rail(view, top)


def muscles_marks(view: GroupView) -> list[Mark]:
    """Return the sheet of the muscles, for views that have no room below the loads."""
    wide = RIGHT - LEFT
    words, units = muscle_room(view_muscles(view))
    room = BODY_TOP - words - _muscle_words(view, wide)
    return muscle_block(view, BODY_TOP, wide, _fitting_gap(wide, room, units))


def muscle_block(view: GroupView, top: float, wide: float, gap: float) -> list[Mark]:
    """Return the muscles in the columns of the loads, and those without curves in words."""
    if not view.muscles:
        return []
    block = SheetColumn(LEFT, top, wide)
    block.text("Muscles", 9.0, bold=True)
    grid = view_muscles(view)
    if grid:
        block.text(key_words(view.muscles), _KEY_PT, MUTED, above=0.5, most=2)
        drawn, block.y = muscle_marks(grid, view.foot_off, (LEFT, block.y - 0.5, wide), gap)
        block.marks += drawn
    block.text(silent_words(view.muscles), _SILENT_PT, MUTED, most=2)
    return block.marks


def _muscle_words(view: GroupView, wide: float) -> float:
    """Return the height of the words above and below the muscles, and the space above, mm."""
    block = SheetColumn(LEFT, 0.0, wide)
    block.text("Muscles", 9.0, above=_ABOVE_MUSCLES, bold=True)
    block.text(key_words(view.muscles), _KEY_PT, above=1.0, most=2)
    block.text(silent_words(view.muscles), _SILENT_PT, most=2)
    return -block.y


def _height(view: GroupView, cell: Cell) -> float:
    drawn = view.drawn.panel(cell)
    return 0.0 if drawn is None else drawn.height


def _fitting_gap(wide: float, room: float, units: float) -> float:
    """Return the gap between four columns that leaves ``room`` for drawings of such a height."""
    cell = (room - BOTTOM - 3.0) * WIDTH / max(units, 1.0)
    return max(_COLUMN_GAP, (wide - 4 * cell) / 3)


def _rail(view: GroupView, top: float) -> list[Mark]:
    rail = SheetColumn(RIGHT - _RAIL, top, _RAIL)
    peaks = peak_rows(view)
    whose = peak_norm_words(view, peaks)
    plan, tall = view_floor(view), _FLOOR_TALL - (_NORM_WORDS if whose else 0.0)
    if plan is not None:
        drawn, height = floor_drawing(plan)
        rail.text("Floor plan", 9.0, bold=True)
        wide = min(_RAIL, tall * FLOOR_WIDTH / height)
        rail.draw(drawn, (FLOOR_WIDTH, height), above=1.0, wide=wide)
    steps = view_butterflies(view)
    if steps:
        rail.text(FORCE_TITLE, 9.0, above=4.0, bold=True)
        rail.draw(butterfly_drawing(steps), (FLOOR_WIDTH, BUTTERFLY_HEIGHT), above=1.0)
    colours = (INK, SIDE["left"], SIDE["right"], INK)
    if peaks:
        rail.text("Peaks, N\u00b7m/kg, W/kg", 9.0, above=4.0, bold=True)
        rows = [("", "L", "R", "norm"), *((r.title, r.left, r.right, r.norm) for r in peaks)]
        edges = (25.0, 34.0, 44.0, _RAIL)
        if not any(r.norm for r in peaks):
            rows, edges = [row[:3] for row in rows], (25.0, 46.0, _RAIL)
        rail.rows(rows, edges, above=1.0, colours=colours)
        if whose:
            rail.text(whose, 6.6, MUTED, above=0.5)
    if view.course:
        return rail.marks
    rail.text("Timing, % of cycle", 9.0, above=4.0, bold=True)
    times = view.times
    rail.draw(timing_drawing(times), (TIMING_WIDTH, TIMING_HEIGHT), above=1.0, least_pt=0.0)
    rail.text("Dark: double support", 6.6, MUTED, above=0.5)
    timing = [(f"{r.title}, {r.unit}", r.left, r.right) for r in timing_rows(view)]
    edges = (30.0, 46.0, _RAIL)
    rail.rows([("", "L", "R"), *timing], edges, above=1.0, colours=colours[:3])
    return rail.marks


def grid_marks(
    view: GroupView,
    grid: Grid,
    top: float,
    wide: float,
    gap: float,
    *,
    key: bool,
) -> tuple[list[Mark], float]:
    """Return the panels of a grid on a sheet, and their lower edge, mm; a key in the last gap."""
    columns = max(len(row) for row in grid)
    cells = [(i, j, one) for i, row in enumerate(grid) for j, one in enumerate(row)]
    last_free = [(i, j) for i, j, one in cells if key and view.drawn.panel(one) is None][-1:]
    cell = (wide - gap * (columns - 1)) / columns
    marks: list[Mark] = []
    y = top
    for i, row in enumerate(grid):
        low = y
        for j, panel in enumerate(row):
            x = LEFT + j * (cell + gap)
            drawn = view.drawn.panel(panel)
            if drawn is None:
                if (i, j) in last_free:
                    marks += key_marks(x + 4.0, y - 6.0, cell - 4.0, view.drawn)
                continue
            scale = cell / WIDTH
            bottom = y - _TITLE - scale * drawn.height
            x_text = x + scale * 24.0
            marks.append(TextLine(x_text, y - 3.6, panel.title, 8.4, INK, bold=True, name="panel"))
            remark = "" if panel.panel is None else panel_remark(view, panel.panel.name)
            if remark:
                x_text += bold_width(panel.title, 8.4) + 2.0
                marks.append(TextLine(x_text, y - 3.6, remark, 7.2, CHECK, bold=True))
            marks += placed(drawn.marks, x, bottom, scale, least_pt=LEAST_PT)
            low = min(low, bottom)
        y = low - 1.0
    return marks, y


def key_marks(left: float, top: float, wide: float, drawn: DrawnCurves) -> list[Mark]:
    """Return the key, in a cell without a panel."""
    marks: list[Mark] = []
    y = top
    for entry in drawn.key:
        marks += key_sample(entry.kind, left, y, 8.0, drawn.sides)
        words, low = paragraph(entry.words, left + 10.0, y + 1.5, wide - 10.0, 7.6, MUTED)
        marks += words
        y = min(y - 4.6, low - 2.6)
    return marks
