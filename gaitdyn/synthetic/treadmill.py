"""The walker on a treadmill: steady, at a changing speed, on split belts, stepping across.

The overground walk is seen from a frame that moves with it: the distance travelled by the belt is
subtracted from every position. At a steady speed forces and moments do not change (Galileo). At a
changing speed the walk is played faster or slower: positions are right, but loads are not known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import SIDES, Side
from gaitdyn.synthetic.ground import FootContact, Wrench, contacts, walking_wrenches
from gaitdyn.synthetic.kinematics import Walker
from gaitdyn.synthetic.plates import WalkwayPlate, foot_centre, plate_wrench
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.split import split_gait
from gaitdyn.synthetic.walk import LegTruth, Walk, recorded

BELT_M = (1.8, 0.5)
"""Length and width of a belt."""

INWARD_RAD = {"across": 0.2, "astride": 0.075}
"""Adduction of the hip that puts a foot on the other belt, or on both."""

_SENSOR_M = np.array([0.0, 0.0, 0.04])
_APART_M = 0.06


@dataclass(frozen=True, slots=True)
class Treadmill:
    """Settings of the treadmill.

    Attributes
    ----------
    change : float
        Change of speed from the first to the last third of the trial, as a share of the first.
    slow : float
        Speed of the belt on the side that follows, over the speed of the other belt.
    across, astride : tuple of (side, cycle)
        Stances on the other belt, and on both belts; 0 is the first strike after the phase zero of
        the course.
    single : bool
        One belt, with one plate below it, for both feet.
    """

    change: float = 0.0
    slow: float = 1.0
    across: tuple[tuple[Side, int], ...] = ()
    astride: tuple[tuple[Side, int], ...] = ()
    single: bool = False

    def __post_init__(self) -> None:
        """Refuse a second speed, and steps onto a second belt, where there is only one belt.

        Raises
        ------
        ValueError
        """
        of_two = {"slow": self.slow != 1.0, "across": self.across, "astride": self.astride}
        given = [name for name, value in of_two.items() if value]
        if self.single and given:
            raise ValueError(
                f"Treadmill(single=True): found {', '.join(given)}, which need two belts; wanted"
                " none of them: leave them out, or single"
            )


@dataclass(frozen=True, slots=True, eq=False)
class BeltWalk:
    """A walk on belts with its truth.

    Attributes
    ----------
    walk : Walk
        Motion, loads and stances in the laboratory; ``known`` is False while two feet are on one
        belt, and always if the speed changes.
    speed_m_s : dict
        Side -> speed of the belt on that side of the treadmill, shape (n_frames,).
    overground : Walker
        The same walk on the floor.
    """

    walk: Walk
    speed_m_s: dict[Side, Array]
    overground: Walker


def treadmill_walk(
    walker: Walker | None = None, recording: Recording | None = None, belts: Treadmill | None = None
) -> BeltWalk:
    """Return a walk on a treadmill with its truth.

    Parameters
    ----------
    walker : Walker, optional
        Walks along X of G.
    recording : Recording, optional
        ``strides`` sets the duration.
    belts : Treadmill, optional
    """
    walker, recording, belts = walker or Walker(), recording or Recording(), belts or Treadmill()
    walker = _stepping(walker, belts)
    gait = walker.gait
    speed = gait.stride_length * walker.body.leg_m / gait.stride_s
    time_s = recording.frame_times(recording.strides * gait.stride_s)
    fine = recording.analog_times(len(time_s))
    played, played_fine = (_played(t, time_s[-1], belts.change) for t in (time_s, fine))
    plates = _belts(walker, single=belts.single)
    stances = _on_plates(walker, contacts(walker, played[-1]), belts)
    wrenches = _plate_wrenches(walker, stances, (played_fine, speed), len(plates), belts)
    ground = [_shifted(foot, speed * played) for foot in walking_wrenches(walker, played)]
    clocked = _clocked(stances, played, time_s)
    trial = recorded(walker, recording, (time_s, played), ground, (clocked, plates, wrenches))
    trial = _in_laboratory(trial, speed * played, speed if belts.change == 0.0 else np.nan)
    trial = _with_known_loads(trial, clocked, time_s, changing=belts.change != 0.0)
    pace = np.gradient(played, time_s) * speed
    slow = {side: belts.slow if side != gait.lead else 1.0 for side in SIDES}
    return BeltWalk(trial, {side: slow[side] * pace for side in SIDES}, walker)


def _stepping(walker: Walker, belts: Treadmill) -> Walker:
    """Return the walker with the gait for these belts."""
    gait = walker.gait if belts.slow == 1.0 else split_gait(walker, belts.slow)
    inward = [(*step, INWARD_RAD["across"]) for step in belts.across]
    inward += [(*step, INWARD_RAD["astride"]) for step in belts.astride]
    return replace(walker, gait=replace(gait, inward=tuple(inward)))


def _played(time_s: Array, duration_s: float, change: float) -> Array:
    """Return the time in the walk that is played at a time of the recording, s.

    Its rate changes linearly from 1 to 1 + change in the middle third.
    """
    third = duration_s / 3.0
    ramp = np.clip(time_s - third, 0.0, third)
    return time_s + change * (ramp**2 / (2.0 * third) + np.maximum(time_s - 2.0 * third, 0.0))


def _belts(walker: Walker, *, single: bool) -> tuple[WalkwayPlate, ...]:
    """Return the plates below the belts: left and right of the path, or one."""
    x, y, z = walker.course.start_m
    length, width = BELT_M
    if single:
        return (WalkwayPlate(np.array([x, y, z]), 0, _SENSOR_M, (length, 2.0 * width)),)
    return tuple(
        WalkwayPlate(np.array([x, y, z + right]), 0, _SENSOR_M, BELT_M)
        for right in (-width / 2.0, width / 2.0)
    )


def _on_plates(
    walker: Walker, stances: tuple[FootContact, ...], belts: Treadmill
) -> tuple[FootContact, ...]:
    """Return the stances with the plate below the middle of the flat foot."""
    assigned: list[FootContact] = []
    for stance in stances:
        flat = stance.strike_s + 0.35 * (stance.off_s - stance.strike_s)
        right = float(foot_centre(walker, stance.side, flat)[2] - walker.course.start_m[2])
        number = 1 if belts.single or right < 0.0 else 2
        assigned.append(replace(stance, plate=number))
    return tuple(assigned)


def _plate_wrenches(
    walker: Walker,
    stances: tuple[FootContact, ...],
    when: tuple[Array, float],
    count: int,
    belts: Treadmill,
) -> list[tuple[Array, Array]]:
    """Return force and moment about the origin of G on each plate."""
    played, speed = when
    shifted = [_shifted(foot, speed * played) for foot in walking_wrenches(walker, played)]
    feet = dict(zip(SIDES, shifted, strict=True))
    astride = {(side, number) for side, number in belts.astride}
    whole = tuple(s for s in stances if (s.side, _cycle(walker, s)) not in astride)
    shared = tuple(s for s in stances if (s.side, _cycle(walker, s)) in astride)
    wrenches = [plate_wrench(whole, i + 1, played, *feet.values()) for i in range(count)]
    for stance in shared:
        foot = feet[stance.side]
        on = ((played > stance.strike_s) & (played < stance.off_s))[:, None]
        for i, right in enumerate((-_APART_M / 2.0, _APART_M / 2.0)):
            arm = np.cross([0.0, 0.0, right], 0.5 * foot.force_G)
            wrenches[i][0][:] += np.where(on, 0.5 * foot.force_G, 0.0)
            wrenches[i][1][:] += np.where(on, 0.5 * foot.moment_O_G + arm, 0.0)
    return wrenches


def _cycle(walker: Walker, stance: FootContact) -> int:
    """Return the number of the cycle that begins with a stance."""
    return round(float(walker.cycles(stance.side, np.array([stance.strike_s]))[0]))


def _shifted(wrench: Wrench, distance_m: Array) -> Wrench:
    """Return a ground wrench moved back along X by a distance."""
    back = np.zeros_like(wrench.force_G)
    back[:, 0] = -distance_m
    moment = wrench.moment_O_G + np.cross(back, wrench.force_G)
    return replace(wrench, moment_O_G=moment, cop_G=wrench.cop_G + back)


def _clocked(
    stances: tuple[FootContact, ...], played: Array, time_s: Array
) -> tuple[FootContact, ...]:
    """Return the stances at the times of the recording; beyond its ends at the rate there."""

    def when(tau: float) -> float:
        if tau <= played[0]:
            return float(tau)
        if tau >= played[-1]:
            rate = (played[-1] - played[-2]) / (time_s[-1] - time_s[-2])
            return float(time_s[-1] + (tau - played[-1]) / rate)
        return float(np.interp(tau, played, time_s))

    return tuple(replace(s, strike_s=when(s.strike_s), off_s=when(s.off_s)) for s in stances)


def _in_laboratory(trial: Walk, distance_m: Array, speed: float) -> Walk:
    """Return a trial with all positions moved back along X by the distance of the belt."""
    back = np.zeros((len(distance_m), 1, 3))
    back[:, 0, 0] = -distance_m

    def moved(leg: LegTruth) -> LegTruth:
        motion = leg.motion
        motion = replace(
            motion,
            r_prox_G=motion.r_prox_G + back,
            r_cm_G=motion.r_cm_G + back,
            v_cm_G=motion.v_cm_G - np.array([speed, 0.0, 0.0]),
        )
        return replace(leg, motion=motion)

    markers = trial.markers_G + back
    return replace(trial, markers_G=markers, left=moved(trial.left), right=moved(trial.right))


def _with_known_loads(
    trial: Walk, stances: tuple[FootContact, ...], time_s: Array, *, changing: bool
) -> Walk:
    """Return a trial whose loads count as unknown while both feet are on one belt."""
    on = np.zeros((len(time_s), 3), int)
    for s in stances:
        on[:, s.plate or 0] += (time_s > s.strike_s) & (time_s < s.off_s)
    alone = (on < 2).all(axis=1) & (not changing)  # noqa: PLR2004
    left, right = (replace(leg, known=leg.known & alone) for leg in (trial.left, trial.right))
    return replace(trial, left=left, right=right)
