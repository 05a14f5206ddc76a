"""What the audit and the terms put into the results folder."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.audit.legs import audit_document
from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.plots.marks import Area, Line, TextLine
from gaitdyn.plots.stacked import stacked_edges, terms_sheet
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.tables.moment_columns import moment_curves
from gaitdyn.tables.terms import term_curves
from gaitdyn.types.loads import CAUSE_WORDS, SOURCE_WORDS
from gaitdyn.types.options import Options
from tests.walks import processed

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

AXES = ("distal", "proximal", "jcs", "jcs-dual", "lab")


@pytest.fixture(scope="module")
def result(synthetic: Path) -> Result:
    return processed(synthetic / "walk01.c3d")


@pytest.mark.parametrize("words", [CAUSE_WORDS, SOURCE_WORDS])
@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("convention", ["internal", "external"])
def test_the_columns_add_up_to_the_moment(
    result: Result, words: tuple[str, ...], axes: Any, convention: Any
) -> None:
    options = replace(result.options, moments_in=axes, convention=convention)
    asked = replace(result, options=options)
    parts = {curve.name: curve.values for curve in term_curves(asked)}
    moments = moment_curves(asked)
    assert len(parts) == 8 * len(moments) == 144
    for moment in moments:
        total = sum(parts[f"{moment.name}_{word}"] for word in words)
        known = np.isfinite(moment.values)
        assert known.any()
        np.testing.assert_allclose(np.asarray(total)[known], moment.values[known], atol=1e-10)


def test_no_part_is_shown_where_a_joint_is_not(result: Result) -> None:
    kinetics = {side: found.kinetics for side, found in result.sides.items()}
    hidden = {side: ~loads.published for side, loads in kinetics.items() if loads is not None}
    for curve in term_curves(result):
        side, joint = curve.name.split("_")[:2]
        rows = hidden[side][:, ("ankle", "knee", "hip").index(joint)]
        assert rows.any()
        assert np.isnan(curve.values[rows]).all()


def test_the_table_and_its_dictionary_are_written_when_asked_for(
    result: Result, tmp_path: Path
) -> None:
    folder = ResultsFolder(tmp_path / "walk01")
    asked = replace(result, options=replace(result.options, terms=True))
    write_results(folder, asked, figures=True)
    with (folder.path / "terms.csv").open(encoding="utf-8") as file:
        names = next(csv.reader(file))
    dictionary = json.loads((folder.path / "terms.json").read_text(encoding="utf-8"))
    assert names == list(dictionary)
    assert "left_knee_moment_extension_gravity" in names
    assert "right_hip_moment_abduction_from_thigh" in names
    entry = dictionary["left_knee_moment_extension_gravity"]
    assert entry["unit"] == "N m"
    assert "weight" in entry["how"]
    assert (folder.path / "figures" / "terms.png").stat().st_size > 10_000


def test_the_audit_is_in_the_result_of_every_run(result: Result, tmp_path: Path) -> None:
    folder = ResultsFolder(tmp_path / "walk01")
    write_results(folder, result)
    found = json.loads((folder.path / "result.json").read_text(encoding="utf-8"))
    audit = found["audit"]
    assert found["options"]["audit"] is True
    assert found["options"]["terms"] is False
    assert audit["second_opinion"] < 1e-10
    assert audit["closure"]["acceleration_m_s2"] < 1e-9
    assert audit["closure"]["angular_acceleration_rad_s2"] < 1e-9
    for side in ("left", "right"):
        for segment in ("foot", "shank", "thigh"):
            assert audit["closure"][side][segment]["windows"] > 20
            assert audit["closure"][side][segment]["largest_deg"] < 0.01
            assert audit["energy"][side][segment]["rms_w"] < 0.5
    assert not (folder.path / "terms.csv").exists()


def test_the_audit_can_be_left_out(result: Result) -> None:
    assert audit_document(replace(result, options=Options(audit=False))) is None
    sides = {side: replace(found, kinetics=None) for side, found in result.sides.items()}
    assert audit_document(replace(result, sides=sides)) is None
    assert term_curves(replace(result, sides=sides)) == []


def test_the_figure_stacks_the_parts_to_the_moment(result: Result) -> None:
    terms = term_curves(result)
    sheet = terms_sheet(result, terms, cycle_curves(result, terms))
    areas = {mark.name for mark in sheet.marks if isinstance(mark, Area)}
    assert areas == {*CAUSE_WORDS, *SOURCE_WORDS}
    lines = [mark for mark in sheet.marks if isinstance(mark, Line) and mark.name == "moment"]
    assert len(lines) == 12
    by_cause, by_segment = lines[0].points[:, 1], lines[2].points[:, 1]
    np.testing.assert_allclose(by_cause, by_segment, atol=1e-9)


def test_a_trial_without_a_cycle_is_drawn_over_its_time(result: Result) -> None:
    sheet = terms_sheet(result, term_curves(result), [])
    assert any(isinstance(mark, Area) for mark in sheet.marks)
    unknown = np.full_like(result.time_s, np.nan)
    terms = [
        replace(x, values=unknown) if x.name.startswith("left") else x for x in term_curves(result)
    ]
    words = [
        m.text
        for m in terms_sheet(result, terms, []).marks
        if isinstance(m, TextLine) and m.name == "no data"
    ]
    assert " ".join(words[:2]) == "no data: in no frame are all parts known"  # not "no cycle"


def test_heights_of_stacked_areas_add_up_to_what_is_above_and_below_zero() -> None:
    parts = np.random.default_rng(4).normal(size=(50, 4))
    edges = stacked_edges(parts)
    height = edges[..., 1] - edges[..., 0]
    np.testing.assert_allclose(height, np.abs(parts), atol=1e-12)
    np.testing.assert_allclose(edges[..., 1].max(axis=1), np.maximum(parts, 0).sum(axis=1))
    np.testing.assert_allclose(edges[..., 0].min(axis=1), np.minimum(parts, 0).sum(axis=1))
