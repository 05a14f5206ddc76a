"""A plate under a foot is never tared, whatever it carries; an empty one is, whatever it reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import median_abs_deviation

from gaitdyn.calibrate.axes import find_axes
from gaitdyn.clean.baseline import clean_plate, unloaded_frames
from gaitdyn.core.places import feet_over, feet_over_each
from gaitdyn.core.rotations import about
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.io.c3d.parameters import Parameters
from gaitdyn.io.c3d.samples import scaled_samples
from gaitdyn.io.plates.reading import read_plates
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.stages.ground_findings import plate_findings
from gaitdyn.stages.reading import level_plates
from gaitdyn.stages.session import read_session
from gaitdyn.stages.weighing import standing_force, weigh
from gaitdyn.types.options import Options
from gaitdyn.types.subject import Subject
from gaitdyn.types.trial import Trial
from gaitdyn.types.wrench import PlateWrench
from tests.shared_files import CORPUS, WITH_CORPUS
from tests.unit.c3d_bytes import stored

FRAMES, PER_FRAME, RATE = 60, 10, 100.0
CORNERS = np.array([[0.3, 0.2, 0], [0.3, -0.2, 0], [-0.3, -0.2, 0], [-0.3, 0.2, 0]])
FLOOR = np.array([[0.3, 0, -0.2], [-0.3, 0, -0.2], [-0.3, 0, 0.2], [0.3, 0, 0.2]])
ON = np.array([[0.0, 0.1, 0.05], [0.15, 0.1, 0.03]])  # heel and toe, x y z, m
BESIDE = ON + np.array([0.0, 0.6, 0.0])


def tared(force: np.ndarray, feet: np.ndarray | None, zero: tuple[int, int] = (1, 10)):
    """Return a type 2 plate, and Fz as read, under still markers (n, m, 3)."""
    group = {
        "USED": stored([1], 2),
        "TYPE": stored([2], 2),
        "ZERO": stored(zero, 2),
        "CORNERS": stored(CORNERS.T[..., None]),
        "ORIGIN": stored([[0.0], [0.0], [-0.04]]),
        "CHANNEL": stored(np.arange(1, 7)[:, None], 2),
    }
    analog = np.zeros((FRAMES * PER_FRAME, 6))
    analog[:, 2] = force
    samples = scaled_samples(analog[:, None], range(6), 6)
    points = None if feet is None else (np.tile(feet, (FRAMES, 1, 1)), RATE)
    (plate,) = read_plates(Parameters({"FORCE_PLATFORM": group}), samples, PER_FRAME, 1.0, points)
    return plate


@pytest.mark.parametrize("weight", [15.0, 74.0, 149.0, 700.0])
def test_a_foot_over_the_plate_keeps_its_weight(weight: float) -> None:
    plate = tared(np.full(FRAMES * PER_FRAME, -weight), ON)
    np.testing.assert_allclose(plate.channels[:, 2], -weight, rtol=1e-6)
    assert any(note.startswith("not tared") and "foot over it" in note for note in plate.notes)


def test_an_empty_plate_is_tared_whatever_it_reads_when_the_feet_are_elsewhere() -> None:
    force = np.full(FRAMES * PER_FRAME, -230.0)
    force[300:450] -= 650.0  # somebody steps later
    plate = tared(force, BESIDE)
    np.testing.assert_allclose(plate.channels[:200, 2], 0.0, atol=1e-4)


def test_a_step_within_the_frames_of_the_tare_is_no_empty_plate() -> None:
    force = np.zeros(FRAMES * PER_FRAME)
    force[50:] = -90.0
    plate = tared(force, None)
    np.testing.assert_allclose(plate.channels[:, 2], force, rtol=1e-6)
    assert any("changes by 90 N" in note for note in plate.notes)


def test_without_markers_a_persons_weight_is_not_tared() -> None:
    plate = tared(np.full(FRAMES * PER_FRAME, -207.0), None)
    np.testing.assert_allclose(plate.channels[:, 2], -207.0, rtol=1e-6)


def test_a_weight_that_nothing_rises_above_is_not_tared_though_feet_are_elsewhere() -> None:
    plate = tared(np.full(FRAMES * PER_FRAME, -207.0), BESIDE)
    np.testing.assert_allclose(plate.channels[:, 2], -207.0, rtol=1e-6)
    assert any("a person's weight" in note for note in plate.notes)


def test_a_marker_on_the_floor_is_no_foot_and_a_swinging_one_does_not_stand() -> None:
    floor = np.tile([[[0.0, 0.0, 0.007], [2.0, 0.0, 0.05]]], (20, 1, 1))
    standing, seen = feet_over(floor, CORNERS, RATE)
    assert not standing.any()
    assert seen.all()
    swing = np.tile([0.0, 0.0, 0.05], (20, 1, 1))
    swing[:, 0, 0] = np.linspace(-0.25, 0.25, 20)  # 2.6 m/s
    assert not feet_over(swing, CORNERS, RATE)[0].any()
    swing[10] = np.nan  # beside a gap the speed is not known: the foot may stand
    assert np.flatnonzero(feet_over(swing, CORNERS, RATE)[0]).tolist() == [9, 11]


def test_a_foot_stands_up_to_30_mm_beside_a_plate_however_it_lies() -> None:
    """Half of 0.4 and of 0.6 m, turned by 30 degrees on a floor at 0.3 m; 15 to 200 mm above it."""
    turn, place = about("z", np.radians(30.0)), np.array([1.0, 2.0, 0.3])
    beside = [
        (0.0, 0.0, 0.1, True), (0.0, 0.229, 0.1, True), (0.0, 0.231, 0.1, False),
        (0.329, 0.0, 0.1, True), (0.331, 0.0, 0.1, False), (-0.329, -0.229, 0.1, True),
        (-0.331, 0.0, 0.1, False), (0.0, -0.231, 0.1, False), (0.0, 0.0, 0.016, True),
        (0.0, 0.0, 0.014, False), (0.0, 0.0, 0.199, True), (0.0, 0.0, 0.201, False),
    ]  # fmt: skip
    for x, y, z, stands in beside:
        points = np.tile(turn @ [x, y, z] + place, (5, 1, 1))
        found, seen = feet_over(points, CORNERS @ turn.T + place, RATE)
        assert found.tolist() == [stands] * 5, (x, y, z)
        assert seen.tolist() == [0.015 < z < 0.2] * 5


def test_a_foot_stands_while_it_is_slower_than_half_a_metre_a_second() -> None:
    """Two frames apart, at either end one: 5 mm a frame at 100 Hz."""
    steps = np.array([4.9, 4.9, 5.3, 5.3, 4.6, 4.6, 5.3, 5.3])
    points = np.zeros((9, 1, 3))
    points[1:, 0, 0], points[:, 0, 2] = 0.001 * np.cumsum(steps), 0.05
    standing, _ = feet_over(points, CORNERS, RATE)
    assert standing.tolist() == [True, True, False, False, True, True, True, False, False]


def test_a_point_that_never_moves_while_others_do_is_no_foot() -> None:
    walked = np.tile([2.0, 0.0, 0.05], (20, 1, 1))
    walked[:, 0, 0] += np.linspace(0.0, 0.02, 20)
    number = np.zeros((20, 1, 3))  # an arch's height that the file stores as a point
    number[:, 0, 2] = np.linspace(0.017, 0.025, 20)
    standing, seen = feet_over(np.concatenate((walked, number), axis=1), CORNERS, RATE)
    assert not standing.any()
    assert seen.all()
    assert feet_over(np.tile([0.0, 0.0, 0.05], (20, 1, 1)), CORNERS, RATE)[0].all()


def test_plates_looked_at_together_are_those_looked_at_alone() -> None:
    rng = np.random.default_rng(0)
    points = np.cumsum(rng.normal(scale=[0.004, 0.004, 0.02], size=(40, 3, 3)), axis=0)
    points += rng.uniform([-0.4, -0.3, 0.0], [0.4, 0.3, 0.2], size=(3, 3))
    points[rng.random((40, 3)) < 0.1] = np.nan
    step = CORNERS + np.array([0.5, 0.0, 0.1])
    plates = [CORNERS, CORNERS + np.array([0.2, 0.1, 0.0]), step, CORNERS]
    together = feet_over_each(points, plates, RATE)
    assert len({standing.tobytes() for standing, _ in together}) == 3  # of four, two are one
    assert len({seen.tobytes() for _, seen in together}) == 2  # two floors
    for corners, found in zip(plates, together, strict=True):
        np.testing.assert_array_equal(feet_over(points, corners, RATE), found)


def test_a_plate_that_a_child_stands_on_throughout_has_no_unloaded_frame() -> None:
    up = np.full(50, 95.0) + 0.5 * np.sin(np.arange(50))
    on, off = np.ones(50, bool), np.zeros(50, bool)
    assert not unloaded_frames(up, on, on).any()
    assert unloaded_frames(up, off, on).all()
    assert unloaded_frames(up).all()  # without markers the level decides, as before


@pytest.mark.parametrize("offset_N", [-200.0, 200.0])
@pytest.mark.parametrize("polarity", [1.0, -1.0])
def test_the_level_of_an_empty_plate_does_not_turn_the_step_of_a_child(
    offset_N: float, polarity: float
) -> None:
    """A plate that reads 80 N under 280 N of weight, and -200 N without, is not upside down."""
    weight = np.where(np.arange(100) // 20 == 2, 280.0, 0.0)
    force, standing = np.zeros((100, 3)), weight > 0
    force[:, 1] = polarity * weight + offset_N
    seen = np.ones(100, bool)
    up = np.array([0.0, 1.0, 0.0])
    read = PlateWrench(1, FLOOR, np.zeros(3), up, force, 0 * force, None, standing, seen)
    found = clean_plate(read)
    assert found.inverted == (polarity < 0)
    np.testing.assert_allclose(found.wrench.force_G[:, 1], weight)
    assert found.baseline_N == 200.0


def test_feet_that_seem_to_be_elsewhere_show_no_level_of_a_plate_that_they_load() -> None:
    """The corners of a belt may be wrong: most of its frames then carry a weight all the same."""
    force = np.zeros((100, 3))
    force[30:, 1] = np.linspace(650.0, 750.0, 70)
    off, seen = np.zeros(100, bool), np.ones(100, bool)
    up = np.array([0.0, 1.0, 0.0])
    read = PlateWrench(1, FLOOR, np.zeros(3), up, force, 0 * force, None, off, seen)
    assert not clean_plate(read).inverted
    assert clean_plate(replace(read, force_G=-force)).inverted


@pytest.mark.parametrize("frames", [40, 60])  # without a step, and with one
def test_an_empty_plate_has_the_median_and_the_spread_of_its_noise(frames: int) -> None:
    readings = np.random.default_rng(1).normal((1.0, -30.0, 2.0, 4.0, 5.0, 6.0), 2.0, (frames, 6))
    readings[40:, 1] += 700.0
    up, edges = np.array([0.0, 1.0, 0.0]), readings[:, 3:]
    read = PlateWrench(1, FLOOR, np.zeros(3), up, readings[:, :3], readings[:, 3:], edges)
    found, empty = clean_plate(read), readings[:40]
    middle, spread = np.median(empty, axis=0), median_abs_deviation(empty[:, 1], scale="normal")
    assert not found.inverted  # below zero, but nobody is pulled down
    assert found.noise_N == pytest.approx(spread, rel=1e-5)
    assert found.baseline_N == pytest.approx(np.linalg.norm(middle[:3]))
    cleaned = np.concatenate((found.wrench.force_G, found.wrench.moment_G), axis=1)
    np.testing.assert_allclose(cleaned, readings - middle, atol=1e-9)
    assert found.wrench.edge_force_G is not None
    np.testing.assert_allclose(found.wrench.edge_force_G, edges - middle[:3], atol=1e-9)
    if frames > len(empty):
        turned = {f"{name}_G": -getattr(read, f"{name}_G") for name in ("force", "moment")}
        on_plate = clean_plate(replace(read, **turned, edge_force_G=-edges))
        assert (on_plate.inverted, on_plate.noise_N) == (True, found.noise_N)
        np.testing.assert_array_equal(on_plate.wrench.edge_force_G, found.wrench.edge_force_G)
        nothing: Any = None
        told = plate_findings([on_plate, found], [], nothing)
        assert [f.code for f in told] == ["plate-inverted", "plate-baseline", "plate-baseline"]
        assert told[1].value == found.baseline_N


POUNDS = ", as if the mass were in pounds"


@pytest.mark.parametrize(("mass_kg", "pounds"), [(100.0, ""), (70.0 / 0.45359237, POUNDS)])
def test_a_mass_that_the_static_contradicts_is_kept_and_told(mass_kg: float, pounds: str) -> None:
    force = 70.0 * 9.80665
    kept, (told,) = weigh(Subject(mass_kg=mass_kg), force)
    assert kept.mass_kg == mass_kg
    assert told.value == pytest.approx(1.0 - 70.0 / mass_kg)
    assert f"carry 70.0 kg{pounds}; {mass_kg:.1f} kg is used" in told.message
    weighed, (told,) = weigh(Subject(), force)
    assert weighed.mass_kg == told.value == pytest.approx(70.0)


def test_a_static_with_a_foot_beside_the_plates_weighs_nobody(synthetic: Path) -> None:
    static = read_session(synthetic / "walk01.c3d", Options()).static
    assert static is not None
    assert standing_force(static) == pytest.approx(70.0 * STANDARD_GRAVITY, rel=1e-3)
    foot = [i for i, label in enumerate(static.labels) if label in ("LHEE", "LTOE", "LANK")]
    markers = static.markers_G.copy()
    markers[:, foot, 2] -= 1.0
    assert standing_force(replace(static, markers_G=markers)) is None
    hidden = static.markers_G.copy()
    hidden[:, foot] = np.nan
    assert standing_force(replace(static, markers_G=hidden)) is not None


@WITH_CORPUS
def test_a_child_on_two_plates_weighs_what_both_carry() -> None:
    """36.3 kg; the second plate carries 148 N and was taken for one that is not tared."""
    recording = read_recording(CORPUS / "gait/AUC/CB_Static0001.c3d")
    static = to_trial(recording, find_axes(recording))
    force = standing_force(static)
    assert force is not None
    assert force / STANDARD_GRAVITY == pytest.approx(36.3, rel=0.03)
    assert [clean_plate(plate).baseline_N for plate in static.plates] == [0.0, 0.0]


def test_a_plate_that_leans_by_more_than_25_degrees_is_left_out_and_told() -> None:
    nothing: Any = None
    leaning = []
    for number, lean in enumerate(np.radians([0.0, 25.0, 27.0, 90.0, 180.0]), 1):
        normal = np.array([np.sin(lean), np.cos(lean), 0.0])
        still = np.zeros((1, 3))
        leaning.append(PlateWrench(number, FLOOR, np.zeros(3), normal, still, still))
    trial = Trial(nothing, np.eye(3), (), np.zeros((1, 0, 3)), tuple(leaning))
    level, told = level_plates(trial)
    assert [plate.number for plate in level.plates] == [1, 2]
    assert [(f.code, f.scope) for f in told] == [("plate-refused", f"plate {i}") for i in (3, 4, 5)]
