"""A reference set made of control subjects whose mean and SD are known."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.archive import build_norm, in_memory, parse_where, read_curves, write_norm
from gaitdyn.archive.add import add_record
from gaitdyn.errors import NormRefused, OutputRefused, UsageError
from gaitdyn.metrics.norms.ages import other_ages
from gaitdyn.metrics.norms.build import SignalStrides, legs_of, norm_text
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.metrics.norms.speed_groups import parse_groups
from gaitdyn.statistics.threshold import roughness
from gaitdyn.types.norms import people_told
from tests.unit import archive_records as records

SHAPE = np.sin(np.linspace(0, np.pi, 101)) * 60 + 8
NAME = "knee_angle_flexion"


def cycles(levels, *, speed=1.2, curves=((NAME, "deg"),)):
    """Cycles of one shape, moved up by whole degrees, which float32 holds to 1e-5."""
    found = []
    for side, own in levels.items():
        for number, level in enumerate(own, 1):
            values = np.tile((SHAPE + level).astype("f4"), (len(curves), 1))
            found.append(records.cycle(side, number, values, speed=speed, curves=curves))
    return tuple(found)


@pytest.fixture
def archive():
    with in_memory() as connection:
        yield connection


def add(connection, subject, levels, name="walk", **words):
    speed = words.pop("speed", 1.2)
    curves = words.pop("curves", ((NAME, "deg"),))
    made = cycles(levels, speed=speed, curves=curves)
    add_record(connection, records.trial(name, subject=subject, cycles=made, **words))


def test_cycles_then_sides_then_people_are_averaged(archive):
    add(archive, "A", {"left": [0, 2, 4], "right": [4]})  # sides 2 and 4: person 3
    add(archive, "B", {"left": [5]})  # one side: person 5
    add(archive, "C", {"left": [10, 10], "right": [4, 4, 4, 4]})  # sides 10 and 4: person 7
    built = build_norm(archive)
    (group,) = built.groups
    assert (group.name, group.count) == ("free", 3)
    assert group.speed == pytest.approx(0.4)
    assert np.allclose(group.bands[NAME].mean, SHAPE + 5, atol=1e-5)
    # means 3, 5, 7: variance 4; legs 2 and 4, 10 and 4: (1 + 9) / 3 more
    assert np.allclose(group.bands[NAME].sd, np.sqrt(4 + 10 / 3), atol=1e-5)
    assert any("3 subjects; fewer than 20 are a weak norm" in note for note in built.notes)
    assert "3 subjects, 11 cycles, 34 years, profile default, model plug-in-gait" in built.source


@pytest.mark.parametrize("where", ["", "condition!=shod"])
def test_a_stride_that_turns_is_never_in_a_set(archive, where):
    for subject, level in (("A", 0), ("B", 2)):
        ahead, turns = cycles({"left": [level, level + 50]})
        turns = replace(turns, parameters=(*turns.parameters, ("heading_change", "deg", 60, None)))
        add_record(archive, records.trial(subject=subject, cycles=(ahead, turns)))
    built = build_norm(archive, parse_where(where))
    assert np.allclose(built.groups[0].bands[NAME].mean, SHAPE + 1, atol=1e-5)
    assert "left out: turning: 2 strides" in built.notes


def test_sideways_forces_and_free_moments_are_those_of_left_feet(archive):
    """To the right is inward on the left and outward on the right: they would cancel."""
    signed = (("grf_z", "N/kg"), ("free_moment", "N m/kg"))
    for subject, level in (("A", 0), ("B", 2)):
        own = np.tile(SHAPE + level, (2, 1)).astype("f4")
        made = tuple(
            records.cycle(side, 1, sign * own, speed=1.2, curves=signed)
            for side, sign in (("left", 1), ("right", -1))
        )
        add_record(archive, records.trial("walk", subject=subject, cycles=made))
    (group,) = build_norm(archive).groups
    for name, _ in signed:
        assert np.allclose(group.bands[name].mean, SHAPE + 1, atol=1e-5)
        assert np.allclose(group.bands[name].sd, np.sqrt(2), atol=1e-5)  # people of 0 and 2


def test_groups_of_speed_are_read_back_and_matched(archive, tmp_path):
    for i, speed in enumerate((0.9, 1.2, 1.5)):
        for subject, level in (("A", 0), ("B", 4)):
            levels = {"left": [level + 10 * i], "right": [level + 10 * i]}
            add(archive, subject, levels, f"walk{i}", speed=speed)
    built = build_norm(archive, groups="slow:..0.35,free:0.35..0.45,fast:0.45..")
    norm = write_norm(built, tmp_path / "own.csv")
    assert [(g.name, g.count) for g in norm.groups] == [("slow", 2), ("free", 2), ("fast", 2)]
    assert [g.speed for g in norm.groups] == pytest.approx([0.3, 0.4, 0.5])
    for i, group in enumerate(norm.groups):
        assert np.allclose(group.bands[NAME].mean, SHAPE + 2 + 10 * i, atol=1e-5)
        assert np.allclose(group.bands[NAME].sd, np.sqrt(8), atol=1e-5)
    matched = match_norm(norm, 0.45)
    assert matched.note.startswith("speed 0.450 sqrt(gL): mean and SD interpolated between free")
    assert np.allclose(matched.bands[NAME].mean, SHAPE + 17, atol=1e-5)
    with pytest.raises(OutputRefused, match="--force"):
        write_norm(built, tmp_path / "own.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["own.csv"]


def test_what_is_written_is_what_was_built_to_ten_digits(archive, tmp_path):
    rng = np.random.default_rng(5)
    for i in range(25):
        add(archive, f"S{i}", {"left": [float(rng.normal(0, 5))]})
    built = build_norm(archive, source="own laboratory,\n2024")
    norm = write_norm(built, tmp_path / "own.csv")
    wanted, found = built.groups[0].bands[NAME], norm.groups[0].bands[NAME]
    assert np.allclose(found.mean, wanted.mean, rtol=1e-9)
    assert np.allclose(found.sd, wanted.sd, rtol=1e-9)
    assert norm.groups[0].count == 25
    assert norm.source.startswith("own laboratory, 2024, 25 subjects")
    assert not built.notes


def test_unknown_curves_and_few_people_are_told(archive):
    both = ((NAME, "deg"), ("hip_angle_flexion", "deg"))
    add(archive, "A", {"left": [0]}, curves=both, speed=1.5)
    add(archive, "B", {"left": [2]})
    add(archive, "C", {"left": [4]})
    built = build_norm(archive)
    assert list(built.groups[0].bands) == [NAME]
    assert built.groups[0].speed == pytest.approx((0.5 + 0.4 + 0.4) / 3)  # of all, not of A alone
    assert "group free: left out, of one subject only: hip_angle_flexion" in built.notes


def numbered(side, levels, **words):
    """Cycles with a step length, a peak angle and a peak moment; the last one has no whole step."""
    found = []
    for number, level in enumerate(levels, 1):
        last = number == len(levels) > 1
        made = records.cycle(side, number, np.abs(records.samples(number)), **words)
        numbers = (("step_length", "m", level / 10, None), ("speed", "m/s", 1.2, None))
        peaks = (
            ("hip_moment_flexion_max", "N m/kg", level, 10.0),  # external
            ("knee_angle_flexion_swing_max", "deg", 10.0 * level, 70.0),
            ("unheard_of", "deg", 1.0, None),
        )
        kinetics = "partial" if last else "ok"
        found.append(replace(made, parameters=numbers, peaks=peaks, kinetics=kinetics))
    return tuple(found)


def test_parameters_and_peaks_of_a_leg_are_in_the_set(archive, tmp_path):
    people = {"A": ([2.0, 4.0, 6.0], [2.0]), "B": ([6.0], [6.0]), "C": ([3.0], [5.0])}
    for name, (left, right) in people.items():
        cycles = (*numbered("left", left), *numbered("right", right))
        record = records.trial(
            subject=name, cycles=cycles, recording=name, age_years=20 + ord(name)
        )
        add_record(archive, record)
    built = build_norm(archive)
    norm = write_norm(built, tmp_path / "own.csv")
    numbers = norm.groups[0].numbers
    # all strides: A has legs of 4 and 2, means 3, 6, 4; (1 + 1) / 3 more for the legs
    variance = np.var([3, 6, 4], ddof=1) + (2**2 + 2**2) / 4 / 3
    step, knee = numbers["step_length"], numbers["knee_angle_flexion_swing_max"]
    assert (step.mean, step.sd) == pytest.approx((1.3 / 3, np.sqrt(variance) / 10))
    assert (knee.mean, knee.sd) == pytest.approx((130 / 3, np.sqrt(variance) * 10))
    # whole steps: A has legs of 3 and 2; the external peak has its internal name
    hip = numbers["hip_moment_extension_max"]
    variance = np.var([2.5, 6, 4], ddof=1) + (1**2 + 2**2) / 4 / 3
    assert (hip.mean, hip.sd) == pytest.approx((12.5 / 3, np.sqrt(variance)))
    assert (hip.unit, hip.count, step.count) == ("N m/kg", 3, 3)
    assert numbers["speed"].sd == 0.0
    assert "unheard_of" not in numbers
    assert "85 to 87 years" in norm.source
    assert not other_ages(norm, 86.0)
    assert "85 to 87" not in build_norm(archive, source="ours, 20 to 99 years").source


def test_the_ages_are_left_out_if_one_is_not_known(archive):
    add(archive, "A", {"left": [0]}, age_years=20.0)
    add(archive, "B", {"left": [1]}, age_years=None)
    built = build_norm(archive)
    assert "years" not in built.source
    assert built.notes[-1] == "the set has no ages: that of B is not known"


def test_one_age_the_condition_and_the_axes_of_the_people_are_read_back(archive, tmp_path):
    curves = (("knee_moment_extension", "N m/kg"),)
    for subject, level in (("A", 0), ("B", 1)):
        add(
            archive, subject, {"left": [level / 100]}, curves=curves, age_years=30.0 + level / 2,
            moments_in="jcs", condition="shoes, old",
        )  # fmt: skip
        add(archive, subject, {"right": [level]}, "angles", age_years=30.4, condition="shoes, old")
    built = build_norm(archive, parse_where("moments_in=jcs"), source="3 years of recordings")
    text = norm_text(
        [replace(g, bands={n: replace(b, mean=b.mean / 20) for n, b in g.bands.items()})
         for g in built.groups], built.source, built.people,
    )  # fmt: skip
    (tmp_path / "own.csv").write_text(text, encoding="utf-8")
    norm = read_norm(tmp_path / "own.csv")
    assert (norm.ages, norm.conditions, norm.moments_in) == ((30.0, 30.0), ("shoes, old",), "jcs")
    assert norm.models == ("plug-in-gait",)
    assert [other_ages(norm, age) for age in (29.0, 30.9, 31.0)] == [
        "people of 30 years", "", "people of 30 years",
    ]  # fmt: skip


def test_a_group_by_speed_has_no_norm_of_the_speed(archive):
    for name, levels in (("A", [1.0]), ("B", [2.0, 3.0])):
        for speed in (0.9, 1.5):
            made = numbered("left", levels, speed=speed)
            add_record(archive, records.trial(f"{speed}", subject=name, cycles=made))
    one, (slow, fast) = build_norm(archive), build_norm(archive, groups="a:..0.4,b:0.4..").groups
    assert {"speed", "step_length"} <= one.groups[0].numbers.keys()
    assert not any("speed itself" in note for note in one.notes)
    for group in (slow, fast):
        assert "step_length" in group.numbers
        assert "speed" not in group.numbers
    assert any("speed itself" in n for n in build_norm(archive, groups="a:..0.4,b:0.4..").notes)


def doubtful_walks(connection, code="rate-differs", level="warning"):
    """Two people whose walks take 1.2 m/s, and a walk of one of them with a finding, 1.5 m/s."""
    for name in "AB":
        for trial, speed, step in (("sure", 1.2, 0.6), ("doubted", 1.5, 0.8))[: 1 + (name == "A")]:
            numbers = (("speed", "m/s", speed, None), ("step_length", "m", step, None))
            (stride,) = cycles({"left": [ord(name)]}, speed=speed)
            made = (replace(stride, parameters=numbers),)
            record = records.trial(trial, subject=name, cycles=made)
            said = (level, code, "rate", None, None, "said")
            told = replace(record, quality=(*record.quality, said)) if speed > 1.2 else record
            add_record(connection, told)


@pytest.mark.parametrize(
    ("code", "level", "speed", "step"),
    [
        ("rate-differs", "warning", 1.2, 0.65),  # A has steps of 0.6 and 0.8 m, B of 0.6 m
        ("body-size", "error", 1.2, 0.6),
        ("sides-swapped", "warning", 1.275, 0.6),
        ("rate-differs", "info", 1.275, 0.65),
        ("plates-delayed", "warning", 1.275, 0.65),
    ],
)
def test_numbers_that_a_finding_puts_in_doubt_are_not_in_a_set(archive, code, level, speed, step):
    doubtful_walks(archive, code, level)
    built = build_norm(archive)
    (group,) = built.groups
    assert group.numbers["speed"].mean == pytest.approx(speed)
    assert group.numbers["step_length"].mean == pytest.approx(step)
    assert group.speed == pytest.approx(speed / 3)
    told = f"left out: gait parameters that {code} puts in doubt: first/doubted"
    assert (told in built.notes) == ((speed, step) != (1.275, 0.65))


def test_a_stride_whose_speed_is_in_doubt_is_in_no_group_of_speeds(archive):
    doubtful_walks(archive)
    for name, level in (("C", 2), ("D", 4)):
        add(archive, name, {"left": [level]}, speed=1.5)
    slow, fast = build_norm(archive, groups="slow:..0.45,fast:0.45..").groups
    assert (slow.numbers["step_length"].count, fast.numbers["step_length"].count) == (2, 2)
    assert fast.bands[NAME].count == 2


def test_a_trial_in_doubt_leaves_another_of_its_name_alone(archive):
    walks = (("A", 9.0, "rate-differs"), ("A", 1.2, "plates-delayed"), ("B", 1.4, "plates-delayed"))
    for name, speed, code in walks:
        (stride,) = cycles({"left": [ord(name)]}, speed=1.2)
        made = replace(stride, parameters=(("speed", "m/s", speed, None),))
        record = records.trial("walk", subject=name, cycles=(made,), recording=name + code)
        doubt = ("warning", code, "trial", None, None, "said")
        add_record(archive, replace(record, quality=(doubt,)))
    built = build_norm(archive)
    (group,) = built.groups
    assert (group.numbers["speed"].mean, group.numbers["speed"].count) == (pytest.approx(1.3), 2)
    assert "left out: gait parameters that rate-differs puts in doubt: first/walk" in built.notes


def test_conditions_that_are_pooled_are_told(archive):
    for i in range(20):
        add(archive, f"P{i}", {"left": [i]})
    assert not build_norm(archive).notes
    add(archive, "Q", {"left": [3]}, "shod walk", condition="shod")
    (note,) = build_norm(archive).notes
    assert note == "the conditions barefoot, shod are pooled; for one of them add it to --where"
    assert not build_norm(archive, parse_where("condition=barefoot")).notes


def test_each_curve_has_the_number_of_its_own_people(archive, tmp_path):
    both = ((NAME, "deg"), ("hip_angle_flexion", "deg"))
    for i in range(10):
        add(archive, f"P{i}", {"left": [i]}, curves=both if i else both[:1])
    built = build_norm(archive)
    (note,) = built.notes
    assert note == (
        "group free: 10 subjects, some curves of 9 only; fewer than 20 are a weak norm, and"
        " against fewer than 10 nothing is judged"
    )
    (group,) = write_norm(built, tmp_path / "own.csv").groups
    assert {name: band.count for name, band in group.bands.items()} == {
        NAME: 10, "hip_angle_flexion": 9,
    }  # fmt: skip
    assert (group.count, people_told(group.bands)) == (9, "9 to 10")


def test_a_number_that_is_known_of_nobody_is_told(archive):
    add(archive, "A", {"left": [0]}, age_years=None)
    with pytest.raises(UsageError, match=r"--where age: found no trial whose age .*age_years in"):
        build_norm(archive, parse_where("age>=18"))
    assert read_curves(archive, NAME, parse_where("age!=18")).rows
    add(archive, "B", {"left": [0]}, age_years=12.0)
    assert not read_curves(archive, NAME, parse_where("age>=18")).rows


def test_a_parameter_is_no_curve_and_the_beginning_of_a_name_leads_to_it(archive):
    add(archive, "A", {"left": [0]}, curves=((NAME, "deg"), ("free_angle_flexion", "deg")))
    with pytest.raises(UsageError, match="'step_length' is a parameter, not a curve"):
        read_curves(archive, "step_length")
    with pytest.raises(UsageError, match=r"such as knee_angle_flexion$"):
        read_curves(archive, "knee_angle")


def test_a_curve_with_a_gap_does_not_count(archive):
    for subject, level in (("A", 0), ("B", 2)):
        add(archive, subject, {"left": [level]})
    values = (SHAPE + 99).astype("f4")[None].copy()
    values[0, 3] = np.nan
    gap = (records.cycle("left", 1, values, curves=((NAME, "deg"),)),)
    add_record(archive, records.trial("gap", subject="A", cycles=gap))
    assert np.allclose(build_norm(archive).groups[0].bands[NAME].mean, SHAPE + 1, atol=1e-5)


def test_external_moments_are_internal_ones_by_their_other_name(archive):
    for subject, level in (("A", 0), ("B", 2)):
        curves = (("knee_moment_flexion", "N m/kg"),)
        add(archive, subject, {"left": [level]}, curves=curves, convention="external")
    bands = build_norm(archive).groups[0].bands
    assert list(bands) == ["knee_moment_extension"]
    assert np.allclose(bands["knee_moment_extension"].mean, SHAPE + 1, atol=1e-5)


def test_moments_in_different_axes_are_refused(archive):
    curves = (("knee_moment_extension", "N m/kg"),)
    for subject, axes in (("A", "distal"), ("B", "jcs"), ("C", "distal")):
        add(archive, subject, {"left": [ord(subject)]}, curves=curves, moments_in=axes)
    with pytest.raises(NormRefused, match=r"distal and jcs axes; .* add moments_in=distal"):
        build_norm(archive)
    assert build_norm(archive, parse_where("moments_in=distal")).groups[0].count == 2


def test_too_few_people_are_refused(archive):
    with pytest.raises(NormRefused, match="found no cycle"):
        build_norm(archive)
    add(archive, "A", {"left": [0]})
    with pytest.raises(NormRefused, match="group free: found 1 subject; wanted 2"):
        build_norm(archive)
    add(archive, "B", {"left": [0]})
    with pytest.raises(NormRefused, match="one has two pseudonyms"):
        build_norm(archive)
    with pytest.raises(NormRefused, match="group fast: found 0 subjects"):
        build_norm(archive, groups="fast:0.9..")


def test_two_people_without_a_curve_in_common_are_refused(archive):
    for subject, curve in (("A", NAME), ("B", "hip_angle_flexion")):
        add(archive, subject, {"left": [0, 2]}, curves=((curve, "deg"),))
    with pytest.raises(NormRefused, match="group free: found no curve of two subjects"):
        build_norm(archive)


@pytest.mark.parametrize(("people", "said"), [(9, True), (10, False)])
def test_a_set_of_nine_people_says_that_it_judges_nothing(archive, people, said):
    for i in range(people):
        add(archive, f"S{i}", {"left": [i]})
    (note,) = build_norm(archive).notes
    assert note.startswith(f"group free: {people} subjects; fewer than 20 are a weak norm")
    assert ("nothing is judged" in note) == said


def test_a_norm_that_the_report_would_refuse_is_not_written(archive, tmp_path):
    for subject, level in (("A", -200), ("B", -202)):
        add(archive, subject, {"left": [level]})
    with pytest.raises(NormRefused, match="largest value below 0"):
        write_norm(build_norm(archive), tmp_path / "own.csv")
    assert list(tmp_path.iterdir()) == []


def test_quantiles_part_the_cycles_evenly():
    speeds = np.array([0.3, 0.32, 0.4, 0.41, 0.5, 0.55, np.nan])
    groups = parse_groups("3", speeds)
    assert [(g.name, int(g.rows(speeds).sum())) for g in groups] == [
        ("slow", 2),
        ("free", 2),
        ("fast", 2),
    ]
    assert [g.name for g in parse_groups("5", speeds)][0::4] == ["very_slow", "very_fast"]
    with pytest.raises(NormRefused, match="no cycle with a speed"):
        parse_groups("3", np.array([np.nan]))


@pytest.mark.parametrize("text", ["4", "slow", "slow:0.5..0.4", "a:..1,a:1..", ":..1", "a:x..1"])
def test_groups_that_cannot_be_meant_are_refused(text):
    with pytest.raises(UsageError, match="--groups"):
        parse_groups(text, np.array([0.4]))


def test_the_sd_is_that_of_a_leg():
    rng = np.random.default_rng(7)
    legs = rng.normal(size=(40, 2, 101)) + rng.normal(size=(40, 1, 101))
    people = tuple(f"P{i}" for i in range(40) for _ in range(2))
    strides = SignalStrides(people, ("left", "right") * 40, np.full(80, 0.4), legs.reshape(80, 101))
    sd = legs_of(strides).sd()
    means = legs.mean(axis=1)
    rest = means.var(axis=0) - means.var(axis=0, ddof=1)  # n in the place of n - 1
    assert np.allclose(sd**2 + rest, legs.reshape(80, 101).var(axis=0), atol=1e-12)


def test_roughness_and_whose_controls_they_are_are_kept(archive, tmp_path):
    rng, curves = np.random.default_rng(6), []
    for i in range(8):
        wave = np.sin(np.linspace(0, 2 * np.pi, 101) + rng.normal())
        values = (SHAPE + 3 * wave).astype("f4")[None]
        curves.append(values[0])
        made = (records.cycle("left", 1, values, curves=((NAME, "deg"),)),)
        add_record(archive, records.trial("walk", subject=f"S{i}", cycles=made))
    built = build_norm(archive)
    norm = write_norm(built, tmp_path / "own.csv")
    assert norm.in_house
    rough = built.groups[0].bands[NAME].roughness
    assert rough is not None
    assert 2 < rough < 12
    assert rough == pytest.approx(roughness(np.array(curves) - np.mean(curves, axis=0)), rel=1e-3)
    assert norm.groups[0].bands[NAME].roughness == pytest.approx(rough, rel=1e-3)


def test_a_set_that_is_refused_leaves_no_curves_of_its_people(
    archive: sqlite3.Connection, tmp_path: Path
) -> None:
    for subject, level in (("A", 0), ("B", 4)):
        add(archive, subject, {"left": [level]})
    built, path = build_norm(archive), tmp_path / "own.csv"
    path.write_text("an older set", encoding="utf-8")
    with pytest.raises(OutputRefused, match="already exists"):
        write_norm(built, path, curves=True)
    endless = replace(built.groups[0].bands[NAME], mean=np.full(101, np.nan))
    bad = replace(built, groups=(replace(built.groups[0], bands={NAME: endless}),))
    with pytest.raises(NormRefused, match="column mean"):
        write_norm(bad, path, force=True, curves=True)
    assert [file.name for file in tmp_path.iterdir()] == ["own.csv"]
    assert path.read_text(encoding="utf-8") == "an older set"
    assert write_norm(built, path, force=True, curves=True).groups
    assert read_norm(path).people
    assert sorted(file.name for file in tmp_path.iterdir()) == ["own.csv", "own.people.csv"]


def test_failed_trials_and_other_speeds_are_left_out_and_told(archive):
    for subject, level in (("A", 0), ("B", 4)):
        add(archive, subject, {"left": [level]})
    add(archive, "C", {"left": [100]}, verdict="fail")
    add(archive, "D", {"left": [100]}, "fast", speed=1.8)
    built = build_norm(archive, groups="free:0.35..0.45")
    assert built.groups[0].count == 2
    assert "left out: verdict fail: first/walk" in built.notes
    assert "left out: 1 stride at speeds outside the groups" in built.notes
    assert not any("not known" in note for note in built.notes)
    add(archive, "F", {"left": [100]}, "unknown", speed=None)
    notes = build_norm(archive, groups="all:0.3..").notes
    assert [note for note in notes if "stride" in note] == [
        "left out: 1 stride whose speed is not known or in doubt"
    ]
    asked = build_norm(archive, parse_where("verdict!=check"), "free:0.35..0.45")
    assert asked.groups[0].count == 3
    for k in range(6):
        add(archive, f"E{k}", {"left": [100]}, f"walk{k}", verdict="fail")
    (told,) = [note for note in build_norm(archive).notes if "verdict fail" in note]
    assert told.endswith(" and 2 more")


def test_walks_that_are_not_forward_are_left_out_and_told(archive):
    for subject, level in (("A", 0), ("B", 4), ("C", 100)):
        add(archive, subject, {"left": [level]}, f"walk{subject}")
    backward = archive.execute("SELECT id FROM trial WHERE name = 'walkC'").fetchone()
    sql = "INSERT INTO quality VALUES (?, 99, 'warning', 'pelvis-backward', '', 170, 90, '')"
    archive.execute(sql, backward)
    built = build_norm(archive)
    assert built.groups[0].count == 2
    assert "left out: not forward: first/walkC" in built.notes
    with pytest.raises(NormRefused, match="1 subject"):
        build_norm(archive, parse_where("way=other"))
    (row,) = read_curves(archive, NAME, "way=other").rows
    assert row.trial == "walkC"


def test_strides_on_belts_are_told_and_can_be_selected(archive, tmp_path):
    for subject in "ABCD":
        add(archive, subject, {"left": [ord(subject)]}, f"walk{subject}")
    floor = build_norm(archive)
    assert not any("belt" in note for note in floor.notes)
    on_belts = archive.execute("SELECT id FROM trial WHERE name > 'walkB'").fetchall()
    sql = """UPDATE provenance SET document = json_set(document, '$.belts', json('[{"plate": 1}]'))
        WHERE trial_id = ?"""
    archive.executemany(sql, on_belts)
    mixed = build_norm(archive)
    told = (
        "strides on belts and on the floor are pooled; for one of them add ground=belt to --where"
    )
    assert told in mixed.notes
    assert write_norm(mixed, tmp_path / "mixed.csv").grounds == ("belt", "floor")
    belts = build_norm(archive, parse_where("ground=belt"))
    assert (belts.groups[0].count, "all strides are on belts" in belts.notes) == (2, True)
    assert "# ground: belt\n" in norm_text(belts.groups, belts.source, belts.people)
    assert {row.trial for row in read_curves(archive, NAME, "ground=floor").rows} == {
        "walkA", "walkB"
    }  # fmt: skip


def test_the_peoples_curves_are_kept_on_request_and_numbered(archive, tmp_path):
    for i in range(4):
        add(archive, f"S{i}", {"left": [i, i + 2], "right": [i + 4]})
    built = build_norm(archive)
    norm = write_norm(built, tmp_path / "own.csv", curves=True)
    norm = read_norm(tmp_path / "own.csv")
    left, right = (norm.people["free", NAME, side] for side in ("left", "right"))
    assert np.allclose(left, [SHAPE + i + 1 for i in range(4)], atol=1e-3)
    assert np.allclose(right, [SHAPE + i + 4 for i in range(4)], atol=1e-3)
    text = (tmp_path / "own.people.csv").read_text(encoding="utf-8")
    assert "S0" not in text
    with pytest.raises(OutputRefused, match="build with --curves, or move it away"):
        write_norm(built, tmp_path / "own.csv", force=True)
    lines = text.split("\n")
    cells = lines[1].split(",")
    for row, said in (
        (None, "other columns"),
        (cells[:-1], "other columns"),
        ([*cells[:-1], "1_0"], "no curve of a leg in line 2"),
        ([*cells[:-1], "nan"], "no curve of a leg in line 2"),
        ([*cells[:-1], "1,5"], "other columns"),
        ([*cells[:-1], "x" * 3000], "no curve of a leg in line 2"),
        ([*cells[:-1], "1e9"], "no curve of a leg in line 2"),
        ([*cells[:2], "both", *cells[3:]], "no curve of a leg in line 2"),
        ([*cells[:3], "mood", *cells[4:]], "no curve of a leg in line 2"),
        (["fast", *cells[1:]], "people of the group 'fast', which own.csv does not have"),
    ):
        changed = "a,b\n" if row is None else "\n".join([lines[0], ",".join(row), *lines[2:]])
        (tmp_path / "own.people.csv").write_text(changed, encoding="utf-8")
        with pytest.raises(NormRefused, match=f"own.people.csv: found {said}"):
            read_norm(tmp_path / "own.csv")
