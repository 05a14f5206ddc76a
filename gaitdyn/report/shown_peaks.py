"""Seven peaks familiar to clinicians with their reference, and the timing of a stride."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.report.numbers import DASH, decimal
from gaitdyn.report.strides import rows_of, values_of
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.report.views import GroupView


@dataclass(frozen=True, slots=True)
class SidedRow:
    """A title, the number of each side as text, the norm or the unit."""

    title: str
    left: str
    right: str
    norm: str = ""
    unit: str = ""

    @property
    def known(self) -> bool:
        """Whether any side has a number."""
        return {self.left, self.right} != {DASH}


@dataclass(frozen=True, slots=True)
class _Peak:
    name: str
    title: str
    window: tuple[float, float]
    largest: bool = True

    @property
    def curve(self) -> str:
        """The curve of this peak."""
        words = self.name.split("_")
        return "_".join(words[: 3 if words[1] == "moment" else 2])


_PEAKS = (
    _Peak("hip_moment_extension_max", "Hip extensor", (6, 50)),
    _Peak("hip_moment_abduction_first_peak", "Hip abductor", (0, 30)),
    _Peak("knee_moment_extension_max", "Knee extensor", (6, 50)),
    _Peak("ankle_moment_plantarflexion_max", "Plantarflexor", (6, 65)),
    _Peak("hip_power_h3_peak", "Hip power, H3", (48, 80)),
    _Peak("knee_power_k3_peak", "Knee power, K3", (45, 75), largest=False),
    _Peak("ankle_power_a2_peak", "Ankle power, A2", (35, 65)),
)
"""Each has the window, %, of the reference's peak, which leaves out the impact."""

_TIMING = (
    ("step_length", "Step length", "m", 2),
    ("step_width", "Width", "m", 2),
    ("foot_off", "Foot-off", "%", 0),
    ("cadence", "Cadence", "/min", 0),
)


def peak_rows(view: GroupView) -> tuple[SidedRow, ...]:
    """Return the peaks of whole steps; empty if neither side has one."""
    rows = []
    names = {row["quantity"] for trial in view.trials for row in trial.tables["peaks"]}
    for peak in _PEAKS:
        quantity = next((name for name in names if internal_name(name) == peak.name), peak.name)
        cells = []
        for side in SIDES:
            peaks = rows_of(view.trials, "peaks", quantity, side, kinetic=True)
            values = [float(row["value"]) for row in peaks]
            cells.append(decimal(fmean(values), 2) if values else DASH)
        rows.append(SidedRow(peak.title, cells[0], cells[1], _norm(view, peak)))
    return tuple(rows) if any(row.known for row in rows) else ()


def _norm(view: GroupView, peak: _Peak) -> str:
    band = next((b for n, b in view.bands.items() if internal_name(n) == peak.curve), None)
    if band is None:
        return DASH
    inside = (band.percent >= peak.window[0]) & (band.percent <= peak.window[1])
    mean, sd = band.mean[inside], band.sd[inside]
    i = int(np.argmax(mean) if peak.largest else np.argmin(mean))
    return f"{decimal(float(mean[i]), 2)} \u00b1 {float(sd[i]):.2f}"


def timing_rows(view: GroupView) -> tuple[SidedRow, ...]:
    """Return the means over strides of step length, step width, foot-off and cadence."""
    rows = []
    for name, title, unit, digits in _TIMING:
        cells = []
        for side in SIDES:
            values = values_of(view.trials, "gait_parameters", name, side)
            cells.append(decimal(fmean(values), digits) if values else DASH)
        rows.append(SidedRow(title, cells[0], cells[1], unit=unit))
    return tuple(rows)


def force_peaks(view: GroupView) -> dict[str, tuple[float, ...]]:
    """Return the mean first and second peak of each side's vertical force, body weights."""
    by_side = {}
    for side in SIDES:
        peaks = []
        for name in ("grf_y_first_peak", "grf_y_second_peak"):
            rows = rows_of(view.trials, "peaks", name, side, kinetic=True)
            peaks += [fmean(float(row["value"]) for row in rows) / 9.80665] if rows else []
        by_side[side] = tuple(peaks)
    return by_side
