"""Place the markers of one recording again, virtually, and compute the effect on its curves.

Each marker of static and walk moves by one constant vector along the skin of its segment, the same
in both. The static is calibrated again, and pose and loads are recomputed under the same ground
forces. The result is the error between sessions of angles and moments from marker placement alone,
without day-to-day changes of gait or of measured lengths.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import Key
from gaitdyn.core.rotations import rotate
from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.normalise import find_cycles, resample
from gaitdyn.errors import GaitdynError, UsageError
from gaitdyn.judge.curves import curve_rules
from gaitdyn.kinematics.angles import ANGLES
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.loads import find_loads
from gaitdyn.stages.motion import find_motion, find_pose
from gaitdyn.statistics.session_error import SessionError, error_of_sd
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.uncertainty.attachments import (
    FEET,
    Attachment,
    attachments,
    segments_of,
    static_attachments,
)
from gaitdyn.uncertainty.placed_moments import moment_means

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.trial import Result
    from gaitdyn.types.motion import Pose
    from gaitdyn.types.trial import Trial
    from gaitdyn.uncertainty.leg_curves import Stages

_MM = 0.001
FOOT_SHARE = 0.6
"""Ratio of the SD on the foot to that elsewhere: heel and toe lie on bone, 3 mm against 5 mm."""

DAY = {"deg": 1.0, "N m/kg": 0.04}
"""SD of an angle and of a moment between days with the same marker placement: a judgement."""


@frozen(eq=False)
class Placed:
    """Angles and moments of virtual sessions minus those of the recording.

    Attributes
    ----------
    mm : float
        SD of a marker's position along the skin, mm.
    curves : dict
        (side, curve) -> array, shape (draws, 101), mean over the cycles, deg or N m/kg.
    """

    mm: float
    curves: dict[tuple[str, str], Array]


def place_again(
    run: Stages,
    result: Result,
    mm: float = 5.0,
    draws: int = 40,
    seed: int = 0,
    *,
    shown: Callable[[int, int], None] | None = None,
) -> Placed:
    """Return the effect of placing the markers again on every angle and moment.

    Parameters
    ----------
    run : Stages
        Of :func:`gaitdyn.uncertainty.leg_curves.stages_of`.
    result : Result
        The same trial, for its cycles.
    mm : float
        SD of each marker along each direction of the skin, mm; 0.6 of it for heel and toe.
    draws : int
    seed : int
    shown : callable, optional
        Called with the number of each draw as it begins, and the number of draws.

    Raises
    ------
    UsageError
        Without markers, a static or a cycle.
    """
    static = run.session.static
    if points := run.session.markerless:
        message = (
            f"{result.recording.name}: found {points}, not markers: nothing can be placed again;"
            " for an error between sessions, measure repeats (gaitdyn repeats build)"
        )
        raise UsageError(message)
    if static is None:
        raise UsageError("placing markers again needs a static; process with a static")
    if not any(find_cycles(result, side) for side in run.session.sides):
        name = result.recording.name
        message = f"{name}: found no gait cycle; placing markers again needs one, take another walk"
        raise UsageError(message)
    poses = (run.motion.pose, find_pose(static, run.session, run.body, run.options))
    in_trial = attachments(run.session.trial, poses[0])
    in_static = static_attachments(run.session.trial, static, poses[1])
    rng, static_rng = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    before = _means(run, run, result)
    differences: dict[tuple[str, str], list[Array]] = {key: [] for key in before}
    for k in range(draws):
        if shown is not None:
            shown(k + 1, draws)
        moves = {label: _move(marker, mm * _MM, rng) for label, marker in in_trial.items()}
        moves |= {label: _move(marker, mm * _MM, static_rng) for label, marker in in_static.items()}
        try:
            after = _means(moved(run, poses, in_trial | in_static, moves), run, result)
        except GaitdynError:  # the model refuses this draw: it does not count
            continue
        for key, mean in after.items():
            differences[key].append(mean - before[key])
    return Placed(mm, {key: np.stack(curves) for key, curves in differences.items() if curves})


def placing_errors(placed: Placed) -> tuple[dict[str, SessionError], dict[str, str]]:
    """Return the session error of every judged angle and moment, and the units.

    Both sides are pooled. A judgement of 1 deg or 0.04 N m/kg is added for the change of gait from
    day to day.
    """
    draws = max(len(values) for values in placed.curves.values())
    errors, units = {}, {}
    for rule in curve_rules():
        stacks = [curves for (_, name), curves in placed.curves.items() if name == rule.name]
        curves = np.concatenate(stacks) if stacks else np.empty((0, 101))
        curves = curves[np.isfinite(curves).all(axis=1)]
        if len(curves):
            unit = UNITS[rule.name]
            source = (
                f"{draws} virtual placings of {placed.mm:g} mm and {DAY[unit]:g} {unit} from day to"
                " day"
            )
            day = error_of_sd(DAY[unit], curves.shape[1], source)
            level = np.median(curves, axis=1)
            errors[rule.name] = replace(
                day,
                level=day.level + float(np.mean(level**2)),
                shape=day.shape + np.mean((curves - level[:, None]) ** 2, axis=0),
                band=day.band + np.mean(curves**2, axis=0),
            )
            units[rule.name] = unit
    return errors, units


def moved(
    run: Stages, poses: tuple[Pose, Pose], attached: dict[str, Attachment], moves: dict[str, Array]
) -> Stages:
    """Return the stages with the markers of trial and static moved.

    Parameters
    ----------
    run : Stages
    poses : tuple of 2 Pose
        Of trial and static.
    attached : dict
        Label -> attachment of the marker.
    moves : dict
        Label -> array, shape (3,), in the axes of its segment, m.
    """
    session = run.session
    trial = _moved_trial(session.trial, poses[0], attached, moves)
    static = session.static and _moved_trial(session.static, poses[1], attached, moves)
    session = replace(session, trial=trial, static=static)
    body = calibrate_session(session, run.options)
    motion = find_motion(session, body, run.options)
    sides = find_loads(session, body, motion, run.ground, run.options)
    return replace(run, session=session, body=body, motion=motion, sides=sides)


def _moved_trial(
    trial: Trial, pose: Pose, attached: dict[str, Attachment], moves: dict[str, Array]
) -> Trial:
    R_GS, _ = segments_of(pose)
    markers = trial.markers_G.copy()
    for label, marker in attached.items():
        if label in trial.labels:
            column = trial.labels.index(label)
            markers[:, column] += _turned(R_GS[:, marker.segment], moves[label])
    return replace(trial, markers_G=markers)


def _turned(R_GS: Array, move_S: Array) -> Array:
    """Return a segment's vector in G; in frames of unknown pose that of the nearest known frame."""
    move_G = rotate(R_GS, np.broadcast_to(move_S, (len(R_GS), 3)))
    known = np.flatnonzero(complete_rows(move_G))
    if not known.size:
        return np.zeros_like(move_G)
    nearest = known[np.abs(np.arange(len(move_G))[:, None] - known).argmin(axis=1)]
    return move_G[nearest]


def _move(marker: Attachment, sd_m: float, rng: np.random.Generator) -> Array:
    """Return a drawn move along the skin, shape (3,), segment axes, m."""
    drawn = rng.normal(0.0, sd_m * (FOOT_SHARE if marker.segment in FEET else 1.0), 3)
    return drawn - (drawn @ marker.out_S) * marker.out_S


def _means(run: Stages, first: Stages, result: Result) -> dict[tuple[str, str], Array]:
    """Return the mean curve of every angle and moment over the cycles of the recording."""
    means = {}
    for side in first.session.sides:
        cycles = find_cycles(result, side)
        angles = run.motion.angles[side]
        names = [Key("", part, "angle", word).name for part in angles for word in ANGLES[part]]
        table = np.concatenate([angles[part] for part in angles], axis=1)
        if cycles:
            stack = [resample(table, c.start_row, c.stop_row) for c in cycles]
            mean = np.mean(stack, axis=0)
            means |= {(side, name): mean[:, i] for i, name in enumerate(names)}
        moments = moment_means(run, first, side, cycles)
        means |= {(side, name): mean for name, mean in moments.items()}
    return means
