"""The legs that a finding concerns."""

from __future__ import annotations

import re

from gaitdyn.events.feet import inside_plate
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, SIDES

STANDS_S = 0.2
"""A foot with heel and toe over a plate for this long in stance stands on it."""


def side_of(label: str) -> str | None:
    """Return the leg of a standard marker name; None for the pelvis, which belongs to both."""
    if label[1:] in ("ASI", "PSI") or label == "SACR":
        return None
    return next((side for side, letter in LETTER.items() if label.startswith(letter)), None)


def sides_of(result: Processed, finding: Finding) -> tuple[str, ...]:
    """Return the sides that a finding concerns: its ``side``, that of its scope, or both."""
    if finding.joint == "pelvis":
        return SIDES
    if finding.side is not None:
        return (finding.side,)
    first = re.split(r"[ .]", finding.scope)[0]
    if first in SIDES:
        return (first,)
    if finding.scope in result.trial.labels:
        leg = side_of(finding.scope)
        return SIDES if leg is None else (leg,)
    if plate := re.fullmatch(r"plate (\d+)", finding.scope):
        number = int(plate[1])
        steps = {c.side for c in result.contacts if c.plate == number and c.accepted}
        return tuple(side for side in SIDES if side in steps)
    return SIDES


def sides_without_plate(result: Processed, finding: Finding) -> tuple[str, ...]:
    """Return the sides whose foot stands on the plate of a finding, although no step there is used.

    The plate may be refused, or its steps rejected: a fault of the plate then costs these sides a
    step.
    """
    record = next(
        (p for p in result.recording.plates if f"plate {p.number}" == finding.scope), None
    )
    if record is None or record.virtual:
        return ()
    corners_G = record.corners_L @ result.trial.R_GL.T
    least = STANDS_S * result.recording.rate_hz
    return tuple(
        side
        for side, (heel, toe) in result.feet.items()
        for over in [inside_plate(heel, corners_G) & inside_plate(toe, corners_G)]
        if (over & result.sides[side].stance).sum() >= least
    )
