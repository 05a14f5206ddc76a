"""Markers placed anew, virtually: nothing moved is nothing changed, a shift shifts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.core.rotations import about
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.errors import UsageError
from gaitdyn.judge.repeats.file import read_repeats, write_repeats
from gaitdyn.pipeline import process_trial
from gaitdyn.stages.loads import find_loads
from gaitdyn.stages.motion import find_motion, find_pose
from gaitdyn.tables.answers import cycle_curves_of
from gaitdyn.trial.without_model import emg_only_result
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.attachments import (
    SEGMENT_NUMBERS,
    Attachment,
    _outward,
    attachments,
    static_attachments,
)
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.placed_moments import moment_means
from gaitdyn.uncertainty.placing import Placed, _move, _turned, place_again, placing_errors


@pytest.fixture(scope="module")
def walker(synthetic):
    result = process_trial(synthetic / "walk01.c3d", Options(audit=False))
    return stages_of(result), result


def test_markers_that_stay_change_nothing(walker):
    placed = place_again(*walker, mm=0.0, draws=1)
    assert ("left", "knee_angle_flexion") in placed.curves
    assert ("right", "knee_moment_abduction") in placed.curves
    assert all(np.abs(values).max() == 0.0 for values in placed.curves.values())


def test_a_trial_of_muscles_alone_is_refused_for_its_markers(walker):
    result = walker[1]
    muscles = emg_only_result(result.recording, result.options, "no marker model fits")
    with pytest.raises(UsageError, match="no marker model fits"):
        stages_of(muscles)


def test_an_error_of_placing_is_a_shift_of_some_degrees(walker):
    placed = place_again(*walker, mm=5.0, draws=15)
    for name in ("hip_angle_flexion", "knee_angle_flexion", "pelvis_angle_obliquity"):
        values = placed.curves["left", name]
        size, level = np.mean(values**2), np.mean(np.median(values, axis=1) ** 2)
        assert 0.8 < np.sqrt(size) < 4.0
        assert level / size > 0.8
    rotation = np.sqrt(np.mean(placed.curves["left", "pelvis_angle_rotation"] ** 2))
    assert rotation < 0.5  # the skin over the iliac spines moves no marker fore or aft


def test_moments_of_the_recording_are_those_of_its_whole_cycles(walker):
    run, result = walker
    for side in ("left", "right"):
        means = moment_means(run, run, side, find_cycles(result, side))
        for name in (
            "ankle_moment_plantarflexion",
            "knee_moment_extension",
            "hip_moment_abduction",
        ):
            curves = [c.curve(name) for c in cycle_curves_of(result) if c.cycle.side == side]
            whole = [curve for curve in curves if np.isfinite(curve).all()]
            assert len(whole) > 0
            np.testing.assert_allclose(means[name], np.mean(whole, axis=0), atol=1e-12)


def test_a_body_ahead_of_where_it_was_has_other_moments_by_force_times_lever(walker):
    """10 mm ahead on the plate: 0.01 m times the upward force, about a tenth of N m/kg."""
    run, result = walker
    session = run.session
    shifted = session.trial.markers_G + np.array([0.01, 0.0, 0.0])
    session = replace(session, trial=replace(session.trial, markers_G=shifted))
    motion = find_motion(session, run.body, run.options)
    sides = find_loads(session, run.body, motion, run.ground, run.options)
    ahead = replace(run, session=session, motion=motion, sides=sides)
    cycles = find_cycles(result, "left")
    before, after = (moment_means(one, run, "left", cycles) for one in (run, ahead))
    (upward,) = (
        np.mean([c.curve("grf_y") for c in own if np.isfinite(c.curve("grf_y")).all()], axis=0)
        for own in [[c for c in cycle_curves_of(result) if c.cycle.side == "left"]]
    )
    stance = upward > 5.0  # N/kg
    for name, sign in (
        ("ankle_moment_plantarflexion", -1), ("knee_moment_extension", 1),
        ("hip_moment_extension", -1),
    ):  # fmt: skip
        change = after[name] - before[name]
        np.testing.assert_allclose(change[stance], sign * 0.01 * upward[stance], atol=0.02)


def test_an_error_of_placing_is_some_hundredths_of_a_moment(walker):
    placed = place_again(*walker, mm=5.0, draws=15)
    errors, units = placing_errors(placed)
    moments = {name: error for name, error in errors.items() if "moment" in name}
    assert len(moments) == 5
    for name, error in moments.items():
        assert units[name] == "N m/kg"
        assert 0.04 < np.sqrt(error.band.mean()) < 0.15
        assert error.origin == "15 virtual placings of 5 mm and 0.04 N m/kg from day to day"
    assert not any("power" in name or "grf" in name for name in errors)


def test_a_moment_that_is_not_published_in_a_cycle_does_not_count_there(walker):
    run, result = walker
    cycles = find_cycles(result, "left")
    side = run.sides["left"]
    published = side.kinetics.published.copy()
    for cycle in cycles:
        published[round((cycle.start_row + cycle.stop_row) / 2), 1] = False  # the knee
    hidden = replace(side, kinetics=replace(side.kinetics, published=published))
    partly = replace(run, sides={**run.sides, "left": hidden})
    whole, found = (moment_means(one, one, "left", cycles) for one in (run, partly))
    assert {name for name in whole if name not in found} == {n for n in whole if "knee" in n}


def test_a_person_without_a_mass_has_angles_alone(walker):
    run, result = walker
    light = replace(run, body=replace(run.body, subject=replace(run.body.subject, mass_kg=None)))
    cycles = find_cycles(result, "left")
    assert moment_means(light, light, "left", cycles) == {}
    unloaded = replace(run, sides={s: replace(one, kinetics=None) for s, one in run.sides.items()})
    assert moment_means(unloaded, unloaded, "left", cycles) == {}
    assert moment_means(run, run, "left", []) == {}
    assert moment_means(unloaded, run, "left", cycles) == {}  # loads that a draw does not have


def test_external_moments_are_those_of_the_internal_names(walker):
    run, result = walker
    cycles = find_cycles(result, "left")
    external = replace(run, options=replace(run.options, convention="external"))
    found, internal = (moment_means(one, one, "left", cycles) for one in (external, run))
    assert [*found] == [*internal]
    for name, mean in internal.items():
        np.testing.assert_array_equal(found[name], mean)


def with_medial_knee(static, pose):
    """Return a static with a medial knee marker on the axis, and one on the neck."""
    medial = pose.left.r_prox_G[:, 1] + 0.05 * pose.left.R_GS[:, 2, :, 2]
    added = np.stack((medial, np.add(pose.origin_G, (0.0, 0.5, 0.0))), axis=1)
    markers = np.concatenate((static.markers_G, added), axis=1)
    return replace(static, labels=(*static.labels, "LKNM", "C7"), markers_G=markers)


def test_a_marker_of_the_static_alone_is_placed_again_too(walker):
    """2 mm across 0.1 m of knee turn the thigh by a degree or two, on that side alone."""
    run, result = walker
    pose = find_pose(run.session.static, run.session, run.body, run.options)
    more = with_medial_knee(run.session.static, pose)
    run = replace(run, session=replace(run.session, static=more))
    placed = place_again(run, result, mm=2.0, draws=4)
    left, right = (
        np.sqrt(np.mean(placed.curves[side, "hip_angle_internal_rotation"] ** 2))
        for side in ("left", "right")
    )
    assert 0.1 < left < 4.0
    assert placed.curves["left", "hip_angle_internal_rotation"].shape[0] == 4
    assert right < 4.0


def test_a_marker_moves_in_unknown_frames_as_in_the_nearest_known_one():
    R_GS = about("y", np.linspace(0.0, 0.9, 10))
    R_GS[[0, 4, 5, 6, 9]] = np.nan
    move = np.array([0.003, 0.0, 0.004])
    known = [1, 1, 2, 3, 3, 3, 7, 7, 8, 8]  # of two as near, the first
    np.testing.assert_allclose(_turned(R_GS, move), R_GS[known] @ move)
    np.testing.assert_array_equal(_turned(R_GS * np.nan, move), np.zeros((10, 3)))


def test_markers_move_along_the_skin_of_their_own_segment(walker):
    run, _ = walker
    static, attached = run.session.static, attachments(run.session.trial, run.motion.pose)
    forward, right = np.eye(3)[[0, 2]]
    wanted = {
        "LASI": (0, forward), "RPSI": (0, forward), "LKNE": (3, -right), "RKNE": (6, right),
        "LANK": (2, -right), "RANK": (5, right),
    }  # fmt: skip
    pose = find_pose(static, run.session, run.body, run.options)
    more = with_medial_knee(static, pose)
    attached |= static_attachments(run.session.trial, more, pose)
    assert "C7" not in attached  # of no segment of the legs
    for label, (segment, out) in {**wanted, "LKNM": (3, right)}.items():
        marker = attached[label]
        assert marker.segment == segment
        np.testing.assert_allclose(marker.out_S, out, atol=0.02)
        move = _move(marker, 0.005, np.random.default_rng(0))
        assert abs(move @ marker.out_S) < 1e-9 < np.linalg.norm(move)
    for label in ("LTOE", "RTOE"):
        foot = attached[label]
        thigh = replace(foot, segment=3)
        near, far = (_move(one, 0.005, np.random.default_rng(0)) for one in (foot, thigh))
        np.testing.assert_allclose(near, 0.6 * far)


def test_the_error_of_a_session_has_a_day_in_it(tmp_path):
    wave = np.sin(np.linspace(0.0, 2.0 * np.pi, 101))
    curves = {
        ("left", "knee_angle_flexion"): np.array([3.0 + 2.0 * wave, -3.0 - 2.0 * wave]),
        ("right", "knee_angle_flexion"): np.array([1.0 + 0.0 * wave, np.nan * wave]),
        ("left", "knee_moment_extension"): np.array([0.03 * wave, -0.03 * wave]),
    }
    errors, units = placing_errors(Placed(5.0, curves))
    error, moment = errors.values()
    np.testing.assert_allclose(moment.band, (0.03 * wave) ** 2 + 0.04**2)
    assert units["knee_moment_extension"] == "N m/kg"
    assert error.level == pytest.approx((9 + 9 + 1) / 3 + 0.7)
    np.testing.assert_allclose(error.shape, 2 * (2.0 * wave) ** 2 / 3 + 0.3)
    np.testing.assert_allclose(error.band, (2 * (3.0 + 2.0 * wave) ** 2 + 1.0) / 3 + 1.0)
    write_repeats(tmp_path / "place.csv", errors, units)
    read = read_repeats(tmp_path / "place.csv")["knee_angle_flexion"]
    assert read.origin == "2 virtual placings of 5 mm and 1 deg from day to day, place.csv"
    assert not read.measured


def test_without_a_static_there_is_nothing_to_place(walker):
    run, result = walker
    bare = replace(run, session=replace(run.session, static=None))
    with pytest.raises(UsageError, match="process with a static"):
        place_again(bare, result)
    with pytest.raises(UsageError, match="found no gait cycle"):
        place_again(run, replace(result, events=()))


@pytest.mark.parametrize(
    ("segment", "position", "out"),
    [
        ("pelvis", [0.02, 0.0, -0.12], [1, 0, 0]),  # an anterior spine
        ("left thigh", [0.0, -0.35, -0.06], [0, 0, -1]),  # the lateral condyle
        ("right shank", [0.05, -0.1, 0.0], [1, 0, 0]),  # the tuberosity
        ("right foot", [-0.06, -0.05, 0.01], [1, 0, 0]),  # the heel
        ("left foot", [0.14, -0.06, 0.0], [0, -1, 0]),  # the toe: under the ankle, on the dorsum
        ("left foot", [-0.01, 0.0, -0.04], [0, 0, -1]),  # the lateral malleolus
        ("right shank", [0.0, -0.4, 1e-9], [0, 0, 0]),  # a stored joint centre
    ],
)
def test_a_marker_is_never_moved_through_the_skin(segment, position, out):
    number = SEGMENT_NUMBERS[segment]
    found = _outward(number, np.array(position))
    np.testing.assert_allclose(found, out, atol=1e-12)
    rng = np.random.default_rng(3)
    moves = [_move(Attachment(number, found), 0.005, rng) for _ in range(50)]
    np.testing.assert_allclose(np.array(moves) @ np.array(out), 0.0, atol=1e-12)
    assert np.linalg.norm(moves, axis=1).min() > 0
