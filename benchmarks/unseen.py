"""Every walk of the corpus as if its laboratory had never been met.

usage: python benchmarks/unseen.py    writes reports/validation/unseen.md

Each trial goes through ``process_trial`` three times: with default options; by its landmarks alone
(``--model ladder``), no marker model known by its labels; and so with all rows taken out of the
table of spellings that its laboratory alone contributed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
from page import SHARED, need_shared, stamp, table, write
from reach import SOURCES
from usage import help_shown
from verdicts import walks

from gaitdyn.calibrate.ladder.model import LADDER
from gaitdyn.errors import GaitdynError
from gaitdyn.landmarks import shipped_vocabulary
from gaitdyn.pipeline import process_trial
from gaitdyn.tables.answers import curves_of
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from gaitdyn.landmarks import Vocabulary
    from gaitdyn.trial import Result

LABORATORIES = {
    "BMC": "bmc-cortex",
    "BTK-A": "pig",
    "BTK-B": "pig",
    "BTK-D": "pig",
    "BTS-ezc3d": "bts",
    "Coda": "coda",
    "OpenSim": "opensim-uwa",
    "Qualisys-ezc3d": "qualisys-ezc3d",
    "UNIPD2": "unipd",
    "c3d.org-Qualisys": "qualisys-hybrid",
    "c3d.org-sample03": "sample03",
}
"""Folder of the corpus -> its name in reach.py, where it is not its own in small letters."""

TEXT = """\
Every walk of the corpus three times: with default options (known); by its landmarks alone, no
marker model known by its labels (`--model ladder`); and so with every spelling taken out of the
table that its laboratory alone contributed (never met; a laboratory with the labels of a published
set has none of its own). Curves: columns of `timeseries.csv` in which anything is known.
Differences are the largest in any frame between the last two; where a marker model has definitions
of its own, the first may differ from them.
Labels alone, one by one: [reach.md](reach.md); events, one laboratory at a time left out:
`python benchmarks/events_by_laboratory.py`; laboratories that are made:
[laboratories.md](laboratories.md)."""


@dataclass(frozen=True)
class Met:
    """What came of one trial."""

    verdict: str
    curves: dict[str, np.ndarray]
    units: dict[str, str]


def met(file: str, vocabulary: Vocabulary, model: str = LADDER, *, judged: bool = True) -> Met:
    """Return what comes of a trial with a table of spellings; without a verdict if not judged."""
    with patch("gaitdyn.landmarks.resolver.shipped_vocabulary", lambda: vocabulary):
        try:
            result: Result = process_trial(SHARED / "corpus" / file, Options(model=model))
            verdict = result.verdict if judged else ""
        except GaitdynError as error:
            return Met(f"refused: {error}", {}, {})
    known = [c for c in curves_of(result) if np.isfinite(c.values).any()]
    values = {c.name: np.asarray(c.values) for c in known}
    return Met(verdict, values, {c.name: c.unit for c in known})


def apart(one: Met, other: Met, unit: str) -> str:
    """Return the largest difference of the curves of a unit that both have."""
    names = [n for n in one.curves if one.units[n] == unit and n in other.curves]
    worst = 0.0
    for name in names:
        gap = np.abs(one.curves[name] - other.curves[name])
        gap = np.minimum(gap, 360.0 - gap) if unit == "deg" else gap
        worst = max(worst, float(np.nanmax(gap, initial=0.0)))
    return f"{worst:.2g}" if names else ""


def row_of(file: str) -> tuple[str, ...]:
    """Return the row of one trial."""
    folder = file.split("/")[1]
    name = LABORATORIES.get(folder, folder.lower())
    own, shipped = SOURCES.get(name, name), shipped_vocabulary()
    left = shipped.without(own) if own else shipped
    known, without = met(file, shipped, "auto"), met(file, left)
    with_own = met(file, shipped, judged=False) if own else without
    counts = f"{len(without.curves)} of {len(known.curves)}"
    verdicts = (known.verdict[:90], without.verdict[:90])
    return (file, own or "none", *verdicts, counts, apart(with_own, without, "deg"),
            apart(with_own, without, "N m"))  # fmt: skip


def _fewer(counts: str) -> bool:
    found, _, wanted = counts.partition(" of ")
    return int(found) < int(wanted)


def main() -> int:
    """Process every walk thrice, and write the page."""
    if not need_shared("accept", "landmarks.csv"):
        return 1
    rows = [row_of(file) for file in walks()]
    same = sum(row[2] == row[3] and not _fewer(row[4]) for row in rows)
    refused = sum(row[3].startswith("refused") for row in rows)
    head = (
        "trial", "left out", "verdict, known", "verdict, never met", "curves", "deg", "N m"
    )  # fmt: skip
    result = (
        f"{len(rows)} walks, never met: {len(rows) - refused} processed, {refused} refused; {same}"
        " have the same verdict and no fewer curves than with their spellings known."
    )
    title = "# Laboratories as if they had never been met"
    lines = [title, "", *stamp("python benchmarks/unseen.py"), TEXT, "", result, ""]
    write("unseen", [*lines, *table(head, rows)])
    print(result)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
