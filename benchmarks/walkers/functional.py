"""A functional trial that is known exactly: two clusters about one centre, or about one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.jets import fixed_turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SPACING_M = 0.060
PROXIMAL_M, DISTAL_M = np.array([0.05, 0.09, 0.0]), np.array([0.02, -0.25, 0.06])
"""Middles of the clusters from the centre, each in its own segment."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Two clusters that move about a centre.

    Attributes
    ----------
    proximal, distal : array, shape (n, 5, 3)
        Markers, m.
    centre : array, shape (n, 3)
        The true centre, m.
    axis : array, shape (n, 3)
        z of the proximal segment: the true axis of a hinge.
    """

    proximal: Array
    distal: Array
    centre: Array
    axis: Array


def cluster() -> Array:
    """Return five markers on a curved surface, neighbours 60 mm apart, shape (5, 3), m."""
    aside, bent = SPACING_M * np.cos(0.4), SPACING_M * np.sin(0.4)
    arms = [(aside, 0, -bent), (-aside, 0, -bent), (0, aside, -bent), (0, -aside, -bent)]
    found = np.array([(0.0, 0.0, 0.0), *arms])
    return found - found.mean(axis=0)


def hip_turns(n_frames: int, wide_deg: tuple[float, float, float] = (40.0, 35.0, 10.0)) -> Array:
    """Return a leg that is flexed, abducted and circled one after the other, shape (n, 3, 3).

    Parameters
    ----------
    n_frames : int
    wide_deg : tuple of 3 float
        Half the ranges of flexion, abduction and rotation.
    """
    phase = np.linspace(0.0, 3.0, n_frames, endpoint=False)
    turn, round_ = np.sin(6.0 * np.pi * phase), np.cos(6.0 * np.pi * phase)
    flexed = np.where(phase < 1, turn, np.where(phase < 2, 0.0, turn))
    aside = np.where(phase < 1, 0.0, np.where(phase < 2, turn, round_))
    about = np.sin(2.0 * np.pi * phase)
    flexion, abduction, rotation = (
        np.radians(wide) * part for wide, part in zip(wide_deg, (flexed, aside, about), strict=True)
    )
    return fixed_turn("z", flexion) @ fixed_turn("x", abduction) @ fixed_turn("y", rotation)


def moved(turns: Array, noise_m: float = 0.0, seed: int = 0) -> Moved:
    """Return two clusters about a centre; the proximal one sways a little.

    Parameters
    ----------
    turns : array, shape (n, 3, 3)
        Of the distal segment in the proximal one.
    noise_m : float
        Standard deviation of white noise on every coordinate, m.
    seed : int
        Of the noise.
    """
    rng = np.random.default_rng(seed)
    phase = np.linspace(0.0, 2.0 * np.pi, len(turns))
    sway = fixed_turn("x", 0.05 * np.sin(3 * phase)) @ fixed_turn("z", 0.08 * np.sin(2 * phase))
    centre = np.stack((0.02 * np.sin(phase), 0.9 + 0.01 * np.cos(2 * phase), 0 * phase), axis=1)
    clusters = [
        centre[:, None] + (PROXIMAL_M + cluster()) @ np.swapaxes(sway, 1, 2),
        centre[:, None] + (DISTAL_M + cluster()) @ np.swapaxes(sway @ turns, 1, 2),
    ]
    first, second = (one + noise_m * rng.normal(size=one.shape) for one in clusters)
    return Moved(first, second, centre, sway[..., 2])
