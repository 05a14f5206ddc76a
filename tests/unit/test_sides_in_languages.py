"""Left and right in the languages of labels: never one for the other."""

from __future__ import annotations

import pytest

from gaitdyn.landmarks.labels.side_words import side_of_text
from gaitdyn.landmarks.labels.sides import split_sides

STEMS = ("ASI", "KNO", "ENKO", "TONO", "HAK")

SHORT = [
    ("LI", "RE", "German, Dutch"), ("G", "D", "French"), ("S", "D", "Italian"),
    ("I", "D", "Spanish"), ("E", "D", "Portuguese"), ("V", "H", "Swedish, Norwegian, Danish"),
    ("V", "O", "Finnish"), ("SOL", "SAG", "Turkish"), ("VE", "HO", "Norwegian, Danish"),
    ("VA", "HO", "Swedish"), ("VAS", "OIK", "Finnish"), ("B", "J", "Hungarian"),
    ("Z", "Y", "Chinese"), ("A", "D", "Greek"), ("AR", "DE", "Greek"), ("L", "P", "Polish, Czech"),
    ("L", "D", "Slovenian, Croatian"), ("L", "R", "English"),
]  # fmt: skip
LETTERS = [
    ("G", "D"), ("S", "D"), ("I", "D"), ("E", "D"), ("V", "H"), ("V", "O"), ("L", "P"), ("L", "R"),
]  # fmt: skip
AFFIXES = [
    ("LEFT", "RIGHT"), ("LFT", "RGT"), ("LI", "RE"), ("LX", "RX"), ("SX", "DX"), ("SIN", "DES"),
    ("SN", "DS"), ("GAU", "DRO"), ("GA", "DR"), ("IZQ", "DER"), ("IZ", "DE"), ("ESQ", "DIR"),
    ("VANSTER", "HOGER"), ("VENSTRE", "HOJRE"), ("VEN", "HOJ"), ("SOL", "SAG"), ("ZUO", "YOU"),
]  # fmt: skip
WORDS = [
    ("left", "right"), ("links", "rechts"), ("gauche", "droite"), ("sinistra", "destra"),
    ("izquierda", "derecha"), ("esquerda", "direita"), ("vanster", "hoger"), ("venstre", "hoyre"),
    ("venstre", "hojre"), ("vasen", "oikea"), ("lewy", "prawy"), ("levy", "pravy"),
    ("lijevi", "desni"), ("stanga", "dreapta"), ("bal", "jobb"), ("zuo", "you"),
    ("aristero", "dexi"), ("oen", "oreun"), ("hidari", "migi"), ("levaya", "pravaya"),
    ("izda", "dcha"), ("sx", "dx"), ("gche", "drte"), ("lt", "rt"),
]  # fmt: skip


def sides(left: list[str], right: list[str]) -> tuple[set[str], set[str]]:
    """Return the sides that are found for labels of the left and of the right."""
    found = [sided.side for sided in split_sides([*left, *right], lambda _: False)]
    return set(found[: len(left)]), set(found[len(left) :])


@pytest.mark.parametrize(("left", "right", "language"), SHORT)
def test_a_short_word_beside_that_for_the_other_side(left: str, right: str, language: str) -> None:
    assert language
    for text in ("{stem} {side}", "{side}_{stem}"):
        labels = [[text.format(stem=x, side=word) for x in STEMS] for word in (left, right)]
        assert sides(*labels) == ({"left"}, {"right"}), text


@pytest.mark.parametrize(("left", "right"), LETTERS)
def test_a_letter_at_the_end_or_the_beginning(left: str, right: str) -> None:
    for text in ("{stem}{side}", "{side}{stem}"):
        labels = [[text.format(stem=x, side=word) for x in STEMS] for word in (left, right)]
        assert sides(*labels) == ({"left"}, {"right"}), text


@pytest.mark.parametrize(("left", "right"), AFFIXES)
def test_a_word_at_the_end_or_the_beginning_of_a_longer_one(left: str, right: str) -> None:
    for text in ("{stem}{side}", "{side}{stem}"):
        labels = [[text.format(stem=x, side=word) for x in STEMS] for word in (left, right)]
        assert sides(*labels) == ({"left"}, {"right"}), text


@pytest.mark.parametrize(("left", "right"), WORDS)
def test_a_whole_word_needs_no_other_label(left: str, right: str) -> None:
    for word, side in ((left, "left"), (right, "right")):
        assert side_of_text(f"knee {word}") == side
        assert side_of_text(f"{word.upper()}_KNEE") == side
        assert [x.side for x in split_sides([f"{word} knee", "C7"], lambda _: False)] == [side, ""]


@pytest.mark.parametrize(
    ("label", "side", "core"),
    [
        ("kneeleft", "left", "KNEE"), ("LEFTKNEE", "left", "KNEE"), ("KneeRight", "right", "KNEE"),
        ("clusterfemurright1", "right", "CLUSTERFEMUR1"), ("kneeoikea", "right", "KNEE"),
        ("L 5", "", "L5"), ("L_3", "", "L3"), ("L 12 x", "left", "12X"), ("R 5", "right", "5"),
    ],
)  # fmt: skip
def test_what_is_left_of_a_label_without_its_side(label: str, side: str, core: str) -> None:
    """L with a number alone is a vertebra."""
    (found,) = split_sides([label], lambda _: False)
    assert (found.side, found.core) == (side, core)


def test_numbers_behind_letters_are_a_series_of_one_leg_or_vertebrae() -> None:
    right = split_sides(["Thigh_R1", "Thigh_R2", "Thigh_R3"], lambda _: False)
    assert [(x.side, x.core) for x in right] == [("right", f"THIGH{i}") for i in (1, 2, 3)]
    back = split_sides(["Back_L1", "Back_L2", "Back_L3"], lambda _: False)
    assert [x.side for x in back] == ["", "", ""]
    both = split_sides(["Thigh_L1", "Thigh_R1"], lambda _: False)
    assert [(x.side, x.core) for x in both] == [("left", "THIGH1"), ("right", "THIGH1")]


def test_a_number_that_both_sides_have_shows_the_side_of_the_others() -> None:
    seen = ["foot_l5", "foot_l9", "Foot_r5", "Foot_r3", "Back_L2"]
    sides = [found.side for found in split_sides(seen, lambda _: False)]
    assert sides == ["left", "left", "right", "right", ""]


@pytest.mark.parametrize("lone", ["THL4", "THR5"])
def test_a_letter_before_a_number_that_one_side_lacks_is_that_of_its_series(lone: str) -> None:
    of_others = ["LASI", "RASI", "LKNE", "RKNE", "LANK", "RANK", "SACR"]
    labels = ["THL1", "THL2", "THR1", "THR2", lone, *of_others]
    sides = [found.side for found in split_sides(labels, lambda _: False)]
    assert sides[:5] == ["left", "left", "right", "right", {"L": "left", "R": "right"}[lone[2]]]
