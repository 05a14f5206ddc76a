"""The body and its pose from segment poses: joint centres are origins, axes are the maker's.

There is no marker model, static or regression: the origin of a segment is its proximal joint centre
(Theia3D model description, docs.theiamarkerless.com).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import middle
from gaitdyn.calibrate.ladder.usual_foot import bridged_ends, usual_ends
from gaitdyn.core.rotations import columns, cross, rotate_back, unit
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import FileRefused, ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.marker_model import MarkerModel, ModelMatch
from gaitdyn.types.motion import SEGMENTS, LegPose, Pose
from gaitdyn.types.recording import Recording
from gaitdyn.types.rungs import Place, Taken
from gaitdyn.types.subject import LETTER, SIDES, SIGN

if TYPE_CHECKING:
    from gaitdyn.types.poses import SegmentPoses

NEEDS_NO_STATIC = "segment poses need none"

_ALONG = 0.8
"""Share of a bone that must lie along its axis: within 37 degrees, as for the laboratory axes."""

_RULES: dict[Place, str] = {
    "pelvis": "axes of the pelvis as the file stores them",
    "hip": "origin of the thigh",
    "knee": "origin of the shank",
    "ankle": "origin of the foot",
    "foot": "axes of the foot as the file stores them",
}


def legs_of(poses: SegmentPoses) -> list[str]:
    """Return the sides whose pelvis, thigh, shank and foot are each known in some frame."""
    return [side for side in SIDES if not _lacking(poses, side)]


def _lacking(poses: SegmentPoses, side: str) -> list[str]:
    """Return the segments of a leg, with the pelvis, that are known in no frame."""
    known = {name for i, name in enumerate(poses.segments) if complete_rows(poses.R_LS[:, i]).any()}
    return [name for name in _chain(side) if name not in known]


def with_long_feet(poses: SegmentPoses) -> SegmentPoses:
    """Return poses with x of the feet from heel to toes, rotated about z of the foot only.

    The maker's axis of the foot points forward on a level sole, gaitdyn's from heel to toes. A foot
    without heel or toes keeps its axes.
    """
    R_LS, landmarks = poses.R_LS.copy(), dict(poses.landmarks)
    for side in SIDES:
        foot, letter = f"{side} foot", LETTER[side]
        heel, toes = landmarks.get(letter + "HEE"), poses.origins.get(letter + "TOE")
        if foot not in poses.segments or heel is None or toes is None:
            continue
        R_foot = poses.rotation(foot)
        toe = middle(rotate_back(R_foot, poses.origin(toes) - poses.origin(foot)))
        z = np.array([0.0, 0.0, 1.0])
        x = (toe - heel[1]) * (1.0, 1.0, 0.0)
        if not np.isfinite(x).all() or not np.linalg.norm(x):
            continue
        turn = columns(unit(x), cross(z, unit(x)), z)
        R_LS[:, poses.segments.index(foot)] = R_foot @ turn
        for name, (segment, point) in poses.landmarks.items():
            if segment == foot:
                landmarks[name] = (segment, turn.T @ point)
    return replace(poses, R_LS=R_LS, landmarks=landmarks)


def takes_poses(recording: Recording, model: str) -> bool:
    """Return whether the poses of a recording are processed instead of its markers.

    Parameters
    ----------
    recording : Recording
    model : str
        Of the options; the name of the table of the poses requests them.
    """
    poses = recording.poses
    if poses is None:
        return False
    poses_only = recording.labels == poses.landmark_names
    return model == poses.system or (model == "auto" and poses_only)


def posed(recording: Recording) -> tuple[Recording, ModelMatch]:
    """Return a recording whose markers are the landmarks of its poses, and its model.

    Raises
    ------
    ModelNotFound
        If neither leg is complete.
    FileRefused
        If the poses contradict their labels.
    """
    poses = recording.poses
    sides = [] if poses is None else legs_of(poses)
    if poses is None or not sides:
        found = "nothing" if poses is None else ", ".join(poses.segments)
        raise ModelNotFound(
            f"{recording.name}: segment poses of {found}; wanted pelvis, thigh, shank and foot of a"
            " leg: export all segments"
        )
    for side in sides:
        if contradiction := not_a_body(poses, side):
            raise FileRefused(
                f"{recording.name}: {contradiction}: sides are exchanged or the axes are not those"
                f" of {poses.system}; export the poses in the maker's own axes"
            )
    model = MarkerModel(poses.system, poses.title, "", "poses", {}, {})
    lacking: dict[str, list[str]] = {side: _lacking(poses, side) for side in SIDES}
    poses_only = recording.labels == poses.landmark_names
    places = dict(enumerate(recording.labels)) if poses_only else {}
    seen = _without_hidden(poses, recording) if poses_only else poses
    from gaitdyn.io.c3d.poses import pose_recording

    match = ModelMatch(model, places, sides, lacking)
    return pose_recording(recording, with_long_feet(seen)), match


def _without_hidden(poses: SegmentPoses, recording: Recording) -> SegmentPoses:
    """Return poses without those whose origin was left out as wild."""
    R_LS, origin = poses.R_LS.copy(), poses.origin_L.copy()
    for name, segment in poses.origins.items():
        i = poses.segments.index(segment)
        hidden = ~complete_rows(recording.marker(name))
        R_LS[hidden, i], origin[hidden, i] = np.nan, np.nan
    return replace(poses, R_LS=R_LS, origin_L=origin)


def _chain(side: str) -> tuple[str, ...]:
    return ("pelvis", *(f"{side} {name}" for name in SEGMENTS))


def pose_of_segments(
    poses: SegmentPoses,
    R_GL: Array,
    walking_G: Array,
    fixed: dict[str, tuple[tuple[str, int], ...]] | None = None,
) -> Pose:
    """Return pelvis and legs in G, frame by frame.

    Parameters
    ----------
    poses : SegmentPoses
    R_GL : array, shape (3, 3)
        Laboratory axes to G.
    walking_G : array, shape (3,)
        Unit horizontal walking direction.
    fixed : dict, optional
        Side -> angles that were not measured, as in :class:`gaitdyn.types.motion.LegPose`.
    """
    fixed = fixed or {}
    left, right = (
        LegPose(
            side,
            np.stack([R_GL @ poses.rotation(f"{side} {name}") for name in SEGMENTS], axis=1),
            np.stack([poses.origin(f"{side} {name}") @ R_GL.T for name in SEGMENTS], axis=1),
            shank_axis="maker",
            fixed=fixed.get(side, ()),
        )
        for side in SIDES
    )
    origin = poses.origin("pelvis") @ R_GL.T
    return Pose(R_GL @ poses.rotation("pelvis"), origin, left, right, walking_G)


def ends_of_feet(points_G: dict[str, Array], pose: Pose, side: str) -> tuple[Array, Array]:
    """Return heel and toe of a foot; ends that no pose shows are those of a typical foot.

    Parameters
    ----------
    points_G : dict
        Landmarks of the poses, shape (n, 3) each, m.
    pose : Pose
    side : {"left", "right"}
    """
    leg = pose.leg(side)
    unseen = np.full_like(leg.r_prox_G[:, 0], np.nan)
    heel, toe = (points_G.get(LETTER[side] + name, unseen) for name in ("HEE", "TOE"))
    return bridged_ends(*usual_ends(heel, toe, leg), leg)


def not_a_body(poses: SegmentPoses, side: str) -> str:
    """Return how the poses contradict their labels; empty if they do not.

    The hip must lie on the side of its label, knee and ankle below the segment above, and the toes
    ahead. Exchanged sides or axes other than those of the table violate one of these conditions.
    """
    up, forward = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    outward = np.array([0.0, 0.0, -SIGN[side]])
    toes = poses.origins.get(LETTER[side] + "TOE", "")
    for upper, lower, where, word in (
        ("pelvis", f"{side} thigh", outward, f"to the {side}"),
        (f"{side} thigh", f"{side} shank", -up, "below"),
        (f"{side} shank", f"{side} foot", -up, "below"),
        (f"{side} foot", toes, forward, "ahead"),
    ):
        if lower not in poses.segments:
            continue
        arm = middle(rotate_back(poses.rotation(upper), poses.origin(lower) - poses.origin(upper)))
        length = float(np.linalg.norm(arm))
        if np.isfinite(length) and length and arm @ where < _ALONG * length:
            start = ", ".join(f"{1000 * x:.0f}" for x in arm)
            return (
                f"the {lower} starts ({start}) mm ahead, up and right of the {upper}, wanted {word}"
            )
    return ""


def bone_lengths(poses: SegmentPoses, side: str) -> dict[str, Array]:
    """Return the length of thigh, shank and foot in every frame, shape (n,), m."""
    toes = poses.origins.get(LETTER[side] + "TOE", "")
    pairs = {"thigh": f"{side} shank", "shank": f"{side} foot", "foot": toes}
    return {
        name: np.linalg.norm(poses.origin(below) - poses.origin(f"{side} {name}"), axis=1)
        for name, below in pairs.items()
    }


def next_joints(poses: SegmentPoses, side: str) -> dict[str, Array]:
    """Return where the next joint of a leg is in each segment, in its axes, shape (n, 3), m.

    The hip in the pelvis, the knee in the thigh, the ankle in the shank, the toes in the foot.
    """
    toes = poses.origins.get(LETTER[side] + "TOE", "")
    chain = ("pelvis", f"{side} thigh", f"{side} shank", f"{side} foot", toes)
    return {
        own: rotate_back(poses.rotation(own), poses.origin(below) - poses.origin(own))
        for own, below in pairwise(chain)
    }


def posed_rungs(poses: SegmentPoses, sides: list[str]) -> tuple[Taken, ...]:
    """Return the rungs: where the joints and axes of segment poses come from."""
    return tuple(
        Taken(
            side, place, "segment-pose", (), "walk", _rule(poses, side, place),
            f"{poses.system}: {poses.title}",
        )
        for side in sides
        for place in _RULES
    )  # fmt: skip


def _rule(poses: SegmentPoses, side: str, place: Place) -> str:
    if place == "foot" and LETTER[side] + "HEE" in poses.landmarks:
        return "x from heel to toes, z that of the foot as the file stores it"
    return _RULES[place]
