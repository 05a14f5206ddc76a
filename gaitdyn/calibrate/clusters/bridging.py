"""Recorded markers of clusters before filtering: strays left out, hidden markers carried.

A marker that is carried before filtering has no end next to its gap. A smoothed path is worst at
its ends, and the difference of two ends would be a jump of the segment.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.clusters.hidden import Direction, Support, carried_through
from gaitdyn.calibrate.clusters.neighbours import filled_by_neighbours
from gaitdyn.calibrate.clusters.steady import LARGEST_GAIN, gain
from gaitdyn.calibrate.posture.reference import JOINT_ABOVE, Reference, ReferenceLeg, Template
from gaitdyn.core.rigid import LINE, SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.runs import complete_rows, known_points, runs
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import SEGMENTS
from gaitdyn.types.trial import Trial

STRAYS_M, AGREE_M, STEP_M = 0.04, 0.01, 0.02
"""A marker is another marker, or was moved, if it is further than 40 mm from where the others place
it while they agree among themselves to 10 mm (root mean square). In only part of a trial it must
also come or go by a step of 20 mm within a frame: skin slides this far without a step."""

ALWAYS = 0.5
"""A marker that strays in more than this share of its frames is left out of all."""


@frozen(eq=False)
class Bridged:
    """Markers of a trial with hidden ones carried, shape (n, m, 3), G, m, and the findings."""

    markers_G: Array
    findings: list[Finding]


def bridge(trial: Trial, reference: Reference) -> Bridged:
    """Return the markers of a trial without strays of clusters, with hidden ones carried.

    Parameters
    ----------
    trial : Trial
        As recorded, short gaps filled.
    reference : Reference
    """
    markers, findings = trial.markers_G.copy(), []
    templates = {"pelvis": reference.pelvis}
    for side, leg in reference.legs.items():
        for segment, template in zip(SEGMENTS, leg.template, strict=True):
            templates[f"{side} {segment}"] = template
    for name, template in templates.items():
        findings += _without_strays(name, template, trial.labels, markers)
    index = _in_trial(reference.pelvis, trial.labels)
    hips = _hips_by_thighs(trial.labels, markers, reference)
    up = np.array([0.0, 1.0, 0.0])
    upright = up, np.broadcast_to(up, (len(markers), 3))
    pelvis = _carried(reference.pelvis, index, markers, trial.rate_hz, hips, upright)
    for leg in reference.legs.values():
        _leg(trial, leg, (pelvis, reference.R_GP[:, 2]), markers)
    clusters = [
        (columns, template[1][rows])
        for template in templates.values()
        for rows, columns in [_in_trial(template, trial.labels)]
    ]
    return Bridged(filled_by_neighbours(markers, clusters, trial.rate_hz), findings)


def _leg(
    trial: Trial, leg: ReferenceLeg, pelvis: tuple[tuple[Array, Array], Array], markers: Array
) -> None:
    """Carry the hidden markers of one leg in place, from the hip down.

    ``pelvis`` is the motion of the pelvis and its axis to the right in the reference position.
    """
    above, axis = pelvis
    joints = {"@hip": (leg.hip, move(*above, leg.hip))}
    ends = {"thigh": ("@knee", leg.knee), "shank": ("@ankle", leg.ankle), "foot": ("", leg.toe)}
    for i, segment in ((2, "thigh"), (1, "shank"), (0, "foot")):
        template = leg.template[i]
        index = _in_trial(template, trial.labels)
        names = {JOINT_ABOVE[segment], *(x for x in template[0] if x in joints)}
        known = [joints[x] for x in sorted(names) if np.isfinite(joints[x][0]).all()]
        direction = axis, above[0] @ axis
        above = _carried(template, index, markers, trial.rate_hz, known, direction)
        axis = leg.axes[i][:, 2]
        joint, centre = ends[segment]
        joints[joint] = (centre, move(*above, centre))


def _in_trial(template: Template, labels: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """Return the points of a template that a trial has, and the columns of these markers."""
    rows = [k for k, label in enumerate(template[0]) if label in labels]
    return rows, [labels.index(template[0][k]) for k in rows]


def _carried(
    template: Template,
    index: tuple[list[int], list[int]],
    markers: Array,
    rate_hz: float,
    joints: list[tuple[Array, Array]],
    direction: Direction,
) -> tuple[Array, Array]:
    """Fill the markers of a segment in place; return its motion, from joints too if it has few."""
    rows, columns = index
    shape, points = template[1][rows], markers[:, columns]
    support: Support | None = None
    if joints:
        support = (
            np.stack([centre for centre, _ in joints]),
            np.stack([p for _, p in joints], axis=1),
        )
    if len(rows) + len(joints) > LINE:
        markers[:, columns] = points = carried_through(shape, points, rate_hz, support, direction)
    if support is not None and len(rows) < SMALLEST_CLUSTER:
        shape, points = (
            np.concatenate((shape, support[0])),
            np.concatenate((points, support[1]), axis=1),
        )
    return rigid_motion(shape, points)[:2]


def _hips_by_thighs(
    labels: tuple[str, ...], markers: Array, reference: Reference
) -> list[tuple[Array, Array]]:
    """Return hip centres that clusters on the thighs carry, for a pelvis with hidden markers."""
    hips = []
    for leg in reference.legs.values():
        rows, columns = _in_trial(leg.template[2], labels)
        shape = leg.template[2][1][rows]
        if len(rows) >= SMALLEST_CLUSTER and gain(shape, leg.hip) <= LARGEST_GAIN:
            R, t, _ = rigid_motion(shape, markers[:, columns])
            hips.append((leg.hip, move(R, t, leg.hip)))
    return hips


def _without_strays(
    name: str, template: Template, labels: tuple[str, ...], markers: Array
) -> list[Finding]:
    """Empty markers that stray from their cluster, in place; return a finding for each."""
    rows, columns = _in_trial(template, labels)
    shape, findings = template[1][rows], []
    for _ in rows:
        far = [_stray_frames(shape, markers[:, columns], i) for i in range(len(rows))]
        counts = [int(np.count_nonzero(frames)) for frames in far]
        if not counts or max(counts) == 0:
            break
        worst = counts.index(max(counts))
        seen = known_points(markers[:, columns[worst]])
        total = int(np.count_nonzero(seen))
        removed = seen if counts[worst] > ALWAYS * total else far[worst]
        markers[removed, columns[worst]] = np.nan
        label = template[0][rows[worst]]
        findings.append(_stray_finding(label, name, int(np.count_nonzero(removed)), total))
    return findings


def _stray_frames(shape: Array, points: Array, i: int) -> Mask:
    """Return the frames in which a point is far from where the others, which agree, place it."""
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


def _stray_finding(label: str, name: str, frames: int, seen: int) -> Finding:
    message = (
        f"{label} is more than {1000 * STRAYS_M:.0f} mm from where the other markers of the {name},"
        f" which agree, place it: it is left out of the fit in {frames} of {seen} frames"
    )
    return Finding("warning", "marker-left-out", label, message, float(frames))
