"""The ladder: for each joint and segment the ways to find it, best first, as data.

A leg takes of every joint the first rung whose landmarks are there, in the walk or, carried by the
markers that move with their segment, in the static alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.types.rungs import Place, Rung, Taken
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

WIDTH = "width"
PAIRED = ("ASI", "PSI")
"""Roles of which both sides are needed."""

_DAVIS = "Davis et al. 1991, Hum Mov Sci 10:575-587"
_ISB = "Wu et al. 2002, J Biomech 35:543-548"
_PIG = "the vendor's model; Kadaba et al. 1990, J Orthop Res 8:383-392"

RUNGS: tuple[Rung, ...] = (
    Rung(
        "asis-psis", "pelvis", ("ASI", "PSI"),
        "z from the left to the right ASIS, y square to the plane of ASIS and PSIS", _ISB, 0.1, 0.0,
    ),
    Rung(
        "asis-sacrum", "pelvis", ("ASI", "SACR"),
        "z from the left to the right ASIS, y square to the plane of ASIS and sacrum marker",
        _PIG, 1.0, 0.0,
    ),
    Rung(
        "stored-centre", "hip", ("HJC",), "the centre that the file stores", "the file", 0.1, 0.01,
    ),
    Rung(
        "functional", "hip", ("functional",), "the centre (SCoRE) of the functional trial",
        "Ehrig et al. 2006, J Biomech 39:2798-2809", 2.0, 0.1,
    ),
    Rung(
        "davis-regression", "hip", ("pelvis", "leg-length"),
        "regression from width of the pelvis and leg length", _DAVIS, 2.5, 0.25,
    ),
    Rung(
        "regression", "hip", ("pelvis",), "regression from width and depth of the pelvis",
        "Harrington et al. 2007, J Biomech 40:595-602", 2.5, 0.25,
    ),
    Rung(
        "stored-centre", "knee", ("KJC",), "the centre that the file stores", "the file", 0.5, 0.05,
    ),
    Rung(
        "two-condyles", "knee", ("KNE", "KNM"), "the middle of both condyles", _ISB, 0.5, 0.02,
    ),
    Rung(
        "alignment-device", "knee", ("KAX", "KD1", "KD2", WIDTH),
        "half a width inwards of the axis of the alignment device", _PIG, 0.5, 0.02,
    ),
    Rung(
        "condyles-width", "knee", ("KNE", "KNM", WIDTH, "chord"),
        "half a width from the lateral condyle in the plane of hip and both condyles, at a right"
        " angle", _PIG, 0.5, 0.02,
    ),
    Rung(
        "condyle-width-wand", "knee", ("KNE", "THI", WIDTH),
        "half a width from the lateral condyle in the plane of hip, condyle and wand, at a right"
        " angle", _DAVIS, 1.0, 0.02,
    ),
    Rung(
        "functional-axis", "knee", ("functional",),
        "the middle of the condyles, or half a width inwards of the lateral one, on the axis (SARA)"
        " of the functional trial", "Ehrig et al. 2007, J Biomech 40:2150-2157", 2.0, 0.1,
    ),
    Rung(
        "condyle-width", "knee", ("KNE", WIDTH),
        "half a width inwards of the lateral condyle along the axis of the pelvis", _DAVIS,
        10.0, 0.15,
    ),
    Rung(
        "condyle", "knee", ("KNE",), "the lateral condyle stands for the joint centre",
        "no published method", 12.0, 0.9, coarse=True,
    ),
    Rung(
        "one-plane", "knee", ("GTR", "KNE", "ANK", "plane"),
        "angle of two lines of lateral markers in the sagittal plane", "Winter 2009, ch. 3",
        8.0, 0.3, coarse=True,
    ),
    Rung(
        "stored-centre", "ankle", ("AJC",), "the centre that the file stores", "the file",
        0.5, 0.05,
    ),
    Rung(
        "two-malleoli", "ankle", ("ANK", "MED"), "the middle of both malleoli", _ISB, 0.5, 0.02,
    ),
    Rung(
        "malleoli-width", "ankle", ("ANK", "MED", WIDTH, "chord"),
        "half a width from the lateral malleolus towards the medial one", _PIG, 0.5, 0.02,
    ),
    Rung(
        "malleolus-width-wand", "ankle", ("ANK", "TIB", WIDTH),
        "half a width from the lateral malleolus in the plane of knee, malleolus and wand, at a"
        " right angle", _DAVIS, 1.0, 0.02,
    ),
    Rung(
        "malleolus-width", "ankle", ("ANK", WIDTH),
        "half a width inwards of the lateral malleolus along the knee axis", _DAVIS, 10.0, 0.1,
    ),
    Rung(
        "malleolus", "ankle", ("ANK",), "the lateral malleolus stands for the joint centre",
        "no published method", 12.0, 0.6, coarse=True,
    ),
    Rung(
        "heel-metatarsals", "foot", ("HEE", "MT1", "MT5", "moving"),
        "y square to the plane of heel and metatarsal heads I and V, x from the heel forward in it",
        "Leardini et al. 2007, Gait Posture 26:560-571", 1.0, 0.05,
    ),
    Rung(
        "heel-metatarsal-middle", "foot", ("HEE", "MT1", "MT5"),
        "x from heel to the middle of metatarsal heads I and V, its roll that of the shank in the"
        " static",
        _PIG, 2.0, 0.05,
    ),
    Rung(
        "heel-toe", "foot", ("HEE", "TOE"), "x from heel to toe, its roll that of the shank",
        _PIG, 2.0, 0.05,
    ),
    Rung(
        "heel-metatarsal", "foot", ("HEE", "MT5"),
        "x from heel to metatarsal head V, its roll that of the shank", _PIG, 15.0, 0.35,
        coarse=True,
    ),
    Rung(
        "heel-first-metatarsal", "foot", ("HEE", "MT1"),
        "x from heel to metatarsal head I, its roll that of the shank", _PIG, 15.0, 0.35,
        coarse=True,
    ),
    Rung(
        "toe-static-offsets", "foot", ("TOE", "HEE", "static"),
        "x from ankle centre to toe, turned by the offsets of heel and toe in the static", _PIG,
        1.0, 0.02,
    ),
    Rung(
        "toe-stored-offsets", "foot", ("TOE", "offsets"),
        "x from ankle centre to toe, turned by the offsets that the file stores", _PIG, 1.0, 0.02,
    ),
    Rung(
        "toe", "foot", ("TOE",),
        "x from ankle centre to toe: dorsiflexion has no true zero", "no published method",
        25.0, 0.4, coarse=True,
    ),
    Rung(
        "metatarsals", "foot", ("MT1", "MT5"),
        "x from ankle centre to the middle of metatarsal heads I and V: dorsiflexion has no true"
        " zero", "no published method", 25.0, 0.4, coarse=True,
    ),
)  # fmt: skip


def rungs_of(place: Place) -> tuple[Rung, ...]:
    """Return the rungs of a joint or a segment, best first."""
    return tuple(rung for rung in RUNGS if rung.place == place)


def in_order(place: Place, names: Sequence[str]) -> tuple[Rung, ...]:
    """Return the rungs that a model may take, in its own order; all where it names none."""
    return tuple(rung(place, name) for name in names) or rungs_of(place)


def rung(place: Place, name: str) -> Rung:
    """Return a rung by its name."""
    return next(found for found in rungs_of(place) if found.name == name)


def labels_of(needs: Iterable[str], side: str) -> tuple[str, ...]:
    """Return the markers that a rung asks for on one side; what is not a marker is left out."""
    found: list[str] = []
    for role in needs:
        if role in PAIRED:
            found += ["L" + role, "R" + role]
        elif role == "SACR":
            found.append(role)
        elif role.isupper() or role in ("KD1", "KD2", "MT1", "MT5"):
            found.append(LETTER[side] + role)
    return tuple(found)


def allowed(found: Rung, have: Collection[str], side: str, words: Collection[str] = ()) -> bool:
    """Return whether a rung's landmarks are there.

    Parameters
    ----------
    found : Rung
    have : collection of str
        Markers, with their sides.
    side : {"left", "right"}
    words : collection of str
        What is there beside markers: ``width``; ``offsets`` that a file stores; ``moving``, that
        nobody stands in the reference, so that no sole is known to be level.
    """
    markers = set(labels_of(found.needs, side))
    others = {need for need in found.needs if need.islower()}  # no marker
    return markers <= set(have) and others <= set(words)


def taken(found: Rung, side: str, seen_in: str) -> Taken:
    """Return what stands in the results about a rung that was taken."""
    labels = labels_of(found.needs, side)
    return Taken(
        side, found.place, found.name, labels, seen_in, found.rule, found.source,
        found.angle_deg, found.moment_nm_kg, found.coarse,
    )  # fmt: skip


def not_found(place: Place, side: str, have: Collection[str]) -> Taken:
    """Return that no rung could be taken, and what the nearest one lacks."""
    lacking = [
        [label for label in labels_of(found.needs, side) if label not in have]
        for found in rungs_of(place)
    ]
    least = min((names for names in lacking if names), key=len, default=[])
    wanted = ", ".join(least) or "the segment above it"
    return Taken(side, place, "", (), "", f"wanted {wanted}")
