"""Which legs a finding is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Result


def sides_of(result: Result, finding: Finding) -> tuple[str, ...]:
    """Return the sides that a finding is about: its own, that of its scope, or both."""
    if finding.joint == "pelvis":
        return SIDES
    if finding.side is not None:
        return (finding.side,)
    first = re.split(r"[ .]", finding.scope)[0]
    if first in SIDES:
        return (first,)
    plate = re.fullmatch(r"plate (\d+)", finding.scope)
    if plate:
        number = int(plate[1])
        return tuple({c.side for c in result.contacts if c.plate == number and c.accepted})
    return SIDES
