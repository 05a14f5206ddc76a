"""The body mass from the vertical force of a static, if no file states it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.events.feet import inside_plate
from gaitdyn.types.findings import Finding
from gaitdyn.types.later import Last
from gaitdyn.types.subject import LETTER, SIDES, Subject
from gaitdyn.types.trial import Trial
from gaitdyn.types.wrench import PlateWrench

_STANDING_N, _FOOT_N = 100.0, 30.0

_FOOT_ROLES, _REACH = ("HEE", "TOE", "ANK", "MED", "MT1", "MT5"), 0.1
"""Markers that show where a foot stands, and the share of half a plate by which they may be outside
its edges: in 13 statics of 9 sources, all feet whose weight counts are inside."""

_POUND_KG, _SAME_MASS = 0.45359237, 0.05
_LAST_FORCE: Last[float | None] = Last()


def weigh(subject: Subject, force: float | None) -> tuple[Subject, list[Finding]]:
    """Return the subject, with a mass from the static's vertical force if none is known."""
    if force is None:
        return subject, []
    weighed = force / STANDARD_GRAVITY
    if subject.mass_kg is None:
        message = (
            f"no body mass is given; {weighed:.1f} kg, from the vertical force of the static, is"
            " used"
        )
        sources = {**subject.sources, "mass_kg": "static force"}
        finding = Finding("warning", "mass-from-static", "subject", message, weighed)
        return replace(subject, mass_kg=weighed, sources=sources), [finding]
    difference = abs(weighed - subject.mass_kg) / subject.mass_kg
    in_pounds = abs(weighed / (_POUND_KG * subject.mass_kg) - 1.0) < _SAME_MASS
    pounds = ", as if the mass were in pounds" if in_pounds else ""
    message = (
        f"body mass {subject.mass_kg:.1f} kg, but the plates of the static carry"
        f" {weighed:.1f} kg{pounds}; {subject.mass_kg:.1f} kg is used"
    )
    return subject, [Finding("warning", "mass-differs", "subject", message, difference)]


def standing_force(static: Trial) -> float | None:
    """Return the sum of median vertical forces, N, over plates that carry 30 N or more, or None.

    It is None, too, if a foot stands beside these plates: they then carry a part of the person.
    """
    return _LAST_FORCE.of((static,), (), lambda: _force(static))


def _force(static: Trial) -> float | None:
    plates = [clean_plate(plate).wrench for plate in static.plates]
    forces = [float(median(np.abs(plate.force_G[:, 1]))) for plate in plates]
    loaded = [p for p, force in zip(plates, forces, strict=True) if force > _FOOT_N]
    total = sum(force for force in forces if force > _FOOT_N)
    if total <= _STANDING_N or any(_is_beside(static, side, loaded) for side in SIDES):
        return None
    return total


def _is_beside(static: Trial, side: str, plates: Sequence[PlateWrench]) -> bool:
    """Return whether a foot is visible, and none of its markers is over a plate."""
    labels = [LETTER[side] + role for role in _FOOT_ROLES if LETTER[side] + role in static.labels]
    known = [m[complete_rows(m)] for m in map(static.marker, labels)]
    points = np.array([median(m, axis=0) for m in known if len(m)])
    if not len(points) or any(plate.virtual for plate in plates):
        return False
    return not any(inside_plate(points, plate.corners_G, _REACH).any() for plate in plates)
