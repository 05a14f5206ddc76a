"""Envelopes of the trials of one session in its own unit: 1 is the peak of the session's mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import Emg, EmgCurves


def session_peak(curves: Sequence[EmgCurves]) -> float:
    """Return the peak of the mean envelope over all strides of one muscle, unit of the file.

    The electrodes stay where they are for a session, so that its strides are one ensemble (Yang and
    Winter 1984, Arch Phys Med Rehabil 65:517: the peak of the ensemble mean).

    Parameters
    ----------
    curves : sequence of EmgCurves
        Of one side and muscle, one a trial.
    """
    strides = np.concatenate([one.envelope * one.scale for one in curves])
    return float(strides.mean(axis=0).max()) or 1.0


def in_session_unit(trials: Sequence[Emg]) -> list[list[EmgCurves]]:
    """Return the curves of each trial, 1 the peak of the session's mean of that muscle.

    Parameters
    ----------
    trials : sequence of Emg
        Of one session.
    """
    by_muscle: dict[tuple[str, str], list[EmgCurves]] = {}
    for emg in trials:
        for one in emg.curves:
            by_muscle.setdefault((one.side, one.muscle), []).append(one)
    peaks = {muscle: session_peak(curves) for muscle, curves in by_muscle.items()}
    return [[_scaled(one, peaks[one.side, one.muscle]) for one in emg.curves] for emg in trials]


def _scaled(one: EmgCurves, peak: float) -> EmgCurves:
    part = one.scale / peak
    envelope, rectified = one.envelope * part, one.rectified * part
    return replace(one, envelope=envelope, rectified=rectified, scale=peak)
