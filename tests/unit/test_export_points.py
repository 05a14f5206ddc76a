"""Points added to C3D files: the original's bytes stay, the added values come back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitdyn.errors import FileRefused, OutputRefused
from gaitdyn.io.c3d.added_points import AddedPoint
from gaitdyn.io.c3d.out import read_head, with_added_points
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.io.c3d.reread import compare_with_added
from gaitdyn.io.c3d.rotations import read_rotations
from gaitdyn.store.single_file import put_in_place
from tests.unit.c3d_bytes import FLOAT, INTEGER, c3d, text

RNG = np.random.default_rng(7)
POINTS = RNG.normal(0, 500, (6, 3, 3))
ANALOG = np.round(RNG.normal(0, 900, (12, 3)))


def added(n: int = 6, count: int = 2) -> list[AddedPoint]:
    groups = ("ANGLES", "MOMENTS", "FORCES", "POWERS", "")
    points = []
    for i in range(count):
        values = np.random.default_rng(i).normal(0, 100, (n, 3))
        values[:2] = np.nan
        points.append(AddedPoint(f"New{i}", groups[i % 5], values, f"about {i}"))
    return points


def extended(tmp_path: Path, content: bytes, points: list[AddedPoint]) -> tuple[Path, Path]:
    original, new = tmp_path / "walk.c3d", tmp_path / "more.c3d"
    original.write_bytes(content)
    head = read_head(original)
    new.write_bytes(with_added_points(head, points, "1.2.3"))
    compare_with_added(head, original, new, points)
    return original, new


@pytest.mark.parametrize("processor", ["intel", "dec"])
def test_the_samples_of_a_float_file_keep_their_bytes(tmp_path, processor):
    original, new = extended(tmp_path, c3d(POINTS, ANALOG, processor=processor), added())
    before, after = read_head(original), read_head(new)
    assert np.array_equal(before.frames()[:, :48], after.frames()[:, :48])
    assert np.array_equal(before.frames()[:, 48:], after.frames()[:, 80:])
    raw = read_c3d(new)
    wanted = np.float32(added()[1].values)
    np.testing.assert_array_equal(np.float32(raw.points[:, 4]), wanted)
    assert raw.residuals[:, 4].tolist() == [-1, -1, 0, 0, 0, 0]


@pytest.mark.parametrize("processor", ["intel", "dec"])
def test_zeros_with_a_sign_and_tiny_numbers_are_zero(tmp_path, processor):
    values = np.tile([-0.0, 1e-42, 3.0], (6, 1))
    points = [AddedPoint("LKneePower", "POWERS", values, "")]
    _, new = extended(tmp_path, c3d(POINTS, ANALOG, processor=processor), points)
    assert read_c3d(new).points[0, 3].tolist() == [0, 0, 3]


def test_a_missing_value_is_zeros_with_residual_minus_one(tmp_path):
    _, new = extended(tmp_path, c3d(POINTS, ANALOG), added())
    words = np.ascontiguousarray(read_head(new).frames()).view("<f4")
    assert words[0, 12:16].tolist() == [0, 0, 0, -1]


@pytest.mark.parametrize("processor", ["intel", "dec"])
def test_a_file_of_integers_becomes_floats_of_the_same_numbers(tmp_path, processor):
    content = c3d(np.round(POINTS), ANALOG, scale=0.25, processor=processor)
    original, new = extended(tmp_path, content, added())
    before, after = read_c3d(original), read_c3d(new)
    assert after.header.scale == after.parameters.number("POINT", "SCALE") == -0.25
    np.testing.assert_array_equal(before.points, after.points[:, :3])
    np.testing.assert_array_equal(before.analog, after.analog)


def test_unsigned_integers_stay_unsigned(tmp_path):
    analog = np.full((12, 3), 40000.0)
    change = {("ANALOG", "FORMAT"): text("UNSIGNED")}
    original, new = extended(tmp_path, c3d(POINTS, analog, scale=0.25, change=change), added())
    assert read_c3d(new).analog[0, 0] == read_c3d(original).analog[0, 0] == 40000.0


@pytest.mark.parametrize("stated", [None, "unsigned"])
def test_integers_are_unsigned_by_the_rule_of_the_reader(tmp_path, stated):
    analog = RNG.integers(30000, 40000, (12, 3))
    change = {("ANALOG", "OFFSET"): (INTEGER, (3,), [32768] * 3)}
    change |= {("ANALOG", "FORMAT"): text(stated)} if stated else {}
    original, new = extended(tmp_path, c3d(POINTS, analog, scale=0.25, change=change), added())
    np.testing.assert_array_equal(read_c3d(new).analog, analog - 32768.0)
    np.testing.assert_array_equal(read_c3d(original).analog, read_c3d(new).analog)


@pytest.mark.parametrize("empty", [0, 512])
@pytest.mark.parametrize("scale", [-0.1, 0.25])
def test_segment_poses_without_a_start_are_kept(tmp_path, empty, scale):
    poses = RNG.normal(size=(6, 2, 17)).astype("<f4")
    poses[..., 3:16:4] = 0.0, 0.0, 0.0, 1.0
    content = c3d(POINTS, ANALOG, scale=scale, change={("ROTATION", "USED"): (INTEGER, (), 2)})
    original, new = extended(tmp_path, content + b"\0" * empty + poses.tobytes(), added())
    before, after = read_rotations(original), read_rotations(new)
    assert before is not None
    assert after is not None
    np.testing.assert_array_equal(
        before.matrices, np.swapaxes(poses[..., :16].reshape(6, 2, 4, 4), 2, 3)
    )
    np.testing.assert_array_equal(before.matrices, after.matrices)


def test_groups_that_nobody_knows_survive_byte_for_byte(tmp_path):
    odd = (FLOAT, (2, 3), np.arange(6.0), "what it is for")
    change = {("MAKER", "SECRET"): odd, ("POINT", "X_SCREEN"): text("+X", width=2)}
    original, new = extended(tmp_path, c3d(POINTS, ANALOG, change=change), added())
    at = original.read_bytes().index(b"SECRET")
    length = 6 + 2 + 4 + 24 + 1 + 14
    assert original.read_bytes()[at : at + length] in new.read_bytes()


def test_labels_groups_and_units_are_listed_as_the_vendor_does(tmp_path):
    _, new = extended(tmp_path, c3d(POINTS, ANALOG), added(count=5))
    params = read_c3d(new).parameters
    assert params.strings("POINT", "LABELS") == ["P0", "P1", "P2", *(f"New{i}" for i in range(5))]
    assert params.strings("POINT", "DESCRIPTIONS")[3:5] == ["about 0", "about 1"]
    assert params.strings("POINT", "ANGLES") == ["New0"]
    assert params.strings("POINT", "MOMENT_UNITS") == ["Nmm"]
    pairs = ["ANGLES", "ANGLE", "FORCES", "FORCE", "MOMENTS", "MOMENT", "POWERS", "POWER"]
    assert params.strings("POINT", "TYPE_GROUPS") == pairs
    assert params.strings("GAITDYN", "VERSION") == ["1.2.3"]
    assert params.number("POINT", "DATA_START") == read_head(new).header.data_block


def test_a_unit_that_the_original_leaves_empty_is_stated(tmp_path):
    change = {("POINT", "ANGLE_UNITS"): text("", width=4)}
    _, new = extended(tmp_path, c3d(POINTS, ANALOG, change=change), added())
    assert read_c3d(new).parameters.strings("POINT", "ANGLE_UNITS") == ["deg"]


def test_points_are_added_behind_those_that_only_the_header_counts_right(tmp_path):
    change = {("POINT", "USED"): (INTEGER, (), 9)}
    original, new = extended(tmp_path, c3d(POINTS, ANALOG, change=change), added())
    before, after = read_c3d(original), read_c3d(new)
    np.testing.assert_array_equal(before.points, after.points[:, :3])
    assert after.parameters.count("POINT", "USED") == after.header.point_count == 5


def test_groups_of_the_original_are_continued(tmp_path):
    change = {("POINT", "ANGLES"): text("P0", ""), ("POINT", "ANGLE_UNITS"): text("deg", width=3)}
    _, new = extended(tmp_path, c3d(POINTS, ANALOG, change=change), added())
    assert read_c3d(new).parameters.strings("POINT", "ANGLES") == ["P0", "New0"]


@pytest.mark.parametrize("names", [("A",), ("A", "B", "C", "D", "E")])
def test_labels_stand_at_their_points_when_the_list_is_short_or_long(tmp_path, names):
    change = {("POINT", "LABELS"): text(*names)}
    _, new = extended(tmp_path, c3d(POINTS, ANALOG, change=change), added())
    labels = read_c3d(new).parameters.strings("POINT", "LABELS")
    assert labels[3:] == ["New0", "New1"]
    assert labels[0] == "A"


def test_more_than_255_points_go_on_in_labels2(tmp_path):
    points = RNG.normal(0, 500, (6, 300, 3))
    change = {
        ("POINT", "LABELS"): text(*(f"P{i}" for i in range(255))),
        ("POINT", "LABELS2"): text(*(f"P{i}" for i in range(255, 300))),
    }
    _, new = extended(tmp_path, c3d(points, ANALOG, change=change), added())
    params = read_c3d(new).parameters
    assert params.strings("POINT", "LABELS") == [*(f"P{i}" for i in range(300)), "New0", "New1"]
    assert len(params.get("POINT", "LABELS")) == 255


def test_a_parameter_that_only_the_last_place_can_hold_is_refused(tmp_path):
    """Only the last record of a file needs no link, which has 16 bits."""
    whole = c3d(POINTS, ANALOG, change={("MAKER", "LAST"): (FLOAT, (1,), 1.0)})
    path = tmp_path / "walk.c3d"
    path.write_bytes(whole)
    head = read_head(path)
    name = whole.index(b"LAST")
    record = b"LAST\0\0\xff\x03\xc8\xc8\x02" + b"x" * 80000 + b"\0"
    section = (whole[512:name] + record).ljust(160 * 512, b"\0")
    content = bytearray(whole[:512] + section + whole[head.values :])
    content[16:18] = (162).to_bytes(2, "little")
    path.write_bytes(content)
    assert read_c3d(path).parameters.strings("MAKER", "LAST") == ["x" * 200] * 400
    with pytest.raises(FileRefused, match="bytes, behind which none has a place"):
        with_added_points(read_head(path), added(), "1.2.3")


def test_a_file_with_all_groups_that_there_can_be_is_refused(tmp_path):
    change = {(f"G{i}", "X"): (FLOAT, (1,), 1.0) for i in range(125)}
    path = tmp_path / "walk.c3d"
    path.write_bytes(c3d(POINTS, ANALOG, change=change))
    with pytest.raises(OutputRefused, match="127 groups"):
        with_added_points(read_head(path), added(), "1.2.3")


def test_parameters_that_do_not_fit_are_refused(tmp_path):
    wide = (-1, (255, 255), b" " * 255 * 255)
    change = {("MAKER", "A"): wide, ("MAKER", "B"): (-1, (255, 240), b" " * 255 * 240)}
    path = tmp_path / "walk.c3d"
    path.write_bytes(c3d(POINTS, ANALOG, change=change))
    points = [AddedPoint(f"N{i}", "ANGLES", np.zeros((6, 3)), "x" * 127) for i in range(60)]
    with pytest.raises(FileRefused, match="blocks; wanted 255"):
        with_added_points(read_head(path), points, "1")


def spoiled(content: bytes, where: str) -> bytes:
    """Change one byte of a sample or of a parameter."""
    data = 512 * int.from_bytes(content[16:18], "little") - 512
    changed = bytearray(content)
    changed[data + 1 if where == "sample" else content.index(b"X_SCREEN") + 14] ^= 0x01
    return bytes(changed)


@pytest.mark.parametrize(
    ("where", "scale"), [("sample", -0.1), ("parameter", -0.1), ("parameter", 0.1)]
)
def test_a_file_that_does_not_read_back_is_not_put_in_place(tmp_path, where, scale):
    original, target = tmp_path / "walk.c3d", tmp_path / "out" / "walk.c3d"
    change = {("POINT", "X_SCREEN"): text("+X", width=2)}
    original.write_bytes(c3d(POINTS, ANALOG, scale=scale, change=change))
    head, points = read_head(original), added()
    content = spoiled(with_added_points(head, points, "1"), where)
    with pytest.raises(OutputRefused, match="does not give back"):
        put_in_place(target, content, lambda p: compare_with_added(head, original, p, points))
    assert not any(target.parent.iterdir())


def test_an_added_value_that_differs_is_noticed(tmp_path):
    original, new = extended(tmp_path, c3d(POINTS, ANALOG), added())
    other = added()
    other[1].values[4, 1] += 0.001
    with pytest.raises(OutputRefused, match="New1"):
        compare_with_added(read_head(original), original, new, other)


def test_a_locked_parameter_stays_locked(tmp_path):
    content = bytearray(c3d(POINTS, ANALOG, change={("MAKER", "KEY"): (INTEGER, (), 5)}))
    at = content.index(b"KEY") - 2
    content[at] = 256 - 3
    _, new = extended(tmp_path, bytes(content), added())
    assert new.read_bytes()[new.read_bytes().index(b"KEY") - 2] == 256 - 3
