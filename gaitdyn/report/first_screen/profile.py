"""The movement analysis profile of a first screen: its bars, its numbers and its caption."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import fmean

from gaitdyn.metrics.knee_axis import HIP
from gaitdyn.metrics.norms.speed import at_free_speed
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.plots.clinic.bars import PROFILE_WIDTH, profile_drawing
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.report.first_screen.headline_words import gps_class
from gaitdyn.report.first_screen.numbers import HEALTHY_GPS, age_of
from gaitdyn.report.first_screen.spoken_of import norm_gps, norm_scores
from gaitdyn.report.first_screen.wording import TITLES
from gaitdyn.report.numbers import decimal, shown
from gaitdyn.report.strides import verdicts_of
from gaitdyn.report.views import GroupView
from gaitdyn.store.modelled import has_no_model
from gaitdyn.types.norms import Band
from gaitdyn.types.subject import SIDES

ProfileRow = tuple[str, dict[str, float | None], tuple[float, ...]]
"""Title, score of each side, lengths of the grey bars."""


def profile_rows(view: GroupView) -> list[ProfileRow]:
    """Return the movement analysis profile with the GPS last; empty without scores."""
    if view.scores is None or view.course or angles_refused(view):
        return []
    refused = {line.side for line in view.side_lines if line.refused}
    norms = norm_scores(_free_bands(view))
    rows: list[ProfileRow] = []
    for name in VARIABLES:
        sides: dict[str, float | None] = {
            s: None if s in refused else view.scores.profile[s, name].value for s in SIDES
        }
        rows.append((TITLES[name], sides, (norms[name],) if name in norms else ()))
    gps: dict[str, float | None] = {
        s: None if s in refused else view.scores.gps[s].value for s in SIDES
    }
    if all(value is None for _, sides, _ in rows for value in sides.values()):
        return []
    return [*rows, ("GPS", gps, _gps_ends(view))]


def _free_bands(view: GroupView) -> Mapping[str, Band]:
    """Return the reference of the scores."""
    return {} if view.norm is None else at_free_speed(view.norm).bands


def _gps_ends(view: GroupView) -> tuple[float, ...]:
    """Return the ends of the grey bar of the GPS and its pale end, if its spread is published."""
    if view.norm is not None and view.norm.norm.of_schwartz:
        return HEALTHY_GPS.at(0.0), HEALTHY_GPS.at(1.0)
    mean = norm_gps(_free_bands(view))
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
    """Return the caption of the grey bars, with the person's age beside a child's."""
    if view.norm is None:
        return ""
    age = age_of(view.trials)
    years = "year" if age == 1 else "years"
    age_words = "age not given" if age is None else f"this person: {age:g} {years}"
    whose = "the reference people\u2019s"
    if "children" in view.norm.norm.source.lower():
        whose = "a healthy child\u2019s"
    ends = _gps_ends(view)
    gps = f" (GPS: {', pale to '.join(f'{end:.1f}' for end in ends)})" if ends else ""
    speed = "at this speed" if at_free_speed(view.norm) is view.norm else "at free speed"
    if all(group.speed is None for group in view.norm.norm.groups):
        speed = "at a speed not stated"
    return f"Grey: {whose} score {speed}{gps}; {age_words}."


def without_rotation(view: GroupView) -> list[str]:
    """Return the GPS without hip rotation if a doubtful knee axis decides its class.

    The class is that of the value that is as far from the people's own without hip rotation.
    """
    people = norm_scores(_free_bands(view))
    if len(people) < len(VARIABLES):
        return []
    own = [sum(value**2 for name, value in people.items() if name != left) for left in ("", HIP)]
    share = math.sqrt(own[1] / (len(VARIABLES) - 1) / (own[0] / len(VARIABLES)))
    rest: dict[str, float | None] = {}
    profile = {} if view.scores is None else view.scores.profile
    for side in {remark.side for remark in view.remarks if profile}:
        others = [profile[side, name].value for name in VARIABLES if name != HIP]
        known = [value for value in others if value]
        if len(known) == len(others):
            rest[side] = math.sqrt(fmean(value**2 for value in known))
    return _other_classes(view, rest, "Without hip rotation (knee axis)", share)


def at_this_speed(view: GroupView) -> list[str]:
    """Return the GPS against walkers as slow or as fast if the speed decides its class."""
    own = {} if view.scores is None else view.scores.gps_at_speed
    values = {side: score.value for side, score in own.items()}
    return _other_classes(view, values, "Against children at this speed")


def _other_classes(
    view: GroupView, others: Mapping[str, float | None], how: str, share: float = 1.0
) -> list[str]:
    """Return the sides whose GPS is in another class when it is computed in another way.

    ``share`` is what the people's own GPS is then, of their GPS. Unless it is 1, the words end with
    the range that is within the norm.
    """
    if view.scores is None or not view.classed:
        return []
    lines: list[str] = []
    ends = "\u2013".join(decimal(HEALTHY_GPS.at(z) * share, 1) for z in (-1.0, 1.0))
    norm = "" if share == 1.0 else f" ({ends}\u00b0)"
    refused = {line.side for line in view.side_lines if line.refused}
    for side, other in sorted(others.items()):
        whole = view.scores.gps[side].value
        if side in refused or other is None or whole is None:
            continue
        word = gps_class(other / share)[1]
        if word != gps_class(whole)[1]:
            word = word.removeprefix("on average ")
            lines.append(f"{how} the {side} GPS is {decimal(other, 1)}\u00b0, {word}{norm}.")
    return lines


def profile_words(view: GroupView) -> str:
    """Return the caption of the profile: the grey bars, and what else would decide a class."""
    return " ".join((age_note(view), *at_this_speed(view), *without_rotation(view))).strip()


def angles_refused(view: GroupView) -> bool:
    """Return whether there are angles but none is reported: they failed, or no stride has all."""
    return not view.usable and (angles_failed(view) or bool(view.means))


def muscles_alone(view: GroupView) -> bool:
    """Return whether the recordings have electromyography and no markers of a model."""
    return all(has_no_model(trial) for trial in view.trials)


def angles_failed(view: GroupView) -> bool:
    """Return whether the verdict on the angles of a side is ``fail``."""
    verdicts = [v for side in SIDES for v in verdicts_of(view.trials, side, "kinematics")]
    return any(verdict["word"] == "fail" for verdict in verdicts)
