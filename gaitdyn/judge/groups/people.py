"""The people of a group: the straight strides of each person."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from statistics import fmean

from gaitdyn.judge.curves import CurveRule
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.session_trials import walk_of
from gaitdyn.store.persons import person_id
from gaitdyn.store.stored import StoredTrial
from gaitdyn.store.unnamed import codes_of_session
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES


@frozen(eq=False)
class People:
    """A group: the straight strides of each person.

    Attributes
    ----------
    walks : dict
        Pseudonym -> Walk.
    """

    walks: dict[str, SessionWalk]

    @property
    def together(self) -> SessionWalk:
        """All trials as one session, to compare processing settings."""
        return SessionWalk(tuple(t for walk in self.walks.values() for t in walk.trials))

    @property
    def speed(self) -> float | None:
        """Mean v / sqrt(g L) of the people; None if no speed is known."""
        speeds = [v for walk in self.walks.values() if (v := walk.speed) is not None]
        return fmean(speeds) if speeds else None

    def legs(self, rule: CurveRule) -> tuple[dict[tuple[str, str], Array], str]:
        """Return (pseudonym, side) -> mean of the strides, shape (101,), and the unit."""
        legs, unit = {}, ""
        for name, walk in self.walks.items():
            for side in SIDES:
                strides = walk.strides(side, rule)
                unit = unit or strides.unit
                if len(strides.values):
                    legs[name, side] = strides.values.mean(axis=0)
        return legs, unit


def people_of(trials: Sequence[StoredTrial]) -> People:
    """Return trials grouped by person.

    Parameters
    ----------
    trials : sequence of StoredTrial
        A trial without a pseudonym is of the person whose static it used, who may have stood for
        several statics of its session.
    """
    by_person: dict[str, list[StoredTrial]] = {}
    same_person = cache(codes_of_session)
    for trial in trials:
        code = person_id(trial.document)
        codes = same_person(trial.path.resolve().parent).get(code, (code,))
        by_person.setdefault(codes[0], []).append(trial)
    walks = {name: walk_of(theirs) for name, theirs in by_person.items()}
    return People({name: walk for name, walk in walks.items() if walk.trials})
