"""``gaitdyn simulate``: the systems of the seed documents, as runnable examples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from gaitdyn_cli.console import answer, answer_json

if TYPE_CHECKING:
    from gaitdyn.multibody.systems import SeedSystem

_MOST = 25
"""Parameters that are all told; of a system with more, the ones that were set."""


def simulate(
    name: Annotated[
        str, typer.Argument(help="System, such as double-pendulum.", show_default=False)
    ],
    change: Annotated[
        Optional[list[str]],
        typer.Option("--set", metavar="KEY=VALUE", help="A parameter.", show_default=False),
    ] = None,
    duration: Annotated[Optional[float], typer.Option(help="s.", show_default=False)] = None,
    rate: Annotated[Optional[float], typer.Option(help="Samples, Hz.", show_default=False)] = None,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="The printed run with its errors.")
    ] = False,
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder for the results.")] = Path(
        "gaitdyn-results"
    ),
    figures: Annotated[bool, typer.Option(help="Draw figures.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a folder that gaitdyn did not write.")
    ] = False,
) -> None:
    """Simulate a system of the seed documents: table of the motion and its energy."""
    from gaitdyn.multibody.systems import find
    from gaitdyn.multibody.systems import simulate as run_system
    from gaitdyn.store.simulation import simulation_document, simulation_folder, write_simulation

    system = find(name)
    folder = simulation_folder(out, name, force=force)
    asked, run = run_system(
        name, change or [], duration_s=duration, rate_hz=rate, as_published=as_published
    )
    document = simulation_document(name, asked, run)
    write_simulation(folder, document, run, figures=figures)
    if as_json:
        answer_json(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
        return
    for line in _lines(system, document, change or []):
        answer(line)
    answer(f"results: {folder.path}")


def _lines(system: SeedSystem, document: dict[str, Any], change: list[str]) -> list[str]:
    """Return what a run is told of: parameters, energy, notes."""
    lines = [f"{document['system']}: {system.about} (seed document {system.document})"]
    given = {word.partition("=")[0].strip() for word in change}
    shown = [p for p in system.parameters if p.name in given or len(system.parameters) <= _MOST]
    for parameter in shown:
        value = document["parameters"][parameter.name]
        words = f"{value:.6g} {parameter.unit}" if isinstance(value, float) else value
        lines.append(f"  {parameter.name} = {words}")
    if len(shown) < len(system.parameters):
        left = len(system.parameters) - len(shown)
        lines.append(f"  {left} parameters as they are by default, see simulation.json")
    lines.append(f"energy at the start {document['energy_start_j']:.9g} J")
    if document["energy_imbalance_j"] is not None:
        lines.append(f"energy drift (less the work done) {document['energy_imbalance_j']:.2e} J")
    return [*lines, *(f"note: {note}" for note in document["notes"])]
