"""Turn the forces of a second file into the axes of the markers if the feet show how.

In the right axes the force points away from the floor towards the body, and its point of
application lies under a foot. The 24 rotations by quarter turns are searched for the one that
achieves this. No labels are needed: the point lies near some marker, and the body above it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.places import plate_axes
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import known_points, spread_rows
from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.io.plates.wrenches import sampled_wrench
from gaitdyn.types.arrays import Array, Places
from gaitdyn.types.recording import PlateRecord, Recording

NEAR_M, CLEAR_M = 0.12, 0.1
"""Under a foot the nearest marker is at most this far (median over loaded frames). The second-best
rotation must be worse by 0.1 m, or the choice is ambiguous."""

ABOVE_M, HIGH_M, BELOW_M = 0.3, 0.4, 0.1
"""Above the floor is the median marker by 0.3 m or more. In a child, or with many markers on the
feet, it may be lower: then a tenth of the markers is at least 0.4 m above the floor, which exceeds
the width of a body, and no tenth is 0.1 m below it."""

LOADED_N = 100.0
_FRAMES = 40
_NAMES = np.array(["X", "Y", "Z"])


def in_marker_axes(recording: Recording) -> Recording:
    """Return a recording with the forces of a second file in the axes of its markers.

    Raises
    ------
    FileRefused
        When several rotations put the points of application under the feet.
    """
    usable = [plate for plate in recording.plates if not plate.problem]
    if not usable:
        return recording
    loaded = [_loaded(plate, recording.n_frames) for plate in usable]
    rows, points, ups = (np.concatenate(parts) for parts in zip(*loaded, strict=True))
    markers = recording.markers_L[rows]
    seen = known_points(markers).any(axis=1)
    if not seen.any():
        return recording
    markers, points, ups = markers[seen], points[seen], ups[seen]
    as_given = _miss(markers, points, ups)
    if as_given <= NEAR_M:
        return recording
    misses = sorted((_miss(markers, points @ R.T, ups @ R.T), i) for i, R in enumerate(_TURNS))
    (best, i), (second, _) = misses[:2]
    if best > NEAR_M:
        return recording if np.isfinite(as_given) else _not_placed(recording)
    name = recording.forces.name if recording.forces else recording.name
    if second - best < CLEAR_M:
        raise refused(
            name,
            f"points of application that lie under the feet of {shown(recording.name)} in several"
            f" axes ({1000 * best:.0f} and {1000 * second:.0f} mm off)",
            "forces in the axes of the markers",
            "export both in one laboratory system, or give --forces none",
        )
    R = _TURNS[i]
    plates = tuple(
        p if p.problem else replace(p, corners_L=p.corners_L @ R.T) for p in recording.plates
    )
    turned = (
        f"the forces of {shown(name)} are in other axes than the markers: turned,"
        f" their {_axes_in_words(R)}; their points are now {1000 * best:.0f} mm from the nearest"
        " marker of a foot"
    )
    file = replace(recording.forces, turned=turned) if recording.forces else None
    return replace(recording, plates=plates, forces=file)


def _not_placed(recording: Recording) -> Recording:
    """Return a recording with its plates marked unusable, since no rotation fits."""
    problem = (
        "in the axes of the file its force does not point up at the body, and no quarter"
        " turns put it under a foot; export forces and markers in one laboratory system"
    )
    plates = tuple(p if p.problem else replace(p, problem=problem) for p in recording.plates)
    return replace(recording, plates=plates)


def _loaded(plate: PlateRecord, n_frames: int) -> tuple[Places, Array, Array]:
    """Return some loaded frames of a plate, its points of application and its upward normal."""
    samples = np.arange(n_frames) * max(1, len(plate.channels) // n_frames)
    wrench = sampled_wrench(replace(plate, channels=plate.channels[samples]), np.eye(3))
    force, moment = wrench[:, :3], wrench[:, 3:]
    normal = -plate_axes(plate.corners_L)[:, 2]
    along = force @ normal
    along = along if along.max() >= -along.min() else -along
    rows = np.flatnonzero(along > LOADED_N)
    rows = rows[spread_rows(len(rows), _FRAMES)]
    centre = plate.corners_L.mean(axis=0)
    up = force[rows] @ normal
    points = centre + cross(np.broadcast_to(normal, (len(rows), 3)), moment[rows]) / up[:, None]
    return rows, points, np.tile(normal, (len(rows), 1))


@np.errstate(over="ignore", invalid="ignore")
def _miss(markers: Array, points: Array, ups: Array) -> float:
    """Return the median distance to the nearest marker, m; infinite without a body above."""
    arms = markers - points[:, None]
    height = np.einsum("nmi,ni->nm", arms, ups)
    if not _is_above(height[np.isfinite(height)]):
        return np.inf
    return known_median(np.fmin.reduce(np.linalg.norm(arms, axis=2), axis=1))


def _is_above(heights: Array) -> bool:
    """Return whether a body is above the floor, from the heights of its markers, m."""
    if not heights.size:
        return False
    low, middle, high = percentiles(heights, 10, 50, 90)
    return middle > ABOVE_M or (low > -BELOW_M and high > HIGH_M)


def _turns() -> list[Array]:
    """Return the 23 rotations by quarter turns other than the identity, shape (3, 3) each."""
    rotations: list[Array] = []
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        R = np.zeros((3, 3))
        R[order, range(3)] = signs
        if np.linalg.det(R) > 0 and not np.array_equal(R, np.eye(3)):
            rotations.append(R)
    return rotations


_TURNS = _turns()


def _axes_in_words(R: Array) -> str:
    """Return which marker axis each force axis is, in words."""
    phrases = []
    for k in range(3):
        j = int(np.argmax(np.abs(R[:, k])))
        phrases.append(f"{_NAMES[k]} is {'+' if R[j, k] > 0 else '-'}{_NAMES[j]}")
    return ", ".join(phrases)
