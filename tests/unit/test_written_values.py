"""What a reader computes from the files of a results folder, by the textbook and without gaitdyn.

The walk of ``data/`` is processed with ``--intermediate``. Angles by the definition of Grood and
Suntay 1983, loads by Newton's and Euler's equations in laboratory axes, powers and the place of the
force are computed again from ``motion.npz`` and compared with ``timeseries.csv``; peaks, work and
gait parameters from cycles, events and heel markers.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import Options
from tests.read_back import rows_of

WALK = Path(__file__).resolve().parents[2] / "data" / "walk01.c3d"
OUTWARD = {"left": -1.0, "right": 1.0}  # z is to the right on both sides
LEGS = pytest.mark.parametrize("side", ["left", "right"])
AXES = "xyz"
TABLES = ("cycles", "peaks", "gait_parameters", "events")


class Files:
    """The values of a results folder as numbers."""

    def __init__(self, folder: Path) -> None:
        self.motion = dict(np.load(folder / "motion.npz"))
        self.series = numbers(folder / "timeseries.csv")
        self.rows = {name: rows_of(folder / f"{name}.csv") for name in TABLES}

    def of(self, side: str, name: str) -> Any:
        return self.motion[f"{side}_{name}"]

    def check(self, column: str, values: Any, atol: float) -> None:
        """Assert that a column is equal to the values, wherever it is known and they are."""
        written = self.series[column]
        known = np.isfinite(written) & np.isfinite(values)
        assert known.sum() > 50
        np.testing.assert_allclose(values[known], written[known], rtol=0, atol=atol)


def numbers(path: Path) -> dict[str, Any]:
    table = rows_of(path)
    return {name: np.array([float(row[name] or "nan") for row in table]) for name in table[0]}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("written")
    process_trial(WALK, Options()).save(folder / "walk01", intermediate=True)
    return Files(folder / "walk01")


def dot(a: Any, b: Any) -> Any:
    return (a * b).sum(axis=-1)


def joint_angles(above: Any, below: Any) -> tuple[Any, Any, Any]:
    """Return flexion, abduction and rotation by the axes of Grood and Suntay 1983, deg.

    e1 is the flexion axis of the segment above, e3 the long axis of the one below, e2 square to
    both. All three are rotations about the axis in its positive direction.
    """
    e1, e3 = above[..., 2], below[..., 1]
    e2 = np.cross(e3, e1)
    e2 /= np.linalg.norm(e2, axis=-1, keepdims=True)
    flexion = np.arctan2(dot(e2, above[..., 1]), dot(e2, above[..., 0]))
    abduction = np.arcsin(dot(e1, e3))
    rotation = np.arctan2(dot(e2, below[..., 2]), dot(e2, below[..., 0]))
    return tuple(np.degrees(angle) for angle in (flexion, abduction, rotation))


@LEGS
def test_hip_and_knee_have_the_angles_of_grood_and_suntay(files: Files, side: str) -> None:
    _, shank, thigh = np.moveaxis(files.of(side, "R_GS"), 1, 0)
    sg = OUTWARD[side]
    for joint, above, below, bends in (
        ("hip", files.motion["R_GP"], thigh, 1.0),
        ("knee", thigh, shank, -1.0),
    ):
        flexion, abduction, rotation = joint_angles(above, below)
        files.check(f"{side}_{joint}_angle_flexion", bends * flexion, 1e-9)
        files.check(f"{side}_{joint}_angle_adduction", sg * abduction, 1e-9)
        files.check(f"{side}_{joint}_angle_internal_rotation", sg * rotation, 1e-9)


@LEGS
def test_velocities_are_differences_of_the_written_poses(files: Files, side: str) -> None:
    """Central differences of sixth order over seven frames, of rotations and of positions."""
    step = files.series["time_s"][1] - files.series["time_s"][0]
    R, omega, alpha = (files.of(side, name) for name in ("R_GS", "omega_S", "alpha_S"))
    turning = np.swapaxes(R, -1, -2) @ difference(R, step)  # skew symmetric
    found = np.stack((turning[..., 2, 1], turning[..., 0, 2], turning[..., 1, 0]), axis=-1)
    speeding = difference(difference(files.of(side, "r_cm_G"), step), step)
    for values, wanted, share in (
        (found, omega, 2e-3),
        (difference(omega, step), alpha, 2e-2),
        (speeding, files.of(side, "a_cm_G"), 2e-2),
    ):
        off = np.nanmax(np.abs(values - wanted)[12:-12])
        assert off < share * np.nanmax(np.abs(wanted))


def difference(values: Any, step: float) -> Any:
    slope = np.full_like(values, np.nan)
    parts = ((1, 0.75), (2, -0.15), (3, 1 / 60))
    n = len(values)
    slope[3:-3] = sum(w * (values[3 + k : n - 3 + k] - values[3 - k : n - 3 - k]) for k, w in parts)
    return slope / step


def world(R: Any, v: Any) -> Any:
    return np.einsum("...ij,...j->...i", R, v)


def loads_G(files: Files, side: str) -> list[tuple[Any, Any]]:
    """Return force and moment of ankle, knee, hip on the segment below, in laboratory axes."""
    R, r, at, omega, alpha = (
        files.of(side, name) for name in ("R_GS", "r_cm_G", "r_prox_G", "omega_S", "alpha_S")
    )
    F, M = (files.of(side, f"external_{name}_G") for name in ("force", "moment"))
    mass, inertia, g = (files.of(side, name) for name in ("mass", "inertia_S", "gravity_G"))
    a = files.of(side, "a_cm_G")
    loads: list[tuple[Any, Any]] = []
    for i in range(3):
        inertia_G = R[:, i] @ inertia[i] @ np.swapaxes(R[:, i], -1, -2)
        w, dw = world(R[:, i], omega[:, i]), world(R[:, i], alpha[:, i])
        force = mass[i] * (a[:, i] - g) - F[:, i]
        moment = world(inertia_G, dw) + np.cross(w, world(inertia_G, w)) - M[:, i]
        if loads:  # the joint below pulls with the opposite of its load
            below, twist = loads[-1]
            force += below
            moment += twist + np.cross(at[:, i - 1] - r[:, i], below)
        loads.append((force, moment - np.cross(at[:, i] - r[:, i], force)))
    return loads


SIGNS = {  # what turns the part below about +z (to the right), and outwards about x and y
    "ankle": (("plantarflexion", -1.0), "eversion"),
    "knee": (("extension", 1.0), "abduction"),
    "hip": (("extension", -1.0), "abduction"),
}


@LEGS
def test_loads_and_powers_solve_the_equations_in_laboratory_axes(files: Files, side: str) -> None:
    R, sg = files.of(side, "R_GS"), OUTWARD[side]
    turning = [world(R[:, i], files.of(side, "omega_S")[:, i]) for i in range(3)]
    for i, ((joint, (sagittal, frontal)), (force, moment)) in enumerate(
        zip(SIGNS.items(), loads_G(files, side), strict=True)
    ):
        axes = np.swapaxes(R[:, i], -1, -2)
        x, y, z = world(axes, moment).T
        files.check(f"{side}_{joint}_moment_{sagittal[0]}", sagittal[1] * z, 1e-9)
        files.check(f"{side}_{joint}_moment_{frontal}", -sg * x, 1e-9)
        files.check(f"{side}_{joint}_moment_external_rotation", -sg * y, 1e-9)
        for axis, values in zip(AXES, world(axes, force).T, strict=True):
            files.check(f"{side}_{joint}_force_{axis}", values, 1e-9)
        if joint != "hip":  # the pelvis has no angular velocity in the file
            power = dot(moment, turning[i] - turning[i + 1])
            files.check(f"{side}_{joint}_power", power, 1e-8)


@LEGS
def test_the_wrench_on_the_foot_is_force_place_and_free_moment(files: Files, side: str) -> None:
    F, r = files.of(side, "external_force_G")[:, 0], files.of(side, "r_cm_G")[:, 0]
    M = files.of(side, "external_moment_G")[:, 0] + np.cross(r, F)  # about the origin
    x, y, z = (files.series[f"{side}_cop_{axis}"] / 1000 for axis in AXES)
    with np.errstate(all="ignore"):
        files.check(f"{side}_cop_x", 1000 * (M[:, 2] + y * F[:, 0]) / F[:, 1], 1e-6)
        files.check(f"{side}_cop_z", 1000 * (y * F[:, 2] - M[:, 0]) / F[:, 1], 1e-6)
    files.check(f"{side}_free_moment", M[:, 1] - (z * F[:, 0] - x * F[:, 2]), 1e-9)


def strikes(files: Files, side: str, kind: str = "foot_strike") -> list[float]:
    of_side = [row for row in files.rows["events"] if row["side"] == side]
    return sorted(float(row["time_s"]) for row in of_side if row["event"] == kind)


def of_cycle(files: Files, table: str, side: str, cycle: int) -> dict[str, float]:
    chosen = [r for r in files.rows[table] if (r["side"], r["cycle"]) == (side, str(cycle))]
    return {row["quantity"]: float(row["value"] or "nan") for row in chosen}


@LEGS
def test_gait_parameters_follow_from_events_and_heels(files: Files, side: str) -> None:
    other = "left" if side == "right" else "right"
    motion, t = files.motion, files.series["time_s"]
    labels = motion["labels"].tolist()

    def at(label: str, time: float) -> Any:  # two horizontal coordinates, G
        path = motion["markers_G"][:, labels.index(label)]
        return np.array([np.interp(time, t, path[:, i]) for i in (0, 2)])

    heel, opposite = side[0].upper() + "HEE", other[0].upper() + "HEE"
    own = strikes(files, side)
    for cycle, (start, stop) in enumerate(pairwise(own), 1):
        found = of_cycle(files, "gait_parameters", side, cycle)
        off, their_off, their_strike = (
            next(time for time in times if start < time < stop)
            for times in (
                strikes(files, side, "foot_off"),
                strikes(files, other, "foot_off"),
                strikes(files, other),
            )
        )
        stride = at(heel, stop) - at(heel, start)
        pelvis = sum(at(label, stop) - at(label, start) for label in ("LASI", "RASI"))
        step = at(heel, stop) - at(opposite, their_strike)
        aside = at(opposite, their_strike) - at(heel, start)
        length, T = np.linalg.norm(stride), stop - start
        right = np.array([-stride[1], stride[0]]) / length
        wanted = {
            "cadence": 120 / T,
            "stride_length": length,
            "speed": length / T,
            "step_length": step @ pelvis / np.linalg.norm(pelvis),
            "step_width": -OUTWARD[side] * aside @ right,
            "step_time": stop - their_strike,
            "stance": 100 * (off - start) / T,
            "single_support": 100 * (their_strike - their_off) / T,
            "double_support": 100 * (their_off - start + off - their_strike) / T,
        }
        for name, value in wanted.items():
            assert found[name] == pytest.approx(value, abs=2e-4), name


def along(files: Files, side: str, cycle: int, name: str, ends: tuple[float, float]) -> Any:
    """Return a curve of a cycle between two per cents, on straight lines of its 101 points."""
    chosen = [r for r in files.rows["cycles"] if (r["side"], r["cycle"]) == (side, str(cycle))]
    curve = [float(row[name] or "nan") for row in chosen]
    points = np.unique(np.concatenate((np.linspace(*ends, 20001), np.arange(*np.ceil(ends)))))
    return points, np.interp(points, np.arange(101.0), curve)


@LEGS
def test_peaks_and_work_follow_from_the_written_cycles(files: Files, side: str) -> None:
    for cycle, (start, stop) in enumerate(pairwise(strikes(files, side)), 1):
        off = of_cycle(files, "gait_parameters", side, cycle)["foot_off"]
        found = of_cycle(files, "peaks", side, cycle)
        for name, ends, peak, area in (
            ("knee_angle_flexion", (off, 100.0), "swing_max", ""),
            ("ankle_power", (off - 25.0, off + 5.0), "a2_peak", "a2_work"),
            ("knee_moment_extension", (0.0, off), "max", "impulse"),
        ):
            percent, values = along(files, side, cycle, name, ends)
            if np.isfinite(values).all():
                assert found[f"{name}_{peak}"] == pytest.approx(values.max(), abs=1e-6)
                integral = np.trapezoid(np.maximum(values, 0.0), percent) * (stop - start) / 100
                assert not area or found[f"{name}_{area}"] == pytest.approx(integral, abs=1e-6)
            else:
                assert np.isnan(found[f"{name}_{peak}"])
