"""Which trials have no share in speed and step length: those of doubtful scale, rate or vertical.

Angles that failed because of a marker leave the speed as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from gaitdyn.judge.session_trials import walk_of
from gaitdyn.judge.stride_numbers import numbers_of
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.report.first_screen.notices import group_notices
from gaitdyn.report.groups import Group
from gaitdyn.report.strides import mean_of
from gaitdyn.store.doubted import DOUBTED, spoiled_in
from tests.unit import judge_cases as cases

if TYPE_CHECKING:
    from gaitdyn.store.stored import StoredTrial


def doubtful(trial: StoredTrial, code: str, **words: Any) -> StoredTrial:
    finding = {"code": code, "level": "error", "cycle": None, **words}
    return replace(trial, document={**trial.document, "findings": [finding]})


def speeds(*trials: StoredTrial) -> set[float | None]:
    """Return the mean non-dimensional speed by each of the three ways to pool trials."""
    walk = walk_of(trials)
    name = "speed_nondimensional"
    (of_numbers,) = (v for k, v in numbers_of(walk).items() if k.quantity == name)
    pooled = [x for values in of_numbers.values() for x in values]
    means = (
        walk.speed, mean_of(trials, "gait_parameters", name), sum(pooled) / len(pooled),
    )  # fmt: skip
    return {None if mean is None else round(mean, 9) for mean in means}


GOOD = cases.trial(1, name="walk01", speed=0.4)
FAST = cases.trial(2, name="walk02", speed=0.6, verdict="fail")


def test_a_trial_of_doubtful_scale_or_rate_has_no_share_in_the_speed() -> None:
    """Its angles were left out, but the speed of a session was its mean with the others."""
    for code in ("body-size", "order-up", "rate-differs", "speed-implausible"):
        assert speeds(GOOD, doubtful(FAST, code)) == {0.4}
    assert speeds(GOOD, FAST) == {0.5}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("range-hip-rotation", {}),  # a thigh marker
        ("moment-implausible", {}),
        ("rate-differs", {"level": "info"}),
        ("speed-implausible", {"cycle": 1}),
        ("sides-swapped", {}),
    ],
)
def test_other_findings_leave_the_speed_as_it_is(code: str, words: dict[str, Any]) -> None:
    assert speeds(GOOD, doubtful(FAST, code, **words)) == {0.5}


def test_if_every_trial_is_in_doubt_all_count() -> None:
    assert speeds(doubtful(GOOD, "body-size"), doubtful(FAST, "order-up")) == {0.5}
    assert spoiled_in([doubtful(FAST, "body-size")]) == [frozenset()]


def test_a_doubt_spoils_what_follows_from_it() -> None:
    lengths, times = {"step_length", "stride_length"}, {"cadence", "stride_time"}
    forward, lateral = (f"margin_of_stability_{way}" for way in ("forward", "lateral"))
    for code, spoiled, kept in (
        ("body-size", {"speed", *lengths}, times),
        ("rate-differs", {"speed", "cadence_nondimensional", forward, lateral, *times}, lengths),
        ("sides-swapped", {"step_length", lateral}, {"speed", "stride_length", forward, *times}),
    ):
        none, names = spoiled_in([GOOD, doubtful(FAST, code)])
        assert none == frozenset()
        assert spoiled <= names
        assert not names & {*kept, "foot_off", "stance"}
    assert all(load_rules().has(code) for code in DOUBTED)


def test_the_report_tells_which_trial_is_left_out_and_why() -> None:
    trials = tuple(
        replace(t, document={**t.document, "gaitdyn": "0"})
        for t in (GOOD, doubtful(FAST, "body-size"))
    )
    (text,) = (n.text for n in group_notices(Group("", trials)) if n.title.startswith("Speed"))
    assert text == (
        "Scale, rate or direction is in doubt in walk02 (body-size): what follows from it does not"
        " count."
    )
