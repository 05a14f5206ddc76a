"""Read measurements of the person from a Vicon ``.mp`` file: lines ``$LLegLength = 940``.

Lengths are in millimetres, the mass in kilograms; zero means not measured. Comments are enclosed in
``{*`` and ``*}``. The names are those of the PROCESSING group of a C3D file.
"""

from __future__ import annotations

import math
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from gaitdyn.io.c3d.subject import in_si
from gaitdyn.io.text_files import read_text, shown
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import LIMITS, SIDES, ArmMeasures, LegMeasures, Subject
from gaitdyn.types.texts import number_in

if TYPE_CHECKING:
    from pathlib import Path

_LINE = re.compile(r"\$?([A-Za-z_]{1,40})\s*=\s*(.*?)\s*;?")
_LONGEST_LINE, _LONGEST_VALUE = 200, 30
_BODY = {
    "bodymass": "mass_kg",
    "mass": "mass_kg",
    "height": "height_m",
    "markerdiameter": "marker_diameter_mm",
    "interasisdistance": "inter_asis_mm",
}
_LEG = {
    "leglength": "leg_length_mm",
    "kneewidth": "knee_width_mm",
    "anklewidth": "ankle_width_mm",
    "asistrocanterdistance": "asis_trochanter_mm",
    "markerdiameter": "marker_diameter_mm",
    "shoulderoffset": "shoulder_offset_mm",
    "elbowwidth": "elbow_width_mm",
    "wristwidth": "wrist_width_mm",
    "handthickness": "hand_thickness_mm",
}
_ARM = {f.name for f in fields(ArmMeasures)}
_SIDES = (("left", "left"), ("right", "right"), ("l", "left"), ("r", "right"))


@frozen()
class ModelParameters:
    """The measurements in an ``.mp`` file, and notes on impossible values."""

    subject: Subject
    notes: tuple[str, ...] = ()


def read_model_parameters(path: str | Path) -> ModelParameters:
    """Read a ``.mp`` file; unknown names are ignored.

    Raises
    ------
    FileRefused
        When the file is missing, too large, or cannot be read.
    """
    return parse_model_parameters(read_text(path, "a Vicon .mp file"))


def parse_model_parameters(text: str) -> ModelParameters:
    r"""Return the measurements in the text of a ``.mp`` file.

    Examples
    --------
    >>> found = parse_model_parameters("$Bodymass = 66.5\n$LLegLength = 940\n")
    >>> found.subject.mass_kg, found.subject.left.leg_length_m
    (66.5, 0.94)
    """
    values: dict[tuple[str, str], float] = {}
    notes: list[str] = []
    for line in _without_comments(text).splitlines():
        match = _LINE.fullmatch(line.strip()) if len(line) <= _LONGEST_LINE else None
        key = _side_and_field(match[1]) if match else None
        if match is None or key is None:
            continue
        value = number_in(match[2], math.nan)
        if key[1] == "height_m" and value:
            value = in_si("height", value)[0] or value
        low, high = LIMITS[key[1]]
        if low <= value <= high:
            values[key] = value
        elif value and match[2]:
            told = f"{match[1]} = {shown(match[2][:_LONGEST_VALUE])}"
            point = ", with a point" if "," in match[2] else ""
            notes.append(f"{told} is ignored: wanted {low:g} to {high:g}{point}")
    return ModelParameters(_subject(values), tuple(notes))


def _subject(values: dict[tuple[str, str], float]) -> Subject:
    def part(side: str) -> dict[str, Any]:
        measures = {key: value for (key_side, key), value in values.items() if key_side == side}
        return {
            k.removesuffix("mm") + "m" if k.endswith("_mm") else k: v / 1000 if "_mm" in k else v
            for k, v in measures.items()
        }

    sides = {side: part(side) for side in SIDES}
    arms: dict[str, ArmMeasures] = {
        side: ArmMeasures(**{key: measures.pop(key) for key in _ARM if key in measures})
        for side, measures in sides.items()
    }
    left, right = (LegMeasures(**measures) for measures in sides.values())
    return Subject(**part(""), left=left, right=right, arms=arms)


def _side_and_field(name: str) -> tuple[str, str] | None:
    """Return side (or an empty string) and field of a name, or ``None`` if unknown."""
    plain = name.lower().replace("_", "")
    if plain in _BODY:
        return "", _BODY[plain]
    for start, side in _SIDES:
        rest = plain.removeprefix(start)
        if rest != plain and rest in _LEG:
            return side, _LEG[rest]
    return None


def _without_comments(text: str) -> str:
    kept, position = [], 0
    while (start := text.find("{*", position)) >= 0:
        kept.append(text[position:start])
        end = text.find("*}", start)
        if end < 0:
            return "".join(kept)
        position = end + 2
    return "".join([*kept, text[position:]])
