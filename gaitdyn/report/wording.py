"""What the first screen says in words: deviations, classes of the GPS, the headline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.dynamics.clinical import OPPOSITE
from gaitdyn.metrics.scores import GDI_STAR_A, GDI_STAR_B, MCID_DEG
from gaitdyn.report.contents import decimal
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.metrics.deviations import Deviation, Run
    from gaitdyn.metrics.knee_axis import KneeAxisRemark

_ANGLES = {
    "pelvis_angle_tilt": ("tilted forward", "tilted back"),
    "pelvis_angle_obliquity": ("high", "low"),
    "pelvis_angle_rotation": ("forward", "back"),
    "hip_angle_flexion": ("more flexed", "less flexed"),
    "hip_angle_adduction": ("adducted", "abducted"),
    "hip_angle_internal_rotation": ("rotated in", "rotated out"),
    "knee_angle_flexion": ("more flexed", "less flexed"),
    "ankle_angle_dorsiflexion": ("more dorsiflexed", "more plantarflexed"),
    "foot_angle_progression": ("turned in", "turned out"),
}
"""Curve -> where it lies above and below the reference."""

_PLURAL = {"hip": "hips", "knee": "knees", "ankle": "ankles", "foot": "feet", "pelvis": "pelvis"}
_ACTORS = {
    "extension": "extensor",
    "flexion": "flexor",
    "abduction": "abductor",
    "adduction": "adductor",
    "plantarflexion": "plantarflexor",
    "dorsiflexion": "dorsiflexor",
}
_CLASSES = ((1.0, "within the norm"), (1.3, "just above the norm"), (2.0, "above the norm"))
_WORST = "far above the norm"
_SPEED_SD = 2.0
_APART_DEG = 5.0
"""Between the sides, by judgement: what placing markers alone may make is not told."""


def deviation_words(deviation: Deviation) -> str:
    """Return a deviation without side and phase, such as ``Right knee less flexed``."""
    run = deviation.first
    part = key_of(run.name).part
    sides = list(deviation.sides)
    both = len(sides) > 1 or internal_name(run.name) == "pelvis_angle_tilt"
    noun = _PLURAL[part] if both else part
    verb = _direction(run, plural=both and part != "pelvis")
    whose = "" if both else f"{sides[0]} "
    if key_of(run.name).is_moment:
        text = f"{whose}{part} moment{'s' if both else ''} {verb}"
    else:
        text = f"{whose}{noun} {verb}"
    return text[0].upper() + text[1:]


def _direction(run: Run, *, plural: bool) -> str:
    key = key_of(run.name)
    if key.is_moment:
        word = key.component if run.sign > 0 else OPPOSITE.get(key.component, key.component)
        return f"more {_ACTORS.get(word, word)}"
    if key.quantity == "power":
        s = "" if plural else "s"
        if run.sign > 0:
            less = run.normal < 0 and run.mean <= 0
            return f"absorb{s} less power" if less else f"generate{s} more power"
        less = run.normal > 0 and run.mean >= 0
        return f"generate{s} less power" if less else f"absorb{s} more power"
    return _ANGLES[internal_name(run.name)][0 if run.sign > 0 else 1]


def size_words(run: Run) -> str:
    """Return the size of a stretch: whole degrees, one decimal of the rest, without its unit."""
    return decimal(run.size, 0 if key_of(run.name).is_angle else 1)


def unit_of(name: str) -> str:
    """Return the unit of a curve as the first screen writes it."""
    key = key_of(name)
    if key.is_angle:
        return "\u00b0"
    return " N\u00b7m/kg" if key.is_moment else " W/kg"


def gps_class(gps_deg: float) -> tuple[float, str]:
    """Return how far a GPS lies from healthy children's, SD of its logarithm, and the word.

    Examples
    --------
    >>> gps_class(5.35)[1], gps_class(12.0)[1]
    ('within the norm', 'far above the norm')
    """
    z = (math.log(gps_deg) - GDI_STAR_A) / GDI_STAR_B
    return z, next((word for most, word in _CLASSES if z <= most), _WORST)


def headline_words(
    gps: Mapping[str, float | None],
    deviations: Sequence[Deviation],
    speed_z: float | None,
    remarks: Sequence[KneeAxisRemark],
) -> tuple[str, str]:
    """Return the headline and its warning, either may be empty.

    Parameters
    ----------
    gps : mapping
        Side -> deg, or None.
    deviations : sequence of Deviation
        Ranked.
    speed_z : float or None
        Mean over the sides, SD from the free speed at the leg length.
    remarks : sequence of KneeAxisRemark
    """
    parts = [_legs(gps)] if any(gps.values()) else []
    largest = [deviation_words(d) for d in deviations[:3]]
    if largest:
        told = ", ".join(words[0].lower() + words[1:] for words in largest)
        parts.append(f"Largest: {told}")
    if speed_z is not None and abs(speed_z) > _SPEED_SD:
        parts.append("Walks slowly" if speed_z < 0 else "Walks fast")
    warning = ""
    if remarks:
        sides = [one.side for one in remarks]
        which = f"the {sides[0]} knee axis" if len(sides) == 1 else "both knee axes"
        warning = f"Check {which} first."
    return " ".join(f"{part}." for part in parts), warning


def _legs(gps: Mapping[str, float | None]) -> str:
    known = {side: value for side, value in gps.items() if value}
    if len(known) == 1:
        ((side, value),) = known.items()
        return f"{side.capitalize()} leg {gps_class(value)[1]} (GPS {value:.1f}\u00b0)"
    left, right = (known[side] for side in SIDES)
    worse, better = ("left", "right") if left >= right else ("right", "left")
    if abs(left - right) < MCID_DEG:
        word = gps_class(max(left, right))[1]
        return f"Both legs {word} (GPS L {left:.1f}\u00b0, R {right:.1f}\u00b0)"
    first, second = gps_class(known[worse])[1], gps_class(known[better])[1]
    short = second.removesuffix(" the norm") if second != first else f"{second}, too"
    return (
        f"{worse.capitalize()} leg {first} (GPS {known[worse]:.1f}\u00b0),"
        f" {better} leg {short} ({known[better]:.1f}\u00b0)"
    )


def headline_without_norm(
    speed: Mapping[str, float | None], apart: Sequence[tuple[str, float]]
) -> str:
    """Return the headline where no reference set is given: speed and the largest asymmetries.

    Parameters
    ----------
    speed : mapping
        Side -> m/s, or None.
    apart : sequence of (str, float)
        Angles and the root mean square difference of the sides, deg, the largest first; those
        above 5 deg are told.
    """
    known = [value for value in speed.values() if value is not None]
    parts = [f"Walks at {decimal(sum(known) / len(known), 2)} m/s"] if known else []
    told = [f"{name} ({decimal(value, 0)}\u00b0)" for name, value in apart if value >= _APART_DEG]
    if told:
        parts.append(f"Left and right differ most in {', '.join(told[:3])}")
    elif apart:
        parts.append(f"No angle of left and right differs by {_APART_DEG:g}\u00b0 on average")
    return " ".join(f"{part}." for part in parts)
