"""The parameters of a C3D file with aliases in the place of the names of persons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.io._emit import stored_lines, texts
from gaitdyn.io._records import TEXT, Parameters, Record
from gaitdyn.io.names import called_in, name_masked, name_words
from gaitdyn.io.subject import persons_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.io.c3d_out import Head

_LABELS = ("LABELS", "ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS")
"""Lists of POINT whose texts are labels: only their prefix is a name."""
_UNTOUCHED = ("ANALOG", "FORCE_PLATFORM", "GAITDYN")
_WIDEST = 255


def with_aliases(head: Head, pseudonym: str) -> Head:
    """Return a file whose texts hold aliases for persons: the pseudonym, then it with a number.

    Samples keep their bytes. What a person is called: SUBJECTS:NAMES, prefixes of labels, subjects
    of events and analyses, and, as whole words of other texts, their parts of three letters or
    more. Labels keep what stands behind the colon.

    Parameters
    ----------
    head : Head
    pseudonym : str
    """
    params = head.params
    aliases = aliases_of(persons_of(params), called_in(params), pseudonym)
    if not aliases:
        return head
    changed: dict[tuple[str, str], Record] = {}
    for group, records in params.records.items():
        for name, record in records.items():
            told = None if group in _UNTOUCHED else _told(group, name, record, aliases)
            if told is not None and told.data != record.data:
                changed[group, name] = told
    records = {
        group: {name: changed.get((group, name), record) for name, record in own.items()}
        for group, own in params.records.items()
    }
    new = Parameters(records, params.oddities)
    return replace(head, params=new, replaced=tuple(changed), names=tuple(aliases))


def aliases_of(persons: Sequence[str], called: Sequence[str], pseudonym: str) -> dict[str, str]:
    """Return name -> alias; names that share a word are one person's.

    Parameters
    ----------
    persons, called : sequence of str
        Of SUBJECTS:NAMES; of prefixes and events.
    pseudonym : str

    Examples
    --------
    >>> aliases_of(["Daphnee Test", "Ann Other"], ["Daphnee", "Box"], "S01")
    {'Daphnee Test': 'S01', 'Ann Other': 'S01-2', 'Daphnee': 'S01', 'Box': 'S01-3'}
    """
    found: dict[str, str] = {}
    for name in (*persons, *called):
        own = {word.casefold() for word in name_words([name])} | {name.casefold()}
        same = (a for n, a in found.items() if own & ({n.casefold()} | _words(n)))
        alias = next(same, None)
        if alias is None:
            count = len(set(found.values())) + 1
            alias = pseudonym if count == 1 else f"{pseudonym}-{count}"
        found.setdefault(name, alias)
    return found


def _words(name: str) -> set[str]:
    return {word.casefold() for word in name_words([name])}


def _told(group: str, name: str, record: Record, aliases: dict[str, str]) -> Record | None:
    """Return a text with aliases; None for numbers."""
    if record.kind != TEXT or not record.data:
        return None
    labels = group == "POINT" and name.rstrip("0123456789") in _LABELS
    change: Callable[[str], str] = _prefix_of(aliases) if labels else _words_of(aliases)
    before = stored_lines(record)
    after = [_changed(line, change) for line in before]
    if after == before:
        return record
    width = len(before[0])
    lines = [line.ljust(width)[:_WIDEST] for line in after]
    return texts(lines, record.processor, record.dims[1:])


def _changed(line: bytes, change: Callable[[str], str]) -> bytes:
    """Return a stored text after a change; the bytes of one that stays are kept."""
    coding = "utf-8"
    try:
        text = line.decode(coding)
    except UnicodeDecodeError:
        coding = "latin-1"
        text = line.decode(coding)
    core = text.rstrip(" \0")
    told = change(core)
    return line if told == core else told.encode(coding, "replace")


def _prefix_of(aliases: dict[str, str]) -> Callable[[str], str]:
    def change(label: str) -> str:
        prefix, colon, rest = label.partition(":")
        return f"{aliases[prefix.strip()]}:{rest}" if colon and prefix.strip() in aliases else label

    return change


def _words_of(aliases: dict[str, str]) -> Callable[[str], str]:
    words = {word.casefold(): alias for n, alias in aliases.items() for word in name_words([n])}
    whole = {name.casefold(): alias for name, alias in aliases.items()}

    def change(text: str) -> str:
        told = whole.get(text.strip().rstrip(":").casefold())
        if told is not None:
            return told + (":" if text.strip().endswith(":") else "")
        return name_masked(text, aliases, lambda found: words.get(found.casefold(), "*"))

    return change
