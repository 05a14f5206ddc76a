"""How the walker is recorded: rates, laboratory axes, units, noise, and contents of the files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gaitdyn.errors import UsageError
from gaitdyn.synthetic.arrays import Array

Direction = Literal["+x", "-x", "+y", "-y", "+z", "-z"]

_LEAST = {
    "rate_hz": 1.0, "analog_ratio": 1, "first_frame": 1, "plates": 0, "marker_noise_mm": 0.0,
    "force_noise_n": 0.0, "seed": 0,
}  # fmt: skip
_LAST_FIRST_FRAME = 65535
"""The header holds no larger number."""


@dataclass(frozen=True, slots=True)
class Recording:
    """All settings of the files; none affects the motion.

    Parameters
    ----------
    rate_hz, analog_ratio
        Marker rate; analog samples per marker frame.
    strides : float
        Duration of a trial in strides. With a whole number the pelvis moves exactly along the
        heading between the first and the last frame.
    static_s : float
        Duration of the static trial, s.
    first_frame : int
        Number of the first frame in the header (from 1).
    up, forward
        Laboratory axis that points up, and the one along X of G.
    units : {"mm", "m"}
        Unit of points, corners and origins; moments are in N mm or N m.
    plates : int
        Number of plates in a row in the trial; may be 0.
    static_plates : bool
        Place one plate under each foot in the static trial.
    negative_origin : bool
        Store ORIGIN as in the C3D definition (z < 0) instead of from centre to sensor (z > 0).
    marker_noise_mm, force_noise_n : float
        Standard deviation of white noise on each coordinate and each force channel (moments: that
        force at 0.1 m).
    baseline_n : float
        Constant force reported by an un-tared plate (on its z channel, part of it on x and y).
    seed : int
        Seed of the noise.
    gaps : tuple of (label, first, last)
        Marker and frame numbers (as in the file, inclusive) that are missing in the trials.
    events : bool
        Write exact foot strikes and offs to EVENT.
    subject : str
        Pseudonym.
    parameters : bool
        Write body mass and measurements to PROCESSING.
    marker_diameter, inter_asis, offsets : bool
        Write also MarkerDiameter, a non-zero InterAsisDistance, and the foot offsets (rad).
    """

    rate_hz: float = 100.0
    analog_ratio: int = 10
    strides: float = 3.0
    static_s: float = 1.0
    first_frame: int = 101
    up: Literal["y", "z"] = "z"
    forward: Direction = "+x"
    units: Literal["mm", "m"] = "mm"
    plates: int = 3
    static_plates: bool = True
    negative_origin: bool = False
    marker_noise_mm: float = 0.0
    force_noise_n: float = 0.0
    baseline_n: float = 0.0
    seed: int = 0
    gaps: tuple[tuple[str, int, int], ...] = ()
    events: bool = True
    subject: str = "SYN01"
    parameters: bool = True
    marker_diameter: bool = True
    inter_asis: bool = False
    offsets: bool = False

    def __post_init__(self) -> None:
        """Refuse a walking direction along the vertical, and numbers that no file has."""
        if self.forward not in get_args(Direction):
            wanted = ", ".join(get_args(Direction))
            raise UsageError(f"forward is {self.forward!r}, wanted one of {wanted}")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if not least <= value < np.inf:
                raise UsageError(f"{name} is {value}, wanted {least} or more")
        if self.first_frame > _LAST_FIRST_FRAME:
            raise UsageError(
                f"first_frame is {self.first_frame}, wanted {_LAST_FIRST_FRAME} at most"
            )
        if self.forward[1] == self.up:
            raise UsageError(f"forward is {self.forward!r} and up is {self.up!r}: wanted two axes")

    @property
    def R_LG(self) -> Array:
        """Laboratory axes from G: v_L = R_LG @ v_G, shape (3, 3), a signed permutation."""
        forward, up = _unit(self.forward), _unit(f"+{self.up}")
        return np.stack([forward, up, np.cross(forward, up)], axis=1)

    @property
    def per_m(self) -> float:
        """Units of length of the file per metre."""
        return 1000.0 if self.units == "mm" else 1.0

    @property
    def clock_s(self) -> float:
        """Time of the first frame on the clock of EVENT:TIMES, s: (first_frame - 1) / rate."""
        return (self.first_frame - 1) / self.rate_hz

    def frame_times(self, duration_s: float) -> Array:
        """Return the times of the marker frames from the first frame, s."""
        return np.arange(round(duration_s * self.rate_hz) + 1) / self.rate_hz

    def analog_times(self, n_frames: int) -> Array:
        """Return the times of the analog samples from the first marker frame, s."""
        return np.arange(n_frames * self.analog_ratio) / (self.rate_hz * self.analog_ratio)


def _unit(direction: str) -> Array:
    """Return the unit vector of a direction such as "+x"."""
    return (1.0 if direction[0] == "+" else -1.0) * np.eye(3)["xyz".index(direction[1])]
