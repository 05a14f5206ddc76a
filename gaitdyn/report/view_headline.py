"""The headline of a view, in full and in brief, and its warning."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.largest import set_aside, sustained_findings
from gaitdyn.report.view_words import (
    asymmetries,
    curves_aside,
    finding_texts,
    open_curves,
    pelvis_told,
    speed_unmatched,
)
from gaitdyn.report.walk_norms import on_belts
from gaitdyn.report.wording import (
    TITLES,
    AgainstNorm,
    axis_warning,
    headline_with_norm,
    headline_without_norm,
)

if TYPE_CHECKING:
    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.report.views import GroupView


def view_headline(
    view: GroupView, listed: Sequence[CurveFinding], doubted: set[tuple[str, str]]
) -> tuple[str, str, str]:
    """Return headline, headline in brief and warning of a view that is otherwise complete.

    Parameters
    ----------
    view : GroupView
        Without usable angles, its headline has the speed alone.
    listed : sequence of CurveFinding
        Of the usable sides.
    doubted : set of (side, curve)
        Curves with a doubtful axis.
    """
    warning = axis_warning(view.remarks if view.usable else ())
    if view.scores is not None:
        told = _against_norm(view, listed, doubted)
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


def _against_norm(
    view: GroupView, listed: Sequence[CurveFinding], doubted: set[tuple[str, str]]
) -> AgainstNorm:
    """Return what the headline of a view with a reference tells."""
    speed, gps = view.numbers[0], next(row for row in view.numbers if row.title == "GPS")
    known = [value for value in speed.values.values() if value is not None]
    reference = {internal_name(name): band for name, band in view.bands.items()}
    lasting = finding_texts(sustained_findings(listed, reference, doubted), view.bands)
    return AgainstNorm(
        gps=gps.values if view.usable else {},
        classed=gps.norm is not None and not view.others,
        gps_norm=gps.norm_words if gps.norm is None else "",
        findings=finding_texts(view.largest, view.bands),
        doubtful=[words for _, words in finding_texts(set_aside(view.largest), view.bands)],
        sustained=[words for _, words in lasting],
        aside=curves_aside(listed, view.largest),
        open_of=open_curves(view.findings) if view.usable else (0, 0),
        speed_z=speed.norm.z(fmean(known)) if speed.norm is not None and known else None,
        speed_unmatched=view.usable and speed_unmatched(view.findings),
        others=view.others,
        treadmill=on_belts(view.trials),
    )
