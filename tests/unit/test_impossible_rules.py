"""Each rule of what cannot be: loud on its fault, silent on the walk; what it empties is empty."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.quality import cycle_status
from gaitdyn.quality.rules import check_result, load_rules
from gaitdyn.quality.rules.anatomy import body_size, excursions, turned_feet, varus_with_flexion
from gaitdyn.quality.rules.markers.both_sides import unlike_rotations, unlike_sides
from gaitdyn.quality.rules.markers.noise import noise_of
from gaitdyn.quality.rules.numbers import brief_stances
from gaitdyn.quality.rules.plates.places import silent_plates
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.sides import side_of, sides_of
from gaitdyn.stages.lost_markers import lost_markers, without_lost_of_other_legs
from gaitdyn.stages.session import read_session
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.options import Options
from gaitdyn.types.subject import SIDE_OF
from tests.unit.faulty_walks import (
    codes,
    exchanged,
    known,
    moved,
    processed,
    with_channels,
    with_corners,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Event, Recording

RULES = load_rules()


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("LKNE", "LANK", {"order-up", "range-knee-flexion"}),
        ("LTHI", "LTIB", {"order-up", "static-distance"}),
        ("LASI", "RASI", {"range-pelvis-tilt", "static-distance"}),
        ("LTHI", "RTHI", {"static-distance"}),
        ("LHEE", "LTOE", {"range-ankle-flexion", "static-distance"}),
    ],
)
def test_exchanged_labels_are_seen(as_read: Session, one: str, other: str, told: set[str]) -> None:
    assert told <= codes(processed(as_read, exchanged(one, other)))


def test_an_impossible_knee_empties_its_leg_and_not_the_other(
    as_read: Session, clean: Result
) -> None:
    result = processed(as_read, exchanged("LKNE", "LANK"))
    assert not any("PUBLISHED" in curve.how for curve in run_curves(result))
    for name in ("hip_angle_flexion", "knee_angle_flexion", "ankle_angle_dorsiflexion",
                 "knee_center_x", "hip_moment_extension", "ankle_power"):  # fmt: skip
        assert known(clean, f"left_{name}")
        assert not known(result, f"left_{name}")
        assert known(result, f"right_{name}")
    assert known(result, "left_pelvis_angle_tilt")
    cycles = cycle_curves(result, run_curves(result))
    left = [row for row in cycle_status(result, cycles) if row.side == "left"]
    assert {(row.status, row.verdict) for row in left} == {("skipped", "fail")}


def test_an_impossible_pelvis_empties_both_legs(as_read: Session) -> None:
    result = processed(as_read, exchanged("LASI", "RASI"))
    for side in ("left", "right"):
        for name in ("pelvis_angle_tilt", "hip_angle_flexion", "hip_moment_extension"):
            assert not known(result, f"{side}_{name}")
    for curves in cycle_curves(result, run_curves(result)):
        for name in ("pelvis_angle_tilt", "pelvis_angle_rotation", "foot_angle_progression"):
            assert np.isnan(curves.values[:, curves.names.index(name)]).all(), name


def test_what_cannot_be_is_published_only_when_asked_and_marked(as_read: Session) -> None:
    result = processed(as_read, exchanged("LKNE", "LANK"), publish_anyway=True)
    assert known(result, "left_knee_angle_flexion")
    marked = [f for f in result.findings if "published anyway (publish_anyway)" in f.message]
    assert {f.code for f in marked} >= {"order-up", "range-knee-flexion"}
    assert all(f.level == "error" for f in marked)
    assert all("PUBLISHED ANYWAY" in curve.how for curve in run_curves(result))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (moved("LASI", (0.0, 0.1, 0.0)), "static-distance"),
        (moved("RANK", (0.0, 0.1, 0.0)), "static-distance"),
        (moved("RTOE", (0.0, 0.1, 0.0)), "static-distance"),
        (lambda r: replace(r, markers_L=10.0 * r.markers_L), "body-size"),
        (with_corners((0.0, 0.0, 0.1)), "plate-height"),
        (with_corners((0.1, 0.0, 0.0)), "cop-before-toes"),
        (with_corners((-0.1, 0.0, 0.0)), "cop-behind-heel"),
        (with_channels(lambda v: 0.0 * v), "plate-silent"),
        (with_channels(lambda v: 0.0 * v + 1400.0), "plate-silent"),
        (with_channels(lambda v: v * [1, 0, 1, 1, 1, 1]), "channel-constant"),
        (with_channels(lambda v: np.clip(v, -400.0, 400.0)), "channel-cut-off"),
        (lambda r: replace(r, rate_hz=4 * r.rate_hz), "speed-implausible"),
    ],
)
def test_a_fault_is_told_by_its_rule(
    as_read: Session, clean: Result, change: Callable[[Recording], Recording], code: str
) -> None:
    assert code not in codes(clean)
    assert code in codes(processed(as_read, change))


def test_a_plate_on_which_a_person_stands_throughout_is_not_silent(as_read: Session) -> None:
    stuck = processed(as_read, with_channels(lambda v: 0.0 * v + 1400.0))
    said = [f.message for f in silent_plates(stuck, RULES)]
    assert said
    assert all("stays at 1400 N while the" in message for message in said)
    trial = stuck.trial
    throughout = np.ones(stuck.recording.n_frames, bool)
    stood = [replace(p, standing=throughout) for p in trial.plates]
    there = replace(stuck, trial=replace(trial, plates=tuple(stood)))
    assert not silent_plates(there, RULES)


@pytest.mark.parametrize("task", ["walking", "stairs"])
def test_a_stair_may_stand_on_a_plate(as_read: Session, task: str) -> None:
    lower = processed(as_read, with_corners((0.0, 0.0, -0.1)), task=task)
    said = [f.message for f in lower.findings if f.code == "plate-height"]
    assert said
    assert all(("unless a stair" in message) == (task == "stairs") for message in said)


def other_side(event: Event) -> Event:
    return replace(event, side="left" if event.side == "right" else "right")


def other_kind(event: Event) -> Event:
    return replace(event, kind="foot_off" if event.kind == "foot_strike" else "foot_strike")


@pytest.mark.parametrize(
    "change",
    [other_side, other_kind, lambda event: replace(event, time_s=event.time_s + 0.3)],
    ids=["of the other side", "exchanged", "late"],
)
def test_events_out_of_step_are_told_without_plates(
    as_read: Session, change: Callable[[Event], Event]
) -> None:
    """Nothing was said of them: every cycle began at another moment."""

    def without_plates(recording: Recording) -> Recording:
        return replace(recording, plates=())

    def wrong(recording: Recording) -> Recording:
        events = tuple(sorted(change(event) for event in recording.events))
        return replace(recording, plates=(), events=events)

    assert "events-out-of-step" not in codes(processed(as_read, without_plates))
    assert "events-out-of-step" in codes(processed(as_read, wrong))


def test_without_a_static_the_legs_are_held_against_each_other(as_read: Session) -> None:
    alone = replace(as_read, static=None)
    untouched = process_loaded(alone, Options(static="none"))
    assert "sides-unlike" not in codes(untouched)
    for off in (0.1, -0.1):
        assert "sides-unlike" in codes(processed(alone, moved("LASI", (0.0, off, 0.0))))
        assert "sides-unlike" in codes(processed(alone, moved("LKNE", (0.0, off, 0.0))))
        heel = processed(alone, moved("LHEE", (0.0, off, 0.0)))
        assert any(f.code == "sides-unlike" and f.scope == "LANK, RANK" for f in heel.findings)


def test_a_wand_further_ahead_than_the_other_is_seen_without_a_static(as_read: Session) -> None:
    alone = replace(as_read, static=None)
    for label in ("LTHI", "RTIB"):
        ahead = processed(alone, moved(label, (0.1, 0.0, 0.0)))
        told = {f.scope for f in ahead.findings if f.code == "sides-unlike"}
        assert f"L{label[1:]}, R{label[1:]}" in told


def test_markers_of_one_joint_are_as_far_apart_on_both_sides(synthetic: Path) -> None:
    result = process_loaded(read_session(synthetic / "walk01.c3d", Options()), Options())
    trial = result.trial
    medial = [trial.marker(f"{x}ANK") * 1.0 for x in "LR"]
    for path, wide in zip(medial, (0.07, 0.11), strict=True):
        path[:, 2] += wide
    markers = np.concatenate((trial.markers_G, np.stack(medial, axis=1)), axis=1)
    shown = replace(trial, labels=(*trial.labels, "LMED", "RMED"), markers_G=markers)
    found = unlike_sides(replace(result, trial=shown), RULES)
    assert [f.scope for f in found] == ["LANK, RANK", "LMED, RMED"]
    assert not unlike_sides(result, RULES)


def test_one_leg_that_squats_without_a_static_ends_in_no_error(synthetic: Path) -> None:
    """It was a KeyError: of the pelvis both sides were compared where each leg is straight."""
    leg = ("RTHI", "RKNE", "RTIB", "RANK", "RHEE", "RTOE")
    lost = tuple((label, f"q{i}z") for i, label in enumerate(leg))
    for task in ("squat", "running"):
        options = Options(static="none", task=task, rename=lost)
        result = process_trial(synthetic / "walk01.c3d", options)
        assert set(result.sides) == {"left"}
        assert "sides-unlike" not in codes(result)


def test_hips_that_are_turned_apart_are_information(clean: Result) -> None:
    assert not unlike_rotations(clean, RULES)
    angles = {name: values.copy() for name, values in clean.sides["left"].angles.items()}
    angles["hip"][:, 2] -= 40.0
    sides = clean.sides | {"left": replace(clean.sides["left"], angles=angles)}
    (found,) = unlike_rotations(replace(clean, sides=sides), RULES)
    assert (found.code, found.level) == ("rotations-unlike", "info")
    assert "hip rotation differs by 40 deg between sides" in found.message


@pytest.mark.parametrize(
    ("joint", "code", "deg"),
    [("knee", "excursion-knee-adduction", 32.0), ("ankle", "excursion-ankle-inversion", 40.0)],
)
def test_an_angle_that_moves_further_than_any_walk_moves_it_is_a_warning(
    clean: Result, joint: str, code: str, deg: float
) -> None:
    assert not excursions(clean, RULES)
    angles = {name: values.copy() for name, values in clean.sides["left"].angles.items()}
    angles[joint][:, 1] = np.linspace(-0.5, 0.5, len(angles[joint])) * deg
    sides = clean.sides | {"left": replace(clean.sides["left"], angles=angles)}
    (found,) = excursions(replace(clean, sides=sides), RULES)
    assert (found.code, found.level, found.joint) == (code, "warning", joint)
    assert found.value == pytest.approx(0.96 * deg, rel=0.02)


@pytest.mark.parametrize(("turned_deg", "told"), [(15.0, False), (25.0, True), (-25.0, True)])
def test_a_knee_whose_axis_is_turned_is_a_warning(
    clean: Result, turned_deg: float, told: bool
) -> None:
    """About an axis turned by this angle, flexion moves the shank sideways too."""
    assert not list(varus_with_flexion(clean, RULES))
    angles = {name: values.copy() for name, values in clean.sides["left"].angles.items()}
    angles["knee"][:, 1] = np.tan(np.radians(turned_deg)) * angles["knee"][:, 0]
    sides = clean.sides | {"left": replace(clean.sides["left"], angles=angles)}
    found = list(varus_with_flexion(replace(clean, sides=sides), RULES))
    assert [(f.code, f.side, f.joint) for f in found] == [
        ("knee-axis-turned", "left", "knee")
    ] * told
    assert all("turned by about 25 deg" in f.message for f in found)


@pytest.mark.parametrize(("deg", "word"), [(30.0, ""), (45.0, "inward"), (-45.0, "outward")])
def test_a_foot_that_is_turned_against_its_shank_is_a_warning(
    clean: Result, deg: float, word: str
) -> None:
    angles = {name: values.copy() for name, values in clean.sides["left"].angles.items()}
    angles["ankle"][:, 2] = deg
    sides = clean.sides | {"left": replace(clean.sides["left"], angles=angles)}
    found = list(turned_feet(replace(clean, sides=sides), RULES))
    assert [(f.code, f.scope, f.side, f.joint) for f in found] == [
        ("foot-turned", "left ankle", "left", "ankle")
    ] * bool(word)
    assert all(f"turned {word} by 45 deg" in f.message for f in found)


def test_a_stance_that_no_leg_of_its_length_walks_is_seen(clean: Result) -> None:
    assert not brief_stances(clean, RULES)
    fast = replace(clean, recording=replace(clean.recording, rate_hz=2 * clean.recording.rate_hz))
    found = brief_stances(fast, RULES)
    assert {(f.code, f.scope) for f in found} == {
        ("stride-time", "left stance"), ("stride-time", "right stance")
    }  # fmt: skip


@pytest.mark.parametrize("label", ["LTHI", "LTIB", "RTHI", "RTIB"])
def test_a_wand_on_the_other_side_of_its_leg_is_seen(
    as_read: Session, clean: Result, label: str
) -> None:
    """Mirrored at its leg a marker may keep all its distances to the static."""
    inward = -0.1 if label[0] == "L" else 0.1
    result = processed(as_read, moved(label, (0.0, inward, 0.0)))
    told = {f.scope for f in result.findings if f.code == "sides-unlike"}
    assert told == {f"L{label[1:]}, R{label[1:]}"}
    (found,) = (f for f in result.findings if f.code == "sides-unlike")
    assert sides_of(result, found) == ("left", "right")  # nobody knows which of them is right
    assert "sides-unlike" not in codes(clean)


@pytest.mark.parametrize(
    ("height_m", "mass_kg", "told"),
    [
        (1.75, 70.0, []),
        (None, 70.0, []),
        (None, None, []),
        (1.75 * 2, 70.0, ["leg-for-height"]),  # as if the points had half their size
        (1.75 / 2, 70.0, ["leg-for-height"]),
        (None, 70.0 * 4, ["leg-for-mass"]),
        (None, 70.0 / 4, ["leg-for-mass"]),
    ],
)
def test_legs_that_do_not_go_with_height_or_mass_are_told(
    clean: Result, height_m: float | None, mass_kg: float | None, told: list[str]
) -> None:
    subject = replace(clean.subject, height_m=height_m, mass_kg=mass_kg)
    found = body_size(replace(clean, subject=subject), RULES)
    assert [finding.code for finding in found] == told
    assert all(f.level == "warning" and f.limit is not None for f in found)


def test_without_a_static_the_walk_tells_which_marker_it_lost(as_read: Session) -> None:
    def without(*labels: str) -> list[tuple[str, str, str | None]]:
        recording = as_read.trial.recording
        markers = recording.markers_L.copy()
        markers[:, [recording.labels.index(label) for label in labels]] = np.nan
        bare = replace(recording, markers_L=markers)
        found = lost_markers(bare, None, as_read.model, bare.labels)
        return [(f.code, f.scope, f.side) for f in found]

    assert not without()
    assert without("LTIB") == [("marker-lost", "LTIB", "left")]
    assert not without("LTIB", "RTIB")  # a laboratory that uses it in the static alone


def test_a_lost_marker_is_told_if_the_other_side_is_read_from_a_second_set(
    as_read: Session,
) -> None:
    """A file may hold two marker sets: RASI is then no role of its own, and RASIS is RASI."""
    recording = as_read.trial.recording
    column = recording.labels.index
    second = recording.markers_L[:, [column("LASI"), column("RASI")]]
    first = recording.markers_L.copy()
    first[:, column("LASI")] = np.nan
    written = (*recording.labels, "LASIS", "RASIS")
    roles = tuple({"LASI": "*LASI", "RASI": "*RASI"}.get(x, x) for x in recording.labels)
    both = replace(
        recording,
        labels=(*roles, "LASI", "RASI"),
        markers_L=np.concatenate([first, second], axis=1),
    )
    found = lost_markers(both, None, as_read.model, written)
    assert [(f.code, f.scope) for f in found] == [("marker-lost", "LASI")]


def test_a_marker_that_the_walk_alone_lacks_is_told(as_read: Session) -> None:
    walk, static = as_read.trial.recording, as_read.static
    assert static is not None
    bare = replace(walk, labels=tuple("x" if x == "LHEE" else x for x in walk.labels))
    (found,) = lost_markers(bare, static.recording, as_read.model, bare.labels)
    assert (found.code, found.scope, found.side) == ("marker-lost", "LHEE", "left")
    assert "visible in the static but not in the walk, which shows RHEE" in found.message


def test_a_marker_that_the_static_alone_lacks_is_told(as_read: Session) -> None:
    walk, static = as_read.trial.recording, as_read.static
    assert static is not None

    def lacking(*gone: str) -> list[tuple[str, str]]:
        kept = [i for i, x in enumerate(static.labels) if x not in gone]
        markers = static.markers_G[:, kept]
        labels = tuple(static.labels[i] for i in kept)
        bare = replace(static.recording, labels=labels, markers_L=markers)
        return [(f.code, f.scope) for f in lost_markers(walk, bare, as_read.model, walk.labels)]

    assert not lacking()
    assert lacking("LHEE") == [("marker-lost", "LHEE")]
    assert not lacking("LHEE", "RHEE")  # a laboratory that uses them in the walk alone


def test_a_leg_that_only_the_static_lacks_is_told_as_missing(
    synthetic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing replaces its markers."""
    from gaitdyn.io.recording import read_recording
    from gaitdyn.stages import session
    from gaitdyn.stages.standing import read_static

    static = read_recording(synthetic / "static.c3d")
    gone = [i for i, x in enumerate(static.labels) if x in ("LHEE", "LTOE")]
    markers = static.markers_L.copy()
    markers[:, gone] = np.nan
    bare = replace(static, markers_L=markers, sha256="")
    file = replace(read_static(synthetic / "walk01.c3d", static, Options()), recording=bare)
    monkeypatch.setattr(session, "read_static", lambda *_: file)
    found = session.read_session(synthetic / "walk01.c3d", Options())
    assert found.sides == ["right"]
    (told,) = [f for f in found.findings if f.code in ("leg-missing", "marker-lost")]
    assert (told.code, told.side) == ("leg-missing", "left")
    assert told.message.endswith("not seen in the static static.c3d: LTOE")


def test_of_a_leg_that_is_not_computed_only_lost_markers_of_the_pelvis_are_told() -> None:
    def lost(label: str) -> Finding:
        return Finding("warning", "marker-lost", label, "", side=SIDE_OF[label[0]])

    found = [lost(label) for label in ("LPSI", "LKNE", "RKNE")]
    kept = without_lost_of_other_legs(found, ["right"])
    assert [f.scope for f in kept] == ["LPSI", "RKNE"]


def test_long_legs_walk_slowly(clean: Result, monkeypatch: pytest.MonkeyPatch) -> None:

    from gaitdyn.quality.rules import numbers

    length = numbers.leg_length(clean)
    assert length == pytest.approx(0.85, abs=0.1)
    assert numbers.walking_speed(clean, RULES) == []
    origin = clean.pose.origin_G
    way = float(np.hypot(*(origin[-1] - origin[0])[[0, 2]])) / (len(origin) - 1)
    quick = replace(clean, recording=replace(clean.recording, rate_hz=2.8 / way))
    (found,) = numbers.walking_speed(quick, RULES)
    assert (found.code, found.value) == ("speed-implausible", pytest.approx(2.8, rel=0.01))

    def strides(seconds: float, rules: Rules = RULES) -> list[str]:
        stop = seconds * clean.recording.rate_hz
        one = SimpleNamespace(number=1, start_row=0.0, stop_row=stop)
        monkeypatch.setattr(numbers, "find_cycles", lambda _result, _side: [one])
        return [f.code for f in numbers.rhythm(clean, rules)]

    assert strides(0.75) == []
    assert strides(0.6) == ["stride-time", "stride-time"]

    def limited(code: str, **limits: Any) -> Rules:
        return Rules(RULES.by_code | {code: replace(RULES[code], **limits)})

    for limit, told in ((3.2, []), (2.9, [found.limit]), (2.0, [2.0])):  # a laboratory's own
        own = numbers.walking_speed(quick, limited("speed-implausible", limit=limit))
        assert [f.limit for f in own] == told
    assert strides(0.6, limited("stride-time", low=0.3)) == []
    assert strides(0.29, limited("stride-time", low=0.3)) == ["stride-time", "stride-time"]
    assert strides(0.75, limited("stride-time", low=0.8)) == ["stride-time", "stride-time"]


def test_a_leg_without_its_markers_is_told(synthetic: Path) -> None:
    from gaitdyn.calibrate.models.choice import choose_model
    from gaitdyn.io.recording import read_recording
    from gaitdyn.stages.reading import missing_legs

    recording = read_recording(synthetic / "walk01.c3d")
    assert missing_legs(choose_model(recording, "plug-in-gait")) == []
    markers = recording.markers_L.copy()
    markers[:, recording.labels.index("RANK")] = np.nan
    (found,) = missing_legs(choose_model(replace(recording, markers_L=markers), "plug-in-gait"))
    assert (found.code, found.side) == ("leg-missing", "right")
    assert "RANK" in found.message


def test_of_one_leg_no_label_is_told_where_all_are_ours(synthetic: Path) -> None:
    from gaitdyn.io.recording import read_recording
    from gaitdyn.stages.labels import resolve

    def left(name: str) -> Recording:
        recording = read_recording(synthetic / name)
        kept = [i for i, x in enumerate(recording.labels) if x[0] == "L" or x in {"RASI", "RPSI"}]
        labels = tuple(recording.labels[i] for i in kept)
        return replace(recording, labels=labels, markers_L=recording.markers_L[:, kept])

    found = resolve(left("walk01.c3d"), left("static.c3d"), Options())
    assert found.match.sides == ["left"]
    assert [line for line in found.log if "labels" in line] == []


def test_a_joint_that_is_nowhere_known_is_told(clean: Result) -> None:
    left = clean.sides["left"]
    angles = left.angles | {"knee": np.full_like(left.angles["knee"], np.nan)}
    blind = replace(clean, sides=clean.sides | {"left": replace(left, angles=angles)})
    told = [f for f in check_result(blind, RULES) if f.code == "joint-unknown"]
    assert [(f.side, f.joint) for f in told] == [("left", "knee")]


def test_noise_is_measured_and_told(as_read: Session, clean: Result) -> None:
    rng = np.random.default_rng(3)
    t = np.arange(300)[:, None] / 100
    path = 0.2 * np.sin(2 * np.pi * 2 * t) * [1, 1, 0.5]
    assert noise_of(path, 100.0) < 1e-5
    noise = rng.normal(0, 0.004, path.shape)
    noisy = path + noise
    assert noise_of(noisy, 100.0) == pytest.approx(0.004, rel=0.25)
    late = path + noise * (np.arange(300) > 199)[:, None]
    assert noise_of(late, 100.0) == pytest.approx(0.004, rel=0.25)
    noisy[np.arange(300) % 50 > 20] = np.nan
    assert noise_of(noisy, 100.0) == pytest.approx(0.004, rel=0.25)

    def shake(recording: Recording) -> Recording:
        noise = rng.normal(0, 0.005, recording.markers_L.shape)
        return replace(recording, markers_L=recording.markers_L + noise)

    assert "marker-noise" not in codes(clean)
    assert "marker-noise" in codes(processed(as_read, shake))
    assert (side_of("LKNE"), side_of("RASI"), side_of("SACR")) == ("left", None, None)


def test_markers_that_blink_are_mostly_filled(as_read: Session, clean: Result) -> None:
    def blink(recording: Recording) -> Recording:
        markers = recording.markers_L.copy()
        markers[::2] = np.nan
        return replace(recording, markers_L=markers)

    assert "marker-sparse" not in codes(clean)
    assert "marker-sparse" in codes(processed(as_read, blink))


def test_the_joints_that_findings_name_are_those_of_the_body() -> None:
    from gaitdyn.quality.impossible import REACHED

    assert set(REACHED) == {None, "pelvis", "foot", *JOINTS}
