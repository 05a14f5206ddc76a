"""The ``gaitdyn`` command: one file a command, joined here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gaitdyn.errors import UsageError
from gaitdyn_cli import (
    archive,
    batch,
    compare,
    console,
    demo,
    explain,
    export,
    info,
    model,
    norms,
    process,
    report,
    reproduce,
    simulate,
)

if TYPE_CHECKING:
    from collections.abc import Callable

app = typer.Typer(
    help="From C3D markers and force plates to joint forces and moments.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("process", help="Process one trial.")(process.process)
app.command("info", help="Show what is in a file or a session.")(info.info)
app.command("batch", help="Process all trials of sessions.")(batch.batch)
app.command("report")(report.report)
app.command("export", help="Write results for another program.")(export.export)
app.command("compare")(compare.compare)
app.command("explain")(explain.explain)
app.command("reproduce")(reproduce.reproduce)
app.command("demo", help="Write a synthetic session with known truth and process it.")(demo.demo)
app.command("simulate")(simulate.simulate)
app.add_typer(model.app, name="model", help="Marker models of a laboratory.")
app.add_typer(archive.app, name="archive", help="Results of many sessions in one file.")
app.add_typer(norms.app, name="norms", help="Reference sets and published values.")

_LATER: dict[str, str] = {}
"""Commands of the plan that are not built yet, and what to do meanwhile."""


def _later(name: str) -> Callable[[], None]:
    def command() -> None:
        advice = f"; {_LATER[name]}" if _LATER[name] else ""
        message = f"`gaitdyn {name}` is not built yet{advice}"
        raise UsageError(message)

    return command


for _name in _LATER:
    app.command(
        _name,
        hidden=True,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )(_later(_name))


def _version(shown: bool) -> None:
    if shown:
        from gaitdyn.version import __version__

        console.answer(f"gaitdyn {__version__}")
        raise typer.Exit


@app.callback()
def _gaitdyn(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """From C3D markers and force plates to joint forces and moments."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    arguments = sys.argv[1:] or ["--help"]
    command = typer.main.get_command(app)
    sys.exit(console.run(lambda: command.main(arguments, "gaitdyn", standalone_mode=False)))


if __name__ == "__main__":
    main()
