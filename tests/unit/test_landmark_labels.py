"""Reading labels: the rules of spelling one by one, on the walker where they need a body."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gaitdyn.landmarks import resolve
from gaitdyn.landmarks.labels.items import computed_points
from gaitdyn.landmarks.labels.meanings import Meaning
from gaitdyn.landmarks.labels.of_models import without_models
from gaitdyn.landmarks.labels.reading import corrected
from gaitdyn.stages.labels import _lines
from gaitdyn.types.landmarks import Resolution
from tests.unit.marked_walker import both, cluster, hidden, marked, plug_in_gait, recording


def found(resolution: Resolution) -> dict[str, str]:
    """Return label -> role, the first of a label twice."""
    out: dict[str, str] = {}
    for mark in resolution.landmarks:
        out.setdefault(mark.label, mark.role)
    return out


def of(labels, kind="stand", **more) -> dict[str, str]:
    return found(resolve(recording(labels, kind, **more))[0])


def why_not(labels, **more) -> dict[str, str]:
    resolution, _ = resolve(recording(labels, **more))
    return {label: why for _, label, why in resolution.unresolved}


@pytest.mark.parametrize(
    "style",
    [
        "{S}{x}", "{S}_{x}", "{S}.{x}", "{x}_{S}", "{x}.{s}", "{x}{s}", "{x} {S}", "Left {x}",
        "{x} links", "{x}_sx", "{x} gauche", "{S}{x}_study", "Anna:{S}{x}", "{s} {x}", "{x} li",
        "{x}-{S}", "Lt {x}", "{x} izq",
    ],
)  # fmt: skip
def test_the_side_is_read_wherever_it_stands(style):
    other = {
        "Left": "Right", "links": "rechts", "_sx": "_dx", "gauche": "droite", " li": " re",
        "Lt": "Rt", " izq": " der",
    }  # fmt: skip
    right = style
    for one, two in other.items():
        right = right.replace(one, two)
    names = {"ASIS": "ASIS", "PSIS": "PSIS", "KLE": "KNE", "ANL": "ANK", "CAL": "HEE", "TOE": "TOE"}
    labels = {}
    for side, pattern, letter in (("left", style, "L"), ("right", right, "R")):
        for code, name in names.items():
            text = pattern.replace("{S}", letter).replace("{s}", letter.lower())
            labels[text.replace("{x}", name)] = (code, side)
    roles = set(of(labels).values())
    wanted = {s + x for s in "LR" for x in ("ASI", "PSI", "KNE", "ANK", "HEE", "TOE")}
    assert roles == wanted


def test_french_endings_are_sides_when_three_pairs_say_so():
    labels = {}
    for side, letter in (("left", "G"), ("right", "D")):
        for code, name in (("ASIS", "EIAS"), ("PSIS", "EIPS"), ("KLE", "GEN"), ("ANL", "MALE")):
            labels[name + letter] = (code, side)
    assert of(labels)["EIASG"] == "LASI"
    assert of(labels)["MALED"] == "RANK"


@pytest.mark.parametrize("pattern", ["{x}{s}", "{s}{x}", "{x} {s}", "{s} {x}"])
@pytest.mark.parametrize(("left", "right"), [("G", "D"), ("I", "D"), ("L", "R")])
def test_of_one_leg_the_letter_that_all_labels_share_is_its_side(pattern, left, right):
    def label(name: str, letter: str) -> str:
        return pattern.replace("{x}", name).replace("{s}", letter)

    labels = {label("EIAS", left): ("ASIS", "left"), "SACRUM": ("SACR", "")}
    for code, name in (("ASIS", "EIAS"), ("KLE", "RODILLA"), ("ANL", "TOBILLO"), ("CAL", "TALON"),
                       ("TOE", "PUNTA"), ("GTR", "TROCANTER")):  # fmt: skip
        labels[label(name, right)] = (code, "right")
    roles = set(of(labels).values())
    assert roles == {"LASI", "RASI", "SACR", "RKNE", "RANK", "RHEE", "RTOE", "RGTR"}


@pytest.mark.parametrize(
    ("pattern", "left", "right"),
    [("cuisse_{s}{n}", "G", "D"), ("Thigh Lt{n}", "Lt", "Rt"), ("coscia.{s}{n}", "sx", "dx"),
     ("TH{s}{n}", "L", "R"), ("thigh_{s}{n}", "l", "r")],
)  # fmt: skip
def test_a_side_may_stand_before_the_number_of_a_cluster(pattern, left, right):
    pattern = pattern.replace("Lt", "{s}")
    labels, wanted = {}, {}
    for side, word in (("left", left), ("right", right)):
        for code, name in (("ASIS", "ASIS"), ("PSIS", "PSIS"), ("KLE", "KNE"), ("ANL", "ANK")):
            labels[f"{name}_{word}"] = (code, side)
        for n, place in enumerate(cluster("THX", "stand", side), start=1):
            labels[pattern.format(s=word, n=n)] = place
            wanted[pattern.format(s=word, n=n)] = f"{side[0].upper()}TH{n}"
    assert of(labels).items() >= wanted.items()


@pytest.mark.parametrize("gap", [" ", ""])
def test_of_one_leg_a_side_before_a_number_counts_like_one_at_the_end(gap):
    labels: dict[str, Any] = {f"EIAS{gap}I": ("ASIS", "left")}
    named = ("ASIS", "EIAS"), ("KLE", "RODILLA"), ("ANL", "TOBILLO"), ("MT5H", "META 5")
    for code, name in named:
        labels[f"{name}{gap}D"] = (code, "right")
    for n, place in enumerate(cluster("THX", "stand", "right"), start=1):
        labels[f"MUSLO{gap}D{n}"] = place
    assert {"LASI", "RASI", "RKNE", "RANK", "RMT5", "RTH1", "RTH4"} <= set(of(labels).values())


@pytest.mark.parametrize(
    ("pattern", "left", "right"),
    [("{s}{x}", "sol", "sag"), ("{s}{x}", "zuo", "you"), ("{x}{s}", "L", "P")],
)
def test_a_word_for_a_side_may_be_joined_to_the_label(pattern, left, right):
    labels, wanted = {}, {}
    names = {"ASIS": ("asis", "ASI"), "PSIS": ("psis", "PSI"), "KLE": ("koleno", "KNE"),
             "ANL": ("kotnik", "ANK"), "CAL": ("pata", "HEE")}  # fmt: skip
    for side, word in (("left", left), ("right", right)):
        for code, (name, role) in names.items():
            label = pattern.format(s=word, x=name)
            label = label.upper() if len(word) == 1 else label
            labels[label] = (code, side)
            wanted[label] = side[0].upper() + role
    assert of(labels).items() >= wanted.items()


def test_a_word_for_a_side_may_be_joined_to_the_label_before_a_number():
    labels, wanted = plug_in_gait(), {}
    for side in ("left", "right"):
        for code, name, stem in (("THX", "femur", "TH"), ("SHX", "tibia", "SK")):
            for n, place in enumerate(cluster(code, "stand", side), start=1):
                labels[f"cluster{name}{side}{n}"] = place
                wanted[f"cluster{name}{side}{n}"] = f"{side[0].upper()}{stem}{n}"
    assert of(labels).items() >= wanted.items()


def test_letters_of_a_cluster_are_no_sides_behind_the_letter_of_a_side():
    labels, wanted = plug_in_gait(), {}
    for side in ("left", "right"):
        for code, stem in (("THX", "TH"), ("SHX", "SH")):
            for end, place in zip("ABCD", cluster(code, "stand", side), strict=True):
                label = f"{side[0].upper()}{stem}_{end}"
                labels[label], wanted[label] = place, (code, side)
    marks = {m.label: (m.code, m.side) for m in resolve(recording(labels))[0].landmarks}
    assert marks.items() >= wanted.items()


def test_a_letter_inside_that_has_a_mirrored_label_precedes_the_last_one():
    labels: dict[str, Any] = {}
    for side, letter in (("left", "l"), ("right", "r")):
        for code, name in (("ASIS", "asis{}"), ("PSIS", "psis{}"), ("KLE", "knee{}lateral"),
                           ("ANL", "ankle{}lateral"), ("CAL", "heel{}"),
                           ("TOE", "toe{}")):  # fmt: skip
            labels[name.format(letter)] = (code, side)
        for code, name in (("THX", "thigh"), ("SHX", "shank")):
            for n, place in enumerate(cluster(code, "stand", side), start=1):
                labels[f"{name}{letter}{n}"] = place
    named = of(labels)
    assert (named["kneerlateral"], named["anklellateral"]) == ("RKNE", "LANK")


def test_of_one_leg_the_last_letter_of_a_whole_word_is_no_side():
    names = {"GTR": "Troch", "KLE": "KneeOut", "ANL": "AnkleOut", "CAL": "Heel", "TOE": "ToeTip"}
    labels = {f"R{name}": (code, "right") for code, name in names.items()}
    labels |= {f"Waist{x}Front": ("ASIS", side) for x, side in (("L", "left"), ("R", "right"))}
    labels |= {f"Waist{x}Back": ("PSIS", side) for x, side in (("L", "left"), ("R", "right"))}
    assert of(labels)["RHeel"] == "RHEE"


def test_of_one_leg_a_word_for_its_side_before_all_labels_is_no_name_of_a_person():
    names = {"ASIS": "asis", "PSIS": "psis", "KLE": "diz dis", "KME": "diz ic", "ANL": "bilegi dis",
             "CAL": "topuk", "MT5H": "metatars 5"}  # fmt: skip
    labels = {f"sag {name}": (code, "right") for code, name in names.items()}
    labels |= {f"sol {names[code]}": (code, "left") for code in ("ASIS", "PSIS")}
    assert {"LASI", "RPSI", "RKNE", "RKNM", "RANK", "RHEE", "RMT5"} <= set(of(labels).values())


def test_of_one_leg_a_first_letter_is_a_side_beside_a_pelvis_with_its_sides_inside():
    labels = {
        f"waist{letter}{word}": (code, side)
        for side, letter in (("left", "l"), ("right", "r"))
        for word, code in (("front", "ASIS"), ("back", "PSIS"))
    }
    names = {"KLE": "kneeout", "KME": "kneein", "ANL": "ankleout", "ANM": "anklein", "CAL": "heel",
             "TOE": "toetip"}  # fmt: skip
    labels |= {f"r{name}": (code, "right") for code, name in names.items()} | {"chest": ("JN", "")}
    roles = set(of(labels).values())
    assert {"RASI", "LPSI", "RKNE", "RKNM", "RANK", "RMED", "RHEE", "RTOE"} <= roles


def test_of_one_leg_a_first_letter_is_a_side_beside_an_upper_body_in_english():
    labels = {"LSHO": ("ACR", "left"), "RSHO": ("ACR", "right"), "dtalon": ("CAL", "right"),
              "dgenouexterne": ("KLE", "right"), "dmeta5": ("MT5H", "right")}  # fmt: skip
    for side, letter in (("left", "g"), ("right", "d")):
        labels |= {f"{letter}eias": ("ASIS", side), f"{letter}eips": ("PSIS", side)}
    roles = {"LASI", "RASI", "LPSI", "RPSI", "RKNE", "RHEE", "RMT5", "LSHO", "RSHO"}
    assert set(of(labels).values()) == roles


def test_a_letter_with_a_mirrored_label_is_no_beginning_of_a_longer_word_for_a_side():
    labels = {}
    for side, letter in (("left", "g"), ("right", "d")):
        for code, name in (("ASIS", "eias"), ("PSIS", "eips"), ("KLE", "genou"),
                           ("ANL", "chevilleexterne"), ("CAL", "talon")):  # fmt: skip
            labels[letter + name] = (code, side)
    named = of(labels)
    assert (named["gchevilleexterne"], named["dchevilleexterne"]) == ("LANK", "RANK")


def test_lumbar_vertebrae_have_no_side():
    labels = plug_in_gait()
    labels |= {f"Spine L{n}": marked("stand")["C7", ""] - [0.0, 0.05 * n, 0.0] for n in (1, 2, 3)}
    named = of(labels)
    assert not {named.get(f"Spine L{n}", "") for n in (1, 2, 3)} & {"LKNE", "LASI", "LTHI"}
    marks = resolve(recording(labels))[0].landmarks
    assert all(m.side == "" for m in marks if m.label.startswith("Spine"))


def test_a_vertebra_may_stand_behind_the_word_of_the_trunk():
    assert of(plug_in_gait() | {"TRUNK_C7": ("C7", "")})["TRUNK_C7"] == "C7"
    assert of(plug_in_gait() | {"Thorax.C7": ("C7", "")})["Thorax.C7"] == "C7"
    assert of(plug_in_gait() | {"TRUNK_L7": ("C7", "")}).get("TRUNK_L7") != "C7"


def test_upper_body_in_english_does_not_hide_the_sides_of_another_language():
    labels = {"LSHO": ("ACR", "left"), "RSHO": ("ACR", "right")}
    for side, letter in (("left", "G"), ("right", "D")):
        for code, name in (("ASIS", "EIAS"), ("PSIS", "EIPS"), ("KLE", "GENOU"), ("CAL", "TALON")):
            labels[name + letter] = (code, side)
    named = of(labels)
    assert (named["EIASG"], named["TALOND"]) == ("LASI", "RHEE")


def test_a_second_letter_behind_f_or_b_is_a_side():
    labels = plug_in_gait() | {"FLTHI": ("THX", "left"), "FRTHI": ("THX", "right")}
    assert of(labels)["FLTHI"] == "LTH1"


def test_words_of_the_midline_do_not_take_a_side_and_sided_words_are_no_midline():
    labels = plug_in_gait(LUMBAR=("SACR", ""), RSACR=("SACR", ""))
    marks = {m.label: m for m in resolve(recording(labels))[0].landmarks}
    assert marks["LUMBAR"].side == ""
    assert marks.get("RSACR") is None or marks["RSACR"].role != "SACR"


def test_a_limb_landmark_without_a_side_is_never_assigned():
    assert "no side" in why_not(plug_in_gait(KNEE=("KLE", "left")))["KNEE"]


@pytest.mark.parametrize("label", ["*33", "C_12", "U5", "M014", "x56", "#", "7", ""])
def test_points_that_nobody_named_are_left_alone(label):
    assert "nobody named" in why_not(plug_in_gait() | {label: ("C7", "")})[label]


def test_a_vertebra_is_not_a_number():
    assert of(plug_in_gait(C7=("C7", "")))["C7"] == "C7"


@pytest.mark.parametrize(
    "label", ["LKneeAngles", "RGroundReactionForce", "CentreOfMass", "Mid_ASIS", "V_Mid_Hip",
              "l_foot_4X4", "R.HeelGround"]
)  # fmt: skip
def test_model_outputs_and_computed_points_are_no_markers(label):
    assert "computed" in why_not(plug_in_gait() | {label: ("KLE", "left")})[label]


def test_four_points_of_one_stem_draw_a_segment_and_a_lone_hallux_does_not():
    four = {f"LHA{end}": ("HLX", "left") for end in "OALP"}
    assert set(why_not(plug_in_gait() | four)) == set(four)
    lone = {"LHAL": ("HLX", "left"), "RHAL": ("HLX", "right")}
    assert of(plug_in_gait() | lone)["LHAL"] == "LHLX"


def test_a_computed_sacrum_may_be_used():
    labels = plug_in_gait() | {"V.Sacral": ("SACR", "")}
    assert of(labels)["V.Sacral"] == "SACR"


def test_copies_with_an_ending_are_no_markers():
    tails = {f"L{x}_GOM": ("KLE", "left") for x in ("KNE", "ANK", "TOE", "HEE")}
    assert set(why_not(plug_in_gait() | tails, kind="walk")) == set(tails)


def test_a_joint_centre_beside_its_marker_is_no_copy():
    labels = {}
    for side, letter in (("left", "L"), ("right", "R")):
        for code, name in (("ASIS", "ASIS"), ("PSIS", "PSIS"), ("KLE", "Knee"), ("ANL", "Ankle"),
                           ("CAL", "Heel"), ("TOE", "Toe")):  # fmt: skip
            labels[f"{letter}.{name}"] = (code, side)
        labels |= {f"{letter}.Knee_JC": ("KLE", side), f"{letter}.Ankle_JC": ("ANL", side)}
    named = of(labels)
    assert (named["L.Knee_JC"], named["L.Knee"]) == ("LKJC", "LKNE")


def test_labels_cut_to_four_letters_are_read_by_their_descriptions():
    whole = {}
    for side, word in (("left", "gauche"), ("right", "droite")):
        for code, name in (("ASIS", "eias"), ("PSIS", "eips"), ("KLE", "genou externe"),
                           ("ANL", "cheville externe"), ("CAL", "talon")):  # fmt: skip
            whole[f"{word} {name}"] = (code, side)
    file = recording(whole)
    cut = tuple(label.upper()[:4] for label in file.labels)
    marks = resolve(replace(file, labels=cut, descriptions=file.labels))[0].landmarks
    assert {m.role for m in marks} == {
        s + x for s in "LR" for x in ("ASI", "PSI", "KNE", "ANK", "HEE")
    }
    assert {m.label for m in marks} == {"GAUC", "DROI"}


def test_a_label_without_letters_takes_its_description():
    labels = plug_in_gait() | {"0016": ("KME", "right"), "2003": ("KME", "left")}
    said = (*("" for _ in range(len(labels) - 2)), "RMFC", "LMFC")
    assert of(labels, descriptions=said)["0016"] == "RKNM"


def test_only_what_was_computed_is_a_computed_point():
    labels = plug_in_gait() | {
        "LKneeAngles": ("KLE", "left"), "crutch_tip": ("CAL", "left"), "*12": ("CAL", "right")
    }  # fmt: skip
    file = recording(labels)
    unseen = hidden(file, "LANK", slice(0, 0))
    assert [file.labels[i] for i in computed_points(unseen, {})] == ["LKneeAngles"]


def test_a_description_of_a_force_or_an_angle_does_not_make_a_marker_an_output():
    labels = plug_in_gait()
    said = tuple("a corner where the force and the angle are" for _ in labels)
    assert of(labels, descriptions=said) == of(labels)
    drawn = ("V_knee", *said[1:])
    assert of(labels, descriptions=drawn).keys() == set(list(labels)[1:])


def test_only_a_description_of_the_same_landmark_agrees_with_its_label():
    guess = Meaning({"KLE": 0.6, "ANL": 0.3}, "by its words")
    assert corrected(guess, {"KLE": 1.0}).how == "by its words, its description agrees"
    assert corrected(guess, {"CAL": 1.0}).how == "by its words, its description says CAL"


def test_a_description_corrects_a_label_only_when_most_of_them_agree():
    labels = plug_in_gait() | {"LANK~1": ("ANM", "left"), "RANK~1": ("ANM", "right")}
    words = {"ASI": "ASIS", "PSI": "PSIS", "THI": "thigh", "KNE": "knee", "TIB": "shank",
             "ANK": "ankle", "HEE": "heel", "TOE": "toe"}  # fmt: skip
    sides = {"L": "left", "R": "right"}
    said = [f"{sides[x[0]]} {words[x[1:4]]}{' medial' if '~' in x else ''}" for x in labels]
    marks = resolve(recording(labels, descriptions=tuple(said)))[0].landmarks
    assert [m.role for m in marks if m.label == "LANK"] == ["LANK", "LMED"]
    shifted = tuple(said[3:] + said[:3])
    marks = resolve(recording(plug_in_gait(), descriptions=shifted[:16]))[0].landmarks
    assert all(m.label == m.role for m in marks)


@pytest.mark.parametrize(
    ("knee", "inner", "ankle", "heel"),
    [
        ("Knie aussen", "Knie innen", "Knöchel aussen", "Ferse"),
        ("Genou ext", "Genou int", "Malleole ext", "Talon"),
        ("Ginocchio lat", "Ginocchio med", "Malleolo lat", "Tallone"),
        ("Knie lateraal", "Knie mediaal", "Enkel lateraal", "Hiel"),
        ("Rodilla ext", "Rodilla int", "Tobillo ext", "Talon"),
        ("LATKNEE", "MEDKNEE", "LATMAL", "CALC"),
        ("KL", "KM", "LMAL", "HL"),
        ("lat_epicondyle", "med_epicondyle", "lat_malleolus", "calcaneus"),
    ],
)
def test_knees_ankles_and_heels_are_read_in_many_languages(knee, inner, ankle, heel):
    labels = both(
        ASIS="SIAS {s}", PSIS="SIPS {s}", KLE=f"{knee} {{s}}", KME=f"{inner} {{s}}",
        ANL=f"{ankle} {{s}}", CAL=f"{heel} {{s}}", TOE="toe {s}",
    )  # fmt: skip
    roles = of(labels)
    wanted = {"LKNE", "LKNM", "LANK", "LHEE", "LASI", "LPSI", "LTOE"}
    assert wanted <= set(roles.values())
    assert roles[f"{knee} L"] == "LKNE"


@pytest.mark.parametrize(
    ("first", "fifth"),
    [("MT1", "MT5"), ("1MH", "5MH"), ("MTP1", "MTP5"), ("IMH", "VMH"), ("MH1", "MH5"), ("M1", "M5"),
     ("I Metatarso", "V Metatarso"), ("Med_toe", "LA_TOE"), ("TOEMED", "TOELAT"), ("FMH", "5META"),
     ("MFH1", "MFH5"), ("ball", "pinky_toe"), ("I_srodstopie", "V_srodstopie"),
     ("storetaa bas", "pinkie toe"), ("Ballen gross", "Ballen klein"), ("FMH1", "FMH5"),
     ("MTPJ1", "MTPJ5")],
)  # fmt: skip
def test_metatarsal_heads_are_read_with_digits_romans_and_words(first, fifth):
    labels = plug_in_gait() | both(MT1H="{s}_" + first, MT5H="{s}_" + fifth)
    roles = of(labels)
    assert (roles[f"L_{first}"], roles[f"R_{fifth}"]) == ("LMT1", "RMT5")


@pytest.mark.parametrize(
    ("label", "code", "role"),
    [("GT", "GTR", "GTR"), ("FT", "GTR", "GTR"), ("GTROC", "GTR", "GTR"), ("TRC", "GTR", "GTR"),
     ("HF", "FIB", "HFI"), ("FH", "FIB", "HFI"), ("TT", "TTU", "TTU"), ("tubtib", "TTU", "TTU")],
)  # fmt: skip
def test_acronyms_are_read_whatever_the_order_of_their_letters(label, code, role):
    assert of(plug_in_gait() | both(**{code: "{s}" + label}))["L" + label] == "L" + role


def test_points_of_anthropometry_are_landmarks_under_their_greek_names():
    labels = plug_in_gait() | both(CAL="pternion_{l}", HLX="acropodion_{l}")
    del labels["LHEE"], labels["RHEE"]
    roles = of(labels)
    assert (roles["pternion_l"], roles["acropodion_r"]) == ("LHEE", "RHLX")


@pytest.mark.parametrize("label", ["5FT", "5foot"])
def test_five_before_the_foot_is_its_fifth_ray(label):
    labels = plug_in_gait() | both(MT5H="{s}" + label)
    assert of(labels)["L" + label] == "LMT5"


def test_of_two_markers_with_a_number_before_and_behind_the_foot_one_is_a_ray():
    labels = plug_in_gait() | both(MT5H="{s}5FT", MT1H="{s}FT5")
    assert {x: of(labels)[x] for x in ("L5FT", "LFT5")} == {"L5FT": "LMT5", "LFT5": "LFT1"}


def test_markers_of_a_cluster_on_the_sacrum_only_track_the_pelvis():
    at = marked("stand")["SACR", ""]
    places = {1: [0.0, 0.01, 0.0], 2: [0.0, -0.04, 0.03], 3: [0.0, -0.04, -0.03]}
    labels = plug_in_gait() | {f"sacrum_cluster{k}": at + move for k, move in places.items()}
    roles = of(labels)
    assert {roles[f"sacrum_cluster{k}"] for k in places} == {"PEL1", "PEL2", "PEL3"}


def test_names_of_models_behind_or_before_a_label_are_no_part_of_it():
    named = {"ASIS": "SIAS", "PSIS": "SIPS", "KLE": "knee_lat", "ANL": "mal_lat", "CAL": "heel"}
    labels = {}
    for side in ("left", "right"):
        s = side[0].upper()
        for code, text in named.items():
            labels[f"{text}_{side}__IOR_{s}_{code}__CGM_{s}XX{code}"] = (code, side)
        labels[f"CGM_{s}TIB"], labels[f"IOR_{s}_FAX"] = ("SHX", side), ("FIB", side)
    roles = of(labels)
    wanted = {"SIAS": "ASI", "SIPS": "PSI", "knee_lat": "KNE", "mal_lat": "ANK", "heel": "HEE"}
    left = {label.partition("_left__")[0]: x for label, x in roles.items() if "_left__" in label}
    assert left == {text: "L" + name for text, name in wanted.items()}
    assert (roles["CGM_LTIB"], roles["IOR_R_FAX"]) == ("LTIB", "RHFI")


def test_names_behind_two_underscores_stay_where_labels_would_become_alike():
    labels = [f"{s}_knee__XY_{end}" for s in "LR" for end in ("lat", "med")]
    assert without_models(labels) == labels
    assert without_models(["L_knee__XY_a", "R_knee__XY_a"]) == ["L_knee__XY_a", "R_knee__XY_a"]


def test_behind_the_name_of_a_point_nobody_named_stands_another_one():
    labels = ["C_7__IOR_CV7__CGM_C7", "heel_left__IOR_L_CA", "heel_right__IOR_R_CA", "a__IOR_SJN"]
    assert without_models(labels)[0] == "C_7__IOR_CV7__CGM_C7"  # CGM stands behind one label alone
    more = [*labels, "toe_left__CGM_LTOE", "toe_right__CGM_RTOE"]
    assert without_models(more)[:2] == ["CV7", "heel_left"]


@pytest.mark.parametrize("label", ["FLEP", "LEPF"])
def test_an_epicondyle_of_the_femur_may_have_both_words_in_its_acronym(label):
    labels = plug_in_gait() | both(KLE="{s}" + label)
    del labels["LKNE"], labels["RKNE"]
    assert of(labels)["R" + label] == "RKNE"


def test_a_series_is_the_cluster_of_the_segment_at_its_height():
    labels = plug_in_gait()
    for side in ("left", "right"):
        for code, stem in (("THX", "Q"), ("SHX", "W")):
            for k, points in enumerate(cluster(code, "stand", side)):
                labels[f"{side[0].upper()}{stem}{k + 1}"] = points
    marks = {m.label: m.code for m in resolve(recording(labels))[0].landmarks}
    assert {marks[f"LQ{k}"] for k in range(1, 5)} == {"THX"}
    assert {marks[f"RW{k}"] for k in range(1, 5)} == {"SHX"}


def test_wands_without_a_segment_are_told_by_their_height():
    labels = plug_in_gait()
    for code in ("THX", "SHX"):
        for letter in "LR":
            del labels[letter + {"THX": "THI", "SHX": "TIB"}[code]]
    labels |= both(THX="{s} bar 1", SHX="{s} bar 2")
    roles = of(labels)
    assert (roles["L bar 1"], roles["R bar 2"]) == ("LTHI", "RTIB")


def test_of_a_label_twice_the_one_nearer_the_other_leg_is_the_medial_one():
    extra = {"LKNE~1": ("KME", "left"), "RKNE~1": ("KME", "right")}
    extra |= {"LANK~1": ("ANM", "left"), "RANK~1": ("ANM", "right")}
    resolution, _ = resolve(recording(plug_in_gait() | extra))
    twice = [m for m in resolution.landmarks if m.label in {"LKNE", "RANK"}]
    assert [m.role for m in twice] == ["LKNE", "RANK", "LKNM", "RMED"]


def test_of_copies_the_best_seen_one_is_used_and_it_is_said():
    once = plug_in_gait()
    whole = recording(once | {f"{label}~1": place for label, place in once.items()})
    markers = whole.markers_L.copy()
    markers[: len(markers) // 2, :16] = np.nan
    resolution, _ = resolve(replace(whole, markers_L=markers))
    assert {m.index for m in resolution.landmarks} == set(range(16, 32))
    assert [f.code for f in resolution.findings] == ["landmark-copies"]
    assert all("a copy of" in u.why for u in resolution.unresolved)


def test_points_that_share_one_place_for_ever_are_placeholders():
    still = np.tile([0.3, 0.2, 0.1], (len(marked("walk")["C7", ""]), 1))
    extra = {f"LMT{k}": still for k in (1, 2, 5)}
    resolution, _ = resolve(recording(plug_in_gait() | extra, "walk"))
    assert {u.label for u in resolution.unresolved if "placeholder" in u.why} == set(extra)


def test_one_letter_codes_are_read_where_most_labels_are_as_short():
    names = {"THX": "F", "KLE": "K", "SHX": "B", "ANL": "A", "TOE": "D"}
    labels = both(**{code: "{s}" + x for code, x in names.items()})
    labels |= {"R": ("ASIS", "right"), "B": ("ASIS", "left"), "H": ("SACR", "")}
    roles = of(labels)
    assert (roles["B"], roles["R"], roles["H"]) == ("LASI", "RASI", "SACR")
    assert (roles["LK"], roles["RA"], roles["LD"]) == ("LKNE", "RANK", "LTOE")


def test_joint_words_are_markers_unless_the_file_shows_key_points():
    labels = plug_in_gait()
    for letter in "LR":
        del labels[f"{letter}KNE"]
    labels |= both(KLE="{s}Knee")
    assert of(labels)["LKnee"] == "LKNE"
    keypoints = {"Nose": ("C7", ""), "LBigToe": ("HLX", "left"), "RBigToe": ("HLX", "right")}
    assert of(labels | keypoints)["LKnee"] == "LKJC"


def test_what_the_user_renames_means_what_he_says():
    labels = plug_in_gait() | {"XY": ("MT5H", "left")}
    made = recording(labels)
    marks = {m.label: m for m in resolve(made, rename={"XY": "LMT5"})[0].landmarks}
    assert (marks["XY"].code, marks["XY"].role, marks["XY"].sure) == ("MT5H", "LMT5", "sure")


def test_bytes_above_127_of_old_files_are_letters():
    labels = both(ASIS="SIAS {s}", PSIS="SIPS {s}", KLE="Knie {s}", ANL="Kn\\xf6chel {s}")
    assert of(labels)["Kn\\xf6chel L"] == "LANK"


def test_a_letter_alone_is_no_spelling_without_a_position():
    """X was taken for the kneecap in a file without a person."""
    made = recording(plug_in_gait())
    few = replace(made, labels=("X", "Y", "Z"), markers_L=made.markers_L[:, :3])
    resolution, _ = resolve(few)
    assert resolution.landmarks == ()
    assert [label for _, label, _ in resolution.unresolved] == ["X", "Y", "Z"]


def test_only_labels_that_are_read_under_another_name_are_told() -> None:
    """A label that already is our name says nothing; a landmark without a role has no name."""
    labels = {"Left Knee" if label == "LKNE" else label: of for label, of in plug_in_gait().items()}
    found, _ = resolve(recording(labels))
    assert _lines(found) == ["Left Knee = LKNE"]
