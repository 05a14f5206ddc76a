"""The movement analysis profile of a first screen: its bars, its numbers and its caption."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.metrics.knee_axis import HIP
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.plots.clinic.bars import PROFILE_WIDTH, profile_drawing
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.report.numbers import decimal, shown
from gaitdyn.report.strides import values_of, verdicts_of
from gaitdyn.report.view_numbers import HEALTHY_GPS, age_of
from gaitdyn.report.view_words import norm_gps, norm_scores
from gaitdyn.report.wording import TITLES, gps_class
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.report.views import GroupView


ProfileRow = tuple[str, dict[str, float | None], tuple[float, ...]]
"""Title, score of each side, lengths of the grey bars."""


def profile_rows(view: GroupView) -> list[ProfileRow]:
    """Return the movement analysis profile with the GPS last; empty without scores."""
    if view.scores is None or view.course or angles_refused(view):
        return []
    refused = {line.side for line in view.side_lines if line.refused}
    norms = norm_scores(view.bands)
    rows: list[ProfileRow] = []
    for name in VARIABLES:
        sides = {s: None if s in refused else view.scores.profile[s, name].value for s in SIDES}
        rows.append((TITLES[name], sides, (norms[name],) if name in norms else ()))
    gps = {s: None if s in refused else view.scores.gps[s].value for s in SIDES}
    if all(value is None for _, sides, _ in rows for value in sides.values()):
        return []
    return [*rows, ("GPS", gps, _gps_ends(view))]


def _gps_ends(view: GroupView) -> tuple[float, ...]:
    """Return the ends of the grey bar of the GPS and its pale end, if its spread is published."""
    if view.norm is not None and view.norm.norm.of_schwartz:
        return HEALTHY_GPS.at(0.0), HEALTHY_GPS.at(1.0)
    mean = norm_gps(view.bands)
    return () if mean is None else (mean,)


def profile_svg(view: GroupView) -> str:
    """Return the movement analysis profile as a picture."""
    rows = profile_rows(view)
    if not rows:
        return ""
    marks, height = profile_drawing(rows)
    label = "Bars of the movement analysis profile; its numbers are in the table below"
    return drawing_svg(marks, PROFILE_WIDTH, height, label)


def profile_cells(view: GroupView) -> list[tuple[str, ...]]:
    """Return the numbers of the profile as text: title, left, right, norm."""
    rows = [
        (title, *(sides[s] for s in SIDES), norm[0] if norm else None)
        for title, sides, norm in profile_rows(view)
    ]
    return [(title, *(shown(value, 1) for value in values)) for title, *values in rows]


def age_note(view: GroupView) -> str:
    """Return the caption of the grey bars, with the age, since the norm may be a child's.

    The GPS of Schwartz's children has the controls of GDI*, at free speed whatever the speed.
    """
    if view.norm is None:
        return ""
    age = age_of(view.trials)
    age_words = "age not given" if age is None else f"age {age:g} years"
    whose = "the reference people\u2019s"
    if "children" in view.norm.norm.source.lower():
        whose = "a healthy child\u2019s"
    ends = _gps_ends(view)
    of = ", children at free speed" if view.norm.norm.of_schwartz else ""
    gps = f" (GPS{of}: {', pale to '.join(f'{end:.1f}' for end in ends)})" if ends else ""
    speed = "at this speed" if known_speed(view) else "at free speed, not matched to this one"
    return f"Grey: {whose} score {speed}{gps}; {age_words}."


def without_rotation(view: GroupView) -> list[str]:
    """Return the GPS without hip rotation if a doubtful knee axis decides its class."""
    scores = view.scores
    if scores is None or not view.classed:
        return []
    lines: list[str] = []
    refused = {line.side for line in view.side_lines if line.refused}
    for side in {remark.side for remark in view.remarks} - refused:
        others = [scores.profile[side, name].value for name in VARIABLES if name != HIP]
        whole = scores.gps[side].value
        if whole is None or not all(others):
            continue
        rest = math.sqrt(fmean(value**2 for value in others if value is not None))
        if gps_class(rest)[1] != gps_class(whole)[1]:
            word = gps_class(rest)[1].removeprefix("on average ")
            lines.append(
                f"Without hip rotation (knee axis) the {side} GPS is"
                f" {decimal(rest, 1)}\u00b0, {word}."
            )
    return sorted(lines)


def profile_words(view: GroupView) -> str:
    """Return the caption of the profile: the grey bars, and scores decided by a knee axis."""
    return " ".join((age_note(view), *without_rotation(view))).strip()


def known_speed(view: GroupView) -> bool:
    """Return whether the reference could be matched to the speed for this leg length."""
    return bool(values_of(view.trials, "gait_parameters", "speed_nondimensional"))


def angles_refused(view: GroupView) -> bool:
    """Return whether there are angles but none is reported: they failed, or no stride has all."""
    return not view.usable and (angles_failed(view) or bool(view.means))


def angles_failed(view: GroupView) -> bool:
    """Return whether the verdict on the angles of a side is ``fail``."""
    verdicts = [v for side in SIDES for v in verdicts_of(view.trials, side, "kinematics")]
    return any(verdict["word"] == "fail" for verdict in verdicts)
