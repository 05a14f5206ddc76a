"""The trials of a report: pooled into groups, by session and condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.session import refuse_shared
from gaitdyn.judge.whose import PersonCheck, check_persons
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.headings import by_heading, turns, without_turning
from gaitdyn.store.modelled import has_no_model
from gaitdyn.store.outward import in_each_text, pseudonymised, pseudonymised_label
from gaitdyn.store.persons import by_person, person_labels, why_two_persons
from gaitdyn.store.stored import Check, StoredTrial, found_instead, read_trial
from gaitdyn.types.texts import visible

MOST_SESSIONS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Trials that are shown together: of one session and one condition.

    Attributes
    ----------
    label : str
        The name that distinguishes this group from the others; empty for a single group.
    trials : tuple of StoredTrial
    session : str or None
        The same for groups of one session; None if not known.
    """

    label: str
    trials: tuple[StoredTrial, ...]
    session: str | None = None

    @property
    def tail(self) -> str:
        """The end of a title: a comma and the label, if any."""
        return f", {self.label}" if self.label else ""

    @property
    def turning(self) -> bool:
        """Whether its strides turn; they are a group of their own."""
        return all(turns(trial) for trial in self.trials)


NO_CONDITION = "no condition given"
"""The name of trials without a condition among others that have one."""

STRAIGHT = "straight walking"
"""The name of the other strides if some strides turn."""


def outward_groups(groups: Sequence[Group], *, with_names: bool) -> list[Group]:
    """Return groups in the form that leaves the laboratory, with pseudonyms for names.

    Marks of the direction of writing in names are shown as escapes.

    Parameters
    ----------
    groups : sequence of Group
    with_names : bool
        Leave names in names of files, folders and conditions.
    """
    everyone = [trial for group in groups for trial in group.trials]
    return [
        Group(
            visible(group.label if with_names else pseudonymised_label(group.label, everyone)),
            tuple(_visible(pseudonymised(t, with_names=with_names)) for t in group.trials),
            group.session,
        )
        for group in groups
    ]


def _visible(trial: StoredTrial) -> StoredTrial:
    document, tables = (in_each_text(part, visible) for part in (trial.document, trial.tables))
    return replace(trial, name=visible(trial.name), document=document, tables=tables)


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
        Compare the paths with each other even if they are single trials.
    pool_persons : bool
        Pool trials of several persons as if they were of one.
    verify : bool
        Check the hashes of all files against their list, not only their sizes.

    Raises
    ------
    ResultsRefused
        If a path has no results, there are more than eight sessions, two share a trial, or trials
        to be pooled are of two persons.
    """
    if len({path.resolve() for path in paths}) < len(paths):
        raise ResultsRefused("the same folder is named twice; name two different folders")
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
        if not pool_persons:
            _refuse_persons(trials)
        _refuse_mixed(trials)
        groups += pooled(trials, name, pool_persons=pool_persons)
    return groups


def _refuse_persons(trials: Sequence[StoredTrial]) -> None:
    """Refuse to pool the trials of two persons."""
    why = why_two_persons(trials)
    if why:
        first = [persons[0].name for persons in by_person(trials)]
        raise ResultsRefused(
            f"found trials of different persons, such as {' and '.join(first[:2])} ({why}); they"
            " are not pooled; report them one by one, compare two with --compare, or pool them"
            " anyway with --pool-persons"
        )


def _refuse_mixed(trials: Sequence[StoredTrial]) -> None:
    """Refuse to pool moments of two conventions or axes, or of shanks aligned with different axes.

    The shanks of the sides of a trial may differ, as where a foot is a prosthesis. A side without
    moments has none to pool.
    """
    names: dict[str, str] = {}
    for trial in trials:
        names.setdefault(moments_of(trial), trial.name)
    names.pop("", None)
    if len(names) > 1:
        found = "; ".join(f"{kind} ({name})" for kind, name in sorted(names.items()))
        raise ResultsRefused(
            f"found {found}; they are not pooled; report them one by one, or process all trials"
            " with one --convention and --moments-in"
        )
    kinds: dict[str, dict[str, str]] = {}
    for trial in trials:
        for side, axes in axes_of_moments(trial).items():
            kinds.setdefault(side, {}).setdefault(axes, trial.name)
    unlike = next((of_side for of_side in kinds.values() if len(of_side) > 1), None)
    if unlike is not None:
        found = "; ".join(f"{kind} ({name})" for kind, name in sorted(unlike.items()))
        raise ResultsRefused(
            f"found knee moments in shanks aligned with different axes: {found}; they are not"
            " pooled; report them one by one, or process all trials with one --model"
        )


def shank_axes(model: dict[str, Any]) -> tuple[str, ...]:
    """Return the axes that z of the shanks follows; empty for results without this entry."""
    return tuple(sorted({str(axes["shank"]) for axes in model.get("axes", {}).values()}))


def axes_of_moments(trial: StoredTrial) -> dict[str, str]:
    """Return side -> what z of its shank is aligned with, of the sides with a knee moment."""
    known = {
        curves.cycle.side
        for curves in trial.cycles
        for name in curves.names
        if name.startswith("knee_moment_") and np.isfinite(curves.curve(name)).any()
    }
    axes = trial.document["model"].get("axes", {})
    return {side: str(of_side["shank"]) for side, of_side in axes.items() if side in known}


def moments_of(trial: StoredTrial) -> str:
    """Return convention and axes of the moments of a trial; empty without a moment."""
    known = any(
        key_of(name).is_moment and np.isfinite(curves.curve(name)).any()
        for curves in trial.cycles
        for name in curves.names
    )
    options = trial.document["options"]
    return f"{options['convention']} moments in {options['moments_in']} axes" if known else ""


def pooled(
    trials: Sequence[StoredTrial], name: str = "", *, pool_persons: bool = False
) -> list[Group]:
    """Return the trials of one session pooled by person, condition and kind of moments.

    The kind is their convention, their axes and those that the shanks are aligned with. Strides
    that turn form a separate condition. Trials without moments are pooled with those that have
    some.

    Parameters
    ----------
    trials : sequence of StoredTrial
    name : str
        Of the session, if there are several.
    pool_persons : bool
        Also pool trials of several persons.
    """
    persons = [list(trials)] if pool_persons else by_person(trials)
    return [
        replace(group, session=name)
        for person, label in zip(persons, person_labels(persons), strict=True)
        for group in _person_groups(person, [word for word in (name, label) if word])
    ]


def firsts_of_groups(groups: Sequence[Group]) -> tuple[tuple[int, PersonCheck], ...]:
    """Return with which group each straight walking group but the first is compared.

    It is the first one, or for a further person of one visit the first group of that person. A
    group in another condition than the first one is compared with an earlier session in its own
    condition, if there is one: from barefoot before to orthosis after, two things change.

    Parameters
    ----------
    groups : sequence of Group
        With the entries that identify the persons.

    Returns
    -------
    tuple of (int, PersonCheck)
        The number of that group among those that walk straight, and whether both are of one person.
    """
    straight = [group for group in groups if not group.turning]
    found: list[tuple[int, PersonCheck]] = []
    for group in straight[1:]:
        check, earlier = _check(straight[0], group), range(1, len(found) + 1)
        if check.apart:
            near = [j for j in earlier if found[j - 1][1].apart]
        else:
            near = [j for j in earlier if _again(straight[j], group, straight[0])]
        own = ((j, _check(straight[j], group)) for j in near)
        found.append(next(((j, same) for j, same in own if not same.two), (0, check)))
    return tuple(found)


def compared_groups(groups: Sequence[Group], firsts: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return which groups are compared: each but the first, with the group that it is compared to.

    Strides that turn are compared with the straight ones of their own session and condition, or
    without these with the first group.

    Parameters
    ----------
    groups : sequence of Group
    firsts : sequence of int
        From :func:`firsts_of_groups`, for the straight groups but the first.

    Returns
    -------
    tuple of (int, int)
        The numbers of both among ``groups``, the earlier one first.
    """
    straight = [i for i, group in enumerate(groups) if not group.turning]
    found = {i: straight[first] for i, first in zip(straight[1:], firsts, strict=True)}
    own = {(groups[i].session, groups[i].trials[0].condition): i for i in reversed(straight)}
    for i, group in enumerate(groups):
        if group.turning:
            found[i] = own.get((group.session, without_turning(group.trials[0].condition)), 0)
    return tuple((found.get(i, 0), i) for i in range(1, len(groups)))


def _again(before: Group, group: Group, first: Group) -> bool:
    """Return whether a group repeats an earlier session in a condition that the first has not."""
    conditions = [one.trials[0].condition for one in (before, group, first)]
    return conditions[0] == conditions[1] != conditions[2] and before.session != group.session


def _check(first: Group, other: Group) -> PersonCheck:
    same = other.session is not None and other.session == first.session
    return check_persons(first.trials, other.trials, one_visit=same)


def people_apart(groups: Sequence[Group]) -> bool:
    """Return whether the groups are of several people of one visit, who are not compared.

    Parameters
    ----------
    groups : sequence of Group
        With the entries that identify the persons.
    """
    return any(_check(groups[0], other).apart for other in groups[1:])


def _person_groups(trials: Sequence[StoredTrial], head: Sequence[str]) -> list[Group]:
    groups = []
    trials = [part for trial in trials for part in by_heading(trial)]
    trials.sort(key=turns)
    conditions = list(dict.fromkeys(trial.condition for trial in trials))
    several = len({trial.condition for trial in trials if not turns(trial)}) > 1
    for condition in conditions:
        alike = [trial for trial in trials if trial.condition == condition]
        # the first stands for its group where methods are told: one with strides, with a model
        alike.sort(key=lambda trial: (not trial.cycles, has_no_model(trial)))
        tail = condition if len(conditions) > 1 or turns(alike[0]) else ""
        tail = tail or (NO_CONDITION if several else "")
        by_kind: dict[tuple[str, str], list[StoredTrial]] = {}
        moments, shanks = (_filled([of(t) for t in alike]) for of in (moments_of, _shanks))
        for trial, *kind in zip(alike, moments, shanks, strict=True):
            by_kind.setdefault((kind[0], kind[1]), []).append(trial)
        unlike = [len(set(words)) > 1 for words in zip(*by_kind, strict=True)]
        for kind, pool in by_kind.items():
            words = (word for word, told in zip(kind, unlike, strict=True) if told)
            label = ", ".join(word for word in (*head, tail, *words) if word)
            groups.append(Group(label, tuple(pool)))
    return groups


def _filled(words: Sequence[str]) -> list[str]:
    """Return words with the first one in place of those that are empty."""
    first = next(filter(None, words), "")
    return [word or first for word in words]


def _shanks(trial: StoredTrial) -> str:
    """Return what the shanks of the knee moments of a trial are aligned with; empty without any."""
    axes = sorted({*axes_of_moments(trial).values()})
    return f"shank by {' and '.join(axes)}" if axes else ""


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the names of the folders, or if equal of the nearest parents that differ."""
    parts = [path.resolve().parts for path in paths]
    for up in range(1, min(map(len, parts))):
        names = [part[-up] for part in parts]
        if len(set(names)) == len(names):
            return names
    names = ["/".join(part[-2:]) for part in parts]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, 1)]
    return names


def _session(path: Path, check: Check) -> list[StoredTrial]:
    """Return the trials of a folder: itself, or those in its subfolders."""
    if (path / DOCUMENT).is_file():
        return [read_trial(path, check)]
    below = sorted(p.parent for p in path.glob(f"*/{DOCUMENT}")) if path.is_dir() else []
    below = [folder for folder in below if not folder.name.startswith(".")]
    if not below:
        contents = found_instead(path)
        deeper = sorted({p.parent.parent.name for p in path.glob(f"*/*/{DOCUMENT}")})
        if deeper:
            contents = f"results deeper in it, in {', '.join(deeper)}"
        raise ResultsRefused(
            f"{path}: found {contents}; wanted a folder that `gaitdyn process` wrote, or one that"
            " contains such folders"
        )
    return [read_trial(folder, check) for folder in below]
