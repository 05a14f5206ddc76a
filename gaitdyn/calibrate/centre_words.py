"""Landmarks and rule of the joint centres of a run, in words."""

from __future__ import annotations

from collections.abc import Iterable

from gaitdyn.calibrate.hip_choice import OWN_RULE
from gaitdyn.types.rungs import Taken

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
