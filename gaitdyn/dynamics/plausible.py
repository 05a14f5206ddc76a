"""Checks of a chain: axes that are not rotations, impossible masses, inertias and lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import ChainRefused

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.chain import Chain

    _Single = NDArray[np.float32]

ROTATION = 1e-6
"""Largest allowed element of R^T R - 1."""
INERTIA = 1e-9
"""Largest allowed asymmetry and negative eigenvalue, as a share of the largest."""
_SURE = 5e-7
"""Rounding of products in single precision is 2e-7 at most."""
_SAMPLED_FRAMES = 50
LONGEST_M = 10.0
"""From a joint to a centre of mass; in millimetres even a foot is longer."""


def check_chain(chain: Chain) -> None:
    """Refuse a chain that cannot be a leg; frames with NaN are skipped.

    Raises
    ------
    ChainRefused
        The message names segment and frame, what was found and what was wanted.
    """
    _check_mass(chain.mass)
    _check_inertia(chain.inertia_S)
    _check_rotation(chain.R_GS)
    _check_lengths(chain)


def _check_mass(mass: Array) -> None:
    wrong = np.flatnonzero(~((mass > 0) & np.isfinite(mass)))
    if wrong.size:
        i = wrong[0]
        raise ChainRefused(f"mass[{i}] is {mass[i]:g} kg, wanted a mass above zero")


def _check_inertia(inertia: Array) -> None:
    """Refuse tensors that are not symmetric or have a negative principal moment."""
    tensors = inertia.reshape(-1, 3, 3)
    finite = np.isfinite(tensors).all(axis=(1, 2))
    if inertia.ndim == 3 and not finite.all():  # noqa: PLR2004  one per segment, not per frame
        i = int(np.flatnonzero(~finite)[0])
        raise ChainRefused(f"inertia_S[{i}] is not finite, wanted kg m2")
    numbers, tensors = np.flatnonzero(finite), tensors[finite]
    if not numbers.size:
        return
    largest = np.abs(tensors).max(axis=(1, 2))
    skewed = np.abs(tensors - np.swapaxes(tensors, 1, 2)).max(axis=(1, 2)) > INERTIA * largest
    if skewed.any():
        index = _index(inertia, int(numbers[np.argmax(skewed)]))
        raise ChainRefused(f"inertia_S{index} is not symmetric, wanted a symmetric tensor, kg m2")
    moments = np.linalg.eigvalsh(tensors)
    low = moments[:, 0] < -INERTIA * np.abs(moments).max(axis=1)
    if low.any():
        k = int(np.argmax(low))
        raise ChainRefused(
            f"inertia_S{_index(inertia, int(numbers[k]))} has a principal moment of"
            f" {moments[k, 0]:.3g} kg m2, wanted all at or above zero"
        )


def _index(inertia: Array, k: int) -> str:
    s = inertia.shape[-3]
    return f"[{k}]" if inertia.ndim == 3 else f"[{k // s}, {k % s}]"  # noqa: PLR2004


def _check_rotation(R: Array) -> None:
    """Refuse axes that are not orthogonal, not of unit length, or left-handed."""
    if not R.size or _surely_rotations(R):
        return
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(axis=(-2, -1))
        left_handed = np.linalg.det(R) < 0
    bad = off > ROTATION
    if bad.any():
        n, i = np.argwhere(bad)[0]
        raise ChainRefused(
            f"R_GS[{n}, {i}] is not a rotation: R^T R differs from 1 by {off[n, i]:.3g}, wanted"
            f" at most {ROTATION:g}; columns are the segment axes in G, v_G = R_GS @ v_S"
        )
    if left_handed.any():
        n, i = np.argwhere(left_handed)[0]
        raise ChainRefused(f"R_GS[{n}, {i}] is left-handed (determinant -1), wanted a rotation")


def _surely_rotations(R: Array) -> bool:
    """Return whether all axes are surely orthonormal and right-handed; False means unsure.

    In single precision, checks that x and y have unit length and are orthogonal, and that
    z = x cross y; rounding is below the limit by a factor of three.
    """
    elements = R.reshape(-1, 9).T.astype(np.float32, order="C")
    a, b, c, d, e, f, g, h, i = elements  # rows of R: a b c, d e f, g h i
    total, term = np.empty_like(a), np.empty_like(a)

    def all_near(value: float, pairs: tuple[tuple[_Single, _Single], ...]) -> bool:
        np.multiply(*pairs[0], out=total)
        for pair in pairs[1:]:
            np.multiply(*pair, out=term)
            np.add(total, term, out=total)
        return bool(total.max() < value + _SURE and total.min() > value - _SURE)

    def is_cross(plus: tuple[_Single, _Single], minus: tuple[_Single, _Single], z: _Single) -> bool:
        np.multiply(*plus, out=total)
        np.multiply(*minus, out=term)
        np.subtract(total, term, out=total)
        np.subtract(total, z, out=total)
        return bool(total.max() < _SURE and total.min() > -_SURE)

    with np.errstate(invalid="ignore", over="ignore"):
        return (
            all_near(1.0, ((a, a), (d, d), (g, g)))
            and all_near(1.0, ((b, b), (e, e), (h, h)))
            and all_near(0.0, ((a, b), (d, e), (g, h)))
            and is_cross((d, h), (g, e), c)
            and is_cross((g, b), (a, h), f)
            and is_cross((a, e), (d, b), i)
        )


def _check_lengths(chain: Chain) -> None:
    """Refuse millimetres; frames spread over the trial are enough to detect them."""
    step = max(1, chain.n_frames // _SAMPLED_FRAMES)
    arm = np.abs(chain.r_cm_G[::step] - chain.r_prox_G[::step]).max(axis=-1)
    far = arm > LONGEST_M
    if far.any():
        n, i = np.argwhere(far)[0]
        raise ChainRefused(
            f"r_cm_G[{step * n}, {i}] is {arm[n, i]:.0f} m from r_prox_G: lengths look like"
            " millimetres, wanted metres"
        )
