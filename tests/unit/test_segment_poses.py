"""Segment poses: labels, axes, units, gaps, what a chain fixes, and loads as of the walker."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import gaitdyn
from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.nearest import nearest_rotations
from gaitdyn.core.rigid import rigid_motion
from gaitdyn.core.rotations import about, rotate
from gaitdyn.errors import FileRefused, GaitdynError, MarkersUnfit, ModelNotFound, UsageError
from gaitdyn.io.c3d.added_points import AddedPoint
from gaitdyn.io.c3d.out import read_head, with_added_points
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.c3d.rotations import read_rotations
from gaitdyn.io.recording import read_recording
from gaitdyn.kinematics.poses import smooth_poses
from gaitdyn.stages.poses import lengths_of_legs
from gaitdyn.stages.session import refuse_standing
from gaitdyn.synthetic.body import foot_points
from gaitdyn.synthetic.c3d_file import StoredPoses
from gaitdyn.synthetic.kinematics import Walker
from gaitdyn.synthetic.pose_file import MAKERS_AXES, stored_poses, write_pose_trial
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.session import write_trial
from gaitdyn.synthetic.walk import Walk, walk
from gaitdyn.types.motion import LegPose, Pose
from gaitdyn.types.subject import Subject
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.placing import place_again
from tests.own_table import write_own_table

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

Array = np.ndarray[Any, np.dtype[Any]]


@pytest.fixture(scope="module")
def walked() -> Walk:
    return walk(Walker(), Recording(rate_hz=200.0, strides=2.0))


@pytest.fixture(scope="module")
def slow() -> Walk:
    return walk(Walker(), Recording(rate_hz=100.0, strides=2.0))


@pytest.fixture
def written(slow: Walk, tmp_path: Path) -> Any:
    """Return a writer of poses; what it is given replaces those of the walk."""

    def write(poses: StoredPoses | None = None) -> Path:
        path = tmp_path / "poses.c3d"
        write_pose_trial(path, slow, poses)
        return path

    return write


def changed(trial: Walk, label: str, turn: Array) -> StoredPoses:
    """Return the poses of a walk with the axes of one segment turned, or mirrored."""
    poses = stored_poses(trial)
    matrices = poses.matrices.copy()
    i = poses.labels.index(label)
    matrices[:, i, :3, :3] = matrices[:, i, :3, :3] @ turn
    return replace(poses, matrices=matrices)


def with_gap(trial: Walk, rows: slice, labels: tuple[str, ...]) -> StoredPoses:
    poses = stored_poses(trial)
    matrices = poses.matrices.copy()
    for label in labels:
        matrices[rows, poses.labels.index(label), :3] = np.nan
    return replace(poses, matrices=matrices)


def codes(result: Result) -> set[str]:
    return {finding.code for finding in result.findings}


@pytest.mark.parametrize("ratio", [1, 2])
def test_loads_are_those_of_the_walker(walked: Walk, ratio: int, tmp_path: Path) -> None:
    """Poses at the rate of the points and at twice the rate, one interleaving and the other."""
    path, table = tmp_path / "poses.c3d", tmp_path / "own.csv"
    poses = stored_poses(walked, ratio)
    coarse = walked
    if ratio > 1:  # points and their frames at half the rate, plates as they are
        half = replace(walked.recording, rate_hz=100.0)
        coarse = walk(walked.walker, half)
        poses = replace(poses, matrices=poses.matrices[: ratio * len(coarse.frame)])
        more = ratio * len(coarse.frame) - len(poses.matrices)
        ends = np.repeat(poses.matrices[-1:], more, axis=0)
        poses = replace(poses, matrices=np.concatenate((poses.matrices, ends)))
    write_pose_trial(path, coarse, poses)
    dempster = gaitdyn.process_trial(path, cutoff_hz=None)
    motion = walked.right.motion
    parts = {
        name: (
            motion.mass[i],
            motion.R_GS[0, i].T @ (motion.r_cm_G[0, i] - motion.r_prox_G[0, i]),
            motion.inertia_S[i],
        )
        for i, name in enumerate(("foot", "shank", "thigh"))
    }
    lengths = dempster.calibration.lengths_m["right"]
    write_own_table(table, parts, lengths, walked.walker.body.mass_kg)
    result = gaitdyn.process_trial(path, cutoff_hz=None, anthropometry=str(table))
    assert result.recording.rate_hz == walked.recording.rate_hz
    first = coarse.recording.first_frame
    assert result.recording.start_s == pytest.approx((first - 1) / coarse.recording.rate_hz)
    truth, kinetics = walked.right, result.sides["right"].kinetics
    assert kinetics is not None
    n = len(walked.frame)
    for i, most in enumerate((0.005, 0.03, 0.1)):
        known = kinetics.published[:n, i] & truth.known
        known &= ~near_edges(truth.ground.force_G[:, 1], 6)
        known[-20:] = False
        off = (kinetics.loads.moment_S[:n, i] - truth.joints.moment_S[:, i])[known]
        assert known.sum() > 100
        assert np.abs(off).max() < most


def test_poses_between_the_analog_samples_are_not_used(tmp_path: Path) -> None:
    trial = walk(Walker(), Recording(analog_ratio=5))
    poses = stored_poses(trial, 2)
    double = replace(poses, matrices=np.repeat(poses.matrices, 2, axis=0))
    write_pose_trial(tmp_path / "once.c3d", trial)
    write_pose_trial(tmp_path / "twice.c3d", trial, double)
    once, twice = (read_recording(tmp_path / f"{name}.c3d") for name in ("once", "twice"))
    assert twice.notes[-1].startswith("one pose in 2 is used")
    assert twice.rate_hz == once.rate_hz
    np.testing.assert_array_equal(twice.markers_L, once.markers_L)


def near_edges(up: Array, reach: int) -> Array:
    """Return the frames near those in which the load of a foot begins or ends."""
    edges = np.flatnonzero(np.diff((up > 0).astype(int)))
    near = np.zeros(len(up), bool)
    for edge in edges:
        near[max(0, edge - reach) : edge + reach + 2] = True
    return near


def test_axes_centres_and_heel_are_those_of_the_walker(written: Any, slow: Walk) -> None:
    result = gaitdyn.process_trial(written(), cutoff_hz=None)
    for side in ("left", "right"):
        truth, pose = slow.leg(side).motion, result.pose.leg(side)
        np.testing.assert_allclose(pose.R_GS, truth.R_GS, atol=1e-6)
        np.testing.assert_allclose(pose.r_prox_G, truth.r_prox_G, atol=1e-6)
        heel = slow.markers_G[:, slow.labels.index(f"{side[0].upper()}HEE")]
        np.testing.assert_allclose(result.feet[side][0], heel, atol=1e-6)


def test_poses_have_no_markers_to_place_again(written: Any) -> None:
    result = gaitdyn.process_trial(written())
    with pytest.raises(UsageError, match="found segment poses, not markers: nothing can be placed"):
        place_again(stages_of(result), result)


def test_a_bent_knee_is_flexed_and_its_other_angles_keep_their_words(
    written: Any, slow: Walk
) -> None:
    """The maker's x is to the right: a shank turned about it by -30 degrees goes backwards."""
    before = gaitdyn.process_trial(written(), cutoff_hz=None)
    after = gaitdyn.process_trial(
        written(changed(slow, "l_shank_4X4", about("x", np.radians(-30.0)))), cutoff_hz=None
    )
    bent = after.sides["left"].angles["knee"] - before.sides["left"].angles["knee"]
    np.testing.assert_allclose(bent[:, 0], 30.0, atol=5.0)
    toed = gaitdyn.process_trial(
        written(changed(slow, "l_foot_4X4", about("z", np.radians(-10.0)))), cutoff_hz=None
    )
    turned = toed.sides["left"].angles["foot"] - before.sides["left"].angles["foot"]
    np.testing.assert_allclose(turned[20:40, 2], 10.0, atol=2.0)


def test_a_filter_of_entries_is_that_of_points_of_the_segment() -> None:
    """Of any points whose mean is the origin: the fit of filtered points is the filtered pose."""
    rng = np.random.default_rng(3)
    t = np.arange(200) / 100.0
    R = about("z", np.sin(9 * t)) @ about("x", 0.4 * np.cos(7 * t))
    origin = np.stack((t, np.sin(5 * t), t**2), axis=1) + rng.normal(size=(200, 3)) * 1e-3
    R = R @ about("y", 0.02 * rng.normal(size=200))
    how = Filter(100.0, 8.0)
    shape = 0.1 * np.concatenate((np.eye(3), -np.eye(3)))
    points = origin[:, None] + np.einsum("nij,mj->nmi", R, shape)
    turn, at, _ = rigid_motion(shape, smooth(points, how)[0])
    ours, place, _ = smooth_poses(R[:, None], origin[:, None], how)
    np.testing.assert_allclose(ours[:, 0], turn, atol=1e-10)
    np.testing.assert_allclose(place[:, 0], at, atol=1e-12)


def test_the_nearest_rotation_is_a_rotation_and_leaves_one_as_it_is() -> None:
    rng = np.random.default_rng(4)
    M = rng.normal(size=(50, 3, 3))
    R = nearest_rotations(M)
    np.testing.assert_allclose(np.swapaxes(R, 1, 2) @ R, np.eye(3)[None].repeat(50, 0), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(R), 1.0)
    np.testing.assert_allclose(nearest_rotations(R), R, atol=1e-12)
    worse = ((M - R @ about("y", 0.1)) ** 2).sum(axis=(1, 2))
    assert (((M - R) ** 2).sum(axis=(1, 2)) < worse).all()
    assert np.isnan(nearest_rotations(np.full((2, 3, 3), np.nan))).all()


def test_edges_stay_empty_short_gaps_are_filled_long_ones_not(written: Any, slow: Walk) -> None:
    poses = with_gap(slow, slice(0, 12), ("l_foot_4X4",))
    poses.matrices[60:66, poses.labels.index("r_shank_4X4"), :3] = np.nan
    poses.matrices[90:130, poses.labels.index("r_foot_4X4"), :3] = np.nan
    result = gaitdyn.process_trial(written(poses))
    known = np.isfinite(result.pose.left.R_GS[..., 0, 0])
    assert not known[:12, 0].any()
    assert known[12:, 0].all()
    assert known[:, 1:].all()
    right = np.isfinite(result.pose.right.R_GS[..., 0, 0])
    assert right[:, 1].all()
    np.testing.assert_array_equal(np.flatnonzero(~right[:, 0]), np.arange(90, 130))
    assert not np.isfinite(result.sides["left"].angles["ankle"][:12]).any()
    assert np.isfinite(result.sides["left"].angles["knee"][:12]).any()
    assert {"gap-open", "gap-filled"} <= codes(result)


def test_a_rotation_that_never_changes_was_not_measured(written: Any, slow: Walk) -> None:
    assert "angle-not-measured" not in codes(gaitdyn.process_trial(written()))
    poses = stored_poses(slow)
    matrices = poses.matrices.copy()
    thigh, shank = (poses.labels.index(f"l_{name}_4X4") for name in ("thigh", "shank"))
    bent = about("x", -0.5 + 0.4 * np.sin(np.arange(len(matrices)) / 20.0))
    matrices[:, shank, :3, :3] = matrices[:, thigh, :3, :3] @ bent
    found = gaitdyn.process_trial(written(replace(poses, matrices=matrices)))
    assert found.pose.left.fixed == (("knee", 1), ("knee", 2))
    assert found.pose.right.fixed == ()
    knee = found.sides["left"].angles["knee"]
    assert np.isfinite(knee[:, 0]).all()
    assert np.isnan(knee[:, 1:]).all()
    (told,) = [f for f in found.findings if f.code == "angle-not-measured"]
    assert "left knee adduction, knee internal rotation" in told.message
    frame = found.to_frame()
    assert frame["left_knee_angle_internal_rotation"].isna().all()
    assert not frame["right_knee_angle_internal_rotation"].isna().all()
    columns = found.cycles()
    assert columns.loc[columns["side"] == "left", "knee_angle_adduction"].isna().all()


def test_an_angle_that_no_frame_shows_is_not_said_to_be_fixed(written: Any, slow: Walk) -> None:
    poses, half = stored_poses(slow), len(slow.frame) // 2
    matrices = poses.matrices.copy()
    matrices[:half, poses.labels.index("l_foot_4X4"), :3] = np.nan
    matrices[half:, poses.labels.index("l_shank_4X4"), :3] = np.nan
    found = gaitdyn.process_trial(written(replace(poses, matrices=matrices)))
    assert np.isnan(found.sides["left"].angles["ankle"]).all()
    assert "angle-not-measured" not in codes(found)


@pytest.mark.parametrize(
    ("label", "turn", "message"),
    [
        ("l_shank_4X4", np.diag([1.0, 1.0, -1.0]), "l_shank_4X4 as a mirror"),
        ("r_thigh_4X4", 1.01 * np.eye(3), "axes of r_thigh_4X4 that are off square"),
        ("pelvis_4X4", about("z", np.pi), "wanted to the left: sides are exchanged"),
        ("r_shank_4X4", about("x", np.pi), "wanted below: sides are exchanged or the axes"),
    ],
)
def test_matrices_that_are_no_pose_of_a_body_are_refused(
    written: Any, slow: Walk, label: str, turn: Array, message: str
) -> None:
    with pytest.raises(FileRefused, match=message) as error:
        gaitdyn.process_trial(written(changed(slow, label, turn)))
    assert "\n" not in str(error.value)


def test_a_file_without_a_leg_is_refused(written: Any, slow: Walk) -> None:
    poses = stored_poses(slow)
    keep = [i for i, label in enumerate(poses.labels) if "thigh" not in label]
    labels = tuple(poses.labels[i] for i in keep)
    with pytest.raises(ModelNotFound, match="wanted pelvis, thigh, shank and foot of a leg"):
        gaitdyn.process_trial(
            written(replace(poses, labels=labels, matrices=poses.matrices[:, keep]))
        )


def test_one_leg_is_enough(written: Any, slow: Walk) -> None:
    poses = stored_poses(slow)
    keep = [i for i, label in enumerate(poses.labels) if not label.startswith("r_")]
    labels = tuple(poses.labels[i] for i in keep)
    found = gaitdyn.process_trial(
        written(replace(poses, labels=labels, matrices=poses.matrices[:, keep]))
    )
    assert set(found.sides) == {"left"}
    assert "leg-missing" in codes(found)


def test_a_leg_with_a_segment_that_no_frame_shows_lacks_that_segment(
    written: Any, slow: Walk
) -> None:
    whole = slice(0, len(slow.frame))
    found = gaitdyn.process_trial(written(with_gap(slow, whole, ("l_foot_4X4",))))
    (told,) = [f for f in found.findings if f.code == "leg-missing"]
    assert told.message.endswith("not seen: left foot")


@pytest.mark.parametrize("lost", ["", "l_thigh_4X4", "r_shank_4X4"])
def test_origins_in_another_unit_than_is_said_are_found_by_a_thigh(
    written: Any, slow: Walk, lost: str
) -> None:
    poses = with_gap(slow, slice(None), (lost,) if lost else ())
    matrices = poses.matrices.copy()
    matrices[..., :3, 3] /= 1000.0
    recording = read_recording(written(replace(poses, matrices=matrices)))
    assert any("units of the poses are 'm'" in note for note in recording.notes)
    side = "right" if lost.startswith("l") else "left"
    hip, knee = (recording.marker(f"{side[0].upper()}{joint}") for joint in ("HJC", "KJC"))
    thigh = slow.walker.body.side(side).thigh_m
    np.testing.assert_allclose(np.linalg.norm(hip - knee, axis=1), thigh, atol=1e-6)


def told_reliability(path: Path, value: float) -> None:
    """Write the seventeenth number of each pose, which the walker leaves 0."""
    header, params = read_parameters(path)
    start = 512 * ((params.count("ROTATION", "DATA_START") or 0) - 1)
    count = header.frame_count * (params.count("ROTATION", "USED") or 0)
    data = bytearray(path.read_bytes())
    poses = np.frombuffer(data, "<f4", 17 * count, start).reshape(count, 17)
    poses[:, 16] = value
    path.write_bytes(data)


@pytest.mark.parametrize(("value", "known"), [(-1.0, False), (0.0, True), (0.8, True)])
def test_a_negative_reliability_is_a_pose_that_is_not_known(
    written: Any, value: float, known: bool
) -> None:
    path = written()
    told_reliability(path, value)
    if not known:
        with pytest.raises(GaitdynError):
            gaitdyn.process_trial(path)
        return
    found = gaitdyn.process_trial(path)
    assert found.recording.poses is not None
    np.testing.assert_allclose(found.recording.poses.reliability, value, atol=1e-6)
    assert ("pose-reliability" in codes(found)) == (value > 0)


def test_bones_that_change_their_length_are_told(written: Any, slow: Walk) -> None:
    poses = stored_poses(slow)
    matrices = poses.matrices.copy()
    i = poses.labels.index("l_shank_4X4")
    matrices[:, i, 2, 3] += np.linspace(0.0, 20.0, len(matrices))
    found = gaitdyn.process_trial(written(replace(poses, matrices=matrices)))
    assert any(f.code == "pose-length" and f.scope == "left thigh" for f in found.findings)


def turned(M: Array, R: Array) -> Array:
    """Return poses with their axes turned about their own axes."""
    new = M.copy()
    new[:, :3, :3] = M[:, :3, :3] @ R
    return new


@pytest.mark.parametrize(
    ("label", "change", "told"),
    [
        ("l_foot_4X4", lambda M, other: np.concatenate((other[:, :, :3], M[:, :, 3:]), axis=2),
         {("pose-slides", "left foot")}),  # the axes of the right foot
        ("l_foot_4X4", lambda M, _: turned(M, np.eye(3)), set()),
        ("pelvis_4X4", lambda M, _: turned(M, about("x", np.linspace(0.0, 0.3, len(M)))), set()),
        ("pelvis_4X4", lambda M, _: turned(M, about("z", np.linspace(0.0, 0.6, len(M)))),
         {("pose-slides", "pelvis")}),
        ("r_thigh_4X4", lambda M, _: turned(M, about("x", np.full(len(M), 0.26))),
         {("pose-askew", "right thigh")}),  # by 15 deg
        ("r_thigh_4X4", lambda M, _: turned(M, about("x", np.full(len(M), 0.1))), set()),
        ("l_shank_4X4", lambda M, _: turned(M, about("z", np.full(len(M), 0.5))), set()),
    ],
)  # fmt: skip
def test_axes_that_are_not_those_of_the_bone_are_told(
    written: Any, slow: Walk, label: str, change: Any, told: set[tuple[str, str]]
) -> None:
    """A turn about the line to the next joint shows nothing."""
    poses = stored_poses(slow)
    matrices, i = poses.matrices.copy(), poses.labels.index(label)
    matrices[:, i] = change(matrices[:, i], matrices[:, poses.labels.index("r_foot_4X4")])
    found = gaitdyn.process_trial(written(replace(poses, matrices=matrices)))
    said = {(f.code, f.scope) for f in found.findings if f.code in ("pose-slides", "pose-askew")}
    assert said == told


def test_poses_of_noise_that_leave_no_path_are_refused_in_one_line() -> None:
    """Of eight origins, all noise, two are left, which are neither of a pelvis nor of a foot."""
    trial: Any = SimpleNamespace(
        labels=("RHJC", "RAJC"),
        markers_G=np.zeros((30, 2, 3)),
        recording=SimpleNamespace(name="poses.c3d"),
    )
    with pytest.raises(FileRefused, match="no sample of pelvis and feet is left") as refusal:
        refuse_standing(trial)
    assert "\n" not in str(refusal.value)


def test_markers_go_before_poses_unless_these_are_asked_for(slow: Walk, tmp_path: Path) -> None:
    path = tmp_path / "both.c3d"
    write_trial(path, slow, poses=stored_poses(slow))
    assert gaitdyn.process_trial(path).engine == "chord"
    posed = gaitdyn.process_trial(path, model="theia")
    assert (posed.engine, posed.model) == ("poses", "theia")
    assert posed.static is None


def test_poses_that_a_file_does_not_have_are_missed_in_plain_words(synthetic: Path) -> None:
    with pytest.raises(MarkersUnfit, match="model theia: found no segment poses; wanted a file"):
        gaitdyn.process_trial(synthetic / "walk01.c3d", model="theia")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"profile": "plug-in-gait"}, "needs the markers of Plug-in Gait"),
        ({"hip_centre": "davis"}, "needs markers on the pelvis"),
        ({"functional": (("hip_left", "hip.c3d"),)}, "functional needs markers on the pelvis"),
    ],
)
def test_options_of_markers_are_refused(
    written: Any, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(MarkersUnfit, match=message):
        gaitdyn.process_trial(written(), **settings)


def test_a_wild_pose_is_a_gap(written: Any, slow: Walk) -> None:
    poses = stored_poses(slow)
    matrices = poses.matrices.copy()
    matrices[80:82, poses.labels.index("l_foot_4X4"), 0, 3] += 60_000.0
    found = gaitdyn.process_trial(written(replace(poses, matrices=matrices)))
    ankle = found.pose.left.r_prox_G[:, 0]
    truth = slow.left.motion.r_prox_G[:, 0]
    np.testing.assert_allclose(ankle[70:95], truth[70:95], atol=0.01)


def test_points_that_are_added_leave_the_poses_behind_them(
    written: Any, slow: Walk, tmp_path: Path
) -> None:
    path, more = written(), tmp_path / "more.c3d"
    ezc3d = pytest.importorskip("ezc3d")
    points = [AddedPoint("LHJC", "", 1000.0 * slow.left.motion.r_prox_G[:, 2], "hip")]
    more.write_bytes(with_added_points(read_head(path), points, "1"))
    before, after = read_rotations(path), read_rotations(more)
    assert before is not None
    assert after is not None
    np.testing.assert_array_equal(before.matrices, after.matrices)
    np.testing.assert_allclose(
        ezc3d.c3d(str(more))["data"]["rotations"].transpose(3, 2, 0, 1), before.matrices
    )


@pytest.mark.parametrize("empty_blocks", [0, 1])
def test_poses_without_a_start_follow_the_points(
    written: Any, tmp_path: Path, empty_blocks: int
) -> None:
    path = written()
    whole, found = path.read_bytes(), read_rotations(path)
    assert found is not None
    header, params = read_parameters(path)
    start = 512 * (int(params.number("ROTATION", "DATA_START") or 0) - 1)
    name = whole.rindex(b"DATA_START", 0, 512 * (header.data_block - 1))
    moved = whole[:start] + bytes(512 * empty_blocks) + whole[start:]
    path = tmp_path / "no start.c3d"
    path.write_bytes(moved[:name] + b"SOMETHING_" + moved[name + 10 :])
    other = read_rotations(path)
    assert other is not None
    np.testing.assert_array_equal(other.matrices, found.matrices)


def test_heel_of_a_foot_turns_with_it(written: Any, slow: Walk) -> None:
    poses = read_recording(written()).poses
    assert poses is not None
    segment, at = poses.landmarks["LHEE"]
    assert segment == "left foot"
    ankle, foot = poses.origin(segment), poses.rotation(segment)
    np.testing.assert_allclose(poses.points()["LHEE"], ankle + rotate(foot, at), atol=1e-9)
    assert len(slow.frame) == poses.n_frames


def test_poses_of_labels_that_nobody_knows_are_named(written: Any, tmp_path: Path) -> None:
    path = tmp_path / "other.c3d"
    data = written().read_bytes()
    for name in (b"pelvis", b"thigh", b"shank", b"foot", b"toes"):
        data = data.replace(name + b"_4X4", b"x" * len(name) + b"_4X4")
    path.write_bytes(data)
    with pytest.raises(
        FileRefused, match="segment poses called worldbody_4X4, xxxxxx_4X4"
    ) as error:
        gaitdyn.process_trial(path)
    assert "labels of theia, such as pelvis_4X4" in str(error.value)


def test_poses_that_are_cut_off_are_refused_and_beside_markers_not_used(
    written: Any, slow: Walk, tmp_path: Path
) -> None:
    alone, both = tmp_path / "alone.c3d", tmp_path / "both.c3d"
    alone.write_bytes(written().read_bytes()[:-40_000])
    with pytest.raises(FileRefused, match=r"found poses of .* the file is cut off"):
        gaitdyn.process_trial(alone)
    write_trial(both, slow, poses=stored_poses(slow))
    both.write_bytes(both.read_bytes()[:-40_000])
    recording = read_recording(both)
    assert recording.poses is None
    assert any("the segment poses are not used" in note for note in recording.notes)
    assert gaitdyn.process_trial(both).engine == "chord"


def test_the_foot_points_from_heel_to_toes(written: Any, slow: Walk) -> None:
    """A heel 20 mm higher than the toes: the foot points down by atan(20 / 192) = 5.9 degrees."""
    poses, points = stored_poses(slow), foot_points(slow.walker.body, "left")
    higher = points["heel"] + np.array([0.0, 0.02, 0.0])
    told = tuple(p for p in poses.parameters if p[1] != "L_HEEL")
    told += (("THEIA3D", "L_HEEL", MAKERS_AXES.T @ higher),)
    level = gaitdyn.process_trial(written())
    raised = gaitdyn.process_trial(written(replace(poses, parameters=told)))
    angle = np.degrees(np.arctan2(0.02, np.linalg.norm(points["toe"] - points["heel"])))
    for name in ("ankle", "foot"):
        off = raised.sides["left"].angles[name][:, 0] - level.sides["left"].angles[name][:, 0]
        np.testing.assert_allclose(off, -angle, atol=0.1)
    np.testing.assert_allclose(raised.pose.right.R_GS, level.pose.right.R_GS, atol=1e-9)
    without = gaitdyn.process_trial(written(replace(poses, parameters=())))
    np.testing.assert_allclose(without.pose.left.R_GS, level.pose.left.R_GS, atol=1e-6)


def test_a_prefix_is_a_person_and_two_are_refused(written: Any, slow: Walk) -> None:
    poses = stored_poses(slow)
    named = tuple(f"S01:{label}" for label in poses.labels)
    assert gaitdyn.process_trial(written(replace(poses, labels=named))).model == "theia"
    other = tuple(f"S02:{label}" for label in poses.labels)
    both = np.concatenate((poses.matrices, poses.matrices), axis=1)
    with pytest.raises(FileRefused, match="segment poses of several people") as error:
        gaitdyn.process_trial(written(replace(poses, labels=named + other, matrices=both)))
    assert "S01" not in str(error.value)


def test_a_few_matrices_that_are_no_rotation_are_gaps(written: Any, slow: Walk) -> None:
    poses = stored_poses(slow)
    matrices = poses.matrices.copy()
    matrices[100:103, poses.labels.index("l_shank_4X4"), 0, 0] *= 1.5
    path = written(replace(poses, matrices=matrices))
    assert any("l_shank_4X4: 3 poses are not rotations" in x for x in read_recording(path).notes)
    knee = gaitdyn.process_trial(path).sides["left"].angles["knee"][90:115, 0]
    truth = gaitdyn.process_trial(written()).sides["left"].angles["knee"][90:115, 0]
    np.testing.assert_allclose(knee, truth, atol=0.5)


@pytest.mark.parametrize(
    ("label", "axis", "degrees", "key", "column", "left", "right"),
    [
        ("torso", "x", -10.0, "spine", 0, 10.0, 10.0),  # forward goes down: it bends forward
        ("torso", "y", 8.0, "spine", 1, -8.0, 8.0),  # up goes to the right: towards that side
        ("torso", "z", 20.0, "spine", 2, -20.0, 20.0),  # forward goes to the left: right ahead
        ("head", "x", 15.0, "neck", 0, -15.0, -15.0),  # it looks up
        ("head", "z", -25.0, "neck", 2, 25.0, -25.0),
    ],
)
def test_trunk_and_head_bend_and_turn_as_their_words_say(
    written: Any, slow: Walk, label: str, axis: str, degrees: float, key: str, column: int,
    left: float, right: float,
) -> None:  # fmt: skip
    """The maker's x is to the right, y forward, z up; torso and head start as the pelvis does."""
    poses = stored_poses(slow)
    pelvis = poses.matrices[:, poses.labels.index("pelvis_4X4")]
    raised = {"torso": pelvis.copy(), "head": pelvis.copy()}
    raised[label][:, :3, :3] = raised[label][:, :3, :3] @ about(axis, np.radians(degrees))
    matrices = np.concatenate((poses.matrices, np.stack(list(raised.values()), axis=1)), axis=1)
    labels = (*poses.labels, "torso_4X4", "head_4X4")
    result = gaitdyn.process_trial(
        written(replace(poses, labels=labels, matrices=matrices)), cutoff_hz=None
    )
    assert result.upper is not None
    for side, wanted in (("left", left), ("right", right)):
        np.testing.assert_allclose(result.upper.angles[side][key][:, column], wanted, atol=1e-3)
    assert result.upper.com_G is None
    table = result.to_frame()
    assert table["left_trunk_angle_tilt"].notna().all()
    assert "upper-body-partial" in codes(result)


def test_poses_without_a_torso_have_no_trunk(written: Any) -> None:
    assert gaitdyn.process_trial(written()).upper is None


@pytest.mark.parametrize("flexed_deg", [0.0, 30.0, -50.0])
def test_the_centre_of_mass_of_a_foot_turns_with_the_foot(flexed_deg: float) -> None:
    """By Dempster's table it is half of the way from the ankle to the head of metatarsal II."""
    R_GF = np.asarray(about("z", np.radians([flexed_deg])))
    shank = np.eye(3)[None]
    centres = np.array([[[0.0, 0.1, 0.0], [0.0, 0.5, 0.0], [0.0, 0.9, 0.0]]])
    leg = LegPose("left", np.stack((R_GF, shank, shank), axis=1), centres)
    pose = Pose(shank, centres[:, 2], leg, leg, np.array([1.0, 0.0, 0.0]))
    heel, toe = (centres[:, 0] + R_GF[0] @ at for at in ([-0.06, -0.05, 0.0], [0.14, -0.05, 0.0]))
    table = load_table("dempster-winter")
    found = lengths_of_legs(pose, {"left": (heel, toe)}, Subject(), table).foot_cm_F["left"]
    ankle_to_toe = np.array([0.14, -0.05, 0.0])
    np.testing.assert_allclose(found, 0.5 * ankle_to_toe, atol=1e-12)
