"""What if: the peaks of one trial under other settings, one setting changed at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gaitdyn.calibrate.segment_tables import table_names
from gaitdyn.errors import GaitdynError, UsageError
from gaitdyn.types.option_rows import ROWS
from gaitdyn.types.options import CHOICES
from gaitdyn.uncertainty.inputs import untold
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.peak_means import peak_means, peak_units, result_under

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.trial import Result
    from gaitdyn.uncertainty.inputs import Told
    from gaitdyn.uncertainty.peak_means import PeakMeans

_SWEPT = {row.sweep: row for row in ROWS if row.sweep}
KEYS = tuple(_SWEPT)
MOST = 60
"""Settings of one sweep."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting that is tried: its key, its value as a word, and the field of the options."""

    key: str
    word: str
    field: str
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Peaks under every setting.

    Attributes
    ----------
    settings : tuple of Setting
        Those that could be computed.
    units : dict
        Quantity -> unit.
    base : PeakMeans
        Under the options of the run itself.
    values : tuple of PeakMeans
        In the order of the settings; a quantity that a setting does not have is not in it.
    left_out : tuple of (str, str)
        ``key=word`` of a setting that this trial does not allow, and why.
    """

    settings: tuple[Setting, ...]
    units: dict[str, str]
    base: PeakMeans
    values: tuple[PeakMeans, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def parse_sweeps(texts: Sequence[str]) -> tuple[Setting, ...]:
    """Return the settings of ``--sweep key=a,b`` in their order.

    Parameters
    ----------
    texts : sequence of str

    Raises
    ------
    UsageError
        Naming what was found and what is wanted.

    Examples
    --------
    >>> [(one.word, one.value) for one in parse_sweeps(["cutoff=6,none", "anthropometry=deleva"])]
    [('6', 6.0), ('none', None), ('de-leva', 'de-leva')]
    """
    found: list[Setting] = []
    for text in texts:
        name, equals, words = text.partition("=")
        key = name.strip().replace("-", "_")
        if not equals or key not in KEYS:
            message = f"--sweep is {text!r}, wanted KEY=A,B with KEY one of {', '.join(KEYS)}"
            raise UsageError(message)
        found += [_setting(key, word.strip()) for word in words.split(",")]
    if len(found) > MOST:
        raise UsageError(f"--sweep asks for {len(found)} settings, wanted at most {MOST}")
    return tuple(found)


def _setting(key: str, word: str) -> Setting:
    row = _SWEPT[key]
    if row.field == "anthropometry":
        name = _table(word)
        return Setting(key, name, row.field, name)
    allowed = CHOICES.get(row.field)
    if allowed is not None:
        if word not in allowed:
            raise UsageError(f"--sweep {key}: found {word!r}, wanted {', '.join(allowed)}")
        return Setting(key, word, row.field, word)
    if word == "none" or (word == "same" and key == "force_cutoff"):
        return Setting(key, word, row.field, None if word == "none" else word)
    try:
        return Setting(key, word, row.field, float(word))
    except ValueError:
        message = f"--sweep {key}: found {word!r}, wanted a frequency in Hz or none"
        raise UsageError(message) from None


def _table(word: str) -> str:
    """Return the table that a word begins, hyphens or not; the path of a file as it is."""
    if word.lower().endswith(".csv"):
        return word
    short = word.replace("-", "").lower()
    fitting = [name for name in table_names() if short and name.replace("-", "").startswith(short)]
    if len(fitting) != 1:
        message = f"--sweep anthropometry: found {word!r}, wanted one of {', '.join(table_names())}"
        raise UsageError(message)
    return fitting[0]


def find_sweep(base: Result, settings: Sequence[Setting], told: Told = untold) -> Sweep:
    """Return the peaks under every setting, all others as in the run itself.

    Strikes and offs are those of the run itself, so that the numbers are of the same cycles.
    A setting that this trial does not allow, such as a table by sex where the sex is not known, is
    left out with its reason.

    Parameters
    ----------
    base : Result
        As processed, not read from a folder.
    settings : sequence of Setting
    told : callable, optional
        Is told how far it is.
    """
    stages_of(base)  # refused before a setting is left out for it
    done: list[Setting] = []
    values: list[PeakMeans] = []
    left_out: list[tuple[str, str]] = []
    units = peak_units(base)
    for i, one in enumerate(settings):
        told("other settings", i, len(settings))
        options = replace(base.options, **{one.field: one.value})
        if one.key == "hip":  # a regression in the place of what a functional trial shows
            knees = [pair for pair in options.functional if pair[0].startswith("knee")]
            options = replace(options, functional=tuple(knees))
        try:
            result = result_under(base, options)
        except GaitdynError as error:
            left_out.append((f"{one.key}={one.word}", str(error)))
            continue
        units |= peak_units(result)
        done.append(one)
        values.append(peak_means(result))
    return Sweep(tuple(done), units, peak_means(base), tuple(values), tuple(left_out))
