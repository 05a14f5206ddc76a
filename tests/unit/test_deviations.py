"""Largest deviations: which stretch counts, when it is clear, how stretches are ranked."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.metrics.deviations import Deviation, find_deviations, strongest_run
from gaitdyn.metrics.healthy import STEP_LENGTHS, STEP_SPEEDS, expected_step_length
from gaitdyn.metrics.knee_axis import knee_axis_remark
from gaitdyn.metrics.phases import CycleEvents, phase_words, phases_of
from gaitdyn.report.comparison import Change, stride_error
from gaitdyn.report.wording import (
    deviation_words,
    gps_class,
    headline_without_norm,
    headline_words,
    size_words,
)
from gaitdyn.types.norms import Band

AT = np.arange(0.0, 101.0, 2.0)
EVENTS = CycleEvents(60.0, 10.0, 50.0)
KNEE, HIP, MOMENT, POWER = (
    "knee_angle_flexion", "hip_angle_flexion", "hip_moment_extension", "ankle_power",
)  # fmt: skip


def flat(mean: float = 0.0, sd: float = 1.0, unit: str = "deg") -> Band:
    return Band(AT, np.full(51, mean), np.full(51, sd), unit)


def step(height: float, start: float, stop: float) -> np.ndarray:
    at = np.arange(101.0)
    return np.where((at >= start) & (at <= stop), height, 0.0)


def run(height: float, start: float, stop: float, name: str = KNEE):
    return strongest_run("left", name, step(height, start, stop), flat(), EVENTS)


def test_a_stretch_is_longer_than_eight_per_cent_and_beyond_one_sd() -> None:
    assert run(1.5, 20, 26) is None
    assert run(0.9, 20, 60) is None
    found = run(1.5, 20, 28)
    assert found is not None
    assert (found.start, found.stop, found.sign) == (20.0, 28.0, 1)
    assert found.size == pytest.approx(1.5)
    assert found.area == pytest.approx(0.5 * 8)


def test_one_point_of_a_stretch_may_fail_and_two_may_not() -> None:
    curve = step(1.5, 20, 40)
    curve[30] = 0.0
    found = strongest_run("left", KNEE, curve, flat(), EVENTS)
    assert found is not None
    assert (found.start, found.stop) == (20.0, 40.0)
    curve[31:33] = 0.0
    found = strongest_run("left", KNEE, curve, flat(), EVENTS)
    assert found is not None
    assert found.stop - found.start < 20.0


def test_it_is_clear_beyond_two_sd_for_six_per_cent() -> None:
    mild, clear = step(1.5, 20, 60), step(1.5, 20, 60)
    mild[30:35], clear[30:37] = 2.5, 2.5
    for curve, word in ((mild, False), (clear, True)):
        found = strongest_run("left", KNEE, curve, flat(), EVENTS)
        assert found is not None
        assert found.clear is word
        assert found.peak_sd == pytest.approx(2.5)


def test_moments_are_judged_from_6_per_cent_to_foot_off_and_powers_to_96() -> None:
    for name, stop in ((MOMENT, 60.0), (POWER, 96.0)):
        found = run(3.0, 0, 100, name)
        assert found is not None
        assert (found.start, found.stop) == (6.0, stop)
    assert run(3.0, 0, 100) is not None


def test_clear_ones_come_first_then_the_larger_area() -> None:
    bands = {KNEE: flat(), HIP: flat(), "ankle_angle_dorsiflexion": flat()}
    means = {
        ("left", KNEE): step(1.9, 0, 100),
        ("left", HIP): step(-2.5, 40, 50),
        ("left", "ankle_angle_dorsiflexion"): step(3.0, 40, 60),
    }
    found = find_deviations(means, bands, {"left": EVENTS})
    assert [one.first.name for one in found] == ["ankle_angle_dorsiflexion", HIP, KNEE]
    assert [one.clear for one in found] == [True, True, False]
    assert find_deviations(means, bands, {}, most=1) == found[:1]


def test_sides_that_say_the_same_are_one_and_a_pelvis_is_one_body() -> None:
    tilt, obliquity = "pelvis_angle_tilt", "pelvis_angle_obliquity"
    bands = {KNEE: flat(), obliquity: flat(), tilt: flat()}
    means = {
        ("left", KNEE): step(-3.0, 20, 60),
        ("right", KNEE): step(-2.5, 25, 60),
        ("left", obliquity): step(3.0, 0, 100),
        ("right", obliquity): step(-3.1, 0, 100),
        ("left", tilt): step(1.5, 0, 30),
        ("right", tilt): step(3.0, 0, 100),
    }
    found = {one.first.name: one for one in find_deviations(means, bands, {})}
    assert found[KNEE].sides == ("left", "right")
    assert deviation_words(found[KNEE]) == "Knees less flexed"
    assert found[obliquity].sides == ("right",)
    assert deviation_words(found[obliquity]) == "Right pelvis low"
    assert deviation_words(found[tilt]) == "Pelvis tilted forward"
    apart = find_deviations(
        {("left", KNEE): step(3.0, 0, 30), ("right", KNEE): step(-3.0, 0, 30)}, bands, {}
    )
    assert [deviation_words(one) for one in apart] == [
        "Left knee more flexed",
        "Right knee less flexed",
    ]


@pytest.mark.parametrize(
    ("name", "height", "normal", "words"),
    [
        ("foot_angle_progression", -3.0, 0.0, "Left foot turned out"),
        (MOMENT, -3.0, 0.0, "Left hip moment more flexor"),
        ("hip_moment_flexion", 3.0, 0.0, "Left hip moment more flexor"),
        (POWER, 3.0, 0.0, "Left ankle generates more power"),
        (POWER, 3.0, 5.0, "Left ankle generates less power"),
        (POWER, -3.0, 0.0, "Left ankle absorbs more power"),
        (POWER, -3.0, -5.0, "Left ankle absorbs less power"),
    ],
)
def test_directions_are_plain_words(name: str, height: float, normal: float, words: str) -> None:
    found = strongest_run("left", name, np.full(101, height), flat(normal, 0.5), EVENTS)
    assert found is not None
    assert deviation_words(Deviation((found,))) == words


def test_sizes_are_whole_degrees_and_tenths_of_the_rest() -> None:
    angle, moment = run(10.6, 0, 100), run(1.26, 0, 100, MOMENT)
    assert angle is not None
    assert moment is not None
    assert (size_words(angle), size_words(moment)) == ("11", "1.3")


# ---------------------------------------------------------------- phases


@pytest.mark.parametrize(
    ("start", "stop", "words"),
    [
        (0, 100, "all cycle"),
        (0, 56, "all stance"),
        (62, 100, "all swing"),
        (50, 60, "pre-swing"),
        (30, 73, "late stance to early swing"),
        (20, 24, "mid-stance"),
        (87, 100, "late swing"),
    ],
)
def test_phases_are_those_of_the_persons_own_events(start: float, stop: float, words: str) -> None:
    assert phase_words(start, stop, EVENTS) == words


def test_events_that_are_not_known_or_out_of_order_are_fractions_of_stance() -> None:
    for events in (CycleEvents(66.0), CycleEvents(66.0, 70.0, 30.0)):
        edges = [phase.stop for phase in phases_of(events)]
        assert edges[:4] == pytest.approx([11.0, 33.0, 55.0, 66.0])


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
    assert (found.range_deg, found.correlation) == (pytest.approx(12.0), pytest.approx(1.0))
    assert knee_axis_remark("left", walk(4.9 * wave), bands) is None
    assert knee_axis_remark("left", walk(np.full(101, 20.0)), bands) is None
    assert knee_axis_remark("right", walk(6.0 * wave), bands) is None
    other = np.sin(np.linspace(0, 2 * np.pi, 101))
    assert knee_axis_remark("left", walk(9.0 * other), bands) is None


def test_rotations_to_opposite_sides_are_remarked() -> None:
    bands = {"hip_angle_internal_rotation": flat(), "knee_angle_internal_rotation": flat()}
    varus = 0.1 * np.sin(np.linspace(0, 7, 101))
    found = knee_axis_remark("left", walk(varus, 1.5, -2.5), bands)
    assert found is not None
    assert found.by_rotations
    for hip, knee in ((1.5, 2.5), (0.9, -2.5), (1.5, -1.9)):
        assert knee_axis_remark("left", walk(varus, hip, knee), bands) is None
    assert knee_axis_remark("left", walk(varus, 1.5, -2.5), {}) is None


# ---------------------------------------------------------------- headline, norms, changes


def test_classes_of_the_gps_step_at_their_limits() -> None:
    words = [gps_class(float(np.exp(1.677 + z * 0.263)))[1] for z in (0.99, 1.2, 1.9, 2.1)]
    assert words == [
        "within the norm", "just above the norm", "above the norm", "far above the norm",
    ]  # fmt: skip


def test_the_headline_names_the_worse_leg_first_and_one_class_within_the_mcid() -> None:
    said, warning = headline_words({"left": 4.9, "right": 8.3}, (), -2.5, ())
    assert said == (
        "Right leg above the norm (GPS 8.3\u00b0), left leg within (4.9\u00b0). Walks slowly."
    )
    assert warning == ""
    said, _ = headline_words({"left": 5.5, "right": 5.2}, (), 1.0, ())
    assert said == "Both legs within the norm (GPS L 5.5\u00b0, R 5.2\u00b0)."
    said, _ = headline_words({"left": None, "right": 5.2}, (), None, ())
    assert said == "Right leg within the norm (GPS 5.2\u00b0)."


def test_without_a_norm_the_headline_tells_large_asymmetries_alone() -> None:
    speed = {"left": 1.0, "right": 1.1}
    said = headline_without_norm(speed, [("hip rotation", 8.2), ("knee flexion", 4.9)])
    assert said == "Walks at 1.05 m/s. Left and right differ most in hip rotation (8\u00b0)."
    said = headline_without_norm(speed, [("knee flexion", 4.9)])
    assert said.endswith("No angle of left and right differs by 5\u00b0 on average.")
    assert headline_without_norm({"left": None, "right": None}, []) == ""


@pytest.mark.parametrize(("speed", "length"), list(zip(STEP_SPEEDS, STEP_LENGTHS, strict=True)))
def test_step_lengths_are_those_of_the_source(speed: float, length: float) -> None:
    leg = 0.8
    found = expected_step_length(leg, speed * (9.80665 * leg) ** 0.5)
    assert found.mean == pytest.approx(length * leg)


def test_the_error_of_a_change_is_that_of_students_t() -> None:
    # two groups of three, pooled s = 1, 4 d.f.: t(0.975) = 2.7764 (Altman 1991, table B3)
    before, after = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
    error = stride_error(before, after, [before, after])
    assert error == pytest.approx(2.7764 * (2 / 3) ** 0.5, abs=1e-3)
    assert stride_error([1.0], [2.0], [[1.0], [2.0]]) is None


def test_a_change_is_told_beyond_its_error_and_a_degree() -> None:
    assert Change("GPS", 4.0, 6.0, 1.5).told
    assert not Change("GPS", 4.0, 5.0, 1.5).told
    assert not Change("GPS", 4.0, 4.8, 0.1).told
    assert not Change("GPS", 4.0, 9.0, None).told
    assert Change("GPS", 4.0, 6.0, 1.5).words == "+2.0 \u00b1 1.5"
    assert Change("GPS", None, 6.0, None).cells == ("GPS", "\u2013", "6.0", "\u2013")
