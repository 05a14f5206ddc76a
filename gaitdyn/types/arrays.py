"""The array type of the package, and how a value locks and checks its arrays."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gaitdyn.errors import ArrayShapeError

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.intp]


def locked(name: str, value: object, shape: tuple[int | None, ...]) -> Array:
    """Return ``value`` as a read-only float64 array after checking its shape.

    Parameters
    ----------
    name : str
        Name of the array in the message.
    value : array_like
    shape : tuple
        Wanted shape; ``None`` stands for any length.

    Returns
    -------
    array
        A read-only view; the caller's own array is not changed.

    Raises
    ------
    ArrayShapeError
        With the shape found and the shape wanted.
    """
    array = np.asarray(value, dtype=np.float64).view()
    if array.ndim != len(shape) or any(
        want is not None and have != want for have, want in zip(array.shape, shape, strict=True)
    ):
        wanted = tuple("n" if want is None else want for want in shape)
        message = f"{name} has shape {array.shape}, wanted ({', '.join(map(str, wanted))})"
        raise ArrayShapeError(message)
    array.flags.writeable = False
    return array
