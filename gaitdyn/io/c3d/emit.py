"""Write the parameter section of a C3D file, record by record.

An unchanged record keeps its bytes; only its link to the next record may be rewritten (C3D format
user guide, "The parameter section").
"""

from __future__ import annotations

import math
import struct
from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused
from gaitdyn.io.c3d.records import BLOCK, TEXT, Processor, Record, coding_of, refused
from gaitdyn.io.names import name_masked
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.io.c3d.records import Parameters
    from gaitdyn.io.c3d.section import SectionWalk

_MOST_BLOCKS = 255
_HIGHEST_NUMBER = 127
_LONGEST_STEP = 65535
_LIST = 255


@frozen()
class Entry:
    """One group or parameter as bytes.

    Attributes
    ----------
    number : int
        Of the group; negative for the group itself.
    name : str
        In capitals.
    head, body : bytes
        The bytes before and after the link to the next record.
    """

    number: int
    name: str
    head: bytes
    body: bytes


def entries_of(walk: SectionWalk) -> tuple[Entry, ...]:
    """Return the records of a parsed section, in file order."""
    section = walk.section
    return tuple(
        Entry(s.number, s.name, section[s.start : s.link], section[s.link + 2 : s.end])
        for s in walk.spans
    )


def with_record(
    entries: Sequence[Entry], group: str, name: str, record: Record
) -> tuple[Entry, ...]:
    """Return the entries with one parameter changed, or appended.

    Parameters
    ----------
    entries : sequence of Entry
    group, name : str
        In capitals; a missing group is added.
    record : Record
        The new value; the description of a changed parameter is kept.
    """
    changed = list(entries)
    numbers = [-e.number for e in changed if e.number < 0 and e.name == group]
    number = numbers[0] if numbers else _free_number(changed)
    if not numbers:
        changed.append(Entry(-number, group, _head(group, -number), b"\0"))
    matches = [i for i, e in enumerate(changed) if e.number == number and e.name == name]
    for i in matches:
        changed[i] = replace(changed[i], body=_body(record) + _description(changed[i].body))
    if not matches:
        changed.append(Entry(number, name, _head(name, number), _body(record) + b"\0"))
    return tuple(changed)


def without_names(entries: Sequence[Entry], names: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries with persons' names in their descriptions replaced by stars.

    Descriptions keep their length, which is the byte before them.
    """
    if not names:
        return tuple(entries)
    changed = []
    for entry in entries:
        description = (entry.body if entry.number < 0 else _description(entry.body))[1:]
        body = entry.body[: len(entry.body) - len(description)] + _starred(description, names)
        changed.append(replace(entry, body=body))
    return tuple(changed)


def _starred(text: bytes, names: Sequence[str]) -> bytes:
    """Return a stored text with names replaced by a star for each byte."""
    coding = coding_of(text)
    masked = name_masked(text.decode(coding), names, lambda name: "*" * len(name.encode(coding)))
    return masked.encode(coding)


def section_bytes(entries: Sequence[Entry], lead: bytes, processor: Processor, file: str) -> bytes:
    """Return a parameter section, padded to whole blocks.

    Parameters
    ----------
    entries : sequence of Entry
    lead : bytes
        The four bytes before the first record; the number of blocks is corrected.
    processor : {"intel", "dec", "sgi"}
    file : str
        Name for the message.

    Raises
    ------
    FileRefused
        The section would be longer than the format allows.
    """
    order = ">" if processor == "sgi" else "<"
    steps = [len(e.body) + 2 for e in entries[:-1]] + [0]
    if max(steps) > _LONGEST_STEP:
        found = f"a parameter of {max(steps)} bytes, behind which none has a place"
        raise refused(file, found, f"{_LONGEST_STEP} at most", "export to another format")
    links = [struct.pack(order + "H", step) for step in steps]
    text = b"".join(e.head + link + e.body for e, link in zip(entries, links, strict=True))
    blocks = -(-(len(lead) + len(text) + 2) // BLOCK)
    if blocks > _MOST_BLOCKS:
        found = f"parameters that would need {blocks} blocks"
        raise refused(file, found, f"{_MOST_BLOCKS} at most", "export to another format")
    return (lead[:2] + bytes([blocks]) + lead[3:] + text).ljust(blocks * BLOCK, b"\0")


def texts(lines: Sequence[bytes], processor: Processor, dims: tuple[int, ...] = ()) -> Record:
    """Return a list of texts as a parameter, each padded to the width of the longest."""
    width = max((len(line) for line in lines), default=1)
    padded = [line.ljust(width, b"\0" if line.endswith(b"\0") else b" ") for line in lines]
    return Record(TEXT, (width, *(dims or (len(lines),))), b"".join(padded), processor)


def listed_lines(params: Parameters, name: str) -> list[bytes]:
    """Return the texts of a list of POINT, with its continuations, as stored in the file."""
    records = [params.record("POINT", x) for x in params.series("POINT", name)]
    return [line for record in records if record for line in stored_lines(record)]


def stored_lines(record: Record) -> list[bytes]:
    """Return the texts of a parameter as stored, including padding."""
    width = record.dims[0] if record.dims else len(record.data)
    return [record.data[i * width : (i + 1) * width] for i in range(record.size)]


def pieces(lines: Sequence[bytes]) -> list[Sequence[bytes]]:
    """Return a list split into lists of at most 255, the limit of one parameter."""
    return [lines[i : i + _LIST] for i in range(0, max(len(lines), 1), _LIST)]


def _free_number(entries: Sequence[Entry]) -> int:
    free = set(range(1, _HIGHEST_NUMBER + 1)) - {abs(e.number) for e in entries}
    if not free:
        raise OutputRefused("the file has 127 groups, and the format no number for one more")
    return min(free)


def _head(name: str, number: int) -> bytes:
    return struct.pack("2b", len(name), number) + name.encode("ascii")


def _body(record: Record) -> bytes:
    return struct.pack("bB", record.kind, len(record.dims)) + bytes(record.dims) + record.data


def _description(body: bytes) -> bytes:
    kind, count = struct.unpack("bB", body[:2])
    return body[2 + count + abs(kind) * math.prod(body[2 : 2 + count]) :]
