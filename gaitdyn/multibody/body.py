"""One body of a tree and the joint that connects it to its parent."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from gaitdyn.errors import TreeRefused
from gaitdyn.multibody.joints import SIZES, Joint
from gaitdyn.types.arrays import Array, locked
from gaitdyn.types.frozen import frozen

_SMALL = 1e-9


@frozen(eq=False)
class Body:
    """A rigid body, the position of its joint in the parent, and the type of that joint.

    Attributes
    ----------
    name, parent : str
        The parent's name, or ``None`` for the world.
    joint : {"free", "ball", "cardan", "revolute", "prismatic", "fixed"}
        Coordinates and velocities are defined in :mod:`gaitdyn.multibody.joints`.
    mass : float
        kg.
    com : array, shape (3,)
        Centre of mass from the body's origin, in the body's axes, m.
    inertia : array, shape (3, 3)
        About the centre of mass, in the body's axes, constant, kg m2.
    p : array, shape (3,)
        Position of the joint, from the parent's origin in the parent's axes, m.
    axis : array, shape (3,)
        Axis of a revolute or prismatic joint, in the axes of the joint; made a unit vector.
    R0 : array, shape (3, 3)
        Axes of the joint in the parent's axes. If all coordinates are zero, the body has these
        axes and its origin is at ``p``.

    Raises
    ------
    TreeRefused
        If no body can have these numbers.

    Examples
    --------
    >>> Body("rod", None, "revolute", mass=2.0, com=[0.0, -0.5, 0.0]).axis
    array([0., 0., 1.])
    """

    name: str
    parent: str | None
    joint: Joint
    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    p: Array = field(default_factory=lambda: np.zeros(3))
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    R0: Array = field(default_factory=lambda: np.eye(3))

    def __post_init__(self) -> None:
        """Check and lock the arrays."""
        if self.joint not in SIZES:
            message = f"{self.name}: unknown joint {self.joint!r}, wanted {', '.join(SIZES)}"
            raise TreeRefused(message)
        for name, shape in (
            ("com", (3,)), ("inertia", (3, 3)), ("p", (3,)), ("axis", (3,)), ("R0", (3, 3)),
        ):  # fmt: skip
            array = locked(f"{name} of {self.name}", getattr(self, name), shape)
            if not np.isfinite(array).all():
                raise TreeRefused(f"{self.name}: {name} has a value that is not a number")
            object.__setattr__(self, name, array)
        self._check_inertia()
        self._check_joint()

    def _check_inertia(self) -> None:
        if not (np.isfinite(self.mass) and self.mass >= 0.0):
            raise TreeRefused(f"{self.name}: a mass of {self.mass} kg, wanted zero or more")
        largest = np.abs(self.inertia).max()
        if np.abs(self.inertia - self.inertia.T).max() > _SMALL * largest:
            raise TreeRefused(f"{self.name}: the inertia tensor is not symmetric")
        if np.linalg.eigvalsh(self.inertia)[0] < -_SMALL * largest:
            raise TreeRefused(f"{self.name}: the inertia tensor has a negative principal moment")

    def _check_joint(self) -> None:
        length = np.linalg.norm(self.axis)
        if length == 0.0:
            raise TreeRefused(f"{self.name}: the axis of its joint has length 0")
        object.__setattr__(self, "axis", locked("axis", self.axis / length, (3,)))
        if np.abs(self.R0.T @ self.R0 - np.eye(3)).max() > _SMALL or np.linalg.det(self.R0) < 0:
            raise TreeRefused(f"{self.name}: R0 is not a rotation matrix")
        placed = bool(self.p.any()) or bool((np.eye(3) != self.R0).any())
        if self.joint == "free" and (self.parent is not None or placed):
            raise TreeRefused(
                f"{self.name}: a free joint connects a body to the world with p = 0 and R0 = 1;"
                " give its position in the coordinates"
            )
