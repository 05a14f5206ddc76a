"""Muscles on the page: what is drawn of a healthy channel, and what stands for another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gaitdyn.emg.panels import EmgPanel, emg_panels
from gaitdyn.plots.clinic.muscles import HEIGHT, muscle_drawing
from gaitdyn.plots.marks import Area, Line, Mark, Words
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.report import make_report, pooled
from gaitdyn.report.page import page_text
from gaitdyn.report.page_muscles import muscle_rows
from gaitdyn.store.stored import trial_of_result
from tests.unit.emg_trials import leg, trial


@pytest.fixture(scope="module")
def walked() -> Any:
    return trial(leg("L") | leg("R"))


def named(marks: tuple[Mark, ...], name: str) -> list[Mark]:
    return [mark for mark in marks if not isinstance(mark, Words) and mark.name.endswith(name)]


def panel_of(walked: Any, muscle: str) -> EmgPanel:
    panels = emg_panels([emg_of(walked)])
    return next(p for p in panels if (p.side, p.muscle) == ("left", muscle))


def test_signal_envelope_norm_and_on_time_lie_in_the_frame(walked):
    marks = muscle_drawing(panel_of(walked, "tibialis_anterior"), 60.0)
    (mean,) = named(marks, "mean")
    assert isinstance(mean, Line)
    assert len(mean.points) == 101
    assert len(named(marks, "signal")) == 1
    assert len(named(marks, "band")) == 2
    assert named(marks, "on")
    assert len(named(marks, "foot-off")) == 1
    for mark in marks:
        if isinstance(mark, Line | Area):
            assert mark.points.min() >= 0
            assert mark.points[:, 1].max() <= HEIGHT


def test_the_bar_is_where_most_strides_are_on(walked):
    panel = replace(panel_of(walked, "tibialis_anterior"), on_share=np.repeat([0.0, 1.0], [51, 50]))
    (bar,) = named(muscle_drawing(panel), "on")
    assert isinstance(bar, Area)
    left, right = bar.points[:, 0].min(), bar.points[:, 0].max()
    assert left == pytest.approx(24.0 + 212.0 * 0.51)
    assert right == pytest.approx(24.0 + 212.0)


def test_a_channel_without_curves_says_why(walked):
    none = np.empty(0)
    panel = replace(
        panel_of(walked, "tibialis_anterior"),
        status="rejected", reason="clipped: 12 % of the samples", strides=0, mean=none, sd=none,
        on_share=none, rectified=none, norm=None, norm_sd=None, norm_r=None,
    )  # fmt: skip
    marks = muscle_drawing(panel)
    assert any(isinstance(m, Words) and "clipped" in m.text for m in marks)
    assert not named(marks, "mean")


def test_the_page_has_a_row_a_muscle_and_none_without_electromyography(walked, synthetic):
    from gaitdyn.pipeline import process_trial

    plain = trial_of_result(process_trial(synthetic / "walk01.c3d"))
    report = make_report(pooled([plain]))
    assert muscle_rows(report.views[0]) == []
    assert 'id="muscles"' not in page_text(report)
    shown = replace(plain, emg=emg_of(walked))
    rows = muscle_rows(make_report(pooled([shown])).views[0])
    assert {row["muscle"] for row in rows} >= {"Tibialis anterior", "Gastrocnemius"}
    assert all([s["side"] for s in row["sides"]] == ["left", "right"] for row in rows)
    text = page_text(make_report(pooled([shown])))
    assert 'id="muscles"' in text
    assert "Tibialis anterior, left" in text
