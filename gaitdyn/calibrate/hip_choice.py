"""The hip centre by the rule that a run asks for, in pelvis axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.joint_centres import hip_offset_P
from gaitdyn.calibrate.markers import sacrum
from gaitdyn.core.runs import known_mean
from gaitdyn.errors import SubjectDataMissing, UsageError
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.subject import Side, Subject
    from gaitdyn.types.trial import Trial

OWN_RULE = "model"
"""The rule of the marker model."""


def pelvis_depth(trial: Trial) -> float:
    """Return the mean distance of the middle of the ASIS markers from that of the PSIS, m."""
    middle = 0.5 * (trial.marker("LASI") + trial.marker("RASI"))
    return float(known_mean(np.linalg.norm(middle - sacrum(trial), axis=1)))


def hip_offsets_P(
    rule: str, subject: Subject, width_m: float, depth_m: float, wanted: Iterable[str]
) -> dict[str, Array]:
    """Return the hip centre of each side from the middle of the ASIS markers, shape (3,), m.

    Parameters
    ----------
    rule : str
        ``model`` is that of the vendor's model (Davis), or a name of
        :data:`gaitdyn.calibrate.hip_regressions.HIP_RULES`.
    subject : Subject
        Leg lengths and marker diameter.
    width_m, depth_m : float
        Of the pelvis: distance of the ASIS, and from their middle to that of the PSIS.
    wanted : iterable of {"left", "right"}

    Returns
    -------
    dict
        Side -> offset in pelvis axes: x forward, y up, z to the right.

    Raises
    ------
    SubjectDataMissing
        When the rule asks for a leg length that nothing supplies.
    UsageError
        When there is no such rule.
    """
    sides: list[Side] = [side for side in SIDES if side in set(wanted)]
    diameter = subject.marker_diameter_m or 0.0
    if rule in (OWN_RULE, "davis"):
        found = {side: hip_offset_P(subject, side, width_m, diameter) for side in sides}
    else:
        from gaitdyn.calibrate.hip_regressions import HIP_RULES, PelvisMeasures

        if rule not in HIP_RULES:
            message = f"--hip-centre is {rule!r}, wanted {', '.join((OWN_RULE, *HIP_RULES))}"
            raise UsageError(message)
        found = {}
        for side in sides:
            length = subject.leg(side).leg_length_m
            measures = PelvisMeasures(width_m, depth_m, length or np.nan, diameter)
            found[side] = HIP_RULES[rule](measures, side)
    if rule != OWN_RULE and not all(np.isfinite(offset).all() for offset in found.values()):
        raise SubjectDataMissing(
            f"--hip-centre {rule} asks for leg lengths and the width and depth of the pelvis, and"
            " one of them is nowhere; give leg_length_mm of both sides in a subject.toml with"
            " --subject, or take another rule"
        )
    return found
