"""The trials of a report: pooled into groups, by session and condition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.session import refuse_shared
from gaitdyn.judge.whose import Whose, whose_visits
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.headings import by_heading, turns
from gaitdyn.store.outward import label_told, outward
from gaitdyn.store.persons import by_person, person_labels, two_persons
from gaitdyn.store.stored import Check, StoredTrial, found_instead, read_trial

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


MOST_SESSIONS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Trials that are shown as one: of one session and one condition.

    Attributes
    ----------
    label : str
        What tells this group from the others; empty when there is one.
    trials : tuple of StoredTrial
    session : str or None
        Groups of one session have the same; None where it is not known.
    """

    label: str
    trials: tuple[StoredTrial, ...]
    session: str | None = None

    @property
    def tail(self) -> str:
        """What stands behind a title: a comma and the label, where there is one."""
        return f", {self.label}" if self.label else ""


STRAIGHT = "straight walking"
"""What the strides of a trial are called beside those that turn."""


def outward_groups(groups: Sequence[Group], *, with_names: bool = False) -> list[Group]:
    """Return groups as they leave the house: pseudonyms stand for names of persons.

    Parameters
    ----------
    groups : sequence of Group
    with_names : bool
        Leave names in names of files, folders and conditions.
    """
    everyone = [trial for group in groups for trial in group.trials]
    return [
        Group(
            group.label if with_names else label_told(group.label, everyone),
            tuple(outward(trial, with_names=with_names) for trial in group.trials),
            group.session,
        )
        for group in groups
    ]


def read_groups(
    paths: Sequence[Path],
    *,
    compare: bool = False,
    pool_persons: bool = False,
    verify: bool = False,
) -> list[Group]:
    """Return the groups of a report.

    Parameters
    ----------
    paths : sequence of Path
        Results folders of trials, which are pooled, or folders of such folders: sessions. Two
        sessions are compared; of a series each is compared with the first.
    compare : bool
        Compare the paths with each other, also where they are single trials.
    verify : bool
        Hold the hashes of all files against their list, not only their sizes.
    pool_persons : bool
        Pool trials of several persons as if they were one's.

    Raises
    ------
    ResultsRefused
        When a path holds no results, there are more than eight sessions, two share a trial, or
        trials that would be pooled are of two persons.
    """
    if len({path.resolve() for path in paths}) < len(paths):
        raise ResultsRefused("the same folder is named twice; name two different ones")
    if compare and len(paths) == 1:
        raise ResultsRefused("--compare needs two folders; name another")
    check: Check = "hashes" if verify else "sizes"
    sessions = [_session(path, check) for path in paths]
    single = [not (path / DOCUMENT).is_file() for path in paths]
    if not (compare or any(single)):
        sessions, paths = [[t for trials in sessions for t in trials]], paths[:1]
    if len(sessions) > MOST_SESSIONS:
        raise ResultsRefused(
            f"found {len(sessions)} sessions; wanted one, two to compare, or a series of at most"
            f" {MOST_SESSIONS}; name fewer"
        )
    refuse_shared(sessions)
    names = _names(paths) if len(sessions) > 1 else [""]
    groups = []
    for name, trials in zip(names, sessions, strict=True):
        _refuse_mixed(trials)
        if not pool_persons:
            _refuse_persons(trials)
        groups += pooled(trials, name, pool_persons=pool_persons)
    return groups


def _refuse_persons(trials: Sequence[StoredTrial]) -> None:
    """Refuse to pool the trials of two persons."""
    why = two_persons(trials)
    if why:
        first = [persons[0].name for persons in by_person(trials)]
        raise ResultsRefused(
            f"found trials of different persons, such as {' and '.join(first[:2])} ({why}); they"
            " are not pooled; report them one by one, compare two with --compare, or pool them all"
            " the same with --pool-persons"
        )


def _refuse_mixed(trials: Sequence[StoredTrial]) -> None:
    """Refuse to pool knee moments about a knee axis with those about the malleoli."""
    kinds: dict[str, str] = {}
    for trial in trials:
        for kind in shank_axes(trial.document["model"]):
            kinds.setdefault(kind, trial.name)
    if len(kinds) > 1:
        told = "; ".join(f"{kind} ({name})" for kind, name in sorted(kinds.items()))
        raise ResultsRefused(
            f"found knee moments in shanks aligned with different axes: {told}; they are not"
            " pooled; report them one by one, or process all trials with one --model"
        )


def shank_axes(model: dict[str, Any]) -> tuple[str, ...]:
    """Return what z of the shanks of a result follows; empty for results that do not say."""
    return tuple(sorted({str(one["shank"]) for one in model.get("axes", {}).values()}))


def pooled(
    trials: Sequence[StoredTrial], name: str = "", *, pool_persons: bool = False
) -> list[Group]:
    """Return the trials of one session pooled by person, condition and axes of knee moments.

    Strides that turn are a condition of their own.

    Parameters
    ----------
    trials : sequence of StoredTrial
    name : str
        Of the session, where there are others.
    pool_persons : bool
        Pool trials of several persons, too.
    """
    persons = [list(trials)] if pool_persons else by_person(trials)
    return [
        replace(group, session=name)
        for own, whose in zip(persons, person_labels(persons), strict=True)
        for group in _of_person(own, [word for word in (name, whose) if word])
    ]


def whose_groups(groups: Sequence[Group]) -> tuple[Whose, ...]:
    """Return of each group that walks straight, but the first, whether it is the first one's.

    Parameters
    ----------
    groups : sequence of Group
        With what says whose they are.
    """
    straight = [group for group in groups if not all(turns(trial) for trial in group.trials)]
    return tuple(
        whose_visits(
            straight[0].trials, other.trials,
            one_visit=other.session is not None and other.session == straight[0].session,
        )
        for other in straight[1:]
    )  # fmt: skip


def _of_person(trials: Sequence[StoredTrial], head: Sequence[str]) -> list[Group]:
    groups = []
    trials = [part for trial in trials for part in by_heading(trial)]
    trials.sort(key=turns)
    conditions = list(dict.fromkeys(trial.condition for trial in trials))
    for condition in conditions:
        own = [trial for trial in trials if trial.condition == condition]
        told = condition if len(conditions) > 1 or turns(own[0]) else ""
        words = [word for word in (*head, told) if word]
        kinds = list(dict.fromkeys(shank_axes(trial.document["model"]) for trial in own))
        for kind in kinds:
            alike = [t for t in own if shank_axes(t.document["model"]) == kind]
            more = [f"shank by {' and '.join(kind)}"] if len(kinds) > 1 else []
            groups.append(Group(", ".join([*words, *more]), tuple(alike)))
    return groups


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the names of the folders; of equal ones those that tell them apart further up."""
    ways = [path.resolve().parts for path in paths]
    for up in range(1, min(len(way) for way in ways)):
        names = [way[-up] for way in ways]
        if len(set(names)) == len(names):
            return names
    names = ["/".join(way[-2:]) for way in ways]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, 1)]
    return names


def _session(path: Path, check: Check) -> list[StoredTrial]:
    """Return the trials of a folder: itself, or those in the folders below it."""
    if (path / DOCUMENT).is_file():
        return [read_trial(path, check)]
    below = sorted(p.parent for p in path.glob(f"*/{DOCUMENT}")) if path.is_dir() else []
    below = [folder for folder in below if not folder.name.startswith(".")]
    if not below:
        what = found_instead(path)
        deeper = sorted({p.parent.parent.name for p in path.glob(f"*/*/{DOCUMENT}")})
        if deeper:
            what = f"results deeper in it, in {', '.join(deeper)}"
        raise ResultsRefused(
            f"{path}: found {what}; wanted a folder that `gaitdyn process` wrote, or one that"
            " holds such folders"
        )
    return [read_trial(folder, check) for folder in below]
