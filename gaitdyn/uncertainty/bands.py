"""The 95 % band of every moment and power, and which input it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import UsageError
from gaitdyn.uncertainty.inputs import SOURCES, InputErrors, untold
from gaitdyn.uncertainty.leg_curves import curve_names, stages_of
from gaitdyn.uncertainty.linear import linear_variances
from gaitdyn.uncertainty.poses import pose_variances
from gaitdyn.uncertainty.products import counted_once

if TYPE_CHECKING:
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.uncertainty.inputs import Told

NORMAL_95 = 1.959963984540054
"""Within so many standard deviations lie 95 % of normal errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """What the stated input errors do to the loads of one trial.

    Attributes
    ----------
    errors : InputErrors
    names : tuple of str
        Of the curves, without the side.
    variances : dict
        Side -> source -> array, shape (n, 21), (N m)^2 and W^2; NaN where a curve is not
        published.
    """

    errors: InputErrors
    names: tuple[str, ...]
    variances: dict[str, dict[str, Array]]

    def half_width(self, side: str) -> Array:
        """Return half the width of the 95 % band, shape (n, 21), N m and W."""
        total = np.sum([self.variances[side][source] for source in SOURCES], axis=0)
        return NORMAL_95 * np.sqrt(total)

    def shares(self, side: str) -> dict[str, dict[str, float]]:
        """Return the part of each source in the variance of each curve, mean over its frames.

        Curve -> source -> 0 to 1; empty for a curve without a known frame.
        """
        mean = np.stack([_mean(self.variances[side][source]) for source in SOURCES])
        total = mean.sum(axis=0)
        return {
            name: dict(zip(SOURCES, (mean[:, j] / total[j]).tolist(), strict=True))
            if total[j] > 0
            else {}
            for j, name in enumerate(self.names)
        }


def _mean(variance: Array) -> Array:
    known = np.isfinite(variance)
    return np.where(known, variance, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)


def find_uncertainty(
    result: Result, errors: InputErrors | None = None, told: Told = untold
) -> Uncertainty:
    """Return what stated input errors do to the moments and powers of a trial.

    Wrench and body-segment table are propagated exactly (:mod:`gaitdyn.uncertainty.linear`),
    poses by Monte Carlo (:mod:`gaitdyn.uncertainty.poses`); the sources are independent, so
    that their variances add up; the product of two errors in a power is counted once
    (:mod:`gaitdyn.uncertainty.products`).

    Parameters
    ----------
    result : Result
        As processed, not read from a folder.
    errors : InputErrors, optional
    told : callable, optional
        Is told how far it is.

    Raises
    ------
    UsageError
        For the plug-in-gait profile, whose numerics are not those that are propagated, and for
        segment poses, which have no markers.
    """
    options = result.options
    if options.profile != "default":
        message = f"--uncertainty is for the profile default, found --profile {options.profile}"
        raise UsageError(message)
    if result.engine == "poses":
        raise UsageError(
            "--uncertainty propagates errors of markers; the trial has segment poses, and their"
            " maker states neither how far joint centres and axes are off nor for how long"
            " (docs/segment-poses.md)"
        )
    errors = errors or InputErrors()
    run = stages_of(result)
    drawn = pose_variances(run, errors, told) if run.loaded else {}
    found: dict[str, dict[str, Array]] = {}
    for side in run.loaded:
        shown = np.repeat(np.where(run.kinetics(side).published, 1.0, np.nan), 7, axis=1)
        spread = drawn[side].plus(linear_variances(run, side, errors))
        total = np.sum(list(spread.variances.values()), axis=0)
        factor = counted_once(total, spread.moment, spread.turning) * shown
        found[side] = {source: spread.variances[source] * factor for source in SOURCES}
    return Uncertainty(errors, curve_names(options), found)
