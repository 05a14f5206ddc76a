"""The table of the numbers in ``peaks.csv``, in its order."""

from __future__ import annotations

from functools import cache

from gaitdyn.catalogue.keys import Key, swapped_name
from gaitdyn.dynamics.clinical import OPPOSITE
from gaitdyn.metrics.bursts import burst_definitions
from gaitdyn.metrics.definition import Definition, Take, fitting_definition
from gaitdyn.metrics.upper_definitions import UPPER_DEFINITIONS
from gaitdyn.metrics.windows import (
    CYCLE,
    FIRST_HALF,
    SECOND_HALF,
    STANCE,
    SWING,
    Window,
    fixed,
    off,
)

_PARAMETERS = "Benedetti et al. 1998, Clin Biomech 13:204-215"
_IMPULSE = "Thorp et al. 2006, Arthritis Rheum 54:3842-3849"
_CONTACT = Window(fixed(0.0), fixed(0.0))
_PELVIS = ("tilt", "obliquity", "rotation")
_OFF = Window(off(), off())
_LOADING = Window(fixed(0.0), fixed(25.0))
_AFTER_LOADING = Window(fixed(25.0), off())


def _angle(
    curve: str, ending: str, title: str, text: str, take: Take, window: Window
) -> Definition:
    return Definition(f"{curve}_{ending}", title, "deg", text, _PARAMETERS, curve, take, window)


def _range(curve: str, title: str) -> Definition:
    text = "Largest less smallest angle over the whole cycle."
    return _angle(curve, "range", f"{title}, range", text, "range", CYCLE)


def _pelvis() -> tuple[Definition, ...]:
    text = "Mean anterior tilt over the whole cycle."
    return (
        _angle("pelvis_angle_tilt", "mean", "Pelvic tilt, mean", text, "mean", CYCLE),
        *(_range(Key("", "pelvis", "angle", word).name, f"Pelvic {word}") for word in _PELVIS),
    )


def _hip() -> tuple[Definition, ...]:
    curve = "hip_angle_flexion"
    return (
        _angle(curve, "contact", "Hip flexion at contact", "Hip flexion at foot strike.",
               "start", _CONTACT),
        _angle(curve, "max", "Hip flexion, largest", "Largest hip flexion of the cycle.",
               "max", CYCLE),
        _angle(curve, "min", "Hip flexion, smallest",
               "Smallest hip flexion of the cycle; negative is extension.", "min", CYCLE),
        _range(curve, "Hip flexion"),
        _angle("hip_angle_adduction", "stance_max", "Hip adduction in stance, largest",
               "Largest hip adduction in stance.", "max", STANCE),
        _range("hip_angle_adduction", "Hip adduction"),
        _angle("hip_angle_internal_rotation", "stance_mean", "Hip rotation in stance, mean",
               "Mean internal rotation of the hip in stance.", "mean", STANCE),
    )  # fmt: skip


def _knee() -> tuple[Definition, ...]:
    curve = "knee_angle_flexion"
    return (
        _angle(curve, "contact", "Knee flexion at contact", "Knee flexion at foot strike.",
               "start", _CONTACT),
        _angle(curve, "loading_max", "Knee flexion in loading, largest",
               "Largest knee flexion from 0 % to 25 % of the cycle.", "max", _LOADING),
        _angle(curve, "stance_min", "Knee flexion in stance, smallest",
               "Smallest knee flexion from 25 % of the cycle to foot-off.", "min", _AFTER_LOADING),
        _angle(curve, "swing_max", "Knee flexion in swing, largest",
               "Largest knee flexion in swing.", "max", SWING),
        _range(curve, "Knee flexion"),
    )  # fmt: skip


def _foot() -> tuple[Definition, ...]:
    curve = "ankle_angle_dorsiflexion"
    return (
        _angle(curve, "contact", "Ankle dorsiflexion at contact",
               "Ankle dorsiflexion at foot strike.", "start", _CONTACT),
        _angle(curve, "stance_max", "Ankle dorsiflexion in stance, largest",
               "Largest ankle dorsiflexion in stance.", "max", STANCE),
        _angle(curve, "off", "Ankle dorsiflexion at foot-off",
               "Ankle dorsiflexion at foot-off; negative is plantarflexion.", "start", _OFF),
        _angle(curve, "swing_min", "Ankle dorsiflexion in swing, smallest",
               "Smallest ankle dorsiflexion in swing; negative is plantarflexion.", "min", SWING),
        _range(curve, "Ankle dorsiflexion"),
        _angle("foot_angle_progression", "stance_mean", "Foot progression in stance, mean",
               "Mean foot progression in stance; negative is toe-out.", "mean", STANCE),
    )  # fmt: skip


def _moment(joint: str, word: str, ending: str, take: Take, window: Window) -> Definition:
    curve = Key("", joint, "moment", word).name
    shown = OPPOSITE[word] if take == "min" else word
    where = {
        "first_peak": "the first half of stance",
        "second_peak": "the second half of stance",
    }.get(ending, "stance")
    title = f"{joint.capitalize()} {shown} moment, largest in {where}"
    text = f"Largest internal {shown} moment of the {joint} in {where}"
    text += f"; as {word} it is the smallest." if take == "min" else "."
    name = f"{curve}_{ending}"
    return Definition(name, title, "N m/kg", text, _PARAMETERS, curve, take, window)


def _halves(joint: str, word: str) -> tuple[Definition, ...]:
    return (
        _moment(joint, word, "first_peak", "max", FIRST_HALF),
        _moment(joint, word, "second_peak", "max", SECOND_HALF),
    )


def _ends(joint: str, word: str) -> tuple[Definition, ...]:
    return (
        _moment(joint, word, "max", "max", STANCE),
        _moment(joint, word, "min", "min", STANCE),
    )


def _impulse(joint: str, word: str) -> Definition:
    curve = Key("", joint, "moment", word).name
    title = f"{joint.capitalize()} {word} impulse"
    text = f"Time integral over stance of the internal {word} moment of the {joint} where positive."
    name = f"{curve}_impulse"
    return Definition(name, title, "N m s/kg", text, _IMPULSE, curve, "positive", STANCE)


def _moments() -> tuple[Definition, ...]:
    return (
        *_ends("hip", "extension"), _impulse("hip", "extension"), *_halves("hip", "abduction"),
        *_ends("knee", "extension"), _impulse("knee", "extension"),
        *_halves("knee", "abduction"), _impulse("knee", "abduction"),
        *_ends("ankle", "plantarflexion"), _impulse("ankle", "plantarflexion"),
    )  # fmt: skip


def _ground() -> tuple[Definition, ...]:
    rows: tuple[tuple[str, str, str, str, str, Take, Window], ...] = (
        ("grf_y", "first_peak", "Vertical force, first peak", "N/kg",
         "Largest vertical ground force in the first half of stance.", "max", FIRST_HALF),
        ("grf_y", "midstance_min", "Vertical force, mid-stance", "N/kg",
         "Smallest vertical ground force between its two peaks.", "valley", STANCE),
        ("grf_y", "second_peak", "Vertical force, second peak", "N/kg",
         "Largest vertical ground force in the second half of stance.", "max", SECOND_HALF),
        ("grf_x", "braking_min", "Braking force, largest", "N/kg",
         "Largest backward ground force in stance, negative.", "burst_min", STANCE),
        ("grf_x", "propulsion_max", "Propulsive force, largest", "N/kg",
         "Largest forward ground force in stance.", "burst_max", STANCE),
        ("grf_x", "braking_impulse", "Braking impulse", "N s/kg",
         "Time integral of the backward ground force over stance, negative.", "negative", STANCE),
        ("grf_x", "propulsion_impulse", "Propulsive impulse", "N s/kg",
         "Time integral of the forward ground force over stance.", "positive", STANCE),
    )  # fmt: skip
    return tuple(
        Definition(f"{curve}_{ending}", title, unit, text, _PARAMETERS, curve, take, window)
        for curve, ending, title, unit, text, take, window in rows
    )


DEFINITIONS: tuple[Definition, ...] = (
    *_pelvis(), *_hip(), *_knee(), *_foot(), *_moments(), *burst_definitions(), *_ground(),
)  # fmt: skip
"""In the order of ``peaks.csv``: angles, moments, bursts of power, ground force."""


def find_definition(name: str) -> Definition:
    """Return the definition of a quantity of ``peaks.csv``, external moments too.

    Parameters
    ----------
    name : str

    Raises
    ------
    KeyError
        When no such quantity is defined.

    Examples
    --------
    >>> find_definition("hip_moment_flexion_max").text
    'Largest external flexion moment of the hip in stance.'
    """
    return _by_name()[name]


@cache
def _by_name() -> dict[str, Definition]:
    """Return the definitions by the names of their quantities in both conventions."""
    found: dict[str, Definition] = {}
    for definition in (*DEFINITIONS, *UPPER_DEFINITIONS):
        for names in ({definition.curve}, {swapped_name(definition.curve) or ""}):
            fitted = fitting_definition(definition, names)
            if fitted is not None:
                found.setdefault(fitted.name, fitted)
    return found
