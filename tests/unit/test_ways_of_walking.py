"""Walks backward and sideways are not compared with norms of walking forward."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.emg.panels import emg_panels
from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.session_trials import stored
from gaitdyn.judge.way import not_ahead
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.report import make_report, pooled
from gaitdyn.report.page.document import page_text
from gaitdyn.types.emg import AnalogChannels
from gaitdyn.types.norms import Norm
from tests.unit import judge_cases as cases
from tests.unit.emg_trials import SHAPES, emg_of, shaped
from tests.unit.faulty_walks import backward, processed, sideways

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.report import Report
    from gaitdyn.stages.session import Session
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.recording import Recording

NORM = read_norm("schwartz2008")
SAID = "the pelvis does not face the walking direction"


@pytest.fixture(scope="module", params=[backward, sideways])
def walked(request: pytest.FixtureRequest, as_read: Session) -> StoredTrial:
    return stored([processed(as_read, request.param)])[0]


def report_of(*trials: StoredTrial, norm: bool = True) -> Report:
    return make_report(pooled(list(trials)), NORM if norm else None)


def test_such_a_walk_has_no_scores_and_no_verdicts_and_says_why(walked: StoredTrial) -> None:
    found = find_abnormal([walked], NORM)
    scores = (*found.scores.gps.values(), *found.scores.gdi_star.values(), found.scores.gps_overall,
              *found.scores.profile.values())  # fmt: skip
    assert all(score.value is None and SAID in score.reason for score in scores)
    assert not found.scores.warnings
    assert found.findings
    assert {finding.word for finding in found.findings} == {"not judged"}
    assert all(SAID in finding.reason for finding in found.findings)


@pytest.mark.parametrize("norm", [True, False])
def test_its_report_shows_no_norm(walked: StoredTrial, norm: bool) -> None:
    report = report_of(walked, norm=norm)
    (view,) = report.views
    assert not view.bands
    assert {row.norm for row in view.numbers} == {None}
    assert {r.norm_words for r in view.numbers[:2]} == {"norm of walking forward"}
    assert not any("Children" in c for t in report.parameters for c in t.columns)
    page = page_text(report)
    assert "children, Schwartz 2008" not in page
    assert "the pelvis faces another way" in page


def test_a_walk_forward_keeps_its_norm_but_not_pooled_with_one_backward(
    walked: StoredTrial, as_read: Session
) -> None:
    (ahead,) = stored([processed(as_read, lambda recording: recording)])
    assert not not_ahead([ahead])
    assert find_abnormal([ahead], NORM).scores.gps["left"].value is not None
    inputs = [{**file, "sha256": "another"} for file in walked.document["inputs"]]
    other = replace(walked, document={**walked.document, "inputs": inputs})
    assert "in 1 of 2 trials" in not_ahead([ahead, other])
    assert find_abnormal([ahead, other], NORM).scores.gps["left"].value is None


@pytest.mark.parametrize("ahead", [True, False])
def test_a_norm_does_not_tell_what_speed_changes_in_a_walk_backward(ahead: bool) -> None:
    groups = cases.group(0.3, 40), cases.group(0.5, 40, more=1.0)
    norm = Norm("own.csv", "a test", "", groups)
    before, after = cases.trial(speed=0.32), cases.after(speed=0.48)
    if not ahead:
        after = replace(after, tables={**after.tables, "quality": [{"code": "pelvis-backward"}]})
    curves = find_changes([before], [after], norm=norm).curves
    assert any(curve.by_speed is not None for curve in curves) == ahead


def with_muscles(recording: Recording) -> Recording:
    """Four channels of each leg, in bursts once a second."""
    ratio, rate = recording.samples_per_frame, recording.rate_hz
    m = round(ratio * recording.n_frames)
    at = (np.arange(m) / (ratio * rate)) % 1.0
    labels = tuple(f"{side} {word}" for side in "LR" for word in SHAPES)
    samples = [shaped(label[2:], at, seed) for seed, label in enumerate(labels)]
    none = ("",) * len(labels)
    analog = AnalogChannels(
        tuple(range(1, len(labels) + 1)), labels, none, ("V",) * len(labels), none,
        (None,) * len(labels), np.array(samples),
    )  # fmt: skip
    return replace(recording, analog=analog)


@pytest.mark.parametrize("way", [None, backward, sideways])
def test_only_muscles_of_a_walk_forward_are_compared_with_the_norms(
    way: Callable[[Recording], Recording] | None, as_read: Session
) -> None:
    def change(recording: Recording) -> Recording:
        return with_muscles(recording if way is None else way(recording))

    result = processed(as_read, change)
    emg, channels = emg_of(result), result.emg().attrs["channels"]
    assert emg.curves
    if way is None:
        assert np.isfinite(channels["norm_r"]).any()
        assert emg.group != "none"
        return
    assert channels[["norm_r", "other_side_r"]].isna().all(axis=None)
    assert not emg.crossed
    assert not any(word in why for why in channels["reason"] for word in ("unlike", "crossed"))
    assert (emg.group, {panel.norm_r for panel in emg_panels([emg])}) == ("none", {None})
