"""A recorded walk, or a quiet stance, with its complete truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gaitdyn.synthetic.arrays import Array, Mask
from gaitdyn.synthetic.body import SIDES, Side
from gaitdyn.synthetic.clinical import Columns, angle_columns, ground_columns, load_columns
from gaitdyn.synthetic.gait import quiet_stance
from gaitdyn.synthetic.ground import (
    FootContact,
    Wrench,
    contacts,
    standing_wrenches,
    walking_wrenches,
)
from gaitdyn.synthetic.jets import angular_motion
from gaitdyn.synthetic.kinematics import Walker, pose
from gaitdyn.synthetic.loads import JointTruth, LegMotion, joint_loads, leg_motion
from gaitdyn.synthetic.markers import LABELS, markers
from gaitdyn.synthetic.plates import WalkwayPlate, lay_standing, lay_walkway, plate_wrench
from gaitdyn.synthetic.recording import Recording


@dataclass(frozen=True, slots=True)
class GaitEvent:
    """A foot strike or foot-off.

    Attributes
    ----------
    side : {"left", "right"}
    kind : {"foot_strike", "foot_off"}
    time_s : float
        Exact, on the clock of the file, s.
    """

    side: Side
    kind: Literal["foot_strike", "foot_off"]
    time_s: float


@dataclass(frozen=True, slots=True, eq=False)
class LegTruth:
    """One leg at the marker rate.

    Attributes
    ----------
    motion : LegMotion
    joints : JointTruth
    ground : Wrench
    known : mask, shape (n_frames,)
        False while the foot is on the ground but not on a plate: its loads are true, but cannot
        be known from a recording.
    """

    motion: LegMotion
    joints: JointTruth
    ground: Wrench
    known: Mask


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A trial and its truth, at the marker rate, G, SI.

    Parameters
    ----------
    walker, recording
        Settings of the trial.
    frame, time_s : array, shape (n_frames,)
        Frame numbers of the file and (frame - 1) / rate, s.
    labels : tuple of str
        Marker labels.
    markers_G : array, shape (n_frames, n_markers, 3)
        m, without noise or gaps.
    R_GP, omega_pelvis_S : array, shape (n_frames, 3, 3), (n_frames, 3)
        Pelvis axes in G; angular velocity in pelvis axes, rad/s.
    left, right : LegTruth
        Both legs.
    stances : tuple of FootContact
        All stances, times on the clock of the file.
    plates : tuple of WalkwayPlate
        In the order of the file.
    channels : array, shape (n_frames * analog_ratio, 6 * n_plates)
        N, N m, without noise or baseline.
    descriptions : tuple of str, optional
        Descriptions of the markers, for files that use one label twice; may be empty.
    """

    walker: Walker
    recording: Recording
    frame: NDArray[np.int64]
    time_s: Array
    labels: tuple[str, ...]
    markers_G: Array
    R_GP: Array
    omega_pelvis_S: Array
    left: LegTruth
    right: LegTruth
    stances: tuple[FootContact, ...]
    plates: tuple[WalkwayPlate, ...]
    channels: Array
    descriptions: tuple[str, ...] = ()

    def leg(self, side: Side) -> LegTruth:
        """Return one leg."""
        return self.left if side == "left" else self.right

    @property
    def events(self) -> tuple[GaitEvent, ...]:
        """Foot strikes and foot-offs within the trial, in order of time."""
        events = [GaitEvent(s.side, "foot_strike", s.strike_s) for s in self.stances]
        events += [GaitEvent(s.side, "foot_off", s.off_s) for s in self.stances]
        first, last = self.time_s[0], self.time_s[-1]
        inside = [event for event in events if first <= event.time_s <= last]
        return tuple(sorted(inside, key=lambda event: event.time_s))

    def columns(self) -> Columns:
        """Return the curves of ``timeseries.csv`` that have a truth, for all frames."""
        R_GW = self.walker.course.R_GW
        table = Columns(("time_s",), self.time_s[:, None])
        for side in SIDES:
            leg = self.leg(side)
            angles = angle_columns(side, R_GW.T @ self.R_GP, R_GW.T @ leg.motion.R_GS)
            loads = load_columns(side, leg.motion, leg.joints)
            ground = ground_columns(side, leg.ground, R_GW)
            table = table.joined(angles).joined(loads).joined(ground)
        return table


def walk(walker: Walker | None = None, recording: Recording | None = None) -> Walk:
    """Return a walking trial over the plates with its truth.

    Parameters
    ----------
    walker : Walker, optional
        Body, gait and course.
    recording : Recording, optional
        Rates and laboratory.
    """
    walker, recording = walker or Walker(), recording or Recording()
    time_s = recording.frame_times(recording.strides * walker.gait.stride_s)
    stances = contacts(walker, time_s[-1])
    plates, stances = lay_walkway(walker, stances, time_s[-1], recording.plates)
    return _over_plates(walker, recording, time_s, (stances, plates), walking_wrenches)


def stand(walker: Walker | None = None, recording: Recording | None = None) -> Walk:
    """Return a quiet stance of the same body, one foot on each of two plates.

    Parameters
    ----------
    walker : Walker, optional
        Body and course; the gait is replaced by quiet stance.
    recording : Recording, optional
        Rates and laboratory.
    """
    walker, recording = walker or Walker(), recording or Recording()
    walker = replace(walker, gait=quiet_stance())
    time_s = recording.frame_times(recording.static_s)
    plates = lay_standing(walker) if recording.static_plates else ()
    number = {side: i + 1 if plates else None for i, side in enumerate(SIDES)}
    stances = tuple(FootContact(side, -np.inf, np.inf, number[side]) for side in SIDES)
    return _over_plates(walker, recording, time_s, (stances, plates), standing_wrenches)


def _over_plates(
    walker: Walker,
    recording: Recording,
    time_s: Array,
    floor: tuple[tuple[FootContact, ...], tuple[WalkwayPlate, ...]],
    wrenches: Callable[[Walker, Array], list[Wrench]],
) -> Walk:
    """Return a trial from its stances and plates, and from the wrenches of both feet."""
    fine = recording.analog_times(len(time_s))
    feet = wrenches(walker, fine)
    on_plates = [plate_wrench(floor[0], i + 1, fine, *feet) for i in range(len(floor[1]))]
    ground = wrenches(walker, time_s)
    return recorded(walker, recording, (time_s, time_s), ground, (*floor, on_plates))


def recorded(
    walker: Walker,
    recording: Recording,
    when: tuple[Array, Array],
    ground: list[Wrench],
    floor: tuple[tuple[FootContact, ...], tuple[WalkwayPlate, ...], list[tuple[Array, Array]]],
) -> Walk:
    """Return the trial from times and stances that are counted from the first frame.

    Parameters
    ----------
    walker : Walker
    recording : Recording
    when : tuple of array, shape (n_frames,)
        Times of the frames, and of the walk that is shown in them, s.
    ground : list of Wrench
        Of the left and the right foot.
    floor : tuple
        Stances, plates, and force and moment on each plate.
    """
    stances, plates, wrenches = floor
    time_s, played = when
    poses = pose(walker, played)
    turning, _ = angular_motion(poses.R_GP)
    omega_G = (poses.R_GP.value @ turning[..., None])[..., 0]
    legs: list[LegTruth] = []
    for side, wrench in zip(SIDES, ground, strict=True):
        motion = leg_motion(walker.body, poses, side)
        joints = joint_loads(motion, wrench, omega_G)
        legs.append(LegTruth(motion, joints, wrench, _on_plates(side, stances, time_s)))
    channels = [plate.channels(*wrench) for plate, wrench in zip(plates, wrenches, strict=True)]
    empty = np.zeros((len(time_s) * recording.analog_ratio, 0))
    clock = recording.clock_s
    return Walk(
        walker=walker,
        recording=recording,
        frame=recording.first_frame + np.arange(len(time_s)),
        time_s=time_s + clock,
        labels=LABELS,
        markers_G=markers(walker.body, poses),
        R_GP=poses.R_GP.value,
        omega_pelvis_S=turning,
        left=legs[0],
        right=legs[1],
        stances=tuple(
            replace(s, strike_s=s.strike_s + clock, off_s=s.off_s + clock) for s in stances
        ),
        plates=plates,
        channels=np.concatenate([empty, *channels], axis=1),
    )


def _on_plates(side: Side, stances: tuple[FootContact, ...], time_s: Array) -> Mask:
    """Return False while the foot of a side is on the ground but not on a plate."""
    off_plates = np.zeros(len(time_s), dtype=bool)
    for s in stances:
        if s.side == side and s.plate is None:
            off_plates |= (time_s > s.strike_s) & (time_s < s.off_s)
    return ~off_plates
