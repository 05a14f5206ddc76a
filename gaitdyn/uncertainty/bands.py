"""Compute the 95 % band of every moment and power, and the contribution of each input."""

from __future__ import annotations

import numpy as np

from gaitdyn.errors import UsageError
from gaitdyn.statistics.threshold import NORMAL_95
from gaitdyn.trial import Result
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.uncertainty.inputs import SOURCES, InputErrors, Progress, no_progress
from gaitdyn.uncertainty.leg_curves import curve_names, stages_of
from gaitdyn.uncertainty.linear import linear_variances
from gaitdyn.uncertainty.poses import pose_variances
from gaitdyn.uncertainty.products import counted_once


@frozen(eq=False)
class Uncertainty:
    """The effect of the stated input errors on the loads of one trial.

    Attributes
    ----------
    errors : InputErrors
    names : tuple of str
        Of the curves, without the side.
    variances : dict
        Side -> source -> array, shape (n, 21), (N m)^2 and W^2; NaN where a curve is not
        reported.
    """

    errors: InputErrors
    names: tuple[str, ...]
    variances: dict[str, dict[str, Array]]

    def half_width(self, side: str) -> Array:
        """Return the half-width of the 95 % band, shape (n, 21), N m and W."""
        total = np.sum([self.variances[side][source] for source in SOURCES], axis=0)
        return NORMAL_95 * np.sqrt(total)

    def shares(self, side: str) -> dict[str, dict[str, float]]:
        """Return the share of each source in the variance of each curve, mean over its frames.

        Curve -> source -> 0 to 1; empty for a curve that is unknown in all frames.
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
    finite = np.isfinite(variance)
    return np.where(finite, variance, 0.0).sum(axis=0) / np.maximum(finite.sum(axis=0), 1)


def find_uncertainty(
    result: Result, errors: InputErrors | None = None, progress: Progress = no_progress
) -> Uncertainty:
    """Return the effect of stated input errors on the moments and powers of a trial.

    Errors of wrench and body-segment table are propagated exactly
    (:mod:`gaitdyn.uncertainty.linear`), those of poses by Monte Carlo
    (:mod:`gaitdyn.uncertainty.poses`). The sources are independent, so that their variances add
    up. The product of two errors in a power is counted once (:mod:`gaitdyn.uncertainty.products`).

    Parameters
    ----------
    result : Result
        As processed, not read from a folder.
    errors : InputErrors, optional
    progress : callable, optional
        See :data:`gaitdyn.uncertainty.inputs.Progress`.

    Raises
    ------
    UsageError
        For the plug-in-gait profile, whose numerics differ from those that are propagated, and for
        segment poses, which have no markers.
    """
    options = result.options
    if options.profile != "default":
        message = f"--uncertainty is for the profile default, found --profile {options.profile}"
        raise UsageError(message)
    if result.engine == "poses":
        raise UsageError(
            "--uncertainty propagates errors of markers; the trial has segment poses, whose maker"
            " states neither the size nor the duration of errors of joint centres and axes"
            " (docs/segment-poses.md)"
        )
    errors = errors or InputErrors()
    run = stages_of(result)
    drawn = pose_variances(run, errors, progress) if run.loaded else {}
    variances: dict[str, dict[str, Array]] = {}
    for side in run.loaded:
        shown = np.repeat(np.where(run.kinetics(side).published, 1.0, np.nan), 7, axis=1)
        spread = drawn[side].plus(linear_variances(run, side, errors))
        total = np.sum(list(spread.variances.values()), axis=0)
        factor = counted_once(total, spread.moment, spread.turning) * shown
        variances[side] = {source: spread.variances[source] * factor for source in SOURCES}
    return Uncertainty(errors, curve_names(options), variances)
