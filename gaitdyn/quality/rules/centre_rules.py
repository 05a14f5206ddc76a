"""The rule on joint centres that left and right locate in different ways."""

from __future__ import annotations

from gaitdyn.calibrate.ladder.rungs import RUNGS
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Findings
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

_KINDS = {(rung.place, rung.name): rung.centre for rung in RUNGS if rung.centre}
"""Place and name of a rung -> the kind of rule of its joint centre."""


def centre_rules(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each joint whose centres are of different kinds on the two sides."""
    for joint in dict.fromkeys(place for place, _ in _KINDS):
        steps = {side: result.rung(side, joint) for side in SIDES}
        names = {side: step.rung for side, step in steps.items() if step is not None}
        kinds = {_KINDS.get((joint, name), name) for name in names.values() if name}
        if len(kinds) < 2:  # noqa: PLR2004  alike, or one side alone
            continue
        told = ", ".join(f"{side} {name}" for side, name in names.items())
        message = (
            f"the {joint} centres are found by different rules ({told}): side differences of"
            f" moments and rotations at the {joint} are partly those of the rules"
        )
        yield rules["centres-unlike"].found(f"{joint}s", message, joint=joint)
