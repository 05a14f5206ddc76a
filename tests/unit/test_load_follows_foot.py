"""A light load that goes with a swinging foot is that foot's; noise, drift and ringing are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.events.agreement import OF_THE_FILE
from gaitdyn.events.assignment import LoadedPlate, assign_contacts
from gaitdyn.events.detect import find_events
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.ground import foot_load
from gaitdyn.events.in_swing import SwingLoad, marked_as_loaded, swing_load_findings, swing_loads
from gaitdyn.events.partial_steps import mark_partial_steps
from gaitdyn.types.contacts import Contact
from gaitdyn.types.options import Assignment
from gaitdyn.types.recording import Event, Recording
from gaitdyn.types.subject import Subject
from gaitdyn.types.wrench import PlateWrench

FRAMES, RATE, ROWS = 100, 100.0, slice(30, 60)
CORNERS = np.array([[0.9, 0, 0.25], [-0.9, 0, 0.25], [-0.9, 0, -0.25], [0.9, 0, -0.25]])
RECORDING = Recording(
    "w.c3d", "", RATE, 1, 11, (), np.zeros((FRAMES, 0, 3)), {}, (), (), Subject()
)  # fmt: skip


def feet() -> list[TrialFoot]:
    """The right foot swings ahead at 3 m/s and 50 mm up, the left one stands 0.3 m beside it."""
    found = []
    for side, speed, aside in (("right", 3.0, 0.1), ("left", 0.0, -0.2)):
        heel = np.tile([0.0, 0.05, aside], (FRAMES, 1))
        heel[:, 0] += speed * np.arange(FRAMES) / RATE
        toe = heel + np.array([0.15, 0.0, 0.0])
        found.append(TrialFoot(side, heel, toe, np.full(FRAMES, speed == 0.0)))
    return found


def plate(force: np.ndarray, point: np.ndarray, more: np.ndarray | None = None) -> PlateWrench:
    """A plate that reads a force at a point in some frames, and perhaps something in all."""
    forces, points = np.zeros((FRAMES, 3)), np.zeros((FRAMES, 3))
    forces[ROWS], points[ROWS] = force, point
    moments = np.cross(points, forces)
    forces = forces + (0.0 if more is None else more)
    never = np.zeros(FRAMES, bool)
    up = np.array([0.0, 1.0, 0.0])
    return PlateWrench(
        1, CORNERS, np.zeros(3), up, forces, moments, None, never, np.ones(FRAMES, bool)
    )


UNDER = feet()[0].toe_G[ROWS] * [1.0, 0.0, 1.0]
LIGHT = np.array([-4.0, 5.0, 0.0])


def test_a_light_load_that_goes_with_the_foot_is_its_load() -> None:
    reading = plate(LIGHT, UNDER)
    (found,) = swing_loads([reading], feet(), RECORDING)
    assert (found.side, found.start, found.stop) == ("right", 30, 60)
    assert found.travel_m == pytest.approx(0.87)
    (said,) = swing_load_findings([found], RECORDING)
    assert "plate 1, frames 41-70: up to 6.4 N travel 0.87 m" in said.message
    loaded = LoadedPlate(reading, reading.up, 0.0)
    own = foot_load([loaded], [], "right", [found], vendor=False)[0]
    np.testing.assert_allclose(own[ROWS, :3], np.tile(LIGHT, (30, 1)))
    np.testing.assert_allclose(own[ROWS, 3:], np.cross(UNDER, LIGHT))
    assert not own[:30].any()
    assert not foot_load([loaded], [], "left", [found], vendor=False)[0].any()


@pytest.mark.parametrize(
    "reading",
    [
        plate(LIGHT, UNDER[0]),
        plate(LIGHT, UNDER + np.array([0.0, 0.0, 0.2])),
        plate(LIGHT, UNDER[::-1]),
        plate(-LIGHT, UNDER, np.where(np.arange(FRAMES) < 20, 700.0, 0.0)[:, None] * [0, 1, 0]),
        plate(0.1 * LIGHT, UNDER),
        plate(LIGHT, UNDER, np.array([0.0, 9.0, 0.0])),
        plate(10.0 * LIGHT, UNDER),
    ],
    ids=["stays", "beside", "the other way", "pulls", "too light", "drift", "a step"],
)
def test_what_is_no_load_of_a_swinging_foot(reading: PlateWrench) -> None:
    assert swing_loads([reading], feet(), RECORDING) == []


@pytest.mark.parametrize(
    ("given", "left"),
    [
        (Assignment(1, "none", (60, 70)), 0),
        (Assignment(1, "left"), 0),
        (Assignment(1, "none", (71, 90)), 1),
        (Assignment(1, "right"), 1),
        (Assignment(2, "none"), 1),
    ],
)
def test_the_word_of_the_user_wins(given: Assignment, left: int) -> None:
    assert len(swing_loads([plate(LIGHT, UNDER)], feet(), RECORDING, [given])) == left


def test_the_baseline_is_read_where_no_foot_is() -> None:
    force = np.tile(LIGHT, (70, 1))
    reading = plate(LIGHT, UNDER)
    forces = reading.force_G.copy()
    forces[30:] = force
    reading = PlateWrench(
        1, CORNERS, np.zeros(3), reading.normal_G, forces, reading.moment_G, None,
        reading.standing, reading.seen,
    )  # fmt: skip
    load = SwingLoad(1, "right", 30, 100, 6.4, 0.9)
    assert clean_plate(reading).baseline_N == pytest.approx(6.4, abs=0.1)
    (own,) = marked_as_loaded([reading], [load])
    assert clean_plate(own).baseline_N == 0.0


@pytest.mark.parametrize(("load_n", "kinds"), [(60.0, []), (700.0, ["foot_strike", "foot_off"])])
def test_a_foot_that_drags_over_a_plate_does_not_strike_it(load_n: float, kinds: list[str]) -> None:
    back = np.array([1.4, 0.0, 0.0])  # to where the plate is
    on_plate = [TrialFoot(f.side, f.heel_G - back, f.toe_G - back, f.stance) for f in feet()]
    reading = plate(np.array([0.0, load_n, 0.0]), UNDER - back)
    loaded = LoadedPlate(reading, reading.up, 0.0)
    contacts = assign_contacts([loaded], on_plate, RATE)
    closed = {side: np.zeros(FRAMES, bool) for side in ("left", "right")}
    contacts = mark_partial_steps(contacts, [loaded], on_plate, closed, (RATE, 700.0))
    assert [c.side for c in contacts if c.accepted] == ["right"]
    pelvis = on_plate[0].heel_G + np.array([0.0, 0.9, 0.0])
    walker = pelvis, np.array([1.0, 0.0, 0.0])
    events, _ = find_events(RECORDING, contacts, [loaded], on_plate, walker, "", [], 70.0)
    assert [e.kind for e in events if e.source == "plate"] == kinds


@pytest.mark.parametrize("mass_kg", [70.0, 35.0])
def test_an_event_is_where_the_force_crosses_20_n_between_two_frames(mass_kg: float) -> None:
    """For a judgement of events the load of a child of 35 kg begins at 10 N."""
    reading = plate(np.array([0.0, 700.0, 0.0]), np.zeros(3))
    up = reading.up.copy()
    up[29:31], up[59:61] = (6.0, 34.0), (60.0, 10.0)
    loaded = LoadedPlate(reading, up, 0.0)
    (contact,) = assign_contacts([loaded], feet()[1:], RATE, (Assignment(1, "left"),), 11)
    assert (contact.start, contact.stop) == (30, 60)
    strike, off = 29.5 + 10, 59.8 + 10  # the first frame is number 11
    early_ms = 10.0 * (10.0 / 28.0 if mass_kg < 70.0 else 0.0)
    told = [
        Event(strike / RATE - 0.01, "left", "foot_strike"),
        Event(off / RATE, "left", "foot_off"),
    ]
    recording = replace(RECORDING, events=tuple(told))
    pelvis = feet()[1].heel_G + np.array([0.0, 0.9, 0.0])
    walker = pelvis, np.array([1.0, 0.0, 0.0])
    for of, expected in ((RECORDING, [strike, off]), (recording, [])):
        events, said = find_events(
            of, [contact], [loaded], feet()[1:], walker, OF_THE_FILE, [], mass_kg
        )
        found = [e.time_s * RATE for e in events if e.source == "plate"]
        assert found == pytest.approx(expected)
    (apart,) = (f for f in said if f.code == "event-disagreement")
    assert apart.value == pytest.approx(10.0 - early_ms)


def test_a_foot_that_a_plate_carries_neither_leaves_nor_strikes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Markers that show an off and a strike in a whole stance would make two of it."""
    reading = plate(np.zeros(3), np.zeros(3))
    up = np.where((np.arange(FRAMES) >= 5) & (np.arange(FRAMES) < 90), 700.0, 0.0)
    loaded = LoadedPlate(reading, up, 0.0)
    shown = {"left": (np.array([50.0]), np.array([30.0]))}
    monkeypatch.setattr("gaitdyn.events.detect.paced_events", lambda *_: (shown, 1.2))
    walker = feet()[1].heel_G, np.array([1.0, 0.0, 0.0])
    for verdict, others in (("valid", []), ("partial", ["foot_off", "foot_strike"])):
        contact = Contact(1, "left", 5, 90, 700.0, verdict, "")
        events, _ = find_events(
            RECORDING, [contact], [loaded], feet()[1:], walker, OF_THE_FILE, [], 70.0
        )
        assert [e.kind for e in events if e.source == "kinematic"] == others
