"""The names that landmarks of one or two files get, from code, side and label alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gaitdyn.landmarks.labels.role_table import landmark_of_role
from gaitdyn.landmarks.roles import Marked, lone_marker, natural, roles_of

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import BodySide

STATIC, WALK = 0, 1


def named(code: str, side: BodySide, *labels: str, tracks: bool = False) -> dict[str, str]:
    """Return the name of each marker of one file that shows one landmark."""
    files = frozenset({WALK})
    marks = [Marked(i, files, code, side, x, tracks=tracks) for i, x in enumerate(labels)]
    return {labels[i]: name for i, name in roles_of(marks).items()}


def over_files(code: str, static: list[str], walk: list[str]) -> list[dict[str, str]]:
    """Return label -> name in each file of the left side; a label in both is one marker."""
    labels = list(dict.fromkeys((*static, *walk)))
    both = (STATIC, static), (WALK, walk)
    files = {x: frozenset(n for n, found in both if x in found) for x in labels}
    marks = [Marked(i, files[x], code, "left", x) for i, x in enumerate(labels)]
    roles = roles_of(marks)
    return [{x: roles[labels.index(x)] for x in found} for _, found in both]


@pytest.mark.parametrize("code", ["C7", "JN", "XIP"])
def test_a_point_of_the_midline_has_a_name_without_a_side_alone(code: str) -> None:
    (name,) = named(code, "", "a").values()
    assert name in {"C7", "CLAV", "STRN"}
    assert named(code, "left", "a") == {"a": ""}


@pytest.mark.parametrize(("side", "letter"), [("left", "L"), ("right", "R")])
def test_the_letter_of_a_name_is_that_of_the_side(side: BodySide, letter: str) -> None:
    assert named("KLE", side, "a", "b") == {"a": f"{letter}KNE", "b": ""}
    assert named("CAL", side, "a", "b") == {"a": f"{letter}HEE", "b": f"{letter}HE2"}
    assert named("HED", side, "a f", "a b") == {"a f": f"{letter}FHD", "a b": f"{letter}BHD"}
    assert landmark_of_role()[f"{letter}MED"] == ("ANM", side)
    assert landmark_of_role()[f"{letter}TH12"] == ("THX", side)


@pytest.mark.parametrize(
    ("front", "back"), [("TMPG", "OCCG"), ("Head temple left", "Back head left"), ("HDF", "HDB")]
)
def test_temple_and_occiput_are_front_and_back_of_the_head(front: str, back: str) -> None:
    assert named("HED", "left", back, front) == {back: "LBHD", front: "LFHD"}
    assert set(named("HED", "left", front, front + "2").values()) == {"LHD1", "LHD2"}


def test_two_markers_of_a_wrist_are_a_pair_and_three_are_none() -> None:
    assert named("WRX", "left", "in", "out") == {"in": "LWRI", "out": "LWR2"}
    assert named("WRX", "right", "a", "b", "c") == {"a": "RWRI", "b": "", "c": ""}


@pytest.mark.parametrize(
    ("labels", "knuckle"),
    [
        (("LMC5", "LMC2"), "LMC2"), (("LHandOut", "LHandIn"), "LHandIn"),
        (("L_Thumb_Tip", "LFIN"), "LFIN"), (("LFIN5", "LFIN2"), "LFIN2"),
        (("LHM5", "LHAND"), "LHAND"), (("LOHAND", "LIHAND"), "LIHAND"), (("LFIN5",), "LFIN5"),
        (("LTHMB",), ""), (("LIndexTip",), ""),
    ],
)  # fmt: skip
def test_the_axis_of_a_hand_ends_at_its_middle_rays(labels: tuple[str, ...], knuckle: str) -> None:
    names = named("HAN", "left", *labels)
    assert [label for label, name in names.items() if name] == ([knuckle] if knuckle else [])
    assert set(names.values()) <= {"LFIN", ""}


def test_the_hallux_stands_for_the_toe_of_its_own_foot_without_one() -> None:
    files = frozenset({WALK})

    def toes(*others: tuple[str, BodySide]) -> list[str]:
        codes: list[tuple[str, BodySide]] = [("HLX", "left"), ("HLX", "right"), *others]
        marks = [Marked(i, files, code, side, code) for i, (code, side) in enumerate(codes)]
        return list(roles_of(marks).values())

    assert toes() == ["LTOE", "RTOE"]
    assert toes(("TOE", "left")) == ["LHLX", "RTOE", "LTOE"]
    assert toes(("MT1H", "right"), ("MT5H", "right")) == ["LTOE", "RHLX", "RMT1", "RMT5"]
    assert toes(("MT1H", "right")) == ["LTOE", "RTOE", "RMT1"]


@pytest.mark.parametrize(
    "labels", [("LHEE2", "LHEE3", "LHEE"), ("HEE_3", "HEE", "HEE_2"), ("hee3", "hee2", "HEE")]
)
def test_a_label_that_counts_another_comes_behind_it_however_well_it_fits(
    labels: tuple[str, ...],
) -> None:
    names = named("CAL", "left", *labels)
    assert [names[label] for label in sorted(labels, key=natural_end)] == ["LHEE", "LHE2", "LHE3"]


def natural_end(label: str) -> str:
    """Return the number at the end of a label, or nothing."""
    return label[-1] if label[-1].isdigit() else ""


def test_numbers_alone_do_not_say_which_of_two_is_the_landmark() -> None:
    assert named("CAL", "left", "HEE2", "HEE1") == {"HEE2": "LHEE", "HEE1": "LHE2"}


def test_a_lone_marker_is_the_wand_unless_it_only_tracks() -> None:
    assert named("THX", "left", "cuisse") == {"cuisse": "LTHI"}
    assert named("THX", "left", "cuisse", tracks=True) == {"cuisse": "LTH1"}
    assert named("THX", "left", "a1", "a2") == {"a1": "LTH1", "a2": "LTH2"}
    wand = named("THX", "left", "a1", "a2", "stick", "a3")
    assert wand == {"a1": "LTH1", "a2": "LTH2", "a3": "LTH3", "stick": "LTHI"}
    turned = named("THX", "left", "a1", "a2", "stick", "a3", tracks=True)
    assert sorted(turned.values()) == ["LTH1", "LTH2", "LTH3", "LTH4"]


def test_numbers_of_a_cluster_follow_its_labels_not_the_order_in_the_file() -> None:
    assert named("SHX", "right", "s10", "s2", "s1") == {"s1": "RSK1", "s2": "RSK2", "s10": "RSK3"}
    assert sorted(["TH10", "TH2", "TH1"], key=natural) == ["TH1", "TH2", "TH10"]
    assert lone_marker([]) is None


def test_lone_markers_of_two_files_are_one_wand_unless_their_labels_count() -> None:
    assert over_files("SHX", ["LTIB"], ["L shank"]) == [{"LTIB": "LTIB"}, {"L shank": "LTIB"}]
    assert over_files("SHX", ["LSK1"], ["LSK2"]) == [{"LSK1": "LTIB"}, {"LSK2": ""}]


def test_three_markers_under_other_words_in_each_file_may_be_the_same_three() -> None:
    first, second = over_files("THX", ["front", "side", "top"], ["alpha", "beta", "gamma"])
    assert sorted(first.values()) == sorted(second.values()) == ["LTH1", "LTH2", "LTH3"]


@pytest.mark.parametrize(
    ("static", "walk"),
    [
        (["a1", "a2", "a3"], ["a4", "a5", "a6"]),  # numbers of one word
        (["front", "side", "top"], ["front", "beta", "gamma"]),  # one is the same
        (["front", "side", "top"], ["alpha", "beta"]),  # too few for their shape
    ],
)
def test_other_labels_are_other_markers_where_no_shape_can_show_it(
    static: list[str], walk: list[str]
) -> None:
    first, second = over_files("THX", static, walk)
    alike = {x for x in static if x in walk}
    assert all(first[x] == second[x] for x in alike)
    others = [name for x, name in (*first.items(), *second.items()) if x not in alike]
    assert len(set(others)) == len(others)
