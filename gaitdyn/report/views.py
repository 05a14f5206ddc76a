"""What the clinician sees of one group of trials, computed once for page, PDF and pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of, swapped_name
from gaitdyn.judge import largest_findings
from gaitdyn.metrics.healthy import Expected, expected_speed, expected_step_length
from gaitdyn.metrics.knee_axis import knee_axis_remark
from gaitdyn.metrics.scores import GDI_STAR_A, GDI_STAR_B, PERCENT, VARIABLES
from gaitdyn.plots.clinic.drawn import Drawn
from gaitdyn.plots.clinic.grids import cells_of, kinematic_grid, kinetic_grid, transverse_grid
from gaitdyn.plots.clinic.shown import Strip as Verdict
from gaitdyn.plots.clinic.shown import shown_curves
from gaitdyn.report.contents import group_notices, values_of
from gaitdyn.report.counted import counted_cycles
from gaitdyn.report.trust_lines import trust_lines
from gaitdyn.report.wording import finding_words, headline_without_norm, headline_words
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.cycles.strips import Strip
    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.judge import Abnormal, Finding, Largest
    from gaitdyn.metrics.knee_axis import KneeAxisRemark
    from gaitdyn.metrics.scores import GaitScores
    from gaitdyn.plots.clinic.grids import Grid
    from gaitdyn.plots.clinic.shown import Shown
    from gaitdyn.report.contents import Notice
    from gaitdyn.report.groups import Group
    from gaitdyn.report.trust_lines import TrustLine
    from gaitdyn.statistics import Word
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.norms import Band, MatchedNorm


_OF_A_PLANE = 3


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One of the four numbers.

    Attributes
    ----------
    title, note : str
    digits : int
    values : dict
        Side -> value or None.
    norm : Expected or None
    norm_words : str
    """

    title: str
    note: str
    digits: int
    values: dict[str, float | None]
    norm: Expected | None
    norm_words: str = ""

    @property
    def z_values(self) -> dict[str, float | None]:
        """Side -> how far its value lies from the norm, SD; None where one is not known."""
        norm = self.norm
        return {
            side: None if value is None or norm is None else norm.z(value)
            for side, value in self.values.items()
        }


@dataclass(frozen=True, slots=True)
class CycleEvents:
    """When things happen in the cycle of one side, %; None where it is not known."""

    foot_off: float | None = None
    opposite_foot_off: float | None = None
    opposite_strike: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class View:
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
        (side, name) -> what is drawn.
    events : dict
        Side -> its events, means, %.
    findings : tuple of Finding
        On every curve, against the reference.
    largest : tuple of Largest
        The findings that are pictured.
    remarks : tuple of KneeAxisRemark
    numbers : tuple of NumberRow
    trust : tuple of TrustLine
    headline, warning : str
    notices : tuple of Notice
        What must stand above everything: other persons, copies of a recording.
    course : tuple of Strip
        Both sides over the whole time of the first trial, s, where no trial has any stride.
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
    curves: dict[tuple[str, str], Shown]
    events: dict[str, CycleEvents]
    findings: tuple[Finding, ...]
    largest: tuple[Largest, ...]
    remarks: tuple[KneeAxisRemark, ...]
    numbers: tuple[NumberRow, ...]
    trust: tuple[TrustLine, ...]
    headline: str
    warning: str
    notices: tuple[Notice, ...]
    course: tuple[Strip, ...] = ()
    muscles: tuple[EmgPanel, ...] = ()

    @property
    def drawn(self) -> Drawn:
        """What the panels show."""
        return Drawn(self.curves, self.bands, self.course)

    @property
    def has_loads(self) -> bool:
        """Whether any side has a moment, a power or a force to draw."""
        return self.drawn.shows(self.kinetics, means=True)

    @property
    def means(self) -> dict[tuple[str, str], Array]:
        """(side, name) -> mean over the whole strides."""
        return {key: one.mean for key, one in self.curves.items() if one.mean is not None}

    def name_of(self, curve: str) -> str:
        """Return what a curve is called here: external moments have the opposite words."""
        return next((name for name in self.bands if internal_name(name) == curve), curve)


def view_of_group(
    group: Group,
    norm: MatchedNorm | None,
    scores: GaitScores | None,
    abnormal: Abnormal | None = None,
) -> View:
    """Return what a clinician sees of a group.

    Parameters
    ----------
    group : Group
    norm : MatchedNorm or None
        Matched to the speed of this group.
    scores : GaitScores or None
        Against the same.
    abnormal : Abnormal or None
        The verdicts against the same.
    """
    cycles = [one for trial in group.trials for one in trial.cycles]
    course = () if cycles else group.trials[0].course
    names = {name for one in (*cycles, *course) for name in one.names}
    kinematics = kinematic_grid(names, inverts=inverts(group))
    grids = kinematics, kinetic_grid(names), transverse_grid(names)
    wanted = [c.panel.name for grid in grids for c in cells_of(grid) if c.panel is not None]
    counted = {id(one) for one in counted_cycles(group.trials)}
    curves = shown_curves(cycles, wanted, lambda one: id(one) in counted)
    means = {key: one.mean for key, one in curves.items() if one.mean is not None}
    bands = bands_of(group, norm)
    findings = () if abnormal is None else abnormal.findings
    if abnormal is not None:
        limits = abnormal.limits
        bands = {n: replace(b, limit=limits.get(internal_name(n))) for n, b in bands.items()}
        curves = _with_strips(curves, findings)
    events = {side: events_of(group, side) for side in SIDES}
    largest = largest_findings(findings)
    found = (knee_axis_remark(side, means, bands) for side in SIDES)
    remarks = tuple(one for one in found if one is not None)
    numbers = number_rows(group, scores)
    return View(
        group.label, group.trials, norm, bands, scores, *grids, curves, events, findings, largest,
        remarks, numbers, trust_lines(group.trials, remarks),
        *_headline(numbers, _told(largest, bands), remarks, means, scored=scores is not None),
        group_notices(group),
        course, _muscles(group.trials),
    )  # fmt: skip


def _muscles(trials: tuple[StoredTrial, ...]) -> tuple[EmgPanel, ...]:
    """Return the panels of the muscles; nothing without electromyography."""
    if all(trial.emg is None for trial in trials):
        return ()
    from gaitdyn.emg.panels import emg_panels

    return tuple(emg_panels([trial.emg for trial in trials]))


def _with_strips(
    curves: dict[tuple[str, str], Shown], findings: tuple[Finding, ...]
) -> dict[tuple[str, str], Shown]:
    """Return the curves with their verdicts; the pelvis is judged in the cycle of one side."""
    found = {(one.side, one.curve): one for one in findings}
    judged = {one.curve: one.side for one in findings}
    told = dict(curves)
    for (side, name), one in curves.items():
        curve = internal_name(name)
        finding = found.get((side, curve))
        if finding is not None:
            words = "not judged" if finding.word == "not judged" else ""
            told[side, name] = replace(one, strip=Verdict(finding.cells, words))
        elif curve in judged:
            nothing = np.zeros(101, dtype=np.intp)
            words = f"judged in the {judged[curve]} cycle"
            told[side, name] = replace(one, strip=Verdict(nothing, words))
    return told


def _told(largest: tuple[Largest, ...], bands: Mapping[str, Band]) -> list[tuple[Word, str]]:
    """Return the findings that are pictured, in words."""
    names = {internal_name(name): name for name in bands}
    return [(one.word, largest_words(one, names[one.curve], bands)) for one in largest]


def largest_words(one: Largest, name: str, bands: Mapping[str, Band]) -> str:
    """Return a finding in words, such as ``Right knee less flexed``."""
    place = one.places[one.first]
    band = bands[name]
    normal = float(np.interp(place.peak_at, band.percent, band.mean))
    return finding_words(name, one.sides, place.difference, normal)


def bands_of(group: Group, norm: MatchedNorm | None) -> dict[str, Band]:
    """Return the bands that may stand behind the curves, under the names of the curves.

    A reference has internal moments in axes of the distal segment; external ones have the same
    numbers under the opposite words, those in other axes have none.
    """
    if norm is None:
        return {}
    options = group.trials[0].document["options"]
    if options["moments_in"] != "distal":
        return {n: band for n, band in norm.bands.items() if not key_of(n).is_moment}
    if options["convention"] == "internal":
        return norm.bands
    return {swapped_name(name) or name: band for name, band in norm.bands.items()}


def inverts(group: Group) -> bool:
    """Return whether the feet can show their inversion: three landmarks make a foot's roll."""
    feet = [
        one
        for trial in group.trials
        for one in trial.document["model"].get("rungs") or ()
        if one["place"] == "foot"
    ]
    return bool(feet) and all(len(one["landmarks"]) >= _OF_A_PLANE for one in feet)


def mean_of(group: Group, name: str, side: str) -> float | None:
    """Return the mean of a gait parameter over the cycles of a side."""
    values = values_of(group.trials, "gait_parameters", name, side)
    return fmean(values) if values else None


def events_of(group: Group, side: str) -> CycleEvents:
    """Return when things happen in the cycles of a side, means, %."""
    return CycleEvents(
        mean_of(group, "foot_off", side),
        mean_of(group, "opposite_foot_off", side),
        mean_of(group, "opposite_foot_strike", side),
    )


def leg_length(group: Group) -> float | None:
    """Return the mean leg length of the subject, m."""
    subject = group.trials[0].document["subject"]
    found = [(subject.get(side) or {}).get("leg_length_m") for side in SIDES]
    known = [length for length in found if length]
    return fmean(known) if known else None


def number_rows(group: Group, scores: GaitScores | None) -> tuple[NumberRow, ...]:
    """Return speed and step length, with scores GPS and GDI*, without them stance and cadence."""
    speed = {side: mean_of(group, "speed", side) for side in SIDES}
    step = {side: mean_of(group, "step_length", side) for side in SIDES}
    length = leg_length(group)
    known = [value for value in speed.values() if value is not None]
    free = expected_speed(length) if length else None
    step_norm = expected_step_length(length, fmean(known)) if length and known else None
    rows = [
        NumberRow("Speed", "m/s", 2, speed, free, _plus_minus(free, 2)),
        NumberRow("Step length", "m, at this speed", 2, step, step_norm, _plus_minus(step_norm, 2)),
    ]
    if scores is None:
        stance = {side: mean_of(group, "foot_off", side) for side in SIDES}
        cadence = {side: mean_of(group, "cadence", side) for side in SIDES}
        rows += [
            NumberRow("Stance", "% of the cycle", 0, stance, None),
            NumberRow("Cadence", "steps a minute", 0, cadence, None),
        ]
        return tuple(rows)
    gps = {side: scores.gps[side].value for side in SIDES}
    gdi = {side: scores.gdi_star[side].value for side in SIDES}
    rows += [
        NumberRow("GPS", "deg, low is good", 1, gps, HEALTHY_GPS, gps_words()),
        NumberRow("GDI*", "100 is the norm", 0, gdi, Expected(100.0, 10.0), "100 \u00b1 10"),
    ]
    return tuple(rows)


HEALTHY_GPS = Expected(GDI_STAR_A, GDI_STAR_B, log=True)
"""The GPS of healthy children is lognormal (:mod:`gaitdyn.metrics.scores`)."""


def gps_words() -> str:
    """Return the median of the GPS of healthy children and where one SD lies."""
    low, middle, high = (HEALTHY_GPS.at(k) for k in (-1, 0, 1))
    return f"{middle:.1f} ({low:.1f}\u2013{high:.1f})"


def _plus_minus(norm: Expected | None, digits: int) -> str:
    return "" if norm is None else f"{norm.mean:.{digits}f} \u00b1 {norm.sd:.{digits}f}"


def _headline(
    numbers: tuple[NumberRow, ...],
    findings: list[tuple[Word, str]],
    remarks: tuple[KneeAxisRemark, ...],
    means: Mapping[tuple[str, str], Array],
    *,
    scored: bool,
) -> tuple[str, str]:
    speed = numbers[0]
    known = [value for value in speed.values.values() if value is not None]
    z = speed.norm.z(fmean(known)) if speed.norm is not None and known else None
    if scored:
        gps = next(row.values for row in numbers if row.title == "GPS")
        return headline_words(gps, findings, z, remarks)
    _, warning = headline_words({}, (), None, remarks)
    apart = [(_NAMES[name], difference) for name, difference in asymmetries(means)]
    return headline_without_norm(speed.values, apart), warning


_NAMES = {
    "pelvis_angle_tilt": "pelvic tilt",
    "pelvis_angle_obliquity": "pelvic obliquity",
    "pelvis_angle_rotation": "pelvic rotation",
    "hip_angle_flexion": "hip flexion",
    "hip_angle_adduction": "hip adduction",
    "hip_angle_internal_rotation": "hip rotation",
    "knee_angle_flexion": "knee flexion",
    "ankle_angle_dorsiflexion": "ankle dorsiflexion",
    "foot_angle_progression": "foot progression",
}


def asymmetries(means: Mapping[tuple[str, str], Array]) -> list[tuple[str, float]]:
    """Return the angles by how far the sides differ: curve, largest difference, deg.

    At the same per cent of each side's own cycle.
    """
    found = []
    for name in VARIABLES:
        left, right = (means.get((side, name)) for side in SIDES)
        if left is None or right is None:
            continue
        apart = np.abs(left - right)
        if np.isfinite(apart).any():
            found.append((name, float(np.nanmax(apart))))
    return sorted(found, key=lambda pair: -pair[1])


def norm_scores(bands: Mapping[str, Band]) -> dict[str, float]:
    """Return what the people of a reference score against their own mean, deg.

    The root mean square over the cycle of the SD between people is the root mean square of their
    gait variable scores: no further data are needed.
    """
    found = {}
    for name in VARIABLES:
        if name in bands:
            sd = np.interp(PERCENT, bands[name].percent, bands[name].sd)
            found[name] = float(np.sqrt(np.mean(sd**2)))
    return found
