"""Foot strikes and offs of the synthetic walker, whose exact times are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from event_rules import oconnor_events, zeni_events

from gaitdyn.events.agreement import SAME_S, added_events, disagreement, found_events, nearest
from gaitdyn.events.alternation import alternating, both_stand_s, has_cycle, is_stride
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.kinematic import foot_events, turns
from gaitdyn.events.plate_edges import after_drag
from gaitdyn.io.c3d.events import read_events
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.pipeline import process_trial
from gaitdyn.quality.rules import judged, load_rules
from gaitdyn.stages.session import read_session
from gaitdyn.stages.trial_events import without_events_of_another_clock
from gaitdyn.synthetic import Course, Recording, Walk, Walker, WalkerBody, write_trial
from gaitdyn.synthetic.c3d_file import C3dContent, write_c3d
from gaitdyn.tables.answers import parameters_of
from gaitdyn.trial import Result
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event, EventKind
from tests.unit import c3d_bytes
from tests.walks import stand, walk

FORWARD = np.array([1.0, 0.0, 0.0])
Points = tuple[np.ndarray, np.ndarray, np.ndarray]
RULES = [foot_events, zeni_events, oconnor_events]
LONG = Recording(strides=5.0, events=False)
FORCE_MS = 29.0
"""The walker's force rises smoothly from zero: it passes 20 N 28 ms after the strike."""


def markers(trial: Walk, side: str) -> Points:
    """Heel, toe and pelvis centre."""
    at = {label: trial.markers_G[:, i] for i, label in enumerate(trial.labels)}
    letter = side[0].upper()
    return at[letter + "HEE"], at[letter + "TOE"], (at["LASI"] + at["RASI"]) / 2


def errors(trial: Walk, points, side: str, rule=foot_events) -> list[np.ndarray]:
    """Found minus true time, ms, of strikes and offs that lie 0.3 s or more inside the trial."""
    rate = trial.recording.rate_hz
    heel, toe, pelvis = points
    found = rule(heel, toe, pelvis, FORWARD, rate)
    every = []
    for kind, rows in zip(("foot_strike", "foot_off"), found, strict=True):
        times = trial.time_s[0] + rows / rate
        truth = [e.time_s for e in trial.events if e.side == side and e.kind == kind]
        truth = [t for t in truth if trial.time_s[0] + 0.3 < t < trial.time_s[-1] - 0.3]
        late = [1000 * (times - t)[np.argmin(np.abs(times - t))] for t in truth]
        every.append(np.array(late))
    return every


def run(folder: Path, walker: Walker, recording: Recording) -> tuple[Walk, Result]:
    trial = walk(walker, recording)
    write_trial(folder / "walk.c3d", trial, stream=1)
    write_trial(folder / "static.c3d", stand(walker, replace(recording, gaps=(), events=False)))
    return trial, process_trial(folder / "walk.c3d")


def missed_and_late(trial: Walk, result: Result, source: str) -> tuple[int, float]:
    """True events 0.3 s inside the trial without one of ours within 0.1 s; largest error, ms."""
    first, last = trial.time_s[0] + 0.3, trial.time_s[-1] - 0.3
    missed, worst = 0, 0.0
    for true in trial.events:
        same = [e for e in result.events if (e.side, e.kind) == (true.side, true.kind)]
        late = [abs(e.time_s - true.time_s) for e in same]
        missed += first < true.time_s < last and not any(x < 0.1 for x in late)
        worst = max(
            [worst, *(1000 * x for x, e in zip(late, same, strict=True)
                      if x < 0.1 and e.source == source)]
        )  # fmt: skip
    return missed, worst


def codes(result: Result) -> list[str]:
    return [finding.code for finding in result.findings]


def strictly_alternates(events: tuple[Event, ...]) -> bool:
    sides = [[e.kind for e in events if e.side == side] for side in ("left", "right")]
    return all(a != b for kinds in sides for a, b in pairwise(kinds))


# ---------------------------------------------------------------- the rules on arrays


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_rule_finds_every_event_at_a_steady_distance(rule, side):
    trial = walk(recording=LONG)
    for late in errors(trial, markers(trial, side), side, rule):
        assert len(late) >= 3
        assert np.ptp(late) < 5.0
        assert np.abs(late).max() < 100.0


@pytest.mark.parametrize("noise_mm", [0.5, 1.0])
def test_noise_moves_the_events_by_less_than_a_frame_and_a_half(noise_mm):
    trial = walk(recording=LONG)
    points = markers(trial, "left")
    clean = errors(trial, points, "left")
    rng = np.random.default_rng(1)
    noisy = [p + rng.normal(size=p.shape) * noise_mm / 1000 for p in points]
    for a, b in zip(clean, errors(trial, noisy, "left"), strict=True):
        assert np.abs(a - b).max() < 15.0


def test_the_heading_does_not_matter():
    straight = errors(walk(recording=LONG), markers(walk(recording=LONG), "left"), "left")
    turned = walk(Walker(course=Course(heading_rad=0.7)), LONG)
    for a, b in zip(straight, errors(turned, markers(turned, "left"), "left"), strict=True):
        assert np.abs(a - b).max() < 1.0


def test_a_treadmill_takes_the_progress_away_and_leaves_the_events():
    trial = walk(recording=LONG)
    points = markers(trial, "right")
    slope = (points[2][-1, 0] - points[2][0, 0]) / (len(points[2]) - 1)
    belt = np.outer(np.arange(len(points[2])) * slope, FORWARD)
    still = [p - belt for p in points]
    clean = errors(trial, points, "right")
    for a, b in zip(clean, errors(trial, still, "right"), strict=True):
        assert np.abs(a - b).max() < 1.0


def test_a_trial_that_turns_back_keeps_its_events():
    trial = walk(recording=LONG)
    points = markers(trial, "left")
    length = points[2][-1, 0] - points[2][0, 0]
    radius = length / np.pi
    bent = []
    for p in points:
        angle = (p[:, 0] - points[2][0, 0]) / radius
        r = radius + p[:, 2]
        bent.append(np.stack([r * np.sin(angle), p[:, 1], -r * np.cos(angle)], axis=1))
    clean = errors(trial, points, "left")
    for a, b in zip(clean, errors(trial, bent, "left"), strict=True):
        assert np.abs(a - b).max() < 20.0


def test_nothing_is_found_in_a_gap_and_the_rest_stays():
    trial = walk(recording=LONG)
    points = markers(trial, "left")
    whole = foot_events(*points, FORWARD, LONG.rate_hz)
    lost = int(whole[0][1])
    heel, toe, pelvis = points
    heel = heel.copy()
    heel[lost - 10 : lost + 10] = np.nan
    strikes, offs = foot_events(heel, toe, pelvis, FORWARD, LONG.rate_hz)
    assert np.abs(strikes - whole[0][1]).min() > 20
    assert len(strikes) == len(whole[0]) - 1
    assert set(np.round(offs, 6)) <= set(np.round(whole[1], 6))


def test_a_pelvis_that_is_never_seen_gives_no_events():
    heel, toe, pelvis = markers(walk(), "left")
    pelvis = np.full_like(pelvis, np.nan)
    assert [rows.size for rows in foot_events(heel, toe, pelvis, FORWARD, 100.0)] == [0, 0]
    assert [rows.size for rows in turns(np.full(50, np.nan))] == [0, 0]


# ---------------------------------------------------------------- whole trials


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("heading", [0.0, 0.3])
def test_with_plates_all_events_are_found(tmp_path, noise, heading):
    walker = Walker(course=Course(heading_rad=heading))
    recording = replace(LONG, marker_noise_mm=noise, force_noise_n=5 * noise)
    trial, result = run(tmp_path, walker, recording)
    missed, plate = missed_and_late(trial, result, "plate")
    assert missed == 0
    assert plate < FORCE_MS
    assert missed_and_late(trial, result, "kinematic")[1] < FORCE_MS + 10.0 * (noise > 0)
    assert strictly_alternates(result.events)
    assert codes(result).count("events-found") == 2


def test_without_plates_the_typical_correction_is_used(tmp_path):
    trial, result = run(tmp_path, Walker(), replace(LONG, plates=0))
    missed, worst = missed_and_late(trial, result, "kinematic")
    assert missed == 0
    assert worst < 60.0
    assert {event.source for event in result.events} == {"kinematic"}
    found = [f for f in result.findings if f.code == "events-found"]
    assert all("typical correction" in f.message for f in found)


def test_without_a_pelvis_the_ends_of_slow_periods_are_used_with_their_own_error(tmp_path):
    trial = walk(recording=replace(LONG, plates=0))
    markers = trial.markers_G.copy()
    pelvis = [trial.labels.index(label) for label in ("LASI", "RASI", "LPSI", "RPSI")]
    seen = markers[40:65, pelvis]
    markers[:, pelvis], markers[40:65, pelvis] = np.nan, seen
    write_trial(tmp_path / "walk.c3d", replace(trial, markers_G=markers))
    result = process_trial(tmp_path / "walk.c3d")
    found = [f for f in result.findings if f.code == "events-found"]
    told = "(speed; typical correction, 1 SD: strikes 19, offs 21 ms: strikes +5, offs +24 ms"
    assert [(told in f.message, f.value) for f in found] == [(True, 21.0)] * 2


def test_the_events_of_the_file_win_and_agree_with_the_plates(tmp_path):
    _, result = run(tmp_path, Walker(), replace(LONG, events=True))
    assert {event.source for event in result.events} == {"file"}
    assert result.events == result.recording.events
    found = [f for f in result.findings if f.code == "event-disagreement"]
    assert found
    assert all(f.level == "info" and f.value is not None and f.value < FORCE_MS for f in found)
    assert "events-found" not in codes(result)


def of_a_child(folder: Path, mass_kg: float, moved_s: float = 0.0) -> list[Finding]:
    """Return what is said on the events of the file, its strikes moved, against the plates."""
    walker = Walker(body=WalkerBody(mass_kg=mass_kg))
    write_trial(folder / "walk.c3d", walk(walker, replace(LONG, events=True)))
    recording = read_session(folder / "walk.c3d", Options()).trial.recording
    moved = {"foot_strike": moved_s, "foot_off": 0.0}
    events = tuple(replace(e, time_s=e.time_s + moved[e.kind]) for e in recording.events)
    result = process_trial(folder / "walk.c3d", Options(events=events))
    return [f for f in result.findings if f.code == "event-disagreement"]


@pytest.mark.parametrize("mass_kg", [15.0, 17.0, 20.0])
def test_20_n_is_much_of_a_childs_weight_and_allowed_for_in_the_judgement(tmp_path, mass_kg):
    """The synthetic force crosses 20 N 41 to 44 ms after the strike, 3 % of weight 28 ms after."""
    found = of_a_child(tmp_path, mass_kg)
    assert {f.level for f in found} == {"info"}
    assert all(f.value is not None and f.value < FORCE_MS for f in found)
    assert all(f"({20 * mass_kg / 70:.0f} to 20 N)" in f.message for f in found)


@pytest.mark.parametrize(("moved_s", "off_ms"), [(-0.02, 48.0), (0.08, 37.5)])
def test_a_childs_strikes_at_the_wrong_time_are_still_told(tmp_path, moved_s, off_ms):
    """Before 3 % of weight by 28 + 20 ms, or after 20 N by 80 - 42.5 ms."""
    wrong = [f for f in of_a_child(tmp_path, 17.0, moved_s) if f.level == "warning"]
    assert {f.scope for f in wrong} == {"left", "right"}
    assert all(f.value == pytest.approx(off_ms, abs=1.0) for f in wrong)


def test_a_side_whose_file_events_close_no_cycle_is_added_to(tmp_path, monkeypatch):
    from gaitdyn.stages import session

    read = session.read_recording

    def thinned(*given, **words):
        recording = read(*given, **words)
        strikes = [e for e in recording.events if e.side == "left" and e.kind == "foot_strike"]
        kept = [e for e in recording.events if e.side == "right"] + strikes[1:2]
        return replace(recording, events=tuple(sorted(kept)))

    monkeypatch.setattr(session, "read_recording", thinned)
    _, result = run(tmp_path, Walker(), replace(LONG, events=True))
    left = [event for event in result.events if event.side == "left"]
    assert sum(event.source == "file" for event in left) == 1
    assert has_cycle(left)
    assert strictly_alternates(result.events)
    assert all(event.source == "file" for event in result.events if event.side == "right")
    assert codes(result).count("events-added") == 1


def test_strikes_given_alone_get_their_foot_offs(synthetic):
    walk = synthetic / "walk01.c3d"
    whole = process_trial(walk)
    strikes = [e for e in whole.events if (e.side, e.kind) == ("left", "foot_strike")]
    result = process_trial(walk, Options(events=tuple(strikes)))
    left = [e for e in result.events if e.side == "left"]
    assert [e for e in left if e.kind == "foot_strike"] == strikes
    assert strictly_alternates(tuple(left))
    (told,) = [f.message for f in result.findings if f.code == "events-added"]
    assert told.startswith("left: the events given by hand (3) hold no foot-off; 3 added")
    stance = {(q.side, q.cycle): q.value for q in parameters_of(result) if q.name == "stance"}
    wanted = {(q.side, q.cycle): q.value for q in parameters_of(whole) if q.name == "stance"}
    assert stance["left", 1] == pytest.approx(wanted["left", 1], abs=3.0)
    against = [f.message for f in result.findings if f.code == "event-disagreement"]
    assert against
    assert all(message.startswith("left events given by hand against") for message in against)


# ---------------------------------------------------------------- what can follow what


def event(time_s: float, kind: str, source: str = "kinematic") -> Event:
    return Event(time_s, "left", f"foot_{kind}", source)  # pyrefly: ignore[bad-argument-type]


def test_a_second_strike_at_once_goes_and_the_plate_stays():
    kept = alternating([event(1.0, "strike"), event(1.1, "strike", "plate"), event(1.7, "off")])
    assert [e.time_s for e in kept] == [1.1, 1.7]


def test_a_stance_too_short_or_too_long_goes():
    short = [event(1.0, "strike"), event(1.15, "off"), event(1.5, "strike"), event(2.1, "off")]
    assert [e.time_s for e in alternating(short)] == [1.5, 2.1]
    assert alternating([event(0.0, "strike"), event(3.0, "off")]) == []
    slow = [event(0.0, "strike"), event(2.3, "off"), event(2.9, "strike")]
    assert alternating(slow) == slow


def test_a_swing_too_short_or_too_long_goes_and_a_second_strike_stays_after_0_4_s():
    for swing_s, possible in ((0.08, False), (0.12, True), (1.9, True), (2.1, False)):
        ends = [event(1.0, "off"), event(1.0 + swing_s, "strike")]
        assert alternating(ends) == (ends if possible else [])
    for apart_s, kept in ((0.38, 1), (0.42, 2)):
        twice = [event(1.0, "strike"), event(1.0 + apart_s, "strike")]
        assert alternating(twice) == twice[:kept]


def test_a_long_stance_stays_if_the_foot_is_seen_to_stand():
    """A person who stops for 3 s: the ends of that stance are no mistake, nor are those around."""
    stop = [event(0.0, "off"), event(0.4, "strike"), event(3.6, "off"), event(4.0, "strike")]
    asked: list[tuple[float, float]] = []

    def stands(start_s: float, stop_s: float) -> bool:
        asked.append((start_s, stop_s))
        return True

    assert alternating(stop, stands=stands) == stop
    assert asked == [(0.4, 3.6)]
    assert alternating(stop) == []


def walked(*rows: tuple[float, str, str]) -> list[Event]:
    return [Event(t, side, f"foot_{kind}", "kinematic") for t, side, kind in rows]  # pyrefly: ignore[bad-argument-type]


SLOW = walked(
    (0.0, "left", "strike"), (0.9, "right", "off"), (1.7, "right", "strike"), (2.6, "left", "off"),
    (3.4, "left", "strike"),
)  # fmt: skip
STOP = walked(
    (0.0, "left", "strike"), (2.6, "right", "off"), (3.0, "right", "strike"), (3.2, "left", "off"),
    (3.6, "left", "strike"),
)  # fmt: skip


def test_a_stride_of_a_very_slow_walker_is_one_and_a_stop_is_not():
    assert is_stride(SLOW, "left", 0.0, 3.4)
    assert both_stand_s(SLOW, "left", 0.0, 3.4) == pytest.approx(0.9)
    assert not is_stride(STOP, "left", 0.0, 3.6)
    assert both_stand_s(STOP, "left", 0.0, 3.6) == pytest.approx(2.6)
    missing = [e for e in SLOW if e.side == "left"]
    assert not is_stride(missing, "left", 0.0, 3.4)  # the other foot's strike
    assert is_stride(missing, "left", 0.0, 3.0)
    assert not is_stride([], "left", 0.0, 0.3)
    twice = sorted([*SLOW, *walked((2.0, "left", "off"))])
    assert not is_stride(twice, "left", 0.0, 3.4)
    assert not is_stride([replace(e, time_s=2 * e.time_s) for e in SLOW], "left", 0.0, 6.8)


def test_events_of_a_very_slow_walker_close_a_cycle():
    assert has_cycle([event(0.0, "strike"), event(2.6, "off"), event(3.4, "strike")])
    assert not has_cycle([event(0.0, "strike"), event(3.4, "strike")])
    assert not has_cycle([event(1.0, "strike"), event(1.2, "strike")])


@pytest.mark.parametrize(
    ("drag_s", "moves", "begins"), [(0.2, True, 120), (0.2, False, 100), (0.08, True, 100)]
)
def test_a_step_begins_after_the_foot_has_dragged_over_the_plate(drag_s, moves, begins):
    """40 N from row 100 on, 700 N later. A foot that stands is loaded slowly."""
    up, loaded = np.zeros(300), 100 + round(100 * drag_s)
    up[100:loaded], up[loaded:200] = 40.0, 700.0
    stance = np.zeros(300, bool)
    stance[loaded if moves else 100 : 200] = True
    foot = TrialFoot("left", np.zeros((300, 3)), np.ones((300, 3)), stance)
    assert after_drag(up, (100, 200), foot, 100.0) == (begins, 70.0)


def test_events_of_plate_and_file_are_never_taken_away():
    told = [event(1.0, "strike", "file"), event(1.1, "off", "plate"), event(1.2, "strike", "file")]
    assert alternating(told) == told


def test_a_file_that_is_late_by_more_than_30_ms_is_a_warning_by_the_table():
    plate = [event(1.0, "strike", "plate"), event(1.6, "off", "plate")]
    told = [event(1.04, "strike", "file"), event(1.615, "off", "file")]
    near, finding = disagreement("left", told, dict.fromkeys(plate, 0.0))
    assert (near.value, near.start_s) == (pytest.approx(15.0), None)
    assert (finding.level, finding.scope, finding.side) == ("info", "left", "left")
    assert finding.value == pytest.approx(40.0)
    assert near.message.endswith(" foot-off 15 ms late")
    assert finding.message.endswith("strike at 1.04 s 40 ms late")
    assert (finding.start_s, finding.stop_s) == (1.0, 1.04)
    (late,) = judged(finding, load_rules())
    assert (late.level, late.limit) == ("warning", 30.0)
    (within,) = judged(replace(finding, value=30.0), load_rules())
    assert (within.level, within.limit) == ("info", 30.0)
    assert disagreement("left", [], dict.fromkeys(plate, 0.0)) == []
    early = [replace(told[0], time_s=0.96), replace(told[0], time_s=1.01, side="right")]
    (finding,) = disagreement("left", sorted(early), {plate[0]: 0.0})
    assert finding.message.endswith("strike at 0.96 s 40 ms early")
    assert finding.value == pytest.approx(40.0)
    assert (finding.start_s, finding.stop_s) == (0.96, 1.0)


def test_added_events_are_told_with_their_source_and_what_the_file_lacks():
    plate, marker = event(1.0, "strike", "plate"), event(1.6, "off")
    both = found_events("left", [plate, marker, marker], "as usual", 15.0, 20.0)
    assert both.value == 15.0
    words = "1 from plates (20 N), 2 from markers (as usual; expected error 15 ms)"
    assert both.message == f"left events: {words}"
    alone = found_events("left", [plate], "as usual", 15.0, 40.0)
    assert (alone.value, alone.message) == (
        None,
        "left events: 1 from plates (40 N), 0 from markers",
    )
    strikes = [event(0.0, "strike", "file"), event(1.1, "strike", "file")]
    for of_file, lack in (
        (strikes, "(2) hold no foot-off; 1 added"),
        (strikes[:1], "(1) complete no gait cycle; 1 added"),
        ([strikes[0], event(0.6, "off", "file")], "(2) complete no gait cycle; 1 added"),
    ):
        assert lack in added_events("left", of_file, [marker], "of the file").message


def test_events_of_another_clock_are_left_out_and_told(synthetic: Path) -> None:
    recording = read_session(synthetic / "walk01.c3d", Options()).trial.recording
    later = tuple(replace(e, time_s=e.time_s + 100.0) for e in recording.events)
    kept, (told,) = without_events_of_another_clock(replace(recording, events=later))
    assert (kept.events, told.code, told.level) == ((), "events-outside", "warning")
    one_inside = replace(recording, events=(recording.events[0], *later))
    assert without_events_of_another_clock(one_inside)[1][0].code == "events-outside"
    one_outside = replace(recording, events=(recording.events[0], later[0]))
    cut = replace(recording, events=(*recording.events, *later, *later))
    for own in (recording, one_outside, cut):
        assert without_events_of_another_clock(own) == (own, [])


def test_events_that_are_all_late_are_about_the_whole_side():
    plate = [event(1.0, "strike", "plate"), event(1.6, "off", "plate")]
    told = [event(1.05, "strike", "file"), event(1.64, "off", "file")]
    (finding,) = disagreement("left", told, dict.fromkeys(plate, 0.0))
    assert (finding.value, finding.start_s) == (pytest.approx(50.0), None)
    assert "strike 50 ms late, foot-off 40 ms late" in finding.message


def test_of_many_events_the_medians_are_told():
    strikes = [event(float(i), "strike", "plate") for i in range(9)]
    told = [
        replace(one, time_s=one.time_s + (0.01 if i else 0.004)) for i, one in enumerate(strikes)
    ]
    off, left = event(1.6, "off", "plate"), event(1.59, "off", "file")
    (finding,) = disagreement("left", sorted([*told, left]), dict.fromkeys([*strikes, off], 0.0))
    words = "9 strikes 10 ms late in the median (4 ms late to 10 ms late)"
    assert finding.message.endswith(f": {words}, 1 foot-off 10 ms early in the median")
    assert finding.value == pytest.approx(10.0)


WRITTEN = [
    ("Toe-off", "foot_off", None),
    ("Right_HS", "foot_strike", "right"),
    ("RightHS", "foot_strike", "right"),
    ("HS-L", "foot_strike", "left"),
    ("L.FO", "foot_off", "left"),
    ("R_TO", "foot_off", "right"),
    ("Touch-down left", "foot_strike", "left"),
    ("rhs 1", "foot_strike", "right"),
    ("RON", "foot_strike", "right"),
    ("LOFF", "foot_off", "left"),
    ("HSR", "foot_strike", "right"),
    ("TOL", "foot_off", "left"),
    ("left lift-off", "foot_off", "left"),
    ("Fersenkontakt links", "foot_strike", "left"),
    ("Rechts Abheben", "foot_off", "right"),
    ("Contact initial gauche", "foot_strike", "left"),
    ("Décollement droit", "foot_off", "right"),
    ("Contacto inicial derecho", "foot_strike", "right"),
    ("Despegue izquierda", "foot_off", "left"),
    ("Contatto iniziale DX", "foot_strike", "right"),
    ("Contato inicial esquerdo", "foot_strike", "left"),
    ("Stacco piede sinistro", "foot_off", "left"),
    ("Hielcontact rechter voet", "foot_strike", "right"),
    ("eRHS", "foot_strike", "right"),
    ("eLTO", "foot_off", "left"),
    ("TD_R", "foot_strike", "right"),
    ("RON_FP1", "foot_strike", "right"),
    ("LOFF_FP", "foot_off", "left"),
    ("Appoggio sx", "foot_strike", "left"),
    ("Décollage orteil droit", "foot_off", "right"),
    ("LHS1", "foot_strike", "left"),
    ("RTO 2", "foot_off", "right"),
    ("RTO_FP1", "foot_off", "right"),
    ("FP2 LHS", "foot_strike", "left"),
    ("Right Strike", "foot_strike", "right"),
    ("Right Off", "foot_off", "right"),
    ("Left Foot Down", "foot_strike", "left"),
    ("Left Foot Up", "foot_off", "left"),
    ("strike_L", "foot_strike", "left"),
    ("Takeoff right", "foot_off", "right"),
    ("Pose du pied gauche", "foot_strike", "left"),
    ("Fußaufsatz links", "foot_strike", "left"),
    ("Fußabhebung rechts", "foot_off", "right"),
    ("Event_RHS", "foot_strike", "right"),
    ("FootStrikeLeft", "foot_strike", "left"),
    ("Lt HS", "foot_strike", "left"),
    ("dx IC", "foot_strike", "right"),
    ("Right On", "foot_strike", "right"),
    ("On_L", "foot_strike", "left"),
    ("Init. Contact right", "foot_strike", "right"),
    ("Contact R", "foot_strike", "right"),
    ("Ground contact left", "foot_strike", "left"),
    ("Auftritt links", "foot_strike", "left"),
    ("Pose du pied D", "foot_strike", "right"),
    ("contact talon G", "foot_strike", "left"),
    ("Choque de talón derecho", "foot_strike", "right"),
    ("Hälisättning vänster", "foot_strike", "left"),
    ("Hælkontakt høyre", "foot_strike", "right"),
    ("Left stance start", "foot_strike", "left"),
    ("Right Terminal Contact", "foot_off", "right"),
    ("End of left foot contact", "foot_off", "left"),
    ("Left Foot Contact End", "foot_off", "left"),
    ("Right foot contact off", "foot_off", "right"),
    ("Teenafzet links", "foot_off", "left"),
    ("Tåavgång höger", "foot_off", "right"),
    ("Opposite Foot Off", None, None),
    ("Contralateral foot strike", None, None),
    ("Zehenkontakt links", None, "left"),
    ("Heel off", None, None),
    ("On", None, None),
    ("General", None, None),
    ("Right turn", None, "right"),
]
"""Label, kind, side."""


def test_events_are_read_as_laboratories_write_them() -> None:
    from gaitdyn.io.c3d.events import event_kind, event_side

    assert [(x, event_kind(x), event_side("", x)) for x, _, _ in WRITTEN] == WRITTEN


def test_events_beyond_255_go_on_in_numbered_parameters(tmp_path: Path) -> None:
    names, count = ("Foot Strike", "Foot Off"), 300
    seconds = np.stack([np.zeros(count), 0.5 * np.arange(1, count + 1)])
    stored: list[tuple[str, str, Any]] = [
        ("EVENT", "USED", count),
        ("EVENT", "TIMES", seconds),
        ("EVENT", "LABELS", [names[i % 2] for i in range(count)]),
        ("EVENT", "CONTEXTS", ["Left"] * count),
    ]
    content = C3dContent(
        rate_hz=100.0, first_frame=1, units="mm", labels=("LASI",), points=np.zeros((8, 1, 3)),
        analog_labels=(), analog_units=(), analog=np.zeros((8, 0)), parameters=tuple(stored),
    )  # fmt: skip
    write_c3d(tmp_path / "long.c3d", content)
    header, params = read_parameters(tmp_path / "long.c3d")
    for number, many in (("", 255), ("2", 45)):
        assert len(np.ravel(params.get("EVENT", f"LABELS{number}"))) == many
        assert np.shape(params.get("EVENT", f"TIMES{number}")) == (2, many)
    events, notes = read_events(header, params)
    assert not notes
    assert len(events) == count
    assert (events[-1].time_s, events[-1].kind) == (pytest.approx(150.0), "foot_off")


def with_header_events(
    whole: bytes, events: list[tuple[str, float]], processor: str = "intel", key: int = 12345
) -> bytes:
    """Return a C3D file with events in its header (C3D format user guide, "Header events")."""
    block = bytearray(whole[:512])
    block[298:302] = c3d_bytes.packed_integers([key, len(events)], processor)
    times = c3d_bytes.packed_floats([second for _, second in events], processor)
    block[304 : 304 + len(times)] = times
    block[376 : 376 + len(events)] = b"\x01" * len(events)
    labels = b"".join(label.encode().ljust(4) for label, _ in events)
    block[396 : 396 + len(labels)] = labels
    return bytes(block) + whole[512:]


OLD = [("RHS ", 0.02), ("STRT", 0.03), ("LTO ", 0.035), ("RIC", 0.5), ("LFS", 0.04), ("RMS ", 0.05)]


@pytest.mark.parametrize("processor", ["intel", "dec", "sgi"])
def test_events_of_the_header_are_read_from_the_first_stored_frame(
    processor: str, tmp_path: Path
) -> None:
    whole = c3d_bytes.c3d(first=51, rate=100.0, processor=processor)
    path = tmp_path / "old.c3d"
    path.write_bytes(with_header_events(whole, OLD, processor))
    events, notes = read_events(*read_parameters(path))
    assert [(e.side, e.kind) for e in events] == [
        ("right", "foot_strike"), ("left", "foot_off"),
        ("left", "foot_strike"), ("right", "foot_strike"),
    ]  # fmt: skip
    assert [e.time_s for e in events] == pytest.approx([0.52, 0.535, 0.54, 1.0])
    assert notes == ("the EVENT group has no foot event: 4 are taken from the file's header",)


@pytest.mark.parametrize(("count", "key"), [(19, 12345), (3, 0)])
def test_a_header_that_promises_no_events_has_none(count: int, key: int, tmp_path: Path) -> None:
    whole = with_header_events(c3d_bytes.c3d(), [("RHS", 0.01)] * count, key=key)
    (tmp_path / "other.c3d").write_bytes(whole)
    assert read_events(*read_parameters(tmp_path / "other.c3d")) == ((), ())


def test_a_header_without_foot_events_leaves_no_note(tmp_path: Path) -> None:
    whole = with_header_events(c3d_bytes.c3d(), [("STRT", 0.01), ("END ", 0.03)])
    (tmp_path / "other.c3d").write_bytes(whole)
    assert read_events(*read_parameters(tmp_path / "other.c3d")) == ((), ())


def test_events_of_the_event_group_come_before_those_of_the_header(tmp_path: Path) -> None:
    group = {
        ("EVENT", "TIMES"): (c3d_bytes.FLOAT, (2, 1), [0.0, 0.03]),
        ("EVENT", "LABELS"): c3d_bytes.text("LHS"),
    }
    path = tmp_path / "both.c3d"
    path.write_bytes(with_header_events(c3d_bytes.c3d(change=group), OLD))
    events, notes = read_events(*read_parameters(path))
    assert [(e.side, notes) for e in events] == [("left", ())]


@pytest.mark.parametrize(("used", "sides"), [(2, ["left", "right"]), (1, ["left"]), (0, [])])
def test_events_that_the_group_does_not_count_are_not_read(used, sides, tmp_path: Path) -> None:
    group = {
        ("EVENT", "USED"): (c3d_bytes.INTEGER, (), used),
        ("EVENT", "TIMES"): (c3d_bytes.FLOAT, (2, 2), [0.0, 0.03, 0.0, 0.04]),
        ("EVENT", "LABELS"): c3d_bytes.text("LHS", "RHS"),
    }
    path = tmp_path / "used.c3d"
    path.write_bytes(c3d_bytes.c3d(change=group))
    events, notes = read_events(*read_parameters(path))
    assert [event.side for event in events] == sides
    told = f"EVENT:USED is {used}, and the group holds 2 events: the rest is not used"
    assert notes == (() if used == 2 else (told,))


def test_a_trial_says_that_its_events_are_those_of_the_header(tmp_path: Path) -> None:
    one = walk(Walker(), Recording(events=False))
    write_trial(tmp_path / "walk.c3d", one)
    write_trial(tmp_path / "static.c3d", stand(Walker(), Recording()))
    first = one.time_s[0]
    stored = [
        (e.side[0].upper() + ("FS" if e.kind == "foot_strike" else "FO"), e.time_s - first)
        for e in one.events
    ]
    whole = (tmp_path / "walk.c3d").read_bytes()
    (tmp_path / "walk.c3d").write_bytes(with_header_events(whole, stored))
    result = process_trial(tmp_path / "walk.c3d", Options())
    assert [e.source for e in result.events if e.source == "file"] == ["file"] * len(stored)
    assert [e.time_s for e in result.events if e.source == "file"] == pytest.approx(
        sorted(e.time_s for e in one.events), abs=1e-5
    )
    assert any("from the file's header" in f.message for f in result.findings)


@pytest.mark.parametrize(
    ("left", "right"),
    [("Links", "Rechts"), ("Gauche", "Droit"), ("Izquierdo", "Derecho"), ("Sinistra", "Destra"),
     ("Vänster", "Höger"), ("Venstre", "Høyre"), ("Lewa", "Prawa"), ("L", "R")],
)  # fmt: skip
def test_sides_of_events_are_read_in_the_languages_of_labels(left: str, right: str) -> None:
    from gaitdyn.io.c3d.events import event_side

    assert event_side(left, "Foot Strike") == "left"
    assert event_side(right, "Foot Strike") == "right"


def test_a_foot_that_stands_before_the_first_step_strikes_nothing() -> None:
    """The body sways and begins to move over a foot that stood before: that is no strike."""
    trial = walk(Walker(), LONG)
    rate, hold = trial.recording.rate_hz, 100
    stood = next(e for e in trial.events if (e.side, e.kind) == ("left", "foot_strike"))
    first = round((stood.time_s - trial.time_s[0]) * rate) + 15
    sway = 0.004 * np.sin(np.linspace(0.0, 9.0, hold))[:, None] * FORWARD
    heel, toe, pelvis = (
        np.concatenate((np.repeat(x[first : first + 1], hold, axis=0) + move, x[first:]))
        for x, move in zip(markers(trial, "left"), (0.0, 0.0, sway), strict=True)
    )
    strikes, offs = foot_events(heel, toe, pelvis, FORWARD, rate)
    assert strikes.min() > hold + 0.5 * rate
    assert len(strikes) >= len(offs) - 1 > 0


class _Searched(list[Event]):
    """Events that may be searched by halves, but not gone through."""

    def __iter__(self) -> Iterator[Event]:
        raise AssertionError


@pytest.mark.parametrize("seed", range(3))
def test_the_nearest_event_is_searched_by_halves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds: tuple[EventKind, EventKind] = ("foot_strike", "foot_off")
    times = np.round(rng.uniform(0.0, 10.0, 300), 2)  # some are equal, some as near on either side
    events = sorted(Event(float(t), "left", kinds[i % 2]) for i, t in enumerate(times))
    for time in np.round(rng.uniform(-1.0, 11.0, 200), 2):
        event = Event(float(time), "left", "foot_strike")
        near = [e for e in events if e.kind == event.kind and abs(e.time_s - time) <= SAME_S]
        wanted = min(near, key=lambda e: abs(e.time_s - event.time_s), default=None)
        assert nearest(event, _Searched(events)) == wanted
