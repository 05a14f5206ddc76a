"""The laboratory's axes: which is up, which is nearest to the walking direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import complete_rows, known_mean, known_points
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Container

WALKED_M = 0.3
"""A pelvis that moves less than this stands or walks on a belt."""

_PELVIS = ("LASI", "RASI", "LPSI", "RPSI", "SACR")
_ASIS, _TROCHANTERS = ("LASI", "RASI"), ("LGTR", "RGTR")
_FEET = ("LTOE", "RTOE", "LHEE", "RHEE")
_LOW = (_FEET, ("LMT5", "RMT5"), ("LANK", "RANK", "LAJC", "RAJC"), ("LKNE", "RKNE", "LKJC", "RKJC"))


def pelvis_pair(labels: Container[str]) -> tuple[str, ...]:
    """Return which labels show where the pelvis is: both ASIS, else the trochanters there are."""
    if all(label in labels for label in _ASIS):
        return _ASIS
    return tuple(label for label in _TROCHANTERS if label in labels) or _ASIS


def find_axes(recording: Recording) -> Array:
    """Return the permutation from laboratory axes to G: x forward, y up, z to the right.

    Up is the laboratory axis nearest to the mean vector from the feet to the pelvis; forward the
    horizontal axis nearest to the displacement of the pelvis between the first and the last
    frame in which it is seen, or, for a person who stays, to where the pelvis faces. Without a
    pelvis the trochanters stand for it, and the feet face forward.

    Parameters
    ----------
    recording : Recording

    Returns
    -------
    array, shape (3, 3)
        ``v_G = R_GL @ v_L``.

    Raises
    ------
    ModelNotFound
        When no pelvis or no foot marker is seen.
    """
    pair = pelvis_pair(_seen(recording))
    hips = _PELVIS if pair == _ASIS else pair
    seen = _seen(recording)
    low = next((names for names in _LOW if seen & set(names)), _FEET)
    up = _nearest_axis(_mean(recording, hips) - _mean(recording, low))
    walked = pelvis_displacement(recording)
    walked = walked - (walked @ up) * up
    if np.linalg.norm(walked) < WALKED_M and pair == _ASIS:
        left, right = recording.marker("LASI"), recording.marker("RASI")
        walked = cross(up, known_mean(right - left))
    elif np.linalg.norm(walked) < WALKED_M:
        walked = _mean(recording, ("LMT5", "RMT5")) - _mean(recording, ("LHEE", "RHEE"))
    forward = _nearest_axis(walked - (walked @ up) * up)
    return np.stack((forward, up, np.cross(forward, up)))


def seen_labels(labels: tuple[str, ...], markers: Array) -> set[str]:
    """Return the labels of the markers, shape (n, m, 3), that are seen in some frame."""
    known = known_points(markers)
    return {label for i, label in enumerate(labels) if known[:, i].any()}


def pelvis_displacement(recording: Recording) -> Array:
    """Return the displacement of the middle of the ASIS from first to last seen, shape (3,), m.

    Of the trochanters (:func:`pelvis_pair`) in a file without them.
    """
    pair = pelvis_pair(_seen(recording))
    centre = 0.5 * (recording.marker(pair[0]) + recording.marker(pair[-1]))
    seen = np.flatnonzero(complete_rows(centre))
    if not seen.size:
        message = (
            f"{recording.name}: {' and '.join(pair)} are never seen together; label them and retry"
        )
        raise ModelNotFound(message)
    return centre[seen[-1]] - centre[seen[0]]


def walking_direction(origin_G: Array, R_GP: Array) -> Array:
    """Return the unit horizontal walking direction in G, shape (3,).

    Parameters
    ----------
    origin_G : array, shape (n, 3)
        Pelvis centre.
    R_GP : array, shape (n, 3, 3)
        Pelvis axes; their mean x stands for the direction of a person who stays.
    """
    seen = np.flatnonzero(complete_rows(origin_G))
    if not seen.size:
        message = "the pelvis markers are not seen together for 7 frames in a row; fill their gaps"
        raise ModelNotFound(message)
    walked = origin_G[seen[-1]] - origin_G[seen[0]]
    walked = walked * (1.0, 0.0, 1.0)
    if np.linalg.norm(walked) < WALKED_M:
        walked = known_mean(R_GP[..., 0]) * (1.0, 0.0, 1.0)
    return walked / np.linalg.norm(walked)


def axis_names(R_GL: Array) -> tuple[str, str]:
    """Return the laboratory's names of forward and up, such as ``("-X", "+Z")``."""
    return _axis_name(R_GL[0]), _axis_name(R_GL[1])


def _axis_name(axis: Array) -> str:
    i = int(np.argmax(np.abs(axis)))
    return ("+" if axis[i] > 0 else "-") + "XYZ"[i]


def _seen(recording: Recording) -> set[str]:
    return seen_labels(recording.labels, recording.markers_L)


def _mean(recording: Recording, labels: tuple[str, ...]) -> Array:
    found = [recording.marker(label) for label in labels if recording.has(label)]
    stacked = np.concatenate(found) if found else np.empty((0, 3))
    stacked = stacked[complete_rows(stacked)]
    if not len(stacked):
        message = f"{recording.name}: none of {', '.join(labels)} is seen in any frame"
        raise ModelNotFound(message)
    return stacked.mean(axis=0)


def _nearest_axis(v: Array) -> Array:
    i = int(np.argmax(np.abs(v)))
    axis = np.zeros(3)
    axis[i] = np.sign(v[i])
    return axis
