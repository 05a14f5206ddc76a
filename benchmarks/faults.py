"""Which quality rule catches which fault: known faults put into real trials.

usage: python benchmarks/faults.py     writes reports/validation/faults.md

Every trial is read once; a fault alters the recordings in memory between reading and processing
(:func:`gaitdyn.pipeline.process_loaded`). Files: ../shared/corpus.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from fault_list import FAULTS, TIMED
from faults_unseen import NOBODY, UNSEEN, shift_table
from faulty_trials import CORPUS, ROOT, TRIALS, judged, markdown, outcome, read, untouched
from usage import help_shown
from walkers.laboratory import laboratory
from walkers.laboratory_files import walker_of, write_laboratory

from gaitdyn.audit.legs import audit_of
from gaitdyn.pipeline import process_loaded
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import newtonian
from gaitdyn.types.options import Options

OPENING = """# Faults and the rules that catch them

Known faults put into real trials in memory, between reading and processing; the codes of warnings
and errors that the untouched trial does not have, and the verdict. The page is written by
`python benchmarks/faults.py`; the rules are in [quality.md](../../docs/quality.md).

"""


def table() -> str:
    """Return faults by trials in Markdown."""
    lines = [["fault", *TRIALS], ["---"] * (len(TRIALS) + 1)]
    for fault in FAULTS:
        row = [fault]
        for name in TRIALS:
            before = untouched(name)
            final, codes = before if fault == "untouched" else outcome(*read(name), fault)
            new = codes if codes is before[1] else [c for c in codes if c not in before[1]]
            row.append(f"{final}: {', '.join(new) or 'nothing'}")
        lines.append(row)
    return markdown(lines)


def audit_table() -> str:
    """Return what the audit measures at the worst segment, untouched and with labels exchanged."""
    head = ("trial", "fault", "largest window, deg", "power without a source", "power of slip")
    lines = [head, ("---",) * len(head)]
    for name in TRIALS:
        session, options = read(name)
        options = replace(options, publish_anyway=True)  # what is emptied is not audited
        for fault in ("untouched", "LKNE and LTIB swapped for 0.3 s"):
            legs = audit_of(process_loaded(FAULTS[fault](session), options)).values()
            drift = max(d.largest_deg for leg in legs for d in leg.closure.values())
            powers = [balance for leg in legs for balance in leg.energy.values()]
            lost, slip = (
                max(getattr(balance, key) / balance.throughput_w for balance in powers)
                for key in ("rest_w", "rms_w")
            )
            lines.append((name, fault, f"{drift:.2g}", f"{lost:.1g}", f"{slip:.2g}"))
    return markdown(lines)


LABORATORIES = (2, 5, 10, 13, 14, 16, 24)
"""Seeds of generated laboratories with two or three plates; five of them have no events."""

GENERATED = """
Force against acceleration where both are known: walks of generated laboratories whose bodies move
as the forces on their feet ask (`newtonian(walker_of(laboratory(SEED)))`, `benchmarks/walkers`).

"""


def laboratory_table() -> str:
    """Return faults of time and gain on generated laboratories, in Markdown."""
    lines = [["laboratory", "untouched", *TIMED], ["---"] * (len(TIMED) + 2)]
    for seed in LABORATORIES:
        lab = laboratory(seed)
        with tempfile.TemporaryDirectory() as folder:
            files = write_laboratory(Path(folder), lab, newtonian(walker_of(lab)))
            options = Options(
                static=str(files.static) if files.static else None,
                mass_kg=files.truth.walker.body.mass_kg,
            )
            session = read_session(files.walk, options)
        before = set(judged(process_loaded(session, options))[1])
        row = [f"{seed}, {lab.rung}", ", ".join(sorted(before)) or "nothing"]
        for change in TIMED.values():
            new = set(judged(process_loaded(change(session), options))[1]) - before
            row.append(", ".join(sorted(new)) or "nothing")
        lines.append(row)
    return markdown(lines)


AUDIT = """
What the rules of the audit measure, the largest of all segments: angle at the end of a 50 ms window
of forward dynamics; power without a source and power of slipping joint centres, as parts of the
power through the joint.

"""
REFERENCES = """
Scaled forces need a reference. BTK-A and McGill have a static on plates (`force-against-static`,
`mass-differs`), and all four have 0.6 s of walking with all standing feet on plates
(`force-against-mass`). BTK-A carries 5 % less than the body mass as recorded, in the static 3 %
less, so that 1.1 times as much is within the limit of the mass and only the static tells. Where a
file has neither, `no-force-reference` says so.
"""


def main() -> int:
    """Print the table and write the page."""
    if not CORPUS.is_dir():
        print("needs ../shared/corpus, which is not here")
        return 1
    found = table() + REFERENCES + GENERATED + laboratory_table() + AUDIT + audit_table()
    found += UNSEEN + shift_table() + NOBODY
    print(found)
    page = ROOT / "reports" / "validation" / "faults.md"
    page.write_text(OPENING + found, encoding="utf-8")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
