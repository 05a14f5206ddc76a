"""Findings on most steps of a foot on one plate are one; those on single steps stay apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from gaitdyn.quality.joint_verdict import concerns
from gaitdyn.quality.rules.steps import LoadedStep
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.quality.rules.told_together import told_together
from gaitdyn.quality.status import JointStatus
from gaitdyn.types.findings import Finding


def belt(strides: int) -> Any:
    """Return a walk whose left foot is on plate 1 for the first 0.6 s of every second."""
    frames = SimpleNamespace(
        n_frames=100 * strides,
        times_of=lambda start, stop: {"start_s": start / 100, "stop_s": (stop - 1) / 100},
    )
    force = np.zeros((60, 3))
    steps = [
        LoadedStep("left", a, a + 60, "plate 1", (1,), True, True, force, force, force[:, 0])
        for a in range(0, 100 * strides, 100)
    ]
    return SimpleNamespace(recording=frames, once=lambda _, compute: steps)  # noqa: ARG005


def leaning(step: int, part: float) -> Finding:
    message = f"plate 1: the force leans {part:g}"
    return Finding(
        "warning", "force-line-along", "plate 1", message, part, 1.0, "left",
        start_s=step, stop_s=(100 * step + 59) / 100,
    )  # fmt: skip


def test_six_of_seven_steps_are_told_once():
    """A wrong gain gave a row for each of fifty strides on a treadmill."""
    other = Finding("info", "belt-speed", "plate 1", "plate 1: a belt", 0.5)
    found = [leaning(step, (110 + step) / 100) for step in range(6)]
    first, second = told_together(belt(strides=7), [*found, other])
    assert second == other
    assert first.message == (
        "plate 1: the force leans 1.15 (so in 6 of 7 steps of the left foot, most in this one)"
    )
    assert (first.value, first.start_s, first.stop_s) == (1.15, 0, 5.59)
    assert first.spans == tuple((f.start_s, f.stop_s) for f in found)
    (same,) = told_together(belt(strides=6), found)
    assert "in all 6 steps of the left foot" in same.message


def test_a_cycle_between_joined_steps_without_the_finding_keeps_its_verdict():
    """Joined findings made ``check`` of every cycle from the first step to the last."""
    walk = belt(strides=7)
    single = [leaning(step, 1.2) for step in range(7) if step != 3]
    (joined,) = told_together(walk, single)
    rules = load_rules(None)
    times = {("left", step + 1): (float(step), step + 1.0) for step in range(7)}
    for step in range(7):
        status = JointStatus("left", step + 1, "knee", "ok", "", "")
        apart = any(concerns(walk, one, status, times, rules) for one in single)
        assert apart == (step != 3)
        assert concerns(walk, joined, status, times, rules) == apart


def test_few_steps_and_single_ones_among_many_are_told_each():
    three = [leaning(step, 1.2) for step in range(3)]
    assert told_together(belt(strides=3), three) == tuple(three)
    four = [*three, leaning(3, 1.2)]
    assert told_together(belt(strides=8), four) == tuple(four)
    elsewhere = [Finding("warning", "marker-jumps", "LKNE", "LKNE: jumps")] * 5
    assert told_together(belt(strides=5), elsewhere) == tuple(elsewhere)
