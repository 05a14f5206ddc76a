"""The trials of a report: pooled into groups, by session and condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.judge.recordings import counting_once
from gaitdyn.store.headings import by_heading, turns
from gaitdyn.store.modelled import has_no_model
from gaitdyn.store.outward import in_each_text, pseudonymised, pseudonymised_label
from gaitdyn.store.persons import by_person, person_labels
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.frozen import frozen
from gaitdyn.types.texts import visible


@frozen(eq=False)
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
    some. The strides of a recording count once (:func:`gaitdyn.judge.recordings.counting_once`).

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
            groups.append(Group(label, tuple(counting_once(pool))))
    return groups


def _filled(words: Sequence[str]) -> list[str]:
    """Return words with the first one in place of those that are empty."""
    first = next(filter(None, words), "")
    return [word or first for word in words]


def _shanks(trial: StoredTrial) -> str:
    """Return what the shanks of the knee moments of a trial are aligned with; empty without any."""
    axes = sorted({*axes_of_moments(trial).values()})
    return f"shank by {' and '.join(axes)}" if axes else ""
