"""The reference position: the mean of a standing person, or the mean stance of a walk.

Nobody stands still in a walk, so no single frame is the reference. Every landmark is averaged in
the axes of the markers that carry it, over all frames that show both. An axis that a segment takes
from its neighbour is averaged over the stance of that leg.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.ladder import segment_of as segment_of_role
from gaitdyn.calibrate.landmarks import build_reference
from gaitdyn.calibrate.markers import PELVIS
from gaitdyn.calibrate.mean_posture import ABOVE, mean_posture
from gaitdyn.calibrate.reference import Person, Posture
from gaitdyn.calibrate.tracking import RigidMotion, track
from gaitdyn.core.medians import known_median, median
from gaitdyn.core.rigid import SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.rotations import cross, lengths, rotate_back, unit
from gaitdyn.core.runs import complete_rows, known_mean, known_points, percentile
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.motion import SEGMENTS
from gaitdyn.types.subject import LETTER, SIDE_OF
from gaitdyn.types.trial import Trial

_SEEN = 0.1
"""A landmark of a static counts if it is visible in this share of the frames."""

_STILL_M = 0.03
"""Nearly every marker of a standing person stays within a ball of this diameter around its mean for
90 % of the time, m."""

_NO_TRACKS = {"KJC": "thigh", "KAX": "thigh", "KD1": "thigh", "KD2": "thigh", "AJC": "shank"}
"""Roles, without their side, that move with a segment but never track it."""


def segment_of(label: str, model: MarkerModel) -> str | None:
    """Return the segment that a marker belongs to: ``pelvis``, ``left thigh``, ... or None."""
    if label == "SACR" or label.startswith("PEL"):
        return "pelvis"
    side = SIDE_OF.get(label[:1])
    role = label[1:]
    for segment, names in model.tracking.items():
        if label in names or (side and "{s}" + role in names):
            has_side = segment == "pelvis" or " " in segment
            return segment if has_side else f"{side} {segment}"
    if side is None:
        return None
    if role in _NO_TRACKS:
        return f"{side} {_NO_TRACKS[role]}"
    return "pelvis" if role == "HJC" else segment_of_role(label) or None


def find_posture(
    trial: Trial, static: Trial | None, model: MarkerModel, sides: list[str], person: Person
) -> tuple[Posture, list[Finding]]:
    """Return where the markers are in the reference position, and the findings about it.

    Parameters
    ----------
    trial : Trial
        The walk.
    static : Trial, optional
    model : MarkerModel
    sides : list of {"left", "right"}
    person : Person

    Raises
    ------
    ModelNotFound
        If the pelvis is never completely visible.
    """
    trial = _only(trial, model)
    static = None if static is None else _only(static, model)
    in_walk = frozenset(_seen_labels(trial, 0.0))
    if static is None:
        posture, doubts = moving_posture(trial, model, sides, person)
        return replace(posture, in_walk=in_walk), doubts
    in_static = frozenset(_seen_labels(static, _SEEN))
    if standing(static):
        known = known_points(static.markers_G)
        R_GB = _facing({x: known_mean(static.marker(x)) for x in PELVIS if x in in_static})
        places = {
            label: R_GB @ median(static.markers_G[known[:, i], i] @ R_GB, axis=0)
            for i, label in enumerate(static.labels)
            if label in in_static
        }
        posture, doubts = Posture(places), []
    else:
        posture, doubts = moving_posture(static, model, sides, person)
    posture = replace(posture, in_walk=in_walk, in_static=in_static)
    return _with_walk_only(posture, trial, model, sides, person), doubts


def _facing(places: dict[str, Array]) -> Array:
    """Return the axes of the person: X ahead, Y up, Z level from left to right ASIS; shape (3, 3).

    They make medians by component and lateral axes independent of the axes of the laboratory.
    """
    if not set(PELVIS) <= set(places):
        return np.eye(3)
    up, right = np.array([0.0, 1.0, 0.0]), places["RASI"] - places["LASI"]
    right = unit(right - (right @ up) * up)
    return np.stack((cross(up, right), up, right), axis=1)


def _only(trial: Trial, model: MarkerModel) -> Trial:
    """Return a trial restricted to the markers of a model."""
    columns = [i for i, label in enumerate(trial.labels) if label in model.labels]
    labels = tuple(trial.labels[i] for i in columns)
    return replace(trial, labels=labels, markers_G=trial.markers_G[:, columns])


def standing(static: Trial) -> bool:
    """Return whether nearly all markers of a trial stay in place."""
    moved = [
        2.0 * percentile(lengths(marker - marker.mean(axis=0)), 90)
        for marker in (m[complete_rows(m)] for m in np.moveaxis(static.markers_G, 1, 0))
        if len(marker)
    ]
    return not moved or percentile(np.array(moved), 80) < _STILL_M


def _seen_labels(trial: Trial, part: float) -> list[str]:
    known = known_points(trial.markers_G).mean(axis=0)
    return [x for x, seen in zip(trial.labels, known, strict=True) if seen > 0 and seen >= part]


def moving_posture(
    trial: Trial, model: MarkerModel, sides: list[str], person: Person
) -> tuple[Posture, list[Finding]]:
    """Return the mean posture of a person who moves, and the finding about its uncertainty.

    A frame that shows the pelvis and one leg gives the first guess. The markers are then averaged
    in the axes of their segments, the segments in those of their neighbours, and the markers once
    more in that posture.
    """
    first = _first_places(trial, model, sides)
    R_GB = _facing(first)
    places = {label: point @ R_GB for label, point in first.items()}
    motions = track(trial, build_reference(Posture(places), model, sides, person)).motions
    places |= _mean_places(trial, model, motions)
    reference = build_reference(Posture(places), model, sides, person)
    stances = {side: stance_rows(trial, side) for side in reference.legs}
    places = _posed(places, model, mean_posture(motions, reference.legs.values(), stances))
    reference = build_reference(Posture(places), model, sides, person)
    motions = track(trial, reference).motions
    places |= _mean_places(trial, model, motions)
    turns, spread = _mean_turns(trial, reference_sides=list(reference.legs), motions=motions)
    return Posture(places, turns), [_uncertainty(trial, spread)]


def _posed(
    places: dict[str, Array], model: MarkerModel, motions: dict[str, RigidMotion]
) -> dict[str, Array]:
    """Return the positions of markers after their segments have moved, shape (3,) each."""
    of_marker = {label: motions.get(segment_of(label, model) or "") for label in places}
    return {
        label: point if (motion := of_marker[label]) is None else move(*motion, point)
        for label, point in places.items()
    }


def _uncertainty(trial: Trial, spread: dict[str, float]) -> Finding:
    """Return the finding about the uncertainty of a reference taken from a walk, deg."""
    worst = {s: max((v for k, v in spread.items() if k.endswith(s)), default=0.0) for s in SEGMENTS}
    hip, knee, ankle = (f"{worst[segment]:.0f}" for segment in ("thigh", "shank", "foot"))
    message = (
        f"nobody stands still in {trial.recording.name}: landmarks are means over its frames, joint"
        f" axes means over stance; the zero of rotation and inversion is uncertain, by {hip} deg at"
        f" the hip, {knee} at the knee and {ankle} at the ankle"
    )
    scope = trial.recording.name
    return Finding("info", "reference-in-walk", scope, message, max(worst.values(), default=0.0))


def _first_places(trial: Trial, model: MarkerModel, sides: list[str]) -> dict[str, Array]:
    """Return the positions of all markers in one posture, each leg from its best frame.

    The best frame shows most of the leg; the pelvis aligns the frames of both legs, and its own
    markers are the mean of both.
    """
    known = known_points(trial.markers_G)
    segments = {label: segment_of(label, model) for label in trial.labels}
    pelvis = [i for i, x in enumerate(trial.labels) if segments[x] == "pelvis"]
    asis = [i for i, x in enumerate(trial.labels) if x in PELVIS]
    names = {trial.labels[i] for i in pelvis}
    back = ("LPSI", "RPSI") if {"LPSI", "RPSI"} <= names else ("SACR",)
    needed = asis + [i for i in pelvis if trial.labels[i] in back]
    whole = np.asarray(known[:, needed].all(axis=1), dtype=bool)
    if len(needed) < SMALLEST_CLUSTER or not whole.any():
        raise ModelNotFound(
            f"{trial.recording.name}: no frame shows the whole pelvis (LASI, RASI,"
            f" {' and '.join(back)}), and no static shows it; name a standing trial with --static"
        )
    frames: dict[int, list[int]] = {}
    for side in sides:
        leg = [i for i, x in enumerate(trial.labels) if (segments[x] or "").startswith(side)]
        names = sorted({str(segments[trial.labels[i]]) for i in leg})
        groups = [[i for i in leg if segments[trial.labels[i]] == name] for name in names]
        row = _best_frame(known, whole, [*pelvis, *leg], groups)
        frames.setdefault(row, []).extend([*pelvis, *leg])
    home = _mean_pelvis([{i: trial.markers_G[row, i] for i in needed} for row in frames], trial)
    if not np.isfinite(home).all():
        raise ModelNotFound(
            f"{trial.recording.name}: the markers of the pelvis (LASI, RASI, {' and '.join(back)})"
            " are on one line; check their labels, or name a standing trial with --static"
        )
    found: dict[str, list[Array]] = {}
    for row, markers in frames.items():
        R, t, _ = rigid_motion(home, trial.markers_G[row, needed][None])
        for i in dict.fromkeys(i for i in markers if known[row, i]):
            place = rotate_back(R[0], trial.markers_G[row, i] - t[0])
            found.setdefault(trial.labels[i], []).append(place)
    return {label: np.mean(places, axis=0) for label, places in found.items()}


def _mean_pelvis(shapes: list[dict[int, Array]], trial: Trial) -> Array:
    """Return the mean of the shapes of a pelvis that faces along X each time, shape (m, 3).

    It is the same for a mirrored walk, whichever leg comes first.
    """
    means: list[Array] = []
    for shape in shapes:
        points = np.array(list(shape.values()))
        middle = points.mean(axis=0)
        R_GB = _facing({trial.labels[i]: point for i, point in shape.items()})
        means.append((points - middle) @ R_GB + middle)
    return np.mean(means, axis=0)


def _best_frame(known: Mask, whole: Mask, markers: list[int], groups: list[list[int]]) -> int:
    """Return the middle one of the frames that show most segments and, of these, most markers."""
    clusters = np.zeros(len(known))
    for group in groups:
        clusters += known[:, group].sum(axis=1) >= min(SMALLEST_CLUSTER, len(group))
    score = (clusters * known.shape[1] + known[:, markers].sum(axis=1) + 1) * whole
    best = np.flatnonzero(score == score.max())
    return int(best[len(best) // 2])


def _mean_places(
    trial: Trial, model: MarkerModel, motions: dict[str, RigidMotion]
) -> dict[str, Array]:
    """Return the mean position of each marker in the reference position of its segment."""
    places = {}
    for i, label in enumerate(trial.labels):
        segment = segment_of(label, model)
        if segment is None or segment not in motions:
            continue
        R, t = motions[segment]
        carried = rotate_back(R, trial.markers_G[:, i] - t)
        if complete_rows(carried).any():
            places[label] = median(carried[complete_rows(carried)], axis=0)
    return places


def _mean_turns(
    trial: Trial, reference_sides: list[str], motions: dict[str, RigidMotion]
) -> tuple[dict[str, Array], dict[str, float]]:
    """Return the mean rotation of the segment above in each segment, and its spread, deg."""
    turns, spread = {}, {}
    for side in reference_sides:
        stance = stance_rows(trial, side)
        for segment, above in ABOVE.items():
            upper = motions[above if above == "pelvis" else f"{side} {above}"][0]
            name = f"{side} {segment}"
            turn = np.swapaxes(motions[name][0], -1, -2) @ upper
            known = complete_rows(turn)
            rows = stance & known if (stance & known).any() else known
            if not rows.any():
                continue
            turns[name] = known_mean(turn[rows])
            axes = unit(turn[rows][:, :, 2])
            apart = np.degrees(np.arccos(np.clip(axes @ unit(axes.mean(axis=0)), -1.0, 1.0)))
            spread[name] = float(np.sqrt((apart**2).mean()))
    return turns, spread


def stance_rows(trial: Trial, side: str) -> Mask:
    """Return the frames in which a foot is in the lower half of its heights, shape (n,).

    That is most of stance, overground and on a treadmill; all frames if no marker of the leg that
    could show it is visible.
    """
    n = len(trial.markers_G)
    for role in ("ANK", "HEE", "AJC", "TOE", "MT5", "MED", "MT1", "TIB", "SK1", "KNE"):
        label = LETTER[side] + role
        if label in trial.labels:
            height = trial.marker(label)[:, 1]
            if np.isfinite(height).any():
                with np.errstate(invalid="ignore"):
                    return np.asarray(height <= known_median(height), dtype=bool)
    return np.ones(n, bool)


def _with_walk_only(
    posture: Posture, trial: Trial, model: MarkerModel, sides: list[str], person: Person
) -> Posture:
    """Return the posture with the markers that only the walk shows, carried to the static."""
    walk_only = [
        label for label in trial.labels
        if label not in posture.places and segment_of(label, model) is not None
    ]  # fmt: skip
    if not walk_only or not set(PELVIS) <= set(posture.places):
        return posture
    reference = build_reference(posture, model, sides, person)
    means = _mean_places(trial, model, track(trial, reference).motions)
    return replace(posture, places=posture.places | {x: means[x] for x in walk_only if x in means})
