"""Rules of forces that cannot be: plates, channels, pressure, loads, force against motion."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from walkers.laboratory import laboratory
from walkers.laboratory_files import walker_of, write_laboratory

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.quality import cycle_status
from gaitdyn.quality.impossible import carries_a_part, emptied
from gaitdyn.quality.rules import check_result, load_rules
from gaitdyn.quality.rules.balance import physics
from gaitdyn.quality.rules.balance.physics import Whole, likeness, size_of_force
from gaitdyn.quality.rules.numbers import number_rules
from gaitdyn.quality.rules.plates import soles
from gaitdyn.quality.rules.plates.channels import constant_channels
from gaitdyn.quality.rules.plates.cop_path import cop_path, path_rules
from gaitdyn.quality.rules.plates.gains import free_moment_slope, gain_rules
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.table import Rules
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import newtonian
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import codes, processed, with_channels, with_plates

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.recording import PlateRecord, Recording
    from gaitdyn.types.task import Task

RULES = load_rules()


def test_late_events_load_a_swinging_foot(as_read: Session, clean: Result) -> None:
    def later(recording: Recording) -> Recording:
        events = [replace(e, time_s=e.time_s + 0.2) for e in recording.events]
        return replace(recording, events=tuple(events))

    assert "load-in-swing" not in codes(clean)
    assert "load-in-swing" in codes(processed(as_read, later))


def test_plates_that_lag_load_a_moving_foot(as_read: Session, clean: Result) -> None:
    def late(recording: Recording) -> Recording:
        n = round(0.12 * recording.rate_hz * recording.samples_per_frame)
        return with_channels(lambda v: np.roll(v, n, axis=0))(recording)

    assert "load-on-moving-foot" not in codes(clean)
    assert "load-on-moving-foot" in codes(processed(as_read, late))


@pytest.mark.parametrize("plates", ["plate 1", "plates 1, 2"])
def test_a_foot_loads_one_plate_or_several(
    clean: Result, plates: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two plates under a foot "carries" it, the message said."""
    monkeypatch.setattr(soles, "MOVING_M_S", 0.0)
    (found,) = soles.moving_feet(clean, replace(steps(clean)[0], plates=plates), RULES)
    assert f" foot loads {plates} for " in found.message


def test_a_centre_of_pressure_that_stays_is_seen(as_read: Session) -> None:
    def still(plate: PlateRecord) -> PlateRecord:
        channels = plate.channels.copy()
        channels[:, 3:5] = 0.0
        return replace(plate, channels=channels)

    found = processed(as_read, with_plates(still))
    assert "cop-still" in codes(found)


def test_the_force_under_a_toe_walker_moves_from_the_ball_to_the_toes(clean: Result) -> None:
    """20 mm over the floor, while the heel marker rises and moves 50 mm forward over it."""
    step, path = next((step, cop_path(clean, step)) for step in steps(clean) if step.entire)
    part = np.linspace(0.0, 1.0, len(path.along))
    length = 0.18 - 0.05 * part
    toes = replace(path, length=length, along=length + 0.02 * part, across=0.0 * part)
    told = [
        {f.code for f in path_rules(clean, [(step, way)], RULES)}
        for way in (replace(toes, heel_first=False), replace(toes, heel_first=True))
    ]
    assert [("cop-still" in codes) for codes in told] == [False, True]
    still = replace(toes, along=length, heel_first=False)
    for tiptoe in (False, True):
        found = path_rules(clean, [(step, replace(still, tiptoe=tiptoe))], RULES)
        assert ("cop-still" in {f.code for f in found}) is not tiptoe
    back = replace(toes, along=length - 0.1 * part, heel_first=False)
    (still_finding,) = (
        f for f in path_rules(clean, [(step, back)], RULES) if f.code == "cop-still"
    )
    assert " moves 70 mm backward from early to late stance (at least 10 mm forward wanted)" in (
        still_finding.message
    )
    assert not any(way.tiptoe for way in (cop_path(clean, each) for each in steps(clean)))


def channels_exchanged(one: int, other: int) -> Callable[[Recording], Recording]:
    def exchanged(plate: PlateRecord) -> PlateRecord:
        channels = plate.channels.copy()
        channels[:, [one, other]] = channels[:, [other, one]]
        return replace(plate, channels=channels)

    return with_plates(exchanged)


def test_a_centre_of_pressure_that_goes_across_the_foot_is_seen(
    as_read: Session, clean: Result
) -> None:
    assert "cop-across" not in codes(clean)
    found = processed(as_read, channels_exchanged(3, 4))
    assert "cop-across" in codes(found)


def channels_times(gains: list[float]) -> Callable[[Recording], Recording]:
    def changed(plate: PlateRecord) -> PlateRecord:
        return replace(plate, channels=plate.channels * gains)

    return with_plates(changed)


def test_half_a_moment_takes_the_force_half_the_way(as_read: Session, clean: Result) -> None:
    assert "cop-short" not in codes(clean)
    found = processed(as_read, channels_times([1.0, 1.0, 1.0, 0.5, 0.5, 0.5]))
    assert "cop-short" in codes(found)


def test_feet_that_do_not_roll_may_take_the_force_a_short_way(clean: Result) -> None:
    ways = [(step, cop_path(clean, step)) for step in steps(clean)]
    halved = [(step, replace(way, along=0.4 * way.along)) for step, way in ways]
    flat = [(step, replace(way, rolls=False)) for step, way in halved]
    one = [(step, way) for step, way in halved if step.side == "left"]
    told = [{f.code for f in path_rules(clean, each, RULES)} for each in (ways, halved, flat, one)]
    assert told == [set(), {"cop-short"}, set(), set()]


@pytest.mark.parametrize("gain", [0.5, 1.5])
def test_the_gain_of_the_vertical_moment_is_the_slope_of_the_free_moment(
    as_read: Session, gain: float
) -> None:
    plate = as_read.trial.plates[0]
    rows = np.flatnonzero(plate.force_G @ plate.normal_G > 150.0)
    up, force = plate.normal_G, plate.force_G
    sway = 100.0 * np.sin(np.linspace(0.0, 20.0, len(force)))[:, None] * [0.0, 0.0, 1.0]
    arm = np.array([0.1, 0.0, 0.0])
    force = force * up + sway
    turned = np.cross(arm, force)
    false = turned + (gain - 1) * np.outer(turned @ up, up)
    exact = replace(plate, force_G=force, moment_G=turned)
    assert free_moment_slope(exact, rows) == pytest.approx(0.0, abs=1e-9)
    wrong = replace(plate, force_G=force, moment_G=false)
    assert free_moment_slope(wrong, rows) == pytest.approx(gain - 1, abs=1e-9)


@pytest.mark.parametrize("weight", [0.3, 1.0, 3.0])
def test_a_free_moment_counts_by_the_load_in_a_child_and_in_a_heavy_person(
    as_read: Session, weight: float
) -> None:
    """The walker's own free moment follows the small moment of its shear forces (by -0.5)."""
    plate = as_read.trial.plates[0]
    rows = np.flatnonzero(plate.force_G @ plate.normal_G > 150.0)
    force, moment = weight * plate.force_G, weight * plate.moment_G
    assert free_moment_slope(replace(plate, force_G=force, moment_G=moment), rows) == 0.0
    arm = np.array([0.0, 0.0, 0.3])  # shear turns more about a centre 0.3 m beside the walk
    moment = moment + np.cross(arm, force)
    assert free_moment_slope(replace(plate, force_G=force, moment_G=moment), rows) == 0.0
    halved = moment - 0.5 * np.outer(moment @ plate.normal_G, plate.normal_G)
    slope = free_moment_slope(replace(plate, force_G=force, moment_G=halved), rows)
    assert slope == pytest.approx(-0.5, abs=0.15)


def test_a_wrong_gain_of_the_vertical_moment_is_seen(as_read: Session) -> None:
    def aside(gain: float) -> Callable[[Recording], Recording]:
        """Plates whose centre is 0.3 m beside the walk, so that shear turns more about it."""

        def moved(p: PlateRecord) -> PlateRecord:
            one, two, three, four = p.corners_L
            axes = np.array([one + four - two - three, one + two - three - four])
            axes /= np.linalg.norm(axes, axis=1)[:, None]
            to_plate = np.array([*axes, np.cross(*axes)])
            shift = np.array([0.0, 0.3, 0.0])
            channels = p.channels.copy()
            channels[:, 3:] -= np.cross(to_plate @ shift, channels[:, :3])
            channels[:, 5] *= gain
            centre = p.corners_L.mean(axis=0)
            corners = centre + shift + (p.corners_L - centre) * [1.0, 3.0, 1.0]
            return replace(p, channels=channels, corners_L=corners)

        return with_plates(moved)

    assert "twist-with-shear" not in codes(processed(as_read, aside(1.0)))
    assert "twist-with-shear" in codes(processed(as_read, aside(0.5)))


@pytest.mark.parametrize(
    ("channel", "size", "code"), [(2, 40.0, "plate-noise"), (3, 15.0, "cop-noise")]
)
def test_a_noisy_channel_is_told(
    as_read: Session, clean: Result, channel: int, size: float, code: str
) -> None:
    def noisy(r: Recording) -> Recording:
        random = np.random.default_rng(3)

        def one(p: PlateRecord) -> PlateRecord:
            channels = p.channels.copy()
            channels[:, channel] += size * random.normal(size=len(channels))
            return replace(p, channels=channels)

        return replace(r, plates=tuple(one(p) for p in r.plates))

    assert code not in codes(clean)
    assert code in codes(processed(as_read, noisy))


def test_a_plate_whose_channels_never_change_has_no_noise(clean: Result) -> None:
    plates = tuple(replace(p, channels=np.ones_like(p.channels)) for p in clean.recording.plates)
    still = replace(clean, recording=replace(clean.recording, plates=plates))
    assert not [f for f in gain_rules(still, RULES) if f.code.endswith("-noise")]


def test_shear_forces_that_are_exchanged_are_seen(as_read: Session, clean: Result) -> None:
    assert "force-direction" not in codes(clean)
    found = processed(as_read, channels_exchanged(0, 1))
    assert "force-direction" in codes(found)


def test_a_small_foot_has_a_narrow_sole(clean: Result) -> None:
    from gaitdyn.quality.rules.plates.soles import force_under_sole

    step = next(s for s in steps(clean) if s.entire)
    heel, toe = (point[step.start : step.stop] for point in clean.feet[step.side])
    right = np.cross(clean.pose.walking_G, (0.0, 1.0, 0.0))

    def told(part: float) -> set[str]:
        shorter = {step.side: (heel, heel + part * (toe - heel))}
        whole: dict[str, Any] = {
            side: tuple(
                np.concatenate((p[: step.start], q, p[step.stop :]))
                for p, q in zip(clean.feet[side], shorter[side], strict=True)
            )
            for side in shorter
        }
        middle = heel + 0.5 * part * (toe - heel) + 0.045 * right
        aside = replace(step, cop_G=middle, entire=False)
        small = replace(clean, feet=clean.feet | whole)
        return {f.code for f in force_under_sole(small, aside, cop_path(small, aside), RULES)}

    size = float(np.median(np.linalg.norm(toe - heel, axis=1)))
    assert told(0.2 / size) == set()
    assert told(0.1 / size) == {"cop-beside-sole"}


@pytest.mark.parametrize(
    ("which", "code", "per_kg"),
    [("moment", "moment-implausible", 5.0), ("power", "power-implausible", 15.0),
     ("force", "force-implausible", 40.0)],
)  # fmt: skip
def test_a_load_that_nobody_has_is_emptied_while_it_lasts(
    clean: Result, which: str, code: str, per_kg: float
) -> None:
    kinetics, mass = clean.sides["left"].kinetics, clean.subject.mass_kg
    assert kinetics is not None
    assert mass is not None
    row = int(np.flatnonzero(kinetics.published[:, 1])[80])
    loads, power = kinetics.loads, kinetics.power.copy()
    moment, force = loads.moment_S.copy(), loads.force_G.copy()
    {"moment": moment, "power": power, "force": force}[which][row : row + 2, 1] = (
        (1.25 * per_kg * mass, 0.0, 0.0), (per_kg * mass, 0.0, 0.0),
    )  # fmt: skip
    broken = replace(kinetics, loads=replace(loads, moment_S=moment, force_G=force), power=power)
    left = replace(clean.sides["left"], kinetics=broken)
    result = replace(clean, sides=clean.sides | {"left": left})
    (found,) = (f for f in check_result(result, RULES) if f.code != "moment-leaps")
    assert (found.code, found.side, found.joint, found.level) == (code, "left", "knee", "error")
    assert found.value == pytest.approx(1.25 * per_kg)
    assert f"{which} {1.25 * per_kg:.3g} " in found.message
    told = emptied(replace(result, judged=(found,)), RULES).sides["left"].kinetics
    assert told is not None
    lost = kinetics.published & ~told.published
    assert lost[row].all()
    assert lost.any(axis=1).sum() <= 2 * round(0.3 * clean.recording.rate_hz) + 2


@pytest.mark.parametrize("task", ["running", "jump", "stairs"])
def test_running_and_jumps_have_their_own_limits_of_loads(clean: Result, task: Task) -> None:
    kinetics, mass = clean.sides["left"].kinetics, clean.subject.mass_kg
    assert kinetics is not None
    assert mass is not None
    row = int(np.flatnonzero(kinetics.published[:, 1])[80])

    def told(per_kg: float, rules: Rules = RULES) -> list[tuple[str, float | None]]:
        power = kinetics.power.copy()
        power[row, 1] = (per_kg * mass, 0.0, 0.0)
        left = replace(clean.sides["left"], kinetics=replace(kinetics, power=power))
        result = replace(clean, task=task, sides=clean.sides | {"left": left})
        found = check_result(result, rules, (number_rules,))
        words = {14.0: "walking needs (14 W/kg)", 80.0: "running or jumping needs (80 W/kg)"}
        assert all(words[f.limit or 0.0] in f.message for f in found)
        return [(f.code, f.limit) for f in found]

    higher = task != "stairs"
    assert told(18.2) == ([] if higher else [("power-implausible", 14.0)])
    assert told(90.0) == [("power-implausible", 80.0 if higher else 14.0)]
    raised = replace(RULES["power-implausible"], limit=95.0)
    assert (
        told(90.0, Rules(RULES.by_code | {raised.code: raised})) == []
    )  # a laboratory's larger limit holds in every task


def waves(n: int = 120) -> Whole:
    t = np.arange(n) / 100
    own = np.stack((np.sin(9 * t), 2 * np.cos(12 * t), 0.5 * np.sin(6 * t)), axis=1)
    return Whole(own.copy(), own, np.ones(n, bool))


def test_force_and_motion_that_agree_are_silent_and_each_doubt_has_its_rule() -> None:
    whole = waves()
    assert likeness(whole, RULES, 100.0) == []
    assert size_of_force(whole, RULES, weighed=False) == []

    def told(force: Any) -> set[str]:
        other = replace(whole, force=force)
        found = [*likeness(other, RULES, 100.0), *size_of_force(other, RULES, weighed=False)]
        return {f.code for f in found}

    assert told(whole.force * [-1, 1, 1]) == {"force-along"}
    assert told(whole.force * [1, 1, -1]) == {"force-aside"}
    assert told(whole.force * 4.0) == {"force-against-acceleration"}
    assert told(whole.force + np.array([0, 2.0, 0])) == {"force-mean"}
    assert "force-lag" in told(np.roll(whole.force, 10, axis=0))
    late = replace(whole, force=np.roll(whole.force, 10, axis=0))
    (found,) = (f for f in likeness(late, RULES, 100.0) if f.code == "force-lag")
    assert found.value == pytest.approx(0.1, abs=0.011)
    assert "lag" in found.message
    known = np.arange(120) >= 80
    wrong = np.where(known[:, None], whole.force, whole.force * [-1, 1, 1])
    assert likeness(replace(whole, force=wrong, known=known), RULES, 100.0) == []
    assert likeness(waves(30), RULES, 1000.0) == []  # the largest lag is longer than the trial


@pytest.mark.parametrize(
    ("times", "clear", "limit"),
    [
        (0.57, True, 0.58), (0.59, True, None), (1.29, True, None), (1.31, True, 1.3),
        (0.33, False, 0.58 / 1.7), (0.35, False, None), (2.2, False, None),
        (2.22, False, 1.3 * 1.7),
    ],
)  # fmt: skip
def test_the_variation_of_the_force_is_told_outside_its_limits(
    times: float, clear: bool, limit: float | None
) -> None:
    whole = waves()
    mean = whole.acceleration.mean(axis=0)
    other = replace(whole, force=mean + times * (whole.acceleration - mean))
    found = size_of_force(other, RULES, weighed=False, clear=clear)
    assert [(f.code, f.value, f.limit) for f in found] == (
        [("force-against-acceleration", pytest.approx(times), pytest.approx(limit))]
        if limit
        else []
    )


@pytest.mark.parametrize(("off", "word"), [(1.5, ""), (1.7, "more"), (-1.5, ""), (-1.7, "less")])
def test_the_mean_of_the_force_is_told_with_its_sign(off: float, word: str) -> None:
    whole = waves()
    other = replace(whole, force=whole.force + np.array((0.0, off, 0.0)))
    found = size_of_force(other, RULES, weighed=False)
    assert [(f.code, f.value) for f in found] == [("force-mean", pytest.approx(1.7))] * bool(word)
    assert all(f"the plates carry 1.7 N/kg {word} than" in f.message for f in found)
    assert size_of_force(other, RULES, weighed=True) == []


@pytest.mark.parametrize(("frames", "word"), [(8, "lag"), (-8, "lead")])
def test_plates_that_lag_or_lead_the_pelvis_are_told_by_how_much(frames: int, word: str) -> None:
    late = replace(waves(), force=np.roll(waves(200).force, frames, axis=0)[40:160])
    (found,) = likeness(replace(late, acceleration=waves(200).acceleration[40:160]), RULES, 100.0)
    assert (found.code, found.value) == ("force-lag", pytest.approx(0.08, abs=0.002))
    assert f"the plates {word} the markers by 80 ms" in found.message


@pytest.mark.parametrize("rate", [100.0, 120.0, 200.0])
def test_the_mean_of_the_acceleration_is_of_the_frame_it_stands_at(
    clean: Result, rate: float
) -> None:
    """The smoothed second difference of a symmetric path is symmetric about the same frame."""
    n = 2 * 80 + 1
    legs = {side: getattr(clean.pose, side) for side in ("left", "right")}
    path = np.zeros((n, 3, 3))
    path[:, 2, 1] = np.exp(-(((np.arange(n) - 80) / rate / 0.06) ** 2))
    pose = replace(clean.pose, **{side: replace(leg, r_prox_G=path) for side, leg in legs.items()})
    force = np.full((n, 3), 700.0)
    wrench: Any = SimpleNamespace(force_G=force)
    sides = {name: replace(side, wrench=wrench) for name, side in clean.sides.items()}
    result: Any = SimpleNamespace(
        sides=sides,
        subject=clean.subject,
        recording=SimpleNamespace(rate_hz=rate),
        contacts=clean.contacts,
        pose=pose,
    )
    whole = physics.whole_force(result)
    assert whole is not None
    up = whole.acceleration[20:-20, 1]
    np.testing.assert_allclose(up, up[::-1], atol=1e-9)


@pytest.mark.parametrize("rate", [100.0, 120.0])
def test_plates_40_ms_late_are_told_where_forces_follow_the_motion(
    tmp_path: Path, rate: float
) -> None:
    lab = replace(laboratory(5), rate_hz=rate, analog_ratio=10)
    files = write_laboratory(tmp_path, lab, newtonian(walker_of(lab)))
    session = read_session(files.walk, Options(static=str(files.static)))

    def told(late_s: float) -> list[Finding]:
        def late(plate: PlateRecord) -> PlateRecord:
            return replace(plate, channels=np.roll(plate.channels, round(late_s * 10 * rate), 0))

        shifted = processed(session, with_plates(late))
        return [f for f in shifted.findings if f.code == "force-lag"]

    assert told(0.0) == []
    assert [f.value for f in told(0.04)] == [pytest.approx(0.04, abs=0.006)]
    assert [f.value for f in told(-0.04)] == [pytest.approx(0.04, abs=0.006)]


def test_a_clear_walk_tells_a_rate_that_is_a_fifth_off_and_no_wrong_mass() -> None:
    whole, g = waves(), 9.80665
    slow = replace(whole, acceleration=(50 / 60) ** 2 * whole.acceleration)
    assert size_of_force(slow, RULES, weighed=True, clear=False) == []
    (found,) = size_of_force(slow, RULES, weighed=True, clear=True)
    assert (found.code, found.value) == (
        "force-against-acceleration",
        pytest.approx((60 / 50) ** 2, rel=0.02),
    )
    light = whole.force.copy()
    light[:, 1] = 1.5 * (light[:, 1] + g) - g
    assert size_of_force(replace(whole, force=light), RULES, weighed=True, clear=True) == []


def test_without_plates_or_mass_nothing_is_held_against_the_motion(clean: Result) -> None:
    assert physics.whole_force(clean) is not None
    weightless = replace(clean, subject=replace(clean.subject, mass_kg=None))
    assert physics.physics_rules(weightless, RULES) == []


def test_channels_that_stay_are_named() -> None:
    samples = np.random.default_rng(0).normal(size=(50, 6))
    samples[:, 1], samples[:, 3] = 7.0, 0.0
    assert constant_channels(samples) == ["Fy", "Mx"]


def test_a_stance_that_plates_carry_in_part_has_no_kinetics(clean: Result) -> None:
    contact = next(c for c in clean.contacts if c.side == "left" and c.accepted)
    part = replace(contact, verdict="partial", code="light")
    cut = replace(contact, verdict="partial", code="cut")
    assert (carries_a_part(part), carries_a_part(cut)) == (True, False)
    contacts = tuple(part if c == contact else c for c in clean.contacts)
    before = clean.sides["left"]
    assert before.kinetics is not None
    result = emptied(replace(clean, contacts=contacts), RULES)
    after = result.sides["left"]
    assert after.kinetics is not None
    assert after.wrench is not None
    rows = slice(contact.start, contact.stop)
    assert not after.kinetics.published[rows].any()
    assert np.isnan(after.wrench.force_G[rows]).all()
    spread = force_filter(clean.options, clean.recording.rate_hz).spread
    assert not after.kinetics.published[contact.start - spread : contact.start].any()
    away = ~np.convolve(before.stance, np.ones(2 * spread + 1), "same").astype(bool)[:, None]
    assert (after.kinetics.published & away == before.kinetics.published & away).all()
    assert (before.kinetics.published & away).any()
    vendor = replace(clean, contacts=contacts, options=Options(profile="plug-in-gait"))
    assert emptied(vendor, RULES).sides["left"] is before
    cycles = cycle_curves(result, run_curves(result))
    codes_ = {row.code for row in cycle_status(result, cycles) if row.side == "left"}
    assert "contact-partial" in codes_
