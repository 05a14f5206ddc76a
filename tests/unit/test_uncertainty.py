"""Bands from stated input errors: each source by itself, files, and coverage of the truth."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.core.rotations import about, cross, rotate, unit
from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.errors import UsageError
from gaitdyn.kinematics.derivatives import angular_motion
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.marks import Area
from gaitdyn.plots.on_demand import bands_sheet
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.synthetic import Recording, Walker, write_session, write_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.trial import Result, read_results
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.motion import LegPose
from gaitdyn.types.options import Options
from gaitdyn.types.uncertainty import BANDS, Bands
from gaitdyn.uncertainty import tissue
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.cutoffs import find_sensitivity
from gaitdyn.uncertainty.inputs import (
    REASONS,
    SOURCES,
    InputErrors,
    input_errors,
    read_input_errors,
)
from gaitdyn.uncertainty.kept import bands_of, measured_coverage, uncertainty_document
from gaitdyn.uncertainty.leg_curves import curve_names, stages_of
from gaitdyn.uncertainty.linear import changes, linear_variances
from gaitdyn.uncertainty.peak_means import peak_means
from gaitdyn.uncertainty.poses import (
    pose_variances,
    shifted_leg,
    shifted_pose,
    shortest_turn,
    turns_of,
)
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps
from gaitdyn.uncertainty.tissue import (
    amplitudes_m,
    stride_s,
    swayed_pose,
    turned_leg,
    turned_pose,
)
from tests.property.random_chain import random_chain
from tests.walks import stand, walk

ROOT = Path(__file__).parents[2]
NOTHING: dict[str, Any] = {
    "marker_noise_mm": 0.0, "hip_mm": 0.0, "knee_mm": 0.0, "ankle_mm": 0.0,
    "plate_force_percent": 0.0, "cop_mm": 0.0, "segment_mass_percent": 0.0,
    "segment_cm_percent": 0.0, "segment_radius_percent": 0.0,
    "thigh_tissue_mm": 0.0, "shank_tissue_mm": 0.0, "other_tissue_mm": 0.0, "knee_axis_deg": 0.0,
}  # fmt: skip
ANKLE = "ankle_moment_plantarflexion"


def only(*, draws: int = 60, **given: Any) -> InputErrors:
    return InputErrors(**(NOTHING | given), draws=draws)


def result_of(folder: Path, recording: Recording) -> tuple[Path, Result]:
    write_session(folder, Walker(), recording, trials=1)
    return folder / "walk01.c3d", process_trial(folder / "walk01.c3d")


def test_axes_that_no_draw_changes_turn_as_measured_to_the_last_digit() -> None:
    n, count, rng = 40, 3, np.random.default_rng(2)
    frames = np.arange(n)[:, None, None]
    measured = shortest_turn(
        np.array([0.0, 1.0, 0.0]),
        unit(np.concatenate((np.sin(frames / 9), np.cos(frames / 9), 0.1 * frames / n), 2))[:, 0],
    )
    repeated = np.repeat(measured, count, axis=0)
    by_draw = repeated.reshape(n, count, 3, 3)
    tilt = shortest_turn(np.array([0.0, 1.0, 0.0]), unit(rng.normal(size=(count, 3))))
    for drawn in (by_draw, by_draw @ tilt):
        expected = [w.reshape(-1, 3) for w in angular_motion(drawn, 100.0)]
        found = turns_of(drawn.reshape(-1, 3, 3), measured, 100.0)
        np.testing.assert_array_equal(found, expected)
    missing = measured.copy()
    missing[3] = np.nan
    omega, _ = turns_of(np.repeat(missing, count, axis=0), missing, 100.0)
    assert np.isnan(omega.reshape(n, count, 3)[3]).all()
    assert np.isfinite(omega.reshape(n, count, 3)[4:]).all()


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    return result_of(tmp_path_factory.mktemp("walk"), Recording(strides=2.0))


@pytest.fixture(scope="module")
def coarse(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A result of few frames, for what holds in each of them."""
    return result_of(tmp_path_factory.mktemp("coarse"), Recording(rate_hz=50.0, strides=1.5))[1]


@pytest.fixture(scope="module")
def coverage() -> Any:
    spec = importlib.util.spec_from_file_location(
        "coverage_of_bands", ROOT / "benchmarks/coverage.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("source", "given"),
    [
        ("marker_noise", {"marker_noise_mm": 0.5}),
        ("joint_centres", {"hip_mm": 10.0}),
        ("joint_centres", {"knee_mm": 5.0}),
        ("joint_centres", {"ankle_mm": 5.0}),
        ("plate_force", {"plate_force_percent": 1.0}),
        ("centre_of_pressure", {"cop_mm": 3.0}),
        ("segment_table", {"segment_mass_percent": 15.0}),
        ("segment_table", {"segment_cm_percent": 3.0}),
        ("segment_table", {"segment_radius_percent": 10.0}),
        ("soft_tissue", {"thigh_tissue_mm": 10.0}),
        ("soft_tissue", {"shank_tissue_mm": 5.0}),
        ("soft_tissue", {"other_tissue_mm": 2.0}),
        ("knee_axis", {"knee_axis_deg": 5.0}),
    ],
)
def test_each_input_is_felt_as_its_source_and_no_other(coarse, source, given):
    found = find_uncertainty(coarse, only(draws=20, **given))  # exact whatever is drawn
    share = found.shares("left")["hip_moment_extension"]
    assert share[source] == pytest.approx(1.0, abs=1e-12)
    assert np.nanmax(found.half_width("left")[:, found.names.index("hip_moment_extension")]) > 0.01


def test_without_an_error_no_curve_has_a_band(coarse):
    """Angular velocities of the draws are those of the trial, at the pelvis as well."""
    found = find_uncertainty(coarse, only(draws=20))
    for side in found.variances:
        half = found.half_width(side)
        assert np.isfinite(half).any()
        assert np.nanmax(half) < 1e-6


def test_the_ground_moves_a_moment_by_arm_times_force_and_a_power_by_the_turning_joint(walked):
    """F_y = 700 N, 3 mm: a standard deviation of 2.1 N m whatever the pose.

    A shift d of the centre of pressure adds d x F to the moment of every joint, a gain of one
    component of the force its share of r x F; times the angular velocity of the thigh in the pelvis
    either is that of the hip's power.
    """
    options = Options(moments_in="lab")
    run = stages_of(process_trial(walked[0], options))
    found = linear_variances(run, "left", only(cop_mm=3.0, plate_force_percent=1.0)).variances
    chain, cop = run.kinetics("left").loads.chain, run.ground.wrench["left"].cop_G
    force, pelvis, thigh = chain.external_force_G[:, 0], run.motion.pose.R_GP, chain.R_GS[:, 2]
    rate = run.motion.trial.rate_hz
    turning = rotate(thigh, angular_motion(thigh, rate)[0])
    turning -= rotate(pelvis, angular_motion(pelvis, rate)[0])
    shifts = [np.cross(0.003 * np.eye(3)[axis], force) for axis in (0, 2)]
    part = [0.01 * force * np.eye(3)[axis] for axis in range(3)]
    names, known = curve_names(options), np.isfinite(cop).all(axis=1) & (force[:, 1] > 100.0)
    for source, joint, moments in (
        ("centre_of_pressure", 0, shifts),
        ("centre_of_pressure", 2, shifts),
        ("plate_force", 0, [np.cross(cop - chain.r_prox_G[:, 0], more) for more in part]),
        ("plate_force", 2, [np.cross(cop - chain.r_prox_G[:, 2], more) for more in part]),
    ):
        name = ("ankle", "knee", "hip")[joint]
        z = names.index(f"{name}_moment_z")
        moment = np.sum([m[:, 2] ** 2 for m in moments], axis=0)
        np.testing.assert_allclose(found[source][known, z], moment[known], rtol=1e-6)
        if joint == 2:
            power = np.sum([(m * turning).sum(axis=1) ** 2 for m in moments], axis=0)
            at = names.index("hip_power")
            np.testing.assert_allclose(found[source][known, at], power[known], rtol=1e-6)


def test_a_gain_of_the_plate_acts_at_the_centre_of_pressure(walked):
    """With 1 % more force in all directions the ground's part of the moment has 1 % more."""
    run = stages_of(walked[1])
    chain = run.kinetics("left").loads.chain
    gains = [change for source, change in changes(chain, InputErrors()) if source == "plate_force"]
    more = sum(joint_loads(gain(1.0)).moment_S - joint_loads(chain).moment_S for gain in gains)
    still = joint_loads(replace(chain, external_force_G=0 * chain.external_force_G,
                                external_moment_G=0 * chain.external_moment_G))  # fmt: skip
    ground = joint_loads(chain).moment_S - still.moment_S
    known = chain.external_force_G[:, 0, 1] > 100.0
    free = np.nanmax(np.abs(run.ground.wrench["left"].free_moment))  # it keeps its size
    assert np.abs(ground[known]).max() > 10 * free
    assert np.abs(more - 0.01 * ground)[known].max() < 0.0101 * free


def test_a_laboratory_on_the_first_floor_has_the_same_bands(walked):
    """Plates and person 0.4 m above the origin: nothing of a leg changes."""
    run, up = stages_of(walked[1]), np.array([0.0, 0.4, 0.0])
    side, kinetics = run.sides["left"], run.kinetics("left")
    chain, wrench = kinetics.loads.chain, side.wrench
    assert wrench is not None
    raised = replace(chain, r_cm_G=chain.r_cm_G + up, r_prox_G=chain.r_prox_G + up)
    kinetics = replace(kinetics, loads=replace(kinetics.loads, chain=raised))
    side = replace(side, wrench=replace(wrench, cop_G=wrench.cop_G + up), kinetics=kinetics)
    above = linear_variances(replace(run, sides={"left": side}), "left", InputErrors())
    below = linear_variances(run, "left", InputErrors())
    for source, variance in below.variances.items():
        assert above.variances[source] == pytest.approx(variance, rel=1e-6, abs=1e-9, nan_ok=True)


def test_a_linear_source_grows_with_the_square_of_its_deviation(walked):
    run = stages_of(walked[1])
    one = linear_variances(run, "right", InputErrors())
    two = linear_variances(run, "right", InputErrors(plate_force_percent=2.0, cop_mm=6.0))
    for source in ("plate_force", "centre_of_pressure"):
        assert two.variances[source] == pytest.approx(
            4.0 * one.variances[source], rel=1e-6, abs=1e-12, nan_ok=True
        )


@pytest.mark.slow
def test_marker_noise_is_what_repeated_recordings_show(walked, tmp_path):
    """20 noisy files of one walk: their spread is the band of marker noise within a fifth."""
    found = find_uncertainty(walked[1], only(marker_noise_mm=1.0))
    curves = []
    for seed in range(20):
        recording = Recording(strides=2.0, marker_noise_mm=1.0, seed=seed)
        write_session(tmp_path / str(seed), Walker(), recording, trials=1)
        result = process_trial(tmp_path / str(seed) / "walk01.c3d")
        kinetics = result.sides["left"].kinetics
        assert kinetics is not None
        curves.append(-kinetics.loads.moment_S[:, 2, 2])
    band = found.half_width("left")[:, found.names.index("hip_moment_extension")] / 1.96
    spread = np.std(curves, axis=0, ddof=1)
    known = np.isfinite(band) & np.isfinite(spread)
    assert np.sqrt((spread[known] ** 2).mean()) == pytest.approx(
        np.sqrt((band[known] ** 2).mean()), rel=0.2
    )


def test_skin_sways_with_the_stride_within_its_amplitude(walked):
    """16 markers: 4 on each thigh's, shank's, pelvis's and feet's skin, at its own amplitude."""
    run = stages_of(walked[1])
    errors = only(thigh_tissue_mm=20.0, shank_tissue_mm=10.0, other_tissue_mm=4.0)
    amplitude = dict(zip(run.motion.trial.labels, 1000 * amplitudes_m(run, errors), strict=True))
    assert [amplitude["L" + name] for name in ("THI", "KNE", "TIB", "ANK", "TOE", "ASI")] == [
        20.0, 20.0, 10.0, 10.0, 4.0, 4.0
    ]  # fmt: skip
    assert stride_s(run) == pytest.approx(Walker().gait.stride_s, abs=0.02)
    assert stride_s(replace(run, ground=replace(run.ground, events=()))) == 1.1
    pose = swayed_pose(run, errors, 400, np.random.default_rng(1))
    hips = pose.origin_G.reshape(-1, 400, 3) - run.motion.pose.origin_G[:, None]
    # the mean of two coordinates, A sin with A uniform to 4 mm: 4 / sqrt(6) / sqrt(2) mm
    known = np.isfinite(hips).all(axis=(1, 2))
    assert 1000 * hips[known].std() == pytest.approx(4.0 / np.sqrt(12.0), rel=0.03)
    assert 1000 * np.abs(hips[known]).max() <= 4.0


def test_skin_sways_in_four_harmonics_of_the_stride(walked, monkeypatch):
    batches = []
    monkeypatch.setattr(tissue, "find_pose", lambda batch, *_: batches.append(batch))
    run = stages_of(walked[1])
    trial, count = run.motion.trial, 8
    swayed_pose(run, InputErrors(), count, np.random.default_rng(2))
    swayed = batches[0].markers_G
    n, m, _ = trial.markers_G.shape
    sway = (swayed.reshape(n, count, m, 3) - trial.markers_G[:, None]).reshape(n, -1)
    sway = sway[:, np.isfinite(sway).all(axis=0)]
    waves = np.exp(
        -2j * np.pi * np.outer(np.arange(1, 8), np.arange(n) / trial.rate_hz) / stride_s(run)
    )
    strongest = 1 + np.abs(waves @ sway).argmax(axis=0)
    assert set(strongest.tolist()) == {1, 2, 3, 4}


def test_a_shank_that_has_the_knee_axis_turns_with_it(walked):
    leg = walked[1].pose.left
    for axis, turns in (("knee", [False, True, True]), ("malleoli", [False, False, True])):
        turned = turned_leg(replace(leg, shank_axis=axis), np.array([0.1]))
        apart = np.abs(turned.R_GS - leg.R_GS).max(axis=(-2, -1))
        assert (np.nanmax(apart, axis=0) > 0.05).tolist() == turns


def test_a_turned_knee_axis_shares_the_moments_of_its_segment(walked):
    """In axes turned by t about y: M_z' = cos t M_z + sin t M_x; the foot's axes stay."""
    run = stages_of(walked[1])
    variance = pose_variances(run, only(knee_axis_deg=5.0))["left"].variances["knee_axis"]
    drawn = turned_pose(run, only(knee_axis_deg=5.0)).left.R_GS[:, 2].reshape(-1, 2, 3, 3)
    apart = np.swapaxes(drawn[:, 0], 1, 2) @ drawn[:, 1]  # outward and inward
    seen = np.isfinite(apart).all(axis=(1, 2))
    np.testing.assert_allclose(
        apart[seen], np.tile(about("y", -np.radians(10.0)), (seen.sum(), 1, 1)), atol=1e-12
    )
    kinetics = run.kinetics("left")
    moment, angle = kinetics.loads.moment_S[:, 2], np.radians(5.0)
    turned = (1 - np.cos(angle)) ** 2 * moment[:, 2] ** 2 + np.sin(angle) ** 2 * moment[:, 0] ** 2
    z = curve_names(Options()).index("hip_moment_extension")
    # thigh and shank are slender: their own inertia makes the rest
    known = kinetics.published[:, 2] & np.isfinite(turned)
    assert np.sqrt(variance[known, z]) == pytest.approx(np.sqrt(turned[known]), rel=0.02, abs=0.05)
    assert variance[known, curve_names(Options()).index(ANKLE)] == pytest.approx(0.0, abs=1e-12)


def test_a_leg_whose_foot_is_never_seen_has_bands_at_knee_and_hip(coarse, tmp_path):
    """Its foot turns with the shank, in the draws as in the run: its mass still counts."""
    recording = Recording(rate_hz=50.0, strides=1.5)
    trial = walk(recording=recording)
    markers = trial.markers_G.copy()
    markers[:, [trial.labels.index("LHEE"), trial.labels.index("LTOE")]] = np.nan
    write_trial(tmp_path / "static.c3d", stand(recording=recording))
    write_trial(tmp_path / "walk.c3d", replace(trial, markers_G=markers))
    result = process_trial(tmp_path / "walk.c3d")
    found, seen = (find_uncertainty(r, InputErrors(draws=20)) for r in (result, coarse))
    kinetics = result.sides["left"].kinetics
    assert kinetics is not None
    shown = np.isfinite(kinetics.loads.moment_S).all(axis=2) & kinetics.published
    half, usual = found.half_width("left"), seen.half_width("left")
    for joint, name in enumerate(("ankle_power", "knee_moment_extension", "hip_moment_extension")):
        column = found.names.index(name)
        assert (np.isfinite(half[:, column]) == shown[:, joint]).all()
        assert shown[:, joint].any() == (joint > 0)
        if joint:
            both = np.isfinite(half[:, column] + usual[:, column])
            ratio = np.median(half[both, column] / usual[both, column])
            assert 0.5 < ratio < 2.0


def test_what_the_judge_emptied_has_no_band(walked):
    """An impossible knee empties its loads, above it the hip's too; the ankle keeps its bands."""
    result = walked[1]
    side = result.sides["left"]
    published = side.kinetics.published.copy()
    published[:, 1:] = False
    left = replace(side, kinetics=replace(side.kinetics, published=published))
    found = find_uncertainty(
        replace(result, sides={**result.sides, "left": left}), only(cop_mm=3.0, hip_mm=10.0)
    )
    half = found.half_width("left")
    variance = np.sum(list(found.variances["left"].values()), axis=0)
    np.testing.assert_allclose(half, 1.959964 * np.sqrt(variance), rtol=1e-6)
    assert np.isfinite(half[:, :7]).any()
    assert np.isnan(half[:, 7:]).all()
    bands = [half for (side, _), half in bands_of(result, found).half.items() if side == "left"]
    assert all(np.isnan(half[:, 7:]).all() for half in bands)


def test_the_same_seed_gives_the_same_bands(coarse):
    first, second = (find_uncertainty(coarse, only(draws=20, hip_mm=10.0)) for _ in range(2))
    np.testing.assert_array_equal(first.half_width("left"), second.half_width("left"))


def test_the_shortest_turn_takes_one_direction_to_the_other():
    rng = np.random.default_rng(1)
    a, b = unit(rng.normal(size=(20, 3))), unit(rng.normal(size=(20, 3)))
    R = shortest_turn(a, b)
    np.testing.assert_allclose((R @ a[..., None])[..., 0], b, atol=1e-12)
    np.testing.assert_allclose(
        R @ np.swapaxes(R, -1, -2), np.tile(np.eye(3), (20, 1, 1)), atol=1e-12
    )
    np.testing.assert_allclose((R @ cross(a, b)[..., None])[..., 0], cross(a, b), atol=1e-12)


@pytest.mark.slow
def test_nineteen_of_twenty_frames_hold_the_truth(coverage):
    """Bands that are half as wide, or without joint centres, would hold 70 or 80 % of them."""
    errors = InputErrors(draws=60)
    counts = [coverage.covered(seed, errors, (1.0, 0.5**0.5)) for seed in range(6)]
    wide, narrow = (coverage.fractions(list(each)) for each in zip(*counts, strict=True))
    assert 0.93 <= wide["all"] <= 0.97
    assert narrow["all"] < 0.93


def test_the_files_hold_bands_per_kg_and_shares(walked, tmp_path):
    path, _ = walked
    options = Options(uncertainty="default")
    result = process_trial(path, options)
    found = find_uncertainty(result, InputErrors(draws=20))
    result.kept[BANDS] = bands_of(result, found)
    write_results(ResultsFolder(tmp_path / "out"), result, figures=True)
    tmp_path = tmp_path / "out"
    table = (tmp_path / "uncertainty.csv").read_text(encoding="utf-8").splitlines()
    assert table[0].split(",") == ["side", "cycle", "percent", *found.names]
    assert len(table) % 101 == 1
    half = np.array([float(row.split(",")[3] or "nan") for row in table[1:] if row[:4] == "left"])
    widest = np.nanmax(found.half_width("left")[:, 0]) / (result.subject.mass_kg or 1.0)
    assert 0.5 * widest < np.nanmax(half) <= 1.001 * widest
    document = json.loads((tmp_path / "uncertainty.json").read_text(encoding="utf-8"))
    assert sum(document["share_of_variance"]["left"][ANKLE].values()) == pytest.approx(1.0)
    assert document["coverage"] == 0.95
    assert document["inputs"]["hip_mm"]["sd"] == 10.0
    assert document["inputs"]["thigh_tissue_mm"]["largest_amplitude"] == 10.0
    assert set(document["covers"]) == set(found.names)
    assert uncertainty_document(replace(found, errors=only(hip_mm=5.0)))["covers"] == {}
    assert (tmp_path / "figures" / "uncertainty.png").stat().st_size > 10_000


def test_a_side_with_one_full_cycle_keeps_its_band_in_the_figure(walked) -> None:
    """A cycle known in part neither hides the band of the whole one nor narrows it."""
    _, result = walked
    curves = run_curves(result)
    cycles = [x for x in cycle_curves(result, curves) if x.cycle.side == "right"]
    whole = next(x for x in cycles if np.isfinite(x.values[:, x.names.index(ANKLE)]).all())
    values = whole.values.copy()
    values[40:] = np.nan
    partial = replace(whole, cycle=replace(whole.cycle, number=9), values=values)
    half = np.full((101, 1), 0.1)
    halves = {("right", whole.cycle.number): half, ("right", 9): np.where(half > 0, 0.02, half)}
    document = {"draws": 20, "seed": 0}

    def areas(*drawn: CycleCurves) -> list[Array]:
        sheet = bands_sheet(result, Bands((ANKLE,), halves, document), drawn)
        assert sheet is not None
        return [
            mark.points for mark in sheet.marks if isinstance(mark, Area) and mark.name == "band"
        ]

    (alone,), (beside,) = areas(whole), areas(whole, partial)
    np.testing.assert_array_equal(beside, alone)


def test_a_wide_band_extends_its_scale_instead_of_being_cut(walked) -> None:
    _, result = walked
    cycles = cycle_curves(result, run_curves(result))
    halves = {(x.cycle.side, x.cycle.number): np.full((101, 1), 8.0) for x in cycles}
    sheet = bands_sheet(result, Bands((ANKLE,), halves, {"draws": 20, "seed": 0}), cycles)
    assert sheet is not None
    bands = [m.points for m in sheet.marks if isinstance(m, Area) and m.name == "band"]
    assert bands
    for points in bands:
        low, high = points[: len(points) // 2, 1], points[len(points) // 2 :, 1][::-1]
        np.testing.assert_allclose(high - low, (high - low)[0])


def test_every_input_has_a_reason():
    assert set(REASONS) == set(NOTHING)
    assert len(SOURCES) == 7


def test_the_measured_coverage_of_the_default_is_93_percent_or_more():
    """Nine moments, and the powers of three joints, whole and sagittal."""
    found = measured_coverage()
    asked = [name for name in found if "moment" in name]
    asked += [
        f"{joint}_power{of}" for joint in ("ankle", "knee", "hip") for of in ("", "_sagittal")
    ]
    assert len(asked) == 15
    assert all(found[name].half_default >= 0.93 for name in asked)
    assert all(0.93 <= found[name].published_for_it < 0.975 for name in asked)


def test_a_file_of_errors_replaces_what_it_names(tmp_path):
    path = tmp_path / "errors.toml"
    path.write_text("hip_mm = 15\ndraws = 100\n", encoding="utf-8")
    assert read_input_errors(path) == InputErrors(hip_mm=15, draws=100)
    assert input_errors("none") is None
    assert input_errors("default") == InputErrors()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cop_mm = 3\nhip = 10\n", "errors.toml, line 2: found 'hip', wanted one of marker_noise"),
        ("\ncop_mm = -3\n", "errors.toml, line 2: cop_mm is -3, wanted a number from 0 to 200"),
        ("cop_mm = 'much'\n", "line 1: cop_mm is 'much', wanted a number"),
        ("draws = 3\n", "line 1: draws is 3, wanted a whole number from 20"),
        ("draws = true\n", "line 1: draws is True, wanted a whole number"),
        ("hip_mm = nan\n", "line 1: hip_mm is nan, wanted a number"),
    ],
)
def test_a_wrong_file_of_errors_is_refused_with_its_line(tmp_path, text, told):
    (tmp_path / "errors.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        read_input_errors(tmp_path / "errors.toml")


def test_the_vendor_profile_has_no_bands(walked):
    with pytest.raises(UsageError, match="--uncertainty is for the profile default"):
        find_uncertainty(process_trial(walked[0], Options(profile="plug-in-gait")))


@pytest.mark.parametrize("deviation", [1.0, -1.0])
@pytest.mark.parametrize("segment", [0, 1, 2])
def test_a_mass_takes_its_inertia_along_and_a_radius_enters_twice(segment, deviation):
    chain = Chain(**random_chain(np.random.default_rng(3), 4, 3))
    errors = InputErrors(segment_mass_percent=10.0, segment_radius_percent=1.0)
    every = changes(chain, errors)
    table = [change(deviation) for source, change in every if source == "segment_table"]
    heavy, wide, _ = table[3 * segment : 3 * segment + 3]
    more, wider = 1.0 + 0.1 * deviation, 1.0 + 0.02 * deviation
    assert heavy.mass[segment] == pytest.approx(more * chain.mass[segment])
    np.testing.assert_allclose(heavy.inertia_S[segment], more * chain.inertia_S[segment])
    np.testing.assert_allclose(wide.inertia_S[segment], wider * chain.inertia_S[segment])
    np.testing.assert_array_equal(wide.mass, chain.mass)


@pytest.mark.parametrize("deviation", [1.0, -1.0])
@pytest.mark.parametrize("segment", [0, 1, 2])
def test_a_centre_of_mass_further_along_moves_as_a_point_of_its_body(segment, deviation):
    """In the laboratory's axes: a' = a + alpha x d + omega x (omega x d), M' = M - d x F.

    A foot is twice as long as from the ankle to its centre of mass.
    """
    chain = Chain(**random_chain(np.random.default_rng(4), 4, 3))
    every = changes(chain, InputErrors(segment_cm_percent=2.0))
    table = [change(deviation) for source, change in every if source == "segment_table"]
    moved = table[3 * segment + 2]
    end = chain.r_prox_G[:, segment - 1]
    if segment == 0:
        end = chain.r_prox_G[:, 0] + 2.0 * (chain.r_cm_G[:, 0] - chain.r_prox_G[:, 0])
    d = 0.02 * deviation * (end - chain.r_prox_G[:, segment])
    R = chain.R_GS[:, segment]
    omega, alpha = ((R @ x[:, segment, :, None])[..., 0] for x in (chain.omega_S, chain.alpha_S))
    a = chain.a_cm_G[:, segment] + np.cross(alpha, d) + np.cross(omega, np.cross(omega, d))
    M = chain.external_moment_G[:, segment] - np.cross(d, chain.external_force_G[:, segment])
    np.testing.assert_allclose(moved.r_cm_G[:, segment], chain.r_cm_G[:, segment] + d)
    np.testing.assert_allclose(moved.a_cm_G[:, segment], a)
    np.testing.assert_allclose(moved.external_moment_G[:, segment], M)
    others = [i for i in range(3) if i != segment]
    np.testing.assert_array_equal(moved.a_cm_G[:, others], chain.a_cm_G[:, others])


def test_a_centre_moves_in_the_axes_of_the_segment_above_it():
    still = np.tile(np.eye(3), (1, 3, 1, 1))
    centres = np.array([[[0.0, 0.1, 0.0], [0.0, 0.5, 0.0], [0.0, 0.9, 0.0]]])
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # x of it is y
    shifts = np.zeros((1, 3, 3))
    shifts[0, 2, 0] = 0.02
    leg = LegPose("left", still, centres)
    moved = shifted_leg(leg, np.tile(quarter, (1, 3, 1, 1)), shifts).r_prox_G[0]
    np.testing.assert_allclose(moved[2], [0.0, 0.92, 0.0], atol=1e-15)
    np.testing.assert_array_equal(moved[:2], centres[0, :2])


def test_a_knee_that_moves_aside_turns_shank_and_thigh_and_all_their_axes():
    still, twisted = np.tile(np.eye(3), (1, 3, 1, 1)), about("y", np.array([0.2]))
    centres = np.array([[[0.0, 0.1, 0.0], [0.0, 0.5, 0.0], [0.0, 0.9, 0.0]]])
    leg = LegPose("left", still, centres, twisted, "knee", own_prox_G=centres + 0.01)
    shifts = np.zeros((1, 3, 3))
    shifts[0, 1, 2] = 0.03
    moved = shifted_leg(leg, still, shifts)
    shank, thigh = about("x", np.arctan(0.03 / 0.4)), about("x", -np.arctan(0.03 / 0.4))
    np.testing.assert_allclose(moved.R_GS[0], [np.eye(3), shank, thigh], atol=1e-12)
    assert moved.R_shank_distal is not None
    np.testing.assert_allclose(moved.R_shank_distal[0], shank @ twisted[0], atol=1e-12)
    assert moved.own_prox_G is not None
    np.testing.assert_allclose(moved.own_prox_G - moved.r_prox_G, np.full((1, 3, 3), 0.01))


@pytest.mark.parametrize(("joint", "name"), list(enumerate(("ankle", "knee", "hip"))))
def test_each_joint_centre_moves_by_its_own_error(walked, joint, name):
    run = stages_of(walked[1])
    nothing: dict[str, Any] = {**NOTHING, f"{name}_mm": 10.0}
    errors = InputErrors(**nothing)
    pose = shifted_pose(run, errors, 2, np.random.default_rng(0))
    before = np.repeat(run.motion.pose.left.r_prox_G, 2, axis=0)
    moved = np.linalg.norm(pose.left.r_prox_G - before, axis=2)
    assert [bool(np.nanmax(moved[:, j]) > 0.001) for j in range(3)] == [
        j == joint for j in range(3)
    ]


def test_a_result_read_from_a_folder_has_no_recording_to_vary(walked, tmp_path):
    walked[1].save(tmp_path / "out")
    again = read_results(tmp_path / "out")
    for find in (
        find_uncertainty,
        find_sensitivity,
        lambda r: find_sweep(r, parse_sweeps(["cutoff=6"])),
    ):
        with pytest.raises(UsageError, match="process the trial again"):
            find(again)


@pytest.mark.parametrize(
    ("force_cutoff_hz", "swept", "changed"),
    [
        ("same", "profile=plug-in-gait", {"profile": "plug-in-gait"}),
        ("same", "filter=butterworth", {"filter": "butterworth"}),
        ("same", "force_cutoff=none", {"force_cutoff_hz": None}),
        ("same", "cutoff=none", {"cutoff_hz": None}),
        (None, "force_cutoff=10", {"force_cutoff_hz": 10.0}),
    ],
)
def test_a_sweep_is_what_each_setting_gives_by_itself(walked, force_cutoff_hz, swept, changed):
    """The plates come to the marker rate another way; the recording is not read again."""
    options = Options(force_cutoff_hz=force_cutoff_hz)
    run = walked[1] if force_cutoff_hz == "same" else process_trial(walked[0], options)
    (values,) = find_sweep(run, parse_sweeps([swept])).values
    direct = process_trial(walked[0], replace(options, **changed))
    np.testing.assert_equal(values, peak_means(replace(direct, events=run.events)))
