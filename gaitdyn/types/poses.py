"""Poses of body segments as stored by a markerless system, with our names and axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen


@frozen(arrays=True)
class SegmentPoses:
    """The pose of each segment in every frame, neither filtered nor gap-filled.

    Attributes
    ----------
    system : str
        Name of the table that defines labels and axes, such as ``theia``.
    title : str
        Title of that table.
    segments : tuple of str
        ``pelvis``, ``left thigh`` and so on.
    R_LS : array, shape (n, s, 3, 3)
        Columns are the segment axes x forward, y up (proximal), z to the right in laboratory axes;
        NaN for an unknown pose.
    origin_L : array, shape (n, s, 3)
        m, laboratory axes.
    reliability : array, shape (n, s)
        The number stored with each pose; the pose is unknown if it is negative.
    rate_hz : float
        Poses per second.
    origins : dict
        Our landmark -> the segment whose origin it is, such as ``LKJC`` -> ``left shank``.
    landmarks : dict
        Our landmark -> the segment that carries it and its position from the origin in segment
        axes, shape (3,), m.
    unknown : tuple of str
        Labels that the table does not name.
    notes : tuple of str
        Decisions made while reading.
    """

    system: str
    title: str
    segments: tuple[str, ...]
    R_LS: Array
    origin_L: Array
    reliability: Array
    rate_hz: float
    origins: dict[str, str]
    landmarks: dict[str, tuple[str, Array]]
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n_frames(self) -> int:
        """Number of poses of each segment."""
        return len(self.R_LS)

    def rotation(self, segment: str) -> Array:
        """Return the axes of one segment, shape (n, 3, 3); NaN for a missing segment."""
        if segment not in self.segments:
            return np.full((self.n_frames, 3, 3), np.nan)
        return self.R_LS[:, self.segments.index(segment)]

    def origin(self, segment: str) -> Array:
        """Return the origin of one segment, shape (n, 3), m; NaN for a missing segment."""
        if segment not in self.segments:
            return np.full((self.n_frames, 3), np.nan)
        return self.origin_L[:, self.segments.index(segment)]

    def rows(self, start: int, stop: int) -> SegmentPoses:
        """Return the poses of the frames ``[start, stop)``."""
        return self._part(slice(start, stop))

    def every(self, step: int) -> SegmentPoses:
        """Return every ``step``-th pose, starting with the first."""
        return replace(self._part(slice(None, None, step)), rate_hz=self.rate_hz / step)

    def _part(self, rows: slice) -> SegmentPoses:
        return replace(
            self,
            R_LS=self.R_LS[rows],
            origin_L=self.origin_L[rows],
            reliability=self.reliability[rows],
        )

    @property
    def landmark_names(self) -> tuple[str, ...]:
        """Our landmarks that the poses show, in the order of :meth:`points`."""
        return (*self.origins, *self.landmarks)

    def points(self) -> dict[str, Array]:
        """Return our landmarks in every frame, shape (n, 3) each, m, laboratory axes."""
        points_L = {name: self.origin(segment) for name, segment in self.origins.items()}
        for name, (segment, position_S) in self.landmarks.items():
            points_L[name] = self.origin(segment) + self.rotation(segment) @ position_S
        return points_L
