"""Pelvis and legs from closed-form angles, with exact velocities and accelerations."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import (
    SIDES,
    Side,
    WalkerBody,
    anatomical_in_uncorrected,
    hip_in_pelvis,
    sign,
)
from gaitdyn.synthetic.gait import Gait
from gaitdyn.synthetic.jets import Jet, fixed_turn, fourier_rows, turn


@dataclass(frozen=True, slots=True)
class Course:
    """The path of the walk and its start in time.

    Parameters
    ----------
    heading_rad : float
        Walking direction, right-handed about Y from X (positive turns to the left).
    start_m : tuple
        Point of the floor (G, m) below the steady path at time zero; y is the floor's height.
    start_phase : float
        Phase of the leading side at time zero, cycles.
    """

    heading_rad: float = 0.0
    start_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start_phase: float = -0.2 / 1.1

    @property
    def R_GW(self) -> Array:
        """Walking axes in G: x along the walking direction, y up, z right."""
        return fixed_turn("y", self.heading_rad)

    def mirrored(self) -> Course:
        """Return the course with left and right exchanged."""
        x, y, z = self.start_m
        return replace(self, heading_rad=-self.heading_rad, start_m=(x, y, -z))


@dataclass(frozen=True, slots=True)
class Walker:
    """A body with its gait and course.

    Attributes
    ----------
    body : WalkerBody
    gait : Gait
    course : Course
    """

    body: WalkerBody = field(default_factory=WalkerBody)
    gait: Gait = field(default_factory=Gait)
    course: Course = field(default_factory=Course)

    def mirrored(self) -> Walker:
        """Return the walker with left and right exchanged (z becomes -z)."""
        return Walker(self.body.mirrored(), self.gait.mirrored(), self.course.mirrored())

    def cycles(self, side: Side, time_s: Array) -> Array:
        """Return the phase of one side since its foot strike, in cycles (not wrapped)."""
        return time_s / self.gait.stride_s + self.course.start_phase - self.gait.lag(side)

    def strike_s(self, side: Side, number: int) -> float:
        """Return the time at which cycle ``number`` of a side begins, s."""
        start = number + self.gait.lag(side) - self.course.start_phase
        return start * self.gait.stride_s


@dataclass(frozen=True, slots=True, eq=False)
class WalkerLeg:
    """One leg at all times: segment frames (columns in G) and joint centres (G, m), as jets.

    ``R_GF`` is the anatomical foot.
    """

    R_GThigh: Jet
    R_GShank: Jet
    R_GF: Jet
    hip_G: Jet
    knee_G: Jet
    ankle_G: Jet


@dataclass(frozen=True, slots=True, eq=False)
class WalkerPose:
    """The whole walker at all times: pelvis frame, mid-ASIS (G, m) and both legs, as jets."""

    R_GP: Jet
    mid_asis_G: Jet
    left: WalkerLeg
    right: WalkerLeg

    def leg(self, side: Side) -> WalkerLeg:
        """Return one leg."""
        return self.left if side == "left" else self.right


def pose(walker: Walker, time_s: Array) -> WalkerPose:
    """Return the walker's frames and joint centres with exact derivatives.

    Parameters
    ----------
    walker : Walker
        Body, gait and course.
    time_s : array, shape (n_times,)
        s; may lie outside the trial.
    """
    R_GP = _pelvis(walker, time_s)
    hips = {side: hip_in_pelvis(walker.body, side) for side in SIDES}
    mid_hip = _mid_hip(walker, time_s)
    mid_asis = mid_hip - R_GP.apply((hips["left"] + hips["right"]) / 2.0)
    left, right = (
        _leg(walker, side, R_GP, mid_asis + R_GP.apply(hips[side]), time_s) for side in SIDES
    )
    return WalkerPose(R_GP, mid_asis, left, right)


def _pelvis(walker: Walker, time_s: Array) -> Jet:
    """Return R_GP = R_GW Rz(-tilt) Rx(sg obliquity) Ry(-sg rotation), sg of the leading side."""
    gait, sg = walker.gait, sign(walker.gait.lead)
    phase = 2.0 * np.pi * walker.cycles(gait.lead, time_s)
    tilt, obliquity, rotation = fourier_rows(gait.pelvis_angles, phase, gait.phase_rate)
    R_WP = turn("z", tilt * -1.0) @ turn("x", obliquity * sg) @ turn("y", rotation * -sg)
    R_GW = walker.course.R_GW
    return R_WP.through(lambda part: R_GW @ part)


def _mid_hip(walker: Walker, time_s: Array) -> Jet:
    """Return the mid-hip point in G, m: steady progress plus a periodic path."""
    gait, body, sg = walker.gait, walker.body, sign(walker.gait.lead)
    phase = 2.0 * np.pi * walker.cycles(gait.lead, time_s)
    forward, up, lead = (
        jet * body.leg_m for jet in fourier_rows(gait.pelvis_path, phase, gait.phase_rate)
    )
    speed = gait.stride_length * body.leg_m / gait.stride_s
    progress = Jet(speed * time_s, np.full_like(time_s, speed), np.zeros_like(time_s))
    parts = (forward + progress, up.plus(body.ankle_height_m), lead * -sg)
    R_WG = walker.course.R_GW.T

    def stacked(name: Literal["value", "rate", "accel"]) -> Array:
        """Return the parts as row vectors: v_G = v_W R_GW^T."""
        return np.stack([getattr(part, name) for part in parts], axis=-1) @ R_WG

    path = Jet(stacked("value"), lambda: stacked("rate"), lambda: stacked("accel"))
    return path.plus(np.array(walker.course.start_m))


def _leg(walker: Walker, side: Side, R_GP: Jet, hip: Jet, time_s: Array) -> WalkerLeg:
    """Return one leg from its hip centre downwards."""
    leg, gait, sg = walker.body.side(side), walker.gait, sign(side)
    phase = 2.0 * np.pi * walker.cycles(side, time_s)
    q = fourier_rows(gait.angles_of(side), phase, gait.phase_rate)
    for inward_side, number, angle in gait.inward:
        if inward_side == side:
            rate = gait.phase_rate / (2.0 * np.pi)
            landed = walker.cycles(side, time_s) - number
            q[1] = q[1] + _landed_inward(landed, gait.stance_of(side), rate) * angle
    R_GThigh = R_GP @ _cardan(q[0], q[1] * -sg, q[2] * -sg)
    R_GShank = R_GThigh @ _cardan(q[3] * -1.0, q[4] * -sg, q[5] * -sg)
    delta = q[6].plus(-leg.plantar_flexion_offset)
    uncorrected = R_GShank @ turn("z", delta) @ turn("y", q[7] * -sg)
    R_GF = uncorrected.apply(anatomical_in_uncorrected(walker.body, side))
    knee = hip - R_GThigh.apply(np.array([0.0, leg.thigh_m, 0.0]))
    ankle = knee - R_GShank.apply(np.array([0.0, leg.shank_m, 0.0]))
    return WalkerLeg(R_GThigh, R_GShank, R_GF, hip, knee, ankle)


def _landed_inward(cycles: Array, stance: float, rate: float) -> Jet:
    """Return a factor that rises from 0 to 1 in the swing before a stance and falls after it.

    The steps are quintic; their first and second derivatives vanish at both ends.

    Parameters
    ----------
    cycles : array, shape (n_times,)
        Cycles since the strike.
    stance : float
        Fraction of the cycle.
    rate : float
        Cycles per second.
    """
    width = 0.8 * (1.0 - stance)
    gap = 0.1 * (1.0 - stance)

    def step(start: float) -> Jet:
        u = np.clip((cycles - start) / width, 0.0, 1.0)
        value = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
        first = 30.0 * u**2 * (1.0 - u) ** 2 * (rate / width)
        second = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) * (rate / width) ** 2
        return Jet(value, first, second)

    return step(-gap - width) - step(stance + gap)


def _cardan(alpha: Jet, beta: Jet, gamma: Jet) -> Jet:
    """Return Rz(alpha) Rx(beta) Ry(gamma)."""
    return turn("z", alpha) @ turn("x", beta) @ turn("y", gamma)
