"""Each rule of what cannot be: loud on its fault, silent on the walk; what it empties is empty."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from walkers.laboratory import laboratory
from walkers.laboratory_files import walker_of, write_laboratory

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.io.trial import to_trial
from gaitdyn.pipeline import process_loaded
from gaitdyn.quality import cycle_status
from gaitdyn.quality.impossible import carries_a_part, emptied
from gaitdyn.quality.rules import check_result, load_rules, physics, soles
from gaitdyn.quality.rules.anatomy import body_size, excursions
from gaitdyn.quality.rules.both_sides import unlike_rotations, unlike_sides
from gaitdyn.quality.rules.channels import constant_channels
from gaitdyn.quality.rules.cop_path import cop_path, path_rules
from gaitdyn.quality.rules.noise import noise_of
from gaitdyn.quality.rules.numbers import brief_stances, number_rules
from gaitdyn.quality.rules.physics import Whole, likeness, size_of_force
from gaitdyn.quality.rules.plate_gains import free_moment_slope, gain_rules
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.sides import side_of, sides_of
from gaitdyn.stages.ground import force_filter
from gaitdyn.stages.lost_markers import lost_markers
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import newtonian
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.recording import Event, PlateRecord, Recording
    from gaitdyn.types.task import Task

RULES = load_rules()
Change = "Callable[[Recording], Recording]"


@pytest.fixture(scope="module")
def session(synthetic: Path) -> Session:
    return read_session(synthetic / "walk01.c3d", Options())


@pytest.fixture(scope="module")
def clean(session: Session) -> Result:
    return process_loaded(session, Options())


def processed(
    session: Session, change: Callable[[Recording], Recording], **settings: Any
) -> Result:
    trial = to_trial(change(session.trial.recording), session.trial.R_GL)
    return process_loaded(replace(session, trial=trial), Options(**settings))


def codes(result: Result) -> set[str]:
    return {f.code for f in result.findings if f.level != "info"}


def exchanged(one: str, other: str) -> Callable[[Recording], Recording]:
    swap = {one: other, other: one}
    return lambda r: replace(r, labels=tuple(swap.get(x, x) for x in r.labels))


def moved(label: str, by: tuple[float, float, float]) -> Callable[[Recording], Recording]:
    def change(recording: Recording) -> Recording:
        markers = recording.markers_L.copy()
        markers[:, recording.labels.index(label)] += by
        return replace(recording, markers_L=markers)

    return change


def with_channels(change: Callable[[Any], Any]) -> Callable[[Recording], Recording]:
    def act(plate: PlateRecord) -> PlateRecord:
        return replace(plate, channels=change(plate.channels.copy()))

    return lambda r: replace(r, plates=tuple(act(p) for p in r.plates))


def with_corners(by: tuple[float, float, float]) -> Callable[[Recording], Recording]:
    def act(plate: PlateRecord) -> PlateRecord:
        return replace(plate, corners_L=plate.corners_L + by)

    return lambda r: replace(r, plates=tuple(act(p) for p in r.plates))


def known(result: Result, name: str) -> bool:
    (curve,) = (c for c in run_curves(result) if c.name == name)
    return bool(np.isfinite(curve.values).any())


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
def test_exchanged_labels_are_seen(session: Session, one: str, other: str, told: set[str]) -> None:
    assert told <= codes(processed(session, exchanged(one, other)))


def test_an_impossible_knee_empties_its_leg_and_not_the_other(
    session: Session, clean: Result
) -> None:
    result = processed(session, exchanged("LKNE", "LANK"))
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


def test_an_impossible_pelvis_empties_both_legs(session: Session) -> None:
    result = processed(session, exchanged("LASI", "RASI"))
    for side in ("left", "right"):
        for name in ("pelvis_angle_tilt", "hip_angle_flexion", "hip_moment_extension"):
            assert not known(result, f"{side}_{name}")
    for curves in cycle_curves(result, run_curves(result)):
        for name in ("pelvis_angle_tilt", "pelvis_angle_rotation", "foot_angle_progression"):
            assert np.isnan(curves.values[:, curves.names.index(name)]).all(), name


def test_what_cannot_be_is_published_only_when_asked_and_marked(session: Session) -> None:
    result = processed(session, exchanged("LKNE", "LANK"), publish_anyway=True)
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
        (with_channels(lambda v: v * [1, 0, 1, 1, 1, 1]), "channel-constant"),
        (with_channels(lambda v: np.clip(v, -400.0, 400.0)), "channel-cut-off"),
        (lambda r: replace(r, rate_hz=4 * r.rate_hz), "speed-implausible"),
    ],
)
def test_a_fault_is_told_by_its_rule(
    session: Session, clean: Result, change: Callable[[Recording], Recording], code: str
) -> None:
    assert code not in codes(clean)
    assert code in codes(processed(session, change))


def test_late_events_load_a_swinging_foot(session: Session, clean: Result) -> None:
    def later(recording: Recording) -> Recording:
        events = [replace(e, time_s=e.time_s + 0.2) for e in recording.events]
        return replace(recording, events=tuple(events))

    assert "load-in-swing" not in codes(clean)
    assert "load-in-swing" in codes(processed(session, later))


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
    session: Session, change: Callable[[Event], Event]
) -> None:
    """Nothing was said of them: every cycle began at another moment."""

    def without_plates(recording: Recording) -> Recording:
        return replace(recording, plates=())

    def wrong(recording: Recording) -> Recording:
        events = tuple(sorted(change(event) for event in recording.events))
        return replace(recording, plates=(), events=events)

    assert "events-out-of-step" not in codes(processed(session, without_plates))
    assert "events-out-of-step" in codes(processed(session, wrong))


def test_plates_that_lag_load_a_moving_foot(session: Session, clean: Result) -> None:
    def late(recording: Recording) -> Recording:
        n = round(0.12 * recording.rate_hz * recording.samples_per_frame)
        return with_channels(lambda v: np.roll(v, n, axis=0))(recording)

    assert "load-on-moving-foot" not in codes(clean)
    assert "load-on-moving-foot" in codes(processed(session, late))


@pytest.mark.parametrize("plates", ["plate 1", "plates 1, 2"])
def test_a_foot_loads_one_plate_or_several(
    clean: Result, plates: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two plates under a foot "carries" it, the message said."""
    monkeypatch.setattr(soles, "MOVING_M_S", 0.0)
    (found,) = soles.moving_feet(clean, replace(steps(clean)[0], plates=plates), RULES)
    assert f" foot loads {plates} for " in found.message


def test_without_a_static_the_legs_are_held_against_each_other(
    session: Session, clean: Result
) -> None:
    alone = replace(session, static=None)
    untouched = process_loaded(alone, Options(static="none"))
    assert "sides-unlike" not in codes(untouched)
    for off in (0.1, -0.1):
        assert "sides-unlike" in codes(processed(alone, moved("LASI", (0.0, off, 0.0))))
        assert "sides-unlike" in codes(processed(alone, moved("LKNE", (0.0, off, 0.0))))
        heel = processed(alone, moved("LHEE", (0.0, off, 0.0)))
        assert any(f.code == "sides-unlike" and f.scope == "LANK, RANK" for f in heel.findings)


def test_a_wand_further_ahead_than_the_other_is_seen_without_a_static(session: Session) -> None:
    alone = replace(session, static=None)
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


def test_a_stance_that_no_leg_of_its_length_walks_is_seen(clean: Result) -> None:
    assert not brief_stances(clean, RULES)
    fast = replace(clean, recording=replace(clean.recording, rate_hz=2 * clean.recording.rate_hz))
    found = brief_stances(fast, RULES)
    assert {(f.code, f.scope) for f in found} == {
        ("stride-time", "left stance"), ("stride-time", "right stance")
    }  # fmt: skip


@pytest.mark.parametrize("label", ["LTHI", "LTIB", "RTHI", "RTIB"])
def test_a_wand_on_the_other_side_of_its_leg_is_seen(
    session: Session, clean: Result, label: str
) -> None:
    """Mirrored at its leg a marker may keep all its distances to the static."""
    inward = -0.1 if label[0] == "L" else 0.1
    result = processed(session, moved(label, (0.0, inward, 0.0)))
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


def test_without_a_static_the_walk_tells_which_marker_it_lost(session: Session) -> None:
    def without(*labels: str) -> list[tuple[str, str, str | None]]:
        recording = session.trial.recording
        markers = recording.markers_L.copy()
        markers[:, [recording.labels.index(label) for label in labels]] = np.nan
        bare = replace(recording, markers_L=markers)
        found = lost_markers(bare, None, session.model, bare.labels)
        return [(f.code, f.scope, f.side) for f in found]

    assert not without()
    assert without("LTIB") == [("marker-lost", "LTIB", "left")]
    assert not without("LTIB", "RTIB")  # a laboratory that uses it in the static alone


def test_a_lost_marker_is_told_if_the_other_side_is_read_from_a_second_set(
    session: Session,
) -> None:
    """A file may hold two marker sets: RASI is then no role of its own, and RASIS is RASI."""
    recording = session.trial.recording
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
    found = lost_markers(both, None, session.model, written)
    assert [(f.code, f.scope) for f in found] == [("marker-lost", "LASI")]


def test_a_marker_that_the_static_alone_lacks_is_told(session: Session) -> None:
    walk, static = session.trial.recording, session.static
    assert static is not None

    def lacking(*gone: str) -> list[tuple[str, str]]:
        kept = [i for i, x in enumerate(static.labels) if x not in gone]
        markers = static.markers_G[:, kept]
        labels = tuple(static.labels[i] for i in kept)
        bare = replace(static.recording, labels=labels, markers_L=markers)
        return [(f.code, f.scope) for f in lost_markers(walk, bare, session.model, walk.labels)]

    assert not lacking()
    assert lacking("LHEE") == [("marker-lost", "LHEE")]
    assert not lacking("LHEE", "RHEE")  # a laboratory that uses them in the walk alone


def test_a_centre_of_pressure_that_stays_is_seen(session: Session, clean: Result) -> None:
    def still(plate: PlateRecord) -> PlateRecord:
        channels = plate.channels.copy()
        channels[:, 3:5] = 0.0
        return replace(plate, channels=channels)

    found = processed(session, lambda r: replace(r, plates=tuple(still(p) for p in r.plates)))
    assert "cop-still" in codes(found)


def test_a_centre_of_pressure_that_goes_across_the_foot_is_seen(
    session: Session, clean: Result
) -> None:
    assert "cop-across" not in codes(clean)

    def exchanged(plate: PlateRecord) -> PlateRecord:
        channels = plate.channels.copy()
        channels[:, [3, 4]] = channels[:, [4, 3]]
        return replace(plate, channels=channels)

    found = processed(session, lambda r: replace(r, plates=tuple(exchanged(p) for p in r.plates)))
    assert "cop-across" in codes(found)


def channels_times(gains: list[float]) -> Callable[[Recording], Recording]:
    def changed(plate: PlateRecord) -> PlateRecord:
        return replace(plate, channels=plate.channels * gains)

    return lambda r: replace(r, plates=tuple(changed(p) for p in r.plates))


def test_half_a_moment_takes_the_force_half_the_way(session: Session, clean: Result) -> None:
    assert "cop-short" not in codes(clean)
    found = processed(session, channels_times([1.0, 1.0, 1.0, 0.5, 0.5, 0.5]))
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
    session: Session, gain: float
) -> None:
    plate = session.trial.plates[0]
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
    session: Session, weight: float
) -> None:
    """The walker's own free moment follows the small moment of its shear forces (by -0.5)."""
    plate = session.trial.plates[0]
    rows = np.flatnonzero(plate.force_G @ plate.normal_G > 150.0)
    force, moment = weight * plate.force_G, weight * plate.moment_G
    assert free_moment_slope(replace(plate, force_G=force, moment_G=moment), rows) == 0.0
    arm = np.array([0.0, 0.0, 0.3])  # shear turns more about a centre 0.3 m beside the walk
    moment = moment + np.cross(arm, force)
    assert free_moment_slope(replace(plate, force_G=force, moment_G=moment), rows) == 0.0
    halved = moment - 0.5 * np.outer(moment @ plate.normal_G, plate.normal_G)
    slope = free_moment_slope(replace(plate, force_G=force, moment_G=halved), rows)
    assert slope == pytest.approx(-0.5, abs=0.15)


def test_a_wrong_gain_of_the_vertical_moment_is_seen(session: Session) -> None:
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

        return lambda r: replace(r, plates=tuple(moved(p) for p in r.plates))

    assert "twist-with-shear" not in codes(processed(session, aside(1.0)))
    assert "twist-with-shear" in codes(processed(session, aside(0.5)))


@pytest.mark.parametrize(
    ("channel", "size", "code"), [(2, 40.0, "plate-noise"), (3, 15.0, "cop-noise")]
)
def test_a_noisy_channel_is_told(
    session: Session, clean: Result, channel: int, size: float, code: str
) -> None:
    def noisy(r: Recording) -> Recording:
        random = np.random.default_rng(3)

        def one(p: PlateRecord) -> PlateRecord:
            channels = p.channels.copy()
            channels[:, channel] += size * random.normal(size=len(channels))
            return replace(p, channels=channels)

        return replace(r, plates=tuple(one(p) for p in r.plates))

    assert code not in codes(clean)
    assert code in codes(processed(session, noisy))


def test_a_plate_whose_channels_never_change_has_no_noise(clean: Result) -> None:
    plates = tuple(replace(p, channels=np.ones_like(p.channels)) for p in clean.recording.plates)
    still = replace(clean, recording=replace(clean.recording, plates=plates))
    assert not [f for f in gain_rules(still, RULES) if f.code.endswith("-noise")]


def test_shear_forces_that_are_exchanged_are_seen(session: Session, clean: Result) -> None:
    assert "force-direction" not in codes(clean)

    def exchanged(plate: PlateRecord) -> PlateRecord:
        channels = plate.channels.copy()
        channels[:, [0, 1]] = channels[:, [1, 0]]
        return replace(plate, channels=channels)

    found = processed(session, lambda r: replace(r, plates=tuple(exchanged(p) for p in r.plates)))
    assert "force-direction" in codes(found)


def test_a_small_foot_has_a_narrow_sole(clean: Result) -> None:
    from gaitdyn.quality.rules.soles import force_under_sole

    step = next(s for s in steps(clean) if s.entire)
    heel, toe = (point[step.start : step.stop] for point in clean.feet[step.side])
    right = np.cross(clean.pose.walking_G, (0.0, 1.0, 0.0))

    def told(part: float) -> set[str]:
        shorter = {step.side: (heel, heel + part * (toe - heel))}
        whole = {
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


def test_long_legs_walk_slowly(clean: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from gaitdyn.quality.rules import numbers

    length = numbers.leg_length(clean)
    assert length == pytest.approx(0.85, abs=0.1)
    assert numbers.walking_speed(clean, RULES) == []
    origin = clean.pose.origin_G
    way = float(np.hypot(*(origin[-1] - origin[0])[[0, 2]])) / (len(origin) - 1)
    quick = replace(clean, recording=replace(clean.recording, rate_hz=2.8 / way))
    (found,) = numbers.walking_speed(quick, RULES)
    assert (found.code, found.value) == ("speed-implausible", pytest.approx(2.8, rel=0.01))

    def strides(seconds: float) -> list[str]:
        stop = seconds * clean.recording.rate_hz
        one = SimpleNamespace(number=1, start_row=0.0, stop_row=stop)
        monkeypatch.setattr(numbers, "find_cycles", lambda _result, _side: [one])
        return [f.code for f in numbers.rhythm(clean, RULES)]

    assert strides(0.75) == []
    assert strides(0.6) == ["stride-time", "stride-time"]


def test_a_leg_without_its_markers_is_told(synthetic: Path) -> None:
    from gaitdyn.calibrate.marker_models import choose_model
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


def test_noise_is_measured_and_told(session: Session, clean: Result) -> None:
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
    assert "marker-noise" in codes(processed(session, shake))
    assert (side_of("LKNE"), side_of("RASI"), side_of("SACR")) == ("left", None, None)


def test_markers_that_blink_are_mostly_filled(session: Session, clean: Result) -> None:
    def blink(recording: Recording) -> Recording:
        markers = recording.markers_L.copy()
        markers[::2] = np.nan
        return replace(recording, markers_L=markers)

    assert "marker-sparse" not in codes(clean)
    assert "marker-sparse" in codes(processed(session, blink))


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
    {"moment": moment, "power": power, "force": force}[which][row, 1] = (per_kg * mass, 0.0, 0.0)
    broken = replace(kinetics, loads=replace(loads, moment_S=moment, force_G=force), power=power)
    left = replace(clean.sides["left"], kinetics=broken)
    result = replace(clean, sides=clean.sides | {"left": left})
    (found,) = check_result(result, RULES)
    assert (found.code, found.side, found.joint, found.level) == (code, "left", "knee", "error")
    told = emptied(replace(result, judged=(found,)), RULES).sides["left"].kinetics
    assert told is not None
    lost = kinetics.published & ~told.published
    assert lost[row].all()
    assert lost.any(axis=1).sum() <= 2 * round(0.3 * clean.recording.rate_hz) + 1


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
        words = {14.0: "walking asks for (14 W/kg)", 80.0: "running or jumping asks for (80 W/kg)"}
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


@pytest.mark.parametrize("rate", [100.0, 120.0, 200.0])
def test_the_mean_of_the_acceleration_is_of_the_frame_it_stands_at(
    clean: Result, rate: float
) -> None:
    """The smoothed second difference of a symmetric path is symmetric about the same frame."""
    n = 2 * 80 + 1
    legs = {side: getattr(clean.pose, side) for side in ("left", "right")}
    path = np.zeros((n, 3, 3))
    path[:, 2, 1] = np.exp(-(((np.arange(n) - 80) / rate / 0.06) ** 2))
    pose = replace(
        clean.pose,
        **{side: replace(leg, r_prox_G=path) for side, leg in legs.items()},
    )
    force = np.full((n, 3), 700.0)
    sides = {
        name: replace(side, wrench=SimpleNamespace(force_G=force))
        for name, side in clean.sides.items()
    }
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
    options = Options(static=str(files.static))
    session = read_session(files.walk, options)

    def told(late_s: float) -> list[Finding]:
        def late(plate: PlateRecord) -> PlateRecord:
            return replace(plate, channels=np.roll(plate.channels, round(late_s * 10 * rate), 0))

        own = session.trial.recording
        moved = replace(own, plates=tuple(late(plate) for plate in own.plates))
        trial = to_trial(moved, session.trial.R_GL)
        found = process_loaded(replace(session, trial=trial), options).findings
        return [f for f in found if f.code == "force-lag"]

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


def test_the_joints_that_findings_name_are_those_of_the_body() -> None:
    from gaitdyn.quality.impossible import REACHED

    assert set(REACHED) == {None, "pelvis", "foot", *JOINTS}
