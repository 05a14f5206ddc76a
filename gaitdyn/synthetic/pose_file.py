"""Write a recorded walk as a file of segment poses: the group ROTATION, without markers.

The layout is that of C-Motion's ROTATION data type (wiki of Visual3D, "ROTATION DATA TYPE");
labels, axes and the heel's parameter are those of ``gaitdyn/resources/poses/theia.toml``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from gaitdyn.synthetic.body import SIDES, foot_points
from gaitdyn.synthetic.c3d_file import StoredPoses
from gaitdyn.synthetic.session import write_trial
from gaitdyn.synthetic.walk import Walk

MAKERS_AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""Rows are forward, up and right of gaitdyn's segments in the maker's axes: y, z, x."""


def stored_poses(trial: Walk, ratio: int = 1) -> StoredPoses:
    """Return the segment poses of a walk.

    Parameters
    ----------
    trial : Walk
        At the rate of the poses.
    ratio : int
        Poses per frame of the points.
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
    heels = {side: foot_points(trial.walker.body, side)["heel"] for side in SIDES}
    parameters = tuple(
        ("THEIA3D", f"{side[0].upper()}_HEEL", MAKERS_AXES.T @ heel) for side, heel in heels.items()
    )
    return StoredPoses(labels, matrices, ratio, parameters)


def write_pose_trial(path: Path, trial: Walk, poses: StoredPoses | None = None) -> None:
    """Write a walk as a file of poses and plates, with one point that is always missing.

    Parameters
    ----------
    path : Path
        Ends in ``.c3d``.
    trial : Walk
    poses : StoredPoses, optional
        Instead of those of the trial: damaged ones, or ones at a higher rate.
    """
    missing = np.full((len(trial.frame), 1, 3), np.nan)
    bare = replace(trial, labels=("origin",), markers_G=missing, descriptions=())
    write_trial(path, bare, poses=stored_poses(trial) if poses is None else poses)
