"""Moments in several axes within one sample: they have no common mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.settings import shank_of
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    kinds: dict[str, list[str]] = {}
    for trial in trials:
        if _has_moments(trial):
            names = kinds.setdefault(kind_of(trial), [])
            names += [] if trial.name in names else [trial.name]
    if len(kinds) < 2:  # noqa: PLR2004
        return ""
    told = ", ".join(f"{kind or 'none'} ({_some(names)})" for kind, names in sorted(kinds.items()))
    return f"{fact}: {told}"


def _some(names: Sequence[str]) -> str:
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
