"""Recognise columns of ground reaction forces by their labels.

A label holds the quantity (force, point, torque), the axis, and the name of the force in any
order: ``ground_force_r_vx``, ``1_ground_torque_x``, ``FP2_px``, ``f1_x``, ``COP1X``, ``Fx1``.
"""

from __future__ import annotations

import re
from typing import Literal

Quantity = Literal["f", "p", "m"]
"""Force, point of application, torque."""

_KINDS: dict[str, Quantity] = {
    "torque": "m", "moment": "m", "grm": "m", "cop": "p", "ec": "p", "m": "m", "t": "m", "p": "p",
}  # fmt: skip
_WORDED = re.compile(
    r"(?P<before>.*?)[_.]?(?:ground_|foot_|free_)?(?P<kind>force|torque|moment|gr[fm]|cop)"
    r"(?P<number>\d*)_(?:(?P<after>[a-z0-9_]+)_)?(?P<what>[vfpmt]?)(?P<axis>[xyz])"
)
_LETTER = re.compile(
    r"(?P<before>)(?P<kind>[fpmt])(?P<number>\d+)(?P<after>)_(?P<what>)(?P<axis>[123xyz])"
)
_GLUED = re.compile(
    r"(?P<before>)(?P<kind>[fpmt]|cop|ec|gr[fm])(?P<number>\d+)(?P<after>)(?P<what>)(?P<axis>[xyz])"
)
_ENDING = re.compile(
    r"(?P<before>.+)(?P<kind>)(?P<number>)(?P<after>)_(?P<what>[vpmt])(?P<axis>[xyz])"
)
_OF_PLATE = re.compile(
    r"(?P<before>(?:.*_)?(?:fp|(?:force_?)?plate)_?\d+|(?:.*_)?[a-z]*foot)(?P<kind>)(?P<number>)(?P<after>)"
    r"_(?P<what>f?)(?P<axis>[xyz])"
)
_BARE = re.compile(
    r"(?P<before>)(?P<kind>[fpmt]|cop|force|torque|moment|gr[fm])(?P<number>)(?P<after>)"
    r"_?(?P<what>)(?P<axis>[xyz])"
)
_LONGEST = 100
"""Longer labels name no force: the time of the patterns grows with the square of the length."""
_NAMED_LAST = re.compile(r"(?P<label>.+[xyz])_?(?P<name>\d+|l|r|left|right)")
_GROUND = re.compile(r"ground|grf")
_WORDS = re.compile(r"force|torque|moment|grf|grm|cop|ground|plate|fp\d")


def column_of(label: str) -> tuple[str, Quantity, int] | None:
    """Return the name of the force, the quantity and the axis (0 to 2); None for other columns.

    Examples
    --------
    >>> column_of("1_ground_torque_x"), column_of("COP2Z"), column_of("hip_flexion_r")
    (('1', 'm', 0), ('2', 'p', 2), None)
    """
    if len(label) > _LONGEST:
        return None
    label = label.lower()
    for pattern in (_WORDED, _LETTER, _GLUED, _ENDING, _OF_PLATE):
        if match := pattern.fullmatch(label):
            return _read(match, plain="p" if pattern is _OF_PLATE else "f")
    last = _NAMED_LAST.fullmatch(label)
    if last and (match := _WORDED.fullmatch(last["label"]) or _BARE.fullmatch(last["label"])):
        name, quantity, axis = _read(match)
        return "_".join(filter(None, (name, last["name"]))), quantity, axis
    return None


def _read(match: re.Match[str], plain: Quantity = "f") -> tuple[str, Quantity, int]:
    """Return name, quantity and axis; ``ground_torque_px`` is a torque: the word counts first."""
    kind, what = match["kind"], match["what"]
    quantity = _KINDS.get(kind) or _KINDS.get(what) or (plain if not (kind or what) else "f")
    name = "_".join(filter(None, match.group("before", "number", "after")))
    return name, quantity, "xyz123".index(match["axis"]) % 3


def of_the_ground(label: str) -> bool:
    """Return whether a label calls its force one of the ground.

    Examples
    --------
    >>> of_the_ground("1_ground_force_vx"), of_the_ground("exoskeleton_force_vx")
    (True, False)
    """
    return bool(_GROUND.search(label.lower()))


def speaks_of_forces(label: str) -> bool:
    """Return whether a label has a word for forces, read or not.

    Examples
    --------
    >>> speaks_of_forces("Plate2_Ax"), speaks_of_forces("knee_angle_r")
    (True, False)
    """
    return bool(_WORDS.search(label.lower()))
