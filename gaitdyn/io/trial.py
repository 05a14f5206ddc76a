"""A recording in G: axes permuted once, plates turned into wrenches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import known_points
from gaitdyn.io.wrenches import plate_wrench
from gaitdyn.types.trial import Trial

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording


def to_trial(recording: Recording, R_GL: Array, *, parabola: bool = True) -> Trial:
    """Return the markers and usable plates of a recording in G; markers never seen are left out.

    Parameters
    ----------
    recording : Recording
    R_GL : array, shape (3, 3)
        Permutation from laboratory axes to G.
    parabola : bool
        How analog samples are brought to the marker rate, see
        :func:`gaitdyn.io.wrenches.frame_average`.

    Returns
    -------
    Trial
    """
    seen = known_points(recording.markers_L).any(axis=0)
    return Trial(
        recording=recording,
        R_GL=R_GL,
        labels=tuple(recording.labels[i] for i in np.flatnonzero(seen)),
        markers_G=recording.markers_L[:, seen] @ R_GL.T,
        plates=tuple(
            plate_wrench(plate, R_GL, recording.n_frames, parabola=parabola)
            for plate in recording.plates
            if not plate.problem
        ),
    )
