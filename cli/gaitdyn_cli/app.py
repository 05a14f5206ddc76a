"""The ``gaitdyn`` command, assembled from one module per command."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from gaitdyn.types.arguments import at_home
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
"""Command -> its help; None to use the docstring. Each command is a module of this package."""

_GROUPS = {
    "model": "Marker models of a laboratory.",
    "archive": "Results of many sessions in one file.",
    "norms": "Reference sets and published values.",
    "repeats": "A laboratory's own error between sessions.",
}
"""Group of commands -> its help."""


def app_of(*names: str) -> typer.Typer:
    """Return the command line with the named commands, or with all of them.

    Setting up every command takes longer than processing a short trial, so only the one that is
    called is set up.
    """
    app = typer.Typer(
        help="From C3D markers and force plates to joint forces and moments.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback()(_gaitdyn)
    for name in names or (*_COMMANDS, *_GROUPS):
        module_name = name.replace("-", "_")
        module = import_module(f"gaitdyn_cli.{module_name}")
        if name in _GROUPS:
            app.add_typer(module.app, name=name, help=_GROUPS[name])
        else:
            settings = getattr(module, "CONTEXT", None)
            app.command(name, help=_COMMANDS[name], context_settings=settings)(
                getattr(module, module_name)
            )
    return app


def _version(wanted: bool) -> None:
    if wanted:
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
    """Run the command line and exit with its exit code."""
    arguments = ["--help" if word == "-h" else at_home(word) for word in sys.argv[1:]]
    if arguments[:1] in ([], ["help"]):
        arguments = [*arguments[1:], "--help"]
    called = arguments[:1] if arguments[0] in {*_COMMANDS, *_GROUPS} else ()
    command = without_adapters(typer.main.get_command(app_of(*called)))
    sys.exit(console.run(lambda: command.main(arguments, "gaitdyn", standalone_mode=False)))


if __name__ == "__main__":
    main()
