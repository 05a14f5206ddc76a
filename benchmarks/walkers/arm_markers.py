"""Markers of an arm, placed so that the constructions of its joint centres find them exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.body import SIDES, Side, sign

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gaitdyn.synthetic.jets import Jet
    from gaitdyn.synthetic.walk import Walk
    from walkers.upper import Segment, Upper

    Array = NDArray[np.float64]

LENGTHS_M = {"hand": 0.085, "forearm": 0.255, "upper_arm": 0.29}
WIDTHS_MM = {
    "shoulder_offset_mm": 40.0, "elbow_width_mm": 75.0, "wrist_width_mm": 50.0,
    "hand_thickness_mm": 22.0,
}  # fmt: skip
_HALF_BAR_M = 0.035


def arm_markers(
    side: Side,
    joints: dict[str, Jet],
    segments: dict[str, Segment],
    thorax: tuple[Array, Array],
    ball: float,
) -> dict[str, Array]:
    """Return SHO, ELB, WRA, WRB, FIN from which the vendor's construction finds the centres."""
    sg, half = sign(side), ball / 2.0
    shoulder, elbow, wrist, hand = (
        joints[f"{side}_{name}"].value for name in ("shoulder", "elbow", "wrist", "hand_end")
    )
    R_hand, R_upper = (segments[f"{side}_{n}"].R_GS.value for n in ("hand", "upper_arm"))
    reach = {name: width / 1000.0 for name, width in WIDTHS_MM.items()}
    to_elbow = _unit(elbow - wrist)
    bar = _unit(np.cross(R_hand[..., 0], to_elbow))
    way = np.where(np.einsum("ni,ni->n", bar, R_hand[..., 2]) < 0, -sg, sg)
    bar = bar * way[:, None]  # from WRA to WRB
    r = reach["wrist_width_mm"] / 2.0 + half
    length = LENGTHS_M["forearm"]
    dorsal = _unit(np.cross(bar, to_elbow)) * sg
    middle = wrist + r * (r / length * to_elbow + np.sqrt(1.0 - (r / length) ** 2) * dorsal)
    along = _unit(hand - wrist)
    aside = middle - wrist
    aside = _unit(aside - np.einsum("ni,ni->n", aside, along)[:, None] * along)
    letter = side[0].upper()
    return {
        f"{letter}SHO": _shoulder_marker(shoulder, thorax, reach["shoulder_offset_mm"] + half, sg),
        f"{letter}ELB": _elbow_marker(
            (shoulder, elbow, middle), R_upper, reach["elbow_width_mm"] / 2.0 + half, sg
        ),
        f"{letter}WRA": middle - _HALF_BAR_M * bar,
        f"{letter}WRB": middle + _HALF_BAR_M * bar,
        f"{letter}FIN": hand + (reach["hand_thickness_mm"] / 2.0 + half) * aside,
    }


def _shoulder_marker(centre: Array, thorax: tuple[Array, Array], reach: float, sg: float) -> Array:
    """Return the marker above a shoulder: square to the line from the thorax, by iteration."""
    origin, R = thorax
    marker = centre + reach * R[..., 1]
    for _ in range(200):
        arm = marker - origin
        size = np.linalg.norm(arm, axis=1, keepdims=True)
        up = sg * _unit(np.cross(R[..., 0], arm))
        c = reach / size
        marker = centre + reach * (c * arm / size + np.sqrt(1.0 - c**2) * up)
    return marker


def _elbow_marker(points: tuple[Array, Array, Array], R_upper: Array, r: float, sg: float) -> Array:
    """Return the marker beside an elbow whose plane with shoulder and wrist holds the centre.

    The direction from the centre is square to the upper arm; its turn about it by bisection.
    """
    shoulder, centre, wrist = points
    outward, forward = -sg * R_upper[..., 2], R_upper[..., 0]

    def at(turned: Array) -> tuple[Array, Array]:
        e = np.cos(turned)[:, None] * outward + np.sin(turned)[:, None] * forward
        marker = centre + r * e
        a, b = shoulder - marker, wrist - marker
        ab, aa = np.einsum("ni,ni->n", a, b), np.einsum("ni,ni->n", a, a)
        return marker, np.einsum("ni,ni->n", e, a * ab[:, None] - b * aa[:, None])

    low, high = np.full(len(centre), -0.3), np.full(len(centre), 1.4)
    start = at(low)[1]
    for _ in range(60):
        middle = 0.5 * (low + high)
        same = at(middle)[1] * start > 0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return at(0.5 * (low + high))[0]


def on_landmarks(trial: Walk, upper: Upper) -> Walk:
    """Return a walk or a stance whose elbows and wrists are marked on both sides of their centres.

    ELM is beside ELB; WRA and WRB become RSP and USP; FIN is behind the hand, square to the back of
    the wrist.

    Parameters
    ----------
    trial : Walk
    upper : Upper
        Its truth, from :func:`with_upper`.
    """
    at = dict(zip(trial.labels, np.moveaxis(trial.markers_G, 1, 0), strict=True))
    half = trial.walker.body.marker_diameter_mm / 2000.0
    reach = WIDTHS_MM["hand_thickness_mm"] / 2000.0 + half
    for side in SIDES:
        letter = side[0].upper()
        elbow, wrist, hand = (
            upper.joints[f"{side}_{name}"].value for name in ("elbow", "wrist", "hand_end")
        )
        thumb = _unit(at.pop(letter + "WRA") - at.pop(letter + "WRB"))
        at[letter + "RSP"], at[letter + "USP"] = wrist + 0.028 * thumb, wrist - 0.028 * thumb
        at[letter + "ELM"] = 2.0 * elbow - at[letter + "ELB"]
        along, back = _unit(hand - wrist), -sign(side) * np.cross(thumb, elbow - wrist)
        back = _unit(back - np.einsum("ni,ni->n", back, along)[:, None] * along)
        at[letter + "FIN"] = hand + reach * back
    return replace(trial, labels=tuple(at), markers_G=np.stack(list(at.values()), axis=1))


def _unit(v: Array) -> Array:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)
