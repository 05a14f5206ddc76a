"""Peaks by cut-off, as they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.report.report import Report
    from gaitdyn.report.trust import Trust

PEAKS = (
    ("hip_moment_extension_max", "hip_moment_extension_min", "hip_moment_abduction_first_peak",
     "hip_power_h3_peak"),
    ("knee_moment_extension_max", "knee_moment_extension_min", "knee_moment_abduction_first_peak",
     "knee_power_k3_peak"),
    ("ankle_moment_plantarflexion_max", "ankle_moment_plantarflexion_min", "ankle_power_a1_peak",
     "ankle_power_a2_peak"),
)  # fmt: skip
"""The peaks whose cut-offs are drawn, under the names of internal moments; the table has all."""

_DIGITS = 6


def cutoff_marks(trust: Trust) -> dict[str, list[float | None]]:
    """Return the cut-offs as run and as advised, one value a trial that has them, Hz."""
    found = [c.document for c in trust.cutoffs if c is not None]
    chosen = {key: [d["chosen_hz"][key] for d in found] for key in ("markers", "forces")}
    advice = {
        key: [d["advice_hz"].get(key, {}).get("median") for d in found]
        for key in ("residual_analysis", "generalised_cross_validation")
    }
    return chosen | advice


Series = dict[tuple[int, str, str], tuple[list[float], list[float], int]]


def cutoff_series(report: Report, mode: str) -> Series:
    """Return the peaks by cut-off.

    Parameters
    ----------
    report : Report
    mode : {"matched", "markers", "forces"}
        Whose cut-off is changed.

    Returns
    -------
    dict
        (group, side, peak) -> cut-offs in Hz, values, count of the trials.
    """
    groups = [g for g, group in enumerate(report.groups) for _ in group.trials]
    by_key: dict[tuple[int, str, str], list[dict[float, float]]] = {}
    for g, cutoffs in zip(groups, report.trust.cutoffs, strict=True):
        own: dict[tuple[int, str, str], dict[float, float]] = {}
        for row in () if cutoffs is None else cutoffs.rows:
            wanted = row["mode"] == mode and internal_name(row["quantity"]) in _ALL
            if wanted and row["side"] in SIDES and row["value"]:
                hz = row["force_cutoff_hz" if mode == "forces" else "marker_cutoff_hz"]
                key = g, row["side"], row["quantity"]
                own.setdefault(key, {})[float(hz)] = float(row["value"])
        for key, values in own.items():
            by_key.setdefault(key, []).append(values)
    found: Series = {}
    for key, stack in by_key.items():
        hz = sorted(set.intersection(*(set(values) for values in stack)))
        mean = [round(float(np.mean([values[x] for values in stack])), _DIGITS) for x in hz]
        found[key] = hz, mean, len(stack)
    return found


_ALL = {name for row in PEAKS for name in row}
