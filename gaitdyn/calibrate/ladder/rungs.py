"""The ladder: for each joint and segment the methods to find it (rungs), best first.

The table is ``resources/ladder/rungs.csv``.

A leg uses for every joint the first rung whose landmarks are present in the walk, or only in the
static if the markers of their segment carry them to the walk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import cast

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.rungs import Place, Rung, Taken
from gaitdyn.types.subject import LETTER

WIDTH, USUAL = "width", "usual"
PAIRED = ("ASI", "PSI")
"""Roles that are needed on both sides."""


def _shipped(row: dict[str, str]) -> Rung:
    return Rung(
        row["name"], cast("Place", row["place"]), tuple(row["needs"].split()), row["rule"],
        row["source"], float(row["angle_deg"]), float(row["moment_nm_kg"]), row["coarse"] == "yes",
        centre=row["centre"], share=float(row["share"] or 0.0),
    )  # fmt: skip


RUNGS = tuple(map(_shipped, shipped_rows("ladder/rungs.csv")))


def rungs_of(place: Place) -> tuple[Rung, ...]:
    """Return the rungs of a joint or a segment, best first."""
    return tuple(rung for rung in RUNGS if rung.place == place)


def in_order(place: Place, names: Sequence[str]) -> tuple[Rung, ...]:
    """Return the rungs that a model may use, in its order; all rungs if it names none."""
    return tuple(rung(place, name) for name in names) or rungs_of(place)


def rung(place: Place, name: str) -> Rung:
    """Return a rung by its name."""
    return next(candidate for candidate in rungs_of(place) if candidate.name == name)


def labels_of(needs: Iterable[str], side: str) -> tuple[str, ...]:
    """Return the markers that a rung needs on one side, without needs that are not markers."""
    labels: list[str] = []
    for role in needs:
        if role in PAIRED:
            labels += ["L" + role, "R" + role]
        elif role == "SACR":
            labels.append(role)
        elif role.isupper():
            labels.append(LETTER[side] + role)
    return tuple(labels)


def allowed(found: Rung, have: Collection[str], side: str, words: Collection[str] = ()) -> bool:
    """Return whether all needs of a rung are met.

    Parameters
    ----------
    found : Rung
    have : collection of str
        Markers, with their sides.
    side : {"left", "right"}
    words : collection of str
        What is present besides markers: ``width``; ``usual``, a joint above that a usual width
        follows from; ``offsets`` stored in a file; ``moving``, that nobody stands in the reference,
        so that no sole is known to be level.
    """
    markers = set(labels_of(found.needs, side))
    others = {need for need in found.needs if need.islower()}  # not markers
    return markers <= set(have) and others <= set(words)


def taken(found: Rung, side: str, seen_in: str) -> Taken:
    """Return the entry of the results for a rung that was used."""
    labels = labels_of(found.needs, side)
    return Taken(
        side, found.place, found.name, labels, seen_in, found.rule, found.source,
        found.angle_deg, found.moment_nm_kg, found.coarse,
    )  # fmt: skip


def not_found(place: Place, side: str, have: Collection[str]) -> Taken:
    """Return the entry of the results for a joint without a rung; it has what the nearest lacks.

    If the markers of one are present, the segment above does not show the direction that it needs.
    """
    needed = (labels_of(candidate.needs, side) for candidate in rungs_of(place))
    lacking = [[label for label in labels if label not in have] for labels in needed if labels]
    least = min(lacking, key=len, default=[])
    wanted = ", ".join(least) or "the segment above it"
    return Taken(side, place, "", (), "", f"wanted {wanted}")
