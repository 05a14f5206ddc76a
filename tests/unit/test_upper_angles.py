"""Angles above the pelvis that nobody has: what is said, and what is left empty."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.upper_angles import upper_angle_rules, without_impossible_angles
from gaitdyn.types.subject import SIDES
from gaitdyn.types.upper import JointWrench, SoleEdge, UpperBody, UpperPose

if TYPE_CHECKING:
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array

RULES = load_rules()
CODE = "upper-angle-implausible"
PARTS = ("trunk", "head", "spine", "neck", "shoulder", "elbow", "wrist")
JOINTS = ("waist", "neck", *(f"{s}_{j}" for s in SIDES for j in ("shoulder", "elbow", "wrist")))
WHOLE = {"com", "closure", "edges", "waist"}


def body(result: Result, part: str, sizes_deg: tuple[float, ...], frames: slice) -> UpperBody:
    """Return an upper body whose angles are 5 degrees, but those of one part in some frames."""
    n = result.recording.n_frames
    eye, still = np.broadcast_to(np.eye(3), (n, 3, 3)), np.zeros((n, 3))
    angles: dict[str, dict[str, Array]] = {
        side: {name: np.full((n, 3), 5.0) for name in PARTS} for side in SIDES
    }
    name, _, side = part.partition(" of ")
    for one in (side,) if side else SIDES:
        angles[one][name][frames] = sizes_deg
    load = JointWrench(still, still, np.zeros(n), eye, eye, np.ones(n, bool))
    return UpperBody(
        UpperPose(eye, still, still, None), angles, dict.fromkeys(JOINTS, load), still, still,
        still, still, edges={"left": SoleEdge(still, still, np.zeros(n))},
    )  # fmt: skip


def empty_at(upper: UpperBody, row: int) -> set[str]:
    """Return what is empty in a frame: angles with their side, joints, values of the body."""
    angles = {
        f"{side} {name} angle"
        for side, parts in upper.angles.items()
        for name, values in parts.items()
        if np.isnan(values[row]).any()
    }
    joints = {name for name, joint in upper.joints.items() if not joint.published[row]}
    values: dict[str, Any] = {
        "com": upper.com_G, "closure": upper.closure_moment_G, "edges": upper.edges["left"].tip_G,
    }  # fmt: skip
    return angles | joints | {name for name, known in values.items() if np.isnan(known[row]).any()}


def of_sides(*names: str) -> set[str]:
    return {f"{side} {name} angle" for side in SIDES for name in names}


THORAX = of_sides("trunk", "spine", "neck", "shoulder") | WHOLE
THORAX |= {"neck", "left_shoulder", "right_shoulder"}


@pytest.mark.parametrize(
    ("part", "sizes_deg", "share", "empty"),
    [
        ("trunk", (120.0, 0.0, 0.0), 1.2, THORAX),
        ("trunk", (-120.0, 0.0, 180.0), 1.2, THORAX),
        ("spine", (0.0, 0.0, 150.0), 2.0, THORAX),
        ("head", (0.0, -91.0, 0.0), 1.3, of_sides("head", "neck") | {"neck"} | WHOLE),
        ("neck", (0.0, 0.0, 165.0), 1.5, of_sides("neck") | {"neck"}),
        ("elbow of left", (181.5, 0.0, 0.0), 1.1,
         {f"left {x} angle" for x in ("shoulder", "elbow", "wrist")} | WHOLE
         | {"left_shoulder", "left_elbow", "left_wrist"}),
        ("wrist of right", (-132.0, 0.0, 0.0), 1.2, {"right wrist angle", "right_wrist"}),
    ],
)  # fmt: skip
def test_an_angle_that_nobody_has_is_left_empty_with_all_that_is_computed_from_it(
    clean: Result, part: str, sizes_deg: tuple[float, ...], share: float, empty: set[str]
) -> None:
    upper = body(clean, part, sizes_deg, slice(None))
    n = clean.recording.n_frames
    (found,) = upper_angle_rules(replace(clean, upper=upper), RULES)
    name, _, side = part.partition(" of ")
    scope = f"{side} {name}".strip()
    assert (found.code, found.scope, found.side or "") == (CODE, scope, side)
    assert found.message == (
        f"{scope}: an angle up to {share:.1f} times the largest of a walking body, in {n} of {n}"
        " frames; left empty"
    )
    assert empty_at(without_impossible_angles(upper, clean, RULES), 150) == empty


@pytest.mark.parametrize(
    ("part", "sizes_deg"),
    [
        ("trunk", (99.0, 59.0, 180.0)),  # a person may walk any way
        ("head", (-109.0, 69.0, -180.0)),
        ("spine", (89.0, 59.0, 74.0)),
        ("neck", (99.0, 69.0, 109.0)),
        ("elbow", (164.0, 0.0, 0.0)),
        ("wrist", (109.0, 74.0, 180.0)),  # a forearm turns by half a circle
        ("shoulder", (180.0, 180.0, 180.0)),
        ("neck", (np.nan, np.nan, np.nan)),
    ],
)
def test_what_a_body_reaches_is_kept(
    clean: Result, part: str, sizes_deg: tuple[float, ...]
) -> None:
    upper = body(clean, part, sizes_deg, slice(None))
    assert upper_angle_rules(replace(clean, upper=upper), RULES) == []
    assert without_impossible_angles(upper, clean, RULES) is upper


def test_a_moment_costs_the_frames_around_it_and_a_tenth_of_the_trial_all(clean: Result) -> None:
    """0.3 s are 30 frames."""
    n = clean.recording.n_frames
    for frames, gone in ((1, range(120, 181)), (n // 10 + 1, range(n))):
        upper = body(clean, "neck", (0.0, 0.0, 165.0), slice(150, 150 + frames))
        shown = without_impossible_angles(upper, clean, RULES).angles["left"]["neck"]
        assert np.flatnonzero(np.isnan(shown[:, 0])).tolist() == list(gone)


def test_other_tasks_an_own_limit_and_publishing_anyway_keep_the_angles(clean: Result) -> None:
    upper = body(clean, "trunk", (120.0, 0.0, 0.0), slice(None))
    bent = replace(clean, task="squat")
    assert without_impossible_angles(upper, bent, RULES) is upper
    anyway = replace(clean, upper=upper, options=replace(clean.options, publish_anyway=True))
    assert without_impossible_angles(upper, anyway, RULES) is upper
    (found,) = upper_angle_rules(anyway, RULES)
    assert found.message.endswith("published anyway (--publish-anyway)")
    for change in ({"limit": 1.3}, {"level": "off"}):
        own = Rules(RULES.by_code | {CODE: replace(RULES[CODE], **change)})  # type: ignore[arg-type]
        assert without_impossible_angles(upper, clean, own) is upper
