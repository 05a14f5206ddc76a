"""The geometry of the rungs of knee, ankle and foot in one posture; points of shape (3,), G, m."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.ladder.rungs import RUNGS, USUAL, WIDTH, allowed, in_order
from gaitdyn.calibrate.plug_in_gait.joint_centres import chord, condyle_of_device
from gaitdyn.calibrate.plug_in_gait.segments import corrected_foot, foot_frame
from gaitdyn.core.rotations import columns, cross, unit
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.rungs import Place, Rung
from gaitdyn.types.subject import LETTER

_ASKEW = np.cos(np.radians(45.0))
"""A wand that points further than this from outward shows no joint axis; it only tracks."""

_MARKERS = {"knee": ("KJC", "KNE", "KNM", "THI"), "ankle": ("AJC", "ANK", "MED", "TIB")}
_TOES = {
    "heel-toe": ("TOE",),
    "heel-metatarsals": ("MT1", "MT5"),
    "heel-metatarsal-middle": ("MT1", "MT5"),
    "heel-metatarsal": ("MT5",),
    "heel-first-metatarsal": ("MT1",),
    "toe": ("TOE",),
    "metatarsals": ("MT1", "MT5"),
    "toe-stored-offsets": ("TOE",),
}
Marked = tuple["Array | None", ...]
Centre = tuple["Array", "Array | None"]
"""A joint centre, and the unit axis from it outward if it is known."""


@frozen(eq=False)
class JointRung:
    """A joint centre, the unit axis from it outward (None if not known) and its rung."""

    centre: Array
    outward: Array | None
    rung: Rung | None


@frozen(eq=False)
class FootFound:
    """Heel, toe and axes of a foot, NaN where not known, and the rung."""

    heel: Array
    toe: Array
    axes: Array
    rung: Rung | None


def find_joint(
    joint: Place,
    places: dict[str, Array],
    side: str,
    around: tuple[Array, Array, float],
    names: Sequence[str],
) -> JointRung:
    """Return a knee or ankle centre by the best rung whose landmarks are present.

    Parameters
    ----------
    joint : {"knee", "ankle"}
    places : dict
        Marker -> position.
    side : {"left", "right"}
    around : tuple
        Proximal joint centre; unit vector to the side of the body, from the segment above; distance
        of the centre from the lateral marker, NaN if the width is not known.
    names : sequence of str
        Rungs that may be used, best first; all if empty.
    """
    above, outward, distance = around
    words = [USUAL] if np.isfinite(above).all() else []
    words += [WIDTH] if words and np.isfinite(distance) and distance > 0 else []
    markers = [places.get(LETTER[side] + role) for role in _MARKERS[joint]]
    device = [places.get(LETTER[side] + role) for role in ("KAX", "KD1", "KD2")]
    data = _JointMarkers(side, above, outward, distance, tuple(markers), tuple(device))
    for rung in in_order(joint, names):
        if not allowed(rung, places, side, words) or rung.name not in _RULES:
            continue
        if (centre := _RULES[rung.name](data)) is not None:
            return JointRung(*centre, rung)
    return JointRung(np.full(3, np.nan), None, None)


@frozen(eq=False)
class _JointMarkers:
    """The input of the rungs of one joint; markers are centre, lateral, medial, wand."""

    side: str
    above: Array
    outward: Array
    distance: float
    markers: Marked
    device: Marked

    def by_width(self, lateral: Array, wand: Array) -> Centre:
        """Return the centre at a right angle, away from a wand."""
        centre = chord(self.above, lateral, wand, self.distance)
        return centre, unit(lateral - centre)


def _stored(data: _JointMarkers) -> Centre | None:
    centre, lateral, medial, _ = data.markers
    if centre is None:
        return None
    if lateral is None and medial is not None:
        lateral = 2 * centre - medial
    return centre, None if lateral is None else unit(lateral - centre)


def _middle(data: _JointMarkers) -> Centre | None:
    _, lateral, medial, _ = data.markers
    if lateral is None or medial is None:
        return None
    return 0.5 * (lateral + medial), unit(lateral - medial)


def _by_device(data: _JointMarkers) -> Centre | None:
    kax, kd1, kd2 = data.device
    if kax is None or kd1 is None or kd2 is None:
        return None
    return data.by_width(condyle_of_device(kax, kd1, kd2, data.side), kax)


def _by_wand(data: _JointMarkers) -> Centre | None:
    _, lateral, _, wand = data.markers
    if lateral is None or wand is None or not _points_out(data.above, lateral, wand, data.outward):
        return None
    return data.by_width(lateral, wand)


def _by_outward(data: _JointMarkers) -> Centre | None:
    lateral = data.markers[1]
    return None if lateral is None else data.by_width(lateral, lateral + data.outward)


def _by_usual_width(share: float) -> Callable[[_JointMarkers], Centre | None]:
    """Return the rule of a joint whose width nobody measured, with the share of its rung."""

    def centre(data: _JointMarkers) -> Centre | None:
        lateral = data.markers[1]
        if lateral is None:
            return None
        usual = share * float(np.linalg.norm(lateral - data.above))
        return replace(data, distance=usual).by_width(lateral, lateral + data.outward)

    return centre


_RULES: dict[str, Callable[[_JointMarkers], Centre | None]] = {
    "stored-centre": _stored,
    "two-condyles": _middle,
    "two-malleoli": _middle,
    "alignment-device": _by_device,
    "condyle-width-wand": _by_wand,
    "malleolus-width-wand": _by_wand,
    "condyle-width": _by_outward,
    "malleolus-width": _by_outward,
    **{rung.name: _by_usual_width(rung.share) for rung in RUNGS if rung.share},
}


def _points_out(above: Array, lateral: Array, wand: Array, outward: Array) -> bool:
    """Return whether a wand points outward, in projection along the segment."""
    along = unit(above - lateral)
    arm, side = (v - (v @ along) * along for v in (wand - lateral, outward))
    return bool(unit(arm) @ unit(side) > _ASKEW)


def find_foot(
    places: dict[str, Array],
    side: str,
    leg: tuple[Array, Array],
    stored: LegOffsets | None,
    names: Sequence[str],
    *,
    moving: bool,
) -> FootFound:
    """Return heel, toe and axes of a foot by the best rung whose landmarks are present.

    Parameters
    ----------
    places : dict
    side : {"left", "right"}
    leg : tuple
        Ankle centre, and the axis of the shank to the right.
    stored : LegOffsets, optional
        Offsets of an earlier static, stored in the file.
    names : sequence of str
        Rungs that may be used, best first; all if empty.
    moving : bool
        Nobody stands in the reference: the roll of a foot comes from the plane of its markers.
    """
    ankle, right = leg
    words = ["offsets"] * (stored is not None) + ["moving"] * moving
    heel = places.get(LETTER[side] + "HEE")
    empty = np.full(3, np.nan)
    for rung in in_order("foot", names):
        if not allowed(rung, places, side, words):
            continue
        toes = [places[LETTER[side] + role] for role in _TOES[rung.name]]
        toe = np.mean(toes, axis=0)
        if not np.isfinite(right).all():  # no shank that gives the roll of the foot
            break
        if heel is None:
            axes = foot_frame(ankle, toe, right)
            if stored is not None:
                axes = corrected_foot(axes, stored, side)
            return FootFound(empty, toe, axes, rung)
        if rung.name == "heel-metatarsals":
            tip = places.get(LETTER[side] + "TOE")
            axes = _plane_foot(heel, (toes[0], toes[1]), toe if tip is None else tip, right)
            return FootFound(heel, toe if tip is None else tip, axes, rung)
        return FootFound(heel, toe, foot_frame(heel, toe, right), rung)
    return FootFound(empty if heel is None else heel, empty, np.full((3, 3), np.nan), None)


def _plane_foot(heel: Array, heads: tuple[Array, Array], toe: Array, right: Array) -> Array:
    """Return axes with y normal to the plane of heel and both heads, x in it towards the toe."""
    y = unit(cross(heads[0] - heel, heads[1] - heel))
    y = y if y @ cross(right, toe - heel) > 0 else -y
    x = unit(toe - heel - ((toe - heel) @ y) * y)
    return columns(x, y, cross(x, y))
