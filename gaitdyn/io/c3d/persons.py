"""Replace the names of persons in the parameters of a C3D file by aliases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.io.c3d.emit import stored_lines, texts
from gaitdyn.io.c3d.records import TEXT, Parameters, Record, coding_of
from gaitdyn.io.c3d.subject import persons_of
from gaitdyn.io.labels import output_labels
from gaitdyn.io.names import (
    distinct_names,
    masked_in_labels,
    name_masked,
    name_words,
    other_names_in,
    words_of_most,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.io.c3d.out import Head

_LABELS = ("LABELS", "ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS")
"""Lists of POINT and ANALOG that hold labels: a person's name is their prefix, or in most."""
_UNTOUCHED = ("FORCE_PLATFORM", "GAITDYN")
_ABOUT = ("SUBJECT", "PATIENT")
_EMPTIED = ("ADDRESS", "DATE_OF_BIRTH", "DOB")
"""Texts about a person that are emptied, in the groups :data:`_ABOUT`."""
_WIDEST = 255


def with_aliases(head: Head, pseudonym: str) -> Head:
    """Return a file with persons' names replaced by the pseudonym, numbered from the second person.

    Samples keep their bytes. Names are those of :func:`persons_of` and :func:`other_names_in`; in
    other texts, also their parts of three letters or more, as whole words. Labels keep the part
    after the colon, but for a word of a name that most markers have in theirs. Address and date of
    birth are emptied.
    """
    params = head.params
    about = [name for group in _ABOUT for name in distinct_names(params.strings(group, "NAME"))]
    aliases = aliases_of(persons_of(params), other_names_in(params), pseudonym, about)
    outputs = output_labels(params)
    markers = [x for x in params.strings("POINT", "LABELS") if x not in outputs]
    in_labels = words_of_most(markers, aliases)
    changed: dict[tuple[str, str], Record] = {}
    for group, records in params.records.items():
        for name, record in records.items():
            aliased = (
                None if group in _UNTOUCHED else _aliased(group, name, record, aliases, in_labels)
            )
            if aliased is not None and aliased.data != record.data:
                changed[group, name] = aliased
    records = {
        group: {name: changed.get((group, name), record) for name, record in group_records.items()}
        for group, group_records in params.records.items()
    }
    new = Parameters(records, params.oddities)
    return replace(head, params=new, replaced=tuple(changed), names=tuple(aliases))


def aliases_of(
    persons: Sequence[str], called: Sequence[str], pseudonym: str, about: Sequence[str] = ()
) -> dict[str, str]:
    """Return name -> alias; names that share a word belong to the same person.

    So do the one person of a file and the name, or number, that the file states of its subject.

    Parameters
    ----------
    persons, called : sequence of str
        Names from SUBJECTS:NAMES, and those from prefixes and events.
    pseudonym : str
    about : sequence of str
        Names from SUBJECT:NAME and PATIENT:NAME, which are among ``called``.

    Examples
    --------
    >>> aliases_of(["Daphnee Test", "Ann Other"], ["Daphnee", "Box"], "S01")
    {'Daphnee Test': 'S01', 'Ann Other': 'S01-2', 'Daphnee': 'S01', 'Box': 'S01-3'}
    >>> aliases_of(["Daphnee Test"], ["Box", "P017"], "S01", ["P017"])
    {'Daphnee Test': 'S01', 'Box': 'S01-2', 'P017': 'S01'}
    """
    aliases: dict[str, str] = {}
    for name in (*persons, *called):
        words = _words(name)
        same = (a for n, a in aliases.items() if words & _words(n))
        alias = next(same, pseudonym if name in about and len(persons) == 1 else None)
        if alias is None:
            count = len(set(aliases.values())) + 1
            alias = pseudonym if count == 1 else f"{pseudonym}-{count}"
        aliases.setdefault(name, alias)
    return aliases


def _words(name: str) -> set[str]:
    return {name.casefold(), *(word.casefold() for word in name_words([name]))}


def _aliased(
    group: str, name: str, record: Record, aliases: dict[str, str], in_labels: Sequence[str]
) -> Record | None:
    """Return a text parameter with aliases; None for numbers."""
    if record.kind != TEXT or not record.data:
        return None
    labels = group in ("POINT", "ANALOG") and name.rstrip("0123456789") in _LABELS
    change = _label_changer(aliases, in_labels) if labels else _word_changer(aliases)
    if group in _ABOUT and name in _EMPTIED:
        change = _emptied
    before = stored_lines(record)
    after = [_changed(line, change) for line in before]
    if after == before:
        return record
    width = len(before[0])
    lines = [line.ljust(width)[:_WIDEST] for line in after]
    return texts(lines, record.processor, record.dims[1:])


def _changed(line: bytes, change: Callable[[str], str]) -> bytes:
    """Return a stored text after a change; an unchanged text keeps its bytes."""
    coding = coding_of(line)
    core = line.decode(coding).rstrip(" \0")
    changed = change(core)
    return line if changed == core else changed.encode(coding, "replace")


def _emptied(_text: str) -> str:
    return ""


def _label_changer(aliases: dict[str, str], in_labels: Sequence[str]) -> Callable[[str], str]:
    in_words = _by_word(aliases)

    def change(label: str) -> str:
        prefix, colon, rest = label.partition(":")
        if colon and prefix.strip() in aliases:
            label = f"{aliases[prefix.strip()]}:{rest}"
        return masked_in_labels(label, in_labels, lambda found: in_words.get(found.casefold(), "*"))

    return change


def _by_word(aliases: dict[str, str]) -> dict[str, str]:
    """Return each word of the names, in small letters -> its alias."""
    return {word.casefold(): alias for n, alias in aliases.items() for word in name_words([n])}


def _word_changer(aliases: dict[str, str]) -> Callable[[str], str]:
    words = _by_word(aliases)
    whole = {name.casefold(): alias for name, alias in aliases.items()}

    def change(text: str) -> str:
        whole_alias = whole.get(text.strip().rstrip(":").casefold())
        if whole_alias is not None:
            return whole_alias + (":" if text.strip().endswith(":") else "")
        return name_masked(text, aliases, lambda found: words.get(found.casefold(), "*"))

    return change
