"""What the joint moments are made of: by cause and by segment, as stacked areas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.cycles.strips import cycle_strips, trial_strips
from gaitdyn.plots.grid_style import PERCENT, seconds
from gaitdyn.plots.headline import moment_line, trial_name
from gaitdyn.plots.marks import Sheet
from gaitdyn.plots.panels import KINETICS
from gaitdyn.plots.stacked import PANEL_MM, Stacks, shown_cycles, stacked_sheet
from gaitdyn.types.loads import CAUSE_WORDS, SOURCE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.cycles.strips import Strip
    from gaitdyn.plots.grid_style import Abscissa
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.result import Processed

_KINDS = ((", by cause", CAUSE_WORDS), (", by segment", SOURCE_WORDS))


def terms_sheet(result: Processed, terms: Sequence[Curve], cycles: Sequence[CycleCurves]) -> Sheet:
    """Return hip, knee and ankle moments in the sagittal plane, left and right, as stacked areas.

    Parts above zero are stacked upwards, parts below zero downwards; the line is their sum, the
    moment. The mean of the cycles in which all parts are known.

    Parameters
    ----------
    result : Processed
    terms : sequence of Curve
        Of :func:`gaitdyn.tables.terms.term_curves`.
    cycles : sequence of CycleCurves
        Of the same curves; without any the whole trial is shown.
    """
    title = f"What the moments are made of \u2013 {trial_name(result)}"
    strips = cycle_strips(cycles) if cycles else trial_strips(result, terms)
    abscissa = PERCENT if cycles else seconds(float(result.time_s[0]), float(result.time_s[-1]))
    lines = shown_cycles(result, cycles), moment_line(result)
    return parts_sheet(strips, abscissa, (title, lines))


def parts_sheet(
    strips: Sequence[Strip],
    abscissa: Abscissa,
    heading: tuple[str, Sequence[str]],
    size: tuple[float, float] = PANEL_MM,
    plane: int = 0,
) -> Sheet:
    """Return the moments of hip, knee and ankle in a plane as stacked areas, by cause and segment.

    Parameters
    ----------
    strips : sequence of Strip
        Columns of ``terms.csv``.
    abscissa : Abscissa
    heading : (str, sequence of str)
        Title and the lines below it.
    size : tuple of float
        Width and height of a panel, mm.
    plane : int
        0 sagittal, 1 frontal, 2 transverse.
    """
    panels = tuple(row[plane] for row in KINETICS[:3])
    return stacked_sheet(
        strips, abscissa, Stacks(heading[0], panels, _KINDS, tuple(heading[1])), size
    )
