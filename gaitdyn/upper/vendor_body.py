"""The upper body of a trial in the profile plug-in-gait."""

from __future__ import annotations

from gaitdyn.types.arrays import Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import LegBody, Pose
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject
from gaitdyn.types.upper import UpperBody
from gaitdyn.upper.angles import upper_angles
from gaitdyn.upper.markers import UpperPoseFound
from gaitdyn.upper.newton import Load
from gaitdyn.upper.vendor import find_trunk, generation
from gaitdyn.upper.vendor_centre import centre_of_mass
from gaitdyn.upper.vendor_loads import vendor_joints


def vendor_upper(
    upper: UpperPoseFound,
    pose: Pose,
    subject: Subject,
    recording: Recording,
    legs: dict[str, LegBody],
    hips: dict[str, tuple[Load, Mask]],
) -> UpperBody:
    """Return angles, centre of mass and loads as the vendor computes them.

    Parameters
    ----------
    upper : UpperPoseFound
    pose : Pose
        Pelvis and legs.
    subject : Subject
    recording : Recording
        Its software determines the generation of the trunk.
    legs : dict
        Side -> masses as fractions of the body and centres of mass.
    hips : dict
        Side -> load of the pelvis on the thigh, and the frames to show; empty without plates.
    """
    kind = generation(recording.software)
    trunk = find_trunk(upper.pose, pose, subject.marker_diameter_m or 0.0, kind)
    joints = {}
    if subject.mass_kg:
        joints = vendor_joints(upper.pose, pose, trunk, hips, subject.mass_kg, recording.rate_hz)
    com = centre_of_mass(upper.pose, pose, legs, trunk, kind)
    findings = list(upper.findings)
    if com is None:
        message = "no centre of mass of the body: the head, an arm or a leg has no markers"
        findings.append(Finding("info", "upper-body-partial", "upper body", message))
    words = {**upper.words, "generation": f"{kind} of the vendor's trunk ({recording.software})"}
    return UpperBody(
        pose=upper.pose,
        angles=upper_angles(upper.pose, pose),
        joints=joints,
        com_G=com,
        lengths_m={"neck_to_low_back": trunk.length_m},
        findings=tuple(findings),
        words=words,
    )
