"""The laboratory's axes: which is up, which is nearest to the walking direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from gaitdyn.calibrate.axis_votes import axis_name, axis_vector, decide_up, up_votes
from gaitdyn.core.medians import median
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import complete_rows, ever_known, known_mean
from gaitdyn.errors import AxesRefused, ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from gaitdyn.calibrate.axis_votes import Vote

WALKED_M = 0.3
"""A pelvis that moves less than this stands or walks on a belt."""

_ASIS, _TROCHANTERS = ("LASI", "RASI"), ("LGTR", "RGTR")
_PAIRS = (_ASIS, ("LPSI", "RPSI"), ("LHJC", "RHJC"))
"""From left to right across the body."""
_ROUND = ("LASI", "RASI", "LPSI", "RPSI", "SACR", "LGTR", "RGTR", "LHJC", "RHJC")


def pelvis_pair(labels: Container[str]) -> tuple[str, ...]:
    """Return which labels show where the pelvis is: both ASIS, else the trochanters there are."""
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

    Up is what pelvis over feet, soles and plates agree on (:mod:`gaitdyn.calibrate.axis_votes`);
    forward the horizontal axis nearest to the displacement of the pelvis between the first and
    the last frame in which it is seen, or, for a person who stays, to where the pelvis faces.
    Without a pelvis the trochanters stand for it, and the feet face forward.

    Parameters
    ----------
    recording : Recording
    up, forward : str, optional
        Axes that are given, such as ``+Z``; they win.
    votes : sequence of Vote, optional
        Those of the recording, where they are known already.

    Returns
    -------
    array, shape (3, 3)
        ``v_G = R_GL @ v_L``.

    Raises
    ------
    ModelNotFound
        When nothing shows where the person goes or faces.
    AxesRefused
        When the witnesses of up disagree.
    """
    y = axis_vector(
        up or decide_up(up_votes(recording) if votes is None else votes, recording.name)
    )
    x = axis_vector(forward) if forward else _forward(recording, y)
    if abs(x @ y) > 0.5:  # noqa: PLR2004  two axes are square or the same
        raise AxesRefused(
            f"{recording.name}: up is {axis_name(y)} and forward {axis_name(x)}; wanted two axes,"
            " give both --up and --forward"
        )
    return np.stack((x, y, np.cross(x, y)))


def way_of(recording: Recording, up: Array) -> tuple[Array, Literal["walks", "faces"]]:
    """Return where the person walks, or, where it stays, faces: horizontal, shape (3,), m.

    Parameters
    ----------
    recording : Recording
    up : array, shape (3,)

    Raises
    ------
    ModelNotFound
        When no marker of pelvis and hips is seen.
    """
    walked = level(pelvis_displacement(recording), up)
    if np.linalg.norm(walked) >= WALKED_M:
        return walked, "walks"
    facing = facing_direction(recording, up)
    return (walked if facing is None else facing), "faces"


def _forward(recording: Recording, up: Array) -> Array:
    """Return the horizontal axis nearest to the way of the person, else to where it faces."""
    way, _ = way_of(recording, up)
    if not np.linalg.norm(way):
        message = f"{recording.name}: nothing shows where the person faces; name it with --forward"
        raise ModelNotFound(message)
    return axis_vector(axis_name(way))


def facing_direction(recording: Recording, up: Array) -> Array | None:
    """Return where the pelvis faces, or else the feet, horizontal, shape (3,), or None.

    From left to right ASIS (PSIS, trochanter, knee) and from heel to toe, each in one frame.
    """
    for left, right in _PAIRS:
        if recording.has(left) and recording.has(right):
            across = middle(recording.marker(right) - recording.marker(left))
            ahead = level(cross(up, across), up)
            if np.isfinite(across).all() and np.linalg.norm(ahead):
                return ahead
    found = np.zeros(3)
    for side in "LR":
        for toe in ("TOE", "MT1", "MT5"):
            if recording.has(side + toe) and recording.has(side + "HEE"):
                foot = middle(recording.marker(side + toe) - recording.marker(side + "HEE"))
                found += np.nan_to_num(foot)
                break
    ahead = level(found, up)
    return ahead if np.linalg.norm(ahead) else None


def middle(v: Array) -> Array:
    """Return the median of the known rows, shape (3,), NaN without any: one stray frame is none."""
    rows = v[complete_rows(v)]
    return median(rows, axis=0) if len(rows) else np.full(3, np.nan)


def level(v: Array, up: Array) -> Array:
    """Return the horizontal part of a vector."""
    return v - (v @ up) * up


def seen_labels(labels: tuple[str, ...], markers: Array) -> set[str]:
    """Return the labels of the markers, shape (n, m, 3), that are seen in some frame."""
    seen = np.flatnonzero(ever_known(markers))
    return {labels[i] for i in seen}


def pelvis_displacement(recording: Recording) -> Array:
    """Return the displacement of the middle of the ASIS from first to last seen, shape (3,), m.

    Of the trochanters (:func:`pelvis_pair`) in a file without them. Where the two are never seen
    together, the median displacement of the markers of pelvis and hips, each from its own first to
    its own last frame.

    Raises
    ------
    ModelNotFound
        When none of them is seen.
    """
    pair = pelvis_pair(_seen(recording))
    if recording.has(pair[0]) and recording.has(pair[-1]):
        moved = _displacement(0.5 * (recording.marker(pair[0]) + recording.marker(pair[-1])))
        if moved is not None:
            return moved
    singles = [_displacement(recording.marker(x)) for x in _ROUND if recording.has(x)]
    seen = [moved for moved in singles if moved is not None]
    if not seen:
        raise ModelNotFound(
            f"{recording.name}: {' and '.join(pair)} are never seen together; label them and retry"
        )
    return median(seen, axis=0)


def _displacement(marker: Array) -> Array | None:
    seen = np.flatnonzero(complete_rows(marker))
    return marker[seen[-1]] - marker[seen[0]] if seen.size else None


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
    return axis_name(R_GL[0]), axis_name(R_GL[1])


def _seen(recording: Recording) -> set[str]:
    return seen_labels(recording.labels, recording.markers_L)
