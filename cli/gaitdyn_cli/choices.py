"""Translate the command line into :class:`gaitdyn.types.options.Options`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.types.arguments import one_of
from gaitdyn.types.options import EMG_SCALES, Options
from gaitdyn.types.words import parse_assign, parse_band, parse_functional, parse_rename

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from gaitdyn.types.option_rows import OptionRow

REPORTS: dict[str, tuple[str, ...]] = {
    "none": (),
    "html": ("report.html",),
    "pdf": ("report.pdf",),
    "both": ("report.html", "report.pdf"),
}
"""Value of ``--report`` -> files that it writes."""

Given = dict[str, Any]
"""Fields of the options that were given on the command line."""


def fields_of(given: dict[OptionRow, Any]) -> Given:
    """Return the given command-line options as fields of ``Options``.

    Raises
    ------
    UsageError
        Naming the option or the file, what was found and what is wanted.
    """
    for row, value in given.items():
        _check_utf8(row, value)
    fields = {
        row.field: _READ[row.kind](row, value) if row.kind in _READ else value
        for row, value in given.items()
    }
    options = Options(**fields)
    if options.static_frames is not None:
        fields |= {"static": options.static, "static_frames": options.static_frames}
    for field, check in _CHECKS.items():
        if field in fields:
            check(fields[field])
    return fields


def _check_utf8(row: OptionRow, value: Any) -> None:
    """Refuse text that results cannot record; names of recordings are shown with replacements."""
    texts = value if isinstance(value, list) else [value]
    try:
        "".join(str(text) for text in texts if row.kind != "recording").encode("utf-8")
    except UnicodeEncodeError:
        name = row.name.replace("_", "-")
        message = f"--{name}: found bytes that are not UTF-8; write the text in UTF-8, or rename"
        raise UsageError(f"{message} the file") from None


def _frequency(row: OptionRow, text: str) -> float | str | None:
    """Return a cut-off in Hz; ``None`` for ``none``."""
    if text == "none":
        return None
    if text == "same" and row.field == "force_cutoff_hz":
        return text
    from gaitdyn.types.texts import number_in

    frequency = number_in(text, math.nan)
    if math.isnan(frequency):
        name = row.name.replace("_", "-")
        words = "none" if row.field != "force_cutoff_hz" else "same or none"
        wanted = f"a frequency in Hz, such as 6.5, or {words}"
        raise UsageError(f"--{name} is {text!r}, wanted {wanted}")
    return frequency


def _muscles(_row: OptionRow, path: Path) -> tuple[tuple[str, str, str], ...]:
    from gaitdyn.session.emg_names import read_emg_file

    return read_emg_file(path)


_READ: dict[str, Callable[[OptionRow, Any], Any]] = {
    "file": lambda _, path: str(path),
    "frequency": _frequency,
    "band": lambda _, text: parse_band(text),
    "functional": lambda _, texts: parse_functional(texts),
    "rename": lambda _, texts: parse_rename(texts),
    "assign": lambda _, text: parse_assign(text),
    "muscles": _muscles,
}
"""Kind of option -> how its text becomes a field."""


def _check_limits(path: str) -> None:
    from gaitdyn.quality.rules import load_rules

    load_rules(path)


def _check_errors(word: str) -> None:
    from gaitdyn.uncertainty.inputs import input_errors

    input_errors(word)


def _check_maxima(word: str) -> None:
    if word not in EMG_SCALES:
        from gaitdyn.emg.maxima import read_maxima

        read_maxima(word)


def _check_model(name: str) -> None:
    from gaitdyn.calibrate.ladder.model import LADDER
    from gaitdyn.calibrate.models.choice import AUTO
    from gaitdyn.calibrate.models.files import load_model
    from gaitdyn.io.c3d.poses import pose_tables

    if name not in (AUTO, LADDER, *(table.name for table in pose_tables())):
        load_model(name)


def _check_table(name: str) -> None:
    from gaitdyn.calibrate.body.table_choice import AUTO
    from gaitdyn.calibrate.body.table_files import load_table

    if name != AUTO:
        load_table(name)


def _check_files(joints: Sequence[tuple[str, str]]) -> None:
    from gaitdyn.io.c3d.parameters import size_of_file

    for _, path in joints:
        size_of_file(path)


_CHECKS: dict[str, Callable[[Any], None]] = {
    "model": _check_model,
    "anthropometry": _check_table,
    "functional": _check_files,
    "quality": _check_limits,
    "uncertainty": _check_errors,
    "emg_normalise": _check_maxima,
}
"""Field -> function that refuses a name, or a file, that no trial can use."""


def check_sweeps(texts: Sequence[str]) -> None:
    """Refuse settings of a sweep that cannot be parsed, before any work is done."""
    if texts:
        from gaitdyn.uncertainty.sweeps import parse_sweeps

        parse_sweeps(texts)


def check_word(option: str, value: str, allowed: Iterable[str]) -> None:
    """Refuse a value that an option does not accept."""
    if value not in allowed:
        raise UsageError(f"--{option} is {value!r}, wanted {one_of(allowed)}")


def check_outputs(table_format: str, report: str) -> None:
    """Refuse unknown formats and reports."""
    check_word("format", table_format, ("csv", "parquet"))
    check_word("report", report, REPORTS)
