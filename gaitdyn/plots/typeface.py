"""The typeface of gaitdyn: letters, widths and outlines, read from its TrueType file.

The tables are ``cmap`` (format 4), ``hmtx``, ``hhea`` and ``head`` (OpenType specification 1.9).
"""

from __future__ import annotations

import struct
from functools import cache
from importlib.resources import files

from gaitdyn.plots.marks import MM_PER_PT, text_width
from gaitdyn.types.frozen import frozen

_END = 0xFFFF
"""Code of the last segment, which contains no letter."""


@frozen(eq=False)
class Typeface:
    """One weight of the typeface; lengths are in sizes of the type.

    Attributes
    ----------
    name : str
    content : bytes
        Contents of the file.
    glyphs : dict
        Letter -> number of its glyph.
    widths : tuple of float
        Width of each glyph.
    box : tuple of 4 float
        Bounding box of all glyphs.
    ascent, descent : float
    """

    name: str
    content: bytes
    glyphs: dict[str, int]
    widths: tuple[float, ...]
    box: tuple[float, float, float, float]
    ascent: float
    descent: float

    def has(self, text: str) -> bool:
        """Return whether the typeface has all letters of a text."""
        return self.glyphs.keys() >= set(text)

    def glyph(self, letter: str) -> int:
        """Return the number of a letter's glyph."""
        return self.glyphs[letter]

    def width(self, text: str) -> float:
        """Return the width of a text."""
        return sum(map(self.widths.__getitem__, map(self.glyphs.__getitem__, text)))

    def codes(self, text: str) -> str:
        """Return the glyph numbers of a text, four hexadecimal digits each."""
        return "".join(f"{self.glyphs[letter]:04X}" for letter in text)


@cache
def typeface(*, bold: bool) -> Typeface:
    """Return one of the two weights of the typeface; read once.

    Examples
    --------
    >>> face = typeface(bold=False)
    >>> face.has("Knee 12\u00b0"), face.has("\u4e2d"), 0.5 < face.width("n") < 0.7
    (True, False, True)
    """
    weight = 600 if bold else 400
    content = (files("gaitdyn") / "resources" / "type" / f"inter-{weight}.ttf").read_bytes()
    tables = _tables(content)
    (unit,) = struct.unpack_from(">H", content, tables["head"] + 18)
    box = struct.unpack_from(">4h", content, tables["head"] + 36)
    ascent, descent = struct.unpack_from(">2h", content, tables["hhea"] + 4)
    (full,) = struct.unpack_from(">H", content, tables["hhea"] + 34)
    (count,) = struct.unpack_from(">H", content, tables["maxp"] + 4)
    advances = struct.unpack_from(f">{2 * full}H", content, tables["hmtx"])[::2]
    widths = (*advances, *advances[-1:] * (count - full))
    return Typeface(
        f"GDYNIN+Inter-{weight}",
        content,
        _letters(content, tables["cmap"]),
        tuple(width / unit for width in widths),
        (box[0] / unit, box[1] / unit, box[2] / unit, box[3] / unit),
        ascent / unit,
        descent / unit,
    )


def regular_width(text: str, size_pt: float) -> float:
    """Return the width of a text in regular type, mm; an upper limit if the type lacks a letter."""
    return _width(text, size_pt, bold=False)


def bold_width(text: str, size_pt: float) -> float:
    """Return the width of a text in bold type, mm; an upper limit if the type lacks a letter."""
    return _width(text, size_pt, bold=True)


def _width(text: str, size_pt: float, *, bold: bool) -> float:
    face = typeface(bold=bold)
    if face.has(text):
        return face.width(text) * size_pt * MM_PER_PT
    return text_width(text, size_pt)


def _tables(content: bytes) -> dict[str, int]:
    """Return the positions of the tables of a font."""
    (count,) = struct.unpack_from(">H", content, 4)
    rows = (struct.unpack_from(">4s3I", content, 12 + 16 * i) for i in range(count))
    return {name.decode("ascii"): position for name, _, position, _ in rows}


def _letters(content: bytes, start: int) -> dict[str, int]:
    """Return the glyph of each letter of the basic multilingual plane."""
    (count,) = struct.unpack_from(">H", content, start + 2)
    positions = (struct.unpack_from(">2HI", content, start + 4 + 8 * i)[2] for i in range(count))
    formats = {struct.unpack_from(">H", content, start + p)[0]: start + p for p in positions}
    table = formats[4]
    segments = struct.unpack_from(">H", content, table + 6)[0] // 2
    parts = f">{segments}H"
    ends = struct.unpack_from(parts, content, table + 14)
    starts = struct.unpack_from(parts, content, table + 16 + 2 * segments)
    deltas = struct.unpack_from(parts, content, table + 16 + 4 * segments)
    ranges = struct.unpack_from(parts, content, table + 16 + 6 * segments)
    glyphs: dict[str, int] = {}
    for i, (first, last) in enumerate(zip(starts, ends, strict=True)):
        for code in range(first, min(last + 1, _END)):
            glyph = code
            if ranges[i]:
                position = table + 16 + 6 * segments + 2 * i + ranges[i] + 2 * (code - first)
                (glyph,) = struct.unpack_from(">H", content, position)
            glyph = (glyph + deltas[i]) % 0x10000 if glyph or not ranges[i] else 0
            if glyph:
                glyphs[chr(code)] = glyph
    return glyphs
