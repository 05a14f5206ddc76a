"""The axes of the laboratory: which one is up, which is nearest to the walking direction."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Literal

import numpy as np

from gaitdyn.calibrate.axis_votes import Vote, axis_name, axis_vector, decide_up, up_votes
from gaitdyn.calibrate.statics.quiet import AROUND_PELVIS
from gaitdyn.core.medians import median
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import complete_rows, ever_known, known_mean, runs
from gaitdyn.errors import AxesRefused, ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import Recording

WALKED_M = 0.3
"""If the pelvis moves less than this, the person stands or walks on a treadmill."""

RETURNED_M, RETURNED = 1.0, 0.5
"""A pelvis that goes this far without a gap and in all less than half as far came back."""

_FLAT = (1.0, 0.0, 1.0)

_ASIS, _TROCHANTERS = ("LASI", "RASI"), ("LGTR", "RGTR")
_PAIRS = (_ASIS, ("LPSI", "RPSI"), ("LHJC", "RHJC"))
"""From left to right across the body."""


def pelvis_pair(labels: Container[str]) -> tuple[str, ...]:
    """Return the labels that show where the pelvis is: both ASIS, else any trochanters."""
    if all(label in labels for label in _ASIS):
        return _ASIS
    return tuple(label for label in _TROCHANTERS if label in labels) or _ASIS


def find_axes(
    recording: Recording,
    up: str | None = None,
    forward: str | None = None,
    votes: Sequence[Vote] | None = None,
) -> Array:
    """Return the permutation from laboratory axes to G: x forward, y up, z to the right.

    Up is the axis on which pelvis above feet, soles and plates agree
    (:mod:`gaitdyn.calibrate.axis_votes`). Forward is the horizontal axis nearest to the
    displacement of the pelvis between the first and the last frame that show it (the way out, if it
    comes back) or, for a person who stays in place, to the direction that the pelvis faces. Without
    a pelvis the trochanters replace it, and the feet face forward.

    Parameters
    ----------
    recording : Recording
    up, forward : str, optional
        Axes given by the user, such as ``+Z``; they take precedence.
    votes : sequence of Vote, optional
        Those of the recording, if they are known already.

    Returns
    -------
    array, shape (3, 3)
        ``v_G = R_GL @ v_L``.

    Raises
    ------
    ModelNotFound
        If nothing shows where the person walks or faces.
    AxesRefused
        If the witnesses for up disagree.
    """
    y = axis_vector(
        up or decide_up(up_votes(recording) if votes is None else votes, recording.name)
    )
    x = axis_vector(forward) if forward else _forward(recording, y)
    if abs(x @ y) > 0.5:  # noqa: PLR2004  two axes are perpendicular or the same
        raise AxesRefused(
            f"{recording.name}: up is {axis_name(y)} and forward {axis_name(x)}; wanted two axes,"
            " give both --up and --forward"
        )
    return np.stack((x, y, np.cross(x, y)))


def way_of(recording: Recording, up: Array) -> tuple[Array, Literal["walks", "faces"]]:
    """Return the horizontal direction in which the person walks or else faces, shape (3,), m.

    Parameters
    ----------
    recording : Recording
    up : array, shape (3,)

    Raises
    ------
    ModelNotFound
        If no marker of pelvis or hips is visible.
    """
    walked = level(pelvis_displacement(recording), up)
    if np.linalg.norm(walked) >= WALKED_M:
        return walked, "walks"
    facing = facing_direction(recording, up)
    return (walked if facing is None else facing), "faces"


def _forward(recording: Recording, up: Array) -> Array:
    """Return the horizontal axis nearest to the direction in which the person walks or faces."""
    direction, _ = way_of(recording, up)
    if not np.linalg.norm(direction):
        message = (
            f"{recording.name}: nothing shows which way the person faces; name the axis with"
            " --forward"
        )
        raise ModelNotFound(message)
    return axis_vector(axis_name(direction))


def facing_direction(recording: Recording, up: Array) -> Array | None:
    """Return the horizontal direction that the pelvis or else the feet face, shape (3,), or None.

    It is derived from left to right ASIS (PSIS, hip centre) or from heel to toe, each within a
    frame.
    """
    for left, right in _PAIRS:
        if recording.has(left) and recording.has(right):
            across = middle(recording.marker(right) - recording.marker(left))
            ahead = level(cross(up, across), up)
            if np.isfinite(across).all() and np.linalg.norm(ahead):
                return ahead
    feet = np.zeros(3)
    for side in "LR":
        for toe in ("TOE", "MT1", "MT5"):
            if recording.has(side + toe) and recording.has(side + "HEE"):
                foot = middle(recording.marker(side + toe) - recording.marker(side + "HEE"))
                feet += np.nan_to_num(foot)
                break
    ahead = level(feet, up)
    return ahead if np.linalg.norm(ahead) else None


def middle(v: Array) -> Array:
    """Return the median of the known rows, shape (3,), or NaN; a stray frame has no effect."""
    rows = v[complete_rows(v)]
    return median(rows, axis=0) if len(rows) else np.full(3, np.nan)


def level(v: Array, up: Array) -> Array:
    """Return the horizontal part of a vector."""
    return v - (v @ up) * up


def seen_labels(labels: tuple[str, ...], markers: Array) -> set[str]:
    """Return the labels of the markers, shape (n, m, 3), that are visible in some frame."""
    seen = np.flatnonzero(ever_known(markers))
    return {labels[i] for i in seen}


def pelvis_displacement(recording: Recording) -> Array:
    """Return the displacement of the midpoint of the ASIS over its known frames, shape (3,), m.

    A file without ASIS uses the trochanters (:func:`pelvis_pair`). If the two are never visible
    together, it is the median displacement of the markers of pelvis and hips, each over its known
    frames.

    Raises
    ------
    ModelNotFound
        If none of them is visible.
    """
    pair = pelvis_pair(seen_labels(recording.labels, recording.markers_L))
    if recording.has(pair[0]) and recording.has(pair[-1]):
        moved = _displacement(0.5 * (recording.marker(pair[0]) + recording.marker(pair[-1])))
        if moved is not None:
            return moved
    singles = [_displacement(recording.marker(x)) for x in AROUND_PELVIS if recording.has(x)]
    known = [moved for moved in singles if moved is not None]
    if not known:
        raise ModelNotFound(
            f"{recording.name}: {' and '.join(pair)} are never seen together; label them and retry"
        )
    return median(known, axis=0)


def _displacement(marker: Array) -> Array | None:
    """Return the way from the first known row to the last or, if it came back, the first out."""
    known = complete_rows(marker)
    if not known.any():
        return None
    rows = np.flatnonzero(known)
    whole = marker[rows[-1]] - marker[rows[0]]
    ways = (_furthest(marker[start:stop]) for start, stop in runs(known))
    out = next((way for way in ways if np.linalg.norm(way) > RETURNED_M), whole)
    return out if whole @ out < RETURNED * (out @ out) else whole


def _furthest(path: Array) -> Array:
    """Return the way from the first row to that furthest from it."""
    ways = path - path[0]
    return ways[np.linalg.norm(ways, axis=1).argmax()]


def walking_direction(origin_G: Array, R_GP: Array) -> Array:
    """Return the unit horizontal walking direction in G, shape (3,).

    The way out decides for a person who comes back.

    Parameters
    ----------
    origin_G : array, shape (n, 3)
        Pelvis centre.
    R_GP : array, shape (n, 3, 3)
        Pelvis axes; their mean x is the direction of a person who stays in place.
    """
    walked = _displacement(origin_G * _FLAT)
    if walked is None:
        message = "the pelvis markers are not seen together for 7 frames in a row; fill their gaps"
        raise ModelNotFound(message)
    if np.linalg.norm(walked) < WALKED_M:
        walked = known_mean(R_GP[..., 0]) * _FLAT
    return walked / np.linalg.norm(walked)


def axis_names(R_GL: Array) -> tuple[str, str]:
    """Return the laboratory axes of forward and up, such as ``("-X", "+Z")``."""
    return axis_name(R_GL[0]), axis_name(R_GL[1])
