"""Which curve stands where: the panels of the kinematics and the kinetics, no drawing library.

Limits are fixed so that two sessions compare (clinical conventions; N/kg is 9.81 times body weight
for the ground force). The words are the directions of the upper and the lower end of an axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gaitdyn.catalogue.keys import Key, key_of, swapped_name
from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE

if TYPE_CHECKING:
    from collections.abc import Container


@dataclass(frozen=True, slots=True)
class Panel:
    """One small graph.

    Attributes
    ----------
    name : str
        Column of ``cycles.csv``; of a moment the internal one in segment axes, see
        :func:`fitting_panel`.
    title : str
    unit : str
    limits : tuple of float
    top, bottom : str
        What a positive and a negative value mean.
    of_stance : bool
        Whether it is there while the foot stands alone, and complete with that.
    """

    name: str
    title: str
    unit: str
    limits: tuple[float, float]
    top: str
    bottom: str
    of_stance: bool = False


Grid = tuple[tuple[Panel, ...], ...]

_PLANES = ("sagittal", "frontal", "transverse")
_AXES = {"z": "to the right", "x": "forward", "y": "up"}
"""Axes of the laboratory in the order of the planes in which they turn."""


def _angle(name: str, title: str, limits: tuple[float, float], top: str, bottom: str) -> Panel:
    return Panel(name, title, "deg", limits, top, bottom)


def _moments(joint: str, limits: tuple[tuple[float, float], ...]) -> tuple[Panel, ...]:
    return tuple(
        Panel(
            Key("", joint, "moment", word).name,
            f"{joint.capitalize()} moment, {plane}",
            "N m/kg",
            limit,
            _short(word),
            _short(OPPOSITE[word]),
        )
        for word, plane, limit in zip(MOMENTS[joint], _PLANES, limits, strict=True)
    )


def _above(joint: str, word: str, most: float) -> Panel:
    name = Key("", joint, "moment", word).name
    title = f"{joint.capitalize()} moment, {word}"
    other = {**OPPOSITE, "adduction": "abduction"}[word]
    return Panel(name, title, "N m/kg", (-most, most), _short(word), _short(other))


def _power(joint: str, low: float, high: float) -> Panel:
    title = f"{joint.capitalize()} power, all planes"
    return Panel(
        Key("", joint, "power").name, title, "W/kg", (low, high), "generation", "absorption"
    )


def _short(word: str) -> str:
    word = word.removesuffix("_rotation")
    return word.removesuffix("flexion") or word  # plantar, dorsi; a plain flexion stays


KINEMATICS: Grid = (
    (
        _angle("pelvis_angle_tilt", "Pelvic tilt", (-10, 40), "anterior", "posterior"),
        _angle("pelvis_angle_obliquity", "Pelvic obliquity", (-20, 20), "up", "down"),
        _angle("pelvis_angle_rotation", "Pelvic rotation", (-30, 30), "forward", "backward"),
    ),
    (
        _angle("hip_angle_flexion", "Hip flexion", (-30, 60), "flexion", "extension"),
        _angle("hip_angle_adduction", "Hip adduction", (-20, 20), "adduction", "abduction"),
        _angle("hip_angle_internal_rotation", "Hip rotation", (-40, 40), "internal", "external"),
    ),
    (
        _angle("knee_angle_flexion", "Knee flexion", (-15, 75), "flexion", "extension"),
        _angle("knee_angle_adduction", "Knee adduction", (-20, 20), "adduction", "abduction"),
        _angle("knee_angle_internal_rotation", "Knee rotation", (-50, 50), "internal", "external"),
    ),
    (
        _angle("ankle_angle_dorsiflexion", "Ankle dorsiflexion", (-40, 30), "dorsi", "plantar"),
        _angle("ankle_angle_inversion", "Ankle inversion", (-30, 30), "inversion", "eversion"),
        _angle("foot_angle_progression", "Foot progression", (-50, 30), "toe in", "toe out"),
    ),
)
"""Rows pelvis, hip, knee, ankle and foot; columns sagittal, frontal, transverse."""

TRUNK: Grid = (
    (
        _angle("trunk_angle_tilt", "Trunk tilt", (-15, 30), "forward", "back"),
        _angle("trunk_angle_obliquity", "Trunk obliquity", (-20, 20), "up", "down"),
        _angle("trunk_angle_rotation", "Trunk rotation", (-30, 30), "forward", "backward"),
    ),
    (
        _angle("spine_angle_flexion", "Spine flexion", (-30, 30), "flexion", "extension"),
        _angle("spine_angle_lateral", "Spine, to the side", (-20, 20), "this side", "other side"),
        _angle("spine_angle_rotation", "Spine rotation", (-30, 30), "forward", "backward"),
    ),
)
"""Rows trunk against the walking direction, trunk against pelvis; where the markers are there."""

KINETICS: Grid = (
    (*_moments("hip", ((-2, 2), (-1, 2), (-0.5, 0.5))), _power("hip", -3, 3)),
    (*_moments("knee", ((-1, 1.5), (-1, 1), (-0.5, 0.5))), _power("knee", -3, 3)),
    (*_moments("ankle", ((-1, 3), (-0.5, 0.5), (-0.5, 0.5))), _power("ankle", -3, 5)),
    (
        Panel("grf_x", "Ground force, fore-aft", "N/kg", (-4, 4), "forward", "backward"),
        Panel("grf_z", "Ground force, sideways", "N/kg", (-2, 2), "to the right", "to the left"),
        Panel("grf_y", "Ground force, vertical", "N/kg", (0, 14), "up", "down"),
        Panel(
            "free_moment", "Free moment on the foot", "N m/kg", (-0.2, 0.2),
            "toes left", "toes right", of_stance=True,
        ),
    ),
)  # fmt: skip
"""Rows hip, knee, ankle, ground force; columns the three planes (or directions) and power."""

ARMS: Grid = (
    (
        _above("shoulder", "extension", 0.15),
        _above("shoulder", "adduction", 0.15),
        _above("elbow", "extension", 0.1),
        _above("waist", "extension", 0.6),
    ),
)
"""Moments of arms and low back in one row; where their markers are there."""

JOINT_FORCES: Grid = tuple(
    tuple(
        Panel(
            Key("", joint, "force", axis).name,
            f"{joint.capitalize()} force along {axis} of the {segment}",
            "N/kg",
            limits,
            f"+{axis}",
            f"\u2212{axis}",
        )
        for axis, limits in (("x", (-4, 4)), ("y", (-14, 4)), ("z", (-4, 4)))
    )
    for joint, segment in (("hip", "thigh"), ("knee", "shank"), ("ankle", "foot"))
)
"""Net forces of the proximal on the distal segment in axes of the distal one."""


def fitting_panel(panel: Panel, names: Container[str]) -> Panel:
    """Return a moment's panel under the name that it has in the data.

    External moments have the opposite words, moments in the axes of the laboratory the letters
    x, y, z and limits alike on both sides. Other panels come back as they are.

    Parameters
    ----------
    panel : Panel
    names : container of str
        Columns that are there.

    Examples
    --------
    >>> fitting_panel(KINETICS[1][0], {"knee_moment_flexion"}).top
    'flexion'
    """
    key = key_of(panel.name)
    if not key.is_moment or panel.name in names or key.component not in OPPOSITE:
        return panel
    opposite = swapped_name(panel.name, names)
    if opposite is not None:
        return replace(panel, name=opposite, top=panel.bottom, bottom=panel.top)
    lab = key.in_laboratory()
    if lab.name not in names:
        return panel
    reach, axis = max(abs(limit) for limit in panel.limits), lab.component
    return Panel(
        lab.name,
        f"{key.part.capitalize()} moment about {axis} ({_AXES[axis]})",
        panel.unit,
        (-reach, reach),
        f"+{axis}",
        f"\u2212{axis}",
    )
