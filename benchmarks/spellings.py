"""Write the table of spellings that ships with gaitdyn from the list of labels as met.

python benchmarks/spellings.py

One row a landmark and core: the sources that use it, so that a weight by independent sources, and
a table without one laboratory, can be had from it.
"""

from __future__ import annotations

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MET = ROOT.parent / "shared" / "specs" / "vocabulary.csv"
OURS = ROOT / "gaitdyn" / "resources" / "landmarks" / "spellings.csv"

Row = tuple[str, str, str, str]

OWN: dict[Row, str] = {
    ("SACR", "L5S1", "real", "midline"): "running-laboratories",
    ("SACR", "VSA", "real", "midline"): "cut-labels",
}
"""Spellings beside those of the list, and where they come from."""


def main() -> None:
    """Gather the sources of each landmark, core, kind and sidedness, and write them."""
    found: dict[Row, set[str]] = {}
    with MET.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["core"]:
                sided = "midline" if row["side_rule"] == "midline" else "sided"
                key = (row["landmark"], row["core"], row["kind"], sided)
                found.setdefault(key, set()).add(row["source"])
    for key, source in OWN.items():
        found.setdefault(key, set()).add(source)
    lines = ["landmark,core,kind,side,sources"]
    lines += [f"{','.join(key)},{' '.join(sorted(who))}" for key, who in sorted(found.items())]
    OURS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(found)} rows in {OURS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
