"""Poses of body segments as a markerless system stores them, under our names and in our axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen


@frozen(arrays=True)
class SegmentPoses:
    """Where each segment is in every frame, nothing filtered and nothing filled.

    Attributes
    ----------
    system : str
        Name of the table that says what labels and axes mean, such as ``theia``.
    title : str
        What it says of itself.
    segments : tuple of str
        ``pelvis``, ``left thigh`` and so on.
    R_LS : array, shape (n, s, 3, 3)
        Columns are the segment axes x forward, y up (proximal), z to the right in laboratory axes;
        NaN where a pose is not known.
    origin_L : array, shape (n, s, 3)
        m, laboratory axes.
    reliability : array, shape (n, s)
        The number that the file gives with each pose; below zero the pose is not known.
    rate_hz : float
        Poses a second.
    origins : dict
        Our landmark -> the segment at whose origin it stands, such as ``LKJC`` -> ``left shank``.
    landmarks : dict
        Our landmark -> the segment that carries it and its place from the origin in segment axes,
        shape (3,), m.
    unknown : tuple of str
        Labels that the table does not name.
    notes : tuple of str
        What was decided while reading.
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
        """Return the axes of one segment, shape (n, 3, 3); NaN for one that is not there."""
        if segment not in self.segments:
            return np.full((self.n_frames, 3, 3), np.nan)
        return self.R_LS[:, self.segments.index(segment)]

    def origin(self, segment: str) -> Array:
        """Return the origin of one segment, shape (n, 3), m; NaN for one that is not there."""
        if segment not in self.segments:
            return np.full((self.n_frames, 3), np.nan)
        return self.origin_L[:, self.segments.index(segment)]

    def rows(self, start: int, stop: int) -> SegmentPoses:
        """Return the poses of the frames ``[start, stop)``."""
        return self._part(slice(start, stop))

    def every(self, step: int) -> SegmentPoses:
        """Return each ``step``-th pose, from the first."""
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
        found = {name: self.origin(segment) for name, segment in self.origins.items()}
        for name, (segment, at) in self.landmarks.items():
            found[name] = self.origin(segment) + self.rotation(segment) @ at
        return found
