"""What to check where trials of one session do not go together.

They do not carry the same body, are of another person, or are one recording twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import median
from typing import Any

from gaitdyn.batch.worklist import WorklistItem, left_out_lines
from gaitdyn.store.persons import indices_by_person, why_different_persons
from gaitdyn.types.subject import SIDES

BOTH_FEET, ONE_FOOT = 0.08, 0.2
"""Largest difference of a trial from the median of the others. The mean vertical force over a whole
stride is the weight of the body: in 21 trials of the corpus 0.965 to 1.045 of what the plates weigh
while they carry all of it (SD 0.019), so that two trials differ by 0.027 (SD). One foot carries .43
to .57 of it."""


def trials_apart(
    rows: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]]
) -> list[list[dict[str, str]]]:
    """Return what to check in each trial against the others of the session.

    Parameters
    ----------
    rows : sequence of dict
        Of the summary, with ``left_carried_kg`` and ``right_carried_kg``; None if not known.
    documents : sequence of dict
        ``result.json`` of each.
    """
    people = indices_by_person(documents)
    items: list[list[WorklistItem]] = [[] for _ in rows]
    for found in (_other_people(people, documents), _copies(documents)):
        for i, item in found.items():
            items[i].append(item)
    for group in people:
        for i in group:
            carried = _apart(rows[i], [rows[k] for k in group if k != i])
            items[i] += [carried] if carried else []
    return [[asdict(item) for item in of_trial] for of_trial in items]


def _other_people(
    people: Sequence[Sequence[int]], documents: Sequence[dict[str, Any]]
) -> dict[int, WorklistItem]:
    """Return what to check in the trials of others, if most trials of a folder are of one person.

    A folder that is meant to hold many people has no such person.
    """
    own = max(people, key=len, default=())
    strangers = sorted({i for group in people for i in group} - set(own))
    if not 0 < len(strangers) < len(own):
        return {}
    why = (
        f"the folder holds {len(people)} people ({why_different_persons(documents)}); most of its"
        f" trials ({len(own)} of {len(documents)}) are of another person"
    )
    lines = [left_out_lines(_recording(document)["name"]) for document in documents]
    return {i: WorklistItem("whose trial this is", why, lines[i]) for i in strangers}


def _copies(documents: Sequence[dict[str, Any]]) -> dict[int, WorklistItem]:
    """Return what to check in each trial whose recording is that of one with a shorter name."""
    first: dict[tuple[str, str | None], str] = {}
    items: dict[int, WorklistItem] = {}
    named = enumerate(documents)
    for i, document in sorted(named, key=lambda one: len(_recording(one[1])["name"])):
        file = _recording(document)
        key = (file["sha256"], document["options"].get("subject_prefix"))
        earlier = first.setdefault(key, file["name"])
        if earlier != file["name"]:
            why = f"it is a copy of {earlier}: the cycles of one of them count"
            items[i] = WorklistItem("the file itself", why, left_out_lines(file["name"]))
    return items


def _recording(document: dict[str, Any]) -> dict[str, Any]:
    return next(file for file in document["inputs"] if file["role"] == "trial")


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
            f" the session ({100 * off:+.0f} %)"
        )
        item = WorklistItem("the gain of the plates, and what else carried the body", why)
        return item if abs(off) > limit else None
    return None


def _carried(row: dict[str, Any], feet: Sequence[str]) -> float | None:
    """Return the mean mass that some feet carry over a stride, kg; None if one is not known."""
    carried = [row.get(f"{side}_carried_kg") for side in feet]
    return sum(filter(None, carried)) if all(carried) else None
