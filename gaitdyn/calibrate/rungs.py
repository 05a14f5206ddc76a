"""Where the joint centres of a run come from: landmarks and rule of each, in words.

They are read off what the run had: the engine of its marker model, the markers of its reference,
the rule of the hip that was asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.calibrate.hip_choice import OWN_RULE
from gaitdyn.calibrate.markers import LETTER
from gaitdyn.calibrate.skeleton import has_alignment_device, medial_knee

if TYPE_CHECKING:
    from collections.abc import Collection

    from gaitdyn.types.marker_model import MarkerModel
    from gaitdyn.types.motion import LegOffsets
    from gaitdyn.types.options import Options

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
"""Rule of the hip centre -> what it is; a rule without words has no right to be used."""

_LANDMARKS = {"knee": ("KJC", "KNE", "KNM"), "ankle": ("AJC", "ANK", "MED")}


def centre_rungs(
    model: MarkerModel,
    options: Options,
    seen: Collection[str],
    static: tuple[str, ...],
    offsets: dict[str, LegOffsets],
    sides: list[str],
) -> dict[str, str]:
    """Return landmarks and rule of every joint centre.

    Parameters
    ----------
    model : MarkerModel
    options : Options
    seen : collection of str
        Markers of the reference position, of a model of landmarks.
    static : tuple of str
        Labels of the static; empty without one.
    offsets : dict
        Side -> LegOffsets, of a model with wands.
    sides : list of {"left", "right"}

    Returns
    -------
    dict
        ``left_hip`` and so on -> words.
    """
    found = {}
    for side in sides:
        letter = LETTER[side]
        if model.engine == "sagittal":
            labels = {"hip": "GTR", "knee": "KNE", "ankle": "ANK"}
            own = {j: f"the marker {letter}{x} stands for it" for j, x in labels.items()}
        elif model.engine == "landmarks":
            own = {"hip": _hip(options, letter, seen)}
            own |= {joint: _middle(joint, letter, seen) for joint in _LANDMARKS}
        else:
            own = {"hip": _hip(options, letter, ()), **_chords(options, side, static, offsets)}
        found |= {f"{side}_{joint}": words for joint, words in own.items()}
    return found


def _hip(options: Options, letter: str, seen: Collection[str]) -> str:
    """Return the rule of the hip; a model of landmarks prefers a stored centre to its own rule."""
    rule = options.hip_centre
    if rule == OWN_RULE and seen:
        if f"{letter}HJC" in seen:
            return f"the point {letter}HJC of the file"
        rule = "harrington"
    return HIP_WORDS["davis" if rule == OWN_RULE else rule]


def _middle(joint: str, letter: str, seen: Collection[str]) -> str:
    """Return the rule of knee or ankle among landmarks."""
    stored, lateral, medial = (letter + role for role in _LANDMARKS[joint])
    if stored in seen:
        return f"the point {stored} of the file"
    if lateral in seen and medial in seen:
        return f"middle of {lateral} and {medial}"
    return f"the marker {lateral} stands for it" if lateral in seen else "no marker shows it"


def _chords(
    options: Options, side: str, static: tuple[str, ...], offsets: dict[str, LegOffsets]
) -> dict[str, str]:
    """Return the rules of knee and ankle of a model with wands."""
    letter, own = LETTER[side], offsets.get(side)
    shown = static if options.offsets == "static" else ()
    device, medial = has_alignment_device(shown, side), medial_knee(shown, side)
    source = {"knee": "", "ankle": ""}
    if own is not None and own.thigh_rotation:
        source["knee"] = "an offset of the file"
    if own is not None and (own.shank_rotation or own.ankle_abduction):
        source["ankle"] = "an offset of the file"
    if device or medial:
        source["knee"] = "the knee alignment device" if device else f"the marker {medial}"
        source["knee"] += " of the static"
    if f"{letter}MED" in shown:
        source["ankle"] = f"the marker {letter}MED of the static"
    words = {
        "knee": f"chord function from hip centre, {letter}KNE and {letter}THI",
        "ankle": f"chord function from knee centre, {letter}ANK and {letter}TIB",
    }
    turned = {
        joint: f", the wand turned as {by} says" if by else "" for joint, by in source.items()
    }
    return {joint: text + turned[joint] for joint, text in words.items()}
