"""Stated widths of pelvis and joints against the markers of the static."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.subject import Subject
    from gaitdyn.types.trial import Trial

_ASIS_DIFFERS, _WIDTH_DIFFERS_M = 0.01, 0.005
"""Smaller differences, as a share and in m, are not worth a note."""

_ACROSS = (("knee", "knee_width_m", "KNE", "KNM"), ("ankle", "ankle_width_m", "ANK", "MED"))
"""Joint, its width, and the markers on either side of it."""


def pelvis_width_doubts(used_m: float, measured_m: float, trial: Trial) -> list[Finding]:
    """Return findings for distances of the ASIS that differ from the one used by more than 1 %.

    Parameters
    ----------
    used_m, measured_m : float
        The distance that is used, and that of the markers of the static.
    trial : Trial
        May store one of its own.
    """
    stored = trial.recording.subject.inter_asis_m or np.nan
    share = abs(stored - used_m) / used_m
    findings: list[Finding] = []
    for code, other_m, source, value in (
        ("inter-asis-unlike", measured_m, "markers of the static", 1000 * (used_m - measured_m)),
        ("inter-asis-differs", stored, "trial", share),
    ):
        if abs(other_m - used_m) > _ASIS_DIFFERS * used_m:
            message = (
                f"distance of the ASIS: {1000 * used_m:.0f} mm is used,"
                f" {1000 * other_m:.0f} mm by the {source}"
            )
            findings.append(Finding("info", code, "subject", message, value))
    return findings


def joint_width_doubts(subject: Subject, static: Trial, sides: Sequence[str]) -> list[Finding]:
    """Return findings for widths more than 5 mm from those between the markers of the static.

    The centres of two markers on either side of a joint are its width and a diameter apart.

    Parameters
    ----------
    subject : Subject
        With its marker diameter.
    static : Trial
    sides : sequence of str
    """
    findings: list[Finding] = []
    for side in sides:
        leg, letter = subject.leg(side), LETTER[side]
        diameter = leg.marker_diameter_m or subject.marker_diameter_m or np.nan
        for joint, field, lateral, medial in _ACROSS:
            stated, pair = getattr(leg, field), (letter + lateral, letter + medial)
            if not stated or not set(pair) <= set(static.labels):
                continue
            apart = lengths(static.marker(pair[0]) - static.marker(pair[1]))
            seen = float(known_median(apart)) - diameter
            if abs(stated - seen) > _WIDTH_DIFFERS_M:
                message = (
                    f"{side} {joint} width: {1000 * stated:.0f} mm is used,"
                    f" {1000 * seen:.0f} mm lie between the markers of the static"
                )
                findings.append(
                    Finding(
                        "info", "width-unlike", f"{side} {joint}", message, 1000 * (stated - seen),
                        side=side, joint=joint,
                    )
                )  # fmt: skip
    return findings
