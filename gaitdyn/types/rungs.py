"""Rungs: ways to find a joint centre or segment axes, best first, and those a run took."""

from __future__ import annotations

from typing import Literal

from gaitdyn.types.frozen import frozen

Place = Literal["pelvis", "hip", "knee", "ankle", "foot"]
PLACES: tuple[Place, ...] = ("pelvis", "hip", "knee", "ankle", "foot")

ShankAxis = Literal["malleoli", "knee", "wand", "pelvis", "plane", "maker"]
"""Source of the medio-lateral axis of a shank."""


@frozen()
class Rung:
    """One way to find a joint or a segment.

    Attributes
    ----------
    name : str
    place : {"pelvis", "hip", "knee", "ankle", "foot"}
    needs : tuple of str
        Roles without the side. ``width`` is the measured width of the joint; ``ASI`` and ``PSI``
        stand for both sides.
    rule : str
        What is done, in one sentence.
    source : str
    angle_deg, moment_nm_kg : float
        Largest permitted error of an angle of the joint, deg, and of a component of its moment,
        N m/kg, on the synthetic walker, whose markers are placed exactly according to the protocol.
    coarse : bool
        Whether a warning reports that angles and moments are coarse.
    seen_in : tuple of str
        ``walk``, ``static``: recordings in which the landmarks may be visible. A landmark that is
        only in the static is carried by the markers that track its segment.
    centre : str
        Of a joint: the kind of its rule; rungs of one kind put the centre in the same place.
    share : float
        Of a width that nobody measured: distance of the centre from its lateral marker, as a share
        of the marker's distance from the centre above; otherwise 0.
    """

    name: str
    place: Place
    needs: tuple[str, ...]
    rule: str
    source: str
    angle_deg: float
    moment_nm_kg: float
    coarse: bool = False
    seen_in: tuple[str, ...] = ("walk", "static")
    centre: str = ""
    share: float = 0.0


@frozen()
class Taken:
    """The rung that a run took.

    Attributes
    ----------
    side : {"left", "right"}
    place : {"pelvis", "hip", "knee", "ankle", "foot"}
    rung : str
        Its name; empty if no rung could be used.
    landmarks : tuple of str
    seen_in : {"walk", "static", "parameters"}
        Where the landmarks were visible.
    rule : str
    source : str
    angle_deg, moment_nm_kg : float
        The rung's tolerances.
    coarse : bool
    """

    side: str
    place: Place
    rung: str
    landmarks: tuple[str, ...]
    seen_in: str
    rule: str
    source: str = ""
    angle_deg: float = float("nan")
    moment_nm_kg: float = float("nan")
    coarse: bool = False

    @property
    def text(self) -> str:
        """Rung, landmarks and rule in one sentence, for a sidecar file."""
        if not self.rung:
            return f"not found: {self.rule}"
        landmarks = f" from {', '.join(self.landmarks)}" if self.landmarks else ""
        source = f" ({self.seen_in})" if self.seen_in == "static" else ""
        return f"{self.rung}{landmarks}{source}: {self.rule}"
