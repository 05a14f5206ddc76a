"""TRC and MOT against OpenSim's inverse dynamics: a person made from a model with known motion.

Arnold 2013, synthetic, subject 1 (in ``nimblephysics``): markers of a model moved by exact
coordinates, forces, and the generalised forces that OpenSim 4 computed from them, unfiltered.
Three routes are held to the same limits, from the reader alone to the whole way:

1. forces as read, motion of the model by its coordinates;
2. forces as read, segments tracked by gaitdyn from the TRC file, with the model's masses, joint
   origins and inertia laid in them;
3. everything by ``process_trial`` with the masses and inertia of the model in a body table file.
   The model's shank slides by 7 mm in the knee and its calcaneus turns about an axis beside the
   ankle: centres of mass hung from the joint centres of the segments above would miss the hip by
   0.7 N m.

Net loads become generalised forces by ``Q = M . dw/dq + F . dv/dq`` about the origin of the
child. The file has up to 8 N under a foot in the air, which go with that foot. The five frames at
either end are not published and are left out of routes 2 and 3. Run with ``-s`` to see the errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import gaitdyn
from gaitdyn.core import splines
from gaitdyn.io.forces.columns import GivenForce, forces_of
from gaitdyn.io.storage import Storage, read_storage
from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.types.options import Options
from tests.peer.osim_model import Body, Model, Pose, welded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gaitdyn.trial import Result

pytestmark = pytest.mark.peer
Array = np.ndarray[Any, np.dtype[Any]]
SIDES = {"right": "r", "left": "l"}
BODIES = ("calcn", "tibia", "femur")
GRAVITY = np.array([0.0, -9.80665, 0.0])
RATE_HZ, MIDDLE = 200.0, 111
JOINTS = {
    "hip": ("hip", "hip_flexion", "hip_adduction", "hip_rotation"),
    "knee": ("walker_knee", "knee_angle"),
    "ankle": ("ankle", "ankle_angle"),
    "subtalar": ("subtalar", "subtalar_angle"),
}
LIMITS = {
    "hip_flexion": 0.3,
    "hip_adduction": 0.1,
    "hip_rotation": 0.1,
    "knee_angle": 0.15,
    "ankle_angle": 0.1,
    "subtalar_angle": 0.1,
}
"""Root mean square over all frames, N m."""


@dataclass(frozen=True)
class Oracle:
    """The model, its coordinates and what OpenSim made of them."""

    model: Model
    q: dict[str, Array]
    poses: dict[str, Pose]
    loads: Storage
    forces: dict[str, GivenForce]


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "corpus" / "trc" / "arnold01"


@pytest.fixture(scope="module")
def oracle(folder: Path) -> Oracle:
    model = Model(folder / "subject01.osim")
    table = read_storage(folder / "coordinates.sto")
    q = {label: table.column(label) for label in table.labels}
    q |= {f"knee_angle_{s}_beta": q[f"knee_angle_{s}"] for s in "rl"}
    ground = read_storage(folder / "grf.mot")
    given = {force.name: force for force in forces_of(ground.labels, ground.values)}
    return Oracle(model, q, model.poses(q), read_storage(folder / "id.sto"), given)


@pytest.fixture(scope="module")
def tracked(folder: Path) -> Result:
    return processed(folder / "markers.trc")


def processed(path: Path, **more: Any) -> Result:
    """Process without any filter."""
    options = Options(cutoff_hz=None, force_cutoff_hz=None, mass_kg=72.84, static="none")
    from dataclasses import replace

    return gaitdyn.process_trial(path, replace(options, **more))


def leg_of(oracle: Oracle, s: str) -> list[Body]:
    """Return foot (calcaneus, toes, talus), shank and thigh (femur, patella) in the bodies' axes.

    Talus and patella move a little in them; they have 88 and 76 g.
    """
    b, poses = oracle.model.bodies, oracle.poses

    def inside(name: str, body: str) -> tuple[float, Array, Array]:
        own, frame = b[f"{name}_{s}"], poses[f"{body}_{s}"]
        arm = poses[f"{name}_{s}"].at(own.centre) - frame.r
        return own.mass, (arm[:, None] @ frame.R)[:, 0].mean(axis=0), own.inertia

    shank = b[f"tibia_{s}"]
    foot = Body(*welded([inside(name, "calcn") for name in ("calcn", "toes", "talus")]))
    thigh = Body(*welded([inside(name, "femur") for name in ("femur", "patella")]))
    return [foot, shank, thigh]


def generalised(
    oracle: Oracle, s: str, loads: Mapping[str, tuple[Array, Array, Array]]
) -> dict[str, Array]:
    """Return generalised forces of loads: joint -> force, moment, point, in the laboratory."""
    found = {}
    for joint, (force, moment, point) in loads.items():
        name, *coordinates = JOINTS[joint]
        origin = oracle.poses[oracle.model.joints[f"{name}_{s}"].child].r
        about = moment + np.cross(point - origin, force)
        for coordinate in coordinates:
            w, v = oracle.model.partial(f"{name}_{s}", f"{coordinate}_{s}", oracle.q)
            found[coordinate] = (about * w).sum(axis=1) + (force * v).sum(axis=1)
    return found


def off(oracle: Oracle, s: str, found: dict[str, Array]) -> dict[str, float]:
    """Return the root mean square differences from OpenSim, N m; frames with NaN do not count."""
    told = {c: value - oracle.loads.column(f"{c}_{s}_moment") for c, value in found.items()}
    rms = {c: float(np.sqrt(np.nanmean(d**2))) for c, d in told.items()}
    print(s, {c: round(value, 3) for c, value in rms.items()})  # noqa: T201
    return rms


def chained(
    oracle: Oracle, s: str, R: Array, r_cm: Array, r_prox: Array, motion: tuple[Array, Array]
) -> dict[str, Array]:
    """Return the generalised forces of a leg by ``inverse_dynamics`` with the forces as read.

    ``motion`` are the accelerations of the centres of mass and of the ankle.
    """
    leg, given, (a_cm, a_ankle) = leg_of(oracle, s), oracle.forces[s], motion
    force, moment = np.zeros_like(r_cm), np.zeros_like(r_cm)
    force[:, 0] = given.force_L
    moment[:, 0] = given.torque_L + np.cross(given.point_L - r_cm[:, 0], given.force_L)
    turns = [angular_motion(R[:, k], RATE_HZ) for k in range(3)]
    loads = gaitdyn.inverse_dynamics(
        np.array([body.mass for body in leg]),
        np.stack([body.inertia for body in leg]),
        R,
        r_cm,
        r_prox,
        a_cm,
        np.stack([omega for omega, _ in turns], axis=1),
        np.stack([alpha for _, alpha in turns], axis=1),
        force,
        moment,
        GRAVITY,
    )
    moments = (R @ loads.moment_S[..., None])[..., 0]
    joints = {
        name: (loads.force_G[:, k], moments[:, k], r_prox[:, k])
        for k, name in enumerate(("ankle", "knee", "hip"))
    }
    force_a, moment_a, ankle = joints["ankle"]
    talus = oracle.model.bodies[f"talus_{s}"].mass
    joints["subtalar"] = (force_a - talus * (a_ankle - GRAVITY), moment_a, ankle)
    return generalised(oracle, s, joints)


def test_markers_of_the_trc_are_where_the_model_has_them(tracked: Result, oracle: Oracle) -> None:
    recording = tracked.recording
    assert recording.rate_hz == RATE_HZ
    assert recording.start_s == pytest.approx(3.38, abs=1e-12)
    for label, body in (("RHJC", "femur_r"), ("LKJC", "tibia_l"), ("RAJC", "talus_r")):
        assert np.abs(recording.marker(label) - oracle.poses[body].r).max() < 1e-12


@pytest.mark.parametrize("side", SIDES)
def test_loads_by_the_coordinates_are_those_of_opensim(side: str, oracle: Oracle) -> None:
    """Route 1: nothing of gaitdyn but its readers, its splines and the chain."""
    s, h = SIDES[side], 1e-4
    fits = {name: splines.fit(v[:, None], 0.0, 1 / RATE_HZ) for name, v in oracle.q.items()}

    def near(step: float) -> dict[str, Pose]:
        moved = {
            name: oracle.q[name] + step * fit.first[:, 0] + 0.5 * step**2 * fit.second[:, 0]
            for name, fit in fits.items()
        }
        return oracle.model.poses(moved)

    before, now, after = near(-h), oracle.poses, near(h)
    leg = leg_of(oracle, s)

    def places(poses: dict[str, Pose]) -> Array:
        own = [poses[f"{body}_{s}"].at(leg[k].centre) for k, body in enumerate(BODIES)]
        return np.stack([*own, poses[f"talus_{s}"].r], axis=1)

    a = (places(before) - 2 * places(now) + places(after)) / h**2
    R = np.stack([now[f"{body}_{s}"].R for body in BODIES], axis=1)
    r_prox = np.stack([now[f"{body}_{s}"].r for body in ("talus", "tibia", "femur")], axis=1)
    motion = a[:, :3], a[:, 3]
    rms = off(oracle, s, chained(oracle, s, R, places(now)[:, :3], r_prox, motion))
    assert all(rms[c] <= limit for c, limit in LIMITS.items())


@pytest.mark.parametrize("side", SIDES)
def test_loads_by_tracked_markers_are_those_of_opensim(
    side: str, tracked: Result, oracle: Oracle
) -> None:
    """Route 2: each body moves as its own markers carry it."""
    s, pose = SIDES[side], tracked.pose.leg(side)
    laid_in = [oracle.poses[f"{body}_{s}"] for body in BODIES]
    R0 = np.stack([p.R[MIDDLE] for p in laid_in])
    R = pose.R_GS @ (np.swapaxes(pose.R_GS[MIDDLE], -1, -2) @ R0)
    carried = pose.own_prox_G
    assert carried is not None

    def laid(points: list[Array]) -> Array:
        at = np.stack([p.at(x)[MIDDLE] for p, x in zip(laid_in, points, strict=True)])
        local = np.swapaxes(R[MIDDLE], -1, -2) @ (at - carried[MIDDLE])[..., None]
        return carried + (R @ local)[..., 0]

    r_cm = laid([body.centre for body in leg_of(oracle, s)])
    knee = laid([np.zeros(3)] * 3)[:, 1]
    r_prox = np.stack((pose.r_prox_G[:, 0], knee, pose.r_prox_G[:, 2]), axis=1)
    turned = np.abs(R - np.stack([p.R for p in laid_in], axis=1)).max()
    assert turned < 1e-9
    motion = derivatives(r_cm, RATE_HZ)[1], derivatives(r_prox[:, 0], RATE_HZ)[1]
    values = chained(oracle, s, R, r_cm, r_prox, motion)
    shown = published(tracked, side)
    rms = off(oracle, s, {c: np.where(shown, x, np.nan) for c, x in values.items()})
    assert all(rms[c] <= limit for c, limit in LIMITS.items())


def published(result: Result, side: str) -> Array:
    """Return the frames in which all joints are published: not the five at either end."""
    kinetics = result.sides[side].kinetics
    assert kinetics is not None
    return np.asarray(kinetics.published.all(axis=1))


@pytest.mark.parametrize("side", SIDES)
def test_the_wrench_of_a_foot_is_the_one_in_the_file(
    side: str, tracked: Result, oracle: Oracle
) -> None:
    wrench, given = tracked.sides[side].wrench, oracle.forces[SIDES[side]]
    assert wrench is not None
    loaded = given.force_L[:, 1] > 30.0
    about_origin = given.torque_L + np.cross(given.point_L, given.force_L)
    assert loaded.sum() > 100
    assert np.abs(wrench.force_G - given.force_L)[loaded].max() < 1e-9
    assert np.abs(wrench.moment_G - about_origin)[loaded].max() < 1e-9


def table_text(oracle: Oracle, tracked: Result, side: str) -> str:
    """Return a body table with the model's masses, centres of mass and inertia of one leg."""
    s, pose = SIDES[side], tracked.pose.leg(side)
    total = sum(body.mass for body in oracle.model.bodies.values())
    mirror = np.array([1.0, 1.0, 1.0 if s == "r" else -1.0])
    toe = tracked.trial.marker("RTOE" if s == "r" else "LTOE")
    ends = {
        "foot": ("ankle centre", "TOE", toe),
        "shank": ("knee centre", "ankle centre", pose.r_prox_G[:, 0]),
        "thigh": ("hip centre", "knee centre", pose.r_prox_G[:, 1]),
    }
    lines = [
        "segment,sex,proximal,distal,mass,cm_along,cm_x,cm_y,cm_z,r_x,r_y,r_z,r_xy,r_xz,r_yz,source"
    ]
    for k, (name, (proximal, distal, end)) in enumerate(ends.items()):
        body, frame = leg_of(oracle, s)[k], oracle.poses[f"{BODIES[k]}_{s}"]
        length = tracked.calibration.lengths_m[side][k]
        if name == "foot":  # the default table measures it elsewhere
            length = float(np.linalg.norm(end - pose.r_prox_G[:, 0], axis=1).mean())
        assert pose.own_prox_G is not None
        arm = frame.at(body.centre) - pose.own_prox_G[:, k]
        centre = mirror * (arm[:, None] @ pose.R_GS[:, k])[:, 0].mean(axis=0) / length
        R = np.diag(mirror) @ pose.R_GS[MIDDLE, k].T @ frame.R[MIDDLE]
        own = R @ body.inertia @ R.T
        radii = [np.sign(x) * np.sqrt(abs(x) / body.mass) / length for x in
                 (own[0, 0], own[1, 1], own[2, 2], own[0, 1], own[0, 2], own[1, 2])]  # fmt: skip
        numbers = ",".join(f"{x:.12g}" for x in (*centre, *radii))
        lines.append(f"{name},,{proximal},{distal},{body.mass / total:.12g},,{numbers},model")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("side", SIDES)
def test_the_whole_way_with_a_body_table_is_near(
    side: str, folder: Path, tracked: Result, oracle: Oracle, tmp_path: Path
) -> None:
    s, path = SIDES[side], tmp_path / "model.csv"
    path.write_text(table_text(oracle, tracked, side), encoding="utf-8")
    result = processed(folder / "markers.trc", anthropometry=str(path))
    pose, found = result.pose.leg(side), result.sides[side]
    assert found.kinetics is not None
    assert found.wrench is not None
    loads = found.kinetics.loads
    moments = (pose.R_GS @ loads.moment_S[..., None])[..., 0]
    joints = {
        name: (loads.force_G[:, k], moments[:, k], pose.r_prox_G[:, k])
        for k, name in enumerate(("ankle", "knee", "hip"))
    }
    values = generalised(oracle, s, joints)
    shown = published(result, side)
    rms = off(oracle, s, {c: np.where(shown, x, np.nan) for c, x in values.items()})
    assert all(rms[c] <= LIMITS[c] for c in rms)


def test_trc_with_mot_and_the_c3d_of_the_same_forces_agree(folder: Path, tmp_path: Path) -> None:
    """The C3D has five samples a frame on lines between those of the MOT.

    The samples at the frames are the same. With a MOT of all samples the moments are, too. With
    the MOT at the marker rate they differ by what lines take from a curve that bends between the
    samples: 0.05 N m in the mean and 0.17 at toe-off. It is the low-pass of the plates that sees
    the lines: where both files are taken at the frames, 0.003 are left.
    """
    how = {"cutoff_hz": 10.0, "force_cutoff_hz": 10.0, "baseline": "keep"}
    c3d = processed(folder / "arnold01.c3d", **how)
    path = tmp_path / "fine.mot"
    path.write_text(mot_text(c3d), encoding="utf-8")
    for forces, limit, worst in ((path, 0.01, 0.02), (folder / "grf.mot", 0.05, 0.2)):
        trc = processed(folder / "markers.trc", forces=str(forces), **how)
        for side in SIDES:
            one, two = trc.sides[side].kinetics, c3d.sides[side].kinetics
            assert one is not None
            assert two is not None
            d = np.linalg.norm(one.loads.moment_S - two.loads.moment_S, axis=2)
            rms = float(np.sqrt((d**2).mean(axis=0)).max())
            print(forces.name, side, f"{rms:.4f} N m, worst {d.max():.4f}")  # noqa: T201
            assert rms < limit
            assert d.max() < worst


def mot_text(result: Result) -> str:
    """Return the samples of the plates of a C3D file as a MOT file: force, point, free moment."""
    from gaitdyn.core.places import plate_axes
    from gaitdyn.io.plates.wrenches import sensor_offset

    recording = result.recording
    rate = recording.rate_hz * recording.samples_per_frame
    names, columns = ["time"], [3.38 + np.arange(len(recording.plates[0].channels)) / rate]
    for plate in recording.plates:
        R = plate_axes(plate.corners_L)
        F = plate.channels[:, :3] @ R.T
        own = plate.channels[:, 3:] + np.cross(sensor_offset(plate.origin), plate.channels[:, :3])
        M = own @ R.T
        up = np.where(np.abs(F[:, 1]) < 1e-6, 1.0, F[:, 1])
        arm = np.stack((M[:, 2] / up, 0 * up, -M[:, 0] / up), axis=1)
        point = plate.corners_L.mean(axis=0) + arm
        torque = M - np.cross(arm, F)
        for kind, values in (("force", F), ("point", point), ("torque", torque)):
            what = {"force": "force_{}_v", "point": "force_{}_p", "torque": "torque_{}_"}[kind]
            for axis in range(3):
                names.append(f"ground_{what.format(plate.number)}{'xyz'[axis]}")
                columns.append(values[:, axis])
    rows = ("\t".join(f"{x:.10g}" for x in row) for row in zip(*columns, strict=True))
    return "forces\nversion=1\nendheader\n" + "\t".join(names) + "\n" + "\n".join(rows) + "\n"
