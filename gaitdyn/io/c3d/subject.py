"""Read the measurements of the person from the parameters of a C3D file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import astuple, replace
from itertools import product
from pathlib import Path

from gaitdyn.core.gravity import STANDARD_GRAVITY
from gaitdyn.io.c3d.measurement_names import vicon_name
from gaitdyn.io.c3d.parameters import Parameters, read_parameters
from gaitdyn.io.names import distinct_names, name_masked, other_names_in
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.subject import LIMITS, SIDE_OF, ArmMeasures, LegMeasures, Subject
from gaitdyn.types.texts import number_in

_GROUPS = ("PROCESSING", "SUBJECTS", "SUBJECT")
"""Groups with the person's measurements: Vicon's, and those of BTS and of older software."""

_LENGTHS = (("LegLength", 1.5), ("KneeWidth", 0.25), ("AnkleWidth", 0.2))
"""Lengths whose unit their size shows, and the largest possible value, m."""

_WIDEST_PELVIS_CM = 50.0

_LEAST_WRIST_M = -0.05
"""A width is negative where wrist markers stand off less than half a marker: down to the diameter
of the largest marker."""

_UNITS = {
    "body mass": (
        (3.0, 400.0, 1.0, "kg"), (400.0, 4e3, STANDARD_GRAVITY, "N"), (4e3, 4e5, 1000.0, "g"),
    ),
    "height": (
        (0.4, 2.6, 1.0, "m"), (2.6, 9.0, 1 / 0.3048, "feet"), (28.0, 75.0, 1 / 0.0254, "inches"),
        (75.0, 260.0, 100.0, "cm"), (400.0, 2600.0, 1000.0, "mm"),
    ),
}  # fmt: skip
"""Measurement -> smallest and largest value in a unit, units per kg or m, and the unit. A mass in
pounds is in the range of kg: the plates tell."""

_USUAL = {"kg", "m", "cm", "mm"}

_LARGEST_OFFSET = 1.2  # rad; an older workstation stores degrees
_RIGHT_ANGLE = 90.0
_DEGREES_BY = "workstation"
_BODY = {
    "body mass": ("Bodymass", "Body_Mass", "Mass", "Weight", "BodyWeight", "Body_Weight"),
    "height": ("Height", "BodyHeight", "Body_Height", "Stature"),
}
_OF_A_PERSON = re.compile(
    "PROCESSING|SUBJ|SUJE|PATIEN|PACIENT|PAZIENT|PERSON|PROBAND|PARTICIP|ATHLET|ANTH?ROPO"
    "|BIOMETR|BODY|MEASUREMENTS|MEDIDAS"
)
"""Groups that may be about the person: the mass of a segment is not theirs."""

_OFFSETS = {
    "static_plantar_flexion": "StaticPlantFlex",
    "static_rotation": "StaticRotOff",
    "thigh_rotation": "ThighRotation",
    "shank_rotation": "ShankRotation",
    "ankle_abduction": "AnkleAbAdd",
    "tibial_torsion": "TibialTorsion",
}


def read_subject(params: Parameters) -> Subject:
    """Return the measurements in PROCESSING (or SUBJECT, ANALYSIS); zero means unknown.

    A wrist width of zero or less is kept as it is beside other measures of the arm: the vendor's
    model takes it so.
    Lengths are in millimetres unless a leg or a knee would then be impossible
    (:func:`length_units`); a marker diameter may be in millimetres beside them. The unit of mass
    and height follows from their size (:func:`in_si`). Names are not read.
    """
    listed, units = _analysis(params), length_units(params)
    unit = units[""][0]

    def number(*names: str) -> float | None:
        value = _number(params, listed, *names)
        return value if value is not None and value > 0 else None

    def metres(*names: str, per_m: float = unit) -> float | None:
        value = number(*names)
        return None if value is None else value / per_m

    # the vendor computes these in mm beside what was typed in; no pelvis is 0.5 m wide
    computed = 1000.0 if (number("InterAsisDistance") or 0.0) > _WIDEST_PELVIS_CM else unit

    def leg(letter: str) -> LegMeasures:
        return LegMeasures(
            *(metres(*_leg_names(letter, s), per_m=units[s][0]) for s, _ in _LENGTHS),
            asis_trochanter_m=metres(f"{letter}AsisTrocanterDistance", per_m=computed),
            marker_diameter_m=_diameter_m(number(f"{letter}MarkerDiameter"), unit),
        )

    def arm(letter: str) -> ArmMeasures:
        measured = ArmMeasures(
            shoulder_offset_m=metres(f"{letter}ShoulderOffset"),
            elbow_width_m=metres(f"{letter}ElbowWidth"),
            wrist_width_m=metres(f"{letter}WristWidth"),
            hand_thickness_m=metres(f"{letter}HandThickness"),
        )
        if measured.wrist_width_m is None and measured != ArmMeasures():
            for stated in _numbers(params, listed, f"{letter}WristWidth"):
                if stated / unit > _LEAST_WRIST_M:
                    return replace(measured, wrist_width_m=stated / unit)
        return measured

    arms = {side: arm(letter) for letter, side in SIDE_OF.items()}
    return Subject(
        mass_kg=in_si("body mass", number(*_BODY["body mass"]))[0],
        height_m=in_si("height", number(*_BODY["height"]))[0],
        marker_diameter_m=_diameter_m(number("MarkerDiameter"), unit),
        inter_asis_m=metres("InterAsisDistance", per_m=computed),
        left=leg("L"),
        right=leg("R"),
        arms={side: measures for side, measures in arms.items() if measures != ArmMeasures()},
    )


def _diameter_m(value: float | None, unit: float) -> float | None:
    """Return a marker diameter in the person's unit or in mm, whichever is possible, m."""
    low, high = LIMITS["marker_diameter_mm"]
    read = ((value or 0.0) / per_m for per_m in (unit, 1000.0))
    return next((metres for metres in read if low <= 1000.0 * metres <= high), None)


def _leg_names(letter: str, stem: str) -> tuple[str, ...]:
    """Return the names of a length of one leg: LKneeWidth, L_KneeWidth, and LEFT KNEE of BTS."""
    word = re.sub("(Length|Width)$", "", stem)
    return f"{letter}{stem}", f"{letter}_{stem}", f"{SIDE_OF[letter]} {word}".upper()


def length_units(params: Parameters) -> dict[str, tuple[float, str]]:
    """Return units per metre of the person's lengths, each with a note if it is not mm.

    A leg is 0.2 to 1.5 m long, a knee 0.04 to 0.2 m wide: no value is possible in two of mm, cm and
    m. Other lengths, and those that are not stored, are in the smallest unit of these.

    Returns
    -------
    dict
        For each kind of length, such as ``KneeWidth``, and for others under an empty name.
    """
    return params.once("length units", lambda: _length_units(params))


def _length_units(params: Parameters) -> dict[str, tuple[float, str]]:
    listed, units = _analysis(params), dict[str, tuple[float, str]]()
    for stem, largest_m in _LENGTHS:
        names = (name for letter in "LR" for name in _leg_names(letter, stem))
        values = [value for name in names if (value := _number(params, listed, name))]
        if values:
            size, stated = max(values) / largest_m, " and ".join(f"{value:g}" for value in values)
            unit, name = (1.0, "m") if size <= 1.0 else (100.0, "cm")
            told = (unit, f"{stem} is in {name}: {stated}")
            units[stem] = told if size <= 100.0 else (1000.0, "")  # noqa: PLR2004
    smallest = max(units.values(), default=(1000.0, ""))
    return {stem: smallest for stem, _ in (("", 0.0), *_LENGTHS)} | units


def read_offsets(params: Parameters) -> dict[str, LegOffsets]:
    """Return the offsets of an earlier static stored in the file, by side.

    Degrees, as stored by old Workstation software, are recognised by its name or by their size. A
    side without any offset is left out; an angle beyond 90 is no offset in either unit.
    """
    offsets: dict[str, LegOffsets] = {}
    listed = _analysis(params)
    for side, letter in (("left", "L"), ("right", "R")):
        values = {field: _number(params, listed, letter + name) for field, name in _OFFSETS.items()}
        known = {name: v for name, v in values.items() if v is not None and abs(v) <= _RIGHT_ANGLE}
        if known:
            offsets[side] = LegOffsets(**(dict.fromkeys(values, 0.0) | known))
    largest = max((abs(v) for leg in offsets.values() for v in astuple(leg)), default=0.0)
    software = " ".join(params.strings("MANUFACTURER", "SOFTWARE") or ()).lower()
    if largest <= _LARGEST_OFFSET and _DEGREES_BY not in software:
        return offsets
    return {
        side: LegOffsets(*(math.radians(v) for v in astuple(leg))) for side, leg in offsets.items()
    }


def _analysis(params: Parameters) -> dict[str, float]:
    """Return the first non-zero finite value of each name in the ANALYSIS table.

    What other groups say of the person in other words follows, under Vicon's names.
    """
    return params.once("analysis", lambda: _listed(params))


def _listed(params: Parameters) -> dict[str, float]:
    names, values = params.strings("ANALYSIS", "NAMES"), params.get("ANALYSIS", "VALUES")
    values_by_name: dict[str, float] = {}
    if names and values is not None and not isinstance(values, list):
        for name, value in zip(names, map(float, values.ravel()), strict=False):
            if math.isfinite(value) and value != 0:
                values_by_name.setdefault(name, value)
    for group in filter(_OF_A_PERSON.search, params.groups()):
        for stored in params.names(group):
            name = vicon_name(stored)
            value = _value(params, group, stored) if name else None
            if value and math.isfinite(value):
                values_by_name.setdefault(name, value)
    return values_by_name


def head_offset(params: Parameters) -> float:
    """Return PROCESSING:HeadOffset, rad; 0 if missing. Values above 1.2 are taken as degrees."""
    value = _number(params, _analysis(params), "HeadOffset") or 0.0
    return value if abs(value) <= _LARGEST_OFFSET else math.radians(value)


def software_of(params: Parameters) -> str:
    """Return name and version of the software that wrote the file, empty if not stated.

    A person's name in it is masked.
    """
    words = (params.strings("MANUFACTURER", key) or [] for key in ("SOFTWARE", "VERSION_LABEL"))
    text = " ".join(word.strip() for texts in words for word in texts if word.strip())
    return name_masked(text, (*persons_of(params), *other_names_in(params)))


def _number(params: Parameters, listed: dict[str, float], *names: str) -> float | None:
    """Return the first non-zero finite value in the groups, or else in the ANALYSIS table."""
    return next(filter(None, _numbers(params, listed, *names)), None)


def _numbers(params: Parameters, listed: dict[str, float], *names: str) -> Iterator[float]:
    """Yield the finite values in the groups, then those in the ANALYSIS table."""
    for group, name in product(_GROUPS, names):
        if name.upper() in params.records.get(group, ()):
            value = _value(params, group, name)
            if value is not None and math.isfinite(value):
                yield value
    yield from (value for name, value in listed.items() if name in names)


def _value(params: Parameters, group: str, name: str) -> float | None:
    """Return a parameter that is a number, or a text with one, such as ``70,5 kg``."""
    value = params.number(group, name)
    for text in params.strings(group, name) if value is None else ():
        value = number_in(text.strip().partition(" ")[0].replace(",", "."))
    return value


def in_si(measure: str, value: float | None) -> tuple[float | None, str]:
    """Return a body mass or height in kg or m, and the unit that its size shows; None if none fits.

    Examples
    --------
    >>> in_si("body mass", 70000.0), in_si("height", 1750.0), in_si("height", 15.0)
    ((70.0, 'g'), (1.75, 'mm'), (None, ''))
    """
    for low, high, per_si, unit in _UNITS[measure]:
        if value is not None and low <= value < high:
            return value / per_si, unit
    return None, ""


def unit_notes(params: Parameters) -> tuple[str, ...]:
    """Return a note for each measurement of a person in an unusual unit, or in none."""
    notes, listed = [note for _, note in length_units(params).values()], _analysis(params)
    for measure, names in _BODY.items():
        stored = _number(params, listed, *names)
        value, unit = in_si(measure, stored)
        if stored and stored > 0 and unit not in _USUAL:
            read = f"is taken as {unit}: {value:.4g} {_UNITS[measure][0][3]}" if value else ""
            notes.append(f"{measure} {stored:g} {read or 'fits no unit: it is not used'}")
    return tuple(dict.fromkeys(filter(None, notes)))


def person_names(path: str | Path) -> list[str]:
    """Return the names in SUBJECTS:NAMES, in prefixes of labels and elsewhere in the file.

    For a user who requested them; nothing else in gaitdyn prints or stores a name.
    """
    if Path(path).suffix.lower() == ".trc":
        from gaitdyn.io.trc import names_in_trc

        return names_in_trc(path)
    params = read_parameters(path)[1]
    own: dict[str, str] = {}
    for name in distinct_names([*persons_of(params), *other_names_in(params)]):
        own.setdefault(name.rstrip("_- "), name)  # a prefix Ann_ names nobody else than Ann
    return list(own.values())


def persons_of(params: Parameters) -> tuple[str, ...]:
    """Return the names in SUBJECTS:NAMES, to compare files; never to be printed."""
    return distinct_names(params.strings("SUBJECTS", "NAMES"))
