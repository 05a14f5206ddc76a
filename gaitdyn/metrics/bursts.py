"""The bursts of joint power A1 to H3 and the total work of a joint, as definitions.

The names are Winter's (1991, The Biomechanics and Motor Control of Human Gait, 2nd ed.). The power
is that of all planes, as of a three-dimensional model (Eng and Winter 1995, J Biomech 28:753-758).
The work is of all power of one sign inside a window, not of one unbroken run: ringing after contact
would cut H1 short.
"""

from __future__ import annotations

from gaitdyn.catalogue.keys import Key
from gaitdyn.metrics.definition import Definition
from gaitdyn.metrics.windows import CYCLE, Window, fixed, off
from gaitdyn.types.frozen import frozen

SOURCE = "Winter 1991; Eng and Winter 1995, J Biomech 28:753-758"


@frozen()
class Burst:
    """One burst of power.

    Attributes
    ----------
    name : str
        A1 to H3.
    joint : str
    sign : {1, -1}
        Generation or absorption.
    window : Window
    what : str
        What the muscles do.
    span : str
        The window in words.
    """

    name: str
    joint: str
    sign: int
    window: Window
    what: str
    span: str


BURSTS = (
    Burst("A1", "ankle", -1, Window(fixed(5.0), off(-15.0)),
          "plantarflexors brake the shank over the foot", "5 % to foot-off - 15 %"),
    Burst("A2", "ankle", 1, Window(off(-25.0), off(5.0)),
          "push-off of the plantarflexors", "foot-off - 25 % to foot-off + 5 %"),
    Burst("K1", "knee", -1, Window(fixed(2.0), fixed(20.0)),
          "knee extensors yield in loading response", "2 % to 20 %"),
    Burst("K2", "knee", 1, Window(fixed(10.0), fixed(35.0)),
          "knee extensors straighten the knee in mid-stance", "10 % to 35 %"),
    Burst("K3", "knee", -1, Window(off(-15.0), off(15.0)),
          "knee extensors brake knee flexion around foot-off",
          "foot-off - 15 % to foot-off + 15 %"),
    Burst("K4", "knee", -1, Window(fixed(70.0), fixed(100.0)),
          "knee flexors brake the shank at the end of swing", "70 % to 100 %"),
    Burst("H1", "hip", 1, Window(fixed(0.0), fixed(30.0)),
          "hip extensors push in early stance", "0 % to 30 %"),
    Burst("H2", "hip", -1, Window(fixed(25.0), off(-5.0)),
          "hip flexors brake hip extension", "25 % to foot-off - 5 %"),
    Burst("H3", "hip", 1, Window(off(-12.0), off(20.0)),
          "hip flexors pull the leg into swing", "foot-off - 12 % to foot-off + 20 %"),
)  # fmt: skip
"""Windows in % of the cycle."""


def burst_definitions() -> tuple[Definition, ...]:
    """Return peak and work of every burst, then positive and negative work of every joint."""
    bursts = [definition for burst in BURSTS for definition in _peak_and_work(burst)]
    totals = [total for joint in ("ankle", "knee", "hip") for total in _totals(joint)]
    return (*bursts, *totals)


def _peak_and_work(burst: Burst) -> tuple[Definition, Definition]:
    generates = burst.sign > 0
    kind = "generation" if generates else "absorption"
    stem, curve = (
        Key("", burst.joint, "power", burst.name.lower()).name,
        Key("", burst.joint, "power").name,
    )
    title, where = f"{burst.name} {burst.joint}", f"from {burst.span}: {burst.what}."
    peak = Definition(
        f"{stem}_peak", f"{title} power", "W/kg", f"Largest power {kind} {where}",
        SOURCE, curve, "burst_max" if generates else "burst_min", burst.window,
    )  # fmt: skip
    work = Definition(
        f"{stem}_work", f"{title} work", "J/kg", f"Time integral of the power {kind} {where}",
        SOURCE, curve, "positive" if generates else "negative", burst.window,
    )  # fmt: skip
    return peak, work


def _totals(joint: str) -> tuple[Definition, Definition]:
    text = "Time integral of the power {} at the {} over the whole cycle."
    name, curve = joint.capitalize(), Key("", joint, "power").name
    return (
        Definition(
            f"{joint}_work_positive", f"{name} positive work", "J/kg",
            text.format("generation", joint), SOURCE, curve, "positive", CYCLE,
        ),
        Definition(
            f"{joint}_work_negative", f"{name} negative work", "J/kg",
            text.format("absorption", joint), SOURCE, curve, "negative", CYCLE,
        ),
    )  # fmt: skip
