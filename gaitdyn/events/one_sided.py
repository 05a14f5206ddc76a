"""Events of the file that are early or late on one side alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.core.medians import median
from gaitdyn.events.agreement import NAMES, late_words, nearest
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import OTHER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.types.recording import Event

ONE_SIDED = "events-one-sided"

FEWEST = 3
"""Events of a kind on each side: the median of fewer is one error of the markers' events."""


def one_sided(recorded: Sequence[Event], detected: Mapping[str, Sequence[Event]]) -> list[Finding]:
    """Return how far the events of one side are off, compared with those of the other side.

    The distance of a file's events from those of plates and markers has a part that belongs to the
    person and to whoever marked them. It is the same on both sides, unless one side was marked by
    another rule or walks differently.

    Parameters
    ----------
    recorded : sequence of Event
        Of the file.
    detected : mapping
        Side -> events from plates and markers.

    Returns
    -------
    list of Finding
        ``events-one-sided``, ms: for each kind the distance of the medians of both sides, with the
        side that is farther off.
    """
    findings: list[Finding] = []
    for kind, name in NAMES.items():
        late = {
            side: [
                1000 * (event.time_s - near.time_s)
                for event in recorded
                if (event.side, event.kind) == (side, kind)
                and (near := nearest(event, events)) is not None
            ]
            for side, events in detected.items()
        }
        if len(late) < len(OTHER) or min(map(len, late.values())) < FEWEST:
            continue
        middle = {side: float(median(values)) for side, values in late.items()}
        side = max(middle, key=lambda one: abs(middle[one]))
        other = OTHER[side]
        apart = abs(middle[side] - middle[other])
        ours, theirs = (late_words(middle[one]) for one in (side, other))
        message = (
            f"{side} {name}s of the file are {ours} by plates and markers (median of"
            f" {len(late[side])}), {other} ones {theirs} (of {len(late[other])})"
        )
        findings.append(Finding("warning", ONE_SIDED, side, message, apart, side=side))
    return findings
