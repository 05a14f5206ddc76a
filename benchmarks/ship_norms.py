"""Write the published reference sets that ship with gaitdyn, in its own format.

usage: python benchmarks/ship_norms.py
Reads ../shared/norms (tables by signal and plane with manifest.json) and writes
gaitdyn/resources/norms/*.csv and NOTICE: published means and SDs with citation and corrections.
"""

from __future__ import annotations

import json
import sys

import page
from usage import help_shown

from gaitdyn.metrics.norms.build import norm_text
from gaitdyn.metrics.norms.files import read_norm

NORMS = page.SHARED / "norms"
OUT = page.ROOT / "gaitdyn" / "resources" / "norms"
CAVEAT = "It does not say how many. No set of adults ships: a difference may be that of age."
SETS = {
    "schwartz2008": (
        "83 typically developing children of 4 to 17 years; five groups of speed",
        (),
        "Hip and knee moments have an impact spike at 2 % and are judged from 6 % on.",
    ),
    "pinzone2014": (
        "children of 11.0 (2.6) years, 1.27 m/s, second of two centres",
        ("centre_1",),  # the laboratory of Schwartz 2008
        CAVEAT,
    ),
}


def main() -> int:
    """Write the sets and the notice."""
    if not NORMS.is_dir():
        print("needs ../shared/norms, which is not here")
        return 1
    manifest = json.loads((NORMS / "manifest.json").read_text(encoding="utf-8"))
    OUT.mkdir(parents=True, exist_ok=True)
    notice = [
        "Published means and standard deviations of healthy walkers, re-expressed in gaitdyn's own",
        "format (docs/norms.md) by benchmarks/ship_norms.py. The numbers are facts of the papers",
        "below, which are to be cited; the supplements state no licence.",
        "",
    ]
    for name, (people, without, caveat) in SETS.items():
        entry, norm = manifest[f"{name}.csv"], read_norm(NORMS / f"{name}.csv")
        groups = [group for group in norm.groups if group.name not in without]
        source = f"{entry['title']}; {people}. {caveat}"
        text = norm_text(groups, source, in_house=False)
        (OUT / f"{name}.csv").write_text(text, encoding="utf-8", newline="\n")
        notice += [f"{name}.csv", f"  {entry['title']}", f"  {people}", f"  {caveat}"]
        notice += [f"  corrected: {told}" for told in entry.get("corrections", ())]
        notice += [f"  left out: {', '.join(without)}: {entry['note']}"] if without else []
        notice.append("")
        print(f"{name}: {len(groups)} groups, {len(text) / 1000:.0f} kB")
    (OUT / "NOTICE").write_text("\n".join(notice), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
