"""Read the groups of a report: from results folders and sessions, none of them mixed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.session_trials import refuse_shared
from gaitdyn.report.groups import Group, axes_of_moments, moments_of, pooled
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.persons import by_person, why_two_persons
from gaitdyn.store.stored import StoredTrial, read_trial
from gaitdyn.store.stored_document import Check, found_instead

MOST_SESSIONS = 8


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
        todo = ""
        if deeper:
            contents = f"results deeper in it, in {', '.join(deeper)}"
            todo = f"; name a session, such as {path / deeper[0]}"
        raise ResultsRefused(
            f"{path}: found {contents}; wanted a folder that `gaitdyn process` wrote, or one that"
            f" contains such folders{todo}"
        )
    return [read_trial(folder, check) for folder in below]
