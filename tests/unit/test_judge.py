"""What is said of sessions: words, places, sentences, and why a curve is not judged."""

from __future__ import annotations

import csv
import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gaitdyn import read_results
from gaitdyn.errors import NormRefused, OutputRefused, ResultsRefused, UsageError
from gaitdyn.judge import abnormal
from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changed import find_changes
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.files import ABNORMAL_COLUMNS, CHANGE_COLUMNS, write_groups
from gaitdyn.judge.finding import CycleStretch
from gaitdyn.judge.first_page import first_sentences
from gaitdyn.judge.groups import compare_people, people_of
from gaitdyn.judge.repeats import build_numbers, build_repeats, read_repeats, write_repeats
from gaitdyn.judge.session import pelvis_side, walk_of
from gaitdyn.judge.together import judge_groups, write_judgement
from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.metrics.norm_speed import match_norm
from gaitdyn.report.groups import Group
from gaitdyn.report.views import view_of_group
from gaitdyn.store import read_trial
from gaitdyn.types.norms import Norm
from gaitdyn.types.visit import Visit
from tests.unit import judge_cases as cases

KNEE = "knee_angle_flexion"
BUMP = np.exp(-(((cases.PERCENT - 72) / 8) ** 2))


def of(found, side, curve, planned=""):
    (one,) = (f for f in found.findings if (f.side, f.curve, f.planned) == (side, curve, planned))
    return one


def after(seed=9, **words):
    """A second session: markers placed anew."""
    return cases.trial(seed, **{"static": "static B", "name": "walk02", **words})


def test_a_walker_like_the_norm_is_never_called_normal():
    found = find_abnormal([cases.trial(1)], cases.norm())
    assert {one.word for one in found.findings} == {"not shown"}
    assert len(found.findings) == 15 + 4 + 5 * 2 + 4 + 6
    said = of(found, "left", KNEE).sentence
    assert said.startswith("left knee flexion: at most ")
    assert "not shown: that takes " in said
    assert not any("normal" in one.sentence for one in found.findings)
    assert first_sentences(found.findings) == ("nothing is clear",)


def test_a_large_difference_is_clear_with_size_sd_and_phase():
    found = find_abnormal([cases.trial(2, offsets={f"left {KNEE}": -32 * BUMP})], cases.norm())
    one = of(found, "left", KNEE)
    place = one.places[0]
    assert one.word == "clear"
    assert place.phase == "initial swing"  # foot-off 60 %, thirds of 13.3 %
    assert 60 <= place.start < place.peak_at < place.end <= 84
    assert place.difference == pytest.approx(-32, abs=2)
    assert place.sd == pytest.approx(-6.4, abs=0.5)
    assert "deg less than the norm (" in one.sentence
    assert one.sentence.endswith(": clear")
    assert set(one.cells[int(place.start) : int(place.end) + 1]) == {-2}
    assert not one.cells[:40].any()
    assert first_sentences(found.findings)[0] == one.sentence


def test_of_many_curves_one_by_itself_is_only_possible():
    found = find_abnormal([cases.trial(3, offsets={f"right {KNEE}": 16.5})], cases.norm())
    one = of(found, "right", KNEE)
    assert (one.word, one.p <= 0.05, one.p_holm > 0.05) == ("possible", True, True)
    assert one.sentence.endswith("possible; 1 curve in 20 is outside by chance")
    assert abs(one.cells).max() == 1


@pytest.mark.parametrize(
    ("trial", "norm", "side", "curve", "reason"),
    [
        (
            {}, {"count": 9}, "left", KNEE,
            "the reference set has 9 people with this curve, 10 are needed",
        ),
        ({}, {"leave": (KNEE,)}, "left", KNEE, "the reference set lacks this curve"),
        ({"strides": 1}, {}, "left", KNEE, "only 1 whole stride with this curve, 2 are needed"),
        ({"verdict": "fail"}, {}, "left", KNEE, "the left angles are not usable"),
        (
            {"speed": None}, {}, "left", KNEE,
            "the speed for this leg length is not known, and the curve depends on it",
        ),
        (
            {"moments_in": "proximal"}, {}, "left", "knee_moment_extension",
            ("moments are in proximal axes, those of the reference set in distal ones; process with"
            " --moments-in distal"),
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_says_why(trial, norm, side, curve, reason):
    found = find_abnormal([cases.trial(4, **trial)], cases.norm(**norm))
    one = of(found, side, curve)
    assert (one.word, one.reason) == ("not judged", reason)
    assert math.isnan(one.p)
    assert one.sentence.endswith(f"not judged: {reason}")


@pytest.mark.parametrize(("theirs", "judged"), [("", True), ("malleoli", True), ("knee", False)])
def test_knee_moments_are_judged_in_shanks_of_the_axes_of_the_set_alone(theirs, judged):
    one, norm = cases.trial(4), cases.norm()
    axes = {side: {"shank": "malleoli"} for side in ("left", "right")}
    trial = replace(one, document=one.document | {"model": one.document["model"] | {"axes": axes}})
    found = find_abnormal([trial], replace(norm, norm=replace(norm.norm, shank=theirs)))
    for curve in ("knee_moment_extension", "knee_moment_abduction"):
        moment = of(found, "right", curve)
        assert (moment.word != "not judged") == judged
        if not judged:
            assert moment.reason == (
                "shanks are aligned with malleoli, those of the reference set with knee"
            )
    for curve in ("ankle_moment_plantarflexion", "hip_moment_abduction", KNEE):
        assert of(found, "right", curve).word != "not judged"


def test_moments_are_judged_in_the_axes_of_the_set_alone():
    set_of = cases.norm()
    jcs = replace(set_of, norm=replace(set_of.norm, moments_in="jcs"))
    for axes, norm, judged in (
        ("jcs", jcs, True), ("distal", jcs, False), ("jcs", set_of, False),
        ("distal", set_of, True),
    ):  # fmt: skip
        found = find_abnormal([cases.trial(4, moments_in=axes)], norm)
        moment = of(found, "left", "knee_moment_extension")
        assert (moment.word != "not judged") == judged
        assert of(found, "left", KNEE).word != "not judged"
        if not judged:
            assert f"process with --moments-in {norm.norm.moments_in}" in moment.reason


def test_a_curve_that_few_people_have_does_not_silence_the_others():
    norm, moment = cases.norm(count=10), "knee_moment_extension"
    few = {**norm.bands, moment: replace(norm.bands[moment], count=9)}
    found = find_abnormal([cases.trial(4)], replace(norm, bands=few)).findings
    silent = {one.curve for one in found if "9 people" in one.reason}
    assert silent == {moment}


@pytest.mark.parametrize(
    ("trial", "norm", "reason"),
    [
        ({}, {"count": 15}, "weak norm of 15 people"),
        ({"verdict": "check"}, {}, "the left angles are usable with care"),
        ({"speed": 0.2}, {}, "the speed 0.20 is below the groups of the reference set"),
    ],
)
def test_what_weakens_a_verdict_makes_it_possible_at_most(trial, norm, reason):
    wide = {"offsets": {f"left {KNEE}": 60.0}, **trial}
    one = of(find_abnormal([cases.trial(5, **wide)], cases.norm(**norm)), "left", KNEE)
    assert (one.word, one.reason) == ("possible", reason)
    assert one.sentence.endswith(reason)


def test_an_sd_of_zero_is_not_judged():
    matched = cases.norm()
    matched.bands[KNEE].sd.flags.writeable = True
    matched.bands[KNEE].sd[3] = 0.0
    one = of(find_abnormal([cases.trial(5)], matched), "left", KNEE)
    assert one.reason == "the reference set has an SD of 0"


def test_a_curve_that_the_markers_decide_is_possible_at_most():
    wide = {"left knee_angle_internal_rotation": 60.0}
    found = find_abnormal([cases.trial(5, offsets=wide)], cases.norm())
    one = of(found, "left", "knee_angle_internal_rotation")
    assert (one.word, one.reason) == (
        "possible", "where the markers put the knee axis decides this curve",
    )  # fmt: skip
    assert one.sentence.startswith("left knee internal rotation over the whole cycle: 60 deg more")


def test_a_rank_that_disagrees_with_the_band_makes_it_possible():
    rng = np.random.default_rng(6)
    noise = rng.standard_normal((40, 1)) * np.ones(101)
    matched = cases.norm()

    def judged(sd, offset):
        people = {("free", KNEE, "left"): cases.shape(KNEE) + sd * noise}
        known = replace(matched, norm=replace(matched.norm, people=people), group="free")
        trial = cases.trial(5, offsets={f"left {KNEE}": offset})
        return of(find_abnormal([trial], known), "left", KNEE)

    wide, narrow, agreed = judged(20.0, 40.0), judged(0.2, 6.0), judged(5.0, 40.0)
    assert wide.word == narrow.word == "possible"
    assert wide.reason.startswith("by its rank among the controls p is 0.")
    assert narrow.p > 0.05
    assert (agreed.word, agreed.reason) == ("clear", "")


def test_strides_that_turn_are_left_out_and_counted():
    found = find_abnormal(
        [cases.trial(6, strides=1), cases.trial(7, heading=30.0, name="turn")], cases.norm()
    )
    assert of(found, "left", KNEE).reason.endswith("10 turn and are left out")


def test_published_sets_are_held_against_the_spread_of_laboratories():
    own, other = (
        of(find_abnormal([cases.trial(8)], cases.norm(own=word)), "left", KNEE)
        for word in (True, False)
    )
    assert (other.limit > own.limit).all()
    moment = of(find_abnormal([cases.trial(8)], cases.norm(own=False)), "left",
                "hip_moment_extension")  # fmt: skip
    assert np.isnan(moment.limit[:6]).all()
    assert np.isfinite(moment.limit[6:]).all()


def test_an_unchanged_walker_is_told_what_would_have_been_seen():
    found = find_changes([cases.trial(11)], [after()])
    one = of(found, "left", KNEE)
    assert not found.markers_on
    assert one.word == "not shown"
    assert "deg in shape) that a second placement of the markers can make" in one.sentence
    assert one.level_limit == pytest.approx(6.9, abs=0.3)
    words = {f.word for f in found.findings if f.family in ("angles", "moments")}
    assert words == {"not shown", "not judged"}
    power = of(found, "left", "knee_power")
    assert power.reason.startswith("no error between sessions is known for knee power")


def test_an_offset_is_a_level_and_a_bump_is_a_shape():
    found = find_changes(
        [cases.trial(12)],
        [after(offsets={f"left {KNEE}": 15.0, "right ankle_angle_dorsiflexion": -18 * BUMP})],
    )
    level, bump = of(found, "left", KNEE), of(found, "right", "ankle_angle_dorsiflexion")
    assert (level.word, bump.word) == ("clear", "clear")
    assert level.level == pytest.approx(15, abs=1)
    assert level.sentence.startswith("left knee flexion over the whole cycle: 14 deg more than")
    assert (bump.places[0].phase, bump.places[0].difference) == (
        "initial swing", pytest.approx(-18, abs=2),
    )  # fmt: skip
    assert (level.cells == 2).all()  # a level is over the whole cycle
    assert bump.cells.min() == -2


def test_what_was_planned_is_tested_alone():
    plan = f"left {KNEE} swing"
    changed = after(offsets={f"left {KNEE}": 9.5 * BUMP})
    found = find_changes([cases.trial(13)], [changed], planned=[plan])
    alone, among = of(found, "left", KNEE, plan), of(found, "left", KNEE)
    assert (alone.word, among.word) == ("clear", "possible")
    assert alone.p == alone.p_holm < among.p
    assert found.findings[0] is alone
    assert "clear (planned)" in first_sentences(found.findings)[0]
    for wrong in ("left knee", f"left {KNEE} sideways", f"both {KNEE}"):
        with pytest.raises(UsageError, match=r"wanted SIDE CURVE \[PHASE\]"):
            find_changes([cases.trial(13)], [changed], planned=[wrong])
    with pytest.raises(UsageError, match="found 4 planned curves; wanted at most 3"):
        find_changes([cases.trial(13)], [changed], planned=[plan] * 4)


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
            " --norm with speed groups"),
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
    assert (one.word, one.reason) == ("possible", "the legs grew by 6 % between the sessions")
    set_of_speeds = Norm("n", "", "", (cases.group(0.3, 40), cases.group(0.5, 40, more=6.0)))
    faster = after(speed=0.5, offsets={f"left {KNEE}": 3.0 + 25 * BUMP})
    found = find_changes([cases.trial(16)], [faster], norm=set_of_speeds)
    one = of(found, "left", KNEE)
    assert one.word == "possible"  # 0.1 faster: 3 of the 6 deg between the groups are the speed's
    assert "own difference, up to 3.0 deg, is subtracted" in one.reason
    assert one.level == pytest.approx(0, abs=1.5)
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


@pytest.mark.parametrize(("offset", "named"), [(12.0, True), (3.0, False)])
def test_an_offset_beside_a_bump_is_named_from_a_quarter_of_it_on(offset, named):
    other = after(offsets={f"left {KNEE}": offset + 30 * BUMP})
    one = of(find_changes([cases.trial(17)], [other]), "left", KNEE)
    assert one.places[0].difference == pytest.approx(30, abs=6)
    assert ("in addition to an offset of" in one.sentence) is named


def test_first_sentences_are_ten_at_most_the_largest_first():
    wide = {f"{side} {name}": 60.0 + 10 * i for side in ("left", "right")
            for i, name in enumerate(cases.NAMES[:11])}  # fmt: skip
    found = find_abnormal([cases.trial(18, offsets=wide)], cases.norm())
    lines = first_sentences(found.findings)
    assert len(lines) == 10
    sizes = [f.relative for line in lines[:8] for f in found.findings if f.sentence == line]
    assert sizes == sorted(sizes, reverse=True)
    assert "more that are clear: see the table" in lines[-2]
    assert lines[-1].startswith("4 possible of 39 judged (left knee adduction, ")
    assert lines[-1].partition(")")[0].count(", ") == 3


def test_what_could_not_be_judged_is_not_called_unclear():
    found = find_abnormal([cases.trial(4, strides=1)], cases.norm())
    assert first_sentences(found.findings) == (
        "nothing could be judged",
        "39 curves not judged: only 1 whole stride with this curve, 2 are needed",
    )


def test_tables_are_written_and_nobody_elses_are_replaced(tmp_path):
    trials = [[cases.trial(19, offsets={f"left {KNEE}": 40.0})]]
    told = judge_groups(trials, [cases.norm()])
    names = [path.name for path in write_judgement(tmp_path, told)]
    assert names == ["abnormal.csv", "statistics.json"]
    with (tmp_path / "abnormal.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == ABNORMAL_COLUMNS
    (row,) = (r for r in rows if r["curve"] == KNEE and r["side"] == "left")
    assert (row["word"], row["unit"], row["start"], row["end"]) == ("clear", "deg", "0", "100")
    document = json.loads((tmp_path / "statistics.json").read_text(encoding="utf-8"))
    assert document["families"] == {"angles": 15, "knee axis": 4, "moments": 14, "powers": 6}
    two = judge_groups([*trials, [after()]])
    write_judgement(tmp_path, two)
    with (tmp_path / "change.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == CHANGE_COLUMNS
    document = json.loads((tmp_path / "statistics.json").read_text(encoding="utf-8"))
    origins = {c.get("session_sd_origin") for c in document["curves"]}
    assert "published errors between sessions" in origins
    assert "scores" not in document
    write_judgement(tmp_path, judge_groups([*trials, [after()]], [cases.norm()] * 2))
    document = json.loads((tmp_path / "statistics.json").read_text(encoding="utf-8"))
    first, second = (one["gps"]["left"]["value"] for one in document["scores"])
    assert first > second  # 40 degrees more flexion in the first
    (tmp_path / "change.csv").write_text("mine\n", encoding="utf-8")
    with pytest.raises(OutputRefused, match="not written by gaitdyn"):
        write_judgement(tmp_path, two)
    assert write_judgement(tmp_path, two, force=True)
    assert (judge_groups(trials).abnormal, judge_groups(trials).pairs) == ((), ())


def test_scores_are_in_the_statistics_and_leave_out_a_failed_trial(tmp_path):
    good = cases.trial(50, offsets={f"left {KNEE}": 6.0})
    failed = cases.trial(51, offsets={f"left {KNEE}": 60.0}, verdict="fail")
    write_judgement(tmp_path, judge_groups([[good, failed]], [cases.norm()]))
    found = json.loads((tmp_path / "statistics.json").read_text(encoding="utf-8"))["scores"]
    names = [rule.name for rule in curve_rules() if rule.family == "angles"]
    strides = [c for c in good.cycles if c.cycle.side == "left"]
    gvs = [
        [np.sqrt(np.mean((c.curve(n) - cases.shape(n))[::2] ** 2)) for n in names] for c in strides
    ]
    assert found["gps"]["left"]["cycles"] == len(strides) == 5
    gps = np.median(np.sqrt(np.mean(np.square(gvs), axis=1)))
    assert found["gps"]["left"]["value"] == pytest.approx(gps)
    knee = np.median(gvs, axis=0)[names.index(KNEE)]
    assert found["profile"]["left"][KNEE]["value"] == pytest.approx(knee)
    assert set(found["gps"]) == {"left", "right", "overall"}
    assert set(found["gdi_star"]) == {"left", "right"}
    alone = find_abnormal([failed], cases.norm()).scores  # the page says that it is not usable
    assert alone.gps["left"].cycles == 5


def test_results_in_memory_are_judged_as_those_in_folders(walked):
    folder = walked()
    result, norm = read_results(folder), read_norm("schwartz2008")
    found = find_abnormal([result], norm)
    kept = find_abnormal([read_trial(str(folder))], match_norm(norm, found.speed))
    assert found.norm.note == kept.norm.note
    assert [f.sentence for f in found.findings] == [f.sentence for f in kept.findings]
    with pytest.raises(ResultsRefused, match="found 1 and 1 people"):
        compare_people([result], [result])
    assert find_changes([result], [result]).markers_on


def test_a_page_draws_the_angles_of_a_failed_trial_pale():
    good = cases.trial(50)
    failed = cases.trial(51, offsets={f"left {KNEE}": 60.0}, verdict="fail")
    for trial in (good, failed):
        trial.document["gaitdyn"] = "0.2.0"
    group = Group("", (good, failed))
    curve = view_of_group(group, None, None).curves["left", KNEE]
    assert (len(curve.whole), len(curve.partial)) == (5, 5)
    strides = [c.curve(KNEE) for c in good.cycles if c.cycle.side == "left"]
    assert curve.mean == pytest.approx(np.mean(strides, axis=0))


def test_a_session_of_turns_alone_is_refused():
    with pytest.raises(ResultsRefused, match="the second session has no straight stride"):
        find_changes([cases.trial(21)], [after(heading=30.0)])


def test_a_copy_of_a_recording_is_no_further_sample():
    one = cases.trial(1, strides=1)
    copies = [one, replace(one, name="walk01 (1)")]
    knee = of(find_abnormal(copies, cases.norm()), "left", KNEE)
    assert (knee.word, "only 1 whole stride" in knee.reason) == ("not judged", True)
    changes = find_changes(copies, [after(2)])
    assert of(changes, "left", KNEE).word == "not judged"


def test_own_repeats_are_built_written_and_used(tmp_path):
    rng = np.random.default_rng(5)
    pairs = [
        (
            [cases.trial(100 + i)],
            [after(200 + i, offsets={f"left {name}": 4 * rng.standard_normal() * cases.STRIDE[j]
                                     for j, name in enumerate(cases.NAMES)})],
        )
        for i in range(12)
    ]  # fmt: skip
    with pytest.raises(NormRefused, match="found 9 pairs of sessions; wanted 10 or more"):
        build_repeats(pairs[:9])
    own = [([cases.trial(1, subject="A")], [after(2, subject=two)]) for two in "AB"]
    for wrong, told in (
        ([pairs[0]], "pair 13: found walk01.c3d a second time"),
        ([(pairs[0][0], pairs[0][0])], "pair 13: found walk01.c3d a second time"),
        ([([cases.trial(1)], [cases.trial(1)])], "pair 13: found walk01.c3d a second time"),
        ([own[1]], r"pair 13: found two people \(A and B\)"),
        (
            [own[0], ([cases.trial(3, subject="A")], [after(4, subject="A")])],
            "pair 14: .* subject A",
        ),
    ):
        with pytest.raises(NormRefused, match=told):
            build_repeats([*pairs, *wrong])
    with pytest.raises(NormRefused, match="pair 13: found one static for both sessions, so the"):
        build_repeats([*pairs, ([cases.trial(1)], [cases.trial(2, name="walk02")])])
    with pytest.raises(ResultsRefused, match="pair 13: found the conditions none, shod; wanted"):
        build_repeats([*pairs, ([cases.trial(1)], [after(2, condition="shod")])])
    faster = ([cases.trial(302)], [after(303, speed=0.48)])
    said = build_repeats([*pairs[:9], faster])[2]
    follow = sum(rule.by_speed for rule in curve_rules())
    assert f"pair 10, {follow} curves: the speed differs, 0.40 and 0.48 of sqrt(g L)" in said
    assert f"{KNEE}: only 9 pairs, left out" in said
    assert not any("hip_angle_adduction" in note for note in said)  # it hardly follows the speed
    unknown = ([cases.trial(302)], [after(303, speed=None)])
    said = build_repeats([*pairs[:9], unknown])[2]
    assert any(f"pair 10, {follow} curves: the speed for this leg" in note for note in said)
    single = ([cases.trial(300)], [after(301, strides=1)])
    said = build_repeats([*pairs[:9], single])[2]
    assert f"{KNEE}: only 9 pairs, left out" in said
    assert (
        f"pair 10, {len(cases.NAMES)} curves: no side has two whole strides in both ses" in said[0]
    )
    errors, units, notes = build_repeats(pairs)
    assert not notes
    assert set(errors) == set(cases.NAMES)
    write_repeats(tmp_path / "repeats.csv", errors, units)
    read = read_repeats(tmp_path / "repeats.csv")
    assert read[KNEE].level == pytest.approx(errors[KNEE].level, rel=1e-4)
    assert np.allclose(read[KNEE].shape, errors[KNEE].shape, rtol=1e-4)
    found = find_changes([cases.trial(22)], [after(offsets={"left knee_power": 3.0})], repeats=read)
    assert of(found, "left", "knee_power").word == "clear"
    (entry,) = {c.session.origin for c in found.curves if c.session}
    assert entry == "12 own repeats, repeats.csv"
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(NormRefused, match="gaitdyn repeats build did not write"):
        read_repeats(tmp_path / "other.csv")


def people(seed, n, word, **words):
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        own = {
            f"{side} {name}": cases.SD[j] * rng.standard_normal() * 0.5
            for j, name in enumerate(cases.NAMES)
            for side in ("left", "right")
        }
        own = {key: value + words.get("added", {}).get(key, 0.0) for key, value in own.items()}
        found.append(cases.trial(seed + i, subject=f"{word}{i}", strides=3, offsets=own))
    return found


def test_groups_of_people_are_compared_by_people():
    first, second = people(300, 12, "A"), people(400, 12, "B")
    found = compare_people(first, second).findings
    assert {one.side for one in found} == {"both"}
    assert sum(one.word == "clear" for one in found) == 0
    added = {f"{side} {KNEE}": -20 * BUMP for side in ("left", "right")}
    other = people(500, 12, "C", added=added)
    (knee,) = (one for one in compare_people(first, other).findings if one.curve == KNEE)
    assert knee.word == "clear"
    assert knee.places[0].difference == pytest.approx(-20, abs=3)
    assert "deg less in the second group (" in knee.sentence
    with pytest.raises(ResultsRefused, match="A0, A1, A10: found in both groups"):
        compare_people(first, first)
    with pytest.raises(ResultsRefused, match="found 4 and 12 people; wanted 5 or more"):
        compare_people(first[:4], second)


def test_groups_have_their_people_freedom_and_threshold(tmp_path):
    first, second = people(300, 6, "A"), people(500, 9, "C")
    found = compare_people(first, second)
    assert found.sentence == "6 and 9 people, mean speed 0.40 and 0.40 of sqrt(g L)"
    names = [path.name for path in write_groups(tmp_path, found)]
    assert names[:2] == ["groups.csv", "groups-statistics.json"]
    assert names[2:] == ["groups-numbers.csv", "groups-curves.csv"]
    told = json.loads((tmp_path / "groups-statistics.json").read_text(encoding="utf-8"))
    assert (told["question"], told["alpha"], told["paired"]) == ("groups", 0.05, False)
    assert told["people"] == [6, 9]
    (entry,) = (curve for curve in told["curves"] if curve["curve"] == KNEE)
    assert entry["people"] == [6, 9]
    means = [
        np.array([np.mean([c.curve(KNEE) for c in t.cycles], axis=0) for t in group])
        for group in (first, second)
    ]
    a, b = (float((m.var(axis=0, ddof=1) / len(m)).mean()) for m in means)
    assert entry["nu"] == pytest.approx((a + b) ** 2 / (a**2 / 5 + b**2 / 8))  # Satterthwaite
    (one,) = (f for f in found.findings if f.curve == KNEE)
    assert one.difference == pytest.approx(means[1].mean(axis=0) - means[0].mean(axis=0))
    error = np.sqrt(sum(m.var(axis=0, ddof=1) / len(m) for m in means))
    assert one.limit == pytest.approx(entry["k"] * error)
    with (tmp_path / "groups-curves.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["curve"] == KNEE]
    assert [int(row["percent"]) for row in rows] == list(range(101))
    for name, wanted in (
        ("mean_first", means[0].mean(axis=0)), ("sd_first", means[0].std(axis=0, ddof=1)),
        ("mean_second", means[1].mean(axis=0)), ("sd_second", means[1].std(axis=0, ddof=1)),
        ("difference", one.difference), ("limit", one.limit),
    ):  # fmt: skip
        assert [float(row[name]) for row in rows] == pytest.approx(wanted.tolist(), rel=1e-5), name

    first[0] = cases.trial(300, subject="A0", leave=(KNEE,))
    few = compare_people(first, second)
    assert few.sentence.startswith("6 and 9 people (some curves of 5 and 9), mean speed")


@pytest.mark.parametrize("paired", [False, True])
def test_a_curve_that_is_the_same_for_everybody_leaves_the_others_judged(paired):
    groups = people(300, 6, "A"), people(400, 6, "A" if paired else "B")
    for trial in (*groups[0], *groups[1]):
        for one in trial.cycles:
            one.values[:, cases.NAMES.index(KNEE)] = 0.0
    found = {f.curve: f for f in compare_people(*groups, paired=paired).findings}
    assert found[KNEE].word == "not judged"
    assert "found differences that are equal" in found[KNEE].reason or not paired
    assert found["hip_angle_flexion"].word != "not judged"


def with_peaks(trial, values, unit="deg", kinetics="1"):
    """A trial with one number: a value for each side."""
    rows = [
        {"side": side, "cycle": "1", "quantity": "number", "value": str(value), "unit": unit,
         "kinetics": kinetics}
        for side, value in zip(("left", "right"), values, strict=False)
    ]  # fmt: skip
    return replace(trial, tables={**trial.tables, "peaks": rows, "gait_parameters": []})


@pytest.mark.parametrize("paired", [False, True])
def test_numbers_of_groups_have_the_t_test_of_their_people(paired, tmp_path):
    rng = np.random.default_rng(4)
    values = rng.normal(60, 4, (2, 7, 2)) + np.array([0.0, 5.0])[:, None, None]
    groups = [
        [
            with_peaks(
                cases.trial(i + 50 * g, subject=f"{'AA' if paired else 'AB'}"[g] + str(i)), own
            )
            for i, own in list(enumerate(values[g]))[:: 1 - 2 * g]  # the second one backwards
        ]
        for g in (0, 1)
    ]
    found = compare_people(*groups, paired=paired)
    (one,) = found.numbers
    first, second = values.mean(axis=2)
    test = stats.ttest_rel(second, first) if paired else stats.ttest_ind(
        second, first, equal_var=False
    )  # fmt: skip
    interval = test.confidence_interval()
    assert (one.quantity, one.unit, one.people_first, one.people_second) == ("number", "deg", 7, 7)
    assert (one.mean_first, one.sd_first) == pytest.approx((first.mean(), first.std(ddof=1)))
    assert (one.difference, one.p, one.p_holm) == pytest.approx(
        (second.mean() - first.mean(), test.pvalue, test.pvalue)
    )
    assert (one.low, one.high) == pytest.approx(tuple(interval), rel=1e-2)  # nu to a tenth
    assert one.nu == pytest.approx(test.df)
    write_groups(tmp_path, found)
    with (tmp_path / "groups-numbers.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert float(row["p"]) == pytest.approx(one.p)


def test_numbers_of_groups_leave_out_what_does_not_count():
    def groups(**words):
        return [
            [with_peaks(cases.trial(i, subject=f"{g}{i}"), (i, i), **words) for i in range(6)]
            for g in "AB"
        ]

    assert compare_people(*groups()).numbers
    assert compare_people(*groups(unit="W/kg")).numbers
    assert not compare_people(*groups(unit="W/kg", kinetics="0")).numbers  # a foot off the plates
    others: tuple[dict[str, Any], ...] = ({"verdict": "fail"}, {"cutoff_hz": 6.0})
    for words in others:
        first, _ = groups()
        other = [with_peaks(cases.trial(i, subject=f"C{i}", **words), (i, i)) for i in range(6)]
        assert not compare_people(first, other).numbers


def test_numbers_of_repeats_have_their_error_and_icc(tmp_path):
    rng = np.random.default_rng(6)
    true = rng.normal(60, 5, 14)
    days = true[:, None] + rng.normal(0, 2, (14, 2))
    pairs = [
        ([with_peaks(cases.trial(i), [a])], [with_peaks(after(100 + i), [b])])
        for i, (a, b) in enumerate(days)
    ]
    (one,) = build_numbers(pairs)
    d = days[:, 1] - days[:, 0]
    within = np.sum(d**2) / 28
    between = 2 * np.var(days.mean(axis=1), ddof=1)
    assert (one.pairs, one.strides, one.bias) == (14, 1, pytest.approx(d.mean()))
    assert one.sd == pytest.approx(np.sqrt(within))
    assert one.mdc95 == pytest.approx(1.96 * np.sqrt(2 * within), rel=1e-4)
    assert one.icc == pytest.approx((between - within) / (between + within))
    assert not build_numbers(pairs[:9])
    write_repeats(tmp_path / "repeats.csv", {}, {}, [one])
    text = (tmp_path / "repeats-numbers.csv").read_text(encoding="utf-8")
    assert text.startswith("quantity,unit,pairs,strides,mean,bias,sd,mdc95,icc\nnumber,deg,14,1,")


def test_phases_of_groups_are_those_of_all_their_people():
    late = [75.0, *[60.0] * 5]
    first = [cases.trial(300 + i, subject=f"A{i}", foot_off=off) for i, off in enumerate(late)]
    added = {f"{side} {KNEE}": -20 * BUMP for side in ("left", "right")}
    other = people(500, 12, "C", added=added)  # the largest difference is at 72 %
    (knee,) = (f for f in compare_people(first, other).findings if f.curve == KNEE)
    assert knee.places[0].phase == "initial swing"


def test_a_group_is_of_one_condition():
    first, second = people(300, 6, "A"), people(400, 6, "B")
    shod = cases.trial(310, subject="A0", condition="shod", name="walk09")
    with pytest.raises(ResultsRefused, match="first group: found the conditions none, shod; want"):
        compare_people([*first, shod], second)
    with pytest.raises(ResultsRefused, match="second group: found the conditions none, shod"):
        compare_people(second, [*first, shod])


def test_the_same_people_in_two_conditions_are_compared_with_themselves():
    first, again = people(300, 8, "A"), people(300, 8, "A", added={f"left {KNEE}": -8 * BUMP})
    for trial, number in zip(again, range(900, 908), strict=True):
        noise = np.random.default_rng(number).standard_normal((101, len(cases.NAMES)))
        for one in trial.cycles:
            one.values[...] += 0.2 * cases.STRIDE * noise
    paired = {one.curve: one for one in compare_people(first, again, paired=True).findings}
    assert paired[KNEE].word == "clear"
    assert paired[KNEE].places[0].difference == pytest.approx(-4, abs=0.5)  # mean of both legs
    assert re.search(
        r"less in the second condition \([\d.]+ SD of people's differences\)", paired[KNEE].sentence
    )
    with pytest.raises(ResultsRefused, match="A7: found in one group only; wanted everybody in"):
        compare_people(first[:7], again, paired=True)
    one_leg = [*again[:7], replace(again[7], cycles=again[7].cycles[3:])]
    (knee,) = (f for f in compare_people(first, one_leg, paired=True).findings if f.curve == KNEE)
    assert knee.difference.min() == pytest.approx(-4 * 7 / 8, abs=0.5)


def test_two_subjects_of_one_static_are_two_people_told_apart_by_their_prefix():
    trials = [cases.trial(seed, strides=3) for seed in (1, 2)]
    for trial, prefix in zip(trials, ("A**", "B**"), strict=True):
        trial.document["subject"]["id"] = None
        trial.document["inputs"] = [{"role": "static", "sha256": "0"}]
        trial.document["options"]["subject_prefix"] = prefix
    assert len(people_of(trials).walks) == 2
    for trial in trials:
        trial.document["options"]["subject_prefix"] = None
    (name,) = people_of(trials).walks
    assert re.fullmatch("unnamed-[0-9a-f]{10}", name)  # as in an archive


def test_healthy_walkers_stay_within_the_limit_of_the_side_with_more_room():
    found = find_abnormal([cases.trial(9)], cases.norm())
    both = [one for one in found.curves if one.rule.name == KNEE]
    limits = [one.limit for one in both if one.limit is not None]
    assert [one.side for one in both] == ["left", "right"]
    assert both[0].test is not None
    np.testing.assert_allclose(limits[0], both[0].test.threshold * both[0].test.error)
    np.testing.assert_array_equal(found.limits[KNEE], np.fmax(*limits))
    single = find_abnormal([cases.trial(9, strides=1)], cases.norm())
    # five strides a person: an own spread of theirs is in the set already
    np.testing.assert_allclose(single.limits[KNEE], found.limits[KNEE], rtol=1e-12)
    moment = single.limits["hip_moment_extension"]
    assert np.isfinite(moment).all()
    assert "knee_angle_flexion" not in find_abnormal([cases.trial(9)], cases.norm(count=5)).limits


def test_too_few_strides_have_a_place_and_no_verdict():
    bump = {f"left {KNEE}": -32 * BUMP}
    one = of(find_abnormal([cases.trial(2, strides=1, offsets=bump)], cases.norm()), "left", KNEE)
    assert (one.word, one.places) == ("not judged", ())
    assert one.unjudged is not None
    assert (one.unjudged.phase, one.unjudged.difference) == (
        "initial swing", pytest.approx(-32, abs=4),
    )  # fmt: skip
    assert not one.cells.any()


def test_the_pelvis_is_judged_in_the_right_cycle_where_there_is_no_left_one():
    trial = cases.trial(9)
    right = tuple(one for one in trial.cycles if one.cycle.side == "right")
    left = tuple(one for one in trial.cycles if one.cycle.side == "left")
    for cycles, side, word in (
        (right, "right", "not shown"), (left[:1] + right, "right", "not shown"),
        (left[:1] + right[:1], "left", "not judged"), (left[:2] + right, "left", "not shown"),
    ):  # fmt: skip
        found = find_abnormal([replace(trial, cycles=cycles)], cases.norm())
        told = [(f.side, f.word) for f in found.findings if f.curve == "pelvis_angle_tilt"]
        assert told == [(side, word)]


def test_a_pelvis_is_compared_in_cycles_that_both_sessions_have_enough_of():
    """Of one left cycle before and three after nothing was judged, though each had three right."""
    whole, few = cases.trial(9), after()
    left = [one for one in few.cycles if one.cycle.side == "left"]
    few = replace(few, cycles=tuple(one for one in few.cycles if one not in left[1:]))
    for pair in ((whole, few), (few, whole)):
        assert pelvis_side(*(walk_of([one]) for one in pair)) == "right"


def test_every_later_group_is_held_against_the_first():
    trials = [[cases.trial(1)], [after()], [after()]]
    found = judge_groups(trials, [cases.norm()] * 3)
    assert (len(found.pairs), found.changes) == (2, None)
    assert first_sentences(found.abnormal[0].findings)


# ---------------------------------------------------------------- each reason for no verdict


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


def test_a_size_that_is_not_shown_stays_below_its_limit_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The table said 18 deg, less than the 18 deg that would be shown."""
    place = CycleStretch("", 80.0, 96.0, 88.0, -17.8, -3.3, 18.4, "in swing")
    monkeypatch.setattr(abnormal, "places_of", lambda *_: (place,))
    findings = find_abnormal([cases.trial(1, strides=5)], cases.norm()).findings
    told = [f.sentence for f in findings if f.word == "not shown" and f.unit == "deg"]
    assert told
    for sentence in told:
        assert "at most 18 deg less" in sentence
        assert sentence.endswith("not shown: that takes 18.4 deg")
