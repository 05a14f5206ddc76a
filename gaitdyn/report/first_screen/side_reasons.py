"""The reasons of verdicts in short words, the most important first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.quality.plain_words import reason_words
from gaitdyn.quality.verdicts import NO_CYCLE, ONE_CYCLE
from gaitdyn.store.modelled import with_model
from gaitdyn.store.stored import StoredTrial

_UNKNOWN = "joint-unknown"


def reason_texts(verdicts: Sequence[dict[str, Any]]) -> list[str]:
    """Return all reasons of some verdicts in short, each once, the most important first.

    Joints without angles are named, without their side.
    """
    plain_words = reason_words()
    words: dict[str, None] = {}
    joints: dict[str, None] = {}
    for verdict in verdicts:
        for reason in verdict["reasons"]:
            code, colon, message = str(reason).partition(": ")
            known_words = plain_words.get(code) if colon else None
            if known_words:
                words[known_words] = None
                if code == _UNKNOWN:
                    joints[message.partition(": ")[0].removeprefix(f"{verdict['side']} ")] = None
            elif colon and " " not in code:
                words[message] = None
            elif reason != ONE_CYCLE and NO_CYCLE not in reason:
                words[code.partition("; ")[0]] = None
    ranked = list(dict.fromkeys(plain_words.values()))
    texts = sorted(words, key=lambda text: ranked.index(text) if text in ranked else len(ranked))
    named = {plain_words[_UNKNOWN]: f"{plain_words[_UNKNOWN]} ({', '.join(joints)})"}
    return [named.get(text, text) if joints else text for text in texts]


def why_unknown(reasons: Iterable[str]) -> list[str]:
    """Return the same reasons, first those that can be why a stride is not known."""
    rows = shipped_rows("report/reasons.csv")
    empty = {row["words"] for row in rows if row["leaves_empty"]}
    return sorted(reasons, key=lambda text: text.partition(" (")[0] not in empty)


def foremost(reasons: Sequence[str]) -> str:
    """Return two reasons, or of more the first and the number of the others.

    Examples
    --------
    >>> foremost(["a marker jumps", "a marker fell off"]), foremost(["a", "b", "c"])
    ('a marker jumps, a marker fell off', 'a and 2 more reasons')
    """
    first, *others = reasons
    if len(others) < 2:  # noqa: PLR2004
        return ", ".join(reasons)
    return f"{first} and {len(others)} more reasons"


def step_reasons(trials: Sequence[StoredTrial]) -> list[str]:
    """Return the two most frequent reasons why steps on the plates were not used, in short."""
    plain_words = reason_words()
    counts = Counter(
        words
        for trial in trials
        for row in trial.document.get("status", ())
        if (words := plain_words.get(row.get("code") or ""))
    )
    return [words for words, _ in counts.most_common(2)]


def no_kinetics_words(trials: Sequence[StoredTrial]) -> str:
    """Return why no trial has kinetics, without the remedy; empty if one has."""
    states = [str(trial.document.get("kinetics") or "computed") for trial in with_model(trials)]
    return "" if "computed" in states else re.split(r": | \(", states[0])[0]
