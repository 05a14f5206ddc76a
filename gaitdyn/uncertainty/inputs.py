"""Stated errors of the inputs, one standard deviation for each input.

The reason for every default, marked if it is a judgement, is in :data:`REASONS` and repeated in
docs/uncertainty.md. A laboratory that knows its errors writes them into a TOML file.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from gaitdyn.errors import UsageError
from gaitdyn.session.toml_text import TomlText
from gaitdyn.types.arguments import told
from gaitdyn.types.frozen import frozen

SOURCES = (
    "marker_noise",
    "joint_centres",
    "plate_force",
    "centre_of_pressure",
    "segment_table",
    "soft_tissue",
    "knee_axis",
)
"""Sources of error that contribute to a band."""

REASONS = {
    "marker_noise_mm": "judgement: white noise of an optical system and its labelling; the movement"
    " of skin is not white and is a separate input",
    "hip_mm": "judgement: 10 mm per axis is 17 mm in space; the included hip regressions differ"
    " by as much on one pelvis (docs/anthropometry.md)",
    "knee_mm": "judgement: half a joint width is measured to a few millimetres",
    "ankle_mm": "judgement: half a joint width is measured to a few millimetres",
    "plate_force_percent": "judgement: gain of an installed plate, above the maker's linearity",
    "cop_mm": "judgement: position of a plate relative to the markers, and its cross-talk",
    "segment_mass_percent": "the included tables (Dempster by Winter, de Leva 1996, Dumas et al."
    " 2007) spread by 15 % for the thigh, 17 % for the foot, 4 % for the shank (standard deviation"
    " over their rows); one value",
    "segment_cm_percent": "the included tables spread by 3 % of the length for the thigh, 2 % for"
    " the shank",
    "segment_radius_percent": "the included tables spread by 7 to 8 % for shank and thigh, 17 %"
    " for the foot",
    "thigh_tissue_mm": "half of the 20 mm that the sinusoidal model of skin has at the thigh (after"
    " Cheze, Fregly and Dimnet 1995): a lean person walking",
    "shank_tissue_mm": "half of the 10 mm that the sinusoidal model of skin has at the shank",
    "other_tissue_mm": "half of the 3 to 5 mm that the sinusoidal model of skin has elsewhere",
    "knee_axis_deg": "judgement: a thigh wand or knee markers placed by another examiner",
}
"""Reason for each default."""

_LARGEST = {"mm": 200.0, "percent": 100.0, "deg": 45.0}
AMPLITUDES = ("thigh_tissue_mm", "shank_tissue_mm", "other_tissue_mm")
"""Inputs that give a largest amplitude, not a standard deviation; uniform from 0 to this value."""
_COUNTS = {"draws": (20, 100_000), "seed": (0, 2**31)}


@frozen()
class InputErrors:
    """Standard deviations of the inputs: independent, and normal except for the sway of skin.

    Attributes
    ----------
    marker_noise_mm : float
        White noise of every coordinate of every marker, before the filter.
    hip_mm, knee_mm, ankle_mm : float
        Constant offset of a joint centre along each axis of the segment above it.
    plate_force_percent : float
        Gain of each component of the ground force, constant over the trial.
    cop_mm : float
        Constant horizontal shift of the centre of pressure, forward and sideways.
    segment_mass_percent : float
        Of a segment's mass.
    segment_cm_percent : float
        Position of a centre of mass along its segment, as a percentage of the segment's length.
    segment_radius_percent : float
        Of a segment's radii of gyration, all three together.
    thigh_tissue_mm, shank_tissue_mm, other_tissue_mm : float
        Largest amplitude of the sway of skin markers with the stride, along each axis.
    knee_axis_deg : float
        Constant rotation of the knee axis about the long axis of the thigh.
    draws : int
        Of the Monte Carlo part.
    seed : int
        Of its random numbers.
    """

    marker_noise_mm: float = 0.5
    hip_mm: float = 10.0
    knee_mm: float = 5.0
    ankle_mm: float = 5.0
    plate_force_percent: float = 1.0
    cop_mm: float = 3.0
    segment_mass_percent: float = 15.0
    segment_cm_percent: float = 3.0
    segment_radius_percent: float = 10.0
    thigh_tissue_mm: float = 10.0
    shank_tissue_mm: float = 5.0
    other_tissue_mm: float = 2.0
    knee_axis_deg: float = 5.0
    draws: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that are not standard deviations.

        Raises
        ------
        UsageError
            Naming the input, what was given and what was wanted.
        """
        for name, value in asdict(self).items():
            wanted = wanted_number(name, value)
            if wanted:
                raise UsageError(f"{name} is {told(value)}, wanted {wanted}")


def wanted_number(name: str, value: Any) -> str:
    """Return what kind of number an input must be if ``value`` is not one, else an empty text."""
    if name in _COUNTS:
        low, high = _COUNTS[name]
        valid = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return "" if valid else f"a whole number from {low} to {high}"
    high = _LARGEST[name.rpartition("_")[2]]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    valid = number and math.isfinite(value) and 0 <= value <= high
    return "" if valid else f"a number from 0 to {high:g}"


def input_errors(word: str) -> InputErrors | None:
    """Return the input errors for ``--uncertainty``: ``none``, ``default`` or a TOML file's path.

    Returns
    -------
    InputErrors or None
        None for ``none``.

    Raises
    ------
    UsageError
        When there is no such file, or it has an impossible value.
    """
    if word == "none":
        return None
    if word == "default":
        return InputErrors()
    if not Path(word).is_file():
        message = f"--uncertainty is {word!r}, wanted none, default or an existing TOML file"
        raise UsageError(message)
    return read_input_errors(Path(word))


def read_input_errors(path: Path) -> InputErrors:
    """Read the input errors of a laboratory; inputs that the file does not name keep their default.

    Parameters
    ----------
    path : Path
        TOML with the names of :class:`InputErrors`, such as ``hip_mm = 15``.

    Raises
    ------
    UsageError
        Naming file and line, what was found and what was wanted.
    """
    toml = TomlText(path)
    names = [field.name for field in fields(InputErrors)]
    for name, value in toml.tables.items():
        if name not in names:
            toml.refuse_unknown((name,), names)
        wanted = wanted_number(name, value)
        if wanted:
            toml.refuse((name,), value, wanted)
    return InputErrors(**toml.tables)


Progress = Callable[[str, int, int], None]
"""Called with the name of a computation, the number of parts that are done, and their total."""


def no_progress(_computation: str, _done: int, _of: int) -> None:
    """Ignore progress."""
