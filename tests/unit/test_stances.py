"""Stances on the plates, also those that no second strike makes a cycle of."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from gaitdyn.core.runs import mask_of, runs
from gaitdyn.cycles.normalise import cycle_curves, resample
from gaitdyn.cycles.stances import _merged, _stride_of, find_stances, stance_curves
from gaitdyn.events.stance import (
    open_stances,
    stance_from_events,
    stance_from_speed,
    stance_mask,
)
from gaitdyn.kinematics.angles import tilt_angles
from gaitdyn.metrics.peaks import peaks, stance_peaks
from gaitdyn.pipeline import process_trial
from gaitdyn.report.making import make_report
from gaitdyn.report.page.document import page_text
from gaitdyn.report.reading import read_groups
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.results import write_results
from gaitdyn.store.stored import read_trial
from gaitdyn.tables.answers import COUNTING
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.contacts import Contact
from gaitdyn.types.cycles import Cycle, Stance
from gaitdyn.types.recording import Event
from tests.read_back import rows_of

if TYPE_CHECKING:
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import EventKind

WALK = Path(__file__).resolve().parents[2] / "data" / "walk01.c3d"


@pytest.fixture(scope="module")
def result() -> Result:
    return process_trial(WALK)


@pytest.fixture(scope="module")
def cut(result: Result) -> Result:
    """Return the walk without the strikes after the last stance on a plate of each side."""
    last = {s.side: s.stop_row for s in find_stances(result)}
    kept = tuple(e for e in result.events if result.row(e.time_s) <= last.get(e.side, 0.0) + 0.5)
    return replace(result, events=kept)


def test_every_valid_contact_has_a_stance_in_its_cycle(result: Result) -> None:
    stances = find_stances(result)
    valid = [c for c in result.contacts if c.verdict == "valid"]
    assert len(stances) == len(valid) > 0
    for stance in stances:
        (contact,) = [
            c for c in valid
            if c.side == stance.side and c.start < stance.stop_row and c.stop > stance.start_row
        ]  # fmt: skip
        assert abs(contact.start - stance.start_row) < 0.15 * result.recording.rate_hz
        ends = {
            kind: [result.row(e.time_s) for e in result.events
                   if (e.side, e.kind) == (stance.side, kind)]
            for kind in ("foot_strike", "foot_off")
        }  # fmt: skip
        assert stance.start_row in ends["foot_strike"]
        assert stance.stop_row in ends["foot_off"]


def test_stances_are_numbered_and_that_of_a_cycle_left_out_is_none(result: Result) -> None:
    stances = find_stances(result)
    for side in result.sides:
        numbers = [s.number for s in stances if s.side == side]
        assert numbers == list(range(1, len(numbers) + 1))
    gone = next(s for s in stances if s.cycle is not None)
    left_out: Any = ((gone.side, gone.cycle),)
    options = replace(result.options, leave_out=left_out)
    left = find_stances(replace(result, options=options))
    assert [s.start_row for s in left] == [s.start_row for s in stances if s is not gone]


@pytest.mark.parametrize(("shift", "begins"), [(0, 0), (14, 0), (16, 16), (-14, 0), (-16, -16)])
def test_an_event_within_0_15_s_is_the_edge_of_a_stance(
    result: Result, shift: int, begins: int
) -> None:
    """At 100 Hz, of a contact that begins so many frames after the strike."""
    (first, *_), contacts = find_stances(result), list(result.contacts)
    (i,) = [
        i for i, c in enumerate(contacts)
        if c.side == first.side and c.start < first.stop_row and c.stop > first.start_row
    ]  # fmt: skip
    contacts[i] = replace(contacts[i], start=round(first.start_row) + shift)
    moved = find_stances(replace(result, contacts=tuple(contacts)))[0]
    wanted = first.start_row if not begins else round(first.start_row) + begins
    assert moved.start_row == wanted


def test_a_stance_is_the_first_part_of_its_cycle(result: Result) -> None:
    cycles = {(c.cycle.side, c.cycle.number): c for c in cycle_curves(result, run_curves(result))}
    compared = 0
    for found in stance_curves(result, run_curves(result)):
        stance = found.stance
        if stance.cycle is None:
            continue
        whole = cycles[stance.side, stance.cycle]
        length = whole.cycle.stop_row - whole.cycle.start_row
        off = 100.0 * (stance.stop_row - stance.start_row) / length
        part = resample(whole.values, 0.0, off)
        i = found.names.index("knee_angle_flexion")
        np.testing.assert_allclose(
            found.values[:, i], part[:, i], atol=0.05
        )  # deg, resampled twice
        i = found.names.index("pelvis_angle_rotation")
        np.testing.assert_allclose(found.values[:, i], part[:, i], atol=0.05)
        compared += 1
    assert compared


def test_without_a_second_strike_the_stance_and_its_peaks_stay(result: Result, cut: Result) -> None:
    whole, lone = find_stances(result), find_stances(cut)
    assert len(lone) == len(whole)
    last = [s for s in lone if s.cycle is None]
    assert last
    rate = cut.recording.rate_hz
    found = stance_peaks(stance_curves(cut, run_curves(cut)), rate)
    assert {q.cycle for q in found} == {None}
    assert all(q.name.endswith("_stance") for q in found)
    of_cycles = peaks(cycle_curves(result, run_curves(result)), rate)
    compared = 0
    for stance, end in product(last, ("max", "impulse")):
        name = f"ankle_moment_plantarflexion_{end}"
        (was,) = [s for s in whole if (s.side, s.number) == (stance.side, stance.number)]
        (lonely,) = [q for q in found if q.side == stance.side and q.name == f"{name}_stance"]
        if was.cycle is not None:
            own = next(
                q for q in of_cycles if (q.side, q.cycle, q.name) == (was.side, was.cycle, name)
            )
            assert lonely.value == pytest.approx(own.value, rel=2e-3)  # other steps of the curve
            assert (lonely.percent is None) == (end == "impulse")
            compared += 1
    assert compared
    assert not [q for q in found if "swing" in q.name or "_range" in q.name]


def test_a_lone_stance_has_the_direction_of_the_stride_that_it_would_begin(cut: Result) -> None:
    """The pelvis is on a circle, where a chord has the direction of the tangent at its middle."""
    angle = np.radians(0.5) * np.arange(len(cut.time_s))
    circle = 3.0 * np.stack((np.sin(angle), 0.0 * angle, np.cos(angle)), axis=1)
    turned = replace(cut, pose=replace(cut.pose, origin_G=circle))
    lone = [s for s in stance_curves(turned, run_curves(turned)) if s.stance.cycle is None]
    assert lone
    for curves in lone:
        stance = curves.stance
        length = (stance.stop_row - stance.start_row) / 0.6
        middle = min(stance.start_row + length, len(angle) - 1.0) - length / 2
        ahead = np.array([np.cos(np.radians(0.5 * middle)), 0.0, -np.sin(np.radians(0.5 * middle))])
        true = np.degrees(tilt_angles(cut.pose.R_GP, ahead, stance.side))[:, 2:]
        np.testing.assert_allclose(
            curves.values[:, curves.names.index("pelvis_angle_rotation")],
            resample(true, stance.start_row, stance.stop_row)[:, 0],
            atol=0.01,
        )


def test_a_stride_that_the_end_of_the_file_cuts_is_taken_earlier(result: Result) -> None:
    known = np.full((200, 3), np.nan)
    known[30:151] = 0.0
    short = replace(result, pose=replace(result.pose, origin_G=known))
    for start, stop, wanted in (
        (40.0, 70.0, (40.0, 90.0)),  # of a stance of 60 %
        (100.0, 160.0, (50.0, 150.0)),
        (50.0, 146.0, (30.0, 150.0)),
    ):
        stride = _stride_of(short, Stance("left", 1, start, stop, None), None)
        assert (stride.start_row, stride.stop_row) == pytest.approx(wanted)


@pytest.mark.parametrize(("second", "groups"), [(40, 1), (50, 1), (51, 2)])
def test_contacts_that_touch_are_one(result: Result, second: int, groups: int) -> None:
    first = replace(result.contacts[0], start=10, stop=50)  # the last loaded frame is 49
    assert len(_merged([replace(first, plate=2, start=second, stop=80), first])) == groups


def test_a_foot_on_two_plates_is_one_stance_and_a_doubtful_contact_is_none(result: Result) -> None:
    first = next(c for c in result.contacts if c.verdict == "valid")
    two = replace(first, plate=9, start=first.start + 3)
    doubled = replace(result, contacts=(*result.contacts, two))
    assert len(find_stances(doubled)) == len(find_stances(result))
    doubt = replace(first, verdict="partial")
    partial = tuple(doubt if c is first else c for c in result.contacts)
    assert len(find_stances(replace(result, contacts=partial))) == len(find_stances(result)) - 1


def test_a_stance_ends_at_its_events_or_with_its_contacts() -> None:
    """At 100 Hz: an event counts up to 0.15 s beside the first or the last row of the contacts."""

    def contact(start: int, stop: int, verdict: Any = "valid", side: Any = "left") -> Contact:
        return Contact(1, side, start, stop, 700.0, verdict, "")

    contacts = (
        contact(230, 275), contact(200, 240), contact(190, 300, "rejected"),  # one after the other
        contact(100, 160), contact(100, 160, "rejected"),
        contact(310, 330), contact(320, 340, "partial"),
        contact(350, 360), contact(360, 371), contact(2, 30), contact(420, 460, side="right"),
    )  # fmt: skip
    strikes, offs = (98.4, 200.5, 347.0), (161.0, 290.0, 371.5, -1.0, 31.0)
    events = [Event(row / 100, "left", "foot_strike") for row in strikes]
    events += [Event(row / 100, "left", "foot_off") for row in offs]
    events += [Event(row / 100, "right", "foot_strike") for row in (2.0, 100.0, 400.0)]
    cycles = tuple(
        Cycle("left", number, start, start + 60.0, None)
        for number, start in ((1, 98.4), (2, 347.0))
    )
    kept = {"cycles left": cycles, "cycles right": (), "cycles set aside right": {}}
    kept["cycles set aside left"] = {2: "too long"}
    walk = SimpleNamespace(
        sides=dict.fromkeys(("left", "right")), contacts=contacts, events=tuple(sorted(events)),
        row=lambda time_s: round(100 * time_s, 3), once=lambda name, _: kept[name],
        recording=SimpleNamespace(rate_hz=100.0, n_frames=500),
        options=SimpleNamespace(leave_out=()),
    )  # fmt: skip
    found = find_stances(cast("Any", walk))
    assert [(s.side, s.number, s.start_row, s.stop_row, s.cycle) for s in found] == [
        ("left", 1, 2.0, 31.0, None),
        ("left", 2, 98.4, 161.0, 1),
        ("left", 3, 200.5, 274.0, None),  # the off at 290 is another
        ("right", 1, 420.0, 459.0, None),  # and the strike at 400
    ]


def test_the_table_is_long_and_read_back_and_shown(cut: Result, tmp_path: Path) -> None:
    place = tmp_path / "walk01"
    write_results(ResultsFolder(place), cut)
    with (place / "stances.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][:3] == ["side", "stance", "percent"]
    with (place / "cycles.csv").open(newline="", encoding="utf-8") as file:
        assert rows[0][3:] == next(csv.reader(file))[3 : -len(COUNTING)]
    stances = find_stances(cut)
    assert len(rows) == 1 + 101 * len(stances)
    stored = read_trial(place).stances
    assert [(s.stance.side, s.stance.number) for s in stored] == [
        (s.side, s.number) for s in stances
    ]
    curves = stance_curves(cut, run_curves(cut))
    np.testing.assert_allclose(stored[0].values, curves[0].values, rtol=1e-8, atol=1e-9)
    lonely = [row for row in rows_of(place / "peaks.csv") if not row["cycle"]]
    assert lonely
    assert all(row["quantity"].endswith("_stance") for row in lonely)
    page = page_text(make_report(read_groups([place])))
    assert "Kinetics of stances" in page


def test_the_phases_of_a_foot_are_those_between_its_events() -> None:
    """Two strikes without a foot-off between say nothing; beyond the events the speed decides."""
    kinds: list[EventKind] = ["foot_strike", "foot_off", "foot_strike", "foot_strike", "foot_off"]
    rows = np.array([10.0, 16.7, 22.0, 30.0, 35.2])
    events = [Event(row / 100, "left", kind) for row, kind in zip(rows, kinds, strict=True)]
    phases = stance_from_events(events, rows, 50)
    assert runs(phases == 1) == [(11, 17), (31, 36)]
    assert runs(phases == 0) == [(17, 23)]
    assert runs(phases == -1) == [(0, 11), (23, 31), (36, 50)]
    slow = mask_of([(0, 4), (6, 13), (18, 20), (24, 27), (34, 40), (44, 47)], 50)
    assert runs(stance_mask(phases, slow)) == [(0, 4), (11, 17), (24, 27), (31, 36), (44, 47)]
    assert runs(stance_mask(np.full(50, -1), slow)) == runs(slow)
    off_first = stance_from_events(events[1:], rows[1:], 50)
    strike_last = stance_from_events(events[:3], rows[:3], 50)
    beside = mask_of([(9, 18), (20, 30)], 50)  # before a first foot-off and after a last strike
    assert runs(stance_mask(off_first, beside)) == [(9, 17), (23, 30), (31, 36)]
    assert runs(stance_mask(strike_last, beside)) == [(11, 17), (23, 30)]


def test_a_foot_stands_while_heel_or_toe_is_slow_for_a_tenth_of_a_second() -> None:
    between = np.full((2, 119), 1.2)  # speeds from frame to frame, m/s
    between[0, 70:81] = 0.0  # ten frames have two slow neighbours
    between[0, 90:100] = 0.0  # nine
    between[1, 30:60] = between[1, 108:] = 0.45
    path = np.concatenate((np.zeros((2, 1)), np.cumsum(between / 100.0, axis=1)), axis=1)
    heel, toe = (np.stack((0 * x, 0 * x, -x), axis=1) for x in path)
    heel[35:45] = np.nan
    found = stance_from_speed(heel, toe, 100.0)
    assert runs(found) == [(31, 60), (71, 81), (109, 120)]


def test_a_stance_with_one_end_in_the_file_lasts_at_least_two_tenths_of_a_second() -> None:
    """A foot that pushes off at the start of the file, and one that strikes at its end."""
    off, strike = Event(0.3, "left", "foot_off", "file"), Event(0.9, "left", "foot_strike", "file")
    certain = open_stances([off, strike], np.array([30.0, 90.0]), 100, 100.0)
    assert runs(certain) == [(11, 31), (91, 100)]
    assert not open_stances([strike, off], np.array([30.0, 90.0]), 100, 100.0).any()
