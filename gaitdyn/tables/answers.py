"""Results that follow from the values of a trial; each is computed once, when first needed."""

from __future__ import annotations

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.cycles.representative import representative_cycle
from gaitdyn.cycles.stances import stance_curves
from gaitdyn.metrics.gait_parameters import gait_parameters
from gaitdyn.metrics.peak_definitions import (
    DEFINITIONS,
    UPPER_DEFINITIONS,
    Definition,
    find_definition,
)
from gaitdyn.metrics.peaks import OF_STANCE, peaks, stance_peaks
from gaitdyn.quality import JointStatus, cycle_status, side_verdicts, verdict
from gaitdyn.quality.muscles import emg_verdicts
from gaitdyn.quality.verdicts import SideVerdict, Verdict, kinematic_cycles, kinetic_cycles
from gaitdyn.stages.mechanism import Mechanism, find_mechanism
from gaitdyn.tables.columns import run_curves
from gaitdyn.tables.terms import term_curves
from gaitdyn.tables.vendor_names import vendor_curves
from gaitdyn.types.curves import Curve, Quantity
from gaitdyn.types.cycles import CycleCurves, StanceCurves
from gaitdyn.types.result import Processed
from gaitdyn.types.task import WALKING


def curves_of(result: Processed) -> list[Curve]:
    """Return the curves of a trial under gaitdyn's names."""
    return result.once("curves", lambda: run_curves(result))


def shown_curves_of(result: Processed) -> list[Curve]:
    """Return the curves of ``timeseries.csv``, under the names that the options select."""
    if result.options.names == "pig":
        return result.once("vendor curves", lambda: vendor_curves(result))
    return curves_of(result)


def terms_of(result: Processed) -> list[Curve]:
    """Return the parts of the joint moments by cause and by source."""
    return result.once("terms", lambda: term_curves(result))


def mechanism_of(result: Processed) -> Mechanism | None:
    """Return pelvis and legs as one mechanism, if the options request it."""
    wanted = result.options.generalised
    return result.once("mechanism", lambda: find_mechanism(result) if wanted else None)


def cycle_curves_of(result: Processed) -> list[CycleCurves]:
    """Return the curves of every cycle of both sides, 101 points each."""
    return result.once("cycle curves", lambda: cycle_curves(result, curves_of(result)))


def stance_curves_of(result: Processed) -> list[StanceCurves]:
    """Return the curves of every stance of both sides, 101 points each."""
    return result.once("stance curves", lambda: stance_curves(result, curves_of(result)))


def peak_words(result: Processed) -> dict[str, str]:
    """Return the definition of each value of :func:`all_peaks_of`, with its source."""
    names = dict.fromkeys(peak.name for peak in all_peaks_of(result))
    definitions = {name: find_definition(name.removesuffix(OF_STANCE)) for name in names}
    return {name: f"{d.title}: {d.text} {d.source}" for name, d in definitions.items()}


def peaks_of(result: Processed) -> list[Quantity]:
    """Return the peaks and other values read from the curves of every cycle."""
    rate, wanted = result.recording.rate_hz, _definitions(result)
    return result.once("peaks", lambda: peaks(cycle_curves_of(result), rate, wanted))


def stance_peaks_of(result: Processed) -> list[Quantity]:
    """Return the values read from the curves of every stance without a cycle, in walking alone.

    Their definitions, such as two peaks of the vertical force, are those of a step in walking.
    """
    rate, wanted = result.recording.rate_hz, _definitions(result)
    stances = stance_curves_of(result) if result.task == WALKING else ()
    return result.once("stance peaks", lambda: stance_peaks(stances, rate, wanted))


def all_peaks_of(result: Processed) -> list[Quantity]:
    """Return the rows of ``peaks.csv``: of every cycle, then of every stance without a cycle."""
    return [*peaks_of(result), *stance_peaks_of(result)]


def _definitions(result: Processed) -> tuple[Definition, ...]:
    """Return the definitions of the values; those of the upper body only if it has markers."""
    return DEFINITIONS if result.upper is None else (*DEFINITIONS, *UPPER_DEFINITIONS)


def parameters_of(result: Processed) -> list[Quantity]:
    """Return the gait parameters of every cycle."""
    return result.once("parameters", lambda: gait_parameters(result))


def status_of(result: Processed) -> list[JointStatus]:
    """Return the status of every side, cycle and joint."""
    return result.once("status", lambda: cycle_status(result, cycle_curves_of(result)))


COUNTING = ("kinematics", "kinetics", "turning", "representative")
"""Columns that say whether a cycle has whole kinematics and whole kinetics, whether it turns, and
whether it stands for all cycles of its side."""


def counting_of(result: Processed) -> dict[str, set[tuple[str, int]]]:
    """Return side and number of the cycles for which each of :data:`COUNTING` is true."""
    return result.once("counting", lambda: _counting(result))


def _counting(result: Processed) -> dict[str, set[tuple[str, int]]]:
    sides, status = result.sides, status_of(result)
    curves = {(c.cycle.side, c.cycle.number): c for c in cycle_curves_of(result)}
    whole = {(side, n) for side in sides for n in kinematic_cycles(result, side)}
    turning = {key for key, c in curves.items() if c.cycle.turning}
    straight = [c for key, c in curves.items() if key in whole - turning]
    chosen = {s: representative_cycle([c for c in straight if c.cycle.side == s]) for s in sides}
    sets = (
        whole,
        {(side, n) for side in sides for n in kinetic_cycles(status, side)},
        turning,
        {(side, n) for side, n in chosen.items() if n is not None},
    )
    return dict(zip(COUNTING, sets, strict=True))


def verdicts_of(result: Processed) -> list[SideVerdict]:
    """Return the verdicts on kinematics, kinetics and EMG of each side, with reasons."""
    return result.once(
        "verdicts", lambda: [*side_verdicts(result, status_of(result)), *emg_verdicts(result)]
    )


def verdict_of(result: Processed) -> Verdict:
    """Return the verdict on the trial: pass, check or fail."""
    return result.once("verdict", lambda: verdict(result, status_of(result)))
