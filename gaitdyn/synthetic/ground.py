"""Ground reaction of each foot: force, centre of pressure and free moment as functions of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.synthetic.arrays import Array, Mask
from gaitdyn.synthetic.body import GRAVITY, SIDES, Side, foot_points, sign
from gaitdyn.synthetic.kinematics import Walker, WalkerPose, pose


@dataclass(frozen=True, slots=True, eq=False)
class Wrench:
    """Ground wrench on one foot, G, SI.

    Parameters
    ----------
    force_G, moment_O_G : array, shape (n_times, 3)
        N, on the subject; N m about the origin of G. Exactly zero out of contact.
    cop_G : array, shape (n_times, 3)
        m, on the floor; NaN out of contact.
    free_moment : array, shape (n_times,)
        N m about the vertical through the centre of pressure; NaN out of contact.
    """

    force_G: Array
    moment_O_G: Array
    cop_G: Array
    free_moment: Array


def walking_wrenches(walker: Walker, time_s: Array) -> list[Wrench]:
    """Return the ground wrenches of the left and the right foot in walking, at any times.

    Parameters
    ----------
    walker : Walker
        Body, gait and course.
    time_s : array, shape (n_times,)
        s.
    """
    poses, weight = pose(walker, time_s), walker.gait.load * walker.body.mass_kg * GRAVITY
    wrenches = []
    for side in SIDES:
        u = np.mod(walker.cycles(side, time_s), 1.0) / walker.gait.stance_of(side)
        touching = (u > 0.0) & (u < 1.0)
        share, free = _shape(np.where(touching, u, 0.0), sign(side))
        force_G = weight * share @ walker.course.R_GW.T
        cop = _pressure_path(walker, side, poses, u)
        wrenches.append(_wrench(force_G, cop, weight * free, touching))
    return wrenches


def standing_wrenches(walker: Walker, time_s: Array) -> list[Wrench]:
    """Return the ground wrenches of both feet in quiet stance: 52 % of the weight on the right.

    Parameters
    ----------
    walker : Walker
        Body and position.
    time_s : array, shape (n_times,)
        s.
    """
    poses, n = pose(walker, time_s), len(time_s)
    wrenches = []
    for side, share in zip(SIDES, (0.48, 0.52), strict=True):
        force = np.array([0.0, share * walker.body.mass_kg * GRAVITY, 0.0])
        cop = _pressure_path(walker, side, poses, np.full(n, 0.4))
        wrenches.append(_wrench(np.tile(force, (n, 1)), cop, np.zeros(n), np.ones(n, dtype=bool)))
    return wrenches


def _wrench(force_G: Array, cop_G: Array, free: Array, touching: Mask) -> Wrench:
    """Return the wrench with its moment about the origin of G; zero or NaN out of contact."""
    moment = np.cross(cop_G, force_G)
    moment[:, 1] += free
    on = touching[:, None]
    return Wrench(
        np.where(on, force_G, 0.0),
        np.where(on, moment, 0.0),
        np.where(on, cop_G, np.nan),
        np.where(touching, free, np.nan),
    )


def _shape(u: Array, sg: float) -> tuple[Array, Array]:
    """Return force (body weights, walking axes) and free moment (body weights x m) over a stance.

    The window (1 - cos^24 pi u)^2 rises as u^4 at both ends, so that three derivatives are
    continuous. It multiplies a double hump, braking then propulsion, and a medial push.
    """
    window = (1.0 - np.cos(np.pi * u) ** 24) ** 2
    once, twice, thrice = (2.0 * np.pi * k * u for k in (1, 2, 3))
    forward = -0.130 * np.sin(once) - 0.080 * np.sin(twice) - 0.020 * np.sin(thrice)
    up = 0.95 - 0.16 * np.cos(twice) - 0.02 * np.cos(once)
    right = sg * (0.042 - 0.012 * np.cos(twice))
    free = sg * (0.002 - 0.006 * np.sin(once))
    force = np.stack([forward, up, right], axis=-1)
    return window[:, None] * force, window * free


def _pressure_path(walker: Walker, side: Side, poses: WalkerPose, u: Array) -> Array:
    """Return the centre of pressure on the floor, which moves with u from heel to toes."""
    foot = poses.leg(side)
    R_GF, points = foot.R_GF.value, foot_points(walker.body, side)
    ball = foot.ankle_G.value + R_GF @ points["ball"]
    along = R_GF[:, :, 0] * [1.0, 0.0, 1.0]
    along = along / np.linalg.norm(along, axis=-1, keepdims=True)
    across = np.cross([0.0, -1.0, 0.0], along)
    reach = 0.15 + 1.04 * u - 0.06 * np.sin(2.0 * np.pi * u) + 0.05 * np.sin(4.0 * np.pi * u)
    length = walker.body.side(side).heel_to_toe_m
    outward = -sign(side) * 0.008 * np.sin(np.pi * u)
    cop = ball + ((reach - 1.0) * length)[:, None] * along + outward[:, None] * across
    cop[:, 1] = walker.course.start_m[1]
    return cop


@dataclass(frozen=True, slots=True)
class FootContact:
    """One stance of one foot.

    Attributes
    ----------
    side : {"left", "right"}
    strike_s, off_s : float
        Exact times, s.
    plate : int or None
        The plate under the foot, from 1; None if the foot is not on a plate.
    """

    side: Side
    strike_s: float
    off_s: float
    plate: int | None = None


def contacts(walker: Walker, duration_s: float) -> tuple[FootContact, ...]:
    """Return every stance that overlaps the trial, in the order of the strikes.

    Parameters
    ----------
    walker : Walker
        Body, gait and course.
    duration_s : float
        The trial is [0, duration_s], s.
    """
    stance_s = {side: walker.gait.stance_of(side) * walker.gait.stride_s for side in SIDES}
    ends = np.array([0.0, duration_s])
    numbers = {side: np.floor(walker.cycles(side, ends)).astype(int) for side in SIDES}
    stances = [
        FootContact(side, strike, strike + stance_s[side])
        for side in SIDES
        for number in range(numbers[side][0] - 1, numbers[side][1] + 2)
        if (strike := walker.strike_s(side, number)) < duration_s and strike + stance_s[side] > 0.0
    ]
    return tuple(sorted(stances, key=lambda contact: contact.strike_s))
