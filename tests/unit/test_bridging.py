"""Markers of clusters before the filter: strays are left out and named, hidden ones carried."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from walkers.laboratory import laboratory
from walkers.laboratory_files import write_laboratory

from gaitdyn.calibrate.clusters.bridging import bridge
from gaitdyn.calibrate.posture.reference import Reference, ReferenceLeg
from gaitdyn.core.rotations import about, rotate
from gaitdyn.pipeline import process_loaded
from gaitdyn.stages.session import Session, read_session
from gaitdyn.trial import Result
from gaitdyn.types.options import Options

CLUSTERS = 10
"""A seed whose laboratory tracks the shanks by clusters of four."""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    lab = laboratory(CLUSTERS)
    assert lab.tracking == "clusters"
    return read_session(write_laboratory(tmp_path_factory.mktemp("lab"), lab).walk, Options())


@pytest.fixture(scope="module")
def clean(session: Session) -> Result:
    return process_loaded(session, Options())


def changed(session: Session, label: str, rows: slice, by: tuple[float, ...] | None) -> Result:
    trial = session.trial
    markers = trial.markers_G.copy()
    markers[rows, trial.labels.index(label)] += np.nan if by is None else np.array(by)
    return process_loaded(replace(session, trial=replace(trial, markers_G=markers)), Options())


def moments(result: Result) -> np.ndarray:
    kinetics = result.sides["left"].kinetics
    assert kinetics is not None
    return np.where(kinetics.published[..., None], kinetics.loads.moment_S, np.nan)


def test_a_marker_that_comes_and_goes_changes_no_moment_by_a_tenth(session, clean):
    before, after = moments(clean), moments(changed(session, "LSK3", slice(50, 65), None))
    known = np.isfinite(before)
    assert np.isfinite(after)[known].mean() > 0.99
    assert np.nanmax(np.abs(after - before)) < 0.02 * np.nanmax(np.abs(before))


@pytest.mark.parametrize("rows", [slice(100, 140), slice(None)])
def test_a_marker_that_stands_out_is_left_out_and_named(session, clean, rows):
    found = changed(session, "LSK3", rows, (0.0, 0.06, 0.03))
    (told,) = [f for f in found.noticed if f.code == "marker-left-out"]
    assert (told.level, told.scope) == ("warning", "LSK3")
    assert "the other markers of the left shank" in told.message
    assert told.value == len(range(session.trial.recording.n_frames)[rows])
    before, after = moments(clean), moments(found)
    assert np.nanmax(np.abs(after - before)) < 0.05 * np.nanmax(np.abs(before))


def test_nothing_is_said_of_markers_that_agree(clean):
    assert not [f for f in clean.noticed if f.code == "marker-left-out"]


def test_a_noisy_marker_that_none_can_carry_leaves_its_frames_empty(session):
    """Smoothed, it seems to be known well enough; carried then, the pose would make a step."""
    trial = session.trial
    at, markers = trial.labels.index("LSK3"), trial.markers_G.copy()
    markers[:, at] += np.random.default_rng(2).normal(0.0, 0.001, markers[:, at].shape)
    noisy = replace(session, trial=replace(trial, markers_G=markers))
    before = moments(process_loaded(noisy, Options()))
    after = moments(changed(noisy, "LSK3", slice(50, 65), None))
    lost = np.isfinite(before) & np.isnan(after)
    assert lost[50:65, 1:].any()
    assert np.nanmax(np.abs(after - before)) < 0.02 * np.nanmax(np.abs(before))


N, RATE = 200, 100.0
HIDDEN = slice(90, 140)
"""Longer than what the other segments tell."""

AT = {"pelvis": 0.9, "thigh": 0.6, "shank": 0.3, "foot": 0.0}
_SQUARE = np.array([[0.08, 0.0, 0.0], [-0.08, 0.0, 0.02], [0.0, 0.06, 0.07], [0.02, -0.05, -0.06]])


def posed(counts: dict[str, int]) -> tuple[tuple[str, ...], np.ndarray, Reference]:
    """Return labels and paths (n, m, 3) of a left leg that swings stiffly, and its reference."""
    shapes = {s: np.array([0.0, y, -0.1]) + _SQUARE[: counts.get(s, 4)] for s, y in AT.items()}
    templates = {s: (tuple(f"{s} {i}" for i in range(len(x))), x) for s, x in shapes.items()}
    hip, knee, ankle = (np.array([0.0, y, -0.1]) for y in (0.8, 0.45, 0.1))
    turn = about("z", 0.4 * np.sin(np.arange(N) / 15.0))
    pelvis = shapes["pelvis"] + np.zeros((N, 1, 3))
    legs = [rotate(turn[:, None], shapes[s] - hip) + hip for s in ("thigh", "shank", "foot")]
    walked = np.array([1.2, 0.0, 0.0]) * np.arange(N)[:, None, None] / RATE
    paths = np.concatenate((pelvis, *legs), axis=1) + walked
    leg = ReferenceLeg(
        "left", hip, knee, ankle, ankle - (0.05, 0.1, 0.0), ankle - (-0.15, 0.1, 0.0), ankle,
        (np.eye(3), np.eye(3), np.eye(3)),
        (templates["foot"], templates["shank"], templates["thigh"]),
    )  # fmt: skip
    middle = hip - (0.0, -0.1, -0.1)
    reference = Reference(np.eye(3), middle, templates["pelvis"], {"left": leg}, [])
    return tuple(label for s in AT for label in templates[s][0]), paths, reference


def carried(label: str, counts: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the path of a marker that is hidden for half a second, carried and true."""
    labels, paths, reference = posed(counts)
    markers, at = paths.copy(), labels.index(label)
    markers[HIDDEN, at] = np.nan
    trial: Any = SimpleNamespace(labels=labels, markers_G=markers, rate_hz=RATE)
    bridged = bridge(trial, reference)
    assert bridged.findings == []
    return bridged.markers_G[:, at], paths[:, at]


@pytest.mark.parametrize("segment", AT)
def test_a_marker_of_every_segment_is_carried_by_the_others_of_its_own(segment: str) -> None:
    np.testing.assert_allclose(*carried(f"{segment} 3", {}), atol=1e-9)


def test_the_ankle_that_two_markers_and_the_knee_carry_helps_the_foot() -> None:
    np.testing.assert_allclose(*carried("foot 2", {"shank": 2, "foot": 3}), atol=1e-9)
