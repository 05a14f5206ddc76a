"""The ladder: for each joint and segment the ways to find it, best first.

The table is ``resources/ladder/rungs.csv``.

A leg takes of every joint the first rung whose landmarks are there, in the walk or, carried by the
markers that move with their segment, in the static alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.rungs import Place, Rung, Taken
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

WIDTH = "width"
PAIRED = ("ASI", "PSI")
"""Roles of which both sides are needed."""


def _shipped(row: dict[str, str]) -> Rung:
    return Rung(
        row["name"], cast("Place", row["place"]), tuple(row["needs"].split()), row["rule"],
        row["source"], float(row["angle_deg"]), float(row["moment_nm_kg"]), row["coarse"] == "yes",
    )  # fmt: skip


RUNGS = tuple(map(_shipped, shipped_rows("ladder/rungs.csv")))


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
