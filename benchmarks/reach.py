"""Labels against the truth of 24 laboratories, each left out of the spellings in its turn.

python benchmarks/reach.py [--list]
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import perf_counter

from gaitdyn.io.recording import read_recording
from gaitdyn.landmarks import resolve, shipped_vocabulary
from gaitdyn.types.landmarks import Resolution
from gaitdyn.types.recording import Recording

sys.path.insert(0, str(Path(__file__).resolve().parent))

from trc_points import read_trc  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
PAGE = ROOT / "reports" / "validation" / "reach.md"

SOURCES = {"coda": "codamotion", "pycgm2": "cgm2", "pig": "", "stanford-walk": ""}
"""Laboratory of the truth -> its name among the sources; empty: nothing is left out."""

ALIKE = {"MT2H": "TOE", "HLX": "TOE"}

Truth = tuple[str, int, str, str]


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
            count.misses.append(f"{file}: {label} is {landmark}; missed: {why.get(place, '')}")
        elif (same(mark.code), mark.side or "") == (same(landmark), side):
            count.right += 1
        else:
            told = any(label in finding.scope for finding in found.findings)
            count.wrong += 1
            count.silent += not told
            said = "said" if told else "silent"
            count.misses.append(
                f"{file}: {label} is {landmark}; taken for {mark.code} {mark.side} ({said}): {mark.why}"
            )


def same(code: str) -> str:
    """Return one code for toe, second metatarsal head and hallux."""
    return ALIKE.get(code, code)


def main() -> None:
    """Measure all laboratories and write the page."""
    listing = "--list" in sys.argv
    all_truth = truths()
    for left_out in (False, True):
        start = perf_counter()
        counts = {
            lab: measure(lab, files, left_out=left_out) for lab, files in sorted(all_truth.items())
        }
        total = sum(c.total for c in counts.values())
        right = sum(c.right for c in counts.values())
        wrong = sum(c.wrong for c in counts.values())
        silent = sum(c.silent for c in counts.values())
        print(
            f"left out {left_out}: right {right}/{total} {100 * right / total:.2f} %, wrong {wrong}, silent {silent}, findings {sum(c.findings for c in counts.values())}, {perf_counter() - start:.1f} s"
        )
        for lab, c in counts.items():
            print(
                f"  {lab:18s} {c.right:4d}/{c.total:4d} {100 * c.right / c.total:6.1f} wrong {c.wrong} silent {c.silent} findings {c.findings}"
            )
            if listing:
                for miss in c.misses:
                    print("       ", miss)


if __name__ == "__main__":
    main()
