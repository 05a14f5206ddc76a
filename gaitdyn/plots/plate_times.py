"""Vertical and fore-aft force of each plate over time, contacts shaded by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.frames import (
    Frame,
    below_words,
    known_lines,
    scale_marks,
    ticks,
    title_marks,
    with_limits,
)
from gaitdyn.plots.headline import key_marks
from gaitdyn.plots.marks import INK, TINT, Area, Stroke, TextLine, rectangle, text_width
from gaitdyn.plots.plan import step_colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Mark
    from gaitdyn.plots.plan import PlanView
    from gaitdyn.plots.walkway import DrawnPlate
    from gaitdyn.types.contacts import Contact

PLATE_MM, BETWEEN_MM = 24.0, 8.0
_VERTICAL, _FORE_AFT = Stroke(INK, 1.1, level=3), Stroke("#8A6D00", 1.1, (2.5, 1.2), level=3)
_NAME_MM = 17.0
"""Distance of the name of a plate to the left of its scale."""


def time_marks(view: PlanView, position: tuple[float, float, float]) -> list[Mark]:
    """Draw vertical and fore-aft force of each plate over time, with contacts shaded.

    Parameters
    ----------
    view : PlanView
    position : (left, top, width)
        Position of the scales on the sheet, mm; each plate is ``PLATE_MM + BETWEEN_MM`` high.
    """
    left, top, width = position
    x = float(view.time_s[0]), float(view.time_s[-1])
    forces = np.concatenate([plate.force.ravel() for plate in view.plates])
    forces = forces[np.isfinite(forces)]
    low, high = (float(forces.min()), float(forces.max())) if forces.size else (0.0, 1.0)
    limits = min(low, 0.0), max(high, 50.0)
    y = top - 5.0
    marks: list[Mark] = key_marks(
        [
            ("Forces of each plate over time:", None),
            ("vertical (up +)", _VERTICAL),
            ("fore-aft (forward +)", _FORE_AFT),
            ("shaded: contacts", None),
        ],
        left,
        y,
    )
    for i, plate in enumerate(view.plates):
        bottom = y - (i + 1) * (PLATE_MM + BETWEEN_MM)
        frame = with_limits(Frame(left, bottom, width, PLATE_MM, x, limits), limits)
        last = plate is view.plates[-1]
        marks += _plate_marks(frame, plate, view, last=last)
    return marks


def _plate_marks(frame: Frame, plate: DrawnPlate, view: PlanView, *, last: bool) -> list[Mark]:
    """Draw the forces of one plate over time."""
    marks = title_marks(frame, "" if plate.contacts else "no contact", "N")
    marks.append(TextLine(frame.left - _NAME_MM, frame.top + 2.2, f"plate {plate.number}", 8.0))
    marks += scale_marks(
        frame, ticks(*frame.x, most=12), ticks(*frame.y, most=4), numbers_below=last
    )
    if last:
        marks.append(below_words(frame, "time (s)"))
    marks += _contact_marks(frame, plate.contacts, view)
    up, fore = plate.force[:, 1], plate.force[:, 0]
    marks += known_lines(frame, view.time_s, up, _VERTICAL, f"plate {plate.number} vertical")
    marks += known_lines(frame, view.time_s, fore, _FORE_AFT, f"plate {plate.number} fore-aft")
    return marks


def _contact_marks(frame: Frame, contacts: Sequence[Contact], view: PlanView) -> list[Mark]:
    """Shade the contacts and, if there is room, label them above."""
    marks: list[Mark] = []
    rows = np.array([(contact.start, contact.stop - 1) for contact in contacts], dtype=int)
    ends = frame.at(view.time_s[rows.ravel()], frame.y[0])[:, 0].reshape(-1, 2).tolist()
    starts = [*(left for left, _ in ends), frame.right]
    free_from = frame.left
    for contact, (left, right), limit in zip(contacts, ends, starts[1:], strict=True):
        side = contact.side if contact.accepted else "rejected"
        box = rectangle(left, frame.bottom, right, frame.top)
        marks.append(Area(box, TINT[side], f"{side} contact"))
        for words in (_verdict(contact), side):
            width = text_width(words, 7.0)
            if width <= limit - free_from:
                x = max(min(left, limit - width), free_from)
                colour = step_colour(side)
                marks.append(TextLine(x, frame.top + 1.2, words, 7.0, colour, name="contact"))
                free_from = x + width + 2.0
                break
    return marks


def _verdict(contact: Contact) -> str:
    """Return side and verdict of a contact, and the reason unless it is valid."""
    words = f"{contact.side}, {contact.verdict}" if contact.accepted else "rejected"
    doubt = contact.verdict != "valid" and contact.reason
    return f"{words}: {contact.reason}" if doubt else words
