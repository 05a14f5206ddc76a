"""Figures of the pages of the seed documents: one look, small files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

if TYPE_CHECKING:
    from matplotlib.axes import Axes

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images" / "seeds"
INK, GREY, PALE = "#222222", "#8A8A8A", "#D5D5D5"
BLUE, RED, GREEN, GOLD, VIOLET = "#0057B8", "#C1272D", "#1B6E3C", "#B07A00", "#6A3D9A"
COLOURS = (BLUE, RED, GREEN, GOLD, VIOLET, "#3D8B8B")
LARGEST_BYTES = 80_000
_SETTINGS = {"labelsize": 8, "colors": INK}


def panels(rows: int, columns: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure and its axes, row by row; sizes in inches."""
    figure = Figure((width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for one in axes:
        one.tick_params(**_SETTINGS)
        one.spines[["top", "right"]].set_visible(False)
        one.grid(visible=True, color="#EEEEEE", lw=0.6)
        one.set_axisbelow(True)
    return figure, axes


def label(axes: Axes, title: str, x: str = "", y: str = "") -> None:
    """Write title and axes of a panel."""
    axes.set_title(title, fontsize=9, loc="left")
    axes.set_xlabel(x, fontsize=8)
    axes.set_ylabel(y, fontsize=8)


def legend(axes: Axes, **where: Any) -> None:
    """Draw a legend without a frame."""
    axes.legend(fontsize=7.5, frameon=False, **where)


def sticks(axes: Axes, lines: Any, colour: str, *, alpha: float = 1.0, lw: float = 1.0) -> None:
    """Draw stick figures (n, points, 2), the last one dark."""
    for i, line in enumerate(lines):
        strong = i == len(lines) - 1
        axes.plot(
            *line.T, color=colour, alpha=1.0 if strong else alpha,
            lw=1.8 * lw if strong else lw, solid_capstyle="round",
        )  # fmt: skip
    axes.set_aspect("equal")


def save(figure: Figure, name: str) -> None:
    """Write a figure with a small palette; refuse one that is too large."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    held = io.BytesIO()
    figure.savefig(held, format="png", dpi=120, facecolor="white")
    held.seek(0)
    path = IMAGES / f"{name}.png"
    with Image.open(held) as drawn:
        small = drawn.convert("RGB").quantize(96, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
    size = path.stat().st_size
    if size > LARGEST_BYTES:
        raise ValueError(f"{path.name} has {size} bytes, wanted at most {LARGEST_BYTES}")
