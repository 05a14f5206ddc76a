"""The reference position: the mean of a standing person, or the mean posture of a walk.

Nobody stands still in a walk, so no single frame is the reference.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.clusters.tracking import track
from gaitdyn.calibrate.ladder.legs import build_reference
from gaitdyn.calibrate.models.segments import segment_of
from gaitdyn.calibrate.plug_in_gait.markers import PELVIS
from gaitdyn.calibrate.posture.first_places import facing
from gaitdyn.calibrate.posture.moving import mean_places, moving_posture
from gaitdyn.calibrate.posture.reference import Person, Posture
from gaitdyn.core.medians import median
from gaitdyn.core.percentiles import percentile
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import complete_rows, known_mean, known_points
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.trial import Trial

_SEEN = 0.1
"""A landmark of a static counts if it is visible in this share of the frames."""

_STILL_M = 0.03
"""Nearly every marker of a standing person stays within a ball of this diameter around its mean for
90 % of the time, m."""


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
        R_GB = facing({x: known_mean(static.marker(x)) for x in PELVIS if x in in_static})
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
    means = mean_places(trial, model, track(trial, reference).motions)
    return replace(posture, places=posture.places | {x: means[x] for x in walk_only if x in means})
