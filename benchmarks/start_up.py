"""What the commonest commands import and what it costs: writes reports/validation/start-up.md.

usage: python benchmarks/start_up.py

Each command runs under ``python -X importtime`` on the trial in data/; the page lists the packages
whose modules cost most, medians of several runs. The last line is the whole of ``process`` without
figures as a multiple of a floor: a Python that imports numpy, scipy.linalg, typer and ezc3d and
reads the same trial once; the two alternate, processor time.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import page
from usage import help_shown

RUNS, SHOWN, PAIRS = 3, 6, 9
FLOOR = "import sys, numpy, scipy.linalg, typer, ezc3d; ezc3d.c3d(sys.argv[1])['data']['points']"
PAGE = page.FOLDER / "start-up.md"
WALK = page.ROOT / "data" / "walk01.c3d"
_LINE = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")


def commands(folder: Path) -> dict[str, list[str]]:
    """Return the five commonest commands, as a person writes them -> their words."""
    session, out = folder / "data", folder / "out"
    results = str(out / WALK.stem)
    process = ["process", str(WALK), "--quiet", "--force", "-o", str(out)]
    return {
        "gaitdyn --help": ["--help"],
        "gaitdyn info WALK": ["info", str(WALK)],
        "gaitdyn process WALK --no-figures": [*process, "--no-figures"],
        "gaitdyn process WALK": process,
        "gaitdyn report RESULT": ["report", results, "-o", str(folder / "report.html"), "--force"],
        "gaitdyn batch SESSION": ["batch", str(session), "-o", str(folder / "day"), "--force"],
    }


def imported(words: list[str], cwd: Path) -> Counter[str]:
    """Return the own import time of each package, us; gaitdyn's rooms and the rest by name."""
    paths = os.pathsep.join((str(page.ROOT), str(page.ROOT / "cli")))
    command = [sys.executable, "-X", "importtime", "-m", "gaitdyn_cli.app", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, env=os.environ | {"PYTHONPATH": paths},
        check=True,
    )  # fmt: skip
    found: Counter[str] = Counter()
    for own, name in _LINE.findall(done.stderr):
        top = name.split(".")[0]
        known = top in {"gaitdyn", "gaitdyn_cli"} or top not in sys.stdlib_module_names
        found[top.removeprefix("_") if known else "Python itself"] += int(own)
    return found


def rows(folder: Path) -> list[tuple[str, ...]]:
    """Return one row per command: whole import time and the packages that cost most."""
    session = folder / "data"
    session.mkdir()
    for name in ("walk01.c3d", "static.c3d"):
        (session / name).write_bytes((WALK.parent / name).read_bytes())
    found = []
    for name, words in commands(folder).items():
        runs = [imported(words, folder) for _ in range(RUNS + 1)][1:]
        packages = {package for run in runs for package in run}
        cost = {p: statistics.median(run[p] for run in runs) / 1000 for p in packages}
        most = sorted(cost, key=lambda p: -cost[p])[:SHOWN]
        listed = ", ".join(f"{p} {cost[p]:.0f}" for p in most)
        found.append((f"`{name}`", f"{sum(cost.values()):.0f}", listed))
    return found


def processor_s(command: list[str], cwd: Path) -> float:
    """Return the processor time of a command, s."""
    paths = os.pathsep.join((str(page.ROOT), str(page.ROOT / "cli")))
    before = os.times()
    subprocess.run(
        command, capture_output=True, cwd=cwd, env=os.environ | {"PYTHONPATH": paths}, check=True
    )
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def against_floor(folder: Path) -> tuple[float, float]:
    """Return ``process`` without figures over its floor: median of pairs, least over least."""
    walk = [str(WALK), "--no-figures", "--report", "none", "--quiet", "--force", "-o", "alone"]
    whole = [sys.executable, "-m", "gaitdyn_cli.app", "process", *walk]
    floor = [sys.executable, "-c", FLOOR, str(WALK)]
    times = [(processor_s(whole, folder), processor_s(floor, folder)) for _ in range(PAIRS + 1)][1:]
    least = [min(column) for column in zip(*times, strict=True)]
    return statistics.median(a / b for a, b in times), least[0] / least[1]


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as place:
        ratio, least = against_floor(Path(place))
        table = page.table(("command", "imports, ms", "by package, ms"), rows(Path(place)))
    text = [
        "# Start-up: what a command imports",
        "",
        *page.stamp("python benchmarks/start_up.py", "typer", "ezc3d", "pandas", "matplotlib"),
        "The table gives the import time of each command: medians from `python -X importtime`,",
        "which makes imports take up to twice as long. A command imports only what it needs.",
        "`process` without figures loads no pandas, matplotlib, rich, ezc3d, `numpy.ma` or",
        "`scipy.linalg` (`tests/cli/test_loaded.py` checks this), and only the LAPACK module of",
        "`scipy` ([decision 011](../../docs/decisions/011-the-data-section-by-numpy.md)).",
        "",
        *table,
        "",
        f"`gaitdyn process WALK --no-figures` takes **{ratio:.2f}** times the processor time of a",
        "Python that imports numpy, scipy.linalg, typer and ezc3d and reads the same trial once",
        f"(median of {PAIRS} alternating pairs; {least:.2f} for the least times).",
    ]
    PAGE.write_text("\n".join([*text, ""]), encoding="utf-8", newline="\n")
    print(f"written: {PAGE.relative_to(page.ROOT)}")


if __name__ == "__main__":
    help_shown(__doc__)
    main()
