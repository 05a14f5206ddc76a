"""One session, or one condition of it: the strides that may be judged, and facts about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from statistics import fmean, median
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.phases import cycle_phases, swing_phases
from gaitdyn.store.doubted import spoiled_in
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.types.cycles import CycleCurves

FEWEST_STRIDES = 2
"""With a curve, for a verdict on it."""


@frozen(eq=False)
class CurveStrides:
    """The whole strides of one curve and side.

    Attributes
    ----------
    values : array, shape (m, 101)
        In the unit of ``cycles.csv``, under the internal name.
    trials : tuple of int
        The trial of each stride.
    unit : str
    """

    values: Array
    trials: tuple[int, ...]
    unit: str

    def by_trial(self) -> Array:
        """Return the mean of each trial, shape (trials, 101)."""
        numbers = np.array(self.trials)
        return np.stack(
            [self.values[numbers == trial].mean(axis=0) for trial in np.unique(numbers)]
        )


@lru_cache(maxsize=16)
def _columns(names: tuple[str, ...]) -> dict[str, int]:
    """Return the column of each curve under its internal name."""
    return {internal_name(name): i for i, name in enumerate(names)}


@dataclass(frozen=True, eq=False)
class SessionWalk:
    """The trials of one session and condition, without the strides that turn.

    Attributes
    ----------
    trials : tuple of StoredTrial
    turned : tuple of str
        The side of each stride that was left out because it turns.
    """

    trials: tuple[StoredTrial, ...]
    turned: tuple[str, ...] = ()
    _collected: dict[tuple[str, str, str], CurveStrides] = field(
        default_factory=dict[tuple[str, str, str], CurveStrides], init=False, repr=False
    )

    def strides(self, side: str, rule: CurveRule) -> CurveStrides:
        """Return the whole strides of a curve, without those of failed trials; collected once."""
        collected = self._collected.get((side, rule.name, rule.quantity))
        if collected is None:
            collected = self._strides(side, rule)
            self._collected[side, rule.name, rule.quantity] = collected
        return collected

    def _strides(self, side: str, rule: CurveRule) -> CurveStrides:
        strides, numbers, unit = [], [], ""
        for number, trial in enumerate(self.trials):
            failed = self.word_on(trial, side, rule.quantity) == "fail"
            for curves in trial.cycles:
                column = _columns(curves.names).get(rule.name)
                if curves.cycle.side == side and column is not None:
                    unit = curves.units[column]
                    curve = curves.values[:, column]
                    if not failed and np.isfinite(curve).all():
                        strides.append(curve)
                        numbers.append(number)
        values = np.stack(strides) if strides else np.empty((0, 101))
        values.setflags(write=False)
        return CurveStrides(values, tuple(numbers), unit)

    def cycle_count(self, side: str) -> int:
        """Return the number of cycles of a side."""
        return sum(curves.cycle.side == side for trial in self.trials for curves in trial.cycles)

    def angle_cycles(self) -> list[CycleCurves]:
        """Return the strides of both sides, without trials whose angles of that side failed.

        If the angles of all trials failed, all are returned.
        """
        counted: list[CycleCurves] = []
        for side in SIDES:
            words = [self.word_on(trial, side, "kinematics") for trial in self.trials]
            counted += [
                curves
                for trial, word in zip(self.trials, words, strict=True)
                for curves in trial.cycles
                if curves.cycle.side == side and (word != "fail" or {*words} == {"fail"})
            ]
        return counted

    def words(self, side: str, rule: CurveRule) -> set[str]:
        """Return the verdicts on the quantity of a curve and side, of trials with a stride of it.

        A trial without one, such as one whose steps missed the plates, says nothing of the strides
        of others. If no trial has a stride, the verdicts are those of all.
        """
        words = [self.word_on(trial, side, rule.quantity) for trial in self.trials]
        return {words[number] for number in self.strides(side, rule).trials} or {*words}

    def word_on(self, trial: StoredTrial, side: str, quantity: str) -> str:
        """Return the verdict on a quantity and side of a trial."""
        words = (
            verdict["word"]
            for verdict in trial.document.get("verdicts", ())
            if (verdict["side"], verdict["quantity"]) == (side, quantity)
        )
        return str(next(words, trial.document["verdict"]))

    @property
    def speed(self) -> float | None:
        """Mean v / sqrt(g L) of the strides; None if not known."""
        speeds = self._numbers("speed_nondimensional")
        return fmean(speeds) if speeds else None

    @property
    def pace(self) -> float | None:
        """Mean speed of the strides, m/s; None if not known."""
        speeds = self._numbers("speed")
        return fmean(speeds) if speeds else None

    def percent(self, quantity: str, side: str | None) -> float | None:
        """Return the time of an event in the cycles of a side, %, median of the strides.

        Without a side it is that of both legs.
        """
        times = self._numbers(quantity, side)
        return median(times) if times else None

    def _numbers(self, quantity: str, side: str | None = None) -> list[float]:
        sides = SIDES if side is None else (side,)
        return [value for one in sides for value in self._parameters.get((quantity, one), ())]

    @cached_property
    def _parameters(self) -> dict[tuple[str, str], list[float]]:
        """Return gait parameter and side -> its values in the cycles of all trials.

        A trial in which it is in doubt does not count beside others.
        """
        values: dict[tuple[str, str], list[float]] = {}
        for trial, spoiled in zip(self.trials, spoiled_in(self.trials), strict=True):
            for row in trial.tables["gait_parameters"]:
                if row["cycle"] and row["value"] and row["quantity"] not in spoiled:
                    own = values.setdefault((row["quantity"], row["side"]), [])
                    own.append(float(row["value"]))
        return values

    def hashes(self, role: str) -> set[str]:
        """Return the hashes of the inputs of a role, such as ``static``."""
        files = [file for trial in self.trials for file in trial.document["inputs"]]
        return {str(file["sha256"]) for file in files if file.get("role") == role}

    def phases(self, side: str | None) -> tuple[tuple[str, float, float], ...]:
        """Return (name, start, stop) of the phases of the cycle, %, from the events of a side.

        Loading response ends at the opposite foot-off, single support has two halves, pre-swing
        starts at the opposite foot strike, and swing has thirds. If an event of the opposite foot
        is not known, stance is one phase. Without the side's foot-off there are no phases.
        """
        foot_off = self.percent("foot_off", side)
        off, strike = (self.percent(f"opposite_foot_{name}", side) for name in ("off", "strike"))
        if foot_off is None or not 0 < foot_off < 100:  # noqa: PLR2004  %
            return ()
        if off is None or strike is None:
            return ("stance", 0.0, foot_off), *swing_phases(foot_off)
        return cycle_phases(off, strike, foot_off)


def pelvis_side(*walks: SessionWalk) -> str:
    """Return the side whose cycle the pelvis is judged in: left, unless only right ones suffice."""
    return max(SIDES, key=lambda s: min(FEWEST_STRIDES, *(walk.cycle_count(s) for walk in walks)))
