"""Write the bands: ``uncertainty.csv``, ``uncertainty.json`` and a figure."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.cycles.normalise import cycle_curves, find_cycles, resample
from gaitdyn.cycles.strips import cycle_strips
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_panel import PERCENT, GridStyle
from gaitdyn.plots.headline import filter_line, moment_line, trial_name
from gaitdyn.plots.panels import KINETICS
from gaitdyn.tables.columns import run_curves
from gaitdyn.tables.csv_files import block_lines
from gaitdyn.types.uncertainty import Bands
from gaitdyn.uncertainty.inputs import AMPLITUDES, REASONS, SOURCES, InputErrors

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.result import Processed
    from gaitdyn.uncertainty.bands import Uncertainty


WHY_NOT_ABOVE = (
    "no band: the errors of the centres of shoulder, elbow, wrist and low back, and of the skin of"
    " trunk and arms, are not stated; waist_closure_force and waist_closure_moment show the"
    " difference between the loads from above and those from feet and plates"
)


def bands_of(result: Processed, uncertainty: Uncertainty) -> Bands:
    """Return the bands of every cycle.

    Parameters
    ----------
    result : Processed
    uncertainty : Uncertainty
    """
    mass = result.subject.mass_kg or np.nan
    half = {
        (side, cycle.number): resample(
            uncertainty.half_width(side) / mass, cycle.start_row, cycle.stop_row
        )
        for side in uncertainty.variances
        for cycle in find_cycles(result, side)
    }
    document = uncertainty_document(uncertainty)
    if result.upper is not None:
        document["not_propagated"] = {"trunk, head and arms": WHY_NOT_ABOVE}
    return Bands(uncertainty.names, half, document)


def write_bands(folder: Path, result: Processed, bands: Bands, *, figure: bool = True) -> None:
    """Write the bands of a trial into its results folder.

    Parameters
    ----------
    folder : Path
    result : Processed
    bands : Bands
    figure : bool
        Draw ``figures/uncertainty.png`` if there are cycles with loads.
    """
    heads = ("side", "cycle", "percent", *bands.names)
    blocks = (
        (
            (side,),
            np.column_stack((np.full(len(half), float(number)), np.arange(float(len(half))), half)),
        )
        for (side, number), half in bands.half.items()
    )
    with (folder / "uncertainty.csv").open("wb") as file:
        file.writelines(block_lines(heads, blocks))
    text = json.dumps(bands.document, indent=1)
    (folder / "uncertainty.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    if figure and any(np.isfinite(half).any() for half in bands.half.values()):
        from gaitdyn.plots.png import write_png

        (folder / "figures").mkdir(exist_ok=True)
        write_png(bands_sheet(result, bands), folder / "figures" / "uncertainty.png")


def uncertainty_document(uncertainty: Uncertainty) -> dict[str, Any]:
    """Return the contents of ``uncertainty.json``.

    ``covers`` is the coverage measured with the default inputs; it is empty for other inputs.
    """
    inputs = asdict(uncertainty.errors)
    draws, seed = inputs.pop("draws"), inputs.pop("seed")
    default = uncertainty.errors == InputErrors(draws=draws, seed=seed)
    return {
        "coverage": 0.95,
        "inputs": {
            name: {
                "largest_amplitude" if name in AMPLITUDES else "sd": value,
                "reason_of_the_default": REASONS[name],
            }
            for name, value in inputs.items()
        },
        "draws": draws,
        "seed": seed,
        "sources": list(SOURCES),
        "covers": {
            name: {
                "skin_at_half_the_published_amplitude": coverage.half_default,
                "skin_as_published": coverage.published_default,
            }
            for name, coverage in measured_coverage().items()
            if default and name in uncertainty.names
        },
        "share_of_variance": {side: uncertainty.shares(side) for side in uncertainty.variances},
    }


def bands_sheet(result: Processed, bands: Bands) -> Sheet:
    """Return a sheet of the moments and powers with their bands, means over the cycles.

    Parameters
    ----------
    result : Processed
    bands : Bands
    """
    margins: dict[str, dict[str, Array]] = {}
    for side in dict.fromkeys(side for side, _ in bands.half):
        halves = [half for (of, _), half in bands.half.items() if of == side]
        count = np.isfinite(halves).sum(axis=0)
        mean = np.nansum(halves, axis=0) / np.where(count > 0, count, np.nan)
        margins[side] = {name: mean[:, j] for j, name in enumerate(bands.names)}
    draws, seed = bands.document["draws"], bands.document["seed"]
    lines = [
        f"Bands: 95 % by the stated input errors, {draws} draws, seed {seed}",
        f"{moment_line(result)}. {filter_line(result)}",
    ]
    return grid_sheet(
        KINETICS[:3],
        cycle_strips(cycle_curves(result, run_curves(result))),
        PERCENT,
        (f"Uncertainty \u2013 {trial_name(result)}", lines),
        "no foot is alone on a plate, or markers are missing",
        GridStyle(margins=margins),
    )


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often the true value lay in the 95 % band of a curve, 0 to 1.

    Attributes
    ----------
    published_for_it : float
        Skin movement as published, and bands computed for it.
    half_default : float
        Half of that skin movement, and the default bands, which assume it.
    published_default : float
        Skin movement as published, and the default bands.
    """

    published_for_it: float
    half_default: float
    published_default: float


def measured_coverage() -> dict[str, Coverage]:
    """Return the coverage of every curve, and of ``all``, by ``benchmarks/coverage.py``.

    Examples
    --------
    >>> 0.93 < measured_coverage()["all"].half_default < 0.97
    True
    """
    return {
        row["curve"]: Coverage(*(float(row[f.name]) / 100.0 for f in fields(Coverage)))
        for row in shipped_rows("uncertainty/coverage.csv")
    }
