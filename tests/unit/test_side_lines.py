"""The trust line of a side: from the verdicts, in few plain words, nothing hidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.quality.plain_words import reason_words
from gaitdyn.quality.rules import load_rules
from gaitdyn.report.first_screen.both_sides import screen_lines
from gaitdyn.report.first_screen.line_parts import KindStatus
from gaitdyn.report.first_screen.side_lines import side_lines
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.subject import SIDES


def verdict(side: str, quantity: str, word: str, cycles: int, *reasons: str) -> dict[str, Any]:
    return {
        "side": side, "quantity": quantity, "word": word, "cycles": cycles, "reasons": reasons,
    }  # fmt: skip


def trial(*found: dict[str, Any]) -> StoredTrial:
    return in_condition("", *found)


def in_condition(condition: str, *found: dict[str, Any]) -> StoredTrial:
    options = {"condition": condition}
    document = {"verdicts": list(found), "status": [], "options": options}
    return StoredTrial(Path(), "walk", document, {}, (), {})


def both(*left: dict[str, Any]) -> StoredTrial:
    right = (verdict("right", "kinematics", "pass", 3), verdict("right", "kinetics", "pass", 3))
    return trial(*left, *right)


def test_every_finding_that_counts_has_few_plain_words() -> None:
    rules = load_rules(None)
    serious = [rule.code for rule in rules.rows if rule.level in ("warning", "error")]
    words = reason_words()
    assert [code for code in serious if code not in words] == []
    assert [code for code in words if not rules.has(code)] == []
    assert [text for text in words.values() if len(text.split()) > 6] == []


def test_joints_without_angles_are_named_first() -> None:
    lost = [f"joint-unknown: left {joint}: no angle is known" for joint in ("ankle", "knee")]
    found = verdict("left", "kinematics", "check", 0, "no-static: x", *lost)
    line, _ = side_lines([both(found, verdict("left", "kinetics", "check", 0))], ())
    assert line.text == "not known: a joint cannot be computed (ankle, knee)."


def test_that_other_strides_turn_is_no_reason_against_the_straight_ones() -> None:
    turned = verdict("left", "kinematics", "check", 2, "turning: left cycle 3")
    loads = verdict("left", "kinetics", "pass", 2)
    straight, _ = side_lines([both(turned, loads)], ())
    assert (straight.word, straight.text) == (
        "pass",
        "Angles 2 strides, moments 2 strides: usable.",
    )
    doubted = turned | {"reasons": [*turned["reasons"], "no-static: x"]}
    straight, _ = side_lines([both(doubted, loads)], ())
    assert straight.text.startswith("Angles 2 strides: usable with care; no standing trial.")
    turning, _ = side_lines([in_condition("turning", turned, loads)], ())
    assert "with care; the person turns." in turning.text
    none, _ = side_lines([both(turned | {"cycles": 0}, loads)], ())
    assert none.text == "not known: the person turns."


@pytest.mark.parametrize(
    ("left", "word", "text"),
    [
        (
            (verdict("left", "kinematics", "pass", 3), verdict("left", "kinetics", "pass", 2)),
            "pass",
            "Angles 3 strides, moments 2 strides: usable.",
        ),
        (
            (verdict("left", "kinematics", "pass", 2),
             verdict("left", "kinetics", "pass", 1, "one cycle: its spread is unknown")),
            "pass",
            "Angles 2 strides, moments 1 stride: usable, spread unknown.",
        ),
        (
            (verdict("left", "kinematics", "pass", 2),
             verdict("left", "kinetics", "check", 2, "force-against-mass: 0.7 of 1")),
            "check",
            (
                "Angles 2 strides: usable. Moments 2 strides: usable with care; plates and body"
                " weight differ."
            ),
        ),
        (
            (verdict("left", "kinematics", "check", 2, "marker-jumps: LTOE"),
             verdict("left", "kinetics", "check", 0, "marker-jumps: LTOE", "beside-plates: x")),
            "check",
            (
                "Angles 2 strides: usable with care; a marker jumps. No moments: no clean plate"
                " step on this side; the foot stood beside the plates."
            ),
        ),
        (
            (verdict("left", "kinematics", "fail", 2, "sides-swapped: -0.1 m"),
             verdict("left", "kinetics", "fail", 2, "sides-swapped: -0.1 m")),
            "fail",
            (
                "Angles 2 strides: not usable; left and right are exchanged. Moments 2 strides: not"
                " usable."
            ),
        ),
        (
            (verdict("left", "kinematics", "check", 0, "leg-missing: no markers"),),
            "fail",
            "not known: markers of this leg are missing.",
        ),
        (
            (verdict("left", "kinematics", "check", 0,
                     "no gait cycle: two strikes of this foot are not in the file",
                     "marker-jumps: 2 frames"),),
            "fail",
            "not known: no complete stride.",
        ),
        (
            (verdict("left", "kinematics", "check", 0,
                     "no gait cycle: every stride is left out by the user"),),
            "fail",
            "not known: every stride is left out by the user.",
        ),
    ],
)  # fmt: skip
def test_a_line_says_what_stands_and_why(left: Any, word: str, text: str) -> None:
    line = side_lines([both(*left)], ())[0]
    assert (line.side, line.word, line.text) == ("left", word, text)


def test_of_many_reasons_the_most_important_is_named_and_the_others_are_counted() -> None:
    codes = ("gap-open", "marker-jumps", "order-up", "sides-swapped", "marker-jumps")
    some = [f"{code}: x" for code in codes]
    for count, first, others in (
        (2, "a marker jumps", ", a marker is missing at times"),
        (3, "markers of the leg are exchanged", " and 2 more reasons"),
        (5, "left and right are exchanged", " and 3 more reasons"),
    ):
        found = both(verdict("left", "kinematics", "check", 2, *some[:count]),
                     verdict("left", "kinetics", "pass", 2))  # fmt: skip
        line = side_lines([found], ())[0]
        assert line.text.startswith(f"Angles 2 strides: usable with care; {first}{others}. Moments")
        found = both(verdict("left", "kinematics", "check", 0, *some[:count]))
        assert side_lines([found], ())[0].text == f"not known: {first}."


@pytest.mark.parametrize(
    ("reasons", "word", "text"),
    [
        ((), "pass", "Angles of the trial: usable."),
        (
            ("foot-coarse: x",),
            "check",
            "Angles of the trial: usable with care; the foot is coarse.",
        ),
    ],
)
def test_a_task_without_strides_has_its_own_line(
    reasons: tuple[str, ...], word: str, text: str
) -> None:
    lacking = "no gait cycle: two strikes of this foot are not in the file"
    found = trial(*(verdict(s, "kinematics", "check", 0, *reasons, lacking) for s in SIDES))
    found.document["task"] = "squat"
    (line,) = screen_lines(side_lines([found], ()))
    assert (line.side, line.word, line.text) == ("both", word, text)
    found.document["task"] = "walking"
    (line,) = screen_lines(side_lines([found], ()))
    assert (line.word, line.text) == ("fail", "not known: no complete stride.")


def over_time(*names: str, **told: Any) -> StoredTrial:
    """A trial without strides, of whose legs the named curves are drawn over the time."""
    none = "no gait cycle: two strikes of this foot are not in the file"
    verdicts = [
        verdict(side, quantity, "check", 0, *told.get(quantity, ()), none)
        for side in SIDES
        for quantity in ("kinematics", "kinetics")
    ]
    at, values = np.arange(3.0), np.zeros((3, len(names)))
    course = tuple(CurveStrip(side, at, names, values, ()) for side in SIDES)
    found = replace(trial(*verdicts), course=course)
    found.document.update(task=told.get("task", "running"), kinetics=told.get("state", "computed"))
    return found


LOADED = ("knee_angle_flexion", "knee_moment_extension")
ONE_STEP = "Angles of the trial: usable with care; no complete stride."


@pytest.mark.parametrize(
    ("found", "word", "text"),
    [
        (over_time(*LOADED), "pass",
         "Angles of the trial: usable. Moments of the trial: usable."),
        (over_time(*LOADED, kinetics=("a rate differs",)), "check",
         "Angles of the trial: usable. Moments of the trial: usable with care; a rate differs."),
        (over_time(*LOADED[:1], state="the body mass is not known: kinematics only"), "check",
         "Angles of the trial: usable. No moments: the body mass is not known."),
        (over_time(*LOADED, task="walking"), "check",
         ONE_STEP + " Moments of the trial: usable."),
        (over_time("trunk_angle_lean", task="walking"), "fail",
         "not known: no complete stride."),
    ],
)  # fmt: skip
def test_a_trial_without_strides_tells_of_the_curves_that_it_draws(
    found: StoredTrial, word: str, text: str
) -> None:
    (line,) = screen_lines(side_lines([found], ()))
    assert (line.word, line.text) == (word, text)


def test_a_leg_is_not_known_for_a_reason_that_leaves_gaps() -> None:
    found = both(
        verdict("left", "kinematics", "check", 0, "static-distance: x", "gap-open: x", "no cycle")
    )
    assert side_lines([found], ())[0].text == "not known: a marker is missing at times."


def test_a_line_without_kinetics_says_why_in_the_words_of_the_run() -> None:
    found = of_both("pass", 2)
    for state, words in (
        ("no forces, as requested with --forces none: kinematics only", "no forces, as requested"),
        ("no usable force plate (plate 1: corners): kinematics only", "no usable force plate."),
        ("the body mass is not known: kinematics only; give it", "the body mass is not known."),
    ):
        told = replace(found, document=found.document | {"kinetics": state})
        for line in side_lines([told], ()):
            assert f"usable. No moments: {words}" in line.text


def test_a_knee_axis_is_a_remark_and_changes_no_word() -> None:
    found = both(verdict("left", "kinematics", "pass", 3), verdict("left", "kinetics", "pass", 3))
    remark = KneeAxisRemark("left", 13.6)
    lines = side_lines([found], (remark,))
    assert [line.word for line in lines] == ["pass", "pass"]
    assert lines[0].text.endswith(
        "Knee axis to check: adduction (varus) moves 14\u00b0 with flexion."
        " Read its rotations with care."
    )
    assert "Knee" not in lines[1].text
    turned = replace(remark, by_rotations=True)
    assert "opposite sides" in side_lines([found], (turned,))[0].text


def test_strides_of_several_trials_add_up_and_one_that_can_be_used_counts() -> None:
    good = both(verdict("left", "kinematics", "pass", 3), verdict("left", "kinetics", "pass", 2))
    bad = both(
        verdict("left", "kinematics", "fail", 2, "marker-lost: LTOE"),
        verdict("left", "kinetics", "pass", 1),
    )
    line = side_lines([good, bad], ())[0]
    assert line.word == "check"
    assert line.text == (
        "Angles 5 strides: usable with care; a marker fell off. Moments 3 strides: usable."
    )


def test_steps_that_missed_the_plates_do_not_doubt_the_moments_of_other_trials() -> None:
    """Most walks of a session have a whole step of one foot only, or of none."""
    angles = verdict("left", "kinematics", "pass", 2)
    whole = both(angles, verdict("left", "kinetics", "pass", 2))
    missed = both(angles, verdict("left", "kinetics", "check", 0, "beside-plates: x"))
    line = side_lines([missed, whole, missed], ())[0]
    assert (line.word, line.text) == ("pass", "Angles 6 strides, moments 2 strides: usable.")


def test_a_trial_without_a_stride_of_a_side_does_not_doubt_those_of_others() -> None:
    none = verdict(
        "left", "kinematics", "check", 0, "no gait cycle: the task is squat, not walking"
    )
    squat = both(none, verdict("left", "kinetics", "check", 0, "no gait cycle with the force of"))
    good = verdict("left", "kinematics", "pass", 3), verdict("left", "kinetics", "pass", 1)
    names = tuple(f"{joint}_angle_flexion" for joint in ("hip", "knee"))
    cycle = CycleCurves(Cycle("left", 1, 0.0, 100.0, 60.0), names, ("deg",) * 2, np.zeros((101, 2)))
    walk = replace(both(*good), cycles=(cycle,))
    line = side_lines([walk, squat], ())[0]
    assert (line.word, line.text) == (
        "pass",
        "Angles 3 strides, moments 1 stride: usable, spread unknown.",
    )
    lame = replace(squat, cycles=(cycle,))  # its hip and knee are in the means
    assert side_lines([walk, lame], ())[0].word == "check"


def of_both(word: str, cycles: int, *reasons: str) -> StoredTrial:
    """A trial whose sides have no moments and stand alike."""
    return trial(
        *(verdict(s, "kinematics", word, cycles, *reasons) for s in ("left", "right")),
        *(
            verdict(s, "kinetics", "check", 0, *reasons, "no-whole-step: 2", "plates-delayed: 2")
            for s in ("left", "right")
        ),
    )


def test_what_holds_for_both_sides_is_said_once() -> None:
    remarks = (KneeAxisRemark("left", 15.2), KneeAxisRemark("right", 12.7))
    (line,) = screen_lines(side_lines([of_both("check", 2, "marker-jumps: LTOE")], remarks))
    assert (line.side, line.word, line.glyph) == ("both", "check", "!")
    assert line.text == (
        "Angles 2 strides: usable with care; a marker jumps. No moments: no clean plate step;"
        " plates and markers out of step. Knee axes to check: adduction (varus) moves 15\u00b0 (L)"
        " and 13\u00b0 (R) with flexion. Read their rotations with care."
    )


def test_what_one_side_has_alone_stands_below() -> None:
    remark = KneeAxisRemark("right", 12.7)
    found = of_both("check", 2, "marker-jumps: LTOE")
    for one in found.document["verdicts"]:
        if one["side"] == "left":
            one["reasons"] = (*one["reasons"], "marker-lost: LTOE")
    both, left, right = screen_lines(side_lines([found], (remark,)))
    assert "a marker jumps" in both.text
    assert "fell off" not in both.text
    assert (left.side, left.text) == ("left", "Angles: a marker fell off.")
    assert right.text.startswith("Knee axis to check: adduction (varus) moves 13\u00b0 with")
    words = " ".join(one.text for one in (both, left, right))
    for line in side_lines([found], (remark,)):
        parts = [part for part in line.parts if isinstance(part, KindStatus)]
        assert all(reason in words for part in parts for reason in part.reasons)


def test_a_line_of_both_sides_is_doubted_only_for_what_it_says() -> None:
    """Good angles of both sides stood with a warning sign, for the moments of a line below."""
    kinetics = (verdict("left", "kinetics", "check", 1, "mass-differs: 12"),
                verdict("right", "kinetics", "check", 0))  # fmt: skip
    kinematics = (
        verdict("left", "kinematics", "pass", 1),
        verdict("right", "kinematics", "pass", 1),
    )
    shared, left, right = screen_lines(side_lines([trial(*kinematics, *kinetics)], ()))
    assert (shared.word, shared.text) == ("pass", "Angles 1 stride: usable, spread unknown.")
    assert (left.word, right.word) == ("check", "check")
    assert left.text.startswith("Moments 1 stride: usable with care")


def test_good_muscles_give_no_tick_to_a_line_with_a_doubt() -> None:
    found = of_both("check", 2, "marker-jumps: LTOE")
    verdicts = found.document["verdicts"]
    for one in verdicts:
        if one["side"] == "left":
            one["reasons"] = (*one["reasons"], "marker-lost: LTOE")
    verdicts.append(verdict("left", "emg", "pass", 2))
    own = [SimpleNamespace(side="left", muscle="soleus", status="ok", reason="")]
    found = replace(found, emg=cast("Any", SimpleNamespace(channels=own)))
    _, left = screen_lines(side_lines([found], ()))
    assert left.text == "Angles: a marker fell off. EMG 1 of 1 muscle usable."
    assert left.word == "check"


def test_sides_that_stand_apart_have_a_line_each() -> None:
    found = both(verdict("left", "kinematics", "pass", 2), verdict("left", "kinetics", "pass", 2))
    lines = side_lines([found], ())
    assert [(one.side, one.text) for one in screen_lines(lines)] == [
        (one.side, one.text) for one in lines
    ]


def test_what_the_box_says_of_the_steps_is_not_said_again() -> None:
    found = of_both("pass", 2)
    found.document["status"] = [{"code": "beside-plates", "side": ""}] * 2
    for one in found.document["verdicts"]:
        if one["quantity"] == "kinetics":
            one["reasons"] = ("beside-plates: x", "plates-delayed: 2")
    for line in side_lines([found], ()):
        assert line.text.endswith("no clean plate step; plates and markers out of step.")


def test_a_line_that_asks_to_check_a_knee_axis_has_no_tick() -> None:
    remarks = (KneeAxisRemark("right", 15.2),)
    lines = side_lines([both(verdict("left", "kinematics", "pass", 3),
                             verdict("left", "kinetics", "pass", 3))], remarks)  # fmt: skip
    assert [line.word for line in lines] == ["pass", "pass"]  # the remark changes no verdict
    told = {line.side: (line.word, line.text) for line in screen_lines(lines)}
    assert told["right"][0] == "check"
    assert told["right"][1].startswith("Knee axis to check")
    assert told["both"][0] == "pass"


@pytest.mark.parametrize(
    ("states", "told"),
    [(("partial",), "1 stride (in part)"), (("ok", "partial"), "2 strides (1 in part)")],
)
def test_moments_that_a_stride_lacks_at_its_end_are_told_in_part(
    states: tuple[str, ...], told: str
) -> None:
    kinds, n = ("kinematics", "kinetics"), len(states)
    found = trial(*(verdict(s, k, "pass", n) for s in ("left", "right") for k in kinds))
    status = [
        {"side": side, "cycle": i, "joint": joint, "status": word, "code": "file-end"}
        for side, words in (("left", ("ok",) * n), ("right", states))
        for i, word in enumerate(words, 1)
        for joint in ("ankle", "knee", "hip")
    ]
    found = replace(found, document={**found.document, "status": status})
    left, right = side_lines([found], ())
    assert f"moments {told.partition(' (')[0]}: usable" in left.text
    assert f"moments {told}: usable" in right.text
    assert [line.side for line in screen_lines((left, right))] == ["left", "right"]


@pytest.mark.parametrize("word", ["pass", "check", "fail"])
def test_muscles_have_the_word_that_their_verdict_has(word: str) -> None:
    kinds = ("kinematics", "kinetics")
    found = trial(
        *(verdict(s, k, "pass", 2) for s in ("left", "right") for k in kinds),
        verdict("left", "emg", word, 0),
        verdict("right", "emg", "pass", 2),
    )
    states = {"left": "not_recorded", "right": "ok"}
    own = [
        SimpleNamespace(side=s, muscle="soleus", status=state, reason="")
        for s, state in states.items()
    ]
    lines = side_lines([replace(found, emg=cast("Any", SimpleNamespace(channels=own)))], ())
    assert [line.word for line in lines] == ["pass", "pass"]  # of angles and moments
    told = {line.side: (line.word, line.text) for line in screen_lines(lines)}
    assert told["both"][0] == told["right"][0] == "pass"
    assert told["left"] == (word, "EMG not recorded.")


def test_muscles_that_are_all_good_in_one_of_two_trials_pass() -> None:
    kinds = ("kinematics", "kinetics")
    found = trial(
        *(verdict(s, k, "pass", 2) for s in ("left", "right") for k in kinds),
        verdict("left", "emg", "check", 2),
    )
    states = ({"soleus": "ok", "rectus": "rejected"}, {"soleus": "rejected", "rectus": "ok"})
    trials = [
        replace(found, emg=cast("Any", SimpleNamespace(channels=[
            SimpleNamespace(side="left", muscle=m, status=s, reason="") for m, s in words.items()
        ])))
        for words in states
    ]  # fmt: skip
    told = [screen_lines(side_lines(some, ()))[-1] for some in (trials, trials[:1])]
    assert [(line.word, line.text) for line in told] == [
        ("pass", "EMG 2 of 2 muscles usable."),
        ("check", "EMG 1 of 2 muscles usable."),
    ]


def test_muscles_of_a_leg_without_angles_are_told_if_they_have_a_cycle() -> None:
    own = [SimpleNamespace(side="left", muscle="soleus", status="ok", reason="")]
    for cycles, tail in ((2, " EMG 1 of 1 muscle usable."), (0, "")):
        found = trial(
            verdict("left", "kinematics", "fail", 0, "no-kinematics: x", "no markers"),
            verdict("left", "emg", "pass", cycles),
        )
        found = replace(found, emg=cast("Any", SimpleNamespace(channels=own)))
        line = side_lines([found], ())[0]
        assert (line.word, line.text) == ("fail", f"not known: no marker model fits.{tail}")


def test_dead_channels_beside_unnamed_ones_are_told_with_their_cause() -> None:
    sides, kinds = ("left", "right"), ("kinematics", "kinetics")
    found = trial(*(verdict(s, k, "pass", 2) for s in sides for k in kinds))
    causes = ["", "", "clipped: 57 % of the samples", "clipped: 3 %", "spikes: kurtosis 76"]
    channels = [
        SimpleNamespace(side="", muscle="", status="rejected" if why else "ok", reason=why)
        for why in causes
    ]
    for count, told in ((5, "3 not usable (clipped 2, spikes 1)"), (4, "2 not usable (clipped)")):
        emg = cast("Any", SimpleNamespace(channels=channels[:count]))
        (line,) = screen_lines(side_lines([replace(found, emg=emg)], ()))
        assert line.text.endswith(f" EMG: 2 channels not named, {told}.")


@pytest.mark.parametrize(
    ("muscles", "told"),
    [
        (["soleus"], "1 channel without a side"),
        (["soleus", "gracilis"], "2 channels without a side"),
        (["soleus", "gracilis", ""], "2 channels without a side, 1 not named"),
    ],
)
def test_channels_whose_muscle_is_known_lack_only_a_side(muscles: list[str], told: str) -> None:
    """They were not named, although ``info`` shows their muscles."""
    kinds = ("kinematics", "kinetics")
    found = trial(*(verdict(s, k, "pass", 2) for s in ("left", "right") for k in kinds))
    channels = [SimpleNamespace(side="", muscle=m, status="ok", reason="") for m in muscles]
    emg = cast("Any", SimpleNamespace(channels=channels))
    (line,) = screen_lines(side_lines([replace(found, emg=emg)], ()))
    assert line.text.endswith(f" EMG: {told}.")


def test_channels_that_nobody_named_are_told() -> None:
    kinds = ("kinematics", "kinetics")
    sides = ("left", "right")
    found = trial(
        *(verdict(s, k, "pass", 2) for s in sides for k in kinds),
        *(verdict(s, "emg", "check", 0) for s in sides),
    )
    for status, text in (("ok", "EMG: 1 channel not named."), ("rejected", "")):
        channel = SimpleNamespace(side="", muscle="", status=status, reason="")
        emg = cast("Any", SimpleNamespace(channels=[channel]))
        (line,) = screen_lines(side_lines([replace(found, emg=emg)], ()))
        assert line.word == ("check" if text else "pass")
        assert line.text == f"Angles 2 strides, moments 2 strides: usable. {text}".strip()
