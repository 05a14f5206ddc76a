"""Which marker of a file is which landmark, how sure that is, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from gaitdyn.types.findings import Finding

BodySide = Literal["left", "right", ""]
Sure = Literal["sure", "likely", "doubtful"]


@dataclass(frozen=True, slots=True)
class Landmark:
    """One marker and the place on the body that it marks.

    Attributes
    ----------
    index : int
        Place in the labels of the recording.
    label : str
        As the recording has it.
    code : str
        Of the landmark: ``ASIS``, ``KLE`` (lateral epicondyle), ``ANL`` (lateral malleolus), ...
    side : {"left", "right", ""}
    role : str
        Our name, ``LASI``, ``RKNE``; empty when the marker is recognised and not to be used.
    sure : {"sure", "likely", "doubtful"}
    why : str
        What spoke for it, in words.
    """

    index: int
    label: str
    code: str
    side: BodySide
    role: str
    sure: Sure
    why: str


class Unresolved(NamedTuple):
    """A point that is not a landmark that we know: place in the labels, label, why."""

    place: int
    label: str
    why: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How the person stands in a file, as names and places of the markers agree.

    Attributes
    ----------
    up : str
        Laboratory axis that points up, such as ``+Z``.
    floor_m : float
        Of the floor along that axis, m.
    left_L : tuple of float
        Unit vector to the left of the person, laboratory axes; NaN when no pair shows it.
    share : float
        Of the surely named markers, those that stand at the height that their name wants.
    upright : bool
        Enough of them: places are evidence.
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


@dataclass(frozen=True, slots=True)
class Resolution:
    """What the labels of one file mean.

    Attributes
    ----------
    landmarks : tuple of Landmark
        In the order of the file.
    unresolved : tuple of Unresolved
        All other markers.
    findings : tuple of Finding
        What stays doubtful, by label.
    standing : Standing or None
        ``None`` when names and places do not agree on a direction up.
    """

    landmarks: tuple[Landmark, ...]
    unresolved: tuple[Unresolved, ...]
    findings: tuple[Finding, ...] = ()
    standing: Standing | None = None

    def roles(self) -> dict[int, str]:
        """Return place in the labels -> our name, of the markers that are to be used."""
        return {mark.index: mark.role for mark in self.landmarks if mark.role}
