"""A person in the reference position: markers, joint centres, axes and tracking templates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from gaitdyn.calibrate.hip_choice import OWN_RULE
from gaitdyn.core.rotations import unit
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.functional import FunctionalFit
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.rungs import ShankAxis, Taken
from gaitdyn.types.subject import Side, Subject

Template = tuple[tuple[str, ...], Array]
"""Markers that track a segment, and their positions in the reference position."""

JOINT_ABOVE = {"foot": "@ankle", "shank": "@knee", "thigh": "@hip"}
"""Segment -> the joint centre at its upper end."""


def points_told(points: Iterable[str], joined: str = ", ") -> str:
    """Return tracking points in words: joint centres by their joint, not as models name them.

    >>> points_told(("@knee", "LTIB"), " and ")
    'the knee centre and LTIB'
    """
    return joined.join(
        f"the {point[1:]} centre" if point.startswith("@") else point for point in points
    )


@frozen(eq=False)
class ReferenceLeg:
    """Landmarks of one leg in the reference position, G, m; axes as columns.

    Landmarks that no marker shows are NaN. ``axes`` and ``template`` are those of foot, shank and
    thigh; ``shank_axis`` is the axis that z of the shank follows.
    """

    side: Side
    hip: Array
    knee: Array
    ankle: Array
    heel: Array
    toe: Array
    malleolus: Array
    axes: tuple[Array, Array, Array]
    template: tuple[Template, Template, Template]
    shank_axis: ShankAxis = "malleoli"


@frozen(eq=False)
class Reference:
    """The pelvis and the legs in the reference position, with findings and the rungs used."""

    R_GP: Array
    origin: Array
    pelvis: Template
    legs: dict[str, ReferenceLeg]
    findings: list[Finding]
    taken: tuple[Taken, ...] = ()


@frozen(eq=False)
class Posture:
    """The positions of markers in the reference position, and rotations between segments.

    Attributes
    ----------
    places : dict
        Marker -> position, shape (3,), G, m.
    turns : dict
        ``left thigh``, ``left shank``, ``left foot`` ... -> mean rotation, shape (3, 3), of the
        segment above in this one over a stance, for axes that a segment takes from the one above;
        empty for a static.
    in_walk, in_static : frozenset of str
        Markers that are visible in each.
    """

    places: dict[str, Array]
    turns: dict[str, Array] = field(default_factory=dict[str, Array])
    in_walk: frozenset[str] = frozenset()
    in_static: frozenset[str] = frozenset()

    def axis(self, segment: str, axis: Array) -> Array:
        """Return an axis of the segment above relative to a segment, unit, shape (3,)."""
        turn = self.turns.get(segment)
        return axis if turn is None else unit(turn @ axis)


@frozen(eq=False)
class Person:
    """What is known of the person in addition to the markers.

    Attributes
    ----------
    subject : Subject
    hip : str
        Rule of the hip centres; that of the model is the stored centre, else Harrington.
    stored : dict
        Side -> offsets of an earlier static, stored in the files.
    functional_P : dict
        Side -> hip centre of a functional trial from the midpoint of the ASIS in pelvis axes, m.
    functional : dict
        ``hip_left``, ``knee_left`` and so on -> fit of the functional trial.
    """

    subject: Subject
    hip: str = OWN_RULE
    stored: dict[str, LegOffsets] = field(default_factory=dict[str, LegOffsets])
    functional_P: dict[str, Array] = field(default_factory=dict[str, Array])
    functional: dict[str, FunctionalFit] = field(default_factory=dict[str, FunctionalFit])
