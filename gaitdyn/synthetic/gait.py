"""The walker's gait: Fourier coefficients of every degree of freedom, and its timing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gaitdyn.synthetic import coefficients
from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import Side


def fourier_table(values: Sequence[Sequence[float] | Array]) -> Array:
    """Return rows of coefficients, padded with zeros to equal length, as a read-only array."""
    width = max(len(row) for row in values)
    table = np.array([(*row, *([0.0] * (width - len(row)))) for row in values])
    table.setflags(write=False)
    return table


@dataclass(frozen=True, slots=True, eq=False)
class Gait:
    """A periodic gait in closed form.

    Parameters
    ----------
    stride_s : float
        Duration of a stride, s.
    stride_length : float
        In leg lengths (thigh plus shank).
    stance : float
        Fraction of the stride in which a foot is on the ground.
    lead : {"left", "right"}
        The side whose foot strikes at phase zero; the other follows.
    follow : float
        Fraction of the stride by which the other side follows; 0.5 for even steps.
    follow_stance : float or None
        ``stance`` of the following side; ``None`` if it is the same.
    pelvis_path : array, shape (3, 1 + 2 m)
        Mid-hip point: forward (added to the steady progress), up from the ankles' height, towards
        the leading side; leg lengths. A row is c0, a_1, b_1, ... in the leading side's phase.
    pelvis_angles : array, shape (3, 1 + 2 m)
        Anterior tilt, leading side up, leading side forward, rad.
    leg_angles : array, shape (8, 1 + 2 m)
        In the phase of each side from its foot strike, rad: hip flexion, adduction, internal
        rotation; knee flexion, adduction, internal rotation; ankle dorsiflexion (zero with a flat
        foot below a vertical shank), internal rotation.
    follow_angles : array, shape (8, 1 + 2 m), or None
        ``leg_angles`` of the following side; ``None`` if they are the same.
    inward : tuple of (side, cycle, angle)
        Stances closer to the other foot: adduction added at the hip, rad, from the swing
        before the strike of that cycle to the swing after it.
    load : float
        Factor of the ground reaction force.
    """

    stride_s: float = 1.1
    stride_length: float = coefficients.STRIDE_LENGTH
    stance: float = 0.61
    lead: Side = "right"
    follow: float = 0.5
    follow_stance: float | None = None
    pelvis_path: Array = field(default_factory=lambda: fourier_table(coefficients.PELVIS_PATH))
    pelvis_angles: Array = field(default_factory=lambda: fourier_table(coefficients.PELVIS_ANGLES))
    leg_angles: Array = field(default_factory=lambda: fourier_table(coefficients.LEG_ANGLES))
    follow_angles: Array | None = None
    inward: tuple[tuple[Side, int, float], ...] = ()
    load: float = 1.0

    @property
    def phase_rate(self) -> float:
        """Rate of the phase, rad/s."""
        return 2.0 * np.pi / self.stride_s

    def mirrored(self) -> Gait:
        """Return the gait with left and right exchanged."""
        other: dict[Side, Side] = {"left": "right", "right": "left"}
        inward = tuple((other[side], number, angle) for side, number, angle in self.inward)
        return replace(self, lead=other[self.lead], inward=inward)

    def lag(self, side: Side) -> float:
        """Return the fraction of a cycle by which a side follows the leading one."""
        return 0.0 if side == self.lead else self.follow

    def angles_of(self, side: Side) -> Array:
        """Return the coefficients of the leg angles of a side, shape (8, 1 + 2 m)."""
        following = self.follow_angles if side != self.lead else None
        return self.leg_angles if following is None else following

    def stance_of(self, side: Side) -> float:
        """Return the fraction of the stride in which the foot of a side is on the ground."""
        following = self.stance if self.follow_stance is None else self.follow_stance
        return self.stance if side == self.lead else following


def quiet_stance() -> Gait:
    """Return the gait of a quiet stance: constant angles, flat feet side by side, no progress."""
    return Gait(
        stride_length=0.0,
        stance=1.0,
        pelvis_path=fourier_table(((0.0,), (coefficients.STANDING_HEIGHT,), (0.0,))),
        pelvis_angles=fourier_table(tuple((angle,) for angle in coefficients.STANDING_PELVIS)),
        leg_angles=fourier_table(tuple((angle,) for angle in coefficients.STANDING_LEG)),
    )


def sampled(coefficients: Array, samples: int) -> Array:
    """Return angles at equally spaced phases from a foot strike, shape (k, samples), rad.

    Parameters
    ----------
    coefficients : array, shape (k, 1 + 2 m)
        Rows c0, a_1, b_1, ... of one cycle.
    samples : int
    """
    phase = 2.0 * np.pi * np.arange(samples) / samples
    order = np.arange(1, (coefficients.shape[1] - 1) // 2 + 1)
    waves = np.outer(order, phase)
    a, b = coefficients[:, 1::2], coefficients[:, 2::2]
    return coefficients[:, :1] + a @ np.cos(waves) + b @ np.sin(waves)


def coefficients_of(angles: Array) -> Array:
    """Return rows c0, a_1, b_1, ... of angles at equally spaced phases, shape (k, samples - 1).

    Parameters
    ----------
    angles : array, shape (k, samples)
        One cycle, an even number of samples.
    """
    spectrum = np.fft.rfft(angles, axis=1)[:, :-1] / angles.shape[1]
    table = np.empty((len(angles), 2 * spectrum.shape[1] - 1))
    table[:, 0] = spectrum[:, 0].real
    table[:, 1::2], table[:, 2::2] = 2.0 * spectrum[:, 1:].real, -2.0 * spectrum[:, 1:].imag
    return table
