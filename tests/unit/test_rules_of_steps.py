"""Rules on the steps of a trial: values by hand, on the side and at the time of the step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.balance.loads import peak_force
from gaitdyn.quality.rules.markers.both_sides import unlike_lines
from gaitdyn.quality.rules.plates.channels import LEVER_M, channel_rules
from gaitdyn.quality.rules.plates.force import braking_first, cop_forward, free_moment
from gaitdyn.quality.rules.plates.soles import moving_feet, shoe_on_plate
from gaitdyn.quality.rules.steps import LoadedStep, _steps, steps
from gaitdyn.types.recording import NO_TORQUE

if TYPE_CHECKING:
    from gaitdyn.trial import Result

RULES = load_rules()
WEIGHT_N = 70.0 * 9.80665


def step_of(result: Result, side: str) -> LoadedStep:
    """Return the first entire step of a side."""
    return next(step for step in steps(result) if step.side == side and step.entire)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_free_moment_is_told_as_a_share_of_weight_and_foot(
    clean: Result, side: str, sign: float
) -> None:
    heel, toe = clean.feet[side]
    length = float(np.median(np.linalg.norm(toe - heel, axis=1)))
    step = step_of(clean, side)
    for part, told in ((0.11, 0), (0.13, 1)):  # 0.12 of both
        twisted = replace(step, free_moment=0.0 * step.free_moment + 1.0)
        twisted.free_moment[20] = sign * part * WEIGHT_N * length
        found = free_moment(clean, twisted, RULES)
        assert [f.code for f in found] == ["free-moment"] * told
    assert (found[0].side, found[0].value) == (side, pytest.approx(0.13))
    assert found[0].start_s == pytest.approx(clean.recording.time_of(step.start))


def test_a_free_moment_in_another_unit_or_of_no_channel_is_told(clean: Result) -> None:
    """A file that has no torque at all says so when it is read."""
    step = step_of(clean, "left")
    for part, told in ((1e-3, 1), (0.0, 1), (1.0, 0)):
        weak = replace(step, free_moment=part * step.free_moment)
        found = free_moment(clean, weak, RULES)
        assert [f.code for f in found] == ["free-moment"] * told
    plates = tuple(replace(p, notes=(*p.notes, NO_TORQUE)) for p in clean.recording.plates)
    without = replace(clean, recording=replace(clean.recording, plates=plates))
    assert free_moment(without, replace(step, free_moment=0.0 * step.free_moment), RULES) == []


@pytest.mark.parametrize("side", ["left", "right"])
def test_pressure_from_toes_to_heel_is_told_with_the_part_of_the_foot(
    clean: Result, side: str
) -> None:
    step = step_of(clean, side)
    heel, toe = (point[step.start : step.stop] for point in clean.feet[side])
    n = len(heel)
    part = np.linspace(0.9, 0.3, n)[:, None]
    wanted = 0.6 * (n - n // 3) / (n - 1)  # between the middles of the outer thirds
    back = replace(step, cop_G=heel + part * (toe - heel))
    (found,) = cop_forward(clean, back, RULES)
    assert (found.code, found.side) == ("cop-backward", side)
    assert found.value == pytest.approx(-wanted)
    assert f"moves {100 * wanted:.0f} % of the length" in found.message
    assert f"{side} foot backward from early to late" in found.message
    assert cop_forward(clean, replace(step, cop_G=back.cop_G[::-1]), RULES) == []
    for slower, told in ((0.19 / wanted, 0), (0.21 / wanted, 1)):  # from 0.2 on
        slow = replace(step, cop_G=heel + slower * part * (toe - heel))
        assert len(cop_forward(clean, slow, RULES)) == told
    unknown = back.cop_G.copy()
    unknown[-len(heel) // 3 :] = np.nan
    assert cop_forward(clean, replace(step, cop_G=unknown), RULES) == []


@pytest.mark.parametrize(("along", "aside", "told"), [
    (120.0, 60.0, []), (120.0, -60.0, []), (-120.0, 0.0, [-0.2]), (60.0, 120.0, [-0.1]),
    (60.0, -120.0, [-0.1]),
])  # fmt: skip
def test_a_force_that_does_not_brake_before_it_propels_is_told(
    clean: Result, along: float, aside: float, told: list[float]
) -> None:
    """The walk is along x; from first to last third the force changes by 4/3 of its ends."""
    step = step_of(clean, "right")
    n = len(step.force_G) // 3 * 3
    third = np.repeat((-1.0, 0.0, 1.0), n // 3)
    force = np.stack((along * third, np.full(n, 1200.0), aside * third), axis=1)
    found = braking_first(clean, replace(step, force_G=force), RULES)
    assert [f.value for f in found] == [pytest.approx(value, rel=1e-4) for value in told]
    assert {(f.code, f.side) for f in found} <= {("force-direction", "right")}


@pytest.mark.parametrize(
    ("times", "value"), [(0.79, 0.79), (0.81, None), (1.59, None), (1.61, 1.61)]
)
def test_a_peak_is_told_outside_the_range_of_walking(
    clean: Result, times: float, value: float | None
) -> None:
    sides = dict(clean.sides)
    wrench = sides["left"].wrench
    assert wrench is not None
    step = step_of(clean, "left")
    force = wrench.force_G.copy()
    rows = slice(step.start, step.stop)
    force[rows] *= times * WEIGHT_N / force[rows, 1].max()
    sides["left"] = replace(sides["left"], wrench=replace(wrench, force_G=force))
    found = [f for f in peak_force(replace(clean, sides=sides), RULES) if f.scope == step.plates]
    assert [(f.side, f.value) for f in found] == (
        [] if value is None else [("left", pytest.approx(value))]
    )


@pytest.mark.parametrize(("channel", "newtons"), [(2, 1.0), (0, 1.0), (4, LEVER_M)])
def test_a_leap_of_a_channel_is_told_with_its_size_and_time(
    clean: Result, channel: int, newtons: float
) -> None:
    """One sample that is off by X leaps by 2 X; a moment as the force at its lever."""
    contact = next(c for c in clean.contacts if c.accepted and c.side == "right")
    per = clean.recording.samples_per_frame
    row = (contact.start + contact.stop) // 2
    found = {}
    for part in (0.05, 0.25):
        plates = list(clean.recording.plates)
        i = next(i for i, p in enumerate(plates) if p.number == contact.plate)
        channels = plates[i].channels.copy()
        load = float(np.median(np.abs(channels[contact.start * per : contact.stop * per, 2])))
        channels[row * per + 5, channel] += part * load * newtons
        plates[i] = replace(plates[i], channels=channels)
        other = replace(clean, recording=replace(clean.recording, plates=tuple(plates)))
        found[part] = [f for f in channel_rules(other, RULES) if f.code == "force-jumps"]
    assert found[0.05] == []
    (leap,) = found[0.25]
    assert leap.value == pytest.approx(0.5, abs=0.02)
    assert leap.start_s == pytest.approx(clean.recording.time_of(row), abs=1e-6)
    assert leap.stop_s == pytest.approx(leap.start_s, abs=1.5 / clean.recording.rate_hz)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_foot_below_or_far_above_its_plate_is_told(clean: Result, side: str) -> None:
    step = step_of(clean, side)
    (plate,) = (p for p in clean.trial.plates if p.number in step.numbers)
    rows = slice(step.start, step.stop)
    lower = np.minimum(*(point[rows, 1] for point in clean.feet[side]))
    usual = float(np.median(lower)) - plate.centre_G[1]
    for height, word in ((-0.01, "below"), (0.05, ""), (0.12, "above")):
        up = np.array((0.0, height - usual, 0.0))
        heel, toe = (point + up for point in clean.feet[side])
        feet = {**clean.feet, side: (heel, toe)}
        found = [*shoe_on_plate(replace(clean, feet=feet), step, RULES)]
        assert [(f.code, f.side, f.scope) for f in found] == [
            ("plate-height", side, f"plate {plate.number}")
        ] * bool(word)
        for one in found:
            assert one.value == pytest.approx(height, abs=1e-9)
            assert f"is {1000 * abs(height):.0f} mm {word} its surface" in one.message


def test_a_load_on_a_foot_of_which_both_ends_move_is_told_with_its_time(clean: Result) -> None:
    step, rate = step_of(clean, "left"), clean.recording.rate_hz
    n = clean.recording.n_frames
    moves = np.zeros((n, 3))
    moves[:, 0] = 1.2 / rate * np.clip(np.arange(n) - step.start - 20, 0, 10)
    still = np.zeros((n, 3))
    loaded = replace(step, force_G=np.tile((0.0, 500.0, 0.0), (step.stop - step.start, 1)))
    for feet, told in (((moves, moves), 1), ((moves, still), 0), ((still, moves), 0)):
        other = replace(clean, feet={**clean.feet, "left": feet}, travel={})
        found = moving_feet(other, loaded, RULES)
        assert [(f.code, f.side) for f in found] == [("load-on-moving-foot", "left")] * told
        assert all(f.value == pytest.approx(0.1, abs=0.011) for f in found)
        light = replace(loaded, force_G=0.1 * loaded.force_G)
        assert moving_feet(other, light, RULES) == []


@pytest.mark.parametrize(("role", "way", "by_m", "words"), [
    ("KNE", (0.0, 0.0, -1.0), 0.06, "outside the line from hip to ANK"),
    ("TIB", (1.0, 0.0, 0.0), 0.1, "ahead of the line from KNE to ANK"),
])  # fmt: skip
def test_a_marker_off_its_line_on_one_leg_alone_is_told(
    clean: Result, role: str, way: tuple[float, ...], by_m: float, words: str
) -> None:
    """Without a static; the walk is along x and -z is outside on the left."""
    bare = replace(clean, static=None)
    assert unlike_lines(bare, RULES) == []
    markers = clean.trial.markers_G.copy()
    markers[:, clean.trial.labels.index(f"L{role}")] += by_m * np.array(way)
    moved = replace(bare, trial=replace(clean.trial, markers_G=markers))
    (found,) = (f for f in unlike_lines(moved, RULES) if words in f.message)
    assert (found.code, found.scope) == ("sides-unlike", f"L{role}, R{role}")
    assert found.value == pytest.approx(by_m, rel=0.1)
    assert found.limit == pytest.approx((2.5 if "ahead" in words else 1.5) * 0.03)


def test_a_step_that_the_file_cuts_is_neither_whole_nor_entire(clean: Result) -> None:
    """A frame without load on both sides shows that it is whole."""
    first = step_of(clean, "left")
    wrench = clean.sides["left"].wrench
    assert wrench is not None
    (contact,) = (
        c for c in clean.contacts if c.side == "left" and first.start <= c.start < first.stop
    )
    for before, behind in ((0, 1), (1, 0), (1, 1)):  # frames beside the step
        rows = slice(first.start - before, first.stop + behind)
        own = replace(
            wrench, in_contact=wrench.in_contact[rows], force_G=wrench.force_G[rows],
            cop_G=wrench.cop_G[rows], free_moment=wrench.free_moment[rows],
        )  # fmt: skip
        moved = replace(contact, start=before, stop=before + first.stop - first.start)
        left = replace(clean.sides["left"], wrench=own)
        (step,) = _steps(replace(clean, contacts=(moved,), sides={"left": left}))
        assert step.whole == step.entire == bool(before and behind)
