"""The sentences of a first page: what comes first, what is counted, and the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.finding import CurveFinding
from gaitdyn.judge.first_page import first_sentences

if TYPE_CHECKING:
    from gaitdyn.statistics.families import Word

NAMES = [rule.name for rule in curve_rules()]
TITLES = [rule.title for rule in curve_rules()]


def found(
    i: int, word: Word, *, size: float = 2.0, reason: str = "", planned: str = ""
) -> CurveFinding:
    """Return a finding on the left i-th curve, so many times its limit."""
    return CurveFinding(
        "left", NAMES[i], "angles", "deg", word, f"{TITLES[i]}: {word}", reason, 0.01, 0.01, (),
        np.full(101, size), np.ones(101), np.zeros(101, int), planned=planned,
    )  # fmt: skip


def test_what_was_planned_is_told_once_and_counted_nowhere() -> None:
    plan = found(0, "clear", planned="left pelvis_angle_tilt")
    assert first_sentences([plan, found(1, "clear"), found(2, "clear", size=3.0)]) == (
        f"{TITLES[2]}: clear", f"{TITLES[1]}: clear", f"{TITLES[0]}: clear",
    )  # fmt: skip
    possible = found(0, "possible", planned="left pelvis_angle_tilt")
    assert first_sentences([possible, found(1, "not shown")]) == (
        f"{TITLES[0]}: possible",
        "nothing is clear among 1 judged curve",
    )


def test_four_possible_curves_are_named_and_the_others_counted() -> None:
    findings = [found(i, "possible") for i in range(6)]
    _, line = first_sentences([*findings, found(7, "not shown")])
    names = ", ".join(f"left {title}" for title in TITLES[:4])
    assert line == (
        f"6 possible of 7 judged ({names} and 2 more); by chance, about 1 curve in 20 is called so"
    )


def test_three_reasons_are_told_with_how_many_curves_each_has() -> None:
    def line(*reasons: str) -> str:
        return first_sentences(
            [found(0, "clear"), *(found(i, "not judged", reason=r) for i, r in enumerate(reasons))]
        )[-1]

    assert line("a", "a") == "2 curves not judged: a"
    assert line("a", "b", "b") == "3 curves not judged: b (2); a (1)"
    assert line(*"aaabbc") == "6 curves not judged: a (3); b (2); c (1)"
    assert line(*"aaabbcd") == "7 curves not judged: a (3); b (2); c (1); 1 other reason"
    assert line(*"aaabbcde").endswith("c (1); 2 other reasons")
    twice = "first session: a; second session: a"
    assert line(twice, twice, "b") == "3 curves not judged: a, both times (2); b (1)"
