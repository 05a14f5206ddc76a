"""``gaitdyn simulate``: the systems of the seed documents, as runnable examples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from gaitdyn.types.words import counted
from gaitdyn_cli.console import answer, answer_document
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.multibody.systems import SeedSystem
    from gaitdyn.types.arrays import Array

CONTEXT = {"help_option_names": []}
"""``--help`` is declared below: after the name of a system it describes that system."""
_MAX_SHOWN = 25
"""Up to this many parameters are all shown; for a system with more, only those that were set."""


def _list(requested: bool) -> None:
    if requested:
        from gaitdyn.multibody.systems import NAMES, find
        from gaitdyn.multibody.systems.describe import listed

        answer(*listed(find(name) for name in NAMES))
        raise typer.Exit


def _help(context: typer.Context, requested: bool) -> None:
    if not requested:
        return
    name = context.params.get("name")
    if not name:
        answer(*context.get_help().splitlines())
        raise typer.Exit
    from gaitdyn.multibody.systems import find
    from gaitdyn.multibody.systems.describe import described

    answer(*described(find(name)))
    raise typer.Exit


@with_options("simulate")
def simulate(
    name: str = "",
    change: Optional[list[str]] = None,
    duration: Optional[float] = None,
    rate: Optional[float] = None,
    as_published: bool = False,
    integrator: Optional[str] = None,
    step: Optional[float] = None,
    equations: bool = False,
    out: Path = Path("gaitdyn-results"),
    figures: bool = True,
    as_json: bool = False,
    force: bool = False,
    systems: Annotated[  # noqa: ARG001  the callback answers
        bool, typer.Option("--list", callback=_list, is_eager=True, help="List the systems.")
    ] = False,
    tell: Annotated[  # noqa: ARG001
        bool, typer.Option("--help", callback=_help, help="Show this help, or that of a system.")
    ] = False,
) -> None:
    """Simulate a textbook system.

    It writes a table of the motion and its energy.
    """
    from gaitdyn.errors import UsageError
    from gaitdyn.multibody.systems import find
    from gaitdyn.multibody.systems import simulate as run_system
    from gaitdyn.store.simulation import simulation_document, simulation_folder, write_simulation

    system = find(name)
    texts = system.equations if equations else None
    if equations and texts is None:
        raise UsageError(f"--equations: {name} has no written equations, see docs/multibody.md")
    folder = simulation_folder(out, name, force=force)
    parameters, run = run_system(
        name, change or [], duration_s=duration, rate_hz=rate, as_published=as_published,
        integrator=integrator, step_s=step,
    )  # fmt: skip
    equation_texts = texts(parameters) if texts else {}
    document = simulation_document(name, parameters, run)
    write_simulation(folder, document, run, figures=figures, texts=equation_texts)
    if as_json:
        answer_document(document, allow_nan=False)
        return
    equation_lines = equation_texts.get("equations.md", "").splitlines()
    lines = _lines(system, document, change or [], run.time_s)
    answer(*lines, *equation_lines, f"results: {folder.path}")


def _lines(
    system: SeedSystem, document: dict[str, Any], change: list[str], time_s: Array
) -> list[str]:
    """Return the printed lines of a run: parameters, length, energy, notes."""
    lines = [f"{document['system']}: {system.about} (seed document {system.document})"]
    given = {word.partition("=")[0].strip() for word in change}
    parameters = system.parameters
    listed = [p for p in parameters if p.name in given or len(parameters) <= _MAX_SHOWN]
    for parameter in listed:
        value = document["parameters"][parameter.name]
        words = f"{value:.6g} {parameter.unit}" if isinstance(value, float) else value
        lines.append(f"  {parameter.name} = {words}")
    if rest := len(parameters) - len(listed):
        lines.append(f"  {counted(rest, 'parameter')} at default, see simulation.json")
    lines.append(f"run of {time_s[-1] - time_s[0]:g} s, {len(time_s)} samples")
    lines.append(f"energy at the start {document['energy_start_j']:.9g} J")
    if document["energy_imbalance_j"] is not None:
        lines.append(f"energy drift (less the work done) {document['energy_imbalance_j']:.2e} J")
    return [*lines, *(f"note: {note}" for note in document["notes"])]
