"""Tell angles that are impossible for a moment from those that show markers wrong throughout.

A marker that is another one for a few frames makes the angle leap out of its range and back. One
that is wrong in the whole trial may leave the range for a moment too, but it gets there and back
at the speed of a limb, or lengths and heights contradict its name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.clean.smoothing import blocks
from gaitdyn.quality.rules.anatomy import RANGES, beyond_range
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.sides import sides_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed

FEW, LEAP_DEG, LEAP_S, APART_S = 0.1, 45.0, 0.05, 0.6
"""Largest share of the frames; least step of the angle within a time, or from one frame to the
next, on either side: 900 deg/s at 100 Hz, twice what a knee reaches in walking. Frames that are
nearer to each other than the last are one moment."""

THROUGHOUT = (
    "landmark-doubtful", "landmark-geometry", "landmark-sides", "order-up", "body-size",
    "sides-swapped", "sides-unlike", "static-distance", "static-length", "segment-length",
    "lengths-differ", "leg-length-differs", "leg-for-height", "leg-for-mass", "foot-height",
    "marker-creeps", "marker-slipped", "marker-noise", "marker-frozen", "pelvis-backward",
    "pelvis-tilted", "pelvis-twisted", "pelvis-depth", "pelvis-oblique", "wand-astray",
)  # fmt: skip
"""Findings that doubt the markers of a side in the whole trial, unless they give the same time."""

Span = tuple[float, float]


def with_moments(
    result: Processed, findings: Sequence[Finding], noticed: Sequence[Finding], rules: Rules
) -> list[Finding]:
    """Return findings with each on an impossible angle divided into moments, if it is about such.

    Parameters
    ----------
    result : Processed
    findings : sequence of Finding
        Of the rules.
    noticed : sequence of Finding
        Of the stages.
    rules : Rules
    """
    impossible = [finding for finding in findings if finding.code in RANGES]
    if not impossible:
        return list(findings)
    moments = {f: _moments(result, f, rules) for f in impossible}
    doubts = [f for f in (*findings, *noticed) if f.code in THROUGHOUT and f.level != "info"]
    divided: list[Finding] = []
    for finding in findings:
        own = moments.get(finding, [])
        sides = sides_of(result, finding)
        spans = [
            (m.start_s or 0.0, m.stop_s or 0.0)
            for f, some in moments.items() for m in some if set(sides_of(result, f)) & set(sides)
        ]  # fmt: skip
        doubted = any(
            set(sides) & set(sides_of(result, doubt)) and not _within(doubt, spans)
            for doubt in doubts
        )
        divided += [finding] if doubted or not own else own
    return divided


def _within(finding: Finding, spans: Sequence[Span]) -> bool:
    """Return whether a finding is about one of the times."""
    start, stop = finding.start_s, finding.stop_s
    if start is None or stop is None:
        return False
    return any(start >= a - APART_S and stop <= b + APART_S for a, b in spans)


def _moments(result: Processed, finding: Finding, rules: Rules) -> list[Finding]:
    """Return a finding for each moment in which an angle has leapt out of its range, or none."""
    segment, column, word = RANGES[finding.code]
    angle = result.sides[finding.side or ""].angles[segment][:, column]
    out = beyond_range(angle, rules[finding.code]) > 0.0
    rate, known = result.recording.rate_hz, int(np.isfinite(angle).sum())
    spans = blocks(out, round(APART_S * rate))
    if out.sum() > FEW * known or not all(_leaps(angle, span, rate) for span in spans):
        return []
    found: list[Finding] = []
    for start, stop in spans:
        inside = np.where(out[start:stop], angle[start:stop], 0.0)
        worst = float(inside[np.argmax(np.abs(inside))])
        message = (
            f"{finding.side} {word} jumps to {worst:.0f} deg and back in"
            f" {out[start:stop].sum()} of {known} frames, which no body does: it is another"
            " marker there"
        )
        where = {"side": finding.side, "joint": segment, **times(result, start, stop)}
        found.append(rules[finding.code].found(finding.scope, message, worst, **where))
    return found


def _leaps(angle: Array, span: tuple[int, int], rate_hz: float) -> bool:
    """Return whether an angle leaves and enters its range in leaps at the ends of some rows."""
    near = max(1, round(LEAP_S * rate_hz))
    start, stop = span
    before, after = angle[max(0, start - near) : start], angle[stop : stop + near]
    leaps = [
        float(np.nanmax(np.abs(beside - edge), initial=0.0))
        for beside, edge in ((before, angle[start]), (after, angle[stop - 1]))
        if np.isfinite(beside).any()
    ]
    return bool(leaps) and min(leaps) >= LEAP_DEG
