"""Landmarks placed in the frame of a cluster that moves all the time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitdyn.calibrate.reference import carried_places, reference_places
from gaitdyn.core.rotations import about
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject
from gaitdyn.types.trial import Trial

CLUSTER = np.array([[0.05, 0.2, 0.06], [-0.04, 0.18, 0.08], [0.06, 0.1, -0.05], [-0.05, 0.12, 0.0]])
CONDYLE = np.array([0.0, 0.0, -0.05])
FIFTH = np.array([0.02, 0.15, 0.05])
LABELS = ("A1", "A2", "A3", "A4", "A5", "LKNM")


def moving(n: int = 120, seed: int = 0, noise: float = 0.0) -> Trial:
    """A segment that turns and walks; its inner condyle is fixed in it."""
    time = np.linspace(0.0, 3.0, n)
    R = about("z", 0.6 * np.sin(2 * time)) @ about("y", 0.3 * time) @ about("x", 0.2 * time)
    t = np.stack((1.2 * time, 0.5 + 0.05 * np.sin(5 * time), 0.1 * time), axis=1)
    points = np.einsum("nij,mj->nmi", R, np.vstack((CLUSTER, FIFTH, CONDYLE))) + t[:, None]
    points += np.random.default_rng(seed).normal(size=points.shape) * noise
    recording = Recording(
        "squat.c3d", "", 100.0, 1, 1, LABELS, points, {}, (), (), Subject()
    )  # fmt: skip
    return Trial(recording, np.eye(3), LABELS, points, ())


def without(trial: Trial, label: str, rows: Any) -> Trial:
    points = trial.markers_G.copy()
    points[rows, trial.labels.index(label)] = np.nan
    return Trial(trial.recording, trial.R_GL, trial.labels, points, ())


SEGMENTS = {"left thigh": ("A1", "A2", "A3", "A4")}
ROLES = {"left thigh": ("LKNM", "LKNE")}


def test_a_landmark_is_carried_into_the_frames_that_do_not_show_it():
    trial = moving()
    hidden = without(trial, "LKNM", slice(0, 100))
    found = reference_places(hidden, ROLES, SEGMENTS)["left thigh"]
    assert list(found.places) == ["LKNM"]
    assert list(found.places["LKNM"].frames) == list(range(100, 120))
    carried = carried_places(hidden, found)["LKNM"]
    assert np.abs(carried - trial.marker("LKNM")).max() < 1e-9


def test_the_place_serves_another_recording_of_the_same_cluster():
    found = reference_places(moving(seed=1), ROLES, SEGMENTS)["left thigh"]
    walk = moving(80)
    assert np.abs(carried_places(walk, found)["LKNM"] - walk.marker("LKNM")).max() < 1e-9


def test_noise_is_averaged_over_the_frames_and_told():
    found = reference_places(moving(noise=0.002), ROLES, SEGMENTS)["left thigh"]
    true = moving()
    off = np.linalg.norm(carried_places(true, found)["LKNM"] - true.marker("LKNM"), axis=1)
    assert off.max() < 0.002
    assert 0.002 < found.places["LKNM"].spread_m < 0.008


@pytest.mark.parametrize(("seen", "counts"), [(11, False), (12, True)])
def test_a_landmark_counts_when_it_is_seen_in_a_tenth_of_the_frames(seen, counts):
    trial = without(moving(), "LKNM", slice(seen, None))
    found = reference_places(trial, ROLES, SEGMENTS)["left thigh"]
    assert ("LKNM" in found.places) == counts


def test_a_cluster_that_no_frame_shows_whole_still_carries():
    """No frame shows all four: A1 and A5 never meet, three others are there in turn."""
    trial = without(without(moving(), "A1", slice(0, 60)), "A5", slice(60, 120))
    five = {"left thigh": ("A1", "A2", "A3", "A4", "A5")}
    found = reference_places(trial, ROLES, five)["left thigh"]
    assert set(found.labels) == set(five["left thigh"])
    assert np.abs(carried_places(trial, found)["LKNM"] - trial.marker("LKNM")).max() < 1e-9


def test_two_markers_are_no_cluster():
    assert reference_places(moving(), ROLES, {"left thigh": ("A1", "A2")}) == {}
