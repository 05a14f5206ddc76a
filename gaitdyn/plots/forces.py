"""The figure of the force plates: floor plan, force vectors, and forces of each plate over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.plots.frames import Frame
from gaitdyn.plots.headline import (
    EDGE_MM,
    filter_line,
    header_height,
    headline,
    key_marks,
    side_stroke,
    trial_name,
)
from gaitdyn.plots.marks import COLOUR, Sheet, Stroke
from gaitdyn.plots.plan import REJECTED, plan_marks, view_of
from gaitdyn.plots.plate_times import BETWEEN_MM, PLATE_MM, time_marks
from gaitdyn.plots.vectors import vector_marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.walkway import DrawnStep
    from gaitdyn.types.result import Processed

_PAGE, _LEFT, _WIDTH = 240.0, 25.0, 196.0
_SIDE, _TITLE, _NUMBERS = 62.0, 9.0, 12.0


def forces_sheet(result: Processed) -> Sheet:
    """Draw the plates and their forces.

    Parameters
    ----------
    result : Processed
        Result of a trial with plates.
    """
    view = view_of(result, _WIDTH)
    lines = _lines(result)
    above = header_height(lines, _PAGE) + 9.0
    height = above + _TITLE + view.plan_height + _NUMBERS + _TITLE + _SIDE + _NUMBERS
    height += len(view.plates) * (PLATE_MM + BETWEEN_MM) + _TITLE + _NUMBERS + EDGE_MM - 4.0
    marks, taken = headline(f"Forces \u2013 {trial_name(result)}", lines, _PAGE, height)
    marks += key_marks(_key_entries(view.steps), EDGE_MM, height - taken - 6.5)
    bottom = height - above - _TITLE - view.plan_height
    plan = Frame(_LEFT, bottom, _WIDTH, view.plan_height, view.x, view.y)
    marks += plan_marks(plan, view)
    bottom -= _NUMBERS + _TITLE + _SIDE
    marks += vector_marks(Frame(_LEFT, bottom, _WIDTH, _SIDE, view.x, (0.0, 1.0)), view)
    marks += time_marks(view, (_LEFT, bottom - _NUMBERS, _WIDTH))
    return Sheet(_PAGE, height, tuple(marks))


def _lines(result: Processed) -> list[str]:
    lines = [
        f"{filter_line(result)}; the forces of each plate over time are unfiltered",
        "Forces are those of the ground on the subject; forward is the walking direction",
    ]
    lines += [
        f"Plate {record.number} is not used: {record.problem}"
        for record in result.recording.plates
        if record.problem
    ]
    return lines


def _key_entries(steps: Sequence[DrawnStep]) -> list[tuple[str, Stroke | None]]:
    entries: list[tuple[str, Stroke | None]] = [
        (f"{side} foot", side_stroke(side, 1.6)) for side in COLOUR
    ]
    if any(step.side == "rejected" for step in steps):
        entries.append(("rejected", Stroke(REJECTED, 1.6)))
    return [
        *entries,
        ("thick path: centre of pressure", None),
        ("arrow: heel to toe marker at mid-contact", None),
    ]
