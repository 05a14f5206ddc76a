"""One group of trials for the page's template."""

from __future__ import annotations

from itertools import islice
from typing import Any

from gaitdyn.plots.clinic.bars import TIMING_HEIGHT, TIMING_WIDTH, timing_drawing
from gaitdyn.plots.clinic.floor import BUTTERFLY_HEIGHT, WIDTH, butterfly_drawing, floor_drawing
from gaitdyn.plots.clinic.key import key_sample, sample_svg
from gaitdyn.plots.clinic.steps import Butterfly, FloorPlan, butterflies, floor_plan
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.report.first_screen.around import (
    banners,
    limit_lines,
    number_cells,
    number_svg,
    numbered,
    shown_ranges,
    why_no_loads,
)
from gaitdyn.report.first_screen.around_findings import (
    no_finding_words,
    numbers_outside,
    question,
    question_words,
    words_below,
)
from gaitdyn.report.first_screen.both_sides import screen_lines
from gaitdyn.report.first_screen.numbers import age_of, ranges_words, whose_words
from gaitdyn.report.first_screen.profile import (
    age_note,
    angles_failed,
    profile_cells,
    profile_svg,
    profile_words,
)
from gaitdyn.report.first_screen.shown_findings import shown_findings
from gaitdyn.report.first_screen.shown_peaks import (
    force_peaks,
    peak_norm_words,
    peak_rows,
    timing_rows,
)
from gaitdyn.report.first_screen.two_sides import MOST, range_words
from gaitdyn.report.page.moving import moving_figure
from gaitdyn.report.page.muscles import muscle_page, muscle_readouts
from gaitdyn.report.page.panels import page_panels, readouts
from gaitdyn.report.page.script_data import view_json
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.report.tables.verdicts import verdict_rows
from gaitdyn.report.views import GroupView
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.subject import SIDES


def page_view(view: GroupView, most: int) -> dict[str, Any]:
    """Return the values of one group for the template.

    Parameters
    ----------
    view : GroupView
    most : int
        How many findings are listed. With fewer than six the page gives one limit, and a headline
        without the findings: what changed is above it.
    """
    figures = [f for trial in view.trials if (f := moving_figure(trial)) is not None]
    grids = (view.kinematics, view.kinetics, view.transverse)
    return {
        "label": view.label,
        "course": bool(view.course),
        "over": over_words(view),
        "norm_words": norm_words(view),
        "figures": figures,
        "data": view_json(readouts(view, grids) | muscle_readouts(view), figures),
        **_summary(view, most),
        **_sections(view),
    }


def _summary(view: GroupView, most: int) -> dict[str, Any]:
    """Return the values of the first screen."""
    brief = most < MOST
    shown = shown_findings(view, most)
    return {
        "banners": banners(view),
        "headline": view.in_brief if brief and (shown or not most) else view.headline,
        "warning": view.warning,
        "numbers": [_number(view, i) for i in range(len(view.numbers))],
        "side_lines": screen_lines(view.side_lines),
        "profile": profile_svg(view),
        "profile_cells": profile_cells(view),
        "age_note": age_note(view) if brief else profile_words(view),
        "question": question(view),
        "question_words": question_words(view) if shown else "",
        "ranges": shown_ranges(view),
        "numbered": numbered(view),
        "whose": whose_words(view.numbers, age_of(view.trials)),
        "number_ranges": ranges_words(view.numbers),
        "normed": any(row.norm is not None for row in view.numbers),
        "range_words": range_words(view),
        "numbers_outside": "" if brief else numbers_outside(view),
        "words_below": words_below(view, most),
        "findings": shown,
        "lists": bool(most) and not view.course,
        "no_finding": "" if shown else no_finding_words(view),
        "limits": limit_lines(view, brief=brief),
        "verdicts": verdict_rows(view.findings, external=view.external),
        "curve_count": len(view.findings),
    }


def _sections(view: GroupView) -> dict[str, Any]:
    """Return the values of kinematics, kinetics and muscles; all panels are written together."""
    grids = view.kinematics, view.kinetics, view.transverse
    panels = iter(page_panels(view, [row for grid in grids for row in grid]))
    kinematics, kinetics, transverse = (list(islice(panels, sum(map(len, grid)))) for grid in grids)
    peaks = peak_rows(view)
    return {
        "key": _key(view),
        "columns": len(view.kinematics[0]),
        "full": all(cell.panel is not None for row in view.kinematics for cell in row),
        "kinematics": kinematics,
        "kinetics": kinetics,
        "transverse": transverse,
        "kinetic_words": kinetic_words(view),
        "has_angles": view.drawn.shows(view.kinematics),
        "no_angles": no_angle_words(view),
        "has_loads": view.has_loads,
        "no_loads": no_load_words(view),
        "timing": _timing(view),
        "timing_facts": [row for row in timing_rows(view) if row.known],
        "floor": _floor(view),
        "butterfly": _butterfly(view),
        "peaks": peaks,
        "peak_norm": peak_norm_words(view, peaks),
        "muscles": muscle_page(view),
    }


def _key(view: GroupView) -> list[dict[str, Any]]:
    """Return the drawings and words of the key of the panels."""
    sides = view.drawn.sides
    return [
        {"svg": sample_svg(key_sample, entry.kind, sides), "words": entry.words}
        for entry in view.drawn.key
    ]


def over_words(view: GroupView) -> str:
    """Return the axis that the curves are drawn over."""
    return "over the time of the trial, s" if view.course else "over the gait cycle, %"


def norm_words(view: GroupView) -> str:
    """Return which reference the bands are from and how they were matched."""
    if view.norm is None:
        return "No norm given"
    return f"Norm: {view.norm.norm.name}{view.norm.people_words}; {view.norm.note}"


def kinetic_words(view: GroupView) -> str:
    """Return the convention and the units of the loads."""
    options = view.trials[0].document["options"]
    axes = "" if options["moments_in"] == "distal" else f", {options['moments_in']} axes"
    over = f", {over_words(view)}" if view.course else ""
    return f"{options['convention']} moments N\u00b7m/kg{axes}, powers W/kg, force N/kg{over}"


def no_angle_words(view: GroupView) -> str:
    """Return a sentence in place of the panels of a trial without angles."""
    return " ".join(("No angle is known.", *(banner.text for banner in banners(view)[:1])))


def no_load_words(view: GroupView) -> str:
    """Return a sentence in place of the panels."""
    if not view.usable and angles_failed(view):
        return "Without usable angles there are no moments and powers."
    notice = next((b.text for b in banners(view) if "moments" in b.title.lower()), "")
    if view.course:
        return f"No moments or powers. {why_no_loads(view)}"
    return notice or "No stride has moments or powers."


def _number(view: GroupView, i: int) -> dict[str, Any]:
    row = view.numbers[i]
    cells = number_cells(row)
    return {
        "title": row.title,
        "note": row.note,
        **{side: cells[side] for side in SIDES},
        "norm": row.norm_words,
        "svg": number_svg(row),
    }


def _timing(view: GroupView) -> str:
    if all(time is None for times in view.times.values() for time in times):
        return ""
    label = "Stance and swing of both sides, per cent of the cycle"
    return drawing_svg(timing_drawing(view.times), TIMING_WIDTH, TIMING_HEIGHT, label)


def floor_trial(view: GroupView) -> StoredTrial:
    """Return the trial whose floor is drawn: the first with most whole steps."""
    plated = [t for t in view.trials if t.view["figure"]["plates"]]
    if not plated:
        return view.trials[0]
    return max(plated, key=lambda t: sum(len(kinetic_cycles(t, side)) for side in SIDES))


def view_floor(view: GroupView) -> FloorPlan | None:
    """Return the floor of the first trial with most whole steps; None without plate and foot."""
    shown = floor_trial(view).view
    return floor_plan(shown["figure"], shown["cycles"])


def _floor(view: GroupView) -> str:
    plan = view_floor(view)
    if plan is None:
        return ""
    marks, height = floor_drawing(plan)
    return drawing_svg(marks, WIDTH, height, "Plates and feet from above, walking to the right")


def view_butterflies(view: GroupView) -> tuple[Butterfly, ...]:
    """Return the force of one whole step per side, from the trial whose floor is drawn."""
    trial = floor_trial(view)
    whole = {side: kinetic_cycles(trial, side) for side in SIDES}
    cycles = [c for c in trial.view["cycles"] if c["cycle"] in whole[c["side"]]]
    mass = trial.document["subject"].get("mass_kg")
    return butterflies(trial.view["figure"], cycles, mass, force_peaks(view))


def _butterfly(view: GroupView) -> str:
    steps = view_butterflies(view)
    if not steps:
        return ""
    label = "Ground reaction force along its path, seen from the side"
    return drawing_svg(butterfly_drawing(steps), WIDTH, BUTTERFLY_HEIGHT, label)
