"""Envelopes of the trials of one session in its unit: 1 is the peak of the session's mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.emg.ensemble import straight_ones

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import Emg, EmgCurves


def session_peak(curves: Sequence[EmgCurves]) -> float:
    """Return the peak of the mean envelope over the strides of one muscle, in the file's unit.

    Strides that turn are left out, unless all do. The electrodes stay in place during a session, so
    its strides form one ensemble (Yang and Winter 1984, Arch Phys Med Rehabil 65:517-521: the peak
    of the ensemble mean).

    Parameters
    ----------
    curves : sequence of EmgCurves
        Of one side and muscle, one per trial.
    """
    strides = np.concatenate([c.envelope * c.scale for c in curves])
    turns = [number in c.turning for c in curves for number in c.cycles]
    return float(straight_ones(strides, turns).mean(axis=0).max()) or 1.0


def in_session_unit(trials: Sequence[Emg]) -> list[list[EmgCurves]]:
    """Return the curves of each trial; 1 is the peak of the session's mean of that muscle.

    Parameters
    ----------
    trials : sequence of Emg
        Of one session.
    """
    by_muscle: dict[tuple[str, str], list[EmgCurves]] = {}
    for emg in trials:
        for curve in emg.curves:
            by_muscle.setdefault((curve.side, curve.muscle), []).append(curve)
    peaks = {muscle: session_peak(curves) for muscle, curves in by_muscle.items()}
    return [[_scaled(c, peaks[c.side, c.muscle]) for c in emg.curves] for emg in trials]


def _scaled(curve: EmgCurves, peak: float) -> EmgCurves:
    factor = curve.scale / peak
    envelope, rectified = curve.envelope * factor, curve.rectified * factor
    return replace(curve, envelope=envelope, rectified=rectified, scale=peak)
