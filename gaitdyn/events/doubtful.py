"""Events of the file that are missing, one too many, or contradicted by the motion of the foot."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.events.agreement import NAMES, SAME_S
from gaitdyn.events.alternation import CYCLE_S, LONGEST_S, between, once_each, strike_missing
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.recording import Event

MISSING, CONTRADICTED = "event-missing", "event-contradicted"

FAR_S = 0.075
"""Where the cameras see the foot, the events of the files of the corpus lie within 0.037 s of those
of plates and markers in 95 % and 0.068 s in all."""

LARGEST_MS = 1000.0
"""Larger distances, or none of the kind found, count as this."""

FEW_S = 0.7
"""Before the first and after the last detected event: no stride is shorter, so no other event of
the kind can have been missed between."""

Between = tuple[float, float]
"""Times of two successive strikes of a foot, s."""


def doubtful_strides(events: Sequence[Event], side: str, breaks: Sequence[float]) -> list[Between]:
    """Return the times between strikes of a foot in which more than one stride may have passed.

    In one stride the foot leaves the ground once and the other foot strikes once.

    Parameters
    ----------
    events : sequence of Event
        Of both feet, in order of time.
    side : str
    breaks : sequence of float
        Times at which nobody is in view, s.
    """
    strikes = [e.time_s for e in events if (e.side, e.kind) == (side, "foot_strike")]
    return [
        (start, stop)
        for start, stop in pairwise(strikes)
        if CYCLE_S[0] <= stop - start <= LONGEST_S
        and not once_each(events, side, start, stop)
        and not any(start < time < stop for time in breaks)
    ]


def missing_events(doubtful: Sequence[Between], detected: Sequence[Event]) -> list[Event]:
    """Return the strikes within doubtful strides that plates or markers show, and their foot-offs.

    Parameters
    ----------
    doubtful : sequence of (float, float)
        Of :func:`doubtful_strides`.
    detected : sequence of Event
        Of this foot, from plates and markers, in order of time.
    """
    missing: list[Event] = []
    for start, stop in doubtful:
        inside = between(detected, start, stop)
        strikes = [
            e
            for e in inside
            if e.kind == "foot_strike" and start + CYCLE_S[0] < e.time_s < stop - CYCLE_S[0]
        ]
        if strikes:
            missing += [*strikes, *(e for e in inside if e.kind == "foot_off")]
    return missing


def missing_found(
    side: str, doubtful: Sequence[Between], events: Sequence[Event], added: Sequence[Event]
) -> list[Finding]:
    """Return a finding for each time in which strikes were missing, or in which no stride is cut.

    Parameters
    ----------
    side : str
    doubtful : sequence of (float, float)
        Of :func:`doubtful_strides`.
    events : sequence of Event
        Of both feet, as in the file.
    added : sequence of Event
        Those that are used in addition, in order of time.
    """
    findings: list[Finding] = []
    for start, stop in doubtful:
        strikes = [e.time_s for e in between(added, start, stop) if e.kind == "foot_strike"]
        twice = strike_missing(events, side, start, stop)
        if not strikes and not twice:
            continue
        when = f"between the {side} strikes of the file at {start:.2f} and {stop:.2f} s"
        if strikes:
            times = ", ".join(f"{time:.2f} s" for time in strikes)
            message = f"{when} this foot strikes at {times}: a strike is missing; it is added"
        else:
            message = f"{when} {twice}: an event is missing or one too many; no stride is cut there"
        findings.append(
            Finding(
                "info", MISSING, side, message, float(max(len(strikes), 1)),
                side=side, start_s=start, stop_s=stop,
            )
        )  # fmt: skip
    return findings


def contradicted(
    events: Sequence[Event], detected: Sequence[Event], seen: Callable[[float, float], bool]
) -> list[Finding]:
    """Return a finding for each event of a foot in the file that its motion contradicts.

    None of its kind is near, and by the detected events around it, between which the foot is seen,
    the foot stands at a strike or swings at a foot-off. If that holds of more events of a kind than
    agree, this person moves unlike those from whom the marks of events were learnt: none is named.

    Parameters
    ----------
    events, detected : sequence of Event
        Of this foot: of the file, and from plates and markers, in order of time.
    seen : function
        Whether the foot is seen from one time to another, s.
    """
    findings: list[Finding] = []
    for kind in NAMES:
        same = [e.time_s for e in detected if e.kind == kind]
        agreeing, against = 0, list[Finding]()
        for event in (e for e in events if e.kind == kind):
            i = bisect_left(same, event.time_s)
            beside = same[max(i - 1, 0) : i + 1]
            near = min(beside, key=lambda time, at=event.time_s: abs(time - at), default=np.inf)
            span, phase = _around(event, detected)
            if abs(near - event.time_s) <= FAR_S:
                agreeing += 1
            elif span is not None and seen(*span):
                against.append(_against(event, near, phase))
        findings += against if len(against) <= agreeing else []
    return findings


def _against(event: Event, near: float, phase: str) -> Finding:
    """Return the finding on an event, the time of the nearest detected one, and what goes on."""
    at = event.time_s
    if abs(near - at) <= SAME_S:
        why, ends = f"plates and markers show it at {near:.2f} s", sorted((at, near))
    else:
        why = f"the foot {phase} then: the event is of the other side or of another kind"
        ends = [at, at]
    message = f"{event.side} {NAMES[event.kind]} of the file at {at:.2f} s: {why}"
    return Finding(
        "info", CONTRADICTED, event.side, message, min(1000.0 * abs(near - at), LARGEST_MS),
        side=event.side, start_s=ends[0], stop_s=ends[1],
    )  # fmt: skip


def _around(event: Event, detected: Sequence[Event]) -> tuple[Between | None, str]:
    """Return the time between the detected events that an event contradicts, and what goes on."""
    i = bisect_left(detected, event.time_s, key=lambda e: e.time_s)
    before, after = detected[max(i - 1, 0) : i], detected[i : i + 1]
    times = [e.time_s for e in (*before, event, *after)]
    span = times[0], times[-1]
    on_ground = {e.kind == "foot_strike" for e in before} | {e.kind == "foot_off" for e in after}
    if len(on_ground) != 1:  # nothing was found around it, or an event in between was not
        return None, ""
    stands = on_ground.pop()
    if not (before and after):
        ends_it = (event.kind == "foot_off") == stands
        if ends_it == bool(before) or span[1] - span[0] >= FEW_S:
            return None, ""
    return span, "stands" if stands else "swings"
