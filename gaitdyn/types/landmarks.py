"""Assignment of markers to landmarks, with its certainty and reasons."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen

BodySide = Literal["left", "right", ""]
Sure = Literal["sure", "likely", "doubtful"]


@frozen()
class Landmark:
    """One marker and the landmark of the body that it marks.

    Attributes
    ----------
    index : int
        Index in the labels of the recording.
    label : str
        As in the recording.
    code : str
        Landmark: ``ASIS``, ``KLE`` (lateral epicondyle), ``ANL`` (lateral malleolus), ...
    side : {"left", "right", ""}
    role : str
        Our name, such as ``LASI``, ``RKNE``; empty if the marker is recognised but not used.
    sure : {"sure", "likely", "doubtful"}
    why : str
        The evidence, in words.
    """

    index: int
    label: str
    code: str
    side: BodySide
    role: str
    sure: Sure
    why: str


class Unresolved(NamedTuple):
    """A point that is not a known landmark: index in the labels, label, reason."""

    place: int
    label: str
    why: str


@frozen()
class Standing:
    """How the person stands in a file, where names and positions of the markers agree.

    Attributes
    ----------
    up : str
        Laboratory axis that points up, such as ``+Z``.
    floor_m : float
        Position of the floor along that axis, m.
    left_L : tuple of float
        Unit vector to the left of the person, laboratory axes; NaN if no marker pair shows it.
    share : float
        Share of the surely named markers that are at the height implied by their name.
    upright : bool
        Whether that share is large enough for positions to count as evidence.
    mirrored : bool
        Front and back of pelvis and feet contradict left and right: the sides are exchanged, or
        the axes are left-handed.
    """

    up: str
    floor_m: float
    left_L: tuple[float, float, float]
    share: float
    upright: bool
    mirrored: bool = False


@frozen()
class Resolution:
    """The meaning of the labels of one file.

    Attributes
    ----------
    landmarks : tuple of Landmark
        In the order of the file.
    unresolved : tuple of Unresolved
        All other markers.
    findings : tuple of Finding
        Remaining doubts, by label.
    standing : Standing or None
        ``None`` if names and positions do not agree on the upward direction.
    """

    landmarks: tuple[Landmark, ...]
    unresolved: tuple[Unresolved, ...]
    findings: tuple[Finding, ...] = ()
    standing: Standing | None = None

    def roles(self) -> dict[int, str]:
        """Return index in the labels -> our name, for the markers that are used."""
        return {mark.index: mark.role for mark in self.landmarks if mark.role}
