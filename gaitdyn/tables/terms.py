"""The columns of ``terms.csv``: every joint moment by cause and by the segment that causes it."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.cycles.normalise import find_cycles, per_kilogram, resample
from gaitdyn.dynamics.sources import source_terms
from gaitdyn.kinematics.plane import ABOUT_Z, only
from gaitdyn.tables.column_words import column_words
from gaitdyn.tables.moment_columns import part_curves
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Curve
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.loads import CAUSE_WORDS, SOURCE_WORDS, SourceTerms
from gaitdyn.types.result import LegKinetics, Processed

_HOW = {word: f"part of the {{}}, {how}" for word, how in column_words("part of moment").items()}


def term_curves(result: Processed) -> list[Curve]:
    """Return the parts of the joint moments of both sides.

    Names, axes and convention are those of the moments, followed by the part:
    ``left_knee_moment_extension_gravity``. The four causes add up to the moment; the three segments
    and the ground also add up to it.
    """
    curves: list[Curve] = []
    for side, leg in result.sides.items():
        if leg.kinetics is not None:
            curves += _leg_terms(result, leg.kinetics, side)
    return curves


def cycle_terms(result: Processed, curves: Sequence[Curve]) -> dict[tuple[str, int], CycleCurves]:
    """Return the parts of the moments of every cycle of a side that has any.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Of :func:`term_curves`.

    Returns
    -------
    dict
        (side, cycle) -> curves over 0 to 100 % of the cycle, N m/kg, without the side in their
        names.
    """
    by_cycle: dict[tuple[str, int], CycleCurves] = {}
    for side, leg in result.sides.items():
        if leg.kinetics is None:
            continue
        names, units, table = per_kilogram(result, curves, side)
        for cycle in find_cycles(result, side):
            values = resample(table, cycle.start_row, cycle.stop_row)
            by_cycle[side, cycle.number] = CycleCurves(cycle, names, units, values)
    return by_cycle


def _leg_terms(result: Processed, kinetics: LegKinetics, side: str) -> list[Curve]:
    parts = term_parts(source_terms(kinetics.loads.chain))
    if result.pose.planar:
        parts = {word: only(moment_S, ABOUT_Z) for word, moment_S in parts.items()}
    return part_curves(result, kinetics, side, parts, _HOW)


def term_parts(terms: SourceTerms) -> dict[str, Array]:
    """Return the parts of the moments: end of the column name -> array, shape (n, 3 joints, 3).

    Parameters
    ----------
    terms : SourceTerms
        Terms of foot, shank and thigh.
    """
    causes, segments = terms.by_cause(), terms.by_segment()
    bodies = [segments[:, :, j] for j in range(segments.shape[2])]
    values = [*causes.values(), *bodies, causes["external"]]
    return dict(zip((*CAUSE_WORDS, *SOURCE_WORDS), values, strict=True))
