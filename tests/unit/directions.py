"""Directions of the laboratory and of a body that faces forward, and turns between them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

Array = np.ndarray[Any, np.dtype[np.float64]]
Name = Literal["left", "right"]
FORWARD, UP, RIGHT = np.eye(3)
BACK, DOWN, LEFT = -FORWARD, -UP, -RIGHT
MEDIAL = {"left": RIGHT, "right": LEFT}
LATERAL = {"left": LEFT, "right": RIGHT}
SIDES = pytest.mark.parametrize("side", ["left", "right"])


def turn(what: Array, goes: Array, degrees: float) -> Array:
    """Return the turn that takes one direction towards another that is square to it."""
    return Rotation.from_rotvec(np.cross(what, goes) * np.radians(degrees)).as_matrix()
