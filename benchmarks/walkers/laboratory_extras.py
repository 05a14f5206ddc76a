"""Points in a laboratory's file that are not landmarks of pelvis and legs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Points = dict[str, Array]

_UPPER_BODY = {
    "C7": (-0.10, 0.50, 0.0),
    "T10": (-0.13, 0.25, 0.0),
    "CLAV": (0.02, 0.43, 0.0),
    "STRN": (0.06, 0.25, 0.0),
    "LSHO": (-0.04, 0.46, -0.19),
    "RSHO": (-0.04, 0.46, 0.19),
    "LELB": (-0.04, 0.17, -0.29),
    "RELB": (-0.04, 0.17, 0.29),
    "LWRA": (0.10, -0.05, -0.30),
    "RWRA": (0.10, -0.05, 0.30),
    "LFHD": (0.06, 0.68, -0.07),
    "RFHD": (0.06, 0.68, 0.07),
}
"""Label -> place from the middle of the ASIS: forward, up, to the right, m, of an adult."""
_THIGH_M = 0.425
"""Of that adult."""

_AXIS_M = 0.1
_BESIDE_M = (0.15, 0.1, -0.2)
_FLOOR_M = (0.3, 0.02, 0.6)
_ASIDE_M = (0.4, 0.0, 1.4)
_FRAME_M = ((0.45, 0.80, -0.32), (0.45, 0.80, 0.32), (0.50, 0.30, -0.34), (0.50, 0.30, 0.34))
_CRUTCH_M = np.array([0.25, 0.70, 0.42])


def extra_points(kind: str, places: Points) -> list[tuple[str, Array]]:
    """Return labels and places of what else is in a file.

    Parameters
    ----------
    kind : {"none", "unlabelled", "upper body", "model output", "second person", "walking aid", \
"everything"}
        Reflections that nobody named; trunk, arms and head; what the vendor's model draws: joint
        centres with three axes each, angles as if they were points.
    places : dict
        Every landmark -> array, shape (n_frames, 3), G, m.

    Returns
    -------
    list of (label, array of shape (n_frames, 3))
        m.
    """
    if kind == "everything":
        drawn = [*_upper_body(places), *_model_output(places), *_unlabelled(places)]
        return list({label: (label, place) for label, place in drawn}.values())
    if kind == "second person":
        return _second_person(places)
    if kind == "walking aid":
        return _walking_aid(places)
    if kind == "unlabelled":
        return _unlabelled(places)
    if kind == "upper body":
        return _upper_body(places)
    return _model_output(places) if kind == "model output" else []


def _unlabelled(places: Points) -> list[tuple[str, Array]]:
    """Return a reflection on the floor and two that move beside a leg."""
    n = len(places["RANL"])
    still = np.tile(np.array(_FLOOR_M), (n, 1))
    moving = places["RANL"] + _BESIDE_M
    moving[: n // 2] = np.nan
    still[n // 4 :] = np.nan
    return [("*33", still), ("*34", moving), ("C_12", moving + 0.05)]


def _second_person(places: Points) -> list[tuple[str, Array]]:
    """Return unlabelled markers of somebody who stands beside the walkway."""
    seen = [key for key in places if not key.endswith("JC")][:20]
    return [
        (f"*{100 + i}", np.broadcast_to(places[key][0] + _ASIDE_M, places[key].shape).copy())
        for i, key in enumerate(seen)
    ]


def _walking_aid(places: Points) -> list[tuple[str, Array]]:
    """Return four markers of a frame that goes with the person, and two of a crutch."""
    middle = (places["LASI"] + places["RASI"]) / 2.0
    floor = middle * [1.0, 0.0, 1.0]
    return [
        *((f"frame{i + 1}", floor + place) for i, place in enumerate(_FRAME_M)),
        ("crutch_top", floor + _CRUTCH_M),
        ("crutch_tip", floor + _CRUTCH_M * [1.0, 0.05, 1.0]),
    ]


def _upper_body(places: Points) -> list[tuple[str, Array]]:
    """Return markers that go with the pelvis, upright."""
    middle = (places["LASI"] + places["RASI"]) / 2.0
    right = (places["RASI"] - places["LASI"]) * [1.0, 0.0, 1.0]
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    up = np.broadcast_to(np.array([0.0, 1.0, 0.0]), right.shape)
    forward = np.cross(up, right)
    size = np.linalg.norm(places["LHJC"][0] - places["LKJC"][0]) / _THIGH_M
    return [
        (label, middle + size * (x * forward + y * up + z * right))
        for label, (x, y, z) in _UPPER_BODY.items()
    ]


def _model_output(places: Points) -> list[tuple[str, Array]]:
    """Return families of axes at knees and ankles (origin, then ends) and curves in degrees."""
    found: list[tuple[str, Array]] = []
    for side in "LR":
        for name, joint in (("FE", "KJC"), ("TI", "AJC")):
            origin = places[side + joint]
            found.append((f"{side}{name}O", origin))
            found += [
                (f"{side}{name}{letter}", origin + _AXIS_M * axis)
                for letter, axis in zip("ALP", np.eye(3), strict=True)
            ]
        bend = np.linspace(0.0, 0.06, len(places["RANL"]))
        found.append(
            (f"{side}KneeAngles", np.stack([bend, 0.1 * bend, 0.0 * bend + 0.003], axis=1))
        )
    return [*found, ("CentreOfMass", (places["LHJC"] + places["RHJC"]) / 2.0)]
