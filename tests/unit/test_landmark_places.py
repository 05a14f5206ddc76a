"""What a label cannot say, decided by where its marker is on the walker."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.landmarks import renamed, resolve
from gaitdyn.landmarks.body.evidence import MarkerPosition, PlaceEvidence, PlaceFit
from gaitdyn.landmarks.checks import CONTRADICTED
from gaitdyn.landmarks.rigid import _misplaced, spreads
from tests.unit.marked_walker import Z_UP, both, cluster, hidden, marked, plug_in_gait, recording

SWAP = {"left": "right", "right": "left", "": ""}


def roles_of(labels, kind="stand", **more):
    resolution, _ = resolve(recording(labels, kind, **more))
    return {m.label: m.role for m in resolution.landmarks}


def codes(resolution):
    return [f.code for f in resolution.findings if f.level != "info"]


def without(labels, *names):
    return {label: place for label, place in labels.items() if label[1:] not in names}


@pytest.mark.parametrize("kind", ["stand", "walk"])
@pytest.mark.parametrize("scale", [1.0, 0.6])
def test_axes_and_size_do_not_matter(kind, scale):
    tests = {
        "+Z": Z_UP,
        "+Y": np.eye(3),
        "-X": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        "-Z": np.diag([1.0, 1.0, -1.0]) @ np.diag([-1.0, 1.0, 1.0]) @ Z_UP,
    }
    for up, R_LG in tests.items():
        made = recording(plug_in_gait(), kind, R_LG=R_LG, scale=scale)
        resolution, _ = resolve(made)
        assert resolution.standing is not None
        assert resolution.standing.up == up
        assert resolution.standing.upright
        assert all(m.label == m.role and m.sure != "doubtful" for m in resolution.landmarks)
        assert codes(resolution) == []


def test_pelvis_and_feet_seen_in_different_halves_of_a_walk():
    whole = recording(plug_in_gait(), "walk")
    half = whole.n_frames // 2
    for label in whole.labels:
        if label[1:] in {"ASI", "PSI"}:
            whole = hidden(whole, label, slice(0, half))
        if label[1:] in {"HEE", "TOE", "ANK"}:
            whole = hidden(whole, label, slice(half, None))
    resolution, _ = resolve(whole)
    assert resolution.standing is not None
    assert resolution.standing.up == "+Z"
    assert all(m.label == m.role for m in resolution.landmarks)
    assert codes(resolution) == []


def test_landmarks_of_the_static_alone_are_resolved_there():
    static = recording(plug_in_gait() | both(KME="{s}_KNEE_MED", ANM="{s}_ANKLE_MED"))
    trial = recording(without(plug_in_gait(), "HEE"), "walk")
    own, other = resolve(trial, static)
    assert other is not None
    mine, there = own.roles().values(), other.roles().values()
    assert {"LKNM", "RMED", "LHEE"} <= set(there)
    assert not {"LKNM", "LHEE"} & set(mine)
    assert {m.label: m.code for m in own.landmarks}.items() <= {
        m.label: m.code for m in other.landmarks
    }.items()


@pytest.mark.parametrize("kind", ["stand", "walk"])
def test_knee_two_is_a_fibula_head_or_a_medial_condyle_by_its_place(kind):
    base = without(plug_in_gait(), "KNE")
    bar = base | both(KLE="{l} knee 1", FIB="{l} knee 2")
    condyles = base | both(KLE="{l} knee 1", KME="{l} knee 2")
    assert roles_of(bar, kind)["l knee 2"] == "LHFI"
    assert roles_of(condyles, kind)["r knee 2"] == "RKNM"


def test_a_thigh_marker_at_the_height_of_the_hip_is_a_trochanter():
    labels = without(plug_in_gait(), "THI")
    assert roles_of(labels | both(GTR="{l} thigh"))["l thigh"] == "LGTR"
    assert roles_of(labels | both(THX="{l} thigh"))["l thigh"] == "LTHI"


def test_the_lower_pair_of_twins_are_malleoli_the_upper_one_condyles():
    labels = without(plug_in_gait(), "KNE", "ANK")
    labels |= both(KLE="{s}QLX", KME="{s}QMX", ANL="{s}WLX", ANM="{s}WMX")
    roles = roles_of(labels)
    assert (roles["LQLX"], roles["LQMX"]) == ("LKNE", "LKNM")
    assert (roles["RWLX"], roles["RWMX"]) == ("RANK", "RMED")


def test_le_is_an_epicondyle_of_femur_or_of_humerus_by_its_height():
    labels = without(plug_in_gait(), "KNE")
    assert roles_of(labels | both(KLE="{s}LE"))["LLE"] == "LKNE"


def test_a_sole_lateral_calcaneus_does_not_take_the_heels_name_when_there_is_a_heel():
    assert roles_of(plug_in_gait() | both(CAL="{s}HEE"))["LHEE"] == "LHEE"


def test_a_hallux_serves_as_the_toe_only_when_there_is_none():
    assert roles_of(plug_in_gait() | both(HLX="{s}HLX"))["LHLX"] == "LHLX"
    alone = without(plug_in_gait(), "TOE") | both(HLX="{s}HLX")
    assert roles_of(alone)["LHLX"] == "LTOE"
    assert roles_of(alone | both(MT1H="{s}MT1", MT5H="{s}MT5"))["LHLX"] == "LHLX"


def test_a_hallux_that_serves_as_the_toe_is_told():
    resolution, _ = resolve(recording(without(plug_in_gait(), "TOE") | both(HLX="{s}HLX")))
    told = [f.message for f in resolution.findings if f.code == "foot-coarse"]
    assert [message.split(",")[0] for message in told] == [
        "LHLX stands for the toe marker of the left foot",
        "RHLX stands for the toe marker of the right foot",
    ]


def test_one_thigh_marker_is_a_wand_and_several_are_numbered():
    assert roles_of(plug_in_gait())["LTHI"] == "LTHI"
    roles = roles_of(plug_in_gait() | both(THX="{s}THAP"))
    assert {roles["LTHI"], roles["LTHAP"]} == {"LTH1", "LTH2"}


@pytest.mark.parametrize(("ahead", "out", "role"), [(0.0, 0.06, "LTHI"), (0.11, -0.06, "LTH5")])
def test_a_wand_in_any_language_beside_a_numbered_cluster_is_one_if_it_is_at_the_side(
    ahead, out, role
):
    labels = without(plug_in_gait(), "THI")
    for side, sign in (("left", -1.0), ("right", 1.0)):
        letter = side[0].upper()
        for k, points in enumerate(cluster("THX", "stand", side), start=1):
            labels[f"{letter}F0{k}"] = points
        labels[f"{letter} cuisse"] = marked("stand")["THX", side] + [ahead, 0.0, sign * out]
    roles = roles_of(labels)
    assert {roles[f"LF0{k}"] for k in (1, 2, 3, 4)} | {roles["L cuisse"]} == {
        "LTH1", "LTH2", "LTH3", "LTH4", role
    }  # fmt: skip
    assert (roles["L cuisse"] == "LTHI") == (role == "LTHI")


def test_a_wand_beside_a_whole_cluster_keeps_its_name():
    labels = plug_in_gait()
    for side in ("left", "right"):
        for k, points in enumerate(cluster("THX", "stand", side), start=1):
            labels[f"{side[0].upper()}TH0{k}"] = points + 0.03
    roles = roles_of(labels)
    assert roles["LTHI"] == "LTHI"
    assert {roles[f"LTH0{k}"] for k in (1, 2, 3, 4)} == {"LTH1", "LTH2", "LTH3", "LTH4"}


def test_lateral_and_medial_exchanged_are_said_to_be_inside_out():
    labels = without(plug_in_gait(), "KNE") | both(KLE="{s}KNEMED", KME="{s}KNELAT")
    resolution, _ = resolve(recording(labels))
    said = " ".join(f.message for f in resolution.findings)
    assert "inside out" in said
    assert "LKNELAT" in said


@pytest.mark.parametrize(("share", "limit"), [(0.3, 0.05), (2.2, 0.18)])
def test_twins_too_near_or_too_far_apart_are_said_with_both_limits(share, limit):
    made = recording(without(plug_in_gait(), "KNE") | both(KLE="{s}KNELAT", KME="{s}KNEMED"))
    outer, inner = (made.labels.index(f"L{word}") for word in ("KNELAT", "KNEMED"))
    markers = made.markers_L.copy()
    markers[:, inner] = (1.0 - share) * markers[:, outer] + share * markers[:, inner]
    resolution, _ = resolve(replace(made, markers_L=markers))
    (finding,) = (f for f in resolution.findings if f.scope == "LKNELAT LKNEMED")
    assert "heights of the pelvis outside the medial one LKNEMED, wanted 0.05 to 0.18" in (
        finding.message
    )
    assert finding.limit == limit


def test_a_sure_name_in_a_strange_place_is_kept_and_said():
    labels = plug_in_gait() | {"LMT5": ("KME", "left"), "RMT5": ("MT5H", "right")}
    resolution, _ = resolve(recording(labels))
    marks = {m.label: m for m in resolution.landmarks}
    strange = marks.get("LMT5")
    assert strange is None or strange.sure == "doubtful"
    if strange is not None:
        assert any("LMT5" in f.scope for f in resolution.findings)


def test_two_labels_exchanged_are_said():
    labels = plug_in_gait()
    labels["LKNE"], labels["LTOE"] = labels["LTOE"], labels["LKNE"]
    resolution, _ = resolve(recording(labels))
    taken = {m.label: m.code for m in resolution.landmarks}
    assert taken.get("LKNE") != "TOE"
    scopes = " ".join(f.scope for f in resolution.findings)
    assert all(label in scopes for label in ("LKNE", "LTOE") if label in taken)


@pytest.mark.parametrize("kind", ["stand", "walk"])
def test_all_sides_exchanged_are_said(kind):
    labels = {label: (str(key[0]), SWAP[str(key[1])]) for label, key in plug_in_gait().items()}
    resolution, _ = resolve(recording(labels, kind))
    assert "landmark-sides" in codes(resolution)
    assert resolution.standing is not None
    assert resolution.standing.mirrored


def test_one_leg_exchanged_is_said():
    labels = plug_in_gait()
    for name in ("KNE", "TIB", "ANK", "HEE", "TOE", "THI"):
        labels[f"L{name}"], labels[f"R{name}"] = labels[f"R{name}"], labels[f"L{name}"]
    resolution, _ = resolve(recording(labels))
    assert "other side" in " ".join(f.message for f in resolution.findings)


def test_a_pelvis_whose_sides_lie_at_one_place_is_turned_as_the_legs_are() -> None:
    at = recording(plug_in_gait(), "stand")
    points = at.markers_L.copy()
    for pair in ("ASI", "PSI"):
        points[:, at.labels.index("L" + pair)] = points[:, at.labels.index("R" + pair)]
    marks = resolve(replace(at, markers_L=points))[0].landmarks
    assert {m.role for m in marks} >= {"LKNE", "RKNE", "LANK", "RANK", "LHEE", "RTOE"}


def test_sides_that_all_lie_at_one_place_show_no_direction() -> None:
    """They divided by zero, with a warning on the command line."""
    at = recording(plug_in_gait(), "stand")
    points = at.markers_L.copy()
    for i, label in enumerate(at.labels):
        if label.startswith("L"):
            points[:, i] = points[:, at.labels.index("R" + label[1:])]
    marks = resolve(replace(at, markers_L=points))[0].landmarks
    assert {m.role for m in marks} >= {"LKNE", "RKNE", "LHEE", "RHEE"}


def test_a_ghost_of_the_static_is_not_used():
    whole = recording(plug_in_gait() | both(MT1H="{s}IMH"))
    ghost = hidden(whole, "RIMH", slice(4, 5))
    markers = ghost.markers_L.copy()
    markers[4, ghost.labels.index("RIMH")] = markers[4, ghost.labels.index("RANK")] + 0.007
    resolution, _ = resolve(replace(ghost, markers_L=markers))
    mark = next(m for m in resolution.landmarks if m.label == "RIMH")
    assert (mark.role, mark.sure) == ("", "doubtful")
    assert "landmark-rarely-seen" in codes(resolution)
    assert next(m for m in resolution.landmarks if m.label == "LIMH").role == "LMT1"


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("lost", ["LKNE", "RKNE", "none"])
def test_a_ghost_does_not_decide_on_the_side_of_the_marker_with_its_label(lost, order):
    """Labels without sides: one knee is seen in a single frame, where the body is not sampled."""
    words = {"ASI": "ASIS", "PSI": "PSIS", "KNE": "KNEE", "ANK": "ANKLE", "HEE": "HEEL"}
    whole = recording(plug_in_gait(), "walk")
    if lost != "none":
        whole = hidden(whole, lost, slice(1, 2))
    rows = range(len(whole.labels))[::order]
    texts = tuple(words.get(whole.labels[i][1:], whole.labels[i][1:]) for i in rows)
    made = replace(whole, labels=texts, markers_L=whole.markers_L[:, rows])
    found = {whole.labels[rows[m.index]]: m.role for m in resolve(made)[0].landmarks}
    for label in {"LKNE", "RKNE", "LANK", "RANK", "LHEE", "RHEE"} - {lost}:
        assert found[label] == label
    assert found.get(lost, "") == ""


def test_a_toe_beside_the_ankle_is_doubted():
    outward = marked("stand")["ANL", "left"] - marked("stand")["ANM", "left"]
    beside = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        ankle = marked("stand")["ANL", side]
        ahead = np.array([0.06, -0.05, 0.0])
        beside[f"{side[0].upper()}TOE"] = ankle + ahead + sign * 0.4 * outward
    resolution, _ = resolve(recording(plug_in_gait() | beside))
    assert "fifth metatarsal" in " ".join(f.message for f in resolution.findings)


def test_a_file_without_an_upright_person_is_read_by_its_words():
    labels = {
        label: place for label, place in plug_in_gait().items() if label[1:] in {"HEE", "TOE"}
    }
    resolution, _ = resolve(recording(labels))
    assert resolution.standing is None
    assert {m.role for m in resolution.landmarks} == {"LHEE", "RHEE", "LTOE", "RTOE"}
    assert {m.sure for m in resolution.landmarks} == {"likely"}


def test_a_file_without_any_known_marker_has_no_landmark():
    resolution, static = resolve(recording({"QX": ("C7", ""), "*1": ("KLE", "left")}))
    assert resolution.landmarks == ()
    assert static is None
    assert len(resolution.unresolved) == 2


def test_every_marker_has_a_landmark_or_a_reason():
    labels = plug_in_gait() | {"ABC": ("C7", ""), "*3": ("C7", ""), "LHJC": ("GTR", "left")}
    resolution, _ = resolve(recording(labels))
    places = [m.index for m in resolution.landmarks] + [u.place for u in resolution.unresolved]
    assert sorted(places) == list(range(len(labels)))
    assert all(u.why for u in resolution.unresolved)
    assert all(m.why for m in resolution.landmarks)


def test_roles_are_given_once():
    labels = plug_in_gait() | both(CAL="{s}HEEL", TOE="{s}FM2", ANL="{s}LMAL")
    roles = [m.role for m in resolve(recording(labels))[0].landmarks if m.role]
    assert len(roles) == len(set(roles))
    assert {"LHEE", "LHE2", "LTOE", "LTO2"} <= set(roles)


def test_a_label_has_one_name_in_both_files():
    static = recording(plug_in_gait() | both(THX="{s}THAP", CAL="{s}HEEL", SHX="{s}TIAP"))
    trial = recording(without(plug_in_gait() | both(CAL="{s}HEEL"), "HEE"), "walk")
    own, other = resolve(trial, static)
    assert other is not None
    names = {m.label: m.role for m in other.landmarks}
    assert all(names[m.label] == m.role for m in own.landmarks)
    assert (names["LHEEL"], names["LHEE"]) == ("LHEE", "LHE2")


def test_series_are_numbered_in_the_order_of_their_numbers():
    labels = plug_in_gait()
    for k in (10, 9, 2, 1):
        labels[f"LTH{k}"] = ("THX", "left")
    names = roles_of(without(labels, "THI"), "walk")
    assert [names[f"LTH{k}"] for k in (1, 2, 9, 10)] == ["LTH1", "LTH2", "LTH3", "LTH4"]


def test_a_marker_that_moves_with_another_segment_is_said():
    labels = without(plug_in_gait(), "THI", "TIB")
    for code, stem in (("THX", "TH"), ("SHX", "SK")):
        for k, points in enumerate(cluster(code, "walk", "left")):
            labels[f"L{stem}{k + 1}"] = points
    assert codes(resolve(recording(labels, "walk"))[0]) == []
    labels["LTH1"], labels["LSK4"] = labels["LSK4"], labels["LTH1"]
    said = [f.message for f in resolve(recording(labels, "walk"))[0].findings]
    assert any(m.startswith("LTH1") and "moves with the shank" in m for m in said)
    assert any(m.startswith("LSK4") and "moves with the thigh" in m for m in said)


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_files_of_hardly_a_frame_and_of_no_marker_are_answered(frames):
    whole = recording(plug_in_gait())
    short = replace(whole, markers_L=whole.markers_L[:frames])
    resolution, _ = resolve(short, short)
    assert len(resolution.landmarks) == (0 if frames == 0 else 16)
    empty = replace(whole, labels=(), markers_L=whole.markers_L[:, []])
    assert resolve(empty)[0].landmarks == ()
    lost = replace(whole, markers_L=np.full_like(whole.markers_L, np.nan))
    assert {u.why for u in resolve(lost)[0].unresolved} == {"never seen"}


def test_a_recording_is_renamed_to_our_names_and_what_is_not_used_is_set_aside():
    labels = without(plug_in_gait(), "KNE") | both(KLE="{l} knee 1", FIB="{l} knee 2")
    made = hidden(recording(labels | {"LKNE": ("C7", "")}), "l knee 2", slice(0, 2))
    ours = renamed(made, resolve(made)[0])
    assert ours.labels.count("LKNE") == 1
    assert ours.labels[made.labels.index("l knee 1")] == "LKNE"
    assert ours.labels[made.labels.index("r knee 2")] == "RHFI"
    assert ours.labels[made.labels.index("l knee 2")] == "*l knee 2"


def test_the_measured_place_has_a_unit():
    fit = PlaceFit(1.0, known=True, parts=(("height", 0.47, 0.49), ("outward", 0.1, 0.05)))
    assert fit.words == (
        "height 0.47 for 0.49, outward 0.10 for 0.05; fractions of the height of the pelvis"
    )


@pytest.mark.parametrize(("moving", "resting", "fits"), [
    (True, 0.04, True),  # it runs: the heel is mostly in the air
    (True, 0.15, False),
    (False, 0.04, False),
])  # fmt: skip
def test_a_heel_that_runs_is_where_it_is_on_the_ground(
    moving: bool, resting: float, fits: bool
) -> None:
    where: list[MarkerPosition | None] = [MarkerPosition(0.15, 0.13, 0.0, resting)]
    evidence = PlaceEvidence(where, ["left"], {}, upright=True, moving=moving, mirrored=False)
    assert (evidence.fit(0, "CAL").penalty < CONTRADICTED) == fits


@pytest.mark.parametrize(("code", "role"), [("MT5H", "MT5"), ("TOE", "TOE")])
def test_the_place_of_a_met_marker_tells_which_metatarsal_it_is_on(code, role):
    words = {"ASIS": "asis", "KLE": "knee 1", "FIB": "knee 2", "ANL": "mall", "CAL": "heel"}
    labels = both(**{of: f"{{l}} {word}" for of, word in (words | {code: "met"}).items()})
    labels["sacrum"] = ("SACR", "")
    assert roles_of(labels)["r met"] == "R" + role


@pytest.mark.parametrize(("behind_m", "role"), [(0.0, "MT5"), (0.04, "M5B")])
def test_a_marker_lateral_on_the_foot_is_on_head_or_base_of_the_fifth_metatarsal(behind_m, role):
    back = np.array([-behind_m, 0.0, 0.0])
    labels = {f"{s[0].upper()}LatFoot": marked("stand")["MT5H", s] + back for s in SWAP if s}
    assert roles_of(plug_in_gait() | labels)["RLatFoot"] == "R" + role


@pytest.mark.parametrize("word", ["LL", "PROS", "Prosthesis"])
def test_markers_of_a_lower_leg_or_its_prosthesis_are_those_of_the_shank(word):
    ends = ("PROX_ANT", "PROX_POST", "DIST_ANT", "DIST_POST")
    labels = without(plug_in_gait(), "TIB") | {"LTIB": ("SHX", "left")}
    labels |= {
        f"R_{word}_{end}": at
        for end, at in zip(ends, cluster("SHX", "stand", "right")[::-1], strict=True)
    }
    _, static = resolve(recording(plug_in_gait(), "walk"), recording(labels))
    assert static is not None
    names = {mark.label: mark.role for mark in static.landmarks}
    assert {names.get(f"R_{word}_{end}") for end in ends} == {"RSK1", "RSK2", "RSK3", "RSK4"}


MEDIAL = both(KME="{s}KNM", ANM="{s}MED")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, []),
        ({"LKNE": ("ANL", "left"), "LANK": ("KLE", "left")},
         [("LKNE", "is elsewhere (height 0."), ("LANK", "is elsewhere (height 0.")]),
        ({"LKNE": ("KLE", "right"), "RKNE": ("KLE", "left")},
         [("LKNE", "lies on the other side"), ("RKNE", "lies on the other side")]),
        ({"LANK": ("ANM", "left"), "LMED": ("ANL", "left")}, [("LANK LMED", "inside out")]),
    ],
)  # fmt: skip
def test_a_marker_that_is_not_where_its_name_says_is_told(changed, told):
    resolution, _ = resolve(recording(plug_in_gait() | MEDIAL | changed))
    found = [f for f in resolution.findings if f.code == "landmark-geometry"]
    assert bool(found) == bool(told)
    for scope, words in told:
        (one,) = [f for f in found if f.scope == scope and words in f.message]
        assert (one.level, one.side) == ("warning", "left" if scope[0] == "L" else "right")


@pytest.mark.parametrize(
    ("knee_m", "told"),
    [(-0.114, "inside out"), (0.03, "misplaced"), (0.114, ""), (0.24, "misplaced")],
)
def test_two_markers_of_a_joint_are_as_far_apart_as_knees_are(knee_m, told):
    """In heights of the pelvis, 0.05 to 0.18; of the walker's ASIS above the floor."""
    outer = marked("stand")["KLE", "right"]
    labels = plug_in_gait() | MEDIAL | {"RKNM": outer - [0.0, 0.0, knee_m]}
    resolution, _ = resolve(recording(labels))
    said = [f for f in resolution.findings if f.scope == "RKNE RKNM"]
    assert [told in f.message for f in said] == [True] * bool(told)
    height = float(marked("stand")["ASIS", "right"][:, 1].mean())
    assert [f.value for f in said] == [pytest.approx(knee_m / height, rel=0.03)] * bool(told)
    assert [f.limit for f in said] == [0.18 if knee_m > 0.2 else 0.05] * bool(told)


@pytest.mark.parametrize(
    ("out_m", "ahead_m", "told"), [(0.03, 0.07, True), (0.01, 0.07, False), (0.03, 0.12, False)]
)
def test_a_toe_where_the_fifth_metatarsal_is_is_doubted(out_m, ahead_m, told):
    ankle = marked("stand")["ANL", "right"]
    labels = plug_in_gait() | {"RTOE": np.add(ankle, (ahead_m, -0.04, out_m))}
    resolution, _ = resolve(recording(labels))
    said = [f for f in resolution.findings if "as the fifth metatarsal is" in f.message]
    assert [(f.code, f.scope, f.side) for f in said] == [
        ("landmark-doubtful", "RTOE", "right")
    ] * told
    assert [f.value for f in said] == [pytest.approx(out_m, rel=0.1)] * told


def test_a_marker_that_moves_with_another_segment_is_told():
    """Distances that sway by 40 mm in the named segment, and by 10 mm in another."""
    sway = np.linspace(-1.0, 1.0, 201)[:, None]  # 5 to 95 %: nine tenths of the range
    points = np.zeros((201, 3, 3))
    points[:, 1, 0], points[:, 2, 1] = 0.5 + 0.02 * sway[:, 0], 0.4 + 0.005 * sway[:, 0]
    found = spreads(points)
    assert found[0, 1] == pytest.approx(0.9 * 0.04, rel=0.02)
    assert found[0, 2] == pytest.approx(0.9 * 0.01, rel=0.02)
    points[5:, 1] = np.nan
    assert np.isnan(spreads(points)[0, 1])
    names = ["thigh", "thigh", "thigh", "shank", "shank", "foot"]
    row = np.array([0.0, 0.036, 0.034, 0.016, 0.012, 0.001])  # of a single one nothing is said
    (said,) = [_misplaced("LTHI", 0, names, row)]
    assert said is not None
    assert "moves with the shank: distances spread by 14 mm there and by 35 mm" in said.message
    for other in (row * [1, 0.8, 0.8, 1, 1, 1], row * [1, 1, 1, 1.4, 1.4, 1]):
        assert _misplaced("LTHI", 0, names, other) is None


def test_heel_and_toe_exchanged_on_one_foot_turn_no_other_side_round():
    """On that foot four distances contradict left and right; ten of the rest agree with them."""
    heads = both(MT1H="{s}MT1", MT5H="{s}MT5")
    exchanged = {"LHEE": ("TOE", "left"), "LTOE": ("CAL", "left")}
    for more, mirrored in ((heads, False), (heads | exchanged, False)):
        found, _ = resolve(recording(plug_in_gait() | more))
        assert found.standing is not None
        assert found.standing.mirrored == mirrored
        assert "landmark-sides" not in codes(found)
    whole = recording(plug_in_gait() | heads)
    turned = replace(whole, labels=tuple({"L": "R", "R": "L"}[x[0]] + x[1:] for x in whole.labels))
    found, _ = resolve(turned)
    assert found.standing is not None
    assert found.standing.mirrored
    assert "landmark-sides" in codes(found)
    fits = [
        [m.why.partition(", forward")[2] for m in r.landmarks] for r in (found, resolve(whole)[0])
    ]
    assert any(fits[0])
    assert fits[0] == fits[1]  # turned round, each marker is as far ahead of the others as named
