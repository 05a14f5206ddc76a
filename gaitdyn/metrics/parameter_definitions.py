"""What every gait parameter means: title, unit, definition and source, in the order of the report.

Side i is the side of the cycle, c the other one. FS and FO are foot strike and foot-off; the cycle
runs from FS_i(k) to FS_i(k+1) and T is its duration. The foot point is the heel marker, distances
are horizontal.
"""

from __future__ import annotations

from gaitdyn.types.frozen import frozen

_HUXHAM = "Huxham et al. 2006, Gait Posture 23:159-163"
_HOF = "Hof 1996, Gait Posture 4:222-223"
_PERRY = "Perry and Burnfield 2010, Gait Analysis: Normal and Pathological Function"
_WINTER = "Winter 1991, The Biomechanics and Motor Control of Human Gait"


@frozen()
class Parameter:
    """One parameter as the report explains it.

    Attributes
    ----------
    name : str
        As in ``gait_parameters.csv``.
    title : str
    unit : str
        Empty for a number without one.
    text : str
        One sentence.
    source : str
    """

    name: str
    title: str
    unit: str
    text: str
    source: str


PARAMETERS: tuple[Parameter, ...] = (
    Parameter("speed", "Walking speed", "m/s", "Stride length divided by stride time.", _WINTER),
    Parameter(
        "cadence",
        "Cadence",
        "steps/min",
        "120 / T: two steps a stride, also where some programs count strides.",
        _WINTER,
    ),
    Parameter(
        "stride_time",
        "Stride time",
        "s",
        "T, from a strike of this foot to its next strike.",
        _WINTER,
    ),
    Parameter(
        "stride_length",
        "Stride length",
        "m",
        "Distance of the heel from this strike to the next strike of the same foot.",
        _HUXHAM,
    ),
    Parameter(
        "step_time",
        "Step time",
        "s",
        "From the strike of the other foot to the strike of this foot that ends the cycle.",
        _WINTER,
    ),
    Parameter(
        "step_length",
        "Step length",
        "m",
        "How far this heel, at the strike that ends the cycle, is ahead of the other heel at its"
        " strike before, along the displacement of the pelvis over the stride.",
        _HUXHAM,
    ),
    Parameter(
        "step_width",
        "Step width",
        "m",
        "Distance of the other heel at its strike from the line through two successive strikes of"
        " this heel, negative where the feet cross over.",
        _HUXHAM,
    ),
    Parameter(
        "foot_off",
        "Foot-off",
        "%",
        "When this foot leaves the ground, of the cycle.",
        _PERRY,
    ),
    Parameter(
        "opposite_foot_off",
        "Opposite foot-off",
        "%",
        "When the other foot leaves the ground before its strike, of the cycle.",
        _PERRY,
    ),
    Parameter(
        "opposite_foot_strike",
        "Opposite foot strike",
        "%",
        "When the other foot strikes the ground, of the cycle.",
        _PERRY,
    ),
    Parameter("stance", "Stance", "%", "From the strike to the foot-off of this foot.", _PERRY),
    Parameter("swing", "Swing", "%", "From the foot-off of this foot to its next strike.", _PERRY),
    Parameter(
        "stance_time", "Stance time", "s", "From the strike to the foot-off of this foot.", _PERRY
    ),
    Parameter("swing_time", "Swing time", "s", "From the foot-off to the next strike.", _PERRY),
    Parameter(
        "initial_double_support",
        "Initial double support",
        "%",
        "From the strike of this foot to the foot-off of the other.",
        _PERRY,
    ),
    Parameter(
        "single_support",
        "Single support",
        "%",
        "From the foot-off of the other foot to its strike, this foot alone on the ground.",
        _PERRY,
    ),
    Parameter(
        "terminal_double_support",
        "Terminal double support",
        "%",
        "From the strike of the other foot to the foot-off of this one.",
        _PERRY,
    ),
    Parameter(
        "double_support",
        "Double support",
        "%",
        "Initial and terminal double support together.",
        _PERRY,
    ),
    Parameter(
        "single_support_time", "Single support time", "s", "Single support in seconds.", _PERRY
    ),
    Parameter(
        "double_support_time",
        "Double support time",
        "s",
        "Initial and terminal double support together, in seconds.",
        _PERRY,
    ),
    Parameter(
        "speed_nondimensional",
        "Walking speed, non-dimensional",
        "",
        "v / sqrt(g L) with the leg length L of this side.",
        _HOF,
    ),
    Parameter(
        "cadence_nondimensional",
        "Cadence, non-dimensional",
        "",
        "Steps per second times sqrt(L / g) with the leg length L of this side.",
        _HOF,
    ),
    Parameter(
        "step_length_nondimensional",
        "Step length, non-dimensional",
        "",
        "Step length divided by the leg length L of this side.",
        _HOF,
    ),
)
"""Every gait parameter, in order."""
