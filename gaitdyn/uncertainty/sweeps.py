"""Compute the peaks of one trial under other settings, one setting changed at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gaitdyn.calibrate.body.table_files import table_names
from gaitdyn.errors import GaitdynError, OptionRefused, UsageError
from gaitdyn.trial import Result
from gaitdyn.types.arguments import option_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.option_rows import ROWS
from gaitdyn.types.options import CHOICES, Options
from gaitdyn.types.texts import number_in
from gaitdyn.uncertainty.inputs import Progress, no_progress
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.peak_means import PeakMeans, peak_means, peak_units, result_under

_SWEPT = {row.sweep: row for row in ROWS if row.sweep}
KEYS = tuple(_SWEPT)
MOST = 60
"""Largest number of settings in one sweep."""


@frozen()
class Setting:
    """One setting to try: its key, its value as a word, and the field and value of the options.

    The word of a file is its name, without the folders.
    """

    key: str
    word: str
    field: str
    value: Any


@frozen(eq=False)
class Sweep:
    """Peaks under every setting.

    Attributes
    ----------
    settings : tuple of Setting
        Those that could be computed.
    units : dict
        Quantity -> unit.
    base : PeakMeans
        Under the options of the original run.
    values : tuple of PeakMeans
        In the order of the settings, without the quantities that a setting does not have.
    left_out : tuple of (str, str)
        ``key=word`` of a setting that this trial does not allow, and the reason.
    """

    settings: tuple[Setting, ...]
    units: dict[str, str]
    base: PeakMeans
    values: tuple[PeakMeans, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def parse_sweeps(texts: Sequence[str]) -> tuple[Setting, ...]:
    """Return the settings of ``--sweep key=a,b`` in their order.

    Raises
    ------
    UsageError
        Naming what was found and what was wanted.

    Examples
    --------
    >>> [(s.word, s.value) for s in parse_sweeps(["cutoff=6,none", "anthropometry=deleva"])]
    [('6', 6.0), ('none', None), ('de-leva', 'de-leva')]
    """
    settings: list[Setting] = []
    for text in texts:
        name, equals, words = text.partition("=")
        key = name.strip().replace("-", "_")
        if not equals or key not in KEYS:
            message = f"--sweep is {text!r}, wanted KEY=A,B with KEY one of {', '.join(KEYS)}"
            raise UsageError(message)
        settings += [_setting(key, word.strip()) for word in words.split(",")]
    if len(settings) > MOST:
        raise UsageError(f"--sweep asks for {len(settings)} settings, wanted at most {MOST}")
    for setting in settings:
        options_under(Options(), setting)
    return tuple(settings)


def _setting(key: str, word: str) -> Setting:
    row = _SWEPT[key]
    if row.field == "anthropometry":
        table = _table(word)
        return Setting(key, Path(table).name, row.field, table)
    allowed = CHOICES.get(row.field)
    if allowed is not None:
        if word not in allowed:
            raise UsageError(f"--sweep {key}: found {word!r}, wanted {', '.join(allowed)}")
        return Setting(key, word, row.field, word)
    if word == "none" or (word == "same" and key == "force_cutoff"):
        return Setting(key, word, row.field, None if word == "none" else word)
    frequency = number_in(word, math.nan)
    if math.isnan(frequency):
        raise UsageError(f"--sweep {key}: found {word!r}, wanted a frequency in Hz or none")
    return Setting(key, word, row.field, frequency)


def _table(word: str) -> str:
    """Return the table whose name begins with a word, ignoring hyphens; a file's path unchanged."""
    if word.lower().endswith(".csv"):
        return word
    short = word.replace("-", "").lower()
    fitting = [name for name in table_names() if short and name.replace("-", "").startswith(short)]
    if len(fitting) != 1:
        message = f"--sweep anthropometry: found {word!r}, wanted one of {', '.join(table_names())}"
        raise UsageError(message)
    return fitting[0]


def options_under(options: Options, setting: Setting) -> Options:
    """Return options with one setting changed.

    Generalised loads are left out: they are tables of their own and change no peak.

    Raises
    ------
    UsageError
        Naming the setting, if its value is not possible or not with the other options.
    """
    try:
        fields: dict[str, Any] = {"generalised": False, setting.field: setting.value}
        changed = replace(options, **fields)
    except OptionRefused as error:
        swept = f"{setting.key}={setting.word}"
        option = f"{option_of(setting.field)} {setting.word}"
        message = error.of_command.replace(option, swept)
        raise UsageError(f"--sweep {swept}: {message}") from error
    if setting.key != "hip":
        return changed
    knees = [pair for pair in options.functional if pair[0].startswith("knee")]
    return replace(changed, functional=tuple(knees))  # a regression replaces a functional hip


def find_sweep(
    base: Result, settings: Sequence[Setting], progress: Progress = no_progress
) -> Sweep:
    """Return the peaks under every setting, all other options as in the original run.

    Foot strikes and foot-offs are those of the original run, so that the cycles are the same. A
    setting that this trial does not allow, such as a table by sex if the sex is unknown, is left
    out with its reason.

    Parameters
    ----------
    base : Result
        As processed, not read from a folder.
    settings : sequence of Setting
    progress : callable, optional
        See :data:`gaitdyn.uncertainty.inputs.Progress`.
    """
    stages_of(base)  # refuses the result before every setting is left out because of it
    done: list[Setting] = []
    values: list[PeakMeans] = []
    left_out: list[tuple[str, str]] = []
    units = peak_units(base)
    for i, setting in enumerate(settings):
        progress("other settings", i, len(settings))
        options = options_under(base.options, setting)
        try:
            result = result_under(base, options)
        except GaitdynError as error:
            left_out.append((f"{setting.key}={setting.word}", str(error)))
            continue
        units |= peak_units(result)
        done.append(setting)
        values.append(peak_means(result))
    return Sweep(tuple(done), units, peak_means(base), tuple(values), tuple(left_out))
