"""Rules of the file's events: a foot that swings by them loads no plate."""

from __future__ import annotations

import numpy as np

from gaitdyn.events.stance import SWING, stance_from_events
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed

EDGE_S = 0.05
"""Events of markers and of plates differ by this much at the ends of a step."""


def event_rules(result: Processed, rules: Rules) -> list[Finding]:
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
