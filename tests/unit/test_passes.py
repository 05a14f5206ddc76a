"""A person who walks out of view and back: two passes in one file, each as if it were clean."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.axes import find_axes
from gaitdyn.cycles.normalise import every_cycle
from gaitdyn.events.alternation import alternating
from gaitdyn.events.passes import lost_within, passes_found, pauses
from gaitdyn.io.trial import to_trial
from gaitdyn.kinematics.angles import ahead_of, with_way_back
from gaitdyn.pipeline import process_loaded
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording

AWAY_S = 1.0
TURNED = np.diag([-1.0, 1.0, -1.0])


def there_and_back(recording: Recording, turn: Array, aside: Array) -> Recording:
    """Return a recording in which the person comes back beside the plates."""
    markers, n = recording.markers_L, recording.n_frames
    gap = round(AWAY_S * recording.rate_hz)
    middle = np.nanmean(markers.reshape(-1, 3), axis=0)
    back = (markers - middle) @ turn.T + middle + aside
    hole = np.full((gap, *markers.shape[1:]), np.nan)
    later = (n + gap) / recording.rate_hz
    plates = tuple(
        replace(p, channels=np.pad(p.channels, ((0, len(p.channels) * (n + gap) // n), (0, 0))))
        for p in recording.plates
    )
    events = tuple(replace(e, time_s=e.time_s + later) for e in recording.events)
    return replace(
        recording, markers_L=np.concatenate((markers, hole, back)), plates=plates,
        events=recording.events + events,
    )  # fmt: skip


@pytest.fixture(scope="module")
def twice(as_read: Session) -> Result:
    R_GL = as_read.trial.R_GL
    recording = there_and_back(as_read.trial.recording, R_GL.T @ TURNED @ R_GL, R_GL[2])
    np.testing.assert_array_equal(find_axes(recording), R_GL)
    return process_loaded(replace(as_read, trial=to_trial(recording, R_GL)), Options())


def test_the_way_back_is_no_fault(clean: Result, twice: Result) -> None:
    assert {f.code for f in twice.findings if f.level != "info"} <= {
        f.code for f in clean.findings if f.level != "info"
    }
    (said,) = [f.message for f in twice.findings if f.code == "passes"]
    assert "no stride spans both" in said


def test_a_pause_lasts_0_4_s_and_is_told_on_the_clock_of_the_file() -> None:
    markers = np.zeros((300, 2, 3))
    for begin, end in ((0, 50), (60, 99), (120, 160), (250, 300)):
        markers[begin:end] = np.nan
    markers[200:250, 0] = np.nan  # one of two
    between = pauses(markers, 100.0)
    assert between == [(120, 160)]
    recording: Any = SimpleNamespace(first_frame=11, rate_hz=100.0, name="walk.c3d")
    (told,) = passes_found(between, recording)
    assert told.value == 0.4
    assert "from 1.30 to 1.69 s" in told.message


def test_no_stride_lasts_from_one_pass_to_the_next(clean: Result, twice: Result) -> None:
    for side in ("left", "right"):
        once = [c.stop_row - c.start_row for c in every_cycle(clean, side)]
        both = [c.stop_row - c.start_row for c in every_cycle(twice, side)]
        assert both == pytest.approx(once + once, abs=1.5)


def test_cycles_refer_to_their_own_way_and_the_trial_to_one(clean: Result, twice: Result) -> None:
    for name in ("pelvis_angle_tilt", "pelvis_angle_rotation", "hip_angle_flexion",
                 "foot_angle_progression"):  # fmt: skip
        once, both = (
            np.stack([group[name].to_numpy() for _, group in result.cycles().groupby("cycle")])
            for result in (clean, twice)
        )
        np.testing.assert_allclose(both, np.concatenate((once, once)), atol=0.5, err_msg=name)
    tilt = twice.to_frame()["left_pelvis_angle_tilt"].to_numpy()
    np.testing.assert_allclose(tilt[:50], -tilt[-len(clean.to_frame()) :][:50], atol=0.05)


def test_only_who_comes_back_walks_against_the_walk(twice: Result) -> None:
    """Standing and swaying aside are not the way back."""
    pose, rate = twice.pose, twice.recording.rate_hz
    t = np.arange(300)[:, None] / rate
    there = np.array([1.2, 0.0, 0.0]) * np.minimum(t, 1.0)
    still = replace(pose, origin_G=there, walking_G=np.array([1.0, 0.0, 0.0]), against=None)
    assert with_way_back(still, rate).against is None
    aside = replace(still, origin_G=there + [0.0, 0.0, 1.0] * np.maximum(t - 1.5, 0.0))
    assert with_way_back(aside, rate).against is None
    back = replace(still, origin_G=there - 1.2 * np.maximum(t - 1.5, 0.0) * still.walking_G)
    turned = with_way_back(back, rate)
    assert turned.against is not None
    assert not turned.against[: int(1.0 * rate)].any()
    assert turned.against[int(2.0 * rate) :].all()
    np.testing.assert_array_equal(ahead_of(turned)[[0, -1]], [[1, 0, 0], [-1, 0, 0]])
    np.testing.assert_array_equal(ahead_of(turned, slice(-20, None)), [-1, 0, 0])


def test_the_heading_of_a_stride_is_that_of_its_own_pass() -> None:
    """A slow stride begins less than a quarter of it after the person came into view."""
    angle = np.radians(np.arange(500.0)) / 10
    pelvis = 10 * np.stack((np.sin(angle), 0 * angle, np.cos(angle)), axis=1)
    pelvis[150:200] = np.nan
    strikes = [Event(t, "left", "foot_strike") for t in (2.1, 4.1)]

    def result(pelvis: Array) -> Any:
        return SimpleNamespace(
            task=WALKING, events=strikes, pose=SimpleNamespace(origin_G=pelvis),
            row=lambda t: t * 100, ground_travel=lambda _: np.zeros_like(pelvis),
            trial=SimpleNamespace(markers_G=pelvis[:, None]),
            recording=SimpleNamespace(rate_hz=100.0, n_frames=500), once=lambda _, make: make(),
        )  # fmt: skip

    (cycle,) = every_cycle(result(pelvis), "left")
    assert cycle.heading_change_deg == pytest.approx(20.0, abs=0.5)
    pelvis[:150] += 50.0  # of another pass
    assert every_cycle(result(pelvis), "left")[0].heading_change_deg == cycle.heading_change_deg


def test_a_pause_is_as_long_as_the_shortest_stride() -> None:
    markers = np.zeros((300, 2, 3))
    markers[:10] = markers[100:139] = markers[200:240] = markers[290:] = np.nan
    markers[50:90, 0] = np.nan  # one of two
    assert pauses(markers, 100.0) == [(200, 240)]
    known = np.isfinite(markers[:, 0, 0])
    known[190:200] = False  # leaves before the other marker does
    lost = np.flatnonzero(lost_within(known, [(200, 240)]))
    assert set(lost.tolist()) == {*range(50, 90), *range(100, 139)}


def test_events_of_two_passes_are_no_neighbours() -> None:
    events = [
        Event(1.0, "left", "foot_strike", "kinematic"), Event(9.0, "left", "foot_off", "kinematic")
    ]  # fmt: skip
    assert alternating(events) == []
    assert alternating(events, [5.0]) == events
