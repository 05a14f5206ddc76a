"""Walk the header and the parameter section of a C3D file, byte by byte and within bounds.

The layout is that of the C3D format user guide (c3d.org, "The header section" and "The parameter
section"): groups and parameters form a chain of records, each of which says where the next one
starts. Here the end that follows from a record's own contents must be where its chain goes on, so
that a chain cannot loop, cannot leave the section and cannot skip bytes.
"""

import math
import struct
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from gaitdyn.io._records import (
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

_PROCESSORS: dict[int, Processor] = {84: "intel", 85: "dec", 86: "sgi"}
_KEY_GROUPS = {"POINT", "ANALOG", "FORCE_PLATFORM", "TRIAL", "EVENT", "ROTATION"}
_MAGIC = 0x50
_RECORD, _PARAMETER = struct.Struct("2b"), struct.Struct("bB")
_LINKS = {"intel": struct.Struct("<H"), "dec": struct.Struct("<H"), "sgi": struct.Struct(">H")}
_KINDS = frozenset((TEXT, 1, 2, FLOAT))
_MOST_DIMS = 7
_LONGEST_DESCRIPTION = 127
_A_C3D = "the header of a C3D file"


def header_of(block: bytes, processor_code: int, file: str) -> C3DHeader:
    """Return the header that the first 512 bytes hold, in the format of the processor.

    Raises
    ------
    FileRefused
        The processor is unknown, or the data do not start behind the parameters.
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
    )


def parameter_block_of(block: bytes, size: int, file: str) -> int:
    """Return where the parameters start (512-byte blocks from 1), from the first bytes of a file.

    Raises
    ------
    FileRefused
        The file is too short, is no C3D file, or the parameters lie outside.
    """
    if size < 2 * BLOCK or len(block) < BLOCK:
        raise refused(file, f"{size} bytes", f"{_A_C3D} and its parameters (1024 bytes or more)")
    if block[1] != _MAGIC:
        raise refused(file, f"0x{block[1]:02x} as second byte", f"0x50, {_A_C3D}", "is it a C3D?")
    if block[0] <= 1 or (block[0] - 1) * BLOCK + 4 > size:
        last = size // BLOCK
        wanted = f"a block from 2 to {last}"
        raise refused(
            file, f"parameters at block {block[0]}", wanted, "is it a C3D file, and whole?"
        )
    return block[0]


class Span(NamedTuple):
    """Where one record stands in its section: its start, its link and its end, in bytes."""

    start: int
    link: int
    end: int
    number: int
    name: str


@dataclass
class SectionWalk:
    """One walk along the records of a parameter section.

    Parameters
    ----------
    section : bytes
        From the first byte of the parameter section to the first byte of the data.
    processor : {"intel", "dec", "sgi"}
        Format of the numbers.
    file : str
        Name for messages.
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
        """Where the records stand that were walked along."""
        return [Span(*ends) for ends in self._ends]

    def run(self) -> dict[str, dict[str, Record]]:
        """Return the records by group and name.

        Raises
        ------
        FileRefused
            A record leaves the section, or is not what the format allows.
        """
        if tuple(self.section[:2]) not in {(1, _MAGIC), (0, 0)}:
            self.oddities.append("the parameter section does not start with 01 50")
        at, more = 4, True
        try:
            while more and self.section[at]:
                at, more = self._one(at)
        except (IndexError, struct.error):
            found = f"a record at byte {at} that {len(self.section)} bytes do not hold"
            raise self._damaged(at, found) from None
        if at > self.section[2] * BLOCK:
            self.oddities.append(f"the parameters are longer than their {self.section[2]} blocks")
        if self.section.count(0, at) != len(self.section) - at:
            self.oddities.append("bytes that belong to nothing stand behind the last parameter")
        return self._by_group()

    def _one(self, at: int) -> tuple[int, bool]:
        """Read the record at ``at``; return where it ends, and whether another one follows."""
        section = self.section
        length, number = _RECORD.unpack_from(section, at)
        link = at + 2 + abs(length)
        raw = section[at + 2 : link]
        name = _name_of(raw)
        if name is None:
            name = self._strange(raw)
        (step,) = _LINKS[self.processor].unpack_from(section, link)
        if number > 0:
            start = self._parameter(link + 2, number, name)
        elif number < 0:
            start = self._group(link + 2, -number, name)
        else:
            raise self._damaged(at, f"group number 0 at {name}")
        length = section[start]
        if length > _LONGEST_DESCRIPTION:
            raise self._damaged(start, f"a description of {length} characters at {name}")
        end = start + 1 + length
        if end > len(section):
            raise self._beyond(start + 1, length)
        if step and link + step != end:
            raise self._damaged(at, f"{name} ending at byte {end}, the next one at {link + step}")
        self._ends.append((at, link, end, number, name))
        return end, step != 0

    def _group(self, at: int, number: int, name: str) -> int:
        if number in self._group_names:
            raise self._damaged(at, f"groups {self._group_names[number]} and {name} as one")
        if name in self._group_names.values() and name in _KEY_GROUPS:
            self.oddities.append(f"two groups are called {name}")
        self._group_names[number] = name
        return at

    def _parameter(self, at: int, number: int, name: str) -> int:
        kind, count = _PARAMETER.unpack_from(self.section, at)
        if kind not in _KINDS:
            raise self._damaged(at, f"type {kind} at {name}")
        if count > _MOST_DIMS:
            raise self._damaged(at, f"{count} dimensions at {name}")
        if count == 0 and kind == TEXT:
            raise self._damaged(at, f"{name} as text without a length")
        start = at + 2 + count
        dims = tuple(self.section[at + 2 : start])
        size = abs(kind) * math.prod(dims)
        if start + size > len(self.section):
            raise self._beyond(start, size)
        record = Record(kind, dims, self.section[start : start + size], self.processor)
        self._found.append((number, name, record))
        return start + size

    def _by_group(self) -> dict[str, dict[str, Record]]:
        groups: dict[str, dict[str, Record]] = {name: {} for name in self._group_names.values()}
        lost = sorted({number for number, *_ in self._found} - self._group_names.keys())
        self.oddities += [f"group {number} has parameters and no name" for number in lost]
        for number, name, record in self._found:
            group = self._group_names.get(number)
            if group is None:
                continue
            if name in groups[group] and group in _KEY_GROUPS:
                self.oddities.append(f"{group}:{name} stands there twice")
            groups[group][name] = record
        return groups

    def _strange(self, raw: bytes) -> str:
        name = raw.decode("latin-1")
        self.oddities.append(f"a name has strange characters: {shown(name)}")
        return shown(name.strip().upper())

    def _beyond(self, at: int, count: int) -> Exception:
        asked = f"{count} bytes asked for at byte {at} of {len(self.section)}"
        return self._damaged(at, asked)

    def _damaged(self, at: int, found: str) -> Exception:
        wanted = f"an unbroken list of parameters (near byte {at} of the parameter section)"
        return refused(self.file, found, wanted)


@lru_cache(maxsize=2048)
def _name_of(raw: bytes) -> str | None:
    """Return a name in capitals, the same in file after file; None for strange characters."""
    name = raw.decode("latin-1")
    return name.strip().upper() if name.isascii() and name.isprintable() else None
