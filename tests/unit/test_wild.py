"""Wild samples: what no limb does becomes a gap and is told; what a limb does stays to the bit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.clean.held import frozen_frames, straight_frames
from gaitdyn.clean.leaps import leaps, off_path, shoulders
from gaitdyn.clean.wild import without_wild
from gaitdyn.core.runs import runs
from gaitdyn.errors import FileRefused
from gaitdyn.io.recording import read_recording

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.types.recording import Recording

Rows = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def walk(synthetic: Path) -> Recording:
    return read_recording(synthetic / "walk01.c3d")


def names(recording: Recording) -> dict[int, str]:
    return dict(enumerate(recording.labels))


def changed(recording: Recording, label: str, change: Callable[[Rows], Rows]) -> Recording:
    markers = recording.markers_L.copy()
    at = recording.labels.index(label)
    markers[:, at] = change(markers[:, at])
    return replace(recording, markers_L=markers)


def offset(start: int, stop: int | None, by: float) -> Callable[[Rows], Rows]:
    def change(path: Rows) -> Rows:
        path = path.copy()
        path[start:stop] += by
        return path

    return change


def test_a_clean_walk_stays_as_it_is(walk: Recording) -> None:
    kept, findings = without_wild(walk, names(walk), walking=True)
    assert kept is walk
    assert findings == []


@pytest.mark.parametrize(
    ("rows", "by", "code"),
    [
        ((100, 101), 1e27, "marker-far"),
        ((60, 70), 1e3, "marker-far"),
        ((100, 101), 0.3, "marker-jumps"),
        ((100, 105), 0.05, "marker-jumps"),
    ],
)
@pytest.mark.parametrize("label", ["LKNE", "RTOE", "LASI", "RANK"])
def test_samples_off_the_path_are_left_out_and_no_other(
    walk: Recording, label: str, rows: tuple[int, int], by: float, code: str
) -> None:
    broken = changed(walk, label, offset(*rows, by))
    kept, (found,) = without_wild(broken, names(broken), walking=True)
    assert (found.code, found.scope, found.level) == (code, label, "warning")
    assert found.value == rows[1] - rows[0]
    assert found.side == (None if label == "LASI" else {"L": "left", "R": "right"}[label[0]])
    lost = np.isnan(kept.marker(label)[:, 0])
    assert list(np.flatnonzero(lost)) == list(range(*rows))
    np.testing.assert_array_equal(kept.marker(label)[~lost], walk.marker(label)[~lost])


def test_the_longer_piece_stays_where_a_marker_jumps_for_good(walk: Recording) -> None:
    n = walk.n_frames
    broken = changed(walk, "LKNE", offset(n - n // 3, None, 0.1))
    kept, (found,) = without_wild(broken, names(broken), walking=True)
    assert found.code == "marker-jumps"
    assert list(np.flatnonzero(np.isnan(kept.marker("LKNE")[:, 0]))) == list(range(n - n // 3, n))


@pytest.mark.parametrize("turned", [False, True])
def test_a_spike_that_rises_slowly_goes_and_what_follows_it_stays(
    walk: Recording, turned: bool
) -> None:
    n = walk.n_frames
    start = n - 9 if not turned else 6

    def change(path: Rows) -> Rows:
        path = path.copy()
        rise = np.array([0.02, 0.045, 0.07])
        path[start : start + 3, 1] -= rise[::-1] if turned else rise
        return path

    broken = changed(walk, "LPSI", change)
    kept, (found,) = without_wild(broken, names(broken), walking=True)
    assert found.code == "marker-jumps"
    lost = np.isnan(kept.marker("LPSI")[:, 0])
    assert set(np.flatnonzero(lost)) <= set(range(start, start + 3))
    assert np.abs(kept.marker("LPSI") - walk.marker("LPSI"))[~lost].max() < 0.025


@pytest.mark.parametrize(("side", "rows"), [("before", (97, 102)), ("after", (99, 104))])
def test_the_shoulders_of_a_spike_go_with_it(
    walk: Recording, side: str, rows: tuple[int, int]
) -> None:
    low = np.array([0.02, 0.03, 0.3, 0.3, 0.3])[:, None]
    off = low if side == "before" else low[::-1]

    def spike(path: Rows) -> Rows:
        path = path.copy()
        path[slice(*rows)] += off
        return path

    broken = changed(walk, "RPSI", spike)
    kept, (found,) = without_wild(broken, names(broken), walking=True)
    assert found.value == 5
    lost = np.isnan(kept.marker("RPSI")[:, 0])
    assert list(np.flatnonzero(lost)) == list(range(*rows))
    _, (standing,) = without_wild(broken, names(broken), walking=False)
    if side == "before":  # a static keeps them
        assert (standing.value or 0) < 5


def test_a_frame_between_a_spike_and_a_gap_goes_and_three_stay(walk: Recording) -> None:
    for left in (1, 2, 3):

        def spike(path: Rows, left: int = left) -> Rows:
            path = path.copy()
            path[100:102] += 0.3
            path[102 + left : 115] = np.nan
            return path

        broken = changed(walk, "RPSI", spike)
        kept, _ = without_wild(broken, names(broken), walking=True)
        lost = np.flatnonzero(np.isnan(kept.marker("RPSI")[:115, 0]))
        assert list(lost) == [*range(100, 102 + (left if left < 3 else 0)), *range(102 + left, 115)]


@pytest.mark.parametrize("label", ["LHEE", "LTOE", "RHEE", "RTOE", "LANK", "RPSI"])
def test_beside_a_left_out_frame_nothing_of_a_clean_path_is_a_shoulder(
    walk: Recording, label: str
) -> None:
    for row in range(walk.n_frames):
        lost = np.arange(walk.n_frames) == row
        assert not shoulders(walk.marker(label), lost, walk.rate_hz)[2:-2].any()


def test_a_marker_that_shows_no_path_is_left_out_as_a_whole(walk: Recording) -> None:
    noise = np.random.default_rng(1).normal(0, 0.02, (walk.n_frames, 3))
    broken = changed(walk, "RTOE", lambda path: path + noise)
    kept, (found,) = without_wild(broken, names(broken), walking=True)
    assert "shows no path" in found.message
    assert np.isnan(kept.marker("RTOE")).all()


def test_a_frozen_marker_is_left_out_in_a_walk_and_kept_in_a_static(walk: Recording) -> None:
    broken = changed(walk, "LKNE", lambda path: np.repeat(path[:1], len(path), axis=0))
    kept, (found,) = without_wild(broken, names(broken), walking=True)
    assert found.code == "marker-frozen"
    assert np.isnan(kept.marker("LKNE")).all()
    assert without_wild(broken, names(broken), walking=False) == (broken, [])

    def hold(path: Rows) -> Rows:
        path = path.copy()
        path[100:140] = path[100]
        return path

    kept, (found,) = without_wild(changed(walk, "LTIB", hold), names(walk), walking=True)
    assert (found.code, found.value) == ("marker-frozen", 40.0)


@pytest.mark.parametrize(("share", "rare"), [(0.0, False), (0.09, True), (0.11, False)])
def test_a_marker_seen_for_a_moment_of_a_static_is_a_ghost(
    walk: Recording, share: float, rare: bool
) -> None:
    seen = round(share * walk.n_frames)
    broken = changed(
        walk, "LKNE", lambda path: np.where(np.arange(len(path)) < seen, path.T, np.nan).T
    )
    kept, found = without_wild(broken, names(broken), walking=False)
    assert [(f.code, f.scope, f.value) for f in found] == [("marker-rare", "LKNE", seen)] * rare
    assert np.isnan(kept.marker("LKNE")).all() == (rare or not seen)
    np.testing.assert_array_equal(kept.marker("RKNE"), walk.marker("RKNE"))
    assert without_wild(broken, names(broken), walking=True)[1] == []
    short = replace(broken, rate_hz=walk.n_frames / 0.29)
    assert "marker-rare" not in {
        f.code for f in without_wild(short, names(short), walking=False)[1]
    }


def test_a_marker_is_held_where_no_coordinate_changes_while_the_others_move() -> None:
    t = np.arange(100)[:, None] / 100.0
    path = np.concatenate((1.3 * t, 0.1 * np.sin(7.0 * t), 0.1 * np.cos(9.0 * t)), axis=1)

    def held(first: Rows, size: float = 1.0) -> dict[int, list[tuple[int, int]]]:
        points = size * np.stack((first, path + 0.2, path - 0.3, path + 0.4), axis=1)
        return {j: runs(rows) for j, rows in frozen_frames(points, 100.0).items()}

    for axes in ([0], [1], [2], [0, 1], [0, 2], [1, 2]):
        some = path.copy()
        some[40:70, axes] = some[40, axes]
        assert held(some) == {}
    for count, found in ((15, {}), (16, {0: [(40, 56)]})):  # 0.15 s from the first to the last
        still = path.copy()
        still[40 : 40 + count] = still[40]
        assert held(still) == found
        assert held(still, 0.2) == {}  # the others move by less than 50 mm
    for wide, found in ((0.019, {0: [(0, 100)]}), (0.021, {})):
        assert held(np.full(3, 5.0) + [0.0, wide, 0.0] * np.sin(9.0 * t) ** 2) == found


def test_a_line_drawn_across_a_gap_is_left_out_as_the_gap_that_it_hides(walk: Recording) -> None:
    def drawn(path: Rows) -> Rows:
        path = path.copy()
        part = np.linspace(0.0, 1.0, 40)[:, None]
        path[100:140] = (1.0 - part) * path[100] + part * path[139]
        return path.astype(np.float32).astype(float)

    broken = changed(walk, "LKNE", drawn)
    kept, (found,) = without_wild(broken, names(broken), walking=True)
    assert (found.code, found.value) == ("marker-frozen", 40.0)
    assert "straight line" in found.message
    assert np.flatnonzero(np.isnan(kept.marker("LKNE")[:, 0])).tolist() == list(range(100, 140))
    rounded = changed(walk, "LKNE", lambda path: path.astype(np.float32).astype(float))
    assert without_wild(rounded, names(rounded), walking=True) == (rounded, [])


def test_a_straight_line_is_one_in_all_coordinates_for_0_15_s_and_50_mm() -> None:
    t = np.arange(100)[:, None] / 100.0
    line, bent = t * [1.3, 0.4, -0.2], 0.1 * np.sin(9.0 * t + [0.0, 1.0, 2.0])

    def drawn(path: Rows) -> list[tuple[int, int]]:
        found = straight_frames(path[:, None], 100.0)
        return runs(found[0]) if found else []

    assert drawn(line) == [(0, 100)]
    assert drawn(0.03 * line) == []
    for axes in ([0], [1], [2], [0, 1], [0, 2], [1, 2]):
        some = line.copy()
        some[:, axes] += bent[:, axes]
        assert drawn(some) == []
    for count, found in ((14, []), (15, [(40, 55)])):
        part = bent.copy()
        part[40 : 40 + count] = part[40] + line[:count]
        assert drawn(part) == found


def test_two_recordings_in_one_are_refused_and_a_short_rest_is_left_out(walk: Recording) -> None:
    twice = replace(walk, markers_L=np.concatenate((walk.markers_L, walk.markers_L)))
    with pytest.raises(FileRefused, match=f"all markers jump at frame {101 + walk.n_frames}; "):
        without_wild(twice, names(twice), walking=True)
    rolled = replace(walk, markers_L=np.roll(walk.markers_L, 10, axis=0))
    kept, (found,) = without_wild(rolled, names(rolled), walking=True)
    assert (found.code, found.value) == ("recording-jumps", 10.0)
    assert "at the end of frames 101-110: these" in found.message
    assert np.isnan(kept.markers_L[:10]).all()
    assert np.isfinite(kept.markers_L[10:]).all()


def test_a_jump_of_26_cm_that_is_not_taken_back_parts_a_recording(walk: Recording) -> None:
    """Frames were cut out: with the step of one frame at 1.3 m/s it is less than 25 cm."""
    markers = walk.markers_L.copy()
    ahead = np.nanmedian(markers[150] - markers[149], axis=0)
    markers[150:] += 0.245 * ahead / np.linalg.norm(ahead)
    parted = replace(walk, markers_L=markers)
    with pytest.raises(FileRefused, match="all markers jump at frame 251;"):
        without_wild(parted, names(parted), walking=True)


@pytest.mark.parametrize("rows", [slice(100, 101), slice(100, 110)])
def test_of_a_recording_that_jumps_aside_and_back_only_the_frames_aside_are_left_out(
    walk: Recording, rows: slice
) -> None:
    markers = walk.markers_L.copy()
    markers[rows] += 0.9
    aside = replace(walk, markers_L=markers)
    kept, (found,) = without_wild(aside, names(aside), walking=True)
    assert (found.code, found.value) == ("recording-jumps", rows.stop - rows.start)
    frames = f"{rows.start + 101}-{rows.stop + 100}"
    assert f"at the start and the end of frames {frames}: these" in found.message
    assert np.isnan(kept.markers_L[rows]).all()
    untouched = np.delete(np.arange(walk.n_frames), rows)
    np.testing.assert_array_equal(kept.markers_L[untouched], walk.markers_L[untouched])


def test_a_marker_that_is_left_out_as_a_whole_has_no_frames_off_its_path():
    lost = off_path(np.full((50, 3), np.nan), np.arange(50) == 20, 100.0)
    assert not lost.any()


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_sample_further_than_any_laboratory_is_left_out(
    walk: Recording, axis: int, sign: float
) -> None:
    def away(path: Rows) -> Rows:
        path = path.copy()
        path[:, axis] = sign * 150.0
        return path

    far = changed(walk, "LKNE", away)
    kept, (found,) = without_wild(far, names(far), walking=True)
    assert (found.code, found.value) == ("marker-far", float(walk.n_frames))
    assert np.isnan(kept.marker("LKNE")).all()


def test_a_line_is_straight_within_the_rounding_of_its_own_numbers() -> None:
    """32-bit floats are a micrometre apart at 8 m from the origin, and less than that at it."""
    t = np.arange(30)[:, None, None] / 100.0
    near = t * [1.3, 0.4, -0.2]
    rounded = (near + 8.0).astype(np.float32).astype(float)
    assert list(straight_frames(rounded, 100.0)) == [0]
    assert straight_frames(near + (rounded - near - 8.0), 100.0) == {}


def test_a_line_shorter_than_50_mm_is_none_wherever_it_is() -> None:
    t = np.arange(30)[:, None, None] / 29.0
    for metres, found in ((0.04, []), (0.06, [0])):
        assert list(straight_frames(2.0 + metres * t * [1.0, 0.0, 0.0], 100.0)) == found


def test_a_few_frames_aside_before_a_gap_are_left_out_and_ten_are_the_marker() -> None:
    """They are 50 mm aside: too far for a step within a frame, near enough for other cameras."""
    for count, lost in ((4, [(50, 54)]), (10, [(47, 53)])):
        path, steps = np.zeros((80, 3)), np.arange(80) == 49
        path[50 : 50 + count, 2] = 0.05
        path[50 + count :] = np.nan
        assert runs(off_path(path, steps, 100.0)) == lost


@pytest.mark.parametrize(("rate_hz", "bend_m"), [(100.0, 0.035), (50.0, 0.065)])
def test_a_leap_is_a_bend_of_more_than_25_mm_and_100_m_s2(rate_hz: float, bend_m: float) -> None:
    path = np.zeros((60, 1, 3))
    for share, found in ((0.98, []), (1.02, [19])):
        path[20:] = share * bend_m * np.array([2.0, 1.0, -2.0]) / 3.0
        assert np.flatnonzero(leaps(path, rate_hz)).tolist() == found


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("frames", "limit_m"), [(5, 0.035 + 0.5 * 60.0 * 0.05**2), (50, 3.0)])
def test_after_a_gap_a_marker_is_lost_if_no_limb_gets_there(
    frames: int, limit_m: float, order: int
) -> None:
    """From 1 m/s a limb is turned by 60 m/s^2, and moves by 0.5 m and 5 m/s at most."""
    for share, lost in ((0.98, False), (1.02, True)):
        path = np.zeros((170, 3))
        path[:, 0] = np.arange(170) / 100.0
        path[99 + frames :, 2] = share * limit_m
        path[100 : 99 + frames] = np.nan
        found = off_path(path[::order], np.zeros(170, bool), 100.0)[::order]
        assert runs(found) == ([(99 + frames, 170)] if lost else [])


def test_a_foot_strike_is_no_leap_and_a_step_is_found_where_it_is() -> None:
    t = np.arange(60) / 100
    path = np.zeros((60, 1, 3))
    path[:, 0, 0] = np.where(t < 0.3, 3.0 * t, 0.9)  # a foot of 3 m/s that stops within a frame
    assert not leaps(path, 100.0).any()
    path[40:, 0, 1] += 0.08
    steps = leaps(path, 100.0)
    assert steps[39, 0]
    lost = off_path(path[:, 0], steps[:, 0], 100.0)
    assert lost[40:].all()
    assert not lost[:25].any()
