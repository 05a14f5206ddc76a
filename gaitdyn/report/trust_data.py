"""What the page draws of bands, terms and cut-offs, as one document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import Key, internal_name, key_of
from gaitdyn.core.packing import fitting_unit, squeeze
from gaitdyn.cycles.normalise import POINTS
from gaitdyn.plots.panels import KINETICS, fitting_panel
from gaitdyn.plots.stacked import COLOURS
from gaitdyn.report.contents import all_trials
from gaitdyn.report.trust_tables import peak_title
from gaitdyn.store.extras import PARTS
from gaitdyn.types.loads import CAUSE_WORDS, SOURCE_WORDS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report.report import Report
    from gaitdyn.report.trust import Trust
    from gaitdyn.types.arrays import Array

UNIT = 1e-5
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
MODES = ("matched", "markers", "forces")


def trust_data(report: Report) -> dict[str, Any]:
    """Return the document of the bands, terms and cut-offs of a report.

    Parameters
    ----------
    report : Report

    Returns
    -------
    dict
        ``bands``: names, axes of each trial, first packed row of each cycle (None where it has
        none) and the packed half-widths; ``terms``; ``cutoffs``. Each is None where no folder
        has it.
    """
    return {
        "bands": _bands(report),
        "terms": _terms(report),
        "cutoffs": _cutoffs(report),
    }


def _packed(rows: Sequence[Array]) -> dict[str, Any]:
    table = np.concatenate(rows)
    unit = fitting_unit(table, UNIT)
    return {"rows": squeeze(table, unit), "unit": unit}


def band_names() -> list[str]:
    """Return the curves whose bands are drawn: moments and powers, in laboratory axes too."""
    shown = [panel for row in KINETICS[:3] for panel in row]
    names = [panel.name for panel in shown]
    joints = dict.fromkeys(key_of(name).part for name in names if key_of(name).is_moment)
    return [*names, *(Key("", joint, "moment", axis).name for joint in joints for axis in "xyz")]


def _bands(report: Report) -> dict[str, Any] | None:
    """Return the half-widths of the cycles, in the order in which the page has the cycles."""
    trust, trials = report.trust, all_trials(report.groups)
    there = {internal_name(n) for bands in trust.bands if bands is not None for n in bands.names}
    names = [name for name in band_names() if name in there]
    rows: list[Array] = []
    first: list[int | None] = []
    for trial, bands in zip(trials, trust.bands, strict=True):
        own = {} if bands is None else {internal_name(n): i for i, n in enumerate(bands.names)}
        for curves in trial.cycles:
            key = curves.cycle.side, curves.cycle.number
            if bands is None or key not in bands.half:
                first.append(None)
                continue
            first.append(sum(len(block) for block in rows))
            empty = np.full(POINTS, np.nan)
            half = bands.half[key]
            rows.append(np.stack([half[:, own[n]] if n in own else empty for n in names]))
    if not rows:
        return None
    axes = [trial.document["options"]["moments_in"] for trial in trials]
    return {"names": names, "axes": axes, "first": first, **_packed(rows)}


def _terms(report: Report) -> dict[str, Any] | None:
    found = report.trust.terms
    if not found:
        return None
    panels = {panel.name: panel for row in KINETICS for panel in row}
    told = []
    for one in found:
        keys = [(n, key_of(n)) for n in panels]
        planes = [n for n, key in keys if key.is_moment and key.part == one.joint]
        panel = fitting_panel(panels[planes[one.plane]], {one.name})
        told.append(
            {
                "group": one.group,
                "side": one.side,
                "joint": one.joint,
                "plane": one.plane,
                "column": one.name,
                "count": one.count,
                "title": panel.title,
                "unit": panel.unit,
                "limits": panel.limits,
                "top": panel.top,
                "bottom": panel.bottom,
            }
        )
    return {
        "moments": told,
        "parts": list(PARTS),
        "kinds": {"cause": list(CAUSE_WORDS), "segment": list(SOURCE_WORDS)},
        "colours": COLOURS,
        **_packed([one.parts.T for one in found]),
    }


def _cutoffs(report: Report) -> dict[str, Any] | None:
    """Return the lines of the peaks by cut-off: mean over the trials of a group that know all."""
    trust = report.trust
    found = [c for c in trust.cutoffs if c is not None]
    if not found:
        return None
    series = cutoff_series(report)
    panels = []
    for row in PEAKS:
        for name in row:
            there = {key: value for key, value in series.items() if internal_name(key[3]) == name}
            own = next((key[3] for key in there), name)
            lines = [
                {"mode": m, "group": g, "side": side, "hz": hz, "values": values, "count": count}
                for (m, g, side, _), (hz, values, count) in there.items()
            ]
            panels.append({"name": own, "title": peak_title(own), "lines": lines})
    return {"panels": panels, "modes": list(MODES), "marks": cutoff_marks(trust)}


def cutoff_marks(trust: Trust) -> dict[str, list[float | None]]:
    """Return the cut-offs as run and as advised, one value a trial that has them, Hz."""
    found = [c.document for c in trust.cutoffs if c is not None]
    chosen = {key: [d["chosen_hz"][key] for d in found] for key in ("markers", "forces")}
    advice = {
        key: [d["advice_hz"].get(key, {}).get("median") for d in found]
        for key in ("residual_analysis", "generalised_cross_validation")
    }
    return chosen | advice


Series = dict[tuple[str, int, str, str], tuple[list[float], list[float], int]]


def cutoff_series(report: Report) -> Series:
    """Return the peaks by cut-off.

    Parameters
    ----------
    report : Report

    Returns
    -------
    dict
        (mode, group, side, peak) -> cut-offs in Hz, values, count of the trials.
    """
    groups = [g for g, group in enumerate(report.groups) for _ in group.trials]
    by_key: dict[tuple[str, int, str, str], list[dict[float, float]]] = {}
    for g, cutoffs in zip(groups, report.trust.cutoffs, strict=True):
        own: dict[tuple[str, int, str, str], dict[float, float]] = {}
        for row in () if cutoffs is None else cutoffs.rows:
            wanted = row["mode"] in MODES and internal_name(row["quantity"]) in _ALL
            if wanted and row["side"] in SIDES and row["value"]:
                hz = row["force_cutoff_hz" if row["mode"] == "forces" else "marker_cutoff_hz"]
                key = row["mode"], g, row["side"], row["quantity"]
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
