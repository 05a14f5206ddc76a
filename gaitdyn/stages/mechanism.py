"""Treat pelvis and legs of a trial as one mechanism: generalised loads, induced accelerations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.body.trunk import rest_of_body, with_long_axes
from gaitdyn.core.runs import blocks_of
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.segment_tree import generalised_loads, measured_tree
from gaitdyn.dynamics.whole_body import pelvis_motion
from gaitdyn.multibody import Terms
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.chain import Chain
from gaitdyn.types.frozen import frozen
from gaitdyn.types.generalised import InducedAcceleration, PelvisMotion, Trunk, UpperTree
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import LegKinetics, Processed

PARTS = ("M", "C", "G", "E")
"""From the generalised accelerations, from the velocities, from the weight, from the ground."""

AT_ONCE = 1 << 10
"""Frames at once: the Jacobians of all segments take 10 to 30 kB per frame."""


@frozen(eq=False)
class Mechanism:
    """Loads and induced accelerations in generalised coordinates of one trial.

    Attributes
    ----------
    joints : dict
        Side -> part of :data:`PARTS` -> moments of ankle, knee and hip, shape (n, 3, 3), distal
        axes, N m.
    residual : array, shape (n, 6), or None
        Force in G, N, and moment about the middle of the hips in pelvis axes, N m, that no joint
        provides: how far forces and motion of the whole body disagree. None with only one leg.
    induced : InducedAcceleration or None
        None with only one leg.
    long_axis_change : float
        Largest change of a joint moment in published frames, N m, caused by the inertia about long
        axes that the induced accelerations need.
    """

    joints: dict[str, dict[str, Array]]
    residual: Array | None
    induced: InducedAcceleration | None
    long_axis_change: float


def why_not(result: Processed) -> str:
    """Return why a trial has no mechanism; empty if it has one."""
    if result.no_kinetics:
        return result.no_kinetics
    if result.options.profile == "plug-in-gait":
        return "the segments of the profile plug-in-gait change their length in every frame"
    if result.pose.planar:
        return "the markers show one plane only"
    if rigid_legs(result):
        return ""
    return "a length that the body-segment table needs is not known"


def find_mechanism(result: Processed) -> Mechanism | None:
    """Return generalised loads and induced accelerations; None if :func:`why_not` says why."""
    if why_not(result):
        return None
    chains = {side: leg.loads.chain for side, leg in rigid_legs(result).items()}
    pelvis = pelvis_motion(result.pose, result.recording.rate_hz)
    joints = {side: leg_moments(pelvis, side, chain) for side, chain in chains.items()}
    if len(chains) == 1:
        return Mechanism(joints, None, None, float("nan"))
    with_axial = {
        side: replace(
            chain,
            inertia_S=with_long_axes(
                chain.inertia_S, chain.mass, result.calibration.lengths_m[side]
            ),
        )
        for side, chain in chains.items()
    }
    trunk = _trunk(result, chains)
    cops = {side: _centre_of_pressure(result, side) for side in chains}
    blocks = [
        _whole_body(
            pelvis.part(rows),
            {side: chain.part(rows) for side, chain in chains.items()},
            {side: chain.part(rows) for side, chain in with_axial.items()},
            trunk.part(rows) if isinstance(trunk, UpperTree) else trunk,
            {side: cop[rows] for side, cop in cops.items()},
        )
        for rows in blocks_of(len(pelvis.R_GP), AT_ONCE)
    ]
    residual = np.concatenate([of_block for of_block, _ in blocks])
    induced = _one_after_the_other([of_block for _, of_block in blocks])
    return Mechanism(joints, residual, induced, _long_axis_change(result, with_axial))


def _whole_body(
    pelvis: PelvisMotion,
    chains: dict[str, Chain],
    with_axial: dict[str, Chain],
    trunk: Trunk | UpperTree,
    cops: dict[str, Array],
) -> tuple[Array, InducedAcceleration]:
    """Return the residual and the induced accelerations in some frames."""
    from gaitdyn.dynamics.induced import induced_accelerations

    residual = generalised_loads(measured_tree(pelvis, chains, trunk), chains).tau[:, :6]
    measured = measured_tree(pelvis, with_axial, trunk)
    return residual, induced_accelerations(measured, with_axial, cops)


def _one_after_the_other(blocks: list[InducedAcceleration]) -> InducedAcceleration:
    sources = blocks[0].a_com_G
    return InducedAcceleration(
        {name: np.concatenate([block.a_com_G[name] for block in blocks]) for name in sources},
        {name: np.concatenate([block.force_G[name] for block in blocks]) for name in sources},
        np.concatenate([block.total_G for block in blocks]),
    )


def _trunk(result: Processed, chains: dict[str, Chain]) -> Trunk | UpperTree:
    """Return thorax, head and arms as measured; without their markers the body less its legs."""
    legs = [float(chain.mass.sum()) for chain in chains.values()]
    mass = result.subject.mass_kg or np.nan
    if result.upper is not None and result.upper.com_G is not None:
        from gaitdyn.upper.hung import upper_tree

        diameter, rate = result.subject.marker_diameter_m or 0.0, result.recording.rate_hz
        tree = upper_tree(result.upper.pose, result.pose, diameter, mass, legs, rate)
        if tree is not None:
            return tree
    _, shank, thigh = np.mean([result.calibration.lengths_m[side] for side in chains], axis=0)
    return rest_of_body(mass, sum(legs), thigh, shank)


def leg_moments(pelvis: PelvisMotion, side: str, chain: Chain) -> dict[str, Array]:
    """Return the joint moments of one leg from its generalised coordinates, by part.

    Parameters
    ----------
    pelvis : PelvisMotion
    side : {"left", "right"}
    chain : Chain

    Returns
    -------
    dict
        Of :data:`PARTS`, shape (n, 3 joints, 3), axes of the segment below the joint, N m. They
        add up to the moments of the stacked system.
    """
    blocks = [
        _leg_moments(pelvis.part(rows), side, chain.part(rows))
        for rows in blocks_of(max(chain.n_frames, 1), AT_ONCE)
    ]
    return {part: np.concatenate([block[part] for block in blocks]) for part in PARTS}


def _leg_moments(pelvis: PelvisMotion, side: str, chain: Chain) -> dict[str, Array]:
    leg = {side: chain}
    measured = measured_tree(pelvis, leg)
    terms: Terms = generalised_loads(measured, leg)
    rows = [measured.rows(f"{side}_{joint}_") for joint in JOINTS]
    return {part: getattr(terms, part)[:, rows] for part in PARTS}


def shown_rows(result: Processed) -> Mask:
    """Return the frames in which the loads of all joints may be shown, shape (n,)."""
    masks = [
        leg.kinetics.published.all(axis=1)
        for leg in result.sides.values()
        if leg.kinetics is not None
    ]
    return np.asarray(np.logical_and.reduce(masks))


def rigid_legs(result: Processed) -> dict[str, LegKinetics]:
    """Return the kinetics of each leg whose masses and inertia are known."""
    return {
        side: leg.kinetics
        for side, leg in result.sides.items()
        if leg.kinetics is not None and np.isfinite(leg.kinetics.loads.chain.inertia_S).all()
    }


def _centre_of_pressure(result: Processed, side: str) -> Array:
    wrench = result.sides[side].wrench
    assert wrench is not None  # noqa: S101  there are kinetics
    return wrench.cop_G


def _long_axis_change(result: Processed, with_axial: dict[str, Chain]) -> float:
    rows = shown_rows(result)
    worst = [0.0]
    for side, chain in with_axial.items():
        if (kinetics := result.sides[side].kinetics) is not None:
            change = np.abs(joint_loads(chain).moment_S - kinetics.loads.moment_S)[rows]
            worst.append(float(np.nanmax(change, initial=0.0)))
    return max(worst)
