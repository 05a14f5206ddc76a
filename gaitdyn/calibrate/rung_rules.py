"""The geometry of the rungs of knee, ankle and foot, in one posture; points of shape (3,), G, m."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.joint_centres import chord
from gaitdyn.calibrate.markers import LETTER
from gaitdyn.calibrate.rungs import WIDTH, allowed, rungs_of
from gaitdyn.calibrate.segments import corrected_foot
from gaitdyn.core.rotations import columns, cross, unit

if TYPE_CHECKING:
    from collections.abc import Collection

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


@dataclass(frozen=True, slots=True, eq=False)
class Found:
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
    names: Collection[str],
) -> Found:
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
    names : collection of str
        Rungs that may be taken; all when empty.
    """
    above, outward, distance = around
    words = [WIDTH] if np.isfinite(distance) and distance > 0 and np.isfinite(above).all() else []
    stored, lateral, medial, wand = (places.get(LETTER[side] + x) for x in _MARKERS[joint])
    for rung in rungs_of(joint):
        if (names and rung.name not in names) or not allowed(rung, places, side, words):
            continue
        if rung.name == "stored-centre" and stored is not None:
            other = lateral if lateral is not None else None
            if other is None and medial is not None:
                other = 2 * stored - medial
            return Found(stored, None if other is None else unit(other - stored), rung)
        if rung.name.startswith("two-") and lateral is not None and medial is not None:
            return Found(0.5 * (lateral + medial), unit(lateral - medial), rung)
        if rung.name == "alignment-device":
            corner, stick = _device(places, side)
            return _by_width(above, corner, stick, distance, rung)
        if lateral is None:
            continue
        if rung.name.endswith("-wand") and wand is not None:
            if _points_out(above, lateral, wand, outward):
                return _by_width(above, lateral, wand, distance, rung)
        elif rung.name.endswith("-width"):
            return _by_width(above, lateral, lateral + outward, distance, rung)
        elif rung.coarse:
            return Found(lateral, None, rung)
    return Found(np.full(3, np.nan), None, None)


def _by_width(above: Array, lateral: Array, wand: Array, distance: float, rung: Rung) -> Found:
    centre = chord(above, lateral, wand, distance)
    return Found(centre, unit(lateral - centre), rung)


def _points_out(above: Array, lateral: Array, wand: Array, outward: Array) -> bool:
    """Return whether a wand stands outside its segment, seen along the segment."""
    along = unit(above - lateral)
    arm, side = (v - (v @ along) * along for v in (wand - lateral, outward))
    return bool(unit(arm) @ unit(side) > _ASKEW)


def _device(places: dict[str, Array], side: str) -> tuple[Array, Array]:
    """Return the condyle that a knee alignment device shows, and its KAX marker.

    The device's three markers stand at the corner of a cube: the point behind their triangle, as
    far as the mean of its sides asks.
    """
    kax, kd1, kd2 = (places[LETTER[side] + name] for name in ("KAX", "KD1", "KD2"))
    normal = unit(cross(kd1 - kax, kd2 - kax))
    sides = sum(float((a - b) @ (a - b)) for a, b in ((kax, kd1), (kd1, kd2), (kd2, kax)))
    sign = 1.0 if side == "left" else -1.0
    return (kax + kd1 + kd2) / 3.0 - sign * normal * np.sqrt(sides / 18.0), kax


def limb_axes(proximal: Array, distal: Array, rightwards: Array) -> Array:
    """Return limb axes: y along the bone, x forward, z as near as can be to the axis given."""
    y = unit(proximal - distal)
    x = unit(cross(y, rightwards))
    return columns(x, y, cross(x, y))


def find_foot(
    places: dict[str, Array],
    side: str,
    leg: tuple[Array, Array],
    stored: LegOffsets | None,
    names: Collection[str],
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
    names : collection of str
        Rungs that may be taken; all when empty.
    """
    ankle, right = leg
    words = [] if stored is None else ["offsets"]
    heel = places.get(LETTER[side] + "HEE")
    empty = np.full(3, np.nan)
    for rung in rungs_of("foot"):
        if (names and rung.name not in names) or not allowed(rung, places, side, words):
            continue
        toes = [places[LETTER[side] + role] for role in _TOES[rung.name]]
        toe = np.mean(toes, axis=0)
        if heel is None:
            axes = _line_foot(ankle, toe, right)
            if stored is not None:
                axes = corrected_foot(axes, stored, side)
            return FootFound(empty, toe, axes, rung)
        if rung.name == "heel-metatarsals":
            tip = places.get(LETTER[side] + "TOE")
            axes = _plane_foot(heel, (toes[0], toes[1]), toe if tip is None else tip, right)
            return FootFound(heel, toe if tip is None else tip, axes, rung)
        return FootFound(heel, toe, _line_foot(heel, toe, right), rung)
    return FootFound(empty if heel is None else heel, empty, np.full((3, 3), np.nan), None)


def _line_foot(back: Array, toe: Array, right: Array) -> Array:
    x = unit(toe - back)
    y = unit(cross(right, x))
    return columns(x, y, cross(x, y))


def _plane_foot(heel: Array, heads: tuple[Array, Array], toe: Array, right: Array) -> Array:
    """Return axes with y square to the plane of heel and both heads, x towards the toe in it."""
    y = unit(cross(heads[0] - heel, heads[1] - heel))
    y = y if y @ cross(right, toe - heel) > 0 else -y
    x = unit(toe - heel - ((toe - heel) @ y) * y)
    return columns(x, y, cross(x, y))


__all__ = ["FootFound", "Found", "find_foot", "find_joint", "limb_axes"]
