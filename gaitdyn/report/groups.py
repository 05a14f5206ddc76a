"""The trials of a report: pooled into groups, by session and condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.headings import by_heading, turns
from gaitdyn.store.stored import Check, StoredTrial, read_trial

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Trials that are shown as one: of one session and one condition.

    Attributes
    ----------
    label : str
        What tells this group from the others; empty when there is one.
    trials : tuple of StoredTrial
    """

    label: str
    trials: tuple[StoredTrial, ...]


def read_groups(
    paths: Sequence[Path], *, compare: bool = False, verify: bool = False
) -> list[Group]:
    """Return the groups of a report.

    Parameters
    ----------
    paths : sequence of Path
        Results folders of trials, which are pooled, or folders of such folders: sessions. Two
        sessions are compared.
    compare : bool
        Compare the paths with each other, also where they are single trials.
    verify : bool
        Hold the hashes of all files against their list, not only their sizes.

    Raises
    ------
    ResultsRefused
        When a path holds no results, or there are more than two sessions.
    """
    if len({path.resolve() for path in paths}) < len(paths):
        message = "the same folder is named twice; name two different ones"
        raise ResultsRefused(message)
    if compare and len(paths) == 1:
        message = "--compare wants two folders; name another"
        raise ResultsRefused(message)
    check: Check = "hashes" if verify else "sizes"
    sessions = [_session(path, check) for path in paths]
    single = [not (path / DOCUMENT).is_file() for path in paths]
    if not (compare or any(single)):
        sessions, paths = [[t for trials in sessions for t in trials]], paths[:1]
    if len(sessions) > 2:  # noqa: PLR2004  before and after
        message = (
            f"found {len(sessions)} sessions; wanted one, or two to compare;"
            " name the folders of two sessions"
        )
        raise ResultsRefused(message)
    names = _names(paths) if len(sessions) > 1 else [""]
    groups = []
    for name, trials in zip(names, sessions, strict=True):
        _refuse_mixed(trials)
        groups += pooled(trials, name)
    return groups


def _refuse_mixed(trials: Sequence[StoredTrial]) -> None:
    """Refuse to pool knee moments about a knee axis with those about the malleoli."""
    kinds: dict[str, str] = {}
    for trial in trials:
        for kind in shank_axes(trial.document["model"]):
            kinds.setdefault(kind, trial.name)
    if len(kinds) > 1:
        told = "; ".join(f"{kind} ({name})" for kind, name in sorted(kinds.items()))
        message = (
            f"found knee moments in shanks aligned with different axes: {told}; they are not"
            " pooled; report them one by one, or process all trials with one --model"
        )
        raise ResultsRefused(message)


def shank_axes(model: dict[str, Any]) -> tuple[str, ...]:
    """Return what z of the shanks of a result follows; empty for results that do not say."""
    return tuple(sorted({str(one["shank"]) for one in model.get("axes", {}).values()}))


def pooled(trials: Sequence[StoredTrial], name: str = "") -> list[Group]:
    """Return the trials of one session pooled by condition and by the axes of their knee moments.

    Strides that turn are a condition of their own.

    Parameters
    ----------
    trials : sequence of StoredTrial
    name : str
        Of the session, where there are others.
    """
    groups = []
    trials = [part for trial in trials for part in by_heading(trial)]
    trials.sort(key=turns)
    conditions = list(dict.fromkeys(trial.condition for trial in trials))
    for condition in conditions:
        own = [trial for trial in trials if trial.condition == condition]
        told = condition if len(conditions) > 1 or turns(own[0]) else ""
        words = [word for word in (name, told) if word]
        kinds = list(dict.fromkeys(shank_axes(trial.document["model"]) for trial in own))
        for kind in kinds:
            alike = [t for t in own if shank_axes(t.document["model"]) == kind]
            more = [f"shank by {' and '.join(kind)}"] if len(kinds) > 1 else []
            groups.append(Group(", ".join([*words, *more]), tuple(alike)))
    return groups


def _names(paths: Sequence[Path]) -> list[str]:
    names = [path.resolve().name for path in paths]
    if len(set(names)) < len(names):
        names = [f"{path.resolve().parent.name}/{path.resolve().name}" for path in paths]
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
        what = "no results in it" if path.is_dir() else "no such folder"
        deeper = sorted({p.parent.parent.name for p in path.glob(f"*/*/{DOCUMENT}")})
        if deeper:
            what = f"results deeper in it, in {', '.join(deeper)}"
        message = (
            f"{path}: found {what}; wanted a folder that `gaitdyn process` wrote, or one that"
            " holds such folders"
        )
        raise ResultsRefused(message)
    return [read_trial(folder, check) for folder in below]
