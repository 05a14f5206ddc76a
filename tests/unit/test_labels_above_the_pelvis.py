"""Labels of trunk, shoulders, arms and hands: what words say, and what the place decides."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.landmarks import resolve
from tests.unit.marked_walker import marked, plug_in_gait, recording


def at(height, outward=0.0, side="left", ahead=0.0):
    """Return a place in heights of the iliac spines: above the floor, outward, ahead of them."""
    place = marked("stand")
    left, right = (place["ASIS", s] for s in ("left", "right"))
    middle = (left + right) / 2
    size = float(np.mean(middle[:, 1]))
    across = (left - right) if side == "left" else (right - left)
    across = across / np.linalg.norm(across, axis=1, keepdims=True)
    forward = middle - place["SACR", ""]
    forward[:, 1] = 0.0
    forward = forward / np.linalg.norm(forward, axis=1, keepdims=True)
    point = middle + size * (outward * across + ahead * forward)
    point[:, 1] = height * size
    return point


def both(**names):
    """Return labels of both sides: label with {s} for the letter -> height, outward, ahead."""
    return {
        text.replace("{s}", side[0].upper()).replace("{l}", side[0]): at(
            where[0], where[1], side, *where[2:]
        )
        for side in ("left", "right")
        for text, where in names.items()
    }


def found(labels):
    return resolve(recording(plug_in_gait() | labels))[0]


def codes(labels):
    return {m.label: m.code for m in found(labels).landmarks}


def names(labels):
    return {m.label: m.role for m in found(labels).landmarks}


C7, NOTCH, XIPHOID = at(1.5, ahead=-0.17), at(1.42, ahead=-0.03), at(1.26, ahead=0.0)


@pytest.mark.parametrize(
    "label", ["C7", "CEV7", "CERV7", "C7T1", "C7_C", "Cervical.Spine", "cervicale"]
)
def test_the_last_cervical_vertebra_has_many_names(label):
    assert names({label: C7})[label] == "C7"


def test_a_vertebra_beside_the_midline_is_no_vertebra():
    labels = {"C7_C": C7, "C7_D": C7 + 0.04, "C7_G": C7 - 0.04, "NUQUE": at(1.6, ahead=-0.17)}
    assert [x for x, name in names(labels).items() if name == "C7"] == ["C7_C"]


def test_the_notch_is_above_the_upper_sternum():
    labels = {"STERNUM_UP": NOTCH - (0.0, 0.015, 0.0), "CLAV_NOTCH": NOTCH, "C7": C7}
    assert names(labels)["CLAV_NOTCH"] == "CLAV"
    assert "STERNUM_UP" not in names(labels)


@pytest.mark.parametrize(("height", "name"), [(1.43, "CLAV"), (1.29, "STRN")])
def test_the_height_tells_which_end_of_the_sternum_is_marked(height, name):
    assert names({"STR": at(height), "C7": C7})["STR"] == name


@pytest.mark.parametrize("label", ["xyphoidprocess", "substernale"])
def test_the_xiphoid_has_many_names(label):
    assert names({label: XIPHOID, "C7": C7})[label] == "STRN"


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ({"C7": C7, "CLAV": NOTCH, "STRN": XIPHOID}, ""),
        ({"Neck": at(1.58, ahead=-0.17), "CLAV": NOTCH}, "Neck"),
        ({"CLAV": NOTCH, "STRN": at(1.35), "C7": C7}, "STRN"),
    ],
)
def test_a_nape_and_the_middle_of_the_sternum_are_told(labels, told):
    scopes = [f.scope for f in found(labels).findings if f.code == "upper-marker"]
    assert scopes == ([told] if told else [])


def test_thumb_and_little_finger_tell_the_sides_of_a_wrist():
    labels = both(**{"{s}WriThumbSide": (0.91, 0.25, 0.05), "{s}WriPinkieSide": (0.9, 0.3, 0.0)})
    assert names(labels)["LWriThumbSide"] == "LRSP"
    assert names(labels)["RWriPinkieSide"] == "RUSP"


@pytest.mark.parametrize(
    "pair", [("WM", "WL"), ("WristMed", "WristLat"), ("Wrist_In", "Wrist_Out")]
)
def test_medial_and_lateral_leave_open_which_side_of_a_wrist_is_the_thumb(pair):
    one, other = ("{s}" + text for text in pair)
    labels = both(**{one: (0.91, 0.25, 0.05), other: (0.9, 0.3, 0.0)})
    assert {name for x, name in names(labels).items() if x[:2] in ("LW", "L_")} == {"LWRI", "LWR2"}


@pytest.mark.parametrize("core", ["MC2", "MC3", "MCP2", "HMC2", "HMH5"])
def test_metacarpals_are_of_the_hand(core):
    assert codes(both(**{"{s}" + core: (0.84, 0.3)}))["L" + core] == "HAN"


def test_a_thumb_is_no_knuckle():
    labels = both(**{"{s}Thumb": (0.86, 0.26, 0.08), "{s}Hand": (0.84, 0.3, 0.05)})
    assert (names(labels)["LHand"], names(labels)["LThumb"]) == ("LFIN", "")


@pytest.mark.parametrize(("height", "code"), [(0.91, "WRU"), (1.03, "FRM")])
def test_an_ulna_near_the_elbow_is_a_marker_of_the_forearm(height, code):
    labels = both(**{"{s}.Ulna": (height, 0.29), "{s}.Elbow": (1.16, 0.27)})
    assert codes(labels)["R.Ulna"] == code


@pytest.mark.parametrize(("outward", "code"), [(0.33, "UPA"), (0.5, "ELL")])
def test_a_humerus_near_the_shoulder_is_a_marker_of_the_upper_arm(outward, code):
    """The arms are held out."""
    labels = both(**{"{s}_Acromion": (1.47, 0.19), "{s}_HumerusLat": (1.42, outward)})
    assert codes(labels)["R_HumerusLat"] == code


def test_an_elbow_held_out_is_no_marker_of_the_upper_arm():
    labels = both(**{
        "{s}_Acromion": (1.47, 0.19), "{s}_HumerusLat": (1.43, 0.33), "{s}_ElbowLat": (1.4, 0.48),
        "{s}_WR": (1.38, 0.74),
    })  # fmt: skip
    roles = names(labels)
    assert (roles["L_ElbowLat"], roles["R_ElbowLat"]) == ("LELB", "RELB")
    assert (roles["L_WR"], roles["R_WR"]) == ("LWRI", "RWRI")


def test_the_head_of_the_radius_is_at_the_elbow_and_no_wrist():
    labels = both(**{"radiale_{s}": (1.15, 0.27), "stylion_{s}": (0.91, 0.27)})
    assert (codes(labels)["radiale_L"], codes(labels)["stylion_R"]) == ("ELL", "WRX")
    labels |= both(**{"{s}_humeral_lateral_epicn": (1.17, 0.27)})
    assert codes(labels)["L_humeral_lateral_epicn"] == "ELL"
    assert "radiale_L" not in codes(labels)


def test_the_edge_of_the_acromion_is_the_shoulder_and_the_back_of_a_shoulder_is_not():
    edge = both(**{"{s}_SAE": (1.47, 0.19)})
    back = both(**{"{s}BackShoulder": (1.44, 0.18), "{s}FrontShoulder": (1.44, 0.18)})
    assert names(edge)["L_SAE"] == "LSHO"
    assert "LSHO" not in names(back).values()


BARE = ("elb", "wri", "sho")
ELBOWS = {"{l}elbm": (1.15, 0.31, 0.01), "{l}elbinner": (1.15, 0.23, 0.02), "{l}elb": (1.15, 0.27)}
WRISTS = {
    "{l}writhumb": (0.91, 0.25, 0.03),
    "{l}wripinkie": (0.91, 0.31, 0.0),
    "{l}wri": (0.91, 0.28, 0.016),
}
SHOULDERS = {"{l}shom": (1.5, 0.19, -0.12), "{l}sho": (1.45, 0.19, -0.1)}


def test_joints_of_an_arm_between_or_below_its_markers_are_centres():
    labels = both(**ELBOWS, **WRISTS, **SHOULDERS)
    roles = names(labels)
    assert roles.keys().isdisjoint({"lelb", "relb", "lwri", "rwri", "lsho", "rsho"})
    assert (roles["lelbm"], roles["relbinner"]) == ("LELB", "RELM")
    assert (roles["lwrithumb"], roles["rwripinkie"]) == ("LRSP", "RUSP")
    assert (roles["lshom"], roles["rshom"]) == ("LSHO", "RSHO")


def test_the_bare_words_of_an_arm_alone_are_its_markers():
    alone = {x: where for x, where in (ELBOWS | WRISTS | SHOULDERS).items() if x[-3:] in BARE}
    roles = names(both(**alone))
    assert (roles["lelb"], roles["rwri"], roles["lsho"]) == ("LELB", "RWRI", "LSHO")


def test_internal_and_external_epicondyles_of_an_elbow_are_told_apart():
    labels = both(**{"EPI_{s}": (1.15, 0.21), "EPE_{s}": (1.15, 0.28)})
    assert (names(labels)["EPI_L"], names(labels)["EPE_R"]) == ("LELM", "RELB")


def test_an_elbow_outside_its_medial_marker_is_lateral():
    labels = both(**{"{s}Elbow": (1.15, 0.31), "{s}ElbowMed": (1.15, 0.23)})
    assert (names(labels)["LElbow"], names(labels)["LElbowMed"]) == ("LELB", "LELM")


@pytest.mark.parametrize(("outward", "is_medial"), [(0.23, True), (0.1, False)])
def test_the_medial_marker_of_an_elbow_is_near_the_lateral_one(outward, is_medial):
    labels = both(**{"{s}ELB": (1.15, 0.31), "{s}ElbowMed": (1.15, outward)})
    assert ("LELM" in names(labels).values()) is is_medial
