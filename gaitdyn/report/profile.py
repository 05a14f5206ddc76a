"""The movement analysis profile of a first screen: its bars, numbers and what stands below them."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.metrics.knee_axis import HIP
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.plots.clinic.bars import PROFILE_WIDTH, profile_drawing
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.report.contents import DASH, decimal, values_of
from gaitdyn.report.view_numbers import HEALTHY_GPS
from gaitdyn.report.view_words import norm_scores
from gaitdyn.report.wording import TITLES, gps_class
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.report.views import GroupView


ProfileRow = tuple[str, dict[str, float | None], tuple[float, ...]]
"""Title, score of each side, ends of the grey bars."""


def profile_rows(view: GroupView) -> list[ProfileRow]:
    """Return the movement analysis profile, the GPS last; nothing without scores."""
    if view.scores is None or view.course or angles_refused(view):
        return []
    refused = {one.side for one in view.side_lines if one.refused}
    norms = norm_scores(view.bands)
    rows: list[ProfileRow] = []
    for name in VARIABLES:
        own = {s: None if s in refused else view.scores.profile[s, name].value for s in SIDES}
        rows.append((TITLES[name], own, (norms[name],) if name in norms else ()))
    gps = {s: None if s in refused else view.scores.gps[s].value for s in SIDES}
    if all(value is None for _, own, _ in rows for value in own.values()):
        return []
    return [*rows, ("GPS", gps, (HEALTHY_GPS.at(0.0), HEALTHY_GPS.at(1.0)))]


def profile_svg(view: GroupView) -> str:
    """Return the movement analysis profile as a picture."""
    rows = profile_rows(view)
    if not rows:
        return ""
    marks, height = profile_drawing(rows)
    told = "Bars of the movement analysis profile; the table below holds its numbers"
    return drawing_svg(marks, PROFILE_WIDTH, height, told)


def profile_cells(view: GroupView) -> list[tuple[str, ...]]:
    """Return the numbers of the profile in words: title, left, right, norm."""

    def told(value: float | None) -> str:
        return DASH if value is None else decimal(value, 1)

    return [
        (title, *(told(own[side]) for side in SIDES), told(norm[0] if norm else None))
        for title, own, norm in profile_rows(view)
    ]


def age_note(view: GroupView) -> str:
    """Return what the grey bars are, and that a child's norm stands behind an adult."""
    if view.norm is None:
        return ""
    age = view.trials[0].document["subject"].get("age_years")
    told = "age not given" if age is None else f"age {age:g} years"
    whose = "the reference people\u2019s"
    if "schwartz" in view.norm.norm.source.lower():
        whose = "a healthy child\u2019s"
    gps = f"GPS: {HEALTHY_GPS.at(0.0):.1f}, pale to {HEALTHY_GPS.at(1.0):.1f}"
    speed = "at this speed" if known_speed(view) else "at free speed, this one is not known"
    return f"Grey: {whose} score {speed} ({gps}); {told}."


def without_rotation(view: GroupView) -> list[str]:
    """Return the GPS without the hip's rotation where a doubted knee axis decides its class."""
    found: list[str] = []
    scores = view.scores
    if scores is None:
        return found
    refused = {one.side for one in view.side_lines if one.refused}
    for side in {one.side for one in view.remarks} - refused:
        kept = [scores.profile[side, name].value for name in VARIABLES if name != HIP]
        whole = scores.gps[side].value
        if whole is None or not all(kept):
            continue
        rest = math.sqrt(fmean(value**2 for value in kept if value is not None))
        if gps_class(rest)[1] != gps_class(whole)[1]:
            word = gps_class(rest)[1].removeprefix("on average ")
            found.append(
                f"Without hip rotation (knee axis) the {side} GPS is"
                f" {decimal(rest, 1)}\u00b0, {word}."
            )
    return sorted(found)


def profile_words(view: GroupView) -> str:
    """Return what stands below the profile: what is grey, and scores that the knee axis makes."""
    return " ".join((age_note(view), *without_rotation(view))).strip()


def known_speed(view: GroupView) -> bool:
    """Return whether the reference could be matched to the speed for this leg length."""
    return bool(values_of(view.trials, "gait_parameters", "speed_nondimensional"))


def angles_refused(view: GroupView) -> bool:
    """Return whether no angle is to be used, though some are there: nothing is told of them."""
    verdicts = [v for t in view.trials for v in t.document.get("verdicts") or []]
    failed = any(v["quantity"] == "kinematics" and v["word"] == "fail" for v in verdicts)
    return not view.usable and (failed or bool(view.means))
