"""The reference position: the mean of a person who stands, or the mean stance of a walk.

Nobody stands in a walk, so no single frame of it is the reference: every landmark is averaged in
the axes of the markers that carry it, over all frames in which both are seen, and an axis that a
segment takes from its neighbour is averaged over the stance of that leg.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.landmarks import LIMBS, Person, Posture, build_reference
from gaitdyn.calibrate.mean_posture import ABOVE, mean_posture
from gaitdyn.calibrate.tracking import RigidMotion, track
from gaitdyn.core.medians import known_median, median
from gaitdyn.core.rigid import SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.rotations import cross, lengths, rotate_back, unit
from gaitdyn.core.runs import complete_rows, known_mean, known_points, percentile
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.subject import LETTER, SIDE_OF
from gaitdyn.types.trial import Trial

_ASIS = ("LASI", "RASI")

_SEEN = 0.1
"""A landmark of a static counts when it is seen in this part of the frames."""

_STILL_M = 0.03
"""In a person who stands nearly every marker is for 90 % of the time within a ball of this diameter
around its mean, m."""

_OF_SEGMENT = {
    "pelvis": ("ASI", "PSI", "ICR", "HJC"),
    "thigh": ("THI", "KNE", "KNM", "PAT", "GTR", "KJC", "KAX", "KD1", "KD2"),
    "shank": ("TIB", "HFI", "TTU", "ANK", "MED", "AJC"),
    "foot": ("HEE", "TOE", "TO2", "HLX", "MT1", "MT5", "M1B", "M5B", "NAV", "HEL", "HEM"),
}
"""Roles without the side that move with a segment, whether they track it or not."""

_SERIES = {"TH": "thigh", "SK": "shank", "FT": "foot", "HE": "foot"}


def segment_of(label: str, model: MarkerModel) -> str | None:
    """Return the segment that a marker belongs to: ``pelvis``, ``left thigh``, ... or None."""
    if label == "SACR" or label.startswith("PEL"):
        return "pelvis"
    side = SIDE_OF.get(label[:1])
    role = label[1:]
    for segment, names in model.tracking.items():
        if label in names or (side and "{s}" + role in names):
            whole = segment == "pelvis" or " " in segment
            return segment if whole else f"{side} {segment}"
    if side is None:
        return None
    for segment, roles in _OF_SEGMENT.items():
        if role in roles:
            return "pelvis" if segment == "pelvis" else f"{side} {segment}"
    if role[:2] in _SERIES and role[2:].isdigit():
        return f"{side} {_SERIES[role[:2]]}"
    return None


def find_posture(
    trial: Trial, static: Trial | None, model: MarkerModel, sides: list[str], person: Person
) -> tuple[Posture, list[Finding]]:
    """Return where the markers are in the reference position, and what is to be said of it.

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
        When the pelvis is never seen whole.
    """
    trial = _only(trial, model)
    static = None if static is None else _only(static, model)
    in_walk = frozenset(_seen_labels(trial, 0.0))
    if static is None:
        posture, doubts = moving_posture(trial, model, sides, person)
        return replace(posture, in_walk=in_walk), doubts
    in_static = frozenset(_seen_labels(static, _SEEN))
    if standing(static):
        at = known_points(static.markers_G)
        R_GB = _facing({x: known_mean(static.marker(x)) for x in _ASIS if x in in_static})
        places = {
            label: R_GB @ median(static.markers_G[at[:, i], i] @ R_GB, axis=0)
            for i, label in enumerate(static.labels)
            if label in in_static
        }
        posture, doubts = Posture(places), []
    else:
        posture, doubts = moving_posture(static, model, sides, person)
    posture = replace(posture, in_walk=in_walk, in_static=in_static)
    return _with_walk_only(posture, trial, model, sides, person), doubts


def _facing(places: dict[str, Array]) -> Array:
    """Return the axes of a person who faces X, shape (3, 3): Y up, Z level from left to right ASIS.

    Medians by component and axes that are called lateral are the person's own in them, however the
    laboratory lies.
    """
    if not set(_ASIS) <= set(places):
        return np.eye(3)
    up, right = np.array([0.0, 1.0, 0.0]), places["RASI"] - places["LASI"]
    right = unit(right - (right @ up) * up)
    return np.stack((cross(up, right), up, right), axis=1)


def _only(trial: Trial, model: MarkerModel) -> Trial:
    """Return a trial with the markers of a model alone."""
    at = [i for i, label in enumerate(trial.labels) if label in model.labels]
    labels = tuple(trial.labels[i] for i in at)
    return replace(trial, labels=labels, markers_G=trial.markers_G[:, at])


def standing(static: Trial) -> bool:
    """Return whether nearly all markers of a trial stay where they are."""
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
    """Return the mean posture of a person who moves, and what it costs.

    A frame in which pelvis and one leg are seen gives the first guess; the markers are then
    averaged in the axes of their segments, these in those of their neighbours, and the markers in
    that posture once more.
    """
    seen = _first_places(trial, model, sides)
    R_GB = _facing(seen)
    places = {label: at @ R_GB for label, at in seen.items()}
    motions = track(trial, build_reference(Posture(places), model, sides, person)).motions
    places |= _mean_places(trial, model, motions)
    reference = build_reference(Posture(places), model, sides, person)
    stances = {side: stance_rows(trial, side) for side in reference.legs}
    mean = mean_posture(motions, reference.legs.values(), stances)
    places = _posed(places, model, mean)
    reference = build_reference(Posture(places), model, sides, person)
    motions = track(trial, reference).motions
    places |= _mean_places(trial, model, motions)
    turns, spread = _mean_turns(trial, reference_sides=list(reference.legs), motions=motions)
    return Posture(places, turns), [_cost(trial, spread)]


def _posed(
    places: dict[str, Array], model: MarkerModel, motions: dict[str, RigidMotion]
) -> dict[str, Array]:
    """Return the places of markers whose segments have moved, shape (3,) each."""
    own = {label: motions.get(segment_of(label, model) or "") for label in places}
    return {x: at if (to := own[x]) is None else move(*to, at) for x, at in places.items()}


def _cost(trial: Trial, spread: dict[str, float]) -> Finding:
    """Return the finding that says what a reference taken from a walk costs, in degrees."""
    worst = {s: max((v for k, v in spread.items() if k.endswith(s)), default=0.0) for s in LIMBS}
    told = ", ".join(
        f"{joint} {worst[segment]:.0f}"
        for joint, segment in (("hip", "thigh"), ("knee", "shank"), ("ankle", "foot"))
    )
    message = (
        f"nobody stands still in {trial.recording.name}: landmarks are means over its frames, joint"
        f" axes means over stance; the zero of rotation and inversion is uncertain by {told} deg"
    )
    scope = trial.recording.name
    return Finding("info", "reference-in-walk", scope, message, max(worst.values(), default=0.0))


def _first_places(trial: Trial, model: MarkerModel, sides: list[str]) -> dict[str, Array]:
    """Return the places of all markers in one posture, each leg from the frame that shows it best.

    The pelvis joins the frames.
    """
    known = known_points(trial.markers_G)
    own = {label: segment_of(label, model) for label in trial.labels}
    pelvis = [i for i, x in enumerate(trial.labels) if own[x] == "pelvis"]
    asis = [i for i, x in enumerate(trial.labels) if x in _ASIS]
    names = {trial.labels[i] for i in pelvis}
    back = ("LPSI", "RPSI") if {"LPSI", "RPSI"} <= names else ("SACR",)
    needed = asis + [i for i in pelvis if trial.labels[i] in back]
    whole = np.asarray(known[:, needed].all(axis=1), dtype=bool)
    if len(needed) < SMALLEST_CLUSTER or not whole.any():
        raise ModelNotFound(
            f"{trial.recording.name}: in no frame is the pelvis seen (LASI, RASI,"
            f" {' and '.join(back)}), and there is no static that shows it; name a standing trial"
            " with --static"
        )
    places: dict[str, Array] = {}
    home: Array | None = None
    for side in sides:
        mine = [i for i, x in enumerate(trial.labels) if (own[x] or "").startswith(side)]
        frame = _best_frame(known, whole, [*pelvis, *mine], _groups(trial, own, mine))
        shape = trial.markers_G[frame, needed]
        home = shape if home is None else home
        R, t, _ = rigid_motion(home, shape[None])
        for i in (*pelvis, *mine):
            if known[frame, i] and trial.labels[i] not in places:
                places[trial.labels[i]] = rotate_back(R[0], trial.markers_G[frame, i] - t[0])
    return places


def _groups(trial: Trial, own: dict[str, str | None], mine: list[int]) -> list[list[int]]:
    names = {own[trial.labels[i]] for i in mine}
    return [[i for i in mine if own[trial.labels[i]] == name] for name in sorted(map(str, names))]


def _best_frame(known: Mask, whole: Mask, at: list[int], groups: list[list[int]]) -> int:
    """Return the middle one of the frames that show most segments, then most markers."""
    clusters = np.zeros(len(known))
    for group in groups:
        clusters += known[:, group].sum(axis=1) >= min(SMALLEST_CLUSTER, len(group))
    score = (clusters * known.shape[1] + known[:, at].sum(axis=1) + 1) * whole
    best = np.flatnonzero(score == score.max())
    return int(best[len(best) // 2])


def _mean_places(
    trial: Trial, model: MarkerModel, motions: dict[str, RigidMotion]
) -> dict[str, Array]:
    """Return the mean place of each marker in the reference position of its segment."""
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
    """Return the mean turn of each segment's neighbour above against it, and its spread, deg."""
    turns, spread = {}, {}
    for side in reference_sides:
        low = stance_rows(trial, side)
        for segment in ("thigh", "shank", "foot"):
            above = ABOVE[segment]
            upper = motions[above if above == "pelvis" else f"{side} {above}"][0]
            name = f"{side} {segment}"
            seen = np.swapaxes(motions[name][0], -1, -2) @ upper
            rows = low & complete_rows(seen)
            if not rows.any():
                rows = complete_rows(seen)
            if not rows.any():
                continue
            turns[name] = known_mean(seen[rows])
            axes = unit(seen[rows][:, :, 2])
            apart = np.degrees(np.arccos(np.clip(axes @ unit(axes.mean(axis=0)), -1.0, 1.0)))
            spread[name] = float(np.sqrt((apart**2).mean()))
    return turns, spread


def stance_rows(trial: Trial, side: str) -> Mask:
    """Return the frames in which a foot is in the lower half of its heights, shape (n,).

    Most of a stance, overground and on a belt; all frames where no marker of the foot is seen.
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
    lacking = [
        label for label in trial.labels
        if label not in posture.places and segment_of(label, model) is not None
    ]  # fmt: skip
    if not lacking or not set(_ASIS) <= set(posture.places):
        return posture
    reference = build_reference(posture, model, sides, person)
    found = _mean_places(trial, model, track(trial, reference).motions)
    return replace(posture, places=posture.places | {x: found[x] for x in lacking if x in found})
