"""The steps of a trial: runs of frames in which the force under one foot is known."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import runs
from gaitdyn.kinematics.angles import ahead_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.contacts import Contact
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

SHORTEST_S = 0.25
UP = np.array((0.0, 1.0, 0.0))

ALIKE = 0.1
"""If all steps carry too little and their shares of body weight differ by at most this, the mass is
wrong. Feet partly off the plates carry random shares: .40 and .75 in BTK-D."""


@frozen(eq=False)
class LoadedStep:
    """One loaded run of one foot, with all plates under it combined.

    Attributes
    ----------
    side : str
    start, stop : int
        Half-open rows.
    plates : str
        ``plate 1``, or ``plates 1, 2``.
    numbers : tuple of int
        Of these plates.
    whole : bool
        All its contacts are valid and none is cut by the file.
    entire : bool
        As ``whole``, or it only carries too little, by about the same share as all steps of both
        feet (:func:`light_alike`): then the stated mass is wrong and the whole foot is on the
        plate.
    force_G, cop_G : arrays, shape (n, 3)
        N, m.
    free_moment : array, shape (n,)
        N m.
    """

    side: str
    start: int
    stop: int
    plates: str
    numbers: tuple[int, ...]
    whole: bool
    entire: bool
    force_G: Array
    cop_G: Array
    free_moment: Array

    def when(self, result: Processed) -> dict[str, object]:
        """Return side and times of the step, for a finding."""
        return {"side": self.side, **times(result, self.start, self.stop)}

    def ahead(self, result: Processed) -> Array:
        """Return the walking direction of the step, shape (3,)."""
        return ahead_of(result.pose, slice(self.start, self.stop))

    def part(self, part: tuple[float, float]) -> slice:
        """Return the rows of a part of the step, counted from its first row."""
        n = self.stop - self.start
        return slice(int(part[0] * n), int(part[1] * n) + 1)


def to_right(ahead: Array) -> Array:
    """Return the horizontal direction to the right of a direction ahead, shape (..., 3)."""
    return cross(ahead, UP)


def times(result: Processed, start: int, stop: int) -> dict[str, float]:
    """Return the times of half-open rows, s on the clock of the recording."""
    recording = result.recording
    return recording.times_of(start, min(max(stop, 1), recording.n_frames))


def light_alike(contacts: Iterable[Contact]) -> tuple[Contact, ...]:
    """Return the contacts that carry too little, if those of both feet have similar shares."""
    shares = {c: c.light for c in contacts if c.light is not None}
    both = {c.side for c in shares} == set(SIDES)
    alike = both and max(shares.values()) - min(shares.values()) <= ALIKE
    return tuple(shares) if alike else ()


def steps(result: Processed) -> list[LoadedStep]:
    """Return the steps of both feet that last longer than 0.25 s, cached."""
    return result.once("steps", lambda: _steps(result))


def _steps(result: Processed) -> list[LoadedStep]:
    loaded: list[LoadedStep] = []
    light = light_alike(result.contacts)
    for name, side in result.sides.items():
        if side.wrench is None:
            continue
        wrench = side.wrench
        for start, stop in runs(wrench.in_contact & np.isfinite(wrench.force_G[:, 1])):
            contacts = [
                c
                for c in result.contacts
                if c.side == name and c.accepted and c.start < stop and c.stop > start
            ]
            if not contacts or stop - start < SHORTEST_S * result.recording.rate_hz:
                continue
            numbers = tuple(sorted({c.plate for c in contacts}))
            listed = ", ".join(map(str, numbers))
            scope = f"plate {listed}" if len(numbers) == 1 else f"plates {listed}"
            inside = start > 0 and stop < len(wrench.in_contact)
            whole = inside and all(c.verdict == "valid" for c in contacts)
            entire = inside and all(c.verdict == "valid" or c in light for c in contacts)
            rows = slice(start, stop)
            loaded.append(
                LoadedStep(
                    name, start, stop, scope, numbers, whole, entire,
                    wrench.force_G[rows], wrench.cop_G[rows], wrench.free_moment[rows],
                )
            )  # fmt: skip
    return loaded
