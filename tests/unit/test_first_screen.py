"""The first screen in words: which findings are pictured, directions, headline, knee axis."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.largest import large_throughout, largest_findings, sustained_findings
from gaitdyn.metrics.healthy import STEP_LENGTHS, STEP_SPEEDS, Expected, expected_step_length
from gaitdyn.metrics.knee_axis import KneeAxisRemark, knee_axis_remark
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.plots.clinic.bars import profile_drawing
from gaitdyn.plots.marks import Area, TextLine
from gaitdyn.report.compared.one_side import Change
from gaitdyn.report.first_screen.around_findings import numbers_outside
from gaitdyn.report.first_screen.headline_words import (
    AgainstNorm,
    gps_class,
    headline_with_norm,
    headline_without_norm,
)
from gaitdyn.report.first_screen.numbers import HEALTHY_GPS, NumberRow, gps_words
from gaitdyn.report.first_screen.spoken_of import (
    curves_aside,
    norm_gps,
    open_curves,
    speed_unmatched,
)
from gaitdyn.report.first_screen.wording import finding_words, size_words, unit_of
from gaitdyn.report.page.group import page_view
from gaitdyn.report.paper.summary import summary_marks
from gaitdyn.types.norms import Band
from gaitdyn.types.subject import SIDES
from tests.unit import judge_cases as cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report import Report
    from gaitdyn.statistics.families import Word

AT = np.arange(0.0, 101.0, 2.0)
KNEE, HIP, MOMENT, POWER = (
    "knee_angle_flexion", "hip_angle_flexion", "hip_moment_extension", "ankle_power",
)  # fmt: skip
BUMP = np.exp(-(((np.arange(101.0) - 70) / 8) ** 2))


def flat(mean: float = 0.0, sd: float = 1.0, unit: str = "deg") -> Band:
    return Band(AT, np.full(51, mean), np.full(51, sd), unit)


def largest(strides: int = 5, most: int = 6, **offsets):
    told = {name.replace("__", " "): value for name, value in offsets.items()}
    found = find_abnormal([cases.trial(3, strides=strides, offsets=told)], cases.norm())
    return largest_findings(found.findings, most)


# ---------------------------------------------------------------- what is pictured


def test_clear_comes_before_possible_and_what_is_not_shown_fills_the_list() -> None:
    found = largest(
        left__knee_angle_flexion=-32 * BUMP, right__hip_angle_flexion=16.5,
        left__hip_angle_adduction=9.0, right__foot_angle_progression=-8.0,
    )  # fmt: skip
    assert len(found) == 4
    assert [(one.word, one.sides, one.curve) for one in found[:2]] == [
        ("clear", ("left",), KNEE), ("possible", ("right",), HIP),
    ]  # fmt: skip
    assert {one.word for one in found[2:]} == {"not shown"}
    sizes = [one.size_sd for one in found[2:]]
    assert sizes == sorted(sizes, reverse=True)
    assert found[0].places[0].phase == "initial swing"
    assert largest(most=1, left__knee_angle_flexion=-32 * BUMP)[0].curve == KNEE


def test_sides_that_differ_alike_are_one_and_others_are_two() -> None:
    alike = largest(left__knee_angle_flexion=-32 * BUMP, right__knee_angle_flexion=-30 * BUMP)
    assert (alike[0].sides, alike[0].word) == (("left", "right"), "clear")
    assert [one.curve for one in alike].count(KNEE) == 1
    apart = largest(left__knee_angle_flexion=-32 * BUMP, right__knee_angle_flexion=30 * BUMP)
    assert [one.sides for one in apart[:2]] == [("left",), ("right",)]


def test_what_lies_within_one_sd_does_not_fill_the_list() -> None:
    """Six curves stood in it whatever their size: "ankle more dorsiflexed, 0 deg, 0.1 SD"."""
    for strides in (5, 1):
        found = largest(strides, left__hip_angle_adduction=9.0)
        assert [(one.sides, one.curve) for one in found] == [(("left",), "hip_angle_adduction")]
        assert largest(strides) == ()


def test_a_side_that_hardly_differs_does_not_join_the_other() -> None:
    """The left hip was 8 degrees adducted, the right one 0: "hips adducted"."""
    for right, sides in ((6.0, [("left",), ("right",)]), (11.0, [("left", "right")])):
        found = largest(left__hip_angle_adduction=14.0, right__hip_angle_adduction=right)
        assert [one.sides for one in found] == sides


def test_an_offset_is_told_over_the_cycle_and_not_where_chance_makes_it_largest() -> None:
    """Hips rotated in by 22 degrees all the time were told "loading response"."""
    for strides in (5, 1):
        (offset,) = largest(strides, left__hip_angle_adduction=11.0)
        assert offset.places[0].where == "over the whole cycle"
        assert offset.places[0].start == offset.places[0].end
        of_set = find_abnormal(
            [cases.trial(3, strides=strides, offsets={f"left {MOMENT}": 1.5})],
            cases.norm(own=False),
        )
        (moment,) = (f for f in largest_findings(of_set.findings) if f.curve == MOMENT)
        assert moment.places[0].where.endswith("6-100 %")  # before is the impact
        (wave,) = largest(strides, left__hip_angle_adduction=11.0 * BUMP)
        assert wave.places[0].where.startswith("from initial swing to mid swing 6")


def test_one_stride_is_pictured_under_its_own_word_and_powers_are_not() -> None:
    found = largest(1, left__knee_angle_flexion=-32 * BUMP, left__ankle_power=9.0)
    assert found[0].curve == KNEE
    assert {one.word for one in found} == {"not judged"}
    assert not any("power" in one.curve for one in found)
    place = found[0].places[0]
    assert place.phase == "initial swing"
    assert place.difference == pytest.approx(-32, abs=5)


def test_an_angle_out_over_the_whole_cycle_is_named_though_no_point_of_it_is_beyond_chance() -> (
    None
):
    """A crouch of 14 degrees in both knees stood in the list, and the headline named powers."""
    norm = cases.norm(own=False)
    sd = float(norm.bands[KNEE].sd[0])
    sizes = {"left knee_angle_flexion": 2.3, "right knee_angle_flexion": 1.7, "left ankle_power": 3}
    offsets: dict[str, Any] = {curve: size * sd for curve, size in sizes.items()}
    bump = np.exp(-(((np.arange(101.0) - 70) / 4) ** 2))
    offsets["right foot_angle_progression"] = 3.0 * sd * bump  # as far out, but not for long
    findings = find_abnormal([cases.trial(3, offsets=offsets)], norm).findings
    assert {f.word for f in findings if f.curve == KNEE} == {"not shown"}
    (found,) = sustained_findings(findings, norm.bands, ())
    assert (found.curve, found.sides) == (KNEE, ("left",))
    assert not sustained_findings(findings, norm.bands, {("left", KNEE)})
    shown = [replace(f, word="clear") for f in findings]
    assert not sustained_findings(shown, norm.bands, ())


def test_a_large_offset_stands_before_possible_powers_though_many_people_are_as_far_out() -> None:
    """A knee 15 deg more flexed all the time, 1.8 SD of slow walkers, was the last of the list."""
    norm = cases.norm(own=False)
    for strides, sd, offset, large in (
        (5, 8.4, 15.0, True), (5, 8.4, 12.0, False), (5, 3.0, 5.5, False), (1, 8.4, 17.0, True),
    ):  # fmt: skip
        bands = {**norm.bands, KNEE: replace(norm.bands[KNEE], sd=np.full(101, sd))}
        walk = cases.trial(3, strides=strides, offsets={f"left {KNEE}": offset})
        findings = find_abnormal([walk], replace(norm, bands=bands)).findings
        lasting = large_throughout(findings, bands, ())
        assert lasting == ({("left", KNEE)} if large else set())
        assert not large_throughout(findings, bands, {("left", KNEE)})
        assert not sustained_findings(findings, bands, ())


def test_the_headline_keeps_a_place_for_what_is_out_over_the_whole_cycle() -> None:
    possible: list[tuple[Word, str]] = [("possible", f"Foot {word}") for word in "abc"]
    told: list[tuple[Word, str]] = [("not shown", "Knees more flexed")]
    lasting = "Far out over the cycle, but not beyond chance: knees more flexed."
    none = "No curve lies outside the norm by more than chance"
    for findings, brief, words in (
        (possible, False, f"Possible: foot a, foot b. {lasting}"), (possible, True, ""),
        (told, False, f"{none}; farthest: knees more flexed."), (told, True, f"{none}."),
    ):  # fmt: skip
        said = AgainstNorm(findings=findings, open_of=(0, 19), sustained=["Knees more flexed"])
        assert headline_with_norm(said, brief=brief) == words


def test_the_headline_names_two_joints_where_its_two_lines_have_room() -> None:
    """Of a crouch it named the knee alone, whatever else it said: 36 letters are one joint."""
    knee, hip, foot = "Left knee more flexed", "Right hip less extended", "Left foot more turned in"
    both = "left knee more flexed, right hip less extended."
    told = AgainstNorm({"left": 9.8, "right": 8.6}, sustained=[knee, hip, foot], open_of=(0, 39))
    assert headline_with_norm(told).endswith(f"; farthest: {both}")
    one = replace(told, findings=[("possible", "Left hip more flexed")])
    assert headline_with_norm(one).endswith(f"not beyond chance: {both}")
    long = replace(one, speed_z=3.0, others="adults of 20 to 60 years")
    assert headline_with_norm(long).endswith("chance: left knee more flexed. Walks fast.")


def test_a_size_that_would_be_shown_as_zero_is_not_pictured() -> None:
    """An own set has hardly any spread of the ankle moment in swing: R 0.0 N m/kg was listed."""
    found = find_abnormal([cases.trial(3, offsets={f"left {MOMENT}": 1.5})], cases.norm())
    (moment,) = [f for f in found.findings if (f.side, f.curve) == ("left", MOMENT)]
    assert moment.word == "clear"
    assert [f.curve for f in largest_findings([moment])] == [MOMENT]
    small = replace(moment, places=tuple(replace(p, difference=0.04) for p in moment.places))
    assert not largest_findings([small])


def test_what_a_doubted_knee_axis_turns_comes_last_under_its_word() -> None:
    turned = "hip_angle_internal_rotation"
    offsets = {f"left {turned}": 60.0 * BUMP, "left hip_angle_adduction": 30.0 * BUMP}
    alone = [cases.trial(3, strides=1, offsets=offsets)]
    findings = find_abnormal(alone, cases.norm()).findings
    first = [one.curve for one in largest_findings(findings)]
    assert first[0] == turned
    doubted = [one.curve for one in largest_findings(findings, doubted={("left", turned)})]
    assert doubted[0] != turned
    assert turned not in doubted[:-1]


def test_angles_come_before_moments_and_powers_of_their_word_however_far_these_are_out() -> None:
    """A knee 22 deg hyperextended stood below four powers and moments, or in no list at all."""
    offsets = {"left knee_angle_flexion": 30.0 * BUMP, f"left {MOMENT}": 30.0}
    found = find_abnormal([cases.trial(3, offsets=offsets)], cases.norm()).findings
    same = [replace(f, word="possible") for f in found if f.farthest is not None]
    listed = largest_findings(same, len(same))
    kinds = [one.findings[0].kind for one in listed]
    assert kinds == sorted(kinds)
    assert kinds[0] == 0
    farthest = max(listed, key=lambda one: one.size_sd)
    assert farthest.curve == MOMENT


def test_an_angle_far_out_over_the_cycle_follows_those_that_are_possible() -> None:
    """It was named by the headline and stood in no list below it."""
    offsets = {"left knee_angle_flexion": 30.0 * BUMP, f"left {MOMENT}": 30.0}
    found = find_abnormal([cases.trial(3, offsets=offsets)], cases.norm()).findings
    same = [
        replace(f, word="not shown" if f.curve == "knee_angle_flexion" else "possible")
        for f in found
        if f.farthest is not None and f.side == "left"
    ]
    lasting = {("left", "knee_angle_flexion")}
    listed = [one.curve for one in largest_findings(same, len(same), lasting=lasting)]
    without = [one.curve for one in largest_findings(same, len(same))]
    assert listed.index("knee_angle_flexion") < listed.index(MOMENT)
    assert without.index("knee_angle_flexion") > without.index(MOMENT)


def test_a_leg_with_a_raised_gps_has_an_angle_in_the_headline() -> None:
    """The headline named the other leg alone where the leg with the raised GPS was not judged."""
    told = AgainstNorm(
        {"left": 7.1, "right": 3.4},
        findings=[("possible", "Right hip generates more power")],
        farthest={"left": "left ankle more plantarflexed (not judged)", "right": "right foot"},
    )
    words = "Farthest angle: left ankle more plantarflexed (not judged)."
    assert headline_with_norm(told).endswith(words)
    assert "Farthest" not in headline_with_norm(told, brief=True)
    named: list[tuple[Word, str]] = [("possible", "Left knee more flexed")]
    again = replace(told, findings=named, angles={"left": {"Left knee more flexed"}})
    assert "Farthest" not in headline_with_norm(again)


def test_curves_that_follow_the_markers_are_pictured_only_where_they_are_clear() -> None:
    found = largest(left__knee_angle_adduction=40.0)
    assert not any(one.curve == "knee_angle_adduction" for one in found)


def test_a_speed_or_a_step_length_far_from_its_norm_has_a_sentence(report: Report) -> None:
    """The list named curves alone: a step 3 SD short stood beside its norm without a word."""
    norm = Expected(0.6, 0.05)
    sentences = {
        (0.45, 0.75): "L 3.0 SD shorter; R 3.0 SD longer", (0.75, 0.8): "L 3.0, R 4.0 SD longer",
        (None, 0.45): "R 3.0 SD shorter", (0.51, 0.69): "", (None, None): "",
    }  # fmt: skip
    for values, words in sentences.items():
        step = NumberRow("Step length", "m", 2, dict(zip(SIDES, values, strict=True)), norm)
        unknown = replace(step, norm=None)
        view = replace(report.views[0], numbers=(step, unknown))
        told = numbers_outside(view)
        assert told == (words and f"Step length outside its norm: {words}.")
        assert page_view(view, 6)["numbers_outside"] == told
        assert page_view(view, 3)["numbers_outside"] == ""  # of compared sessions, which are short
        texts = " ".join(m.text for m in summary_marks(view) if isinstance(m, TextLine))
        assert told in texts


DIRECTIONS = [
    ("foot_angle_progression", -3.0, 0.0, "Left foot more turned out"),
    ("foot_angle_progression", 9.0, -14.0, "Left foot less turned out"),
    ("foot_angle_progression", 9.0, -4.0, "Left foot more turned in"),
    ("pelvis_angle_obliquity", -3.0, 0.0, "Left pelvis lower"),
    ("pelvis_angle_obliquity", -3.0, 5.0, "Left pelvis lower"),
    ("pelvis_angle_rotation", -9.0, 5.0, "Left pelvis rotated more back"),
    ("pelvis_angle_tilt", -9.0, 12.0, "Pelvis less tilted forward"),
    ("pelvis_angle_tilt", -15.0, 12.0, "Pelvis more tilted back"),
    ("hip_angle_adduction", 15.0, 3.0, "Left hip more adducted"),
    ("hip_angle_adduction", -15.0, 3.0, "Left hip more abducted"),
    ("hip_angle_internal_rotation", 15.0, 3.0, "Left hip more rotated in"),
    (HIP, 9.0, -12.0, "Left hip less extended"),
    (HIP, -9.0, -5.0, "Left hip more extended"),
    ("ankle_angle_dorsiflexion", 14.0, -18.0, "Left ankle less plantarflexed"),
    ("ankle_angle_dorsiflexion", -6.0, 10.0, "Left ankle less dorsiflexed"),
    ("ankle_angle_dorsiflexion", -15.0, 10.0, "Left ankle more plantarflexed"),
    (KNEE, -12.0, 8.0, "Left knee less flexed"),
    (KNEE, -18.0, 8.0, "Left knee less flexed (hyperextended)"),
    ("pelvis_angle_tilt", 3.0, 0.0, "Pelvis more tilted forward"),
    (MOMENT, -3.0, 0.0, "Left internal hip moment more flexor"),
    ("hip_moment_flexion", 3.0, 0.0, "Left external hip moment more flexor"),
    ("ankle_moment_plantarflexion", -0.6, 1.2, "Left internal ankle moment less plantarflexor"),
    ("ankle_moment_plantarflexion", -1.5, 1.2, "Left internal ankle moment more dorsiflexor"),
    ("ankle_moment_plantarflexion", 0.6, -1.2, "Left internal ankle moment less dorsiflexor"),
    ("ankle_moment_plantarflexion", -0.6, -1.2, "Left internal ankle moment more dorsiflexor"),
    ("ankle_moment_plantarflexion", 0.6, 1.2, "Left internal ankle moment more plantarflexor"),
    (POWER, 3.0, 0.0, "Left ankle generates more power"),
    (POWER, -1.0, 5.0, "Left ankle generates less power"),
    (POWER, -3.0, 0.0, "Left ankle absorbs more power"),
    (POWER, -6.0, 5.0, "Left ankle absorbs more power"),
    (POWER, 1.0, -5.0, "Left ankle absorbs less power"),
    ("grf_y", 1.0, 9.0, "Left vertical ground force higher"),
    ("grf_x", -1.0, 0.0, "Left ground force more backward"),
]
"""Name, difference, normal, words."""


def test_directions_are_plain_words() -> None:
    told = [(x, y, z, finding_words(x, ["left"], y, z)) for x, y, z, _ in DIRECTIONS]
    assert told == DIRECTIONS


def test_both_sides_are_told_in_the_plural_and_sizes_without_a_sign() -> None:
    assert finding_words(KNEE, ["left", "right"], -9.0, 30.0) == "Knees less flexed"
    assert (
        finding_words(MOMENT, ["left", "right"], 1.0, 0.0) == "Internal hip moments more extensor"
    )
    assert (size_words(KNEE, -10.6), size_words(MOMENT, 1.26)) == ("11", "1.3")
    units = [unit_of(name) for name in (KNEE, MOMENT, POWER, "grf_y")]
    assert units == ["\u00b0", " N\u00b7m/kg", " W/kg", " N/kg"]


def test_a_single_stride_far_out_stands_before_what_is_within_its_limit() -> None:
    """Sizes decide among what is not shown and what is not judged, not the word."""
    offsets = {"right hip_angle_adduction": 19.0 * BUMP, "left hip_angle_flexion": 8.0}
    pair = [cases.trial(3, strides=5, offsets=offsets)]
    kept = tuple(one for one in pair[0].cycles if one.cycle.side == "left" or one.cycle.number == 1)
    words = [{**one, "cycles": 1} if one["side"] == "right" else one
             for one in pair[0].document["verdicts"]]  # fmt: skip
    document = {**pair[0].document, "verdicts": words}
    found = find_abnormal([replace(pair[0], cycles=kept, document=document)], cases.norm())
    told = largest_findings(found.findings)
    assert [(told[0].word, told[0].sides, told[0].curve)] == [
        ("not judged", ("right",), "hip_angle_adduction")
    ]
    assert "not shown" in {one.word for one in told[1:]}


def test_curves_that_follow_an_unknown_speed_are_not_passed_over_in_silence() -> None:
    for speed, unmatched in ((0.4, False), (None, True)):
        offsets = {"left knee_angle_flexion": 30.0 * BUMP}
        alone = [cases.trial(3, strides=1, speed=speed, offsets=offsets)]
        findings = find_abnormal(alone, cases.norm()).findings
        assert speed_unmatched(findings) is unmatched
        told: list[tuple[Word, str]] = [("not judged", "Left hip more adducted")]
        said = headline_with_norm(AgainstNorm(findings=told, speed_unmatched=unmatched))
        words = "Speed not matched: tilt, flexion and loads are not judged. "
        words = words if unmatched else ""
        assert said == (
            f"{words}Too few strides to judge; farthest from the norm: left hip more adducted."
        )


# ---------------------------------------------------------------- knee axis


def walk(varus: np.ndarray, hip: float = 0.0, knee: float = 0.0):
    flexion = 30 - 30 * np.cos(np.linspace(0, 2 * np.pi, 101))
    return {
        ("left", "knee_angle_flexion"): flexion,
        ("left", "knee_angle_adduction"): varus,
        ("left", "hip_angle_internal_rotation"): np.full(101, hip),
        ("left", "knee_angle_internal_rotation"): np.full(101, knee),
    }


def test_varus_that_follows_flexion_by_more_than_ten_degrees_is_remarked() -> None:
    wave = -np.cos(np.linspace(0, 2 * np.pi, 101))
    bands = {"hip_angle_internal_rotation": flat(), "knee_angle_internal_rotation": flat()}
    found = knee_axis_remark("left", walk(6.0 * wave), bands)
    assert found is not None
    assert found.range_deg == pytest.approx(12.0)
    assert knee_axis_remark("left", walk(4.9 * wave), bands) is None
    assert knee_axis_remark("left", walk(np.full(101, 20.0)), bands) is None
    assert knee_axis_remark("right", walk(6.0 * wave), bands) is None
    other = np.sin(np.linspace(0, 2 * np.pi, 101))
    assert knee_axis_remark("left", walk(9.0 * other), bands) is None
    gaps = walk(6.0 * wave)
    keys = ("left", "knee_angle_flexion"), ("left", "knee_angle_adduction")
    for key, rows in zip(keys, (slice(5), slice(96, None)), strict=True):
        gaps[key] = np.where(np.isin(np.arange(101), np.arange(101)[rows]), np.nan, gaps[key])
    found = knee_axis_remark("left", gaps, bands)
    assert found is not None
    assert found.range_deg == pytest.approx(6.0 * (1 + np.cos(2 * np.pi * 0.05)))
    for key in keys:
        less = walk(6.0 * wave)
        for lost in (np.full(101, np.nan), np.full(101, 7.0)):
            assert knee_axis_remark("left", {**less, key: lost}, bands) is None
        del less[key]
        assert knee_axis_remark("left", less, bands) is None


def test_rotations_to_opposite_sides_are_remarked() -> None:
    bands = {
        "hip_angle_internal_rotation": flat(4.0, 2.0),
        "knee_angle_internal_rotation": flat(-7.0, 3.0),
    }
    varus = 0.1 * np.sin(np.linspace(0, 7, 101))

    def remark(hip_sd: float, knee_sd: float) -> KneeAxisRemark | None:
        shown = walk(varus, 4.0 + 2.0 * hip_sd, -7.0 + 3.0 * knee_sd)
        return knee_axis_remark("left", shown, bands)

    found = remark(1.5, -2.5)
    assert found is not None
    assert found.by_rotations
    assert remark(-1.5, 2.5) is not None
    for hip, knee in ((1.5, 2.5), (0.9, -2.5), (1.5, -1.9)):
        assert remark(hip, knee) is None
    assert knee_axis_remark("left", walk(varus, 7.0, -14.5), {}) is None
    assert knee_axis_remark("left", walk(varus, np.nan, -14.5), bands) is None
    some = np.arange(len(bands["hip_angle_internal_rotation"].sd)) > 0
    for name in tuple(bands):
        without = {**bands, name: replace(bands[name], sd=bands[name].sd * some)}
        assert knee_axis_remark("left", walk(varus, 7.0, -14.5), without) is None, "an SD of 0"


# ---------------------------------------------------------------- headline, norms, changes


def test_classes_of_the_gps_step_at_their_limits() -> None:
    words = [gps_class(float(np.exp(1.677 + z * 0.263)))[1] for z in (0.99, 1.2, 1.9, 2.1)]
    assert words == [
        "on average within the norm", "just above the norm", "above the norm", "far above the norm",
    ]  # fmt: skip


def test_the_headline_names_the_worse_leg_first_and_each_leg_by_its_own_class() -> None:
    both = {"left": 4.9, "right": 8.3}
    said = headline_with_norm(AgainstNorm(both, speed_z=-2.5))
    assert said == (
        "Right leg above the norm (GPS 8.3\u00b0), left leg within (4.9\u00b0). Walks slowly."
    )
    said = headline_with_norm(AgainstNorm({"left": 6.5, "right": 7.8}))  # 1.3 deg apart
    assert said == "Right leg above the norm (GPS 7.8\u00b0), left leg within (6.5\u00b0)."
    said = headline_with_norm(AgainstNorm({"left": 5.5, "right": 5.2}, speed_z=1.0))
    assert said == "Both legs on average within the norm (GPS L 5.5\u00b0, R 5.2\u00b0)."
    for norm, words in (("2.2", " (norm 2.2\u00b0)"), ("", "")):
        said = headline_with_norm(AgainstNorm(both, classed=False, gps_norm=norm))
        assert said == f"GPS L 4.9\u00b0, R 8.3\u00b0{words}."
    alone = {"left": None, "right": 5.2}
    said = headline_with_norm(AgainstNorm(alone, others="children", classed=False))
    assert said == "The norm is of children. Right leg GPS 5.2\u00b0, left leg not known."
    said = headline_with_norm(AgainstNorm(alone))
    assert said == "Right leg on average within the norm (GPS 5.2\u00b0), left leg not known."


def test_without_a_norm_the_headline_tells_large_asymmetries_alone() -> None:
    speed = {"left": 1.0, "right": 1.1}
    said = headline_without_norm(speed, [("hip rotation", 8.2), ("knee flexion", 4.9)])
    assert said == "Walks at 1.05 m/s. Left and right differ most in hip rotation (8\u00b0)."
    for strides, words in (((1, 1), "each"), ((1, 3), "of the left")):
        said = headline_without_norm(
            {}, [("hip rotation", 8.2)], dict(zip(SIDES, strides, strict=True))
        )
        assert said == f"One stride {words}: sides differ most in hip rotation (8\u00b0)."
    said = headline_without_norm(speed, [("knee flexion", 4.9)])
    assert said.endswith("No leg angle differs by 5\u00b0 or more between the sides.")
    said = headline_without_norm(speed, [("knee flexion", 4.9)], pelvis=["8\u00b0 low"])
    assert said.endswith("5\u00b0 or more between the sides. Left side of the pelvis 8\u00b0 low.")
    assert headline_without_norm({"left": None, "right": None}, []) == ""


@pytest.mark.parametrize(("speed", "length"), list(zip(STEP_SPEEDS, STEP_LENGTHS, strict=True)))
def test_step_lengths_are_those_of_the_source(speed: float, length: float) -> None:
    leg = 0.8
    found = expected_step_length(leg, speed * (9.80665 * leg) ** 0.5)
    assert found.mean == pytest.approx(length * leg)


def test_the_headline_tells_three_findings_the_surest_first() -> None:
    clear: tuple[Word, str] = ("clear", "Left knee less flexed")
    possible: tuple[Word, str] = ("possible", "Feet more turned out")
    told: list[tuple[Sequence[tuple[Word, str]], str]] = [
        ([clear, possible], "Clear: left knee less flexed. Possible: feet more turned out."),
        ([clear] * 4 + [possible], f"Clear: {', '.join(['left knee less flexed'] * 3)}."),
        ([("not judged", "Feet more turned out")],
         "Too few strides to judge; farthest from the norm: feet more turned out."),
    ]  # fmt: skip
    for findings, words in told:
        assert headline_with_norm(AgainstNorm(findings=findings)) == words


def test_a_headline_that_finds_nothing_says_how_many_curves_it_speaks_of() -> None:
    """Two strides, one on plates: a hip moment 3 SD out, not judged, stood below "no curve"."""
    one = [cases.trial(1, strides=5)]
    findings = list(find_abnormal(one, cases.norm()).findings)
    told: list[tuple[Word, str]] = [("not shown", "Feet more turned out")]
    said = headline_with_norm(AgainstNorm(findings=told, open_of=open_curves(findings)))
    assert said == "No curve lies outside the norm by more than chance."
    findings[:4] = [replace(one, word="not judged") for one in findings[:4]]
    words = f"{len(findings) - 4} of {len(findings)} curves judged: none lies outside the norm"
    for brief in (False, True):
        against = AgainstNorm(findings=told, open_of=open_curves(findings))
        said = headline_with_norm(against, brief=brief)
        assert said == f"{words} by more than chance."


def test_a_raised_gps_without_a_curve_outside_names_what_raises_it() -> None:
    """Hips 22 and feet 16 degrees turned in: far above the norm, and "no curve lies outside"."""
    told: list[tuple[Word, str]] = [
        ("not shown", "Hips more rotated in"), ("not shown", "Feet more turned in"),
        ("not judged", "Left hip more adducted"),
    ]  # fmt: skip
    for worse, classed, more in (
        (9.1, True, "; farthest: hips more rotated in, feet more turned in"), (6.0, True, ""),
        (9.1, False, ""),
    ):  # fmt: skip
        gps = {"left": worse, "right": 4.0}
        said = headline_with_norm(AgainstNorm(gps, classed, findings=told, open_of=(0, 19)))
        assert said.endswith(f"No curve lies outside the norm by more than chance{more}.")


def test_a_curve_outside_that_is_not_pictured_is_no_curve_within() -> None:
    """Knees in 14 degrees of valgus, possible in their strips: "no curve lies outside"."""
    offsets = {f"{side} knee_angle_adduction": -30.0 for side in SIDES}
    findings = find_abnormal([cases.trial(3, offsets=offsets)], cases.norm(own=False)).findings
    aside = curves_aside(findings, largest_findings(findings))
    assert aside == [("possible", "knee adduction")]
    said = headline_with_norm(AgainstNorm(open_of=open_curves(findings), aside=aside))
    assert said == "No curve is clearly outside the norm; possible: knee adduction."
    said = headline_with_norm(AgainstNorm(open_of=(3, 9), aside=aside))
    assert said.startswith("6 of 9 curves judged: none is clearly outside the norm; possible: ")
    both: list[tuple[Word, str]] = [("clear", "ground force upward"), *aside]
    said = headline_with_norm(AgainstNorm(open_of=(0, 9), aside=both))
    assert said == "Only ground force upward lies outside the norm by more than chance."
    assert headline_with_norm(AgainstNorm(open_of=(4, 4))) == ""


def test_a_change_of_a_score_is_told_with_its_ends() -> None:
    assert Change("GPS", 4.0, 6.0).cells == ("GPS", "4.0", "6.0", "+2.0")
    assert Change("GPS", None, 6.0).cells == ("GPS", "\u2013", "6.0", "\u2013")


def test_the_norm_of_the_gps_is_one_and_the_same_wherever_it_stands() -> None:
    """Numbers, markers, profile and classes: a GPS on the edge of its interval is one SD out."""
    low, middle, high = (HEALTHY_GPS.at(z) for z in (-1.0, 0.0, 1.0))
    assert gps_words() == f"{middle:.1f} ({low:.1f}\u2013{high:.1f})" == "5.3 (4.1\u20137.0)"
    row = NumberRow("GPS", "", 1, {"left": low, "right": high}, HEALTHY_GPS)
    assert row.z_values == {"left": pytest.approx(-1.0), "right": pytest.approx(1.0)}
    assert gps_class(high - 1e-9)[0] == pytest.approx(1.0)
    without = NumberRow("GPS", "", 1, {"left": low, "right": None}, None)
    assert without.z_values == {"left": None, "right": None}


def test_the_published_gps_is_that_of_the_set_it_is_shown_for() -> None:
    (free,) = (group for group in read_norm("schwartz2008").groups if group.name == "free")
    rms = float(np.exp(HEALTHY_GPS.mean + HEALTHY_GPS.sd**2))  # of a lognormal
    assert norm_gps(free.bands) == pytest.approx(rms, rel=0.03)
    assert norm_gps({}) is None


@pytest.mark.parametrize("most", [3.0, 11.0, 26.0, 64.0, 183.0])
def test_the_numbers_of_the_profile_stand_apart(most: float) -> None:
    marks, _ = profile_drawing([("Pelvic tilt", {"left": most, "right": None}, ())])
    axis = [m for m in marks if isinstance(m, TextLine) and m.text.isdigit() and m.y < 10.0]
    assert 2 <= len(axis) <= 7
    assert min(b.x - a.x for a, b in pairwise(axis)) > 30.0


def test_bars_of_the_profile_name_their_side_in_black_and_white() -> None:
    marks, _ = profile_drawing([("Pelvic tilt", {"left": 4.0, "right": 11.26}, ())])
    texts = [m.text for m in marks if isinstance(m, TextLine)]
    assert {"L 4.0", "R 11.3"} <= set(texts)


def test_the_profile_ends_its_last_grey_bar_where_the_numbers_say() -> None:
    ends = (HEALTHY_GPS.at(0.0), HEALTHY_GPS.at(1.0))
    own = {"left": 1.0, "right": 2.0}
    marks, _ = profile_drawing([("Pelvic tilt", own, (4.0,)), ("GPS", own, ends)])
    bars = [m for m in marks if isinstance(m, Area) and m.name == "norm"]
    unit = np.ptp(bars[0].points[:, 0]) / 4.0
    wide = [float(np.ptp(bar.points[:, 0])) / unit for bar in bars]
    assert wide == pytest.approx([4.0, ends[0], ends[1] - ends[0]])
    assert bars[1].colour != bars[2].colour
