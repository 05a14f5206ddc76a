"""Convert a recording to G: permute its axes, and turn plates into wrenches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.places import feet_over_each
from gaitdyn.core.runs import ever_known
from gaitdyn.io.plates.wrenches import Thinning, plate_wrench
from gaitdyn.types.later import Later, later
from gaitdyn.types.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.wrench import PlateWrench


def to_trial(recording: Recording, R_GL: Array, thinning: Thinning = "low-pass") -> Trial:
    """Return the visible markers and the usable plates of a recording in G.

    Parameters
    ----------
    recording : Recording
    R_GL : array, shape (3, 3)
        Permutation from laboratory axes to G.
    thinning : {"mean", "low-pass", "sample"}
        How analog samples are reduced to the marker rate, see
        :func:`gaitdyn.io.plates.wrenches.plate_wrench`.
    """
    visible = ever_known(recording.markers_L)
    markers_G = _permuted(recording.markers_L[:, visible], R_GL)
    plates = [
        plate_wrench(plate, R_GL, recording.n_frames, thinning)
        for plate in recording.plates
        if not plate.problem
    ]
    return Trial(
        recording=recording,
        R_GL=R_GL,
        labels=tuple(recording.labels[i] for i in np.flatnonzero(visible)),
        markers_G=markers_G,
        plates=tuple(_with_feet(plates, markers_G, recording.rate_hz)),
    )


def _permuted(points: Array, R_GL: Array) -> Array:
    """Return ``points @ R_GL.T``, without matrix products for a permutation of the axes."""
    axes = np.argmax(np.abs(R_GL), axis=1)
    if not np.array_equal(np.abs(R_GL), np.eye(3)[axes]):
        return points @ R_GL.T
    permuted = np.empty_like(points)
    for i, j in enumerate(axes):
        np.multiply(points[..., j], R_GL[i, j], out=permuted[..., i])
    permuted += 0.0  # turns -0.0 into 0.0
    return permuted


def _with_feet(
    plates: list[PlateWrench], markers_G: Array, rate_hz: float
) -> Iterator[PlateWrench]:
    """Yield plates that compute on first access when feet are over them, except virtual plates."""
    corners = [plate.corners_G for plate in plates]
    over_plates = Later(lambda: feet_over_each(markers_G, corners, rate_hz))
    for i, plate in enumerate(plates):
        standing, visible = (
            later(partial(lambda i, k: over_plates.now()[i][k], i, k)) for k in (0, 1)
        )
        yield plate if plate.virtual else replace(plate, standing=standing, seen=visible)
