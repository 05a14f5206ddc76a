"""What changed since the first session, for a first screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.report.changed_curves import changed_curves
from gaitdyn.report.comparison import comparisons_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.finding import Finding
    from gaitdyn.report.report import Report

_REMEDY = "process "
"""What to do about a reason stands with the curves, one by one."""

_MOST = 3
"""Curves on a first screen; the others stand beside the compared panels."""


def since_lines(report: Report) -> tuple[str, ...]:
    """Return what changed since the first group; nothing of a single group or of two people.

    The GPS of the side that changed more, what was planned, the surest and largest changes, and how
    many curves are judged.

    Parameters
    ----------
    report : Report
    """
    compared = comparisons_of(report)
    if not compared or report.judgement.pairs[-1].whose.two:
        return ()
    one = compared[-1]  # the group that the page opens with
    side = next(s for s in one.sides if s.letter == one.opens)
    findings = report.judgement.pairs[-1].findings
    planned = [found.sentence for found in findings if found.planned]
    every = [found for found in findings if not found.planned]
    view = report.views[0]
    told, *_ = changed_curves(every, (view.kinematics, view.kinetics))
    lines = [curve.sided for curve in told[:_MOST]]
    return tuple(line for line in (side.headline, *planned, *lines, _counts(every)) if line)


def _counts(findings: Sequence[Finding]) -> str:
    """Return how many curves are judged and changed, and why none is."""
    words = [one.word for one in findings]
    judged = len(words) - words.count("not judged")
    if not judged:
        reasons = dict.fromkeys(one.reason.replace(" with this curve", "") for one in findings)
        return f"No curve could be judged: {_of_both(next(iter(reasons), 'none is in both'))}."
    chance = f" (about {max(1, round(judged / 20))} by chance)"
    found = [f"{n} {word}" for word in ("clear", "possible") if (n := words.count(word))]
    shown = f": {', '.join(found)}{chance}" if found else ": none is shown to have changed"
    return f"{judged} of {len(words)} curves judged{shown}."


def _of_both(reason: str) -> str:
    """Return a reason once that holds for both sessions.

    Examples
    --------
    >>> _of_both("first session: one stride; second session: one stride")
    'one stride, in both sessions'
    >>> _of_both("processed differently; process both sessions with one --model")
    'processed differently'
    """
    parts = [part for part in reason.split("; ") if not part.startswith(_REMEDY)]
    heads = ("first session: ", "second session: ")
    own = [[p.removeprefix(head) for p in parts if p.startswith(head)] for head in heads]
    if own[0] and own[0] == own[1]:
        return f"{'; '.join(own[0])}, in both sessions"
    return "; ".join(parts)
