"""The sentences of a first page: at most ten, size before certainty."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gaitdyn.judge.curves import curve_rules
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.changes.changed import Changes
    from gaitdyn.judge.finding import CurveFinding

MOST = 10
_MOST_REASONS = 3


def first_sentences(
    findings: Sequence[CurveFinding], lowered: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the most important sentences.

    Clear findings come first, the largest relative to chance at the top, then the planned ones,
    then the numbers of possible, not shown and not judged findings. Never "normal", never "no
    change". What lowers every finding is not said of each.
    """
    clear = [f for f in findings if f.word == "clear" and not f.planned]
    clear.sort(key=lambda f: -f.relative)
    planned = [own_sentence(f, lowered) for f in findings if f.planned]
    counts = _counts(findings)
    room = max(MOST - len(planned) - len(counts), 1)
    first = [f.sentence for f in clear[:room]]
    if len(clear) > room:
        first[-1] = f"{first[-1]} (and {len(clear) - room} more that are clear)"
    return tuple((*first, *planned, *counts)[:MOST])


def change_sentences(changes: Changes) -> tuple[str, ...]:
    """Return the most important sentences on two sessions; for two people only that they are."""
    check = changes.whose
    doubt = (check.sentence,) if check.differences else ()
    once = (changes.recorded_once,) if changes.recorded_once else ()
    return (
        doubt
        if check.two
        else (
            *once,
            *doubt,
            *lowered_sentences(changes),
            *first_sentences(changes.findings, changes.lowered),
        )
    )


def lowered_sentences(changes: Changes) -> tuple[str, ...]:
    """Return why no change between two sessions is called clear, if something lowers them all."""
    return tuple(f"no change is called clear: {reason}" for reason in changes.lowered)


def own_sentence(finding: CurveFinding, lowered: Sequence[str]) -> str:
    """Return the sentence on a planned change without the reasons that lower every change.

    What holds for both sessions is said once.

    Parameters
    ----------
    finding : CurveFinding
    lowered : sequence of str
        The reasons that the lines before it give.
    """
    if not finding.reason:
        return finding.sentence
    own = [part for part in finding.reason.split("; ") if part not in lowered]
    reason = both_times("; ".join(own))
    if not reason:
        return finding.sentence.replace(f"; {finding.reason}", "")
    return finding.sentence.replace(finding.reason, reason)


def both_times(reason: str) -> str:
    """Return a reason, stated once if it is that of both sessions or conditions.

    Examples
    --------
    >>> both_times("first session: one stride; second session: one stride")
    'one stride, both times'
    """
    parts = reason.split("; ")
    for kind in ("session", "condition"):
        heads = (f"first {kind}: ", f"second {kind}: ")
        first, second = ([p.removeprefix(h) for p in parts if p.startswith(h)] for h in heads)
        if first and first == second:
            others = (part for part in parts if not part.startswith(heads))
            return "; ".join((f"{'; '.join(first)}, both times", *others))
    return reason


def _side(finding: CurveFinding) -> str:
    """Return the side as the first word of a curve; nothing for a mean of both legs."""
    return "" if finding.side == "both" else f"{finding.side} "


def _counts(findings: Sequence[CurveFinding]) -> list[str]:
    """Return how many findings are possible, and how many not judged, in words."""
    unplanned = [f for f in findings if not f.planned]
    lines = []
    possible = [f for f in unplanned if f.word == "possible"]
    judged = sum(f.word != "not judged" for f in unplanned)
    if not any(f.word == "clear" for f in unplanned):
        clear = f"nothing is clear among {counted(judged, 'judged curve')}"
        lines.append(clear if judged else "nothing could be judged")
    if possible:
        titles = {rule.name: rule.title for rule in curve_rules()}
        names = ", ".join(f"{_side(f)}{titles[f.curve]}" for f in possible[:4])
        more = f" and {len(possible) - 4} more" if len(possible) > 4 else ""  # noqa: PLR2004
        lines.append(
            f"{len(possible)} possible of {judged} judged ({names}{more}); by chance, about 1"
            " curve in 20 is called so"
        )
    if not_judged := [f for f in unplanned if f.word == "not judged"]:
        by_reason = Counter(both_times(f.reason) for f in not_judged).most_common()
        told = "; ".join(f"{reason} ({count})" for reason, count in by_reason[:_MOST_REASONS])
        if len(by_reason) == 1:
            told = by_reason[0][0]
        elif len(by_reason) > _MOST_REASONS:
            told += f"; {counted(len(by_reason) - _MOST_REASONS, 'other reason')}"
        lines.append(f"{counted(len(not_judged), 'curve')} not judged: {told}")
    return lines
