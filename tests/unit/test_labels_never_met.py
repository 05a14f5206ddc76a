"""Ways to write labels that laboratories outside the corpus have, each with a made person."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.errors import ModelNotFound
from gaitdyn.landmarks import resolve
from gaitdyn.landmarks.labels.shared_parts import shared_beginning, shared_ending
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import write_trial
from gaitdyn.types.options import Options
from tests.unit.marked_walker import both, cluster, marked, plug_in_gait, recording
from tests.walks import walk

ELBOW = np.array([0.0, 0.14, 0.0])
"""From the iliac spine to an elbow that hangs beside it, m, up; further out in :func:`arm`."""


def marks(labels):
    """Return label -> code, side and role."""
    found = resolve(recording(labels))[0].landmarks
    return {m.label: (m.code, m.side, m.role) for m in found}


def roles(labels):
    return {label: role for label, (_, _, role) in marks(labels).items()}


def without(labels, *names):
    return {label: key for label, key in labels.items() if label not in names}


def arm(side, inward=0.0):
    """Return the places of an elbow marker."""
    place = marked("stand")
    across = place["ASIS", side] - place["SACR", ""]
    across[:, [0, 1]] = 0.0
    return place["ASIS", side] + (1.2 - inward) * across + ELBOW


def between(one, other):
    place = marked("stand")
    return 0.5 * (place[one] + place[other])


@pytest.mark.parametrize(("left", "right"), [("Lx", "Rx"), ("SOL_", "SAG_"), ("lx", "rx")])
def test_a_side_may_be_a_beginning_of_two_or_three_letters(left, right):
    labels = {}
    for side, word in (("left", left), ("right", right)):
        for code, name in (("ASIS", "Asis"), ("PSIS", "Psis"), ("KLE", "LatCon"), ("CAL", "Heel"),
                           ("ANL", "LatMal"), ("MT5H", "Meta5")):  # fmt: skip
            labels[word + name] = (code, side)
    assert set(roles(labels).values()) == {
        s + x for s in "LR" for x in ("ASI", "PSI", "KNE", "HEE", "ANK", "MT5")
    }


def test_l_and_p_are_sides_where_nearly_all_labels_end_in_them():
    named = {"ASIS": "SIAS_{s}", "PSIS": "SIPS_{s}", "KLE": "KOLENO_LAT_{s}",
             "KME": "KOLENO_MED_{s}", "ANL": "KOTNIK_LAT_{s}", "CAL": "PATA_{s}"}  # fmt: skip
    labels = {
        text.replace("{s}", letter): (code, side)
        for side, letter in (("left", "L"), ("right", "P"))
        for code, text in named.items()
    }
    found = roles(labels)
    assert (found["KOLENO_LAT_P"], found["KOLENO_MED_L"]) == ("RKNE", "LKNM")
    assert (found["SIPS_P"], found["PATA_P"], found["KOTNIK_LAT_L"]) == ("RPSI", "RHEE", "LANK")


def test_p_is_behind_and_no_side_where_l_and_r_are_the_sides():
    labels = both(ASIS="{s}_ASIS", PSIS="{s}_PSIS", KLE="{s}_KNE", ANL="{s}_ANK", TOE="{s}_TOE")
    for side in ("left", "right"):
        for name, place in zip("APB", cluster("THX", "stand", side, 3), strict=True):
            labels[f"{side[0].upper()}_TH_{name}"] = place
    found = marks(labels)
    assert {found[f"{s}_TH_P"][:2] for s in "LR"} == {("THX", "left"), ("THX", "right")}


def test_a_first_letter_is_a_side_beside_the_word_of_the_other_side():
    labels = {
        f"{side[0].upper()}.{name}": (code, side)
        for side in ("left", "right")
        for code, name in (("ASIS", "EIAS"), ("KLE", "Knee.Lat"), ("ANL", "Ankle.Lat"),
                           ("CAL", "Calca"), ("MT5H", "Foot.Lat"))
    } | {"Sacral": ("SACR", "")}  # fmt: skip
    glued = {("LEIAS" if label == "L.EIAS" else label): key for label, key in labels.items()}
    found = roles(glued)
    assert (found["LEIAS"], found["R.EIAS"]) == ("LASI", "RASI")


def test_letters_in_the_middle_are_sides_in_other_languages_too():
    labels = {}
    for side, letter in (("left", "G"), ("right", "D")):
        for code, name in (("ASIS", "EIAS"), ("PSIS", "EIPS"), ("KLE", "GEN"), ("ANL", "MALE")):
            labels[name + letter] = (code, side)
        for end in "HLB":
            labels[f"SCAP{letter}{end}"] = ("ACR", side)
    found = resolve(recording(labels))[0]
    told = {m.label: m.side for m in found.landmarks} | {
        label: "left" if label[4] == "G" else "right"
        for _, label, why in found.unresolved
        if "no side" not in why
    }
    assert told["SCAPGL"] == "left"
    assert told["SCAPDB"] == "right"


@pytest.mark.parametrize("ending", ["Med", "Int", "med"])
def test_a_medial_marker_beside_its_joint_is_no_copy(ending):
    labels = both(ASIS="{s}_ASIS", KLE="{s}_Knee", ANL="{s}_Ankle", CAL="{s}_Heel", TOE="{s}_Toe")
    labels |= both(KME=f"{{s}}_Knee_{ending}", ANM=f"{{s}}_Ankle_{ending}")
    found = roles(labels | {"V_Sacral": ("SACR", "")})
    assert (found[f"L_Knee_{ending}"], found[f"R_Ankle_{ending}"]) == ("LKNM", "RMED")


def test_three_markers_of_the_sacrum_track_the_pelvis_and_the_middle_one_is_the_sacrum():
    sacrum = marked("stand")["SACR", ""]
    labels = without(plug_in_gait(), "LPSI", "RPSI") | {
        "USACR": sacrum,
        "LSACR": between(("PSIS", "left"), ("SACR", "")) - [0.0, 0.03, 0.0],
        "RSACR": between(("PSIS", "right"), ("SACR", "")) - [0.0, 0.03, 0.0],
    }
    found = roles(labels)
    assert found["USACR"] == "SACR"
    assert {found["LSACR"], found["RSACR"]} == {"PEL1", "PEL2"}


def test_a_lone_spine_behind_without_a_side_is_the_middle_of_both():
    middle = {"Psis": ("SACR", "")}
    alone = without(plug_in_gait(), "LPSI", "RPSI") | middle
    assert marks(alone)["Psis"] == ("SACR", "", "SACR")
    assert "Psis" not in marks(plug_in_gait() | middle)
    assert "PSIS" not in marks(without(plug_in_gait(), "LPSI", "RPSI") | {
        "PSIS": ("SACR", ""), "SIPS": ("PSIS", "left")})  # fmt: skip


@pytest.mark.parametrize("label", ["{s}AKJC", "{s}ANKJC", "{s}AJC"])
def test_a_joint_centre_is_that_of_the_joint_which_its_letters_name(label):
    labels = plug_in_gait()
    for side in ("left", "right"):
        labels[label.format(s=side[0].upper())] = between(("ANL", side), ("ANM", side))
    assert marks(labels)[label.format(s="R")][:2] == ("AJC", "right")


def test_a_point_of_the_heel_is_no_toe_whatever_else_it_is_called():
    labels = plug_in_gait()
    for side in ("left", "right"):
        labels["MTCAL" + side[0].upper()] = marked("stand")["CAL", side] + [0.005, 0.02, 0.0]
    found = marks(labels)
    assert found.get("MTCALL", ("",))[0] in {"CAL", "FTX", ""}
    assert found["LTOE"][2] == "LTOE"


def test_epicondyles_beside_the_waist_are_those_of_the_elbow():
    labels = plug_in_gait() | both(KME="{s}MKN")
    for side in ("left", "right"):
        letter = side[0].upper()
        labels |= {f"{letter}LEP": arm(side), f"{letter}MEP": arm(side, 0.35)}
        labels |= {f"{letter}.Epi.Lat": arm(side)}
    found = marks(without(labels, "L.Epi.Lat", "R.Epi.Lat"))
    assert (found["LLEP"][0], found["RMEP"][0]) == ("ELL", "ELM")
    found = marks(without(labels, "LLEP", "RLEP", "LMEP", "RMEP"))
    assert found["L.Epi.Lat"][0] == "ELL"


def test_epicondyles_at_the_knee_are_still_those_of_the_femur():
    labels = without(plug_in_gait(), "LKNE", "RKNE") | both(KLE="{s}LEP", KME="{s}MEP")
    found = roles(labels)
    assert (found["LLEP"], found["RMEP"]) == ("LKNE", "RKNM")


@pytest.mark.parametrize(
    ("label", "code"),
    [("D10", "TSP"), ("C7SpinalProcess", "C7"), ("T3SpinousProcess", "TSP"), ("C7", "C7")],
)
def test_spinous_processes_are_read_with_their_words(label, code):
    back = marked("stand")["C7", ""] - [0.0, 0.12 * (code == "TSP"), 0.0]
    assert marks(plug_in_gait() | {label: back})[label][:2] == (code, "")


def test_a_lumbar_spinous_process_has_no_side():
    back = marked("stand")["SACR", ""] + [0.0, 0.07, 0.0]
    found = marks(plug_in_gait() | {"L5SpinalProcess": back})
    assert found["L5SpinalProcess"][:2] == ("LSP", "")


def test_a_small_letter_before_every_label_is_no_part_of_it():
    labels = {
        f"p{side.title()}{name}": (code, side)
        for side in ("left", "right")
        for code, name in (("ASIS", "ASI"), ("GTR", "GreaterTrochanter"), ("CAL", "HeelFoot"),
                           ("KLE", "KneeLatEpicondyle"), ("KME", "KneeMedEpicondyle"),
                           ("ANL", "LatMalleolus"), ("MT1H", "FirstMetatarsal"))
    } | {"pSacrum": ("SACR", ""), "pC7SpinalProcess": ("C7", "")}  # fmt: skip
    found = marks(labels)
    assert found["pC7SpinalProcess"][0] == "C7"
    assert found["pRightKneeMedEpicondyle"][2] == "RKNM"
    assert shared_beginning(["rASI", "rKNE", "rANK", "rHEE", "rTOE", "rTHI"]) == ""


@pytest.mark.parametrize(
    "written",
    ["{}_1", "{} dyn", "{}-v2", "{}.walk01", "m_{}", "Vicon{}", "Subj{}", "RThomas{}", "karl{}"],
)
def test_what_stands_on_every_label_is_no_part_of_it(written):
    plain = plug_in_gait()
    found = roles({written.format(label): place for label, place in plain.items()})
    assert found == {written.format(label): role for label, role in roles(plain).items()}


def test_letters_before_the_sides_of_all_labels_stay_if_they_are_a_word_or_the_sides_no_pairs():
    """``ViconLHEE`` was the medial knee, and ``ViconLTHI`` the elbow, without a word."""
    joints = [f"joint{side}{x}" for side in "LR" for x in ("Hip", "Knee", "Ankle")]
    assert shared_beginning(joints, is_word=lambda x: x == "joint") == ""
    assert shared_beginning(joints) == "joint"
    central = [f"Ann{x}" for x in ("LASI", "RASI", "SACR", "LKNE", "RKNE", "LANK", "RANK", "CLAV")]
    assert shared_beginning(central) == ""  # three of four are in pairs
    assert shared_beginning([*central, "AnnLTOE", "AnnRTOE", "C7"]) == "Ann"
    assert shared_beginning([f"MK{side}{k}" for side in "LR" for k in range(1, 9)]) == ""


def test_an_ending_that_tells_markers_or_sides_apart_is_a_part_of_them():
    names = ("ASI", "KNE", "ANK", "HEE", "TOE", "THI")
    assert shared_ending([f"{name} G" for name in names]) == ""
    assert shared_ending([*(f"{name}_1" for name in names), "THI"]) == ""
    assert shared_ending([*(f"{name}_1" for name in names), "C7"]) == "_1"


@pytest.mark.parametrize(
    ("first", "fifth"), [("first", "fifth"), ("1st", "5th"), ("MP1", "MP5"), ("1MHD", "5MHD")]
)
def test_first_and_fifth_alone_are_the_rays_of_the_foot(first, fifth):
    labels = without(plug_in_gait(), "LTOE", "RTOE")
    labels |= both(MT1H=f"{{s}}_{first}", MT5H=f"{{s}}_{fifth}")
    found = roles(labels)
    assert (found[f"L_{first}"], found[f"R_{fifth}"]) == ("LMT1", "RMT5")


@pytest.mark.parametrize("label", ["HeadOfFibula{s}", "{s}_Caput_fibulae", "{s} Head of Fibula"])
def test_the_head_of_the_fibula_is_read_with_its_words(label):
    assert marks(plug_in_gait() | both(FIB=label))[label.format(s="L")][0] in {"FIB", "SHX"}


def test_a_word_that_no_midline_point_can_have_does_not_hide_one_that_it_can():
    """US is a shank and ACR an acromion: neither stands on the midline."""
    labels = without(plug_in_gait(), "LPSI", "RPSI") | {"USACR": ("SACR", "")}
    assert roles(labels)["USACR"] == "SACR"


def test_pairs_in_m_and_l_at_the_front_of_the_foot_are_its_first_and_fifth_ray():
    labels = without(plug_in_gait(), "LTOE", "RTOE") | both(MT1H="{s}MT", MT5H="{s}LT")
    found = roles(labels)
    assert (found["LMT"], found["RLT"]) == ("LMT1", "RMT5")


@pytest.mark.parametrize(("code", "wanted"), [("SHX", "SHX"), ("ASIS", "ILC")])
def test_a_crest_is_that_of_the_pelvis_or_of_the_tibia_by_its_height(code, wanted):
    labels = plug_in_gait()
    for side in ("left", "right"):
        place = marked("stand")[code, side] + np.array([-0.06, 0.07, 0.0]) * (code == "ASIS")
        labels[f"{side[0].upper()}CRETE"] = place
    assert marks(labels)["LCRETE"][0] == wanted


LANGUAGES = {
    "polish": ("L", "P", "KBPG KBTG Kolano_boczne Kolano_przysrodkowe Kostka_boczna Pieta"),
    "swedish": ("V", "H", "SIAS SIPS Knä_lat Knä_med Fotled_lat Häl"),
    "finnish": ("vasen", "oikea", "SIAS SIPS polvi_lat polvi_med nilkka_lat kantapää"),
    "danish": ("VENSTRE", "HØJRE", "SIAS SIPS KNÆ_LAT KNÆ_MED ANKEL_LAT HÆL"),
    "czech": ("levy", "pravy", "SIAS SIPS koleno_zevne koleno_vnitrne kotnik_zevne pata"),
    "catalan": ("E", "D", "EIAS EIPS Genoll_ext Genoll_int Turmell_ext Talo"),
    "russian": ("Lev", "Prav", "ASIS PSIS Koleno_lat Koleno_med Lodyzhka_lat Pyatka"),
    "cyrillic": ("Л", "П", "ASIS PSIS Колено_lat Колено_med Лодыжка_lat Пятка"),
    "croatian": ("L", "D", "SIAS SIPS koljeno_lat koljeno_med glezanj_lat peta"),
    "norwegian": ("ve", "ho", "SIAS SIPS Kne_lat Kne_med Ankel_lat Hæl"),
    "romanian": ("stang", "drept", "SIAS SIPS Genunchi_lat Genunchi_med Glezna_lat Calcai"),
    "german": ("li", "re", "SIAS SIPS Knie_lat Knie_med OSG_lat Ferse"),
    "swedish, two letters": ("vä", "hö", "SIAS SIPS Knä_lat Knä_med Fotled_lat Häl"),
    "cyrillic, whole words": (
        "левый",
        "правый",
        "ASIS PSIS Колено_латер Колено_мед Лодыжка_латер Пятка",
    ),
    "latin": ("L", "R", "SIAS SIPS genu_lateralis genu_medialis malleolus_lateralis calcaneus"),
}
"""Words for left and right, and for six landmarks in the order of ``SIX``."""

SIX = ("ASIS", "PSIS", "KLE", "KME", "ANL", "CAL")


@pytest.mark.parametrize("language", LANGUAGES)
def test_landmarks_are_read_in_further_languages(language):
    left, right, names = LANGUAGES[language]
    labels = {
        f"{word} {name.replace('_', ' ')}": (code, side)
        for side, word in (("left", left), ("right", right))
        for code, name in zip(SIX, names.split(), strict=True)
    }
    found = {label: (code, side) for label, (code, side, _) in marks(labels).items()}
    assert found == labels


LEGS = (*SIX, "ANM", "TOE", "THX", "SHX")
WHOLE_LEGS = {
    "pinyin": """
        zuo you qiaqianshangji qiahoushangji xi_wai xi_nei huai_wai zugen huai_nei zujian
        datui xiaotui
        """,
    "pinyin, first letters": """
        Z Y qianqia houqia xi_wai xi_nei huai_wai jiaogen huai_nei jiaojian datui xiaotui
        """,
    "greek": """
        Αριστερό Δεξί Λαγόνια_πρόσθια Λαγόνια_οπίσθια Γόνατο_έξω Γόνατο_έσω Σφυρό_έξω Πτέρνα
        Σφυρό_έσω Δάχτυλο Μηρός Κνήμη
        """,
    "greek in latin letters": """
        aristero dexi lagonia_prosthia lagonia_opisthia gonato_exo gonato_eso sfyro_exo pterna
        sfyro_eso daktylo miros knimi
        """,
    "hungarian": """
        bal jobb SIAS SIPS térd_külső térd_belső boka_külső sarok boka_belső lábujj comb
        lábszár
        """,
    "hungarian, first letters": """
        B J SIAS SIPS terd_lat terd_med boka_lat sarok boka_med labujj comb labszar
        """,
    "turkish": """
        sol sağ SIAS SIPS diz_dis diz_ic ayak_bilegi_dis topuk ayak_bilegi_ic parmak uyluk
        baldir
        """,
    "korean": """
        oen oreun ASIS PSIS mureup_lat mureup_med balmok_lat dwikkumchi balmok_med balkkeut
        heobeokji jongari
        """,
    "russian": """
        лев прав ПВПО ЗВПО колено_нар колено_вн лодыжка_нар пятка лодыжка_вн носок бедро
        голень
        """,
    "finnish": """
        V O SIAS SIPS polvi_ulko polvi_sisä nilkka_ulko kantapää nilkka_sisä varvas reisi
        sääri
        """,
    "romanian": """
        S D SIAS SIPS genunchi_ext genunchi_int glezna_ext calcai glezna_int deget coapsa
        gamba
        """,
    "finnish, short": """
        vas oik SIAS SIPS polvi_lat polvi_med nilkka_lat kantapää nilkka_med varvas reisi pohje
        """,
    "japanese": """
        hidari migi ASIS PSIS hiza_soto hiza_uchi sotokurubushi kakato uchikurubushi tsumasaki
        daitai katai
        """,
    "czech, latin": """
        L P SIAS SIPS koleno_lateralni koleno_medialni kotnik_lateralni pata kotnik_medialni palec
        stehno berec
        """,
    "czech": """
        L P SIAS SIPS koleno_vnejsi koleno_vnitrni kotnik_vnejsi pata kotnik_vnitrni palec
        stehno berec
        """,
}
"""Words for left and right, and for the landmarks of ``LEGS``, _ for a blank."""


@pytest.mark.parametrize("write", [str, str.upper])
@pytest.mark.parametrize("language", WHOLE_LEGS)
def test_all_landmarks_of_the_legs_are_read_in_further_languages(language, write):
    left, right, *names = write(WHOLE_LEGS[language]).split()
    labels = {
        f"{word} {name.replace('_', ' ')}": (code, side)
        for side, word in (("left", left), ("right", right))
        for code, name in zip(LEGS, names, strict=True)
    }
    found = {label: (code, side) for label, (code, side, _) in marks(labels).items()}
    assert found == labels


@pytest.mark.parametrize(
    "sacrum", ["keresztcsont", "cheonchu", "senkotsu", "крестец", "korsben", "krizova kost"]
)
def test_a_sacrum_is_read_in_further_languages(sacrum):
    labels = without(plug_in_gait(), "LPSI", "RPSI") | {sacrum: ("SACR", "")}
    assert roles(labels)[sacrum] == "SACR"


@pytest.mark.parametrize(
    ("code", "name"),
    [("GTR", "trokanter"), ("GTR", "nagytompor"), ("GTR", "вертел"), ("FIB", "hikotsuto"),
     ("MT5H", "плюсна 5"), ("TTU", "tuberosidade")],
)  # fmt: skip
def test_other_points_of_the_leg_are_read_in_further_languages(code, name):
    labels = plug_in_gait() | both(**{code: f"{{s}} {name}"})
    assert marks(labels)[f"L {name}"][:2] == (code, "left")


@pytest.mark.parametrize("pattern", ["{x} {s}", "{s} {x}"])
@pytest.mark.parametrize(("left", "right"), [("L", "P"), ("Л", "П"), ("B", "J"), ("V", "O")])
def test_of_one_leg_a_letter_beside_the_other_one_is_a_side_not_a_trial(pattern, left, right):
    labels = {
        pattern.format(x=x, s=s): (code, side)
        for x, code in (("SIAS", "ASIS"), ("SIPS", "PSIS"))
        for s, side in ((left, "left"), (right, "right"))
    }
    for x, code in (("knee", "KLE"), ("ankle", "ANL"), ("heel", "CAL"), ("toe", "TOE"),
                    ("thigh", "THX"), ("shank", "SHX")):  # fmt: skip
        labels[pattern.format(x=x, s=right)] = (code, "right")
    found = {label: (code, side) for label, (code, side, _) in marks(labels).items()}
    assert found == labels


def test_a_word_that_hides_in_others_is_read_as_a_whole_part_only():
    found = marks(both(ASIS="{s}_ASIS", KLE="{s}_Knee", ANL="{s}_Ankle", CAL="{s}_Heel",
                       GTR="{s}_GREATERTROCHANTER", TOE="{s}_Toe"))  # fmt: skip
    assert found["L_GREATERTROCHANTER"][0] == "GTR"


def test_an_i_after_knee_or_ankle_is_the_inner_side():
    labels = {s + name: (code, side) for s, side in (("L", "left"), ("R", "right"))
              for code, name in (("ASIS", "ASI"), ("PSIS", "PSI"), ("KLE", "KNE"), ("KME", "KNEI"),
                                 ("ANL", "ANK"), ("ANM", "ANKI"), ("CAL", "HEE"))}  # fmt: skip
    found = marks(labels)
    assert {found["LKNEI"][0], found["RKNEI"][0]} == {"KME"}
    assert {found["LANKI"][0], found["RANKI"][0]} == {"ANM"}


@pytest.mark.parametrize("written", ["[{}]", "{} (1)", "{i:02d}_{}", '"{}"'])
def test_brackets_and_numbers_of_a_program_are_no_part_of_a_label(written):
    plain = roles(plug_in_gait())
    labels = {written.format(x, i=i): key for i, (x, key) in enumerate(plug_in_gait().items())}
    assert list(roles(labels).values()) == list(plain.values())


def test_letters_for_the_corners_of_a_plate_on_the_thigh_do_not_make_it_a_trochanter():
    labels = plug_in_gait()
    for side, letter in (("left", "L"), ("right", "R")):
        corners = dict(zip(("AS", "AI", "PS", "PI"), cluster("THX", "stand", side), strict=True))
        labels |= {f"{letter}TH_{corner}": place for corner, place in corners.items()}
        del labels[f"{letter}THI"]
    found = marks(labels)
    assert {found[f"LTH_{corner}"][0] for corner in ("AS", "AI", "PS", "PI")} == {"THX"}


def test_plug_in_gait_may_be_asked_for_where_its_markers_have_other_labels(tmp_path):
    """It was refused, although ``auto`` found it."""
    words = {"ASI": "asis", "PSI": "psis", "THI": "thigh wand", "KNE": "knee", "TIB": "shank wand",
             "ANK": "ankle", "HEE": "heel", "TOE": "toe"}  # fmt: skip
    trial = walk()
    named = replace(trial, labels=tuple(f"{x[0]} {words[x[1:]]}" for x in trial.labels))
    write_trial(tmp_path / "walk.c3d", named)
    one, other = (
        process_trial(tmp_path / "walk.c3d", Options(model=model)).to_frame()
        for model in ("auto", "plug-in-gait")
    )
    for column in ("left_knee_angle_flexion", "right_hip_moment_extension"):
        np.testing.assert_array_equal(one[column], other[column])
    with pytest.raises(ModelNotFound, match="helen-hayes"):
        process_trial(tmp_path / "walk.c3d", Options(model="helen-hayes"))


def test_a_word_for_calibration_behind_a_joint_is_no_heel():
    """``Medial_Malleolus.Cal`` was taken for the medial side of the heel."""
    labels = {}
    for side in ("left", "right"):
        for code, name in (("ASIS", "ASIS"), ("PSIS", "PSIS"), ("KLE", "Lateral_Knee"),
                           ("KME", "Medial_Knee.Cal"), ("ANL", "Lateral_Malleolus"),
                           ("ANM", "Medial_Malleolus.Cal"), ("CAL", "Heel")):  # fmt: skip
            labels[f"{side.title()}_{name}"] = (code, side)
    found = marks(labels)
    assert {label: code for label, (code, _, _) in found.items()} == {
        label: code for label, (code, _) in labels.items()
    }


@pytest.mark.parametrize("kind", ["alone", "beside another"])
def test_a_malleolus_without_a_word_is_the_lateral_one_unless_that_is_there(kind):
    names = {"ASIS": "ASI", "GTR": "GTR", "KLE": "CND", "MT5H": "5MT"}
    names |= {"ANL": "MAL"} if kind == "alone" else {"ANL": "ANK", "ANM": "MAL"}
    found = marks(both(**{code: "{s}" + name for code, name in names.items()}))
    assert {found[f"{s}MAL"][0] for s in "LR"} == {"ANL" if kind == "alone" else "ANM"}


def test_toes_and_heels_of_laboratories_with_codes_of_their_own():
    labels = plug_in_gait() | both(CAL="{s}CAB", TOE="{s}TT2")
    labels = without(labels, "LHEE", "RHEE", "LTOE", "RTOE")
    found = roles(labels)
    assert {found["LCAB"], found["RTT2"]} == {"LHEE", "RTOE"}


def test_twins_of_lateral_and_medial_toes_are_the_outer_metatarsal_heads():
    """The medial one was taken for a toe."""
    names = {"ASIS": "ASI", "PSIS": "PSI", "KLE": "LK", "KME": "MK", "ANL": "LA", "ANM": "MA",
             "CAL": "HL", "MT5H": "LT", "MT1H": "MT"}  # fmt: skip
    labels = both(**{code: "{s}" + name for code, name in names.items()})
    found, _ = resolve(recording(labels, "walk"), recording(labels))
    assert {mark.label: mark.code for mark in found.landmarks} == {
        label: code for label, (code, _) in labels.items()
    }


def test_bare_words_for_a_joint_beside_its_lateral_and_medial_markers_are_its_centre():
    """``LEFT_ANKLE`` was the lateral malleolus and ``MAL_LAT_L`` nothing."""
    names = {"ASIS": "ASIS", "PSIS": "PSIS", "KLE": "KNEE_LAT", "KME": "KNEE_MED",
             "ANL": "MAL_LAT", "ANM": "MAL_MED", "CAL": "HEEL", "TOE": "TOE",
             "MT1H": "MTP1", "MT5H": "MTP5"}  # fmt: skip
    real = both(**{code: name + "_{s}" for code, name in names.items()})
    place = marked("stand")
    centres = {
        f"{side.upper()}_{joint}": (place[lateral, side] + place[medial, side]) / 2
        for side in ("left", "right")
        for joint, lateral, medial in (("KNEE", "KLE", "KME"), ("ANKLE", "ANL", "ANM"))
    }
    for side, other in (("left", "right"), ("right", "left")):
        hip = 0.75 * place["GTR", side] + 0.25 * place["GTR", other]
        centres[f"{side.upper()}_HIP"] = hip
    outcome = resolve(recording(real | centres))[0]
    found = {mark.label: mark.code for mark in outcome.landmarks}
    assert {found.pop("LEFT_HIP"), found.pop("RIGHT_HIP")} == {"HJC"}
    assert found == {label: code for label, (code, _) in real.items()}


@pytest.mark.parametrize("label", ["Mid Psis", "MidPSIS", "mid_PSI"])
def test_a_middle_of_the_spines_is_the_sacrum_unless_both_spines_are_marked(label):
    middle = {label: ("SACR", "")}
    alone = without(plug_in_gait(), "LPSI", "RPSI") | both(GTR="{s}_Trochanter") | middle
    assert marks(alone)[label] == ("SACR", "", "SACR")
    assert label not in marks(plug_in_gait() | middle)


@pytest.mark.parametrize("words", [("R.Clavicle", "L.Clavicle"), ("CLAVR", "CLAVL")])
def test_a_clavicle_of_one_side_is_not_the_notch_between_both(words):
    notch, right = marked("stand")["JN", ""], marked("stand")["ACR", "right"]
    aside = 0.2 * (right - notch) * [0.0, 0.0, 1.0]
    found = marks(plug_in_gait() | dict(zip(words, (notch + aside, notch - aside), strict=True)))
    assert [found[word][2] for word in words] == ["", ""]
    assert marks(plug_in_gait() | {"Clavicle": notch})["Clavicle"] == ("JN", "", "CLAV")


@pytest.mark.parametrize(
    ("label", "above_m", "role"),
    [
        ("Upper breast-bone", 0.18, "CLAV"), ("Lower breast-bone", 0.0, "STRN"),
        ("Vertebra C7", 0.24, "C7"), ("strm", 0.0, "STRN"), ("strm", 0.18, "CLAV"),
    ],
)  # fmt: skip
def test_points_of_the_trunk_are_told_by_their_words_and_their_height(label, above_m, role):
    labels = {}
    for side in ("left", "right"):
        for code, name in (("ASIS", "ASIS"), ("PSIS", "PSIS"), ("GTR", "Trochanter"),
                           ("KLE", "Condylus lateralis"), ("KME", "Condylus medialis"),
                           ("ANL", "Outer ankle-bone"), ("CAL", "Heel"),
                           ("TOE", "Toe")):  # fmt: skip
            labels[f"{name} {side}"] = (code, side)
    labels[label] = marked("stand")["JN", ""] + [0.0, above_m - 0.18, 0.0]
    found = roles(labels)
    assert found[label] == role
    assert (found["Outer ankle-bone left"], found["Heel right"]) == ("LANK", "RHEE")


def test_a_metatarsal_with_a_number_that_no_ray_has_is_read_by_its_place():
    labels = both(ASIS="{s}.ASIS", PSIS="{s}.PSIS", KLE="{s}.Knee", ANL="{s}.Ankle", CAL="{s}.Heel",
                  MT5H="{s}.MT5", MT1H="{s}.MT0", KME="{s}.Mkn", ANM="{s}.Man")  # fmt: skip
    found = roles(labels)
    assert (found["L.MT0"], found["R.MT5"]) == ("LMT1", "RMT5")
    assert (found["L.Mkn"], found["R.Man"]) == ("LKNM", "RMED")


def test_letters_after_a_segment_are_a_landmark_on_it():
    on = {"ASIS": "Pelvis.SIAS", "PSIS": "Pelvis.SIPS", "KLE": "Thigh.LE", "KME": "Thigh.ME",
          "ANL": "Shank.LM", "ANM": "Shank.MM", "CAL": "Foot.CA", "MT1H": "Foot.FM",
          "MT5H": "Foot.VM"}  # fmt: skip
    labels = {f"{text}.{s[0].upper()}": (c, s) for s in ("left", "right") for c, text in on.items()}
    found = marks(labels)
    assert {label: found[label][:2] for label in labels} == labels


def test_letters_after_a_segment_stay_a_cluster_where_they_are_one():
    labels = plug_in_gait()
    for side in ("left", "right"):
        for name, place in zip(["LM", "LA", "MA"], cluster("SHX", "stand", side), strict=False):
            labels[f"{side[0].upper()}_Shank_{name}"] = place
    found = marks(labels)
    assert {found[f"{s}_Shank_{n}"][0] for s in "LR" for n in ("LM", "LA", "MA")} == {"SHX"}


@pytest.mark.parametrize(("code", "label"), [("CAL", "{s}ShoeHeel"), ("MT5H", "{s}_shoe_MT5")])
def test_markers_on_shoes_are_those_of_the_foot(code, label):
    labels = without(plug_in_gait(), "LHEE", "RHEE") | both(**{code: label})
    assert marks(labels)[label.format(s="R")][:2] == (code, "right")


@pytest.mark.parametrize("ends", ["UCD", ("UA", "UP", "LA")])
def test_thu_is_a_marker_of_the_thigh_beside_others_and_a_thumb_alone(ends):
    """``RTHU RTHC RTHD``, the upper, central and distal one, lost the first to the hand,
    and ``RTHUA RTHUP RTHLA`` as well.
    """
    labels = plug_in_gait()
    for side in ("left", "right"):
        for name, place in zip(ends, cluster("THX", "stand", side, 3), strict=True):
            labels[f"{side[0].upper()}TH{name}"] = place
    found = marks(labels)
    assert {found[f"{s}TH{x}"][0] for s in "LR" for x in ends} == {"THX"}
    hands = {f"{side[0].upper()}THU": arm(side) - 3.0 * ELBOW for side in ("left", "right")}
    assert {marks(plug_in_gait() | hands)[s + "THU"][0] for s in "LR"} == {"HAN"}


def test_two_letters_of_the_knee_are_on_the_heel_where_they_are():
    """``MC``, the middle of the calcaneus, beside ``LC`` was missed, as ``TF``, testa fibulae."""
    labels = both(ASIS="{s}ASIS", PSIS="{s}PSIS", KLE="{s}LE", KME="{s}ME", FIB="{s}TF",
                  ANL="{s}LM", ANM="{s}MM", CAL="{s}MC", MT5H="{s}5MTP")  # fmt: skip
    heel = marked("stand")
    for side, letter in (("left", "L"), ("right", "R")):
        toe = heel["MT5H", side] - heel["CAL", side]
        labels[letter + "LC"] = heel["CAL", side] + 0.3 * toe + np.array([0.0, 0.01, 0.0])
    found = roles(labels)
    assert [found["R" + x] for x in ("MC", "TF", "LE", "ME")] == ["RHEE", "RHFI", "RKNE", "RKNM"]
    knees = {"KLE": "{s}LC", "KME": "{s}MC", "GTR": "{s}TF"}
    others = without(plug_in_gait(), "LKNE", "RKNE")
    found = roles(others | both(**knees))
    assert [found["L" + x] for x in ("LC", "MC", "TF")] == ["LKNE", "LKNM", "LGTR"]
