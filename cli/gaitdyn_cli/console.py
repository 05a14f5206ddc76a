"""Errors and exit codes: one line on stderr, never a traceback for bad input."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaitdyn.errors import GaitdynError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REFUSED, WRONG_USAGE, STOPPED = 1, 2, 130

_CommandMistake: type[Exception] = typer.BadParameter.__mro__[2]
"""ClickException of the click that typer brings along, base of its usage errors."""


def say(message: str) -> None:
    """Write a line on stderr; a character that the console lacks is written as ``?``."""
    _write(sys.stderr, message)


def answer(text: str) -> None:
    """Write a line on stdout; a character that the console lacks is written as ``?``."""
    _write(sys.stdout, text)


def _write(stream: Any, text: str) -> None:
    if stream is None:  # a program without a console
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    stream.flush()


def run(command: Callable[[], Any]) -> int:
    """Run a command and return its exit code; every deliberate error becomes one line."""
    try:
        code = command()
    except typer.Exit as stop:
        code = stop.exit_code
    except (UsageError, _CommandMistake) as error:
        text = str(getattr(error, "message", "")) or str(error)
        format_message = getattr(error, "format_message", None)
        say(f"gaitdyn: {_line(format_message() if format_message else text)}")
        return WRONG_USAGE
    except GaitdynError as error:
        say(f"gaitdyn: {_line(str(error))}")
        return REFUSED
    except OSError as error:
        name = Path(str(error.filename)).name if error.filename else "a file"
        say(f"gaitdyn: {name}: {_line(error.strerror or str(error)).lower()}")
        return REFUSED
    except (typer.Abort, KeyboardInterrupt):
        say("gaitdyn: stopped")
        return STOPPED
    if code == STOPPED:  # Ctrl-C, which the library of the command line makes a code
        say("gaitdyn: stopped")
    return code if isinstance(code, int) else 0


def _line(text: str) -> str:
    return " ".join(text.split())


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Callable[[int, int, str], None]]:
    """Give what shows how far a long work is: a bar on a terminal, else a line a step, on stderr.

    Parameters
    ----------
    what : str
        Name of the work.
    quiet : bool
        Show nothing.
    """
    if quiet:
        yield lambda _at, _of, _text: None
    elif sys.stderr is not None and sys.stderr.isatty():
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what)
            yield lambda at, of, text: bar.update(
                task, completed=at, total=of, description=escape(text)
            )
    else:
        yield lambda at, of, text: say(f"{what} {at}/{of} {text}")
