"""ORIGIN with the wrong sign: the foot that stands on the plate decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.origins import with_decided_origins
from gaitdyn.io.plates.wrenches import plate_wrench, sampled_wrench
from gaitdyn.types.recording import PlateRecord, Recording
from gaitdyn.types.subject import Subject
from gaitdyn.types.trial import Trial

FRAMES, RATE = 80, 100.0
# G: y up; plate x ahead, y to the right, z down
CORNERS = np.array([[0.9, 0, 0.25], [-0.9, 0, 0.25], [-0.9, 0, -0.25], [0.9, 0, -0.25]])
SENSOR = np.array([0.3, -0.05, 0.04])  # from the centre of the surface, plate axes
AT = np.array([0.2, 0.0, 0.1])  # where the foot is pushed, G


def trial_of(origin: np.ndarray) -> tuple[Trial, list[TrialFoot]]:
    force = np.array([0.0, 700.0, 0.0])
    R = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # columns x, y, z of the plate in G
    sensor_G = R @ SENSOR
    moment = np.cross(AT - sensor_G, force)
    channels = np.zeros((FRAMES, 6))
    channels[20:70] = np.r_[force @ R, moment @ R]
    plate = PlateRecord(1, 2, CORNERS, origin, channels)
    markers = np.zeros((FRAMES, 0, 3))
    recording = Recording(
        "w.c3d", "", RATE, 1, 1, (), markers, {}, (), (plate,), Subject()
    )  # fmt: skip
    feet = []
    for side, aside in (("right", 0.1), ("left", -0.1)):
        heel = np.tile([0.1, 0.05, aside], (FRAMES, 1))
        feet.append(TrialFoot(side, heel, heel + np.array([0.2, -0.02, 0]), np.ones(FRAMES, bool)))
    wrench = plate_wrench(plate, np.eye(3), FRAMES)
    return Trial(recording, np.eye(3), (), markers, (wrench,)), feet


def pressure(trial: Trial) -> np.ndarray:
    w = trial.plates[0]
    return centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)[40]


@pytest.mark.parametrize("stored", [SENSOR, -SENSOR], ids=["to the sensor", "from the sensor"])
def test_both_conventions_are_read_by_the_sign_of_z_and_nothing_is_said(stored) -> None:
    trial, feet = trial_of(stored)
    found, findings = with_decided_origins(trial, feet)
    assert found.plates[0] is trial.plates[0]
    assert findings == []
    np.testing.assert_allclose(pressure(found), AT, atol=1e-12)


@pytest.mark.parametrize(
    "stored", [SENSOR * [-1, -1, 1], SENSOR * [1, 1, -1], SENSOR * [-1, -1, 0]],
    ids=["x and y turned", "z alone turned", "turned, no depth"],
)  # fmt: skip
def test_the_centre_of_pressure_under_the_foot_decides_and_it_is_said(stored) -> None:
    trial, feet = trial_of(stored)
    assert np.linalg.norm(pressure(trial) - AT) > 0.5
    found, (finding,) = with_decided_origins(trial, feet)
    np.testing.assert_allclose(pressure(found), AT, atol=1e-3)
    assert (finding.code, finding.level, finding.scope) == ("plate-origin", "warning", "plate 1")
    assert "wrong sign" in finding.message


def test_where_no_reading_is_under_a_foot_the_file_is_believed() -> None:
    trial, feet = trial_of(SENSOR * [-1, -1, 1])
    aside = np.array([3.0, 0.0, 0.0])
    away = [TrialFoot(f.side, f.heel_G + aside, f.toe_G + aside, f.stance) for f in feet]
    found, findings = with_decided_origins(trial, away)
    assert found.plates[0] is trial.plates[0]
    assert findings == []


def test_samples_turn_with_the_plate_and_with_the_laboratory() -> None:
    plate = trial_of(SENSOR)[0].recording.plates[0]
    load = np.array([30.0, 700.0, -50.0, 8.0, -3.0, 20.0])
    channels = np.tile(load, (4, 1))
    level = sampled_wrench(replace(plate, channels=channels), np.eye(3))
    turn = np.array([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [-0.8, 0.0, 0.6]])
    both = np.concatenate((level[:, :3] @ turn.T, level[:, 3:] @ turn.T), axis=1)
    turned = replace(plate, channels=channels, corners_L=CORNERS @ turn.T)
    np.testing.assert_allclose(sampled_wrench(turned, np.eye(3)), both, atol=1e-9)
    np.testing.assert_allclose(
        sampled_wrench(replace(plate, channels=channels), turn), both, atol=1e-9
    )
    R = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # columns x, y, z of the plate in G
    felt = np.tile(R @ load[:3], (4, 1))
    np.testing.assert_allclose(level[:, :3], felt, atol=1e-9)
    edges = plate_wrench(replace(plate, channels=channels), np.eye(3), 4, "sample").edge_force_G
    assert edges is not None
    np.testing.assert_allclose(edges, felt, atol=1e-9)
