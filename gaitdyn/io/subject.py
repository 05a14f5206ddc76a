"""What the parameters of a C3D file say about the person."""

from __future__ import annotations

import math
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.io.names import said_names
from gaitdyn.io.parameters import read_parameters
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.subject import ArmMeasures, LegMeasures, Subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.io.parameters import Parameters

_LENGTHS = (("LegLength", 1.5), ("KneeWidth", 0.25), ("AnkleWidth", 0.2))
"""Lengths of a person that tell the unit of all of them, and the largest that one can be, m."""

_LARGEST_OFFSET = 1.2  # rad; an older workstation stores degrees
_DEGREES_BY = "workstation"
_OFFSETS = {
    "static_plantar_flexion": "StaticPlantFlex",
    "static_rotation": "StaticRotOff",
    "thigh_rotation": "ThighRotation",
    "shank_rotation": "ShankRotation",
    "ankle_abduction": "AnkleAbAdd",
    "tibial_torsion": "TibialTorsion",
}


def read_subject(params: Parameters) -> Subject:
    """Return the measurements stored in PROCESSING (or ANALYSIS); zero means unknown.

    Lengths are millimetres in the file, or what a leg or a knee can be (:func:`length_unit`); a
    height below 3 is taken as metres and below 250 as centimetres. Names are not read.

    Parameters
    ----------
    params : Parameters

    Returns
    -------
    Subject
    """
    listed, (unit, _) = _analysis(params), length_unit(params)

    def number(*names: str) -> float | None:
        value = _number(params, listed, *names)
        return value if value is not None and value > 0 else None

    def metres(*names: str) -> float | None:
        value = number(*names)
        return None if value is None else value / unit

    def leg(letter: str) -> LegMeasures:
        return LegMeasures(
            leg_length_m=metres(f"{letter}LegLength", f"{letter}_LegLength"),
            knee_width_m=metres(f"{letter}KneeWidth", f"{letter}_KneeWidth"),
            ankle_width_m=metres(f"{letter}AnkleWidth", f"{letter}_AnkleWidth"),
            asis_trochanter_m=metres(f"{letter}AsisTrocanterDistance"),
            marker_diameter_m=metres(f"{letter}MarkerDiameter"),
        )

    def arm(letter: str) -> ArmMeasures:
        return ArmMeasures(
            shoulder_offset_m=metres(f"{letter}ShoulderOffset"),
            elbow_width_m=metres(f"{letter}ElbowWidth"),
            wrist_width_m=metres(f"{letter}WristWidth"),
            hand_thickness_m=metres(f"{letter}HandThickness"),
        )

    arms = {"left": arm("L"), "right": arm("R")}
    return Subject(
        mass_kg=number("Bodymass", "BodyMass", "Mass", "Weight"),
        height_m=metres_of_height(number("Height", "BodyHeight")),
        marker_diameter_m=metres("MarkerDiameter"),
        inter_asis_m=metres("InterAsisDistance"),
        left=leg("L"),
        right=leg("R"),
        arms={side: found for side, found in arms.items() if found != ArmMeasures()},
    )


def length_unit(params: Parameters) -> tuple[float, str]:
    """Return the units a metre of the lengths of the person, and a note where they are no mm.

    A leg is 0.2 to 1.5 m long, a knee 0.04 to 0.2 m wide: no length can be meant in two of mm, cm
    and m.

    Parameters
    ----------
    params : Parameters
    """
    listed = _analysis(params)
    for stem, largest_m in _LENGTHS:
        names = (f"{side}{stem}" for side in ("L", "R", "L_", "R_"))
        found = [value for name in names if (value := _number(params, listed, name))]
        if found:
            size, stated = max(found) / largest_m, " and ".join(f"{value:g}" for value in found)
            unit, name = (1.0, "m") if size <= 1.0 else (100.0, "cm")
            if size > 100.0:  # noqa: PLR2004
                return 1000.0, ""
            return unit, f"lengths of the person are in {name}: {stem} is {stated}"
    return 1000.0, ""


def read_offsets(params: Parameters) -> dict[str, LegOffsets]:
    """Return the offsets of an earlier static that the file stores, by side.

    Degrees, as old Workstation software stores them, are told by its name or by their size. A side
    without any offset is left out.
    """
    found: dict[str, LegOffsets] = {}
    listed = _analysis(params)
    for side, letter in (("left", "L"), ("right", "R")):
        values = {field: _number(params, listed, letter + name) for field, name in _OFFSETS.items()}
        if any(value is not None for value in values.values()):
            found[side] = LegOffsets(**{field: value or 0.0 for field, value in values.items()})
    largest = max((abs(v) for leg in found.values() for v in astuple(leg)), default=0.0)
    software = " ".join(params.strings("MANUFACTURER", "SOFTWARE") or ()).lower()
    if largest <= _LARGEST_OFFSET and _DEGREES_BY not in software:
        return found
    return {s: LegOffsets(*(math.radians(v) for v in astuple(leg))) for s, leg in found.items()}


def _analysis(params: Parameters) -> dict[str, float]:
    """Return the non-zero finite values of the ANALYSIS table by name, the first of each."""
    names, values = params.strings("ANALYSIS", "NAMES"), params.get("ANALYSIS", "VALUES")
    if not names or values is None or isinstance(values, list):
        return {}
    found: dict[str, float] = {}
    for name, value in zip(names, map(float, values.ravel()), strict=False):
        if math.isfinite(value) and value != 0:
            found.setdefault(name, value)
    return found


def head_offset(params: Parameters) -> float:
    """Return PROCESSING:HeadOffset, rad; 0 where it is not there, or in no unit known here."""
    value = _number(params, _analysis(params), "HeadOffset") or 0.0
    return value if abs(value) <= _LARGEST_OFFSET else math.radians(value)


def software_of(params: Parameters) -> str:
    """Return name and version of the software that wrote the file, empty where it does not say."""
    words = (params.strings("MANUFACTURER", key) or [] for key in ("SOFTWARE", "VERSION_LABEL"))
    return " ".join(word.strip() for texts in words for word in texts if word.strip())


def _number(params: Parameters, listed: Mapping[str, float], *names: str) -> float | None:
    """Return the first non-zero finite value of PROCESSING, or of the ANALYSIS table."""
    for name in names:
        value = params.number("PROCESSING", name)
        if value is not None and math.isfinite(value) and value != 0:
            return value
    return next((value for name, value in listed.items() if name in names), None)


def metres_of_height(value: float | None) -> float | None:
    """Return a height in m from metres, centimetres or millimetres."""
    if value is None:
        return None
    metre, centimetre = 3.0, 250.0
    if value < metre:
        return value
    return value / 100.0 if value < centimetre else value / 1000.0


def person_names(path: str | Path) -> list[str]:
    """Return the names of persons that a file holds in SUBJECTS:NAMES; only C3D files do.

    For a user who asked for them; nothing else in gaitdyn prints or stores a name.
    """
    if Path(path).suffix.lower() == ".trc":
        return []
    return list(persons_of(read_parameters(path)[1]))


def persons_of(params: Parameters) -> tuple[str, ...]:
    """Return the names in SUBJECTS:NAMES; for comparing files, never for printing."""
    return said_names(params.strings("SUBJECTS", "NAMES"))
