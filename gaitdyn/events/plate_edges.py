"""Events at the edges of the loads that the plates measured below a foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import mask_of, runs
from gaitdyn.events.contacts import ON_N, widen
from gaitdyn.types.recording import Event, EventKind, Recording

if TYPE_CHECKING:
    from gaitdyn.events.assignment import LoadedPlate
    from gaitdyn.events.feet import TrialFoot
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.contacts import Contact

LIGHT_S = 0.05
"""The longest time from a light person's threshold to that of 20 N; a small load that lasts longer
is not of the step."""

DRAG, DRAG_S = 0.1, 0.1
"""A foot drags over a plate if it moves while the load stays below a tenth of its largest for 0.1 s
or more; its step begins there."""


def plate_edges(
    recording: Recording,
    contacts: list[Contact],
    plates: list[LoadedPlate],
    foot: TrialFoot,
    share: float,
) -> list[tuple[Event, bool, float]]:
    """Return the threshold crossings of a foot's load runs, and whether their contacts are valid.

    A load begins when the foot no longer drags.

    Parameters
    ----------
    recording : Recording
    contacts : list of Contact
    plates : list of LoadedPlate
    foot : TrialFoot
    share : float
        Of the threshold, at which the load of a light person begins and ends.

    Returns
    -------
    list of (Event, bool, float)
        The event, whether all contacts of the run are valid, and the time, s, between it and the
        crossing of ``share`` of the threshold, outwards.
    """
    side = foot.side
    n, reach = recording.n_frames, round(LIGHT_S * recording.rate_hz)
    of_plate = {plate.wrench.number: plate for plate in plates}
    accepted = [c for c in contacts if c.side == side and c.accepted]
    edges: list[tuple[Event, bool, float]] = []
    for start, stop in runs(mask_of(((c.start, c.stop) for c in accepted), n)):
        run = [c for c in accepted if c.start < stop and c.stop > start]
        below = [of_plate[c.plate] for c in run]
        total = np.sum([plate.up for plate in below], axis=0)
        on = max(plate.edges.on_N for plate in below)
        light = min(on, max(share * on, *(3.0 * plate.noise_N for plate in below)))
        first, last = widen(total, (start, stop), light)
        valid = all(c.verdict == "valid" for c in run)
        begin, loaded = after_drag(total, (start, stop), foot, recording.rate_hz)
        rows: list[tuple[EventKind, tuple[int, float], tuple[int, float]]] = [
            ("foot_strike", (start, on), (max(first, start - reach), light)),
            ("foot_off", (stop, on), (min(last, stop + reach), light)),
        ]
        if begin > start:
            rows[0] = ("foot_strike", (begin, loaded), (begin, loaded))
        for kind, (edge, force), (outer, least) in rows:
            if not 0 < edge < n:
                continue
            row = _crossing(total, edge - 1, edge, force)
            early = _crossing(total, outer - 1, outer, least) if 0 < outer < n else outer
            light_s = abs(row - early) / recording.rate_hz
            edges.append((Event(recording.time_of(row), side, kind, "plate"), valid, light_s))
    return edges


def after_drag(
    up: Array, run: tuple[int, int], foot: TrialFoot, rate_hz: float
) -> tuple[int, float]:
    """Return where the step of a load run begins, and the force there, N.

    Parameters
    ----------
    up : array, shape (n,)
        Upward force, N.
    run : tuple of int
        Half-open rows of the load run.
    foot : TrialFoot
    rate_hz : float
    """
    load = up[run[0] : run[1]]
    least = DRAG * float(load.max())
    first = int(np.argmax(load > least))
    stands = foot.stance[run[0] : run[0] + first]
    drags = first > DRAG_S * rate_hz and 2 * stands.sum() < stands.size
    return run[0] + first * drags, least


def _crossing(up: Array, before: int, after: int, on_N: float = ON_N) -> float:
    """Return the fractional row at which the force crosses the threshold between two rows."""
    a, b = up[before], up[after]
    if a == b:
        return float(after)
    return before + float(np.clip((on_N - a) / (b - a), 0.0, 1.0)) * (after - before)
