"""Gait parameters: posed heels whose answers can be seen, and the walker's own truth."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from gaitdyn.metrics.gait_parameters import gait_parameters
from gaitdyn.metrics.nondimensional import HofUnits
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.metrics.strides import spatial
from gaitdyn.metrics.symmetry import symmetry_angle
from gaitdyn.pipeline import process_trial
from gaitdyn.store.result_tables import TABLES, write_rows
from gaitdyn.synthetic import Course, Gait, Recording, Walker, WalkerBody, pose, write_trial
from gaitdyn.synthetic.body import foot_points
from gaitdyn.types.curves import Quantity
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LegMeasures, Subject
from tests.walks import walk

if TYPE_CHECKING:
    from pathlib import Path

RATE = 100.0
G = 9.80665


# ---------------------------------------------------------------- posed heels


def strikes_and_offs(leave: tuple[tuple[str, str, float], ...] = ()) -> tuple[Event, ...]:
    """Left strikes at 1.0 and 2.0 s, right at 0.4 and 1.4 s; left stands 0.6 s, right 0.7 s."""
    found = [
        ("right", "foot_strike", 0.4),
        ("left", "foot_off", 0.6),
        ("left", "foot_strike", 1.0),
        ("right", "foot_off", 1.1),
        ("right", "foot_strike", 1.4),
        ("left", "foot_off", 1.6),
        ("left", "foot_strike", 2.0),
        ("right", "foot_off", 2.1),
    ]
    return tuple(Event(t, s, cast("Any", k)) for s, k, t in found if (s, k, t) not in leave)


def posed(events: tuple[Event, ...], degrees: float = 0.0, leg_m: float | None = 0.9) -> Processed:
    """Heels stand still: right at x 0, left 0.5 ahead, right 1.2, left 1.7; 0.1 m apart.

    The walk is turned by some degrees about the vertical.
    """
    time = np.arange(250) / RATE
    turned = math.radians(degrees)
    forward = np.array([math.cos(turned), 0.0, -math.sin(turned)])
    to_right = np.array([math.sin(turned), 0.0, math.cos(turned)])
    left_x = np.where(time < 0.8, -0.7, np.where(time < 1.8, 0.5, 1.7))
    right_x = np.where(time < 0.2, -1.2, np.where(time < 1.2, 0.0, 1.2))
    lift = np.array([0.0, 0.03, 0.0])
    left = left_x[:, None] * forward - 0.04 * to_right + lift
    right = right_x[:, None] * forward + 0.06 * to_right + lift
    nothing = cast("Any", None)
    trial = SimpleNamespace(labels=("LHEE", "RHEE"), markers_G=np.stack((left, right), axis=1))
    clock = {"rate_hz": RATE, "first_frame": 1, "n_frames": len(time)}
    recording = SimpleNamespace(**clock, time_of=lambda row: row / RATE)
    pelvis = SimpleNamespace(origin_G=1.2 * time[:, None] * forward + [0.0, 0.9, 0.0])
    leg = LegMeasures(leg_length_m=leg_m)
    return Processed(
        recording=cast("Any", recording), trial=cast("Any", trial), static=None,
        options=Options(),
        subject=Subject(left=leg, right=leg), calibration=nothing, pose=cast("Any", pelvis),
        sides={"left": nothing, "right": nothing}, contacts=(), events=events, noticed=(),
        feet={"left": (left, left), "right": (right, right)},
    )  # fmt: skip


SEEN = {
    "left": {
        "speed": 1.2, "cadence": 120, "stride_time": 1.0, "stride_length": 1.2, "step_time": 0.6,
        "step_length": 0.5, "step_width": 0.1, "foot_off": 60, "opposite_foot_off": 10,
        "opposite_foot_strike": 40, "stance": 60, "swing": 40, "stance_time": 0.6,
        "swing_time": 0.4, "initial_double_support": 10, "single_support": 30,
        "terminal_double_support": 20, "double_support": 30, "single_support_time": 0.3,
        "double_support_time": 0.3, "speed_nondimensional": 1.2 / math.sqrt(G * 0.9),
        "cadence_nondimensional": 2.0 * math.sqrt(0.9 / G), "step_length_nondimensional": 5 / 9,
    },
    "right": {
        "speed": 1.2, "cadence": 120, "stride_time": 1.0, "stride_length": 1.2, "step_time": 0.4,
        "step_length": 0.7, "step_width": 0.1, "foot_off": 70, "opposite_foot_off": 20,
        "opposite_foot_strike": 60, "stance": 70, "swing": 30, "stance_time": 0.7,
        "swing_time": 0.3, "initial_double_support": 20, "single_support": 40,
        "terminal_double_support": 10, "double_support": 30, "single_support_time": 0.4,
        "double_support_time": 0.3, "speed_nondimensional": 1.2 / math.sqrt(G * 0.9),
        "cadence_nondimensional": 2.0 * math.sqrt(0.9 / G), "step_length_nondimensional": 7 / 9,
    },
}  # fmt: skip


def by_name(found: list[Quantity], side: str, cycle: int = 1) -> dict[str, float]:
    return {q.name: q.value for q in found if (q.side, q.cycle) == (side, cycle)}


@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0, 200.0])
@pytest.mark.parametrize("side", ["left", "right"])
def test_posed_heels_give_the_numbers_that_are_seen(side, degrees):
    found = gait_parameters(posed(strikes_and_offs(), degrees))
    values = by_name(found, side)
    assert list(values) == [d.name for d in PARAMETERS] == list(SEEN[side])
    assert values == pytest.approx(SEEN[side], abs=1e-9)
    assert {q.cycle for q in found} == {1}


def test_units_are_those_of_the_definitions():
    found = gait_parameters(posed(strikes_and_offs()))
    units = {d.name: d.unit for d in PARAMETERS}
    assert all(q.unit == units[q.name] and q.percent is None for q in found)
    assert len(units) == len(PARAMETERS)


@pytest.mark.parametrize(
    ("missing", "unknown"),
    [
        (
            ("right", "foot_off", 1.1),
            {"opposite_foot_off", "initial_double_support", "single_support", "double_support",
             "single_support_time", "double_support_time"},
        ),
        (
            ("right", "foot_strike", 1.4),
            {"opposite_foot_strike", "step_time", "step_length", "step_width", "single_support",
             "terminal_double_support", "double_support", "single_support_time",
             "double_support_time", "step_length_nondimensional"},
        ),
        (
            ("left", "foot_off", 1.6),
            {"foot_off", "stance", "swing", "stance_time", "swing_time", "double_support",
             "terminal_double_support", "double_support_time"},
        ),
    ],
)  # fmt: skip
def test_what_needs_a_missing_event_is_unknown_and_nothing_else(missing, unknown):
    values = by_name(gait_parameters(posed(strikes_and_offs(leave=(missing,)))), "left")
    assert {name for name, value in values.items() if math.isnan(value)} == unknown
    for name in set(values) - unknown:
        assert values[name] == pytest.approx(SEEN["left"][name], abs=1e-9), name


def test_without_a_leg_length_only_the_scaled_numbers_are_unknown():
    values = by_name(gait_parameters(posed(strikes_and_offs(), leg_m=None)), "left")
    unknown = {name for name, value in values.items() if math.isnan(value)}
    assert unknown == {name for name in values if "nondimensional" in name}


def test_in_running_no_phase_of_support_is_made_up():
    flight = (
        Event(1.0, "left", "foot_strike"), Event(1.25, "left", "foot_off"),
        Event(1.35, "right", "foot_strike"), Event(1.6, "right", "foot_off"),
        Event(1.7, "left", "foot_strike"),
    )  # fmt: skip
    values = by_name(gait_parameters(posed(flight)), "left")
    assert math.isnan(values["initial_double_support"])
    assert math.isnan(values["double_support"])
    assert math.isnan(values["terminal_double_support"])
    assert math.isnan(values["single_support"])
    assert math.isnan(values["opposite_foot_off"])  # it ends a stance that began in this cycle
    assert values["stance_time"] == pytest.approx(0.25)


def test_two_strikes_of_the_other_foot_in_one_cycle_are_not_guessed_between():
    twice = (*strikes_and_offs(), Event(1.8, "right", "foot_strike"))
    values = by_name(gait_parameters(posed(tuple(sorted(twice)))), "left")
    assert math.isnan(values["step_length"])
    assert math.isnan(values["opposite_foot_strike"])
    assert values["stride_length"] == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("turned_deg", "width"),
    [
        *[(0.0, 0.1), (40.0, 0.1), (59.0, 0.1), (140.0, -0.1), (180.0, -0.1)],
        *[(61.0, np.nan), (90.0, np.nan), (119.0, np.nan)],
    ],
)
def test_who_walks_backward_has_a_step_width_and_who_walks_sideways_none(turned_deg, width):
    """The right heel is 0.1 m to the right of the line of the stride, seen along the way."""
    angle = np.radians(turned_deg)
    feet = np.array([np.cos(angle), 0.0, np.sin(angle)])
    first, last, left = np.zeros(3), np.array([1.2, 0.0, 0.0]), np.array([0.6, 0.0, -0.1])
    found = spatial("right", first, left, last, last, feet)
    assert found["step_width"] == pytest.approx(width, nan_ok=True)
    assert found["step_length"] == pytest.approx(0.6)
    assert spatial("right", first, left, last, last)["step_width"] == pytest.approx(0.1)


@pytest.mark.parametrize(("side", "across"), [("left", 1.0), ("right", -1.0)])
def test_feet_that_cross_over_have_a_negative_step_width(side, across):
    forward = np.array([1.2, 0.0, 0.0])
    other = np.array([0.6, 0.0, -across * 0.02])  # beyond the line of this foot's own stride
    found = spatial(side, np.zeros(3), other, forward, forward)
    assert found["step_width"] == pytest.approx(-0.02)


def test_a_heel_that_lands_higher_or_a_pelvis_that_rises_changes_no_length():
    forward, up = np.array([1.2, 0.0, 0.0]), np.array([0.0, 0.3, 0.0])
    other = np.array([0.6, 0.1, 0.1])
    found = spatial("left", np.zeros(3), other, forward + up, forward + up)
    wanted = {"stride_length": 1.2, "step_length": 0.6, "step_width": 0.1}
    assert found == pytest.approx(wanted)


def test_on_a_belt_there_are_no_distances():
    still, far = np.full(3, 0.01), np.array([1.2, 0.0, 0.0])
    for heel, pelvis in ((still, still), (far, still), (still, far)):
        values = spatial("left", np.zeros(3), np.ones(3), heel, pelvis)
        assert all(math.isnan(value) for value in values.values())


def test_unknown_values_are_written_empty(tmp_path):
    path = tmp_path / "gait_parameters.csv"
    rows = [
        ("left", 1, "speed", math.nan, "m/s", None, 0),
        ("left", 1, "ankle_power_a2_peak", 3.5, "W/kg", 52.0, 1),
    ]
    write_rows(path, TABLES["gait_parameters"][0], rows)
    assert path.read_text().splitlines() == [
        "side,cycle,quantity,value,unit,percent,turning",
        "left,1,speed,,m/s,,0",
        "left,1,ankle_power_a2_peak,3.5,W/kg,52,1",
    ]


# ---------------------------------------------------------------- the walker's truth


def uneven_walker(heading_deg: float) -> Walker:
    """Steps of 0.46 and 0.54 of the stride, stances of 0.60 and 0.63, legs of 880 and 930 mm."""
    body = WalkerBody()
    body = replace(
        body,
        left=replace(body.left, leg_length_mm=880.0),
        right=replace(body.right, leg_length_mm=930.0),
    )
    gait = Gait(lead="left", follow=0.46, stance=0.60, follow_stance=0.63)
    return Walker(body, gait, Course(heading_rad=math.radians(heading_deg)))


def truth(walker: Walker, side: Any, number: int) -> dict[str, float]:
    """Every parameter from the walker's own closed-form angles at the exact event times."""
    other: Any = "right" if side == "left" else "left"
    start, stop = walker.strike_s(side, number), walker.strike_s(side, number + 1)
    strikes = [walker.strike_s(other, k) for k in range(-3, 9)]
    (between,) = [t for t in strikes if start < t < stop]
    stand = {s: walker.gait.stance_of(s) * walker.gait.stride_s for s in ("left", "right")}
    off, other_off = start + stand[side], between - walker.gait.stride_s + stand[other]
    heading = walker.course.heading_rad
    ahead = np.array([math.cos(heading), 0.0, -math.sin(heading)])
    outward = np.array([math.sin(heading), 0.0, math.cos(heading)])
    outward = outward if side == "right" else -outward

    def heel(which: Any, time: float) -> np.ndarray:
        leg = pose(walker, np.array([time])).leg(which)
        return leg.ankle_G.value[0] + leg.R_GF.value[0] @ foot_points(walker.body, which)["heel"]

    length_m = walker.body.side(side).leg_length_mm / 1000
    stride = walker.gait.stride_length * walker.body.leg_m
    step = float((heel(side, stop) - heel(other, between)) @ ahead)
    T = walker.gait.stride_s
    times = {
        "initial_double_support": other_off - start,
        "single_support": between - other_off,
        "terminal_double_support": off - between,
        "double_support": other_off - start + off - between,
        "stance": off - start,
        "swing": stop - off,
    }
    shares = {name: 100 * seconds / T for name, seconds in times.items()}
    lasting = ("stance", "swing", "single_support", "double_support")
    return {
        **shares,
        **{f"{name}_time": times[name] for name in lasting},
        "foot_off": shares["stance"],
        "opposite_foot_off": shares["initial_double_support"],
        "opposite_foot_strike": 100 * (between - start) / T,
        "stride_time": T,
        "cadence": 120 / T,
        "step_time": stop - between,
        "stride_length": stride,
        "speed": stride / T,
        "step_length": step,
        "step_width": float((heel(side, start) - heel(other, between)) @ outward),
        "speed_nondimensional": stride / T / math.sqrt(G * length_m),
        "cadence_nondimensional": 2 / T * math.sqrt(length_m / G),
        "step_length_nondimensional": step / length_m,
    }


@pytest.fixture(scope="module", params=[0.0, 35.0, -70.0])
def walked(request, tmp_path_factory: pytest.TempPathFactory) -> tuple[Walker, Processed]:
    walker = uneven_walker(request.param)
    path: Path = tmp_path_factory.mktemp("uneven") / "walk.c3d"
    recording = Recording(forward="-y", plates=0)
    write_trial(path, walk(walker, recording))
    return walker, process_trial(path)


LIMIT = 0.005


def test_every_parameter_of_the_walker_is_within_half_a_percent(walked):
    walker, result = walked
    found = gait_parameters(result)
    cycles = {(q.side, q.cycle) for q in found if q.cycle is not None}
    assert {side for side, _ in cycles} == {"left", "right"}
    complete = 0
    for side, cycle in cycles:
        first = next(k for k in range(-3, 9) if walker.strike_s(cast("Any", side), k) >= 0)
        wanted = truth(walker, side, first + cycle - 1)
        values = by_name(found, side, cycle)
        assert set(values) == set(wanted)
        known = {name for name, value in values.items() if math.isfinite(value)}
        complete += len(known) == len(wanted)
        for name in known:
            assert values[name] == pytest.approx(wanted[name], rel=LIMIT), (side, name)
    assert complete >= 2


def test_left_and_right_of_the_walker_are_told_apart(walked):
    _, result = walked
    found = gait_parameters(result)
    left, right = (by_name(found, side, 1) for side in ("left", "right"))
    same = {"stride_time", "stride_length", "speed", "cadence", "step_width", "double_support",
            "double_support_time"}  # fmt: skip
    for name in set(left) - same:
        values = left[name], right[name]
        if all(map(math.isfinite, values)):
            assert abs(values[1] / values[0] - 1) > 2 * LIMIT, name


def test_the_results_folder_holds_the_parameters(walked, tmp_path):
    _, result = walked
    from gaitdyn.store import ResultsFolder, write_results

    write_results(ResultsFolder(tmp_path / "walk"), result)
    with (tmp_path / "walk" / "gait_parameters.csv").open() as file:
        rows = list(csv.DictReader(file))
    wanted = gait_parameters(result)
    assert [(r["side"], int(r["cycle"]), r["quantity"]) for r in rows] == [
        (q.side, q.cycle, q.name) for q in wanted
    ]
    for row, q in zip(rows, wanted, strict=True):
        assert (row["value"] == "") == math.isnan(q.value)
        assert row["percent"] == ""


# ---------------------------------------------------------------- scaling and symmetry


def test_hofs_units_of_a_leg_of_one_metre():
    hof = HofUnits(1.0)
    assert hof.frequency == hof.speed == pytest.approx(math.sqrt(G))
    assert math.isnan(HofUnits(0.0).speed)


def test_equal_sides_are_symmetric_and_exchanging_the_sides_changes_the_sign():
    assert symmetry_angle(0.6, 0.6) == symmetry_angle(-0.6, -0.6) == 0
    assert symmetry_angle(0.5, 0.6) == pytest.approx(-symmetry_angle(0.6, 0.5))
    assert symmetry_angle(0.5, 0.6) > 0
    assert math.isnan(symmetry_angle(0.5, math.nan))


def test_the_symmetry_angle_stays_within_a_hundred():
    angles = np.linspace(0, 2 * np.pi, 721)
    values = [symmetry_angle(math.cos(a), math.sin(a)) for a in angles]
    assert max(map(abs, values)) <= 100 + 1e-9
