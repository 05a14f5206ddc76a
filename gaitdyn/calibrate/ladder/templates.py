"""The markers that track a segment, at their places in the reference position."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.posture.reference import JOINT_ABOVE, Template, points_told
from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.core.rotations import cross
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.marker_model import MarkerModel

STRAIGHT_M = 0.015
"""Nearer to the line of the other two a point of a foot shows no roll, m: 3 mm of skin are 11
degrees."""


def tracking_template(
    places: dict[str, Array],
    model: MarkerModel,
    segment: str,
    letter: str,
    joints: dict[str, Array],
) -> Template:
    """Return the tracking markers of a segment that the reference shows, and their positions.

    If there are only two markers, the proximal joint centre is the third point. A foot whose three
    points lie on one line does not show its roll: the lateral malleolus, which is on the axis of
    flexion of foot and shank, is added.

    Raises
    ------
    ModelNotFound
        If pelvis or thigh of a model that does not climb has fewer than three.
    """
    with_side = {"L": f"left {segment}", "R": f"right {segment}"}.get(letter, segment)
    listed = model.tracking.get(with_side, model.tracking.get(segment, ()))
    names = [name.replace("{s}", letter) for name in listed]
    points = {n: joints.get(n, places.get(n)) for n in names}
    shown = {n: p for n, p in points.items() if p is not None and np.isfinite(p).all()}
    above = JOINT_ABOVE.get(segment, "")
    if len(shown) == SMALLEST_CLUSTER - 1 and above in joints and np.isfinite(joints[above]).all():
        shown[above] = joints[above]
    malleolus = places.get(letter + "ANK", np.full(3, np.nan))
    if segment == "foot" and np.isfinite(malleolus).all() and _on_one_line(list(shown.values())):
        shown[letter + "ANK"] = malleolus
    few = len(shown) < SMALLEST_CLUSTER
    if few and segment in ("pelvis", "thigh") and not model.climbs:
        raise ModelNotFound(
            f"the {segment} {letter} is tracked by {points_told(shown) or 'no marker'}, wanted"
            f" three of {points_told(names)}; describe the markers with --model FILE.toml"
        )
    return tuple(shown), np.array(list(shown.values())).reshape(-1, 3)


def _on_one_line(points: list[Array]) -> bool:
    """Return whether of three points the middle one is nearly on the line of the others."""
    if len(points) != SMALLEST_CLUSTER:
        return False
    a, b, c = points
    longest = max(float(np.linalg.norm(x - y)) for x, y in ((a, b), (b, c), (c, a)))
    return float(np.linalg.norm(cross(b - a, c - a))) < STRAIGHT_M * longest
