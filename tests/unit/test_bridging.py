"""Markers of clusters before the filter: strays are left out and named, hidden ones carried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from walkers.laboratory import laboratory
from walkers.laboratory_files import write_laboratory

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
