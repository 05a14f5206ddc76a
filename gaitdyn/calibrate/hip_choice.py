"""The hip centre by the rule requested for a run, and the rules of all joint centres in words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gaitdyn.calibrate.plug_in_gait.joint_centres import hip_offset_P
from gaitdyn.calibrate.plug_in_gait.markers import sacrum
from gaitdyn.core.runs import known_mean
from gaitdyn.errors import SubjectDataMissing
from gaitdyn.types.arrays import Array
from gaitdyn.types.rungs import Taken
from gaitdyn.types.subject import SIDES, Side, Subject
from gaitdyn.types.trial import Trial

OWN_RULE = "model"
"""The rule of the marker model."""


def pelvis_depth(trial: Trial) -> float:
    """Return the mean distance between the midpoints of the ASIS and PSIS markers, m."""
    middle = 0.5 * (trial.marker("LASI") + trial.marker("RASI"))
    return float(known_mean(np.linalg.norm(middle - sacrum(trial), axis=1)))


def hip_offsets_P(
    rule: str, subject: Subject, width_m: float, depth_m: float, wanted: Iterable[str]
) -> dict[str, Array]:
    """Return the hip centre of each side from the midpoint of the ASIS markers, shape (3,), m.

    Parameters
    ----------
    rule : str
        ``model`` for that of the vendor's model (Davis), or a name in
        :data:`gaitdyn.calibrate.hip_regressions.HIP_RULES`.
    subject : Subject
        Leg lengths and marker diameter.
    width_m, depth_m : float
        Of the pelvis: distance between the ASIS, and from their midpoint to that of the PSIS.
    wanted : iterable of {"left", "right"}

    Returns
    -------
    dict
        Side -> offset in pelvis axes: x forward, y up, z to the right.

    Raises
    ------
    SubjectDataMissing
        If the rule needs a leg length that no source supplies.
    """
    sides: list[Side] = [side for side in SIDES if side in set(wanted)]
    diameter = subject.marker_diameter_m or 0.0
    offsets: dict[str, Array] = {}
    if rule in (OWN_RULE, "davis"):
        for side in sides:
            offsets[side] = hip_offset_P(subject, side, width_m, diameter)
    else:
        from gaitdyn.calibrate.hip_regressions import HIP_RULES, PelvisMeasures

        for side in sides:
            length = subject.leg(side).leg_length_m
            measures = PelvisMeasures(width_m, depth_m, length or np.nan, diameter)
            offsets[side] = HIP_RULES[rule](measures, side)
    if rule != OWN_RULE and not all(np.isfinite(offset).all() for offset in offsets.values()):
        raise SubjectDataMissing(
            f"--hip-centre {rule} needs leg lengths and the width and depth of the pelvis, and one"
            " of them is not known; give leg_length_mm of both sides in a subject.toml with"
            " --subject, or choose another rule"
        )
    return offsets


HIP_WORDS = {
    "davis": "regression of Davis et al. 1991 from leg length and the distance of the ASIS",
    "harrington": "regression of Harrington et al. 2007 from width and depth of the pelvis",
    "harrington-full": (
        "regression of Harrington et al. 2007 from width and depth of the pelvis and leg length"
    ),
    "harrington-width": "regression of Harrington et al. 2007 from the width of the pelvis",
    "hara": "regression of Hara et al. 2016 from leg length",
    "bell": "regression of Bell et al. 1990 from the distance of the ASIS",
    "bell-1989": "regression of Bell et al. 1989 from the distance of the ASIS",
}
"""Rule of the hip centre -> its description; every rule must have one."""

_CENTRES = ("hip", "knee", "ankle")
_REGRESSIONS = ("regression", "davis-regression")


def centre_words(taken: Iterable[Taken], hip_centre: str) -> dict[str, str]:
    """Return the landmarks and rule of every joint centre: ``left_hip`` and so on -> words.

    Parameters
    ----------
    taken : iterable of Taken
        The rungs of a run.
    hip_centre : str
        The requested rule of the hip; ``model`` is that of the marker model.
    """
    words = {}
    for step in taken:
        if step.place not in _CENTRES:
            continue
        text = step.text
        if step.place == "hip" and step.rung.startswith(_REGRESSIONS):
            default = "davis" if step.rung == "davis-regression" else "harrington"
            text = HIP_WORDS[default if hip_centre == OWN_RULE else hip_centre]
        words[f"{step.side}_{step.place}"] = text
    return words
