"""Joint centres by every rule that the widths and markers of a person allow."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.hip_regressions import PelvisMeasures, compare_hip_centres
from gaitdyn.calibrate.ladder.limb_centres import compare_limb_centres
from gaitdyn.calibrate.widths import DEFAULT_DIAMETER_M
from gaitdyn.core.runs import known_mean
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES

Centres = dict[str, list[dict[str, float | str | None]]]
"""Side -> rows of ``rule``, ``x``, ``y``, ``z`` (forward, up, right; mm), None if unknown."""


def hip_centres(recording: Recording) -> Centres:
    """Return the hip centres of every regression, in pelvis axes from the midpoint of the ASIS."""
    labels = set(recording.labels)
    posterior = {"LPSI", "RPSI"} if {"LPSI", "RPSI"} <= labels else {"SACR"}
    if not {"LASI", "RASI", *posterior} <= labels:
        return {}
    left, right = recording.marker("LASI"), recording.marker("RASI")
    posterior_middle = np.mean([recording.marker(label) for label in sorted(posterior)], axis=0)
    depth = known_mean(np.linalg.norm(0.5 * (left + right) - posterior_middle, axis=1))
    subject, centres = recording.subject, {}
    for side in SIDES:
        length = subject.leg(side).leg_length_m
        measures = PelvisMeasures(
            width_m=float(known_mean(np.linalg.norm(left - right, axis=1))),
            depth_m=float(depth),
            leg_length_m=np.nan if length is None else length,
            diameter_m=subject.marker_diameter_m or DEFAULT_DIAMETER_M,
        )
        rows = compare_hip_centres(measures, side)
        centres[side] = [_row(rule, (x, y, z)) for rule, x, y, z in rows]
    return centres


def limb_centres(recording: Recording, joint: str) -> Centres:
    """Return knee or ankle centres by every rule, in axes of the leg from the lateral marker.

    Parameters
    ----------
    recording : Recording
        Markers under gaitdyn's names.
    joint : {"knee", "ankle"}
    """
    diameter = recording.subject.marker_diameter_m or DEFAULT_DIAMETER_M
    centres = {
        side: [
            _row(estimate.rule, estimate.place_mm)
            for estimate in compare_limb_centres(recording, side, diameter)
            if estimate.joint == joint
        ]
        for side in SIDES
    }
    return {side: rows for side, rows in centres.items() if rows}


def _row(rule: str, place_mm: tuple[float, float, float]) -> dict[str, float | str | None]:
    coordinates = zip("xyz", place_mm, strict=True)
    return {"rule": rule} | {k: round(v, 1) if np.isfinite(v) else None for k, v in coordinates}
