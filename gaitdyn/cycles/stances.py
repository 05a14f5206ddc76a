"""Stances on the plates, from strike to foot-off, including those without a second strike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.heading import curve_direction
from gaitdyn.cycles.normalise import every_cycle, find_cycles, headed, per_kilogram
from gaitdyn.types.arrays import Array
from gaitdyn.types.contacts import Contact
from gaitdyn.types.curves import Curve
from gaitdyn.types.cycles import Cycle, Stance, StanceCurves
from gaitdyn.types.result import Processed

NEAR_S = 0.15
"""An event within this time of the edge of a contact is the edge of its stance."""

SHARE = 0.6
"""Share of the stride that a stance is assumed to take without a second strike."""


def find_stances(result: Processed) -> list[Stance]:
    """Return the stances of both sides whose force is known from strike to foot-off.

    Overlapping contacts of one foot on several plates are one stance, and all must be valid. It
    lasts from strike to foot-off if these are within 0.15 s of the ends of its contacts, else as
    long as the contacts. The stance of a cycle that is left out does not count.

    Returns
    -------
    list of Stance
        Left first, in order of time, numbered from 1 for each side.
    """
    stances: list[Stance] = []
    for side in result.sides:
        begins = {c.number: c.start_row for c in find_cycles(result, side)}
        strikes, offs = (_rows_of(result, side, kind) for kind in ("foot_strike", "foot_off"))
        number = 0
        for run in _merged([c for c in result.contacts if c.side == side and c.accepted]):
            if any(contact.verdict != "valid" for contact in run):
                continue
            ends = min(c.start for c in run), max(c.stop for c in run) - 1
            start = _edge(result, strikes, ends[0])
            stop = _edge(result, offs, ends[1])
            begun = next((n for n, row in begins.items() if abs(row - start) < 1.0), None)
            if begun is None and _left_out(result, side, start):
                continue
            number += 1
            stances.append(Stance(side, number, start, stop, begun))
    return stances


def stance_curves(result: Processed, curves: Sequence[Curve]) -> list[StanceCurves]:
    """Return the curves of every stance at 0, 1, ... 100 % of it, as for cycles.

    Angles to the walking axes and ground forces refer to the direction of the stance's cycle.
    Without one it is that of a stride whose length is estimated from the stance, as far as the
    pelvis is known.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Of :func:`gaitdyn.tables.columns.run_curves`.
    """
    every_curve: list[StanceCurves] = []
    tables = {side: per_kilogram(result, curves, side) for side in result.sides}
    cycles = {(c.side, c.number): c for side in result.sides for c in find_cycles(result, side)}
    for stance in find_stances(result):
        table = tables[stance.side]
        cycle = cycles.get((stance.side, stance.cycle or 0))
        walking_G = curve_direction(result, _stride_of(result, stance, cycle))
        values = headed(result, stance.side, stance, table, walking_G)
        every_curve.append(StanceCurves(stance, table[0], table[1], values))
    return every_curve


def _merged(contacts: Sequence[Contact]) -> list[list[Contact]]:
    """Return the contacts of one side grouped by overlap in time."""
    groups: list[list[Contact]] = []
    for contact in sorted(contacts, key=lambda c: c.start):
        if groups and contact.start <= max(c.stop for c in groups[-1]):
            groups[-1].append(contact)
        else:
            groups.append([contact])
    return groups


def _rows_of(result: Processed, side: str, kind: str) -> Array:
    """Return the rows of the events of one kind of a side that lie in the trial."""
    events = [e for e in result.events if (e.side, e.kind) == (side, kind)]
    rows = np.array([result.row(event.time_s) for event in events])
    return rows[(rows >= 0) & (rows <= result.recording.n_frames - 1)]


def _edge(result: Processed, events: Array, row: int) -> float:
    """Return the row of the event nearest to the end of a contact, or that end."""
    away = np.abs(events - row)
    near = away.size and away.min() <= NEAR_S * result.recording.rate_hz
    return float(events[np.argmin(away)] if near else row)


def _left_out(result: Processed, side: str, start: float) -> bool:
    return any(abs(c.start_row - start) < 1.0 for c in every_cycle(result, side))


def _stride_of(result: Processed, stance: Stance, cycle: Cycle | None) -> Stance:
    """Return the stretch that gives a stance its direction: its cycle, else an assumed stride."""
    if cycle is not None:
        return replace(stance, stop_row=cycle.stop_row)
    known = np.flatnonzero(complete_rows(result.pose.origin_G))
    if not known.size:
        return stance
    length = (stance.stop_row - stance.start_row) / SHARE
    stop = min(stance.start_row + length, float(known[-1]))
    start = max(stop - length, float(known[0]))
    return replace(stance, start_row=start, stop_row=stop)
