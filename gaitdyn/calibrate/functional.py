"""Hip centres and knee axes from functional trials: choice of markers, result, refusals.

The limits are measured: six good trials of four laboratories have condition numbers of 7 to 10,
residuals of 5.7 to 9.5 mm and centres 10 to 23 mm from Harrington's. A static has the smallest
residual of all and a condition number above 1000. The smallest singular value shows whether a
movement determines a centre; the residual shows whether the two segments share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.ladder.model import PELVIS_TRACKS
from gaitdyn.core.functional import (
    Cluster,
    ClusterFit,
    cluster_poses,
    part,
    shared_axis,
    shared_point,
    shown_together,
    turn_about,
    turns,
)
from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.core.runs import box_diagonal, known_points
from gaitdyn.errors import FunctionalRefused
from gaitdyn.types.findings import Finding
from gaitdyn.types.functional import FunctionalFit, FunctionalTrial
from gaitdyn.types.subject import LETTER, OTHER
from gaitdyn.types.words import counted

SMALLEST_VALUE, DOUBTFUL_VALUE = 0.03, 0.06
"""Smallest singular value of a centre: refused below the first, doubtful below the second."""
RESIDUAL_M, CLUSTER_M, HALVES_M = 0.010, 0.006, 0.020
"""Largest distance of the two segments' points, of the markers from their rigid cluster, and of the
results of both halves of the trial."""
FEWEST_FRAMES, SHORTEST_S = 250, 8.0
"""Frames and time that show both segments; one of the two is enough."""
TRAVEL_M = 0.8
"""A person whose pelvis moves further walks; in good functional trials it moves 0.1 to 0.4 m."""
OTHER_LEG = 0.8
"""Largest movement of the other hip, as a share of that of the joint: 0.2 and 0.7 in good trials
(the pelvis tilts over the stance leg), 0.9 to 1 in walks."""
HINGE, ABOUT_DEG, APART_DEG = 6.0, 45.0, 5.0
"""Of a knee: least ratio of singular values 5 and 6, least range of rotation about the axis, and
largest angle between the axes of thigh and shank."""

_SEEN = 0.5
_FOUR = ("LASI", "RASI", "LPSI", "RPSI")
_CLUSTERS = {
    "thigh": ("TH", ("THI", "PAT"), ("KNE", "KNM")),
    "shank": ("SK", ("TIB", "HFI", "TTU"), ("ANK", "MED")),
}
"""Segment -> stem of its cluster, single markers on it, and those at the joint below. The last ones
slide and are used only if there are not three without them. A trochanter marker moves with the skin
of the hip and is never used."""
_SEGMENTS = {"hip": ("pelvis", "thigh"), "knee": ("thigh", "shank")}
_MOVE = {
    "hip": "flex, abduct and circle the leg for 10 s with the pelvis nearly still",
    "knee": "bend and stretch the knee by 60 degrees or more for 10 s, nothing else",
}


def find_functional(trial: FunctionalTrial) -> FunctionalFit:
    """Return the hip centre (SCoRE) or the knee axis (SARA) that a functional trial shows.

    Returns
    -------
    FunctionalFit
        In the frame of the pelvis or the thigh.

    Raises
    ------
    FunctionalRefused
        If it lacks three markers of a segment, is too short, or its movement does not show the
        centre or axis; the message has what was found and what was wanted.
    """
    first, second = (segment_markers(trial, segment) for segment in _SEGMENTS[trial.joint])
    markers = trial.recording.markers_L
    one, two = cluster_poses(markers[:, first]), cluster_poses(markers[:, second])
    find = shared_point if trial.joint == "hip" else shared_axis
    fit = find(one, two)
    seconds = fit.frames / trial.recording.rate_hz
    if fit.frames < FEWEST_FRAMES and seconds < SHORTEST_S:
        found = f"{counted(fit.frames, 'frame')} ({seconds:.1f} s) with both segments"
        raise _refused(trial, found, f"{FEWEST_FRAMES} frames or {SHORTEST_S:g} s")
    names = trial.recording.labels
    if trial.joint == "hip":
        _refuse_other_leg(trial, one, float(np.ptp(turns(one, two), axis=0).max()))
    labels = tuple(names[i] for i in first), tuple(names[i] for i in second)
    result = _with_quality(trial, (one, two), fit, labels)
    _refuse_unclear(trial, result)
    return result


def refuse_walking(trial: FunctionalTrial) -> None:
    """Refuse a recording in which the pelvis travels: a walk does not show a centre.

    Raises
    ------
    FunctionalRefused
    """
    pelvis = trial.recording.markers_L[:, segment_markers(trial, "pelvis")]
    travel = box_diagonal(cluster_poses(pelvis).t)
    if travel > TRAVEL_M:
        found = f"a person who walks (the pelvis moves {travel:.1f} m)"
        raise _refused(trial, found, f"one who stays within {TRAVEL_M:g} m")


def _refuse_other_leg(trial: FunctionalTrial, pelvis: Cluster, range_rad: float) -> None:
    """Refuse a recording in which the other leg moves too: that of the other hip, or a walk."""
    side = OTHER[trial.side]
    try:
        markers = segment_markers(replace(trial, side=side), "thigh")
    except FunctionalRefused:
        return
    other = turns(pelvis, cluster_poses(trial.recording.markers_L[:, markers]))
    moved = float(np.ptp(other, axis=0).max()) if len(other) else 0.0
    if moved > OTHER_LEG * range_rad:
        degrees = f"{np.degrees(moved):.0f} and {np.degrees(range_rad):.0f} degrees"
        found = f"a {side} hip that moves as the {trial.side} one does ({degrees})"
        raise _refused(trial, found, "one that is nearly still")


def segment_markers(trial: FunctionalTrial, segment: str) -> list[int]:
    """Return the indices of the markers that show how a segment moves, in the labels of a trial.

    Three or more that are visible in half of the frames. For a pelvis its four spines, else all its
    markers; for a thigh or shank its cluster, else with its single markers, else with those at the
    joint below.

    Parameters
    ----------
    trial : FunctionalTrial
    segment : {"pelvis", "thigh", "shank"}

    Raises
    ------
    FunctionalRefused
        If there are fewer than three.
    """
    visible = known_points(trial.recording.markers_L).mean(axis=0) >= _SEEN
    index = {role: i for i, role in trial.roles.items() if visible[i]}
    markers: list[int] = []
    for names, least in _choices(segment, LETTER[trial.side], sorted(index)):
        markers = [index[name] for name in names if name in index]
        if len(markers) >= least:
            return markers
    labels = ", ".join(trial.recording.labels[i] for i in markers) or "no marker"
    wanted = "three that are visible in half of the frames"
    raise _refused(trial, f"{labels} on the {segment}", wanted)


def _choices(segment: str, letter: str, roles: Sequence[str]) -> list[tuple[Sequence[str], int]]:
    """Return the sets of markers to try one after the other, and how many each needs."""
    if segment == "pelvis":
        extra = [role for role in roles if role.startswith("PEL")]
        return [(_FOUR, len(_FOUR)), ([*PELVIS_TRACKS, *extra], SMALLEST_CLUSTER)]
    stem, singles, ends = _CLUSTERS[segment]
    cluster = [role for role in roles if role[:3] == letter + stem and role[3:].isdigit()]
    on_segment = [*cluster, *(letter + role for role in singles)]
    with_joint = [*on_segment, *(letter + role for role in ends)]
    return [(names, SMALLEST_CLUSTER) for names in (cluster, on_segment, with_joint)]


def _with_quality(
    trial: FunctionalTrial,
    clusters: tuple[Cluster, Cluster],
    fit: ClusterFit,
    labels: tuple[tuple[str, ...], tuple[str, ...]],
) -> FunctionalFit:
    """Return the result of two clusters with the measures of its quality."""
    one, two = clusters
    hip = trial.joint == "hip"
    return FunctionalFit(
        joint=trial.joint,
        side=trial.side,
        name=trial.recording.name,
        labels=labels[0],
        places=one.template,
        point=fit.first,
        axis=np.full(3, np.nan) if hip else fit.first_axis,
        distal=labels[1],
        singular=fit.singular,
        residual_m=fit.residual_m,
        cluster_m=max(one.rms_m, two.rms_m),
        halves_m=_halves(one, two, hip=hip),
        range_rad=np.ptp(turns(one, two), axis=0),
        apart_rad=np.nan if hip else fit.apart_rad,
        about_rad=np.nan if hip else turn_about(one, two, fit.first_axis),
    )


def _halves(one: Cluster, two: Cluster, *, hip: bool) -> float:
    """Return the distance between the results of the two halves of the frames that show both, m.

    For axes, the distance of the point of the first from the line of the second.
    """
    shown = np.flatnonzero(shown_together(one, two))
    middle = int(shown[len(shown) // 2])
    find = shared_point if hip else shared_axis
    a, b = (find(part(one, rows), part(two, rows)) for rows in (slice(middle), slice(middle, None)))
    between = b.first - a.first
    if not hip:
        between = between - (between @ a.first_axis) * a.first_axis
    return float(np.linalg.norm(between))


def _refuse_unclear(trial: FunctionalTrial, found: FunctionalFit) -> None:
    """Refuse a centre or axis that the movement does not show."""
    smallest = float(found.singular[-1])
    wide = "{:.0f}, {:.0f} and {:.0f} degrees".format(*np.degrees(found.range_rad))
    if trial.joint == "hip" and not smallest >= SMALLEST_VALUE:
        movement = (
            f"a movement of {wide} that shows no centre (smallest singular value {smallest:.3f},"
            f" condition {found.condition:.0f})"
        )
        raise _refused(trial, movement, f"{SMALLEST_VALUE:g} or more: rotation in two planes")
    if trial.joint == "knee":
        about, apart = np.degrees(found.about_rad), np.degrees(found.apart_rad)
        if not (found.hinge >= HINGE and about >= ABOUT_DEG and apart <= APART_DEG):
            movement = (
                f"no hinge (ratio of singular values 5 and 6: {found.hinge:.1f}, {about:.0f}"
                f" degrees about the axis, its directions {apart:.1f} degrees apart)"
            )
            raise _refused(trial, movement, f"{HINGE:g}, {ABOUT_DEG:g} and at most {APART_DEG:g}")
    for parts, value, limit in (
        ("the two points of a frame", found.residual_m, RESIDUAL_M),
        ("the markers from a rigid cluster", found.cluster_m, CLUSTER_M),
        ("the results of both halves", found.halves_m, HALVES_M),
    ):
        if not value <= limit:
            distance = f"{parts} {1000 * value:.1f} mm apart"
            raise _refused(trial, distance, f"{1000 * limit:g} mm at most")


def doubtful(found: FunctionalFit) -> list[Finding]:
    """Return a warning if the movement of a hip barely shows its centre."""
    smallest = float(found.singular[-1])
    if found.joint != "hip" or smallest >= DOUBTFUL_VALUE:
        return []
    message = (
        f"{found.side} hip: the movement in {found.name} barely shows its centre (smallest singular"
        f" value {smallest:.3f}, wanted {DOUBTFUL_VALUE:g}); {_MOVE['hip']}"
    )
    return [Finding("warning", "functional-doubtful", f"{found.side} hip", message, smallest)]


def _refused(trial: FunctionalTrial, found: str, wanted: str) -> FunctionalRefused:
    """Return the refusal of a functional trial, in one line."""
    message = (
        f"--functional {trial.key}={trial.recording.name}: found {found}; wanted {wanted};"
        f" {_MOVE[trial.joint]}, or leave the option out"
    )
    return FunctionalRefused(message)
