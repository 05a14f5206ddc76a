"""Functional trials, in which a joint is moved on purpose, and the centre or axis found."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal

from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES, Side

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.recording import Recording

FunctionalJoint = Literal["hip", "knee"]
FUNCTIONAL_JOINTS: tuple[FunctionalJoint, ...] = ("hip", "knee")
FUNCTIONAL_KEYS = tuple(f"{joint}_{side}" for joint in FUNCTIONAL_JOINTS for side in SIDES)
"""Keys of ``--functional`` and of the table ``[functional]``."""


@frozen(eq=False)
class FunctionalTrial:
    """A functional trial as read.

    Attributes
    ----------
    joint : {"hip", "knee"}
    side : {"left", "right"}
    recording : Recording
        Markers under the names of the session's walk and static.
    roles : dict
        Index in its labels -> our name of the marker, such as ``LTH1``.
    """

    joint: FunctionalJoint
    side: Side
    recording: Recording
    roles: dict[int, str]

    @property
    def key(self) -> str:
        """Such as ``hip_left``."""
        return f"{self.joint}_{self.side}"


@frozen(eq=False)
class FunctionalFit:
    """A joint centre or axis from a functional trial, in the frame of the segment above it.

    Attributes
    ----------
    joint : {"hip", "knee"}
    side : {"left", "right"}
    name : str
        File name.
    labels : tuple of str
        Markers of the pelvis (hip) or the thigh (knee) that carry it.
    places : array, shape (m, 3)
        Mean positions of these markers, m.
    point : array, shape (3,)
        The centre, or a point on the axis, in the same coordinates, m.
    axis : array, shape (3,)
        Unit vector along the axis; NaN for a centre.
    distal : tuple of str
        Markers of the segment below.
    singular : array, shape (6,)
        Normalised singular values of the equations, in descending order.
    residual_m, cluster_m, halves_m : float
        Root mean square distance between the two points of a frame; the same between the markers
        and their rigid shape; distance between the points from the first and the second half of the
        frames.
    range_rad : array, shape (3,)
        Range of the rotation vector of the segment below relative to the one above, along its
        principal axes, rad; the one of the largest variance first.
    apart_rad, about_rad : float
        For an axis: root mean square angle between its directions in both segments, and the range
        of rotation about it.
    condyles_rad, middle_m : float
        For an axis: its angle to the line through both condyle markers in the static or the walk,
        and the distance of their middle from it; NaN without them.
    findings : tuple of Finding
    """

    joint: FunctionalJoint
    side: Side
    name: str
    labels: tuple[str, ...]
    places: Array
    point: Array
    axis: Array
    distal: tuple[str, ...]
    singular: Array
    residual_m: float
    cluster_m: float
    halves_m: float
    range_rad: Array
    apart_rad: float = float("nan")
    about_rad: float = float("nan")
    condyles_rad: float = float("nan")
    middle_m: float = float("nan")
    findings: tuple[Finding, ...] = field(default=())

    @property
    def condition(self) -> float:
        """Largest over smallest singular value."""
        return float(self.singular[0] / self.singular[-1])

    @property
    def hinge(self) -> float:
        """Fifth over sixth singular value: how well the axis stands out from other directions."""
        return float(self.singular[4] / self.singular[5])

    @property
    def words(self) -> str:
        """How well the centre or axis is determined, in words."""
        if self.joint == "hip":
            return (
                f"residual {1000 * self.residual_m:.1f} mm, condition {self.condition:.1f}, halves"
                f" {1000 * self.halves_m:.1f} mm apart"
            )
        return (
            f"residual {1000 * self.residual_m:.1f} mm, singular values 5 to 6 {self.hinge:.1f},"
            f" {_deg(self.about_rad):.0f} degrees about it, axes of thigh and shank"
            f" {_deg(self.apart_rad):.1f} degrees apart{self._condyle_words}"
        )

    @property
    def _condyle_words(self) -> str:
        if self.condyles_rad != self.condyles_rad:  # NaN
            return ""
        return (
            f", {_deg(self.condyles_rad):.1f} degrees from the line of the condyle markers, whose"
            f" middle is {1000 * self.middle_m:.0f} mm off it"
        )


def _deg(angle: float) -> float:
    return angle * 57.29577951308232
