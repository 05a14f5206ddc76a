"""Rules of the file's events: a foot that swings by them loads no plate, and is where they say."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.runs import percentiles
from gaitdyn.events.kinematic import ahead_of_pelvis
from gaitdyn.events.stance import SWING, stance_from_events
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed

EDGE_S = 0.05
"""Events of markers and of plates differ by this much at the ends of a step."""


def event_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return what plates and feet say against the events of the file.

    A finding for each step on a plate whose foot swings by them, and one for each side whose foot
    is not in front at its strikes, or not behind at its offs.
    """
    return [*_loads_in_swing(result, rules), *_out_of_step(result, rules)]


def _out_of_step(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each side whose foot is elsewhere on its way at the file's events."""
    rule, found = rules["events-out-of-step"], []
    for side in result.sides:
        shares = _shares_of_way(result, side)
        share = min(shares.values(), default=1.0)
        if share < rule.bound:
            told = " and ".join(
                f"{100 * value:.0f}% of its way {where} at the {name} of the file"
                for (name, where), value in shares.items()
            )
            message = (
                f"the {side} foot has gone {told}, against the pelvis: they are early or late, of"
                " the other side, or exchanged"
            )
            found.append(rule.found(side, message, share, side=side))
    return found


def _shares_of_way(result: Processed, side: str) -> dict[tuple[str, str], float]:
    """Return how far in front a foot is at its strikes, how far behind at its offs, 0 to 1.

    Medians of the file's events; its way goes from the 5th to the 95th percentile of the places of
    the foot before the pelvis.
    """
    if side not in result.feet:
        return {}
    heel_G, toe_G = result.feet[side]
    pose, rate = result.pose, result.recording.rate_hz
    heel, toe, _ = ahead_of_pelvis(heel_G, toe_G, pose.origin_G, pose.walking_G, rate)
    ahead = (heel + toe) / 2
    known = ahead[np.isfinite(ahead)]
    if not len(known):
        return {}
    low, high = percentiles(known, 5, 95)
    shares: dict[tuple[str, str], float] = {}
    for kind, name, where in (
        ("foot_strike", "strikes", "forwards"), ("foot_off", "offs", "backwards"),
    ):  # fmt: skip
        rows = [
            round(result.row(e.time_s))
            for e in result.recording.events
            if (e.side, e.kind) == (side, kind)
        ]
        there = ahead[[row for row in rows if 0 <= row < len(ahead)]]
        if np.isfinite(there).any() and high > low:
            share = (known_median(there) - low) / (high - low)
            shares[name, where] = share if kind == "foot_strike" else 1.0 - share
    return shares


def _loads_in_swing(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each step on a plate whose foot swings by the events of the file."""
    rule, rate = rules["load-in-swing"], result.recording.rate_hz
    told: dict[str, np.ndarray] = {}
    for side in result.sides:
        own = [event for event in result.recording.events if event.side == side]
        rows = np.array([result.row(event.time_s) for event in own])
        told[side] = stance_from_events(own, rows, result.recording.n_frames)
    edge = round(EDGE_S * rate)
    found: list[Finding] = []
    for contact in result.contacts:
        if not contact.accepted or contact.side not in told:
            continue
        inner = told[contact.side][contact.start + edge : max(contact.stop - edge, 0)]
        lasted = float((inner == SWING).sum() / rate)
        if lasted > rule.bound:
            scope = f"plate {contact.plate}"
            message = (
                f"{scope} carries the {contact.side} foot for {lasted:.2f} s in which the events of"
                " the file say that it swings: events or plates are late, or of the other side"
            )
            at = {"side": contact.side, **times(result, contact.start, contact.stop)}
            found.append(rule.found(scope, message, lasted, **at))
    return found
