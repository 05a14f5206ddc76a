"""Trials with a model of the person, apart from those that have electromyography alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.types.motion import NO_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.store.stored import StoredTrial


def has_no_model(trial: StoredTrial) -> bool:
    """Return whether a trial has electromyography alone, as no marker model fits it."""
    return trial.document.get("model", {}).get("name") == NO_MODEL


def with_model(trials: Iterable[StoredTrial]) -> list[StoredTrial]:
    """Return the trials that have a model, for what is said of angles and loads.

    If none has one, all are returned. A trial with electromyography alone takes nothing from the
    angles and loads of those that it is pooled with.
    """
    every = list(trials)
    return [trial for trial in every if not has_no_model(trial)] or every
