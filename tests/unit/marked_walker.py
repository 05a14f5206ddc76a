"""The walker in the landmarks of many laboratories, under any labels, in any axes and units."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.synthetic import Recording as Asked
from gaitdyn.synthetic import Walk, Walker, stand, walk
from gaitdyn.synthetic.body import foot_points, sign
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES, Subject

if TYPE_CHECKING:
    from collections.abc import Mapping

Array = np.ndarray[Any, np.dtype[Any]]
Key = tuple[str, str]

Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From G (X forward, Y up, Z right) to a laboratory with Z up and Y to the left."""


@cache
def marked(kind: str) -> dict[Key, Array]:
    """Return (landmark, side) -> positions, shape (n, 3), m, G; ``kind`` is walk or stand."""
    trial = (walk if kind == "walk" else stand)(Walker(), Asked(rate_hz=100.0, analog_ratio=2))
    points: dict[Key, Array] = {}
    at = dict(zip(trial.labels, np.moveaxis(trial.markers_G, 1, 0), strict=True))
    for side in SIDES:
        letter = side[0].upper()
        points |= {(code, side): at[letter + x] for code, x in (("ASIS", "ASI"), ("PSIS", "PSI"))}
        points |= {(code, side): p for code, p in leg(trial, side).items()}
    points["SACR", ""] = (at["LPSI"] + at["RPSI"]) / 2
    middle = (at["LASI"] + at["RASI"]) / 2
    up = np.array([0.0, np.mean(middle[:, 1]), 0.0])
    back = points["SACR", ""] - middle
    points["C7", ""] = middle + 0.8 * back + 0.505 * up
    points["JN", ""] = middle + 0.1 * back + 0.44 * up
    for side in SIDES:
        across = at[side[0].upper() + "ASI"] - middle
        points["ACR", side] = middle + 0.5 * back + 1.5 * across + 0.48 * up
    return points


def leg(trial: Walk, side: Any) -> dict[str, Array]:
    """Return the landmarks of one leg, fixed in its true segments."""
    motion, body = trial.leg(side).motion, trial.walker.body
    foot, shank, thigh = np.moveaxis(motion.R_GS, 1, 0)
    ankle, knee, hip = np.moveaxis(motion.r_prox_G, 1, 0)
    outward = -float(sign(side))

    def on(centre: Array, R: Array, x: float, y: float, z: float) -> Array:
        return centre + R @ np.array([x, y, outward * z])

    thigh_m = float(np.linalg.norm(hip - knee, axis=1).mean())
    shank_m = float(np.linalg.norm(knee - ankle, axis=1).mean())
    heel, toe = (foot_points(body, side)[name] for name in ("heel", "toe"))
    heel, toe = ankle + foot @ heel, ankle + foot @ toe
    return {
        "GTR": on(hip, thigh, 0.0, 0.0, 0.09),
        "THX": on(knee, thigh, 0.0, 0.5 * thigh_m, 0.08),
        "KLE": on(knee, thigh, 0.0, 0.0, 0.057),
        "KME": on(knee, thigh, 0.0, 0.0, -0.057),
        "FIB": on(ankle, shank, -0.015, shank_m - 0.05, 0.06),
        "TTU": on(ankle, shank, 0.04, shank_m - 0.07, 0.01),
        "SHX": on(ankle, shank, 0.0, 0.55 * shank_m, 0.07),
        "ANL": on(ankle, shank, 0.0, 0.0, 0.042),
        "ANM": on(ankle, shank, 0.0, 0.0, -0.042),
        "CAL": heel,
        "TOE": toe,
        "MT1H": toe + foot @ np.array([0.0, -0.01, -outward * 0.04]),
        "MT5H": toe + foot @ np.array([-0.035, -0.01, outward * 0.055]),
        "HLX": toe + foot @ np.array([0.05, -0.01, -outward * 0.03]),
    }


def cluster(code: str, kind: str, side: str, count: int = 4) -> list[Array]:
    """Return markers around the one of thigh or shank, spread along and around the bone."""
    whole = marked(kind)
    at, end = whole[code, side], whole[{"THX": "KLE", "SHX": "ANL"}[code], side]
    along = at - end
    return [at + (0.12 * (k - 1.5)) * along for k in range(count)]


def recording(
    labels: Mapping[str, Key | Array],
    kind: str = "stand",
    *,
    R_LG: Array = Z_UP,
    scale: float = 1.0,
    descriptions: tuple[str, ...] = (),
    name: str = "made.c3d",
) -> Recording:
    """Return a recording of the walker: label -> landmark and side, or positions in G.

    A label that ends in ``~`` and digits stands for the same label once more.
    """
    places = [p if isinstance(p, np.ndarray) else marked(kind)[p] for p in labels.values()]
    markers = scale * np.stack(places, axis=1) @ R_LG.T
    texts = tuple(label.split("~")[0] for label in labels)
    return Recording(
        name, "", 100.0, 1, 1, texts, markers, {}, (), (), Subject(), descriptions=descriptions
    )


def hidden(whole: Recording, label: str, shown: slice) -> Recording:
    """Return a recording in which a marker is seen in some frames alone."""
    markers = whole.markers_L.copy()
    at = whole.labels.index(label)
    keep = markers[shown, at].copy()
    markers[:, at] = np.nan
    markers[shown, at] = keep
    return replace(whole, markers_L=markers)


PIG = {"ASIS": "ASI", "PSIS": "PSI", "THX": "THI", "KLE": "KNE", "SHX": "TIB", "ANL": "ANK",
       "CAL": "HEE", "TOE": "TOE"}  # fmt: skip
"""Landmark -> label of Plug-in Gait without its side."""


def plug_in_gait(**more: Key) -> dict[str, Key | Array]:
    """Return the labels of Plug-in Gait, and more of them."""
    labels: dict[str, Key | Array] = {
        f"{side[0].upper()}{name}": (code, side) for side in SIDES for code, name in PIG.items()
    }
    return labels | dict(more)


def both(**names: str) -> dict[str, Key | Array]:
    """Return labels of both sides: landmark code -> label with {s} for the letter of the side."""
    return {
        text.replace("{s}", side[0].upper()).replace("{l}", side[0]): (code, side)
        for side in SIDES
        for code, text in names.items()
    }
