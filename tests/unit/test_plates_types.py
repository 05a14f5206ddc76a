"""Plates of types 1 and 3 posed by hand: forces at known points of a known plate."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.io.c3d.parameters import Parameters, Record
from gaitdyn.io.c3d.samples import scaled_samples
from gaitdyn.io.plates.reading import read_plates
from gaitdyn.io.plates.wrenches import plate_wrench
from gaitdyn.types.recording import PlateRecord
from gaitdyn.types.wrench import PlateWrench
from tests.unit.c3d_bytes import stored

Array = np.ndarray[Any, np.dtype[np.float64]]
FRAMES, PER_FRAME = 30, 4
SAMPLES = FRAMES * PER_FRAME
R_GL = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # Z up, walking along X
CENTRE = np.array([0.7, -0.3, 0.0])
R = np.diag([1.0, -1.0, -1.0])  # plate x along X, y along -Y, z down
HALF = np.array([0.2, 0.3])
A, B, DEPTH = 0.12, 0.2, 0.054
# sensors 1 to 4 stand in the quadrants + +, - +, - -, + - of plate x and y (Kistler formulae)
SENSORS = np.array([[A, B, DEPTH], [-A, B, DEPTH], [-A, -B, DEPTH], [A, -B, DEPTH]])
# parameters are 32-bit floats in the file: 1e-7 of 1 m, times 1000 N
STORED = 2e-4


def parameters(kind: int, plates: int = 1, unit: float = 1000.0, **changes: Any) -> Parameters:
    """Return the group FORCE_PLATFORM of equal flat plates; ``unit`` is of a metre."""
    signs = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])
    corners = CENTRE + signs * [*HALF, 0.0] @ R.T
    origin = np.array([A, B, -DEPTH]) if kind == 3 else np.zeros(3)
    wide = 8 if kind == 3 else 6
    group: dict[str, Any] = {
        "USED": stored([plates], 2),
        "TYPE": stored([kind] * plates, 2),
        "ZERO": stored([1, 0], 2),
        "CORNERS": stored(np.stack([corners.T * unit] * plates, axis=-1)),
        "ORIGIN": stored(np.stack([origin * unit] * plates, axis=-1)),
        "CHANNEL": stored(np.arange(1, wide * plates + 1).reshape(wide, plates, order="F"), 2),
    }
    return Parameters({"FORCE_PLATFORM": {**group, **changes}})


def read(params: Parameters, sample: Any, unit: float = 1000.0) -> tuple[PlateRecord, ...]:
    """Return the plates of a file; one sample lasts for the whole recording."""
    analog = np.asarray(sample, dtype=float)
    analog = np.tile(analog, (SAMPLES, 1)) if analog.ndim == 1 else analog
    count = analog.shape[1]
    samples = scaled_samples(analog[:, None], range(count), count)
    return read_plates(params, samples, PER_FRAME, 1.0 / unit)


def wrench_of(plate: PlateRecord) -> PlateWrench:
    assert plate.problem == ""
    np.testing.assert_array_equal(plate.origin, 0)
    return plate_wrench(plate, R_GL, FRAMES)


def check(plate: PlateRecord, force: Array, at: Array, free_up: float) -> None:
    """Demand the force, the point and the free moment about the upward vertical (L, plate)."""
    w = wrench_of(plate)
    at_G = R_GL @ (CENTRE + R @ [*at, 0.0])
    moment = np.cross(at_G - R_GL @ CENTRE, R_GL @ force) + np.array([0.0, free_up, 0.0])
    np.testing.assert_allclose(w.force_G, [R_GL @ force] * FRAMES, atol=STORED)
    np.testing.assert_allclose(w.moment_G, [moment] * FRAMES, atol=STORED)
    cop = centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)
    np.testing.assert_allclose(cop, [at_G] * FRAMES, atol=1e-6)


def resultant(forces: Array, points: Array) -> Array:
    """Return force and moment about the centre of the surface of forces at points."""
    return np.r_[forces.sum(axis=0), np.cross(points, forces).sum(axis=0)]


def eight(forces: Array) -> Array:
    """Return the channels of the forces (4, 3) on the four sensors."""
    (x1, x2, x3, x4), (y1, y2, y3, y4), z = forces.T
    return np.r_[x1 + x2, x3 + x4, y1 + y4, y2 + y3, z]


PUSH = np.array([60.0, -35.0, 750.0])  # laboratory axes
POINT = np.array([0.11, -0.17])  # plate axes
FREE = 5.0  # about the upward vertical, so -5 about plate z


def one(length: float = 1000.0, moment: float | None = None) -> Array:
    """Return type 1 channels, lengths and moments in units of a metre."""
    return np.r_[PUSH @ R, POINT * length, -FREE * (length if moment is None else moment)]


# ---------------------------------------------------------------- type 1


def test_700_n_ahead_of_the_centre_make_a_moment_that_lifts_the_front() -> None:
    """700 N up at 0.1 m along plate x: 70 N m about -y of the plate, p x F and not F x p."""
    (plate,) = read(parameters(1), [0, 0, -700.0, 100.0, 0, 0])
    # p x F = (0.1, 0, 0) x (0, 0, -700) = (0, 70, 0)
    np.testing.assert_allclose(plate.channels[0], [0, 0, -700, 0, 70, 0], atol=1e-12)
    check(plate, np.array([0, 0, 700.0]), np.array([0.1, 0.0]), 0.0)


def test_the_free_moment_of_type_1_is_about_the_axis_that_points_down() -> None:
    (plate,) = read(parameters(1), [0, 0, -700.0, 100.0, 0, -5000.0])
    check(plate, np.array([0, 0, 700.0]), np.array([0.1, 0.0]), 5.0)


@pytest.mark.parametrize("length", [1000.0, 1.0])
@pytest.mark.parametrize("moment", [1000.0, 1.0])
@pytest.mark.parametrize("unit", [1000.0, 1.0])
def test_the_data_decide_in_which_unit_type_1_is(unit: float, length: float, moment: float) -> None:
    if length < moment:
        pytest.skip("no file is known with points in m and moments in N mm")
    (plate,) = read(parameters(1, unit=unit), one(length, moment), unit)
    check(plate, PUSH, POINT, FREE)
    assert any("pressure is taken to be in" in note for note in plate.notes) == (length != unit)
    assert any("free moment is taken to be" in note for note in plate.notes) == (length > moment)


def test_a_load_in_the_very_centre_says_nothing_about_the_unit() -> None:
    (plate,) = read(parameters(1), [0, 0, -700.0, 1.0, 0, 0])
    np.testing.assert_allclose(plate.channels[0], [0, 0, -700, 0, 0.7, 0], atol=1e-12)
    assert plate.notes == ()


def test_the_origin_of_a_type_1_plate_is_not_used() -> None:
    (plate,) = read(parameters(1, ORIGIN=stored([[10.0], [20.0], [-40.0]])), one())
    check(plate, PUSH, POINT, FREE)
    assert any("ORIGIN" in note for note in plate.notes)


@pytest.mark.parametrize("empty", [np.nan, np.inf, -1e30])
def test_an_unloaded_type_1_plate_may_have_no_centre_of_pressure(empty: float) -> None:
    analog = np.tile(one(), (SAMPLES, 1))
    analog[:60] = [0.1, 0, 3.0, empty, empty, 0]
    (plate,) = read(parameters(1), analog)
    np.testing.assert_array_equal(plate.channels[:60], 0)
    np.testing.assert_allclose(plate.channels[60:, :3], [PUSH @ R] * 60)
    assert any(note.startswith("60 samples") for note in plate.notes)
    analog[:, :3] = PUSH @ R
    assert "not a number" in read(parameters(1), analog)[0].problem


def test_moments_where_type_1_has_its_centre_of_pressure_refuse_that_plate_alone() -> None:
    good = one()
    wrong = np.r_[good[:3], 40_000.0, -80_000.0, 2000.0]  # a type 2 plate, N mm
    three = read(parameters(1, 3), np.r_[good, wrong, good])
    assert [bool(plate.problem) for plate in three] == [False, True, False]
    assert "off the plate" in three[1].problem


# ---------------------------------------------------------------- type 3


def test_a_load_on_one_sensor_is_above_that_sensor() -> None:
    for k, (x, y, _) in enumerate(SENSORS):
        sample = np.zeros(8)
        sample[4 + k] = -800.0
        (plate,) = read(parameters(3), sample)
        check(plate, np.array([0, 0, 800.0]), np.array([x, y]), 0.0)


@pytest.mark.parametrize("signs", list(itertools.product([1, -1], repeat=3)))
def test_type_3_sums_the_forces_of_its_sensors_whatever_the_signs_of_origin(signs: Any) -> None:
    """Any forces on the four sensors: the sum of r x F over the sensors is the moment."""
    forces = np.random.default_rng(3).normal([10, -5, -180], [30, 30, 60], size=(4, 3))
    origin = np.array([A, B, DEPTH]) * signs * 1000
    (plate,) = read(parameters(3, ORIGIN=stored(origin[:, None])), eight(forces))
    np.testing.assert_allclose(plate.channels[0], resultant(forces, SENSORS), atol=STORED)


def test_the_free_moment_of_type_3_is_that_of_the_horizontal_sensors() -> None:
    """10 N ahead at +y and 10 N back at -y: -4 N m about the plate's z, so 4 N m upwards."""
    sample = np.r_[10.0, -10.0, 0, 0, -175, -175, -175, -175]
    (plate,) = read(parameters(3), sample)
    check(plate, np.array([0, 0, 700.0]), np.zeros(2), 2 * B * 10)


@pytest.mark.parametrize("unit", [1000.0, 1.0])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_wrench_read_as_type_2_and_as_type_3_is_one_wrench(unit: float, sign: int) -> None:
    moment = np.cross([*POINT, 0], PUSH @ R) - [0, 0, FREE]
    wrench = np.r_[PUSH @ R, moment]
    # six components of a unit on each channel; any eight that sum to the wrench will do
    units = np.zeros((8, 4, 3))
    for k, (sensor, axis) in enumerate(
        [(0, 0), (2, 0), (0, 1), (1, 1)] + [(i, 2) for i in range(4)]
    ):
        units[k, sensor, axis] = 1.0
    sample: Any = np.linalg.pinv(np.array([resultant(f, SENSORS) for f in units]).T) @ wrench
    origin = stored(np.array([[A], [B], [sign * DEPTH]]) * unit)
    (three,) = read(parameters(3, unit=unit, ORIGIN=origin), sample, unit)
    (two,) = read(parameters(2, unit=unit), wrench * np.r_[np.ones(3), [unit] * 3], unit)
    np.testing.assert_allclose(three.channels, two.channels, atol=STORED)
    check(three, PUSH, POINT, FREE)


def test_a_type_3_plate_among_type_2_plates() -> None:
    channel = np.zeros((8, 3))
    channel[:6, 0], channel[:, 1], channel[:6, 2] = range(1, 7), range(7, 15), range(15, 21)
    two = np.r_[PUSH @ R, np.cross([*POINT, 0], PUSH @ R) * 1000]
    eight_ = np.r_[0.0, 0, 0, 0, -800, 0, 0, 0]
    origin = np.array([[0, 0, 0], [A, B, DEPTH], [0, 0, 0]]).T * 1000
    changes: dict[str, Any] = {
        "TYPE": stored([2, 3, 2], 2),
        "CHANNEL": stored(channel, 2),
        "ORIGIN": stored(origin),
    }
    three = read(parameters(2, 3, **changes), np.r_[two, eight_, two])
    check(three[0], PUSH, POINT, 0.0)
    check(three[1], np.array([0, 0, 800.0]), np.array([A, B]), 0.0)
    check(three[2], PUSH, POINT, 0.0)


@pytest.mark.parametrize(
    ("origin", "reason"),
    [
        ([0, 0, 0], "half distances"),
        ([A, 0, DEPTH], "half distances"),
        ([0.4, B, 0], "inside"),
        ([A + 0.1, B, DEPTH], "inside"),
    ],
)
def test_a_type_3_plate_without_distances_of_its_sensors_is_left_out(
    origin: list[float], reason: str
) -> None:
    params = parameters(3, ORIGIN=stored(np.array(origin)[:, None] * 1000))
    assert reason in read(params, np.zeros(8))[0].problem


@pytest.mark.parametrize("kind", [1, 3])
def test_a_channel_that_is_missing_leaves_out_that_plate_alone(kind: int) -> None:
    wide = 8 if kind == 3 else 6
    good = one() if kind == 1 else np.r_[0.0, 0, 0, 0, [-200.0] * 4]
    for wrong in (0, -1, 3 * wide + 1):
        channel = np.arange(1, 3 * wide + 1).reshape(wide, 3, order="F")
        channel[wide - 1, 1] = wrong
        three = read(parameters(kind, 3, CHANNEL=stored(channel, 2)), np.tile(good, 3))
        assert [bool(plate.problem) for plate in three] == [False, True, False]
        assert "are named" in three[1].problem
    six = stored(np.arange(1, 7)[:, None], 2)
    if kind == 3:
        assert "fewer than 8" in read(parameters(3, CHANNEL=six), good)[0].problem


@pytest.mark.parametrize("kind", [1, 3])
def test_zero_tares_the_wrench_of_types_1_and_3(kind: int) -> None:
    drift = np.array([1.0, -2.0, 3.0, 15.0, -8.0, 40.0]) if kind == 1 else np.arange(-3.0, 5.0)
    load = one() if kind == 1 else np.r_[8.0, 2, 3, 4, -90, -200, -150, -300]
    analog = np.tile(drift, (SAMPLES, 1))
    analog[60:100] = load
    plain, tared = (
        read(parameters(kind, ZERO=stored(zero, 2)), analog)[0] for zero in ([1, 0], [1, 10])
    )
    np.testing.assert_allclose(tared.channels[0], 0, atol=1e-12)
    np.testing.assert_allclose(tared.channels, plain.channels - plain.channels[0], atol=1e-12)
    assert "tared with the mean of analog samples 1-40" in tared.notes


# ---------------------------------------------------------------- bending of type 3

# Kistler, manual of the Type 9287C, section 8.4.3; also in ezc3d's test file FP_Type3.c3d
POLY = np.array(
    [
        [1.72454e-16, -4.82275e-11, 3.30016e-07, -9.46569e-12, 2.78736e-06, -8.20399e-03],
        [2.20428e-16, -1.80864e-11, -7.30249e-07, -3.03080e-11, 2.64974e-06, 5.41166e-02],
    ]
)


@pytest.mark.parametrize("sign", list(itertools.product([1, -1], repeat=2)))
@pytest.mark.parametrize("unit", [1000.0, 1.0])
def test_fpcoppoly_moves_the_centre_of_pressure_as_the_manual_says(unit: float, sign: Any) -> None:
    """At x = 100, y = 200 mm: 7.491 mm of x and 8.404 mm of y are taken off.

    Dx = (2.75926e-7 - 1.92910e-6 + 3.30016e-7) 1e6 + (-.0151451 + .1114944 - .0082040) 100
    Dy = (2.20428e-8 - 1.80864e-7 - 7.30249e-7) 8e6 + (-.0030308 + .0264974 + .0541166) 200
    """
    x, y = np.array([0.1, 0.2]) * sign
    near = np.array([1 + x / A, 1 - x / A]) / 2, np.array([1 + y / B, 1 - y / B]) / 2
    (px, mx), (py, my) = near
    down = -800.0 * np.array([px * py, mx * py, mx * my, px * my])
    sample = np.r_[3.0, 4.0, -2.0, 5.0, down]
    flat = parameters(3, unit=unit, ORIGIN=stored(np.array([[A], [B], [0.0]]) * unit))
    group = flat.records["FORCE_PLATFORM"]
    for layout in (POLY.T, POLY):
        bent = Parameters({"FORCE_PLATFORM": {**group, "FPCOPPOLY": stored(layout[..., None])}})
        (as_felt,), (plate,) = read(flat, sample, unit), read(bent, sample, unit)
        np.testing.assert_allclose(
            plate.channels[:, [0, 1, 2, 5]], as_felt.channels[:, [0, 1, 2, 5]]
        )
        moved = np.array([-plate.channels[0, 4], plate.channels[0, 3]]) / plate.channels[0, 2]
        expected = np.array([x - 7.491e-3 * sign[0], y - 8.404e-3 * sign[1]])
        np.testing.assert_allclose(moved, expected, atol=2e-6)  # the numbers above have four digits
        assert "centre of pressure corrected with FPCOPPOLY" in plate.notes


def test_fpcoppoly_leaves_an_empty_plate_empty() -> None:
    params = parameters(3, FPCOPPOLY=stored(POLY.T[..., None]))
    (plate,) = read(params, np.zeros(8))
    np.testing.assert_array_equal(plate.channels, 0)
    (noise,) = read(params, np.r_[0.0, 0, 0, 0, 1, 0, -0.999, 0])  # 240 m away
    assert np.abs(noise.channels).max() < 0.5


@pytest.mark.parametrize("poly", [POLY * 1e3, *(np.full((2, 6), x) for x in (np.nan, np.inf))])
def test_an_fpcoppoly_that_makes_no_sense_is_not_used(poly: Array) -> None:
    sample = np.r_[0.0, 0, 0, 0, -800, 0, 0, 0]
    (plate,) = read(parameters(3, FPCOPPOLY=stored(poly.T[..., None])), sample)
    check(plate, np.array([0, 0, 800.0]), np.array([A, B]), 0.0)
    assert "FPCOPPOLY is not used" in plate.notes[0]


def test_an_fpcoppoly_of_zeros_or_of_another_plate_changes_nothing() -> None:
    sample = np.r_[0.0, 0, 0, 0, -800, 0, 0, 0]
    (plate,) = read(parameters(3, FPCOPPOLY=stored(np.zeros((6, 2, 1)))), sample)
    check(plate, np.array([0, 0, 800.0]), np.array([A, B]), 0.0)
    assert plate.notes == ()
    first, second = read(parameters(3, 2, FPCOPPOLY=stored(POLY.T[..., None])), np.tile(sample, 2))
    check(second, np.array([0, 0, 800.0]), np.array([A, B]), 0.0)
    assert "no values for this plate" in second.notes[0]
    assert "corrected" in first.notes[0]


# ---------------------------------------------------------------- types 5, 6 and 7


def calibrated(kind: int, matrix: Array, **changes: Any) -> Parameters:
    """Return a plate of type 3 that is stored as one with sensors or a matrix, or both."""
    wide = matrix.shape[1]
    group: dict[str, Any] = {
        "TYPE": stored([kind], 2),
        "CHANNEL": stored(np.arange(1, wide + 1)[:, None], 2),
        "CAL_MATRIX": stored(matrix[..., None]),
    }
    return parameters(3, **(group | changes))


RNG = np.random.default_rng(7)
FORCES = RNG.normal([10, -5, -180], [30, 30, 60], size=(4, 3))
MIXED_8, MIXED_12 = (np.eye(n) * 400 + RNG.normal(0, 4, (n, n)) for n in (8, 12))


def test_a_type_5_plate_has_eight_channels_and_a_matrix_to_six_components() -> None:
    wrench = resultant(FORCES, SENSORS) * np.r_[np.ones(3), [1000.0] * 3]  # N mm beside mm
    to_six = RNG.normal(0, 300, (6, 8))
    params = calibrated(5, to_six, ORIGIN=stored(np.zeros((3, 1))))
    (plate,) = read(params, np.linalg.pinv(to_six) @ wrench)
    np.testing.assert_allclose(plate.channels[0], resultant(FORCES, SENSORS), atol=1e-3)


@pytest.mark.parametrize("by_axis", [False, True])
def test_a_type_6_plate_has_the_three_forces_of_four_sensors(by_axis: bool) -> None:
    twelve = (FORCES.T if by_axis else FORCES).ravel()
    (plate,) = read(calibrated(6, MIXED_12), np.linalg.solve(MIXED_12, twelve))
    np.testing.assert_allclose(plate.channels[0], resultant(FORCES, SENSORS), atol=1e-3)
    assert any("axis by axis" in note for note in plate.notes) == by_axis


def test_a_type_7_plate_is_one_of_type_3_with_a_matrix() -> None:
    volts = np.linalg.solve(MIXED_8, eight(FORCES))
    (plate,) = read(calibrated(7, MIXED_8), volts)
    np.testing.assert_allclose(plate.channels[0], resultant(FORCES, SENSORS), atol=1e-3)
    np.testing.assert_array_equal(plate.origin, 0)
    (alone,) = read(calibrated(7, MIXED_8, CAL_MATRIX=stored(np.zeros(0))), eight(FORCES))
    np.testing.assert_allclose(alone.channels[0], resultant(FORCES, SENSORS), atol=STORED)
    (unknown,) = read(calibrated(7, MIXED_8, CAL_MATRIX=stored(np.zeros(0))), volts)
    assert "CAL_MATRIX is missing" in unknown.problem


@pytest.mark.parametrize("unit", [1000.0, 1.0])
def test_the_unit_of_the_distances_of_sensors_is_told_by_the_plate(unit: float) -> None:
    other = {1000.0: 1.0, 1.0: 1000.0}[unit]
    origin = stored(np.array([[A], [B], [-DEPTH]]) * other)
    (plate,) = read(parameters(3, unit=unit, ORIGIN=origin), eight(FORCES), unit)
    np.testing.assert_allclose(plate.channels[0], resultant(FORCES, SENSORS), atol=STORED)
    assert any("ORIGIN is in" in note for note in plate.notes)


def test_the_distances_of_sensors_in_the_surface_have_a_unit_too() -> None:
    """No depth shows it: half distances of 0.2 mm would leave no moment."""
    origin = stored(np.array([[A], [B], [0.0]]))
    (plate,) = read(parameters(3, ORIGIN=origin), eight(FORCES))
    flat = SENSORS * np.array([1.0, 1.0, 0.0])
    np.testing.assert_allclose(plate.channels[0], resultant(FORCES, flat), atol=STORED)
    assert "ORIGIN is in m, by its size" in plate.notes


def in_units(words: list[str], kind: int) -> Parameters:
    units = Record(-1, (8, len(words)), "".join(word.ljust(8) for word in words).encode(), "intel")
    return Parameters({**parameters(kind).records, "ANALOG": {"UNITS": units}})


@pytest.mark.parametrize(
    ("force", "moment", "newtons", "arm_m"),
    [("kN", "kNmm", 1000.0, 0.001), ("kN", "kN.m", 1000.0, 1.0), ("N", "N-cm", 1.0, 0.01),
     ("kgf", "kgf cm", 9.80665, 0.01), ("lb", "in-lb", 4.4482216, 0.0254),
     ("lbf", "lbf.ft", 4.4482216, 0.3048), ("N", "Nmm", 1.0, 0.001), ("kN", "kN", 1.0, 0.001)],
)  # fmt: skip
def test_forces_and_moments_in_the_units_that_the_channels_state(force, moment, newtons, arm_m):
    """Last row: newtons that are said to be kN would be a step of 700 kN."""
    good = np.array([20.0, -30.0, -700.0, -700.0 * 0.09, -700.0 * -0.06, 5.0])
    written = good / newtons / np.r_[np.ones(3), np.full(3, arm_m)]
    (plate,) = read(in_units([force] * 3 + [moment] * 3, 2), written)
    np.testing.assert_allclose(plate.channels[0], good, rtol=1e-6)


def test_lengths_of_a_plate_of_type_1_are_no_forces():
    good = np.array([20.0, -30.0, -700.0, 60.0, 90.0, 5000.0])
    words = ["kN"] * 3 + ["mm"] * 2 + ["kNmm"]
    (plate,) = read(in_units(words, 1), good / [1e3, 1e3, 1e3, 1, 1, 1e3])
    (usual,) = read(in_units(["N"] * 3 + ["mm"] * 2 + ["Nmm"], 1), good)
    np.testing.assert_allclose(plate.channels, usual.channels, rtol=1e-6)


def test_all_channels_of_a_plate_with_sensors_are_forces():
    good = np.array([10.0, 12.0, 9.0, 11.0, 180.0, 170.0, 160.0, 190.0])
    (plate,) = read(in_units(["kN"] * 8, 3), good / 1e3)
    (usual,) = read(in_units(["N"] * 8, 3), good)
    np.testing.assert_allclose(plate.channels, usual.channels, rtol=1e-6)
