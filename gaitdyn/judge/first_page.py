"""The sentences of a first page: at most ten, size before certainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.judge.curves import curve_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.changed import Changes
    from gaitdyn.judge.finding import CurveFinding

MOST = 10


def first_sentences(findings: Sequence[CurveFinding], most: int = MOST) -> tuple[str, ...]:
    """Return what a reader must see first.

    Clear findings, the largest against what chance makes first, then what was planned, then how
    many are possible, what was not shown and not judged, by number. Never "normal", never "no
    change".

    Parameters
    ----------
    findings : sequence of CurveFinding
    most : int
        Sentences.

    Returns
    -------
    tuple of str
    """
    clear = [one for one in findings if one.word == "clear" and not one.planned]
    clear.sort(key=lambda one: -one.relative)
    planned = [one.sentence for one in findings if one.planned]
    counts = _counts(findings)
    room = max(most - len(planned) - len(counts), 1)
    told = [one.sentence for one in clear[:room]]
    if len(clear) > room:
        told[-1] = f"{told[-1]} (and {len(clear) - room} more that are clear: see the table)"
    return tuple((*told, *planned, *counts)[:most])


def change_sentences(found: Changes) -> tuple[str, ...]:
    """Return what a reader must see first of two sessions: of two people that alone.

    Parameters
    ----------
    found : Changes

    Returns
    -------
    tuple of str
    """
    whose = (found.whose.sentence,) if found.whose.told else ()
    return whose if found.whose.two else (*whose, *first_sentences(found.findings))


def _counts(findings: Sequence[CurveFinding]) -> list[str]:
    every = [one for one in findings if not one.planned]
    lines = []
    possible = [one for one in every if one.word == "possible"]
    judged = sum(one.word != "not judged" for one in every)
    if not any(one.word == "clear" for one in every):
        lines.append("nothing is clear" if judged else "nothing could be judged")
    if possible:
        titles = {rule.name: rule.title for rule in curve_rules()}
        names = ", ".join(f"{one.side} {titles[one.curve]}" for one in possible[:4])
        more = f" and {len(possible) - 4} more" if len(possible) > 4 else ""  # noqa: PLR2004
        chance = max(1, round(judged / 20))
        lines.append(
            f"{len(possible)} possible of {judged} judged ({names}{more}); about {chance} would be"
            " so by chance"
        )
    not_judged = [one for one in every if one.word == "not judged"]
    if not_judged:
        reasons = list(dict.fromkeys(one.reason for one in not_judged))
        rest = f"; {len(reasons) - 1} other reasons: see the table" if len(reasons) > 1 else ""
        lines.append(f"{len(not_judged)} curves are not judged: {reasons[0]}{rest}")
    return lines
