"""What a result keeps of bands, cut-offs and other settings."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.cycles.normalise import find_cycles, resample
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.frozen import frozen
from gaitdyn.types.uncertainty import Bands, CutoffPeaks, SweptPeaks
from gaitdyn.uncertainty.advice import median_cutoff
from gaitdyn.uncertainty.cutoffs import MODES, Sensitivity
from gaitdyn.uncertainty.inputs import AMPLITUDES, REASONS, SOURCES, InputErrors
from gaitdyn.uncertainty.peak_means import peak_table

if TYPE_CHECKING:
    from gaitdyn.types.result import Processed
    from gaitdyn.uncertainty.bands import Uncertainty
    from gaitdyn.uncertainty.sweeps import Sweep

WHY_NOT_ABOVE = (
    "no band: the errors of the centres of shoulder, elbow, wrist and low back, and of the skin of"
    " trunk and arms, are not stated; waist_closure_force and waist_closure_moment show the"
    " difference between the loads from above and those from feet and plates"
)


def bands_of(result: Processed, uncertainty: Uncertainty) -> Bands:
    """Return the bands of every cycle."""
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


@frozen()
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


def cutoff_peaks(sensitivity: Sensitivity) -> CutoffPeaks:
    """Return the peaks by cut-off as a result keeps them."""
    by_setting = {
        (mode, *pair): peaks
        for mode, by_pair in sensitivity.values.items()
        for pair, peaks in by_pair.items()
    }
    table = peak_table(tuple(by_setting), tuple(by_setting.values()), sensitivity.units)
    return CutoffPeaks(table, sensitivity_document(sensitivity))


def sensitivity_document(sensitivity: Sensitivity) -> dict[str, Any]:
    """Return the contents of ``sensitivity.json``: slopes per hertz, and advice by marker."""
    slopes: dict[str, Any] = {mode: {} for mode in MODES}
    for mode in MODES:
        for (side, quantity), value in sensitivity.slopes[mode].items():
            slopes[mode].setdefault(side, {})[quantity] = _rounded(value)
    methods = {
        "residual_analysis": sensitivity.advice.residual,
        "generalised_cross_validation": sensitivity.advice.cross_validation,
    }
    return {
        "chosen_hz": dict(zip(("markers", "forces"), sensitivity.chosen_hz, strict=True)),
        "slope_per_hz": slopes,
        "advice_hz": {
            name: {
                "median": _rounded(median_cutoff(values)),
                "markers": {label: _rounded(value) for label, value in values.items()},
            }
            for name, values in methods.items()
        },
    }


def _rounded(value: float) -> float | None:
    return float(f"{value:.6g}") if np.isfinite(value) else None


def swept_peaks(sweep: Sweep) -> SweptPeaks:
    """Return the peaks under other settings as a result keeps them."""
    table = peak_table([(s.key, s.word) for s in sweep.settings], sweep.values, sweep.units)
    base = np.array([sweep.base.get(key, np.nan) for key in table.peaks])
    return SweptPeaks(table, base, sweep.left_out)
