"""Events of the file that are missing, one too many, of the wrong side or of the wrong moment."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gaitdyn.events.alternation import is_stride
from gaitdyn.events.doubtful import contradicted, doubtful_strides, missing_events, missing_found
from gaitdyn.quality.rules.check import judged
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.ground import Ground, find_ground
from gaitdyn.stages.motion import find_motion
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import Recording, write_trial
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event, EventKind
from gaitdyn.types.subject import OTHER
from tests.walks import stand, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Change = Callable[[tuple[Event, ...]], Sequence[Event]]

CODES = ("event-missing", "event-contradicted")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk of five strides on two plates, with the events in its file."""
    folder = tmp_path_factory.mktemp("events")
    write_trial(folder / "static.c3d", stand(recording=Recording(events=False)))
    write_trial(folder / "walk.c3d", walk(recording=Recording(strides=5.0)))
    return folder


def with_events(folder: Path, change: Change | None) -> Ground:
    """Process the walk as if its file had other events."""
    options = Options(static=str(folder / "static.c3d"))
    session = read_session(folder / "walk.c3d", options)
    told = session.trial.recording
    if change is not None:
        recording = replace(told, events=tuple(sorted(change(told.events))))
        session = replace(session, trial=replace(session.trial, recording=recording))
    body = calibrate_session(session, options)
    return find_ground(session, body, find_motion(session, body, options), options)


def doubts(ground: Ground) -> list[tuple[str, str | None]]:
    return [(f.code, f.side) for f in ground.findings if f.code in CODES]


def strides(events: Sequence[Event], side: str) -> list[float]:
    """Return the durations of the strides of a side, s."""
    times = [e.time_s for e in events if (e.side, e.kind) == (side, "foot_strike")]
    return [b - a for a, b in pairwise(times) if is_stride(events, side, a, b)]


def inner(events: Sequence[Event], kind: EventKind) -> Event:
    """Return the second event of a kind on the left."""
    return [e for e in events if (e.side, e.kind) == ("left", kind)][1]


def test_events_as_they_are_raise_no_doubt(folder: Path) -> None:
    ground = with_events(folder, None)
    assert doubts(ground) == []
    assert {e.source for e in ground.events} == {"file"}


@pytest.mark.parametrize("kind", ["foot_strike", "foot_off"])
@pytest.mark.parametrize("ms", [-65, 65])
def test_events_of_one_side_that_are_late_lower_its_verdict(folder: Path, kind, ms) -> None:
    def late(events: tuple[Event, ...]) -> Sequence[Event]:
        own = {("right", kind)}
        return [
            replace(e, time_s=e.time_s + ms / 1000) if (e.side, e.kind) in own else e
            for e in events
        ]

    ground = with_events(folder, late)
    (told,) = (
        one
        for finding in ground.findings
        if finding.code == "events-one-sided"
        for one in judged(finding, load_rules())
    )
    assert (told.level, told.scope) == ("warning", "right")
    assert told.value == pytest.approx(65, abs=12)
    untouched = [f for f in with_events(folder, None).findings if f.code == "events-one-sided"]
    assert len(untouched) == 2
    assert not any(judged(finding, load_rules()) for finding in untouched)


def test_a_missing_strike_is_found_and_told(folder: Path) -> None:
    """Without it, two strides would be one of double length."""
    whole = with_events(folder, None)
    lost = inner(whole.events, "foot_strike")
    ground = with_events(folder, lambda events: [e for e in events if e != lost])
    assert doubts(ground) == [("event-missing", "left")]
    (told,) = (f for f in ground.findings if f.code == "event-missing")
    assert "a strike is missing; it is added" in told.message
    added = [e for e in ground.events if e.source != "file"]
    assert [(e.side, e.kind) for e in added] == [("left", "foot_strike")]
    assert added[0].time_s == pytest.approx(lost.time_s, abs=0.04)
    assert strides(ground.events, "left") == pytest.approx(strides(whole.events, "left"), abs=0.04)


@pytest.mark.parametrize("kind", ["foot_strike", "foot_off"])
def test_an_event_of_the_other_side_is_told(folder: Path, kind: EventKind) -> None:
    def change(events: tuple[Event, ...]) -> list[Event]:
        wrong = inner(events, kind)
        return [replace(e, side=OTHER[e.side]) if e == wrong else e for e in events]

    found = doubts(with_events(folder, change))
    assert ("event-contradicted", "right") in found


def test_an_event_of_another_kind_is_told(folder: Path) -> None:
    def change(events: tuple[Event, ...]) -> list[Event]:
        wrong = inner(events, "foot_off")
        return [replace(e, kind="foot_strike") if e == wrong else e for e in events]

    ground = with_events(folder, change)
    assert ("event-contradicted", "left") in doubts(ground)
    assert all(lasted > 0.9 for lasted in strides(ground.events, "right"))


@pytest.mark.parametrize(("late_s", "told"), [(0.12, True), (-0.12, True), (0.03, False)])
def test_an_event_of_another_moment_is_told(folder: Path, late_s: float, told: bool) -> None:
    def change(events: tuple[Event, ...]) -> list[Event]:
        wrong = inner(events, "foot_strike")
        return [replace(e, time_s=e.time_s + late_s) if e == wrong else e for e in events]

    assert (("event-contradicted", "left") in doubts(with_events(folder, change))) is told


def event(time_s: float, side: str, kind: str) -> Event:
    return Event(time_s, side, f"foot_{kind}")  # pyrefly: ignore[bad-argument-type]


WALK = sorted(
    event(time + k, side, kind)
    for k in range(3)
    for side, kind, time in (
        ("left", "strike", 0.0), ("right", "off", 0.1), ("right", "strike", 0.5),
        ("left", "off", 0.6),
    )
)  # fmt: skip


def of(side: str, events: Sequence[Event] = WALK) -> list[Event]:
    return [e for e in events if e.side == side]


def test_only_strides_in_which_something_happens_twice_or_not_at_all_are_doubtful() -> None:
    assert doubtful_strides(WALK, "left", []) == []
    less = [e for e in WALK if e != event(1.0, "left", "strike")]
    assert doubtful_strides(less, "left", []) == [(0.0, 2.0)]
    assert doubtful_strides(less, "left", [0.8]) == []  # nobody is in view
    found = missing_events([(0.0, 2.0)], of("left"))
    assert event(1.0, "left", "strike") in found
    assert missing_events([(0.0, 1.0)], of("left")) == []


def test_strikes_are_0_4_s_apart_and_a_doubtful_stride_lasts_up_to_6_s() -> None:
    for apart_s, doubtful in ((0.38, False), (0.42, True), (5.9, True), (6.1, False)):
        twice = [event(10.0, "left", "strike"), event(10.0 + apart_s, "left", "strike")]
        assert len(doubtful_strides(twice, "left", [])) == doubtful
    offs = [event(time, "left", "off") for time in (9.9, 10.6, 11.7, 12.3)]
    strikes = [event(time, "left", "strike") for time in (10.38, 10.42, 11.78, 11.82)]
    found = missing_events([(10.0, 12.2)], sorted(offs + strikes))
    assert [e.time_s for e in found] == [10.42, 11.78, 10.6, 11.7]
    assert missing_events([(10.0, 12.2)], sorted(offs + strikes[::3])) == []


def test_a_contradicted_event_is_told_with_its_distance_to_the_nearest() -> None:
    own = of("left")
    for at, kind, ends, words in (
        (0.1, "strike", (0.0, 0.1), "plates and markers show it at 0.00 s"),
        (0.52, "off", (0.52, 0.6), "plates and markers show it at 0.60 s"),
        (0.3, "strike", (0.3, 0.3), "the foot stands then"),
    ):
        (told,) = contradicted(sorted([*own, event(at, "left", kind)]), own, always)
        assert told.value == pytest.approx(1000 * (ends[1] - ends[0] or at))
        assert (told.start_s, told.stop_s) == ends
        assert words in told.message


def test_a_stride_that_nothing_explains_is_not_cut() -> None:
    """The cameras do not see the foot, but the file's own events say that a strike is missing."""
    less = [e for e in WALK if e != event(1.0, "left", "strike")]
    assert not is_stride(less, "left", 0.0, 2.0)
    (told,) = missing_found("left", [(0.0, 2.0)], less, [])
    assert "this foot leaves the ground more than once" in told.message
    hidden = [e for e in less if e != event(0.6, "left", "off") and e != event(1.6, "left", "off")]
    (told,) = missing_found("left", [(0.0, 2.0)], hidden, [])
    assert "the other foot strikes more than once" in told.message
    few = [e for e in less if e.kind == "foot_strike" and e.side == "left"]
    assert missing_found("left", [(0.0, 2.0)], few, []) == []
    assert is_stride(few, "left", 0.0, 2.0)


@pytest.mark.parametrize(
    ("wrong", "detected", "told"),
    [
        (event(0.3, "left", "strike"), WALK, True),  # the foot stands
        (event(0.8, "left", "off"), WALK, True),  # it swings
        (event(0.05, "left", "strike"), WALK, False),  # within the error of either
        (event(2.9, "left", "strike"), WALK, False),  # a strike after the last that was found
        (event(2.9, "left", "off"), WALK, True),
        (event(0.3, "left", "off"), WALK[3:], True),  # before the first that was found, an off
        (event(0.3, "left", "strike"), WALK[3:], False),
        (event(0.3, "left", "strike"), [], False),
    ],
)
def test_the_motion_of_the_foot_contradicts(
    wrong: Event, detected: list[Event], told: bool
) -> None:
    own = of("left", detected)
    events = sorted([*of("left"), wrong])
    assert [f.start_s for f in contradicted(events, own, always)] == [wrong.time_s] * told
    assert contradicted(events, own, lambda _a, _b: False) == []


def test_who_moves_unlike_others_has_no_contradicted_events() -> None:
    """All foot-offs of the file are later than those that the markers show."""
    late = [replace(e, time_s=e.time_s + 0.2) if e.kind == "foot_off" else e for e in of("left")]
    assert contradicted(late, of("left"), always) == []
    assert len(contradicted([*of("left")[:-1], late[-1]], of("left"), always)) == 1


def always(_start_s: float, _stop_s: float) -> bool:
    return True
