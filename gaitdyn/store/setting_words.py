"""Settings, as ``result.json`` has them, in words."""

from __future__ import annotations

from typing import Any

_SIGNS = {
    "rename": " = ",
    "functional": " = ",
    "reasons": ": ",
    "static_frames": "-",
    "emg_band_hz": "-",
}
"""Setting -> the sign between the parts of a value; a blank for the others."""


def setting_words(key: str, value: Any) -> str:
    """Return a setting, as ``result.json`` has it, in words.

    Examples
    --------
    >>> (
    ...     setting_words("cutoff_hz", None),
    ...     setting_words("mass_kg", None),
    ...     setting_words("terms", True),
    ... )
    ('none', 'not given', 'yes')
    >>> setting_words("leave_out", [["left", 2], ["right", 1]]), setting_words("leave_out", [])
    ('left 2, right 1', 'none')
    """
    if value is None or value == "":
        return "none" if key.endswith("cutoff_hz") else "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, list):
        return str(value)
    entries: list[Any] = value if isinstance(next(iter(value), []), (list, dict)) else [value]
    return ", ".join(_entry_words(key, entry) for entry in entries) or "none"


def _entry_words(key: str, entry: Any) -> str:
    """Return a plate and its foot, an event, or the parts of another value."""
    if key == "assign":
        frames = ":{}-{}".format(*entry["frames"]) if entry["frames"] else ""
        return f"{entry['plate']}={entry['side']}{frames}"
    if key == "events":
        return f"{entry['side']} {entry['kind'].replace('_', ' ')} at {entry['time_s']:g} s"
    return _SIGNS.get(key, " ").join(map(str, entry))
