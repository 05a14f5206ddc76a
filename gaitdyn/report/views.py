"""The clinician's view of one group of trials, computed once for page, PDF and pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of, swapped_name
from gaitdyn.judge.largest import Largest, large_throughout, largest_findings, sustained_findings
from gaitdyn.judge.refusals import NO_SPEED
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.way import not_ahead
from gaitdyn.metrics.knee_axis import HIP, KNEE, KneeAxisRemark, knee_axis_remark
from gaitdyn.metrics.norms.ages import other_ages
from gaitdyn.plots.clinic.drawn import DrawnCurves
from gaitdyn.plots.clinic.grids import Grid, cells_of, kinematic_grid, kinetic_grid, transverse_grid
from gaitdyn.plots.clinic.shown import PanelCurve, VerdictStrip, shown_course, shown_curves
from gaitdyn.report.first_screen.headline import view_headline
from gaitdyn.report.first_screen.line_parts import SideLine
from gaitdyn.report.first_screen.notices import Notice, group_notices
from gaitdyn.report.first_screen.numbers import (
    CycleEvents,
    NumberRow,
    age_of,
    events_of,
    number_rows,
)
from gaitdyn.report.first_screen.side_lines import side_lines
from gaitdyn.report.first_screen.spoken_of import SidePairs, side_pairs
from gaitdyn.report.strides import counted_cycles
from gaitdyn.store.headings import turns
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.cycles.strips import CurveStrip
    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.judge.abnormal import Abnormal
    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.metrics.scores import GaitScores
    from gaitdyn.report.groups import Group
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.norms import Band, MatchedNorm


_OF_A_PLANE = 3


@frozen(eq=False)
class GroupView:
    """One group as a clinician sees it.

    Attributes
    ----------
    label : str
    trials : tuple of StoredTrial
    norm : MatchedNorm or None
    bands : dict
        Curve -> reference, under the names of the curves.
    scores : GaitScores or None
    kinematics, kinetics, transverse : grids
    curves : dict
        (side, name) -> the drawn curve.
    events : dict
        Side -> its mean events, %.
    findings : tuple of CurveFinding
        One for every curve, against the reference.
    largest : tuple of Largest
        The findings that are pictured.
    remarks : tuple of KneeAxisRemark
    numbers : tuple of NumberRow
    side_lines : tuple of SideLine
    others : str
        Whose the reference is, if its people are known to be of other ages.
    headline, in_brief, warning : str
        In brief: the headline above a list of the findings it would name.
    notices : tuple of Notice
        Notices above everything else: other persons, copies of a recording.
    course : tuple of CurveStrip
        Both sides over the whole time of the first trial, s, if no trial has any stride.
    muscles : tuple of EmgPanel
        Of all trials; empty without electromyography.
    """

    label: str
    trials: tuple[StoredTrial, ...]
    norm: MatchedNorm | None
    bands: dict[str, Band]
    scores: GaitScores | None
    kinematics: Grid
    kinetics: Grid
    transverse: Grid
    curves: dict[tuple[str, str], PanelCurve]
    events: dict[str, CycleEvents]
    findings: tuple[CurveFinding, ...]
    largest: tuple[Largest, ...]
    remarks: tuple[KneeAxisRemark, ...]
    numbers: tuple[NumberRow, ...]
    side_lines: tuple[SideLine, ...]
    others: str
    headline: str
    in_brief: str
    warning: str
    notices: tuple[Notice, ...]
    course: tuple[CurveStrip, ...] = ()
    muscles: tuple[EmgPanel, ...] = ()

    @property
    def turning(self) -> bool:
        """Whether its strides turn; they are a group of their own."""
        return all(turns(trial) for trial in self.trials)

    @property
    def drawn(self) -> DrawnCurves:
        """The curves and bands of the panels."""
        return DrawnCurves(self.curves, self.bands, self.course)

    @property
    def listable(self) -> list[CurveFinding]:
        """The findings of the sides that are usable."""
        sides = {line.side for line in self.side_lines if line.usable}
        return [finding for finding in self.findings if finding.side in sides]

    @property
    def doubted(self) -> set[tuple[str, str]]:
        """(side, curve) of what a knee axis in doubt may cause."""
        return {(remark.side, name) for remark in self.remarks for name in (HIP, KNEE)}

    @property
    def has_loads(self) -> bool:
        """Whether any side has a moment, a power or a force to draw."""
        return self.drawn.shows(self.kinetics, means=True)

    @property
    def means(self) -> dict[tuple[str, str], Array]:
        """(side, name) -> mean over the whole strides."""
        return {key: c.mean for key, c in self.curves.items() if c.mean is not None}

    @property
    def usable_means(self) -> dict[tuple[str, str], Array]:
        """The means of the sides whose angles may be used."""
        sides = {line.side for line in self.side_lines if line.usable}
        return {key: mean for key, mean in self.means.items() if key[0] in sides}

    @property
    def times(self) -> dict[str, tuple[float | None, float | None, float | None]]:
        """Side -> opposite foot-off, opposite strike and foot-off, %."""
        return {
            side: (e.opposite_foot_off, e.opposite_strike, e.foot_off)
            for side, e in self.events.items()
        }

    @property
    def foot_off(self) -> dict[str, float | None]:
        """Side -> its mean foot-off, %."""
        return {side: events.foot_off for side, events in self.events.items()}

    @property
    def pairs(self) -> SidePairs:
        """The angles of both legs, aligned."""
        return side_pairs(self.usable_means, self.foot_off)

    @property
    def classed(self) -> bool:
        """Whether the GPS of people like this one is known, and hence its class."""
        return self.norm is not None and self.norm.norm.of_schwartz and not self.others

    @property
    def external(self) -> bool:
        """Whether its moments are external; verdicts are on internal ones."""
        return self.trials[0].document["options"]["convention"] != "internal"

    @property
    def usable(self) -> bool:
        """Whether the angles of any side may be used."""
        return any(line.usable for line in self.side_lines)

    def curve_of(self, side: str, name: str) -> PanelCurve | None:
        """Return a drawn curve, whichever convention its name and those of this view have."""
        wanted = internal_name(name)
        alike = (c for (s, n), c in self.curves.items() if s == side and internal_name(n) == wanted)
        return next(alike, None)

    def name_of(self, curve: str) -> str:
        """Return the name of a curve in this view: external moments have the opposite words."""
        return next((name for name in self.bands if internal_name(name) == curve), curve)


def view_of_group(
    group: Group,
    norm: MatchedNorm | None,
    scores: GaitScores | None,
    abnormal: Abnormal | None = None,
) -> GroupView:
    """Return the clinician's view of a group.

    Parameters
    ----------
    group : Group
    norm : MatchedNorm or None
        Matched to the speed of this group.
    scores : GaitScores or None
        Against the same reference.
    abnormal : Abnormal or None
        The verdicts against the same reference.
    """
    cycles = [curves for trial in group.trials for curves in trial.cycles]
    course = () if cycles else shown_course(group.trials[0].course)
    names = {name for part in (*cycles, *course) for name in part.names}
    kinematics = kinematic_grid(names, inverts=inverts(group))
    grids = kinematics, kinetic_grid(names), transverse_grid(names)
    wanted = [c.panel.name for grid in grids for c in cells_of(grid) if c.panel is not None]
    counted = set(map(id, counted_cycles(group.trials)))
    angles = set(map(id, SessionWalk(group.trials).angle_cycles()))
    curves = shown_curves(
        cycles, wanted, lambda cycle: id(cycle) in counted, lambda cycle: id(cycle) in angles
    )
    means = {key: curve.mean for key, curve in curves.items() if curve.mean is not None}
    bands = bands_of(group, norm)
    findings = () if abnormal is None else abnormal.findings
    if abnormal is not None:
        limits = abnormal.limits
        bands = {n: replace(b, limit=limits.get(internal_name(n))) for n, b in bands.items()}
        curves = _with_strips(curves, findings)
    events: dict[str, CycleEvents] = {side: events_of(group, side) for side in SIDES}
    remarks = tuple(r for side in SIDES if (r := knee_axis_remark(side, means, bands)) is not None)
    lines = side_lines(group.trials, remarks)
    refused = [line.side for line in lines if line.refused]
    numbers = number_rows(group, scores, norm, refused=refused)
    others = "" if norm is None else other_ages(norm.norm, age_of(group.trials))
    view = GroupView(
        group.label, group.trials, norm, bands, scores, *grids, curves, events, findings, (),
        remarks, numbers, lines, others, "", "", "", group_notices(group), course,
        _muscles(group.trials),
    )  # fmt: skip
    internal = {internal_name(name): band for name, band in bands.items()}
    lasting = large_throughout(view.listable, internal, view.doubted)
    largest = largest_findings(view.listable, doubted=view.doubted, lasting=lasting)
    view = replace(view, largest=largest)
    sustained = sustained_findings(view.listable, internal, view.doubted)
    headline, in_brief, warning = view_headline(view, sustained)
    return replace(view, headline=headline, in_brief=in_brief, warning=warning)


def _muscles(trials: tuple[StoredTrial, ...]) -> tuple[EmgPanel, ...]:
    """Return the panels of the muscles; empty without electromyography."""
    if all(trial.emg is None for trial in trials):
        return ()
    from gaitdyn.emg.panels import emg_panels

    panels = emg_panels([trial.emg for trial in trials])
    if not_ahead(trials):  # the norm is of walking forward
        panels = [replace(p, norm=None, norm_sd=None, norm_r=None) for p in panels]
    return tuple(panels)


def _with_strips(
    curves: dict[tuple[str, str], PanelCurve], findings: tuple[CurveFinding, ...]
) -> dict[tuple[str, str], PanelCurve]:
    """Return the curves with their verdicts; the pelvis is judged in the cycle of one side."""
    by_curve = {(finding.side, finding.curve): finding for finding in findings}
    by_name = {finding.curve: finding for finding in findings}
    stripped = dict(curves)
    for (side, name), shown in curves.items():
        curve = internal_name(name)
        finding = by_curve.get((side, curve), by_name.get(curve))
        if finding is None:
            continue
        own = finding.side == side
        words = "" if own else f"judged in the {finding.side} cycle"
        if finding.word == "not judged":
            words = "not judged" + (": speed not matched" if NO_SPEED in finding.reason else "")
        cells = finding.cells if own else np.zeros(101, dtype=np.intp)
        stripped[side, name] = replace(shown, strip=VerdictStrip(cells, words))
    return stripped


def bands_of(group: Group, norm: MatchedNorm | None) -> dict[str, Band]:
    """Return the bands for the curves, under the names of the curves.

    A reference has internal moments. External ones have the same numbers under the opposite words;
    moments in other axes than its own have no band.
    """
    if norm is None:
        return {}
    options = group.trials[0].document["options"]
    if options["moments_in"] != norm.norm.moments_in:
        return {n: band for n, band in norm.bands.items() if not key_of(n).is_moment}
    if options["convention"] == "internal":
        return norm.bands
    return {swapped_name(name) or name: band for name, band in norm.bands.items()}


def inverts(group: Group) -> bool:
    """Return whether the feet can show inversion, for which a foot needs three landmarks."""
    feet = [
        foot
        for trial in group.trials
        for foot in trial.document["model"].get("rungs") or ()
        if foot["place"] == "foot"
    ]
    return bool(feet) and all(len(foot["landmarks"]) >= _OF_A_PLANE for foot in feet)
