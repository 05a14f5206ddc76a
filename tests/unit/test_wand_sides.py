"""A first look at wands: those within 25 degrees of the side of their segment need no second."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitdyn.calibrate.ladder.wand_sides import may_be_astray
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject

# x ahead, y up, z to the right, m: hips by Bell, 0.36, 0.19 and 0.30 of 240 mm out, back and down
PELVIS = {"LASI": (0.0, 1.0, -0.12), "RASI": (0.0, 1.0, 0.12)}
SACRUM = {"SACR": (-0.16, 1.0, 0.0)}
ANGLES = {"RTHI": 0.0, "RTIB": 0.0, "LTHI": 0.0, "LTIB": 0.0}


def worn(angles: dict[str, float]) -> dict[str, Any]:
    """Return knee and ankle markers, and wands at an angle about their segments, deg."""
    found: dict[str, Any] = {}
    for letter, sign in (("R", 1.0), ("L", -1.0)):
        outward = np.array([0.0, 0.0, sign])
        hip = np.array([-0.0456, 0.928, sign * 0.0864])
        knee, ankle = np.array([0.03, 0.5, sign * 0.15]), np.array([-0.02, 0.1, sign * 0.12])
        found |= {letter + "KNE": knee, letter + "ANK": ankle}
        for name, upper, lower in (("THI", hip, knee), ("TIB", knee - 0.06 * outward, ankle)):
            if letter + name not in angles:
                continue
            axis = (upper - lower) / np.linalg.norm(upper - lower)
            side = outward - (outward @ axis) * axis
            side /= np.linalg.norm(side)
            turn = np.radians(angles[letter + name])
            away = np.cos(turn) * side + np.sin(turn) * np.cross(axis, side)
            found[letter + name] = lower + 0.5 * (upper - lower) + 0.1 * away
    return found


def looked_at(markers: dict[str, Any], turned: float = 0.4) -> bool:
    """Return what is said of a person who faces another way in the laboratory."""
    R = np.array(
        [[np.cos(turned), 0, np.sin(turned)], [0, 1, 0], [-np.sin(turned), 0, np.cos(turned)]]
    )
    points = np.tile(
        np.array(list(markers.values()), dtype=float) @ R.T + (2.0, 0.1, -1.0), (3, 1, 1)
    )
    read = Recording("walk.c3d", "", 100.0, 1, 1, tuple(markers), points, {}, (), (), Subject())
    return may_be_astray(read, dict(enumerate(markers)))


@pytest.mark.parametrize("wand", ANGLES)
def test_a_wand_is_looked_at_again_beyond_25_degrees(wand: str) -> None:
    for angle, again in ((0.0, False), (24.0, False), (-24.0, False), (26.0, True), (-26.0, True),
                         (180.0, True)):  # fmt: skip
        assert looked_at(PELVIS | SACRUM | worn(ANGLES | {wand: angle})) == again
    assert not looked_at(PELVIS | SACRUM | worn({x: 0.0 for x in ANGLES if x != wand}))
    hidden = worn(ANGLES)
    hidden[wand] = hidden[wand] * np.nan
    assert looked_at(PELVIS | SACRUM | hidden)


def test_without_a_pelvis_it_is_always_looked_at_again() -> None:
    legs = worn(ANGLES)
    behind = {"LPSI": (-0.16, 1.0, -0.04), "RPSI": (-0.16, 1.0, 0.04)}
    assert not looked_at(PELVIS | behind | legs)
    assert looked_at(PELVIS | legs)
    for label, place in PELVIS.items():
        assert looked_at({label: place} | SACRUM | legs)
    assert not looked_at(PELVIS | SACRUM | {x: p for x, p in legs.items() if x[1:] != "KNE"})
