"""A marker that is another one for a few frames costs these frames, not the leg; at any rate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.calibrate.clusters.astray import (
    FEW,
    _shares_of_limits,
    _with_ways,
    astray,
    astray_frames,
    pairs_of_segments,
    without_astray,
)
from gaitdyn.io.recording import read_recording
from gaitdyn.quality.rules import briefly
from gaitdyn.stages.session import read_session
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import known, processed

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.stages.session import Session
    from gaitdyn.types.recording import Recording

ROWS = slice(60, 68)
TURNED = "left_hip_angle_internal_rotation"
HILL = 0.15 * np.sin(np.linspace(0.0, np.pi, 20)) ** 2


def swapped(recording: Recording, one: str, other: str, rows: slice = ROWS) -> Recording:
    markers = recording.markers_L.copy()
    a, b = (recording.labels.index(x) for x in (one, other))
    markers[rows, a], markers[rows, b] = (recording.markers_L[rows, k] for k in (b, a))
    return replace(recording, markers_L=markers)


def moved(recording: Recording, label: str, by: float, rows: slice = ROWS) -> Recording:
    markers = recording.markers_L.copy()
    markers[rows, recording.labels.index(label)] += (0.0, by, 0.0)
    return replace(recording, markers_L=markers)


def drifted(recording: Recording) -> Recording:
    markers = recording.markers_L.copy()
    markers[50:70, recording.labels.index("LASI"), 1] += HILL
    return replace(recording, markers_L=markers)


def slow(recording: Recording, step: int = 8) -> Recording:
    return replace(
        recording,
        markers_L=recording.markers_L[::step],
        rate_hz=recording.rate_hz / step,
        plates=(),
        events=(),
    )


def lost(recording: Recording) -> dict[str, list[int]]:
    frames = astray_frames(recording.markers_L, recording.labels)
    return {recording.labels[j]: [int(k) for k in np.flatnonzero(m)] for j, m in frames.items()}


@pytest.mark.parametrize(
    ("one", "other", "gone"),
    [
        ("RASI", "RKNE", {"RASI", "RKNE"}),
        ("LTIB", "LHEE", {"LTIB", "LHEE"}),
        ("LTHI", "LKNE", {"LTHI", "LKNE"}),
        ("LTIB", "RTIB", {"LTIB", "RTIB"}),
    ],
)
def test_exchanged_markers_leave_their_segments(
    as_read: Session, one: str, other: str, gone: set[str]
) -> None:
    recording = as_read.trial.recording
    assert not lost(recording)
    found = lost(swapped(recording, one, other))
    assert set(found) == gone
    assert all(set(range(60, 68)) <= set(rows) <= set(range(58, 70)) for rows in found.values())


def test_an_exchange_that_no_single_marker_explains_is_left_to_the_rules(as_read: Session) -> None:
    """Knee and ankle keep their distances from each other and from the shank marker."""
    assert not lost(swapped(as_read.trial.recording, "LKNE", "LANK"))


def test_a_marker_that_is_wrong_for_long_is_left_to_the_rules(as_read: Session) -> None:
    recording = as_read.trial.recording
    many = slice(60, 60 + round(FEW * recording.n_frames) + 2)
    assert not lost(moved(recording, "LASI", 0.2, many))


def test_what_is_left_out_is_told_with_its_time(as_read: Session) -> None:
    broken = moved(as_read.trial.recording, "LASI", 0.1)
    kept, (found,) = without_astray(broken)
    assert (found.code, found.scope, found.side, found.value) == ("marker-astray", "LASI", None, 8)
    assert found.start_s == pytest.approx(broken.start_s + 60 / broken.rate_hz)
    assert np.isnan(kept.marker("LASI")[ROWS]).all()
    others = [x for x in kept.labels if x != "LASI"]
    for label in others:
        np.testing.assert_array_equal(kept.marker(label), broken.marker(label))


def test_a_drift_away_and_back_is_left_out_with_its_ways(as_read: Session) -> None:
    """No frame jumps, so that the path alone does not show it."""
    rows = lost(drifted(as_read.trial.recording))["LASI"]
    assert np.delete(HILL, [row - 50 for row in rows]).max() < 0.02


def test_of_two_markers_alone_neither_is_astray() -> None:
    pairs = np.array([[0, 1]])
    assert not astray(np.array([[5.0], [np.nan]]), pairs, 2).any()


def test_only_markers_that_move_with_one_segment_are_compared() -> None:
    """A marker at a joint moves with both its segments, one of the trunk or a centre with none."""
    roles = ["LASI", "RASI", "RKNE", "RTIB", "LSHO", "C7", "CLAV", "LHJC", "RSHO"]
    roles[2:2] = [f"L{name}" for name in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")]
    points = np.zeros((3, len(roles), 3))
    points[:, roles.index("RTIB")] = np.nan
    found = [(roles[i], roles[j]) for i, j in pairs_of_segments(points, roles)]
    assert found == [
        ("LASI", "RASI"), ("LTHI", "LKNE"), ("LKNE", "LTIB"), ("LKNE", "LANK"), ("LTIB", "LANK"),
        ("LANK", "LHEE"), ("LANK", "LTOE"), ("LHEE", "LTOE"),
    ]  # fmt: skip


def test_without_pairs_of_a_segment_nothing_is_astray() -> None:
    assert astray_frames(np.zeros((30, 2, 3)), ("LASI", "LTOE")) == {}


def sideways(recording: Recording) -> Recording:
    """Move LTHI to the other side of its leg, at nearly the same distance from the knee."""
    return moved(slow(recording), "LTHI", -0.2, slice(8, 10))


def test_an_impossible_moment_empties_what_is_around_it_and_not_the_leg(as_read: Session) -> None:
    clean, result = (processed(as_read, change) for change in (slow, sideways))
    found = [f for f in result.findings if f.code.startswith("range-")]
    assert found
    assert all(f.start_s is not None and "jumps" in f.message for f in found)
    for name in (TURNED, "left_knee_angle_flexion", "left_knee_center_x"):
        assert 0.6 * known(clean, name) < known(result, name) < known(clean, name)
    assert known(result, "right_knee_angle_flexion") == known(clean, "right_knee_angle_flexion")
    assert known(result, "left_pelvis_angle_tilt") == known(clean, "left_pelvis_angle_tilt")
    beyond = (
        curve for curve in run_curves(result) if curve.name.endswith("hip_angle_internal_rotation")
    )
    assert all(np.nanmax(np.abs(curve.values)) < 90.0 for curve in beyond)


def test_markers_doubted_throughout_cost_the_leg_as_before(
    as_read: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(briefly, "_within", lambda *_: False)
    monkeypatch.setattr(briefly, "THROUGHOUT", ("rate-low",))
    result = processed(as_read, sideways)
    assert known(result, TURNED) == 0
    assert all(f.start_s is None for f in result.findings if f.code.startswith("range-"))


def test_an_angle_that_leaves_its_range_slowly_costs_the_leg(
    as_read: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(briefly, "LEAP_DEG", 1000.0)
    assert known(processed(as_read, sideways), TURNED) == 0


def test_a_low_rate_is_told(as_read: Session) -> None:
    assert "rate-low" in {f.code for f in processed(as_read, slow).findings}
    assert "rate-low" not in {f.code for f in processed(as_read, lambda r: r).findings}


def test_a_walk_read_from_a_file_loses_the_frames(
    synthetic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = synthetic / "walk01.c3d"
    drifting = drifted(read_recording(path))
    monkeypatch.setattr("gaitdyn.stages.session.read_recording", lambda *_a, **_k: drifting)
    told = {(f.code, f.scope) for f in read_session(path, Options(static="none")).findings}
    assert ("marker-astray", "LASI") in told


def test_a_distance_may_vary_by_three_times_what_nine_tenths_of_the_frames_do() -> None:
    """Not below 40 mm; frames that do not show both markers do not count."""
    away_m = np.concatenate((np.zeros(10), np.tile([-1.0, 1.0], 100) * np.linspace(0, 0.02, 200)))
    apart = np.concatenate((0.4 + away_m, np.full(300, np.nan)))[:, None]
    limit_m = 3.0 * np.percentile(np.abs(away_m), 90)
    assert limit_m > 0.05
    shares = _shares_of_limits(apart)[:210, 0]
    np.testing.assert_allclose(shares, np.abs(away_m) / limit_m, rtol=0.01, atol=1e-3)
    calm = _shares_of_limits(0.4 + 0.1 * away_m[:, None])[:, 0]
    np.testing.assert_allclose(calm, 0.1 * np.abs(away_m) / 0.02, rtol=0.01, atol=1e-3)


def test_the_way_there_and_back_is_left_out_and_no_other_way() -> None:
    """A distance a third as far off belongs to the frames beside it that are astray, if any are."""
    off = np.array([0.0, 0.5, 0.0, 0.5, 2.0, np.nan, 0.4, 0.3, 0.5])[:, None]
    found = _with_ways(off[:, 0] > 1.0, off)
    assert np.flatnonzero(found).tolist() == [3, 4, 5, 6]
