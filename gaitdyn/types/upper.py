"""Trunk, head and arms: poses, loads, and the centre of mass of the body."""

from __future__ import annotations

from dataclasses import field

from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.chain import Chain
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import Side

ARM = ("hand", "forearm", "upper_arm")
"""Order of the segments of an arm, from distal to proximal."""

ARM_JOINTS = ("wrist", "elbow", "shoulder")
"""The proximal joint of each segment, in the same order."""


@frozen(arrays=True)
class ArmPose:
    """Joint centres and segment axes of one arm in G, segments hand, forearm, upper arm.

    Attributes
    ----------
    side : {"left", "right"}
    R_GS : array, shape (n, 3, 3, 3)
        Axes x forward, y up and z to the right when the arm hangs with the palm forward; z of
        forearm and upper arm is the elbow axis. NaN for a hand whose axes no marker shows.
    r_prox_G : array, shape (n, 3, 3)
        Wrist, elbow and shoulder centre, m.
    hand_G : array, shape (n, 3)
        Centre of the hand, at the knuckles, m.
    """

    side: Side
    R_GS: Array
    r_prox_G: Array
    hand_G: Array


@frozen(arrays=True)
class HeadPose:
    """The head in G.

    Attributes
    ----------
    R_GS : array, shape (n, 3, 3)
        x forward, y up, z to the right, level as in the static ("head level").
    front_G : array, shape (n, 3)
        Middle of the front markers, m.
    size_m : float
        Twice the distance of the front markers less a marker diameter, mean over the trial.
    offset_rad : float
        Rotation about z from the axes of the markers to those of the head.
    """

    R_GS: Array
    front_G: Array
    size_m: float
    offset_rad: float


@frozen(arrays=True)
class UpperPose:
    """Thorax, head and arms; parts without markers are None or left out.

    Attributes
    ----------
    R_GT : array, shape (n, 3, 3)
        Thorax axes x forward, y up, z to the right.
    thorax_G : array, shape (n, 3)
        Half a marker behind CLAV along the thorax, m.
    c7_G : array, shape (n, 3)
        The marker on the seventh cervical vertebra, m; NaN without it.
    head : HeadPose or None
    arms : dict
        Side -> ArmPose.
    """

    R_GT: Array
    thorax_G: Array
    c7_G: Array
    head: HeadPose | None
    arms: dict[str, ArmPose] = field(default_factory=dict[str, ArmPose])


@frozen(arrays=True)
class JointWrench:
    """Load and power at one joint.

    Attributes
    ----------
    force_G, moment_G : array, shape (n, 3)
        N, N m about the joint centre.
    power : array, shape (n,)
        W.
    R_GS : array, shape (n, 3, 3)
        Axes in which the load is shown.
    R_proximal : array, shape (n, 3, 3)
        Axes of the segment above the joint.
    published : array of bool, shape (n,)
        Frames in which the load may be shown.
    """

    force_G: Array
    moment_G: Array
    power: Array
    R_GS: Array
    R_proximal: Array
    published: Mask


@frozen(arrays=True)
class SoleEdge:
    """The sole of a foot, relative to the extrapolated centre of mass.

    Attributes
    ----------
    tip_G, toe_G : array, shape (n, 3)
        Tip of the toes and head of metatarsal II, relative to it, m; of use while the foot stands.
    border_m : array, shape (n,)
        Distance of the outer border of the sole from the head of metatarsal II.
    """

    tip_G: Array
    toe_G: Array
    border_m: Array

    def at(self, rows: slice) -> SoleEdge:
        """Return the edge in some frames."""
        return SoleEdge(self.tip_G[rows], self.toe_G[rows], self.border_m[rows])


@frozen(arrays=True)
class UpperBody:
    """Results for the body above the legs.

    Attributes
    ----------
    pose : UpperPose
    angles : dict
        Side -> ``trunk``, ``head``, ``spine``, ``neck``, ``shoulder``, ``elbow``, ``wrist`` ->
        array, shape (n, 3), deg.
    joints : dict
        ``left_wrist``, ``left_elbow``, ``left_shoulder`` and so on, ``waist``, ``neck`` ->
        JointWrench of the proximal on the distal segment: at the waist the pelvis on the thorax, at
        the neck the thorax on the head.
    com_G, com_velocity_G : array, shape (n, 3), or None
        Centre of mass of the whole body, m and m/s; None if a segment has no markers.
    closure_force_G, closure_moment_G : array, shape (n, 3), or None
        Load of pelvis on thorax at the waist: computed from feet and plates, less that computed
        from hands and head, N and N m.
    chains : dict
        Side -> Chain of hand, forearm and upper arm; empty with the vendor's numerics.
    edges : dict
        Side -> SoleEdge, for the margin of stability.
    lengths_m : dict
        Lengths used to place the masses.
    findings : tuple of Finding
    words : dict
        ``thorax``, ``head``, ``left_arm`` and so on -> landmarks and rule.
    """

    pose: UpperPose
    angles: dict[str, dict[str, Array]]
    joints: dict[str, JointWrench] = field(default_factory=dict[str, JointWrench])
    com_G: Array | None = None
    com_velocity_G: Array | None = None
    closure_force_G: Array | None = None
    closure_moment_G: Array | None = None
    chains: dict[str, Chain] = field(default_factory=dict[str, Chain])
    edges: dict[str, SoleEdge] = field(default_factory=dict[str, SoleEdge])
    lengths_m: dict[str, float] = field(default_factory=dict[str, float])
    findings: tuple[Finding, ...] = ()
    words: dict[str, str] = field(default_factory=dict[str, str])
