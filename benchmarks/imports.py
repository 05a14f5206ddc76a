"""Which package imports which, drawn for docs/developing.md.

usage: python benchmarks/imports.py [FOLDER]

Writes imports.png into docs/images. A row is a package, in the order of the layers in
``pyproject.toml``, the highest first; a shaded cell says how many of its modules import one of the
package in that column. Imports that are only made when a function runs count, those for type
checkers do not. All lie right of the diagonal, which is downwards, except those that
``pyproject.toml`` names.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import grimp
import numpy as np
from page import ROOT
from usage import help_shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

IMAGES = ROOT / "docs" / "images"
ROOTS = ("gaitdyn", "gaitdyn_cli")
DPI = 150


def packages() -> list[str]:
    """Return the packages in the order of the layers, the highest first."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [name.strip() for layer in layers for name in layer.split("|")]


def imports(names: list[str]) -> NDArray[np.int_]:
    """Return how many modules of each package import one of each other, importers as rows."""
    graph = grimp.build_graph(*ROOTS, exclude_type_checking_imports=True, cache_dir=None)

    def package_of(module: str) -> str:
        return next((n for n in names if f"{module}.".startswith(f"{n}.")), "")

    pairs = {
        (module, package_of(imported))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    }
    found = Counter((package_of(module), imported) for module, imported in pairs)
    return np.array([[found[row, column] * (row != column) for column in names] for row in names])


def draw(names: list[str], counts: NDArray[np.int_], path: Path) -> None:
    """Write the picture."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    short = [name.removeprefix("gaitdyn.") for name in names]
    with mpl.rc_context({"font.size": 7}):
        figure = Figure(figsize=(7.4, 7.4), layout="constrained")
        axes = figure.subplots()
        axes.imshow(np.where(counts, np.log(1.0 + counts), np.nan), cmap="Blues", vmin=-1.0)
        for row, column in zip(*np.nonzero(counts), strict=True):
            colour = "white" if counts[row, column] > counts.max() / 4 else "black"
            text = str(counts[row, column])
            axes.text(column, row, text, fontsize=5, color=colour, ha="center", va="center")
        axes.plot([-0.5, len(names) - 0.5], [-0.5, len(names) - 0.5], color="0.6", linewidth=0.8)
        axes.set_xticks(range(len(names)), short, rotation=90)
        axes.set_yticks(range(len(names)), short)
        axes.set_xlabel("is imported")
        axes.set_ylabel("imports (number of its modules that do)")
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.xaxis.set_label_position("top")
        axes.set_xticks(np.arange(len(names) + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(len(names) + 1) - 0.5, minor=True)
        axes.grid(which="minor", color="0.9", linewidth=0.4)
        axes.tick_params(which="minor", length=0)
        figure.savefig(path, dpi=DPI)


def main(folder: Path = IMAGES) -> None:
    """Draw the picture."""
    names = packages()
    draw(names, imports(names), folder / "imports.png")


if __name__ == "__main__":
    help_shown(__doc__)
    main(*map(Path, sys.argv[1:]))
