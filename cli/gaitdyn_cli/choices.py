"""From the words of the command line to :class:`gaitdyn.types.options.Options`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.types.options import EMG_SCALES, Options
from gaitdyn.types.words import parse_assign, parse_band, parse_functional, parse_rename

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from typer import Context

_LATER = {("format", "parquet")}
REPORTS: dict[str, tuple[str, ...]] = {
    "none": (),
    "html": ("report.html",),
    "pdf": ("report.pdf",),
    "both": ("report.html", "report.pdf"),
}
"""What ``--report`` writes."""


def options_from(
    *,
    static: str | None,
    subject: Path | None,
    subject_prefix: str | None,
    mass: float | None,
    height: float | None,
    marker_diameter: float | None,
    cutoff: str,
    force_cutoff: str,
    filter_kind: str,
    assign: str | None,
    quality: Path | None = None,
    rename: Sequence[str] | None = None,
    functional: Sequence[str] | None = None,
    **words: Any,
) -> Options:
    """Return the options, each checked against what it may say.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is wanted.
    """
    words["filter"] = filter_kind
    fields: dict[str, Any] = dict(words)
    if force_cutoff != "same":
        fields["force_cutoff_hz"] = _frequency("force-cutoff", force_cutoff)
    return Options(
        static=static,
        rename=parse_rename(rename or ()),
        functional=parse_functional(functional or ()),
        subject=None if subject is None else str(subject),
        subject_prefix=subject_prefix,
        mass_kg=mass,
        height_m=height,
        marker_diameter_mm=marker_diameter,
        cutoff_hz=_frequency("cutoff", cutoff),
        assign=parse_assign(assign),
        quality=None if quality is None else str(quality),
        **fields,
    )


_FIELDS = {
    "mass": ("mass_kg",),
    "height": ("height_m",),
    "marker_diameter": ("marker_diameter_mm",),
    "cutoff": ("cutoff_hz",),
    "force_cutoff": ("force_cutoff_hz",),
    "filter_kind": ("filter",),
    "static": ("static", "static_frames"),
    "emg_band": ("emg_band_hz",),
    "emg_envelope": ("emg_envelope_hz",),
    "emg_notch": ("emg_notch_hz",),
    "emg_muscles": ("emg_channels",),
}
"""Parameter of a command -> its fields of the options, where they are called otherwise."""


def given_fields(context: Context, options: Options) -> dict[str, Any]:
    """Return the fields of the options that stand on the command line.

    Parameters
    ----------
    context : typer.Context
        Of the command.
    options : Options
        As the command line has them.
    """
    given: dict[str, Any] = {}
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE":
            continue
        fields = _FIELDS.get(name, (name,))
        given |= {field: getattr(options, field) for field in fields if hasattr(options, field)}
    return given


def emg_fields(
    band: str | None,
    envelope: float | None,
    notch: str | None,
    normalise: str | None,
    muscles: Path | None,
) -> dict[str, Any]:
    """Return the options of electromyography that were given, as fields of the options.

    Raises
    ------
    UsageError
        Naming the option or the file, what was given and what is wanted.
    """
    found: dict[str, Any] = {}
    if band is not None:
        found["emg_band_hz"] = parse_band(band)
    if envelope is not None:
        found["emg_envelope_hz"] = envelope
    if notch is not None:
        found["emg_notch_hz"] = _frequency("emg-notch", notch)
    if normalise is not None:
        found["emg_normalise"] = normalise
        if normalise not in EMG_SCALES:
            from gaitdyn.emg.maxima import read_maxima

            read_maxima(normalise)
    if muscles is not None:
        from gaitdyn.session.emg_names import read_emg_file

        found["emg_channels"] = read_emg_file(muscles)
    return found


def given_options(**fields: Any) -> dict[str, Any]:
    """Return the options that were given, each checked against what it may say.

    Raises
    ------
    UsageError
    """
    given = {name: value for name, value in fields.items() if value is not None}
    Options(**given)
    return given


def frequency_option(name: str, text: str | None) -> dict[str, Any]:
    """Return a cut-off that was given as a field of the options, nothing when it was not."""
    if text is None:
        return {}
    field = name.replace("-", "_") + "_hz"
    same = name == "force-cutoff" and text == "same"
    return {field: text if same else _frequency(name, text)}


def check_files(quality: Path | None, uncertainty: str | None, sweeps: Sequence[str]) -> None:
    """Refuse limits, input errors and settings that cannot be read, before anything is done.

    Raises
    ------
    UsageError
        Naming the file or the setting, what was found and what is wanted.
    """
    if quality is not None:
        from gaitdyn.quality.rules import load_rules

        load_rules(quality)
    if uncertainty is not None:
        from gaitdyn.uncertainty.inputs import input_errors

        input_errors(uncertainty)
    if sweeps:
        from gaitdyn.uncertainty.sweeps import parse_sweeps

        parse_sweeps(sweeps)


def check_outputs(table_format: str, report: str) -> None:
    """Refuse formats and reports that do not exist, or not yet."""
    _check_word("format", table_format, ("csv",))
    check_report(report)


def check_report(report: str) -> None:
    """Refuse a kind of report that does not exist."""
    _check_word("report", report, tuple(REPORTS))


def _check_word(name: str, value: str, allowed: tuple[str, ...]) -> None:
    option = "--" + name.replace("_", "-")
    if (name, value) in _LATER:
        message = f"{option} {value} is not built yet; wanted {' or '.join(allowed)}"
        raise UsageError(message)
    if value not in allowed:
        message = f"{option} is {value!r}, wanted {' or '.join(allowed)}"
        raise UsageError(message)


def _frequency(name: str, text: str) -> float | None:
    """Return a cut-off in Hz, or ``None`` for ``none``."""
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError:
        message = f"--{name} is {text!r}, wanted a frequency in Hz or none"
        raise UsageError(message) from None
