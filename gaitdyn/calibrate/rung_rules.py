"""The geometry of the rungs of knee, ankle and foot, in one posture; points of shape (3,), G, m."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.joint_centres import chord
from gaitdyn.calibrate.rungs import WIDTH, allowed, in_order
from gaitdyn.calibrate.segments import corrected_foot, foot_frame
from gaitdyn.core.rotations import columns, cross, unit
from gaitdyn.types.subject import LETTER, SIGN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.motion import LegOffsets
    from gaitdyn.types.rungs import Place, Rung

_ASKEW = np.cos(np.radians(45.0))
"""A wand that points farther than this from outward shows no joint axis, it only tracks."""

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
"""A joint centre, and the unit axis from it outward where it is known."""


@dataclass(frozen=True, slots=True, eq=False)
class JointRung:
    """A joint centre, the unit axis from it outward (None where not known) and its rung."""

    centre: Array
    outward: Array | None
    rung: Rung | None


@dataclass(frozen=True, slots=True, eq=False)
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
    """Return a knee or an ankle centre by the best rung whose landmarks are there.

    Parameters
    ----------
    joint : {"knee", "ankle"}
    places : dict
        Marker -> place.
    side : {"left", "right"}
    around : tuple
        Proximal joint centre; unit vector to the side of the body, by the segment above; distance
        of the centre from the lateral marker, NaN where the width is not known.
    names : sequence of str
        Rungs that may be taken, best first; all when empty.
    """
    above, outward, distance = around
    words = [WIDTH] if np.isfinite(distance) and distance > 0 and np.isfinite(above).all() else []
    markers = [places.get(LETTER[side] + role) for role in _MARKERS[joint]]
    device = [places.get(LETTER[side] + role) for role in ("KAX", "KD1", "KD2")]
    seen = _JointMarkers(side, above, outward, distance, tuple(markers), tuple(device))
    for rung in in_order(joint, names):
        if not allowed(rung, places, side, words):
            continue
        found = _RULES[rung.name](seen) if rung.name in _RULES else None
        if found is not None:
            return JointRung(*found, rung)
    return JointRung(np.full(3, np.nan), None, None)


@dataclass(frozen=True, slots=True, eq=False)
class _JointMarkers:
    """What the rungs of one joint ask for; markers: centre, lateral, medial, wand."""

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


def _stored(seen: _JointMarkers) -> Centre | None:
    centre, lateral, medial, _ = seen.markers
    if centre is None:
        return None
    if lateral is None and medial is not None:
        lateral = 2 * centre - medial
    return centre, None if lateral is None else unit(lateral - centre)


def _middle(seen: _JointMarkers) -> Centre | None:
    _, lateral, medial, _ = seen.markers
    if lateral is None or medial is None:
        return None
    return 0.5 * (lateral + medial), unit(lateral - medial)


def _by_device(seen: _JointMarkers) -> Centre | None:
    kax, kd1, kd2 = seen.device
    if kax is None or kd1 is None or kd2 is None:
        return None
    return seen.by_width(_behind(kax, kd1, kd2, seen.side), kax)


def _by_wand(seen: _JointMarkers) -> Centre | None:
    _, lateral, _, wand = seen.markers
    if lateral is None or wand is None or not _points_out(seen.above, lateral, wand, seen.outward):
        return None
    return seen.by_width(lateral, wand)


def _by_outward(seen: _JointMarkers) -> Centre | None:
    lateral = seen.markers[1]
    return None if lateral is None else seen.by_width(lateral, lateral + seen.outward)


def _marker_itself(seen: _JointMarkers) -> Centre | None:
    lateral = seen.markers[1]
    return None if lateral is None else (lateral, None)


_RULES: dict[str, Callable[[_JointMarkers], Centre | None]] = {
    "stored-centre": _stored,
    "two-condyles": _middle,
    "two-malleoli": _middle,
    "alignment-device": _by_device,
    "condyle-width-wand": _by_wand,
    "malleolus-width-wand": _by_wand,
    "condyle-width": _by_outward,
    "malleolus-width": _by_outward,
    "condyle": _marker_itself,
    "malleolus": _marker_itself,
}


def _points_out(above: Array, lateral: Array, wand: Array, outward: Array) -> bool:
    """Return whether a wand stands outside its segment, seen along the segment."""
    along = unit(above - lateral)
    arm, side = (v - (v @ along) * along for v in (wand - lateral, outward))
    return bool(unit(arm) @ unit(side) > _ASKEW)


def _behind(kax: Array, kd1: Array, kd2: Array, side: str) -> Array:
    """Return the condyle that a knee alignment device shows.

    The device's three markers stand at the corner of a cube: the point behind their triangle, as
    far as the mean of its sides asks.
    """
    normal = unit(cross(kd1 - kax, kd2 - kax))
    sides = sum(float((a - b) @ (a - b)) for a, b in ((kax, kd1), (kd1, kd2), (kd2, kax)))
    return (kax + kd1 + kd2) / 3.0 - SIGN[side] * normal * np.sqrt(sides / 18.0)


def find_foot(
    places: dict[str, Array],
    side: str,
    leg: tuple[Array, Array],
    stored: LegOffsets | None,
    names: Sequence[str],
    *,
    moving: bool = False,
) -> FootFound:
    """Return heel, toe and axes of a foot by the best rung whose landmarks are there.

    Parameters
    ----------
    places : dict
    side : {"left", "right"}
    leg : tuple
        Ankle centre, and the axis of the shank to the right.
    stored : LegOffsets, optional
        Offsets of an earlier static that the file stores.
    names : sequence of str
        Rungs that may be taken, best first; all when empty.
    moving : bool
        Nobody stands in the reference: the roll of a foot comes from its own plane.
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
        if not np.isfinite(right).all():  # no shank whose roll the foot could have
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
    """Return axes with y square to the plane of heel and both heads, x towards the toe in it."""
    y = unit(cross(heads[0] - heel, heads[1] - heel))
    y = y if y @ cross(right, toe - heel) > 0 else -y
    x = unit(toe - heel - ((toe - heel) @ y) * y)
    return columns(x, y, cross(x, y))


__all__ = ["FootFound", "JointRung", "find_foot", "find_joint"]
