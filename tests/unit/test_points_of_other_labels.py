"""Computed points whose labels are those of markers or of segments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.errors import ModelNotFound
from gaitdyn.landmarks import resolve
from gaitdyn.landmarks.labels.derived import (
    COPY_WITH_HEAD,
    ORIGIN,
    OTHERS,
    PROJECTION,
    copies_of_labels,
    of_others,
    origins,
    projections,
)
from gaitdyn.stages.labels import resolve as labelled
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic.session import write_trial
from gaitdyn.synthetic.walk import stand, walk
from gaitdyn.types.options import Options
from tests.unit.marked_walker import both, plug_in_gait, recording


def reasons(labels, kind="stand"):
    """Return label -> why it is no landmark."""
    return {u.label: u.why for u in resolve(recording(labels, kind))[0].unresolved}


@pytest.mark.parametrize("written", ["fun_{}", "calc_{}", "fun.{}", "fun-{}"])
def test_labels_that_most_markers_have_without_their_beginning_are_copies(written):
    plain = plug_in_gait() | both(KME="{s}KNM")
    copies = {written.format(x): key for x, key in plain.items() if x[1:] in {"KNE", "KNM", "ANK"}}
    found = reasons(plain | copies | {written.format("LGTR"): ("GTR", "left")})
    assert found == dict.fromkeys([*copies, written.format("LGTR")], COPY_WITH_HEAD)


def test_what_is_far_from_the_markers_of_its_name_is_of_another_person():
    one = recording(plug_in_gait(), "walk")
    beside = one.markers_L + 1.0
    both_of_them = replace(
        one,
        labels=(*one.labels, *(f"Ann_{x}" for x in one.labels)),
        markers_L=np.concatenate([one.markers_L, beside], axis=1),
    )
    found = resolve(both_of_them)[0]
    assert {u.label: u.why for u in found.unresolved} == {f"Ann_{x}": OTHERS for x in one.labels}
    (said,) = (f.message for f in found.findings if f.code == "landmark-others")
    assert said.startswith(f"not used: {len(one.labels)} markers (A*n_{one.labels[0]}, ")
    assert "Ann" not in said
    assert "landmark-others" not in {f.code for f in resolve(one)[0].findings}


@pytest.mark.parametrize(
    ("shared", "name", "masked"),
    [("", "Zo\u00eb", "Z*\u00eb_"), ("", "\u0410\u043d\u043d\u0430", "\u0410**\u0430_"),
     ("S1_", "Ann", "S****n_"), ("ab_", "Ann", "a****n_")],
)  # fmt: skip
def test_a_name_with_accents_or_behind_what_all_labels_share_is_masked(shared, name, masked):
    """Names are found in labels without accents and shared beginnings: the whole label was told."""
    one = recording(plug_in_gait(), "walk")
    heads = (shared, f"{shared}{name}_")
    both_of_them = replace(
        one,
        labels=tuple(head + x for head in heads for x in one.labels),
        markers_L=np.concatenate([one.markers_L, one.markers_L + 1.0], axis=1),
    )
    found = resolve(both_of_them)[0]
    (said,) = (f.message for f in found.findings if f.code == "landmark-others")
    assert said.startswith(f"not used: {len(one.labels)} markers ({masked}{one.labels[0]}, ")
    assert name not in said


@pytest.mark.parametrize(("written", "masked"), [("Ann_{}", "A*n_"), ("Robert B.{}", "R******B.")])
def test_a_second_person_is_told_where_the_labels_of_plug_in_gait_are_those_of_the_first(
    written, masked
):
    one = recording(plug_in_gait(), "walk")
    labels = (*one.labels, *(written.format(x) for x in one.labels))
    for away_m, told in ((1.0, 1), (0.05, 0)):
        points = np.concatenate([one.markers_L, one.markers_L + away_m], axis=1)
        found = labelled(replace(one, labels=labels, markers_L=points), None, Options())
        assert found.match.model.name == "plug-in-gait"
        said = [f.message for f in found.findings if f.code == "landmark-others"]
        assert len(said) == told
        begins = f"not used: {len(one.labels)} markers ({masked}{one.labels[0]}, "
        assert all(message.startswith(begins) for message in said)
    assert labelled(one, None, Options()).findings == []


def test_a_name_that_stands_before_each_label_without_a_colon_is_masked():
    """A warning on a label took it to the first screen of a report, which leaves the laboratory."""
    one = recording(plug_in_gait() | both(KME="{s}KNM"), "walk")
    swapped = [{"LKNE": "LKNM", "LKNM": "LKNE"}.get(x, x) for x in one.labels]
    labels = tuple(f"Zoe_{x}" for x in swapped)
    named = replace(one, labels=labels, persons=("Zoe Lateral",))
    found = labelled(named, None, Options(model="ladder"))
    said = [*found.log, *(text for f in found.findings for text in (f.scope, f.message))]
    assert any("Z*e_LKNE is named like" in text for text in said)
    assert any("lateral" in text for text in said)  # a word of the name, but not of most labels
    few = [one.labels.index(x) for x in ("LASI", "LKNE", "LKNM", "RTIB")]
    too_few = replace(named, labels=tuple(labels[i] for i in few), markers_L=one.markers_L[:, few])
    with pytest.raises(ModelNotFound) as error:
        labelled(too_few, None, Options(model="ladder"))
    assert "Z*e_L" in str(error.value)
    assert not any("Zoe" in text for text in (*said, str(error.value)))


@pytest.mark.parametrize("before", ["Zoe", "Zoe_"])
@pytest.mark.parametrize("persons", [(), ("Zoe Lateral",)])
def test_a_name_glued_to_each_label_is_masked_whether_or_not_the_file_says_whose_it_is(
    before, persons
):
    one = recording(plug_in_gait() | both(KME="{s}KNM"), "walk")
    swapped = [{"LKNE": "LKNM", "LKNM": "LKNE"}.get(x, x) for x in one.labels]
    labels = tuple(f"{before}{x}" for x in swapped)
    named = replace(one, labels=labels, persons=persons)
    found = labelled(named, None, Options(model="ladder"))
    said = [*found.log, *(text for f in found.findings for text in (f.scope, f.message))]
    assert any(f"{before.replace('o', '*')}LKNE is named like" in text for text in said)
    assert not any("Zoe" in text for text in said)


def test_a_name_before_each_label_is_masked_in_what_is_said_of_the_static(tmp_path):
    """``static-ghost`` named a marker seen in one frame of the static as the file has it."""
    for name, made in (("walk01", walk()), ("static", stand())):
        ghost = np.full_like(made.markers_G[:, :1], np.nan)
        ghost[0] = 1.0
        labels = tuple(f"Zoe_{x}" for x in (*made.labels, "BAR"))
        points = np.concatenate((made.markers_G, ghost), axis=1)
        write_trial(tmp_path / f"{name}.c3d", replace(made, labels=labels, markers_G=points))
    options = Options(static=str(tmp_path / "static.c3d"), model="ladder")
    session = read_session(tmp_path / "walk01.c3d", options)
    (told,) = (f.message for f in session.findings if f.code == "static-ghost")
    assert "Z*e_BAR (1)" in told
    assert told in session.log


def test_copies_by_beginning_and_by_ending_at_once_are_of_nobody_else():
    names, heads = ("ank", "kne", "toe"), ("fun", "abc", "dev")
    texts = [*names, *heads, *(f"{head}_{name}" for head in heads for name in names), "fun_9"]
    copies = copies_of_labels(texts)
    assert copies[len(texts) - 1] == COPY_WITH_HEAD  # the only one of its beginning
    assert of_others(texts, copies, np.zeros((20, len(texts), 3))) == {}


@pytest.mark.parametrize("written", ["med_{}", "L_{}"])
def test_a_beginning_that_says_where_a_marker_is_makes_no_copy(written):
    names = ("knee", "ankle", "heel")
    assert copies_of_labels([*names, *(written.format(x) for x in names)]) == {}


def test_two_copies_are_too_few():
    assert copies_of_labels(["LKNE", "RKNE", "fun_LKNE", "fun_RKNE"]) == {}


def test_head_thorax_and_pelvis_are_origins_of_segments_together_only():
    assert origins(["Head", "Thorax", "Pelvis", "LASI"]) == dict.fromkeys((0, 1, 2), ORIGIN)
    assert origins(["Head", "Pelvis", "LASI"]) == {}
    sacrum = {"PELVIS": ("SACR", "")}
    trunk = {"HEAD": ("C7", ""), "THORAX": ("JN", "")}
    assert "PELVIS" not in reasons(plug_in_gait() | sacrum)
    assert reasons(plug_in_gait() | sacrum | trunk)["PELVIS"] == ORIGIN


def test_segments_of_visual3d_are_no_markers():
    segments = ["RPV", "RTA", "RHE", *(s + x for s in "LR" for x in ("TH", "SK", "FT", "TO"))]
    assert origins([*segments, "LAB"]) == dict.fromkeys(range(len(segments)), ORIGIN)
    assert origins([*segments, "LPV"]) == {}


def thrown(*names, level=0.0, aside=0.0):
    """Return points straight below markers of Plug-in Gait, in one plane."""
    walk = recording(plug_in_gait(), "walk", R_LG=np.eye(3))
    found = {}
    for name in names:
        point = walk.markers_L[:, walk.labels.index(name)] + [aside, 0.0, 0.0]
        point[:, 1] = level
        found[name + "P"] = point
    return found


@pytest.mark.parametrize("level", [0.0, -0.01])
def test_points_on_the_floor_below_markers_of_their_label_are_projections(level):
    points = thrown("LHEE", "RHEE", "LTOE", level=level)
    middle = {"LMID": 0.5 * (points["LHEEP"] + points["LTOEP"])}
    found = reasons(plug_in_gait() | points | middle, "walk")
    assert found == dict.fromkeys((*points, *middle), PROJECTION)


@pytest.mark.parametrize(
    "points",
    [
        pytest.param(thrown("LHEE"), id="one alone"),
        pytest.param(thrown("LHEE", "RHEE", aside=0.001), id="not straight below"),
    ],
)
def test_points_that_are_not_thrown_are_no_projections(points):
    whole = recording(plug_in_gait() | points, "walk")
    assert projections(whole.labels, whole.markers_L) == []


def test_points_of_a_plane_picture_are_no_projections():
    whole = recording(plug_in_gait() | both(KME="{s}KNEM"), "walk").markers_L.copy()
    whole[..., 1] = 0.0
    labels = (*plug_in_gait(), "LKNEM", "RKNEM")
    assert projections(labels, whole) == []
    assert projections(labels, np.full_like(whole, np.nan)) == []
