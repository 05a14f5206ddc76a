"""The free body of a segment adds up, and is what the stacked system says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

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
from gaitdyn.explain.drawing import arc_marks
from gaitdyn.explain.words import _number
from gaitdyn.plots.marks import Area, Line, TextLine


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


@pytest.mark.parametrize(("up", "told"), [(0.04, False), (0.06, True), (-0.06, True)])
def test_the_ground_acts_on_a_foot_if_its_force_is_not_told_as_zero(leg, up, told):
    """A filtered force is not quite zero in swing."""
    body = replace(free_body(leg, 0, middle(leg)), ground_G=np.array([0.0, up, 0.0]))
    acting = "its weight, the ground and the shank" if told else "its weight and the shank"
    assert f"The foot is acted on by {acting} at the ankle." in free_body_lines(body)


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
    listed = next(w for w in words if w.text.endswith("up (N)"))
    assert {w.size_pt for w in words if w.y <= listed.y and w.x > 140.0} == {7.0}
    assert np.concatenate(points)[:, 0].max() < 142.0  # left of the list
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
    named = replace(bare, no_kinetics=f"{clean.recording.name}: no marker model fits")
    with pytest.raises(ResultsRefused, match=r"^walk01\.c3d: found no loads: no marker"):
        leg_of_result(named, "left")
    with pytest.raises(ResultsRefused, match=r"name a segment of the other side$"):
        leg_of_result(replace(bare, no_kinetics=None), "left")


# ---------------------------------------------------------------- numbers and pictures


def test_a_foot_has_no_row_of_a_joint_below(leg):
    lines = free_body_lines(free_body(leg, 0, middle(leg)))
    assert not [line for line in lines if "nan" in line or " at the ," in line or "F_ " in line]


def test_a_small_number_keeps_three_digits_and_zero_has_no_sign():
    assert [_number(x).strip() for x in (12.0, 2.34567e-5, -1e-9, 0.0, -0.0)] == [
        "12.00000", "2.35e-05", "-1e-09", "0.00000", "0.00000",
    ]  # fmt: skip


def test_the_matrix_of_a_segment_goes_from_its_axes_to_the_laboratory(leg):
    assert free_body_document(free_body(leg, 1, middle(leg)))["R_GS"]["basis"] == "S to G"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("external_force_G", "the ground reaction force is unknown"),
        ("a_cm_G", "a marker or its derivatives is unknown"),
    ],
)
def test_what_is_unknown_is_named_with_the_nearest_frame(leg, field, words):
    frame = middle(leg)
    row = leg.row(frame)
    values = getattr(leg.chain, field).copy()
    values[row - 2 : row + 4] = np.nan
    with pytest.raises(ResultsRefused, match=f"{words}; .* nearest complete frame is {frame - 3}$"):
        free_body(replace(leg, chain=replace(leg.chain, **{field: values})), 0, frame)


@pytest.fixture
def posed(leg):
    """An upright shank, the knee 200 mm above its centre of mass and the ankle as much below."""
    vectors = {
        "r_cm_G": (0.0, 0.8, 0.0), "r_prox_G": (0.0, 1.0, 0.0), "r_dist_G": (0.0, 0.6, 0.0),
        "weight_G": (0.0, -30.0, 0.0), "distal_G": (10.0, 80.0, 5.0),
        "proximal_G": (20.0, -50.0, 10.0), "a_cm_G": (0.0, 0.0, 0.0),
        "distal_moment_S": (-7.0, 0.0, 4.0), "proximal_moment_S": (6.0, 0.0, -5.0),
    }  # fmt: skip
    arrays: dict[str, Any] = {name: np.array(vector) for name, vector in vectors.items()}
    return replace(free_body(leg, 1, middle(leg)), R_GS=np.eye(3), **arrays)


def drawn(body, view):
    """Return the middles of the joints, and the tail and the tip of each arrow, mm."""
    marks = free_body_sheet(body, view).marks
    areas = [m for m in marks if isinstance(m, Area)]
    at = {m.name: m.points[:-1].mean(axis=0) for m in areas if len(m.points) == 17}
    tails = {m.name: m.points[0] for m in marks if isinstance(m, Line) and m.name.endswith(" N")}
    tips = {m.name: m.points[0] for m in areas if m.name.endswith(" N")}
    return marks, at, {name: (tails[name], tip) for name, tip in tips.items()}


@pytest.mark.parametrize(("view", "across"), [("sagittal", 0), ("frontal", 2)])
def test_forces_are_drawn_to_one_scale_where_they_act(posed, view, across):
    _, at, arrows = drawn(posed, view)
    assert at["knee"][1] > at["centre of mass"][1] > at["ankle"][1]
    scale = (arrows["weight 30 N"][0] - arrows["weight 30 N"][1])[1] / 30.0
    assert scale > 0
    for name, force, joint in (
        ("F knee 55 N", posed.proximal_G, "knee"),
        ("\u2212F ankle 81 N", posed.distal_G, "ankle"),
    ):
        tail, tip = arrows[name]
        np.testing.assert_allclose(tip - tail, scale * force[[across, 1]], atol=1e-9)
        np.testing.assert_allclose(tip, at[joint], atol=1e-9)  # it pushes
    np.testing.assert_allclose(arrows["weight 30 N"][0], at["centre of mass"], atol=1e-9)


def test_a_force_that_pulls_has_its_tail_at_the_joint(posed):
    pulled = replace(posed, proximal_G=np.array([0.0, 50.0, 0.0]))
    _, at, arrows = drawn(pulled, "sagittal")
    np.testing.assert_allclose(arrows["F knee 50 N"][0], at["knee"], atol=1e-9)


@pytest.mark.parametrize(
    ("view", "knee", "ankle"),  # about z, to the viewer on the right; about -x, to one behind
    [("sagittal", ("5.0", -1), ("4.0", 1)), ("frontal", ("6.0", -1), ("7.0", 1))],
)
def test_moments_turn_as_the_viewer_sees_them(posed, view, knee, ankle):
    marks, _, _ = drawn(posed, view)
    texts = [m.text for m in marks if isinstance(m, TextLine)]
    for name, (size, sign) in (("M knee", knee), ("\u2212M ankle", ankle)):
        assert f"{name} {size} N m" in texts
        (arc,) = (m.points for m in marks if isinstance(m, Line) and m.name == name)
        first, second = np.diff(arc, axis=0)[:2]
        assert np.sign(first[0] * second[1] - first[1] * second[0]) == sign


@pytest.mark.parametrize("moment", [1.0, -1.0])
def test_the_head_of_a_moment_points_on_along_its_arc(moment):
    arc, head, label = arc_marks(np.array([50.0, 60.0]), moment, "#000000", "M knee")
    assert isinstance(arc, Line)
    assert isinstance(head, Area)
    assert isinstance(label, TextLine)
    on = arc.points[-1] - arc.points[-2]
    tip, base = head.points[0], head.points[1:].mean(axis=0)
    assert (tip - base) @ on > 0
    assert np.linalg.norm(tip - base) == pytest.approx(3.0)  # mm, two of them beyond the arc
    assert np.linalg.norm(tip - arc.points[-1]) == pytest.approx(2.0)
    assert label.text == "M knee 1.0 N m"
    assert arc_marks(np.zeros(2), 1e-7, "#000000", "M knee") == []


@pytest.mark.parametrize(
    ("view", "head", "knee"),
    [
        ("sagittal", "forward, up (N)", "20.0, \u221250.0"),
        ("frontal", "to the right, up (N)", "10.0, \u221250.0"),
    ],
)
def test_the_list_has_the_forces_of_the_view(posed, view, head, knee):
    texts = [m.text for m in free_body_sheet(posed, view).marks if isinstance(m, TextLine)]
    assert {head, knee, "0.0, \u221230.0"} <= set(texts)


def test_the_ground_pushes_on_the_line_of_its_force(posed):
    force, arm = np.array([0.0, 100.0, 0.0]), np.array([0.1, -0.1, 0.0])
    body = replace(posed, ground_G=force, ground_moment_S=np.cross(arm, force))
    _, at, arrows = drawn(body, "sagittal")
    unit = (at["knee"] - at["centre of mass"])[1] / 0.2
    tip = arrows["ground 100 N"][1]
    np.testing.assert_allclose(tip - at["centre of mass"], (0.1 * unit, 0.0), atol=1e-9)
