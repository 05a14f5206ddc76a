"""A trial in G: the laboratory's axes permuted so that x is forward and y up."""

from __future__ import annotations

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import Recording
from gaitdyn.types.wrench import PlateWrench


@frozen(arrays=True)
class Trial:
    """Markers and plates of one recording in G, SI units.

    Attributes
    ----------
    recording : Recording
        The recording as read.
    R_GL : array, shape (3, 3)
        Permutation from laboratory axes to G: ``v_G = R_GL @ v_L``.
    labels : tuple of str
    markers_G : array, shape (n, m, 3)
        m; NaN in gaps.
    plates : tuple of PlateWrench
        At the marker rate, as recorded.
    """

    recording: Recording
    R_GL: Array
    labels: tuple[str, ...]
    markers_G: Array
    plates: tuple[PlateWrench, ...]

    @property
    def rate_hz(self) -> float:
        """Marker rate."""
        return self.recording.rate_hz

    def marker(self, label: str) -> Array:
        """Return one marker in G, shape (n, 3), m."""
        return self.markers_G[:, self.labels.index(label)]
