"""Output, errors and exit codes: one line on stderr, never a traceback for bad input."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from gaitdyn.errors import GaitdynError, UsageError
from gaitdyn.types.texts import DIRECTION_MARKS
from gaitdyn_cli.plain_values import WANTED
from gaitdyn_cli.start import STOPPED

REFUSED, WRONG_USAGE = 1, 2

_CommandMistake: type[Exception] = typer.BadParameter.__mro__[2]
"""ClickException of typer's own click, the base class of its usage errors."""


def say(*messages: str) -> None:
    """Write lines on stderr; characters that the console cannot show become ``?``.

    A failure to write, because the reader is gone or the disk of a log is full, is ignored.
    """
    for message in messages:
        with suppress(OSError):
            _write(sys.stderr, plain(message))


def answer(*lines: str) -> None:
    """Write lines on stdout; characters that the console cannot show become ``?``."""
    for line in lines:
        _write(sys.stdout, plain(line))


def answer_json(text: str) -> None:
    """Write a JSON document on stdout, with its line breaks."""
    _write(sys.stdout, "\n".join(plain(line, json=True) for line in text.split("\n")))


def answer_document(document: Any, **form: Any) -> None:
    """Write values on stdout as a JSON document; ``form`` are arguments of :func:`json.dumps`."""
    import json

    usual: dict[str, Any] = {"indent": 2, "ensure_ascii": False}
    answer_json(json.dumps(document, **(usual | form)))


def answer_written(paths: Iterable[Path], *, shown: bool) -> None:
    """Report each written file."""
    if shown:
        answer(*(f"wrote {path}" for path in paths))


def plain(text: str, *, json: bool = False) -> str:
    r"""Return a text in which characters that control a terminal are written as escapes.

    Names of files and labels come from anywhere. Marks that change the direction of writing count
    as control characters, too.

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
    return "".join(_escaped(c, json=json) if _controls_terminal(c) else c for c in text)


def _controls_terminal(c: str) -> bool:
    if c.isprintable() or c == "\t":
        return False
    return unicodedata.category(c) in {"Cc", "Zl", "Zp"} or c in DIRECTION_MARKS


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
        _drop(stream)
        raise


def _drop(stream: Any) -> None:
    """Let what a stream still holds go nowhere: Python fails, with 120, if it cannot be flushed."""
    with suppress(OSError, ValueError, AttributeError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def run(command: Callable[[], Any]) -> int:
    """Run a command and return its exit code; every expected error becomes one line."""
    try:
        code = command()
    except typer.Exit as stop:
        code = stop.exit_code
    except (UsageError, _CommandMistake) as error:
        text = str(getattr(error, "of_command", getattr(error, "message", ""))) or str(error)
        format_message = getattr(error, "format_message", None)
        words = _line(format_message() if format_message else text)
        say(f"gaitdyn: {_in_our_words(words, getattr(error, 'ctx', None))}")
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
    if code == STOPPED:  # Ctrl-C, which typer turns into an exit code
        say("gaitdyn: stopped")
    return code if isinstance(code, int) else 0


def _nameless() -> str:
    """Return what a system call without a file name was about."""
    try:
        Path.cwd()
    except OSError:
        return "the current folder"
    return "a file"


def _line(text: str) -> str:
    return " ".join(text.split())


_REPLACEMENTS = (
    ("Input should be a valid number, unable to parse string as a number",
     WANTED[float]),
    ("Input should be a valid integer, unable to parse string as an integer",
     WANTED[int]),
    ("Input should be greater than or equal to ", "wanted at least "),
    ("Got unexpected extra argument(s)",
     "one name too many (quote names with spaces; for many trials use gaitdyn batch FOLDER):"),
)  # fmt: skip
"""Messages of typer, and our replacements."""


def _in_our_words(text: str, context: Any) -> str:
    for theirs, ours in _REPLACEMENTS:
        text = text.replace(theirs, ours)
    command = getattr(context, "command_path", "gaitdyn")
    if text.startswith("No such command") and "Did you mean" not in text:
        return f"{text} {command} --help lists them."
    if text.startswith("No such option") and command == "gaitdyn":
        return f"{text} (options follow the command: gaitdyn process TRIAL.c3d --mass 60.5)"
    if text.startswith("Missing"):
        return f"{text} {command} --help shows what it takes."
    return f"{text} ({_DASHES})" if _ONE_DASH.search(text) else text


_ONE_DASH = re.compile(r"No such option: -[^\W\d_]$")
"""Of ``-mass`` typer reports only ``-m``, which the user did not write."""

_DASHES = "an option of several letters has two dashes, as in --mass"
