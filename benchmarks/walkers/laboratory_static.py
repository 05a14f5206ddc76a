"""Calibrations as laboratories make them: quiet, with crouching in them, with walking in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.gait import quiet_stance
from gaitdyn.synthetic.kinematics import pose
from walkers.landmarks import landmarks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gaitdyn.synthetic.gait import Gait
    from gaitdyn.synthetic.kinematics import Walker
    from walkers.laboratory import Laboratory

    Array = NDArray[np.float64]
    Points = dict[str, Array]

QUIET_S, CROUCH_S, BLEND_S, WALK_S = 1.0, 1.6, 0.4, 1.2

_HIP, _HIP_SIDE, _HIP_TURN, _KNEE, _KNEE_SIDE, _ANKLE = 0, 1, 2, 3, 4, 6
_APART = 0.04
"""Abduction of the hips that the knees take back, rad: feet apart below vertical shanks."""

_BENDING = {_HIP: 0.30, _KNEE: 0.55, _ANKLE: 0.25}
"""Rows of Gait.leg_angles -> half the bending of a crouch, rad; soles stay level."""


def standing(lab: Laboratory, crouch: bool = False) -> Gait:
    """Return a gait that stands with the feet turned out, or crouches once in a cycle.

    Parameters
    ----------
    lab : Laboratory
    crouch : bool
    """
    gait = quiet_stance()
    angles = np.zeros((len(gait.leg_angles), 3))
    angles[:, 0] = gait.leg_angles[:, 0]
    angles[_HIP_TURN, 0] = -np.radians(lab.toe_out_deg)
    angles[_HIP_SIDE, 0], angles[_KNEE_SIDE, 0] = -_APART, _APART
    for row, half in _BENDING.items() if crouch else ():
        angles[row, 0] += half
        angles[row, 1] = -half
    return replace(gait, leg_angles=angles, stride_s=CROUCH_S, follow=0.0)


def calibration(lab: Laboratory, walker: Walker) -> Points:
    """Return every landmark of the calibration at the marker rate, G, m.

    Parameters
    ----------
    lab : Laboratory
        ``static`` says what is in it.
    walker : Walker
        Whose body; its course says where.

    Returns
    -------
    dict
        Landmark -> array, shape (n_frames, 3).
    """
    quiet = _still(lab, walker, QUIET_S)
    if lab.static == "with crouching":
        bent = _crouching(lab, walker)
        return _joined(bent, quiet, bent)
    if lab.static == "with walking":
        return _joined(quiet, _walking(lab, walker, quiet))
    return quiet


def _still(lab: Laboratory, walker: Walker, duration_s: float) -> Points:
    """Return landmarks of a person who stands."""
    time_s = _times(lab, duration_s)
    return landmarks(walker.body, pose(replace(walker, gait=standing(lab)), time_s))


def _crouching(lab: Laboratory, walker: Walker) -> Points:
    """Return landmarks of one crouch, the ankles where they are in quiet stance."""
    course = replace(walker.course, start_phase=0.0)
    bending = replace(walker, gait=standing(lab, crouch=True), course=course)
    found = landmarks(walker.body, pose(bending, _times(lab, CROUCH_S)))
    middle = (found["LAJC"] + found["RAJC"]) / 2.0
    return {name: place - (middle - middle[0]) for name, place in found.items()}


def _walking(lab: Laboratory, walker: Walker, quiet: Points) -> Points:
    """Return landmarks of a person who starts from a stance and walks on."""
    time_s = _times(lab, BLEND_S + WALK_S)
    found = landmarks(walker.body, pose(walker, time_s))
    stood, walks = ((p["LASI"][0] + p["RASI"][0]) / 2.0 for p in (quiet, found))
    start = stood - walks
    start[1] = 0.0
    share = np.clip(time_s / BLEND_S, 0.0, 1.0)[:, None]
    share = share**2 * (3.0 - 2.0 * share)
    return {
        name: (1.0 - share) * quiet[name][0] + share * (place + start)
        for name, place in found.items()
    }


def _times(lab: Laboratory, duration_s: float) -> Array:
    return np.arange(round(duration_s * lab.rate_hz)) / lab.rate_hz


def _joined(*parts: Points) -> Points:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
