"""Interpolation between samples by the cubic through the four nearest (Lagrange)."""

from gaitdyn.types.arrays import Array


def cubic_weights(t: Array) -> tuple[Array, Array, Array, Array]:
    """Return the weights of the samples at -1, 0, 1 and 2 for the value at ``t``, of its shape."""
    return (
        -t * (t - 1) * (t - 2) / 6,
        (t + 1) * (t - 1) * (t - 2) / 2,
        -(t + 1) * t * (t - 2) / 2,
        (t + 1) * t * (t - 1) / 6,
    )
