"""``gaitdyn simulate``: the systems of the seed documents, as runnable examples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from gaitdyn_cli.console import answer


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
    write_simulation(folder, document, run)
    answer(f"{name}: {system.about} (seed document {system.document})")
    for parameter in system.parameters:
        value = document["parameters"][parameter.name]
        shown = f"{value:.6g} {parameter.unit}" if isinstance(value, float) else value
        answer(f"  {parameter.name} = {shown}")
    answer(f"energy at the start {run.energy_j[0]:.9g} J")
    if document["energy_imbalance_j"] is not None:
        answer(f"energy drift (less the work done) {document['energy_imbalance_j']:.2e} J")
    for note in run.notes:
        answer(f"note: {note}")
    answer(f"results: {folder.path}")
