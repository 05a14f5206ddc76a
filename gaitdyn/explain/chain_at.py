"""The chain of one leg or arm of a result."""

from __future__ import annotations

import numpy as np

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import JOINTS, SEGMENTS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES
from gaitdyn.types.upper import ARM, ARM_JOINTS


@frozen()
class Limb:
    """Segments from the free end up, the joint above each, and the segment of the trunk."""

    name: str
    segments: tuple[str, ...]
    joints: tuple[str, ...]
    trunk: str


LEG = Limb("leg", SEGMENTS, JOINTS, "pelvis")
LIMBS = (LEG, Limb("arm", ARM, ARM_JOINTS, "thorax"))


@frozen(eq=False)
class StoredLeg:
    """One leg or arm of a trial.

    Attributes
    ----------
    side : {"left", "right"}
    frame : array, shape (n,)
        Frame numbers of the file.
    chain : Chain
    limb : Limb
    """

    side: str
    frame: Array
    chain: Chain
    limb: Limb = LEG

    def row(self, frame: int) -> int:
        """Return the row of a frame.

        Raises
        ------
        UsageError
            If the trial has no such frame.
        """
        rows = np.flatnonzero(self.frame == frame)
        if not len(rows):
            raise UsageError(
                f"--frame {frame}: the trial has the frames {self.frame[0]:.0f} to"
                f" {self.frame[-1]:.0f}"
            )
        return int(rows[0])


def parse_segment(text: str) -> tuple[str, Limb, int]:
    """Return side, limb and index of a segment such as ``left_shank``.

    Raises
    ------
    UsageError
        If the text names no segment.

    Examples
    --------
    >>> side, limb, number = parse_segment("left_shank")
    >>> side, limb.name, number
    ('left', 'leg', 1)
    """
    side, _, segment = text.strip().lower().partition("_")
    limb = next((limb for limb in LIMBS if segment in limb.segments), None)
    if side not in SIDES or limb is None:
        names = ", ".join(f"{s}_{x}" for s in SIDES for limb in LIMBS for x in limb.segments)
        raise UsageError(
            f"--segment is {text!r}, wanted one of {names}; for the loads at the waist see"
            " waist_moment and waist_closure_force"
        )
    return side, limb, limb.segments.index(segment)


def leg_of_result(result: Processed, side: str, limb: Limb = LEG) -> StoredLeg:
    """Return a leg or arm of a processed trial.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    limb : Limb

    Raises
    ------
    ResultsRefused
        If there are no loads of this side.
    """
    if limb is not LEG:
        chain = None if result.upper is None else result.upper.chains.get(side)
        if chain is None:
            name = result.recording.name
            if result.upper is not None and result.options.profile == "plug-in-gait":
                message = "the profile plug-in-gait has no free body of an arm"
                raise ResultsRefused(f"{name}: {message}; process again with --profile default")
            raise ResultsRefused(no_leg(name, side, limb))
        return StoredLeg(side, result.frame_numbers, chain, limb)
    leg = result.sides.get(side)
    if leg is None or leg.kinetics is None:
        name, reason = result.recording.name, result.no_kinetics
        if not reason:
            raise ResultsRefused(no_leg(name, side))
        raise ResultsRefused(f"{name}: found no loads: {reason.removeprefix(f'{name}: ')}")
    return StoredLeg(side, result.frame_numbers, leg.kinetics.loads.chain)


def no_leg(name: str, side: str, limb: Limb = LEG) -> str:
    """Return the message for a limb without loads."""
    alternative = "the other side" if limb is LEG else "a leg"
    return f"{name}: found no loads of the {side} {limb.name}; name a segment of {alternative}"
