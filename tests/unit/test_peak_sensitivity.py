"""Peaks by cut-off and under other settings; cut-offs that noise advises."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.core import splines
from gaitdyn.core.cross_validation import choose_parameter
from gaitdyn.core.splines import smoothing_parameter
from gaitdyn.errors import UsageError
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.marks import Line, TextLine
from gaitdyn.plots.on_demand import cutoffs_sheet, sweep_sheet
from gaitdyn.store.result_tables import write_cutoffs, write_sweep
from gaitdyn.synthetic import Recording, Walker, write_session
from gaitdyn.tables.answers import cycle_curves_of, peaks_of
from gaitdyn.types.options import Options
from gaitdyn.types.subject import SIDES
from gaitdyn.uncertainty import cutoffs
from gaitdyn.uncertainty.advice import (
    Advice,
    cutoff_advice,
    median_cutoff,
    residual_cutoff,
    validated_cutoff,
)
from gaitdyn.uncertainty.cutoffs import CUTOFFS_HZ, MODES, Sensitivity, find_sensitivity
from gaitdyn.uncertainty.kept import cutoff_peaks, swept_peaks
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.on_demand import keepers_of
from gaitdyn.uncertainty.peak_means import peak_means
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps
from tests.read_back import rows_of
from tests.walks import processed

HIP = ("left", "hip_moment_extension_max")
RATE = 100.0
SOME_HZ = (4.0, 6.0, 9.0, 10.0, 11.0, 20.0)
"""Both ends of the cut-offs, those that the tests look at, and those around the chosen one."""


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("walk")
    write_session(folder, Walker(), Recording(marker_noise_mm=0.5), trials=1)
    return folder / "walk01.c3d"


@pytest.fixture(scope="module")
def found(trial: Path) -> Sensitivity:
    return find_sensitivity(processed(trial), cutoffs_hz=SOME_HZ)


def at(result: Sensitivity, mode: str, pair: tuple[float, float]) -> float:
    return result.values[mode][pair][HIP]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "pair"), [("matched", (6.0, 6.0)), ("markers", (6.0, 10.0)), ("forces", (10.0, 6.0))]
)
def test_a_peak_by_cut_off_is_that_of_a_run_with_it(trial, found, mode, pair):
    own = process_trial(trial, Options(cutoff_hz=pair[0], force_cutoff_hz=pair[1]))
    assert at(found, mode, pair) == pytest.approx(peak_means(own)[HIP], rel=1e-9)


def test_every_mode_goes_from_4_to_20_hz_and_meets_the_run_itself(found):
    assert tuple(range(4, 21)) == CUTOFFS_HZ
    for mode in MODES:
        assert len(found.values[mode]) == len(SOME_HZ)
        assert at(found, mode, (10.0, 10.0)) == at(found, "chosen", (10.0, 10.0))


@pytest.mark.parametrize("mode", MODES)
def test_a_slope_is_that_of_the_peaks_around_the_chosen_cut_off(found, mode):
    pairs = sorted(found.values[mode])
    i = pairs.index((10.0, 10.0))
    wide = (at(found, mode, pairs[i + 1]) - at(found, mode, pairs[i - 1])) / 2.0
    assert found.slopes[mode][HIP] == pytest.approx(wide, rel=0.2, abs=2e-3)


def test_a_slope_is_taken_half_a_hertz_to_either_side(trial, found):
    low, high = (
        process_trial(trial, Options(cutoff_hz=hz, force_cutoff_hz=10.0)) for hz in (9.5, 10.5)
    )
    slope = peak_means(high)[HIP] - peak_means(low)[HIP]
    assert found.slopes["markers"][HIP] == pytest.approx(slope, rel=1e-6)


def test_a_slope_of_the_markers_alone_is_around_their_own_cut_off(trial, monkeypatch):
    monkeypatch.setattr(cutoffs, "MODES", ("markers",))
    monkeypatch.setattr(cutoffs, "cutoff_advice", lambda *_: Advice({}, {}))
    low, middle, high = (
        process_trial(trial, Options(cutoff_hz=hz, force_cutoff_hz=12.0)) for hz in (7.5, 8.0, 8.5)
    )
    slope = peak_means(high)[HIP] - peak_means(low)[HIP]
    found = find_sensitivity(middle, cutoffs_hz=())
    assert found.slopes["markers"][HIP] == pytest.approx(slope, rel=1e-6)
    assert found.values["markers"] == {}


def test_matched_slopes_are_the_sum_of_both_others(found):
    parts = found.slopes["markers"][HIP] + found.slopes["forces"][HIP]
    assert found.slopes["matched"][HIP] == pytest.approx(parts, rel=0.1, abs=1e-3)


def noisy(noise_m: float, seed: int = 0) -> np.ndarray:
    """A stride of 1 Hz with harmonics to 5 Hz in three axes, m."""
    t = np.arange(400) / RATE
    signal = sum(0.1 / k**2 * np.sin(2 * np.pi * k * t + k) for k in range(1, 6))
    noise = np.random.default_rng(seed).normal(0, noise_m, (len(t), 3))
    return np.asarray(signal)[:, None] + noise


@pytest.mark.parametrize("method", [residual_cutoff, validated_cutoff])
def test_more_noise_advises_a_lower_cut_off(method):
    quiet, loud = method(noisy(0.0003), RATE), method(noisy(0.01), RATE)
    assert 4.0 < quiet < 15.0
    assert loud < quiet


def test_the_residual_line_meets_the_noise():
    """White noise alone: its residual is straight from the lowest cut-off, no crossing but low."""
    noise = np.random.default_rng(1).normal(0, 0.001, (600, 3))
    assert not residual_cutoff(noise, RATE) > 4.0


@pytest.mark.parametrize("rate_hz", [2600.0, 3000.0, 10_000.0])
def test_a_marker_rate_without_a_line_of_residuals_advises_nothing(rate_hz):
    """Above 2.86 kHz not one frequency was left, which ended in an error of an empty array."""
    assert np.isnan(residual_cutoff(noisy(0.001), rate_hz))


def test_the_residual_cut_off_is_winters():
    """Of a whole number of periods, which the gain of the spline filters exactly."""
    y = noisy(0.001)
    lines, cutoffs = np.fft.rfftfreq(len(y), 1 / RATE), np.arange(1.0, 20.25, 0.5)
    gains = 1 / (1 + (2**0.5 - 1) * (lines / cutoffs[:, None]) ** 6)
    removed = np.fft.irfft((1 - gains)[..., None] * np.fft.rfft(y, axis=0), len(y), axis=1)
    wanted = []
    for R in np.sqrt(np.mean(removed**2, axis=1)).T:
        fits = (
            (np.corrcoef(cutoffs[k:], R[k:])[0, 1] ** 2, np.polyfit(cutoffs[k:], R[k:], 1)[1])
            for k in range(len(R) - 5)
        )
        level = next(intercept for straight, intercept in fits if straight > 0.95)
        wanted.append(np.interp(-level, -R, cutoffs))
    assert residual_cutoff(y, RATE) == pytest.approx(np.mean(wanted), abs=0.1)


def test_the_validated_cut_off_is_that_of_the_chosen_spline():
    y = noisy(0.001)
    assert smoothing_parameter(validated_cutoff(y, RATE), RATE) == pytest.approx(
        choose_parameter(y)
    )


def test_a_marker_that_is_seen_too_briefly_has_no_answer(trial):
    session = stages_of(processed(trial)).session
    frames = 3 * splines.SHORTEST
    seen = {}
    for label, count in (("LKNE", frames), ("RKNE", frames - 1)):
        markers = session.trial.markers_G.copy()
        markers[count:, session.trial.labels.index(label)] = np.nan
        part = replace(session, trial=replace(session.trial, markers_G=markers))
        seen[label] = cutoff_advice(part, Options(), [label])
    assert "LKNE" in seen["LKNE"].residual
    assert np.isfinite(seen["LKNE"].cross_validation["LKNE"])
    assert np.isnan([seen["RKNE"].residual["RKNE"], seen["RKNE"].cross_validation["RKNE"]]).all()


def test_strides_that_turn_stay_out_of_the_means_of_peaks(trial):
    result = processed(trial)
    first, *others = cycle_curves_of(result)
    side, number = first.cycle.side, first.cycle.number
    turned = replace(result)
    cycle = replace(first.cycle, heading_change_deg=60.0)
    turned.kept["cycle curves"] = [replace(first, cycle=cycle), *others]
    name = "hip_moment_extension_max"
    straight = [p.value for p in peaks_of(result) if (p.side, p.name) == (side, name)]
    left = [
        p.value for p in peaks_of(result)
        if (p.side, p.name) == (side, name) and p.cycle != number
    ]  # fmt: skip
    assert len(straight) == len(left) + 1 > 1
    assert peak_means(turned)[side, name] == np.mean(left) != np.mean(straight)


def test_a_marker_without_an_answer_does_not_count():
    assert median_cutoff({"a": 4.0, "b": float("nan"), "c": 6.0}) == 5.0
    assert np.isnan(median_cutoff({}))
    assert Advice({}, {}).residual == {}


def test_sensitivity_files(found, tmp_path):
    write_cutoffs(tmp_path, cutoff_peaks(found))
    rows = rows_of(tmp_path / "sensitivity.csv")
    row = next(
        r for r in rows
        if (r["mode"], r["marker_cutoff_hz"], r["side"], r["quantity"]) == ("matched", "6", *HIP)
    )  # fmt: skip
    assert float(row["value"]) == pytest.approx(at(found, "matched", (6.0, 6.0)), rel=1e-8)
    assert row["unit"] == "N m/kg"
    document = json.loads((tmp_path / "sensitivity.json").read_text(encoding="utf-8"))
    assert document["slope_per_hz"]["matched"]["left"][HIP[1]] == pytest.approx(
        found.slopes["matched"][HIP], rel=1e-5
    )
    assert 2.0 < document["advice_hz"]["residual_analysis"]["median"] < 12.0
    sheet = cutoffs_sheet("walk01", cutoff_peaks(found))
    assert sheet is not None
    words = {mark.text for mark in sheet.marks if isinstance(mark, TextLine)}
    assert {"Cut-offs \u2013 walk01", "hip moment extension max"} <= words


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"profile": "plug-in-gait"}, "--sensitivity is for the profile default"),
        ({"cutoff_hz": None}, "--sensitivity needs --cutoff and --force-cutoff in Hz"),
        ({"cutoff_hz": 0.99}, "half a hertz below and above .*: found 0.99, wanted 1 Hz or more"),
        ({"cutoff_hz": 1.0}, "half a hertz below and above .*: a cut-off of 0.5 Hz at 100 Hz is"),
    ],
)
def test_without_cut_offs_there_is_no_sensitivity(trial, options, told):
    with pytest.raises(UsageError, match=told):
        find_sensitivity(process_trial(trial, Options(**options)))


def test_a_sweep_changes_one_setting_at_a_time(trial, tmp_path):
    settings = parse_sweeps(["anthropometry=dempster", "cutoff=6", "baseline=remove,keep"])
    swept = find_sweep(processed(trial), settings)
    base = peak_means(processed(trial))
    six = process_trial(trial, Options(cutoff_hz=6.0, force_cutoff_hz="same"))
    assert [one.word for one in swept.settings] == ["dempster-winter", "6", "remove", "keep"]
    assert swept.base[HIP] == base[HIP]
    assert swept.values[0][HIP] == swept.values[2][HIP] == base[HIP]
    assert swept.values[1][HIP] == pytest.approx(peak_means(six)[HIP], rel=1e-9)
    assert swept.values[1][HIP] != base[HIP]
    write_sweep(tmp_path, swept_peaks(swept))
    rows = [row for row in rows_of(tmp_path / "sweep.csv") if (row["side"], row["quantity"]) == HIP]
    assert [row["setting"] for row in rows] == ["dempster-winter", "6", "remove", "keep"]
    assert float(rows[1]["difference"]) == pytest.approx(swept.values[1][HIP] - base[HIP], rel=1e-6)
    sheet = sweep_sheet("walk01", swept_peaks(swept))
    assert sheet is not None
    words = {mark.text for mark in sheet.marks if isinstance(mark, TextLine)}
    assert {"What if \u2013 walk01", "hip moment extension max"} <= words
    below = [x.text for x in sheet.marks if isinstance(x, TextLine) and x.name == "category"]
    assert below[:3] == ["the run itself", "anthropometry=dempster-winter", "cutoff=6"]
    lines = [mark for mark in sheet.marks if isinstance(mark, Line)]
    drawn = {mark.name for mark in lines}
    assert {"left dot", "right dot"} <= drawn  # no line joins settings that have no order
    levels = {name: {x.stroke.level for x in lines if x.name == name} for name in drawn}
    assert min(levels["left dot"] | levels["right dot"]) > max(levels[""])  # no grid over a dot
    assert not drawn & {"left", "right"}
    dots = {side: [x.points for x in lines if x.name == f"{side} dot"] for side in SIDES}
    first = {side: min(points[:, 0].mean() for points in dots[side]) for side in SIDES}
    assert first["left"] < first["right"]
    assert {len(points) for points in dots["right"]} == {2}  # a thick line: a square
    assert {len(points) for points in dots["left"]} == {14}  # a ring: a disc


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hip=harrington,seidel", "found 'seidel', wanted model, davis, harrington"),
        ("colour=red", "--sweep is 'colour=red', wanted KEY=A,B with KEY one of hip"),
        ("cutoff", "wanted KEY=A,B"),
        ("cutoff=6,fast", "found 'fast', wanted a frequency"),
        ("filter=box", "found 'box', wanted spline, butterworth"),
        ("anthropometry=d", "found 'd', wanted one of de-leva, dempster-winter"),
        ("cutoff=" + ",".join(["6"] * 61), "61 settings, wanted at most 60"),
    ],
)
def test_a_wrong_sweep_is_refused(text, told):
    with pytest.raises(UsageError, match=told):
        parse_sweeps([text])


def test_the_vendor_profile_is_swept_beside_generalised_loads(trial: Path) -> None:
    """Generalised loads need rigid segments, but no peak needs them."""
    settings = parse_sweeps(["profile=plug-in-gait"])
    with_both = process_trial(trial, Options(generalised=True, audit=False))
    assert keepers_of(with_both.options, sensitivity=False, sweeps=["profile=plug-in-gait"])
    swept, alone = (find_sweep(result, settings) for result in (with_both, processed(trial)))
    np.testing.assert_equal(swept.values, alone.values)
    assert not swept.left_out


def test_a_long_computation_tells_how_far_it_is(trial: Path) -> None:
    told: list[tuple[str | int, ...]] = []
    find_sweep(processed(trial), parse_sweeps(["cutoff=6,12"]), lambda *x: told.append(x))
    assert told == [("other settings", 0, 2), ("other settings", 1, 2)]
