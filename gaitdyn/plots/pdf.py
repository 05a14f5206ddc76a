"""Write sheets as PDF directly: paths, and words in the embedded typeface of gaitdyn.

Follows ISO 32000-1:2008: content streams (8, 9), composite fonts with TrueType outlines (9.7), and
the map to Unicode that makes text searchable (9.10.3).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np

from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Sheet, Stroke, TextLine, layers
from gaitdyn.plots.typeface import Typeface, typeface
from gaitdyn.types.arrays import Array

_PT_PER_MM = 1.0 / MM_PER_PT
_HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
_WEIGHTS = (False, True)
_HIGH = {"\u00b2": "2", "\u00b3": "3"}
_SMALL, _RAISED = 0.62, 0.36
"""Relative size and rise of a superscript, which the typeface lacks, in sizes of the type."""


def has_letters(sheets: Iterable[Sheet]) -> bool:
    """Return whether the typeface has every letter of the words on the sheets."""
    return all(
        typeface(bold=mark.bold).has("".join(piece for piece, _ in _pieces(mark.text)))
        for sheet in sheets
        for mark in sheet.marks
        if isinstance(mark, TextLine)
    )


def pdf_bytes(sheets: Sequence[Sheet], title: str) -> bytes:
    """Return sheets as the pages of a PDF.

    Parameters
    ----------
    sheets : sequence of Sheet
        The typeface must have all their letters, see :func:`has_letters`.
    title : str
        Title in the document properties.
    """
    pages = [_PdfPage(sheet) for sheet in sheets]
    alphas = sorted({alpha for page in pages for alpha in page.alphas})
    used = [{c for page in pages for c in page.letters[bold]} for bold in _WEIGHTS]
    file = _File()
    catalogue, tree, info = file.reserve(), file.reserve(), file.reserve()
    fonts = [_font(file, typeface(bold=bold), used[bold]) for bold in _WEIGHTS]
    states = "".join(f"/A{round(100 * a)}<</ca {a:g}/CA {a:g}>>" for a in alphas)
    resources = f"<</Font<</F0 {fonts[0]} 0 R/F1 {fonts[1]} 0 R>>/ExtGState<<{states}>>>>"
    page_numbers = []
    for sheet, page in zip(sheets, pages, strict=True):
        content = file.add(_stream(page.content))
        width, height = _PT_PER_MM * sheet.width_mm, _PT_PER_MM * sheet.height_mm
        page_numbers.append(
            file.add(
                f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 {width:.2f} {height:.2f}]"
                f"/Resources {resources}/Contents {content} 0 R>>".encode()
            )
        )
    kids_list = " ".join(f"{kid} 0 R" for kid in page_numbers)
    file.put(tree, f"<</Type/Pages/Count {len(page_numbers)}/Kids[{kids_list}]>>".encode())
    file.put(info, f"<< /Title {_hex(title)} /Creator (gaitdyn) >>".encode())
    preferences = "/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>"
    preferences += _outline(file, list(zip(map(_heading, sheets), page_numbers, strict=True)))
    file.put(catalogue, f"<</Type/Catalog/Pages {tree} 0 R{preferences}>>".encode())
    return file.bytes_of(catalogue, info)


def _hex(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex()}>"


def _heading(sheet: Sheet) -> str:
    """Return the heading of a sheet, or the title of its figure; empty without any."""
    named = (m for m in sheet.marks if isinstance(m, TextLine) and m.name in {"heading", "title"})
    return next((mark.text for mark in named), "")


def _outline(file: _File, headed: Sequence[tuple[str, int]]) -> str:
    """Add a bookmark for each page whose heading is new; return the entry of the catalogue."""
    before = ("", *(words for words, _ in headed))
    marked = [one for one, last in zip(headed, before, strict=False) if one[0] not in {"", last}]
    if len(marked) < 2:  # noqa: PLR2004
        return ""
    root = file.reserve()
    items = [file.reserve() for _ in marked]
    for i, (words, page) in enumerate(marked):
        around = f"/Prev {items[i - 1]} 0 R" if i else ""
        around += f"/Next {items[i + 1]} 0 R" if i + 1 < len(items) else ""
        entry = f"<</Title {_hex(words)}/Parent {root} 0 R/Dest[{page} 0 R/Fit]{around}>>"
        file.put(items[i], entry.encode())
    ends = f"/First {items[0]} 0 R/Last {items[-1]} 0 R/Count {len(items)}"
    file.put(root, f"<</Type/Outlines{ends}>>".encode())
    return f"/Outlines {root} 0 R"


class _File:
    """Numbered objects of a PDF file and the table of their positions."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def reserve(self) -> int:
        self._objects.append(b"")
        return len(self._objects)

    def add(self, content: bytes) -> int:
        self._objects.append(content)
        return len(self._objects)

    def put(self, number: int, content: bytes) -> None:
        self._objects[number - 1] = content

    def bytes_of(self, root: int, info: int) -> bytes:
        parts, positions, position = [_HEAD], [], len(_HEAD)
        for number, content in enumerate(self._objects, 1):
            positions.append(position)
            parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, content))
            position += len(parts[-1])
        table = "".join(f"{start:010d} 00000 n \n" for start in positions)
        size = len(positions) + 1
        parts.append(
            f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<</Size {size}/Root {root} 0 R"
            f"/Info {info} 0 R>>\nstartxref\n{position}\n%%EOF\n".encode()
        )
        return b"".join(parts)


class _PdfPage:
    """Content stream of a sheet, in mm, and the resources that it needs."""

    def __init__(self, sheet: Sheet) -> None:
        self.alphas: set[float] = set()
        self.letters: dict[bool, set[str]] = {False: set(), True: set()}
        scale = f"{_PT_PER_MM:.6f} 0 0 {_PT_PER_MM:.6f} 0 0 cm 1 j\n"
        behind, areas, before, words = layers(sheet)
        drawn = (*self._lines(behind), *self._areas(areas), *self._lines(before))
        parts = [scale, *drawn, *map(self._text, words)]
        self.content = "".join(parts).encode("ascii")

    def _areas(self, areas: Sequence[Area]) -> Iterable[str]:
        for (colour, alpha), group in groupby(areas, key=lambda area: (area.colour, area.alpha)):
            drawn = "".join(_path(area.points) + "f\n" for area in group)
            yield f"{self._alpha(alpha)}{_colour(colour)} rg\n{drawn}"

    def _lines(self, lines: Sequence[Line]) -> Iterable[str]:
        for stroke, group in groupby(lines, key=lambda line: line.stroke):
            drawn = "".join(_path(line.points) for line in group)
            yield f"{self._alpha(stroke.alpha)}{_stroke(stroke)}{drawn}S\n"

    def _text(self, word: TextLine) -> str:
        face, height = typeface(bold=word.bold), word.size_pt * MM_PER_PT
        offset, pieces = set_words(word)
        self.letters[word.bold] |= {letter for text, _, _ in pieces for letter in text}
        turn, x, y = "1 0 0 1", word.x - offset * height, word.y
        if word.turned:
            turn, x, y = "0 1 -1 0", word.x, word.y - offset * height
        font = f"/F{int(word.bold)}"
        operators = "".join(
            f"{font} {height * size:.3f} Tf {height * raised:.3f} Ts <{face.codes(text)}> Tj "
            for text, size, raised in pieces
        )
        colour = f"{_colour(word.colour)} rg"
        return f"{self._alpha(1.0)}BT {colour} {turn} {x:.3f} {y:.3f} Tm {operators}ET\n"

    def _alpha(self, alpha: float) -> str:
        self.alphas.add(alpha)
        return f"/A{round(100 * alpha)} gs "


def set_words(word: TextLine) -> tuple[float, list[tuple[str, float, float]]]:
    """Return how words are set in the typeface, with lengths in sizes of the type.

    Returns
    -------
    back : float
        Distance from the position of the words back to their start.
    pieces : list of (text, size, raised)
        Consecutive pieces in letters that the typeface has.
    """
    face = typeface(bold=word.bold)
    pieces = [(text, _SMALL if high else 1.0, _RAISED * high) for text, high in _pieces(word.text)]
    wide = sum(face.width(text) * size for text, size, _ in pieces)
    return {"left": 0.0, "center": 0.5, "right": 1.0}[word.align] * wide, pieces


def _pieces(text: str) -> Iterable[tuple[str, bool]]:
    """Yield pieces of a text in letters of the typeface, and whether each piece is raised."""
    text = text.replace("\u2022", "\u00b7")
    for raised, letters in groupby(text, key=lambda letter: letter in _HIGH):
        yield "".join(_HIGH.get(letter, letter) for letter in letters), raised


def _colour(colour: str) -> str:
    return " ".join(f"{int(colour[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))


def _stroke(stroke: Stroke) -> str:
    width = stroke.width_pt * MM_PER_PT
    dash = " ".join(f"{width * part:.3f}" for part in stroke.dash)
    return f"{_colour(stroke.colour)} RG {width:.4f} w [{dash}] 0 d\n"


def _path(points: Array) -> str:
    """Return the operators of a path: first point, then lines."""
    steps = "%.2f %.2f m " + "%.2f %.2f l " * (len(points) - 1)
    return steps % tuple(np.asarray(points).ravel().tolist())


def _stream(content: bytes, entries: str = "") -> bytes:
    packed = zlib.compress(content)
    head = f"<</Length {len(packed)}/Filter/FlateDecode{entries}>>stream\n".encode()
    return head + packed + b"\nendstream"


def _font(file: _File, face: Typeface, letters: set[str]) -> int:
    """Add a composite font of all outlines, with widths and Unicode map of the letters used."""
    glyphs = sorted((face.glyph(letter), letter) for letter in letters)
    program = file.add(_stream(face.content, f"/Length1 {len(face.content)}"))
    box = " ".join(str(round(1000 * value)) for value in face.box)
    descriptor = file.add(
        f"<</Type/FontDescriptor/FontName/{face.name}/Flags 4/FontBBox[{box}]/ItalicAngle 0"
        f"/Ascent {1000 * face.ascent:.0f}/Descent {1000 * face.descent:.0f}/CapHeight 727"
        f"/StemV 80/FontFile2 {program} 0 R>>".encode()
    )
    widths = " ".join(f"{glyph}[{1000 * face.width(c):.0f}]" for glyph, c in glyphs)
    outlines = file.add(
        f"<</Type/Font/Subtype/CIDFontType2/BaseFont/{face.name}/CIDToGIDMap/Identity"
        f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        f"/FontDescriptor {descriptor} 0 R/DW 500/W[{widths}]>>".encode()
    )
    unicode = file.add(_stream(_to_unicode(glyphs)))
    return file.add(
        f"<</Type/Font/Subtype/Type0/BaseFont/{face.name}/Encoding/Identity-H"
        f"/DescendantFonts[{outlines} 0 R]/ToUnicode {unicode} 0 R>>".encode()
    )


def _to_unicode(glyphs: Sequence[tuple[int, str]]) -> bytes:
    rows = [f"<{glyph:04X}> <{c.encode('utf-16-be').hex()}>" for glyph, c in glyphs]
    blocks = (rows[i : i + 100] for i in range(0, len(rows), 100))
    body = "\n".join("\n".join((f"{len(b)} beginbfchar", *b, "endbfchar")) for b in blocks)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n"
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{body}\nendcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode("ascii")
