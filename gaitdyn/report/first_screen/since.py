"""What changed since the first session, in words."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.judge.finding import CurveFinding
from gaitdyn.judge.first_page import both_times, lowered_sentences, own_sentence
from gaitdyn.report.compared.changed_curves import changed_curves
from gaitdyn.report.compared.comparison import comparisons_of
from gaitdyn.report.first_screen.wording import internal_told
from gaitdyn.report.numbers import with_dashes
from gaitdyn.report.report import Report
from gaitdyn.types.subject import SIDES

_REMEDY = "process "
"""Begins the advice in a reason; it is given with each curve instead."""
_MOST = 3
"""Curves on a first screen; the others are listed next to the compared panels."""


def since_lines(report: Report) -> tuple[str, ...]:
    """Return what changed to the group that the page opens with; empty if it is not compared.

    It is not if it is the only one, or of another person than those before it.

    The lines are why none is clear if the visits say so, the GPS of both sides, that which changed
    more first, the planned changes, the most certain and largest other changes, and how many curves
    are judged.
    """
    if not report.judgement.pairs or report.judgement.pairs[-1].whose.two:
        return ()
    comparison = comparisons_of(report)[-1]
    sides = sorted(comparison.sides, key=lambda s: s.letter != comparison.opens)
    findings = report.judgement.pairs[-1].findings
    lowered = lowered_sentences(report.judgement.pairs[-1])
    unplanned = [finding for finding in findings if not finding.planned]
    view = report.views[0]
    told = internal_told if view.external else str
    planned = [finding for finding in findings if finding.planned]
    sentences = [
        told(with_dashes(own_sentence(f, report.judgement.pairs[-1].lowered))) for f in planned
    ]
    others = [finding for finding in unplanned if not _is_told(finding, planned)]
    changed, *_ = changed_curves(others, (view.kinematics, view.kinetics))
    lines = [curve.sided for curve in changed[:_MOST]]
    gps = _of_both_sides([side.headline for side in sides if side.headline])
    return tuple(line for line in (*lowered, gps, *sentences, *lines, _counts(unplanned)) if line)


def _is_told(finding: CurveFinding, planned: Sequence[CurveFinding]) -> bool:
    """Return whether a planned change says of the same curve and place what a finding says."""
    return any(
        (plan.side, plan.curve, plan.word) == (finding.side, finding.curve, finding.word)
        and any(
            place.start <= at.peak_at <= place.end
            for place in plan.places[:1]
            for at in finding.places[:1]
        )
        for plan in planned
    )


def _of_both_sides(headlines: Sequence[str]) -> str:
    """Return the GPS of both sides; what holds for both is said once.

    Examples
    --------
    >>> _of_both_sides(["Left: GPS 3 to 3: little.", "Right: GPS 4 to 4: little."])
    'Left: GPS 3 to 3; right: GPS 4 to 4: little.'
    >>> _of_both_sides(["Left: GPS 3 to 9: enough.", "Right: GPS 4 to 4: little."])
    'Left: GPS 3 to 9: enough. Right: GPS 4 to 4: little.'
    """
    parts = [line.split(": ", 2) for line in headlines]
    if len(parts) < len(SIDES) or len({words for *_, words in parts}) > 1:
        return " ".join(headlines)
    (side, first, words), (other, second, _) = parts
    return f"{side}: {first}; {other.lower()}: {second}: {words}"


def _counts(findings: Sequence[CurveFinding]) -> str:
    """Return how many curves are judged and changed, or why none is judged."""
    words = [finding.word for finding in findings]
    judged = len(words) - words.count("not judged")
    if not judged:
        reason = findings[0].reason.replace(" with this curve", "") if findings else ""
        parts = [part for part in reason.split("; ") if not part.startswith(_REMEDY)]
        why = both_times("; ".join(parts)) if findings else "none is in both"
        return f"No curve could be judged: {why}."
    counts = [f"{n} {word}" for word in ("clear", "possible") if (n := words.count(word))]
    shown = (
        f": {', '.join(counts)} (by chance, 1 in 20)"
        if counts
        else ": none is shown to have changed"
    )
    return f"{judged} of {len(words)} curves judged{shown}."
