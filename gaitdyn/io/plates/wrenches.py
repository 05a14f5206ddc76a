"""Convert plate channels to the wrench on the subject about the centre of the plate's surface."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.core.low_pass import low_passed
from gaitdyn.core.places import plate_axes
from gaitdyn.core.rotations import cross
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import PlateRecord
from gaitdyn.types.wrench import PlateWrench

Thinning = Literal["mean", "low-pass", "sample"]
"""How the samples of a plate are reduced to the marker rate."""


def sensor_offset(origin: Array) -> Array:
    """Return the vector from the surface centre to the sensor in plate axes, shape (3,).

    Two conventions occur for types 2 and 4: the C3D definition stores the vector from the sensor to
    the surface (z below zero), other files its opposite. The sensor lies below the surface, so the
    sign of z shows which; the whole vector is reversed.
    """
    return -origin if origin[2] < 0 else origin


def frame_average(samples: Array, n_frames: int, *, parabola: bool) -> Array:
    """Return analog samples at the marker rate, from the samples within half a frame of each frame.

    Parameters
    ----------
    samples : array, shape (m, c)
        r samples per frame; sample 0 belongs to frame 0.
    n_frames : int
    parabola : bool
        False: the mean of ``2 floor(r / 2) + 1`` samples. True: the value at the frame of the
        parabola fitted to them (Savitzky and Golay 1964, Anal Chem 36:1627-1639), which leaves slow
        curves unchanged.

    Returns
    -------
    array, shape (n_frames, c)
    """
    rate = len(samples) // n_frames
    half = rate // 2
    if half == 0:
        return samples[::rate][:n_frames].copy()
    weights, start = _weights(half, parabola=parabola)
    padded = np.zeros_like(samples, shape=(half + len(samples), *samples.shape[1:]))
    padded[half:] = samples
    averaged = sliding_window_view(padded, weights.size, axis=0)[::rate][:n_frames] @ weights
    averaged[0] = start / start.sum() @ samples[: half + 1]
    return averaged


@lru_cache(maxsize=16)
def _weights(half: int, *, parabola: bool) -> tuple[Array, Array]:
    """Return the weights of the samples around a frame, and around the first frame.

    The recording starts in the middle of its first window, where a straight line is fitted.
    """
    at = np.arange(-half, half + 1)
    if not parabola:
        weights = np.full(at.size, 1.0 / at.size)
        return weights, weights[half:]
    weights = np.linalg.pinv(np.stack((np.ones(at.size), at, at**2), axis=1))[0]
    start = np.linalg.pinv(np.stack((np.ones(half + 1), at[half:]), axis=1))[0]
    return weights, start


def sampled_wrench(record: PlateRecord, R_GL: Array) -> Array:
    """Return force and moment about the centre of the surface at the analog rate, G, shape (m, 6).

    Parameters
    ----------
    record : PlateRecord
    R_GL : array, shape (3, 3)
    """
    R = plate_axes(record.corners_L @ R_GL.T)
    force, moment = _about_surface(record, record.channels)
    return np.concatenate((force @ R.T, moment @ R.T), axis=1)


def _about_surface(record: PlateRecord, samples: Array) -> tuple[Array, Array]:
    """Return force and moment about the centre of the surface, in plate axes."""
    force, moment = samples[:, :3], samples[:, 3:]
    moment = moment + cross(sensor_offset(record.origin), force)
    return force, moment


def plate_wrench(
    record: PlateRecord, R_GL: Array, n_frames: int, thinning: Thinning = "mean"
) -> PlateWrench:
    """Return the wrench on the subject in G, about the centre of the plate's surface.

    ``F_G = R F``, ``M_G = R (M + o x F)`` with R the plate's axes and o the sensor offset.

    Parameters
    ----------
    record : PlateRecord
        A usable plate.
    R_GL : array, shape (3, 3)
        Laboratory axes to G.
    n_frames : int
        Number of marker frames.
    thinning : {"mean", "low-pass", "sample"}
        The centred mean used by the vendor; low-passed at the analog rate
        (:func:`gaitdyn.core.low_pass.low_passed`); or, for unfiltered forces, the samples at the
        frames. The last two use the local parabola of :func:`frame_average` as the force at the
        edges of contacts.
    """
    corners = record.corners_L @ R_GL.T
    R = plate_axes(corners)
    if thinning == "mean":
        channels, edges = frame_average(record.channels, n_frames, parabola=False), None
    else:
        ratio = max(1, len(record.channels) // n_frames)
        channels = record.channels[::ratio][:n_frames].copy()
        if thinning == "low-pass":
            channels = low_passed(record.channels, n_frames)
        edges = frame_average(record.channels[:, :3], n_frames, parabola=True) @ R.T
    force, moment = _about_surface(record, channels)
    return PlateWrench(
        number=record.number,
        corners_G=corners,
        centre_G=corners.mean(axis=0),
        normal_G=-R[:, 2],
        force_G=force @ R.T,
        moment_G=moment @ R.T,
        edge_force_G=edges,
        virtual=record.virtual,
    )
