"""What is said of sessions: words, places, sentences, and why a curve is not judged."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn import read_results
from gaitdyn.errors import NormRefused, OutputRefused, ResultsRefused, UsageError
from gaitdyn.judge import abnormal
from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changes.changed import _phase, find_changes
from gaitdyn.judge.changes.pair import speed_bands
from gaitdyn.judge.changes.planned import planned_of
from gaitdyn.judge.changes.table import change_lines
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.files import ABNORMAL_COLUMNS, CHANGE_COLUMNS
from gaitdyn.judge.finding import CycleStretch
from gaitdyn.judge.finding_words import where_of
from gaitdyn.judge.first_page import first_sentences
from gaitdyn.judge.groups.two import compare_people
from gaitdyn.judge.largest import Largest
from gaitdyn.judge.repeats.file import read_repeats
from gaitdyn.judge.session import pelvis_side
from gaitdyn.judge.session_trials import walk_of
from gaitdyn.judge.together import judge_groups, write_judgement
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.report.groups import Group
from gaitdyn.report.views import view_of_group
from gaitdyn.store import read_trial
from gaitdyn.types.norms import Norm
from gaitdyn.types.visit import Visit
from tests.read_back import rows_of
from tests.unit import judge_cases as cases
from tests.unit.judge_cases import BUMP, KNEE, after, of


def test_a_walker_like_the_norm_is_never_called_normal():
    found = find_abnormal([cases.trial(1)], cases.norm())
    assert {one.word for one in found.findings} == {"not shown"}
    assert len(found.findings) == 15 + 4 + 5 * 2 + 4 + 6
    said = of(found, "left", KNEE).sentence
    assert said.startswith("left knee flexion: at most ")
    assert "not shown, shown from " in said
    assert not any(" SD" in one.sentence for one in found.findings)
    assert not any("normal" in one.sentence for one in found.findings)
    assert first_sentences(found.findings) == ("nothing is clear among 39 judged curves",)


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
        for curve in (KNEE, "knee_power", "grf_y"):  # these have no axes of a joint
            assert of(found, "left", curve).word != "not judged"
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
        ({"speed": 0.2}, {}, "0.59 m/s is slower than any group of the norm"),
        ({"speed": 1.0}, {}, "2.97 m/s is faster than any group of the norm"),
    ],
)
def test_what_weakens_a_verdict_makes_it_possible_at_most(trial, norm, reason):
    wide: dict[str, Any] = {"offsets": {f"left {KNEE}": 60.0}, **trial}
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
    for side in ("left", "right"):
        assert of(found, side, KNEE).reason.endswith("2 are needed; turning strides left out: 5")


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


def test_the_roughness_is_that_of_the_people_where_a_set_has_it():
    norm = cases.norm()
    norm.bands[KNEE] = replace(norm.bands[KNEE], roughness=7.0)
    found = {c.rule.name: c for c in find_abnormal([cases.trial(8)], norm).curves}
    for name, origin, rough in (
        (KNEE, "the reference set's own", 7.0), ("hip_angle_flexion", "default", 10.0),
    ):  # fmt: skip
        test = found[name].test
        assert test is not None
        assert (found[name].origin, test.roughness) == (origin, rough)


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
    assert power.reason.startswith("no error between sessions is known; make")


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


def test_a_moment_is_tested_as_a_whole_and_has_no_offset_beside_it():
    moment = "hip_moment_extension"
    later = after(speed=0.42, offsets={f"left {moment}": 0.4 + 1.5 * BUMP})
    found = find_changes([cases.trial(12)], [later])
    one = of(found, "left", moment)
    assert one.places[0].difference == pytest.approx(1.9, abs=0.2)
    assert "offset" not in one.sentence
    assert found.speeds == pytest.approx((0.40, 0.42))
    (row,) = (x for x in change_lines(found.findings) if x.startswith("hip extension moment, N m"))
    assert re.search(r" \+[12]\.\d\d \(\d\.\d\d\) clear ", row)


def test_a_stretch_that_begins_at_a_strike_is_neither_the_strike_nor_the_cycle():
    phases = (("stance", 0.0, 60.0), ("swing", 60.0, 100.0))
    assert where_of(phases, 0, 20) == "in stance 0-20 %"
    assert where_of(phases, 80, 100) == "in swing 80-100 %"
    for start, end, whole in ((0.0, 100.0, True), (0.0, 20.0, False), (80.0, 100.0, False)):
        assert CycleStretch("", start, end, start, 1.0, 1.0, 1.0, "").whole_cycle is whole


def test_a_finding_is_as_large_as_the_largest_part_of_its_limit():
    one = of(find_changes([cases.trial(12)], [after()]), "left", KNEE)
    difference = np.full(101, np.nan)
    difference[[3, 50]] = -3.0, 2.0
    shape = replace(one, difference=difference, limit=np.full(101, 2.0), level=np.nan)
    level = replace(shape, level=-7.0, level_limit=4.0)
    assert (shape.relative, level.relative) == (1.5, 1.75)
    assert replace(level, level_limit=7.0).relative == 1.5
    near, far = (CycleStretch("", 9.0, 30.0, 20.0, 5.0, sd, 4.0, "") for sd in (1.0, -2.5))
    both = Largest((shape, replace(level, side="right")), (near, far))
    assert (both.size_sd, both.sides, both.first) == (2.5, ("left", "right"), 1)
    assert (both.of("right").size_sd, both.of("left").size_sd) == (2.5, 1.0)
    assert both.spans == ((9.0, 30.0), (9.0, 30.0))


def test_a_planned_change_over_the_whole_cycle_is_seen_and_told_as_one():
    """It was "at most 0.1 deg, not shown (planned)" above "+10 deg, possible"."""
    plan = f"left {KNEE} swing"
    offset = {f"left {KNEE}": 10.0}
    found = find_changes([cases.trial(13)], [after(offsets=offset)], planned=[plan])
    alone = of(found, "left", KNEE, plan)
    assert alone.word == "clear"
    assert alone.sentence.startswith("left knee flexion over the whole cycle: 8.7 deg more than")
    both = {f"left {KNEE}": 16.0 * BUMP - 12.0}
    found = find_changes([cases.trial(13)], [after(offsets=both)], planned=[plan])
    for planned in (plan, ""):
        said = of(found, "left", KNEE, planned).sentence
        assert "deg more than before, in addition to an offset of" in said


def test_a_planned_phase_without_a_point_of_the_curve_is_not_judged():
    brief = {"opposite_foot_strike": "50.3", "foot_off": "50.8"}

    def hasty(one):
        rows = [
            row | {"value": brief.get(row["quantity"], row["value"])}
            for row in one.tables["gait_parameters"]
        ]
        return replace(one, tables=one.tables | {"gait_parameters": rows})

    plan = f"left {KNEE} pre-swing"
    found = find_changes([hasty(cases.trial(13))], [hasty(after())], planned=[plan])
    one = of(found, "left", KNEE, plan)
    assert one.word == "not judged"
    assert one.reason == "the phase pre-swing is between two points of the curve"


def test_what_was_planned_is_tested_alone():
    plan = f"left {KNEE} swing"
    changed = after(offsets={f"left {KNEE}": 9.5 * BUMP})
    found = find_changes([cases.trial(13)], [changed], planned=[plan])
    alone, among = of(found, "left", KNEE, plan), of(found, "left", KNEE)
    assert (alone.word, among.word) == ("clear", "possible")
    assert alone.p == alone.p_holm < among.p
    by_name = find_changes([cases.trial(13)], [changed], planned=plan)
    assert of(by_name, "left", KNEE, plan).p == alone.p  # a text is one plan, not its letters
    assert found.findings[0] is alone
    assert "clear (planned)" in first_sentences(found.findings)[0]
    for wrong in ("", "left", "left knee", f"left {KNEE} sideways", f"both {KNEE}"):
        with pytest.raises(UsageError, match=r"wanted SIDE CURVE \[PHASE\]"):
            find_changes([cases.trial(13)], [changed], planned=[wrong])
    with pytest.raises(UsageError, match="found 4 planned changes; wanted at most 3"):
        find_changes([cases.trial(13)], [changed], planned=[plan] * 4)


def test_plans_in_the_file_of_the_first_visit_are_tested_wherever_sessions_are_compared():
    """`gaitdyn compare` left them out, and a report with four plans of two visits was refused."""
    curves = (KNEE, "hip_angle_flexion")
    plans = [f"{side} {curve} swing" for side in ("left", "right") for curve in curves]
    before, later = cases.trial(13), after()

    def planned(first: list[str], second: list[str], **words: Any) -> list[str]:
        visits = (Visit(planned=tuple(first)), Visit(planned=tuple(second)))
        pair = ([replace(before, visit=visits[0])], [replace(later, visit=visits[1])])
        return [f.planned for f in find_changes(*pair, **words).findings if f.planned]

    assert planned(plans[:2], plans[2:]) == plans[:2]  # the second visit plans for a third one
    assert planned([], plans[2:]) == plans[2:]
    assert planned(plans[:2], plans[2:], planned=plans[3]) == plans[3:]


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
    assert lines[-2].endswith("more that are clear)")
    assert lines[-1].startswith("4 possible of 39 judged (left knee adduction, ")
    assert lines[-1].partition(")")[0].count(", ") == 3


@pytest.mark.parametrize(("count", "more"), [(4, ""), (5, " and 1 more"), (7, " and 3 more")])
def test_of_possible_findings_four_are_named_and_the_others_counted(count, more):
    found = find_abnormal([cases.trial(18)], cases.norm()).findings
    possible = [replace(one, word="possible") for one in found[:count]]
    titles = {rule.name: rule.title for rule in curve_rules()}
    named = ", ".join(f"{one.side} {titles[one.curve]}" for one in possible[:4])
    said = first_sentences(possible)[-1]
    assert said.startswith(f"{count} possible of {count} judged ({named}{more}); by chance")


def test_judged_changes_are_a_line_per_curve_with_both_sides():
    found = find_changes([cases.trial(13)], [after(offsets={f"left {KNEE}": 15.0})])
    head, *rows, told = change_lines(found.findings)
    assert told.startswith("shape: ")
    assert head.split() == ["change", "(shown", "from)", "left", "right"]
    judged = {f.curve for f in found.findings if f.word != "not judged"}
    assert len(rows) == len(judged)
    (knee,) = (row for row in rows if row.startswith("knee flexion, deg "))
    assert re.search(r" \+1[345]\.\d \(\d\.\d\) clear .* \(\d\.\d\) (shape, )?not shown$", knee)
    (pelvis,) = (row for row in rows if row.startswith("pelvic tilt, deg "))
    assert pelvis.endswith(" -")  # judged once
    beside = {f"left {KNEE}": 16.0 * BUMP - 12.0}
    found = find_changes([cases.trial(13)], [after(offsets=beside)])
    (knee,) = (row for row in change_lines(found.findings) if row.startswith("knee flexion, deg "))
    assert re.search(r" \+1\d\.\d \(\d\.\d\) shape, clear ", knee)  # no more than 4 deg in all
    one_stride = find_changes([cases.trial(13, strides=1)], [after()])
    assert change_lines(one_stride.findings) == []


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
    rows = rows_of(tmp_path / "abnormal.csv")
    assert tuple(rows[0]) == ABNORMAL_COLUMNS
    (row,) = (r for r in rows if r["curve"] == KNEE and r["side"] == "left")
    assert (row["word"], row["unit"], row["start"], row["end"]) == ("clear", "deg", "0", "100")
    document = json.loads((tmp_path / "statistics.json").read_text(encoding="utf-8"))
    assert document["families"] == {"angles": 15, "knee axis": 4, "moments": 14, "powers": 6}
    two = judge_groups([*trials, [after()]])
    write_judgement(tmp_path, two)
    rows = rows_of(tmp_path / "change.csv")
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
    document = one.document | {"options": one.document["options"] | {"subject_prefix": "B:"}}
    other = replace(one, document=document)  # another person in the same recording
    assert walk_of([*copies, other]).trials == (one, other)


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


# ---------------------------------------------------------------- each reason for no verdict


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
        assert "at most 17.8 deg less" in sentence
        assert sentence.endswith("not shown, shown from 18.4 deg")


def test_a_planned_phase_without_any_difference_has_its_limit_in_words():
    """Of one recording on both days: "0.0 deg at foot strike", "less than the ... (nan deg)"."""
    walk = cases.trial(9, strides=5)
    found = find_changes([walk], [walk], planned=f"left {KNEE} swing").findings
    (one,) = (finding for finding in found if finding.planned)
    assert "at foot strike" not in one.sentence
    assert "nan" not in one.sentence


def test_a_norm_says_what_another_speed_changes_within_its_groups_and_axes():
    """Groups at 0.4 and 0.5, 10 apart; beyond them the outermost stands for 0.05 more."""
    groups = (cases.group(0.4, 40), cases.group(0.5, 40, more=10.0))
    two = Norm("own.csv", "a test", "", groups, in_house=True)

    def by_speed(first, second, norm: Norm | None = two, **words):
        before, after = (walk_of([cases.trial(1, speed=v, **words)]) for v in (first, second))
        return speed_bands((before, after), norm)

    for first, second, more in ((0.4, 0.5, 10.0), (0.5, 0.4, -10.0), (0.36, 0.54, 10.0)):
        found = by_speed(first, second) or {}
        assert set(found) == set(cases.NAMES)
        assert np.allclose(found[KNEE], more)
    for first, second in ((0.34, 0.5), (0.4, 0.56), (0.4, None)):
        assert by_speed(first, second) is None
    other = by_speed(0.4, 0.5, moments_in="proximal") or {}
    assert set(cases.NAMES) - set(other) == {n for n in cases.NAMES if "_moment_" in n}
    assert by_speed(0.4, 0.5, None) is None
    one_speed = replace(two, groups=(groups[0], cases.group(None, 40)))
    assert by_speed(0.4, 0.44, one_speed) is None


@pytest.mark.parametrize(("trials", "enough"), [((3, 3), True), ((3, 2), False), ((2, 3), False)])
def test_with_the_markers_left_on_both_conditions_need_three_trials(trials, enough):
    seeds = iter(range(70, 80))
    first, second = (
        [cases.trial(next(seeds), name=f"{word}{i}", strides=3) for i in range(count)]
        for word, count in zip(("bare", "shod"), trials, strict=True)
    )
    found = find_changes(first, second)
    assert found.markers_on
    reason = (
        "" if enough else "strides of fewer than three trials per condition resemble each other"
    )
    assert of(found, "left", KNEE).reason == reason


def test_a_planned_phase_of_a_ground_force_ends_with_the_stance_of_both():
    before, after_ = (walk_of([cases.trial(13, foot_off=off)]) for off in (60.0, 55.0))
    (plan,) = planned_of(["left grf_y pre-swing"])
    pair: Any = SimpleNamespace(before=before, after=after_)
    phase, doubts = _phase(pair, "left", plan.rule, plan)
    assert phase is not None
    assert (np.flatnonzero(phase).tolist(), doubts) == ([50, 51, 52, 53, 54], [])
    (swing,) = planned_of(["left grf_y swing"])
    (doubt,) = _phase(pair, "left", swing.rule, swing)[1]
    assert doubt.reason == "a ground force is tested in stance alone"


@pytest.mark.parametrize("events", [{"foot_off": ""}, {"opposite_foot_off": "70.0"}])
def test_a_planned_phase_that_is_not_known_does_not_name_the_wrong_foot(events):
    """Without the foot-off of this foot, "events of the other foot are missing" was said."""

    def without(one):
        rows = [
            row | {"value": events.get(row["quantity"], row["value"])}
            for row in one.tables["gait_parameters"]
        ]
        return replace(one, tables=one.tables | {"gait_parameters": rows})

    plan = f"left {KNEE} pre-swing"
    found = find_changes([without(cases.trial(13))], [without(after())], planned=[plan])
    one = of(found, "left", KNEE, plan)
    assert one.word == "not judged"
    why = "events of a foot are missing, or not in the order of a walk"
    assert one.reason == f"the phase pre-swing is not known: {why}"


def test_one_result_and_the_name_of_a_norm_are_refused_in_terms_of_the_arguments(synthetic):
    from tests.walks import processed

    result: Any = processed(synthetic / "walk01.c3d")
    norm: Any = read_norm("schwartz2008")
    wanted = r"^trials are .*, wanted a list of results, such as \[result\]$"
    several: list[Any] = [result, [[result]], None]
    for trials in several:
        with pytest.raises(UsageError, match=wanted):
            find_abnormal(trials, norm)
        with pytest.raises(UsageError, match=wanted):
            find_changes([result], trials)
    name: Any = "schwartz2008"
    with pytest.raises(UsageError, match=r"^norm is 'schwartz2008', wanted a .*read_norm\(NAME\)$"):
        find_abnormal([result], name)
    assert find_abnormal((result,), norm).findings


@pytest.mark.parametrize(("name", "how"), [("norm", "read_norm"), ("repeats", "read_repeats")])
def test_a_path_in_place_of_what_was_read_is_refused(tmp_path, name, how):
    before, after = [cases.trial(1)], [cases.after()]
    given: dict[str, Any] = {name: "own.csv"}
    with pytest.raises(UsageError, match=rf"{name} is 'own.csv', wanted .* read: gaitdyn.*{how}"):
        find_changes(before, after, **given)
    missing = str(tmp_path / "none.csv")
    with pytest.raises(NormRefused, match=r"none\.csv: no such file"):
        read_repeats(missing)
