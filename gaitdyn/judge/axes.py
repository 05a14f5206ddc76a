"""Moments in several axes within one sample: they have no common mean."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.settings import shank_of
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.store.stored import StoredTrial

_NAMED = 3
"""Number of trials of a kind that a message names."""


def axes_apart(trials: Sequence[StoredTrial]) -> str:
    """Return in words in which axes the moments of trials are, if these differ; else "".

    The convention is only a word, and changes no number, unless the axes are the laboratory's.
    """
    return _apart(trials, _axes_of, "moments are in different axes")


def shanks_apart(trials: Sequence[StoredTrial]) -> str:
    """Return in words with what the shanks of trials are aligned, if that differs; else ""."""
    return _apart(trials, shank_of, "shanks are aligned with different axes")


def doubt_of_axes(trials: Sequence[StoredTrial], rule: CurveRule) -> list[Doubt]:
    """Return a doubt if trials that are averaged have a moment in different axes.

    Parameters
    ----------
    trials : sequence of StoredTrial
    rule : CurveRule
        Axes of the shank count for knee and ankle.
    """
    key = key_of(rule.name)
    if not key.is_moment:
        return []
    reason = axes_apart(trials) or (key.part != "hip" and shanks_apart(trials))
    return [Doubt(f"{reason}; process all with one --moments-in and one --model")] if reason else []


def _apart(trials: Sequence[StoredTrial], kind_of: Callable[[StoredTrial], str], fact: str) -> str:
    kinds: dict[str, dict[Path, str]] = {}
    for trial in trials:
        if _has_moments(trial):
            kinds.setdefault(kind_of(trial), {})[trial.path] = trial.name
    if len(kinds) < 2:  # noqa: PLR2004
        return ""
    told = [f"{kind or 'none'} ({_some(kinds, kind)})" for kind in sorted(kinds)]
    return f"{fact}: {', '.join(told)}"


def _some(kinds: dict[str, dict[Path, str]], kind: str) -> str:
    """Return the first few trials of a kind, those that share a name with their folders."""
    counts = Counter(name for of_kind in kinds.values() for name in of_kind.values())
    names = [
        "/".join(path.parts[-2:]) if counts[name] > 1 else name
        for path, name in kinds[kind].items()
    ]
    more = len(names) - _NAMED
    return ", ".join([*names[:_NAMED], *([f"{counted(more, 'more trial')}"] if more > 0 else [])])


def _axes_of(trial: StoredTrial) -> str:
    options = trial.document["options"]
    axes = str(options.get("moments_in"))
    return f"{axes}, {options.get('convention')}" if axes == "lab" else axes


def _has_moments(trial: StoredTrial) -> bool:
    return any(
        key_of(name).is_moment and np.isfinite(curves.curve(name)).any()
        for curves in trial.cycles
        for name in curves.names
    )
