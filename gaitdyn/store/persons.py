"""Decide which trials are of one person, from name, pseudonym, mass, height and leg lengths.

Values that a result lacks are ignored; all values that two results both have must agree. Of names,
only check digits are stored (``private.name_codes`` of ``result.json``).
"""

from __future__ import annotations

import hashlib
from itertools import combinations
from typing import TYPE_CHECKING, Any

from gaitdyn.io.labels import NO_PREFIX
from gaitdyn.io.names import UNNAMED
from gaitdyn.store.private import private_words
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial

MASS_KG, HEIGHT_M, LEG_M = 2.0, 0.03, 0.015
"""Largest differences between measurements of one person within a session, from clothes, shoes and
repeated measurement of a leg."""

_LENGTHS = (
    ("mass_kg", "body mass", "kg", 1.0, 1, MASS_KG),
    ("height_m", "height", "m", 1.0, 2, HEIGHT_M),
    *((f"{side}_leg", f"{side} leg length", "mm", 1000.0, 0, LEG_M) for side in SIDES),
)


def why_two_persons(trials: Sequence[StoredTrial]) -> str:
    """Return the difference that shows that trials are of several people, without names.

    Empty if all may be of one person.
    """
    return why_different_persons([trial.document for trial in trials])


def why_different_persons(documents: Sequence[dict[str, Any]]) -> str:
    """Return the difference that shows that results are of several people, without names.

    Empty if all may be of one person.

    Parameters
    ----------
    documents : sequence of dict
        ``subject`` and ``private`` as in ``result.json``.
    """
    for key, word, unit, factor, digits, most in _LENGTHS:
        values = [v for d in documents if (v := _value(d["subject"], key)) is not None]
        if values and max(values) - min(values) > most:
            low, high = (f"{factor * value:.{digits}f}" for value in (min(values), max(values)))
            return f"{word} {low} to {high} {unit}"
    ids = {i for d in documents if (i := stated_id(d))}
    if len(ids) > 1:
        return ", ".join(sorted(ids))
    given = [str(d.get("options", {}).get("subject_prefix") or "") for d in documents]
    prefixes = {prefix.casefold() for prefix in given if prefix}
    if NO_PREFIX in prefixes and len(prefixes) > 1:  # both have the names of their recording
        return "labels with the prefix of a subject and without one"
    return "SUBJECTS:NAMES of the recordings name several" if names_differ(documents) else ""


def known_subject(trials: Sequence[StoredTrial]) -> dict[str, Any]:
    """Return the person of some trials: each entry of the first trial in which it is known.

    Parameters
    ----------
    trials : sequence of StoredTrial
        Of one person.
    """
    known: dict[str, Any] = {}
    for trial in trials:
        for key, value in trial.document["subject"].items():
            if key in SIDES:
                own = {name: one for name, one in (value or {}).items() if one is not None}
                known[key] = own | known.get(key, {})
            elif known.get(key) in (None, ""):
                known[key] = value
    return known


def measured_alike(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Return whether two results have a measure of the person in common, and none that differs.

    Parameters
    ----------
    first, second : dict
        Contents of ``result.json``.
    """
    both = [first, second]
    known = any(all(_value(d["subject"], key) is not None for d in both) for key, *_ in _LENGTHS)
    return known and not why_different_persons(both)


def names_differ(documents: Sequence[dict[str, Any]]) -> bool:
    """Return whether two of some recordings name different persons.

    Parameters
    ----------
    documents : sequence of dict
        Contents of ``result.json``.
    """
    codes = {frozenset(private_words(document, "name_codes")) for document in documents}
    return any(a and b and not a & b for a, b in combinations(codes, 2))


def by_person(trials: Sequence[StoredTrial]) -> list[list[StoredTrial]]:
    """Return one list of trials for each person, in the order of the trials."""
    groups = indices_by_person([trial.document for trial in trials])
    return [[trials[i] for i in group] for group in groups]


def indices_by_person(documents: Sequence[dict[str, Any]]) -> list[list[int]]:
    """Return the indices of the results of each person, in the order of the results.

    Parameters
    ----------
    documents : sequence of dict
        ``subject`` and ``private`` as in ``result.json``.
    """
    groups: list[list[int]] = []
    for i, document in enumerate(documents):
        for group in groups:
            if not why_different_persons([*(documents[j] for j in group), document]):
                group.append(i)
                break
        else:
            groups.append([i])
    return groups


def person_labels(persons: Sequence[Sequence[StoredTrial]]) -> list[str]:
    """Return labels of persons: pseudonyms, or else numbers; an empty text for a single person.

    A sentence or title may begin with one.
    """
    if len(persons) < 2:  # noqa: PLR2004
        return [""] * len(persons)
    ids = [next((i for t in p if (i := stated_id(t.document))), "") for p in persons]
    if all(ids) and len(set(ids)) == len(ids):
        return ids
    return [f"Person {number}" for number in range(1, len(persons) + 1)]


def _value(subject: dict[str, Any], key: str) -> float | None:
    if not key.endswith("_leg"):
        return subject.get(key)
    return (subject.get(key.removesuffix("_leg")) or {}).get("leg_length_m")


def person_id(document: dict[str, Any]) -> str:
    """Return the subject's pseudonym; without one, the code of :func:`unnamed_code`.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    return stated_id(document) or unnamed_code(document)


def stated_id(document: dict[str, Any]) -> str:
    """Return the subject's pseudonym; empty if there is none.

    The placeholder ``subject`` is none: several persons can have it.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    named = str(document["subject"].get("id") or "")
    return "" if named == UNNAMED else named


def unnamed_code(document: dict[str, Any]) -> str:
    """Return the code of a person without a pseudonym, which trials of the same static share."""
    hashes = {x["role"]: x["sha256"] for x in document["inputs"]}
    prefix = document["options"].get("subject_prefix") or ""
    digest = hashlib.sha256(((hashes.get("static") or hashes["trial"]) + prefix).encode())
    return f"unnamed-{digest.hexdigest()[:10]}"
