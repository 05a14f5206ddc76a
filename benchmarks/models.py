"""The marker models that ship with gaitdyn and the rungs, as the tables of docs/marker-models.md.

usage: python benchmarks/models.py
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from usage import help_shown

from gaitdyn.calibrate.ladder.rungs import RUNGS
from gaitdyn.calibrate.models.files import shipped_models

if TYPE_CHECKING:
    from gaitdyn.types.marker_model import MarkerModel

_FIRST = "L"
_JOURNAL = re.compile(r"(?<=\d{4}), (?=[A-Z]).*")


def centre(model: MarkerModel, stored: str, lateral: str, medial: str) -> str:
    """Return how a joint centre is found: what is tried first stands first."""
    ways = []
    if _FIRST + stored in model.labels:
        ways.append("stored")
    if {_FIRST + lateral, _FIRST + medial} <= set(model.labels):
        ways.append("middle of both markers")
    elif _FIRST + lateral in model.labels:
        ways.append("width, with wand if any, else usual width")
    return ", else ".join(ways) or "none"


def row(model: MarkerModel) -> list[str]:
    """Return the cells of one model."""
    if model.engine == "chord":
        return [f"`{model.name}`", model.title, *["width and wand"] * 2, "Davis", "wands"]
    if model.engine == "sagittal":
        by_centres = _FIRST + "HJC" in model.labels
        ways = ["stored"] * 3 if by_centres else [*["lateral marker"] * 2, "trochanter"]
        return [f"`{model.name}`", model.title, *ways, "nothing"]
    tracked = (f"{segment} {len(model.tracking[segment])}" for segment in model.tracking)
    return [
        f"`{model.name}`",
        model.title,
        centre(model, "AJC", "ANK", "MED"),
        centre(model, "KJC", "KNE", "KNM"),
        "stored, else Harrington" if _FIRST + "HJC" in model.labels else "Harrington",
        ", ".join(tracked),
    ]


def rung_table() -> list[str]:
    """Return the table of the rungs, best first, and below it their sources in full."""
    head = ["of", "rung", "needs", "what is done", "source", "angle, deg", "moment, N m/kg"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for rung in RUNGS:
        coarse = " (coarse)" if rung.coarse else ""
        cells = [
            rung.place,
            f"`{rung.name}`{coarse}",
            ", ".join(rung.needs),
            rung.rule,
            _JOURNAL.sub("", rung.source),
        ]
        cells += [f"{rung.angle_deg:g}", f"{rung.moment_nm_kg:g}"]
        lines.append("| " + " | ".join(cells) + " |")
    papers = {r.source.split("; ")[-1] for r in RUNGS if _JOURNAL.search(r.source)}
    return [*lines, "", f"Sources: {'; '.join(sorted(papers))}."]


def main() -> int:
    """Print the tables: models in the order in which they are tried, and rungs."""
    head = ["name", "markers", "ankle centre", "knee centre", "hip centre", "tracked by"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for model in shipped_models():
        print("| " + " | ".join(row(model)) + " |")
    print("\n" + "\n".join(rung_table()))
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
