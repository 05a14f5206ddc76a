"""Rules on the events of the file: no load in swing, and feet ahead or behind as they should be."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.percentiles import percentiles
from gaitdyn.events.kinematic import ahead_of_pelvis
from gaitdyn.events.stance import SWING, stance_from_events
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed

EDGE_S = 0.05
"""Events from markers and from plates differ by up to this much at the ends of a step."""


def event_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on events of the file that plates or feet contradict.

    There is one for each step on a plate during swing according to the events, and one for each
    side whose foot is not in front at its strikes or not behind at its offs.
    """
    return [*_loads_in_swing(result, rules), *_out_of_step(result, rules)]


def _out_of_step(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each side whose foot is in the wrong position at the file's events."""
    rule = rules["events-out-of-step"]
    for side in result.sides:
        shares = _travel_shares(result, side)
        share = min(shares.values(), default=1.0)
        if share < rule.bound:
            shares_text = " and ".join(
                f"{100 * value:.0f} % of its way {direction} at the {name} of the file"
                for (name, direction), value in shares.items()
            )
            message = (
                f"the {side} foot has gone {shares_text}, against the pelvis: they are early or"
                " late, of the other side, or exchanged"
            )
            yield rule.found(side, message, share, side=side)


def _travel_shares(result: Processed, side: str) -> dict[tuple[str, str], float]:
    """Return how far in front a foot is at its strikes, and how far behind at its offs, 0 to 1.

    These are medians over the file's events. The range is that from the 5th to the 95th percentile
    of the position of the foot ahead of the pelvis.
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
    for kind, name, direction in (
        ("foot_strike", "strikes", "forwards"), ("foot_off", "offs", "backwards"),
    ):  # fmt: skip
        rows = [
            round(result.row(e.time_s))
            for e in result.recording.events
            if (e.side, e.kind) == (side, kind)
        ]
        positions = ahead[[row for row in rows if 0 <= row < len(ahead)]]
        if np.isfinite(positions).any() and high > low:
            share = (known_median(positions) - low) / (high - low)
            shares[name, direction] = share if kind == "foot_strike" else 1.0 - share
    return shares


def _loads_in_swing(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each step on a plate that is in swing according to the file's events."""
    rule, rate = rules["load-in-swing"], result.recording.rate_hz
    phases: dict[str, np.ndarray] = {}
    for side in result.sides:
        events = [event for event in result.recording.events if event.side == side]
        rows = np.array([result.row(event.time_s) for event in events])
        phases[side] = stance_from_events(events, rows, result.recording.n_frames)
    edge = round(EDGE_S * rate)
    for contact in result.contacts:
        if not contact.accepted or contact.side not in phases or contact.code == "scuff":
            continue
        inner = phases[contact.side][contact.start + edge : max(contact.stop - edge, 0)]
        lasted = float((inner == SWING).sum() / rate)
        if lasted > rule.bound:
            scope = f"plate {contact.plate}"
            message = (
                f"{scope} carries the {contact.side} foot for {lasted:.2f} s in which the events of"
                " the file say that it swings: events or plates are late, or of the other side"
            )
            where = {"side": contact.side, **times(result, contact.start, contact.stop)}
            yield rule.found(scope, message, lasted, **where)
