"""Commands that are several: ``gaitdyn archive add``, ``gaitdyn norms build``."""

from __future__ import annotations

import typer


def command_group(name: str, commands: str) -> typer.Typer:
    """Return a command that asks for one of its own where it stands alone.

    Parameters
    ----------
    name : str
    commands : str
        As they are written in the advice, such as ``build|list``.
    """
    app = typer.Typer(rich_markup_mode=None)

    def alone(context: typer.Context) -> None:
        from gaitdyn.errors import UsageError

        if context.invoked_subcommand is None:
            raise UsageError(f"`gaitdyn {name}` alone does nothing; wanted `{name} {commands}`")

    app.callback(invoke_without_command=True)(alone)
    return app
