"""The words above and below a list of pictured findings, or in place of it."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.judge.largest import Largest, set_aside
from gaitdyn.report.first_screen.profile import angles_failed, angles_refused, muscles_alone
from gaitdyn.report.first_screen.spoken_of import asymmetries
from gaitdyn.report.first_screen.two_sides import (
    LARGEST_WORDS,
    MOST,
    SIDES_WORDS,
    any_difference,
    no_difference_words,
    side_differences,
)
from gaitdyn.report.views import GroupView


def words_below(view: GroupView, most: int = MOST, rest: str = "below") -> str:
    """Return what must be known to read the list of findings, if anything.

    ``rest`` says where all curves are.
    """
    if view.norm is None:
        if not view.usable or not asymmetries(view.pairs):
            return ""
        return f"{LARGEST_WORDS} {SIDES_WORDS}" if any_difference(view) else SIDES_WORDS
    listed = view.largest[:most]
    words = [_NOT_SHOWN] if any(finding.word == "not shown" for finding in listed) else []
    words += [_AXIS_LAST] if set_aside(listed, view.doubted) else []
    words += [more] if (more := _unlisted_words(view, listed, rest)) else []
    return " ".join(words)


def numbers_outside(view: GroupView) -> str:
    """Return in words which of speed and step length are far from their norm; empty if none is.

    The list is of curves alone: a step 3 SD short stood beside its norm without a word.
    """
    told = []
    for row in view.numbers:
        far = {side: z for side, z in row.z_values.items() if z is not None and abs(z) > _FAR_SD}
        if row.title not in _COMPARED or not far:
            continue
        words = _COMPARED[row.title]
        by_word: dict[str, list[str]] = {}
        for side, z in far.items():
            by_word.setdefault(words[z > 0], []).append(f"{side[0].upper()} {abs(z):.1f}")
        sizes = [f"{', '.join(sides)} SD {word}" for word, sides in by_word.items()]
        told.append(f"{row.title} outside its norm: {'; '.join(sizes)}.")
    return " ".join(told)


_FAR_SD = 2.0
_COMPARED = {"Speed": ("slower", "faster"), "Step length": ("shorter", "longer")}


def _unlisted_words(view: GroupView, listed: Sequence[Largest], rest: str) -> str:
    """Return how many curves are clear or possible beside those listed, or that there are others.

    A list that is full says nothing of the rest by itself.
    """
    shown = {(side, one.curve) for one in listed for side in one.sides}
    found = [f.word for f in view.listable if (f.side, f.curve) not in shown]
    counts = [(word, found.count(word)) for word in ("clear", "possible") if word in found]
    if counts:
        words = " and ".join(f"{word} in {count}" for word, count in counts)
        more = f"{words} more curve{'s' * (counts[-1][1] > 1)}, not pictured here"
        return f"{more[0].upper()}{more[1:]}; all curves are {rest}, one by one."
    more = len(view.largest) > len(listed)
    return f"Only the largest; all curves are {rest}, one by one." if more else ""


_AXIS_LAST = "What is marked knee axis is in doubt: it stands below the others of its verdict."
_NOT_SHOWN = "Not shown: no larger than chance alone gives."


def question_words(view: GroupView) -> str:
    """Return what the sizes in the list of findings are."""
    if view.norm is None or question(view) == _FARTHEST:
        return "where each is largest" if view.norm is None else f"difference, {_OUTSIDE}"
    return f"difference from the norm, {_OUTSIDE}"


def question(view: GroupView) -> str:
    """Return the question that the list of findings answers."""
    if view.norm is None:
        return "How do the sides differ?"
    shown = any(finding.word in ("clear", "possible") for finding in view.largest)
    return "What is abnormal?" if shown or not view.largest else _FARTHEST


_FARTHEST = "What lies farthest from the norm?"
_OUTSIDE = "where it is farthest outside"
"""Relative to its spread, which may be less where the difference is larger."""

NO_STRIDE_HAS_ALL = "No stride has all angles"


def no_finding_words(view: GroupView) -> str:
    """Return why there is no finding to picture."""
    if angles_refused(view):
        why = "The angles must not be used" if angles_failed(view) else NO_STRIDE_HAS_ALL
        why = "Electromyography only" if muscles_alone(view) else why
        return f"{why}: no findings are listed."
    if not view.means:
        return "No complete stride is known, so nothing can be compared with a norm."
    sides = {line.side for line in view.side_lines if line.usable}
    if any(f.farthest is not None and f.side in sides for f in view.findings):
        return (
            "None lies 1 SD or more from the norm; knee adduction and rotation are in the panels"
            " alone."
        )
    if view.bands:
        reasons = dict.fromkeys(finding.reason for finding in view.findings if finding.reason)
        return f"Nothing could be judged: {next(iter(reasons), 'no curve has a norm')}."
    if view.norm is not None:
        return f"{without_bands(view)}."
    return no_difference_words(side_differences(view), view)


def without_bands(view: GroupView) -> str:
    """Return why a given reference has no curve for this group."""
    if view.turning:
        return "Turning strides are not compared with straight walking"
    if view.norm is not None and (why := view.norm.refused):
        return f"{why[0].upper()}{why[1:]}"
    return "The norm lacks these curves"
