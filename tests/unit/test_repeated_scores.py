"""The error of the GPS from own repeats: what is written, read, and said of a change."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from scipy import stats

from gaitdyn.errors import NormRefused
from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.repeats.file import read_repeats, write_repeats
from gaitdyn.judge.repeats.own_error import build_scores
from gaitdyn.judge.repeats.scores import (
    GPS,
    GPS_OVERALL,
    ScorePair,
    gps_limits,
    read_score_errors,
    scores_file,
    scores_text,
)
from gaitdyn.judge.statistics_document import change_statistics
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.compared.changed_curves import gps_verdict_words
from gaitdyn.report.compared.comparison import compare_views, comparisons_of
from gaitdyn.report.tables.scores import GroupScores, score_tables
from gaitdyn.types.visit import Visit
from tests.unit import judge_cases as cases

NORM = replace(cases.norm().norm, sha256="ab")
OTHER = replace(NORM, sha256="cd")


def rows(changes, sides=("left", "right", "overall"), sha256="ab"):
    """Pairs in which the GPS of each side goes from 6 deg by so many."""
    return [
        ScorePair(i, side, 6.0, 6.0 + change, "deg", "own.csv", sha256)
        for i, change in enumerate(changes, 1)
        for side in sides
    ]


def read(tmp_path, pairs):
    path = tmp_path / "r-scores.csv"
    path.write_text(scores_text(pairs), encoding="utf-8")
    return read_score_errors(path)


def test_ten_pairs_that_differ_by_one_degree_make_t_of_ten_the_limit(tmp_path):
    """SEM^2 = 1 / 2, so the limit is 2.228 sqrt(2) sqrt(1 / 2), rounded up."""
    errors = read(tmp_path, rows([1.0, -1.0] * 5))
    assert errors[GPS].band[0] == errors[GPS_OVERALL].band[0] == pytest.approx(0.5)
    assert errors[GPS].nu == 10  # both sides of a person are one pair
    limits = gps_limits(errors, NORM)
    assert stats.t.ppf(0.975, 10) == pytest.approx(2.228, abs=1e-3)
    assert (limits.side, limits.overall) == (2.3, 2.3)
    assert limits.origin == "10 own repeats, r-scores.csv"
    halves = rows([1.0, -1.0] * 5, ("left",)) + rows([0.0] * 10, ("right",))
    assert read(tmp_path, halves)[GPS].band[0] == pytest.approx(0.25)


def test_few_pairs_none_and_another_set_keep_the_published_limit(tmp_path):
    assert gps_limits({}, NORM).origin == "published, Gait Posture 2023, 99:51-53"
    few = read(tmp_path, rows([1.0] * 9))
    assert few == {}
    curves_only = {"knee_angle_flexion": read(tmp_path, rows([1.0] * 10))[GPS]}
    for errors, norm, why in (
        (curves_only, NORM, "the repeats have no GPS (gaitdyn repeats build --norm)"),
        (read(tmp_path, rows([3.0] * 10)), OTHER, "against another reference set"),
        (read(tmp_path, rows([3.0] * 10)), None, "99:51-53"),
    ):
        limits = gps_limits(errors, norm)
        assert (limits.side, limits.overall) == (1.3, 1.3)
        assert limits.origin.startswith("published")
        assert limits.origin.endswith(why)
    sides = gps_limits(read(tmp_path, rows([1.0] * 10, ("left", "right"))), NORM)
    assert (sides.side, sides.overall) == (2.3, 1.3)
    assert sides.origin.startswith("10 own repeats, r-scores.csv; of both legs together: published")


@pytest.mark.parametrize(
    "wrong",
    [
        ("deg", "rad"), ("left", "both"), (",6,", ",-6,"), (",ab", ""), ("sha256", "hash"),
        ("1,left,6,7,deg,own.csv,ab", "1,left,6,7,deg,own.csv,cd"),
    ],
)  # fmt: skip
def test_lines_of_somebody_else_are_refused_in_one_line(tmp_path, wrong):
    path = tmp_path / "r-scores.csv"
    path.write_text(scores_text(rows([1.0] * 10)).replace(*wrong), encoding="utf-8")
    with pytest.raises(NormRefused, match="found lines that gaitdyn repeats build did") as refused:
        read_score_errors(path)
    assert "\n" not in str(refused.value)


def walkers(count=10, **words):
    """Pairs of sessions, the angles of the second one of each higher by 0.2 i deg."""
    found = []
    for i in range(count):
        shift = {f"{side} {name}": 0.2 * i for side in ("left", "right") for name in VARIABLES}
        first = cases.trial(300 + i, name=f"a{i}", static=f"a{i}")
        later: dict[str, Any] = {"name": f"b{i}", "static": f"b{i}", "offsets": shift, **words}
        found.append(([first], [cases.trial(400 + i, **later)]))
    return found


def test_what_is_written_is_the_gps_that_a_report_shows(tmp_path):
    pairs = walkers()
    found, notes = build_scores(pairs, NORM)
    assert notes == []
    assert len(found) == 30
    by_pair = [[find_abnormal(trials, NORM).scores for trials in pair] for pair in pairs]
    for row in found:
        of_report = by_pair[row.pair - 1]
        shown = [
            one.gps_overall if row.side == "overall" else one.gps[row.side] for one in of_report
        ]
        assert (row.first, row.second) == (shown[0].value, shown[1].value)
    path = tmp_path / "repeats.csv"
    errors = {"knee_angle_flexion": replace(read(tmp_path, found)[GPS])}
    whole = replace(
        errors["knee_angle_flexion"], shape=0 * cases.PERCENT, band=1 + 0 * cases.PERCENT
    )
    write_repeats(path, {"knee_angle_flexion": whole}, {"knee_angle_flexion": "deg"}, (), found)
    assert scores_file(path).name == "repeats-scores.csv"
    again = read_repeats(path)
    overall = [row.second - row.first for row in found if row.side == "overall"]
    expected = sum(d**2 for d in overall) / 20
    assert again[GPS_OVERALL].band[0] == pytest.approx(expected, rel=1e-4)
    assert "knee_angle_flexion" in again


def test_pairs_without_a_gps_are_told():
    fast = walkers(speed=0.6)
    rows, notes = build_scores(fast, NORM)
    assert rows == []
    assert notes[0] == "pair 1, gps: the speed differs, 0.40 and 0.60 of sqrt(g L)"
    assert notes[-1] == "gps: only 0 pairs, left out"
    _, notes = build_scores(walkers(strides=1), NORM)
    assert notes[0] == "pair 1, gps: no side has two strides in both sessions"
    _, notes = build_scores(walkers(leave=("hip_angle_flexion",)), NORM)
    assert notes[0] == "pair 1, gps: no left cycle has hip_angle_flexion"
    _, notes = build_scores(walkers(cutoff_hz=6.0), NORM)
    assert notes[0].startswith("pair 1, gps: the sessions were processed differently: --cutoff")
    back = walkers()
    for _, (second,) in back:
        second.tables["quality"].append({"code": "pelvis-backward"})
    _, notes = build_scores(back, NORM)
    assert notes[0].startswith("pair 1, gps: the pelvis does not face the walking direction")
    nine, notes = build_scores(walkers(9), NORM)
    assert (nine, notes) == ([], ["gps: only 9 pairs, left out"])


def test_a_change_is_held_against_the_own_limit(tmp_path):
    assert "no more than remeasurement alone would produce (2.3\u00b0)" in gps_verdict_words(
        9.0, 7.0, detectable_deg=2.3
    )
    assert gps_verdict_words(9.0, 6.6, detectable_deg=2.3).startswith("GPS \u22122.4\u00b0: more")
    near = gps_verdict_words(9.0, 6.66, detectable_deg=2.3)  # not "-2.3: more than 2.3"
    assert near.startswith("GPS \u22122.34\u00b0: more than remeasurement")
    errors = read(tmp_path, rows([1.0, -1.0] * 5))
    found = find_changes([cases.trial(1)], [cases.after()], norm=NORM, repeats=errors)
    told = change_statistics(found, ())["gps_detectable_deg"]
    assert told == {"side": 2.3, "overall": 2.3, "origin": "10 own repeats, r-scores.csv"}
    on = find_changes([cases.trial(1)], [cases.trial(2)], norm=NORM, repeats=errors)
    assert on.markers_on
    assert change_statistics(on, ())["gps_detectable_deg"] is None


def aided(one, aids):
    return replace(one, visit=Visit((("aids", aids),)))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (cases.trial(1), cases.after(strides=1),
         "second session: only 1 whole stride with a GPS, 2 are needed"),
        (cases.trial(1, verdict="fail"), cases.after(),
         "first session: the left angles are not usable"),
        (cases.trial(1), cases.after(cutoff_hz=6.0),
         "the sessions were processed differently: --cutoff 10 and 6"),
        (cases.trial(1), cases.trial(2, name="w", cutoff_hz=6.0),  # markers left on
         "the sessions were processed differently: --cutoff 10 and 6"),
        (aided(cases.trial(1), "cane"), cases.after(), "the walking aids differ: cane and none"),
        (cases.trial(1), cases.after(), None),
        (cases.trial(1), cases.after(speed=0.6), None),  # the reference is free speed
        (cases.trial(1), cases.trial(2, name="w", strides=1), None),  # only a size is told
    ],
)  # fmt: skip
def test_what_refuses_a_verdict_on_angles_refuses_that_on_the_gps(before, after, told):
    found = find_changes([before], [after], norm=NORM)
    sides = () if told is None else ("left", "right", "overall")
    assert set(found.gps.refused) == set(sides)
    assert change_statistics(found, ())["gps_not_judged"] == found.gps.refused
    assert found.gps.refused.get("left") == told
    assert told is None or found.gps.refused["overall"] == told


def test_a_gps_that_is_not_judged_is_told_so_on_the_page(session, later, norm_file):
    norm = read_norm(norm_file)
    report = make_report(read_groups([session, later]), norm)
    (pair,) = report.judgement.pairs
    refused = dict.fromkeys(("left", "right", "overall"), "the aids: cane and none")
    views = report.straight
    judged, other = (
        compare_views(views[0], views[1], replace(pair, gps=replace(pair.gps, refused=why)))
        for why in ({}, refused)
    )
    for side in judged.sides:
        assert "to matter" in side.verdict
        assert "Only the GPS" in side.table_note
    for side in other.sides:
        assert side.verdict.endswith("\u00b0: not judged, for the reason above.")
        assert side.headline.endswith("not judged, the aids: cane and none.")
        assert side.table_note.startswith("Scores are not judged")
    scored = [
        GroupScores(view.label, view.scores, view.norm, turning=False)
        for view in views
        if view.scores is not None and view.norm is not None
    ]
    limits = replace(pair.gps, refused=refused)
    *_, line = score_tables(scored, [(0, 1, limits)])[0].notes
    assert line.endswith(": not judged, the aids: cane and none.")


def test_a_page_names_the_limit_and_its_origin(session, later, norm_file, tmp_path):
    norm = read_norm(norm_file)
    groups = read_groups([session, later])
    of_sides = rows([1.0, -1.0] * 5, ("left", "right"), norm.sha256)
    errors = read(tmp_path, of_sides + rows([0.5, -0.5] * 5, ("overall",), norm.sha256))
    for repeats, limit, of_both, origin in (
        (errors, "2.3", "1.2", "10 own repeats, r-scores.csv"),
        (None, "1.3", "1.3", "published, Gait Posture 2023, 99:51-53"),
    ):
        report = make_report(groups, norm, repeats=repeats)
        (pair,) = report.judgement.pairs
        (found,) = comparisons_of(report)
        notes = " ".join(report.scores[0].notes)
        if pair.markers_on:
            continue
        assert f"That of the GPS: {origin}." in found.note
        assert all(f"({limit}\u00b0)" in side.verdict for side in found.sides)
        assert f"than the {of_both} deg that a second session causes by itself ({origin})." in notes
    assert not pair.markers_on
    assert math.isfinite(errors[GPS].level)
