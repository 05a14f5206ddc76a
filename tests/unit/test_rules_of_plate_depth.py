"""A plate whose sensor is in its surface by the file: true of some, told of all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.plates.force import in_the_surface
from gaitdyn.quality.rules.steps import steps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.trial import Result

RULES = load_rules()


def with_depths(result: Result, depths_m: Mapping[int, float], kind: int = 2) -> Result:
    plates = tuple(
        replace(p, kind=kind, origin=np.array([0.0, 0.0, -depths_m[p.number]]))
        for p in result.recording.plates
    )
    return replace(result, recording=replace(result.recording, plates=plates))


def test_plates_with_a_depth_are_not_told(clean: Result) -> None:
    assert in_the_surface(clean, RULES) == []


def test_the_plates_without_a_depth_are_told_with_what_a_depth_would_change(clean: Result) -> None:
    (finding,) = in_the_surface(with_depths(clean, {1: 0.04, 2: 0.0, 3: 0.0}), RULES)
    assert (finding.code, finding.level) == ("plate-depth", "info")
    assert finding.message.startswith("plate 2, plate 3: the file puts the sensor into the surface")
    force = np.concatenate([step.force_G for step in steps(clean) if step.entire])
    force = force[force[:, 1] > 50.0]
    slopes = np.sort(np.linalg.norm(force[:, [0, 2]], axis=1) / force[:, 1])
    assert 0.04 * slopes[len(slopes) // 2] < (finding.value or 0.0) <= 0.04 * slopes[-1]


def test_the_origin_of_other_types_is_no_depth(clean: Result) -> None:
    """Of type 1 it is not used; of type 3 its first two numbers are distances of sensors."""
    flat = {1: 0.0, 2: 0.0, 3: 0.0}
    assert in_the_surface(with_depths(clean, flat, kind=1), RULES) == []
    assert in_the_surface(with_depths(clean, flat, kind=3), RULES) == []
