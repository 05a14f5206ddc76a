"""Joint centres by every rule, side by side, as plain values for ``gaitdyn info``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.hip_regressions import PelvisMeasures, compare_hip_centres
from gaitdyn.calibrate.limb_centres import compare_limb_centres
from gaitdyn.calibrate.widths import DEFAULT_DIAMETER_M
from gaitdyn.core.runs import known_mean
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.types.recording import Recording

Centres = dict[str, list[dict[str, float | str | None]]]
"""Side -> rows of ``rule``, ``x``, ``y``, ``z`` (forward, up, right; mm), None where unknown."""


def hip_centres(recording: Recording) -> Centres:
    """Return the hip centres by every regression, in pelvis axes from the middle of the ASIS."""
    have = set(recording.labels)
    back = {"LPSI", "RPSI"} if {"LPSI", "RPSI"} <= have else {"SACR"}
    if not {"LASI", "RASI", *back} <= have:
        return {}
    left, right = recording.marker("LASI"), recording.marker("RASI")
    behind = np.mean([recording.marker(label) for label in sorted(back)], axis=0)
    depth = known_mean(np.linalg.norm(0.5 * (left + right) - behind, axis=1))
    subject, found = recording.subject, {}
    for side in SIDES:
        length = subject.leg(side).leg_length_m
        measures = PelvisMeasures(
            width_m=float(known_mean(np.linalg.norm(left - right, axis=1))),
            depth_m=float(depth),
            leg_length_m=np.nan if length is None else length,
            diameter_m=subject.marker_diameter_m or DEFAULT_DIAMETER_M,
        )
        rows = compare_hip_centres(measures, side)
        found[side] = [_row(rule, (x, y, z)) for rule, x, y, z in rows]
    return found


def limb_centres(recording: Recording, joint: str) -> Centres:
    """Return knee or ankle centres by every rule, in the leg's axes from the lateral marker.

    Parameters
    ----------
    recording : Recording
        Markers under our names.
    joint : {"knee", "ankle"}
    """
    diameter = recording.subject.marker_diameter_m or DEFAULT_DIAMETER_M
    found = {
        side: [
            _row(centre.rule, centre.place_mm)
            for centre in compare_limb_centres(recording, side, diameter)
            if centre.joint == joint
        ]
        for side in SIDES
    }
    return {side: rows for side, rows in found.items() if rows}


def _row(rule: str, place_mm: tuple[float, float, float]) -> dict[str, float | str | None]:
    places = zip("xyz", place_mm, strict=True)
    return {"rule": rule} | {k: round(v, 1) if np.isfinite(v) else None for k, v in places}
