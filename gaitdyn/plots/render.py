"""Draw sheets with the figures of matplotlib, for letters that our typeface lacks."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from io import BytesIO
from itertools import groupby
from logging import ERROR, getLogger
from pathlib import Path
from warnings import catch_warnings, filterwarnings

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform

from gaitdyn.errors import UsageError
from gaitdyn.plots.marks import Area, Line, Sheet, Stroke, TextLine
from gaitdyn.plots.png import DPI
from gaitdyn.plots.typeface import typeface

_MM_PER_INCH = 25.4
_TOP = 50


class ShownFigure(Figure):
    """A figure that a notebook shows even if ``matplotlib.pyplot`` was not imported."""

    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        self.savefig(stream, format="png")
        return stream.getvalue()

    def show(self, warn: bool = True) -> None:  # noqa: ARG002  as matplotlib has it
        """Refuse to open a window, which only figures of ``matplotlib.pyplot`` have.

        Raises
        ------
        UsageError
        """
        raise UsageError(
            "found show(), which opens a window for figures of matplotlib.pyplot alone; write this"
            ' one with savefig("knee.png"), or name it in the last line of a notebook\'s cell'
        )


def figure_of(sheet: Sheet, dpi: float = DPI) -> Figure:
    """Return a sheet as a matplotlib figure; lines of one stroke are one artist."""
    size = sheet.width_mm / _MM_PER_INCH, sheet.height_mm / _MM_PER_INCH
    figure = ShownFigure(figsize=size, dpi=dpi, facecolor="white")
    FigureCanvasAgg(figure)
    to_page = Affine2D().scale(1.0 / _MM_PER_INCH) + figure.dpi_scale_trans
    _add_areas(figure, [mark for mark in sheet.marks if isinstance(mark, Area)], to_page)
    _add_lines(figure, [mark for mark in sheet.marks if isinstance(mark, Line)], to_page)
    _add_words(figure, [mark for mark in sheet.marks if isinstance(mark, TextLine)], to_page)
    return figure


def png_bytes(sheet: Sheet, dpi: float = DPI) -> bytes:
    """Return a sheet as PNG; DejaVu Sans supplies letters that our typeface lacks."""
    stream = BytesIO()
    with _boxes_for_unknown_letters():
        FigureCanvasAgg(figure_of(sheet, dpi)).print_png(
            stream, metadata={"Software": "gaitdyn"}, pil_kwargs={"compress_level": 2}
        )
    return stream.getvalue()


def write_pdf(sheets: Sequence[Sheet], target: Path | BytesIO, title: str) -> None:
    """Write sheets as the pages of a PDF; DejaVu Sans supplies letters that our typeface lacks.

    Parameters
    ----------
    sheets : sequence of Sheet
    target : Path or BytesIO
    title : str
        Title in the document properties.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages

    metadata = {"Title": title, "Creator": "gaitdyn", "CreationDate": None}
    with (
        _boxes_for_unknown_letters(),
        rc_context({"pdf.fonttype": 42}),
        PdfPages(target, metadata=metadata) as pages,
    ):
        for sheet in sheets:
            pages.savefig(figure_of(sheet))


@cache
def _font_name(*, bold: bool) -> str:
    """Return the name of our typeface, after adding it to matplotlib's fonts once."""
    weight, name = (600, "Inter Semi Bold") if bold else (400, "Inter")
    with as_file(files("gaitdyn") / "resources" / "type" / f"inter-{weight}.ttf") as path:
        fontManager.addfont(path)
    return name


@cache
def _font(size_pt: float, *, bold: bool, plain: bool) -> FontProperties:
    """Return a font; unless the text is plain, DejaVu Sans supplies missing letters."""
    family = [_font_name(bold=bold), *(() if plain else ("DejaVu Sans",))]
    return FontProperties(family=family, size=size_pt, weight=600 if bold else 400)


@contextmanager
def _boxes_for_unknown_letters() -> Generator[None]:
    """Draw boxes for letters that both typefaces lack, without any warning."""
    logger = getLogger("matplotlib.font_manager")
    level = logger.level
    logger.setLevel(ERROR)
    try:
        with catch_warnings():
            filterwarnings("ignore", r"Glyph .* missing from (current )?font")
            yield
    finally:
        logger.setLevel(level)


def _add_areas(figure: Figure, areas: list[Area], to_page: Transform) -> None:
    for (colour, alpha), group in groupby(areas, key=lambda area: (area.colour, area.alpha)):
        patches = PolyCollection(
            [area.points for area in group], facecolors=colour, alpha=alpha, linewidths=0, zorder=0
        )
        patches.set_transform(to_page)
        figure.add_artist(patches)


def _add_lines(figure: Figure, lines: Iterable[Line], to_page: Transform) -> None:
    groups: dict[Stroke, list[Line]] = {}
    for line in lines:
        groups.setdefault(line.stroke, []).append(line)
    for stroke, group in groups.items():
        collection = LineCollection(
            [line.points for line in group],
            colors=stroke.colour,
            linewidths=stroke.width_pt,
            linestyles=(0, stroke.dash) if stroke.dash else "solid",
            zorder=stroke.level,
            alpha=stroke.alpha,
            capstyle="butt",
            joinstyle="round",
        )
        collection.set_transform(to_page)
        figure.add_artist(collection)


def _add_words(figure: Figure, words: Iterable[TextLine], to_page: Transform) -> None:
    for word in words:
        plain = typeface(bold=word.bold).has(word.text)
        font = _font(word.size_pt, bold=word.bold, plain=plain)
        text = Text(
            word.x,
            word.y,
            word.text,
            color=word.colour,
            fontproperties=font,
            horizontalalignment=word.align,
            verticalalignment="baseline",
            rotation=90 if word.turned else 0,
            rotation_mode="anchor",
            parse_math=False,
            zorder=_TOP,
        )
        text.set_transform(to_page)
        figure.add_artist(text)
