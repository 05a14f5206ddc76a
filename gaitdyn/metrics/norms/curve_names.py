"""The curves that a reference set can have, by their names in ``cycles.csv``."""

from __future__ import annotations

from gaitdyn.catalogue.keys import Key
from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE
from gaitdyn.kinematics.angles import ANGLES

_JOINTS = tuple(reversed(MOMENTS))


def _units() -> dict[str, str]:
    units = {
        Key("", segment, "angle", word).name: "deg"
        for segment, words in ANGLES.items()
        for word in words
        if segment != "foot" or word == "progression"
    }
    for joint in _JOINTS:
        units |= {Key("", joint, "moment", word).name: "N m/kg" for word in MOMENTS[joint]}
        units[Key("", joint, "power").name] = "W/kg"
        for plane in ("sagittal", "frontal", "transverse"):
            units[Key("", joint, "power", plane).name] = "W/kg"
    return units | {f"grf_{axis}": "N/kg" for axis in "xyz"} | {"free_moment": "N m/kg"}


UNITS: dict[str, str] = _units()
"""Name -> unit. Moments are internal; a band of external moments has the same numbers."""

OF_LABORATORY = ("grf_z", "free_moment")
"""Curves that are positive to the right, and about up, on both sides: those of left and right are
mirrored, so that a mean of both legs is 0. A reference set has them as those of left feet."""

LOAD_UNITS = ("N m/kg", "W/kg")

EXTERNAL: dict[str, str] = {
    Key("", joint, "moment", OPPOSITE[word]).name: Key("", joint, "moment", word).name
    for joint, words in MOMENTS.items()
    for word in words
}
"""Name of an external moment -> the internal one with the same numbers."""


def advice(name: str) -> str:
    """Return what to write in place of an unknown name.

    Examples
    --------
    >>> advice("knee_moment_flexion")
    'the internal moment knee_moment_extension'
    """
    if name in EXTERNAL:
        return f"the internal moment {EXTERNAL[name]}"
    return "a column of cycles.csv, such as knee_angle_flexion (docs/norms.md lists them)"
