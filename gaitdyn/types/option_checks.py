"""Refuse settings that are of the wrong type, out of range or in conflict with each other."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.types.arguments import one_of, option_of, told
from gaitdyn.types.functional import FUNCTIONAL_KEYS
from gaitdyn.types.subject import LIMITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.options import Options

_KINDS: dict[str, tuple[Any, str]] = {
    "str": (str, "a text"),
    "str | None": (str | None, "a text or None"),
    "bool": (bool, "True or False"),
    "float": (Real, "a number"),
    "float | None": (Real | None, "a number or None"),
    "float | Literal['same'] | None": (Real | None, "a number, same or None"),
}
"""Type of a setting -> allowed Python types, and the same in words."""

_TEXTS = {
    **dict.fromkeys(
        ("static", "forces", "subject", "subject_parameters", "quality"), "the path of a file"
    ),
    **dict.fromkeys(("up", "forward"), "an axis such as +Z"),
}
"""Setting that is a text of a certain meaning -> what is wanted."""

_RANGES: dict[str, tuple[float, float]] = {
    **{name: LIMITS[name] for name in ("mass_kg", "height_m", "marker_diameter_mm")},
    "cutoff_hz": (0.5, 1000.0),
    "emg_envelope_hz": (0.5, 100.0),
    "emg_notch_hz": (10.0, 100.0),
    "force_cutoff_hz": (0.5, 1000.0),
    "longest_gap_s": (0.0, 10.0),
}
"""Setting -> its lowest and highest value; the name ends in the unit."""

_EMG_LIMIT_HZ = 10000.0


def check_kinds(options: Options) -> None:
    """Refuse values of the wrong type, such as a number instead of a text.

    Raises
    ------
    UsageError
        In the words of the command line.
    """
    for name, field in options.__dataclass_fields__.items():
        kinds, wanted = _KINDS.get(str(field.type), (object, ""))
        value = getattr(options, name)
        text = isinstance(value, str)
        if kinds is object or (text and value == field.default):  # such as same
            continue
        switched = isinstance(value, bool) and kinds is not bool  # True counts as 1 in Python
        wanted = f"{_TEXTS[name]} or None" if name in _TEXTS else wanted
        if isinstance(value, kinds) and not switched:
            if not text or (value.strip() and "\0" not in value):
                continue
            wanted = _TEXTS.get(name, "a usable text")
        raise UsageError(f"{option_of(name)} is {told(value)}, wanted {wanted}")


def check_values(
    options: Options, choices: Mapping[str, tuple[str, ...]], scales: tuple[str, ...]
) -> None:
    """Refuse words and numbers that are invalid, alone or in combination.

    Parameters
    ----------
    options : Options
    choices : mapping
        Setting -> allowed values.
    scales : tuple of str
        Values of ``emg_normalise`` other than the name of a file.

    Raises
    ------
    UsageError
        In the words of the command line.
    """
    for name, allowed in choices.items():
        value = getattr(options, name)
        if not isinstance(value, str) or value not in allowed:
            raise UsageError(f"{option_of(name)} is {told(value)}, wanted {one_of(allowed)}")
    _check_functional(options)
    for name, (low, high) in _RANGES.items():
        if isinstance(value := getattr(options, name), Real):
            _check_range(name, float(value), low, high)
    _check_emg(options, scales)
    _check_word_or_file(options, "uncertainty", ("none", "default"), "of input errors")
    _check_together(options)


def _check_range(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        unit = name.rpartition("_")[2].replace("hz", "Hz")
        raise UsageError(f"{option_of(name)} is {value:g}, wanted {low:g} to {high:g} {unit}")


def _check_functional(options: Options) -> None:
    """Refuse functional trials of other joints, and two of the same joint."""
    keys = [key for key, _ in options.functional]
    for key in keys:
        if key not in FUNCTIONAL_KEYS or keys.count(key) > 1:
            ankle = ": an ankle has two axes, and no single point or line stays fixed"
            problem = f"{key!r}{ankle * key.startswith('ankle')}"
            problem = f"{key} twice" if key in FUNCTIONAL_KEYS else problem
            raise UsageError(
                f"--functional is {problem}, wanted {one_of(FUNCTIONAL_KEYS)}, each once"
            )


def _check_emg(options: Options, scales: tuple[str, ...]) -> None:
    """Refuse impossible filters, scales and sides of the electromyography."""
    low, high = options.emg_band_hz
    if not 0 < low < high <= _EMG_LIMIT_HZ:
        raise UsageError(
            f"--emg-band is {low:g}-{high:g}, wanted two frequencies up to {_EMG_LIMIT_HZ:g} Hz,"
            " the lower first, such as 20-450"
        )
    _check_word_or_file(options, "emg_normalise", scales, "of maxima")
    for label, _, side in options.emg_channels:
        if side not in ("left", "right", ""):
            raise UsageError(f"emg_channels: {label!r} has the side {side!r}, wanted left or right")


def _check_word_or_file(options: Options, name: str, words: tuple[str, ...], what: str) -> None:
    """Refuse a text that is neither one of the words nor the name of a TOML file."""
    value = getattr(options, name)
    if value not in words and not value.lower().endswith(".toml"):
        wanted = one_of([*words, f"the name of a .toml file {what}"])
        raise UsageError(f"{option_of(name)} is {told(value)}, wanted {wanted}")


def _check_together(options: Options) -> None:
    """Refuse settings that contradict each other."""
    vendor = options.profile == "plug-in-gait"
    if vendor and options.hip_centre != "model":
        raise UsageError(
            f"--profile plug-in-gait has the vendor's hip centre; leave out --hip-centre"
            f" {options.hip_centre}, or use the profile default"
        )
    if vendor and options.functional:
        raise UsageError(
            "--profile plug-in-gait has the vendor's hip centre and knee axis; leave out"
            " --functional, or use the profile default"
        )
    if vendor and options.generalised:
        raise UsageError(
            "--generalised needs rigid segments, and those of --profile plug-in-gait change"
            " their length in every frame; leave out one of them"
        )
    moments = options.convention, options.moments_in
    if options.names == "pig" and moments != ("internal", "distal"):
        raise UsageError(
            "--names pig has the vendor's moments, internal in distal axes; leave out"
            " --convention and --moments-in, or use gaitdyn's own names"
        )
