"""What keeps two sessions from being compared: models, belts, settings, statics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.changes.whose import check_persons
from gaitdyn.judge.first_page import both_times, change_sentences, first_sentences
from gaitdyn.judge.together import judge_groups
from gaitdyn.types.norms import Norm
from gaitdyn.types.visit import Visit
from tests.unit import judge_cases as cases
from tests.unit.judge_cases import BUMP, KNEE, after, of


@pytest.mark.parametrize(
    ("first", "second", "curve", "reason"),
    [
        (
            {}, {"cutoff_hz": 6.0}, KNEE,
            ("the sessions were processed differently: --cutoff 10 and 6; process again:"
            " gaitdyn process walk02.c3d --cutoff 10"),
        ),
        (
            {}, {"model": "cgm2"}, KNEE,
            ("the sessions were processed differently: model plug-in-gait and cgm2; process both"
            " sessions with one --model and the same markers"),
        ),
        (
            {}, {"anthropometry": "dumas"}, "hip_moment_extension",
            ("the sessions were processed differently: --anthropometry dempster-winter and dumas;"
            " process again: gaitdyn process walk02.c3d --anthropometry dempster-winter"),
        ),
        ({"subject": "A"}, {"subject": "B"}, KNEE, "two people: A and B"),
        (
            {}, {"strides": 1}, KNEE,
            "second session: only 1 whole stride with this curve, 2 are needed",
        ),
        (
            {}, {"speed": 0.5}, KNEE,
            ("the speed differs, 0.40 and 0.50 of sqrt(g L), and the curve depends on it; give a"
            " --norm with groups of such speeds"),
        ),
        ({"verdict": "fail"}, {}, KNEE, "first session: the left angles are not usable"),
    ],
)  # fmt: skip
def test_sessions_that_cannot_be_compared_say_why(first, second, curve, reason):
    found = find_changes([cases.trial(14, **first)], [after(**second)])
    one = of(found, "left", curve)
    assert (one.word, one.reason) == ("not judged", reason)


def test_a_cut_off_within_one_hertz_and_forces_of_other_tables_leave_angles_alone():
    for second in (after(cutoff_hz=10.5), after(anthropometry="dumas")):
        assert of(find_changes([cases.trial(15)], [second]), "left", KNEE).word == "not shown"


def test_growth_and_speed_lower_what_they_touch():
    grown = find_changes(
        [cases.trial(16)], [after(leg_m=0.95, offsets={"left knee_moment_extension": 1.0})]
    )
    one = of(grown, "left", "knee_moment_extension")
    assert one.word == "possible"
    assert one.reason == "the leg length differs by +6 % between the sessions"
    shorter = find_changes([cases.trial(16)], [after(leg_m=0.84)])
    one = of(shorter, "left", "knee_moment_extension")
    assert one.reason == "the leg length differs by -7 % between the sessions"
    set_of_speeds = Norm("n", "", "", (cases.group(0.3, 40), cases.group(0.5, 40, more=6.0)))
    faster = after(speed=0.5, offsets={f"left {KNEE}": 3.0 + 25 * BUMP})
    found = find_changes([cases.trial(16)], [faster], norm=set_of_speeds)
    one = of(found, "left", KNEE)
    assert one.word == "possible"  # 0.1 faster: 3 of the 6 deg between the groups are the speed's
    assert "own difference, up to 3.0 deg, is subtracted" in one.reason
    assert one.level == pytest.approx(0, abs=1.5)
    for speeds in ((0.7, 0.9), (0.4, 0.6)):  # the groups reach from 0.3 to 0.5
        beyond = find_changes(
            [cases.trial(16, speed=speeds[0])], [after(speed=speeds[1])], norm=set_of_speeds
        )
        one = of(beyond, "left", KNEE)
        assert one.word == "not judged"
        assert one.reason.endswith("give a --norm with groups of such speeds")
    unknown = of(find_changes([cases.trial(16)], [after(speed=None)]), "left", KNEE)
    assert (
        unknown.reason == "the speed for this leg length is not known, and the curve depends on it"
    )


def test_markers_left_on_are_judged_by_trials():
    def condition(word, seed, n, added=0.0):
        return [
            cases.trial(seed + i, name=f"{word}{i}", condition=word,
                        offsets={f"left {KNEE}": added})
            for i in range(n)
        ]  # fmt: skip

    found = find_changes(condition("barefoot", 20, 4), condition("orthosis", 30, 4, 4.5))
    one = of(found, "left", KNEE)
    assert found.markers_on
    assert (one.word, one.reason) == ("clear", "")
    assert "strides and trials make" in of(found, "right", KNEE).sentence
    two = find_changes(condition("barefoot", 20, 2), condition("orthosis", 30, 2, 9.0))
    assert of(two, "left", KNEE).word == "possible"
    assert of(two, "left", KNEE).reason.startswith("strides of fewer than three trials")
    few = find_changes(
        [cases.trial(20, strides=2)], [cases.trial(30, strides=2, name="b", condition="b")]
    )
    assert of(few, "left", KNEE).reason == (
        "2 and 2 whole strides, 3 each are needed with the markers left on"
    )
    single = find_changes(
        [cases.trial(20, strides=1)], [cases.trial(30, strides=1, name="b", condition="b")]
    )
    assert of(single, "left", KNEE).reason.startswith(
        "first session: only 1 whole stride with this curve, 3 are needed; second session: only 1"
    )


def test_of_two_conditions_of_one_visit_neither_is_later():
    """They were "more than before" and "first session: ..."."""
    first, second = (
        [cases.trial(seed + i, name=f"{word}{i}", condition=word, offsets=more) for i in range(4)]
        for word, seed, more in (("barefoot", 20, {}), ("orthosis", 30, {f"left {KNEE}": 4.5}))
    )
    visit = check_persons(first, second, one_visit=True)
    found = of(find_changes(first, second, person_check=visit), "left", KNEE)
    assert " more than in the first condition: clear" in found.sentence
    assert " more than before: clear" in of(find_changes(first, second), "left", KNEE).sentence
    single = [[cases.trial(seed, strides=1, name=word)] for word, seed in (("a", 20), ("b", 30))]
    few = of(find_changes(*single, person_check=visit), "left", KNEE)
    assert few.reason.startswith("first condition: only 1 whole stride with this curve")
    assert "; second condition: only 1 whole stride" in few.reason
    assert both_times(few.reason) == (
        "only 1 whole stride with this curve, 3 are needed, both times"
    )
    other = [cases.trial(30 + i, name=f"b{i}", cutoff_hz=6.0) for i in range(4)]
    unlike = of(find_changes(first, other, person_check=visit), "left", KNEE)
    assert unlike.reason.startswith("the conditions were processed differently: --cutoff 10 and 6")


def test_strides_that_do_not_differ_are_not_judged():
    def still(one):
        first = one.cycles[0].values
        same = tuple(replace(c, values=first) for c in one.cycles)
        return replace(one, cycles=same)

    found = find_changes([still(cases.trial(20))], [still(cases.trial(21, condition="b"))])
    one = of(found, "left", KNEE)
    assert (one.word, one.reason) == (
        "not judged", "identical strides give no estimate of an error",
    )  # fmt: skip


def test_a_foot_off_that_moved_is_named_where_it_matters():
    early = after(foot_off=55.0, offsets={f"left {KNEE}": 25 * np.roll(BUMP, -10)})
    one = of(find_changes([cases.trial(17)], [early]), "left", KNEE)
    assert one.sentence.endswith("; timing of foot-off differs by 5 %")


@pytest.mark.parametrize(("foot_off", "shift"), [(59.0, -10), (55.0, 15)], ids=["same", "far away"])
def test_a_foot_off_that_hardly_moved_or_is_far_away_is_not_named(foot_off, shift):
    other = after(foot_off=foot_off, offsets={f"left {KNEE}": 25 * np.roll(BUMP, shift)})
    one = of(find_changes([cases.trial(17)], [other]), "left", KNEE)
    assert one.word == "clear"
    assert "timing of foot-off" not in one.sentence


def test_every_later_group_is_held_against_the_first():
    trials = [[cases.trial(1)], [after()], [after()]]
    found = judge_groups(trials, [cases.norm()] * 3)
    assert (len(found.pairs), found.changes) == (2, None)
    assert first_sentences(found.abnormal[0].findings)


def belted(steady: bool):
    one = cases.trial(4)
    return replace(one, document=one.document | {"belts": [{"steady": steady}]})


def with_model(*names: str):
    matched = cases.norm()
    return replace(matched, norm=replace(matched.norm, models=names))


@pytest.mark.parametrize(
    ("trial", "norm", "curve", "reason"),
    [
        (cases.trial(4), with_model("cgm2"), KNEE,
         ("the reference set has the model cgm2, the walk plug-in-gait; build a set of the"
          " same model")),
        (cases.trial(4), with_model("cgm2", "plug-in-gait"), KNEE, ""),
        (belted(steady=False), cases.norm(), KNEE, "the belt has no steady speed"),
        (belted(steady=True), cases.norm(), KNEE, ""),
        (cases.trial(4, foot_off=45.0), cases.norm(), KNEE,
         "the left foot leaves the ground at 45 %: running is not judged"),
    ],
)  # fmt: skip
def test_another_model_an_unsteady_belt_and_running_are_not_judged(trial, norm, curve, reason):
    one = of(find_abnormal([trial], norm), "left", curve)
    assert one.reason == reason
    assert (one.word == "not judged") == bool(reason)


def test_a_foot_that_leaves_early_in_a_limp_does_not_run():
    one = cases.trial(4, foot_off=48.0)
    rows = [
        row | {"value": "65.0"} if (row["side"], row["quantity"]) == ("right", "foot_off") else row
        for row in one.tables["gait_parameters"]
    ]
    limp = replace(one, tables=one.tables | {"gait_parameters": rows})
    found = of(find_abnormal([limp], cases.norm()), "left", KNEE)
    assert (found.word, found.reason) == ("not shown", "")


def test_a_set_scaled_by_weight_and_height_is_not_judged():
    matched = cases.norm()
    name = "knee_moment_extension"
    scaled = replace(matched.bands[name], unit="% BW ht")
    matched = replace(matched, bands=matched.bands | {name: scaled})
    one = of(find_abnormal([cases.trial(4)], matched), "left", name)
    assert (one.word, one.reason) == (
        "not judged", "the reference set is in % BW ht, the curve in N m/kg",
    )  # fmt: skip


def test_other_aids_in_two_sessions_are_not_judged():
    told = []
    for name, aids in (("before", "two crutches"), ("after", "none")):
        one = cases.trial(5) if name == "before" else after()
        told.append(replace(one, visit=Visit((("aids", aids),))))
    one = of(find_changes(told[:1], told[1:]), "left", KNEE)
    assert (one.word, one.reason) == (
        "not judged", "the walking aids differ: two crutches and none",
    )  # fmt: skip
    unsaid = of(find_changes([cases.trial(5)], told[1:]), "left", KNEE)
    assert (unsaid.word, unsaid.reason) == ("not shown", "")  # not "none and none"


@pytest.mark.parametrize(
    ("word", "value", "option"),
    [
        ("profile", "plug-in-gait", "--profile"),
        ("filter", "butterworth", "--filter"),
        ("hip_centre", "hara", "--hip-centre"),
        ("moments_in", "jcs", "--moments-in"),
    ],
)
def test_each_setting_that_differs_is_named_with_the_way_out(word, value, option):
    curve = "knee_moment_extension" if word == "moments_in" else KNEE
    one = of(find_changes([cases.trial(14)], [after(**{word: value})]), "left", curve)
    assert one.word == "not judged"
    assert f"{option} {cases.options()[word]} and {value}" in one.reason
    assert f"gaitdyn process walk02.c3d {option} {cases.options()[word]}" in one.reason


def dated(trials, date):
    return [replace(one, visit=Visit((("date", date),))) for one in trials]


@pytest.mark.parametrize("first", ["plug-in-gait", "default"])
def test_the_command_to_process_again_has_no_words_that_the_vendors_profile_stores(first):
    """It had "--filter generalised cross-validation of centres of mass", which nothing takes."""
    vendor: dict[str, Any] = {
        "profile": "plug-in-gait", "filter": "generalised cross-validation of centres",
        "cutoff_hz": None, "force_cutoff_hz": None,
    }  # fmt: skip
    words = [vendor, {}] if first == "plug-in-gait" else [{}, vendor]
    found = find_changes([cases.trial(30, **words[0])], [after(**words[1])])
    reason = of(found, "left", "hip_moment_extension").reason
    assert "--cutoff none and 10" in reason or "--cutoff 10 and none" in reason
    command = reason.partition("process again: ")[2].partition(";")[0]
    wanted = "--profile plug-in-gait"
    if first == "default":
        wanted = "--profile default --filter spline --cutoff 10 --force-cutoff 10"
    assert command == f"gaitdyn process walk02.c3d {wanted}"


def test_one_static_for_visits_of_two_dates_does_not_mean_that_the_markers_stayed_on():
    many = [cases.trial(i, name=f"walk{i}") for i in range(3)]
    far = {f"left {KNEE}": 30.0}
    others = [cases.trial(i, name=f"shod{i}", offsets=far) for i in range(5, 8)]
    assert find_changes(many, others).markers_on
    assert find_changes(dated(many, "2024-01-10"), dated(others, "2024-01-10")).markers_on
    assert find_changes(many, dated(others, "2024-01-10")).markers_on
    found = find_changes(dated(many, "2024-01-10"), dated(others, "2025-02-10"))
    assert not found.markers_on
    knee = of(found, "left", KNEE)
    assert knee.word == "possible"
    assert knee.reason == (
        "the visits of 2024-01-10 and 2025-02-10 share a static, which shows the markers of one"
    )


def aged(trials, years):
    for trial in trials:
        trial.document["subject"] = {**trial.document["subject"], "age_years": years}
    return trials


def test_a_second_session_that_is_the_earlier_one_is_told():
    def change(first, second, ages):
        far = {f"left {KNEE}": 30.0}
        many = [cases.trial(i, name=f"walk{i}") for i in range(3)]
        others = [cases.trial(i, name=f"late{i}", offsets=far) for i in range(5, 8)]
        before, later = aged(dated(many, first), ages[0]), aged(dated(others, second), ages[1])
        return find_changes(before, later)

    def knee(first, second, *, ages=(None, None)):
        changes = change(first, second, ages)
        said = change_sentences(changes)[: len(changes.lowered)]
        assert said == tuple(f"no change is called clear: {why}" for why in changes.lowered)
        reason = of(changes, "left", KNEE).reason
        assert all(why in reason for why in changes.lowered)
        assert ("dated before" in reason) == any("dated before" in line for line in said)
        return reason

    told = knee("2025-02-10", "2024-01-10")
    assert "the second session is dated before the first (2025-02-10 and 2024-01-10)" in told
    for first, second in (("2024-01-10", "2024-01-10"), ("17.5.2024", "10.1.2024")):
        assert "dated before" not in knee(first, second)
    assert "the age falls from 45 to 12 years" in knee("", "", ages=(45, 12))
    for years in ((45, 44), (12, 45), (45, None)):
        assert "the age falls" not in knee("", "", ages=years)


def test_hip_rule_and_shank_axes_that_differ_are_named():
    other = after()
    other.document["model"] |= {
        "rungs": [{"place": "hip", "rung": "hara"}], "axes": {"left": {"shank": "malleoli"}},
    }  # fmt: skip
    one = of(find_changes([cases.trial(14)], [other]), "left", KNEE)
    assert "hip rule none and hara, shank axes none and malleoli" in one.reason
    assert one.reason.endswith("process both sessions with one --model and the same markers")


def test_a_failed_second_session_and_a_checked_one_are_told():
    failed = of(find_changes([cases.trial(14)], [after(verdict="fail")]), "left", KNEE)
    assert failed.reason == "second session: the left angles are not usable"
    wide = after(verdict="check", offsets={f"left {KNEE}": 60.0})
    checked = of(find_changes([cases.trial(14)], [wide]), "left", KNEE)
    assert checked.word == "possible"
    assert "second session: the left angles are usable with care" in checked.reason


@pytest.mark.parametrize(
    ("leg_m", "told"),
    [(0.92, ""), (0.88, ""), (0.93, "differs by +3 %"), (0.87, "differs by -3 %")],
)
def test_legs_within_three_percent_have_not_grown(leg_m, told):
    for offset in (0.0, 1.0):
        lengths = {"left knee_moment_extension": offset}
        found = find_changes([cases.trial(16)], [after(leg_m=leg_m, offsets=lengths)])
        assert told in of(found, "left", "knee_moment_extension").reason
        assert bool(told) == bool(of(found, "left", "knee_moment_extension").reason)
        assert of(found, "left", KNEE).reason == ""  # an angle does not depend on it


def test_growth_is_of_both_legs():
    longer = after()
    longer.document["subject"]["right"] = {"leg_length_m": 0.99}
    found = find_changes([cases.trial(16)], [longer])
    reason = of(found, "left", "knee_moment_extension").reason
    assert reason == "the leg length differs by +5 % between the sessions"


def test_a_failed_trial_beside_a_good_one_is_left_out_and_a_checked_one_lowers_the_verdict():
    wide = {f"left {KNEE}": 60.0}
    good = cases.trial(3, offsets=wide)
    failed = cases.trial(4, name="walk02", verdict="fail")
    one = of(find_abnormal([good, failed], cases.norm()), "left", KNEE)
    assert (one.word, one.reason) == ("clear", "")
    assert one.difference[50] == pytest.approx(60.0, abs=3.0)
    checked = cases.trial(4, name="walk02", verdict="check", offsets=wide)
    one = of(find_abnormal([good, checked], cases.norm()), "left", KNEE)
    assert (one.word, one.reason) == ("possible", "the left angles are usable with care")


def test_a_trial_without_a_stride_of_a_curve_says_nothing_of_those_of_others():
    """Moments were possible at most as soon as one walk of a session missed the plates."""
    moment = "hip_moment_extension"
    wide = {f"left {moment}": 2.0}
    good = cases.trial(3, offsets=wide)
    missed = cases.trial(4, name="walk02", leave=(moment,))
    for verdict in missed.document["verdicts"]:
        verdict["word"] = "check" if verdict["quantity"] == "kinetics" else "pass"
    one = of(find_abnormal([good, missed], cases.norm()), "left", moment)
    assert (one.word, one.reason) == ("clear", "")
    alone = of(find_abnormal([missed], cases.norm()), "left", moment)
    assert alone.reason == "no whole stride with this curve, 2 are needed"
    partly = cases.trial(4, name="walk02", offsets=wide, verdict="check")
    doubted = of(find_abnormal([good, partly], cases.norm()), "left", moment)
    assert doubted.reason == "the left moments are usable with care"


UNKNOWN_SPREAD = "how far laboratories differ in this curve is not known"


@pytest.mark.parametrize(
    ("curve", "norm", "reason"),
    [
        (KNEE, cases.norm(19), "weak norm of 19 people"),
        (KNEE, cases.norm(20), ""),
        ("ankle_power", cases.norm(own=True), ""),
        ("ankle_power", cases.norm(own=False), UNKNOWN_SPREAD),
    ],
)
def test_a_small_set_or_one_of_another_laboratory_lowers_what_it_touches(curve, norm, reason):
    far = cases.trial(5, offsets={f"left {curve}": 60.0})
    one = of(find_abnormal([far], norm), "left", curve)
    assert (one.word, one.reason) == ("possible" if reason else "clear", reason)


def test_a_ground_force_is_zero_for_everybody_in_swing():
    matched = cases.norm()
    for name in ("grf_y", KNEE):
        band = matched.bands[name]
        sd = np.where(np.arange(101) < 60, band.sd, 0.0)
        matched = replace(matched, bands=matched.bands | {name: replace(band, sd=sd)})
    found = find_abnormal([cases.trial(4)], matched)
    assert of(found, "left", "grf_y").word == "not shown"
    assert of(found, "left", KNEE).reason == "the reference set has an SD of 0"


def test_a_set_with_a_group_of_no_stated_speed_still_says_that_a_walk_is_too_fast():
    groups = (cases.group(0.4, 40), cases.group(None, 40))
    norm = Norm("own.csv", "a test", "", groups, in_house=True)
    one = of(find_abnormal([cases.trial(4, speed=1.0)], norm), "left", KNEE)
    assert one.reason == "2.97 m/s is faster than any group of the norm"


def test_aids_of_two_spellings_are_the_same():
    told = [
        replace(one, visit=Visit((("aids", aids),)))
        for one, aids in ((cases.trial(5), "Two crutches"), (after(), " two crutches "))
    ]
    assert of(find_changes(told[:1], told[1:]), "left", KNEE).word == "not shown"
