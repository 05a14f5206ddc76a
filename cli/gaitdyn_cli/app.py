"""The ``gaitdyn`` command: one file a command, joined here."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from gaitdyn_cli import console
from gaitdyn_cli.plain_values import without_adapters

_COMMANDS: dict[str, str | None] = {
    "process": "Process one trial.",
    "info": "Show what is in a file or a session.",
    "batch": "Process all trials of one or more sessions.",
    "report": None,
    "export": "Write results for another program.",
    "compare": None,
    "compare-groups": None,
    "place": None,
    "explain": None,
    "reproduce": None,
    "demo": "Write a synthetic session with known truth and process it.",
    "simulate": None,
}
"""Command -> its help; None where the docstring says more. Each is a file of this folder."""

_GROUPS = {
    "model": "Marker models of a laboratory.",
    "archive": "Results of many sessions in one file.",
    "norms": "Reference sets and published values.",
    "repeats": "A laboratory's own error between sessions.",
}
"""Groups of commands -> their help."""


def app_of(*names: str) -> typer.Typer:
    """Return the command line with the commands that are named, or with all of them.

    To make a command ready takes longer than to process a short trial; the one that is asked for
    needs no others.
    """
    app = typer.Typer(
        help="From C3D markers and force plates to joint forces and moments.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback()(_gaitdyn)
    for name in names or (*_COMMANDS, *_GROUPS):
        file = name.replace("-", "_")
        module = import_module(f"gaitdyn_cli.{file}")
        if name in _GROUPS:
            app.add_typer(module.app, name=name, help=_GROUPS[name])
        else:
            settings = getattr(module, "CONTEXT", None)
            app.command(name, help=_COMMANDS[name], context_settings=settings)(
                getattr(module, file)
            )
    return app


def _version(shown: bool) -> None:
    if shown:
        from gaitdyn.version import __version__

        console.answer(f"gaitdyn {__version__}")
        raise typer.Exit


def _gaitdyn(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """From C3D markers and force plates to joint forces and moments."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    arguments = sys.argv[1:] or ["--help"]
    asked = arguments[:1] if arguments[0] in {*_COMMANDS, *_GROUPS} else ()
    command = without_adapters(typer.main.get_command(app_of(*asked)))
    sys.exit(console.run(lambda: command.main(arguments, "gaitdyn", standalone_mode=False)))


if __name__ == "__main__":
    main()
