"""Peaks, work and impulses of curves whose numbers are known by eye, and of a known walker."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves, resample
from gaitdyn.dynamics.clinical import OPPOSITE
from gaitdyn.metrics.peak_definitions import DEFINITIONS, find_definition
from gaitdyn.metrics.peaks import peaks, stance_peaks
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Recording, Walk, Walker
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.cycles import Cycle, CycleCurves, Stance, StanceCurves
from gaitdyn.types.options import Options
from tests.unit.cycle_shapes import cycle_of, triangle
from tests.walks import walk

RATE = 100.0
SPANS = {
    "a1": (5, 45), "a2": (35, 65), "k1": (2, 20), "k2": (10, 35), "k3": (45, 75), "k4": (70, 100),
    "h1": (0, 30), "h2": (25, 55), "h3": (48, 80),
}  # fmt: skip
"""Windows for a foot-off at 60 %, written out."""


def numbers(curves: CycleCurves, rate_hz: float = RATE) -> dict[str, tuple[float, float | None]]:
    return {q.name: (q.value, q.percent) for q in peaks([curves], rate_hz)}


def of_one(name: str, values: np.ndarray, off: float | None = 60.0) -> dict[str, tuple]:
    return numbers(cycle_of({name: values}, off=off))


def burst(name: str) -> tuple[str, int]:
    found = next(d for d in DEFINITIONS if d.name.endswith(f"_power_{name}_work"))
    return found.curve, 1 if found.take == "positive" else -1


@pytest.mark.parametrize("name", SPANS)
def test_a_burst_as_wide_as_its_window_gives_peak_time_and_work(name):
    (start, stop), (curve, sign) = SPANS[name], burst(name)
    top = start + 4
    found = of_one(curve, triangle(start, top, stop, 3.0 * sign))
    assert found[f"{curve}_{name}_peak"] == pytest.approx((3.0 * sign, top))
    # half of 3 W/kg times the width, 1 % of which is 0.02 s
    assert found[f"{curve}_{name}_work"][0] == pytest.approx(sign * 1.5 * (stop - start) * 0.02)
    weak = of_one(curve, triangle(start, top, stop, 0.1 * sign))
    assert weak[f"{curve}_{name}_peak"] == pytest.approx((0.1 * sign, top))


INNER = [(n, end) for n, span in SPANS.items() for end in (0, 1) if span[end] not in (0, 100)]


@pytest.mark.parametrize(("name", "end"), INNER)
def test_power_outside_the_window_is_not_of_the_burst(name, end):
    (curve, sign), edge = burst(name), SPANS[name][end]
    at = np.arange(101)
    outside = at <= edge if end == 0 else at >= edge
    power = sign * np.where(outside, 100.0, 1.0)
    # the edge is the last point of 100: only the fall from 100 to 1 within 1 % is inside
    found = of_one(curve, power)
    start, stop = SPANS[name]
    work = ((stop - start) + 99.0 / 2) * 0.02
    assert found[f"{curve}_{name}_work"][0] == pytest.approx(sign * work)
    assert found[f"{curve}_{name}_peak"] == pytest.approx((100.0 * sign, edge))


@pytest.mark.parametrize("name", SPANS)
def test_power_of_the_other_sign_is_no_burst(name):
    (start, stop), (curve, sign) = SPANS[name], burst(name)
    found = of_one(curve, triangle(start, (start + stop) / 2, stop, -3.0 * sign))
    assert found[f"{curve}_{name}_peak"] == (0.0, None)
    assert found[f"{curve}_{name}_work"][0] == 0.0


def test_the_work_of_a_window_is_that_of_all_its_bursts_of_one_sign():
    two = triangle(36, 40, 44, 1.0) + triangle(50, 54, 58, 2.0) + triangle(44, 47, 50, -5.0)
    found = of_one("ankle_power", two)
    assert found["ankle_power_a2_peak"] == pytest.approx((2.0, 54.0))
    assert found["ankle_power_a2_work"][0] == pytest.approx((4.0 + 8.0) * 0.02)
    assert found["ankle_work_positive"][0] == pytest.approx(12.0 * 0.02)
    assert found["ankle_work_negative"][0] == pytest.approx(-15.0 * 0.02)


def test_a_crossing_of_zero_between_two_points_cuts_the_line_there():
    power = np.where(np.arange(101) % 2 == 0, 1.0, -1.0)  # 100 lines through zero half-way
    found = of_one("hip_power", power)
    assert found["hip_work_positive"][0] == pytest.approx(100 * 0.25 * 0.02)
    assert found["hip_work_negative"][0] == pytest.approx(-100 * 0.25 * 0.02)


def test_windows_move_with_foot_off():
    push = triangle(50, 60, 70, 4.0)
    late, early = of_one("ankle_power", push, off=75.0), of_one("ankle_power", push, off=40.0)
    assert late["ankle_power_a2_peak"] == pytest.approx((4.0, 60.0))
    assert early["ankle_power_a2_peak"] == (0.0, None)
    between = of_one("ankle_power", push, off=50.5)  # to 55.5 %: 5.5 of 10 up to 4 W/kg
    assert between["ankle_power_a2_peak"] == pytest.approx((2.2, 55.5))


def test_a_window_from_a_share_of_the_cycle_to_foot_off_is_told_so():
    for one in DEFINITIONS:
        edges = one.window.start, one.window.stop
        if [edge.of_stance for edge in edges] == [0.0, 1.0] and edges[0].plus:
            assert f"from {edges[0].plus:g} % of the cycle to " in one.text, one.name


def test_work_is_over_time_and_not_over_percent():
    curves = cycle_of({"ankle_power": triangle(40, 50, 60, 3.0)})
    at_100, at_200 = numbers(curves, 100.0), numbers(curves, 200.0)
    assert at_100["ankle_power_a2_work"][0] == pytest.approx(30.0 * 0.02)
    assert at_200["ankle_power_a2_work"][0] == pytest.approx(30.0 * 0.01)


def test_one_unknown_value_hides_what_needs_it_and_nothing_else():
    power = triangle(70, 80, 90, -2.0)
    power[50] = np.nan
    found = of_one("knee_power", power)
    assert found["knee_power_k4_peak"] == pytest.approx((-2.0, 80.0))
    assert found["knee_power_k1_work"][0] == 0.0
    for name in ("knee_power_k3_peak", "knee_power_k3_work", "knee_work_negative"):
        assert np.isnan(found[name][0])
        assert found[name][1] is None


def test_an_unknown_value_beside_an_edge_between_two_points_hides_the_window():
    power = np.ones(101)
    power[66] = np.nan
    assert np.isnan(of_one("ankle_power", power, off=60.5)["ankle_power_a2_work"][0])
    assert of_one("ankle_power", power, off=60.0)["ankle_power_a2_work"][0] == pytest.approx(0.6)


def test_without_foot_off_what_moves_with_it_is_unknown():
    found = of_one("knee_power", triangle(70, 80, 90, -2.0), off=None)
    assert np.isnan(found["knee_power_k3_work"][0])
    assert found["knee_power_k4_peak"] == pytest.approx((-2.0, 80.0))


def test_moments_have_their_peaks_in_stance_and_in_its_halves():
    moment = triangle(5, 10, 15, 1.0) + triangle(40, 45, 50, 2.0) + triangle(70, 80, 90, 9.0)
    found = of_one("knee_moment_abduction", moment)
    assert found["knee_moment_abduction_first_peak"] == pytest.approx((1.0, 10.0))
    assert found["knee_moment_abduction_second_peak"] == pytest.approx((2.0, 45.0))
    assert found["knee_moment_abduction_impulse"][0] == pytest.approx((5.0 + 10.0) * 0.02)
    found = of_one("hip_moment_extension", triangle(5, 10, 15, 1.0) - triangle(40, 50, 60, 2.0))
    assert found["hip_moment_extension_max"] == pytest.approx((1.0, 10.0))
    assert found["hip_moment_extension_min"] == pytest.approx((-2.0, 50.0))
    assert found["hip_moment_extension_impulse"][0] == pytest.approx(5.0 * 0.02)


def test_angles_are_read_at_their_instants():
    knee = np.interp(np.arange(101), [0, 15, 40, 60, 75, 100], [5, 20, 2, 35, 60, 5])
    found = of_one("knee_angle_flexion", knee)
    assert found["knee_angle_flexion_contact"] == pytest.approx((5.0, 0.0))
    assert found["knee_angle_flexion_loading_max"] == pytest.approx((20.0, 15.0))
    assert found["knee_angle_flexion_stance_min"] == pytest.approx((2.0, 40.0))
    assert found["knee_angle_flexion_swing_max"] == pytest.approx((60.0, 75.0))
    assert found["knee_angle_flexion_range"] == (pytest.approx(58.0), None)
    ankle = np.interp(np.arange(101), [0, 48, 60, 64, 100], [0, 12, -10, -18, 0])
    found = of_one("ankle_angle_dorsiflexion", ankle, off=62.0)
    assert found["ankle_angle_dorsiflexion_stance_max"] == pytest.approx((12.0, 48.0))
    assert found["ankle_angle_dorsiflexion_off"] == pytest.approx((-14.0, 62.0))
    assert found["ankle_angle_dorsiflexion_swing_min"] == pytest.approx((-18.0, 64.0))
    toes = np.interp(np.arange(101), [0, 60, 61, 100], [-20, 0, 90, 90])
    assert of_one("foot_angle_progression", toes)["foot_angle_progression_stance_mean"] == (
        pytest.approx(-10.0), None,
    )  # fmt: skip
    late = np.where(np.arange(101) > 60, 10.0, 0.0)  # at 60.5 % it is 5, over half a percent
    mean = of_one("foot_angle_progression", late, off=60.5)["foot_angle_progression_stance_mean"]
    assert mean[0] == pytest.approx(0.5 * (0.0 + 5.0) / 2 / 60.5)


def test_a_stance_without_a_cycle_has_the_numbers_of_its_halves_and_its_own_time():
    """It lasts 0.7 s, and its foot-off is at 100 %."""
    knee = np.interp(np.arange(101), [0, 40, 50, 60, 100], [0, 0.3, 0.2, 0.8, 0])
    names = ("knee_moment_abduction", "knee_moment_extension", "knee_power", "knee_angle_flexion")
    values = np.stack((knee, np.full(101, 2.0), np.ones(101), np.arange(101.0)), axis=1)
    lone = StanceCurves(Stance("left", 1, 10.0, 80.0, None), names, ("",) * 4, values)
    in_cycle = replace(lone, stance=replace(lone.stance, cycle=3))
    rows = stance_peaks([lone, in_cycle], RATE)
    assert {(q.side, q.cycle) for q in rows} == {("left", None)}
    found = {q.name: (q.value, q.percent) for q in rows}
    assert len(found) == len(rows)
    assert found["knee_moment_abduction_first_peak_stance"] == pytest.approx((0.3, 40.0))
    assert found["knee_moment_abduction_second_peak_stance"] == pytest.approx((0.8, 60.0))
    assert found["knee_moment_extension_impulse_stance"][0] == pytest.approx(2.0 * 0.7)
    assert not [name for name in found if "_power_" in name or "_work_" in name]
    assert set(found) >= {"knee_angle_flexion_contact_stance"}


def test_the_ground_force_has_two_peaks_a_valley_braking_and_propulsion():
    up = np.interp(np.arange(101), [0, 12, 30, 46, 60], [0, 11, 7, 10, 0])
    along = triangle(0, 10, 30, -2.0) + triangle(30, 50, 60, 3.0)
    found = numbers(cycle_of({"grf_x": along, "grf_y": up}))
    assert found["grf_y_first_peak"] == pytest.approx((11.0, 12.0))
    assert found["grf_y_midstance_min"] == pytest.approx((7.0, 30.0))
    assert found["grf_y_second_peak"] == pytest.approx((10.0, 46.0))
    assert found["grf_x_braking_min"] == pytest.approx((-2.0, 10.0))
    assert found["grf_x_propulsion_max"] == pytest.approx((3.0, 50.0))
    assert found["grf_x_braking_impulse"][0] == pytest.approx(-30.0 * 0.02)
    assert found["grf_x_propulsion_impulse"][0] == pytest.approx(45.0 * 0.02)


def test_the_valley_lies_between_the_peaks_whichever_is_higher():
    up = np.interp(np.arange(101), [0, 2, 12, 30, 46, 60], [5, 3, 10, 7, 11, 0])
    assert of_one("grf_y", up)["grf_y_midstance_min"] == pytest.approx((7.0, 30.0))
    up = np.interp(np.arange(101), [0, 12, 30, 46, 60], [0, 11, 7, 10, 0])
    assert of_one("grf_y", up)["grf_y_midstance_min"] == pytest.approx((7.0, 30.0))


@pytest.mark.parametrize(
    ("points", "force", "known"),
    [
        ([0, 45, 60], [0, 10, 0], {"second_peak"}),  # one late hump
        ([0, 20, 60], [0, 10, 0], {"first_peak"}),  # one early hump
        ([0, 8, 52, 60], [0, 9, 9.5, 0], {"second_peak"}),  # flat: it rises throughout
        ([0, 10, 30, 50, 60], [0, 9, 10, 9, 0], set()),  # largest at mid stance
        ([0, 20, 45, 60], [12, 7, 10, 0], {"second_peak"}),  # it falls from the strike
        ([0, 15, 35, 60], [0, 11, 7, 12], {"first_peak"}),  # it rises until foot-off
    ],
)
def test_an_edge_of_half_a_stance_is_no_peak_of_the_force(points, force, known):
    found = of_one("grf_y", np.interp(np.arange(101), points, force))
    for name in ("first_peak", "midstance_min", "second_peak"):
        value, percent = found[f"grf_y_{name}"]
        assert np.isfinite(value) == (name in known)
        assert (percent is not None) == (name in known)


def test_swing_begins_at_foot_off():
    stiff = np.interp(np.arange(101), [0, 20, 40, 60, 70, 100], [5, 60, 10, 20, 30, 5])
    found = of_one("knee_angle_flexion", stiff)
    assert found["knee_angle_flexion_swing_max"] == pytest.approx((30.0, 70.0))
    assert found["knee_angle_flexion_loading_max"] == pytest.approx((60.0, 20.0))


def test_an_external_moment_has_the_opposite_word_and_the_same_numbers():
    moment = triangle(5, 10, 15, 1.0) - triangle(40, 50, 60, 2.0)
    internal = of_one("hip_moment_extension", moment)
    external = of_one("hip_moment_flexion", moment)
    assert list(external.values()) == list(internal.values())
    assert "hip_moment_flexion_max" in external
    assert find_definition("hip_moment_flexion_min").text == (
        "Largest external extension moment of the hip in stance; as flexion it is the smallest."
    )


def test_every_definition_is_found_by_its_name_with_the_unit_of_its_rows():
    assert len({d.name for d in DEFINITIONS}) == len(DEFINITIONS)
    for one in DEFINITIONS:
        assert find_definition(one.name) == one
        assert one.text.endswith(".")
        assert one.name.startswith((one.curve, one.curve.replace("_power", "_work")))
    with pytest.raises(KeyError):
        find_definition("hip_moment_extension_best")


@pytest.mark.parametrize("convention", ["internal", "external"])
@pytest.mark.parametrize("axes", ["distal", "jcs", "lab"])
def test_every_convention_and_axes_give_their_rows(synthetic, convention, axes):
    result = process_trial(
        synthetic / "walk01.c3d", Options(convention=convention, moments_in=axes)
    )
    found = peaks(cycle_curves(result, run_curves(result)), result.recording.rate_hz)
    names = {d.name for d in DEFINITIONS}
    if axes == "lab":
        names = {name for name in names if "_moment_" not in name}
    elif convention == "external":
        names = {_external(name) for name in names}
    assert {q.name for q in found} == names
    assert all(find_definition(q.name).unit == q.unit for q in found)


def _external(name: str) -> str:
    joint, moment, rest = name.partition("_moment_")
    word, _, ending = rest.partition("_")
    return f"{joint}_moment_{OPPOSITE[word]}_{ending}" if moment else name


def walker_cycle(trial: Walk) -> Cycle:
    """Return the first left cycle; rows are frames of the trial."""
    own = [e for e in trial.events if e.side == "left"]
    first = next(i for i, e in enumerate(own) if e.kind == "foot_strike")
    start, off, stop = (
        (e.time_s - trial.time_s[0]) * trial.recording.rate_hz for e in own[first : first + 3]
    )
    return Cycle("left", 1, start, stop, 100 * (off - start) / (stop - start))


def powers(trial: Walk) -> np.ndarray:
    """Return the true powers of the left ankle, knee and hip, W/kg."""
    table = trial.columns()
    at = [table.names.index(f"left_{joint}_power") for joint in ("ankle", "knee", "hip")]
    return table.values[:, at] / trial.walker.body.mass_kg


def test_bursts_of_the_walker_are_those_of_its_true_power():
    """Peaks and work of 101 points from 100 Hz against sums over the truth at 1000 Hz.

    Limits: 1 %, and for small bursts 0.0005 J/kg and 0.01 W/kg.
    """
    coarse, fine = walk(Walker(), Recording()), walk(Walker(), Recording(rate_hz=1000.0))
    cycle, names = walker_cycle(coarse), ("ankle_power", "knee_power", "hip_power")
    values = resample(powers(coarse), cycle.start_row, cycle.stop_row)
    found = numbers(CycleCurves(cycle, names, ("W/kg",) * 3, values))
    cycle, truth = walker_cycle(fine), powers(fine)
    off = cycle.foot_off_percent
    at = 100 * (np.arange(len(truth)) - cycle.start_row) / (cycle.stop_row - cycle.start_row)
    for name in SPANS:
        curve, sign = burst(name)
        stem = f"{curve}_{name}"
        window = find_definition(f"{stem}_peak").window
        start, stop = window.start.percent(off), window.stop.percent(off)
        inside = truth[(at >= start) & (at <= stop), names.index(curve)]
        right = np.clip(sign * inside, 0.0, None)
        work, peak = found[f"{stem}_work"][0], found[f"{stem}_peak"][0]
        assert sign * work == pytest.approx(right.sum() / 1000, rel=0.01, abs=0.0005), stem
        assert sign * peak == pytest.approx(right.max(), rel=0.01, abs=0.01), stem
