"""Angles impossible for a moment: another marker for a few frames, or wrong markers throughout."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.anatomy import joint_ranges
from gaitdyn.quality.rules.briefly import with_moments
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.trial import Result

RULES = load_rules()


def bent(result: Result, *parts: tuple[slice, float], side: str = "left") -> Result:
    """Return a walk whose knee is bent by so many degrees in some rows; by 0 elsewhere."""
    angles = dict(result.sides[side].angles)
    values = 0.0 * angles["knee"]
    for rows, degrees in parts:
        values[rows, 0] = degrees
    leg = replace(result.sides[side], angles=angles | {"knee": values})
    return replace(result, sides=result.sides | {side: leg})


def divided(
    result: Result, others: Iterable[Finding] = (), noticed: Iterable[Finding] = ()
) -> list[Finding]:
    """Return what is found on joint ranges, and on others, in moments if it is of moments."""
    return with_moments(result, [*joint_ranges(result, RULES), *others], [*noticed], RULES)


def frames(result: Result, finding: Finding) -> tuple[int, int] | None:
    """Return the first and the last row of a finding."""
    if finding.start_s is None or finding.stop_s is None:
        return None
    return round(result.row(finding.start_s)), round(result.row(finding.stop_s))


def doubt(code: str = "marker-noise", level: Any = "warning", **where: Any) -> Finding:
    return Finding(level, code, "LKNE", "LKNE: noise", **where)


def test_a_leap_of_four_frames_is_told_with_its_time_and_its_worst_angle(clean: Result) -> None:
    walk = bent(clean, (slice(150, 154), -50.0), (slice(152, 153), -70.0))
    (found,) = divided(walk)
    assert (found.code, found.level, found.scope) == ("range-knee-flexion", "error", "left knee")
    assert (found.side, found.joint, found.value) == ("left", "knee", -70.0)
    assert frames(walk, found) == (150, 153)
    assert found.limit == -30.0
    known = len(clean.sides["left"].stance)
    assert found.message == (
        f"left knee flexion jumps to -70 deg and back in 4 of {known} frames, which no body does:"
        " it is another marker there"
    )


def test_two_leaps_are_two_moments_from_0_6_s_apart(clean: Result) -> None:
    """At 100 Hz: 40 frames are one moment, of which 4 are out; 80 frames are two."""
    near = bent(clean, (slice(152, 192), 70.0), (slice(150, 152), -50.0), (slice(192, 194), -60.0))
    (one,) = divided(near)
    assert (frames(near, one), one.value) == ((150, 193), -60.0)
    assert " in 4 of " in one.message
    far = bent(clean, (slice(150, 152), -50.0), (slice(232, 234), -60.0))
    assert [(frames(far, f), f.value) for f in divided(far)] == [
        ((150, 151), -50.0), ((232, 233), -60.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "ramp", "brief"),
    [
        (slice(150, 154), 0.0, True),
        (slice(150, 190), 0.0, False),  # more than a tenth of the frames
        (slice(150, 154), -20.0, False),  # 30 deg at each end are no leap
        (slice(0, 4), 0.0, True),  # only the end of a leap is recorded
    ],
)
def test_few_frames_with_a_leap_at_both_ends_are_a_moment(
    clean: Result, rows: slice, ramp: float, brief: bool
) -> None:
    near = slice(max(0, rows.start - 8), rows.stop + 8)
    walk = bent(clean, (near, ramp), (rows, -50.0))
    (found,) = divided(walk)
    assert (frames(walk, found) is not None) is brief


def test_a_slow_way_back_is_no_leap(clean: Result) -> None:
    slow = (slice(150, 154), -50.0), (slice(154, 170), -20.0)
    walk = bent(clean, *slow)
    assert [frames(walk, found) for found in divided(walk)] == [None]
    both = bent(clean, *slow, (slice(40, 44), -50.0))  # beside a leap, too
    assert [frames(both, found) for found in divided(both)] == [None]
    deeper = bent(clean, *slow, (slice(152, 154), -80.0))  # 60 deg back are a leap
    assert [frames(deeper, found) for found in divided(deeper)] == [(150, 153)]
    quick = bent(clean, (slice(150, 156), -20.0), (slice(150, 154), -50.0))  # 50 deg in 0.03 s
    assert [frames(quick, found) for found in divided(quick)] == [(150, 153)]


def test_a_gap_beside_a_leap_says_nothing(clean: Result) -> None:
    for gap, slow in ((slice(140, 150), slice(154, 170)), (slice(154, 170), slice(140, 150))):
        alone = bent(clean, (gap, np.nan), (slice(150, 154), -50.0))
        assert [frames(alone, found) for found in divided(alone)] == [(150, 153)]
        back = bent(clean, (gap, np.nan), (slice(150, 154), -50.0), (slow, -20.0))
        assert [frames(back, found) for found in divided(back)] == [None]
    island = bent(clean, (slice(140, 170), np.nan), (slice(150, 154), -50.0))
    assert [frames(island, found) for found in divided(island)] == [None]


def test_a_doubt_at_the_moment_of_the_other_side_is_another_one(clean: Result) -> None:
    walk = bent(clean, (slice(40, 44), -50.0), side="right")
    both = bent(walk, (slice(150, 154), -50.0))
    early = doubt(side="left", start_s=1.40, stop_s=1.43)  # when the right knee leaps
    found = {f.side: frames(both, f) for f in divided(both, noticed=[early])}
    assert found == {"left": None, "right": (40, 43)}


@pytest.mark.parametrize(
    ("finding", "throughout"),
    [
        (doubt(side="left"), True),
        (doubt(), True),  # of both sides
        (doubt(side="right"), False),
        (doubt(side="left", level="info"), False),
        (doubt("stride-time", side="left"), False),  # not about markers
        (doubt(side="left", start_s=2.45, stop_s=2.55), False),  # of the same moment
        (doubt(side="left", start_s=1.95, stop_s=3.1), False),  # 0.6 s around it
        (doubt(side="left", start_s=1.8, stop_s=2.55), True),
        (doubt(side="left", start_s=2.45, stop_s=3.3), True),
    ],
)
def test_markers_that_are_doubted_throughout_make_a_leap_more_than_a_moment(
    clean: Result, finding: Finding, throughout: bool
) -> None:
    walk = bent(clean, (slice(150, 154), -50.0))  # from 2.50 to 2.53 s
    for found in (divided(walk, [finding]), divided(walk, noticed=[finding])):
        (leap,) = (f for f in found if f.code == "range-knee-flexion")
        assert (leap.start_s is None) is throughout
        assert (finding in found) is (len(found) == 2)


def test_only_what_is_around_a_moment_is_left_empty(clean: Result) -> None:
    """0.3 s before and after: 30 frames at 100 Hz."""
    walk = bent(clean, (slice(150, 154), -50.0))
    shown = emptied(replace(walk, judged=tuple(divided(walk))), RULES)
    empty = np.flatnonzero(np.isnan(shown.sides["left"].angles["knee"][:, 0]))
    assert empty.tolist() == list(range(120, 184))
    left, before = shown.sides["left"].kinetics, walk.sides["left"].kinetics
    assert left is not None
    assert before is not None
    lost = np.flatnonzero((before.published & ~left.published).any(axis=1))
    assert set(lost) <= set(range(120, 184))
    assert before.published[lost].any()
    assert np.isfinite(shown.sides["left"].angles["pelvis"]).all()
    assert shown.sides["right"].angles["knee"] is walk.sides["right"].angles["knee"]
    knee = shown.pose.leg("left").r_prox_G[:, 1]
    assert np.flatnonzero(np.isnan(knee[:, 0])).tolist() == list(range(120, 184))
