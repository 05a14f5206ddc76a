"""``gaitdyn model``: marker models of a laboratory."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations

from gaitdyn.errors import OutputRefused, UsageError
from gaitdyn_cli.choices import Given
from gaitdyn_cli.console import answer, say
from gaitdyn_cli.group import command_group
from gaitdyn_cli.options import with_options

app = command_group("model", "new")


@app.command("new")
@with_options("model")
def new(
    *,
    trial: Path,
    out: Path,
    given: Given,
    force: bool = False,
    quiet: bool = False,
) -> None:
    """Write a marker model of what was resolved, to correct by hand."""
    from gaitdyn.stages.model_file import new_model
    from gaitdyn.types.options import Options

    if out.suffix.lower() != ".toml":
        raise UsageError(f"-o {out.name}: wanted a name ending in .toml, as --model needs")
    options = Options(**given)
    _refuse_existing(out, force=force)
    text, log = new_model(trial, options, out.stem)
    _write(out, text)
    if not quiet:
        for line in log:
            say(line)
        answer(f"marker model: {out}")


def _refuse_existing(out: Path, *, force: bool) -> None:
    if out.exists() and not (force and out.is_file()):
        advice = "choose another -o" + ("" if out.is_dir() else ", or add --force")
        raise OutputRefused(f"-o {out} already exists; {advice}")


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputRefused(f"cannot write {out}: {reason}; choose another -o") from error
