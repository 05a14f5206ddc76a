"""Marker models: reading them, their errors, and which one is found for which labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.calibrate.models.choice import PLUG_IN_GAIT, choose_model
from gaitdyn.calibrate.models.files import load_model, model_names, parse_model, shipped_models
from gaitdyn.calibrate.models.fitted import match_model, renamed, renaming_lines
from gaitdyn.errors import ModelNotFound, UsageError
from gaitdyn.stages.label_lines import labels_read
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject

SHIPPED = {model.name: model for model in shipped_models()}
LANDMARKS = [name for name, model in SHIPPED.items() if model.engine == "landmarks"]
LAST_RESORT = {"sagittal"}
"""Many files have its markers too; it is taken only when no other model fits a leg."""
ALSO_PLUG_IN_GAIT = {"cgm2"}
"""Models whose files have the markers of Plug-in Gait too: taken when they are asked for."""


def recording(labels: Sequence[str], unseen: tuple[str, ...] = ()) -> Recording:
    """Return a recording of ten frames with these labels; ``label|description`` tells more."""
    parts = [label.partition("|") for label in labels]
    markers = np.ones((10, len(labels), 3))
    for i, label in enumerate(labels):
        if label in unseen:
            markers[:, i] = np.nan
    return Recording(
        name="walk.c3d",
        sha256="",
        rate_hz=100.0,
        samples_per_frame=10,
        first_frame=1,
        labels=tuple(p[0] for p in parts),
        markers_L=markers,
        outputs={},
        events=(),
        plates=(),
        subject=Subject(),
        descriptions=tuple(p[2] for p in parts),
    )


def own_labels(model: MarkerModel) -> list[str]:
    """Return the first label of each marker of a model."""
    return [names[0] for names in model.labels.values()]


MINIMAL = """name = "mine"
engine = "landmarks"
sides = { left = "l", right = "r" }

[labels]
"{s}ASI" = ["{s} asis", "{s}.asis"]
SACR = ["sacrum"]
"{s}KNE" = ["{s} knee|lateral"]
"{s}KNM" = ["{s} knee|medial"]
"{s}ANK" = ["{s} ankle"]
"{s}HEE" = ["{s} heel"]
"{s}TOE" = ["{s} toe"]
"{s}BAR" = ["{s} bar"]

[tracking]
pelvis = ["LASI", "RASI", "SACR"]
thigh = ["@hip", "{s}BAR", "{s}KNE"]
shank = ["@knee", "{s}KNE", "{s}ANK"]
foot = ["@ankle", "{s}HEE", "{s}TOE"]
"""
PELVIS = ["l asis", "r asis", "sacrum"]
LEFT = ["l knee|lateral", "l knee|medial", "l ankle", "l heel", "l toe", "l bar"]
RIGHT = [label.replace("l ", "r ", 1) for label in LEFT]
MINE = parse_model(MINIMAL, "mine.toml")


# ---------------------------------------------------------------- what ships


@pytest.mark.parametrize("name", SHIPPED)
def test_a_model_that_ships_can_be_read_and_says_where_it_is_from(name: str) -> None:
    model = load_model(name)
    assert model == SHIPPED[name]
    assert model.title
    assert model.source
    assert model.labels


def test_the_names_of_files_are_those_of_models() -> None:
    from importlib.resources import files

    folder = files("gaitdyn") / "resources" / "markersets"
    names = {p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml")}
    assert names == set(SHIPPED) == set(model_names())


def test_plug_in_gait_is_tried_first_and_models_with_optional_markers_last() -> None:
    names = model_names()
    assert names[0] == PLUG_IN_GAIT
    assert names[-2:] == ["sagittal", "video-keypoints"]
    optional = [bool(SHIPPED[name].optional) for name in names[1:-2]]
    assert optional == sorted(optional)


@pytest.mark.parametrize("name", LANDMARKS)
def test_what_tracks_a_segment_is_a_marker_of_the_model_or_a_joint(name: str) -> None:
    model = SHIPPED[name]
    assert set(model.tracking) == {"pelvis", "thigh", "shank", "foot"}
    for names in model.tracking.values():
        assert len(names) >= 3
        for letter in "LR":
            roles = {x.replace("{s}", letter) for x in names}
            assert {x for x in roles if not x.startswith("@")} <= set(model.labels)
            assert {x for x in roles if x.startswith("@")} <= {"@hip", "@knee", "@ankle"}


@pytest.mark.parametrize("name", LANDMARKS)
def test_both_sides_of_a_model_are_mirror_images(name: str) -> None:
    labels = SHIPPED[name].labels
    for role in labels:
        if role[0] == "L":
            assert len(labels["R" + role[1:]]) == len(labels[role])


@pytest.mark.parametrize("name", SHIPPED)
def test_a_model_is_found_by_its_own_labels(name: str) -> None:
    asked = name if name in ALSO_PLUG_IN_GAIT else "auto"
    match = choose_model(recording(own_labels(SHIPPED[name])), asked)
    assert match.model.name == name
    assert match.sides == ["left", "right"]
    assert sorted(match.places.values()) == sorted(SHIPPED[name].labels)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_other_model_claims_the_labels_of_a_model(name: str) -> None:
    """Apart from markers that mean the same, a model fits neither leg of another's files."""
    labels = recording(own_labels(SHIPPED[name]))
    claimed = {other for other in SHIPPED if match_model(SHIPPED[other], labels).sides}
    wanted = {name, PLUG_IN_GAIT} if name in ALSO_PLUG_IN_GAIT else {name}
    assert claimed - LAST_RESORT == wanted - LAST_RESORT


@pytest.mark.parametrize("name", sorted(ALSO_PLUG_IN_GAIT))
def test_a_file_with_the_markers_of_plug_in_gait_and_more_has_plug_in_gait(name: str) -> None:
    assert choose_model(recording(own_labels(SHIPPED[name]))).model.name == PLUG_IN_GAIT


MADE_UP = {
    "cast-landmarks": "LASIS RASIS LPSIS RPSIS {s}GT {s}LE {s}ME {s}HF {s}TT {s}LM {s}MM {s}CA"
    " {s}IIT {s}IMH {s}VMH C7 LACR RACR",
    "clusters-with-centres": "LASI RASI LPSI RPSI {s}TH1 {s}TH2 {s}TH3 {s}TB1 {s}TB2 {s}TB3 {s}LFC"
    " {s}MFC {s}LMAL {s}MMAL {s}CAL {s}MT1 {s}MT2 {s}HJC {s}KJC {s}AJC C7 CLAV {s}ACR",
    "visual3d-hybrid": "LASI RASI LPSI RPSI LIC RIC {s}TH1 {s}TH2 {s}TH3 {s}TH4 {s}SK1 {s}SK2"
    " {s}SK3 {s}SK4 {s}LK {s}MK {s}LA {s}MA {s}HEEL {s}MT1 {s}MT5 C7 CLAV",
    "codamotion": "{s}.ASIS {s}.PSIS {s}.Knee {s}.Ankle {s}.Heel {s}.Toe {s}.Post.Fem."
    " {s}.Ant.Fem. {s}.Post.Tib. {s}.Ant.Tib.",
    "helen-hayes": "LASI RASI VSAC {s}THI {s}KNE|{s}.Knee {s}KNE|{s}.Knee.Medial {s}SHA"
    " {s}ANK|{s}.Ankle {s}ANK|{s}.Ankle.Medial {s}HEE {s}TOE V{s}HI|V_{s}.Hip_JC",
    "medial-markers": "LASI RASI LPSI RPSI {s}LFC {s}TTB {s}LMA {s}CAL {s}TOE {s}THI {s}SHA {s}GRT"
    " {s}PM1",
    "plug-in-gait": "LASI RASI LPSI RPSI {s}THI {s}KNE {s}TIB {s}ANK {s}HEE {s}TOE CLAV STRN C7",
    "qualisys-isb": "L_IAS R_IAS L_IPS R_IPS {s}_FLE {s}_FME {s}_FAL {s}_TAM {s}_FCC {s}_FM1"
    " {s}_FM5 {s}_FTC {s}_FAX {s}_TTC CV7 SXS",
}
"""Lists like those met in files, markers of the trunk and other extras among them."""


@pytest.mark.parametrize("name", MADE_UP)
def test_labels_as_met_in_files_have_one_model(name: str) -> None:
    words = MADE_UP[name].split()
    labels = [x.replace("{s}", s) for x in words for s in ("LR" if "{s}" in x else "-")]
    labels = recording(labels)
    fitting = {other for other in SHIPPED if match_model(SHIPPED[other], labels).sides}
    assert fitting - LAST_RESORT == {name}
    assert choose_model(labels).model.name == name


def test_the_foot_of_the_western_australian_set_is_tracked() -> None:
    """Its foot has no second metatarsal: CAL, MT1, MT5."""
    words = "LASI RASI LPSI RPSI {s}TH1 {s}TH2 {s}TH3 {s}TB1 {s}TB2 {s}TB3 {s}LFC {s}MFC {s}LMAL"
    words = f"{words} {{s}}MMAL {{s}}CAL {{s}}MT1 {{s}}MT5".split()
    labels = [x.replace("{s}", s) for x in words for s in ("LR" if "{s}" in x else "-")]
    match = choose_model(recording(labels))
    assert match.model.name == "clusters-with-centres"
    roles = set(match.places.values())
    for segment, names in match.model.tracking.items():
        assert sum(name.replace("{s}", "L") in roles for name in names) >= 3, segment


def test_plug_in_gait_has_too_few_thigh_markers_for_cgm2() -> None:
    match = match_model(SHIPPED["cgm2"], recording(own_labels(SHIPPED[PLUG_IN_GAIT])))
    assert match.missing["left"] == ["three of LTHI LTAP LTAD LKNE"]


def test_plug_in_gait_wins_when_several_models_fit() -> None:
    """The labels of Plug-in Gait and clusters with condyles on the same legs."""
    both = dict.fromkeys(
        own_labels(SHIPPED[PLUG_IN_GAIT]) + own_labels(SHIPPED["clusters-with-centres"])
    )
    both = recording(list(both))
    assert match_model(SHIPPED["clusters-with-centres"], both).sides == ["left", "right"]
    assert choose_model(both).model.name == PLUG_IN_GAIT
    assert choose_model(both, "clusters-with-centres").model.name == "clusters-with-centres"


def test_two_legs_of_a_landmark_model_win_over_one_of_plug_in_gait() -> None:
    labels = own_labels(SHIPPED[PLUG_IN_GAIT]) + own_labels(SHIPPED["clusters-with-centres"])
    kept = [x for x in dict.fromkeys(labels) if x != "RTIB"]
    match = choose_model(recording(kept))
    assert match.model.name == "clusters-with-centres"


# ---------------------------------------------------------------- matching


def test_markers_are_found_by_label_and_by_description() -> None:
    match = match_model(MINE, recording([*PELVIS, *LEFT, *RIGHT]))
    assert match.sides == ["left", "right"]
    assert match.places[3] == "LKNE"
    assert match.places[4] == "LKNM"


def test_the_order_of_duplicates_in_the_file_does_not_matter() -> None:
    swapped = [*PELVIS, LEFT[1], LEFT[0], *LEFT[2:], *RIGHT]
    match = match_model(MINE, recording(swapped))
    assert (match.places[3], match.places[4]) == ("LKNM", "LKNE")


def test_descriptions_in_other_capitals_are_those_of_the_model() -> None:
    labels = [
        f"{label}|{text.upper()}"
        for label, _, text in (x.partition("|") for x in [*PELVIS, *LEFT, *RIGHT])
    ]
    assert match_model(MINE, recording(labels)).sides == ["left", "right"]


def test_a_label_that_several_markers_share_is_none_of_the_model() -> None:
    """``LTHI1`` to ``LTHI4`` cut to four letters: none of them need be the wand."""
    labels = [*own_labels(SHIPPED[PLUG_IN_GAIT]), "LTHI"]
    copied = recording(labels)
    assert match_model(SHIPPED[PLUG_IN_GAIT], copied).sides == ["left", "right"]
    copied.markers_L[:, -1, 2] += 0.1
    assert match_model(SHIPPED[PLUG_IN_GAIT], copied).missing == {"left": ["LTHI"], "right": []}


def test_a_duplicate_without_the_description_is_not_taken() -> None:
    labels = [label.replace("|lateral", "|other") for label in [*PELVIS, *LEFT, *RIGHT]]
    match = match_model(MINE, recording(labels))
    assert match.sides == []
    assert match.missing["left"] == ["LKNE (or LKJC)"]


def test_the_first_alias_that_is_seen_is_taken() -> None:
    labels = ["l.asis", *PELVIS, *LEFT, *RIGHT]
    assert match_model(MINE, recording(labels)).places[1] == "LASI"
    hidden = recording(labels, unseen=("l asis",))
    assert match_model(MINE, hidden).places[0] == "LASI"


def test_a_marker_that_is_never_seen_is_missing() -> None:
    hidden = recording([*PELVIS, *LEFT, *RIGHT], unseen=("r toe",))
    match = match_model(MINE, hidden)
    assert match.sides == ["left"]
    assert match.missing == {"left": [], "right": ["RTOE (or RMT1, RMT5)"]}


def test_one_marker_of_the_file_stands_for_one_of_ours() -> None:
    text = MINIMAL.replace('"{s}KNM" = ["{s} knee|medial"]', '"{s}KNM" = ["{s} knee"]')
    labels = [*PELVIS, "l knee|lateral", *LEFT[2:], "r knee|lateral", *RIGHT[2:]]
    match = match_model(parse_model(text, "mine.toml"), recording(labels))
    assert len(set(match.places.values())) == len(match.places)
    assert "LKNM" not in match.places.values()


@pytest.mark.parametrize(("labels", "side"), [(LEFT, "left"), (RIGHT, "right")])
def test_one_leg_is_enough(labels: list[str], side: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINIMAL, encoding="utf-8")
    assert choose_model(recording([*PELVIS, *labels]), str(path)).sides == [side]


def test_one_leg_of_plug_in_gait_is_enough() -> None:
    labels = [x for x in own_labels(SHIPPED[PLUG_IN_GAIT]) if x == "RASI" or x[0] != "R"]
    match = choose_model(recording(labels))
    assert (match.model.name, match.sides) == (PLUG_IN_GAIT, ["left"])


def test_an_optional_marker_may_lack() -> None:
    labels = [x for x in own_labels(SHIPPED["davis-bars"]) if x != "r mall"]
    assert choose_model(recording(labels)).sides == ["left", "right"]
    needed = [x for x in own_labels(SHIPPED["davis-bars"]) if x != "r heel"]
    assert choose_model(recording(needed)).sides == ["left"]


def test_the_met_marker_of_davis_is_not_taken_for_a_toe_on_the_line_of_the_foot() -> None:
    labels = [x for x in own_labels(SHIPPED["davis-bars"]) if not x.endswith("TOE")]
    match = choose_model(recording(labels))
    assert (match.model.name, match.places[labels.index("r met")]) == ("davis-bars", "RMT5")
    on_the_second = {"l met": "LTOE", "r met": "RTOE"}
    match = choose_model(recording([on_the_second.get(label, label) for label in labels]))
    assert (match.model.name, match.sides) == ("davis-bars", ["left", "right"])


def test_a_sacrum_stands_for_both_psis() -> None:
    labels = own_labels(SHIPPED["qualisys-isb"])
    without = recording([x for x in labels if x != "R_IPS"])
    match = match_model(SHIPPED["qualisys-isb"], without)
    assert match.missing["left"] == ["LPSI + RPSI (or SACR)"]


def test_the_nearest_model_is_named_with_what_it_lacks_when_none_fits() -> None:
    labels = [x for x in own_labels(SHIPPED["qualisys-isb"]) if x[2:] not in ("FCC", "FLE")]
    with pytest.raises(ModelNotFound) as caught:
        choose_model(recording(labels))
    message = str(caught.value)
    assert message.startswith("walk.c3d: no marker model fits; found 20 markers (L_FAL, ")
    assert "qualisys-isb, also needs LKNE (or LKJC), LHEE, RKNE (or RKJC), RHEE;" in message
    assert "--model FILE.toml" in message
    assert "\n" not in message


def test_a_refusal_has_no_empty_brackets_and_no_empty_name() -> None:
    hidden = recording(["LASI", "M1"])
    hidden.markers_L[:] = np.nan
    with pytest.raises(ModelNotFound, match="found 0 markers, the nearest"):
        choose_model(hidden)
    with pytest.raises(ModelNotFound, match=r"found 2 markers \(one without a name, M1\)"):
        choose_model(recording(["", "M1"]))


@pytest.mark.parametrize("star", ["", "*"])
def test_markers_that_no_frame_shows_are_not_told_to_be_renamed(star: str) -> None:
    hidden = [f"{star}{x}" if x == "LASI" else x for x in own_labels(SHIPPED[PLUG_IN_GAIT])]
    seen = recording(hidden)
    seen.markers_L[:, hidden.index(f"{star}LASI")] = np.nan
    with pytest.raises(ModelNotFound, match="the file has LASI but shows them in no frame"):
        choose_model(seen, PLUG_IN_GAIT)


def test_a_model_that_was_asked_for_is_the_only_one_tried() -> None:
    labels = recording(own_labels(SHIPPED[PLUG_IN_GAIT]))
    with pytest.raises(ModelNotFound, match="the model codamotion does not fit; found") as caught:
        choose_model(labels, "codamotion")
    todo = "rename the markers or describe them with --model FILE.toml, or leave --model out"
    assert todo in str(caught.value)


def test_a_model_that_was_asked_for_and_reads_other_labels_says_which() -> None:
    """The message was "found LASI, ...; also needs LASI"; and other models do fit."""
    file = recording(own_labels(SHIPPED[PLUG_IN_GAIT]))
    with pytest.raises(ModelNotFound) as caught:
        choose_model(file, "davis-bars")
    message = str(caught.value)
    assert "no marker model fits" not in message
    assert "it also needs LASI, RASI, " in message
    assert "; it reads LASI from l asis, RASI from r asis, " in message
    with pytest.raises(ModelNotFound) as caught:  # what it reads by our own names is not told
        choose_model(file, "cgm2")
    assert "it reads" not in str(caught.value)


# ---------------------------------------------------------------- our names


def test_markers_get_our_names_and_the_log_tells_which() -> None:
    file = recording([*PELVIS, *LEFT, *RIGHT])
    match = match_model(MINE, file)
    ours = renamed(file, match)
    assert ours.labels[:5] == ("LASI", "RASI", "SACR", "LKNE", "LKNM")
    assert len(set(ours.labels)) == len(ours.labels)
    assert renaming_lines(file, match)[:4] == [
        "l asis = LASI", "r asis = RASI", "sacrum = SACR", "l knee = LKNE",
    ]  # fmt: skip
    assert ours.markers_L is file.markers_L


def test_a_label_that_would_mean_another_marker_is_set_aside_with_a_star() -> None:
    """LTOE of this file is not the marker that the model calls so."""
    file = recording([*PELVIS, *LEFT, *RIGHT, "LTOE", "C7"])
    ours = renamed(file, match_model(MINE, file))
    assert ours.labels[-2:] == ("*LTOE", "C7")
    assert ours.labels.count("LTOE") == 1


def test_labels_that_are_ours_already_stay_and_are_not_told() -> None:
    file = recording(own_labels(SHIPPED[PLUG_IN_GAIT]))
    match = match_model(SHIPPED[PLUG_IN_GAIT], file)
    assert set(renamed(file, match).labels) == set(SHIPPED[PLUG_IN_GAIT].labels)
    assert all(line.endswith("KNEMED = LKNM") for line in renaming_lines(file, match) if line)


# ---------------------------------------------------------------- errors in a file

ERRORS = {
    "unknown key": (
        ("sides = {", 'author = "me"\nsides = {'),
        "mine.toml, line 3: found 'author', wanted one of climbs, engine, labels, name, ",
    ),
    "unknown engine": (
        ('"landmarks"', '"chords"'),
        "mine.toml, line 2: found engine = 'chords', wanted chord, landmarks or sagittal",
    ),
    "unknown marker": (
        ('"{s}KNM"', '"{s}KNX"'),
        "mine.toml, line 9: found '{s}KNX', wanted a marker with a meaning, or one listed in",
    ),
    "label that is not a list": (
        ('["{s} heel"]', '"{s} heel"'),
        "mine.toml, line 11: found {s}HEE = '{s} heel', wanted a list of labels",
    ),
    "label that is a number": (
        ('["{s} heel"]', "[7]"),
        "mine.toml, line 11: found {s}HEE = [7], wanted a list of labels",
    ),
    "unknown segment": (
        ("shank =", "calf ="),
        "mine.toml, line 18: found 'calf', wanted one of pelvis, thigh, shank, foot",
    ),
    "tracking that is not a list": (
        ('["@ankle", "{s}HEE", "{s}TOE"]', '"HEE"'),
        "mine.toml, line 19: found foot = 'HEE', wanted a list of markers",
    ),
    "bad TOML": (('["sacrum"]', '["sacrum"'), "line 8"),
    "label twice": (("SACR =", '"{s}ASI" = ["x"]\nSACR ='), "line 7"),
    "missing name": (('name = "mine"\n', ""), "mine.toml: name is missing"),
    "missing engine": (('engine = "landmarks"\n', ""), "mine.toml: engine is missing"),
    "missing labels": (("[labels]", "[tracking.more]"), "mine.toml: labels is missing"),
}


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_in_a_file_is_told_with_its_line_and_what_was_wanted(error: str) -> None:
    change, wanted = ERRORS[error]
    text = MINIMAL.replace(*change, 1)
    assert text != MINIMAL
    with pytest.raises(UsageError) as caught:
        parse_model(text, "mine.toml")
    message = str(caught.value)
    assert wanted in message
    assert message.startswith("marker model mine.toml")
    assert "\n" not in message


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(
        UsageError, match=r"--model nowhere\.toml: .*(no such|not found|cannot find)"
    ):
        load_model("some/folder/nowhere.toml")


def test_a_model_that_does_not_ship_is_told_with_those_that_do() -> None:
    with pytest.raises(
        UsageError, match=r"no marker model .oxford.; wanted auto, ladder, a \.toml file or"
    ):
        load_model("oxford")


def test_a_file_of_ones_own_is_taken_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "Mine.TOML"
    path.write_text(MINIMAL, encoding="utf-8")
    model = load_model(str(path))
    assert model.labels["RKNE"] == ("r knee|lateral",)
    assert model.tracking["thigh"] == ("@hip", "{s}BAR", "{s}KNE")
    assert model.title == "mine"
    assert model.source == ""
    assert model.optional == ()


OTHER_ERRORS = {
    "unknown key that begins with s": (
        ("sides = {", "study = 1\nsides = {"), "line 3: found 'study'",
    ),
    "unknown segment that ends in s": (("shank =", "shins ="), "line 18: found 'shins'"),
    "unknown marker without a side": (("SACR =", "SACRUM ="), "line 7: found 'SACRUM'"),
    "tracking that is a number": (
        ('["@ankle", "{s}HEE", "{s}TOE"]', "5"), "line 19: found foot = 5, wanted",
    ),
    "one side": (('l", right = "r"', 'l"'), "line 3: found sides = {'left': 'l'}"),
    "sides that are not a table": (
        ('{ left = "l", right = "r" }', '"l"'), "line 3: found sides = 'l'",
    ),
    "optional that is a number": (("sides = {", "optional = 3\nsides = {"), "found optional = 3"),
    "optional that is a text": (
        ("sides = {", 'optional = "ANK"\nsides = {'), "found optional = 'ANK'",
    ),
    "optional that is not a marker": (("sides = {", 'optional = ["XYZ"]\nsides = {'), "XYZ"),
    "name that is a number": (('"mine"', "3"), "line 1: found name = 3"),
    "tracking by a marker that is not in labels": (('"{s}TOE"]', '"{s}TOO"]'), "{s}TOO"),
    "a tracking marker twice": (
        ('"{s}HEE", "{s}TOE"]', '"{s}HEE", "{s}HEE"]'), "wanted each of its markers once",
    ),
    "tracking by a joint that is not known": (("@ankle", "@ankel"), "@ankel"),
    "tracking that lacks a segment": (
        ('foot = ["@ankle", "{s}HEE", "{s}TOE"]\n', ""), "foot",
    ),
    "rungs of what is not a joint": (
        ("[tracking]", '[rungs]\nelbow = ["condyle"]\n[tracking]'), "'elbow'",
    ),
    "a rung that is not known": (
        ("[tracking]", '[rungs]\nknee = ["ladder"]\n[tracking]'), "a list of",
    ),
    "a rung of a joint that tracking names as well": (
        ('"{s}TOE"]\n', '"{s}TOE"]\n[rungs]\nfoot = ["line"]\n'), "line 21: found foot = ['line']",
    ),
}  # fmt: skip


def test_a_model_may_limit_the_rungs_of_a_joint() -> None:
    limited = MINIMAL.replace(
        "[tracking]", '[rungs]\nknee = ["two-condyles", "condyle"]\n[tracking]'
    )
    rungs = parse_model(limited, "mine.toml").rungs
    assert rungs == {**MINE.rungs, "knee": ("two-condyles", "condyle")}


@pytest.mark.parametrize("error", OTHER_ERRORS)
def test_every_other_error_in_a_file_is_told_as_well(error: str) -> None:
    change, wanted = OTHER_ERRORS[error]
    text = MINIMAL.replace(*change, 1)
    assert text != MINIMAL
    with pytest.raises(UsageError) as caught:
        parse_model(text, "mine.toml")
    assert wanted in str(caught.value)


def test_a_file_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(MINIMAL.replace("mine", "m\xefne").encode("latin-1"))
    with pytest.raises(UsageError, match=r"mine\.toml"):
        load_model(str(path))


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MINIMAL.encode())
    assert load_model(str(path)) == MINE


def test_labels_in_other_capitals_are_those_of_the_model() -> None:
    labels = list(SHIPPED[PLUG_IN_GAIT].labels)
    match = choose_model(recording([label.lower() for label in labels]))
    assert match.model.name == PLUG_IN_GAIT
    assert match.places == choose_model(recording(labels)).places


def test_a_label_as_the_model_writes_it_wins_over_one_in_other_capitals() -> None:
    labels = [*(x.lower() for x in SHIPPED[PLUG_IN_GAIT].labels), "LKNE"]
    match = choose_model(recording(labels))
    assert match.places[len(labels) - 1] == "LKNE"
    assert "LKNE" not in [role for i, role in match.places.items() if i < len(labels) - 1]


def test_every_label_read_under_another_name_is_in_the_quality_table():
    pairs = [f"L{i} = M{i}" for i in range(20)]
    (line,), (found,) = labels_read(pairs, pairs)  # those of the static are the same
    assert line.startswith("labels: 20 read under other names (L0 = M0, ")
    assert (found.level, found.code) == ("info", "labels-read")
    assert all(pair in found.message for pair in pairs)
    lines, findings = labels_read([], pairs[:2])
    assert lines == ["labels of the static: L0 = M0, L1 = M1"]
    assert [one.scope for one in findings] == ["labels of the static"]
    _, same = labels_read(["L0 = M0", "L1 = M1"], ["L1 = M1", "L0 = M0"])
    assert [one.scope for one in same] == ["labels"]  # in another order in the static
    assert labels_read([], []) == ([], [])
