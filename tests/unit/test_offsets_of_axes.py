"""The axes of knee and ankle that a static of Plug-in Gait sets, on a leg posed by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.calibrate.plug_in_gait.joint_centres import abducted_ankle, chord
from gaitdyn.calibrate.plug_in_gait.leg_offsets import axis_offsets, walking_offsets
from gaitdyn.calibrate.plug_in_gait.skeleton import (
    SkeletonLeg,
    build_skeleton,
    build_static_skeleton,
)
from gaitdyn.calibrate.statics.measured import calibrate
from gaitdyn.core.rotations import unit
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES, SIGN, LegMeasures, Side, Subject
from gaitdyn.types.trial import Trial

UP, HALF_KNEE, HALF_ANKLE = np.array([0.0, 1.0, 0.0]), 0.055, 0.045
_LEG = LegMeasures(0.9, knee_width_m=2 * HALF_KNEE - 0.014, ankle_width_m=2 * HALF_ANKLE - 0.014)
SIZES = Subject(left=_LEG, right=_LEG, marker_diameter_m=0.014)


def posed(marks: dict[str, Any]) -> Trial:
    """Return a trial of one frame with these markers."""
    points = np.array(list(marks.values()), dtype=float)[None]
    labels = tuple(marks)
    read = Recording("still.c3d", "", 100.0, 1, 1, labels, points, {}, (), (), Subject())
    return Trial(read, np.eye(3), labels, points, ())


@dataclass(frozen=True)
class Upright:
    """A leg that stands, its knee axis turned by 0.3 rad to the back, with markers on it.

    The ankle axis is turned further, by the torsion, and falls outward by the abduction.
    """

    side: Side
    torsion: float = 0.0
    abduction: float = 0.0

    @property
    def sign(self) -> float:
        return -SIGN[self.side]

    @property
    def letter(self) -> str:
        return self.side[0].upper()

    def axes(self, turned: float) -> Any:
        """Return outward and ahead of an axis turned further to the back."""
        outward = np.array([-np.sin(0.3 + turned), 0.0, self.sign * np.cos(0.3 + turned)])
        return outward, self.sign * np.cross(UP, outward)

    @property
    def joints(self) -> Any:
        hip = np.array([-0.05, 0.92, 0.09 * self.sign])
        return hip, hip - 0.4 * UP, hip - 0.8 * UP

    def marks(self, thigh: float, shank: float) -> dict[str, Any]:
        """Return the markers of a walk, the wands at these angles behind the axes."""
        _, knee, ankle = self.joints
        outward, ahead = self.axes(0.0)
        lateral, front = self.axes(self.torsion)
        malleolus = np.cos(self.abduction) * lateral - np.sin(self.abduction) * UP
        found = {
            "THI": knee + 0.2 * UP + 0.1 * (np.cos(thigh) * outward - np.sin(thigh) * ahead),
            "KNE": knee + HALF_KNEE * outward,
            "TIB": ankle + 0.2 * UP + 0.1 * (np.cos(shank) * lateral - np.sin(shank) * front),
            "ANK": ankle + HALF_ANKLE * malleolus,
            "TOE": np.add(ankle, (0.15, -0.05, 0.0)),
        }
        pelvis = {"LASI": (0.0, 1.0, -0.12), "RASI": (0.0, 1.0, 0.12), "SACR": (-0.16, 1.0, 0.0)}
        return pelvis | {self.letter + name: place for name, place in found.items()}

    def skeleton(self, marks: dict[str, Any], offsets: LegOffsets, *, still: bool) -> SkeletonLeg:
        hips: dict[str, Any] = {self.side: self.joints[0] - UP}
        given = posed(marks), SIZES, hips, dict[str, LegOffsets]({self.side: offsets})
        built = build_static_skeleton(*given, ()) if still else build_skeleton(*given)
        return built.legs[self.side]


@pytest.mark.parametrize("side", SIDES)
def test_an_alignment_device_of_the_static_sets_the_angle_of_the_thigh_wand(side: Side) -> None:
    """Sticks outward along the knee axis, up and forward; the wand 25 degrees behind the axis.

    A walk without the device, with a marker on the condyle, then finds the same knee.
    """
    leg, behind = Upright(side), np.radians(25.0)
    marks, (outward, ahead) = leg.marks(behind, 0.0), leg.axes(0.0)
    condyle = marks[leg.letter + "KNE"]
    sticks = {"KAX": outward, "KD1": UP, "KD2": ahead}
    device = {leg.letter + name: condyle + 0.06 * stick for name, stick in sticks.items()}
    bare = {label: place for label, place in marks.items() if label[1:] != "KNE"}
    still = leg.skeleton(bare | device, LegOffsets(), still=True)
    np.testing.assert_allclose(still.lateral_knee[0], condyle, atol=1e-9)
    np.testing.assert_allclose(still.knee[0], leg.joints[1], atol=1e-9)
    offsets = axis_offsets(posed(bare | device), still, side, LegOffsets(), known=False)
    assert offsets.thigh_rotation == pytest.approx(behind)
    moving = leg.skeleton(marks, offsets, still=False)
    np.testing.assert_allclose(moving.knee[0], leg.joints[1], atol=1e-9)
    np.testing.assert_allclose(moving.R_thigh[0][:, 2], leg.sign * outward, atol=1e-9)


@pytest.mark.parametrize("abduction", [0.0, 0.1])
@pytest.mark.parametrize("side", SIDES)
def test_medial_markers_of_the_static_set_all_offsets_of_the_axes(
    side: Side, abduction: float
) -> None:
    """Wands 25 and 10 degrees behind the axes, the malleoli 20 degrees turned out."""
    leg = Upright(side, torsion=np.radians(20.0), abduction=abduction)
    marks, (_, knee, ankle) = leg.marks(np.radians(25.0), np.radians(10.0)), leg.joints
    medial = {"KNM": 2 * knee - marks[leg.letter + "KNE"], "MED": None}
    medial["MED"] = ankle - 0.8 * (marks[leg.letter + "ANK"] - ankle)
    static = marks | {leg.letter + name: place for name, place in medial.items()}
    still = leg.skeleton(static, LegOffsets(), still=True)
    np.testing.assert_allclose(still.knee[0], knee, atol=1e-9)
    np.testing.assert_allclose(still.ankle[0], ankle, atol=1e-9)
    found = axis_offsets(posed(static), still, side, LegOffsets(), known=False)
    assert np.degrees(found.thigh_rotation) == pytest.approx(25.0)
    assert np.degrees(found.shank_rotation) == pytest.approx(10.0)
    assert found.ankle_abduction == pytest.approx(abduction)
    assert np.degrees(found.tibial_torsion) == pytest.approx(-20.0)  # outward
    if abduction:
        return
    moving = leg.skeleton(marks, found, still=False)
    np.testing.assert_allclose(moving.ankle[0], ankle, atol=1e-9)
    right = [leg.sign * leg.axes(turned)[0] for turned in (0.0, leg.torsion)]
    np.testing.assert_allclose(moving.R_shank[0][:, 2], right[0], atol=1e-9)
    np.testing.assert_allclose(moving.R_shank_distal[0][:, 2], right[1], atol=1e-9)


def test_an_abducted_ankle_turns_about_its_marker_towards_the_knee() -> None:
    """At the malleolus the angle of knee and ankle is less by the abduction; nothing else moves."""
    knee, malleolus = np.array([[0.1, 0.5, -0.2]]), np.array([[0.05, 0.1, -0.16]])
    wand = np.array([[0.0, 0.3, 0.1]])
    ankle = chord(knee, malleolus, wand, 0.045)
    turned = abducted_ankle(knee, malleolus, ankle, 0.1)
    before, after, up = (unit((p - malleolus)[0]) for p in (ankle, turned, knee))
    assert np.linalg.norm(turned - malleolus) == pytest.approx(0.045)
    assert np.cross(up, before) @ after == pytest.approx(0.0, abs=1e-12)
    assert np.arccos(before @ up) - np.arccos(after @ up) == pytest.approx(0.1)
    assert np.cross(up, before) @ np.cross(up, after) > 0.0


TOE, HEEL = np.array([0.15, -0.05]), np.array([-0.05, -0.03])  # ahead and up from the ankle


def with_heel(leg: Upright, heel: Any = HEEL, outward: float = 0.0) -> dict[str, Any]:
    """Return the markers of a leg with a heel in its plane, the toe marker beside it."""
    marks, ankle = leg.marks(0.0, 0.0), leg.joints[2]
    aside, ahead = leg.axes(0.0)
    toe, back = (ankle + x * ahead + y * UP for x, y in (TOE, heel))
    return marks | {leg.letter + "TOE": toe + outward * aside, leg.letter + "HEE": back}


def calibrated(leg: Upright, marks: dict[str, Any], stored: float, flat: bool | None) -> Any:
    """Return the offsets of a static, where an earlier one left its plantar flexion, rad."""
    before = {str(leg.side): LegOffsets(static_plantar_flexion=stored)}
    table, place = load_table("plug-in-gait"), {str(leg.side): leg.joints[0] - UP}
    return calibrate(posed(marks), SIZES, before, table, flat=flat, hip="model", placed=(place, {}))


@pytest.mark.parametrize("side", SIDES)
def test_the_stored_plantar_flexion_says_whether_the_sole_was_level(side: Side) -> None:
    """The heel 20 mm higher than the toe: from ankle to toe, to heel to toe, in the plane."""
    leg = Upright(side)
    pitch = [np.arctan2(up, ahead) for ahead, up in (TOE, TOE - HEEL, (0.2, 0.0))]
    raised, level = pitch[1] - pitch[0], pitch[2] - pitch[0]
    for stored, flat, wanted in (
        (0.0, None, raised), (level - 0.02, None, level), (raised + 0.02, None, raised),
        (raised, True, level), (level, False, raised),
    ):  # fmt: skip
        found = calibrated(leg, with_heel(leg), stored, flat)
        offsets = found.offsets[side]
        assert offsets.static_plantar_flexion == pytest.approx(wanted)
        assert offsets.static_rotation == pytest.approx(0.0, abs=1e-12)
        assert found.flat_foot == {side: wanted == level}
    assert found.heel_toe_m[side] == pytest.approx(np.hypot(0.2, 0.02))
    along = (TOE - HEEL) / np.linalg.norm(TOE - HEEL)
    heel = np.array([along @ HEEL, np.array([-along[1], along[0]]) @ HEEL, 0.0])
    np.testing.assert_allclose(found.heel_F[side], heel, atol=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_a_toe_beside_the_line_of_the_foot_is_the_rotation_of_the_static(side: Side) -> None:
    """The Cardan angles of scipy, the second one mirrored: the line from the heel is turned in."""
    leg = Upright(side)
    marks, (outward, _) = with_heel(leg, outward=0.03), leg.axes(0.0)
    ankle, toe = leg.joints[2], marks[leg.letter + "TOE"]
    frames = []
    for start in (ankle, marks[leg.letter + "HEE"]):
        x = (toe - start) / np.linalg.norm(toe - start)
        y = np.cross(leg.sign * outward, x) / np.linalg.norm(np.cross(outward, x))
        frames.append(np.stack((x, y, np.cross(x, y)), axis=1))
    plantar, rotation, _ = Rotation.from_matrix(frames[0].T @ frames[1]).as_euler("ZYX")
    offsets = calibrated(leg, marks, 0.0, None).offsets[side]
    assert offsets.static_plantar_flexion == pytest.approx(plantar)
    assert offsets.static_rotation == pytest.approx(leg.sign * rotation)
    assert offsets.static_rotation > 0.02


@pytest.mark.parametrize("side", SIDES)
def test_a_walk_without_a_static_takes_its_foot_from_the_lower_half_of_the_heel(side: Side) -> None:
    leg, lifts = Upright(side), np.array([0.00, 0.01, 0.02, 0.05, 0.06])
    heels = [HEEL + np.array([0.0, -0.004 * i]) for i in range(5)]
    pitch = [np.arctan2(*(TOE - heel)[::-1]) - np.arctan2(*TOE[::-1]) for heel in heels]
    frames = [with_heel(leg, heel) for heel in heels]
    points = np.array([list(frame.values()) for frame in frames], dtype=float)
    points[:, :, 1] += lifts[:, None]
    trial = posed(frames[0])
    trial = replace(trial, markers_G=points)
    place = {str(side): leg.joints[0] - UP}
    skeleton = build_skeleton(trial, SIZES, place, {side: LegOffsets()})
    before = LegOffsets(thigh_rotation=0.1, shank_rotation=0.2, ankle_abduction=0.3)
    found, spread = walking_offsets(trial, skeleton, side, before)
    assert found == replace(
        before,
        static_plantar_flexion=found.static_plantar_flexion,
        static_rotation=found.static_rotation,
    )
    assert found.static_plantar_flexion == pytest.approx(np.mean(pitch[:3]))
    assert found.static_rotation == pytest.approx(0.0, abs=1e-12)
    assert spread == pytest.approx(np.degrees(np.std(pitch[:3])))
