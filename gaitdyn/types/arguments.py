"""Command-line options and Python arguments for the same settings.

Messages are written once, with the options of the command. Callers from Python get them with the
names of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

from gaitdyn.errors import GaitdynError, OptionRefused, UsageError

_UNITS = ("hz", "kg", "m", "mm", "s")
_OTHER_WORDS = {"emg_channels": "--emg-muscles"}
_WRITING = {"-o": "folder", "--force": "force=True"}
_VALUE = r"(?: (?P<value>[a-z0-9][a-z0-9-]*))?"
_OPTION = re.compile(r"(?<![\w-])(?P<option>--[a-z][a-z-]*|-o\b)(?: (?:KG|MM)\b)?" + _VALUE)
_HOME = re.compile(r"^~$|(?:^|(?<==))~(?=[/\\])")
SHOWN = 60
"""Characters of a value in a message."""


def option_of(field: str) -> str:
    """Return the command-line option that sets a field of the settings.

    Examples
    --------
    >>> option_of("force_cutoff_hz"), option_of("moments_in"), option_of("emg_channels")
    ('--force-cutoff', '--moments-in', '--emg-muscles')
    """
    stem, _, unit = field.rpartition("_")
    plain = "--" + (stem if unit in _UNITS else field).replace("_", "-")
    return _OTHER_WORDS.get(field, plain)


def one_of(words: Iterable[str]) -> str:
    """Return the allowed words of a setting as a list to choose from.

    Examples
    --------
    >>> one_of(["html", "pdf", "both"]), one_of(["csv"])
    ('html, pdf or both', 'csv')
    """
    *before, last = words
    return f"{', '.join(before)} or {last}" if before else last


def told(value: object) -> str:
    """Return a value of any type as a message shows it, on one line.

    Examples
    --------
    >>> told("walk.c3d"), told(None), told([0] * 100)[-3:]
    ("'walk.c3d'", 'None', '...')
    >>> told(date(2024, 5, 17))
    '2024-05-17'
    """
    text = str(value) if isinstance(value, date) else " ".join(repr(value).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def at_home(text: str) -> str:
    """Return a path, or ``NAME=path``, with the home folder in place of ``~``."""
    return _HOME.sub(lambda _: str(Path.home()), text)


def path_of(argument: str, value: Any, wanted: str) -> Path:
    """Return a path given in Python, with its ``~`` replaced as by :func:`at_home`.

    Parameters
    ----------
    argument : str
        Its name in the message.
    value : str or Path
        As given.
    wanted : str
        What the path is of, such as ``a C3D file``.

    Raises
    ------
    UsageError
        When it is no path, or an empty one.
    """
    text = value.__fspath__() if hasattr(value, "__fspath__") else value
    if not isinstance(text, str) or not text or "\0" in text:
        message = f"{argument} is {told(value)}, wanted the path of {wanted}: a text or a Path"
        raise UsageError(message)
    return Path(at_home(text))


def in_words_of_arguments(
    text: str, fields: Iterable[str], choices: Mapping[str, tuple[str, ...]]
) -> str:
    """Return a message of the command with the names of arguments instead of options.

    Parameters
    ----------
    text : str
    fields : iterable of str
        Names of the settings.
    choices : mapping
        Field -> allowed values.

    Examples
    --------
    >>> message = "--cutoff is 0, wanted 0.5 to 1000 Hz; or --profile plug-in-gait"
    >>> in_words_of_arguments(message, ["cutoff_hz", "profile"], {"profile": ("plug-in-gait",)})
    "cutoff_hz is 0, wanted 0.5 to 1000 Hz; or profile='plug-in-gait'"
    >>> message = "give it with --mass KG, or name a standing trial with --static"
    >>> in_words_of_arguments(message, ["mass_kg", "static"], {})
    'give it with mass_kg, or name a standing trial with `static`'
    """
    names = {option_of(field): field for field in fields}

    def renamed(match: re.Match[str]) -> str:
        option, value = match["option"], match["value"]
        field = names.get(option)
        if field is None:
            return match[0].replace(option, _WRITING.get(option, option))
        if value is not None and value in choices.get(field, ()):
            return f"{field}={value!r}"
        is_plain = "_" in field or not match.start()  # else it reads as a word of the sentence
        name = field if is_plain else f"`{field}`"
        return name if value is None else f"{name} {value}"

    plain = text.replace(" with -o", "").replace("`gaitdyn batch` takes all of them", "name one")
    plain = plain.replace("`gaitdyn batch`", "gaitdyn.process_session")
    return _OPTION.sub(renamed, plain)


def for_python(text: str) -> str:
    """Return a message of the command with the names of the settings of :class:`Options`."""
    from gaitdyn.types.options import CHOICES, Options

    return in_words_of_arguments(text, (field.name for field in fields(Options)), CHOICES)


@contextmanager
def speaking_of_arguments() -> Generator[None]:
    """Make errors name arguments instead of command-line options."""
    try:
        yield
    except OptionRefused:
        raise
    except GaitdynError as error:
        error.args = (for_python(str(error)),)
        raise
