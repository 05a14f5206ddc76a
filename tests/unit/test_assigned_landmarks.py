"""Which marker becomes which landmark, from scores alone; and acronyms of landmarks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from gaitdyn.landmarks.assign import MarkerClaim, assign
from gaitdyn.landmarks.labels.acronyms import acronym

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import BodySide

WALK = frozenset({1})


def claim(
    item: int,
    code: str,
    score: float = -0.1,
    *,
    side: BodySide = "left",
    weight: float = 0.9,
    files: frozenset[int] = WALK,
    whole: float = 0.0,
) -> MarkerClaim:
    return MarkerClaim(item, files, side, code, weight, whole or weight, score)


def codes(*claims: MarkerClaim) -> dict[int, str]:
    return {item: won.code for item, won in assign(claims).items()}


def test_the_best_marker_has_the_landmark_and_the_other_its_next_meaning() -> None:
    claims = claim(0, "KLE", -0.5), claim(1, "KLE", -0.2), claim(0, "FIB", -1.0)
    assert codes(*claims) == {0: "FIB", 1: "KLE"}
    assert codes(*claims[:2]) == {1: "KLE"}
    assert codes(claim(0, "KLE"), claim(1, "KLE", side="right")) == {0: "KLE", 1: "KLE"}
    two_files = claim(0, "KLE", files=frozenset({0})), claim(1, "KLE", files=frozenset({1}))
    assert codes(*two_files) == {0: "KLE", 1: "KLE"}
    both = claim(0, "KLE", files=frozenset({0, 1})), claim(1, "KLE", -0.2)
    assert codes(*both) == {0: "KLE"}


@pytest.mark.parametrize(
    ("code", "most"), [("ASIS", 1), ("TOE", 2), ("CAL", 3), ("SACR", 3), ("THX", 9), ("PEX", 9)]
)
def test_how_many_markers_of_a_side_a_landmark_may_have(code: str, most: int) -> None:
    assert len(codes(*(claim(i, code) for i in range(9)))) == most


@pytest.mark.parametrize(
    ("weight", "whole", "lowest"),
    [(0.6, 0.6, -4.2), (0.59, 0.59, -2.6), (0.3, 0.6, -2.6 - math.log(2.0) / 2.0)],
)
def test_a_sure_word_may_be_in_a_stranger_position(
    weight: float, whole: float, lowest: float
) -> None:
    for score, found in ((lowest + 0.01, {0: "KLE"}), (lowest - 0.01, {})):
        assert codes(claim(0, "KLE", score, weight=weight, whole=whole)) == found


@pytest.mark.parametrize(("medial", "lateral"), [("KME", "KLE"), ("ANM", "ANL")])
def test_a_lone_marker_of_a_joint_is_the_lateral_one_if_its_word_leaves_it_open(
    medial: str, lateral: str
) -> None:
    sure = claim(0, medial, -0.1, weight=0.8)
    for weight, found in ((0.4, lateral), (0.39, medial)):
        assert codes(sure, claim(0, lateral, -0.9, weight=weight)) == {0: found}
    assert codes(sure, claim(0, lateral, -9.0, weight=0.4)) == {0: medial}  # it is elsewhere
    beside = claim(1, lateral, side="left")
    assert codes(sure, claim(0, lateral, -0.9, weight=0.4), beside) == {0: medial, 1: lateral}
    other_leg = claim(1, lateral, side="right")
    assert codes(sure, claim(0, lateral, -0.9, weight=0.4), other_leg) == {0: lateral, 1: lateral}


@pytest.mark.parametrize(
    ("letters", "code"),
    [
        ("EIAS", "ASIS"), ("SIAS", "ASIS"), ("ASI", "ASIS"), ("SIPS", "PSIS"), ("PIS", "PSIS"),
        ("EFL", "KLE"), ("CFM", "KME"), ("ML", "ANL"), ("AM", "ANM"), ("MM", "ANM"),
        ("GTR", "GTR"), ("FH", "FIB"), ("TTU", "TTU"),
        ("EL", "KLE"), ("LE", "KLE"), ("ELP", "KLE"), ("EM", "KME"), ("EMP", "KME"), ("IC", "ILC"),
        ("1MH", "MT1H"), ("MH1", "MT1H"), ("MTII", "MT2H"), ("M3", "TOE"), ("MT4", "FTX"),
        ("VMH", "MT5H"), ("M5", "MT5H"), ("FMH", "MT1H"), ("SMH", "MT2H"),
        ("BM1", "MT1B"), ("MB2", "MT2B"), ("P3M", "FTX"), ("PMT4", "FTX"), ("MTB5", "MT5B"),
        ("FMB", "MT1B"), ("SMB", "MT2B"), ("M5D", "MT5H"), ("1MTD", "MT1H"), ("MT5B", "MT5B"),
    ],
)  # fmt: skip
def test_letters_of_a_landmark_in_any_order_and_rays_of_the_foot_by_their_numbers(
    letters: str, code: str
) -> None:
    shares = acronym(letters)
    assert max(shares, key=lambda x: shares[x]) == code


@pytest.mark.parametrize(
    "letters",
    ["", "ASII", "AXI", "APE", "AIE", "ASS", "SI", "M6", "XMH", "FMX", "FXB", "FM", "VMD"],
)
def test_other_letters_are_no_landmark(letters: str) -> None:
    assert acronym(letters) == {}
