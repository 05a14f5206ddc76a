"""``gaitdyn model``: marker models of a laboratory."""

from __future__ import annotations

from pathlib import Path

from gaitdyn.errors import UsageError
from gaitdyn_cli.choices import Given
from gaitdyn_cli.console import answer, say
from gaitdyn_cli.group import command_group
from gaitdyn_cli.options import with_options

app = command_group("model", "new")


@app.command("new")
@with_options("model")
def new(*, trial: Path, out: Path, given: Given, force: bool = False, quiet: bool = False) -> None:
    """Write a marker model from the labels of a trial, to correct by hand."""
    from gaitdyn.stages.model_file import new_model
    from gaitdyn.store.single_file import put_in_place, refuse_existing
    from gaitdyn.types.options import Options

    if out.suffix.lower() != ".toml":
        raise UsageError(f"-o {out.name}: wanted a name ending in .toml, as --model needs")
    options = Options(**given)
    refuse_existing(out, force=force)
    text, log = new_model(trial, options, out.stem)
    put_in_place(out, text.encode())
    if not quiet:
        say(*log)
        answer(f"marker model: {out}")
