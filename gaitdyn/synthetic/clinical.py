"""Clinical angles and the columns of the truth table, with the signs of the results folder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import Side, sign
from gaitdyn.synthetic.ground import Wrench
from gaitdyn.synthetic.loads import JOINTS, JointTruth, LegMotion


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Named curves: ``values[:, i]`` is ``names[i]``; NaN means that there is no value.

    Attributes
    ----------
    names : tuple of str
    values : array, shape (n_frames, n_names)
        In the units and axes of the columns with these names in ``timeseries.csv``.
    """

    names: tuple[str, ...]
    values: Array

    def __getitem__(self, name: str) -> Array:
        """Return one curve, shape (n_frames,)."""
        return self.values[:, self.names.index(name)]

    def joined(self, other: Columns) -> Columns:
        """Return the columns of both tables."""
        return Columns(
            self.names + other.names, np.concatenate([self.values, other.values], axis=1)
        )


def cardan_zxy(R_AB: Array) -> tuple[Array, Array, Array]:
    """Return alpha, beta, gamma of R_AB = Rz(alpha) Rx(beta) Ry(gamma), rad.

    Parameters
    ----------
    R_AB : array, shape (..., 3, 3)
        Rotation of the distal axes in the proximal ones.
    """
    return (
        np.arctan2(-R_AB[..., 0, 1], R_AB[..., 1, 1]),
        np.arcsin(R_AB[..., 2, 1]),
        np.arctan2(-R_AB[..., 2, 0], R_AB[..., 2, 2]),
    )


def cardan_zyx(R_AB: Array) -> tuple[Array, Array, Array]:
    """Return d, a, c of R_AB = Rz(d) Ry(a) Rx(c), rad.

    Parameters
    ----------
    R_AB : array, shape (..., 3, 3)
        Rotation of the distal axes in the proximal ones.
    """
    return (
        np.arctan2(R_AB[..., 1, 0], R_AB[..., 0, 0]),
        -np.arcsin(R_AB[..., 2, 0]),
        np.arctan2(R_AB[..., 2, 1], R_AB[..., 2, 2]),
    )


def angle_columns(side: Side, R_WP: Array, R_WS: Array) -> Columns:
    """Return pelvis, hip, knee, ankle angles and foot progression of one side, deg.

    Parameters
    ----------
    side : {"left", "right"}
        Side of the angles.
    R_WP : array, shape (n, 3, 3)
        Pelvis in walking axes (x along the walking direction, y up).
    R_WS : array, shape (n, 3, 3, 3)
        Foot, shank, thigh in walking axes.
    """
    sg = sign(side)
    foot, shank, thigh = (R_WS[:, i] for i in range(3))
    tilt, obliquity, rotation = cardan_zxy(R_WP)
    hip = cardan_zxy(_between(R_WP, thigh))
    knee = cardan_zxy(_between(thigh, shank))
    ankle = cardan_zyx(_between(shank, foot))
    words = ("flexion", "adduction", "internal_rotation")
    named = {
        "pelvis_angle_tilt": -tilt,
        "pelvis_angle_obliquity": sg * obliquity,
        "pelvis_angle_rotation": -sg * rotation,
        **_named("hip_angle", words, (hip[0], -sg * hip[1], -sg * hip[2])),
        **_named("knee_angle", words, (-knee[0], -sg * knee[1], -sg * knee[2])),
        "ankle_angle_dorsiflexion": ankle[0],
        "ankle_angle_inversion": -sg * ankle[2],
        "ankle_angle_internal_rotation": -sg * ankle[1],
        "foot_angle_progression": -sg * cardan_zyx(foot)[1],
    }
    return _columns(side, {name: np.degrees(curve) for name, curve in named.items()})


def load_columns(side: Side, motion: LegMotion, truth: JointTruth) -> Columns:
    """Return internal moments (N m), forces (N, distal axes), powers (W), joint centres (mm, G).

    Parameters
    ----------
    side : {"left", "right"}
        Side of the leg.
    motion : LegMotion
        Frames and joint centres.
    truth : JointTruth
        Loads.
    """
    sg = sign(side)
    R_SG = np.swapaxes(motion.R_GS, -1, -2)
    force_S = (R_SG @ truth.force_G[..., None])[..., 0]
    sagittal = {
        "ankle": ("plantarflexion", -1.0),
        "knee": ("extension", 1.0),
        "hip": ("extension", -1.0),
    }
    named: dict[str, Array] = {}
    for j, joint in enumerate(JOINTS):
        word, direction = sagittal[joint]
        frontal = "eversion" if joint == "ankle" else "abduction"
        x, y, z = truth.moment_S[:, j].T
        moments = (direction * z, sg * x, sg * y)
        named |= _named(f"{joint}_moment", (word, frontal, "external_rotation"), moments)
        named |= _named(f"{joint}_force", "xyz", force_S[:, j].T)
        named[f"{joint}_power"] = truth.power[:, j]
        x, y, z = truth.power_parts[:, j].T
        named |= _named(f"{joint}_power", ("sagittal", "frontal", "transverse"), (z, x, y))
        named |= _named(f"{joint}_center", "xyz", 1000.0 * motion.r_prox_G[:, j].T)
    return _columns(side, named)


def ground_columns(side: Side, wrench: Wrench, R_GW: Array) -> Columns:
    """Return ground reaction (N, walking axes), centre of pressure (mm, G), free moment (N m).

    Parameters
    ----------
    side : {"left", "right"}
        Side of the foot.
    wrench : Wrench
        On that foot, whether or not there is a plate under it.
    R_GW : array, shape (3, 3)
        Walking axes in G.
    """
    named = {
        **_named("grf", "xyz", (wrench.force_G @ R_GW).T),
        **_named("cop", "xyz", 1000.0 * wrench.cop_G.T),
        "free_moment": wrench.free_moment,
    }
    return _columns(side, named)


def _between(R_WA: Array, R_WB: Array) -> Array:
    """Return R_AB from R_WA and R_WB."""
    return np.swapaxes(R_WA, -1, -2) @ R_WB


def _named(
    stem: str, words: tuple[str, ...] | str, curves: tuple[Array, ...] | Array
) -> dict[str, Array]:
    """Return curves under ``stem_word``."""
    return {f"{stem}_{word}": curve for word, curve in zip(words, curves, strict=True)}


def _columns(side: Side, named: dict[str, Array]) -> Columns:
    """Return the curves with the side as a prefix of their names."""
    return Columns(
        tuple(f"{side}_{name}" for name in named), np.stack(list(named.values()), axis=1)
    )
