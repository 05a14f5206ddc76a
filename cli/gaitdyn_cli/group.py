"""Command groups such as ``gaitdyn archive add`` or ``gaitdyn norms build``."""

from __future__ import annotations

import typer


def command_group(name: str, commands: str) -> typer.Typer:
    """Return a command group that asks for a subcommand if none is given.

    Parameters
    ----------
    name : str
    commands : str
        Subcommands as written in the message, such as ``build|list``.
    """
    app = typer.Typer(rich_markup_mode=None)

    def alone(context: typer.Context) -> None:
        from gaitdyn.errors import UsageError

        if context.invoked_subcommand is None:
            raise UsageError(f"`gaitdyn {name}` needs a subcommand; wanted `{name} {commands}`")

    app.callback(invoke_without_command=True)(alone)
    return app
