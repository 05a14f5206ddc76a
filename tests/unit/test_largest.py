"""Which findings a first page pictures, in which order, and when two sides are one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.judge.finding import CurveFinding, CycleStretch
from gaitdyn.judge.largest import (
    Largest,
    large_throughout,
    largest_findings,
    set_aside,
    sustained_findings,
)
from gaitdyn.types.norms import Band

if TYPE_CHECKING:
    from collections.abc import Container

    from gaitdyn.statistics.families import Word

AT = np.arange(101.0)
KNEE, HIP, ADDUCTION = "knee_angle_flexion", "hip_angle_flexion", "hip_angle_adduction"


def found(
    curve: str = KNEE, side: str = "left", size: float = 20.0, sd: float = 3.0, *,
    word: Word = "clear", unit: str = "deg", family: str = "angles",
    span: tuple[float, float] = (60.0, 80.0), place: bool = True, difference: float = 0.0,
) -> CurveFinding:  # fmt: skip
    """Return a finding with one stretch of the cycle, or none."""
    stretch = CycleStretch("", *span, span[0], size, sd, 1.0, "")
    flat = np.full(101, difference)
    return CurveFinding(
        side, curve, family, unit, word, "", "", 0.01, 0.01, (stretch,) * place, flat,
        np.ones(101), np.zeros(101, int),
    )  # fmt: skip


def listed(
    *findings: CurveFinding,
    lasting: Container[tuple[str, str]] = (),
    doubted: Container[tuple[str, str]] = (),
) -> list[tuple[str, str]]:
    found = largest_findings(findings, doubted=doubted, lasting=lasting)
    return [(one.word, one.curve) for one in found]


@pytest.mark.parametrize(
    ("right", "together"),
    [
        ((70.0, 90.0), True),  # 10 % of the cycle in common, of 20
        ((72.0, 92.0), False),
        ((70.0, 76.0), False),  # 6 of the longer one's 20
        ((55.0, 85.0), True),
        ((81.0, 90.0), False),
    ],
)
def test_two_sides_are_one_from_half_of_the_longer_stretch_on(
    right: tuple[float, float], together: bool
) -> None:
    both = largest_findings([found(), found(side="right", span=right)])
    assert [one.sides for one in both] == (
        [("left", "right")] if together else [("left",), ("right",)]
    )


@pytest.mark.parametrize(
    ("word", "curve", "family", "pictured"),
    [
        ("possible", KNEE, "angles", True),
        ("not judged", KNEE, "angles", True),
        ("possible", "knee_angle_adduction", "knee axis", False),
        ("clear", "knee_angle_adduction", "knee axis", True),
        ("possible", "grf_y", "moments", False),
        ("clear", "grf_y", "moments", True),
        ("possible", "hip_power", "powers", True),
        ("not judged", "hip_power", "powers", False),
    ],
)
def test_curves_of_little_certainty_are_pictured_only_if_they_are_clear(
    word: Word, curve: str, family: str, pictured: bool
) -> None:
    assert listed(found(curve, word=word, family=family)) == [(word, curve)] * pictured


@pytest.mark.parametrize(
    ("size", "unit", "pictured"),
    [(0.5, "deg", True), (-0.49, "deg", False), (0.05, "N m/kg", True), (0.049, "W/kg", False)],
)
def test_a_size_that_rounds_to_zero_is_left_out(size: float, unit: str, pictured: bool) -> None:
    assert len(listed(found(size=size, unit=unit))) == pictured


def test_a_curve_without_a_place_is_left_out() -> None:
    assert listed(found(place=False), found(HIP, place=False, word="not judged")) == []


def test_within_a_word_what_lasts_follows_what_is_possible_and_doubts_come_last() -> None:
    small, wide = found(HIP, word="possible", sd=1.5), found(KNEE, word="not shown", sd=4.0)
    unsure = found(ADDUCTION, word="possible", sd=5.0)
    findings = [wide, unsure, small]
    curves = [curve for _, curve in listed(*findings)]
    assert curves == [ADDUCTION, HIP, KNEE]
    lasting, doubted = {("left", KNEE)}, {("left", ADDUCTION)}
    order = [curve for _, curve in listed(*findings, lasting=lasting, doubted=doubted)]
    assert order == [HIP, KNEE, ADDUCTION]


@pytest.mark.parametrize("word", ["possible", "clear"])
def test_what_lasts_under_a_verdict_of_its_own_keeps_its_place_by_size(word: Word) -> None:
    """ "Right hip, not judged" stood above "left pelvis, possible": both were large throughout."""
    large, small = found(KNEE, word=word, sd=4.0), found(HIP, word=word, sd=1.5)
    unjudged = found(ADDUCTION, word="not judged", sd=6.0)
    lasting = {("left", KNEE), ("left", ADDUCTION)}
    order = [curve for _, curve in listed(unjudged, small, large, lasting=lasting)]
    assert order == [KNEE, HIP, ADDUCTION]


def test_set_aside_is_a_doubted_finding_below_a_smaller_one_of_its_word() -> None:
    def one(curve: str, sd: float, word: Word = "possible") -> Largest:
        finding = found(curve, sd=sd, word=word)
        return Largest((finding,), finding.places)

    doubted = {("left", ADDUCTION)}
    large = one(ADDUCTION, 3.0)
    assert set_aside([one(HIP, 2.0), large], doubted) == (large,)
    assert set_aside([one(HIP, 4.0), large], doubted) == ()
    assert set_aside([large, one(HIP, 2.0)], doubted) == ()
    assert set_aside([one(HIP, 2.0, "clear"), large], doubted) == ()  # of another word
    assert set_aside([one(HIP, 2.0), large], set()) == ()


BANDS = {name: Band(AT, np.zeros(101), np.full(101, 4.0), "deg", count=40)
         for name in (KNEE, HIP, "knee_angle_adduction")}  # fmt: skip


@pytest.mark.parametrize(
    ("curve", "difference", "large", "sustained"),
    [
        (KNEE, 9.0, True, True),  # 20 people in 21 are within 8.2 deg
        (KNEE, 8.0, False, False),
        (KNEE, -9.0, True, True),
        ("knee_angle_adduction", 20.0, False, False),  # not in the gait profile
    ],
)
def test_an_angle_far_out_all_the_time_is_large_and_sustained(
    curve: str, difference: float, large: bool, sustained: bool
) -> None:
    one = found(curve, word="not shown", difference=difference)
    assert large_throughout([one], BANDS, ()) == ({("left", curve)} if large else set())
    assert [x.curve for x in sustained_findings([one], BANDS, ())] == [curve] * sustained
    assert large_throughout([one], BANDS, {("left", curve)}) == set()


def test_what_is_not_known_throughout_or_has_no_reference_is_not_large() -> None:
    part = found(difference=30.0)
    part.difference[40:] = np.nan
    assert large_throughout([part, found(ADDUCTION, difference=30.0)], BANDS, ()) == set()
