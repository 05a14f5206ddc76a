"""The tables ``[options]`` of ``session.toml``: the words of ``gaitdyn process``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.types.options import CHOICES, Options
from gaitdyn.types.words import parse_band

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.session.toml_text import TomlText

_NUMBERS = {
    "cutoff": "cutoff_hz",
    "force_cutoff": "force_cutoff_hz",
    "mass": "mass_kg",
    "height": "height_m",
    "marker_diameter": "marker_diameter_mm",
    "emg_envelope": "emg_envelope_hz",
    "emg_notch": "emg_notch_hz",
}
_WORDS = (
    *CHOICES, "up", "forward", "model", "anthropometry", "subject", "subject_prefix", "condition",
    "quality", "uncertainty", "emg_normalise", "emg_band",
)  # fmt: skip
_FILES = {
    "model": ".toml",
    "anthropometry": ".csv",
    "subject": "",
    "quality": "",
    "uncertainty": ".toml",
    "emg_normalise": ".toml",
}
_NONE = ("cutoff", "force_cutoff", "emg_notch")
"""Numbers that may be ``none``."""
_BAND = "emg_band"
_SWITCHES = ("audit", "terms", "generalised", "other_person")
KNOWN = tuple(sorted((*_NUMBERS, *_WORDS, *_SWITCHES)))


def read_options(
    toml: TomlText, where: tuple[str, ...], table: Any, folder: Path
) -> dict[str, Any]:
    """Return the fields of :class:`Options` that a table sets.

    Names are those of the command, with ``-`` or ``_``; paths start at the session's folder.

    Parameters
    ----------
    toml : TomlText
    where : tuple of str
        Names of the tables that lead here.
    table : object
        As read.
    folder : Path

    Raises
    ------
    UsageError
        Naming file and line, what was found and what was wanted.
    """
    if not isinstance(table, dict):
        toml.refuse(where, table, "a table of options")
    fields: dict[str, Any] = {}
    for key, value in table.items():
        name, place = key.replace("-", "_"), (*where, key)
        if name in _NUMBERS:
            fields[_NUMBERS[name]] = _number(toml, place, name, value)
        elif name in _WORDS:
            if not isinstance(value, str):
                toml.refuse(place, value, "a text")
            if name == _BAND:
                fields["emg_band_hz"] = _band(toml, place, value)
                continue
            fields[name] = _path(name, value, folder)
        elif name in _SWITCHES:
            if not isinstance(value, bool):
                toml.refuse(place, value, "true or false")
            fields[name] = value
        else:
            toml.refuse_key(place, f"one of {', '.join(KNOWN)}")
        _check(toml, place, fields, name)
    return fields


def _number(toml: TomlText, place: tuple[str, ...], name: str, value: Any) -> Any:
    """Return a number, ``None`` for ``none``, or ``same`` for the cut-off of the forces."""
    if name in _NONE and value == "none":
        return None
    if name == "force_cutoff" and value == "same":
        return value
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        more = ' or "none"' if name in _NONE else ""
        toml.refuse(place, value, f"a number{more}")
    return float(value)


def _band(toml: TomlText, place: tuple[str, ...], value: str) -> tuple[float, float]:
    """Return the ends of a band such as ``20-450``."""
    try:
        band = parse_band(value)
        Options(emg_band_hz=band)
    except UsageError as error:
        toml.refuse(place, value, str(error).rpartition("wanted ")[2])
    return band


def _path(name: str, value: str, folder: Path) -> str:
    """Return a path from the session's folder where the word names a file."""
    ending = _FILES.get(name)
    is_file = ending is not None and value.lower().endswith(ending)
    return str(folder / value) if is_file else value


def _check(toml: TomlText, place: tuple[str, ...], fields: dict[str, Any], name: str) -> None:
    """Refuse a value that :class:`Options` refuses by itself."""
    field = _NUMBERS.get(name, name)
    try:
        Options(**{field: fields[field]})
    except UsageError as error:
        wanted = str(error).rpartition("wanted ")[2]
        toml.refuse(place, fields[field], wanted)
