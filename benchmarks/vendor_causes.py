"""One leg solved with the vendor's mechanics, and with one thing at a time taken from ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import page

from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.core.runs import known_mean
from gaitdyn.dynamics import leg, vendor
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.pipeline import process_trial
from gaitdyn.trial import Result
from gaitdyn.types.chain import Chain
from gaitdyn.types.motion import SEGMENTS, LegBody, LegPose
from gaitdyn.types.options import Options
from gaitdyn.types.words import parse_assign
from gaitdyn.types.wrench import FootWrench

if TYPE_CHECKING:
    from collections.abc import Callable

Array = np.ndarray[Any, np.dtype[Any]]


class Leg(NamedTuple):
    """One leg of one trial: results of both profiles, ours without filters too; body; frames."""

    theirs: Result
    ours: Result
    filtered: Result
    side: str
    foot_m: float
    mass: float
    frames: Array

    @property
    def rate(self) -> float:
        """Marker rate, Hz."""
        return self.theirs.recording.rate_hz

    def pose(self, result: Result) -> LegPose:
        """Return the pose of this leg."""
        return result.pose.leg(self.side)

    def wrench(self, result: Result) -> FootWrench:
        """Return the ground's wrench on this foot."""
        found = result.sides[self.side].wrench
        if found is None:
            raise ValueError(self.side)
        return found

    def chain(self, result: Result) -> Chain:
        """Return the solved chain of this leg."""
        kinetics = result.sides[self.side].kinetics
        if kinetics is None:
            raise ValueError(self.side)
        return kinetics.loads.chain


def legs(pair: dict[str, Any]) -> list[Leg]:
    """Return the legs of a pair; frames are those that the vendor computed rightly."""
    words = dict(zip(pair["args"][::2], pair["args"][1::2], strict=True))
    folder = page.SHARED / "corpus" / "gait"
    options = Options(
        static=str(folder / pair["static"]),
        marker_diameter_mm=float(words["--marker-diameter"]),
        assign=parse_assign(words["--assign"]),
        offsets=words.get("--offsets", "static"),  # pyright: ignore[reportArgumentType]
        cutoff_hz=None,
        force_cutoff_hz=None,
    )
    trial = folder / pair["motion"]
    theirs = process_trial(trial, replace(options, profile="plug-in-gait"))
    ours = process_trial(trial, options)
    filtered = process_trial(trial, replace(options, cutoff_hz=10.0, force_cutoff_hz="same"))
    found = []
    for side in (side for side in ("left", "right") if pair[side]):
        heel, toe = theirs.feet[side]
        length = float(known_mean(np.linalg.norm(heel - toe, axis=1)))
        length -= theirs.calibration.diameter_m / 2
        frames = np.zeros(len(heel), bool)
        for first, last in pair[side]:
            frames[first : last + 1] = True
        mass = theirs.subject.mass_kg or np.nan
        found.append(Leg(theirs, ours, filtered, side, length, mass, frames))
    return found


def solved(one: Leg, pose: LegPose, body: LegBody, wrench: FootWrench, **changed: Array) -> Array:
    """Return the moments (n, 3, 3), distal axes, with the vendor's derivatives or those given."""
    chain = vendor.vendor_chain(pose, body, wrench, one.rate)
    return joint_loads(replace(chain, **changed)).moment_S


def vendor_body(one: Leg, pose: LegPose) -> LegBody:
    """Return the vendor's body on a pose."""
    return vendor.vendor_body(pose, one.foot_m, one.mass, load_table("plug-in-gait"))


def with_our_radii(one: Leg) -> Array:
    """Return the moments with radii of gyration about the centre of mass."""
    body = vendor_body(one, one.pose(one.theirs))
    ratio = [
        max(load_table("dempster-winter").row(name).radii)
        / max(load_table("plug-in-gait").row(name).radii)
        for name in SEGMENTS
    ]
    inertia = body.inertia_S * np.square(ratio)[:, None, None]
    changed = replace(body, inertia_S=inertia)
    return solved(one, one.pose(one.theirs), changed, one.wrench(one.theirs))


def with_our_turning(one: Leg) -> Array:
    """Return the moments with the angular velocity of a spline on the rotation matrices."""
    chain = one.chain(one.theirs)
    turned = [angular_motion(R, one.rate) for R in np.moveaxis(chain.R_GS, 1, 0)]
    omega, alpha = (np.stack(part, axis=1) for part in zip(*turned, strict=True))
    return joint_loads(replace(chain, omega_S=omega, alpha_S=alpha)).moment_S


def with_our_acceleration(one: Leg) -> Array:
    """Return the moments with accelerations of an interpolating spline, not a smoothing one."""
    chain = one.chain(one.theirs)
    a = np.stack([derivatives(r, one.rate)[1] for r in np.moveaxis(chain.r_cm_G, 1, 0)], axis=1)
    return joint_loads(replace(chain, a_cm_G=a)).moment_S


def with_our_gravity(one: Leg) -> Array:
    """Return the moments with 9.80665 m/s2 for 9.81."""
    return joint_loads(replace(one.chain(one.theirs), gravity_G=leg.GRAVITY_G)).moment_S


def with_our_foot(one: Leg) -> Array:
    """Return the moments with the foot's centre of mass between malleolus and toe marker."""
    body = vendor_body(one, one.pose(one.theirs))
    r_cm = body.r_cm_G.copy()
    r_cm[:, 0] = one.chain(one.ours).r_cm_G[:, 0]
    changed = replace(body, r_cm_G=r_cm)
    return solved(one, one.pose(one.theirs), changed, one.wrench(one.theirs))


def with_our_axes(one: Leg) -> Array:
    """Return the moments with joint centres and segment axes of the default profile."""
    pose = one.pose(one.ours)
    return solved(one, pose, vendor_body(one, pose), one.wrench(one.theirs))


def with_our_ground(one: Leg) -> Array:
    """Return the moments with plates less their baseline, read by a parabola a frame."""
    pose = one.pose(one.theirs)
    return solved(one, pose, vendor_body(one, pose), one.wrench(one.ours))


def our_moment(one: Leg) -> Array:
    """Return the moments of the default profile without filters."""
    return joint_loads(one.chain(one.ours)).moment_S


def our_filtered_moment(one: Leg) -> Array:
    """Return the moments of the default profile."""
    return joint_loads(one.chain(one.filtered)).moment_S


CAUSES: dict[str, tuple[str, Callable[[Leg], Array]]] = {
    "radii of gyration": ("about the centre of mass, not the proximal end", with_our_radii),
    "angular velocity": ("of a spline on the matrices, not one-sided", with_our_turning),
    "accelerations": ("interpolated, not smoothed by cross-validation", with_our_acceleration),
    "ground": ("baseline removed, parabola instead of mean", with_our_ground),
    "centres and axes": ("joint centres and axes as calibrated by us", with_our_axes),
    "foot": ("its mass between malleolus and toe", with_our_foot),
    "gravity": ("9.80665, not 9.81 m/s2", with_our_gravity),
    "all of these": ("the default profile without filters", our_moment),
    "and 10 Hz filters": ("the default profile", our_filtered_moment),
}
