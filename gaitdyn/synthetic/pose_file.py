"""A recorded walk as a file of segment poses: the group ROTATION, without markers.

The layout is that of C-Motion's ROTATION data type (wiki of Visual3D, "ROTATION DATA TYPE"), labels,
axes and the heel's parameter those of ``gaitdyn/resources/poses/theia.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io._emit import entries_of, section_bytes, texts
from gaitdyn.io._records import BLOCK, FLOAT, Record
from gaitdyn.io._section import Walk as SectionWalk
from gaitdyn.io.added_points import Changes, packed
from gaitdyn.io.c3d_out import Head, read_head
from gaitdyn.synthetic.body import SIDES, foot_points
from gaitdyn.synthetic.session import write_trial

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from gaitdyn.synthetic.body import Side
    from gaitdyn.synthetic.walk import Walk

    Array = NDArray[np.float64]

MAKERS_AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""Rows are forward, up and right of gaitdyn's segments in the maker's axes: y, z, x."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredPoses:
    """Poses in the units and axes of a file.

    Parameters
    ----------
    labels : tuple of str
    matrices : array, shape (n, n_segments, 4, 4)
    reliability : float
    ratio : int
        Poses a frame of the points.
    """

    labels: tuple[str, ...]
    matrices: Array
    reliability: float = 0.0
    ratio: int = 1


def stored_poses(trial: Walk, ratio: int = 1) -> StoredPoses:
    """Return the poses of a walk.

    Parameters
    ----------
    trial : Walk
        At the rate of the poses.
    ratio : int
        Poses a frame of the points.
    """
    n, recording = len(trial.frame), trial.recording
    hips = [trial.leg(side).motion.r_prox_G[:, 2] for side in SIDES]
    segments = {"pelvis": (trial.R_GP, np.mean(hips, axis=0))}
    for side in SIDES:
        motion, toe = trial.leg(side).motion, foot_points(trial.walker.body, side)["toe"]
        for i, name in enumerate(("foot", "shank", "thigh")):
            segments[f"{side[0]}_{name}"] = (motion.R_GS[:, i], motion.r_prox_G[:, i])
        foot, ankle = segments[f"{side[0]}_foot"]
        segments[f"{side[0]}_toes"] = (foot, ankle + foot @ toe)
    matrices = np.broadcast_to(np.eye(4), (n, len(segments) + 1, 4, 4)).copy()
    for i, (R, origin) in enumerate(segments.values(), 1):
        matrices[:, i, :3, :3] = recording.R_LG @ R @ MAKERS_AXES
        matrices[:, i, :3, 3] = origin @ recording.R_LG.T * recording.per_m
    labels = tuple(f"{name}_4X4" for name in ("worldbody", *segments))
    return StoredPoses(labels, matrices, ratio=ratio)


def write_pose_trial(path: Path, trial: Walk, poses: StoredPoses | None = None) -> None:
    """Write a walk as a file of poses and plates: one point, which is never seen.

    Parameters
    ----------
    path : Path
        Ends in ``.c3d``.
    trial : Walk
    poses : StoredPoses, optional
        Other than those of the trial: damaged ones, or ones at a higher rate.
    """
    poses = stored_poses(trial) if poses is None else poses
    unseen = np.full((len(trial.frame), 1, 3), np.nan)
    write_trial(path, replace(trial, labels=("origin",), markers_G=unseen, descriptions=()))
    heels = {side: foot_points(trial.walker.body, side)["heel"] for side in SIDES}
    path.write_bytes(with_rotations(read_head(path), poses, heels))


def with_rotations(head: Head, poses: StoredPoses, heels: dict[Side, Array]) -> bytes:
    """Return a file with poses behind its data.

    Parameters
    ----------
    head : Head
    poses : StoredPoses
    heels : dict
        Side -> heel from the ankle centre in the axes of gaitdyn's foot, m.
    """
    front = head.data[head.start : head.values]
    walk = SectionWalk(front, head.header.processor, head.name)
    walk.run()
    changes = Changes(entries_of(walk), head.params, head.header.processor)
    processor = head.header.processor
    labels = texts([label.encode() for label in poses.labels], processor)
    changes = changes.put("ROTATION", "LABELS", labels)
    changes = changes.put_integer("ROTATION", "USED", len(poses.labels))
    changes = changes.put_integer("ROTATION", "RATIO", poses.ratio)
    rate = poses.ratio * (head.params.number("POINT", "RATE") or 0.0)
    changes = changes.put_float("ROTATION", "RATE", rate)
    for side, heel in heels.items():
        at = packed(MAKERS_AXES.T @ heel, processor).tobytes()
        changes = changes.put(
            "THEIA3D", f"{side[0].upper()}_HEEL", Record(FLOAT, (3,), at, processor)
        )
    frames = head.frames().tobytes()
    frames += b"\0" * (-len(frames) % BLOCK)
    for name in ("POINT", "ROTATION"):  # the length of the section is then known
        changes = changes.put_integer(name, "DATA_START", 0)
    size = len(section_bytes(changes.entries, front[:4], processor, head.name))
    first = head.header.parameter_block + size // BLOCK
    changes = changes.put_integer("POINT", "DATA_START", first)
    changes = changes.put_integer("ROTATION", "DATA_START", first + len(frames) // BLOCK)
    section = section_bytes(changes.entries, front[:4], processor, head.name)
    header = bytearray(head.data[:BLOCK])
    header[16:18] = first.to_bytes(2, "little")
    return bytes(header) + head.data[BLOCK : head.start] + section + frames + _block(poses)


def _block(poses: StoredPoses) -> bytes:
    """Return the data section of poses: sixteen numbers column by column, and the reliability."""
    n, count = poses.matrices.shape[:2]
    values = np.full((n, count, 17), poses.reliability)
    values[..., :16] = np.swapaxes(poses.matrices, 2, 3).reshape(n, count, 16)
    data = values.astype("<f4").tobytes()
    return data + b"\0" * (-len(data) % BLOCK)
