"""The verdict of every trial of the corpus, and why it is not pass.

usage: python benchmarks/verdicts.py    writes reports/validation/verdicts.md

Every walk of ../shared/corpus/gait goes through ``process_trial`` with default options. Nothing of
the files is copied but what the findings say of them.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from page import SHARED, need_shared, stamp, table, write

from gaitdyn import pipeline
from gaitdyn.errors import GaitdynError
from gaitdyn.quality.rules.check import checked
from gaitdyn.store.document import document_of

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

OPENING = """Every walk of the corpus with default options. A warning stands once a trial; several
of one code are counted. `n` is the number of gait cycles that are known. What a code means and
what to do: [docs/quality.md](../../docs/quality.md)."""


def walks() -> list[str]:
    """Return the walks of the catalogue, from the folder of the corpus."""
    with (SHARED / "corpus" / "catalogue.csv").open(newline="", encoding="utf-8") as file:
        return [row["file"] for row in csv.DictReader(file) if row["role"] == "dynamic"]


COSTS: list[float] = []
"""Processor time of all rules of each trial, ms."""


def _timed(result: Result) -> Result:
    started = time.process_time()
    found = checked(result)
    _ = found.findings  # those that are asked for late, too
    COSTS.append(1000 * (time.process_time() - started))
    return found


def judged(path: Path) -> tuple[str, list[str], list[str]]:
    """Return the verdict of a trial, its words by side and quantity, and its warnings."""
    try:
        result = pipeline.process_trial(path)
    except GaitdynError as error:
        return "refused", [], [str(error)]
    told = document_of(result)
    words = [f"{v['side']} {v['quantity']} {v['word']} (n {v['cycles']})" for v in told["verdicts"]]
    serious = [f for f in result.findings if f.level != "info"]
    counts = Counter(f.code for f in serious)
    first = {f.code: f"{f.scope}: {f.message}" for f in reversed(serious)}
    why = [
        f"`{code}`{f' ({n})' if n > 1 else ''}: {first[code]}" for code, n in counts.most_common()
    ]
    lacking = [
        reason
        for v in told["verdicts"]
        if v["word"] != "pass"
        for reason in v["reasons"]
        if reason.split(":")[0] not in counts
    ]
    return str(result.verdict), words, [*why, *dict.fromkeys(lacking)]


def main() -> int:
    """Write the page."""
    if not need_shared("corpus", "catalogue.csv"):
        return 1
    pipeline.checked = _timed
    rows: list[tuple[str, ...]] = []
    text: list[str] = []
    for name in walks():
        word, sides, why = judged(SHARED / "corpus" / name)
        rows.append((name.removeprefix("gait/"), word, "; ".join(sides)))
        if word != "pass" or why:
            text += [
                f"### {name.removeprefix('gait/')}: {word}",
                "",
                *(f"- {one}" for one in why),
                "",
            ]
    counts = Counter(word for _, word, _ in rows)
    told = ", ".join(f"{n} {word}" for word, n in counts.most_common())
    lines = [
        "# Verdicts of the corpus as it is",
        "",
        *stamp("python benchmarks/verdicts.py"),
        OPENING,
        "",
        f"{len(rows)} walks: {told}.",
        "",
        (
            f"All rules together: {np.median(COSTS):.0f} ms a trial in the median,"
            f" {max(COSTS):.0f} ms at most (processor time)."
        ),
        "",
        *table(("trial", "verdict", "by side and quantity"), rows),
        "",
        "## Why",
        "",
        *text,
    ]
    write("verdicts", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
