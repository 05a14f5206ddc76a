"""Rules on momentum: the force on the body, summed over time, is its mass times its velocity.

A velocity needs one derivative of the markers' paths, an acceleration two, so that gains show more
clearly here. Without markers of trunk and arms, what is above the hips is taken at their middle and
the legs at their joint centres. In 28 untouched trials of 18 laboratories the velocity along the
walk is then 0.51 to 0.93 of that from the force, sideways 0.41 to 1.22. With the centre of mass of
the whole body it is 1.03 to 1.45 and 0.87 to 1.06. The two correlate by 0.8 or more.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.balance.body_motion import PlateSupport, supported
from gaitdyn.quality.rules.steps import steps
from gaitdyn.types.arrays import Array
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

SHARES = (0.0274, 0.0697, 0.3957, 0.0072)
"""Of the body mass at ankle, knee and hip centre and head of metatarsal II of each leg: segments at
their centres of mass (Winter 2009, Table 4.1), the rest at the hips."""

SHORTEST_S, ALIKE = 0.8, 0.8
"""Shortest run with the whole force known, and least correlation of the two velocities."""

FITS_M_S = 0.08
"""Largest SD of the vertical velocity about that from the forces: 0.01 to 0.06 in untouched trials,
0.15 in OpenSim, whose plates do not see the whole body."""


def body_centre(result: Processed) -> Array:
    """Return the centre of mass as far as the legs show it, shape (n, 3), m."""

    def compute() -> Array:
        heads = [result.feet[side][1] for side in SIDES]
        points = [
            np.concatenate((result.pose.leg(side).r_prox_G, head[:, None]), axis=1)
            for side, head in zip(SIDES, heads, strict=True)
        ]
        return np.einsum("j,njk->nk", SHARES, points[0] + points[1])

    return result.once("body centre", compute)


def whole_body_centre(result: Processed) -> Array | None:
    """Return the centre of mass of the whole body, or None if a segment has no markers."""
    return None if result.upper is None else result.upper.com_G


def velocity_share(result: Processed, way: Array, centre_G: Array) -> float:
    """Return the velocity from the forces as a share of that of the body, both without their mean.

    Only runs with all standing feet entirely on plates are used. NaN without such a run, or if the
    two do not correlate.

    Parameters
    ----------
    result : Processed
    way : array, shape (3,)
        Horizontal direction.
    centre_G : array, shape (n, 3)
        Centre of mass, m.
    """
    rate = result.recording.rate_hz
    wrenches = [side.wrench for side in result.sides.values() if side.wrench is not None]
    pairs: list[tuple[Array, Array]] = []
    for run, velocity in moving_runs(result, centre_G @ way):
        rows = slice(run.start, run.stop)
        force = np.sum([np.nan_to_num(w.force_G[rows]) for w in wrenches], axis=0) @ way
        given = np.cumsum(force) * STANDARD_GRAVITY / run.force.mean() / rate
        pairs.append((given - given.mean(), velocity - velocity.mean()))
    if not pairs:
        return float("nan")
    given, moved = (np.concatenate(both) for both in zip(*pairs, strict=True))
    product = float(given @ moved)
    if not product > ALIKE * np.linalg.norm(given) * np.linalg.norm(moved):
        return float("nan")
    return product / float(moved @ moved)


def moving_runs(result: Processed, path: Array) -> list[tuple[PlateSupport, Array]]:
    """Return the runs of 0.8 s with the whole force in which a path, shape (n,), m, is known.

    With each is the velocity along the path, m/s.
    """
    rate = result.recording.rate_hz
    return [
        (run, np.gradient(path[run.start : run.stop], 1.0 / rate))
        for run in supported(result, partial=True)
        if run.stop - run.start >= SHORTEST_S * rate
        and np.isfinite(path[run.start : run.stop]).all()
    ]


def plate_forces(result: Processed, run: PlateSupport) -> dict[str, Array]:
    """Return the force on each plate, or on the plates under one step, in a run; computed once.

    Returns
    -------
    dict
        Plates in words -> force in G, shape (n, 3), N.
    """

    def compute() -> dict[str, Array]:
        forces: dict[str, Array] = {}
        for step in steps(result):
            if step.start < run.stop and step.stop > run.start:
                force = forces.setdefault(step.plates, np.zeros((result.recording.n_frames, 3)))
                force[step.start : step.stop] += step.force_G
        return {plates: force[run.start : run.stop] for plates, force in forces.items()}

    return result.once(f"plate forces in rows {run.start} to {run.stop}", compute)


def plate_masses(result: Processed, run: PlateSupport) -> dict[str, float]:
    """Return the mass of the body by the vertical force of each plate, kg.

    Returns
    -------
    dict
        Plates in words -> mass; empty if the plates cannot be told apart, or their forces do not
        give the velocity of the body.
    """
    rate, rows, up = result.recording.rate_hz, slice(run.start, run.stop), (0.0, 1.0, 0.0)
    forces = plate_forces(result, run)
    legs, hips = body_centre(result), result.pose.origin_G
    centre = legs if np.isfinite(legs[rows]).all() else hips
    velocity = np.gradient(centre[rows] @ up, 1.0 / rate)
    asked = velocity + STANDARD_GRAVITY * np.arange(len(velocity)) / rate
    shares, fitted = fit_by_plates(
        asked, [np.cumsum(force @ up) / rate for force in forces.values()]
    )
    if shares is None or not float(np.std(fitted - asked)) < FITS_M_S:
        return {}
    return {plates: float(1.0 / by) for plates, by in zip(forces, shares, strict=True)}


def fit_by_plates(velocity: Array, given: list[Array]) -> tuple[Array | None, Array]:
    """Return the factors of the plates' velocities that fit a velocity best, and the fit.

    There is a constant besides. The factors are None if the plates cannot be told apart.
    """
    terms = np.column_stack((*given, np.ones(len(velocity))))
    fit, _, rank, _ = np.linalg.lstsq(terms, velocity, rcond=None)
    shares = np.asarray(fit[:-1], dtype=np.float64)
    return (None if rank < len(fit) else shares), terms @ fit


def plate_speeds(result: Processed, run: PlateSupport, way: Array, centre_G: Array) -> Array:
    """Return how fast the horizontal force of each plate moves the body, as a share of its motion.

    The velocity of the body is fitted with those from the forces of the plates under the steps of a
    run; a plate with the gain k finds k times as much as the others.

    Parameters
    ----------
    result : Processed
    run : PlateSupport
    way : array, shape (3,)
    centre_G : array, shape (n, 3)

    Returns
    -------
    array, shape (number of plates,)
        As :func:`plate_forces` orders them; NaN if they cannot be told apart, or do not fit.
    """
    rate, forces = result.recording.rate_hz, plate_forces(result, run)
    velocity = np.gradient(centre_G[run.start : run.stop] @ way, 1.0 / rate)
    mass = float(run.force.mean()) / STANDARD_GRAVITY
    given = [np.cumsum(force @ way) / rate / mass for force in forces.values()]
    unknown = np.full(len(given), np.nan)
    if not np.isfinite(velocity).all():
        return unknown
    shares, fitted = fit_by_plates(velocity, given)
    if shares is None or not float(np.corrcoef(fitted, velocity)[0, 1]) >= ALIKE:
        return unknown
    return 1.0 / shares
