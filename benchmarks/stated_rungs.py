"""The rungs that a result states, as the tolerances of the laboratories know them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from walkers.laboratory_rungs import Allowed

_HINGES = {
    "stored-centre": "stored centres",
    "two-condyles": "two condyles",
    "condyles-width": "two condyles",
    "two-malleoli": "two condyles",
    "malleoli-width": "two condyles",
    "condyle-width-wand": "wand and width",
    "malleolus-width-wand": "wand and width",
    "condyle-width": "width",
    "malleolus-width": "width",
    "condyle": "condyle alone",
    "malleolus": "condyle alone",
}
_STATED: dict[str, dict[str, str]] = {
    "hip": {"stored-centre": "stored centres"},
    "knee": _HINGES,
    "ankle": _HINGES,
    "foot": {
        "heel-metatarsals": "heel and forefoot",
        "heel-metatarsal-middle": "heel and forefoot",
        "heel-toe": "heel and forefoot",
        "heel-metatarsal": "coarse foot",
        "heel-first-metatarsal": "coarse foot",
        "toe": "coarse foot",
        "metatarsals": "coarse foot",
    },
}
"""Place -> rung that a result states -> rung of ``TOLERANCES``; other hips are regressions.

A foot of toe and static offsets is held to what its markers allow: Plug-in Gait states it with a
heel in the walk too, and is exact there.
"""


def as_stated(joint: Allowed, stated: Mapping[str, str]) -> Allowed:
    """Return a joint with the rungs that a result states for it.

    Parameters
    ----------
    joint : Allowed
    stated : mapping
        Place -> name of the rung in the result; where there is none the best possible one stays.
    """
    rungs = list(joint.rungs)
    for i, place in enumerate(joint.places):
        if stated.get(place) and place in _STATED:
            rungs[i] = _STATED[place].get(stated[place], rungs[i])
    return replace(joint, rungs=tuple(rungs))


def lower_rungs(best: Allowed, stated: Allowed) -> list[str]:
    """Return where a result stands on a lower rung than the markers allow, in words."""
    if stated.limit("moment", "frontal") <= best.limit("moment", "frontal"):
        return []
    pairs = zip(best.rungs, stated.rungs, strict=True)
    return [f"{one} allowed, {other} taken" for one, other in pairs if one != other]
