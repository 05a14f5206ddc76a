"""Which codes of people without a pseudonym are of one person: one who stood for several statics.

The code of a person without a pseudonym is made from the static of the trial. In a session, trials
with different statics are of one person if nothing speaks against it and the shanks are alike.
"""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

from gaitdyn.calibrate.statics.same_person import SHANK_SHARE
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.persons import measured_alike, unnamed_code, why_different_persons
from gaitdyn.store.shape import SESSION, check_document
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    Documents = Sequence[dict[str, Any]]


def codes_of_session(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return each code of the results of a session, and all codes of the same person in order.

    Parameters
    ----------
    folder : Path
        Of the session, which contains its results folders; empty if `gaitdyn batch` did not make
        it, as the results of anybody may be there. Results that cannot be read have no code.
    """
    if not (folder / SESSION).is_file():
        return {}
    documents = (_document(path) for path in sorted(folder.glob(f"*/{DOCUMENT}")))
    return codes_of([document for document in documents if document is not None])


def codes_of(documents: Iterable[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return each code of the results of one session, and all codes of the same person in order.

    Parameters
    ----------
    documents : iterable of dict
        Contents of ``result.json``.
    """
    by_code: dict[str, list[dict[str, Any]]] = {}
    for document in documents:
        by_code.setdefault(unnamed_code(document), []).append(document)
    people: list[dict[str, Documents]] = []
    for code, own in sorted(by_code.items()):
        person = next((p for p in people if _one_person(own, p.values())), None)
        if person is None:
            people.append({code: own})
        else:
            person[code] = own
    return {code: tuple(person) for person in people for code in person}


def _document(path: Path) -> dict[str, Any] | None:
    try:
        document = json.loads(plain_bytes(path))
        check_document(document)
    except (OSError, ValueError, RecursionError):
        return None
    return document


def _one_person(own: Documents, others: Iterable[Documents]) -> bool:
    """Return whether results with one static are of the person of those with others.

    Both need a mass, a height or a leg length: alike shanks alone are those of many people.
    """
    known = [document for documents in others for document in documents]
    prefixes = {d["options"].get("subject_prefix") or "" for d in (*own, *known)}
    if len(prefixes) > 1 or why_different_persons([*own, *known]):
        return False
    return any(_alike(a, b) and measured_alike(a, b) for a, b in product(own, known))


def _alike(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Return whether a shank of two results is equally long, as static and walk of a person are."""
    lengths = [document["model"].get("lengths_m") or {} for document in (first, second)]
    pairs = [[(one.get(side) or {}).get("shank") for one in lengths] for side in SIDES]
    return any(a and b and abs(a - b) <= SHANK_SHARE * a for a, b in pairs)
