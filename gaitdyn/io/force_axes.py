"""Forces of a second file in other axes than the markers: turned when the feet say how.

Right axes have the force point away from the floor under a body and its point of application under
a foot. Of the 24 ways to turn one set of axes onto another the one that does is looked for, without
labels: the point lies near some marker, and the body above it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import spread_rows
from gaitdyn.io._records import refused, shown
from gaitdyn.io.wrenches import plate_axes, sampled_wrench

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array, Places
    from gaitdyn.types.recording import PlateRecord, Recording

NEAR_M, CLEAR_M = 0.12, 0.1
"""Under a foot the nearest marker is at most this far, in the median of the loaded frames; another
way to turn the axes must be worse by 0.1 m, or nothing tells which is right."""

ABOVE_M = 0.3
"""The middle of the markers is at least this far above the floor."""

LOADED_N = 100.0
_FRAMES = 40
_NAMES = np.array(["X", "Y", "Z"])


def in_marker_axes(recording: Recording) -> Recording:
    """Return a recording whose forces, of a second file, are in the axes of its markers.

    Parameters
    ----------
    recording : Recording

    Raises
    ------
    FileRefused
        When the points of the forces are under the feet in two ways.
    """
    usable = [plate for plate in recording.plates if not plate.problem]
    if not usable:
        return recording
    seen = [_loaded(plate, recording.n_frames) for plate in usable]
    rows = np.concatenate([one[0] for one in seen])
    if not len(rows):
        return recording
    points = np.concatenate([one[1] for one in seen])
    ups = np.concatenate([one[2] for one in seen])
    markers = recording.markers_L[rows]
    own = _miss(markers, points, ups)
    if own <= NEAR_M:
        return recording
    ways = sorted(
        ((_miss(markers, points @ R.T, ups @ R.T), i) for i, R in enumerate(_TURNS)),
    )
    (best, i), (second, _) = ways[:2]
    if best > NEAR_M:
        return recording if np.isfinite(own) else _not_placed(recording)
    name = recording.forces.name if recording.forces else recording.name
    if second - best < CLEAR_M:
        raise refused(
            name,
            f"points of application that lie under the feet of {shown(recording.name)} in several"
            f" axes ({1000 * best:.0f} and {1000 * second:.0f} mm off)",
            "forces in the axes of the markers",
            "export both in one laboratory system, or say --forces none",
        )
    R = _TURNS[i]
    plates = tuple(
        p if p.problem else replace(p, corners_L=p.corners_L @ R.T) for p in recording.plates
    )
    turned = (
        f"the forces of {shown(name)} are in other axes than the markers: turned, their {_said(R)};"
        f" their points are now {1000 * best:.0f} mm from the nearest marker of a foot"
    )
    file = replace(recording.forces, turned=turned) if recording.forces else None
    return replace(recording, plates=plates, forces=file)


def _not_placed(recording: Recording) -> Recording:
    """Return a recording whose forces do not point up under the body, and fit no foot if turned."""
    problem = (
        "in the axes of the file its force does not point up at the body, and turned by quarters it"
        " is under no foot; export forces and markers in one laboratory system"
    )
    plates = tuple(p if p.problem else replace(p, problem=problem) for p in recording.plates)
    return replace(recording, plates=plates)


def _loaded(plate: PlateRecord, n_frames: int) -> tuple[Places, Array, Array]:
    """Return some loaded frames of a plate, the points of its force and which way it acts."""
    at = np.arange(n_frames) * max(1, len(plate.channels) // n_frames)
    wrench = sampled_wrench(replace(plate, channels=plate.channels[at]), np.eye(3))
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


def _miss(markers: Array, points: Array, ups: Array) -> float:
    """Return how far points are from the nearest marker, median, m; infinite below the floor."""
    arms = markers - points[:, None]
    height = np.einsum("nmi,ni->nm", arms, ups)
    body = np.nanmedian(height[np.isfinite(height).any(axis=1)]) if len(height) else 0.0
    if not body > ABOVE_M:
        return np.inf
    distance = np.linalg.norm(arms, axis=2)
    nearest = np.fmin.reduce(distance, axis=1)
    return float(np.nanmedian(nearest))


def _turns() -> list[Array]:
    """Return the 23 rotations by quarter turns that are not none, matrices of shape (3, 3)."""
    found: list[Array] = []
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        R = np.zeros((3, 3))
        R[order, range(3)] = signs
        if np.linalg.det(R) > 0 and not np.array_equal(R, np.eye(3)):
            found.append(R)
    return found


_TURNS = _turns()


def _said(R: Array) -> str:
    """Return which axis of the forces each is of the markers, in words."""
    told = []
    for k in range(3):
        j = int(np.argmax(np.abs(R[:, k])))
        told.append(f"{_NAMES[k]} is {'+' if R[j, k] > 0 else '-'}{_NAMES[j]}")
    return ", ".join(told)
