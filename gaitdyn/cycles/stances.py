"""The curves of every stance over 0 to 100 % of its time, also where no second strike follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.cycles.normalise import per_kilogram, resample
from gaitdyn.types.cycles import Stance, StanceCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.curves import Curve
    from gaitdyn.types.result import Processed


def find_stances(result: Processed, side: str) -> list[Stance]:
    """Return the stances of one side that plates measured whole, in order of time.

    A stance is a valid contact; contacts of one foot on several plates that overlap in time are one
    stance, where all of them are valid.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}

    Returns
    -------
    list of Stance
        Numbered from 1.
    """
    own = sorted((c for c in result.contacts if c.side == side), key=lambda c: c.start)
    steps: list[list[int]] = []
    good: list[bool] = []
    for contact in own:
        whole = contact.verdict == "valid"
        if steps and contact.start < steps[-1][1]:
            steps[-1][1] = max(steps[-1][1], contact.stop)
            good[-1] = good[-1] and whole
        else:
            steps.append([contact.start, contact.stop])
            good.append(whole)
    valid = [step for step, whole in zip(steps, good, strict=True) if whole]
    return [Stance(side, i, start, stop - 1) for i, (start, stop) in enumerate(valid, 1)]


def stance_curves(result: Processed, curves: Sequence[Curve]) -> list[StanceCurves]:
    """Return the curves of every stance of both sides; loads and powers per kg of body mass.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Of :func:`gaitdyn.tables.columns.own_curves`.

    Returns
    -------
    list of StanceCurves
        101 rows each, in N m/kg, W/kg, N/kg and deg.
    """
    found = []
    for side in result.sides:
        stances = find_stances(result, side)
        if stances:
            names, units, table = per_kilogram(result, curves, side)
            found += [
                StanceCurves(s, names, units, resample(table, s.start_row, s.stop_row))
                for s in stances
            ]
    return found
