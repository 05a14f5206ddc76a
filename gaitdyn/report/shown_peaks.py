"""Nine peaks familiar to clinicians with their reference, and the timing of a stride."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.metrics.healthy import expected_peak
from gaitdyn.metrics.norm_speed import beyond_speeds
from gaitdyn.report.numbers import DASH, decimal, shown
from gaitdyn.report.strides import mean_of
from gaitdyn.report.walk_norms import CHILDREN, whose
from gaitdyn.types.norms import FEWEST_PEOPLE
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

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


_PEAKS = {
    "hip_moment_extension_max": "Hip extensor",
    "hip_moment_abduction_first_peak": "Hip abductor",
    "knee_moment_extension_max": "Knee extensor",
    "knee_moment_extension_min": "Knee flexor",
    "knee_moment_abduction_first_peak": "Knee abductor",
    "ankle_moment_plantarflexion_max": "Plantarflexor",
    "hip_power_h3_peak": "Hip power, H3",
    "knee_power_k3_peak": "Knee power, K3",
    "ankle_power_a2_peak": "Ankle power, A2",
}

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
    for name, title in _PEAKS.items():
        quantity = next((n for n in names if internal_name(n) == name), name)
        means = (mean_of(view.trials, "peaks", quantity, side, kinetic=True) for side in SIDES)
        rows.append(SidedRow(title, *(shown(mean, 2) for mean in means), norm=_norm(view, name)))
    return tuple(rows) if any(row.known for row in rows) else ()


def peak_norm_words(view: GroupView, rows: Sequence[SidedRow]) -> str:
    """Return whose the norms of the peaks are; empty if none has one."""
    if view.norm is None or all(row.norm in ("", DASH) for row in rows):
        return ""
    return f"norm: {whose(view.norm) if view.norm.numbers else CHILDREN}, at this speed"


def _norm(view: GroupView, peak: str) -> str:
    """Return mean and SD at this speed, for the axes they belong to.

    They are those of the set itself or, for the set of Schwartz 2008, the published ones.
    """
    speed = mean_of(view.trials, "gait_parameters", "speed_nondimensional")
    if view.norm is None or speed is None:
        return ""
    if view.norm.numbers:
        own = view.norm.numbers.get(peak)
        few = own is None or (own.count is not None and own.count < FEWEST_PEOPLE)
        if own is None or few or beyond_speeds(view.norm.norm, speed):
            return DASH
        return f"{decimal(own.mean, 2)} \u00b1 {own.sd:.2f}"
    if not view.norm.norm.of_schwartz:
        return ""
    curves = [internal_name(name) for name in view.bands]
    expected = expected_peak(peak, speed)
    if expected is None or not any(peak.startswith(f"{curve}_") for curve in curves):
        return DASH
    return f"{decimal(expected.mean, 2)} \u00b1 {expected.sd:.2f}"


def timing_rows(view: GroupView) -> tuple[SidedRow, ...]:
    """Return the means over strides of step length, step width, foot-off and cadence."""
    rows = []
    for name, title, unit, digits in _TIMING:
        means = (mean_of(view.trials, "gait_parameters", name, side) for side in SIDES)
        rows.append(SidedRow(title, *(shown(mean, digits) for mean in means), unit=unit))
    return tuple(rows)


def force_peaks(view: GroupView) -> dict[str, tuple[float, ...]]:
    """Return the mean first and second peak of each side's vertical force, body weights."""
    by_side = {}
    for side in SIDES:
        names = ("grf_y_first_peak", "grf_y_second_peak")
        means = [mean_of(view.trials, "peaks", name, side, kinetic=True) for name in names]
        by_side[side] = tuple(mean / 9.80665 for mean in means if mean is not None)
    return by_side
