"""The headline of a view, in full and in brief, and its warning."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.judge.largest import largest_findings, set_aside
from gaitdyn.metrics.norms.speed import at_free_speed
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.report.first_screen.headline_words import (
    AgainstNorm,
    axis_warning,
    headline_with_norm,
    headline_without_norm,
)
from gaitdyn.report.first_screen.spoken_of import (
    asymmetries,
    curves_aside,
    finding_texts,
    norm_scores,
    open_curves,
    pelvis_told,
    speed_unmatched,
)
from gaitdyn.report.first_screen.walk_norms import on_belts
from gaitdyn.report.first_screen.wording import TITLES
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.judge.largest import Largest
    from gaitdyn.report.views import GroupView


def view_headline(view: GroupView, sustained: tuple[Largest, ...]) -> tuple[str, str, str]:
    """Return headline, headline in brief and warning of a view that is otherwise complete.

    Parameters
    ----------
    view : GroupView
        Without usable angles, its headline has the speed alone.
    sustained : tuple of Largest
        Of :func:`gaitdyn.judge.largest.sustained_findings`.
    """
    warning = axis_warning(view.remarks if view.usable else ())
    if view.scores is not None:
        told = _against_norm(view, sustained)
        return headline_with_norm(told), headline_with_norm(told, brief=True), warning
    speed = view.numbers[0].values
    belts = on_belts(view.trials)
    in_brief = headline_without_norm(speed, (), treadmill=belts)
    if not view.usable:
        return in_brief, in_brief, warning
    apart = [(TITLES[name].lower(), difference) for name, difference in asymmetries(view.pairs)]
    strides = {line.side: line.angles for line in view.side_lines}
    pelvis = pelvis_told(view.usable_means)
    whole = headline_without_norm(speed, apart, strides, pelvis, treadmill=belts)
    return whole, in_brief, warning


def _against_norm(view: GroupView, sustained: tuple[Largest, ...]) -> AgainstNorm:
    """Return what the headline of a view with a reference tells."""
    speed, gps = view.numbers[0], next(row for row in view.numbers if row.title == "GPS")
    known = [value for value in speed.values.values() if value is not None]
    lasting = finding_texts(sustained, view.bands)
    return AgainstNorm(
        gps=gps.values if view.usable else {},
        classed=gps.norm is not None and not view.others,
        gps_norm=gps.norm_words if gps.norm is None else "",
        findings=finding_texts(view.largest, view.bands),
        doubtful=[
            words for _, words in finding_texts(set_aside(view.largest, view.doubted), view.bands)
        ],
        sustained=[words for _, words in lasting],
        farthest=_farthest_angles(view) if view.usable else {},
        angles=_angle_texts(view, sustained),
        aside=curves_aside(view.listable, view.largest),
        open_of=open_curves(view.findings) if view.usable else (0, 0),
        speed_z=speed.norm.z(fmean(known)) if speed.norm is not None and known else None,
        speed_unmatched=view.usable and speed_unmatched(view.findings),
        others=view.others,
        treadmill=on_belts(view.trials),
    )


def _angle_texts(view: GroupView, sustained: tuple[Largest, ...]) -> dict[str, set[str]]:
    """Return side -> the findings in words that are of one of its angles."""
    angles = [one for one in (*view.largest, *sustained) if one.curve in VARIABLES]
    told = [(one.sides, words) for one in angles for _, words in finding_texts((one,), view.bands)]
    return {side: {words for sides, words in told if side in sides} for side in SIDES}


def _farthest_angles(view: GroupView) -> dict[str, str]:
    """Return side -> the angle whose score is most above that of the reference, in words.

    What a knee axis in doubt may cause is left out, and curves that depend on where a marker sits.
    """
    people = {} if view.norm is None else norm_scores(at_free_speed(view.norm).bands)
    profile = {} if view.scores is None else view.scores.profile
    every = largest_findings(view.listable, len(view.listable))
    farthest: dict[str, str] = {}
    for side in SIDES:
        shares = {
            score / people[one.curve]: one
            for one in every
            if side in one.sides and one.curve in people and not one.is_among(view.doubted)
            if (score := profile[side, one.curve].value) is not None
        }
        if shares:
            worst = shares[max(shares)].of(side)
            ((word, words),) = finding_texts((worst,), view.bands)
            sure = word in ("clear", "possible")
            farthest[side] = words[0].lower() + words[1:] + ("" if sure else f" ({word})")
    return farthest
