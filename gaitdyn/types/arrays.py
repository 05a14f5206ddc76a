"""The array type of the package, and how a value locks and checks its arrays."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gaitdyn.errors import ArrayShapeError
from gaitdyn.types.arguments import told

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.intp]


def real_array(name: str, value: object) -> Array:
    """Return ``value`` as a float64 array.

    Raises
    ------
    ArrayShapeError
        When it is ragged, or its elements are not real numbers.
    """
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        message = f"{name} is {told(value)}, wanted an array of real numbers"
        raise ArrayShapeError(message) from None


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
        With what was found and what is wanted.
    """
    array = real_array(name, value).view()
    if array.shape != shape and (
        array.ndim != len(shape)
        or any(want not in (None, have) for have, want in zip(array.shape, shape, strict=True))
    ):
        wanted = ", ".join("n" if want is None else str(want) for want in shape)
        comma = "," if len(shape) == 1 else ""
        message = f"{name} has shape {array.shape}, wanted ({wanted}{comma})"
        raise ArrayShapeError(message)
    array.flags.writeable = False
    return array
