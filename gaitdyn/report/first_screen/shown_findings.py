"""The findings that a first screen pictures."""

from __future__ import annotations

import re

import numpy as np

from gaitdyn.judge.largest import Largest
from gaitdyn.metrics.knee_axis import HIP, KNEE
from gaitdyn.plots.clinic.thumbs import HEIGHT, WIDTH, thumb_drawing
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.plots.marks import Mark
from gaitdyn.report.first_screen.spoken_of import largest_words
from gaitdyn.report.first_screen.two_sides import MOST, SideDifference, side_differences
from gaitdyn.report.first_screen.wording import direction_words, size_words, unit_of
from gaitdyn.report.numbers import decimal, with_dashes
from gaitdyn.report.views import GroupView
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band
from gaitdyn.types.subject import SIDES


@frozen(eq=False)
class ShownFinding:
    """One finding as it is shown.

    Attributes
    ----------
    name : str
        Of the curve.
    percent : int
        Where it is farthest from the norm.
    words, phase, peak : str
    word : str
        ``clear``, ``possible``, ``not shown`` or ``not judged``; empty without a norm.
    limit : str
        For a finding that is not shown: the smallest difference of each side that would be.
    sizes : tuple of (letter, size, unit)
    tag : str
    marks : tuple of Mark
    other : str
        Where it differs in the other direction, told if there is room.
    """

    name: str
    percent: int
    words: str
    phase: str
    sizes: tuple[tuple[str, str, str], ...]
    peak: str
    word: str
    limit: str
    tag: str
    marks: tuple[Mark, ...]
    other: str = ""

    @property
    def svg(self) -> str:
        """The picture; its words are next to it."""
        return drawing_svg(self.marks, WIDTH, HEIGHT)


def shown_findings(view: GroupView, most: int = MOST) -> tuple[ShownFinding, ...]:
    """Return the pictured findings of a view; without a norm, differences of the sides."""
    if not view.usable:
        return ()
    if view.norm is None:
        return tuple(_side_finding(view, d) for d in side_differences(view, most))
    return tuple(_norm_finding(view, f, brief=most < MOST) for f in view.largest[:most])


def _is_doubtful(view: GroupView, finding: Largest) -> bool:
    """Return whether a finding may reflect a doubtful knee axis more than the person."""
    name = view.name_of(finding.curve)
    return name in (HIP, KNEE) and any(r.side in finding.sides for r in view.remarks)


_OF_BOTH = "pelvis_angle_tilt"
"""A curve without a side: it is its own mirror image."""


def _side_finding(view: GroupView, apart: SideDifference) -> ShownFinding:
    curves = [view.curves[side, apart.name] for side in SIDES]
    size = decimal(abs(apart.left - apart.right), 0)
    ends = f"L {decimal(apart.left, 0)}\u00b0, R {decimal(apart.right, 0)}\u00b0"
    doubtful = apart.name in (HIP, KNEE) and bool(view.remarks)
    words = f"{apart.words}, {with_dashes(apart.where)}"
    return ShownFinding(
        apart.name, apart.peak_at, apart.title, words, (("", size, "\u00b0"),), ends, "", "",
        "knee axis" if doubtful else "",
        tuple(thumb_drawing(curves, apart.spans, None)),
    )  # fmt: skip


def _norm_finding(view: GroupView, finding: Largest, *, brief: bool) -> ShownFinding:
    name, place = view.name_of(finding.curve), finding.places[finding.first]
    band, unit = view.bands[name], unit_of(name)
    limited = finding.word == "not shown" and not brief
    digits = _digits_apart(name, finding) if limited else None
    sizes = tuple(
        (
            "" if finding.curve == _OF_BOTH else side[0].upper(),
            _size(name, p.difference, digits),
            unit,
        )
        for side, p in zip(finding.sides, finding.places, strict=True)
    )
    sds = ", ".join(
        f"{abs(p.difference) / float(np.interp(p.peak_at, band.percent, band.sd)):.1f}"
        for p in finding.places
    )
    other = ""
    if finding.word in ("not shown", "not judged"):
        phase = _AROUND.sub("", place.where)
        phase = place.phase if brief and " to " in phase else phase
    else:
        phase = f"{with_dashes(place.where)}{_more_words(finding)}"
        other = _opposite_words(name, finding, band)
        other = other if len(phase) + len(other) <= _ROOM else ""
    return ShownFinding(
        name, round(place.peak_at), largest_words(finding, name, view.bands), phase, sizes,
        "" if finding.word == "not shown" else f"{sds} SD", finding.word,
        _limit_words(name, finding, digits) if limited else "",
        "knee axis" if _is_doubtful(view, finding) else "",
        tuple(
            thumb_drawing(
                [view.curves[side, name] for side in finding.sides], finding.spans, band,
            )
        ),
        other,
    )  # fmt: skip


_ROOM = 110
"""Characters about the phases of one finding."""


def _size(name: str, value: float, digits: int | None) -> str:
    """Return a size without its unit, with more digits than usual if these are given."""
    return size_words(name, value) if digits is None else decimal(abs(value), digits)


def _limit_words(name: str, finding: Largest, digits: int | None) -> str:
    """Return from which size a finding would be shown, of each side if the sides differ."""
    sizes = [f"{_size(name, p.limit, digits)}{unit_of(name)}" for p in finding.places]
    if len(set(sizes)) > 1:
        sizes = [f"{s[0].upper()} {size}" for s, size in zip(finding.sides, sizes, strict=True)]
    return f"shown from {', '.join(dict.fromkeys(sizes))}".replace(" ", "\u00a0")


def _digits_apart(name: str, finding: Largest) -> int | None:
    """Return the digits with which no size looks like its limit; None if the usual ones do."""
    usual = 0 if unit_of(name) == "\u00b0" else 1
    for digits in (None, usual + 1, usual + 2):
        if all(
            _size(name, p.difference, digits) != _size(name, p.limit, digits)
            for p in finding.places
        ):
            return digits
    return usual + 2


def _more_words(finding: Largest) -> str:
    """Return how many more stretches of each side differ in the direction that is told."""
    counts = [
        sum(p.difference * place.difference > 0 for p in f.places) - 1
        for f, place in zip(finding.findings, finding.places, strict=True)
    ]
    if not any(counts):
        return ""
    if len(set(counts)) == 1:
        return f", and {counts[0]} more{' on each side' if len(counts) > 1 else ''}"
    told = [f"{s[0].upper()} {n}" for s, n in zip(finding.sides, counts, strict=True) if n]
    return f", and {' and '.join(told)} more"


def _opposite_words(name: str, finding: Largest, band: Band) -> str:
    """Return where a finding is farthest out in the other direction, if it is."""
    across = [
        (f.side, p)
        for f, place in zip(finding.findings, finding.places, strict=True)
        for p in f.places
        if p.difference * place.difference < 0
    ]
    if not across:
        return ""
    side, place = max(across, key=lambda pair: abs(pair[1].sd))
    normal = float(np.interp(place.peak_at, band.percent, band.mean))
    words = direction_words(name, place.difference, normal)
    where = with_dashes(place.where)
    return f"; {words} {where}{f' ({side[0].upper()})' if len(finding.sides) > 1 else ''}"


_AROUND = re.compile(r"^(?:in|from|over the) | (?:at )?[0-9-]+ %$")
"""Words about the phases of a curve without a verdict that its picture tells, too."""
