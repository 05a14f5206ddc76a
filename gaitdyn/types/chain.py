"""One chain of segments, its inertia and its motion, as the equations of motion need them."""

from __future__ import annotations

from dataclasses import fields, replace

from gaitdyn.errors import ArrayShapeError
from gaitdyn.types.arrays import Array, Mask, Places, locked, real_array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import counted


@frozen(arrays=True)
class Chain:
    """A chain of rigid segments, ordered from the free (distal) end, and how it moves.

    The distal joint of segment i is the proximal joint of segment i - 1.

    Attributes
    ----------
    mass : array, shape (s,)
        kg.
    inertia_S : array, shape (s, 3, 3) or (n, s, 3, 3)
        kg m2 about the centre of mass, in segment axes. One matrix per frame only if a model lets
        the length of a segment change (the plug-in-gait profile does).
    R_GS : array, shape (n, s, 3, 3)
        Columns are the segment axes in G.
    r_cm_G, r_prox_G : arrays, shape (n, s, 3)
        Centre of mass and proximal joint centre, m.
    a_cm_G : array, shape (n, s, 3)
        Acceleration of the centre of mass without gravity, m/s2.
    omega_S, alpha_S : arrays, shape (n, s, 3)
        Angular velocity and acceleration in segment axes, rad/s and rad/s2.
    external_force_G, external_moment_G : arrays, shape (n, s, 3)
        External wrench on each segment, moment about its centre of mass, N and N m.
    gravity_G : array, shape (3,)
        m/s2.

    Raises
    ------
    ArrayShapeError
        When an array does not fit ``mass`` and ``R_GS``.
    """

    mass: Array
    inertia_S: Array
    R_GS: Array
    r_cm_G: Array
    r_prox_G: Array
    a_cm_G: Array
    omega_S: Array
    alpha_S: Array
    external_force_G: Array
    external_moment_G: Array
    gravity_G: Array

    def __post_init__(self) -> None:
        mass = locked("mass", self.mass, (None,))
        s = len(mass)
        try:
            R = locked("R_GS", self.R_GS, (None, s, 3, 3))
        except ArrayShapeError as error:
            raise ArrayShapeError(f"{error}; mass has {counted(s, 'segment')}") from None
        n = len(R)
        per_frame = real_array("inertia_S", self.inertia_S).ndim > 3  # noqa: PLR2004
        shapes = {
            "mass": (s,),
            "inertia_S": (n, s, 3, 3) if per_frame else (s, 3, 3),
            "R_GS": (n, s, 3, 3),
            "gravity_G": (3,),
        }
        for field in fields(self):
            shape = shapes.get(field.name, (n, s, 3))
            object.__setattr__(
                self, field.name, locked(field.name, getattr(self, field.name), shape)
            )
        if s == 0:
            raise ArrayShapeError("mass is empty, wanted at least one segment")

    def part(self, frames: Mask | Places | slice) -> Chain:
        """Return the chain in some of its frames."""
        constant = {"mass", "gravity_G", "" if self.inertia_S.ndim > 3 else "inertia_S"}  # noqa: PLR2004
        names = [field.name for field in fields(self) if field.name not in constant]
        return replace(self, **{name: getattr(self, name)[frames] for name in names})

    @property
    def n_frames(self) -> int:
        """Number of frames n."""
        return len(self.R_GS)

    @property
    def n_segments(self) -> int:
        """Number of segments s."""
        return len(self.mass)
