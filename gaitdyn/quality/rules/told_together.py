"""What most steps of a foot on a plate show is one finding, not one for each of fifty steps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.quality.rules.steps import steps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

MANY, MOST = 4, 0.5
"""Findings on single steps are joined from this number on, if more than this share of the whole
steps of the foot on that plate have them."""


def told_together(result: Processed, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings with those on most steps of a foot on one plate joined into one.

    The joined finding has the words and the value of the step that is farthest beyond the limit,
    says how many steps are alike, and lasts from the first to the last of them. Its ``spans`` are
    those of the single findings: a cycle without any of them is not concerned.

    Parameters
    ----------
    result : Processed
    findings : iterable of Finding
    """
    known, dropped = list(findings), set[int]()
    feet = {tuple(s.when(result).values()): (s.plates, s.side) for s in steps(result) if s.entire}
    groups: dict[tuple[str, str, str, str], list[int]] = {}
    for place, finding in enumerate(known):
        plates, side = feet.get((finding.side, finding.start_s, finding.stop_s), ("", ""))
        if plates == finding.scope:
            groups.setdefault((finding.code, finding.level, plates, side), []).append(place)
    for (*_, plates, side), places in groups.items():
        total = list(feet.values()).count((plates, side))
        if len(places) >= MANY and len(places) > MOST * total:
            known[places[0]] = _joined([known[place] for place in places], total)
            dropped.update(places[1:])
    return tuple(finding for place, finding in enumerate(known) if place not in dropped)


def _joined(group: list[Finding], total: int) -> Finding:
    worst = max(group, key=lambda f: abs((f.value or 0.0) - (f.limit or 0.0)))
    spans = [(f.start_s, f.stop_s) for f in group]
    known = tuple((a, b) for a, b in spans if a is not None and b is not None)
    share = f"all {total}" if len(group) == total else f"{len(group)} of {total}"
    return replace(
        worst,
        message=f"{worst.message} (so in {share} steps of the {worst.side} foot, most in this one)",
        start_s=min(start for start, _ in known),
        stop_s=max(stop for _, stop in known),
        spans=known,
    )
