"""The whole body as one mechanism: its trunk, its root, induced accelerations."""

from __future__ import annotations

from dataclasses import fields, replace

from gaitdyn.types.arrays import Array, Mask, Places
from gaitdyn.types.frozen import frozen

OTHER_SOURCES = ("trunk", "gravity", "velocity", "residual", "contact")
"""What accelerates the body in addition to the joints of the legs."""

PART_WORDS = ("m", "c", "g", "e")
"""Last words of the columns of ``generalised.csv``; these columns add up to the moment."""

INDUCED_WORDS = ("ankle", "knee", "hip", "other_leg", *OTHER_SOURCES)
"""Last words of the columns of ``induced.csv``; these columns add up to the acceleration."""


@frozen(eq=False)
class Trunk:
    """Head, arms and trunk as one rigid body, on a ball joint in the middle of the hip centres.

    Attributes
    ----------
    mass : float
        kg.
    height_m : float
        Height of its centre of mass above the joint.
    inertia : array, shape (3, 3)
        About the centre of mass, y along the trunk, kg m2.
    """

    mass: float
    height_m: float
    inertia: Array


@frozen(eq=False)
class HungPart:
    """A measured segment above the hips, on a ball joint of its parent, G, SI.

    Attributes
    ----------
    name, parent : str
    mass : float
        kg.
    inertia : array, shape (3, 3)
        About the centre of mass, segment axes, kg m2.
    R, place, turning, linear, angular, joint : arrays, shape (n, 3, 3) and (n, 3)
        In this order: axes, centre of mass, angular velocity, acceleration of the centre of mass,
        angular acceleration, joint with the parent.
    """

    name: str
    parent: str
    mass: float
    inertia: Array
    R: Array
    place: Array
    turning: Array
    linear: Array
    angular: Array
    joint: Array

    def part(self, frames: slice) -> HungPart:
        """Return the segment in a range of frames, without copying."""
        moving = ("R", "place", "turning", "linear", "angular", "joint")
        return replace(self, **{name: getattr(self, name)[frames] for name in moving})


@frozen(eq=False)
class UpperTree:
    """Pelvis, thorax, head and arms as they were measured.

    Attributes
    ----------
    mass : float
        Mass of the pelvis, kg.
    centre_P : array, shape (3,)
        Centre of mass of the pelvis from the middle of the hip centres, pelvis axes, m.
    inertia : array, shape (3, 3)
        Inertia of the pelvis about its centre of mass, kg m2.
    parts : tuple of HungPart
        Parents before their children.
    """

    mass: float
    centre_P: Array
    inertia: Array
    parts: tuple[HungPart, ...]

    def part(self, frames: slice) -> UpperTree:
        """Return the tree in a range of frames, without copying."""
        return replace(self, parts=tuple(part.part(frames) for part in self.parts))


@frozen(eq=False)
class PelvisMotion:
    """Motion of the root of the mechanism: the middle of the hip centres and the pelvis axes.

    Attributes
    ----------
    R_GP : array, shape (n, 3, 3)
    r_G, v_G, a_G : arrays, shape (n, 3)
        Middle of the hip centres, m, m/s, m/s2.
    omega_P, alpha_P : arrays, shape (n, 3)
        Pelvis axes, rad/s and rad/s2.
    """

    R_GP: Array
    r_G: Array
    v_G: Array
    a_G: Array
    omega_P: Array
    alpha_P: Array

    def part(self, frames: Mask | Places | slice) -> PelvisMotion:
        """Return the motion in some of its frames."""
        return PelvisMotion(*(getattr(self, field.name)[frames] for field in fields(self)))


@frozen(eq=False)
class InducedAcceleration:
    """Effect of every source on the body's centre of mass while the feet are fixed to the ground.

    Attributes
    ----------
    a_com_G : dict
        Source -> acceleration of the centre of mass, shape (n, 3), m/s2. The sources add up.
    force_G : dict
        Source -> force of the ground on all standing feet, shape (n, 3), N. These add up, too.
    total_G : array, shape (n, 3)
        Acceleration of the centre of mass of the model in the measured motion, m/s2.
    """

    a_com_G: dict[str, Array]
    force_G: dict[str, Array]
    total_G: Array
