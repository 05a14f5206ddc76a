"""The legs that a finding concerns."""

from __future__ import annotations

import re

from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, SIDES


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
    plate = re.fullmatch(r"plate (\d+)", finding.scope)
    if plate:
        number = int(plate[1])
        return tuple({c.side for c in result.contacts if c.plate == number and c.accepted})
    return SIDES
