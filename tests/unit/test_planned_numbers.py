"""A peak named before the second session: parsed, tested alone, refused like its curve, told."""

from __future__ import annotations

import html
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gaitdyn.errors import NormRefused, UsageError
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.changes.planned import planned_of
from gaitdyn.judge.files import CHANGE_COLUMNS, change_rows
from gaitdyn.judge.first_page import first_sentences
from gaitdyn.judge.repeats.file import read_repeats, write_repeats
from gaitdyn.judge.repeats.numbers import read_number_errors
from gaitdyn.judge.statistics_document import change_statistics
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.compared.changed_curves import changed_curves
from gaitdyn.report.first_screen.since import since_lines
from gaitdyn.report.first_screen.wording import internal_told
from gaitdyn.report.numbers import with_dashes
from gaitdyn.report.page.document import page_text
from gaitdyn.report.tables.verdicts import verdict_rows, verdict_tables
from gaitdyn.statistics.session_error import error_of_sd, number_sd
from gaitdyn.types.norms import Norm
from tests.read_back import rows_of
from tests.unit import judge_cases as cases
from tests.unit.judge_cases import KNEE, of, with_peaks

PEAK = "knee_moment_extension_max"
PLAN = f"left {PEAK}"
RANGE, WORK = "knee_angle_flexion_range", "ankle_power_a2_work"


def pair(offset=0.0, curve="knee_moment_extension", before=None, **words):
    """Two sessions with peaks, the second of whose curve is higher throughout."""
    second = cases.after(offsets={f"left {curve}": offset}, **words)
    return [with_peaks(cases.trial(13, **(before or {})))], [with_peaks(second)]


def values(trial, quantity=PEAK):
    return [
        float(row["value"])
        for row in trial.tables["peaks"]
        if (row["side"], row["quantity"]) == ("left", quantity)
    ]


def planned(sessions, plan=PLAN, **words):
    found = find_changes(*sessions, planned=[plan], **words)
    return of(found, "left", plan.split()[1], plan)


# ---------------------------------------------------------------- what may be planned


def test_a_peak_is_named_in_the_words_of_either_convention():
    for text in (PLAN, "left knee_moment_flexion_max"):
        (plan,) = planned_of(text)
        assert plan.number is not None
        assert (plan.number.name, plan.rule.name) == (PEAK, "knee_moment_extension")
    (curve,) = planned_of([f"left {KNEE} swing"])
    assert curve.number is None


def test_what_is_named_twice_is_planned_once():
    texts = [
        "left knee_moment_extension_max",
        "left knee_moment_extension",
        "left knee_angle_flexion",
    ]
    again = "left knee_moment_flexion_max"  # the same peak in the words of external moments
    assert planned_of([*texts[:2], again]) == planned_of(texts[:2])
    assert len(planned_of(texts)) == 3


def test_curves_and_peaks_are_three_together():
    three = [f"left {KNEE} swing", PLAN, "right ankle_power_a2_peak"]
    assert [plan.number is None for plan in planned_of(three)] == [True, False, False]
    with pytest.raises(UsageError, match="found 4 planned changes; wanted at most 3"):
        planned_of([*three, "right hip_moment_extension_min"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left knee_moment_extension_peak", f"near 'knee_moment_extension_peak': {PEAK}, "),
        ("left knee_angel_flexion swing", f"near 'knee_angel_flexion': {KNEE}, "),
        ("left knee_moment_flexion_mx", f": {PEAK}, "),
        (f"left {PEAK} stance", f"found a peak and 'stance'; wanted a peak alone.*'left {PEAK}'"),
        (PEAK, r"wanted SIDE CURVE \[PHASE\] or SIDE PEAK"),
        ("left trunk_angle_tilt_max", "cannot be read"),
    ],
)
def test_a_wrong_name_is_told_with_those_near_it(text, said):
    with pytest.raises(UsageError, match=said) as refused:
        planned_of([text])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("wrong", [3, [3], [None], {PLAN}])
def test_what_is_no_text_is_refused_in_terms_of_the_argument(wrong):
    with pytest.raises(UsageError, match=r"planned is .*, wanted texts such as 'left knee_angle"):
        planned_of(wrong)


# ---------------------------------------------------------------- the test


def test_the_limit_is_that_of_a_number_with_the_error_of_its_curve():
    """|d| > t_nu(.975) sqrt(2 tau^2 + e), e the pooled variance times (1/n1 + 1/n2)."""
    sessions = pair(0.25)
    first, second = (values(trials[0]) for trials in sessions)
    e = (np.var(first, ddof=1) + np.var(second, ddof=1)) / 2 * (2 / 5)
    between = 2 * 0.05**2
    nu = (between + e) ** 2 / (e**2 / 8 + between**2 / 30)
    one = planned(sessions)
    difference = np.mean(second) - np.mean(first)
    error = math.sqrt(between + e)
    assert one.level == pytest.approx(difference, rel=1e-12)
    assert one.level_limit == pytest.approx(stats.t.ppf(0.975, nu) * error, rel=2e-3)
    assert one.p == one.p_holm == pytest.approx(2 * stats.t.sf(difference / error, nu), rel=1e-6)
    assert (one.word, one.places) == ("clear", ())


def test_it_is_told_with_sign_and_both_means_and_stands_first():
    found = find_changes(*pair(0.25), planned=[PLAN])
    one = found.findings[0]
    assert one.sentence == (
        "left knee extension moment, largest in stance: +0.19 N m/kg, from 0.53 to 0.73: clear"
        " (planned)"
    )
    assert first_sentences(found.findings)[0] == one.sentence
    among = of(found, "left", "knee_moment_extension")
    assert among.word == "not shown"  # the curve asks for more
    unchanged = planned(pair())
    assert unchanged.sentence.startswith("left knee extension moment, largest in stance: ")
    assert "not shown (planned): less than the 0.1" in unchanged.sentence
    assert unchanged.sentence.endswith("N m/kg that a second placement of the markers can make")


def test_a_larger_flexion_moment_is_a_smaller_number():
    """ "0.3 N m/kg more" of a moment named by its opposite would be less of it."""
    plan = "left knee_moment_extension_min"
    one = planned(pair(-0.3), plan)
    assert one.sentence == (
        "left knee flexion moment, largest in stance: -0.35 N m/kg, from -0.24 to -0.59: clear"
        " (planned)"
    )


@pytest.mark.parametrize(
    ("less", "told"), [(0.001, "0.00 N m/kg, from 0.53 to 0.53"), (0.006, "-0.01 N m/kg, from 0.5")]
)
def test_a_change_that_is_shown_as_zero_has_no_sign_and_another_two_means(less, told):
    first, second = pair()
    tables = {**second[0].tables, "peaks": [dict(row) for row in first[0].tables["peaks"]]}
    for row in tables["peaks"]:
        row["value"] = repr(float(row["value"]) - less)
    one = planned((first, [replace(second[0], tables=tables)]))
    assert one.level == pytest.approx(-less)
    assert f": {told}" in one.sentence
    before, after = re.findall(r"from (\S+) to (\S+): not shown", one.sentence)[0]
    assert (before == after) == (less < 0.005)


def test_tables_have_the_change_as_a_level_and_nothing_of_a_shape():
    found = find_changes(*pair(0.25), planned=[PLAN])
    row = dict(zip(CHANGE_COLUMNS, change_rows(found.findings)[0], strict=True))
    assert (row["side"], row["curve"], row["planned"]) == ("left", PEAK, PLAN)
    assert row["level"] == found.findings[0].level
    assert row["level_limit"] == pytest.approx(0.151, abs=5e-4)
    empty = ("shape_peak", "shape_at", "shape_limit", "start", "end")
    assert [row[name] for name in empty] == [None] * 5
    entry = change_statistics(found, ())["curves"][0]
    assert (entry["curve"], entry["family"], entry["strides"]) == (PEAK, "moments", [5, 5])
    assert entry["session_sd"] == pytest.approx(0.05)
    assert entry["means"] == [pytest.approx(0.53, abs=0.005), pytest.approx(0.73, abs=0.005)]
    assert entry["k"] * math.sqrt(2) * 0.05 < row["level_limit"]
    # neither the family nor the curve itself is judged otherwise because of the plan
    without = find_changes(*pair(0.25))
    assert change_rows(found.findings)[1:] == change_rows(without.findings)
    assert change_statistics(found, ())["families"] == change_statistics(without, ())["families"]


def test_with_the_markers_left_on_the_trials_are_the_sample():
    rng = np.random.default_rng(5)
    sessions = [
        [
            with_peaks(
                cases.trial(
                    70 + 10 * s + i, name=f"{s}{i}", strides=2,
                    offsets={"left knee_moment_extension": 0.3 * s + 0.02 * rng.standard_normal()},
                )
            )
            for i in range(3)
        ]
        for s in range(2)
    ]  # fmt: skip
    found = find_changes(*sessions, planned=[PLAN])
    assert found.markers_on
    means = [[np.mean(values(trial)) for trial in trials] for trials in sessions]
    expected = stats.ttest_ind(*means)
    one = of(found, "left", PEAK, PLAN)
    assert one.p == pytest.approx(expected.pvalue, rel=1e-6)
    assert found.curves[0].test is not None
    assert found.curves[0].test.nu == 4
    # an integral needs no error between sessions here
    assert of(find_changes(*sessions, planned=[f"left {WORK}"]), "left", WORK, f"left {WORK}").p < 1


def test_strides_of_one_trial_with_the_markers_left_on_make_a_change_possible_at_most():
    sessions = pair(0.3, static="static A")
    one = planned(sessions)
    assert one.p < 1e-3
    assert (one.word, one.reason) == (
        "possible", "strides of fewer than three trials per condition resemble each other",
    )  # fmt: skip


def test_the_error_is_that_of_the_curve_where_the_peak_is():
    sd = np.where(np.arange(101) < 50, 0.2, 0.01)
    own = replace(error_of_sd(0.05, 101, "place"), band=sd**2)
    sessions = pair(0.25)
    one = planned(sessions, repeats={"knee_moment_extension": own})
    found = find_changes(*sessions, planned=[PLAN], repeats={"knee_moment_extension": own})
    session = found.curves[0].session
    assert session is not None
    times = [
        float(row["percent"])
        for trials in sessions
        for row in trials[0].tables["peaks"]
        if (row["side"], row["quantity"]) == ("left", PEAK)
    ]
    expected = np.mean([0.2 if t < 50 else 0.01 for t in times])
    assert math.sqrt(session.band[0]) == pytest.approx(expected, rel=0.05)
    assert one.level_limit > 2 * 0.01


def test_a_mean_over_stance_has_the_error_that_its_curve_has_in_stance():
    curve, plan = "hip_angle_internal_rotation", "left hip_angle_internal_rotation_stance_mean"
    variance = np.where(np.arange(101) <= 60, 9.0, 1.0)  # foot-off at 60 %
    own = replace(error_of_sd(1.0, 101, "x"), band=variance)
    found = find_changes(*pair(curve=curve), planned=[plan], repeats={curve: own})
    session = found.curves[0].session
    assert session is not None
    assert session.band[0] == pytest.approx(9.0)


def test_a_range_has_the_error_of_two_points_of_the_shape():
    own = replace(error_of_sd(1.0, 101, "x"), shape=np.full(101, 9.0), band=np.full(101, 10.0))
    plan = f"left {RANGE}"
    sessions = pair(curve=KNEE)
    for repeats, expected in (({KNEE: own}, 18.0), ({}, 2.5**2)):
        found = find_changes(*sessions, planned=[plan], repeats=repeats)
        session = found.curves[0].session
        assert session is not None
        assert session.band[0] == pytest.approx(expected)


# ---------------------------------------------------------------- no verdict, or a lower one


@pytest.mark.parametrize(
    ("plan", "words", "reason"),
    [
        (PLAN, {"speed": 0.6}, "the speed differs, 0.40 and 0.60 of sqrt.*give a --norm"),
        (PLAN, {"strides": 1}, "second session: only 1 stride with this number, 2 are needed"),
        (PLAN, {"verdict": "fail"}, "second session: the left moments are not usable"),
        (PLAN, {"moments_in": "proximal"}, "processed differently: --moments-in"),
        (f"left {WORK}", {}, "no error between sessions is known"),
        ("left knee_moment_extension_impulse", {}, "no error between sessions is known"),
        ("left ankle_power_a2_peak", {}, "no error between sessions is known"),
    ],
)
def test_what_refuses_its_curve_refuses_a_peak(plan, words, reason):
    one = planned(pair(0.3, **words), plan)
    assert one.word == "not judged"
    assert math.isnan(one.level)
    assert one.number
    assert re.search(reason, one.reason)
    row = dict(zip(CHANGE_COLUMNS, change_rows([one])[0], strict=True))
    assert (row["curve"], row["word"]) == (plan.split()[1], "not judged")


def test_the_words_of_external_moments_are_for_trials_that_have_them():
    """A plan of the internal flexion moment was tested as one of extension."""
    plan = "left knee_moment_flexion_max"
    one = of(find_changes(*pair(0.25), planned=[plan]), "left", PEAK, plan)
    assert (one.word, one.level_limit) == ("not judged", pytest.approx(math.nan, nan_ok=True))
    assert one.reason == (
        "knee_moment_flexion_max is a peak of external moments, and these are internal; plan"
        " knee_moment_extension_max if you mean the same number"
    )
    external = {"convention": "external"}
    sessions = pair(0.25, before=external, **external)
    assert of(find_changes(*sessions, planned=[plan]), "left", PEAK, plan).word == "clear"
    assert planned(sessions).word == "clear"  # the internal name is that of all tables of verdicts


def test_a_lowered_verdict_is_possible_and_says_why():
    one = planned(pair(0.4, verdict="check"))
    assert one.word == "possible"
    assert one.sentence.endswith(
        ": possible (planned); second session: the left moments are usable with care"
    )


def test_at_another_speed_the_sets_own_change_at_the_peak_is_subtracted():
    groups = (cases.group(0.3, 40), cases.group(0.6, 40, more=0.3))
    norm = Norm("own.csv", "a test", "", groups, in_house=True)
    sessions = pair(0.25, speed=0.55)
    same, faster = planned(pair(0.25)), planned(sessions, norm=norm)
    assert faster.level == pytest.approx(same.level - 0.15, abs=1e-9)  # half of the way
    assert "0.15 N m/kg, is subtracted" in faster.sentence
    impulse = planned(sessions, "left knee_moment_extension_impulse", norm=norm)
    assert "in this number by an amount that no norm shows" in impulse.reason
    span = planned(sessions, f"left {RANGE}", norm=norm)  # its ends move by unlike amounts
    assert "in this number by an amount that no norm shows" in span.reason


# ---------------------------------------------------------------- own repeats of the number


def own_pairs():
    rng = np.random.default_rng(3)
    walkers = [
        [
            with_peaks(
                cases.trial(
                    200 + 2 * i + s, name=f"{i}{s}", static=f"s{i}{s}", subject=f"P{i}", strides=4,
                    offsets={
                        f"{side} knee_moment_extension": 0.1 * rng.standard_normal()
                        for side in ("left", "right")
                    },
                )
            )
            for s in range(2)
        ]
        for i in range(12)
    ]  # fmt: skip
    return [([first], [second]) for first, second in walkers]


def test_own_repeats_have_the_error_of_the_number_without_that_of_the_strides(tmp_path):
    from gaitdyn.judge.repeats.own_error import build_numbers, build_repeats

    pairs = own_pairs()
    errors, units, _ = build_repeats(pairs)
    numbers = build_numbers(pairs)
    path = tmp_path / "repeats.csv"
    write_repeats(path, errors, units, numbers)
    read = read_repeats(path)
    (row,) = (r for r in rows_of(tmp_path / "repeats-numbers.csv") if r["quantity"] == PEAK)
    assert read[PEAK].band[0] ** 0.5 == pytest.approx(float(row["session_sd"]), rel=1e-5)
    assert 0 < float(row["session_sd"]) < float(row["sd"])
    assert (read[PEAK].nu, read[PEAK].origin) == (12, "12 own repeats, repeats-numbers.csv")
    # an integral has one, too, and is judged with it
    impulse = "left knee_moment_extension_impulse"
    assert planned(pair(0.9), impulse, repeats=read).word == "clear"
    found = find_changes(*pair(0.25), planned=[PLAN], repeats=read)
    session = found.curves[0].session
    assert session is read[PEAK]
    assert found.curves[0].test is not None
    assert found.curves[0].test.nu <= 12


def test_a_table_of_numbers_without_that_error_leaves_the_one_of_the_curve(tmp_path):
    path = tmp_path / "old-numbers.csv"
    path.write_text(f"quantity,unit,pairs,sd\n{PEAK},N m/kg,12,0.1\n", encoding="utf-8")
    assert read_number_errors(path) == {}
    assert read_number_errors(tmp_path / "none.csv") == {}
    with pytest.raises(NormRefused, match="wanted a table of gaitdyn repeats build, or none"):
        read_number_errors(tmp_path)  # it is there and cannot be read
    good = f"quantity,unit,pairs,session_sd\n{PEAK},N m/kg,12,0.1\n"
    path.write_text(good, encoding="utf-8")
    assert read_number_errors(path)[PEAK].level == pytest.approx(0.01)
    for one in DEFINITIONS:  # of every unit
        path.write_text(good.replace(PEAK, one.name).replace("N m/kg", one.unit), encoding="utf-8")
        assert read_number_errors(path)[one.name].nu == 12
    external = good.replace("extension", "flexion")  # the same numbers under other words
    path.write_text(external, encoding="utf-8")
    assert list(read_number_errors(path)) == [PEAK]
    for wrong in (
        (",12,", ",9,"), (",0.1", ",-0.1"), ("N m/kg", "N m"), (",12,0.1", ""), (",0.1", ",1e300"),
        (",0.1", ",nan"),
    ):  # fmt: skip
        path.write_text(good.replace(*wrong), encoding="utf-8")
        with pytest.raises(NormRefused, match="found lines that gaitdyn repeats build did"):
            read_number_errors(path)


def test_the_sd_of_a_number_has_no_share_of_the_strides():
    """d 4 and 1, e 2 and 2: (16 + 1) / 4 - 4 / 4; a single stride borrows the others' variance."""
    pairs = [([1.0, 3.0], [5.0, 7.0]), ([2.0, 4.0], [3.0, 5.0])]
    assert number_sd(pairs) == pytest.approx(math.sqrt((17 / 2 - 2) / 2))
    assert number_sd([([1.0], [4.0])] * 3) != number_sd(pairs)
    assert math.isnan(number_sd([([1.0], [4.0])] * 3))
    single = [*pairs, ([0.0], [5.0])]  # v 2 as of the others: e 4
    assert number_sd(single) == pytest.approx(math.sqrt((42 / 3 - (2 + 2 + 4) / 3) / 2))
    assert number_sd([([1.0, 9.0], [1.0, 9.0])] * 2) == 0.0


def test_a_page_tells_a_planned_peak(session, later):
    report = make_report(read_groups([session, later]), planned=[PLAN])
    (pair,) = report.judgement.pairs
    one = of(pair, "left", PEAK, PLAN)
    assert since_lines(report)[0] == with_dashes(one.sentence)
    page = html.unescape(page_text(report))
    assert page.count(with_dashes(one.sentence)) >= 2
    assert "knee extension moment, largest in stance (planned)" in page


def test_the_tables_of_a_pdf_have_a_planned_peak_under_its_title(session, later):
    """Its name is none of a curve: a PDF with a planned peak ended in a KeyError."""
    work = f"left {WORK}"
    report = make_report(read_groups([session, later]), planned=[PLAN, work])
    (table,) = (t for t in verdict_tables(report) if t.title.startswith("Changes from"))
    one = of(report.judgement.pairs[0], "left", PEAK, PLAN)
    assert table.rows[0] == (
        "left knee extension moment, largest in stance", one.word, with_dashes(one.sentence),
    )  # fmt: skip
    alike = verdict_rows([replace(one, word="not judged", reason="a reason")] * 2)
    assert alike[0][2].endswith(": left: " + ", ".join([one.number] * 2))


def test_a_page_lists_a_planned_peak_without_a_place():
    one = planned(pair(0.25))
    (listed,), _, _ = changed_curves([one], (), internal_told)
    assert listed.words == (
        "Internal knee extension moment, largest in stance (planned) +0.19 N\u00b7m/kg"
        " (limit 0.15): clear, from 0.53 to 0.73"
    )
    less = planned(pair(0.3), "left knee_moment_extension_min")  # of flexion there is less
    (listed,), _, _ = changed_curves([less], (), internal_told)
    assert listed.words == (
        "Internal knee flexion moment, largest in stance (planned) +0.25 N\u00b7m/kg"
        " (limit 0.15): clear, from \u22120.24 to 0.01"
    )
    work = replace(one, unit="J/kg", number="A2 ankle work")
    (listed,), _, _ = changed_curves([work], ())
    assert (listed.title, listed.unit) == ("A2 ankle work (planned)", " J/kg")
