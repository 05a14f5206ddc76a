"""The trials of a session: which of them are one sample, and their straight strides."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.judge.recordings import recording_groups
from gaitdyn.judge.session import SessionWalk
from gaitdyn.store.headings import by_heading, turns
from gaitdyn.store.modelled import with_model
from gaitdyn.store.stored import StoredTrial, trial_of_result
from gaitdyn.types.arguments import told
from gaitdyn.types.result import Processed

if TYPE_CHECKING:
    from collections.abc import Sequence


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

    Of several results of one recording, or of one that was saved again, the one with the most
    strides counts, or the first of them: the others' strides are no further sample.
    """
    groups = recording_groups(with_model(trials))
    counting = [max(of_one, key=lambda trial: len(trial.cycles)) for of_one in groups]
    parts = [part for trial in counting for part in by_heading(trial)]
    straight = tuple(part for part in parts if not turns(part))
    turned = tuple(curves.cycle.side for part in parts if turns(part) for curves in part.cycles)
    return SessionWalk(straight, turned)


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
