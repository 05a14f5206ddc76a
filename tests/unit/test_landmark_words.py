"""Spellings, roles and the drawing: data that must stay in order."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from gaitdyn.landmarks import resolve, shipped_vocabulary
from gaitdyn.landmarks.body.places import places
from gaitdyn.landmarks.labels.concepts import landmark_of, rules
from gaitdyn.landmarks.labels.meanings import alternatives
from gaitdyn.landmarks.labels.role_table import landmark_of_role, role_table
from gaitdyn.landmarks.labels.words import lexicon, readings
from gaitdyn.landmarks.roles import Marked, roles_of
from gaitdyn.plots.marks import TextLine
from gaitdyn.plots.person import person_sheet, spread_heights
from gaitdyn.plots.typeface import regular_width
from tests.unit.marked_walker import plug_in_gait, recording

VIRTUAL = {"VIR"}


def test_every_landmark_of_the_spellings_has_a_role_and_a_place_or_is_computed():
    codes = {row.code for rows in shipped_vocabulary().rows.values() for row in rows} - VIRTUAL
    assert codes <= set(role_table())
    assert codes <= set(places())


def test_rules_and_alternatives_speak_of_known_landmarks_and_known_words():
    every = (*lexicon().values(), *lexicon(whole=True).values())
    known = {meaning for meanings in every for meaning in meanings}
    known |= {f"N{k}" for k in range(11)}
    for rule in rules():
        assert set(rule.codes) <= set(places())
        assert all(group <= known for group in rule.groups), rule
        assert rule.unless <= known | {""}
        assert sum(rule.codes.values()) <= 1.0 + 1e-9
    assert {code for row in alternatives() for code in row[:2]} <= set(places())


def test_every_rule_can_be_reached():
    for rule in rules():
        words = tuple(min(group) for group in rule.groups)
        reached = next(other for other in rules() if other.holds(frozenset(words)))
        ways = [
            next(r for r in rules() if r.holds(frozenset(first)))
            for first in _choices(rule.groups)
            if rule.holds(frozenset(first))
        ]
        assert rule in ways, (words, reached.codes)


def _choices(groups):
    if not groups:
        return [()]
    return [(word, *rest) for word in sorted(groups[0]) for rest in _choices(groups[1:])]


def test_a_laboratory_can_be_left_out():
    whole = shipped_vocabulary()
    assert whole.meanings("KNJNTLN", midline=False)
    assert not whole.without("qualisys-sagittal").meanings("KNJNTLN", midline=False)
    assert whole.without("pig").meanings("KNE", midline=False)


def test_more_sources_weigh_more_and_shared_words_less():
    whole = shipped_vocabulary()
    one, many = whole.meanings("EIAS", midline=False), whole.meanings("ASIS", midline=False)
    assert one["ASIS"] == pytest.approx(0.65)
    assert many["ASIS"] == pytest.approx(1.0)
    shared = whole.meanings("LE", midline=False)
    assert set(shared) == {"KLE", "ELL"}
    assert sum(shared.values()) <= 1.0


GLUED = [("KNJNTLN", "KLE"), ("MEDANK", "ANM"), ("Fussspitze", "TOE"), ("TUBTIB", "TTU"),
 ("ANTSUPILIAC", "ASIS"), ("GROSSZEHENBALLEN", "MT1H"), ("upperleg", "THX"), ("CALC", "CAL"),
 ("kolanobok", "KLE"), ("kolanoprzys", "KME"), ("knautsida", "KLE"), ("knainsida", "KME"),
 ("ball", "MT1H"), ("storta", "HLX")]  # fmt: skip
"""Text, code."""


def test_glued_words_are_cut():
    for text, code in GLUED:
        codes = landmark_of(readings(text)[0].meanings)
        assert max(codes, key=lambda c: codes[c]) == code, text


def test_roles_lead_back_to_their_landmarks():
    table = landmark_of_role()
    assert table["LKNE"] == ("KLE", "left")
    assert table["RM5B"] == ("MT5B", "right")
    assert table["SACR"] == ("SACR", "")
    assert table["LSK2"] == ("SHX", "left")
    assert table["LTO2"][0] in {"TOE", "MT2H"}


def test_the_tables_are_plain_text_without_empty_fields():
    folder = files("gaitdyn") / "resources" / "landmarks"
    for entry in folder.iterdir():
        lines = entry.read_text("utf-8").splitlines()
        width = lines[0].count(",")
        assert all(line.count(",") == width for line in lines), entry.name
        assert len(set(lines)) == len(lines), entry.name


def test_the_drawing_names_every_landmark_from_both_sides():
    made = recording(plug_in_gait(), "walk")
    sheet = person_sheet(made, resolve(made)[0])
    assert sheet is not None
    words = [mark.text for mark in sheet.marks if isinstance(mark, TextLine)]
    for label in made.labels:
        assert sum(text.startswith(f"{label}  ") for text in words) == 2
    assert person_sheet(made, resolve(recording({"QX": ("C7", "")}))[0]) is None


def test_many_and_long_labels_stay_in_their_columns_below_the_heading():
    made = recording(plug_in_gait(), "walk")
    found = resolve(made)[0]
    long = [replace(mark, label=f"{mark.label}_of_a_long_name_123456") for mark in found.landmarks]
    sheet = person_sheet(made, replace(found, landmarks=tuple(long * 5)))
    assert sheet is not None
    words = [mark for mark in sheet.marks if isinstance(mark, TextLine)]
    labels = [mark for mark in words if "  " in mark.text]
    assert len(labels) == 10 * len(long)
    assert max(m.y for m in labels) < min(m.y for m in words if m.name == "headline") - 2.0
    assert max(regular_width(mark.text, mark.size_pt) for mark in labels) <= 19.0


def test_labels_of_the_drawing_do_not_overlap():
    rows = spread_heights(np.array([5.0, 5.1, 5.2, 40.0]), 5.0)
    assert np.diff(rows).min() > 2.4
    assert rows[0] >= 5.0


@pytest.mark.parametrize(
    ("labels", "roles"),
    [
        (("LWRA", "LWRB"), ("LWRA", "LWRB")),
        (("Ann:LWRA", "WRB_L"), ("LWRA", "LWRB")),
        (("LRSP", "LUSP"), ("LRSP", "LUSP")),
        (("LWRadius", "L ulna"), ("LRSP", "LUSP")),
    ],
)
def test_a_wrist_marker_is_on_a_bar_only_if_its_label_says_so(labels, roles):
    file = frozenset({0})
    marks = [
        Marked(i, file, code, "left", label)
        for i, (code, label) in enumerate(zip(("WRR", "WRU"), labels, strict=True))
    ]
    assert tuple(roles_of(marks).values()) == roles
    assert landmark_of_role()[roles[0]] == ("WRR", "left")
