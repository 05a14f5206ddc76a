"""Ground reaction forces: one wrench per plate, one wrench per foot."""

from __future__ import annotations

from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import computed_late


@frozen(arrays=True)
class PlateWrench:
    """Wrench of one plate on the subject.

    Attributes
    ----------
    number : int
        As in the file, from 1.
    corners_G : array, shape (4, 3)
        m.
    centre_G : array, shape (3,)
        Centre of the surface, about which the moment is taken, m.
    normal_G : array, shape (3,)
        Unit normal, upwards.
    force_G, moment_G : arrays, shape (n, 3)
        On the subject at the marker rate, N and N m.
    edge_force_G : array, shape (n, 3), or None
        The force from the samples within half a frame of each frame, for the edges of contacts;
        None if it is ``force_G``.
    standing, seen : arrays of bool, shape (n,), or None
        When the markers of a foot are over the plate, and when any feet are visible
        (:func:`gaitdyn.core.places.feet_over`), computed when first read; None if no markers are
        known.
    virtual : bool
        Whether the wrench was given without a plate. Then its corners and baseline judge nothing.
    """

    number: int
    corners_G: Array
    centre_G: Array
    normal_G: Array
    force_G: Array
    moment_G: Array
    edge_force_G: Array | None = None
    standing: Mask | None = None
    seen: Mask | None = None
    virtual: bool = False

    @property
    def up(self) -> Array:
        """Upward force for the edges of contacts, shape (n,), N."""
        force = self.force_G if self.edge_force_G is None else self.edge_force_G
        return force @ self.normal_G


computed_late(PlateWrench, "standing", "seen")


@frozen(arrays=True)
class FootWrench:
    """Wrench of the ground on one foot, for any number of plates under it.

    Attributes
    ----------
    force_G : array, shape (n, 3)
        N; zero in swing, NaN if a foot stands and no plate measures its force.
    moment_G : array, shape (n, 3)
        About the origin of G, N m.
    cop_G : array, shape (n, 3)
        Centre of pressure on the plate, m; NaN below the threshold.
    free_moment : array, shape (n,)
        About the upward normal at the centre of pressure, N m; NaN below the threshold.
    in_contact : array of bool, shape (n,)
    """

    force_G: Array
    moment_G: Array
    cop_G: Array
    free_moment: Array
    in_contact: Mask
