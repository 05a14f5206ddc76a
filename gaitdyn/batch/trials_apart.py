"""What to check where trials of one session do not carry the same body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import median
from typing import Any

from gaitdyn.batch.worklist import WorklistItem
from gaitdyn.store.persons import indices_by_person
from gaitdyn.types.subject import SIDES

BOTH_FEET, ONE_FOOT = 0.08, 0.2
"""Largest difference of a trial from the median of the others. The mean vertical force over a whole
stride is the weight of the body: in 21 trials of the corpus 0.965 to 1.045 of what the plates weigh
while they carry all of it (SD 0.019), so that two trials differ by 0.027 (SD). One foot carries .43
to .57 of it."""


def trials_apart(
    rows: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]]
) -> list[list[dict[str, str]]]:
    """Return what to check in each trial against the others of the same person.

    Parameters
    ----------
    rows : sequence of dict
        Of the summary, with ``left_carried_kg`` and ``right_carried_kg``; None if not known.
    documents : sequence of dict
        ``result.json`` of each.
    """
    items: list[list[dict[str, str]]] = [[] for _ in rows]
    for group in indices_by_person(documents):
        for i in group:
            others = [rows[k] for k in group if k != i]
            found = _apart(rows[i], others)
            items[i] = [asdict(found)] if found else []
    return items


def _apart(row: dict[str, Any], others: Sequence[dict[str, Any]]) -> WorklistItem | None:
    """Return what to check in a trial; None if it carries as much as the others."""
    for feet, limit in ((SIDES, BOTH_FEET), *(((side,), ONE_FOOT) for side in SIDES)):
        own = _carried(row, feet)
        known = [kg for kg in (_carried(other, feet) for other in others) if kg]
        if not own or not known:
            continue
        usual = median(known)
        off = own / usual - 1.0
        who = "both feet carry" if len(feet) > 1 else f"the {feet[0]} foot carries"
        why = (
            f"over a stride {who} {own:.1f} kg on average, {usual:.1f} kg in the other trials of"
            f" the session ({off:+.0%})"
        )
        item = WorklistItem("the gain of the plates, and what else carried the body", why)
        return item if abs(off) > limit else None
    return None


def _carried(row: dict[str, Any], feet: Sequence[str]) -> float | None:
    """Return the mean mass that some feet carry over a stride, kg; None if one is not known."""
    carried = [row.get(f"{side}_carried_kg") for side in feet]
    return sum(filter(None, carried)) if all(carried) else None
