"""Put the reported moments and powers of one leg into one array, in the order of their names."""

from __future__ import annotations

import numpy as np

from gaitdyn.catalogue.keys import Key
from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE, clinical_moments, moments_in
from gaitdyn.errors import UsageError
from gaitdyn.kinematics.plane import ABOUT_Z, only
from gaitdyn.stages.body import SubjectBody
from gaitdyn.stages.ground import Ground
from gaitdyn.stages.motion import Motion
from gaitdyn.stages.session import Session
from gaitdyn.tables.columns import PLANES
from gaitdyn.trial import Result
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.loads import JointLoads
from gaitdyn.types.motion import JOINTS, NO_MODEL, Pose
from gaitdyn.types.options import Options
from gaitdyn.types.result import LegKinetics, Side


@frozen(eq=False)
class Stages:
    """The values of the stages of one trial, from its result."""

    session: Session
    body: SubjectBody
    motion: Motion
    ground: Ground
    sides: dict[str, Side]
    options: Options

    def kinetics(self, side: str) -> LegKinetics:
        """Return the loads of a side that has them."""
        kinetics = self.sides[side].kinetics
        if kinetics is None:
            raise ValueError(f"{side} side without kinetics")
        return kinetics

    @property
    def loaded(self) -> list[str]:
        """The sides that have loads."""
        return [name for name, side in self.sides.items() if side.kinetics is not None]


def stages_of(result: Result) -> Stages:
    """Return the values of the stages of a result.

    Raises
    ------
    UsageError
        When it was read from a folder, which does not contain them, or has no model of the person.
    """
    if result.model == NO_MODEL:
        raise UsageError(result.no_kinetics)
    session, body, motion, ground = result.session, result.body, result.motion, result.ground
    if session is None or body is None or motion is None or ground is None:
        raise UsageError(
            f"{result.recording.name} was read from a results folder, which does not contain the"
            " recording; process the trial again"
        )
    return Stages(session, body, motion, ground, result.sides, result.options)


def curve_names(options: Options) -> tuple[str, ...]:
    """Return the names of the last axis of :func:`leg_curves`, without the side.

    They are those of ``timeseries.csv``: per joint three moments, then power and its three parts.
    """
    names = []
    for joint in JOINTS:
        words = MOMENTS[joint]
        if options.moments_in == "lab":
            words = ("x", "y", "z")
        elif options.convention == "external":
            words = tuple(OPPOSITE[word] for word in words)
        names += [Key("", joint, "moment", word).name for word in words]
        names.append(Key("", joint, "power").name)
        names += [Key("", joint, "power", plane).name for plane in PLANES]
    return tuple(names)


def leg_curves(loads: JointLoads, power: Array, pose: Pose, side: str, options: Options) -> Array:
    """Return moments (N m) and powers (W) of one leg, shape (n, 21).

    Parameters
    ----------
    loads : JointLoads
        ``moment_S`` may be a difference of moments, since the curves are linear in it.
    power : array, shape (n, 3, 3)
        By component of the distal axes, W.
    pose : Pose
    side : {"left", "right"}
    options : Options
    """
    if pose.planar:
        power = only(power, ABOUT_Z)
    moments = moments_in(loads, pose, side, options.moments_in)
    columns = []
    for i, joint in enumerate(JOINTS):
        moment = moments[:, i]
        if options.moments_in != "lab":
            moment = clinical_moments(moment, joint, side)
        columns += [moment, power[:, i].sum(axis=1)[:, None], power[:, i][:, [2, 0, 1]]]
    return np.concatenate(columns, axis=1)
