"""The first screen in pieces: numbers, findings, lines of both sides, what stands above them."""

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
from gaitdyn.report.contents import DASH, decimal
from gaitdyn.report.notices import Notice
from gaitdyn.report.profile import angles_refused
from gaitdyn.report.side_lines import reason_words, step_reasons, told_reasons
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
from gaitdyn.report.view_words import asymmetries, largest_words
from gaitdyn.report.wording import size_words, unit_of
from gaitdyn.store.headings import turns
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.judge.largest import Largest
    from gaitdyn.plots.marks import Mark
    from gaitdyn.report.view_numbers import NumberRow
    from gaitdyn.report.views import GroupView


@dataclass(frozen=True, slots=True, eq=False)
class ShownFinding:
    """One finding as it is put down.

    Attributes
    ----------
    name : str
        Of the curve.
    percent : int
        Where it is farthest out.
    words, phase, peak : str
    word : str
        ``clear``, ``possible``, ``not shown`` or ``not judged``; empty without a norm.
    limit : str
        Of what is not shown: the smallest difference that would have been.
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
        """The picture; its words stand beside it."""
        return drawing_svg(self.marks, WIDTH, HEIGHT)


def shown_findings(view: GroupView, most: int = MOST) -> tuple[ShownFinding, ...]:
    """Return the findings of a view that are pictured; without a norm where the sides differ.

    Parameters
    ----------
    view : GroupView
    most : int
    """
    if not view.usable:
        return ()
    if view.norm is None:
        return tuple(_apart(view, one) for one in side_differences(view, most))
    return tuple(_shown(view, one, brief=most < MOST) for one in view.largest[:most])


def words_below(view: GroupView, most: int = MOST) -> str:
    """Return what must be known to read the list of findings; empty where nothing must."""
    if view.norm is None:
        if not view.usable or not asymmetries(view.means):
            return ""
        return f"{LARGEST_WORDS} {SIDES_WORDS}" if any_difference(view) else SIDES_WORDS
    first = view.largest[:most]
    words = [_NOT_SHOWN] if any(one.word == "not shown" for one in first) else []
    words += [_MORE] if len(view.largest) > len(first) else []
    return " ".join(words)


_NOT_SHOWN = "Not shown: no larger than chance makes it."
_MORE = "The largest alone; all curves stand below, one by one."


_MOST_REASONS = 3
"""Why curves are not judged, on the first screen; the table below has them all."""

_OF_BOTH = "pelvis_angle_tilt"
"""It has no side: its mirror is itself."""


def question_words(view: GroupView) -> str:
    """Return what the numbers of the list of findings are."""
    if view.norm is None or question(view) == _FARTHEST:
        return "where each is largest"
    return "difference from the norm, where each is largest"


def question(view: GroupView) -> str:
    """Return what the list of findings answers."""
    if view.norm is None:
        return "How do the sides differ?"
    shown = any(one.word in ("clear", "possible") for one in view.largest)
    return "What is abnormal?" if shown or not view.largest else _FARTHEST


_FARTHEST = "What lies farthest from the norm?"


def _apart(view: GroupView, one: SideDifference) -> ShownFinding:
    shown = [view.curves[side, one.name] for side in SIDES]
    size = decimal(abs(one.left - one.right), 0)
    ends = f"L {decimal(one.left, 0)}\u00b0, R {decimal(one.right, 0)}\u00b0"
    doubtful = one.name in (HIP, KNEE) and bool(view.remarks)
    words = f"{one.words}, {one.where}"
    return ShownFinding(
        one.name, one.peak_at, one.title, words, (("", size, "\u00b0"),), ends, "", "",
        "knee axis" if doubtful else "",
        tuple(thumb_drawing(shown, [(one.start, one.end)] * len(shown), None)),
    )  # fmt: skip


def _shown(view: GroupView, one: Largest, *, brief: bool) -> ShownFinding:
    name, place = view.name_of(one.curve), one.places[one.first]
    band = view.bands[name]
    doubtful = name in (HIP, KNEE) and any(r.side in one.sides for r in view.remarks)
    unit = unit_of(name)
    sizes = tuple(
        ("" if one.curve == _OF_BOTH else side[0].upper(), size_words(name, p.difference), unit)
        for side, p in zip(one.sides, one.places, strict=True)
    )
    sds = ", ".join(
        f"{abs(p.difference) / float(np.interp(p.peak_at, band.percent, band.sd)):.1f}"
        for p in one.places
    )
    more = sum(len(found.places) - 1 for found in one.findings if found.places)
    phase = f"{place.where}, and {more} more" if more else place.where
    finer = size_words(name, place.limit) == size_words(name, place.difference)
    limit = (
        decimal(place.limit, 1 if unit == "\u00b0" else 2)
        if finer
        else size_words(name, place.limit)
    )
    seen = f"shown from\u00a0{limit}{unit}"
    if one.word == "not shown" and place.phase:
        phase = place.phase
    return ShownFinding(
        name, round(place.peak_at), largest_words(one, name, view.bands), phase, sizes,
        f"{sds} SD", one.word, seen if one.word == "not shown" and not brief else "",
        "knee axis" if doubtful else "",
        tuple(
            thumb_drawing(
                [view.curves[side, name] for side in one.sides],
                [(p.start, p.end) for p in one.places], band,
            )
        ),
    )  # fmt: skip


def no_finding_words(view: GroupView) -> str:
    """Return why there is no finding to picture."""
    if not view.means:
        return "No complete stride is known, so nothing can be held against a norm."
    if not view.usable:
        return "The angles are not to be used: nothing is told of them."
    if view.bands:
        reasons = dict.fromkeys(one.reason for one in view.findings if one.reason)
        return f"Nothing could be judged: {next(iter(reasons), 'no curve has a norm')}."
    if view.norm is not None:
        return f"{_without_bands(view)}."
    return no_difference_words(side_differences(view), view)


def _without_bands(view: GroupView) -> str:
    """Return why a reference that is given has no curve for this group."""
    if any(turns(trial) for trial in view.trials):
        return "Strides that turn are held against no straight walking"
    return "The norm lacks these curves"


def limit_lines(view: GroupView) -> list[str]:
    """Return what limits the verdicts on a first screen: counts, and the reasons behind them."""
    found = view.findings
    if not found:
        if view.bands:
            return ["No complete stride is known: nothing is judged."]
        why = "No norm of the curves is given" if view.norm is None else _without_bands(view)
        return [f"{why}: no curve is judged."]
    judged = [one for one in found if one.word != "not judged"]
    lines = []
    if judged:
        chance = max(1, round(len(judged) / 20))
        in_headline = {one.word for one in found} == {"not shown", "not judged"}
        count = f"{len(judged)} of {len(found)} curves judged; about {chance}"
        head = f"About {chance} of them" if in_headline else count
        lines.append(f"{head} possible by chance.")
    unjudged = [one.reason.split("; ") for one in found if one.word == "not judged"]
    why = _counted(first for first, *_ in unjudged)
    also = _counted(reason for _, *more in unjudged for reason in more)
    lines += _unjudged_lines(why, also)
    lowered = _counted(one.reason for one in judged if one.reason and one.family == "angles")
    told = list(lowered)[:1] if view.usable else []
    lines += [f"No more than possible: {reason}." for reason in told]
    return lines


def _unjudged_lines(why: Counter[str], also: Counter[str]) -> list[str]:
    """Return how many curves are not judged and why, all counted once, and the next reason."""
    shown = why.most_common(_MOST_REASONS)
    second, more = next(iter(also.most_common(1)), ("", 0))
    shown.sort(key=lambda one: one[0] == second)  # what is said of others, too, comes last
    lines = [f"{counted(count, 'curve')} not judged: {reason}." for reason, count in shown]
    if second in dict(shown):
        lines[-1] = f"{lines[-1][:-1]}; so with {more} of the others."
    elif second:
        lines.append(f"{more} of them also: {second}.")
    rest = why.total() - sum(count for _, count in shown)
    return [*lines, f"{counted(rest, 'curve')} not judged for other reasons."] if rest else lines


def _counted(reasons: Iterable[str]) -> Counter[str]:
    """Return how many curves have a reason, told of many: what holds for both sides is one."""
    alike: dict[str, list[str]] = {}
    for reason in reasons:
        many = reason.replace(" with this curve", "")
        alike.setdefault(_OF_A_SIDE.sub("the ", many), []).append(many)
    return Counter({key if len(set(own)) > 1 else own[0]: len(own) for key, own in alike.items()})


_OF_A_SIDE = re.compile(r"^the (?:left|right) (?=angles|moments)")


def number_cells(row: NumberRow) -> dict[str, str]:
    """Return a number of each side in words."""
    return {
        side: DASH if value is None else decimal(value, row.digits)
        for side, value in ((s, row.values.get(s)) for s in SIDES)
    }


def numbered(view: GroupView) -> bool:
    """Return whether any of the four numbers is known."""
    return any(value is not None for row in view.numbers for value in row.values.values())


def number_svg(row: NumberRow) -> str:
    """Return where the numbers lie on their norm; nothing without one."""
    if row.norm is None:
        return ""
    marks = marker_drawing(row.z_values)
    return drawing_svg(marks, MARKER_WIDTH, MARKER_HEIGHT)


def banners(view: GroupView) -> list[Notice]:
    """Return what must be read before anything else."""
    found = list(view.notices)
    tasks = dict.fromkeys(t.document.get("task", WALKING) for t in view.trials)
    if WALKING not in tasks:
        text = "It has no gait cycle: its curves are drawn over the time of the whole trial."
        found.append(Notice(f"{', '.join(tasks).capitalize()}, not walking", text))
        if not angles_refused(view):
            return found
    if not view.usable and not angles_refused(view):
        text = "Its curves are drawn over the time of the whole trial."
        return [*found, Notice("No complete stride", text)]
    if angles_refused(view):
        verdicts = [v for t in view.trials for v in t.document.get("verdicts") or []]
        why = told_reasons([v for v in verdicts if v["quantity"] == "kinematics"])
        text = f"Why: {', '.join(why)}." if why else "No complete stride is in the recording."
        return [*found, Notice("Do not use the angles", text)]
    if not view.has_loads or not any(one.moments for one in view.side_lines):
        stand = "Angles and timing" if view.scores is None else "Angles, timing and scores"
        found.append(Notice("No moments and powers", f"{why_no_loads(view)} {stand} stand."))
    return found


def shown_ranges(view: GroupView) -> list[tuple[str, ...]]:
    """Return the ranges of the angles, unless none is to be used."""
    return [] if angles_refused(view) else range_rows(view)


_WRONG_MASS = "mass-differs"
"""With it a step on the plates looks like one beside them, which carries too little."""


def why_no_loads(view: GroupView) -> str:
    """Return one sentence: what the steps lacked, the most frequent reasons first."""
    known = reason_words()
    ranked = step_reasons(view.trials)
    told = [str(trial.document.get("kinetics") or "") for trial in view.trials]
    if all(words != "computed" for words in told):
        words = known["no-mass"] if "mass" in told[0] else known["no-plates"]
        return f"{words[0].upper()}{words[1:]}."
    if any(row["code"] == _WRONG_MASS for t in view.trials for row in t.tables["quality"]):
        ranked = [known[_WRONG_MASS]]
    return f"No clean plate step: {', '.join(ranked)}." if ranked else "No clean plate step."
