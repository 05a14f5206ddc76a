"""The chain of one leg or arm, from ``motion.npz`` or from a trial that is processed again."""

from __future__ import annotations

from dataclasses import dataclass, fields
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.whole import checked_bytes, listed, read_sealed
from gaitdyn.types.chain import Chain
from gaitdyn.types.motion import JOINTS, SEGMENTS
from gaitdyn.types.upper import ARM, ARM_JOINTS

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.result import Processed

_SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Limb:
    """Segments from the free end up, the joint above each, and the segment of the trunk."""

    name: str
    segments: tuple[str, ...]
    joints: tuple[str, ...]
    trunk: str


LEG = Limb("leg", SEGMENTS, JOINTS, "pelvis")
LIMBS = (LEG, Limb("arm", ARM, ARM_JOINTS, "thorax"))


@dataclass(frozen=True, slots=True, eq=False)
class StoredLeg:
    """One leg or arm of a trial.

    Attributes
    ----------
    side : {"left", "right"}
    frame : array, shape (n,)
        Frame numbers of the file.
    chain : Chain
    source : str
        File that supplied the chain.
    limb : Limb
    """

    side: str
    frame: Array
    chain: Chain
    source: str
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
    if side not in _SIDES or limb is None:
        names = ", ".join(f"{s}_{x}" for s in _SIDES for limb in LIMBS for x in limb.segments)
        raise UsageError(
            f"--segment is {text!r}, wanted one of {names}; for the loads at the waist see"
            " waist_moment and waist_closure_force"
        )
    return side, limb, limb.segments.index(segment)


def leg_of_motion(path: Path, side: str) -> StoredLeg:
    """Return a leg of ``motion.npz``.

    Parameters
    ----------
    path : Path
    side : {"left", "right"}

    Raises
    ------
    ResultsRefused
        If the file cannot be read or contains no loads of this side.
    """
    try:
        files = listed(read_sealed(path.parent / DOCUMENT))
        with np.load(BytesIO(checked_bytes(path.parent, path.name, files))) as arrays:
            names = [field.name for field in fields(Chain)]
            if f"{side}_mass" not in arrays.files:
                raise ResultsRefused(no_leg(path.name, side))
            chain = Chain(**{name: arrays[f"{side}_{name}"] for name in names})
            return StoredLeg(side, arrays["frame"], chain, path.name)
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise ResultsRefused(
            f"{path}: cannot be read ({type(error).__name__}: {error}); process the trial again"
        ) from error


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
    source = f"{result.recording.name}, processed again"
    if limb is not LEG:
        chain = None if result.upper is None else result.upper.chains.get(side)
        if chain is None:
            profile = result.options.profile
            reason = "" if profile == "default" else f" (--profile {profile})"
            raise ResultsRefused(no_leg(result.recording.name, side, limb) + reason)
        return StoredLeg(side, result.frame_numbers, chain, source, limb)
    leg = result.sides.get(side)
    if leg is None or leg.kinetics is None:
        name, reason = result.recording.name, result.no_kinetics
        raise ResultsRefused(f"{name}: found no loads: {reason}" if reason else no_leg(name, side))
    chain = leg.kinetics.loads.chain
    return StoredLeg(side, result.frame_numbers, chain, source)


def no_leg(name: str, side: str, limb: Limb = LEG) -> str:
    """Return the message for a limb without loads."""
    alternative = "the other side" if limb is LEG else "a leg"
    return f"{name}: found no loads of the {side} {limb.name}; name a segment of {alternative}"
