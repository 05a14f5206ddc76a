"""Compute how peaks depend on the cut-offs of markers and forces, with advice from the noise."""

from __future__ import annotations

from dataclasses import replace

from gaitdyn.errors import UsageError
from gaitdyn.stages.motion import find_motion
from gaitdyn.trial import Result
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.advice import Advice, cutoff_advice
from gaitdyn.uncertainty.inputs import Progress, no_progress
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.peak_means import PeakMeans, peak_means, peak_units, result_under

CUTOFFS_HZ = tuple(float(f) for f in range(4, 21))
MODES = ("matched", "markers", "forces")
"""Which cut-offs are varied: both together, only the markers', only the forces'."""

_STEP_HZ = 0.5
LOWEST_HZ = 1.0
"""A cut-off less the step is one that the options allow."""

_AROUND = "--sensitivity also takes cut-offs half a hertz below and above the chosen ones"


@frozen(eq=False)
class Sensitivity:
    """Peaks by cut-off.

    Attributes
    ----------
    chosen_hz : (float, float)
        Of markers and forces in the original run.
    units : dict
        Quantity -> unit.
    values : dict
        Mode -> cut-offs (markers, forces) in Hz -> peaks.
    slopes : dict
        Mode -> (side, quantity) -> change per Hz at the chosen cut-offs.
    advice : Advice
    """

    chosen_hz: tuple[float, float]
    units: dict[str, str]
    values: dict[str, dict[tuple[float, float], PeakMeans]]
    slopes: dict[str, PeakMeans]
    advice: Advice


def find_sensitivity(
    result: Result,
    progress: Progress = no_progress,
    *,
    cutoffs_hz: tuple[float, ...] | None = None,
) -> Sensitivity:
    """Return every peak for cut-offs from 4 to 20 Hz, and its slope at the chosen ones.

    Recording, body, foot strikes and foot-offs are those of the original run. A slope is the
    difference between the peaks at half a hertz above and below.

    Parameters
    ----------
    result : Result
        As processed, not read from a folder.
    progress : callable, optional
        See :data:`gaitdyn.uncertainty.inputs.Progress`.
    cutoffs_hz : tuple of float, optional
        Of the peaks, Hz; :data:`CUTOFFS_HZ` by default, none where only slopes and advice are read.

    Raises
    ------
    UsageError
        If there are no cut-offs to vary: with the plug-in-gait profile, or with ``none``; if the
        recording does not allow the varied ones.
    """
    options = result.options
    markers, forces = chosen_cutoffs(options)
    run, chosen = stages_of(result), (markers, forces)
    chosen_motion = find_motion(run.session, run.body, options)

    def peaks_at(hz: tuple[float, float]) -> dict[str, tuple[tuple[float, float], PeakMeans]]:
        """Return the peaks of every mode; the motion of a cut-off is computed once."""
        varied_motion = find_motion(run.session, run.body, replace(options, cutoff_hz=hz[0]))
        by_mode = {}
        for mode in MODES:
            pair = (markers if mode == "forces" else hz[0], forces if mode == "markers" else hz[1])
            varied = replace(options, cutoff_hz=pair[0], force_cutoff_hz=pair[1])
            motion = chosen_motion if mode == "forces" else varied_motion
            by_mode[mode] = (pair, peak_means(result_under(result, varied, run.body, motion)))
        return by_mode

    steps = [(markers + step, forces + step) for step in (-_STEP_HZ, _STEP_HZ)]
    at_hz = CUTOFFS_HZ if cutoffs_hz is None else cutoffs_hz
    wanted, rows = [*steps, *((hz, hz) for hz in at_hz)], []
    for i, hz in enumerate(wanted):
        progress("cut-offs", i, len(wanted))
        try:
            rows.append(peaks_at(hz))
        except UsageError as error:
            raise UsageError(f"{_AROUND}: {error}") from error
    values = {mode: dict(row[mode] for row in rows[len(steps) :]) for mode in MODES}
    slopes = {}
    for mode in MODES:
        before, after = (row[mode][1] for row in rows[: len(steps)])
        slopes[mode] = {key: (after[key] - before[key]) / (2 * _STEP_HZ) for key in after}
    values["chosen"] = {chosen: peak_means(result)}
    advice = cutoff_advice(stages_of(result).session, options, result.trial.labels)
    return Sensitivity(chosen, peak_units(result), values, slopes, advice)


def chosen_cutoffs(options: Options) -> tuple[float, float]:
    """Return the cut-offs of markers and forces, Hz.

    Raises
    ------
    UsageError
        If one of them is missing, or so low that half a hertz below it there is none.
    """
    if options.profile != "default":
        message = f"--sensitivity is for the profile default, found --profile {options.profile}"
        raise UsageError(message)
    markers = options.cutoff_hz
    forces = markers if options.force_cutoff_hz == "same" else options.force_cutoff_hz
    if markers is None or forces is None:
        raise UsageError("--sensitivity needs --cutoff and --force-cutoff in Hz, found none")
    if min(markers, forces) < LOWEST_HZ:
        found = f"found {min(markers, forces):g}, wanted {LOWEST_HZ:g} Hz or more"
        raise UsageError(f"{_AROUND}: {found}")
    return markers, forces
