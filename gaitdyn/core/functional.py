"""Centres and axes that two clusters of markers move about: SCoRE and SARA.

Both solve the same equations: a point that is at rest in both clusters is at the same place in
every frame, ``R1 c1 + t1 = R2 c2 + t2``. A ball joint has one such point, a hinge a line of them.
Local coordinates are centred at each cluster, so that ``t1`` and ``t2`` are the places of the
clusters and the numbers stay small (R. M. Ehrig et al. 2006, J Biomech 39:2798-2809; 2007, J
Biomech 40:2150-2157).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from gaitdyn.core.rigid import rigid_motion
from gaitdyn.core.rotations import unit
from gaitdyn.core.runs import complete_rows
from gaitdyn.types.arrays import Array, Mask

_ROUNDS = 3
_UNKNOWNS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Cluster:
    """The poses of a cluster in the frames in which every marker of it is seen.

    Attributes
    ----------
    template : array, shape (m, 3)
        Its mean shape about its own middle, m.
    R : array, shape (n, 3, 3)
        From the template to the laboratory, NaN where a marker is missing.
    t : array, shape (n, 3)
        Middle of the cluster, m.
    rms_m : float
        Root mean square distance of the markers from the rigid template, m.
    """

    template: Array
    R: Array
    t: Array
    rms_m: float


def cluster_poses(points: Array) -> Cluster:
    """Return the mean shape of a cluster and its pose in every frame.

    The shape is the mean of all frames after each was turned onto it (generalised Procrustes
    analysis, J. C. Gower 1975, Psychometrika 40:33-51).

    Parameters
    ----------
    points : array, shape (n, m, 3)
        Three or more markers, m; NaN where not seen.

    Returns
    -------
    Cluster
    """
    whole = complete_rows(points.reshape(len(points), -1))
    R, t = np.full((len(points), 3, 3), np.nan), np.full((len(points), 3), np.nan)
    seen = points[whole]
    if not len(seen):
        return Cluster(np.full(points.shape[1:], np.nan), R, t, np.nan)
    local = seen - seen.mean(axis=1, keepdims=True)
    template = local[0]
    for _ in range(_ROUNDS):
        turn, _, _ = rigid_motion(template, local)
        known = complete_rows(turn.reshape(len(turn), -1))
        if not known.any():
            return Cluster(np.full(points.shape[1:], np.nan), R, t, np.nan)
        template = np.einsum("nji,nmj->nmi", turn[known], local[known]).mean(axis=0)
    R[whole], t[whole], residual = rigid_motion(template, seen)
    return Cluster(template, R, t, float(np.sqrt(np.nanmean(residual**2))))


@dataclass(frozen=True, slots=True, eq=False)
class ClusterFit:
    """The point or the line that two clusters share best.

    Attributes
    ----------
    first, second : array, shape (3,)
        The point in the coordinates of each cluster's template, m; of a line the one nearest to
        the middles of both clusters.
    first_axis, second_axis : array, shape (3,)
        Direction of smallest motion in each template, unit vectors of the same sense.
    singular : array, shape (6,)
        Singular values of the equations over the root of their number, falling: 1 to 3 are about
        0.8, the last is 0 for a perfect hinge.
    residual_m : float
        Root mean square distance of the two points of a frame, m.
    apart_rad : float
        Root mean square angle between the two axes, rad.
    frames : int
    """

    first: Array
    second: Array
    first_axis: Array
    second_axis: Array
    singular: Array
    residual_m: float
    apart_rad: float
    frames: int

    @property
    def condition(self) -> float:
        """Largest over smallest singular value."""
        with np.errstate(divide="ignore"):
            return float(self.singular[0] / self.singular[-1])


def shared_point(one: Cluster, two: Cluster) -> ClusterFit:
    """Return the point that is at rest in both clusters (SCoRE).

    Minimises ``sum |R1 c1 + t1 - R2 c2 - t2|^2`` over all frames in which both are seen; the
    centre of a frame is the mean of its two points (Ehrig et al. 2006, eq. 9). Noise of the markers
    turns the clusters, which draws the point towards them; what it does in the mean is taken back
    (:func:`_compensated`).

    Parameters
    ----------
    one, two : Cluster
        Proximal and distal, of the same frames.
    """
    return _fit(one, two, hinge=False)


def shared_axis(one: Cluster, two: Cluster) -> ClusterFit:
    """Return the line that is at rest in both clusters (SARA).

    Its direction is the right singular vector of the smallest singular value of the equations of
    :func:`shared_point`, its point their solution without that direction (Ehrig et al. 2007).

    Parameters
    ----------
    one, two : Cluster
        Proximal and distal, of the same frames.
    """
    return _fit(one, two, hinge=True)


def part(cluster: Cluster, rows: slice) -> Cluster:
    """Return a cluster in some of its frames."""
    return replace(cluster, R=cluster.R[rows], t=cluster.t[rows])


def turns(one: Cluster, two: Cluster) -> Array:
    """Return the rotation vector of the second cluster in the first, shape (k, 3), rad.

    Of the frames that show both, against the mean posture; components in the mean axes of the
    second cluster.
    """
    both = _both(one, two)
    turned = np.swapaxes(one.R[both], 1, 2) @ two.R[both]
    if not len(turned):
        return np.empty((0, 3))
    U, _, V = np.linalg.svd(turned.mean(axis=0))
    mean = U @ np.diag((1.0, 1.0, np.linalg.det(U @ V))) @ V
    R = mean.T @ turned
    v = 0.5 * np.stack(
        (R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]), axis=1
    )
    sine = np.linalg.norm(v, axis=1)
    angle = np.arctan2(sine, 0.5 * (np.trace(R, axis1=1, axis2=2) - 1.0))
    return v * np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 1.0)[:, None]


def turn_about(one: Cluster, two: Cluster, axis: Array) -> float:
    """Return the range of rotation of the second cluster in the first about an axis of it, rad.

    Parameters
    ----------
    one, two : Cluster
    axis : array, shape (3,)
        Unit vector in the template of the first.
    """
    both = _both(one, two)
    R = np.swapaxes(one.R[both], 1, 2) @ two.R[both]
    if not len(R):
        return 0.0
    start = np.eye(3)[np.argmin(np.abs(axis))]
    across = unit(start - (start @ axis) * axis)
    moved = R @ (R[0].T @ across)
    angle = np.arctan2(moved @ np.cross(axis, across), moved @ across)
    return float(np.ptp(np.unwrap(angle)))


def _both(one: Cluster, two: Cluster) -> Mask:
    """Return the frames in which both clusters are seen."""
    return complete_rows(np.hstack((one.R.reshape(-1, 9), two.R.reshape(-1, 9))))


def _fit(one: Cluster, two: Cluster, *, hinge: bool) -> ClusterFit:
    both = _both(one, two)
    R_L1, t1, R_L2, t2 = one.R[both], one.t[both], two.R[both], two.t[both]
    n = len(R_L1)
    if n < _UNKNOWNS:
        nothing = np.full(3, np.nan)
        empty = np.full(_UNKNOWNS, np.nan)
        return ClusterFit(nothing, nothing, nothing, nothing, empty, np.nan, np.nan, n)
    A = np.concatenate((R_L1, -R_L2), axis=2).reshape(3 * n, _UNKNOWNS)
    b = (t2 - t1).reshape(3 * n)
    U, s, V = np.linalg.svd(A, full_matrices=False)
    if hinge:
        c = V[:-1].T @ ((U[:, :-1].T @ b) / s[:-1])
    else:
        c = _compensated(A, b, _regained(one), _regained(two))
    error = R_L1 @ c[:3] + t1 - R_L2 @ c[3:] - t2
    first, second = unit(V[-1, :3]), unit(V[-1, 3:])
    cosine = np.clip(np.sum((R_L1 @ first) * (R_L2 @ second), axis=1), -1.0, 1.0)
    return ClusterFit(
        first=c[:3],
        second=c[3:],
        first_axis=first,
        second_axis=second,
        singular=s / np.sqrt(3 * n),
        residual_m=float(np.sqrt((error**2).sum(axis=1).mean())),
        apart_rad=float(np.sqrt((np.arccos(cosine) ** 2).mean())),
        frames=n,
    )


def _compensated(A: Array, b: Array, first: Array, second: Array) -> Array:
    """Return the least squares solution without the bias of noisy rotations, shape (6,).

    A rotation vector with zero mean and covariance S shrinks the mean of its rotation to
    ``R (I - K / 2)``, ``K = tr(S) I - S``. In the normal equations that stands between the two
    clusters and before the right side, while ``R^T R = I`` has no noise (after K. Halvorsen 2003, J
    Biomech 36:999-1008, for spheres).

    Parameters
    ----------
    A, b : arrays, shapes (3n, 6) and (3n,)
        The equations.
    first, second : arrays, shape (3, 3)
        ``(I - K / 2)^-1`` of each cluster.
    """
    back = np.zeros((_UNKNOWNS, _UNKNOWNS))
    back[:3, :3], back[3:, 3:] = first, second
    normal = back @ (A.T @ A) @ back.T
    normal[:3, :3] = normal[3:, 3:] = len(A) / 3 * np.eye(3)
    found: Array = np.full(_UNKNOWNS, np.nan)
    with suppress(np.linalg.LinAlgError):  # no motion: any point would do
        found[:] = np.linalg.solve(normal, back @ (A.T @ b))
    return found


def _regained(cluster: Cluster) -> Array:
    """Return what a rotation of a cluster has lost in the mean to noise, shape (3, 3).

    White noise of s on every coordinate leaves ``(3 - 6 / m) s^2`` as mean squared distance from
    the rigid fit of m markers, and turns the cluster with the covariance ``s^2 J^-1``, J the second
    moments of its shape (I. Soederkvist and P.-A. Wedin 1993, J Biomech 26:1473-1477).
    """
    m, shape = len(cluster.template), cluster.template
    J = float((shape**2).sum()) * np.eye(3) - shape.T @ shape
    lost: Array = np.zeros((3, 3))
    lost += cluster.rms_m**2 / (3.0 - _UNKNOWNS / m) * np.linalg.inv(J)
    lost -= float(lost.trace()) * np.eye(3)
    back: Array = np.zeros((3, 3))
    back += np.linalg.inv(np.eye(3) + 0.5 * lost)
    return back
