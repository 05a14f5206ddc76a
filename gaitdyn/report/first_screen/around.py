"""The parts of the first screen around its findings: notices, numbers and what limits verdicts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from gaitdyn.judge.way import not_ahead
from gaitdyn.metrics.norms.ages import fitting_set, people_words
from gaitdyn.plots.clinic.bars import MARKER_HEIGHT, MARKER_WIDTH, marker_drawing
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.quality.plain_words import reason_words
from gaitdyn.quality.rules.balance.loads import MASS
from gaitdyn.quality.verdicts import NO_KINEMATICS
from gaitdyn.report.first_screen.around_findings import NO_STRIDE_HAS_ALL, without_bands
from gaitdyn.report.first_screen.notices import Notice
from gaitdyn.report.first_screen.numbers import NumberRow, age_of
from gaitdyn.report.first_screen.profile import angles_failed, angles_refused, muscles_alone
from gaitdyn.report.first_screen.side_reasons import (
    foremost,
    no_kinetics_words,
    reason_texts,
    step_reasons,
    why_unknown,
)
from gaitdyn.report.first_screen.two_sides import range_rows
from gaitdyn.report.numbers import shown
from gaitdyn.report.strides import verdicts_of
from gaitdyn.report.views import GroupView
from gaitdyn.store.headings import turning_loads
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING
from gaitdyn.types.words import counted

_MOST_REASONS = 3
"""Reasons on the first screen why curves are not judged; the table below has all."""


def limit_lines(view: GroupView, *, brief: bool = False) -> list[str]:
    """Return what limits the verdicts: age, condition, counts, the reasons behind them.

    If ``brief``, the first line alone, with the number of all curves not judged.
    """
    lines = _limits(view, brief=brief)
    if view.norm is not None:
        age, norm = age_of(view.trials), view.norm.norm
        lines.insert(0, _condition_words(view.trials, norm.conditions))
        if view.others:
            of = f"Age {age:g} years, the norm is of {view.others}"
            lines.insert(0, f"{of}: a difference may be due to age.")
        elif age is None and (whose := people_words(norm)):
            lines.append(f"Age not given: the norm is of {whose}.")
    found = [line for line in lines if line]
    return found[:1] if brief else found


def _condition_words(trials: Sequence[StoredTrial], theirs: Sequence[str]) -> str:
    """Return a sentence if the people of the norm walked otherwise, such as without shoes."""
    ours = {trial.condition.casefold() for trial in trials}
    if not theirs or ours <= {name.casefold() for name in theirs}:
        return ""
    walked = "another" if all(ours) else "not given"
    return (
        f"The condition of the norm is {' and '.join(theirs)}, that of this walk is {walked}:"
        " a difference may be due to it."
    )


def _limits(view: GroupView, *, brief: bool) -> list[str]:
    """Return how many curves are judged, and why others are not."""
    findings = view.findings
    if not findings:
        if view.bands:
            return ["No complete stride is known: nothing is judged."]
        why = "No norm of the curves is given" if view.norm is None else without_bands(view)
        return [f"{why}: no curve is judged.", *_fitting_norm(view)]
    judged = [finding for finding in findings if finding.word != "not judged"]
    by_chance = "chance, about 1 healthy curve in 20 is called possible."
    in_headline = {finding.word for finding in findings} == {"not shown", "not judged"}
    count = f"{len(judged)} of {len(findings)} curves judged; by"
    lines = [f"{count} {by_chance}"] if judged and not in_headline else []
    unjudged = [f.reason.split("; ") for f in findings if f.word == "not judged"]
    first = _counted(reason for reason, *_ in unjudged)
    others = _counted(reason for _, *more in unjudged for reason in more)
    lines += _unjudged_lines(first, others, alone=brief)
    lowered = _counted(f.reason for f in judged if f.reason and f.family == "angles")
    if lowered and view.usable:
        lines.append(f"No verdict above possible: {next(iter(lowered))}.")
    return [*lines, f"By {by_chance}"] if judged and in_headline else lines


def _fitting_norm(view: GroupView) -> list[str]:
    """Return which shipped set can be named, if none is and one fits the age."""
    tasks = {trial.document.get("task", WALKING) for trial in view.trials}
    if view.norm is not None or tasks != {WALKING} or not_ahead(view.trials):
        return []
    fits = fitting_set([trial.document["subject"].get("age_years") for trial in view.trials])
    return [f"{fits[0].upper()}{fits[1:]}."] if fits else []


def _unjudged_lines(first: Counter[str], others: Counter[str], *, alone: bool) -> list[str]:
    """Return how many curves are not judged and why, each curve once, and the next reason.

    If the first line stands ``alone``, it has the number of all of them.
    """
    shown = first.most_common(_MOST_REASONS)
    second, more = next(iter(others.most_common(1)), ("", 0))
    shown.sort(key=lambda row: row[0] == second)  # the reason that others share comes last
    lines = [f"{counted(count, 'curve')} not judged: {reason}." for reason, count in shown]
    if alone and shown and (count := shown[0][1]) < first.total():
        lines[0] = f"{first.total()} curves not judged, {count} of them: {shown[0][0]}."
    if second in dict(shown):
        lines[-1] = f"{lines[-1][:-1]}; also {more} of the others."
    if rest := first.total() - sum(count for _, count in shown):
        lines.append(f"{counted(rest, 'curve')} not judged for other reasons.")
    if second and second not in dict(shown):
        lines.append(f"{more} of these {first.total()} also: {second}.")
    return lines


def _counted(reasons: Iterable[str]) -> Counter[str]:
    """Return how many curves have each reason; the same reason of both sides is one."""
    alike: dict[str, list[str]] = {}
    for reason in reasons:
        alike.setdefault(_OF_A_SIDE.sub("the ", reason), []).append(reason)
    found: Counter[str] = Counter()
    for key, texts in alike.items():
        words = key if len(set(texts)) > 1 else texts[0]
        found[words.replace("with this curve", _WITH[len(texts) > 1])] = len(texts)
    return found


_WITH = "with it", "with them"
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
    if muscles_alone(view):
        text = f"There are no angles, moments and powers: {reason_words()[NO_KINEMATICS]}."
        return [*notices, Notice("Electromyography only", text, "")]
    first, *more = view.trials
    drawn = "its curves are drawn over the time of the whole trial."
    drawn = f"the curves are those of {first.name}, over its whole time." if more else drawn
    seen = "" if angles_refused(view) else f" {_shown_over_time(view)}"
    if WALKING not in tasks:
        text = f"{'No trial is' if more else 'It is not'} cut into gait cycles: {drawn}{seen}"
        notices.append(Notice(f"{', '.join(tasks).capitalize()}, not walking", text, ""))
    elif seen and not view.usable:
        text = f"{drawn[0].upper()}{drawn[1:]}{seen}"
        notices.append(Notice("No complete stride", text, ""))
    if seen and not view.usable:
        return notices
    if angles_refused(view):
        verdicts = [v for s in SIDES for v in verdicts_of(view.trials, s, "kinematics")]
        why = why_unknown(reason_texts(verdicts))
        text = f"Why: {foremost(why)}." if why else "No complete stride is in the recording."
        title = "Do not use the angles" if angles_failed(view) else NO_STRIDE_HAS_ALL
        return [*notices, Notice(title, text)]
    notices += _wrong_masses(view)
    if not view.has_loads or not any(line.moments for line in view.side_lines):
        unaffected = "Angles and timing" if view.scores is None else "Angles, timing and scores"
        notices.append(
            Notice("No moments and powers", f"{why_no_loads(view)} {unaffected} are not affected.")
        )
    return notices


_FAR_OFF = 0.25
"""Share of the body weight from which no load per kg is worth reading."""


def _wrong_masses(view: GroupView) -> list[Notice]:
    """Return a notice if the plates carry far more than the mass, or a mass that a file states.

    With an aid, or a foot beside the plates, they carry less than any stated mass.
    """
    told = [
        str(row["message"])
        for trial in view.trials
        for row in trial.tables["quality"]
        if row["code"] == "force-against-mass" and float(row.get("value") or 0.0) >= _FAR_OFF
        if row["scope"] in ("plates", MASS)
    ]
    text = f"{told[0][0].upper()}{told[0][1:]}. Loads per kg are wrong by as much." if told else ""
    return [Notice("Check the body mass first", text)] if told and view.has_loads else []


def _shown_over_time(view: GroupView) -> str:
    """Return what a page without strides shows, and what it cannot."""
    shown = "angles, moments and powers" if view.has_loads else "angles without moments"
    return f"Shown: {shown}. Without gait cycles there are no scores, norms, findings or timing."


def shown_ranges(view: GroupView) -> list[tuple[str, ...]]:
    """Return the ranges of the angles, unless the angles must not be used."""
    return [] if angles_refused(view) else range_rows(view)


_CAUSES = ("assigned-astray", "mass-differs")
"""What makes a good step look bad: the force of another foot, or a wrong mass, with which its load
is too low for a whole foot on the plates."""


def why_no_loads(view: GroupView) -> str:
    """Return one sentence on why no step was used, the most frequent reasons first."""
    if words := no_kinetics_words(view.trials):
        return f"{words[0].upper()}{words[1:]}."
    if turning_loads(view.trials):
        return "Only strides that turn have moments."
    reasons = step_reasons(view.trials)
    codes = {row["code"] for trial in view.trials for row in trial.tables["quality"]}
    reasons = [reason_words()[code] for code in _CAUSES if code in codes][:1] or reasons
    return f"No clean plate step: {', '.join(reasons)}." if reasons else "No clean plate step."
