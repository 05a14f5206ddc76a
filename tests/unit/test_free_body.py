"""The free body of a segment adds up, and is what the stacked system says."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.explain import (
    free_body,
    free_body_document,
    free_body_lines,
    free_body_sheet,
    leg_of_result,
)
from gaitdyn.explain.chain_at import parse_segment
from gaitdyn.plots.marks import TextLine


@pytest.fixture(scope="module")
def leg(clean):
    return leg_of_result(clean, "left")


def middle(leg):
    """A frame in which the foot is on a plate."""
    force = leg.chain.external_force_G[:, 0, 1]
    return int(leg.frame[np.flatnonzero(force > 0.9 * np.nanmax(force))[0]])


@pytest.mark.parametrize("segment", [0, 1, 2])
def test_forces_and_moments_add_up(leg, segment):
    body = free_body(leg, segment, middle(leg))
    assert np.abs(body.force_residual_G).max() < 1e-10
    assert np.abs(body.moment_residual_S).max() < 1e-10
    assert body.row_residual < 1e-10
    assert np.any(body.ground_G) == (segment == 0)


@pytest.mark.parametrize("segment", [0, 1, 2])
def test_the_joint_load_is_that_of_the_whole_trial(clean, leg, segment):
    frame = middle(leg)
    body = free_body(leg, segment, frame)
    loads = clean.sides["left"].kinetics.loads
    row = leg.row(frame)
    assert np.allclose(body.proximal_G, loads.force_G[row, segment], atol=1e-10)
    assert np.allclose(body.proximal_moment_S, loads.moment_S[row, segment], atol=1e-10)


def test_action_at_a_joint_is_reaction_above_it(leg):
    frame = middle(leg)
    foot, shank = free_body(leg, 0, frame), free_body(leg, 1, frame)
    assert np.allclose(shank.distal_G, -foot.proximal_G)
    moment = shank.R_GS @ shank.distal_moment_S + foot.R_GS @ foot.proximal_moment_S
    assert np.allclose(moment, 0.0, atol=1e-10)


def test_the_lines_tell_every_term_with_unit_and_basis(leg):
    lines = free_body_lines(free_body(leg, 1, middle(leg)))
    text = "\n".join(lines)
    for words in (
        "weight m g", "foot at the ankle, - F_ankle", "thigh at the knee, F_knee", "m a",
        "I alpha", "omega x I omega", "residual", "N m S", "columns F_ankle, M_ankle, F_knee",
    ):  # fmt: skip
        assert words in text
    assert "nan" not in text
    assert max(len(line) for line in lines) < 140


@pytest.mark.parametrize(
    ("segment", "sign", "words"),
    [
        ("foot", -1.0, "turning the toes down (plantarflexor)"),
        ("foot", 1.0, "turning the toes up (dorsiflexor)"),
        ("shank", 1.0, "turning the distal end forward"),
        ("thigh", -1.0, "turning the distal end backward"),
    ],
)
def test_a_moment_is_told_in_the_words_of_its_segment(leg, segment, sign, words):
    body = free_body(leg, ("foot", "shank", "thigh").index(segment), middle(leg))
    body = replace(body, proximal_moment_S=np.array([0.0, 0.0, sign]))
    assert any(words in line for line in free_body_lines(body))


def test_the_document_is_plain(leg):
    document = free_body_document(free_body(leg, 0, middle(leg)))
    again = json.loads(json.dumps(document, allow_nan=False))
    assert again["r_dist_G"]["value"] is None
    assert np.shape(again["system"]["A"]) == (6, 6)
    assert again["proximal_G"]["basis"] == "G"


@pytest.mark.parametrize("view", ["sagittal", "frontal"])
@pytest.mark.parametrize("segment", [0, 1, 2])
def test_the_drawing_lies_on_its_sheet(leg, segment, view):
    sheet = free_body_sheet(free_body(leg, segment, middle(leg)), view)
    words = [mark for mark in sheet.marks if isinstance(mark, TextLine)]
    assert all(0 < w.x < sheet.width_mm and 0 < w.y < sheet.height_mm for w in words)
    points = [mark.points for mark in sheet.marks if not isinstance(mark, TextLine)]
    assert np.concatenate(points).min() > 0
    assert np.concatenate(points)[:, 1].max() < sheet.height_mm
    assert any(w.text.startswith("F ") for w in words)


def test_a_frame_that_is_not_known_names_the_nearest(leg):
    chain = leg.chain
    unknown = np.flatnonzero(~np.isfinite(chain.external_force_G[:, 0, 0]))
    with pytest.raises(UsageError, match="the trial has the frames"):
        free_body(leg, 0, 10**6)
    if len(unknown):
        with pytest.raises(ResultsRefused, match="the nearest complete frame is"):
            free_body(leg, 0, int(leg.frame[unknown[0]]))


@pytest.mark.parametrize("text", ["left", "shank", "left_pelvis", "middle_foot"])
def test_a_segment_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match="wanted one of left_foot"):
        parse_segment(text)


def test_of_a_trial_without_loads_the_reason_is_told_and_no_other_segment(clean):
    leg = replace(clean.sides["left"], kinetics=None)
    bare = replace(clean, sides={"left": leg}, no_kinetics="no force plates in the file")
    with pytest.raises(ResultsRefused, match=r"no loads: no force plates in the file$"):
        leg_of_result(bare, "left")
    with pytest.raises(ResultsRefused, match=r"name a segment of the other side$"):
        leg_of_result(replace(bare, no_kinetics=None), "left")
