"""The words of the first screen for curves: findings, differences of the sides, the pelvis."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.dynamics.clinical import OPPOSITE
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.report.numbers import decimal

_ROWS = shipped_rows("report/angles.csv")
TITLES = {row["curve"]: row["title"] for row in _ROWS}
"""Titles of the nine angles of the movement analysis profile."""
_ANGLES = {row["curve"]: row for row in _ROWS}
"""Curve -> the words for above and for below the reference."""

_STANDS = {
    "pelvis_angle_obliquity": ("high", "low"),
    "pelvis_angle_rotation": ("forward", "back"),
}
"""Curve -> how a side of the pelvis stands above and below zero: no comparison."""

_PLURAL = {
    "hip": "hips",
    "knee": "knees",
    "ankle": "ankles",
    "foot": "feet",
    "pelvis": "pelvis",
    "vertical ground force": "vertical ground forces",
    "ground force": "ground forces",
}
_FORCES = {"grf_x": "ground force", "grf_y": "vertical ground force"}
_ACTORS = {
    "extension": "extensor",
    "flexion": "flexor",
    "abduction": "abductor",
    "adduction": "adductor",
    "plantarflexion": "plantarflexor",
    "dorsiflexion": "dorsiflexor",
}
APART_DEG = 5.0
"""Smallest reported difference between the sides, by judgement: marker placement may cause less."""


def finding_words(name: str, sides: Sequence[str], difference: float, normal: float) -> str:
    """Return a finding without phase and size, such as ``Right knee less flexed``.

    Parameters
    ----------
    name : str
        Of the curve.
    sides : sequence of str
        One or both.
    difference, normal : float
        The difference from the reference where it is largest, and the reference at that point.

    Examples
    --------
    >>> finding_words("knee_angle_flexion", ["right"], -14.0, 60.0)
    'Right knee less flexed'
    >>> finding_words("hip_power", ["left", "right"], -0.4, 0.9)
    'Hips generate less power'
    >>> finding_words("hip_moment_extension", ["left"], -0.4, 0.9)
    'Left internal hip moment less extensor'
    """
    part = _FORCES.get(name) or key_of(name).part
    both = len(sides) > 1 or internal_name(name) == "pelvis_angle_tilt"
    noun = _PLURAL[part] if both else part
    verb = direction_words(name, difference, normal, plural=both and part != "pelvis")
    whose = "" if both else f"{sides[0]} "
    if key_of(name).is_moment:
        basis = "internal" if internal_name(name) == name else "external"
        noun = f"{basis} {part} moment{'s' if both else ''}"
    text = f"{whose}{noun} {verb}"
    return text[0].upper() + text[1:]


def side_words(name: str, left: float, right: float) -> str:
    """Return how the left side differs from the right one; neither is a norm.

    Parameters
    ----------
    name : str
        Of an angle of the legs.
    left, right : float
        The angle of each side.

    Examples
    --------
    >>> side_words("foot_angle_progression", 3.0, -5.0)
    'left more turned in than right'
    >>> side_words("foot_angle_progression", -18.0, -27.0)
    'left less turned out than right'
    """
    word = _angle_word(name, left, right)
    return f"left {word} than right"


def pelvis_words(name: str, mean: float) -> str:
    """Return how the left side of the pelvis stands on average, from its angle on the left.

    Examples
    --------
    >>> pelvis_words("pelvis_angle_rotation", -7.8)
    '8\u00b0 back'
    """
    return f"{decimal(abs(mean), 0)}\u00b0 {_STANDS[name][mean <= 0]}"


def _angle_word(name: str, angle: float, reference: float) -> str:
    """Return how an angle differs from another: ``less`` if it lies between that and zero."""
    words = _ANGLES[name]
    if angle > reference:
        return words["less_below" if angle < 0.0 else "above"]
    return words["less_above" if angle > float(words["below_from"]) else "below"]


def direction_words(name: str, difference: float, normal: float, *, plural: bool = False) -> str:
    """Return the direction of a finding alone, such as ``less flexed``.

    Examples
    --------
    >>> direction_words("hip_power", -0.4, -0.2), direction_words("hip_moment_extension", 0.4, -0.9)
    ('absorbs more power', 'less flexor')
    """
    key = key_of(name)
    above = difference > 0
    if key.is_moment:
        other = OPPOSITE.get(key.component, key.component)
        less = normal * difference < 0 <= normal * (normal + difference)
        word = key.component if above != less else other
        return f"{'less' if less else 'more'} {_ACTORS.get(word, word)}"
    if key.quantity == "power":
        s = "" if plural else "s"
        more = f"generate{s} more power" if above else f"absorb{s} more power"
        less = f"absorb{s} less power" if above else f"generate{s} less power"
        return less if normal * difference < 0 <= normal * (normal + difference) else more
    if name == "grf_x":
        return "more forward" if above else "more backward"
    if internal_name(name) not in _ANGLES:
        return "higher" if above else "lower"
    return _angle_word(internal_name(name), normal + difference, normal)


def internal_told(text: str) -> str:
    """Return a text in which every moment is called internal, for a report of external ones.

    Verdicts are on internal moments whatever the report shows; external ones have the same numbers
    under the opposite words.

    Examples
    --------
    >>> internal_told("left knee extension moment in mid stance: 0.3 N m/kg more than the norm")
    'left internal knee extension moment in mid stance: 0.3 N m/kg more than the norm'
    """
    return _MOMENT.sub(r"internal \g<0>", text)


_MOMENT = re.compile(r"\b(?:ankle|knee|hip) \w+ (?:moment|impulse)\b")


def size_words(name: str, difference: float) -> str:
    """Return a size without its unit: whole degrees, or one decimal of other quantities."""
    return decimal(abs(difference), 0 if key_of(name).is_angle else 1)


def unit_of(name: str) -> str:
    """Return the unit of a curve as written on the first screen."""
    key = key_of(name)
    if key.is_angle:
        return "\u00b0"
    if key.is_ground:
        return " N/kg"
    return " N\u00b7m/kg" if key.is_moment else " W/kg"
