"""Marker diameter and joint widths: stated, derived from drawn joint centres, or assumed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gaitdyn.calibrate.body.subject import difference_of
from gaitdyn.core.medians import median
from gaitdyn.errors import SubjectDataMissing
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES, Subject

DEFAULT_DIAMETER_M = 0.014
"""Assumed, and reported as `marker-diameter`, if neither file nor user states one."""

_DIFFERS_MM = 0.5
"""Smaller differences of a diameter are not worth a note."""


def with_diameter(subject: Subject, recordings: list[Recording]) -> tuple[Subject, list[Finding]]:
    """Return the subject with a marker diameter: as given, from the drawn knee centre, or 14 mm.

    If only those of the two sides are given, their mean is used for the pelvis. A file with the
    femur origin of the vendor shows it: |FEO - KNE| = (knee width + diameter)/2.
    """
    if subject.marker_diameter_m:
        return subject, []
    sides = [leg.marker_diameter_m for leg in (subject.left, subject.right)]
    if known := [diameter for diameter in sides if diameter]:
        mean = sum(known) / len(known)
        message = f"markers of the pelvis: {1000 * mean:g} mm in diameter, the mean of the sides"
        return _set_diameter(subject, mean, "mean of the sides"), [
            Finding("info", "marker-diameter", "subject", message, 1000 * mean)
        ]
    if (drawn := _drawn_diameter(subject, recordings)) is not None:
        message = f"the marker diameter is {drawn.mm:g} mm, from {drawn.points}"
        return _set_diameter(subject, drawn.mm / 1000, drawn.file), [
            Finding("info", "marker-diameter", "subject", message, drawn.mm)
        ]
    message = (
        f"the marker diameter is not known; {1000 * DEFAULT_DIAMETER_M:g} mm is assumed"
        " (--marker-diameter MM)"
    )
    return _set_diameter(subject, DEFAULT_DIAMETER_M, "default"), [
        Finding("info", "marker-diameter", "subject", message, 1000 * DEFAULT_DIAMETER_M)
    ]


def diameter_doubts(subject: Subject, recordings: list[Recording]) -> list[Finding]:
    """Return a finding if a stated marker diameter is not that of the drawn knee centre.

    Parameters
    ----------
    subject : Subject
        As resolved, before a diameter is derived.
    recordings : list of Recording
        Static first.
    """
    used, source = subject.marker_diameter_m, subject.sources.get("marker_diameter_m")
    drawn = _drawn_diameter(subject, recordings) if used else None
    if not used or drawn is None or abs(1000 * used - drawn.mm) < _DIFFERS_MM:
        return []
    shown = f"{drawn.points} of {drawn.file}", drawn.mm / 1000
    return [difference_of("marker_diameter_m", (f"the {source}", used), shown)]


class _Drawn(NamedTuple):
    """Marker diameter by which the vendor drew a knee centre, the two points, and the file."""

    mm: float
    points: str
    file: str


def _drawn_diameter(subject: Subject, recordings: list[Recording]) -> _Drawn | None:
    """Return the diameter of the first drawn knee centre; the width is the one that the file has.

    A width from another source than the file is not the one that the centre was drawn with.
    """
    for recording in recordings:
        for side, letter in (("left", "L"), ("right", "R")):
            width = recording.subject.leg(side).knee_width_m or subject.leg(side).knee_width_m
            drawn, lateral = letter + "FEO", letter + "KNE"
            if not width:
                continue
            diameter = round(2000 * _drawn_gap(recording, drawn, lateral) - 1000 * width, 1)
            if 3 <= diameter <= 30:  # noqa: PLR2004  mm, a marker
                return _Drawn(diameter, f"{drawn} and {lateral}", recording.name)
    return None


def _set_diameter(subject: Subject, value: float, source: str) -> Subject:
    sources = {**subject.sources, "marker_diameter_m": source}
    return replace(subject, marker_diameter_m=value, sources=sources)


_DRAWN = (
    ("knee_width_m", "FEO", "KNE", (0.04, 0.25)),
    ("ankle_width_m", "TIO", "ANK", (0.02, 0.2)),
)
"""Width, drawn joint centre, lateral marker, and range of the width, m."""


def with_drawn_widths(
    subject: Subject, recordings: list[Recording]
) -> tuple[Subject, list[Finding]]:
    """Return the subject with the widths that the vendor's drawn joint centres show.

    The vendor draws the knee centre as FEO and the ankle centre as TIO: their distance from the
    lateral marker is (width + diameter)/2. Widths from another source are kept.

    Parameters
    ----------
    subject : Subject
        With its marker diameter.
    recordings : list of Recording
        Static first.
    """
    findings: list[Finding] = []
    legs, sources = {"left": subject.left, "right": subject.right}, dict(subject.sources)
    for side, letter in (("left", "L"), ("right", "R")):
        for field, drawn, lateral, (low, high) in _DRAWN:
            if getattr(legs[side], field):
                continue
            for recording in recordings:
                gap = _drawn_gap(recording, letter + drawn, letter + lateral)
                diameter = legs[side].marker_diameter_m or subject.marker_diameter_m or 0.0
                width = round(2 * gap - diameter, 5)
                if not low < width < high:
                    continue
                measured: dict[str, Any] = {field: width}
                legs[side] = replace(legs[side], **measured)
                sources[f"{side}.{field}"] = recording.name
                name = field.removesuffix("_m").replace("_", " ")
                message = (
                    f"{side} {name} is {1000 * width:.0f} mm, from the drawn centre"
                    f" {letter}{drawn} and {letter}{lateral}"
                )
                findings.append(Finding("info", "width-from-drawn", side, message, 1000 * width))
                break
    return replace(subject, left=legs["left"], right=legs["right"], sources=sources), findings


def _drawn_gap(recording: Recording, drawn: str, lateral: str) -> float:
    """Return the median distance of a drawn centre from a marker, m; NaN if not visible."""
    if not (recording.has(drawn) and recording.has(lateral)):
        return np.nan
    gap = np.linalg.norm(recording.marker(drawn) - recording.marker(lateral), axis=1)
    gap = gap[np.isfinite(gap)]
    return float(median(gap)) if gap.size else np.nan


def widths_known(subject: Subject, sides: list[str]) -> bool:
    """Return whether the knee and ankle widths of all these legs are known."""
    legs = [subject.leg(side) for side in sides]
    return all(leg.knee_width_m and leg.ankle_width_m for leg in legs)


def require_lengths(subject: Subject, sides: list[str]) -> None:
    """Check that the lengths of the model are known.

    Raises
    ------
    SubjectDataMissing
        Naming what is missing and where to give it.
    """
    lacking = [f"{side}.leg_length_mm" for side in SIDES if not subject.leg(side).leg_length_m]
    for side in sides:
        leg = subject.leg(side)
        lacking += [f"{side}.knee_width_mm"] * (not leg.knee_width_m)
        lacking += [f"{side}.ankle_width_mm"] * (not leg.ankle_width_m)
    if lacking:
        raise SubjectDataMissing(
            f"the model needs {', '.join(lacking)}, which neither the files nor the options give;"
            " give them in a subject.toml with --subject"
        )
