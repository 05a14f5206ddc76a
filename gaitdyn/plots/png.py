"""Draw sheets as PNG with matplotlib's Agg, without figures; words are outlines of our typeface.

One artist per line and word, with the layout of every word (:mod:`gaitdyn.plots.render`), takes six
times as long. Words are set as in :mod:`gaitdyn.plots.pdf`.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.ft2font import FT2Font
from matplotlib.path import Path as Outline
from matplotlib.transforms import IdentityTransform

from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Sheet, TextLine, layers, rectangle
from gaitdyn.plots.pdf import has_letters, set_words
from gaitdyn.plots.typeface import typeface

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from gaitdyn.types.arrays import Array

    Pixels: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
    Codes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

DPI = 110
_MM_PER_INCH = 25.4
_PT_PER_INCH = 72.0
_EM = 1000
"""Size, in pixels, at which outlines are read: so large that hinting does not move them."""

_LEVEL = 2
"""Level of compression (fast)."""

_SAME = IdentityTransform()


def png_bytes(sheet: Sheet, dpi: float = DPI) -> bytes:
    """Return a sheet as PNG, with the slower renderer if our typeface lacks a letter."""
    if not has_letters([sheet]):
        from gaitdyn.plots.render import png_bytes

        return png_bytes(sheet, dpi)
    page = _PixelPage(sheet, dpi)
    behind, areas, before, words = layers(sheet)
    page.draw_lines(behind)
    page.draw_areas(areas)
    page.draw_lines(before)
    page.draw_words(words)
    return _packed(page.pixels, dpi)


def write_pngs(
    sheets: Mapping[str, Sheet], folder: Path, dpi_of: Callable[[Sheet], float] = lambda _: DPI
) -> list[Path]:
    """Write sheets as PNG under their names and return the files.

    Parameters
    ----------
    sheets : mapping
        Name of a file without its ending -> sheet.
    folder : Path
        Created if it does not exist.
    dpi_of : callable
        Resolution of a sheet.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.png" for name in sheets}
    for name, path in paths.items():
        path.write_bytes(png_bytes(sheets[name], dpi_of(sheets[name])))
    return list(paths.values())


class _PixelPage:
    """A white page of pixels on which marks are drawn."""

    def __init__(self, sheet: Sheet, dpi: float) -> None:
        self._per_mm = dpi / _MM_PER_INCH
        size = sheet.width_mm, sheet.height_mm
        columns, rows = (int(length * self._per_mm) for length in size)
        self._agg = RendererAgg(columns, rows, dpi)
        self.draw_areas([Area(rectangle(-1.0, -1.0, size[0] + 1.0, size[1] + 1.0), "#FFFFFF")])

    @property
    def pixels(self) -> Pixels:
        """Red, green and blue, shape (rows, columns, 3)."""
        return np.asarray(self._agg.buffer_rgba())[..., :3]

    def draw_lines(self, lines: Iterable[Line]) -> None:
        """Draw lines over each other; dash lengths are in line widths."""
        for stroke, group in groupby(lines, key=lambda line: line.stroke):
            gc = self._agg.new_gc()
            gc.set_linewidth(stroke.width_pt)
            gc.set_dashes(0, [stroke.width_pt * part for part in stroke.dash] or None)
            gc.set_capstyle("butt")
            gc.set_joinstyle("round")
            gc.set_alpha(stroke.alpha)
            gc.set_foreground(stroke.colour)
            for line in group:
                self._agg.draw_path(gc, Outline(self._per_mm * line.points), _SAME)

    def draw_areas(self, areas: Iterable[Area]) -> None:
        """Fill areas."""
        for area in areas:
            self._fill(Outline(self._per_mm * area.points), area.colour, area.alpha)

    def draw_words(self, words: Iterable[TextLine]) -> None:
        """Fill the outlines of words, those of one colour together."""
        for colour, group in groupby(words, key=lambda word: word.colour):
            outlines = [part for word in group for part in _outlines(word)]
            if outlines:
                points, codes = (np.concatenate(x) for x in zip(*outlines, strict=True))
                self._fill(Outline(self._per_mm * points, codes), colour, snap=False)

    def _fill(
        self, outline: Outline, colour: str, alpha: float = 1.0, *, snap: bool | None = None
    ) -> None:
        """Fill an outline; by default an upright rectangle snaps to whole pixels."""
        gc = self._agg.new_gc()
        gc.set_linewidth(0.0)
        gc.set_alpha(alpha)
        gc.set_snap(snap)
        red, green, blue = (int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
        self._agg.draw_path(gc, outline, _SAME, (red, green, blue))


def _outlines(word: TextLine) -> Iterable[tuple[Array, Codes]]:
    """Yield the outline of each letter at its position, mm, with its codes."""
    face, height = typeface(bold=word.bold), word.size_pt * MM_PER_PT
    offset, pieces = set_words(word)
    position = -offset
    for text, size, raised in pieces:
        for letter in text:
            points, codes = _outline(face.glyph(letter), bold=word.bold)
            if len(codes):
                outline = size * points + (position, raised)
                turned = outline[:, ::-1] * (-1.0, 1.0) if word.turned else outline
                yield height * turned + (word.x, word.y), codes
            position += size * face.width(letter)


@cache
def _outline(glyph: int, *, bold: bool) -> tuple[Array, Codes]:
    """Return the outline of a glyph, in sizes of the type, and its codes; empty for a space."""
    font = _font(bold=bold)
    font.load_glyph(glyph)  # pyrefly: ignore[bad-argument-type]
    points, codes = font.get_path()
    return points / _EM, codes.astype(np.uint8)


@cache
def _font(*, bold: bool) -> FT2Font:
    font = FT2Font(BytesIO(typeface(bold=bold).content))
    font.set_size(_EM, _PT_PER_INCH)
    return font


def _packed(pixels: Pixels, dpi: float) -> bytes:
    """Return pixels as PNG with unfiltered rows (ISO/IEC 15948:2004)."""
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)
    for i in range(3):
        lines[:, 1 + i :: 3] = pixels[..., i]
    per_metre = round(dpi * 1000.0 / _MM_PER_INCH)
    chunks: Sequence[tuple[bytes, bytes]] = (
        (b"IHDR", struct.pack(">2I5B", columns, rows, 8, 2, 0, 0, 0)),
        (b"pHYs", struct.pack(">2IB", per_metre, per_metre, 1)),
        (b"tEXt", b"Software\0gaitdyn"),
        (b"IDAT", zlib.compress(lines.tobytes(), _LEVEL)),
        (b"IEND", b""),
    )
    encoded = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(encoded)
