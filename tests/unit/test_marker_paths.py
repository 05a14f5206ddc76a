"""A marker that drifts off its course and back is told, though no frame jumps."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from gaitdyn.io.trial import to_trial
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.markers.paths import BESIDE, FEWEST, deviations, marker_paths
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording


def drifted(recording: Recording, label: str, by_m: float, start: int) -> Recording:
    markers = recording.markers_L.copy()
    hill = by_m * np.sin(np.linspace(0.0, np.pi, 40)) ** 2
    markers[start : start + 40, recording.labels.index(label), 1] += hill
    return replace(recording, markers_L=markers)


@pytest.mark.parametrize("label", ["LANK", "RKNE", "LASI", "RTOE", "LTHI"])
def test_a_drift_aside_is_told_of_its_marker_alone(
    as_read: Session, clean: Result, label: str
) -> None:
    assert "marker-unlike" not in {f.code for f in clean.findings}
    broken = processed(as_read, lambda r: drifted(r, label, 0.07, 220))
    found = [f for f in broken.findings if f.code == "marker-unlike"]
    assert [f.scope for f in found] == [label]
    assert found[0].value == pytest.approx(0.07, abs=0.01)
    assert found[0].start_s is not None
    assert found[0].start_s >= broken.recording.start_s + 2.2
    assert found[0].side == (None if label == "LASI" else {"L": "left", "R": "right"}[label[0]])


def test_the_ends_of_a_trial_are_not_judged(as_read: Session) -> None:
    recording = as_read.trial.recording
    markers = recording.markers_L.copy()
    markers[-8:, recording.labels.index("LANK"), 1] += 0.07
    found = processed(as_read, lambda r: replace(r, markers_L=markers)).findings
    assert "marker-unlike" not in {f.code for f in found}


def test_a_marker_alone_on_its_segment_is_not_judged(
    as_read: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ankle turns it, which no other marker shows."""
    recording = as_read.trial.recording
    few = [x for x in recording.labels if x not in ("LTIB", "LHEE", "LTOE")]
    markers = np.stack([recording.marker(x) for x in few], axis=1)
    broken = drifted(replace(recording, labels=tuple(few), markers_L=markers), "LANK", 0.12, 220)
    trial = to_trial(broken, as_read.trial.R_GL)
    result = SimpleNamespace(trial=trial, recording=broken, sides={"left": None})
    assert list(marker_paths(cast("Result", result), load_rules())) == []
    monkeypatch.setitem(BESIDE, "shank", 1)
    assert {f.scope for f in marker_paths(cast("Result", result), load_rules())} == {"LANK"}


def test_deviations_are_those_of_the_marker_that_was_moved() -> None:
    rng = np.random.default_rng(1)
    phase = np.linspace(0.0, 40.0, 500)
    waves = np.stack([np.sin(k * phase) for k in (1, 2, 3)] + [np.cos(phase)], axis=1)
    points = (waves @ rng.normal(size=(4, 18))).reshape(500, 6, 3)
    points[200:220, 2] += (0.0, 0.1, 0.0)
    found = deviations(points)
    assert found is not None
    np.testing.assert_allclose(found.size[200:220, 2], 0.1, rtol=0.05)
    assert np.delete(found.size, 2, axis=1).max() < 0.05


def test_too_few_frames_give_no_deviations() -> None:
    assert deviations(np.zeros((FEWEST * 18 - 1, 6, 3))) is None
