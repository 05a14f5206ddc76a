"""The person: measurements of the body, and the source of each number."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from gaitdyn.types.frozen import frozen

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")
OTHER: dict[str, Side] = {"left": "right", "right": "left"}

LETTER: dict[str, str] = {"left": "L", "right": "R"}
"""First letter of a marker label."""

SIDE_OF: dict[str, Side] = {"L": "left", "R": "right"}

SIGN: dict[str, float] = {"left": 1.0, "right": -1.0}
"""sg of the marker model: +1 on the left, -1 on the right (z of every frame is to the right)."""


LIMITS: dict[str, tuple[float, float]] = {
    "age_years": (0, 120),
    "mass_kg": (3, 400),
    "height_m": (0.4, 2.6),
    "marker_diameter_mm": (2, 50),
    "inter_asis_mm": (50, 500),
    "leg_length_mm": (150, 1400),
    "knee_width_mm": (20, 300),
    "ankle_width_mm": (15, 200),
    "asis_trochanter_mm": (1, 300),
    "shoulder_offset_mm": (1, 150),
    "elbow_width_mm": (20, 200),
    "wrist_width_mm": (15, 150),
    "hand_thickness_mm": (5, 80),
}
"""Possible range of each measurement; outside it, the unit is wrong."""


@frozen()
class LegMeasures:
    """Measurements of one leg, m; ``None`` if not measured.

    ``asis_trochanter_m`` is the distance from the ASIS to the trochanter along the depth of the
    hip. ``marker_diameter_m`` is that of the markers at knee and ankle if it differs from the
    subject's. ``device`` is an orthosis, prosthesis or assistive device on this side.
    """

    leg_length_m: float | None = None
    knee_width_m: float | None = None
    ankle_width_m: float | None = None
    asis_trochanter_m: float | None = None
    marker_diameter_m: float | None = None
    device: str | None = None


@frozen()
class ArmMeasures:
    """Measurements of one arm, m; ``None`` if not measured.

    ``shoulder_offset_m`` is the height of the shoulder marker's base above the joint centre and
    ``hand_thickness_m`` the thickness of the palm. ``wrist_width_m`` may be zero or negative where
    a C3D file states it so: with half a marker it is how far the joint lies from the markers.
    """

    shoulder_offset_m: float | None = None
    elbow_width_m: float | None = None
    wrist_width_m: float | None = None
    hand_thickness_m: float | None = None


@frozen()
class Subject:
    """A subject under a pseudonym.

    Attributes
    ----------
    id : str
        Pseudonym; empty if none was given.
    sex : {"f", "m"}, optional
    age_years, mass_kg, height_m : float, optional
    marker_diameter_m, inter_asis_m : float, optional
    left, right : LegMeasures
    sources : dict
        Field name -> source of its value: ``option``, ``subject file``, ``parameter file``,
        ``static``, ``trial``, ``default``, ``plates``.
    arms : dict
        Side -> ArmMeasures, for the sides with a measurement.
    """

    id: str = ""
    sex: str | None = None
    age_years: float | None = None
    mass_kg: float | None = None
    height_m: float | None = None
    marker_diameter_m: float | None = None
    inter_asis_m: float | None = None
    left: LegMeasures = LegMeasures()
    right: LegMeasures = LegMeasures()
    sources: dict[str, str] = field(default_factory=dict[str, str])
    arms: dict[str, ArmMeasures] = field(default_factory=dict[str, ArmMeasures])

    def leg(self, side: str) -> LegMeasures:
        """Return the measurements of one side."""
        return self.left if side == "left" else self.right
