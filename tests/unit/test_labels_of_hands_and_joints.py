"""Labels of hands, of joints and of whole files that look like those of markers of the legs."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.landmarks import resolve
from gaitdyn.landmarks.labels.acronyms import acronym
from gaitdyn.landmarks.labels.concepts import landmark_of
from gaitdyn.landmarks.labels.shared_parts import without_numbers
from tests.unit.marked_walker import PIG, both, marked, plug_in_gait, recording


def codes(labels):
    """Return label -> code of a landmark, for the labels that were found to be one."""
    return {m.label: m.code for m in resolve(recording(labels))[0].landmarks}


def reasons(labels):
    return {u.label: u.why for u in resolve(recording(labels))[0].unresolved}


def hand(side, out, up=0.0):
    """Return the place of a hand so many half widths of the pelvis out of the iliac spine."""
    place = marked("stand")
    across = place["ASIS", side] - place["SACR", ""]
    across[:, [0, 1]] = 0.0
    return place["ASIS", side] + out * across + np.array([0.0, up, 0.0])


def joint(side, *codes_of_joint):
    """Return the middle of markers of one joint."""
    place = marked("stand")
    return np.mean([place[code, side] for code in codes_of_joint], axis=0)


def test_no_marker_on_an_arm_held_out_is_on_a_leg():
    """So many names of hands are taken for those of feet that the person seems not to stand."""
    names = ("FT1", 5.4), ("FT3", 5.2), ("HMT2", 5.0), ("HMT5", 5.1), ("Shin", 4.6)
    hands = {s[0].upper() + x: hand(s, out, 0.3) for s in ("left", "right") for x, out in names}
    body = plug_in_gait() | both(ANM="{s}MED", ACR="{s}SHO")
    found = resolve(recording(body | {"C7": ("C7", "")} | hands))[0]
    assert found.standing is not None
    assert not found.standing.upright
    assert {m.label for m in found.landmarks} == {*body, "C7"}


def test_the_same_labels_on_a_foot_track_it():
    feet = {f"{s[0].upper()}FT3": joint(s, "TOE", "ANL") for s in ("left", "right")}
    assert codes(plug_in_gait() | feet)["LFT3"] == "FTX"


@pytest.mark.parametrize(("out", "is_pelvis"), [(0.2, True), (2.6, False)])
def test_a_marker_far_aside_of_the_pelvis_does_not_track_it(out, is_pelvis):
    waist = {f"{s[0].upper()}PELVIS": hand(s, out, 0.03) for s in ("left", "right")}
    assert (codes(plug_in_gait() | waist).get("LPELVIS") == "PEX") is is_pelvis


@pytest.mark.parametrize("label", ["STL", "HEL"])
def test_a_marker_of_the_shank_is_on_no_arm_however_far_arms_may_reach(label):
    place = marked("stand")
    low = {f"{s[0].upper()}{label}": place["SHX", s] for s in ("left", "right")}
    arms = {f"{s[0].upper()}{label}": hand(s, 1.3, -0.1) for s in ("left", "right")}
    assert f"L{label}" not in codes(plug_in_gait() | low)
    assert codes(plug_in_gait() | arms)[f"L{label}"] == "WRX"


def test_an_acronym_of_a_metatarsal_has_one_letter_for_its_head():
    assert acronym("HMT5") == acronym("MH5") == {"MT5H": 1.0}
    assert acronym("HMH5") == acronym("HMH2") == {"HAN": 1.0}  # head of a metacarpal


def test_the_styloids_of_the_forearm_are_read_beside_each_other():
    wrists = {f"{s[0].upper()}{x}": hand(s, 1.8, up) for s in ("left", "right")
              for x, up in (("US", -0.05), ("RS", -0.05))}  # fmt: skip
    found = codes(plug_in_gait() | wrists)
    assert (found["LUS"], found["RRS"]) == ("WRU", "WRR")


def test_numbers_before_the_name_of_a_person_are_no_part_of_the_labels():
    names = [f"Ann_{s}{x}" for s in "LR" for x in PIG.values()]
    assert without_numbers([f"{k}{x}" for k, x in enumerate(names)]) == names
    assert without_numbers(["1MT", "5MT", "1MB"]) == ["1MT", "5MT", "1MB"]
    labels = {f"{k}Ann_{x}": key for k, (x, key) in enumerate(plug_in_gait().items())}
    assert sorted(codes(labels).values()) == sorted(codes(plug_in_gait()).values())


def test_joints_of_a_depth_camera_are_centres_and_no_markers():
    labels = {f"{word}{s.title()}": joint(s, *of) for s in ("left", "right") for word, of in (
        ("Hip", ("GTR", "KLE")), ("Knee", ("KLE", "KME")), ("Ankle", ("ANL", "ANM")),
        ("Shoulder", ("ACR",)),
    )}  # fmt: skip
    middle = joint("left", "ASIS") / 2 + joint("right", "ASIS") / 2
    labels |= {"SpineBase": middle, "SpineShoulder": marked("stand")["JN", ""]}
    found = codes(labels)
    assert (found["KneeLeft"], found["AnkleRight"]) == ("KJC", "AJC")
    assert "SpineBase" not in found


def with_joints(*, inner):
    """Return markers that end in m, the inner ones of the knee, and joints under the bare words."""
    labels = both(ASIS="{l}asis", PSIS="{l}psis", KLE="{l}knem", ANL="{l}ankm", CAL="{l}hee",
                  TOE="{l}toe", THX="{l}thi", SHX="{l}shin")  # fmt: skip
    if inner:
        labels |= both(KME="{l}innerknee")
    for side in ("left", "right"):
        labels[f"{side[0]}kne"] = joint(side, "KLE", "KME")
        labels[f"{side[0]}ank"] = joint(side, "ANL", "ANM")
    return labels | {"pelv": joint("left", "PSIS") / 2 + joint("right", "PSIS") / 2}


def test_a_knee_between_two_others_is_a_centre_and_the_outer_one_is_lateral():
    labels = with_joints(inner=True)
    found, why = codes(labels), reasons(labels)
    assert [found[x] for x in ("lknem", "linnerknee", "lankm", "rankm")] == [
        "KLE", "KME", "ANL", "ANL",
    ]  # fmt: skip
    assert found.keys().isdisjoint({"lkne", "rkne", "lank", "rank", "pelv"})
    assert why["lkne"] == why["pelv"] == "the centre of a joint, by its place"


def test_two_markers_of_a_knee_are_lateral_and_medial_as_they_are_called():
    labels = plug_in_gait() | both(KME="{s}KNEM")
    found = codes(labels)
    assert (found["LKNE"], found["LKNEM"]) == ("KLE", "KME")


def test_foot_and_pelvis_beside_the_centres_of_knees_are_centres():
    labels = plug_in_gait() | both(KME="{s}KneeMed", KLE="{s}KneeLat")
    for letter in "LR":
        del labels[f"{letter}KNE"]
    tracked = {f"{s[0].upper()}FOOT": joint(s, "TOE", "ANL") for s in ("left", "right")}
    tracked |= {"PELVIS": marked("stand")["SACR", ""]}
    assert {"LFOOT", "PELVIS"} <= codes(labels | tracked).keys()
    knees = {f"{s[0].upper()}KNEE": joint(s, "KLE", "KME") for s in ("left", "right")}
    found = codes(labels | tracked | knees)
    assert found.keys().isdisjoint({"LFOOT", "RFOOT", "PELVIS", "LKNEE", "RKNEE"})


def test_vertebrae_do_not_make_the_labels_of_a_file_short():
    place = marked("stand")
    labels = both(ASIS="{s}ASIS", PSIS="{s}PSIS", ACR="{s}A") | {"C7": ("C7", ""), "IJ": ("JN", "")}
    for name, share in (("T2", 0.9), ("T7", 0.6), ("L1", 0.3), ("L3", 0.2), ("L5", 0.1)):
        labels[name] = share * place["C7", ""] + (1 - share) * place["SACR", ""]
    found = resolve(recording(labels))[0]
    assert found.standing is None or found.standing.up == "+Z"
    assert "ANL" not in {m.code for m in found.landmarks}


def test_the_base_of_a_toe_is_the_head_of_its_metatarsal():
    assert max(landmark_of(("TOE", "N1", "BASE")).items(), key=lambda x: x[1])[0] == "MT1H"
    assert max(landmark_of(("TOE", "N5", "BASE")).items(), key=lambda x: x[1])[0] == "MT5H"
    assert max(landmark_of(("METATARSAL", "N5", "BASE")).items(), key=lambda x: x[1])[0] == "MT5B"


def test_a_metatarsal_without_a_number_may_be_the_fifth_by_its_place():
    labels = without_toes() | both(MT5H="{s}_META")
    assert codes(labels)["L_META"] == "MT5H"
    assert codes(without_toes() | both(TOE="{s}_META"))["L_META"] == "TOE"


def without_toes():
    return {x: key for x, key in plug_in_gait().items() if not x.endswith("TOE")}


def test_the_shaft_of_a_tibia_is_on_the_shank():
    labels = {x: key for x, key in plug_in_gait().items() if not x.endswith("TIB")}
    assert codes(labels | both(SHX="{s}_TIB_DIAF"))["L_TIB_DIAF"] == "SHX"


@pytest.mark.parametrize("label", ["LTOE", "LHEE", "LANK", "LKNE"])
@pytest.mark.parametrize("elsewhere", [("ACR", "right"), ("C7", ""), ("GTR", "left")])
def test_a_marker_elsewhere_takes_none_of_the_other_side_away(label, elsewhere):
    found = codes(plug_in_gait() | {label: elsewhere})
    assert plug_in_gait().keys() - found.keys() <= {label}


def test_one_place_under_two_labels_of_a_leg_is_read_without_an_angle_of_the_shank():
    found = codes(plug_in_gait() | {"LANK": ("KLE", "left")})
    assert found["RANK"] == "ANL"


@pytest.mark.parametrize(
    ("code", "label"),
    [("MT5H", "{s}CM5"), ("ANL", "MA_E{s}"), ("KLE", "{s}KLEP"), ("TOE", "{s}_digit2")],
)
def test_further_short_names_of_landmarks_are_read(code, label):
    known = {PIG[code]} if code in PIG else set[str]()
    labels = {x: key for x, key in plug_in_gait().items() if x[1:] not in known}
    named = {label.format(s=s[0].upper()): (code, s) for s in ("left", "right")}
    assert codes(labels | named)[label.format(s="R")] == code


@pytest.mark.parametrize(
    ("code", "label"), [("ANL", "{l}MalleolusM"), ("MT5H", "{l}FifthMetatarsalMT")]
)
def test_letters_that_repeat_the_word_before_them_are_no_place(code, label):
    known = {PIG[code]} if code in PIG else set[str]()
    labels = {x: key for x, key in plug_in_gait().items() if x[1:] not in known}
    assert codes(labels | both(**{code: label}))[label.format(l="r")] == code


def test_a_lone_marker_taken_for_the_lateral_one_is_not_said_to_have_lost_to_another():
    labels = {x: key for x, key in plug_in_gait().items() if x[1:] != "ANK"}
    found = resolve(recording(labels | both(ANM="{l}MalleolusM")))[0]
    assert "ANL" in {x.code for x in found.landmarks}
    said = [x.message for x in found.findings if "MalleolusM" in x.message]
    assert len(said) == len("LR")
    assert all("another meaning fits nearly as well" in text for text in said)


def test_a_letter_for_a_place_beside_another_one_is_that_place():
    labels = {x: key for x, key in plug_in_gait().items() if x[1:] != "ANK"}
    found = codes(labels | both(ANL="{s}_MalleolusL", ANM="{s}_MalleolusM"))
    assert (found["L_MalleolusM"], found["R_MalleolusL"]) == ("ANM", "ANL")
