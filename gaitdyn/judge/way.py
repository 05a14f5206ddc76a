"""Whether a walk goes the way that its person faces, as the walks of every reference set do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.norms import MatchedNorm

NOT_AHEAD = "pelvis-backward"
"""The finding that says so."""


def not_ahead(trials: Sequence[StoredTrial]) -> str:
    """Return why trials are not compared with walking forward; empty if they may be.

    Parameters
    ----------
    trials : sequence of StoredTrial
        Of one group; one that walks otherwise keeps all from being compared, as a mean over both
        is of no walk.
    """
    other = [t for t in trials if any(row["code"] == NOT_AHEAD for row in t.tables["quality"])]
    if not other:
        return ""
    where = f" in {len(other)} of {counted(len(trials), 'trial')}" if len(trials) > 1 else ""
    return (
        f"the pelvis does not face the walking direction{where}: a walk backward or sideways is not"
        " compared with walking forward"
    )


def as_walked(matched: MatchedNorm, trials: Sequence[StoredTrial]) -> MatchedNorm:
    """Return a set without anything to compare with if the trials are not walks forward."""
    why = not_ahead(trials)
    return replace(matched, note=why, refused=why, bands={}, numbers={}) if why else matched
