"""The markers of one recording placed anew, virtually: what that does to the angles.

Each marker of static and walk moves by one constant vector along the skin of its segment, the same
in both; the static is calibrated and the pose found again. What comes out is the error of a session
by placement alone: the day-to-day change of the gait is not in it, nor that of measured lengths.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.ladder import segment_of
from gaitdyn.catalogue.keys import Key
from gaitdyn.core.rotations import rotate, rotate_back, unit
from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.normalise import find_cycles, resample
from gaitdyn.errors import GaitdynError, UsageError
from gaitdyn.judge.curves import curve_rules
from gaitdyn.kinematics.angles import ANGLES
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.motion import find_motion, find_pose
from gaitdyn.statistics.session_error import SessionError, error_of_sd
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.trial import Result
    from gaitdyn.types.motion import Pose
    from gaitdyn.types.trial import Trial
    from gaitdyn.uncertainty.leg_curves import Stages

_MM = 0.001
FOOT_SHARE = 0.6
"""Of the SD elsewhere: heel and toe lie on bone, 3 mm where other markers have 5."""

DAY_DEG = 1.0
"""SD between days of an angle without any marker touched: a judgement."""

_FEW_FRAMES = 5
_SEGMENTS = {
    name: i
    for i, name in enumerate(
        ("pelvis", *(f"{side} {part}" for side in SIDES for part in ("foot", "shank", "thigh")))
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Angles of virtual sessions less those of the recording.

    Attributes
    ----------
    mm : float
        SD of a marker's place along the skin, mm.
    curves : dict
        (side, angle) -> array, shape (draws, 101), mean over the cycles, deg.
    """

    mm: float
    curves: dict[tuple[str, str], Array]


@dataclass(frozen=True, slots=True, eq=False)
class _Seat:
    """Where a marker sits: its segment, by number, and its outward direction in its axes."""

    segment: int
    out_S: Array


def place_again(
    run: Stages,
    result: Result,
    mm: float = 5.0,
    draws: int = 40,
    seed: int = 0,
    *,
    shown: Callable[[int, int], None] | None = None,
) -> Placed:
    """Return what placing the markers anew does to every angle.

    Parameters
    ----------
    run : Stages
        Of :func:`gaitdyn.uncertainty.leg_curves.stages_of`.
    result : Result
        The same trial, for its cycles.
    mm : float
        SD of each marker along each direction of the skin, mm; heel and toe 0.6 of it.
    draws : int
    seed : int
    shown : callable, optional
        Is told which draw of how many begins.

    Raises
    ------
    UsageError
        Without a static, or without a cycle.
    """
    static = run.session.static
    if static is None or not any(find_cycles(result, side) for side in run.session.sides):
        message = "placing markers again needs a static and gait cycles; process with a static"
        raise UsageError(message)
    poses = (run.motion.pose, find_pose(static, run.session, run.body, run.options))
    seats = _seats(run.session.trial, poses[0])
    of_static = _seats_of_static(run.session.trial, static, poses[1])
    rng, other = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    before = _means(run, run, result)
    found: dict[tuple[str, str], list[Array]] = {key: [] for key in before}
    for k in range(draws):
        if shown is not None:
            shown(k + 1, draws)
        moves = {label: _move(seat, mm * _MM, rng) for label, seat in seats.items()}
        moves |= {label: _move(seat, mm * _MM, other) for label, seat in of_static.items()}
        try:
            after = _means(moved(run, poses, seats | of_static, moves), run, result)
        except GaitdynError:  # a draw that the model refuses is none
            continue
        for key, own in after.items():
            found[key].append(own - before[key])
    return Placed(mm, {key: np.stack(own) for key, own in found.items() if own})


def placing_errors(placed: Placed) -> tuple[dict[str, SessionError], dict[str, str]]:
    """Return the error of a session of every judged angle, and units, from virtual sessions.

    Both sides together, and what a day does to the gait besides: a judgement of 1 deg.

    Parameters
    ----------
    placed : Placed
    """
    draws = max(len(values) for values in placed.curves.values())
    told = f"{draws} virtual placings of {placed.mm:g} mm and {DAY_DEG:g} deg from day to day"
    errors, units = {}, {}
    for rule in curve_rules():
        stacks = [own for (_, name), own in placed.curves.items() if name == rule.name]
        own = np.concatenate(stacks) if stacks else np.empty((0, 101))
        own = own[np.isfinite(own).all(axis=1)]
        if len(own):
            day = error_of_sd(DAY_DEG, own.shape[1], told)
            level = np.median(own, axis=1)
            errors[rule.name] = replace(
                day,
                level=day.level + float(np.mean(level**2)),
                shape=day.shape + np.mean((own - level[:, None]) ** 2, axis=0),
                band=day.band + np.mean(own**2, axis=0),
            )
            units[rule.name] = "deg"
    return errors, units


def moved(
    run: Stages, poses: tuple[Pose, Pose], seats: dict[str, _Seat], moves: dict[str, Array]
) -> Stages:
    """Return the stages with the markers of trial and static moved.

    Parameters
    ----------
    run : Stages
    poses : tuple of 2 Pose
        Of trial and static.
    seats : dict
        Label -> segment of the marker.
    moves : dict
        Label -> array, shape (3,), in the axes of its segment, m.
    """
    session = run.session
    trial = _moved_trial(session.trial, poses[0], seats, moves)
    static = session.static and _moved_trial(session.static, poses[1], seats, moves)
    session = replace(session, trial=trial, static=static)
    body = calibrate_session(session, run.options)
    motion = find_motion(session, body, run.options)
    return replace(run, session=session, body=body, motion=motion)


def _moved_trial(
    trial: Trial, pose: Pose, seats: dict[str, _Seat], moves: dict[str, Array]
) -> Trial:
    R_GS, _ = _segments(pose)
    markers = trial.markers_G.copy()
    for label, seat in seats.items():
        if label in trial.labels:
            at = trial.labels.index(label)
            markers[:, at] += _turned(R_GS[:, seat.segment], moves[label])
    return replace(trial, markers_G=markers)


def _turned(R_GS: Array, move_S: Array) -> Array:
    """Return a vector of a segment in G; that of the nearest frame where the pose is not known."""
    found = rotate(R_GS, np.broadcast_to(move_S, (len(R_GS), 3)))
    known = np.flatnonzero(complete_rows(found))
    if not known.size:
        return np.zeros_like(found)
    near = known[np.abs(np.arange(len(found))[:, None] - known).argmin(axis=1)]
    return found[near]


def _segments(pose: Pose) -> tuple[Array, Array]:
    """Return axes (n, 7, 3, 3) and origins (n, 7, 3) of pelvis, then foot, shank, thigh a side."""
    R = [pose.R_GP[:, None], *(pose.leg(side).R_GS for side in SIDES)]
    r = [pose.origin_G[:, None], *(pose.leg(side).r_prox_G for side in SIDES)]
    return np.concatenate(R, axis=1), np.concatenate(r, axis=1)


def _seats(trial: Trial, pose: Pose) -> dict[str, _Seat]:
    """Return the segment in whose axes each marker moves least, and which way is out of it."""
    R_GS, r_G = _segments(pose)
    places: dict[str, tuple[int, Array]] = {}
    for i, label in enumerate(trial.labels):
        local = rotate_back(R_GS, trial.markers_G[:, i, None] - r_G)
        spread = [
            np.nanstd(local[:, s], axis=0).sum()
            if complete_rows(local[:, s]).sum() >= _FEW_FRAMES
            else np.inf
            for s in range(local.shape[1])
        ]
        segment = int(np.argmin(spread))
        if np.isfinite(spread[segment]):
            places[label] = (segment, np.nanmean(local[:, segment], axis=0))
    pelvis = [place[0] for segment, place in places.values() if segment == 0]
    middle = (max(pelvis) + min(pelvis)) / 2 if pelvis else 0.0
    return {
        label: _Seat(segment, _outward(segment, place, middle))
        for label, (segment, place) in places.items()
    }


def _seats_of_static(trial: Trial, static: Trial, pose: Pose) -> dict[str, _Seat]:
    """Return where the markers sit that only the static shows, as those of condyles, by their role.

    Nobody moves in a static, which would tell the segment.
    """
    R_GS, r_G = _segments(pose)
    found: dict[str, _Seat] = {}
    for i, label in enumerate(static.labels):
        segment = _SEGMENTS.get(segment_of(label))
        if label in trial.labels or segment is None:
            continue
        local = rotate_back(R_GS[:, segment], static.markers_G[:, i] - r_G[:, segment])
        if complete_rows(local).any():
            found[label] = _Seat(segment, _outward(segment, np.nanmean(local, axis=0), 0.0))
    return found


def _outward(segment: int, place: Array, middle: float) -> Array:
    """Return which way is out of the skin: fore or aft of a pelvis, off the long axis of a leg."""
    if segment == 0:
        return np.array([1.0 if place[0] >= middle else -1.0, 0.0, 0.0])
    return unit(place * np.array([1.0, 0.0, 1.0]))


def _move(seat: _Seat, sd_m: float, rng: np.random.Generator) -> Array:
    """Return a drawn move along the skin, shape (3,), segment axes, m."""
    foot = seat.segment in (1, 4)
    drawn = rng.normal(0.0, sd_m * (FOOT_SHARE if foot else 1.0), 3)
    return drawn - (drawn @ seat.out_S) * seat.out_S


def _means(run: Stages, first: Stages, result: Result) -> dict[tuple[str, str], Array]:
    """Return the mean curve of every angle over the cycles of the recording as it was."""
    found = {}
    for side in first.session.sides:
        cycles = find_cycles(result, side)
        angles = run.motion.angles[side]
        names = [Key("", part, "angle", word).name for part in angles for word in ANGLES[part]]
        table = np.concatenate([angles[part] for part in angles], axis=1)
        if cycles:
            stack = [resample(table, c.start_row, c.stop_row) for c in cycles]
            mean = np.mean(stack, axis=0)
            found |= {(side, name): mean[:, i] for i, name in enumerate(names)}
    return found
