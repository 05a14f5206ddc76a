"""Parse the header and the parameter section of a C3D file, with bounds checks.

The layout is that of the C3D format user guide (c3d.org, "The header section" and "The parameter
section"): groups and parameters form a chain of records, each with a link to the next. The end of a
record's contents must coincide with its link, so a chain cannot loop, leave the section or skip
bytes.
"""

import math
import struct
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from gaitdyn.io.c3d.records import (
    BLOCK,
    FLOAT,
    TEXT,
    C3DHeader,
    Processor,
    Record,
    floats,
    refused,
    shown,
)
from gaitdyn.types.words import counted

_PROCESSORS: dict[int, Processor] = {84: "intel", 85: "dec", 86: "sgi"}
_KEY_GROUPS = {"POINT", "ANALOG", "FORCE_PLATFORM", "TRIAL", "EVENT", "ROTATION"}
_MAGIC = 0x50
_FOUR_LETTERS, _MOST_EVENTS = 12345, 18
_EVENT_KEY, _EVENT_TIMES, _EVENT_LABELS = 298, 304, 396
"""Bytes at which words 150, 153 and 199 of the header start."""
_RECORD, _PARAMETER = struct.Struct("2b"), struct.Struct("bB")
_LINKS = {"intel": struct.Struct("<H"), "dec": struct.Struct("<H"), "sgi": struct.Struct(">H")}
_KINDS = frozenset((TEXT, 1, 2, FLOAT))
_MOST_DIMS = 7
_LONGEST_DESCRIPTION = 127
_SHOWN = 3
_A_C3D = "the header of a C3D file"


def header_of(block: bytes, processor_code: int, file: str) -> C3DHeader:
    """Return the header in the first 512 bytes, in the format of the processor.

    Raises
    ------
    FileRefused
        The processor is unknown, or the data do not start after the parameters.
    """
    processor = _PROCESSORS.get(processor_code)
    if processor is None:
        raise refused(file, f"processor code {processor_code}", "84 (Intel), 85 (DEC) or 86 (SGI)")
    order = ">" if processor == "sgi" else "<"
    points, analog, first, last = struct.unpack_from(f"{order}4H", block, 2)
    data_block, samples = struct.unpack_from(f"{order}2H", block, 16)
    if data_block <= block[0]:
        raise refused(
            file,
            f"data at block {data_block} and parameters at block {block[0]}",
            "the data behind the parameters",
        )
    return C3DHeader(
        processor=processor,
        point_count=points,
        analog_per_frame=analog,
        first_frame=first,
        last_frame=last,
        scale=float(floats(block[12:16], processor)[0]),
        data_block=data_block,
        analog_samples_per_frame=samples,
        rate_hz=float(floats(block[20:24], processor)[0]),
        parameter_block=block[0],
        events=_header_events(block, processor),
    )


def _header_events(block: bytes, processor: Processor) -> tuple[tuple[str, float], ...]:
    """Return label and time of the events in the header (user guide, "Header events")."""
    key, count = struct.unpack_from(f"{'>' if processor == 'sgi' else '<'}2H", block, _EVENT_KEY)
    if key != _FOUR_LETTERS or count > _MOST_EVENTS:
        return ()
    times = floats(block[_EVENT_TIMES : _EVENT_TIMES + 4 * count], processor)
    texts = (block[_EVENT_LABELS + 4 * i :][:4].decode("latin-1") for i in range(count))
    return tuple(zip((text.strip(" \0") for text in texts), times.tolist(), strict=True))


def parameter_block_of(block: bytes, size: int, file: str) -> int:
    """Return the first block of the parameters (512-byte blocks, counted from 1).

    Raises
    ------
    FileRefused
        The file is too short or not a C3D file, or the parameters lie outside it.
    """
    if size < 2 * BLOCK or len(block) < BLOCK:
        raise refused(
            file, counted(size, "byte"), f"{_A_C3D} and its parameters (1024 bytes or more)"
        )
    if block[1] != _MAGIC:
        found = f"another kind of file (0x{block[1]:02x} as second byte)"
        raise refused(file, found, f"{_A_C3D} (0x50)", "name a C3D file")
    if block[0] <= 1 or (block[0] - 1) * BLOCK + 4 > size:
        wanted = f"a block from 2 to {size // BLOCK}"
        raise refused(
            file, f"parameters at block {block[0]}", wanted, "is it a C3D file, and whole?"
        )
    return block[0]


class Span(NamedTuple):
    """The position of one record in its section: start, link and end, in bytes."""

    start: int
    link: int
    end: int
    number: int
    name: str


@dataclass
class SectionWalk:
    """One pass over the records of a parameter section.

    Parameters
    ----------
    section : bytes
        From the first byte of the parameter section to the first byte of the data.
    processor : {"intel", "dec", "sgi"}
        Format of the numbers.
    file : str
        Name for messages.
    oddities : list of str
        Suspicious values that were found so far.
    """

    section: bytes
    processor: Processor
    file: str
    oddities: list[str] = field(default_factory=list)
    _group_names: dict[int, str] = field(default_factory=dict)
    _found: list[tuple[int, str, Record]] = field(default_factory=list)
    _ends: list[tuple[int, int, int, int, str]] = field(default_factory=list)

    @property
    def spans(self) -> list[Span]:
        """The positions of the records read so far."""
        return [Span(*ends) for ends in self._ends]

    def run(self) -> dict[str, dict[str, Record]]:
        """Return the records by group and name.

        Raises
        ------
        FileRefused
            A record leaves the section, or is not allowed by the format.
        """
        if tuple(self.section[:2]) not in {(1, _MAGIC), (0, 0)}:
            self.oddities.append("the parameter section does not start with 01 50")
        position, continues = 4, True
        try:
            while continues and self.section[position]:
                position, continues = self._read_record(position)
        except (IndexError, struct.error):
            found = f"a record at byte {position} that {len(self.section)} bytes do not hold"
            raise self._damaged(position, found) from None
        if position > self.section[2] * BLOCK:
            self.oddities.append(
                f"the parameters are longer than their {counted(self.section[2], 'block')}"
            )
        if self.section.count(0, position) != len(self.section) - position:
            self.oddities.append("bytes after the last parameter belong to nothing")
        return self._by_group()

    def _read_record(self, start: int) -> tuple[int, bool]:
        """Read the record at ``start``; return its end, and whether another one follows."""
        section = self.section
        length, number = _RECORD.unpack_from(section, start)
        link = start + 2 + abs(length)
        raw = section[start + 2 : link]
        name = _name_of(raw)
        if name is None:
            name = self._odd_name(raw)
        (step,) = _LINKS[self.processor].unpack_from(section, link)
        if number > 0:
            body_end = self._parameter(link + 2, number, name)
        elif number < 0:
            body_end = self._group(link + 2, -number, name)
        else:
            raise self._damaged(start, f"group number 0 at {name}")
        length = section[body_end]
        if length > _LONGEST_DESCRIPTION:
            raise self._damaged(body_end, f"a description of {length} characters at {name}")
        end = body_end + 1 + length
        if end > len(section):
            raise self._beyond(body_end + 1, length)
        if step and link + step != end:
            raise self._damaged(
                start, f"{name} ending at byte {end}, the next one at {link + step}"
            )
        self._ends.append((start, link, end, number, name))
        return end, step != 0

    def _group(self, position: int, number: int, name: str) -> int:
        if number in self._group_names:
            raise self._damaged(position, f"groups {self._group_names[number]} and {name} as one")
        if name in self._group_names.values() and name in _KEY_GROUPS:
            self.oddities.append(f"two groups are called {name}")
        self._group_names[number] = name
        return position

    def _parameter(self, position: int, number: int, name: str) -> int:
        kind, count = _PARAMETER.unpack_from(self.section, position)
        if kind not in _KINDS:
            raise self._damaged(position, f"type {kind} at {name}")
        if count > _MOST_DIMS:
            raise self._damaged(position, f"{count} dimensions at {name}")
        start = position + 2 + count
        dims = tuple(self.section[position + 2 : start])
        size = abs(kind) * math.prod(dims)
        if start + size > len(self.section):
            raise self._beyond(start, size)
        record = Record(kind, dims, self.section[start : start + size], self.processor)
        self._found.append((number, name, record))
        return start + size

    def _by_group(self) -> dict[str, dict[str, Record]]:
        groups: dict[str, dict[str, Record]] = {name: {} for name in self._group_names.values()}
        nameless = sorted({number for number, *_ in self._found} - self._group_names.keys())
        self.oddities += [f"group {number} has parameters and no name" for number in nameless]
        twice: dict[str, dict[str, None]] = {}
        for number, name, record in self._found:
            group = self._group_names.get(number)
            if group is None:
                continue
            first = groups[group].setdefault(name, record)
            if first is record:
                continue
            if first != record or group in _KEY_GROUPS:
                twice.setdefault(group, {})[name] = None
            if not any(first.data.strip(b" ")):
                groups[group][name] = record
        self.oddities += [_twice(group, list(names)) for group, names in twice.items()]
        return groups

    def _odd_name(self, raw: bytes) -> str:
        name = raw.decode("latin-1")
        self.oddities.append(f"a name has strange characters: {shown(name)}")
        return shown(name.strip().upper())

    def _beyond(self, position: int, count: int) -> Exception:
        found = f"{counted(count, 'byte')} asked for at byte {position} of {len(self.section)}"
        return self._damaged(position, found)

    def _damaged(self, position: int, found: str) -> Exception:
        wanted = f"an unbroken list of parameters (near byte {position} of the parameter section)"
        return refused(self.file, found, wanted)


def _twice(group: str, names: list[str]) -> str:
    """Return the note on parameters that a group has twice."""
    some = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    return f"{group} has {some} twice: the first that is not empty or 0 is used"


@lru_cache(maxsize=2048)
def _name_of(raw: bytes) -> str | None:
    """Return a name in capitals, or None if it has strange characters; cached across files."""
    name = raw.partition(b"\0")[0].decode("latin-1")
    return name.strip().upper() if name.isascii() and name.isprintable() else None
