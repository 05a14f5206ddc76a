"""Markers to moments: the oracle's C3D with a model file for its virtual markers.

The file holds four exact markers on foot, shank and thigh and the joint centres of OpenSim's
Gait2354, but nothing of the pelvis: three markers of the thighs are called LASI, RASI and SACR so
that the model has one, and whatever hangs on it (the hip centre carried by the pelvis) is not
looked at. Segments are tracked by gaitdyn; masses, inertia and the places of centres in the
segments are the oracle's. Run with ``-s`` to see the largest errors.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import gaitdyn
from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.types.options import Assignment, Options
from tests.shared_files import ORACLES, WITH_ORACLES

if TYPE_CHECKING:
    from gaitdyn.trial import Result

OPENSIM = ORACLES / "opensim"
pytestmark = [pytest.mark.peer, WITH_ORACLES]
Array = np.ndarray[Any, np.dtype[Any]]
SIDES = ("right", "left")
RATE_HZ = 200.0
MIDDLE = 116
"""The frame in which the oracle's segment axes are laid beside gaitdyn's."""

MODEL = """
name = "virtual"
title = "Virtual markers of Gait2354"
engine = "landmarks"
sides = { left = "l", right = "r" }

[labels]
"{s}ASI" = ["thigh_{s}_m1"]
SACR = ["thigh_r_m2"]
"{s}HJC" = ["JC_hip_{s}"]
"{s}KJC" = ["JC_knee_{s}"]
"{s}AJC" = ["JC_ankle_{s}"]
"{s}HEE" = ["foot_{s}_m1"]
"{s}TOE" = ["foot_{s}_m2"]
"{s}MT1" = ["foot_{s}_m3"]
"{s}FO4" = ["foot_{s}_m4"]
"{s}SH1" = ["shank_{s}_m1"]
"{s}SH2" = ["shank_{s}_m2"]
"{s}SH3" = ["shank_{s}_m3"]
"{s}SH4" = ["shank_{s}_m4"]
"{s}TH3" = ["thigh_{s}_m3"]
"{s}TH4" = ["thigh_{s}_m4"]

[tracking]
pelvis = ["LHJC", "RHJC", "SACR"]
thigh = ["{s}ASI", "{s}HJC", "{s}TH3", "{s}TH4"]
shank = ["{s}SH1", "{s}SH2", "{s}SH3", "{s}SH4"]
foot = ["{s}HEE", "{s}TOE", "{s}MT1", "{s}FO4"]
"""


@pytest.fixture(scope="module")
def truth() -> dict[str, Array]:
    with np.load(OPENSIM / "oracle_walk_gait2354.npz") as z:
        return {name: z[name] for name in z.files}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return processed(tmp_path_factory.mktemp("model"))


def processed(folder: Path) -> Result:
    """Process the oracle's C3D with a model file that is written to a folder."""
    path = folder / "virtual.toml"
    path.write_text(MODEL, encoding="utf-8")
    options = Options(
        model=str(path),
        mass_kg=75.0,
        marker_diameter_mm=10.0,
        cutoff_hz=None,
        force_cutoff_hz=None,
        baseline="keep",
        assign=(Assignment(1, "right"), Assignment(2, "left")),
    )
    return gaitdyn.process_trial(OPENSIM / "oracle_walk_gait2354.c3d", options)


def rows(side: str) -> list[int]:
    """Return the places of foot, shank and thigh in the oracle."""
    return [0, 1, 2] if side == "right" else [3, 4, 5]


def times(R: Array, v: Array) -> Array:
    return (R @ v[..., None])[..., 0]


def tracked(side: str, result: Result, truth: dict[str, Array]) -> dict[str, Array]:
    """Return the oracle's axes, joint centres and centres of mass carried by gaitdyn's segments.

    The ankle centre is fixed in foot and shank, the knee centre (origin of the tibia) in the
    shank and the hip centre in the thigh; in the frame MIDDLE they are laid where the oracle has
    them, relative to gaitdyn's axes and to a point that gaitdyn carries with the segment: the
    ankle centre with foot and shank, its own knee centre with the thigh.
    """
    leg, pose = rows(side), result.pose.leg(side)
    R0 = pose.R_GS[MIDDLE]
    R = pose.R_GS @ (np.swapaxes(R0, -1, -2) @ truth["R"][MIDDLE, leg])
    carried = pose.r_prox_G[:, [0, 0, 1]]

    def laid(points: Array) -> Array:
        arm = points[MIDDLE, leg] - carried[MIDDLE]
        local = times(np.swapaxes(R[MIDDLE], -1, -2), arm)
        return carried + times(R, np.broadcast_to(local, carried.shape))

    return {"R": R, "r_cm": laid(truth["com"]), "r_prox": laid(truth["jc_prox"])}


def interior(mask: Array) -> Array:
    """Return the frames that are not within ten of an end."""
    inner = mask.copy()
    inner[:10] = inner[-10:] = False
    return inner


@pytest.mark.parametrize("side", SIDES)
def test_segments_turn_as_those_of_opensim(
    side: str, result: Result, truth: dict[str, Array]
) -> None:
    off = np.abs(tracked(side, result, truth)["R"] - truth["R"][:, rows(side)]).max(axis=(0, 2, 3))
    print(side, "foot, shank, thigh", np.degrees(off), "deg")  # noqa: T201
    # markers of 5 to 20 cm stored to 3e-5 mm
    assert np.degrees(off).max() < 1e-4


@pytest.mark.parametrize("side", SIDES)
def test_joint_centres_are_those_of_opensim(
    side: str, result: Result, truth: dict[str, Array]
) -> None:
    found = tracked(side, result, truth)["r_prox"]
    off = 1000 * np.linalg.norm(found - truth["jc_prox"][:, rows(side)], axis=2).max(axis=0)
    print(side, "ankle, knee, hip", off, "mm")  # noqa: T201
    assert off.max() < 1e-3


@pytest.mark.parametrize("side", SIDES)
def test_the_ankle_of_the_pipeline_is_that_of_opensim_and_the_knee_slides(
    side: str, result: Result, truth: dict[str, Array]
) -> None:
    """gaitdyn carries a knee centre with the thigh; the knee of Gait2354 slides along it."""
    off = result.pose.leg(side).r_prox_G - truth["jc_prox"][:, rows(side)]
    ankle, knee = 1000 * np.linalg.norm(off[:, :2], axis=2).max(axis=0)
    print(side, f"ankle {ankle:.1e} mm, knee {knee:.2f} mm")  # noqa: T201
    assert ankle < 1e-3
    assert 10.0 < knee < 20.0


@pytest.mark.parametrize("side", SIDES)
def test_the_wrench_of_the_ground_is_the_one_that_was_put_in(
    side: str, result: Result, truth: dict[str, Array]
) -> None:
    wrench = result.sides[side].wrench
    assert wrench is not None
    plate = SIDES.index(side)
    standing = interior(wrench.in_contact)
    assert standing.sum() > 100
    force = np.abs(wrench.force_G - truth["grf_force"][:, plate])[standing].max()
    moment = np.abs(wrench.moment_G - truth["grf_moment_about_origin"][:, plate])[standing].max()
    print(side, f"{force:.1e} N, {moment:.1e} N m about the origin")  # noqa: T201
    # 3e-5 N and 2e-5 N m of rounding; 5 samples a frame are read at the frame's instant
    assert force < 0.01
    assert moment < 0.01


# of the design, for markers to moments at 200 Hz, interior frames
MOMENT_LIMITS = (0.005, 0.05, 0.15)


def moment_errors(
    side: str, result: Result, truth: dict[str, Array], wrench: tuple[Array, Array]
) -> Array:
    """Return the errors of the moments of ankle, knee and hip, shape (n, 3), N m.

    The oracle's body moved by gaitdyn's tracking and splines, loaded by a force and its moment
    about the origin.
    """
    leg, (ground, about_origin) = rows(side), wrench
    body = tracked(side, result, truth)
    R, r_cm = body["R"], body["r_cm"]
    turns = [angular_motion(R[:, i], RATE_HZ) for i in range(3)]
    force, moment = np.zeros((2, len(R), 3, 3))
    force[:, 0] = ground
    moment[:, 0] = about_origin - np.cross(r_cm[:, 0], ground)
    loads = gaitdyn.inverse_dynamics(
        truth["mass"][leg],
        truth["inertia_local"][leg],
        R,
        r_cm,
        body["r_prox"],
        derivatives(r_cm, RATE_HZ)[1],
        np.stack([omega for omega, _ in turns], axis=1),
        np.stack([alpha for _, alpha in turns], axis=1),
        force,
        moment,
        truth["gravity"],
    )
    return np.abs(loads.moment_S - truth["M_prox_local"][:, leg]).max(axis=2)


@pytest.mark.parametrize("side", SIDES)
def test_moments_from_the_markers_are_those_of_simbody(
    side: str, result: Result, truth: dict[str, Array]
) -> None:
    """With the oracle's own wrench, so that only tracking and derivatives are looked at."""
    plate = SIDES.index(side)
    wrench = truth["grf_force"][:, plate], truth["grf_moment_about_origin"][:, plate]
    off = moment_errors(side, result, truth, wrench)[10:-10].max(axis=0)
    print(side, "ankle, knee, hip", off, "N m")  # noqa: T201
    assert (off < MOMENT_LIMITS).all()


@pytest.mark.parametrize("side", SIDES)
def test_moments_from_markers_and_plates_are_those_of_simbody(
    side: str, result: Result, truth: dict[str, Array]
) -> None:
    """The plates as read: the oracle keeps forces below 20 N, which a foot does not get.

    The oracle's force has a corner where the foot strikes and leaves. The low-pass before the
    samples are thinned out rounds it: 0.5 N m at the ankle in the two frames beside it, so these
    are looked at apart.
    """
    plate = result.trial.plates[SIDES.index(side)]
    about_origin = plate.moment_G + np.cross(plate.centre_G, plate.force_G)
    off = moment_errors(side, result, truth, (plate.force_G, about_origin))
    corner = beside_corners(truth["grf_force"][:, SIDES.index(side)])
    inner = interior(~corner)
    assert inner.sum() > 190
    print(side, "ankle, knee, hip", off[inner].max(axis=0), "N m")  # noqa: T201
    print(side, "at strike and off", off[interior(corner)].max(axis=0), "N m")  # noqa: T201
    assert (off[inner].max(axis=0) < MOMENT_LIMITS).all()
    assert off[interior(corner)].max() < 0.6


def beside_corners(force: Array) -> Array:
    """Return the frames within two of one in which a foot touches the ground or leaves it."""
    loaded = np.abs(force).max(axis=1) > 1.0
    change = np.flatnonzero(np.diff(loaded.astype(int)))
    frames = np.arange(len(force))
    return np.any([np.abs(frames - (i + 0.5)) < 3 for i in change], axis=0)


@pytest.mark.parametrize("side", SIDES)
def test_the_pipelines_own_ankle_is_near_with_a_foot_of_dempster(
    side: str, result: Result, truth: dict[str, Array]
) -> None:
    """Another foot (1.09 kg for 1.51) and other axes: the size of the moment, in stance."""
    kinetics = result.sides[side].kinetics
    wrench = result.sides[side].wrench
    assert kinetics is not None
    assert wrench is not None
    ours = np.linalg.norm(kinetics.loads.moment_S[:, 0], axis=1)
    theirs = np.linalg.norm(truth["M_prox"][:, rows(side)[0]], axis=1)
    off = np.abs(ours - theirs)[interior(wrench.in_contact)]
    print(side, f"{off.max():.2f} N m of {theirs.max():.0f}")  # noqa: T201
    assert off.max() < 2.0
