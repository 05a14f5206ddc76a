"""What is said of groups of people, and of a laboratory's own repeats."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gaitdyn.errors import NormRefused, ResultsRefused
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.files import write_groups
from gaitdyn.judge.first_page import first_sentences
from gaitdyn.judge.groups.people import people_of
from gaitdyn.judge.groups.two import compare_people
from gaitdyn.judge.repeats.file import read_repeats, write_repeats
from gaitdyn.judge.repeats.own_error import build_numbers, build_repeats, notes_on_numbers
from tests.read_back import rows_of
from tests.unit import judge_cases as cases
from tests.unit.judge_cases import BUMP, KNEE, after, of, people


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
    one, copy = cases.trial(1), after(2, name="copy")
    copy.document["inputs"][0]["sha256"] = one.document["inputs"][0]["sha256"]
    with pytest.raises(NormRefused, match=r"pair 13: found copy.c3d a second time; .* every sess"):
        build_repeats([*pairs, ([one], [copy])])
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
    assert np.allclose(read[KNEE].band, errors[KNEE].band, rtol=1e-4)
    assert read[KNEE].shape_roughness == pytest.approx(errors[KNEE].shape_roughness, rel=1e-4)
    assert read[KNEE].band_roughness == pytest.approx(errors[KNEE].band_roughness, rel=1e-4)
    assert read[KNEE].measured
    found = find_changes([cases.trial(22)], [after(offsets={"left knee_power": 3.0})], repeats=read)
    assert of(found, "left", "knee_power").word == "clear"
    (entry,) = {c.session.origin for c in found.curves if c.session}
    assert entry == "12 own repeats, repeats.csv"


REPEATS = "curve,pairs,level_sd,shape_roughness,band_roughness,percent,shape_sd,band_sd,unit,origin"
LINES = [f"knee_power,12,0.1,9,15,{i},0.2,0.3,W/kg,12 own repeats" for i in range(101)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["a,b", "1,2"], "other columns"),
        ([], "other columns"),
        ([REPEATS], "no curve"),
        ([REPEATS, *LINES[:-1]], "100 lines"),
        ([REPEATS, *LINES[::-1]], "101 lines"),
        ([REPEATS, *LINES[:50], LINES[51], LINES[50], *LINES[52:]], "101 lines"),
        ([REPEATS, *LINES[:-1], LINES[-1] + ",1"], "argument 2 is longer"),
        ([REPEATS, *LINES[:-1], LINES[-1].replace("0.1", "0.2")], "lines that differ"),
        ([REPEATS, *(line.replace("12", "nan", 1) for line in LINES)], "lines of nan pairs"),
        ([REPEATS, *(line.replace("0.1", "-0.1") for line in LINES)], "101 lines"),
        ([REPEATS, *(line.replace("0.1", "1e999") for line in LINES)], "101 lines"),
        ([REPEATS, *(line.replace("0.1", "51") for line in LINES)], "an SD of 51 W/kg"),
        ([REPEATS, *(line.replace(",0.3,", ",51,") for line in LINES)], "an SD of 51 W/kg"),
        ([REPEATS, *LINES[:-1], LINES[-1].replace(",0.3,", ",51,")], "an SD of 51 W/kg"),
        ([REPEATS, *(line.replace("12", "9", 1) for line in LINES)], "101 lines of 9 pairs"),
        ([REPEATS, *(line.replace("W/kg", "deg") for line in LINES)], "another unit"),
        ([REPEATS, *(line.replace("knee", "knie") for line in LINES)], "another unit"),
        ([REPEATS, *LINES[:-1], LINES[-1].replace("0.2", "0,2")], "argument 2 is longer"),
    ],
)
def test_repeats_that_contradict_themselves_are_refused(tmp_path, lines, said):
    (tmp_path / "own.csv").write_text("\n".join([REPEATS, *LINES]) + "\n", encoding="utf-8-sig")
    (error,) = read_repeats(tmp_path / "own.csv").values()
    assert (error.level, error.nu) == (pytest.approx(0.01), 12.0)
    (tmp_path / "own.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(NormRefused, match=f"build did not write .*{said}"):
        read_repeats(tmp_path / "own.csv")


def test_of_two_sides_the_one_with_more_strides_counts():
    """The left foot was on the ground twice in the first session and once in the second."""

    def few(trial, count):
        left = [one for one in trial.cycles if one.cycle.side == "left"]
        return replace(trial, cycles=tuple(x for x in trial.cycles if x not in left[count:]))

    whole = [([cases.trial(100 + i)], [after(200 + i)]) for i in range(10)]
    right = [([few(a, 2)], [few(b, 1)]) for (a,), (b,) in whole]
    errors, _, notes = build_repeats(right)
    assert notes == []
    no_left = [([few(a, 0)], [few(b, 0)]) for (a,), (b,) in whole]
    alone, _, _ = build_repeats(no_left)
    for name, error in errors.items():
        assert np.array_equal(error.band, alone[name].band)


def test_two_people_of_one_recording_are_two_pairs_of_repeats():
    def pair(i, person, name):
        one, other = cases.trial(i, name=name), after(50 + i, name=f"{name} again")
        for day, trial in enumerate((one, other)):
            trial.document["options"]["subject_prefix"] = person
            trial.document["inputs"] = [
                {"role": "trial", "name": f"{name}{day}.c3d", "sha256": f"{name}{day}"},
                {"role": "static", "name": "s.c3d", "sha256": f"{person}{i}{day}"},
            ]
        return [one], [other]

    alone = [pair(i, "", f"walk{i}") for i in range(8)]
    for (one,), (other,) in alone:  # the placeholder for a pseudonym is no one's
        for trial in (one, other):
            trial.document["subject"]["id"] = "subject"
    errors, _, notes = build_repeats([*alone, pair(8, "A:", "both"), pair(9, "B:", "both")])
    assert (set(errors), notes) == (set(cases.NAMES), [])
    with pytest.raises(NormRefused, match=r"pair 10: found both0\.c3d a second time"):
        build_repeats([*alone, pair(8, "A:", "both"), pair(9, "A:", "both")])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_repeats_are_never_read_from_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "own.csv")
    with pytest.raises(NormRefused, match="found a pipe"):
        read_repeats(tmp_path / "own.csv")


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
    counts = first_sentences([replace(knee, word="possible")])
    assert any("(knee flexion);" in line for line in counts)
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
    rows = [row for row in rows_of(tmp_path / "groups-curves.csv") if row["curve"] == KNEE]
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
    assert (one.mean_second, one.sd_second) == pytest.approx((second.mean(), second.std(ddof=1)))
    assert (one.difference, one.p, one.p_holm) == pytest.approx(
        (second.mean() - first.mean(), test.pvalue, test.pvalue)
    )
    assert (one.low, one.high) == pytest.approx(tuple(interval))
    assert one.nu == pytest.approx(test.df)
    write_groups(tmp_path, found)
    (row,) = rows_of(tmp_path / "groups-numbers.csv")
    assert float(row["p"]) == pytest.approx(one.p)

    groups[1][0] = with_peaks(groups[1][0], values[1, 6, :1])  # the right leg missed the plates
    (one,) = compare_people(*groups, paired=paired).numbers
    first[6] = values[0, 6, 0] if paired else first[6]
    second[6] = values[1, 6, 0]
    assert one.mean_first == pytest.approx(first.mean())
    assert one.difference == pytest.approx(second.mean() - first.mean())
    (back,) = compare_people(*groups[::-1], paired=paired).numbers
    assert back.difference == pytest.approx(-one.difference)


def test_numbers_of_groups_leave_out_what_does_not_count():
    def groups(**words):
        return [
            [with_peaks(cases.trial(i, subject=f"{g}{i}"), (i, i), **words) for i in range(6)]
            for g in "AB"
        ]

    assert compare_people(*groups()).numbers
    assert compare_people(*groups(unit="W/kg")).numbers
    assert not compare_people(*groups(unit="W/kg", kinetics="0")).numbers  # a foot off the plates
    means = groups()
    for trial in (*means[0], *means[1]):
        for row in trial.tables["peaks"]:
            row["cycle"] = ""  # a mean over the cycles beside its values
    assert not compare_people(*means).numbers
    others: tuple[dict[str, Any], ...] = ({"verdict": "fail"}, {"cutoff_hz": 6.0})
    for words in others:
        first, _ = groups()
        other = [with_peaks(cases.trial(i, subject=f"C{i}", **words), (i, i)) for i in range(6)]
        assert not compare_people(first, other).numbers


def in_doubt(trial, code="body-size"):
    """The trial with a finding that puts its speed and lengths in doubt."""
    finding = {"code": code, "level": "warning"}
    return replace(trial, document=trial.document | {"findings": [finding]})


def test_groups_and_repeats_tell_where_gait_parameters_are_in_doubt():
    first, second = people(0, 6, "A"), people(50, 6, "B")
    assert not compare_people(first, second).notes
    beside = [in_doubt(cases.trial(90, name="walk09", subject="A2")), in_doubt(second[0])]
    notes = compare_people([*first, beside[0]], [beside[1], *second[1:]]).notes
    assert notes == (
        "gait parameters that body-size puts in doubt are left out: A2/walk09",
        "gait parameters that body-size puts in doubt count where no trial is without doubt: B0/"
        + second[0].name,
    )
    pair = [in_doubt(cases.trial(1, name="a")), cases.trial(2, name="b")], [after(3)]
    assert notes_on_numbers([pair]) == [
        "pair 1: gait parameters that body-size puts in doubt are left out: first session/a"
    ]


def test_a_difference_that_is_found_is_never_told_as_nothing():
    groups = people(0, 6, "A"), people(50, 6, "B")
    moment = cases.NAMES.index("ankle_moment_plantarflexion")
    for size, group in zip((0.0, 0.004), groups, strict=True):
        for i, trial in enumerate(group):
            for curves in trial.cycles:
                curves.values.setflags(write=True)
                curves.values[:, moment] = size + 0.0001 * np.sin(np.arange(101) / 9 + i)
    told = of(compare_people(*groups), "both", "ankle_moment_plantarflexion")
    assert (told.word, "0.004 N m/kg more in the second group" in told.sentence) == ("clear", True)


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
    for (before, after_), (a, b) in zip(pairs, days, strict=True):  # a side with fewer in one
        for (trial,), left, right in ((before, (0.0,) * 3, (a, a)), (after_, (9.0,), (b, b))):
            own = [("left", value) for value in left] + [("right", value) for value in right]
            rows = [{**trial.tables["peaks"][0], "side": s, "value": str(v)} for s, v in own]
            trial.tables["peaks"][:] = rows
        before[0].tables["peaks"].append({**before[0].tables["peaks"][0], "quantity": "other"})
    (two,) = build_numbers(pairs)
    assert (two.strides, two.mean, two.sd) == (2, pytest.approx(days.mean()), pytest.approx(one.sd))
    write_repeats(tmp_path / "repeats.csv", {}, {}, [one])
    text = (tmp_path / "repeats-numbers.csv").read_text(encoding="utf-8")
    assert text.startswith(
        "quantity,unit,pairs,strides,mean,bias,sd,mdc95,icc,session_sd\nnumber,deg,14,1,"
    )
    assert text.rstrip().endswith(",")  # of single strides it is not known


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


def processed_with(trials, number, age=None, **options):
    """Return trials, one of them of a person of some age and processed with other options."""
    one = trials[number]
    words = {"options": one.document["options"] | options}
    words["subject"] = one.document["subject"] | {"age_years": age}
    name = f"odd{number}.c3d"
    inputs = [{**file, "name": name} if file["role"] == "trial" else file
              for file in one.document["inputs"]]  # fmt: skip
    document = one.document | words | {"inputs": inputs}
    return [*trials[:number], replace(one, document=document), *trials[number + 1 :]]


def reason_of(first, second, curve="hip_moment_extension"):
    return of(compare_people(first, second), "both", curve).reason


def test_groups_name_the_trial_that_was_processed_differently():
    many, others = people(0, 6, "A"), people(50, 6, "B")
    assert reason_of(processed_with(many, 2, age=8, anthropometry="jensen"), others) == ""
    odd = processed_with(many, 2, age=30, anthropometry="jensen")
    assert reason_of(odd, others) == (
        "the groups were processed differently: --anthropometry auto/jensen and auto; process"
        " again: gaitdyn process odd2.c3d --anthropometry auto"
    )
    two = processed_with(processed_with(others, 1, cutoff_hz=6.0), 4, cutoff_hz=6.0)
    assert reason_of(many, two, KNEE) == (
        "the groups were processed differently: --cutoff 10 and 10/6; process again: gaitdyn"
        " process odd1.c3d --cutoff 10, likewise odd4.c3d"
    )


def with_shanks(trials, *wands):
    """Trials whose shanks follow the knee axis, of some the wand."""
    return [
        replace(one, document=one.document | {"model": one.document["model"] | {
            "axes": {"left": {"shank": "wand" if i in wands else "knee"}}
        }})
        for i, one in enumerate(trials)
    ]  # fmt: skip


def test_people_within_both_groups_who_were_processed_differently_are_told():
    many, others = with_shanks(people(0, 6, "A"), 0), with_shanks(people(50, 6, "B"), *range(5))
    told = "people within the groups were processed differently: shank axes knee/wand"
    assert reason_of(many, others, "knee_moment_extension") == told
    for unlike in ("hip_moment_extension", "knee_power", "pelvis_angle_tilt"):
        assert reason_of(many, others, unlike) == ""
    alike = with_shanks(people(0, 6, "A")), with_shanks(people(50, 6, "B"))
    assert reason_of(*alike, "knee_moment_extension") == ""
    far = with_shanks(
        people(50, 6, "B", added={f"{side} {KNEE}": 40.0 for side in ("left", "right")}), 0
    )
    assert of(compare_people(many, far), "both", KNEE).word == "possible"


def test_of_one_person_another_table_is_another_setting_at_any_age():
    child, grown = cases.trial(1, subject="A"), after(2, subject="A")
    (child,) = processed_with([child], 0, age=15, anthropometry="jensen")
    found = of(find_changes([child], [grown]), "left", "hip_moment_extension")
    assert "--anthropometry jensen and dempster-winter; process again" in found.reason


EXTENSION, FLEXION = "knee_moment_extension_max", "knee_moment_flexion_max"


def with_moment(trials, name=EXTENSION, **options):
    """Trials with one peak of a moment each, and other options."""
    found = []
    for i, trial in enumerate(trials):
        one = with_peaks(trial, (i, i), unit="N m/kg")
        for row in one.tables["peaks"]:
            row["quantity"] = name
        (one,) = processed_with([one], 0, **options)
        found.append(replace(one, path=Path(one.document["subject"]["id"]) / "walk01"))
    return found


def test_moments_of_two_conventions_are_the_same_numbers():
    """People whose moments were external had no peak of that name, and were left out."""
    inside = {word: with_moment(people(i, 6, word)) for i, word in enumerate("AB")}
    outside = {
        word: with_moment(people(i, 6, word), FLEXION, convention="external")
        for i, word in enumerate("AB")
    }
    half = [*inside["A"][:3], *outside["A"][3:]]
    for first, name in ((inside["A"], EXTENSION), (half, EXTENSION), (outside["A"], FLEXION)):
        second = outside["B"] if name == FLEXION else inside["B"]
        found = compare_people(first, second)
        (one,) = found.numbers
        assert (one.quantity, one.people_first, one.people_second) == (name, 6, 6)
        assert (one.mean_first, one.difference) == (2.5, 0.0)
        assert found.notes == ()


def test_moments_in_different_axes_are_not_averaged_and_the_trials_are_told():
    first, second = (with_moment(people(i, 6, word)) for i, word in enumerate("AB"))
    first, second = (processed_with(own, 2, moments_in="proximal") for own in (first, second))
    found = compare_people(first, second)
    assert found.numbers == ()
    (told,) = found.notes
    names = [f"{own[2].document['subject']['id']}/walk01" for own in (first, second)]
    assert told.startswith("no peaks of moments among the numbers: moments are in different axes: ")
    assert f", 7 more trials), proximal ({', '.join(names)})" in told
    (told,) = compare_people(first, with_moment(people(1, 6, "B"))).notes
    assert told.startswith(
        "no peaks of loads and powers among the numbers: the groups were processed differently:"
        " --moments-in distal/proximal and distal; process again: gaitdyn process odd2.c3d"
    )


def test_what_lowers_the_words_of_groups_is_told_of_their_numbers_too():
    groups = [processed_with(people(i, 6, w), 1, hip_centre="bell") for i, w in enumerate("AB")]
    reason = "people within the groups were processed differently: --hip-centre bell/model"
    assert compare_people(*groups).notes == tuple(
        f"peaks ({kind}) are compared although {reason}" for kind in ("kinematics", "kinetics")
    )


def test_repeats_in_different_axes_within_a_session_do_not_count():
    pairs = [([cases.trial(i)], [after(100 + i)]) for i in range(10)]
    mixed = [
        processed_with(
            [cases.trial(10 + day, name=f"{name}{day}", static=f"static {day}") for name in "ab"],
            1, moments_in="proximal",
        )
        for day in (0, 1)
    ]  # fmt: skip
    errors, _, notes = build_repeats([*pairs, (mixed[0], mixed[1])])
    assert (errors["hip_moment_extension"].origin, errors[KNEE].origin) == (
        "10 own repeats",
        "11 own repeats",
    )
    axes = "moments are in different axes: distal (a0, a1), proximal (b0, b1)"
    moments = sum("moment" in rule.name for rule in curve_rules())
    (told,) = (note for note in notes if axes in note)
    assert told == (
        f"pair 11, {moments} curves: {axes}; process all with one --moments-in and one --model"
    )
    assert notes_on_numbers([*pairs, (mixed[0], mixed[1])]) == [
        f"pair 11: no peaks of moments among the numbers: {axes}"
    ]


def walkers(seed, word, n=6, **words):
    """People who differ by an offset of a few degrees, with words for each of their trials."""
    rng = np.random.default_rng(seed)
    return [
        cases.trial(
            seed + i, subject=f"{word}{i}", strides=2,
            offsets={f"{side} {name}": 0.5 * cases.SD[j] * rng.standard_normal()
                     for j, name in enumerate(cases.NAMES) for side in ("left", "right")},
            **words,
        )
        for i in range(n)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("speeds", "reason"),
    [
        ((0.40, 0.44), ""),
        ((0.40, 0.46),
         "the groups walk at 0.40 and 0.46 of sqrt(g L), and the curve depends on the speed"),
        ((0.46, 0.40),
         "the groups walk at 0.46 and 0.40 of sqrt(g L), and the curve depends on the speed"),
        ((0.40, None), "walking speeds are not known, and the curve depends on them"),
        ((None, 0.40), "walking speeds are not known, and the curve depends on them"),
    ],
)  # fmt: skip
def test_groups_of_other_speeds_differ_possibly_at_most_and_say_why(speeds, reason):
    far = {f"{side} {KNEE}": 40.0 for side in ("left", "right")}
    first, second = (walkers(10 * i, "AB"[i], speed=speed) for i, speed in enumerate(speeds))
    for trial in second:
        for one in trial.cycles:
            one.values[:, cases.NAMES.index(KNEE)] += far[f"{one.cycle.side} {KNEE}"]
    knee = of(compare_people(first, second), "both", KNEE)
    assert (knee.word, knee.reason) == ("possible" if reason else "clear", reason)
    assert knee.sentence.endswith(f": possible; {reason}" if reason else ": clear")


def test_a_curve_of_four_people_is_not_judged():
    first, second = walkers(0, "A"), walkers(50, "B")
    for i in (0, 1):
        first[i] = cases.trial(i, subject=f"A{i}", strides=2, leave=(KNEE,))
    knee = of(compare_people(first, second), "both", KNEE)
    assert knee.reason == "4 and 6 people have this curve, 5 each are needed"


def test_a_leg_without_strides_takes_nothing_from_the_others():
    first, second = walkers(0, "A"), walkers(50, "B")
    last = first[5]
    first[5] = replace(last, cycles=tuple(x for x in last.cycles if x.cycle.side == "left"))
    found = compare_people(first, second)
    assert of(found, "both", KNEE).unit == "deg"
    assert found.sentence.startswith("6 and 6 people, ")
    (curve,) = (one for one in found.curves if one.rule.name == KNEE)
    left = np.mean([x.curve(KNEE) for x in first[5].cycles], axis=0)
    np.testing.assert_allclose(curve.first[5], left)


def test_of_pairs_a_mixture_that_both_conditions_have_does_not_count():
    first = with_shanks(walkers(0, "A"), 0)
    again = with_shanks(walkers(50, "A"), 0)
    found = compare_people(first, again, paired=True)
    assert found.sentence.startswith("6 people, mean speed 0.40 and 0.40")
    assert of(found, "both", "knee_moment_extension").reason == ""


def test_a_ground_force_that_one_group_alone_has_at_the_strike_is_judged_there():
    first, second = walkers(0, "A"), walkers(50, "B")
    for trial in first:
        for one in trial.cycles:
            one.values[:3, cases.NAMES.index("grf_y")] = 0.0
    found = compare_people(first, second)
    limit = of(found, "both", "grf_y").limit
    assert np.isfinite(limit[:60]).all()
    assert np.isnan(limit[60:]).all()
    for trial in second:
        for one in trial.cycles:
            one.values[:3, cases.NAMES.index("grf_y")] = 0.0
    assert np.isnan(of(compare_people(first, second), "both", "grf_y").limit[:3]).all()


def test_numbers_are_corrected_within_their_table_and_those_of_time_never_fail():
    rng = np.random.default_rng(2)

    def group(word, more, verdict="pass"):
        trials = []
        for i in range(6):
            one = with_peaks(cases.trial(i, subject=f"{word}{i}", verdict=verdict), ())
            row = {"side": "left", "cycle": "1", "unit": "deg"}
            value = str(more + rng.normal())
            one.tables["gait_parameters"].append({**row, "quantity": "stance", "value": value})
            one.tables["peaks"] += [
                {**row, "quantity": name, "value": value} for name in ("first", "second")
            ]
            trials.append(one)
        return trials

    found = {d.quantity: d for d in compare_people(group("A", 0.0), group("B", 1.0)).numbers}
    assert found["stance"].p_holm == found["stance"].p
    assert found["first"].p_holm == pytest.approx(min(1.0, 2 * found["first"].p))
    failed = compare_people(group("A", 0.0), group("B", 1.0, "fail")).numbers
    assert [d.quantity for d in failed] == ["stance"]
