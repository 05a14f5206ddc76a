"""The markers that the Plug-in Gait lower limb needs, and those that a file lacks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gaitdyn.core.runs import known_mean, known_points
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import LETTER
from gaitdyn.types.trial import Trial

PELVIS = ("LASI", "RASI")
BACK = (("LPSI", "RPSI"), ("SACR",))
LEG = ("THI", "KNE", "TIB", "ANK", "TOE", "HEE")
MOVING_LEG = LEG[:-1]
"""Markers of a leg needed in a walk: the heel is needed in the static only, as for the vendor."""

SAGITTAL_LEGS = (("GTR", "KNE", "ANK", "HEE", "MT5"), ("HJC", "KJC", "AJC", "HEE", "MT5"))
"""Points of a leg in one plane from the hip down: its markers or, without them, joint centres."""

REALLY_THERE = 0.5
"""If a sacrum marker is visible in a smaller share of the frames, the PSIS markers replace it."""


def sagittal_leg(labels: Iterable[str], letter: str) -> list[str]:
    """Return the labels of a leg in one plane, of the kind of which fewest are missing."""
    have = set(labels)
    legs = [[letter + role for role in roles] for roles in SAGITTAL_LEGS]
    return max(legs, key=lambda leg: len(have.intersection(leg)))


def missing_markers(labels: Iterable[str], side: str | None) -> list[str]:
    """Return the labels that the model needs in a walk and that are missing.

    Parameters
    ----------
    labels : iterable of str
    side : {"left", "right"} or None
        One leg, or both.
    """
    have = set(labels)
    wanted = list(PELVIS)
    for letter in (LETTER[side],) if side else ("L", "R"):
        wanted += [letter + name for name in MOVING_LEG]
    return _lacking(have, wanted)


def pelvis_lacks(have: set[str]) -> list[str]:
    """Return what a pelvis lacks: both ASIS, and both PSIS or the sacrum."""
    return _lacking(have, PELVIS)


def _lacking(have: set[str], wanted: Iterable[str]) -> list[str]:
    lacking = [label for label in wanted if label not in have]
    if not any(have.issuperset(back) for back in BACK):
        lacking.append("LPSI + RPSI (or SACR)")
    return lacking


def inter_asis_distance(trial: Trial | Recording) -> float:
    """Return the mean distance between the ASIS markers, m."""
    return float(known_mean(np.linalg.norm(trial.marker("LASI") - trial.marker("RASI"), axis=1)))


def shows_sacrum(trial: Trial | Recording) -> bool:
    """Return whether a sacrum marker is visible often enough to go before the PSIS."""
    if "SACR" not in trial.labels:
        return False
    often = known_points(trial.marker("SACR")).mean() >= REALLY_THERE
    return bool(often) or not {"LPSI", "RPSI"} <= set(trial.labels)


def sacrum(trial: Trial | Recording) -> Array:
    """Return SACR if it is visible often enough, else the midpoint of the PSIS, shape (n, 3).

    The vendor prefers a sacrum marker to the PSIS; one that is hardly ever visible does not count.
    """
    if shows_sacrum(trial):
        return trial.marker("SACR")
    return 0.5 * (trial.marker("LPSI") + trial.marker("RPSI"))
