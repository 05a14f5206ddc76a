"""One session, or one condition of it: the strides that may be judged, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from statistics import fmean, median
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.errors import ResultsRefused
from gaitdyn.store.headings import by_heading, turns
from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.store.stored import StoredTrial

PHASES = (
    "loading response", "mid stance", "terminal stance", "pre-swing",
    "initial swing", "mid swing", "terminal swing",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CurveStrides:
    """The whole strides of one curve and side.

    Attributes
    ----------
    values : array, shape (m, 101)
        In the unit of ``cycles.csv``, under the internal name.
    trials : tuple of int
        Of which trial each is.
    unit : str
    """

    values: Array
    trials: tuple[int, ...]
    unit: str

    def by_trial(self) -> Array:
        """Return the mean of each trial, shape (trials, 101)."""
        at = np.array(self.trials)
        return np.stack([self.values[at == trial].mean(axis=0) for trial in np.unique(at)])


@lru_cache(maxsize=16)
def _columns(names: tuple[str, ...]) -> dict[str, int]:
    """Return the place of each curve under its internal name."""
    return {internal_name(name): i for i, name in enumerate(names)}


@dataclass(frozen=True, slots=True, eq=False)
class SessionWalk:
    """The trials of one session and condition, without the strides that turn.

    Attributes
    ----------
    trials : tuple of StoredTrial
    turned : int
        Strides that were left out because they turn.
    """

    trials: tuple[StoredTrial, ...]
    turned: int

    def strides(self, side: str, rule: CurveRule) -> CurveStrides:
        """Return the whole strides of a curve, those of failed trials left out."""
        found, of, unit = [], [], ""
        for number, trial in enumerate(self.trials):
            failed = self._word(trial, side, rule) == "fail"
            for curves in trial.cycles:
                column = _columns(curves.names).get(rule.name)
                if curves.cycle.side == side and column is not None:
                    unit = curves.units[column]
                    curve = curves.values[:, column]
                    if not failed and np.isfinite(curve).all():
                        found.append(curve)
                        of.append(number)
        values = np.stack(found) if found else np.empty((0, 101))
        return CurveStrides(values, tuple(of), unit)

    @property
    def pelvis_side(self) -> str:
        """In whose cycle the pelvis is judged: the left one's, where there is one."""
        sides = {curves.cycle.side for trial in self.trials for curves in trial.cycles}
        return "right" if sides == {"right"} else "left"

    def words(self, side: str, rule: CurveRule) -> set[str]:
        """Return the verdicts of the trials about a curve's quantity on a side."""
        return {self._word(trial, side, rule) for trial in self.trials}

    def _word(self, trial: StoredTrial, side: str, rule: CurveRule) -> str:
        told = [
            one["word"]
            for one in trial.document.get("verdicts", ())
            if one["side"] == side and one["quantity"] == rule.quantity
        ]
        return str(told[0]) if told else str(trial.document["verdict"])

    @property
    def speed(self) -> float | None:
        """Mean v / sqrt(g L) of the strides; None where it is not known."""
        found = list(self._numbers("speed_nondimensional"))
        return fmean(found) if found else None

    def percent(self, quantity: str, side: str) -> float | None:
        """Return when an event is in the cycles of a side, %, median of the strides."""
        found = list(self._numbers(quantity, side))
        return median(found) if found else None

    def _numbers(self, quantity: str, side: str | None = None) -> Iterator[float]:
        for trial in self.trials:
            for row in trial.tables["gait_parameters"]:
                wanted = row["quantity"] == quantity and row["cycle"] and row["value"]
                if wanted and side in (None, row["side"]):
                    yield float(row["value"])

    def hashes(self, role: str) -> set[str]:
        """Return the hashes of the inputs of a role, such as ``static``."""
        entries = [one for trial in self.trials for one in trial.document["inputs"]]
        return {str(one["sha256"]) for one in entries if one.get("role") == role}

    def phases(self, side: str) -> tuple[tuple[str, float, float], ...]:
        """Return (name, start, stop) of the phases of a side's cycle, %, by its own events.

        Loading response until the other foot is off, single support in two halves, pre-swing from
        the other strike on, swing in thirds. Where an event of the other foot is not known, stance
        is one; nothing where the own foot-off is not known.
        """
        own = self.percent("foot_off", side)
        off, strike = (self.percent(f"opposite_foot_{name}", side) for name in ("off", "strike"))
        if own is None or not 0 < own < 100:  # noqa: PLR2004  %
            return ()
        if off is None or strike is None:
            return ("stance", 0.0, own), *_swing(own)
        return cycle_phases(off, strike, own)


def cycle_phases(off: float, strike: float, own: float) -> tuple[tuple[str, float, float], ...]:
    """Return (name, start, stop) of the phases of a cycle, %.

    Parameters
    ----------
    off, strike, own : float
        When the other foot leaves and strikes the ground and when the own one leaves it, %.

    Examples
    --------
    >>> cycle_phases(10.0, 50.0, 61.0)[3]
    ('pre-swing', 50.0, 61.0)
    """
    if not 0 < off < strike < own < 100:  # noqa: PLR2004  %
        return ()
    edges = (0.0, off, (off + strike) / 2, strike, own)
    return *zip(PHASES[:4], edges[:-1], edges[1:], strict=True), *_swing(own)


def _swing(own: float) -> tuple[tuple[str, float, float], ...]:
    third = (100 - own) / 3
    edges = (own, own + third, own + 2 * third, 100.0)
    return tuple(zip(PHASES[4:], edges[:-1], edges[1:], strict=True))


def walk_of(trials: Sequence[StoredTrial]) -> SessionWalk:
    """Return the straight strides of trials of one session and condition.

    Parameters
    ----------
    trials : sequence of StoredTrial
    """
    parts = [part for trial in trials for part in by_heading(trial)]
    straight = tuple(part for part in parts if not turns(part))
    turned = sum(len(part.cycles) for part in parts if turns(part))
    return SessionWalk(straight, turned)


def refuse_shared(sessions: Sequence[Sequence[StoredTrial]]) -> None:
    """Refuse sessions that have a results folder in common: nothing changes against itself.

    Parameters
    ----------
    sessions : sequence of sequence of StoredTrial

    Raises
    ------
    ResultsRefused
    """
    for one, other in combinations(sessions, 2):
        own = {trial.path.resolve() for trial in one}
        shared = [trial.path.name for trial in other if trial.path.resolve() in own]
        if shared:
            message = f"found {', '.join(shared)} in both sessions; wanted two that share no trial"
            raise ResultsRefused(message)


def phase_at(phases: Sequence[tuple[str, float, float]], percent: float) -> str:
    """Return the phase in which a moment of the cycle lies; nothing where they are not known.

    Examples
    --------
    >>> phase_at((("stance", 0.0, 60.0), ("swing", 60.0, 100.0)), 60.0)
    'swing'
    """
    found = [name for name, start, _ in phases if start <= percent]
    return found[-1] if found else ""


def phase_limits(
    phases: Sequence[tuple[str, float, float]], name: str
) -> tuple[float, float] | None:
    """Return from where to where a phase goes, %; ``stance`` and ``swing`` are several together.

    Examples
    --------
    >>> phase_limits(tuple((n, 10.0 * i, 10.0 * i + 10) for i, n in enumerate(PHASES)), "swing")
    (40.0, 70.0)
    """
    wanted = name.replace("_", " ").lower()
    groups = {"stance": (*PHASES[:4], "stance"), "swing": PHASES[4:], "single support": PHASES[1:3]}
    names = groups.get(wanted, (wanted,))
    own = [(start, stop) for phase, start, stop in phases if phase in names]
    return (own[0][0], own[-1][1]) if own else None
