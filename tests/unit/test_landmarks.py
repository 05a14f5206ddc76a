"""The synthetic walker in other markers: clusters, condyles and malleoli, stored hip centres.

The markers are fixed in the true segments, the middle of the condyles and of the malleoli is the
true joint centre, so angles and moments of the landmark engine have an exact truth. Run with
``-s`` to see the largest errors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Course, Recording, Walk, Walker, write_trial
from gaitdyn.synthetic.body import Side, foot_points, hip_in_pelvis, sign
from gaitdyn.types.options import Options
from tests.walks import curve_values, errors, stand, true_columns, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

Array = np.ndarray[Any, np.dtype[Any]]
SIDES: tuple[Side, Side] = ("left", "right")
FAST = Recording(rate_hz=200.0, analog_ratio=5)
MIDDLE = Walker(course=Course(start_m=(-2.2, 0.0, 0.0)))
RAW: dict[str, Any] = {"cutoff_hz": None, "force_cutoff_hz": None}

FOUR = """
name = "four"
engine = "landmarks"

[labels]
LASI = ["LASI"]
RASI = ["RASI"]
LPSI = ["LPSI"]
RPSI = ["RPSI"]
"{s}HJC" = ["{s}HJC"]
"{s}KNE" = ["{s}LFC"]
"{s}KNM" = ["{s}MFC"]
"{s}ANK" = ["{s}LMAL"]
"{s}MED" = ["{s}MMAL"]
"{s}HEE" = ["{s}CAL"]
"{s}TOE" = ["{s}MT2"]
"{s}MT1" = ["{s}MT1"]
"{s}MT5" = ["{s}MT5"]
"{s}TH1" = ["{s}TH1"]
"{s}TH2" = ["{s}TH2"]
"{s}TH3" = ["{s}TH3"]
"{s}TH4" = ["{s}TH4"]
"{s}TB1" = ["{s}TB1"]
"{s}TB2" = ["{s}TB2"]
"{s}TB3" = ["{s}TB3"]
"{s}TB4" = ["{s}TB4"]

[tracking]
pelvis = ["LASI", "RASI", "LPSI", "RPSI"]
thigh = ["{s}TH1", "{s}TH2", "{s}TH3", "{s}TH4"]
shank = ["{s}TB1", "{s}TB2", "{s}TB3", "{s}TB4"]
foot = ["{s}HEE", "{s}TOE", "{s}MT1", "{s}MT5"]
"""
"""Four markers a segment."""

# of a right leg in segment axes, m, from the distal joint centre; z is mirrored for a left one
THIGH = ((0.08, 0.25, 0.06), (-0.06, 0.28, 0.07), (0.07, 0.12, 0.05), (-0.05, 0.10, 0.08))
SHANK = ((0.06, 0.30, 0.04), (-0.05, 0.28, 0.05), (0.05, 0.12, 0.03), (-0.04, 0.15, 0.06))


def dressed(trial: Walk, roll_rad: Array | float = 0.0) -> Walk:
    """Return the trial with landmarks and clusters in place of the markers of Plug-in Gait.

    ``roll_rad`` turns each foot about its long axis through the ankle centre, inwards positive.
    """
    points: dict[str, Array] = {
        label: trial.markers_G[:, trial.labels.index(label)]
        for label in ("LASI", "RASI", "LPSI", "RPSI")
    }
    body = trial.walker.body
    front = 0.5 * (points["LASI"] + points["RASI"])
    for side in SIDES:
        letter, motion = side[0].upper(), trial.leg(side).motion
        out = np.array([0.0, 0.0, -sign(side)])
        mirror = np.array([1.0, 1.0, -sign(side)])
        (foot, shank, thigh), (ankle, knee, _) = (
            np.moveaxis(motion.R_GS, 1, 0), np.moveaxis(motion.r_prox_G, 1, 0)
        )  # fmt: skip
        foot = foot @ rolled(side, roll_rad, len(foot))
        found: dict[str, Array] = {"HJC": front + trial.R_GP @ hip_in_pelvis(body, side)}
        widths = body.joint_to_marker_m(side, "knee"), body.joint_to_marker_m(side, "ankle")
        lateral = (("FC", widths[0], knee, thigh), ("MAL", widths[1], ankle, shank))
        for role, width, centre, R in lateral:
            arm = R @ (width * out)
            found |= {f"L{role}": centre + arm, f"M{role}": centre - arm}
        for name, centre, R, local in (("TH", knee, thigh, THIGH), ("TB", ankle, shank, SHANK)):
            found |= {
                f"{name}{i}": centre + R @ (mirror * p) for i, p in enumerate(np.array(local), 1)
            }
        toe, heel = foot_points(body, side)["toe"], foot_points(body, side)["heel"]
        beside = np.array([-0.01, 0.005, 0.045])
        ends = {
            "CAL": heel, "MT2": toe,
            "MT1": toe + beside * (1, 1, sign(side)), "MT5": toe + beside * (2, 1, -sign(side)),
        }  # fmt: skip
        found |= {name: ankle + foot @ p for name, p in ends.items()}
        points |= {letter + name: values for name, values in found.items()}
    return replace(trial, labels=tuple(points), markers_G=np.stack(list(points.values()), axis=1))


def rolled(side: Side, roll_rad: Array | float, frames: int) -> Array:
    """Return the turn about x that lowers the lateral edge: inversion."""
    angle = -sign(side) * np.broadcast_to(roll_rad, frames)
    R = np.tile(np.eye(3), (frames, 1, 1))
    R[:, 1, 1] = R[:, 2, 2] = np.cos(angle)
    R[:, 2, 1] = np.sin(angle)
    R[:, 1, 2] = -R[:, 2, 1]
    return R


def standing(trial: Walk) -> Walk:
    return stand(trial.walker, replace(trial.recording, gaps=(), events=False))


def processed(folder: Path, trial: Walk, *, static: bool = True, **options: Any) -> Result:
    """Process a dressed trial through files with the model of four markers a segment."""
    folder.mkdir(exist_ok=True)
    write_trial(folder / "walk.c3d", trial, stream=1)
    if static:
        write_trial(folder / "static.c3d", dressed(standing(trial)))
        options["static"] = str(folder / "static.c3d")
    if "model" not in options:
        (folder / "four.toml").write_text(FOUR, encoding="utf-8")
        options["model"] = str(folder / "four.toml")
    return process_trial(folder / "walk.c3d", Options(**RAW | options))


TRIAL = walk(MIDDLE, FAST)


@pytest.fixture(scope="module")
def with_static(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return processed(tmp_path_factory.mktemp("static"), dressed(TRIAL))


@pytest.fixture(scope="module")
def without_static(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return processed(tmp_path_factory.mktemp("alone"), dressed(TRIAL), static=False)


def worst_of(trial: Walk, result: Result, *words: str) -> dict[str, float]:
    found = errors(trial, curve_values(result))
    worst = {k: v for k, v in found.items() if all(word in k for word in words)}
    print({k: f"{v:.1e}" for k, v in worst.items()})  # noqa: T201
    return worst


# ---------------------------------------------------------------- against the truth

# 32-bit millimetres beyond 2 m are 1.2e-4 mm apart; two derivatives at 200 Hz make of it 0.0025,
# 0.022 and 0.065 N m (ankle, knee, hip); the limits are those of the design for this rate
MOMENT_LIMITS = {"ankle": 0.005, "knee": 0.05, "hip": 0.15}
# 1.5e-4 deg were reached
ANGLE_LIMIT = 1e-3


def test_joint_centres_are_true_to_a_micrometre(with_static: Result) -> None:
    worst = worst_of(TRIAL, with_static, "_center_")
    assert len(worst) == 9
    assert max(worst.values()) < 1e-3  # mm; 3e-4 were reached


def test_every_angle_is_true_with_a_static(with_static: Result) -> None:
    """In the static the shank and the foot have no roll between them, as the truth has it."""
    worst = worst_of(TRIAL, with_static, "_angle_")
    assert len(worst) == 13
    assert max(worst.values()) < ANGLE_LIMIT


@pytest.mark.parametrize("joint", MOMENT_LIMITS)
def test_moments_are_true_with_a_static(joint: str, with_static: Result) -> None:
    worst = worst_of(TRIAL, with_static, f"{joint}_moment_")
    assert len(worst) == 3
    assert max(worst.values()) < MOMENT_LIMITS[joint]


def test_segment_axes_are_the_true_ones_with_a_static(with_static: Result) -> None:
    for side in SIDES:
        found, true = with_static.pose.leg(side).R_GS, TRIAL.leg(side).motion.R_GS
        np.testing.assert_allclose(found, true, atol=np.radians(ANGLE_LIMIT))
    np.testing.assert_allclose(with_static.pose.R_GP, TRIAL.R_GP, atol=np.radians(ANGLE_LIMIT))


def test_the_loads_of_landmarks_and_of_plug_in_gait_are_the_same(
    with_static: Result, tmp_path: Path
) -> None:
    write_trial(tmp_path / "walk.c3d", TRIAL, stream=1)
    write_trial(tmp_path / "static.c3d", standing(TRIAL))
    static = str(tmp_path / "static.c3d")
    plug_in_gait = process_trial(tmp_path / "walk.c3d", Options(static=static, **RAW))
    assert (with_static.model, plug_in_gait.model) == ("four", "plug-in-gait")
    ours, theirs = curve_values(with_static), curve_values(plug_in_gait)
    assert set(ours) == set(theirs)
    for joint, limit in MOMENT_LIMITS.items():
        for name in (n for n in ours if f"{joint}_moment" in n):
            known = np.isfinite(theirs[name])
            np.testing.assert_array_equal(np.isfinite(ours[name]), known)
            # each is within the limit of the truth
            assert np.abs(ours[name] - theirs[name])[known].max() < 2 * limit, name


def between(R: Array, true: Array) -> Array:
    """Return the turn from the true axes to those found, in the true axes, deg, shape (n, 3)."""
    from scipy.spatial.transform import Rotation

    return np.degrees(Rotation.from_matrix(np.swapaxes(true, -1, -2) @ R).as_rotvec())


def test_without_a_static_centres_thighs_and_shanks_are_still_true(without_static: Result) -> None:
    assert without_static.static is None
    worst = worst_of(TRIAL, without_static)
    limb = [k for k in worst if k.startswith(("pelvis_angle", "hip_angle", "knee_angle"))]
    assert max(worst[k] for k in limb) < ANGLE_LIMIT
    assert max(v for k, v in worst.items() if "_center_" in k) < 1e-3  # mm
    assert worst["ankle_angle_dorsiflexion"] < ANGLE_LIMIT
    assert worst["foot_angle_progression"] < ANGLE_LIMIT


def test_without_a_static_the_foot_keeps_a_constant_roll(without_static: Result) -> None:
    """The roll of the foot in the frame taken as the reference is the zero of inversion there.

    It is a turn about the foot's long axis that is the same in every frame.
    """
    for side in SIDES:
        found = without_static.pose.leg(side).R_GS[:, 0]
        turn = between(found, TRIAL.leg(side).motion.R_GS[:, 0])
        print(side, turn.mean(axis=0).round(4), np.ptp(turn, axis=0))  # noqa: T201
        assert np.ptp(turn, axis=0).max() < ANGLE_LIMIT
        assert np.abs(turn[:, 1:]).max() < ANGLE_LIMIT
        assert 0.1 < np.abs(turn[:, 0]).mean() < 2.0


def test_without_a_static_moments_are_true_where_the_axes_coincide(without_static: Result) -> None:
    """Ankle moments about the rolled foot's y and z differ by definition; their size does not.

    The foot's inertia is laid along other axes and its length from the malleolus is taken at the
    mean turn of a stance, which the knee and the hip feel: 0.101 and 0.24 N m were reached.
    """
    worst = worst_of(TRIAL, without_static, "_moment_")
    assert max(v for k, v in worst.items() if k.startswith("knee")) < 0.11
    assert max(v for k, v in worst.items() if k.startswith("hip")) < 0.3
    found, truth = curve_values(without_static), true_columns(TRIAL)
    words = ("plantarflexion", "eversion", "external_rotation")
    for side in SIDES:
        names = [f"{side}_ankle_moment_{word}" for word in words]
        size = np.linalg.norm(np.stack([found[n] for n in names]), axis=0)
        wanted = np.linalg.norm(np.stack([truth[n] for n in names]), axis=0)
        off = np.abs(size - wanted)[TRIAL.leg(side).known]
        assert np.nanmax(off) < 0.1  # N m


def test_a_model_that_ships_is_found_and_true(tmp_path: Path) -> None:
    """The labels are those of clusters-with-centres, three markers a segment; no centres stored.

    Markers that the model does not know (TH4, TB4, MT5) do not matter.
    """
    result = processed(tmp_path, dressed(TRIAL), model="auto")
    assert result.model == "clusters-with-centres"
    worst = worst_of(TRIAL, result)
    assert max(v for k, v in worst.items() if "_angle_" in k) < ANGLE_LIMIT
    for joint, limit in MOMENT_LIMITS.items():
        assert max(v for k, v in worst.items() if f"{joint}_moment" in k) < limit


def test_two_condyles_that_share_a_label_of_ours_are_told_apart(tmp_path: Path) -> None:
    """The model knows LLFC and LMFC and can do without: of two LKNE the medial one was taken."""
    for name, trial in (("walk", TRIAL), ("static", standing(TRIAL))):
        marked = dressed(trial)
        shared = [f"{x[0]}KNE" if x[1:] in ("LFC", "MFC") else x for x in marked.labels]
        stored = [trial.leg(side).motion.r_prox_G[:, 1] for side in SIDES]
        markers = np.concatenate([marked.markers_G, np.stack(stored, axis=1)], axis=1)
        both = replace(marked, labels=(*shared, "LKJC", "RKJC"), markers_G=markers)
        write_trial(tmp_path / f"{name}.c3d", both)
    static = str(tmp_path / "static.c3d")
    result = process_trial(tmp_path / "walk.c3d", Options(**RAW, static=static))
    worst = worst_of(TRIAL, result)
    joints = {k: v for k, v in worst.items() if k.startswith(("hip_angle", "knee_angle"))}
    assert len(joints) == 6
    assert max(joints.values()) < ANGLE_LIMIT


def test_the_hip_is_regressed_where_none_is_stored(tmp_path: Path) -> None:
    """Harrington's rule from the pelvis; knee and ankle are as before."""
    from gaitdyn.calibrate.hip_regressions import PelvisMeasures, harrington

    trial = dressed(TRIAL)
    keep = [i for i, label in enumerate(trial.labels) if not label.endswith("HJC")]
    bare = replace(
        trial, labels=tuple(trial.labels[i] for i in keep), markers_G=trial.markers_G[:, keep]
    )
    result = processed(tmp_path, bare, static=False)
    body = TRIAL.walker.body
    size = PelvisMeasures(body.inter_asis_m, body.pelvis_depth_m, float("nan"), 0.014)
    for side in SIDES:
        pose = result.pose.leg(side)
        offset = np.einsum(
            "nji,nj->ni", result.pose.R_GP, pose.r_prox_G[:, 2] - result.pose.origin_G
        )
        np.testing.assert_allclose(offset, harrington(size, side) + 0 * offset, atol=1e-6)
        np.testing.assert_allclose(
            pose.r_prox_G[:, :2], TRIAL.leg(side).motion.r_prox_G[:, :2], atol=1e-6
        )


# ---------------------------------------------------------------- what the heel and toe cannot say

INVERSION_DEG = 10.0


@pytest.fixture(scope="module")
def inverting() -> tuple[Walk, Array]:
    """Return the walk and a roll of 10 degrees that comes and goes in the middle of the trial."""
    n = len(TRIAL.frame)
    phase = np.clip((np.arange(n) - n / 3) / (n / 3), 0.0, 1.0)
    return TRIAL, np.radians(INVERSION_DEG) * np.sin(np.pi * phase) ** 2


def most(values: Array) -> float:
    """Return the value that is farthest from zero."""
    return float(values[np.abs(values).argmax()])


@pytest.mark.parametrize("side", SIDES)
def test_landmarks_see_a_foot_that_inverts(
    side: Side, inverting: tuple[Walk, Array], with_static: Result, tmp_path: Path
) -> None:
    trial, roll = inverting
    before = with_static.sides[side].angles["ankle"]
    after = processed(tmp_path, dressed(trial, roll)).sides[side].angles["ankle"]
    change = after - before
    # inversion is the last of the three turns, about the foot's own x: it takes all of the roll
    np.testing.assert_allclose(change[:, 1], np.degrees(roll), atol=ANGLE_LIMIT)
    assert np.abs(change[:, [0, 2]]).max() < ANGLE_LIMIT


@pytest.mark.parametrize("side", SIDES)
def test_plug_in_gait_does_not_see_a_foot_that_inverts(
    side: Side, inverting: tuple[Walk, Array], tmp_path: Path
) -> None:
    """HEE and TOE alone: 0.3 degrees of inversion, and 1.6 of a rotation that is not there.

    The toe marker stands below the long axis through the ankle, so a roll takes it aside.
    """
    trial, roll = inverting
    write_trial(tmp_path / "static.c3d", standing(trial))
    angles = []
    for name, angle in (("plain", 0.0 * roll), ("rolled", roll)):
        write_trial(tmp_path / f"{name}.c3d", with_rolled_feet(trial, angle), stream=1)
        options = Options(static=str(tmp_path / "static.c3d"), **RAW)
        result = process_trial(tmp_path / f"{name}.c3d", options)
        assert result.model == "plug-in-gait"
        angles.append(result.sides[side].angles["ankle"])
    change = angles[1] - angles[0]
    print(side, [round(most(change[:, i]), 3) for i in range(3)])  # noqa: T201
    assert np.abs(change[:, 1]).max() < 0.3
    assert 1.5 < np.abs(change[:, 2]).max() < 1.8


def with_rolled_feet(trial: Walk, roll_rad: Array) -> Walk:
    """Return the trial with HEE and TOE of Plug-in Gait turned about the feet's long axes."""
    markers = trial.markers_G.copy()
    for side in SIDES:
        motion, points = trial.leg(side).motion, foot_points(trial.walker.body, side)
        R = motion.R_GS[:, 0] @ rolled(side, roll_rad, len(roll_rad))
        for label, name in (("HEE", "heel"), ("TOE", "toe")):
            place = trial.labels.index(side[0].upper() + label)
            markers[:, place] = motion.r_prox_G[:, 0] + R @ points[name]
    return replace(trial, markers_G=markers)


# ---------------------------------------------------------------- gaps

GAP = (250, 349)
"""Frame numbers, inclusive: 0.5 s at 200 Hz, longer than what is filled."""


def with_gaps(*labels: str) -> Walk:
    gaps = tuple((label, *GAP) for label in labels)
    return dressed(walk(MIDDLE, replace(FAST, gaps=gaps)))


def inside_gap() -> Array:
    return (TRIAL.frame >= GAP[0]) & (TRIAL.frame <= GAP[1])


def test_one_marker_of_four_lost_for_half_a_second_costs_nothing(
    with_static: Result, tmp_path: Path
) -> None:
    trial = with_gaps("LTH2", "LTB1", "RMT1", "LPSI")
    result = processed(tmp_path, trial)
    assert not [f for f in result.findings if f.code == "gap-open"]
    assert {f.scope for f in result.findings if f.code == "gap-filled"} == {
        "LTH2", "LTB1", "RMT1", "LPSI",
    }  # fmt: skip
    found, whole = curve_values(result), curve_values(with_static)
    for name, values in whole.items():
        np.testing.assert_array_equal(np.isfinite(found[name]), np.isfinite(values), name)
    worst = worst_of(TRIAL, result)
    assert max(v for k, v in worst.items() if "_angle_" in k) < ANGLE_LIMIT
    # where another set of markers takes over, their rounding makes a step of 1e-4 mm, which two
    # derivatives at 200 Hz show: twice the limits without a gap
    for joint, limit in MOMENT_LIMITS.items():
        assert max(v for k, v in worst.items() if f"{joint}_moment" in k) < 2 * limit


LOST: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "pelvis": (
        ("LASI", "RASI", "LPSI", "RPSI"),
        ("left_hip_moment", "left_hip_angle", "right_hip_moment", "left_pelvis_angle"),
        ("left_knee_moment", "left_knee_angle", "right_ankle_moment", "left_ankle_angle"),
    ),
    "left thigh": (
        ("LTH1", "LTH2", "LTH3"),
        ("left_hip_angle", "left_knee_angle", "left_knee_moment", "left_hip_moment"),
        ("left_ankle_angle", "left_ankle_moment", "left_pelvis_angle", "right_hip_moment"),
    ),
    "left shank": (
        ("LTB1", "LTB2", "LTB3"),
        ("left_knee_angle", "left_ankle_angle", "left_ankle_moment", "left_hip_moment"),
        ("left_hip_angle", "left_foot_angle", "right_hip_moment", "right_ankle_angle"),
    ),
    "left foot": (
        ("LCAL", "LMT1", "LMT5"),
        ("left_ankle_angle", "left_ankle_moment", "left_knee_moment", "left_hip_moment"),
        ("left_knee_angle", "left_hip_angle", "right_hip_moment"),
    ),
}
"""Segment -> the markers that are lost, what goes with it, what stays."""


@pytest.mark.parametrize("segment", LOST)
def test_a_segment_with_one_marker_is_empty_with_the_loads_that_need_it(
    segment: str, with_static: Result, tmp_path: Path
) -> None:
    labels, lost, kept = LOST[segment]
    found, whole = curve_values(processed(tmp_path, with_gaps(*labels))), curve_values(with_static)
    gap = inside_gap()
    for stem in lost:
        names = [name for name in found if name.startswith(stem)]
        assert names
        for name in names:
            assert np.isnan(found[name][gap]).all(), name
            assert np.isfinite(found[name][~gap]).any(), name
    for stem in kept:
        for name in (name for name in found if name.startswith(stem)):
            np.testing.assert_array_equal(np.isfinite(found[name]), np.isfinite(whole[name]), name)
            known = np.isfinite(whole[name])
            np.testing.assert_allclose(
                found[name][known], whole[name][known], atol=1e-6, err_msg=name
            )


def test_a_gap_comes_back_after_its_end(tmp_path: Path) -> None:
    """Three markers of which one is lost: only the gap and the edge of the filter are empty."""
    found = curve_values(processed(tmp_path, with_gaps("RTH1", "RTH2")))
    gap = inside_gap()
    assert np.isfinite(found["right_knee_angle_flexion"][~gap]).all()
    knee = found["right_knee_moment_extension"]
    known = np.isfinite(knee)
    edge = np.convolve(gap, np.ones(21), "same") > 0  # 10 frames on each side
    far = TRIAL.right.known & ~edge
    far[:10] = far[-10:] = False
    print(known[far].mean())  # noqa: T201
    assert known[far].all()
