"""The parts of the first screen: notices, numbers, findings and the lines of both sides."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.metrics.knee_axis import HIP, KNEE
from gaitdyn.plots.clinic.bars import MARKER_HEIGHT, MARKER_WIDTH, marker_drawing
from gaitdyn.plots.clinic.thumbs import HEIGHT, WIDTH, thumb_drawing
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.report.notices import Notice
from gaitdyn.report.numbers import decimal, shown, with_dashes
from gaitdyn.report.profile import angles_failed, angles_refused
from gaitdyn.report.side_reasons import (
    foremost,
    no_kinetics_words,
    reason_texts,
    reason_words,
    step_reasons,
    why_unknown,
)
from gaitdyn.report.strides import verdicts_of
from gaitdyn.report.two_sides import (
    LARGEST_WORDS,
    MOST,
    SIDES_WORDS,
    SideDifference,
    any_difference,
    no_difference_words,
    range_rows,
    side_differences,
)
from gaitdyn.report.view_numbers import NumberRow, age_of
from gaitdyn.report.view_words import asymmetries, largest_words
from gaitdyn.report.wording import size_words, unit_of
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.judge.largest import Largest
    from gaitdyn.plots.marks import Mark
    from gaitdyn.report.views import GroupView


@dataclass(frozen=True, slots=True, eq=False)
class ShownFinding:
    """One finding as it is shown.

    Attributes
    ----------
    name : str
        Of the curve.
    percent : int
        Where it is farthest from the norm.
    words, phase, peak : str
    word : str
        ``clear``, ``possible``, ``not shown`` or ``not judged``; empty without a norm.
    limit : str
        For a finding that is not shown: the smallest difference that would be.
    sizes : tuple of (letter, size, unit)
    tag : str
    marks : tuple of Mark
    """

    name: str
    percent: int
    words: str
    phase: str
    sizes: tuple[tuple[str, str, str], ...]
    peak: str
    word: str
    limit: str
    tag: str
    marks: tuple[Mark, ...]

    @property
    def svg(self) -> str:
        """The picture; its words are next to it."""
        return drawing_svg(self.marks, WIDTH, HEIGHT)


def shown_findings(view: GroupView, most: int = MOST) -> tuple[ShownFinding, ...]:
    """Return the pictured findings of a view; without a norm, differences of the sides.

    Parameters
    ----------
    view : GroupView
    most : int
    """
    if not view.usable:
        return ()
    if view.norm is None:
        return tuple(_side_finding(view, d) for d in side_differences(view, most))
    return tuple(_norm_finding(view, f, brief=most < MOST) for f in view.largest[:most])


def words_below(view: GroupView, most: int = MOST) -> str:
    """Return what must be known to read the list of findings, if anything."""
    if view.norm is None:
        if not view.usable or not asymmetries(view.pairs):
            return ""
        return f"{LARGEST_WORDS} {SIDES_WORDS}" if any_difference(view) else SIDES_WORDS
    listed = view.largest[:most]
    words = [_NOT_SHOWN] if any(finding.word == "not shown" for finding in listed) else []
    words += [_MORE] if len(view.largest) > len(listed) else []
    return " ".join(words)


_NOT_SHOWN = "Not shown: no larger than chance alone gives."
_MORE = "The largest alone; all curves are below, one by one."


_MOST_REASONS = 3
"""Reasons on the first screen why curves are not judged; the table below has all."""

_OF_BOTH = "pelvis_angle_tilt"
"""A curve without a side: it is its own mirror image."""


def question_words(view: GroupView) -> str:
    """Return what the sizes in the list of findings are."""
    if view.norm is None or question(view) == _FARTHEST:
        return "where each is largest"
    return "difference from the norm, where each is largest"


def question(view: GroupView) -> str:
    """Return the question that the list of findings answers."""
    if view.norm is None:
        return "How do the sides differ?"
    shown = any(finding.word in ("clear", "possible") for finding in view.largest)
    return "What is abnormal?" if shown or not view.largest else _FARTHEST


_FARTHEST = "What lies farthest from the norm?"


def _side_finding(view: GroupView, apart: SideDifference) -> ShownFinding:
    curves = [view.curves[side, apart.name] for side in SIDES]
    size = decimal(abs(apart.left - apart.right), 0)
    ends = f"L {decimal(apart.left, 0)}\u00b0, R {decimal(apart.right, 0)}\u00b0"
    doubtful = apart.name in (HIP, KNEE) and bool(view.remarks)
    words = f"{apart.words}, {with_dashes(apart.where)}"
    return ShownFinding(
        apart.name, apart.peak_at, apart.title, words, (("", size, "\u00b0"),), ends, "", "",
        "knee axis" if doubtful else "",
        tuple(thumb_drawing(curves, apart.spans, None)),
    )  # fmt: skip


def _norm_finding(view: GroupView, finding: Largest, *, brief: bool) -> ShownFinding:
    name, place = view.name_of(finding.curve), finding.places[finding.first]
    band = view.bands[name]
    doubtful = name in (HIP, KNEE) and any(r.side in finding.sides for r in view.remarks)
    unit = unit_of(name)
    sizes = tuple(
        ("" if finding.curve == _OF_BOTH else side[0].upper(), size_words(name, p.difference), unit)
        for side, p in zip(finding.sides, finding.places, strict=True)
    )
    sds = ", ".join(
        f"{abs(p.difference) / float(np.interp(p.peak_at, band.percent, band.sd)):.1f}"
        for p in finding.places
    )
    more = sum(len(f.places) - 1 for f in finding.findings if f.places)
    phase = with_dashes(place.where) + (f", and {more} more" if more else "")
    if finding.word in ("not shown", "not judged"):
        phase = _AROUND.sub("", place.where)
        phase = place.phase if brief and " to " in phase else phase
    limit = size_words(name, place.limit)
    if limit == size_words(name, place.difference):
        limit = decimal(place.limit, 1 if unit == "\u00b0" else 2)
    shown_from = f"shown from {limit}{unit}".replace(" ", "\u00a0")
    return ShownFinding(
        name, round(place.peak_at), largest_words(finding, name, view.bands), phase, sizes,
        f"{sds} SD", finding.word,
        shown_from if finding.word == "not shown" and not brief else "",
        "knee axis" if doubtful else "",
        tuple(
            thumb_drawing(
                [view.curves[side, name] for side in finding.sides], finding.spans, band,
            )
        ),
    )  # fmt: skip


_AROUND = re.compile(r"^(?:in|from|over the) | (?:at )?[0-9-]+ %$")
"""Words about the phases of a curve without a verdict that its picture tells, too."""


_NO_STRIDE_HAS_ALL = "No stride has all angles"


def no_finding_words(view: GroupView) -> str:
    """Return why there is no finding to picture."""
    if angles_refused(view):
        why = "The angles must not be used" if angles_failed(view) else _NO_STRIDE_HAS_ALL
        return f"{why}: no findings are listed."
    if not view.means:
        return "No complete stride is known, so nothing can be compared with a norm."
    sides = {line.side for line in view.side_lines if line.usable}
    if any(f.farthest is not None and f.side in sides for f in view.findings):
        return (
            "None lies 1 SD or more from the norm; knee varus and rotation are in the panels alone."
        )
    if view.bands:
        reasons = dict.fromkeys(finding.reason for finding in view.findings if finding.reason)
        return f"Nothing could be judged: {next(iter(reasons), 'no curve has a norm')}."
    if view.norm is not None:
        return f"{_without_bands(view)}."
    return no_difference_words(side_differences(view), view)


def _without_bands(view: GroupView) -> str:
    """Return why a given reference has no curve for this group."""
    if view.turning:
        return "Turning strides are not compared with straight walking"
    return "The norm lacks these curves"


def limit_lines(view: GroupView) -> list[str]:
    """Return what limits the verdicts on a first screen: age, counts, the reasons behind them."""
    if not view.others:
        return _limits(view)
    age = age_of(view.trials)
    words = f"Age {age:g} years, the norm is of {view.others}: a difference may be that of age."
    return [words, *_limits(view)]


def _limits(view: GroupView) -> list[str]:
    """Return how many curves are judged, and why others are not."""
    findings = view.findings
    if not findings:
        if view.bands:
            return ["No complete stride is known: nothing is judged."]
        why = "No norm of the curves is given" if view.norm is None else _without_bands(view)
        return [f"{why}: no curve is judged."]
    judged = [finding for finding in findings if finding.word != "not judged"]
    lines = []
    if judged:
        in_headline = {finding.word for finding in findings} == {"not shown", "not judged"}
        count = f"{len(judged)} of {len(findings)} curves judged; 1"
        lines.append(f"{'1 curve' if in_headline else count} in 20 is called possible by chance.")
    unjudged = [f.reason.split("; ") for f in findings if f.word == "not judged"]
    first = _counted(reason for reason, *_ in unjudged)
    others = _counted(reason for _, *more in unjudged for reason in more)
    lines += _unjudged_lines(first, others)
    lowered = _counted(f.reason for f in judged if f.reason and f.family == "angles")
    if lowered and view.usable:
        lines.append(f"Nothing above possible: {next(iter(lowered))}.")
    return lines


def _unjudged_lines(first: Counter[str], others: Counter[str]) -> list[str]:
    """Return how many curves are not judged and why, each curve once, and the next reason."""
    shown = first.most_common(_MOST_REASONS)
    second, more = next(iter(others.most_common(1)), ("", 0))
    shown.sort(key=lambda row: row[0] == second)  # the reason that others share comes last
    lines = [f"{counted(count, 'curve')} not judged: {reason}." for reason, count in shown]
    if second in dict(shown):
        lines[-1] = f"{lines[-1][:-1]}; also {more} of the others."
    elif second:
        lines.append(f"{more} of them also: {second}.")
    rest = first.total() - sum(count for _, count in shown)
    return [*lines, f"{counted(rest, 'curve')} not judged for other reasons."] if rest else lines


def _counted(reasons: Iterable[str]) -> Counter[str]:
    """Return how many curves have each reason; the same reason of both sides is one."""
    alike: dict[str, list[str]] = {}
    for reason in reasons:
        plural = reason.replace(" with this curve", "")
        alike.setdefault(_OF_A_SIDE.sub("the ", plural), []).append(plural)
    return Counter(
        {key if len(set(texts)) > 1 else texts[0]: len(texts) for key, texts in alike.items()}
    )


_OF_A_SIDE = re.compile(r"^the (?:left|right) (?=angles|moments)")


def number_cells(row: NumberRow) -> dict[str, str]:
    """Return the text of a number for each side."""
    return {side: shown(row.values.get(side), row.digits) for side in SIDES}


def numbered(view: GroupView) -> bool:
    """Return whether any of the four numbers is known."""
    return any(value is not None for row in view.numbers for value in row.values.values())


def number_svg(row: NumberRow) -> str:
    """Return a drawing of the numbers on their norm; empty without one."""
    if row.norm is None:
        return ""
    marks = marker_drawing(row.z_values)
    return drawing_svg(marks, MARKER_WIDTH, MARKER_HEIGHT)


def banners(view: GroupView) -> list[Notice]:
    """Return what must be read before anything else."""
    notices = list(view.notices)
    tasks = dict.fromkeys(t.document.get("task", WALKING) for t in view.trials)
    first, *more = view.trials
    drawn = "its curves are drawn over the time of the whole trial."
    drawn = f"the curves are those of {first.name}, over its whole time." if more else drawn
    if WALKING not in tasks:
        text = f"{'No trial is' if more else 'It is not'} cut into gait cycles: {drawn}"
        notices.append(Notice(f"{', '.join(tasks).capitalize()}, not walking", text))
        if not angles_refused(view):
            return notices
    if not view.usable and not angles_refused(view):
        return [*notices, Notice("No complete stride", f"{drawn[0].upper()}{drawn[1:]}")]
    if angles_refused(view):
        verdicts = [v for s in SIDES for v in verdicts_of(view.trials, s, "kinematics")]
        why = why_unknown(reason_texts(verdicts))
        text = f"Why: {foremost(why)}." if why else "No complete stride is in the recording."
        title = "Do not use the angles" if angles_failed(view) else _NO_STRIDE_HAS_ALL
        return [*notices, Notice(title, text)]
    if not view.has_loads or not any(line.moments for line in view.side_lines):
        unaffected = "Angles and timing" if view.scores is None else "Angles, timing and scores"
        notices.append(Notice("No moments and powers", f"{why_no_loads(view)} {unaffected} stand."))
    return notices


def shown_ranges(view: GroupView) -> list[tuple[str, ...]]:
    """Return the ranges of the angles, unless the angles must not be used."""
    return [] if angles_refused(view) else range_rows(view)


_WRONG_MASS = "mass-differs"
"""With a wrong mass a step on the plates looks like one partly off them: its load is too low."""


def why_no_loads(view: GroupView) -> str:
    """Return one sentence on why no step was used, the most frequent reasons first."""
    if words := no_kinetics_words(view.trials):
        return f"{words[0].upper()}{words[1:]}."
    reasons = step_reasons(view.trials)
    if any(row["code"] == _WRONG_MASS for t in view.trials for row in t.tables["quality"]):
        reasons = [reason_words()[_WRONG_MASS]]
    return f"No clean plate step: {', '.join(reasons)}." if reasons else "No clean plate step."
