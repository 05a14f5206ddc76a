"""Nine peaks familiar to clinicians with their reference, and the timing of a stride."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.core.gravity import STANDARD_GRAVITY
from gaitdyn.metrics.healthy import Expected, expected_peak
from gaitdyn.metrics.norms.speed import beyond_speeds
from gaitdyn.report.first_screen.numbers import age_of
from gaitdyn.report.first_screen.walk_norms import BEYOND, CHILDREN, of_children, whose
from gaitdyn.report.numbers import DASH, plus_minus, shown
from gaitdyn.report.strides import mean_of
from gaitdyn.report.views import GroupView
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import FEWEST_PEOPLE
from gaitdyn.types.subject import SIDES


@frozen()
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
    "hip_moment_abduction_first_peak": "Hip abductor, 1st",
    "knee_moment_extension_max": "Knee extensor",
    "knee_moment_extension_min": "Knee flexor",
    "knee_moment_abduction_first_peak": "Knee abductor, 1st",
    "ankle_moment_plantarflexion_max": "Plantarflexor",
    "hip_power_h3_peak": "Hip power, H3",
    "knee_power_k3_peak": "Knee power, K3",
    "ankle_power_a2_peak": "Ankle power, A2",
}

_EXTERNAL = {
    "Hip extensor": "Hip flexor",
    "Hip abductor, 1st": "Hip adductor, 1st",
    "Knee extensor": "Knee flexor",
    "Knee flexor": "Knee extensor",
    "Knee abductor, 1st": "Knee adductor, 1st",
    "Plantarflexor": "Dorsiflexor",
}
"""Titles of the same numbers in a report of external moments."""

_TIMING = (
    ("step_length", "Step length", "m", 2),
    ("step_width", "Width", "m", 2),
    ("foot_off", "Foot-off", "%", 0),
    ("cadence", "Cadence", "steps/min", 0),
)


def peak_rows(view: GroupView) -> tuple[SidedRow, ...]:
    """Return the peaks of whole steps; empty if neither side has one.

    An arrow tells a number that is more than two SD from its norm.
    """
    rows = []
    names = {row["quantity"] for trial in view.trials for row in trial.tables["peaks"]}
    speed = mean_of(view.trials, "gait_parameters", "speed_nondimensional")
    normed = view.norm is not None and (view.norm.numbers or view.norm.norm.of_schwartz)
    for name, title in _PEAKS.items():
        quantity = next((n for n in names if internal_name(n) == name), name)
        means = [mean_of(view.trials, "peaks", quantity, side, kinetic=True) for side in SIDES]
        norm = _norm(view, name, speed) if normed and speed is not None else None
        told = DASH if normed and speed is not None else ""
        told = told if norm is None else plus_minus(norm.mean, norm.sd, 2)
        head = _EXTERNAL.get(title, title) if view.external else title
        rows.append(SidedRow(head, *(_flagged(mean, norm) for mean in means), norm=told))
    return tuple(rows) if any(row.known for row in rows) else ()


def _flagged(mean: float | None, norm: Expected | None) -> str:
    """Return a number, with an arrow if it is far above or below its norm."""
    far = mean is not None and norm is not None and norm.sd > 0 and abs(norm.z(mean)) > _FAR_SD
    arrow = "" if not far or mean is None or norm is None else _ARROWS[mean > norm.mean]
    return f"{shown(mean, 2)}{arrow}"


_FAR_SD, _ARROWS = 2.0, ("\u2193", "\u2191")


def peak_norm_words(view: GroupView, rows: Sequence[SidedRow]) -> str:
    """Return whose the norms of the peaks are, and what an arrow means; empty if none has one.

    If no group of the norm walked as slowly or as fast, it is told instead.
    """
    if view.norm is None or all(row.norm in ("", DASH) for row in rows):
        speed = mean_of(view.trials, "gait_parameters", "speed_nondimensional")
        if view.norm is None or speed is None or not any(row.norm for row in rows):
            return ""
        beyond = beyond_speeds(view.norm.norm, speed)
        return f"norm: {BEYOND[beyond]}" if beyond else ""
    own = whose(view.norm) if view.norm.numbers else CHILDREN
    source = "; ".join([f"norm: {own}, at this speed", *of_children([own], age_of(view.trials))])
    arrows = any(arrow in row.left + row.right for row in rows for arrow in _ARROWS)
    return f"{source}; {' '.join(_ARROWS)} more than 2 SD away" if arrows else source


def _norm(view: GroupView, peak: str, speed: float) -> Expected | None:
    """Return mean and SD at this speed, for the axes they belong to.

    They are those of the set itself, of ten people or more, or, for the set of Schwartz 2008, the
    published ones. A speed beyond all groups has none.
    """
    if view.norm is None or beyond_speeds(view.norm.norm, speed):
        return None
    if view.norm.numbers:
        own = view.norm.numbers.get(peak)
        if own is None or (own.count is not None and own.count < FEWEST_PEOPLE):
            return None
        return Expected(own.mean, own.sd)
    curves = [internal_name(name) for name in view.bands]
    known = any(peak.startswith(f"{curve}_") for curve in curves)
    return expected_peak(peak, speed) if known else None


def timing_rows(view: GroupView) -> tuple[SidedRow, ...]:
    """Return the means over strides of step length, step width, foot-off and cadence."""
    rows = []
    for name, title, unit, digits in _TIMING:
        means = (mean_of(view.trials, "gait_parameters", name, side) for side in SIDES)
        rows.append(SidedRow(title, *(shown(mean, digits) for mean in means), unit=unit))
    return tuple(rows)


def force_peaks(view: GroupView) -> dict[str, tuple[float, ...]]:
    """Return the mean first and second peak of each side's vertical force, body weights."""
    by_side: dict[str, tuple[float, ...]] = {}
    for side in SIDES:
        names = ("grf_y_first_peak", "grf_y_second_peak")
        means = [mean_of(view.trials, "peaks", name, side, kinetic=True) for name in names]
        by_side[side] = tuple(mean / STANDARD_GRAVITY for mean in means if mean is not None)
    return by_side
