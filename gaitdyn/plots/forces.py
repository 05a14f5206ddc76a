"""The figure of the force plates: floor plan, force vectors, and forces of each plate over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.plots.frames import (
    Frame,
    below_words,
    empty_marks,
    end_words,
    known_lines,
    known_range,
    scale_marks,
    tick_label,
    ticks,
    title_marks,
    with_limits,
)
from gaitdyn.plots.headline import (
    EDGE_MM,
    filter_line,
    header_height,
    headline,
    key_marks,
    side_stroke,
    trial_name,
)
from gaitdyn.plots.marks import (
    COLOUR,
    DASH,
    INK,
    TINT,
    Area,
    Line,
    Mark,
    Sheet,
    Stroke,
    TextLine,
    rectangle,
    text_width,
)
from gaitdyn.plots.plan import REJECTED, PlanView, plan_marks, step_colour, view_of
from gaitdyn.plots.walkway import ON_BELTS, DrawnPlate, DrawnStep
from gaitdyn.types.contacts import Contact
from gaitdyn.types.result import Processed

_PAGE, _LEFT, _WIDTH = 240.0, 25.0, 196.0
_SIDE, _TITLE, _NUMBERS = 62.0, 9.0, 12.0
_VECTORS = 25
"""Approximate number of vectors per step."""
PLATE_MM, BETWEEN_MM = 24.0, 8.0
_VERTICAL, _FORE_AFT = Stroke(INK, 1.1, level=3), Stroke("#8A6D00", 1.1, (2.5, 1.2), level=3)
_NAME_MM = 17.0
"""Distance of the name of a plate to the left of its scale."""


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
    marks += key_marks(_key_entries(view), EDGE_MM, height - taken - 6.5)
    bottom = height - above - _TITLE - view.plan_height
    plan = Frame(_LEFT, bottom, _WIDTH, view.plan_height, view.x, view.y)
    marks += plan_marks(plan, view)
    bottom -= _NUMBERS + _TITLE + _SIDE
    marks += vector_marks(Frame(_LEFT, bottom, _WIDTH, _SIDE, view.x, (0.0, 1.0)), view)
    marks += time_marks(view, (_LEFT, bottom - _NUMBERS, _WIDTH))
    return Sheet(_PAGE, height, tuple(marks))


def _lines(result: Processed) -> list[str]:
    few = f"On belts the {ON_BELTS} steps in the middle of the recording are drawn from above"
    lines = [
        f"{filter_line(result)}; the forces of each plate over time are unfiltered",
        "Forces are those of the ground on the subject; forward is the walking direction",
    ]
    lines += [
        f"Plate {record.number} is not used: {record.problem}"
        for record in result.recording.plates
        if record.problem
    ]
    return [*lines, f"{few}; below are all of them, over time"] if result.belts else lines


def _key_entries(view: PlanView) -> list[tuple[str, Stroke | None]]:
    """Return the key of what is drawn."""
    sides = {c.side for plate in view.plates for c in plate.contacts if c.accepted}
    entries: list[tuple[str, Stroke | None]] = [
        (f"{side} foot", side_stroke(side, 1.6)) for side in COLOUR if side in sides
    ]
    if any(step.side == "rejected" for step in view.steps):
        entries.append(("rejected", Stroke(REJECTED, 1.6)))
    if any(np.isfinite(step.cop).any() for step in view.steps):
        entries.append(("thick path: centre of pressure", None))
    if any(step.feet for step in view.steps):
        entries.append(("arrow: heel to toe marker at mid-contact", None))
    return entries


def vector_marks(frame: Frame, view: PlanView) -> list[Mark]:
    """Draw the force vectors from the centre of pressure, with one scale in both directions."""
    N_per_mm = 1.18 * view.peak_N / frame.height
    frame = replace(frame, y=(0.0, N_per_mm * frame.height))
    title = "Force vectors at the centre of pressure, seen from the right side"
    marks = title_marks(frame, title, "N")
    marks.append(below_words(frame, "forward (m)"))
    vectors = [
        mark for step in view.steps for mark in _vectors(frame, step, N_per_mm, named=view.named)
    ]
    if not vectors:
        reason = "the force of no step is used" if view.steps else "no foot on a plate"
        return marks + empty_marks(frame, reason)
    marks += scale_marks(frame, ticks(*frame.x, most=12), ticks(*frame.y, most=5))
    marks += end_words(frame, "up", "")
    size = float(ticks(0.0, view.peak_N, most=3)[1])
    return [*marks, *vectors, *_scale_bar(frame, size, N_per_mm)]


def _vectors(frame: Frame, step: DrawnStep, N_per_mm: float, *, named: bool) -> list[Mark]:
    """Draw the vectors of one step, the line through their ends, and the largest force."""
    colour = step_colour(step.side)
    known = np.isfinite(step.force).all(axis=1)
    known &= (step.cop[:, 0] >= frame.x[0]) & (step.cop[:, 0] <= frame.x[1])
    base = frame.at(step.cop[:, 0], 0.0)
    tip = np.where(known[:, None], base + step.force / N_per_mm, np.nan)
    rows = np.flatnonzero(known)
    if not len(rows):
        return []
    thin, outline = Stroke(colour, 0.6, level=2), Stroke(colour, 1.5, DASH.get(step.side, ()), 4)
    marks: list[Mark] = [
        Line(np.stack((base[row], tip[row])), thin, f"{step.side} force")
        for row in rows[:: max(round(len(rows) / _VECTORS), 1)]
    ]
    page = replace(frame, x=(frame.left, frame.right), y=(frame.bottom, frame.top))
    marks += known_lines(page, tip[:, 0], tip[:, 1], outline, f"{step.side} force ends")
    if not named:
        return marks
    peak = float(np.max(step.force[rows, 1]))
    x, highest = float(np.mean(tip[rows, 0])), float(np.max(tip[rows, 1]))
    words = f"{step.side}, peak {round(peak)} N"
    return [*marks, TextLine(x, highest + 2.0, words, 7.0, colour, "center", name="step")]


def _scale_bar(frame: Frame, size_N: float, N_per_mm: float) -> list[Mark]:
    x, length = frame.right + 4.0, size_N / N_per_mm
    low, high = frame.bottom, frame.bottom + length
    bar_x = [x - 1, x + 1, x, x, x - 1, x + 1]
    bar = np.stack((bar_x, [high, high, high, low, low, low]), axis=-1)
    text = f"{tick_label(size_N)} N"
    return [
        Line(bar, Stroke(INK, 1.2), "scale bar"),
        TextLine(x + 3.8, low + length / 2, text, 7.0, INK, "center", turned=True),
    ]


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
    low, high = known_range(np.concatenate([plate.force.ravel() for plate in view.plates]))
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
        for words in (_verdict(contact), _verdict(replace(contact, reason="")), side):
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
