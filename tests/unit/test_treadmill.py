"""Belts: the ground moves below the feet; forces, moments and lengths are those of the walk.

The walker on belts is written as C3D and goes through the pipeline; what is true of it is known.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pytest

from gaitdyn.clean.baseline import without_drift
from gaitdyn.core.packing import pack_floats
from gaitdyn.core.rotations import about
from gaitdyn.cycles.heading import curve_direction
from gaitdyn.cycles.normalise import find_cycles, outlying_cycles
from gaitdyn.cycles.outliers import outlying, stopping
from gaitdyn.emg.find import walking_speed
from gaitdyn.errors import NobodyWalks
from gaitdyn.events.assignment import LoadedPlate
from gaitdyn.events.belts import belt_direction, belt_travel, belts_of, stays_in_place
from gaitdyn.events.contacts import Edges, load_runs
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.shared import split_shared
from gaitdyn.events.standings import FootStanding, kinematic_standings, standing_velocity
from gaitdyn.metrics.external_work import centre_velocity, external_work_rows, leg_power
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.clinic.steps import butterflies, floor_plan
from gaitdyn.plots.plan import view_of as plan_view
from gaitdyn.report.groups import Group
from gaitdyn.report.making import make_report
from gaitdyn.report.patient import fact_line
from gaitdyn.report.tables.numbers import parameter_table
from gaitdyn.stages.belt_findings import (
    UNSTEADY,
    belt_findings,
    force_findings,
    refused_belts,
)
from gaitdyn.stages.ground_findings import SEVERAL, plate_findings
from gaitdyn.store.document import document_of
from gaitdyn.store.shape import check_document
from gaitdyn.store.stored import trial_of_result
from gaitdyn.store.view import stick_figure, view_of
from gaitdyn.synthetic import BeltWalk, Recording, Treadmill, Walker, treadmill_walk, write_trial
from gaitdyn.types.belts import Belt, BeltContact
from gaitdyn.types.contacts import Contact, ContactCode
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.motion import LegPose, Pose
from gaitdyn.types.options import Assignment, Options
from gaitdyn.types.recording import Event
from gaitdyn.types.wrench import PlateWrench
from gaitdyn.upper.stability import sole_edges
from tests.walks import stand, walk

if TYPE_CHECKING:
    from gaitdyn.synthetic.body import Side
    from gaitdyn.trial import Result

SPEED = 1.25
"""Of the walker, m/s; its standing foot is not quite still and moves by 0.003."""

SLIPS, STRIDE_M = 0.004, 1.375
AHEAD = np.array([1.0, 0.0, 0.0])
FEET: tuple[Side, Side] = ("left", "right")
EXACT = Options(cutoff_hz=None, force_cutoff_hz=None)
RECORDING = Recording(strides=5.0, events=False, rate_hz=100.0)


@cache
def processed(
    belts: Treadmill | None, recording: Recording = RECORDING, options: Options = EXACT
) -> tuple[BeltWalk, Result]:
    """Return a walk on belts, or on the floor, and what is found of it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_trial(folder / "static.c3d", stand(Walker(), replace(recording, gaps=())))
        if belts is None:
            seen = BeltWalk(walk(Walker(), recording), {}, Walker())
        else:
            seen = treadmill_walk(Walker(), recording, belts)
        write_trial(folder / "walk.c3d", seen.walk)
        static = replace(options, static=str(folder / "static.c3d"))
        return seen, process_trial(folder / "walk.c3d", static)


def codes(result: Result) -> set[str]:
    return {f.code for f in result.findings}


def values(result: Result, side: str, name: str) -> np.ndarray:
    table = result.gait_parameters()
    return table.query("side == @side and quantity == @name")["value"].to_numpy(float)


def test_the_velocity_of_each_belt_is_that_of_its_standing_feet() -> None:
    _, result = processed(Treadmill())
    assert [belt.sides for belt in result.belts] == [("left",), ("right",)]
    for belt in result.belts:
        np.testing.assert_allclose(belt.velocity_G, (-SPEED, 0.0, 0.0), atol=SLIPS)
        assert belt.steady
        assert belt.constant
        assert belt.iqr_m_s < 1e-3
        assert len(belt.contacts) >= 4
    np.testing.assert_allclose(result.pose.walking_G, (1.0, 0.0, 0.0), atol=0.01)


def test_a_contact_given_to_the_other_foot_is_named_and_defines_no_belt() -> None:
    _, right = processed(Treadmill())
    _, wrong = processed(Treadmill(), options=replace(EXACT, assign=(Assignment(1, "right"),)))
    assert {c.side for c in wrong.contacts if c.plate == 1} == {"right"}
    for belt, usual in zip(wrong.belts, right.belts, strict=True):
        np.testing.assert_allclose(belt.velocity_G, usual.velocity_G, atol=SLIPS)
        assert belt.sides == usual.sides
    (found,) = (f for f in wrong.findings if f.code == "assigned-astray")
    assert (found.level, found.scope, found.side) == ("warning", "plate 1", "right")
    assert found.value is not None
    assert found.value > 0.1
    assert "pelvis-backward" not in codes(wrong)
    _, given = processed(Treadmill(), options=replace(EXACT, assign=(Assignment(1, "left"),)))
    assert not codes(given) & {"assigned-astray", "pelvis-backward"}


@pytest.mark.parametrize("side", ["left", "right"])
def test_lengths_and_speed_are_those_in_the_frame_of_the_belt(side: str) -> None:
    _, result = processed(Treadmill())
    np.testing.assert_allclose(values(result, side, "stride_length"), STRIDE_M, atol=0.005)
    np.testing.assert_allclose(values(result, side, "step_length"), STRIDE_M / 2, atol=0.005)
    np.testing.assert_allclose(values(result, side, "speed"), SPEED, atol=SLIPS)
    assert (values(result, side, "step_width") > 0.05).all()


@pytest.mark.parametrize("slow", [1.0, 0.6])
def test_steps_on_two_belts_are_as_wide_as_the_places_of_their_strikes(slow: float) -> None:
    """Feet that turn outward while they stand make parallel belts seem to part, or to meet."""
    _, result = processed(Treadmill(slow=slow))
    left, right = (
        np.interp(
            [
                result.row(e.time_s)
                for e in result.events
                if (e.side, e.kind) == (side, "foot_strike")
            ],
            np.arange(len(result.time_s)),
            result.feet[side][0][:, 2],
        ).mean()
        for side in FEET
    )
    for side in FEET:
        np.testing.assert_allclose(values(result, side, "step_width"), right - left, atol=0.002)


def test_a_stride_on_a_belt_goes_against_it_and_where_the_pelvis_drifts() -> None:
    """The pelvis drifts to the right, and in the second stride faster than in the first."""
    _, result = processed(Treadmill())
    for side, rate in product(FEET, (0.0, 0.1)):  # m/s2
        sideways = 0.5 * rate * result.time_s**2
        drift = sideways[:, None] * [0.0, 0.0, 1.0]
        pose = replace(result.pose, origin_G=result.pose.origin_G + drift)
        cycles = find_cycles(replace(result, pose=pose), side)
        assert cycles
        for cycle in cycles:
            start, stop = np.interp([cycle.start_row, cycle.stop_row],
                                    np.arange(len(result.time_s)), result.time_s)  # fmt: skip
            way = np.array([SPEED, 0.0, rate * (start + stop) / 2])
            found = curve_direction(replace(result, pose=pose), cycle)
            np.testing.assert_allclose(found, way / np.linalg.norm(way), atol=0.01)
            turn = np.arctan(rate * start / SPEED) - np.arctan(rate * stop / SPEED)
            assert cycle.heading_change_deg == pytest.approx(np.degrees(turn), abs=0.5)


def test_a_stance_whose_off_was_missed_does_not_last_to_the_off_of_the_next() -> None:
    rows = (np.array([10.0, 120.0, 230.0]), np.array([75.0, 295.0]))  # the off at 185 is missing
    foot = feet_at(300)[0]
    standings = kinematic_standings([foot], [], {"left": rows}, 100.0)
    assert [(s.start, s.stop) for s in standings] == [(10, 75), (230, 295)]


def test_two_strides_on_loaded_plates_show_the_belts() -> None:
    """The steps of such a file counted as incomplete, and plates and markers as not synchronous."""
    _, result = processed(Treadmill(), replace(RECORDING, strides=1.5))
    assert [belt.sides for belt in result.belts] == [("left",), ("right",)]
    for belt in result.belts:
        assert len(belt.contacts) < 3
        np.testing.assert_allclose(belt.velocity_G, (-SPEED, 0.0, 0.0), atol=2.0 * SLIPS)
    assert "load-on-moving-foot" not in codes(result)
    (first, _) = (f.message for f in result.findings if f.code == "belt-speed")
    assert re.fullmatch(
        r"plate 1: a belt at 1\.2\d+ m/s \(1 stance phase of the left foot\)", first
    )


def test_the_floor_is_no_belt() -> None:
    _, result = processed(None)
    assert result.belts == ()
    assert result.travel == {}
    assert "belts" not in document_of(result)
    assert not result.ground_travel("left").any()


def test_moments_and_powers_on_a_belt_are_those_of_the_walk_overground() -> None:
    """Galileo: of the same strides on the floor; unfiltered, where plates measure both."""
    seen, result = processed(Treadmill())
    floor = walk(seen.overground, RECORDING)
    for side in FEET:
        leg, own = floor.leg(side), result.sides[side].kinetics
        assert own is not None
        for cycle in find_cycles(result, side)[1:-1]:
            rows = slice(int(cycle.start_row), int(cycle.stop_row))
            found = own.loads.moment_S[rows]
            error = np.sqrt(np.mean((found - leg.joints.moment_S[rows]) ** 2, axis=0))
            assert (error.max(axis=1) < (0.15, 0.5, 1.2)).all(), error
            power = own.power[rows].sum(axis=-1) - leg.joints.power[rows]
            assert np.sqrt(np.mean(power**2)) < 3.0


def test_the_same_walk_has_the_same_moments_on_the_floor_and_on_belts() -> None:
    _, belt = processed(Treadmill())
    _, floor = processed(None)
    for c in [c for c in floor.contacts if c.verdict == "valid"]:
        a, b = belt.sides[c.side].kinetics, floor.sides[c.side].kinetics
        assert a is not None
        assert b is not None
        rows = slice(c.start + 3, c.stop - 3)
        difference = np.abs(a.loads.moment_S[rows] - b.loads.moment_S[rows])
        assert difference.max() < 0.1  # of single precision in the file


def test_split_belts_have_speeds_and_lengths_of_their_own() -> None:
    seen, result = processed(Treadmill(slow=0.6))
    for belt in result.belts:
        side = "left" if "left" in belt.sides else "right"
        truth = float(seen.speed_m_s[side].mean())
        assert abs(belt.speed_m_s - truth) < SLIPS
        np.testing.assert_allclose(values(result, side, "stride_length"), 1.1 * truth, atol=0.005)
    heels = {
        s: seen.walk.markers_G[:, seen.walk.labels.index(s[0].upper() + "HEE"), 0] for s in FEET
    }
    for side, other in (FEET, FEET[::-1]):
        cycle = find_cycles(result, side)[2]
        middle = cycle.start_row + 55.0  # the other foot strikes half a stride later
        carried = float(seen.speed_m_s[other].mean()) * 0.55
        at = np.interp([middle, cycle.stop_row], np.arange(len(heels[side])), heels[other])[0]
        last = np.interp(cycle.stop_row, np.arange(len(heels[side])), heels[side])
        truth = last - (at - carried)
        assert values(result, side, "step_length")[2] == pytest.approx(truth, abs=0.005)


def test_a_belt_that_changes_its_speed_is_followed_and_gives_no_kinetics() -> None:
    seen, result = processed(Treadmill(change=0.3))
    for belt in result.belts:
        assert not belt.steady
        for contact in belt.contacts:
            flat = round(contact.start + 0.375 * (contact.stop - contact.start))
            side = "left" if contact.side == "left" else "right"
            truth = seen.speed_m_s[side][flat]
            assert abs(np.hypot(*contact.velocity_G[[0, 2]]) - truth) < 0.01
    for side in FEET:
        np.testing.assert_allclose(values(result, side, "stride_length"), STRIDE_M, atol=0.02)
        wrench = result.sides[side].wrench
        assert wrench is not None
        assert not (np.nan_to_num(wrench.force_G[:, 1]) > 100.0).any()
    assert {"belt-unsteady", "contacts-not-whole"} <= codes(result)
    assert all(c.code == "unsteady" for c in result.contacts)
    hip = [s for s in result.status if s.joint == "hip"]
    assert hip
    assert all(UNSTEADY in s.reason for s in hip)


def test_contacts_that_are_not_whole_are_counted_by_code_whatever_their_words() -> None:
    part = Contact(1, "left", 0, 50, 700.0, "partial", "reworded", "cut")
    gone = replace(part, verdict="rejected", code="far")
    recording: Any = SimpleNamespace(first_frame=1)
    (found,) = plate_findings([], [*[part] * 4, *[gone] * 2], recording)
    assert "4 cut by the file; 2 with the force far from both feet (" in found.message


def test_every_code_of_a_contact_that_is_not_whole_has_words() -> None:
    assert {code for code in get_args(ContactCode) if code} == set(SEVERAL)


def test_a_belt_that_drifts_within_a_tenth_keeps_its_kinetics() -> None:
    _, result = processed(Treadmill(change=0.05))
    assert all(belt.steady and not belt.constant for belt in result.belts)
    assert "belt-unsteady" not in codes(result)
    np.testing.assert_allclose(values(result, "left", "stride_length"), STRIDE_M, atol=0.01)


def test_a_step_across_leaves_frames_of_two_feet_on_one_belt_empty() -> None:
    seen, result = processed(Treadmill(across=(("right", 2),)))
    both = [c for c in result.contacts if c.code == "shared"]
    assert [c.plate for c in both] == [1, 1]
    alone = [c for c in result.contacts if c.code == "alone"]
    assert {c.side for c in alone} == {"left", "right"}
    assert all(c.verdict == "partial" for c in alone)
    for side in FEET:
        wrench, truth = result.sides[side].wrench, seen.walk.leg(side)
        assert wrench is not None
        doubt = ~truth.known
        assert np.isnan(wrench.force_G[doubt, 1]).all()
        known = np.isfinite(wrench.force_G[:, 1])
        error = np.abs(wrench.force_G - truth.ground.force_G)[known]
        assert error.max() < 25.0
        assert known.mean() > 0.9


def test_a_step_across_split_belts_is_carried_by_the_other_belt() -> None:
    seen, result = processed(Treadmill(slow=0.6, across=(("right", 2),)))
    travel = -result.ground_travel("right")[:, 0]
    stance = [s for s in seen.walk.stances if s.side == "right" and s.plate == 1]
    (rows,) = (
        [round((t - seen.walk.time_s[0]) * 100) for t in (s.strike_s, s.off_s)] for s in stance
    )
    pace = (travel[rows[1]] - travel[rows[0]]) * 100 / (rows[1] - rows[0])
    assert pace == pytest.approx(0.75, abs=0.05)
    assert travel[-1] / (len(travel) - 1) * 100 == pytest.approx((3 * SPEED + 0.75) / 4, abs=0.1)


def test_a_foot_astride_has_the_force_of_both_belts_and_none_where_the_other_stands() -> None:
    seen, result = processed(Treadmill(astride=(("right", 2),)))
    wrench, truth = result.sides["right"].wrench, seen.walk.right
    assert wrench is not None
    plates = {c.plate for c in result.contacts if c.side == "right" and c.accepted}
    assert plates == {1, 2}
    known = np.isfinite(wrench.force_G[:, 1])
    error = np.abs(wrench.force_G - truth.ground.force_G)[known]
    assert error.max() < 25.0


@pytest.mark.parametrize(
    "of_two", [{"astride": (("right", 2),)}, {"across": (("left", 1),)}, {"slow": 0.6}]
)
def test_what_needs_two_belts_is_refused_on_one(of_two: Any) -> None:
    with pytest.raises(ValueError, match=f"found {next(iter(of_two))}, which need two belts"):
        Treadmill(single=True, **of_two)


def test_one_belt_for_both_feet_gives_the_frames_of_one_leg() -> None:
    seen, result = processed(Treadmill(single=True))
    (belt,) = result.belts
    assert abs(belt.speed_m_s - SPEED) < SLIPS
    assert not any(c.verdict == "valid" for c in result.contacts)
    for side in FEET:
        wrench, truth = result.sides[side].wrench, seen.walk.leg(side)
        assert wrench is not None
        known = np.isfinite(wrench.force_G[:, 1])
        error = np.abs(wrench.force_G - truth.ground.force_G)[known]
        assert error.max() < 25.0
        assert np.isnan(wrench.force_G[~truth.known, 1]).all()
        assert (known & (truth.ground.force_G[:, 1] > 300.0)).sum() > 100
    assert "plate-baseline" not in codes(result)


def test_the_belts_weigh_the_person_without_the_body_mass() -> None:
    seen, result = processed(Treadmill())
    ground = [seen.walk.leg(side).ground.force_G for side in ("left", "right")]
    stride = round(1.1 * 100)
    truth = (ground[0] + ground[1])[:stride].mean(axis=0)[1] / 9.80665
    (found,) = (f for f in result.findings if f.code == "mass-from-force")
    assert f"{truth:.1f} kg" in found.message
    assert found.value == pytest.approx(1.0 - truth / 70.0, abs=1e-3)


@pytest.mark.parametrize(("ahead", "right"), [((1, 0, 0), (0, 0, 1)), ((0, 0, -1), (1, 0, 0))])
@pytest.mark.parametrize("brakes_first", [True, False])
def test_the_mean_force_of_whole_strides_is_told_and_which_way_the_belts_go(
    ahead: tuple[int, ...], right: tuple[int, ...], brakes_first: bool
) -> None:
    """Of two left strides and a right one; in a quarter of the left ones 40 N more are carried."""
    weight, along, across = 70.0 * 9.80665, np.array(ahead, float), np.array(right, float)
    total = np.zeros((300, 3))
    total[50:250] = 2.0 * along - 3.0 * across + (0.0, weight, 0.0)
    total[50:100, 1] += 40.0
    push = np.repeat([-9.0, 9.0, 0.0], 50) * (1.0 if brakes_first else -1.0)
    total[100:250] += push[:, None] * along
    plates: list[LoadedPlate] = []
    for number, share in ((1, 0.25), (2, 0.75)):
        plate = plate_with(np.zeros((300, 3)), np.ones(300))
        plates.append(
            replace(plate, wrench=replace(plate.wrench, number=number, force_G=share * total))
        )
    belts = tuple(Belt(number, -1.2 * along, 0.0, ()) for number in (1, 2))
    surface: Any = SimpleNamespace(belts=belts, plates=plates, standings=[])
    recording: Any = SimpleNamespace(rate_hz=100.0, first_frame=11, n_frames=300)
    rows = {"left": (50, 150, 250), "right": (-20, 100, 200, 350)}
    events = [Event((r + 10) / 100, side, "foot_strike") for side in FEET for r in rows[side]]
    contacts = [Contact(1, "left", 100, 200, weight, "valid", "")]
    contacts.append(Contact(3, "right", 100, 200, weight, "valid", ""))  # on a plate without a belt
    told = force_findings(surface, contacts, events, recording, 72.0)
    mean_N = 0.5 * (weight + weight + 40.0 / 4)
    assert told[0].value == pytest.approx(1.0 - mean_N / 9.80665 / 72.0)
    words = "over 3 whole strides (+2.0 N along the walk, -3.0 N to the right)"
    assert f"{mean_N / 9.80665:.1f} kg on average {words}" in told[0].message
    assert [f.code for f in told[1:]] == ([] if brakes_first else ["belt-direction"])
    (unknown,) = force_findings(surface, [], events, recording, None)
    assert (unknown.value, "--mass" in unknown.message) == (None, True)
    surface.standings = [FootStanding("left", None, 50, 90)]
    assert not force_findings(surface, contacts, events, recording, 72.0)


def test_a_belt_that_changes_its_speed_is_told_with_its_slowest_and_fastest_stance() -> None:
    speeds = (1.0, 1.2, 1.5)
    contacts = tuple(BeltContact("left", 0, 50, np.array([-v, 0.3, 0.0])) for v in speeds)
    speed, change = belt_findings([Belt(None, np.array([-1.2, 0.0, 0.0]), 0.1, contacts)])
    assert (speed.code, speed.value) == ("belt-speed", 1.2)
    assert "3 stance phases of the left foot" in speed.message
    assert change.value == pytest.approx(0.5 / 1.2)
    assert f"{UNSTEADY} from 1.00 to 1.50 m/s" in change.message
    steady = Belt(2, np.array([-1.2, 0.0, 0.0]), 0.0, contacts[1:2])
    given = [
        Contact(plate, "left", 0, 50, 700.0, verdict, "as it is")
        for plate in (1, 2)
        for verdict in ("valid", "partial", "rejected")
    ]
    found = refused_belts(given, [Belt(1, np.array([-1.2, 0.0, 0.0]), 0.1, contacts), steady])
    assert [c.code for c in found] == ["unsteady", "unsteady", "", "", "", ""]
    assert [c.verdict for c in found[:3]] == ["rejected"] * 3
    assert found[2:] == given[2:]


def test_noise_drift_and_vibration_of_belts_leave_the_contacts_as_they_are() -> None:
    rough = replace(RECORDING, force_noise_n=12.0, baseline_n=30.0, marker_noise_mm=0.3)
    _, result = processed(Treadmill(), rough, Options())
    _, plain = processed(Treadmill())
    for one in (result, plain):
        told = [f.message for f in one.findings if f.code == "events-found"]
        edges = [int(text.split("from plates (")[1].split(" N)")[0]) for text in told]
        assert len(edges) == 2
        assert min(edges) >= 40
    own, same = ([(c.plate, c.side, c.verdict) for c in r.contacts] for r in (result, plain))
    assert own == same
    for a, b in zip(result.contacts, plain.contacts, strict=True):
        assert abs(a.start - b.start) <= 3
        assert abs(a.stop - b.stop) <= 3


def test_result_json_tells_the_belts(tmp_path: Path) -> None:
    _, result = processed(Treadmill(slow=0.6))
    rows = document_of(result)["belts"]
    assert [row["plate"] for row in rows] == [1, 2]
    assert [row["sides"] for row in rows] == [["left"], ["right"]]
    assert rows[0]["speed_m_s"] == pytest.approx(0.75, abs=SLIPS)
    first = result.recording.first_frame
    for row, one in zip(rows[0]["contacts"], result.belts[0].contacts, strict=True):
        assert (row["first_frame"], row["last_frame"]) == (first + one.start, first + one.stop - 1)
    result.save(tmp_path / "walk")
    from gaitdyn import read_results

    again = read_results(tmp_path / "walk")
    np.testing.assert_array_equal(again.travel["left"], result.travel["left"])
    assert again.belts[1].speed_m_s == result.belts[1].speed_m_s
    for side in FEET:
        np.testing.assert_array_equal(
            values(again, side, "step_length"), values(result, side, "step_length")
        )


def test_treadmills_without_plates_have_speed_and_lengths() -> None:
    seen = treadmill_walk(Walker(), RECORDING, Treadmill())
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_trial(folder / "static.c3d", stand(Walker(), RECORDING))
        bare = replace(seen.walk, plates=(), channels=seen.walk.channels[:, :0])
        write_trial(folder / "walk.c3d", bare)
        result = process_trial(
            folder / "walk.c3d", replace(EXACT, static=str(folder / "static.c3d"))
        )
        check_document(document_of(result))
    assert [belt.plate for belt in result.belts] == [None, None]
    np.testing.assert_allclose(values(result, "left", "stride_length"), STRIDE_M, atol=0.01)


# Kernels


def test_a_foot_that_is_carried_has_the_slope_of_heel_and_toe() -> None:
    t = np.arange(60) / 100.0
    heel = np.stack((-1.2 * t, 0 * t, 0.01 * t), axis=1)
    toe = heel + np.array([0.2, 0.0, 0.0])
    heel[:14], heel[32:] = 9.0, 7.0  # outside 25 to 50 % of the contact
    toe[:14], toe[32:] = 5.0, 3.0
    found = standing_velocity(heel, toe, 0, 60, 100.0)
    np.testing.assert_allclose(found, (-1.2, 0.0, 0.01), atol=1e-12)
    heel[20:25] = np.nan
    np.testing.assert_allclose(
        standing_velocity(heel, toe, 0, 60, 100.0), (-1.2, 0.0, 0.01), atol=1e-12
    )
    assert np.isnan(standing_velocity(heel * np.nan, toe * np.nan, 0, 60, 100.0)).all()


def test_the_way_of_the_walk_is_against_the_belts() -> None:
    belt = Belt(1, np.array([0.0, 0.02, -1.5]), 0.0, ())
    np.testing.assert_allclose(belt_direction([belt]), (0.0, 0.0, 1.0))


def test_a_print_is_carried_by_the_belt_on_which_the_foot_stood_last() -> None:
    def belt(plate: int, speed: float, start: int) -> Belt:
        velocity = np.array([-speed, 0.3, 0.0])
        return Belt(plate, velocity, 0.0, (BeltContact("left", start, start + 10, velocity),))

    standings = [FootStanding("left", 1, 0, 10), FootStanding("left", 2, 50, 60)]
    travel = belt_travel([belt(1, 1.0, 0), belt(2, 2.0, 50)], standings, 101, 100.0)
    assert set(travel) == {"left"}
    assert travel["left"][50, 0] == pytest.approx(-0.5, abs=0.01)
    assert travel["left"][100, 0] == pytest.approx(-1.5, abs=0.01)
    assert not travel["left"][:, 1].any()  # along the floor
    assert belt_travel([], standings, 10, 100.0) == {}


def test_belts_carry_along_one_direction() -> None:
    seen = {"left": np.array([-1.0, 0.1, 0.02]), "right": np.array([-2.0, 0.1, -0.02])}
    belts = [
        Belt(i, velocity, 0.0, (BeltContact(side, 0, 10, velocity),))
        for i, (side, velocity) in enumerate(seen.items(), 1)
    ]
    standings = [FootStanding(side, i, 0, 10) for i, side in enumerate(FEET, 1)]
    travel = belt_travel(belts, standings, 101, 100.0)
    np.testing.assert_allclose(travel["left"][100], (-1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(travel["right"][100], (-2.0, 0.0, 0.0), atol=1e-12)


def test_the_edges_of_a_belt_are_above_its_noise() -> None:
    up = np.zeros(200)
    up[20:50], up[80:100], up[120:180] = 30.0, 500.0, 700.0
    up[119] = 25.0
    assert load_runs(up, 100.0) == [(20, 50), (80, 100), (119, 180)]
    assert load_runs(up, 100.0, Edges(40.0, 20.0, 0.2)) == [(80, 100), (120, 180)]
    assert load_runs(up, 100.0, Edges(40.0, 20.0, 0.3)) == [(120, 180)]


def plate_with(cop: np.ndarray, up: np.ndarray) -> LoadedPlate:
    corners = np.array([[1.0, 0, 0.5], [-1.0, 0, 0.5], [-1.0, 0, -0.5], [1.0, 0, -0.5]])
    force = np.stack((0 * up, up, 0 * up), axis=1)
    wrench = PlateWrench(
        1, corners, np.zeros(3), np.array([0.0, 1.0, 0.0]), force, np.cross(cop, force)
    )
    return LoadedPlate(wrench, up, 0.0)


def feet_at(n: int) -> list[TrialFoot]:
    found = []
    for side, aside in (("left", -0.15), ("right", 0.15)):
        heel = np.tile((0.0, 0.03, aside), (n, 1))
        found.append(TrialFoot(side, heel, heel + np.array([0.2, 0.0, 0.0]), np.ones(n, bool)))
    return found


def test_frames_of_both_feet_are_4_more_on_either_side_within_the_run() -> None:
    """40 ms at 100 Hz: when a foot comes or leaves is known to that."""
    n, rows = 60, np.arange(60)
    plate = plate_with(np.zeros((n, 3)), np.full(n, 700.0))
    contact = Contact(1, "both", 0, n, 700.0, "rejected", "the right foot stands on the plate too")
    for left, both in ((30, (16, 34)), (23, (16, 27)), (60, (16, 60))):
        standing = {"left": rows < left, "right": rows >= 20}
        found = split_shared([contact], [plate], feet_at(n), standing, 100.0)
        assert [(c.start, c.stop) for c in found if c.code == "shared"] == [both]
    standing = {"left": rows < 3, "right": rows >= 0}  # at the beginning of the file
    assert split_shared([contact], [plate], feet_at(n), standing, 100.0) == [contact]
    standing = {"left": rows < 8, "right": rows >= 0}
    found = split_shared([contact], [plate], feet_at(n), standing, 100.0)
    assert [(c.start, c.stop) for c in found if c.code == "shared"] == [(0, 12)]


def test_a_plate_that_is_never_empty_is_divided_at_the_jump_of_the_centre_of_pressure() -> None:
    n, jump = 100, 52
    cop = np.zeros((n, 3))
    cop[:, 0] = 0.1
    cop[:jump, 2], cop[jump:, 2] = -0.15, 0.15
    standing = {"left": np.arange(n) < 47, "right": np.arange(n) >= 47}  # markers are 50 ms early
    contact = Contact(1, "both", 0, n, 700.0, "rejected", "the right foot stands on the plate too")
    found = split_shared(
        [contact], [plate_with(cop, np.full(n, 700.0))], feet_at(n), standing, 100.0
    )
    assert [(c.side, c.verdict) for c in found] == [
        ("left", "partial"), ("both", "rejected"), ("right", "partial"),
    ]  # fmt: skip
    assert found[0].stop <= jump <= found[2].start
    assert found[2].start - found[0].stop <= 10
    assert (found[0].start, found[2].stop) == (0, n)


def test_what_two_feet_carry_is_not_given_to_one_whose_axis_is_far() -> None:
    n = 100
    cop = np.zeros((n, 3))
    cop[:, 0] = 0.1
    standing = {"left": np.arange(n) < 60, "right": np.arange(n) >= 40}
    contact = Contact(1, "both", 0, n, 700.0, "rejected", "the right foot stands on the plate too")
    plate = plate_with(cop, np.full(n, 700.0))
    found = split_shared([contact], [plate], feet_at(n), standing, 100.0)
    assert {c.verdict for c in found} == {"rejected"}
    assert [c.side for c in found] == ["none", "both", "none"]
    given = replace(contact, code="given")
    assert split_shared([given], [plate], feet_at(n), standing, 100.0) == [given]
    standing["right"] = np.zeros(n, bool)
    assert split_shared([contact], [plate], feet_at(n), standing, 100.0) == [contact]


@pytest.mark.parametrize(
    ("aside", "acts", "shared"), [(0.53, 0.49, True), (0.65, 0.49, False), (0.53, -0.15, False)]
)
def test_a_foot_that_treads_on_the_belt_of_the_other_with_its_edge_ends_that_step(
    aside: float, acts: float, shared: bool
) -> None:
    n = 100
    cop = np.zeros((n, 3))
    cop[:, 0], cop[:60, 2], cop[60:, 2] = 0.1, -0.15, acts
    left, right = feet_at(n)
    at = np.array([0.0, 0.0, aside - 0.15])
    right = replace(right, heel_G=right.heel_G + at, toe_G=right.toe_G + at)
    swing = np.zeros((n, 3))
    swing[60:, 0] = 0.03 * np.arange(40)
    left = replace(left, heel_G=left.heel_G + swing, toe_G=left.toe_G + swing)
    standing = {"left": np.arange(n) < 60, "right": np.arange(n) >= 45}
    contact = Contact(1, "left", 0, n, 700.0, "valid", "centre of pressure under the foot")
    plate = plate_with(cop, np.full(n, 700.0))
    found = split_shared([contact], [plate], [left, right], standing, 100.0)
    assert [(c.side, c.verdict) for c in found] == (
        [("left", "partial"), ("both", "rejected"), ("right", "partial")]
        if shared
        else [("left", "valid")]
    )
    if shared:
        assert 40 <= found[0].stop <= 45
        assert 60 <= found[2].start <= 64
    given = replace(contact, code="given")
    assert split_shared([given], [plate], [left, right], standing, 100.0) == [given]


def strides(times: list[float]) -> list[Cycle]:
    at = np.concatenate(([0.0], np.cumsum(times))) * 100.0
    return [Cycle("left", i + 1, at[i], at[i + 1], 60.0) for i in range(len(times))]


def test_a_stride_whose_time_is_not_that_of_the_others_is_set_aside() -> None:
    usual = [1.10, 1.12, 1.08, 1.11, 1.09, 1.10, 1.13, 1.07, 1.10, 1.11, 1.09]
    assert outlying(strides([*usual, 1.12]), 100.0) == {}
    found = outlying(strides([*usual, 1.60]), 100.0)
    assert list(found) == [12]
    assert "1.60 s" in found[12]
    assert outlying(strides([*usual[:8], 1.6]), 100.0) == {}  # too few to tell what is usual
    assert outlying(strides([1.1] * 11 + [1.119]), 100.0) == {}  # below two frames


@pytest.mark.parametrize(("right_off_s", "stops"), [(0.5, False), (1.4, True)])
def test_a_stride_in_which_the_person_stops_is_set_aside(right_off_s: float, stops: bool) -> None:
    """Both feet stand for 0.5 or 1.4 s of the first of two strides of 2.2 s."""
    times = [("right", "off", right_off_s), ("right", "strike", 1.8), ("left", "off", 2.0)]
    events = [Event(t, side, f"foot_{kind}") for side, kind, t in times]  # pyrefly: ignore[bad-argument-type]
    found = stopping(strides([2.2, 2.2]), events, lambda row: row / 100.0)
    assert list(found) == [1] * stops
    if stops:
        assert found[1] == "both feet stand for 1.4 of its 2.2 s: the person stops"


def test_strides_set_aside_are_told_and_enter_nothing() -> None:
    _, plain = processed(Treadmill())
    long = replace(plain)
    own = strides([1.1] * 12 + [1.5])
    long.kept["cycles left"] = tuple(own)
    long.kept["cycles right"] = ()
    assert list(outlying_cycles(long, "left")) == [13]
    assert [c.number for c in find_cycles(long, "left")] == list(range(1, 13))


def test_the_picture_of_the_force_is_that_on_the_belt() -> None:
    """From heel to toes, as on the floor, not back with the belt; also far beyond 32 m."""
    _, result = processed(Treadmill())
    figure = stick_figure(result)
    cycles = view_of(result)["cycles"]
    left, right = butterflies(figure, cycles, 70.0, {})
    for one in (left, right):
        assert 0.15 < one.along[-1] - one.along[0] < 0.35
    far = {side: pack_floats(1000.0 * (t - 60.0 * AHEAD)) for side, t in result.travel.items()}
    moved = butterflies({**figure, "travel": far}, cycles, 70.0, {})
    np.testing.assert_allclose(moved[0].along - left.along, 60.0, atol=1e-3)
    paths = floor_plan(figure, cycles)
    assert paths is not None
    assert max(np.ptp(path[:, 0]) for _, path in paths.paths) < 0.35


def test_steps_on_belts_are_drawn_a_stride_apart_as_on_the_floor() -> None:
    """All stances lay on each other; a few in the frame of the belts can be told apart."""
    view = plan_view(processed(Treadmill())[1], 196.0)
    assert view.moving
    assert [step.side for step in view.steps] == ["left", "left", "right", "right"]
    starts = [np.nanmin(step.cop[:, 0]) for step in view.steps]
    assert starts[1] - starts[0] == pytest.approx(STRIDE_M, abs=0.02)
    assert starts[3] - starts[2] == pytest.approx(STRIDE_M, abs=0.02)
    assert max(np.nanmax(step.cop[:, 0]) for step in view.steps) < view.x[1]
    for step in view.steps:
        (foot,) = step.feet
        assert np.nanmin(np.abs(step.cop - foot.mean(axis=0))) < 0.05
    floor = plan_view(processed(None)[1], 196.0)
    assert not floor.moving
    assert len(floor.steps) == 3  # all that its plates carry


def without_markers(result: Result, *names: str) -> Result:
    labels = tuple(f"other {x}" if x in names else x for x in result.trial.labels)
    return replace(result, trial=replace(result.trial, labels=labels))


def test_steps_of_a_foot_without_its_heel_marker_are_drawn_too() -> None:
    """The floor was as wide as the feet with markers alone; a step beyond it was not drawn."""
    view = plan_view(without_markers(processed(Treadmill())[1], "RHEE"), 196.0)
    assert [len(step.feet) for step in view.steps] == [1, 1, 0, 0]
    for step in view.steps:
        assert view.x[0] < np.nanmin(step.cop[:, 0]) < np.nanmax(step.cop[:, 0]) < view.x[1]


def test_without_a_known_foot_or_force_the_plates_are_drawn() -> None:
    result = without_markers(processed(Treadmill())[1], "LHEE", "RHEE")
    nowhere = np.full((result.recording.n_frames, 3), np.nan)
    sides = {
        name: replace(side, wrench=replace(side.wrench, cop_G=nowhere))
        for name, side in result.sides.items()
        if side.wrench is not None
    }
    view = plan_view(replace(result, sides=sides), 196.0)
    assert not view.moving
    assert np.isfinite([*view.x, *view.y]).all()


def test_external_work_is_that_of_the_walk_overground() -> None:
    """Of forces and motion that are known, once on the floor and once with the belt moving."""
    seen, result = processed(Treadmill())
    floor = walk(seen.overground, RECORDING)
    cycle = find_cycles(result, "right")[2]
    rows = slice(round(cycle.start_row), round(cycle.stop_row) + 1)
    forces = {side: floor.leg(side).ground.force_G[rows] for side in FEET}
    walked = np.array([SPEED * (rows.stop - rows.start - 1) / 100.0, 0.0, 0.0])
    velocity = centre_velocity(forces["left"] + forces["right"], 70.0, walked, 100.0)
    row = next(r for r in external_work_rows(result) if (r["side"], r["cycle"]) == ("right", 3))
    for side in FEET:
        power = leg_power(forces[side], velocity, np.zeros_like(velocity)) / 70.0
        for name, part in (("positive", np.maximum), ("negative", np.minimum)):
            truth = np.trapezoid(part(power, 0.0)) / 100.0
            assert abs(truth) > 0.03
            assert row[side][name] == pytest.approx(truth, abs=0.005)
    massless = replace(result.subject, mass_kg=None)
    assert external_work_rows(replace(result, subject=massless)) == []
    assert external_work_rows(replace(result, sides={"left": result.sides["left"]})) == []
    left, pelvis = result.sides["left"], result.pose.origin_G.copy()
    assert left.wrench is not None
    force = left.wrench.force_G.copy()
    force[rows.start + 5] = pelvis[rows.stop - 1] = np.nan
    lost = replace(left, wrench=replace(left.wrench, force_G=force))
    for less in (
        replace(result, sides={**result.sides, "left": lost}),
        replace(result, pose=replace(result.pose, origin_G=pelvis)),
    ):
        assert ("right", 3) not in {(r["side"], r["cycle"]) for r in external_work_rows(less)}


def test_pelvis_markers_that_end_a_stride_higher_or_aside_do_no_work_against_the_weight() -> None:
    """The walk is level and straight: what the markers rise or drift is not the body's."""
    _, result = processed(Treadmill())
    n = len(result.time_s)
    drift = np.linspace(0.0, 1.0, n)[:, None] * np.array([0.0, 0.05, 0.10])
    pose = replace(result.pose, origin_G=result.pose.origin_G + drift)
    drifted = external_work_rows(replace(result, pose=pose))
    for row, true in zip(drifted, external_work_rows(result), strict=True):
        for side in FEET:
            assert row[side] == pytest.approx(true[side], abs=1e-3)


def test_a_report_says_treadmill_and_holds_its_speed_to_no_norm() -> None:
    """The operator sets the speed; that of the floor is the person's own."""
    told = []
    for belts in (None, Treadmill()):
        report = make_report([Group("", (trial_of_result(processed(belts)[1]),))])
        table = parameter_table(report.groups[0])
        pace = next(row for row in table.rows if row[0] == "Walking speed, non-dimensional")
        words = report.views[0].headline, fact_line(report), " ".join(table.notes)
        told.append(([word.count("treadmill") for word in words], pace[-1]))
        (view,) = make_report(report.groups, read_norm("schwartz2008")).views
        assert (view.numbers[0].norm_words == "speed of the belt") is (belts is not None)
        assert ("on a treadmill." in view.headline) is (belts is not None)
    assert told == [([0, 0, 0], "0.429 (0.361\u20130.496)"), ([1, 1, 0], "")]


def test_the_velocity_of_the_centre_of_mass_has_the_mean_of_the_pelvis() -> None:
    t = np.arange(101) / 100.0
    phase = 2 * np.pi * t + 0.7  # at the strike it is not the mean
    push = 70.0 * 2 * np.pi * 0.1 * np.cos(phase)
    force = np.stack((push, np.full(101, 72.0 * 9.80665), 0 * t), axis=1)
    found = centre_velocity(force, 70.0, np.array([1.2, 0.0, 0.0]), 100.0)
    np.testing.assert_allclose(found[:, 0], 1.2 + 0.1 * np.sin(phase), atol=1e-3)
    np.testing.assert_allclose(found[:, 1:], 0.0, atol=1e-9)


def test_the_margin_of_stability_is_against_the_velocity_of_the_belt() -> None:
    """Who stays over a belt that runs back at 1 m/s falls forward as who walks at 1 m/s."""
    n = 3
    ankle = np.zeros((n, 3, 3))
    leg = LegPose("left", np.tile(np.eye(3), (n, 3, 1, 1)), ankle)
    pose = Pose(np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)), leg, leg, AHEAD)
    com = np.tile((0.0, 0.9, 0.0), (n, 1))
    heel, still = np.tile((-0.05, 0.0, 0.0), (n, 1)), np.zeros((n, 3))
    feet = {"left": (heel, heel + 0.2 * AHEAD)}
    walks = sole_edges(com, still + AHEAD, pose, feet)["left"]
    stays_in_place = sole_edges(com, still, pose, feet, {"left": still - AHEAD})["left"]
    np.testing.assert_allclose(stays_in_place.tip_G, walks.tip_G)
    assert walks.tip_G[0, 0] == pytest.approx(0.21 - np.sqrt(0.9 / 9.80665))


def test_the_rules_of_overground_walking_find_nothing_wrong_on_a_belt() -> None:
    _, result = processed(Treadmill())
    told = {f.code for f in result.findings if f.level != "info"}
    assert told <= {"contact-partial", "mass-from-force"}
    speed = walking_speed(result, {side: find_cycles(result, side) for side in FEET})
    assert speed == pytest.approx(SPEED / np.sqrt(9.80665 * 0.92), abs=0.005)


def test_the_level_of_every_swing_is_removed_and_a_weight_is_none() -> None:
    n, ratio = 300, 4
    empty = (np.arange(n) % 100) < 40
    drift = np.linspace(0.0, 60.0, n)
    load = np.where(empty, 0.0, 700.0)
    load[160:164] = 80.0
    plate = plate_with(np.zeros((n, 3)), load + drift).wrench
    samples = np.repeat(np.concatenate((plate.force_G, plate.moment_G), axis=1), ratio, axis=0)
    moment = samples.copy()
    moment[:, 3:] += 200.0  # N m are no weight
    exact, _ = without_drift(plate, moment, empty | (load == 80.0))  # four frames are no level
    np.testing.assert_allclose(exact.force_G[20:220, 1], load[20:220], atol=1e-9)
    samples[::20, 1] = -500.0  # odd samples: the median holds
    found, level = without_drift(plate, samples, empty)
    assert level == pytest.approx(np.median([4.0, 24.0, 44.0]), abs=2.0)
    assert np.abs(found.force_G[20:220, 1] - load[20:220]).max() < 2.0
    same, none = without_drift(plate, samples + 200.0, empty)
    assert (same is plate, none) == (True, 0.0)


def test_a_pelvis_on_its_way_is_on_no_belt() -> None:
    t = np.linspace(0.0, 1.0, 50)[:, None]
    assert stays_in_place(0.4 * t * AHEAD)
    assert not stays_in_place(0.6 * t * AHEAD)
    assert not stays_in_place(np.full((50, 3), np.nan))


@pytest.mark.parametrize("role", ["MT5", "MT1"])
def test_a_walk_on_belts_whose_forefeet_have_no_toe_marker_is_a_walk(
    role: str, tmp_path: Path
) -> None:
    """The pelvis stays in place, and only the feet show that it is no static."""
    walks = (treadmill_walk(Walker(), RECORDING, Treadmill()).walk, stand(Walker(), RECORDING))
    for name, of in zip(("walk", "static"), walks, strict=True):
        labels = tuple(label.replace("TOE", role) for label in of.labels)
        write_trial(tmp_path / f"{name}.c3d", replace(of, labels=labels))
    static = replace(EXACT, static=str(tmp_path / "static.c3d"))
    assert len(process_trial(tmp_path / "walk.c3d", static).cycle_curves) > 0
    with pytest.raises(NobodyWalks):
        process_trial(tmp_path / "static.c3d", replace(EXACT, static="none"))


def test_the_speed_of_a_belt_does_not_depend_on_how_it_lies_in_the_laboratory() -> None:
    seen = np.random.default_rng(2).normal((-1.2, 0.0, 0.1), 0.04, (7, 3))
    R = about("y", np.radians(37.0))
    stances = [FootStanding("left", 1, 100 * k, 100 * k + 60) for k in range(7)]
    (as_it_is,) = belts_of(list(zip(stances, seen, strict=True)))
    (turned,) = belts_of(list(zip(stances, seen @ R.T, strict=True)))
    np.testing.assert_allclose(turned.velocity_G, R @ as_it_is.velocity_G, atol=1e-12)
