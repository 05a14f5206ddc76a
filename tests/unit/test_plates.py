"""Force plates posed by hand: a push at a known point of a known plate, as a file says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitdyn.clean.baseline import clean_plate, without_drift
from gaitdyn.core.places import plate_axes
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.io.c3d.parameters import Parameters, Record
from gaitdyn.io.c3d.samples import scaled_samples
from gaitdyn.io.plates.lists import plate_channels
from gaitdyn.io.plates.parameters import by_rows
from gaitdyn.io.plates.reading import read_plates
from gaitdyn.io.plates.wrenches import frame_average, plate_wrench, sampled_wrench
from gaitdyn.io.recording import read_recording
from gaitdyn.types.recording import PlateRecord
from gaitdyn.types.wrench import PlateWrench
from tests.unit import c3d_bytes
from tests.unit.c3d_bytes import stored

if TYPE_CHECKING:
    from pathlib import Path

Array = np.ndarray[Any, np.dtype[np.float64]]
FRAMES, PER_FRAME = 30, 4
# laboratory Z up, walking along X: x stays, Z goes to y, Y (left) to -z
R_GL = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
CENTRE = np.array([0.7, -0.3, 0.0])
SENSOR = np.array([0.004, -0.003, 0.041])  # from the centre of the surface, plate axes, z down
AHEAD = np.array([1.0, 0.0, 0.0])
FLAT = np.diag([1.0, -1.0, -1.0])  # plate x along X, y along -Y, z down
# parameters are 32-bit floats in the file: 1e-7 of 1 m, times 1000 N
STORED = 2e-4


def yaw(degrees: float) -> Array:
    return Rotation.from_euler("z", degrees, degrees=True).as_matrix()


POSES = {
    "x ahead": FLAT,
    "x to the left": yaw(90) @ FLAT,
    "x behind": yaw(180) @ FLAT,
    "x to the right": yaw(270) @ FLAT,
    "askew": yaw(23) @ FLAT,
    "a ramp": Rotation.from_euler("yx", [8, -3], degrees=True).as_matrix() @ FLAT,
}


def corners(R: Array, centre: Array = CENTRE) -> Array:
    """Return the corners in the order of the C3D format: + +, - +, - -, + - of plate x and y."""
    signs = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])
    return centre + signs * [0.3, 0.2, 0.0] @ R.T


def push(R: Array, force_L: Array, at_L: Array, free: float = 0.0, centre: Array = CENTRE) -> Array:
    """Return the six channels for a force on the subject at a point, and a moment about -z."""
    moment = np.cross(at_L - (centre + R @ SENSOR), force_L) - free * R[:, 2]
    return np.r_[force_L @ R, moment @ R]


def parameters(plates: int = 1, unit: float = 1000.0, **changes: Any) -> Parameters:
    """Return the group FORCE_PLATFORM of equal flat plates; ``unit`` is of a metre."""
    group: dict[str, Any] = {
        "USED": stored([plates], 2),
        "TYPE": stored([2] * plates, 2),
        "ZERO": stored([1, 0], 2),
        "CORNERS": stored(np.stack([corners(FLAT).T * unit] * plates, axis=-1)),
        "ORIGIN": stored(np.stack([SENSOR * unit] * plates, axis=-1)),
        "CHANNEL": stored(np.arange(1, 6 * plates + 1).reshape(6, plates, order="F"), 2),
    }
    return Parameters({"FORCE_PLATFORM": {**group, **changes}})


def lasting(sample: Array, unit: float = 1000.0) -> Array:
    """Return a sample that lasts for the whole recording, moments in N times the unit."""
    return np.tile(sample * np.r_[np.ones(3), np.full(3, unit)], (FRAMES * PER_FRAME, 1))


def read(params: Parameters, analog: Array, unit: float = 1000.0) -> tuple[PlateRecord, ...]:
    count = analog.shape[1]
    samples = scaled_samples(analog[:, None], range(count), count)
    return read_plates(params, samples, PER_FRAME, 1.0 / unit)


def wrench_of(plate: PlateRecord, R: Array = R_GL) -> PlateWrench:
    assert plate.problem == ""
    return plate_wrench(plate, R, FRAMES)


def test_a_person_standing_ahead_of_the_centre_is_where_the_numbers_say() -> None:
    """800 N up, 0.1 m ahead: the plate feels -800 N along its z, and 80 N m about its y."""
    # the sensor is 4 mm ahead and 3 mm to the left of the centre (plate y is to the right): the
    # arm is 96 mm along x and 3 mm along y
    analog = lasting(np.array([0.0, 0.0, -800.0, 0.003 * -800, 0.096 * 800, 0.0]))
    (plate,) = read(parameters(), analog)
    w = wrench_of(plate)
    np.testing.assert_allclose(w.force_G, [[0, 800, 0]] * FRAMES, atol=STORED)
    cop = centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)
    np.testing.assert_allclose(cop, [[0.8, 0.0, 0.3]] * FRAMES, atol=1e-6)


@pytest.mark.parametrize("negative", [False, True], ids=["origin z > 0", "origin z < 0"])
@pytest.mark.parametrize("pose", POSES)
def test_a_push_at_a_known_point_gives_that_centre_of_pressure(pose: str, negative: bool) -> None:
    """Whatever the plate's turn; whichever way its ORIGIN is stored."""
    R = POSES[pose]
    at = CENTRE + R @ [0.12, -0.07, 0.0]
    force = np.array([60.0, -35.0, 750.0])
    params = parameters(
        CORNERS=stored(corners(R).T[..., None] * 1000),
        ORIGIN=stored(SENSOR[:, None] * (-1000 if negative else 1000)),
    )
    (plate,) = read(params, lasting(push(R, force, at, free=5.0)))
    w = wrench_of(plate)
    np.testing.assert_allclose(w.force_G, [R_GL @ force] * FRAMES, atol=STORED)
    np.testing.assert_allclose(w.centre_G, R_GL @ CENTRE, atol=1e-6)
    np.testing.assert_allclose(w.normal_G, R_GL @ -R[:, 2], atol=1e-6)
    assert w.normal_G[1] > 0.9  # upwards
    cop = centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)
    np.testing.assert_allclose(cop, [R_GL @ at] * FRAMES, atol=1e-6)  # stored corners, in m
    free = w.moment_G - np.cross(cop - w.centre_G, w.force_G)
    np.testing.assert_allclose(free @ w.normal_G, 5.0, atol=STORED)
    np.testing.assert_allclose(free, 5.0 * w.normal_G[None] * np.ones((FRAMES, 1)), atol=2e-3)


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("forward", ["+x", "-x", "+y", "-y"])
def test_a_plate_does_not_depend_on_which_way_one_walks_over_it(pose: str, forward: str) -> None:
    R, at = POSES[pose], CENTRE + POSES[pose] @ [0.1, 0.05, 0.0]
    ahead = (1 if forward[0] == "+" else -1) * np.eye(3)["xy".index(forward[1])]
    to_G = np.stack((ahead, [0, 0, 1], np.cross(ahead, [0, 0, 1])))
    force = 40 * ahead + 700 * np.array([0, 0, 1])
    params = parameters(CORNERS=stored(corners(R).T[..., None] * 1000))
    (plate,) = read(params, lasting(push(R, force, at)))
    w = wrench_of(plate, to_G)
    np.testing.assert_allclose(w.force_G, [[40, 700, 0]] * FRAMES, atol=STORED)
    cop = centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)
    np.testing.assert_allclose(cop, [to_G @ at] * FRAMES, atol=1e-6)  # stored corners, in m


def test_the_axes_of_a_plate_are_square_when_its_corners_are_not() -> None:
    bent = corners(FLAT)
    bent[3] += [0.01, 0.0, 0.0]
    R = plate_axes(bent)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)  # rounding
    assert np.linalg.det(R) == pytest.approx(1)
    np.testing.assert_allclose(R[:, 0], [1, 0, 0], atol=1e-14)


MATRIX = np.array(
    [
        [500.0, 3, -2, 0, 1, 0],
        [-4, 480, 6, 2, 0, 0],
        [7, -5, 1010, 0, 0, 3],
        [300, 10, -20, 240, 2, 0],
        [0, 150, 40, -3, 230, 5],
        [12, 0, 8, 1, 4, 120],
    ]
)


def test_a_type_4_plate_multiplies_its_matrix_stored_column_by_column() -> None:
    force, at = np.array([30.0, -20.0, 650.0]), CENTRE + FLAT @ [0.08, 0.11, 0.0]
    newtons = push(FLAT, force, at) * np.r_[np.ones(3), [1e3] * 3]
    volts: Any = np.linalg.solve(MATRIX, newtons)
    params = parameters(TYPE=stored([4], 2), CAL_MATRIX=stored(MATRIX[..., None]))
    (plate,) = read(params, np.tile(volts, (FRAMES * PER_FRAME, 1)))
    w = wrench_of(plate)
    np.testing.assert_allclose(w.force_G, [R_GL @ force] * FRAMES, atol=STORED)
    cop = centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)
    np.testing.assert_allclose(cop, [R_GL @ at] * FRAMES, atol=1e-6)  # stored corners, in m


@pytest.mark.parametrize("matrix", [None, np.zeros((6, 6, 1)), np.zeros((6, 6, 0))])
def test_a_type_4_plate_without_a_matrix_is_in_newtons_if_somebody_steps_on_it(matrix: Any) -> None:
    changes: dict[str, Any] = {} if matrix is None else {"CAL_MATRIX": stored(matrix)}
    params = parameters(TYPE=stored([4], 2), **changes)
    assert "CAL_MATRIX is missing" in read(params, np.ones((FRAMES * PER_FRAME, 6)))[0].problem
    sample = push(FLAT, np.array([30.0, -20.0, 650.0]), CENTRE + 0.1 * AHEAD)
    (plate,) = read(params, lasting(sample))
    np.testing.assert_allclose(plate.channels[0], sample, atol=STORED)
    assert "taken to be in N" in plate.notes[0]


def test_a_matrix_that_would_multiply_newtons_again_is_not_used() -> None:
    volts = np.diag([500.0, 500, 1000, 6e5, 4e5, 3e5])
    params = parameters(TYPE=stored([4], 2), CAL_MATRIX=stored(volts[..., None]))
    sample = push(FLAT, np.array([30.0, -20.0, 650.0]), CENTRE + 0.1 * AHEAD)
    (plate,) = read(params, lasting(sample))
    np.testing.assert_allclose(plate.channels[0], sample, atol=STORED)
    assert "CAL_MATRIX is not used" in plate.notes[0]


# as plates are sold: N and N mm a volt; N and N m a volt of a sensor 50 mm below the surface
IN_MM = np.diag([2.98, 3.0, 11.7, 1277.0, 1274.0, 598.0])
IN_MM[3:, :3] = [[-1.2, 0.8, -2.1], [0.7, -2.5, 9.8], [0.2, 6.2, 0.1]]
IN_M = np.diag([1224.0, 1226.0, 1880.0, 700.0, 490.0, 287.0])
IN_M[3, 1], IN_M[4, 0] = -62.1, 60.9
LOAD_CELLS = np.array(
    [
        [1.0, 0, 0, 1, 0, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 0, 1, 0, 0, 1],
        [0, 0, 0.3, 0.2, 0, -0.3],
        [0.3, 0, -0.2, 0, 0.2, 0.2],
        [0.2, -0.2, 0, 0.2, 0, 0.1],
    ]
)


@pytest.mark.parametrize("matrix", [IN_MM, IN_M])
def test_a_matrix_stored_row_by_row_is_told_by_the_forces_that_it_would_mix(matrix: Array) -> None:
    force, at = np.array([30.0, -20.0, 650.0]), CENTRE + FLAT @ [0.08, 0.11, 0.0]
    unit = 1000.0 if matrix is IN_MM else 1.0
    newtons = push(FLAT, force, at) * np.r_[np.ones(3), [unit] * 3]
    volts: Any = np.tile(np.linalg.solve(matrix, newtons), (FRAMES * PER_FRAME, 1))
    kind = stored([4], 2)
    for turned, said in ((matrix, 0), (matrix.T, 1)):
        cal = stored(turned[..., None])
        (plate,) = read(parameters(unit=unit, TYPE=kind, CAL_MATRIX=cal), volts, unit)
        np.testing.assert_allclose(plate.channels[0, :3], force @ FLAT, rtol=1e-5)
        assert sum("row by row" in note for note in plate.notes) == said
    assert not by_rows(LOAD_CELLS)  # forces of many cells are no crosstalk
    assert not by_rows(np.eye(6))


@pytest.mark.parametrize(("points", "plate_unit"), [(1000.0, 1.0), (1.0, 1000.0), (100.0, 1000.0)])
@pytest.mark.parametrize("both", [True, False])
def test_the_unit_of_corners_and_origin_is_told_by_the_size_of_a_plate(
    points: float, plate_unit: float, both: bool
) -> None:
    sample = push(FLAT, np.array([30.0, -20.0, 650.0]), CENTRE + 0.1 * AHEAD)
    right = parameters(unit=points)
    other = parameters(unit=plate_unit).records["FORCE_PLATFORM"]
    changes = {"ORIGIN": other["ORIGIN"]} | ({"CORNERS": other["CORNERS"]} if both else {})
    mixed = Parameters({"FORCE_PLATFORM": {**right.records["FORCE_PLATFORM"], **changes}})
    (as_it_is,), (plate,) = (read(p, lasting(sample, points), points) for p in (right, mixed))
    np.testing.assert_allclose(plate.corners_L, as_it_is.corners_L, atol=1e-6)
    if (points, both) != (100.0, False):  # a depth of 4.1 m in place of 0.41: told; 0.41 m is not
        np.testing.assert_allclose(plate.origin, as_it_is.origin, atol=1e-7)
        assert any("size" in note for note in plate.notes)
    assert not any("size" in note for note in as_it_is.notes)


def test_a_plate_far_from_the_origin_has_edges_not_places_of_its_size() -> None:
    far = corners(FLAT, np.array([14.0, -9.0, 0.0])).T[..., None]
    (plate,) = read(parameters(CORNERS=stored(far)), lasting(push(FLAT, 700.0 * AHEAD, CENTRE)))
    np.testing.assert_allclose(plate.corners_L, far[..., 0].T, rtol=1e-6)


def test_channels_that_are_counted_from_0_are_those_of_all_plates() -> None:
    channel = np.arange(12).reshape(6, 2, order="F")
    two = np.concatenate((stepped(), 2 * stepped()), axis=1)
    counted = read(parameters(2, CHANNEL=stored(channel, 2)), two)
    for plate, other in zip(counted, read(parameters(2), two), strict=True):
        np.testing.assert_array_equal(plate.channels, other.channels)
    for first in (0, 1):
        params = parameters(2, CHANNEL=stored(channel + first, 2))
        assert plate_channels(params) == list(range(12))


def test_channels_that_do_not_change_are_counted_from_1() -> None:
    analog = np.tile(np.linspace(0.0, 600.0, FRAMES * PER_FRAME)[:, None], (1, 6))
    assert read(parameters(), analog)[0].still == ()
    analog[:, [1, 5]] = -3.0
    assert read(parameters(), analog)[0].still == (2, 6)
    assert read(parameters(), np.full_like(analog, -3.0))[0].still == ()  # all are alike


def test_channels_that_are_all_0_belong_to_no_plate() -> None:
    """A list counted from 0 has one 0; this one is empty."""
    (plate,) = read(parameters(CHANNEL=stored(np.zeros((6, 1)), 2)), stepped())
    assert plate.problem == "channels 0 to 0 are named, the file has 1 to 6"


def test_plates_are_read_where_the_file_does_not_say_how_many() -> None:
    group = dict(parameters(2).records["FORCE_PLATFORM"])
    two = np.tile(stepped(), (1, 2))
    del group["USED"]
    assert [p.problem for p in read(Parameters({"FORCE_PLATFORM": group}), two)] == ["", ""]
    del group["TYPE"]
    assert "TYPE is missing" in read(Parameters({"FORCE_PLATFORM": group}), two)[1].problem


def test_plates_beyond_those_in_use_are_told() -> None:
    group = dict(parameters(2).records["FORCE_PLATFORM"])
    two = np.tile(stepped(), (1, 2))
    both = read(Parameters({"FORCE_PLATFORM": group}), two)
    assert not any("USED" in note for plate in both for note in plate.notes)
    group["USED"] = parameters(1).records["FORCE_PLATFORM"]["USED"]
    (plate,) = read(Parameters({"FORCE_PLATFORM": group}), two)
    note = "FORCE_PLATFORM:USED is 1, TYPE has 2 plates: the others are not read"
    assert note in plate.notes


def test_a_plate_that_is_listed_twice_counts_once() -> None:
    channel = np.stack([np.arange(1, 7)] * 2, axis=1)
    first, second = read(parameters(2, CHANNEL=stored(channel, 2)), stepped())
    assert (first.problem, second.problem) == ("", "it is plate 1, listed again")
    aside = np.stack([corners(FLAT).T, corners(FLAT, CENTRE + AHEAD).T], axis=-1) * 1000
    both = parameters(2, CHANNEL=stored(channel, 2), CORNERS=stored(aside))
    assert [plate.problem for plate in read(both, stepped())] == ["", ""]


def test_a_plate_without_a_type_is_left_out_alone() -> None:
    one_type = parameters(2, TYPE=stored([2], 2))
    first, second = read(one_type, np.tile(stepped(), (1, 2)))
    assert first.problem == ""
    assert second.problem == "FORCE_PLATFORM:TYPE is missing for this plate"


@pytest.mark.parametrize(
    ("used", "rest"), [(0, "none is read"), (1, "the others are not read")], ids=["none", "bad"]
)
def test_a_file_that_uses_no_plate_or_a_bad_one_says_so(
    used: int, rest: str, tmp_path: Path
) -> None:
    records = parameters(2).records["FORCE_PLATFORM"]
    group: dict[tuple[str, str], Any] = {
        ("FORCE_PLATFORM", name): (r.kind, r.dims, r.data) for name, r in records.items()
    }
    group["FORCE_PLATFORM", "USED"] = (c3d_bytes.INTEGER, (), used)
    (tmp_path / "unused.c3d").write_bytes(c3d_bytes.c3d(change=group))
    recording = read_recording(tmp_path / "unused.c3d")
    assert [bool(plate.problem) for plate in recording.plates] == [True] * used
    assert f"FORCE_PLATFORM:USED is {used}, TYPE has 2 plates: {rest}" in recording.notes


@pytest.mark.parametrize("order", ["F", "C"])
def test_a_list_of_channels_with_a_row_per_plate_is_told_by_its_numbers(
    order: Literal["F", "C"],
) -> None:
    """Either the dimensions alone are reversed, or the numbers as well."""
    table = np.arange(1, 13).reshape(2, 6)
    two = np.concatenate((stepped(), 2 * stepped()), axis=1)
    turned = Record(2, (2, 6), table.astype("<i2").tobytes(order=order), "intel")
    for plate, other in zip(
        read(parameters(2, CHANNEL=turned), two), read(parameters(2), two), strict=True
    ):
        np.testing.assert_array_equal(plate.channels, other.channels)
    mixed = Record(2, (2, 6), table[:, ::-1].astype("<i2").tobytes(order=order), "intel")
    problems = [plate.problem for plate in read(parameters(2, CHANNEL=mixed), two)]
    assert problems == ["FORCE_PLATFORM:CHANNEL lists the channels in an unknown order"] * 2


def test_a_plate_without_a_row_of_channels_is_left_out_alone() -> None:
    table = Record(2, (2, 6), np.arange(1, 13).astype("<i2").tobytes(), "intel")
    three = read(parameters(3, CHANNEL=table), np.tile(stepped(), (1, 2)))
    assert [plate.problem for plate in three] == [
        "", "", "FORCE_PLATFORM:CHANNEL lists fewer than 6 channels"
    ]  # fmt: skip


def test_dimensions_in_another_order_are_told() -> None:
    two = np.tile(stepped(), (1, 2))
    origin = parameters(2).records["FORCE_PLATFORM"]["ORIGIN"]
    turned = parameters(2, ORIGIN=origin._replace(dims=(2, 3)))
    told = "ORIGIN has the dimensions 2 x 3; its numbers are read in order"
    for plate, other in zip(read(turned, two), read(parameters(2), two), strict=True):
        np.testing.assert_array_equal(plate.channels, other.channels)
        assert told in plate.notes
        assert told not in other.notes


def test_a_type_2_plate_leaves_a_matrix_that_is_stored_alone() -> None:
    params = parameters(CAL_MATRIX=stored(MATRIX[..., None]))
    sample = push(FLAT, np.array([0, 0, 700.0]), CENTRE + 0.1 * AHEAD)
    (plate,) = read(params, lasting(sample))
    np.testing.assert_allclose(plate.channels[0], sample, atol=STORED)


def test_the_data_decide_whether_moments_are_in_newton_millimetres() -> None:
    force, at = np.array([10.0, 0, 700.0]), CENTRE + FLAT @ [0.15, 0.1, 0.0]
    sample = push(FLAT, force, at)
    (in_mm,), (in_m,) = (read(parameters(), lasting(sample, unit)) for unit in (1000.0, 1.0))
    np.testing.assert_allclose(in_mm.channels, in_m.channels, atol=1e-9)  # a product with 1000
    assert in_mm.notes == ()
    assert "moments are taken to be in N m" in in_m.notes[0]
    # points in metres: there is nothing to decide
    (metres,) = read(parameters(unit=1.0), lasting(sample, 1.0), 1.0)
    np.testing.assert_allclose(metres.channels[0], sample, atol=1e-12)
    assert metres.notes == ()


def test_an_unloaded_plate_takes_the_unit_of_the_points() -> None:
    (plate,) = read(parameters(), np.tile([1.0, 1, 2, 500, 400, 300], (120, 1)))
    np.testing.assert_allclose(plate.channels[0], [1, 1, 2, 0.5, 0.4, 0.3])
    assert plate.notes == ()


STEP = push(FLAT, np.array([20.0, 5, 700]), CENTRE + 0.1 * AHEAD) * np.r_[np.ones(3), [1e3] * 3]
DRIFT = np.array([3.0, -5.0, 18.0, 900.0, -700.0, 400.0])


def stepped() -> Array:
    """Return a step in frames 15 to 25 on a plate that reads DRIFT while empty."""
    analog = np.tile(DRIFT, (FRAMES * PER_FRAME, 1))
    analog[15 * PER_FRAME : 25 * PER_FRAME] += STEP
    return analog


@pytest.mark.parametrize(
    "zero",
    [
        {"ZERO": [1, 10]},
        {"ZERO": [0, 0], "ZEROS": [[1], [10]]},
        {"ZERO": [1, 10], "ZEROS": [[0], [0]]},
    ],
)
def test_zero_1_10_tares_with_the_mean_of_the_first_ten_frames(zero: dict[str, Any]) -> None:
    analog = stepped()
    rows = 10 * PER_FRAME
    analog[:rows] += np.resize([1.0, -1.0], rows)[:, None]  # noise whose mean is zero
    changes: dict[str, Any] = {name: stored(pair, 2) for name, pair in zero.items()}
    (plate,) = read(parameters(**changes), analog)
    metres = np.r_[np.ones(3), [1e-3] * 3]
    np.testing.assert_allclose(plate.channels[rows:60], 0, atol=1e-10)  # rounding
    np.testing.assert_allclose(plate.channels[70], STEP * metres, atol=1e-10)
    assert "tared with the mean of analog samples 1-40" in plate.notes


def test_each_plate_has_its_own_zero() -> None:
    zeros = stored(np.array([[1, 10], [3, 8]]).T, 2)
    plates = read(parameters(2, ZEROS=zeros), np.tile(stepped(), (1, 2)))
    tared = [note for plate in plates for note in plate.notes if "tared" in note]
    assert tared == [
        "tared with the mean of analog samples 1-40",
        "tared with the mean of analog samples 9-32",
    ]


@pytest.mark.parametrize("zero", [[1, 0], [0, 10], [0, 0], [5, 4], [1, 31]])
def test_any_other_zero_is_no_tare(zero: list[int]) -> None:
    (plate,) = read(parameters(ZERO=stored(zero, 2)), stepped())
    np.testing.assert_allclose(plate.channels[0, :3], DRIFT[:3])
    assert not any("tared" in note for note in plate.notes)
    (without,) = read(parameters(ZERO=stored(zero[:1], 2)), stepped())
    np.testing.assert_array_equal(without.channels, plate.channels)


def test_a_plate_that_somebody_stands_on_is_not_tared_with_the_weight() -> None:
    analog = np.zeros((FRAMES * PER_FRAME, 6))
    analog[:60] = STEP  # the person leaves the plate at frame 15
    (plate,) = read(parameters(ZERO=stored([1, 10], 2)), analog)
    up = clean_plate(wrench_of(plate)).wrench.force_G[:, 1]
    np.testing.assert_allclose(up[[5, 25]], [700, 0], atol=STORED)


def test_a_plate_that_names_a_channel_the_file_lacks_is_left_out_alone() -> None:
    channel = np.arange(1, 19).reshape(6, 3, order="F")
    for wrong in (19, 0, -1):
        channel[5, 1] = wrong
        three = read(parameters(3, CHANNEL=stored(channel, 2)), np.tile(stepped(), (1, 3)))
        assert [bool(p.problem) for p in three] == [False, True, False]
        assert "the file has 1 to 18" in three[1].problem
        assert [p.number for p in three] == [1, 2, 3]
        np.testing.assert_allclose(three[2].channels, three[0].channels)


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (np.zeros((3, 4)), "not a plate"),
        (np.full((3, 4), np.nan), "not known"),
        (np.full((3, 4), 1e24), "not known"),
        (1e3 * np.arange(12).reshape(3, 4), "not a plate"),
    ],
)
def test_a_plate_whose_corners_make_no_plate_is_left_out_alone(spoilt: Array, reason: str) -> None:
    good = corners(FLAT).T * 1000
    params = parameters(3, CORNERS=stored(np.stack((good, spoilt, good), axis=-1)))
    three = read(params, np.tile(stepped(), (1, 3)))
    assert [bool(p.problem) for p in three] == [False, True, False]
    assert reason in three[1].problem


@pytest.mark.parametrize("kind", [8, 11, 12, 21])
def test_a_plate_of_a_type_that_is_not_built_is_left_out_alone(kind: int) -> None:
    three = read(parameters(3, TYPE=stored([2, kind, 2], 2)), np.tile(stepped(), (1, 3)))
    assert [bool(p.problem) for p in three] == [False, True, False]
    assert str(kind) in three[1].problem


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["TYPE", "CHANNEL", "CORNERS", "ORIGIN"])
def test_a_parameter_that_is_not_finite_leaves_out_its_plate_alone(name: str, wrong: float) -> None:
    values = np.asarray(parameters(3).get("FORCE_PLATFORM", name), dtype=float).copy()
    values[..., 1] = wrong
    params = parameters(3, 1000.0, **{name: stored(values)})
    three = read(params, np.tile(stepped(), (1, 3)))
    assert [bool(p.problem) for p in three] == [False, True, False]


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_used_and_zero_that_are_not_finite_are_as_if_missing(wrong: float) -> None:
    params = parameters(2, USED=stored([wrong]), ZERO=stored([1.0, wrong]))
    plates = read(params, np.tile(stepped(), (1, 2)))
    assert not any(plate.problem for plate in plates)
    assert not any("tared" in note for plate in plates for note in plate.notes)


def test_values_that_are_no_forces_leave_out_their_plate_alone() -> None:
    for wrong in (np.nan, np.inf, 1e9):
        analog = np.tile(stepped(), (1, 3))
        analog[7, 8] = wrong
        three = read(parameters(3), analog)
        assert [bool(p.problem) for p in three] == [False, True, False]


def test_missing_parameters_leave_out_their_plate_with_a_reason() -> None:
    analog = stepped()
    for name in ("CORNERS", "ORIGIN", "CHANNEL"):
        group = dict(parameters().records["FORCE_PLATFORM"])
        del group[name]
        (plate,) = read(Parameters({"FORCE_PLATFORM": group}), analog)
        assert name in plate.problem
    group = parameters(2).records["FORCE_PLATFORM"]
    short = {**group, "ORIGIN": stored(SENSOR[:, None] * 1000)}
    first, second = read(Parameters({"FORCE_PLATFORM": short}), np.tile(analog, (1, 2)))
    assert first.problem == ""
    assert "no values for this plate" in second.problem


def test_no_plates_are_read_where_the_file_uses_none() -> None:
    assert read(parameters(USED=stored([0], 2)), stepped()) == ()
    assert read(Parameters({}), stepped()) == ()
    assert read(parameters(), np.zeros((0, 0))) == ()
    assert len(read(parameters(2, USED=stored([9999], 2)), np.tile(stepped(), (1, 2)))) == 2


# ---------------------------------------------------------------- baseline and polarity


def test_a_plate_that_records_the_force_on_itself_is_found_and_turned_round() -> None:
    at = CENTRE + FLAT @ [0.1, -0.05, 0.0]
    analog = np.zeros((FRAMES * PER_FRAME, 6))
    sample = push(FLAT, np.array([30.0, 10.0, 700.0]), at) * np.r_[np.ones(3), [1e3] * 3]
    analog[60:100] = sample
    (right,), (wrong,) = read(parameters(), analog), read(parameters(), -analog)
    as_felt, as_done = clean_plate(wrench_of(right)), clean_plate(wrench_of(wrong))
    assert not as_felt.inverted
    assert as_done.inverted
    np.testing.assert_allclose(as_done.wrench.force_G, as_felt.wrench.force_G, atol=1e-9)
    np.testing.assert_allclose(as_done.wrench.moment_G, as_felt.wrench.moment_G, atol=1e-9)
    assert as_done.wrench.force_G[:, 1].max() == pytest.approx(700.0)


def test_what_an_empty_plate_reads_is_taken_away() -> None:
    analog = stepped()
    (plate,) = read(parameters(), analog)
    clean = clean_plate(wrench_of(plate))
    # the mean of an odd number of equal samples: rounding
    np.testing.assert_allclose(clean.wrench.force_G[:14], 0, atol=1e-10)
    np.testing.assert_allclose(clean.wrench.moment_G[:14], 0, atol=1e-10)
    assert clean.baseline_N == pytest.approx(np.linalg.norm(DRIFT[:3]))
    expected = R_GL @ FLAT @ STEP[:3]
    np.testing.assert_allclose(clean.wrench.force_G[20], expected, atol=STORED)
    kept = clean_plate(wrench_of(plate), remove=False)
    assert kept.baseline_N == clean.baseline_N
    np.testing.assert_allclose(kept.wrench.force_G[0], R_GL @ FLAT @ DRIFT[:3], atol=STORED)


@pytest.mark.parametrize("pose", POSES)
def test_what_an_empty_plate_reads_is_the_same_however_it_lies(pose: str) -> None:
    """Readings in steps of a converter: their medians by other axes would be others."""
    steps = np.random.default_rng(5).integers(-2, 3, (FRAMES * PER_FRAME, 6)).astype(float)
    analog = steps * [2.0, 3.0, 5.0, 400.0, 700.0, 300.0]
    analog[60:100] += STEP
    flat, lying = (without_baseline(R, analog) @ (R_GL @ R) for R in (FLAT, POSES[pose]))
    np.testing.assert_allclose(lying, flat, atol=STORED)


def without_baseline(R: Array, analog: Array) -> Array:
    """Return forces and moments of a plate less one level, and less a level that drifts."""
    unloaded = np.zeros(FRAMES, bool)
    unloaded[:12] = True
    (plate,) = read(parameters(CORNERS=stored(corners(R).T[..., None] * 1000.0)), analog)
    drifted, _ = without_drift(wrench_of(plate), sampled_wrench(plate, R_GL), unloaded)
    level = clean_plate(wrench_of(plate)).wrench
    return np.stack((level.force_G, level.moment_G, drifted.force_G, drifted.moment_G))


def test_a_person_who_stands_all_the_time_is_no_baseline() -> None:
    (plate,) = read(parameters(), np.tile(STEP, (FRAMES * PER_FRAME, 1)))
    clean = clean_plate(wrench_of(plate))
    assert clean.baseline_N == 0
    assert clean.wrench.force_G[:, 1].min() == pytest.approx(700.0)


# ---------------------------------------------------------------- samples to frames


@pytest.mark.parametrize(("rate", "half"), [(10, 5), (9, 4), (5, 2), (4, 2), (2, 1), (20, 10)])
def test_a_frame_is_the_mean_of_the_samples_half_a_frame_around_it(rate: int, half: int) -> None:
    samples = np.random.default_rng(rate).normal(size=(12 * rate, 3))
    found = frame_average(samples, 12, parabola=False)
    for k in range(12):
        window = samples[max(0, k * rate - half) : k * rate + half + 1]
        np.testing.assert_allclose(found[k], window.mean(axis=0), atol=1e-14)  # one sum


@pytest.mark.parametrize("rate", [2, 4, 5, 9, 10, 20])
def test_the_parabola_leaves_slow_curves_as_they_are(rate: int) -> None:
    t = np.arange(12 * rate) / rate
    y = np.stack((1.0 + 0 * t, 3 - 2 * t, 0.5 * t**2 - t), axis=1)
    found = frame_average(y, 12, parabola=True)
    np.testing.assert_allclose(found[1:], y[::rate][1:], atol=1e-12)  # rounding of 60
    # the recording starts in mid-window: a line, which leaves straight curves as they are
    np.testing.assert_allclose(found[0, :2], y[0, :2], atol=1e-12)
    mean = frame_average(y, 12, parabola=False)
    np.testing.assert_allclose(mean[1:, :2], y[::rate][1:, :2], atol=1e-12)
    assert np.abs(mean[1:, 2] - y[::rate][1:, 2]).max() > 1e-2  # a plain mean does not


@pytest.mark.parametrize("rate", [5, 10, 20])
def test_the_parabola_averages_noise(rate: int) -> None:
    noise = np.random.default_rng(0).normal(size=(4000 * rate, 1))
    found = frame_average(noise, 4000, parabola=True)
    # a local parabola over w samples keeps 9/4 of the variance of their mean
    w = 2 * (rate // 2) + 1
    assert found.std() == pytest.approx(1.5 / np.sqrt(w), rel=0.08)


def test_one_sample_a_frame_is_taken_as_it_is() -> None:
    samples = np.random.default_rng(0).normal(size=(20, 6))
    for parabola in (False, True):
        found = frame_average(samples, 20, parabola=parabola)
        np.testing.assert_array_equal(found, samples)
        assert not np.shares_memory(found, samples)


@pytest.mark.parametrize(
    ("metres", "moments"), [(1.0, "Nmm"), (1.0, "Nm"), (0.001, "Nmm"), (0.001, "Nm")]
)
def test_the_unit_of_moments_is_that_which_puts_the_force_on_the_plate(
    metres: float, moments: str
) -> None:
    from gaitdyn.io.plates.components import _newton_metres

    corners = np.array([[0.25, 0.2, 0], [-0.25, 0.2, 0], [-0.25, -0.2, 0], [0.25, -0.2, 0]])
    force = np.full(40, -700.0)
    along, across = np.linspace(-0.15, 0.15, 40), np.full(40, 0.05)
    channels = np.zeros((40, 6))
    channels[:, 2] = force
    channels[:, 3], channels[:, 4] = across * force, -along * force
    stored = channels * ([1, 1, 1, 1000, 1000, 1000] if moments == "Nmm" else [1] * 6)
    read, _ = _newton_metres(stored, corners, metres)
    np.testing.assert_allclose(read, channels, atol=1e-9)
