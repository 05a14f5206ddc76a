"""``inverse_dynamics`` refuses what no leg has and says where; frames with NaN stay NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitdyn
from gaitdyn.core.rotations import about
from gaitdyn.errors import GaitdynError

N, S = 5, 2


def leg(**changed: Any) -> dict[str, Any]:
    """Two segments of a rod's inertia that turn about three axes."""
    angles = np.linspace(0.1, 0.5, N)
    R = about("x", angles) @ about("y", 2 * angles) @ about("z", -angles)
    place = np.zeros((N, S, 3))
    place[:, 1, 1] = 0.4
    zero = np.zeros((N, S, 3))
    found = {
        "mass": np.array([1.0, 3.0]),
        "inertia_S": np.stack([np.diag([0.01, 0.0, 0.01]), np.diag([0.05, 0.0, 0.05])]),
        "R_GS": np.stack([R, R], axis=1),
        "r_cm_G": place,
        "r_prox_G": place + np.array([0.0, 0.2, 0.0]),
        "a_cm_G": zero,
        "omega_S": zero,
        "alpha_S": zero,
        "external_force_G": zero,
        "external_moment_G": zero,
        "gravity_G": (0.0, -9.81, 0.0),
    }
    return found | changed


def scaled(factor: float) -> np.ndarray:
    R = leg()["R_GS"].copy()
    R[3, 1] *= factor
    return R


def squeezed(factor: float) -> np.ndarray:
    """y of one segment keeps its length, x and z lose theirs: z is still x cross y."""
    R = leg()["R_GS"].copy()
    R[3, 1, :, [0, 2]] *= factor
    return R


def test_a_leg_without_inertia_about_its_long_axis_is_taken():
    assert np.isfinite(gaitdyn.inverse_dynamics(**leg()).moment_S).all()


@pytest.mark.parametrize("method", ["substitution", "stacked"])
def test_a_leg_of_no_frame_has_loads_of_no_frame(method: Any):
    per_frame = {x: v[:0] for x, v in leg().items() if np.shape(v)[:2] == (N, S)}
    loads = gaitdyn.inverse_dynamics(**leg(**per_frame), method=method)
    assert loads.force_G.shape == loads.moment_S.shape == (0, S, 3)
    assert loads.terms.gravity.shape == (0, S, 3)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("mass", [1.0, 0.0], r"mass\[1\] is 0 kg"),
        ("mass", [-1.0, 3.0], r"mass\[0\] is -1 kg"),
        ("mass", [1.0, np.nan], r"mass\[1\] is nan kg"),
        ("R_GS", scaled(1 + 1e-6), r"R_GS\[3, 1\] is not a rotation"),
        ("R_GS", squeezed(0.9), r"R_GS\[3, 1\] is not a rotation"),
        ("R_GS", scaled(-1.0), r"R_GS\[3, 1\] is left-handed"),
        ("R_GS", np.swapaxes(scaled(2.0), -1, -2), "not a rotation"),
        ("inertia_S", [np.eye(3), np.eye(3) + np.eye(3, k=1)], r"inertia_S\[1\] is not symmetric"),
        (
            "inertia_S",
            [np.diag([1, -1e-6, 1]), np.eye(3)],
            r"inertia_S\[0\] has a principal moment",
        ),
        ("inertia_S", [np.eye(3), np.full((3, 3), np.nan)], r"inertia_S\[1\] is not finite"),
        ("r_cm_G", 1000 * leg()["r_cm_G"] + 100.0, "look like millimetres"),
        ("gravity_G", [0.0, -9.81], r"gravity_G has shape \(2,\), wanted \(3,\)$"),
    ],
)
def test_what_no_leg_has_is_refused_where_it_stands(name, value, told):
    with pytest.raises(GaitdynError, match=told):
        gaitdyn.inverse_dynamics(**leg(**{name: value}))


def test_a_leg_far_from_the_origin_is_in_metres():
    found = leg()
    far = {name: found[name] + 100.0 for name in ("r_cm_G", "r_prox_G")}
    assert np.isfinite(gaitdyn.inverse_dynamics(**found | far).moment_S).all()


@pytest.mark.parametrize("factor", [1 + 4e-7, 1 - 4e-7])
def test_rounding_of_axes_is_allowed(factor):
    gaitdyn.inverse_dynamics(**leg(R_GS=scaled(factor)))


def test_a_tensor_a_frame_is_named_with_its_frame():
    tensors = np.tile(leg()["inertia_S"], (N, 1, 1, 1))
    tensors[2, 1, 0, 1] = 1.0
    with pytest.raises(GaitdynError, match=r"inertia_S\[2, 1\] is not symmetric"):
        gaitdyn.inverse_dynamics(**leg(inertia_S=tensors))
    tensors[2, 1] = np.nan
    assert np.isnan(gaitdyn.inverse_dynamics(**leg(inertia_S=tensors)).moment_S[2, 1]).any()


def test_frames_with_nan_pass_as_nan():
    R = leg()["R_GS"].copy()
    R[1, 0], R[2, 0, 0, 0] = np.nan, np.nan
    loads = gaitdyn.inverse_dynamics(**leg(R_GS=R))
    assert np.isnan(loads.moment_S[[1, 2], 0]).any(axis=1).all()
    assert np.isfinite(loads.moment_S[[0, 3, 4]]).all()
