"""The columns of trunk, head, arms and centre of mass under gaitdyn's names."""

from __future__ import annotations

import numpy as np

from gaitdyn.catalogue.keys import OTHER, XYZ, Key
from gaitdyn.catalogue.methods import methods_of
from gaitdyn.core.rotations import rotate_back
from gaitdyn.cycles.upper_heading import MARGINS
from gaitdyn.dynamics.clinical import UPPER_MOMENTS
from gaitdyn.tables.column_words import column_words
from gaitdyn.tables.columns import along_axes
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Curve
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES, SIGN
from gaitdyn.types.upper import JointWrench, UpperBody
from gaitdyn.upper.angles import ANGLES, ISB_SHOULDER
from gaitdyn.upper.stability import margins

_MM = 1000.0
_FRAMES = column_words("frame")
_ISB_FRAME = column_words("isb frame")["shoulder"]
_POSITIVE = column_words("upper positive")
_BENDING = {"spine": "bending forward", "neck": "bending forward"}
_DEPENDS_ON = {
    "trunk": ("thorax",), "head": ("head",), "spine": ("thorax",), "neck": ("thorax", "head"),
    "waist": ("thorax", "head", "left_arm", "right_arm"),
    "com": ("thorax", "head", "left_arm", "right_arm"),
}  # fmt: skip
_SEGMENTS = {
    "shoulder": ("upper arm", "thorax"),
    "elbow": ("forearm", "upper arm"),
    "wrist": ("hand", "forearm"),
    "waist": ("thorax", "pelvis"),
}
"""Joint -> its distal segment (waist: the segment above) and its proximal segment."""

_ACTS = {
    "waist": {
        "extension": "extending (of the pelvis on the thorax)",
        "lateral": "bending towards this side",
        "rotation": "turning this side forward",
    }
}


def upper_curves(result: Processed, upper: UpperBody) -> list[Curve]:
    """Return the curves above the legs with units, frames and positive directions."""
    curves: list[Curve] = []
    for side in SIDES:
        curves += _angles(result, upper, side)
    for side in SIDES:
        for joint in UPPER_MOMENTS:
            name = joint if joint == "waist" else f"{side}_{joint}"
            wrench = upper.joints.get(name)
            if wrench is not None:
                curves += _loads(result, upper, wrench, side, joint)
    waist = upper.joints.get("waist")
    if waist is not None:
        curves.append(_power(result, upper, waist, "", "waist"))
    return curves + _closure(result, upper) + _centre(result, upper)


def _angles(result: Processed, upper: UpperBody, side: str) -> list[Curve]:
    curves = []
    source = "the poses" if result.engine == "poses" else "markers"
    how = f"Cardan angle of axes of {source} in every frame, {methods_of(result).markers}"
    isb = result.options.shoulder == "isb"
    for joint, values in upper.angles[side].items():
        words, frame = ANGLES[joint], _FRAMES[joint]
        if joint == "shoulder" and isb:
            words, frame = ISB_SHOULDER, _ISB_FRAME
        for i, word in enumerate(words):
            positive = _BENDING.get(joint) if word == "flexion" else None
            positive = positive or _POSITIVE.get(word, word.replace("_", " "))
            name, rung = Key(side, joint, "angle", word).name, rung_words(upper, joint, side)
            curves.append(Curve(name, values[:, i], "deg", frame, positive, how, rung))
    return curves


def rung_words(upper: UpperBody, part: str, side: str) -> str:
    """Return the landmarks and rules that define the segments of a column.

    Parameters
    ----------
    upper : UpperBody
    part : str
        Joint or segment.
    side : str
    """
    dependencies = _DEPENDS_ON.get(
        part, ("thorax", f"{side}_arm") if part == "shoulder" else (f"{side}_arm",)
    )
    known = ((name, upper.words.get(name)) for name in dependencies)
    return "; ".join(f"{name.replace('_', ' ')}: {words}" for name, words in known if words)


def _loads(
    result: Processed, upper: UpperBody, wrench: JointWrench, side: str, joint: str
) -> list[Curve]:
    """Return the moments of a joint on one side and, for a joint of the arm, its power."""
    options, how = result.options, _how(result, joint)
    external, axes = options.convention == "external", options.moments_in
    hidden = np.where(wrench.published, 1.0, np.nan)[:, None]
    rung = rung_words(upper, joint, side)
    if axes == "lab":
        values, frame = wrench.moment_G * (-1.0 if external else 1.0), "G"
        rows = [(axis, axis, values[:, i]) for i, axis in enumerate(XYZ)]
    else:
        below, above = _SEGMENTS[joint]
        R, frame = (wrench.R_proximal, above) if axes == "proximal" else (wrench.R_GS, below)
        frame = f"{frame} axes"
        values = clinical_components(rotate_back(R, wrench.moment_G), joint, side)
        rows = []
        for i, word in enumerate(UPPER_MOMENTS[joint]):
            name = OTHER.get(word, word) if external else word
            sign = -1.0 if external and name == word else 1.0
            rows.append((name, _ACTS.get(joint, {}).get(name, name), sign * values[:, i]))
    curves = [
        Curve(
            Key(side, joint, "moment", word).name, value * hidden[:, 0], "N m", frame,
            positive.replace("_", " ") if len(word) > 1 else f"+{word}",
            f"{options.convention} net moment at the {joint} centre, {how}", rung,
        )
        for word, positive, value in rows
    ]  # fmt: skip
    return curves if joint == "waist" else [*curves, _power(result, upper, wrench, side, joint)]


def clinical_components(moment: Array, joint: str, side: str) -> Array:
    """Return the clinical moments of a joint from components x, y, z, shape (n, 3).

    A moment about +z (to the right) flexes an arm and tilts the thorax back. A moment about +x
    moves a hanging arm to the left and the thorax to the right. A moment about +y turns the front
    to the left.

    Parameters
    ----------
    moment : array, shape (n, 3)
        Moment of the proximal on the distal segment.
    joint : {"shoulder", "elbow", "wrist", "waist"}
    side : {"left", "right"}
    """
    sg = SIGN[side]
    signs = (1.0, -sg, -sg) if joint == "waist" else (-1.0, -sg, sg)
    return moment[:, [2, 0, 1]] * np.array(signs)


def _power(result: Processed, upper: UpperBody, load: JointWrench, side: str, joint: str) -> Curve:
    hidden = np.where(load.published, 1.0, np.nan)
    how = f"moment times angular velocity of the {' against the '.join(_SEGMENTS[joint])},"
    how += f" {methods_of(result).markers}"
    name, rung = Key(side, joint, "power").name, rung_words(upper, joint, side)
    return Curve(name, load.power * hidden, "W", "scalar", "generation", how, rung)


def _how(result: Processed, joint: str) -> str:
    """Return how a load was computed: from the free end, or as the vendor does."""
    methods = methods_of(result)
    if result.options.profile == "plug-in-gait":
        start = "the plates" if joint == "waist" else "the hand"
        return f"Newton-Euler equations from {start}, {methods.loads.partition(', ')[2]}"
    start = "hands and head" if joint == "waist" else "the hand"
    return f"Newton-Euler equations from {start}, {methods.markers}"


def _closure(result: Processed, upper: UpperBody) -> list[Curve]:
    """Return the loads at the waist from feet and plates minus those from hands and head."""
    if upper.closure_force_G is None or upper.closure_moment_G is None:
        return []
    how = (
        f"from below less from above, pelvis on thorax at the low back, {methods_of(result).loads}"
    )
    rung, curves = rung_words(upper, "waist", ""), []
    for word, values, unit in (
        ("force", upper.closure_force_G, "N"),
        ("moment", upper.closure_moment_G, "N m"),
    ):
        curves += along_axes(f"waist_closure_{word}", values, unit, "G", how, rung)
    return curves


def _centre(result: Processed, upper: UpperBody) -> list[Curve]:
    """Return the centre of mass of the body, its velocity and the margins of stability."""
    if upper.com_G is None:
        return []
    how = f"centre of mass of the whole body, {methods_of(result).markers}"
    if "generation" in upper.words:
        how += f", generation {upper.words['generation']}"
    rung = rung_words(upper, "com", "")
    curves = along_axes("com", upper.com_G * _MM, "mm", "G", how, rung)
    if upper.com_velocity_G is not None:
        how_velocity = f"velocity of the {how}"
        curves += along_axes("com_velocity", upper.com_velocity_G, "m/s", "G", how_velocity, rung)
    positive = ("the extrapolated centre of mass behind the toe tip", "inside of the sole's border")
    how_margin = "edge of the sole less extrapolated centre of mass (Hof et al. 2005), in stance"
    for side, edge in upper.edges.items():
        margins_mm = margins(edge, side, result.pose.walking_G) * _MM
        margins_mm = np.where(result.sides[side].stance[:, None], margins_mm, np.nan)
        curves += [
            Curve(f"{side}_margin_of_stability_{word}", margins_mm[:, i], "mm", "walking axes",
                  positive[i], f"{how_margin}, {methods_of(result).markers}", rung)
            for i, word in enumerate(MARGINS)
        ]  # fmt: skip
    return curves
