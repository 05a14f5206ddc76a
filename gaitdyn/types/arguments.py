"""The words of the command line and those of Python for the same settings.

Messages are written once, with the words of the command; whoever calls from Python reads the names
of arguments.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING

from gaitdyn.errors import GaitdynError, OptionRefused

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping

_UNITS = ("hz", "kg", "m", "mm", "s")
_WRITING = {"-o": "folder", "--force": "force=True"}
_VALUE = r"(?: (?P<value>[a-z0-9][a-z0-9-]*))?"
_OPTION = re.compile(r"(?<![\w-])(?P<option>--[a-z][a-z-]*|-o\b)" + _VALUE)


def option_of(field: str) -> str:
    """Return the option of the command that sets a field of the settings.

    Examples
    --------
    >>> option_of("force_cutoff_hz"), option_of("moments_in"), option_of("mass_kg")
    ('--force-cutoff', '--moments-in', '--mass')
    """
    stem, _, unit = field.rpartition("_")
    return "--" + (stem if unit in _UNITS else field).replace("_", "-")


def in_words_of_arguments(
    text: str, fields: Iterable[str], choices: Mapping[str, tuple[str, ...]]
) -> str:
    """Return a message of the command with the names of arguments in the place of options.

    Parameters
    ----------
    text : str
    fields : iterable of str
        Names of the settings.
    choices : mapping
        Field -> what it may say.

    Examples
    --------
    >>> told = "--cutoff is 0, wanted 0.5 to 1000 Hz; or --profile plug-in-gait"
    >>> in_words_of_arguments(told, ["cutoff_hz", "profile"], {"profile": ("plug-in-gait",)})
    "cutoff_hz is 0, wanted 0.5 to 1000 Hz; or profile='plug-in-gait'"
    """
    names = {option_of(field): field for field in fields}

    def turned(found: re.Match[str]) -> str:
        option, value = found["option"], found["value"]
        field = names.get(option)
        if field is None:
            return found[0].replace(option, _WRITING.get(option, option))
        if value is not None and value in choices.get(field, ()):
            return f"{field}={value!r}"
        return found[0].replace(option, field)

    return _OPTION.sub(turned, text.replace(" with -o", ""))


@contextmanager
def speaking_of_arguments() -> Generator[None]:
    """Let errors name arguments in the place of the options of the command."""
    from gaitdyn.types.options import CHOICES, Options

    try:
        yield
    except OptionRefused:
        raise
    except GaitdynError as error:
        names = [field.name for field in fields(Options)]
        error.args = (in_words_of_arguments(str(error), names, CHOICES),)
        raise
