"""Recorded markers of clusters before the filter: strays left out, hidden ones carried.

Carried before the filter, a marker has no end beside its gap: a smoothed path is worst at its ends,
and the difference of two ends is a jump of the segment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.hidden import carried_through
from gaitdyn.calibrate.neighbours import filled_by_neighbours
from gaitdyn.calibrate.steady import LARGEST_GAIN, gain
from gaitdyn.core.rigid import LINE, SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.runs import complete_rows, known_points, runs
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from gaitdyn.calibrate.hidden import Direction, Support
    from gaitdyn.calibrate.landmarks import Reference, ReferenceLeg, Template
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.trial import Trial

STRAYS_M, AGREE_M, STEP_M = 0.04, 0.01, 0.02
"""A marker this far from where the others put it, while they agree among themselves to this (root
mean square), is another marker, or was moved; for a part of the trial where it comes or goes by a
step within a frame. Skin slides so far without one."""

ALWAYS = 0.5
"""A marker that strays in more than this part of its frames is left out of all."""

_ABOVE = {"thigh": "@hip", "shank": "@knee", "foot": "@ankle"}


@dataclass(frozen=True, slots=True, eq=False)
class Bridged:
    """Markers of a trial with hidden ones carried, shape (n, m, 3), G, m, and what to say."""

    markers_G: Array
    findings: list[Finding]


def bridge(trial: Trial, reference: Reference) -> Bridged:
    """Return the markers of a trial without strays of clusters, and with what the others carry.

    Parameters
    ----------
    trial : Trial
        As recorded, short gaps filled.
    reference : Reference
    """
    markers, findings = trial.markers_G.copy(), []
    templates = {"pelvis": reference.pelvis}
    for side, leg in reference.legs.items():
        for segment, template in zip(("foot", "shank", "thigh"), leg.template, strict=True):
            templates[f"{side} {segment}"] = template
    for name, template in templates.items():
        findings += _without_strays(name, template, trial.labels, markers)
    at, whole = (
        _of_trial(reference.pelvis, trial.labels),
        _hips_by_thighs(trial.labels, markers, reference),
    )
    up = np.array([0.0, 1.0, 0.0])
    upright = up, np.broadcast_to(up, (len(markers), 3))
    pelvis = _carried(reference.pelvis, at, markers, trial.rate_hz, whole, upright)
    for leg in reference.legs.values():
        _leg(trial, leg, (pelvis, reference.R_GP[:, 2]), markers)
    clusters = [
        (columns, template[1][own])
        for template in templates.values()
        for own, columns in [_of_trial(template, trial.labels)]
    ]
    return Bridged(filled_by_neighbours(markers, clusters, trial.rate_hz), findings)


def _leg(
    trial: Trial, leg: ReferenceLeg, pelvis: tuple[tuple[Array, Array], Array], markers: Array
) -> None:
    """Carry the hidden markers of one leg, from the hip down.

    ``pelvis`` is the motion of the pelvis and its axis to the right in the reference position.
    """
    above, axis = pelvis
    joints = {"@hip": (leg.hip, move(*above, leg.hip))}
    ends = {"thigh": ("@knee", leg.knee), "shank": ("@ankle", leg.ankle), "foot": ("", leg.toe)}
    for i, segment in ((2, "thigh"), (1, "shank"), (0, "foot")):
        template = leg.template[i]
        at = _of_trial(template, trial.labels)
        names = {_ABOVE[segment], *(x for x in template[0] if x in joints)}
        known = [joints[x] for x in sorted(names) if np.isfinite(joints[x][0]).all()]
        beside_it = axis, above[0] @ axis
        above = moved = _carried(template, at, markers, trial.rate_hz, known, beside_it)
        axis = leg.axes[i][:, 2]
        joint, place = ends[segment]
        joints[joint] = (place, move(*moved, place))


def _of_trial(template: Template, labels: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """Return which points of a template are markers of a trial, and which markers these are."""
    own = [k for k, label in enumerate(template[0]) if label in labels]
    return own, [labels.index(template[0][k]) for k in own]


def _carried(
    template: Template,
    at: tuple[list[int], list[int]],
    markers: Array,
    rate_hz: float,
    known: list[tuple[Array, Array]],
    beside_it: Direction,
) -> tuple[Array, Array]:
    """Fill the markers of a segment in place; return its motion by them and, where few, joints."""
    own, columns = at
    shape, points = template[1][own], markers[:, columns]
    support: Support | None = None
    if known:
        support = (np.stack([place for place, _ in known]), np.stack([p for _, p in known], axis=1))
    if len(own) + len(known) > LINE:
        markers[:, columns] = points = carried_through(shape, points, rate_hz, support, beside_it)
    if support is not None and len(own) < SMALLEST_CLUSTER:
        shape, points = (
            np.concatenate((shape, support[0])),
            np.concatenate((points, support[1]), axis=1),
        )
    return rigid_motion(shape, points)[:2]


def _hips_by_thighs(
    labels: tuple[str, ...], markers: Array, reference: Reference
) -> list[tuple[Array, Array]]:
    """Return hip centres that clusters on the thighs carry, for a pelvis with hidden markers."""
    found = []
    for leg in reference.legs.values():
        own, columns = _of_trial(leg.template[2], labels)
        if len(own) >= SMALLEST_CLUSTER and gain(leg.template[2][1][own], leg.hip) <= LARGEST_GAIN:
            R, t, _ = rigid_motion(leg.template[2][1][own], markers[:, columns])
            found.append((leg.hip, move(R, t, leg.hip)))
    return found


def _without_strays(
    name: str, template: Template, labels: tuple[str, ...], markers: Array
) -> list[Finding]:
    """Take markers away that stand out of their cluster, in place; return who they are."""
    own, columns = _of_trial(template, labels)
    shape, found = template[1][own], []
    for _ in own:
        far = [_far(shape, markers[:, columns], i) for i in range(len(own))]
        counts = [int(np.count_nonzero(one)) for one in far]
        if not counts or max(counts) == 0:
            break
        worst = counts.index(max(counts))
        seen = known_points(markers[:, columns[worst]])
        total = int(np.count_nonzero(seen))
        gone = seen if counts[worst] > ALWAYS * total else far[worst]
        markers[gone, columns[worst]] = np.nan
        label = template[0][own[worst]]
        found.append(_stray(label, name, int(np.count_nonzero(gone)), total))
    return found


def _far(shape: Array, points: Array, i: int) -> Mask:
    """Return the frames in which a point is far from where the others put it, and they agree."""
    seen = np.flatnonzero(np.any(known_points(points), axis=0)).tolist()
    others = [j for j in seen if j != i]
    none = np.zeros(len(points), dtype=bool)
    if len(others) < SMALLEST_CLUSTER or gain(shape[others], shape[i]) > LARGEST_GAIN:
        return none
    R, t, residual = rigid_motion(shape[others], points[:, others])
    whole = complete_rows(residual)
    apart = np.sqrt((np.where(whole[:, None], residual, np.inf) ** 2).mean(axis=1))
    off: Array = np.linalg.norm(points[:, i] - move(R, t, shape[i]), axis=1)
    far = np.logical_and(apart < AGREE_M, off > STRAYS_M)
    if np.count_nonzero(far) > ALWAYS * np.count_nonzero(known_points(points[:, i])):
        return far
    for start, stop in runs(far):
        steps = np.abs(np.diff(off[max(0, start - 1) : stop + 1]))
        if not any(step > STEP_M for step in (*steps[:1], *steps[-1:])):  # NaN is not a step
            far[start:stop] = False
    return far


def _stray(label: str, name: str, frames: int, seen: int) -> Finding:
    message = (
        f"{label} stands more than {1000 * STRAYS_M:.0f} mm from where the other markers of the"
        f" {name} put it, and they agree: left out of the fit in {frames} of {seen} frames"
    )
    return Finding("warning", "marker-left-out", label, message, float(frames))
