"""One session, or one condition of it: the strides that may be judged, and facts about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from statistics import fmean, median
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.store.doubted import spoiled_in
from gaitdyn.store.headings import by_heading, turns
from gaitdyn.store.modelled import with_model
from gaitdyn.store.stored import StoredTrial, trial_of_result
from gaitdyn.types.arguments import told
from gaitdyn.types.arrays import Array
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.types.cycles import CycleCurves

FEWEST_STRIDES = 2
"""With a curve, for a verdict on it."""

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
            return ("stance", 0.0, foot_off), *_swing(foot_off)
        return cycle_phases(off, strike, foot_off)


def pelvis_side(*walks: SessionWalk) -> str:
    """Return the side whose cycle the pelvis is judged in: left, unless only right ones suffice."""
    return max(SIDES, key=lambda s: min(FEWEST_STRIDES, *(walk.cycle_count(s) for walk in walks)))


def cycle_phases(
    off: float, strike: float, foot_off: float
) -> tuple[tuple[str, float, float], ...]:
    """Return (name, start, stop) of the phases of a cycle, %.

    Parameters
    ----------
    off, strike : float
        Opposite foot-off and foot strike, %.
    foot_off : float
        Foot-off of the side itself, %.

    Examples
    --------
    >>> cycle_phases(10.0, 50.0, 61.0)[3]
    ('pre-swing', 50.0, 61.0)
    """
    if not 0 < off < strike < foot_off < 100:  # noqa: PLR2004  %
        return ()
    edges = (0.0, off, (off + strike) / 2, strike, foot_off)
    return *zip(PHASES[:4], edges[:-1], edges[1:], strict=True), *_swing(foot_off)


def _swing(foot_off: float) -> tuple[tuple[str, float, float], ...]:
    third = (100 - foot_off) / 3
    edges = (foot_off, foot_off + third, foot_off + 2 * third, 100.0)
    return tuple(zip(PHASES[4:], edges[:-1], edges[1:], strict=True))


def stored(trials: Iterable[StoredTrial | Processed]) -> list[StoredTrial]:
    """Return results in memory as stored trials, beside those that are.

    Raises
    ------
    UsageError
        If there is anything else among them, or one alone.
    """
    if isinstance(trials, Iterable):
        every = list(trials)
        if all(isinstance(trial, (StoredTrial, Processed)) for trial in every):
            return [t if isinstance(t, StoredTrial) else trial_of_result(t) for t in every]
    raise UsageError(f"trials are {told(trials)}, wanted a list of results, such as [result]")


def walk_of(trials: Sequence[StoredTrial]) -> SessionWalk:
    """Return the straight strides of trials of one session and condition.

    Of several results of one recording the first counts: its strides are no further sample.
    """
    recordings: dict[tuple[str, str], StoredTrial] = {}
    for trial in with_model(trials):
        recordings.setdefault(_recording_of(trial), trial)
    parts = [part for trial in recordings.values() for part in by_heading(trial)]
    straight = tuple(part for part in parts if not turns(part))
    turned = tuple(curves.cycle.side for part in parts if turns(part) for curves in part.cycles)
    return SessionWalk(straight, turned)


def _recording_of(trial: StoredTrial) -> tuple[str, str]:
    """Return the hash of a trial's recording, and the prefix of the person's labels in it."""
    inputs = trial.document["inputs"]
    recording = next((file["sha256"] for file in inputs if file.get("role") == "trial"), trial.name)
    return str(recording), str(trial.document["options"].get("subject_prefix") or "")


def one_condition(trials: Iterable[StoredTrial], whose: str, advice: str = "") -> None:
    """Refuse trials of several conditions, which are not one sample.

    Parameters
    ----------
    trials : iterable of StoredTrial
    whose, advice : str
        What they belong to, and another way out, for the message.

    Raises
    ------
    ResultsRefused
    """
    conditions = sorted({trial.condition for trial in trials})
    if len(conditions) > 1:
        names = ", ".join(name or "none" for name in conditions)
        raise ResultsRefused(
            f"{whose}: found the conditions {names}; wanted one; put the results of each condition"
            f" into a folder of its own{advice}"
        )


def refuse_shared(sessions: Sequence[Sequence[StoredTrial]]) -> None:
    """Refuse sessions that share a results folder, which cannot differ from itself.

    Raises
    ------
    ResultsRefused
    """
    for first, second in combinations(sessions, 2):
        paths = {trial.path.resolve() for trial in first}
        if shared := [trial.path.name for trial in second if trial.path.resolve() in paths]:
            message = f"found {', '.join(shared)} in both sessions; wanted two that share no trial"
            raise ResultsRefused(message)


def phase_at(phases: Sequence[tuple[str, float, float]], percent: float) -> str:
    """Return the phase of a moment of the cycle; empty if the phases are not known.

    Examples
    --------
    >>> phase_at((("stance", 0.0, 60.0), ("swing", 60.0, 100.0)), 60.0)
    'swing'
    """
    names = [name for name, start, _ in phases if start <= percent]
    return names[-1] if names else ""


def phase_limits(
    phases: Sequence[tuple[str, float, float]], name: str
) -> tuple[float, float] | None:
    """Return start and stop of a phase, %; ``stance`` and ``swing`` combine several.

    Examples
    --------
    >>> phase_limits(tuple((n, 10.0 * i, 10.0 * i + 10) for i, n in enumerate(PHASES)), "swing")
    (40.0, 70.0)
    """
    wanted = name.replace("_", " ").lower()
    groups = {"stance": (*PHASES[:4], "stance"), "swing": PHASES[4:], "single support": PHASES[1:3]}
    names = groups.get(wanted, (wanted,))
    limits = [(start, stop) for phase, start, stop in phases if phase in names]
    return (limits[0][0], limits[-1][1]) if limits else None
