"""Plates, steps and forces relative to the walking direction, for the figure of forces."""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.baseline import plates_of
from gaitdyn.core.runs import mask_of, runs
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.types.arrays import Array
from gaitdyn.types.contacts import Contact
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, SIDES
from gaitdyn.types.wrench import PlateWrench

ON_BELTS = 4
"""Steps that are drawn on belts, in the middle of the recording; all would lie on each other."""

SHOWN_N = 50.0
"""Upward force below which the centre of pressure of a rejected contact is not shown."""


@frozen(eq=False)
class DrawnStep:
    """A foot on the plates, or a contact that is not used.

    Attributes
    ----------
    side : {"left", "right", "rejected"}
    cop : array, shape (k, 2)
        Forward and to the left, m; NaN if unknown.
    force : array, shape (k, 2)
        Force on the subject, forward and up, N.
    feet : tuple of array, shape (2, 2)
        Heel and toe marker at mid-contact, forward and to the left, m.
    """

    side: str
    cop: Array
    force: Array
    feet: tuple[Array, ...]


@frozen(eq=False)
class DrawnPlate:
    """One plate over the trial.

    Attributes
    ----------
    number : int
    corners : array, shape (4, 2)
        Forward and to the left, m.
    force : array, shape (n, 2)
        Force on the subject, forward and up, without the baseline, N.
    contacts : tuple of Contact
    virtual : bool
        Whether it is a force without a plate, whose corners are not drawn.
    """

    number: int
    corners: Array
    force: Array
    contacts: tuple[Contact, ...]
    virtual: bool = False


def drawn_plates(result: Processed) -> list[DrawnPlate]:
    """Return the plates with their unfiltered forces."""
    forward, up, left = _directions(result)
    plates = []
    for wrench in plates_of(result):
        corners = np.stack((wrench.corners_G @ forward, wrench.corners_G @ left), axis=-1)
        force = np.stack((wrench.force_G @ forward, wrench.force_G @ up), axis=-1)
        contacts = tuple(c for c in result.contacts if c.plate == wrench.number)
        plates.append(DrawnPlate(wrench.number, corners, force, contacts, wrench.virtual))
    return plates


def drawn_steps(result: Processed) -> list[DrawnStep]:
    """Return the steps whose force is used, then the rejected contacts.

    On belts they are the steps nearest to the middle of the recording, in the frame of the belt.
    """
    middle = result.recording.n_frames // 2
    used = [(side, run) for side in result.sides for run in _used(result, side)]
    if result.belts:
        used.sort(key=lambda step: abs(sum(step[1]) / 2 - middle))
        used = sorted(used[:ON_BELTS])
    steps = []
    for side, run in used:
        wrench, travel_G = result.sides[side].wrench, result.ground_travel(side)
        if wrench is not None:
            moved_G = travel_G - travel_G[middle]
            cop_G, force_G = wrench.cop_G - moved_G, wrench.force_G
            steps.append(_step(result, side, cop_G, force_G, run, (side,), moved_G))
    if result.belts:
        return steps
    plates = {plate.number: plate for plate in plates_of(result)}
    rejected = [c for c in result.contacts if not c.accepted and c.plate in plates]
    return steps + [_rejected(result, c, plates[c.plate]) for c in rejected]


def _used(result: Processed, side: str) -> list[tuple[int, int]]:
    """Return the runs of rows in which the force on a foot is used."""
    used = ((c.start, c.stop) for c in result.contacts if c.accepted and c.side == side)
    return runs(mask_of(used, result.recording.n_frames))


def _directions(result: Processed) -> tuple[Array, Array, Array]:
    """Return the unit vectors forward, up and to the left."""
    walking = progression_frame(result.pose.walking_G)
    return walking[:, 0], walking[:, 1], -walking[:, 2]


def _step(
    result: Processed,
    side: str,
    cop_G: Array,
    force_G: Array,
    run: tuple[int, int],
    feet: tuple[str, ...],
    moved_G: Array | None = None,
) -> DrawnStep:
    """Return what is drawn of a half-open run of rows; the lines of feet that are known.

    ``moved_G``, shape (n, 3), is how far the ground below the feet has moved, m.
    """
    forward, up, left = _directions(result)
    rows = slice(*run)
    cop = np.stack((cop_G[rows] @ forward, cop_G[rows] @ left), axis=-1)
    force = np.stack((force_G[rows] @ forward, force_G[rows] @ up), axis=-1)
    trial, middle = result.trial, (run[0] + run[1]) // 2
    lines = []
    for foot in feet:
        names = [LETTER[foot] + name for name in ("TOE", "MT1", "MT5")]
        toes = [label for label in names if label in trial.labels]
        toes = toes[:1] if names[0] in toes else toes
        if LETTER[foot] + "HEE" in trial.labels and toes:
            toe = np.mean([trial.marker(label)[middle] for label in toes], axis=0)
            ends = np.stack((trial.marker(LETTER[foot] + "HEE")[middle], toe))
            ends = ends if moved_G is None else ends - moved_G[middle]
            lines.append(np.stack((ends @ forward, ends @ left), axis=-1))
    return DrawnStep(side, cop, force, tuple(line for line in lines if np.isfinite(line).all()))


def _rejected(result: Processed, contact: Contact, wrench: PlateWrench) -> DrawnStep:
    """Return a contact that is not used, with the centre of pressure of its plate alone."""
    cop = centre_of_pressure(wrench.force_G, wrench.moment_G, wrench.centre_G, wrench.normal_G)
    cop = np.where((wrench.force_G @ wrench.normal_G > SHOWN_N)[:, None], cop, np.nan)
    feet = {"both": tuple(SIDES), "none": ()}.get(contact.side, (contact.side,))
    run = contact.start, contact.stop
    return _step(result, "rejected", cop, wrench.force_G, run, feet)
