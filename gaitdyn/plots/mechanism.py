"""Figures of the generalised coordinates (M, C, G, E of the moments) and induced accelerations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.plots.grid_panel import over_time
from gaitdyn.plots.headline import moment_line, trial_name
from gaitdyn.plots.panels import INDUCED, KINETICS
from gaitdyn.plots.stacked import Stacks, shown_cycles, stacked_sheet
from gaitdyn.types.generalised import INDUCED_WORDS, PART_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.types.curves import Curve
    from gaitdyn.types.result import Processed


def draw_mechanism(
    result: Processed, loads: Sequence[Curve], induced: Sequence[Curve], folder: Path
) -> list[Path]:
    """Write ``generalised.png`` and ``induced.png`` into a folder.

    Parameters
    ----------
    result : Processed
    loads, induced : sequence of Curve
        From :mod:`gaitdyn.tables.generalised`; without ``induced`` there is no second figure.
    folder : Path
        Created if it does not exist.

    Returns
    -------
    list of Path
    """
    from gaitdyn.plots.png import write_pngs

    shown = [curve for curve in loads if "residual" not in curve.name]
    cycles = cycle_curves(result, shown)
    stacks = Stacks(
        f"Generalised coordinates \u2013 {trial_name(result)}",
        tuple(row[0] for row in KINETICS[:3]),
        ((", tau = M + C + G + E", PART_WORDS),),
        (shown_cycles(result, cycles), moment_line(result)),
    )
    sheets = {"generalised": stacked_sheet(*over_time(result, shown, cycles), stacks)}
    if induced:
        stacks = Stacks(
            f"What accelerates the body \u2013 {trial_name(result)}",
            INDUCED[0],
            (("", INDUCED_WORDS),),
            (
                "Acceleration of the body's centre of mass while all standing feet are on plates",
                "Feet fixed at their centres of pressure; head, arms and trunk as one body",
            ),
            "acceleration",
        )
        sheets["induced"] = stacked_sheet(*over_time(result, induced), stacks)
    return write_pngs(sheets, folder)
