"""Findings of the stages as the table judges them, and findings and gaps with their frames."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.quality.rows import finding_rows, gap_rows
from gaitdyn.quality.rules import judged, load_rules
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from gaitdyn.trial import Result

RULES = load_rules()


@pytest.mark.parametrize(
    ("code", "level", "value", "wanted"),
    [
        ("mass-differs", "warning", 0.06, ("warning", 0.05)),
        ("mass-differs", "warning", 0.05, None),  # within the limit
        ("mass-differs", "info", 0.04, ("info", 0.05)),
        ("mass-differs", "info", 0.06, ("warning", 0.05)),
        ("mass-differs", "warning", None, ("warning", None)),
        ("width-unlike", "warning", -21.0, ("warning", -20.0)),
        ("width-unlike", "warning", 21.0, ("warning", 20.0)),
        ("width-unlike", "warning", -19.0, None),
        ("no-static", "warning", 3.0, ("warning", None)),  # without a limit
        ("gap-open", "info", None, ("info", None)),
        ("no-kinematics", "warning", None, ("error", None)),
        ("of-another-version", "warning", 3.0, ("warning", None)),
    ],
)
def test_the_table_decides_on_what_the_stages_notice(
    code: str, level: Any, value: float | None, wanted: tuple[str, float | None] | None
) -> None:
    noticed = Finding(level, code, "subject", "", value)
    found = judged(noticed, RULES)
    assert [(f.level, f.limit) for f in found] == ([] if wanted is None else [wanted])
    if RULES.has(code):
        off = Rules({**RULES.by_code, code: replace(RULES[code], level="off")})
        assert judged(noticed, off) == []


def test_findings_have_the_frames_of_their_times(clean: Result) -> None:
    """The first frame of the file is 101, at 1 s."""
    timed = Finding("warning", "plate-silent", "plate 1", "", **clean.recording.times_of(10, 15))
    other = Finding("info", "of-another-version", "walk", "")
    first, second = finding_rows(replace(clean, judged=(timed, other)))
    assert (first["first_frame"], first["last_frame"]) == (111, 115)
    assert first["action"].startswith("check the amplifier")
    assert (first["code"], first["level"], first["start_s"]) == ("plate-silent", "warning", 1.1)
    assert (second["first_frame"], second["last_frame"], second["action"]) == (None, None, "")


def test_gaps_are_told_with_their_frames_and_whether_they_were_filled(clean: Result) -> None:
    assert gap_rows(clean) == []
    recorded, known = clean.recording.markers_L.copy(), clean.trial.markers_G.copy()
    recorded[10:15, clean.recording.labels.index("LKNE")] = np.nan
    recorded[50:60, clean.recording.labels.index("LKNE")] = np.nan
    known[50:60, clean.trial.labels.index("LKNE")] = np.nan
    for label in ("LKNE", "RKNE"):  # left out, not a gap of the file
        known[20:25, clean.trial.labels.index(label)] = np.nan
    result = replace(
        clean, recording=replace(clean.recording, markers_L=recorded),
        trial=replace(clean.trial, markers_G=known),
    )  # fmt: skip
    assert gap_rows(result) == [
        {"marker": "LKNE", "first_frame": 111, "last_frame": 115, "filled": True},
        {"marker": "LKNE", "first_frame": 151, "last_frame": 160, "filled": False},
    ]


def test_a_step_that_the_file_cuts_has_its_own_advice(clean: Result) -> None:
    told = ("the stance is cut by the end of the file; left foot", "only 0.6 of body weight")
    partial = tuple(Finding("warning", "contact-partial", "plate 1", words) for words in told)
    cut, light = (row["action"] for row in finding_rows(replace(clean, judged=partial)))
    assert "--assign" in light
    assert cut.endswith("record from before the first step on a plate until after the last")
