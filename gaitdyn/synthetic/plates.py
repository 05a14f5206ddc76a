"""Type 2 force plates under the walker: layout, corners, and the six channels of each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import SIDES, Side, foot_points
from gaitdyn.synthetic.ground import FootContact, Wrench
from gaitdyn.synthetic.kinematics import Walker, pose

LENGTH_M, WIDTH_M = 0.600, 0.400
_SENSOR_M = ((0.0011, -0.0007, 0.0413), (-0.0006, 0.0012, 0.0405), (0.0004, 0.0009, 0.0420))


@dataclass(frozen=True, slots=True, eq=False)
class WalkwayPlate:
    """One force plate with its long side along X of G.

    Parameters
    ----------
    centre_G : array, shape (3,)
        Centre of the surface, m.
    turns : int
        Quarter turns of the plate's axes about the downward vertical, from ex = X.
    sensor : array, shape (3,)
        Centre to sensor point, plate axes, m; z > 0, below the surface.
    size_m : tuple of float
        Along and across X of G for ``turns`` 0.
    """

    centre_G: Array
    turns: int
    sensor: Array
    size_m: tuple[float, float] = (LENGTH_M, WIDTH_M)

    @property
    def R_GK(self) -> Array:
        """Plate axes in G: z down, shape (3, 3)."""
        x, z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        around = (x, z, -x, -z)
        ex, ey = around[self.turns % 4], around[(self.turns + 1) % 4]
        return np.stack([ex, ey, np.cross(ex, ey)], axis=1)

    @property
    def corners_G(self) -> Array:
        """Corners in C3D order (+ +, - +, - -, + -) of plate x and y, shape (4, 3), m."""
        long_x = self.turns % 2 == 0
        half_x, half_y = np.array(self.size_m if long_x else self.size_m[::-1]) / 2
        signs = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])
        return self.centre_G + signs * [half_x, half_y, 0.0] @ self.R_GK.T

    @property
    def sensor_G(self) -> Array:
        """Sensor point in G, shape (3,), m."""
        return self.centre_G + self.R_GK @ self.sensor

    def channels(self, force_G: Array, moment_O_G: Array) -> Array:
        """Return the six channels for a wrench on the subject.

        Parameters
        ----------
        force_G, moment_O_G : array, shape (n, 3)
            N; N m about the origin of G.

        Returns
        -------
        array, shape (n, 6)
            Fx Fy Fz Mx My Mz on the subject, plate axes, moments about the sensor point, SI.
        """
        moment = moment_O_G - np.cross(self.sensor_G, force_G)
        return np.concatenate([force_G @ self.R_GK, moment @ self.R_GK], axis=1)


def lay_walkway(
    walker: Walker, stances: tuple[FootContact, ...], duration_s: float, count: int
) -> tuple[tuple[WalkwayPlate, ...], tuple[FootContact, ...]]:
    """Return plates under consecutive stances in the middle of the trial, and all stances.

    Parameters
    ----------
    walker : Walker
        The walker; times of the stances count from the first frame.
    stances : tuple of FootContact
        All stances of the trial, in the order of the strikes.
    duration_s : float
        Duration of the trial, s.
    count : int
        Number of plates; there are fewer if fewer stances are complete.
    """
    whole = [i for i, c in enumerate(stances) if c.strike_s > 0.0 and c.off_s < duration_s]
    spare = max(len(whole) - count, 0) // 2
    chosen = whole[spare : spare + count]
    plates = tuple(
        WalkwayPlate(_on_path(walker, stances[i]), number, np.array(_SENSOR_M[number % 3]))
        for number, i in enumerate(chosen)
    )
    marked = tuple(
        replace(c, plate=chosen.index(i) + 1) if i in chosen else c for i, c in enumerate(stances)
    )
    return plates, marked


def lay_standing(walker: Walker) -> tuple[WalkwayPlate, ...]:
    """Return two plates side by side, the left foot on the first, the right on the second."""
    feet = [foot_centre(walker, side, 0.0) for side in SIDES]
    middle = (feet[0] + feet[1]) / 2.0
    offset = np.array([0.0, 0.0, WIDTH_M / 2.0 + 0.002])
    return (
        WalkwayPlate(middle - offset, 0, np.array(_SENSOR_M[0])),
        WalkwayPlate(middle + offset, 0, np.array(_SENSOR_M[1])),
    )


def plate_wrench(
    stances: tuple[FootContact, ...], number: int, time_s: Array, left: Wrench, right: Wrench
) -> tuple[Array, Array]:
    """Return force and moment about the origin of G on one plate, each of shape (n, 3).

    Parameters
    ----------
    stances : tuple of FootContact
        Stances with their plates.
    number : int
        Number of the plate, from 1.
    time_s : array, shape (n,)
        s, on the clock of the stances.
    left, right : Wrench
        Of each foot.
    """
    force, moment = np.zeros((len(time_s), 3)), np.zeros((len(time_s), 3))
    for stance in stances:
        if stance.plate == number:
            foot = left if stance.side == "left" else right
            on = ((time_s > stance.strike_s) & (time_s < stance.off_s))[:, None]
            force += np.where(on, foot.force_G, 0.0)
            moment += np.where(on, foot.moment_O_G, 0.0)
    return force, moment


def _on_path(walker: Walker, stance: FootContact) -> Array:
    """Return the point of the steady path next to the flat foot of a stance, on the floor, G, m."""
    flat_s = stance.strike_s + 0.35 * (stance.off_s - stance.strike_s)
    start, R_GW = np.array(walker.course.start_m), walker.course.R_GW
    along = (foot_centre(walker, stance.side, flat_s) - start) @ R_GW[:, 0]
    return start + along * R_GW[:, 0]


def foot_centre(walker: Walker, side: Side, time_s: float) -> Array:
    """Return the midpoint of HEE and TOE of a foot at one time, on the floor, G, m."""
    leg, points = pose(walker, np.array([time_s])).leg(side), foot_points(walker.body, side)
    middle = (points["heel"] + points["toe"]) / 2.0
    centre = (leg.ankle_G.value + leg.R_GF.value @ middle)[0]
    centre[1] = walker.course.start_m[1]
    return centre
