"""Functional joint centres and axes from two clusters of markers: SCoRE and SARA.

Both solve the same equations: a point that is fixed in both clusters has one position in every
frame, ``R1 c1 + t1 = R2 c2 + t2``. A ball joint has one such point, a hinge a line of them. Local
coordinates are centred on each cluster, so ``t1`` and ``t2`` are the positions of the clusters and
the numbers stay small (R. M. Ehrig et al. 2006, J Biomech 39:2798-2809; 2007, J Biomech
40:2150-2157).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from gaitdyn.core.nearest import nearest_rotations
from gaitdyn.core.rigid import rigid_motion
from gaitdyn.core.rotations import unit
from gaitdyn.core.runs import complete_rows
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen

_ROUNDS = 3
_UNKNOWNS = 6


@frozen(eq=False)
class Cluster:
    """The poses of a cluster in the frames in which all its markers are visible.

    Attributes
    ----------
    template : array, shape (m, 3)
        Mean shape about its centroid, m.
    R : array, shape (n, 3, 3)
        From the template to the laboratory; NaN in frames that lack a marker.
    t : array, shape (n, 3)
        Centroid of the cluster, m.
    rms_m : float
        Root mean square distance of the markers from the rigid template, m.
    """

    template: Array
    R: Array
    t: Array
    rms_m: float


def cluster_poses(points: Array) -> Cluster:
    """Return the mean shape of a cluster and its pose in every frame.

    The shape is the mean over all frames after each frame is rotated onto it (generalised
    Procrustes analysis, J. C. Gower 1975, Psychometrika 40:33-51).

    Parameters
    ----------
    points : array, shape (n, m, 3)
        Three or more markers, m; NaN where not visible.
    """
    whole = complete_rows(points.reshape(len(points), -1))
    R, t = np.full((len(points), 3, 3), np.nan), np.full((len(points), 3), np.nan)
    unknown = Cluster(np.full(points.shape[1:], np.nan), R, t, np.nan)
    complete = points[whole]
    if not len(complete):
        return unknown
    local = complete - complete.mean(axis=1, keepdims=True)
    template = local[0]
    for _ in range(_ROUNDS):
        turn, _, _ = rigid_motion(template, local)
        fitted = complete_rows(turn.reshape(len(turn), -1))
        if not fitted.any():
            return unknown
        template = np.einsum("nji,nmj->nmi", turn[fitted], local[fitted]).mean(axis=0)
    R[whole], t[whole], residual = rigid_motion(template, complete)
    return Cluster(template, R, t, float(np.sqrt(np.nanmean(residual**2))))


@frozen(eq=False)
class ClusterFit:
    """The point or line that best stays fixed in two clusters.

    Attributes
    ----------
    first, second : array, shape (3,)
        The point in the coordinates of each cluster's template, m; for a line, its point nearest
        to the centroids of both clusters.
    first_axis : array, shape (3,)
        Direction of least motion in the first template, a unit vector.
    singular : array, shape (6,)
        Singular values of the equations divided by the square root of their number, descending: 1
        to 3 are about 0.8, the last is 0 for a perfect hinge.
    residual_m : float
        Root mean square distance between the two points of a frame, m.
    apart_rad : float
        Root mean square angle between the two axes, rad.
    frames : int
    """

    first: Array
    second: Array
    first_axis: Array
    singular: Array
    residual_m: float
    apart_rad: float
    frames: int

    @property
    def condition(self) -> float:
        """Largest singular value divided by the smallest."""
        with np.errstate(divide="ignore"):
            return float(self.singular[0] / self.singular[-1])


def shared_point(one: Cluster, two: Cluster) -> ClusterFit:
    """Return the point that is fixed in both clusters (SCoRE).

    Minimises ``sum |R1 c1 + t1 - R2 c2 - t2|^2`` over all frames that show both; the centre in a
    frame is the mean of its two points (Ehrig et al. 2006, eq. 9). Marker noise rotates the
    clusters, which draws the point towards them. The mean of this bias is removed
    (:func:`_solve_without_bias`).

    Parameters
    ----------
    one, two : Cluster
        Proximal and distal, of the same frames.
    """
    return _fit(one, two, hinge=False)


def shared_axis(one: Cluster, two: Cluster) -> ClusterFit:
    """Return the line that is fixed in both clusters (SARA).

    Its direction is the right singular vector of the smallest singular value of the equations of
    :func:`shared_point`. Its point is their solution without that direction (Ehrig et al. 2007).

    Parameters
    ----------
    one, two : Cluster
        Proximal and distal, of the same frames.
    """
    return _fit(one, two, hinge=True)


def part(cluster: Cluster, rows: slice) -> Cluster:
    """Return a cluster restricted to some of its frames."""
    return replace(cluster, R=cluster.R[rows], t=cluster.t[rows])


def turns(one: Cluster, two: Cluster) -> Array:
    """Return the rotation vectors of the second cluster in the first, shape (k, 3), rad.

    One per frame that shows both, relative to the mean posture. Their components are along the
    principal axes of the movement, the widest first, and so do not depend on the laboratory.
    """
    both = shown_together(one, two)
    turned = np.swapaxes(one.R[both], 1, 2) @ two.R[both]
    if not len(turned):
        return np.empty((0, 3))
    R = nearest_rotations(turned.mean(axis=0)).T @ turned
    v = 0.5 * np.stack(
        (R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]), axis=1
    )
    sine = np.linalg.norm(v, axis=1)
    angle = np.arctan2(sine, 0.5 * (np.trace(R, axis1=1, axis2=2) - 1.0))
    v = v * np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 1.0)[:, None]
    spread = v - v.mean(axis=0)
    return v @ np.linalg.eigh(spread.T @ spread)[1][:, ::-1]


def turn_about(one: Cluster, two: Cluster, axis: Array) -> float:
    """Return the range of rotation of the second cluster about an axis of the first, rad.

    Parameters
    ----------
    one, two : Cluster
    axis : array, shape (3,)
        Unit vector in the template of the first.
    """
    both = shown_together(one, two)
    R = np.swapaxes(one.R[both], 1, 2) @ two.R[both]
    if not len(R):
        return 0.0
    least = np.eye(3)[np.argmin(np.abs(axis))]
    across = unit(least - (least @ axis) * axis)
    moved = R @ (R[0].T @ across)
    angle = np.arctan2(moved @ np.cross(axis, across), moved @ across)
    return float(np.ptp(np.unwrap(angle)))


def shown_together(one: Cluster, two: Cluster) -> Mask:
    """Return the frames that show both clusters, shape (n,)."""
    return complete_rows(np.hstack((one.R.reshape(-1, 9), two.R.reshape(-1, 9))))


def _fit(one: Cluster, two: Cluster, *, hinge: bool) -> ClusterFit:
    both = shown_together(one, two)
    R_L1, t1, R_L2, t2 = one.R[both], one.t[both], two.R[both], two.t[both]
    n = len(R_L1)
    if n < _UNKNOWNS:
        no_point = np.full(3, np.nan)
        no_values = np.full(_UNKNOWNS, np.nan)
        return ClusterFit(no_point, no_point, no_point, no_values, np.nan, np.nan, n)
    A = np.concatenate((R_L1, -R_L2), axis=2).reshape(3 * n, _UNKNOWNS)
    b = (t2 - t1).reshape(3 * n)
    U, s, V = np.linalg.svd(A, full_matrices=False)
    if hinge:
        c = V[:-1].T @ ((U[:, :-1].T @ b) / s[:-1])
    else:
        c = _solve_without_bias(A, b, _noise_correction(one), _noise_correction(two))
    error = R_L1 @ c[:3] + t1 - R_L2 @ c[3:] - t2
    first, second = unit(V[-1, :3]), unit(V[-1, 3:])
    cosine = np.clip(np.sum((R_L1 @ first) * (R_L2 @ second), axis=1), -1.0, 1.0)
    return ClusterFit(
        first=c[:3],
        second=c[3:],
        first_axis=first,
        singular=s / np.sqrt(3 * n),
        residual_m=float(np.sqrt((error**2).sum(axis=1).mean())),
        apart_rad=float(np.sqrt((np.arccos(cosine) ** 2).mean())),
        frames=n,
    )


def _solve_without_bias(A: Array, b: Array, first: Array, second: Array) -> Array:
    """Return the least squares solution without the bias of noisy rotations, shape (6,).

    A noise rotation vector with zero mean and covariance S shrinks the mean rotation to
    ``R (I - K / 2)``, ``K = tr(S) I - S``. In the normal equations this factor multiplies the terms
    between the two clusters and the right-hand side, while ``R^T R = I`` has no noise (after K.
    Halvorsen 2003, J Biomech 36:999-1008, for spheres).

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
    solution: Array = np.full(_UNKNOWNS, np.nan)
    with suppress(np.linalg.LinAlgError):  # without motion every point is a solution
        solution[:] = np.linalg.solve(normal, back @ (A.T @ b))
    return solution


def _noise_correction(cluster: Cluster) -> Array:
    """Return ``(I - K / 2)^-1``, which undoes the mean shrinkage by marker noise, shape (3, 3).

    White noise of s on every coordinate leaves a mean squared distance of ``(3 - 6 / m) s^2`` from
    the rigid fit of m markers. It rotates the cluster with the covariance ``s^2 J^-1``, where J is
    the second moment of its shape (I. Söderkvist and P.-A. Wedin 1993, J Biomech 26:1473-1477).
    """
    m, shape = len(cluster.template), cluster.template
    J = float((shape**2).sum()) * np.eye(3) - shape.T @ shape
    minus_k: Array = np.zeros((3, 3))
    minus_k += cluster.rms_m**2 / (3.0 - _UNKNOWNS / m) * np.linalg.inv(J)
    minus_k -= float(minus_k.trace()) * np.eye(3)
    correction: Array = np.zeros((3, 3))
    correction += np.linalg.inv(np.eye(3) + 0.5 * minus_k)
    return correction
