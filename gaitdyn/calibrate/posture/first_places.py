"""A first posture of a walk: the pelvis and each leg, each from the frame that shows most of it."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.models.segments import segment_of
from gaitdyn.calibrate.plug_in_gait.markers import PELVIS
from gaitdyn.core.rigid import SMALLEST_CLUSTER, rigid_motion
from gaitdyn.core.rotations import cross, rotate_back, unit
from gaitdyn.core.runs import known_points
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.trial import Trial


def facing(places: dict[str, Array]) -> Array:
    """Return the axes of the person: X ahead, Y up, Z level from left to right ASIS; shape (3, 3).

    They make medians by component and lateral axes independent of the axes of the laboratory.
    """
    if not set(PELVIS) <= set(places):
        return np.eye(3)
    up, right = np.array([0.0, 1.0, 0.0]), places["RASI"] - places["LASI"]
    right = unit(right - (right @ up) * up)
    return np.stack((cross(up, right), up, right), axis=1)


def first_places(trial: Trial, model: MarkerModel, sides: list[str]) -> dict[str, Array]:
    """Return the positions of all markers in one posture, each leg from its best frame.

    The best frame shows most of the leg; the pelvis aligns the frames of both legs, and its own
    markers are the mean of both.

    Parameters
    ----------
    trial : Trial
        With the markers of the model alone.
    model : MarkerModel
    sides : list of {"left", "right"}

    Raises
    ------
    ModelNotFound
        If no frame shows the whole pelvis, or its markers are on one line.
    """
    known = known_points(trial.markers_G)
    segments = {label: segment_of(label, model) for label in trial.labels}
    pelvis = [i for i, x in enumerate(trial.labels) if segments[x] == "pelvis"]
    asis = [i for i, x in enumerate(trial.labels) if x in PELVIS]
    names = {trial.labels[i] for i in pelvis}
    back = ("LPSI", "RPSI") if {"LPSI", "RPSI"} <= names else ("SACR",)
    needed = asis + [i for i in pelvis if trial.labels[i] in back]
    whole = np.asarray(known[:, needed].all(axis=1), dtype=bool)
    if len(needed) < SMALLEST_CLUSTER or not whole.any():
        raise ModelNotFound(
            f"{trial.recording.name}: no frame shows the whole pelvis (LASI, RASI,"
            f" {' and '.join(back)}), and no static shows it; name a standing trial with --static"
        )
    frames: dict[int, list[int]] = {}
    for side in sides:
        leg = [i for i, x in enumerate(trial.labels) if (segments[x] or "").startswith(side)]
        names = sorted({str(segments[trial.labels[i]]) for i in leg})
        groups = [[i for i in leg if segments[trial.labels[i]] == name] for name in names]
        row = _best_frame(known, whole, [*pelvis, *leg], groups)
        frames.setdefault(row, []).extend([*pelvis, *leg])
    home = _mean_pelvis([{i: trial.markers_G[row, i] for i in needed} for row in frames], trial)
    if not np.isfinite(home).all():
        raise ModelNotFound(
            f"{trial.recording.name}: the markers of the pelvis (LASI, RASI, {' and '.join(back)})"
            " are on one line; check their labels, or name a standing trial with --static"
        )
    found: dict[str, list[Array]] = {}
    for row, markers in frames.items():
        R, t, _ = rigid_motion(home, trial.markers_G[row, needed][None])
        for i in dict.fromkeys(i for i in markers if known[row, i]):
            place = rotate_back(R[0], trial.markers_G[row, i] - t[0])
            found.setdefault(trial.labels[i], []).append(place)
    return {label: np.mean(places, axis=0) for label, places in found.items()}


def _mean_pelvis(shapes: list[dict[int, Array]], trial: Trial) -> Array:
    """Return the mean of the shapes of a pelvis that faces along X each time, shape (m, 3).

    It is the same for a mirrored walk, whichever leg comes first.
    """
    means: list[Array] = []
    for shape in shapes:
        points = np.array(list(shape.values()))
        middle = points.mean(axis=0)
        R_GB = facing({trial.labels[i]: point for i, point in shape.items()})
        means.append((points - middle) @ R_GB + middle)
    return np.mean(means, axis=0)


def _best_frame(known: Mask, whole: Mask, markers: list[int], groups: list[list[int]]) -> int:
    """Return the middle one of the frames that show most segments and, of these, most markers."""
    clusters = np.zeros(len(known))
    for group in groups:
        clusters += known[:, group].sum(axis=1) >= min(SMALLEST_CLUSTER, len(group))
    score = (clusters * known.shape[1] + known[:, markers].sum(axis=1) + 1) * whole
    best = np.flatnonzero(score == score.max())
    return int(best[len(best) // 2])
