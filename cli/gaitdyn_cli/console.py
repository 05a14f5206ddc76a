"""Errors and exit codes: one line on stderr, never a traceback for bad input."""

from __future__ import annotations

import re
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaitdyn.errors import GaitdynError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
REFUSED, WRONG_USAGE, STOPPED = 1, 2, 130

_CommandMistake: type[Exception] = typer.BadParameter.__mro__[2]
"""ClickException of the click that typer brings along, base of its usage errors."""


def say(message: str) -> None:
    """Write a line on stderr; a character that the console lacks is written as ``?``.

    What cannot be told, as its reader is gone or the disk of a log is full, stops no work.
    """
    with suppress(OSError):
        _write(sys.stderr, plain(message))


def answer(text: str) -> None:
    """Write a line on stdout; a character that the console lacks is written as ``?``."""
    _write(sys.stdout, plain(text))


def answer_json(text: str) -> None:
    """Write a JSON document on stdout, its line breaks as they are."""
    _write(sys.stdout, "\n".join(plain(line, json=True) for line in text.split("\n")))


def answer_document(document: Any, **form: Any) -> None:
    """Write values on stdout as a JSON document; ``form`` are words of :func:`json.dumps`."""
    import json

    answer_json(json.dumps(document, **{"indent": 2, "ensure_ascii": False, **form}))


def answer_written(paths: Iterable[Path], *, shown: bool) -> None:
    """Write which files were written, which is what the paths do when they are asked for."""
    for path in paths:
        if shown:
            answer(f"wrote {path}")


def plain(text: str, *, json: bool = False) -> str:
    r"""Return a text without characters that steer a terminal: they are written as escapes.

    Names of files and labels come from anywhere. What turns the direction of writing counts as
    steering, too.

    Parameters
    ----------
    text : str
    json : bool
        Escape as JSON does.

    Examples
    --------
    >>> print(plain("walk\x1b[2J\r01"), plain("a\x9bb", json=True))
    walk\x1b[2J\r01 a\u009bb
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(c, json=json) if _steers(c) else c for c in text)


def _steers(c: str) -> bool:
    if c.isprintable() or c == "\t":
        return False
    return unicodedata.category(c) in {"Cc", "Zl", "Zp"} or c in _TURNING


def _escaped(c: str, *, json: bool) -> str:
    return f"\\u{ord(c):04x}" if json else c.encode("unicode_escape").decode()


def _write(stream: Any, text: str) -> None:
    if stream is None:  # a program without a console
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
    except OSError as error:
        error.filename = "the output"
        raise


def run(command: Callable[[], Any]) -> int:
    """Run a command and return its exit code; every deliberate error becomes one line."""
    try:
        code = command()
    except typer.Exit as stop:
        code = stop.exit_code
    except (UsageError, _CommandMistake) as error:
        text = str(getattr(error, "of_command", getattr(error, "message", ""))) or str(error)
        format_message = getattr(error, "format_message", None)
        say(f"gaitdyn: {_plain(_line(format_message() if format_message else text))}")
        return WRONG_USAGE
    except GaitdynError as error:
        say(f"gaitdyn: {_line(str(error))}")
        return REFUSED
    except OSError as error:
        name = Path(str(error.filename)).name if error.filename else _nameless()
        say(f"gaitdyn: {name}: {_line(error.strerror or str(error)).lower()}")
        return REFUSED
    except (typer.Abort, KeyboardInterrupt):
        say("gaitdyn: stopped")
        return STOPPED
    if code == STOPPED:  # Ctrl-C, which the library of the command line makes a code
        say("gaitdyn: stopped")
    return code if isinstance(code, int) else 0


def _nameless() -> str:
    """Return what a system call without a name was about."""
    try:
        Path.cwd()
    except OSError:
        return "the current folder"
    return "a file"


def _line(text: str) -> str:
    return " ".join(text.split())


_PLAIN = (
    ("Input should be a valid number, unable to parse string as a number",
     "wanted a number such as 60.5, with a point and without its unit"),
    ("Input should be a valid integer, unable to parse string as an integer",
     "wanted a whole number"),
    ("Input should be greater than or equal to ", "wanted at least "),
    ("Got unexpected extra argument(s)",
     "one name too many (names with spaces need quotes; many trials go to gaitdyn batch FOLDER):"),
)  # fmt: skip
"""What the library of the command line says, and what a user is told."""


def _plain(text: str) -> str:
    for theirs, ours in _PLAIN:
        text = text.replace(theirs, ours)
    return f"{text} ({_DASHES})" if _ONE_DASH.search(text) else text


_ONE_DASH = re.compile(r"No such option: -[^\W\d_]$")
"""Of ``-mass`` only the ``-m`` is told, which nobody wrote."""

_DASHES = "an option of several letters has two dashes, as in --mass"
