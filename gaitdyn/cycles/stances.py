"""Stances on the plates: from strike to foot-off, also where no second strike makes a cycle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.heading import own_direction
from gaitdyn.cycles.normalise import every_cycle, find_cycles, headed, per_kilogram
from gaitdyn.types.cycles import Stance, StanceCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.recording import EventKind
    from gaitdyn.types.result import Processed

NEAR_S = 0.15
"""An event this near to the edge of a contact is the edge of its stance."""

SHARE = 0.6
"""Of a stride that a stance is, where no second strike tells."""


def find_stances(result: Processed) -> list[Stance]:
    """Return the stances of both sides whose force is known from strike to off.

    Contacts of one foot on several plates that overlap are one stance; all of them are valid. It
    lasts from strike to off where events lie within 0.15 s of the ends of its contacts, else as
    long as these. A stance of a cycle that is left out is none.

    Parameters
    ----------
    result : Processed

    Returns
    -------
    list of Stance
        Left first, in order of time, numbered from 1 a side.
    """
    found: list[Stance] = []
    for side in result.sides:
        cycles = find_cycles(result, side)
        number = 0
        for run in _merged([c for c in result.contacts if c.side == side and c.accepted]):
            if any(contact.verdict != "valid" for contact in run):
                continue
            ends = min(c.start for c in run), max(c.stop for c in run) - 1
            start = _edge(result, side, "foot_strike", ends[0])
            stop = _edge(result, side, "foot_off", ends[1])
            own = [c.number for c in cycles if abs(c.start_row - start) < 1.0]
            if not own and _left_out(result, side, start):
                continue
            number += 1
            found.append(Stance(side, number, start, stop, own[0] if own else None))
    return found


def stance_curves(result: Processed, curves: Sequence[Curve]) -> list[StanceCurves]:
    """Return the curves of every stance at 0, 1, ... 100 % of it, as of the cycles.

    Angles against the walking axes and ground forces are in the direction of the stance's cycle;
    without one in that of a stride as long as the stance tells, as far as the pelvis is seen.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Of :func:`gaitdyn.tables.columns.own_curves`.
    """
    found: list[StanceCurves] = []
    tables = {side: per_kilogram(result, curves, side) for side in result.sides}
    for stance in find_stances(result):
        table = tables[stance.side]
        walking_G = own_direction(result, _stride_of(result, stance))
        values = headed(result, stance.side, stance, table, walking_G)
        found.append(StanceCurves(stance, table[0], table[1], values))
    return found


def _merged(contacts: Sequence[Contact]) -> list[list[Contact]]:
    """Return contacts of one side in groups that overlap in time."""
    groups: list[list[Contact]] = []
    for contact in sorted(contacts, key=lambda one: one.start):
        if groups and contact.start <= max(one.stop for one in groups[-1]):
            groups[-1].append(contact)
        else:
            groups.append([contact])
    return groups


def _edge(result: Processed, side: str, kind: EventKind, row: int) -> float:
    """Return the row of the event nearest to the end of a contact, or that end."""
    rows = [result.row(e.time_s) for e in result.events if (e.side, e.kind) == (side, kind)]
    inside = [one for one in rows if 0 <= one <= result.recording.n_frames - 1]
    near = min(inside, key=lambda one: abs(one - row), default=float("inf"))
    return near if abs(near - row) <= NEAR_S * result.recording.rate_hz else float(row)


def _left_out(result: Processed, side: str, start: float) -> bool:
    return any(abs(c.start_row - start) < 1.0 for c in every_cycle(result, side))


def _stride_of(result: Processed, stance: Stance) -> Stance:
    """Return the stretch whose direction a stance has: its cycle, else a stride about it."""
    if stance.cycle is not None:
        cycles = find_cycles(result, stance.side)
        own = next(c for c in cycles if c.number == stance.cycle)
        return replace(stance, stop_row=own.stop_row)
    known = np.flatnonzero(complete_rows(result.pose.origin_G))
    if not known.size:
        return stance
    length = (stance.stop_row - stance.start_row) / SHARE
    stop = min(stance.start_row + length, float(known[-1]))
    start = max(stop - length, float(known[0]))
    return replace(stance, start_row=start, stop_row=stop)
