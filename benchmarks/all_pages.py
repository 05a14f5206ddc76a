"""Write all pages of reports/validation again, and their index.

usage: python benchmarks/all_pages.py [NAME ...]

Runs the command of every page of pages.toml, the longest first and as many at once as there are
cores, those that time something (``alone``) by themselves, and prints the time of each; with NAMEs
only these, the times of the others are kept; the name ``index`` runs nothing. Then writes
reports/validation/README.md. A page whose script or material is not there is told and left as it
is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import page
from usage import help_shown
from yardstick import LOOP_PAGE, LOOP_US, loop_us

HERE = Path(__file__).parent
INDEX = page.FOLDER / "README.md"
LIMIT_MINUTES = 15


class Cost(NamedTuple):
    """What a page took: wall and processor time in s, and the load of the machine at its end."""

    wall: float
    processor: float
    load: str


def known_times() -> dict[str, Cost]:
    """Return the cost of every page as the index has it."""
    text = INDEX.read_text(encoding="utf-8") if INDEX.is_file() else ""
    rows = re.findall(
        r"^\| \[([\w-]+)\]\(.*\| (\d+) s \| (\d+) s \| ([\d.]+) \|$", text, re.MULTILINE
    )
    return {name: Cost(float(wall), float(own), load) for name, wall, own, load in rows}


def known_whole() -> list[str]:
    """Return what the index says of the time of all pages together."""
    text = INDEX.read_text(encoding="utf-8") if INDEX.is_file() else ""
    found = re.search(r"^All of them took .*?\.$", text, re.DOTALL | re.MULTILINE)
    return [*found[0].split("\n")] if found else []


def whole_told(minutes: float, loop: float) -> list[str]:
    """Return the words on the time of all pages together, a frame of the loop taking so many us."""
    there = minutes * LOOP_US / loop
    return [
        f"All of them took {minutes:.1f} minutes when they were last made together on 2 cores, as",
        f"a frame of the Python loop of [speed](speed.md) took {loop:.0f} us. The limit is",
        f"{LIMIT_MINUTES} minutes where it took {LOOP_US} (speed.md in {LOOP_PAGE}):",
        f"these would be {there:.1f} minutes there.",
    ]


def place(entry: dict[str, Any]) -> Path:
    """Return the file of a page."""
    return page.ROOT / entry.get("file", f"reports/validation/{entry['name']}.md")


def made(entry: dict[str, Any]) -> Cost | None:
    """Run the command of a page; return what it took, or None when it failed."""
    script, *words = entry["command"].split()
    if not (HERE / script).is_file():
        print(f"{entry['name']:18s} there is no benchmarks/{script}", flush=True)
        return None
    path = os.pathsep.join((str(page.ROOT), str(page.ROOT / "cli")))
    env = {**os.environ, "PYTHONPATH": path}
    if not entry.get("alone"):  # the other cores have pages of their own
        env["OPENBLAS_NUM_THREADS"] = "1"
    begin = time.perf_counter()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        command = [sys.executable, str(HERE / script), *words]
        child = subprocess.Popen(command, env=env, cwd=page.ROOT, stdout=said, stderr=said)
        _, status, used = os.wait4(child.pid, 0)  # of this child and its own alone
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    seconds = used.ru_utime + used.ru_stime
    cost = Cost(time.perf_counter() - begin, seconds, f"{page.load():.1f}")
    told = "" if child.returncode == 0 else f"  exit {child.returncode}"
    words = f"{cost.wall:6.1f} s, processor {cost.processor:6.1f} s, load {cost.load}"
    print(f"{entry['name']:18s} {words}{told}", flush=True)
    if child.returncode:
        print(text[-2000:], flush=True)
        return None
    return cost


def headline(entry: dict[str, Any]) -> str:
    """Return the number that stands in the index, as the page has it."""
    path = place(entry)
    if not path.is_file():
        return "not written"
    text = " ".join(path.read_text(encoding="utf-8").split("\n"))
    match = re.search(entry["headline"], text)
    if not match:
        return "see the page"
    count = len(re.findall(entry.get("count", "$^"), text))
    return entry["show"].format(**match.groupdict(), count=count)


def index(entries: list[dict[str, Any]], times: dict[str, Cost], whole: list[str]) -> list[str]:
    """Return the lines of the index."""
    rows = []
    for entry in entries:
        link = os.path.relpath(place(entry), page.FOLDER)
        took = times.get(entry["name"])
        cost = ("not measured", "", "")
        if took:
            cost = (f"{took.wall:.0f} s", f"{took.processor:.0f} s", took.load)
        command = f"`python benchmarks/{entry['command']}`"
        name = f"[{entry['name']}]({link})"
        rows.append((name, entry["claim"], headline(entry), command, *cost))
    measured = [times[e["name"]] for e in entries if e["name"] in times]
    wall, processor = sum(c.wall for c in measured) / 60, sum(c.processor for c in measured) / 60
    return [
        "# Validation",
        "",
        "Every page is written by code with one command, from a clean clone with the packages of",
        "the group `dev` and, beside it, the material in `../shared`; a page says so where that is",
        "missing. `python benchmarks/all_pages.py` writes all of them and this index again.",
        "",
        *whole,
        "",
        f"The times below add up to {wall:.1f} minutes, of which {processor:.1f} are processor",
        "time of the pages' own processes; the rest is waiting for others on the machine: the load",
        "is the number of processes at the end of a page.",
        "",
        *page.stamp("python benchmarks/all_pages.py"),
        *page.table(("page", "claim", "headline", "command", "time", "processor", "load"), rows),
    ]


def all_made(entries: list[dict[str, Any]]) -> tuple[dict[str, Cost | None], float]:
    """Run the commands of pages: those of ``alone`` by themselves, then several at once.

    Also returns the time that a frame of the loop took meanwhile, us: the mean of three times.
    """
    alone = [entry for entry in entries if entry.get("alone")]
    others = [entry for entry in entries if not entry.get("alone")]
    times = known_times()
    others.sort(key=lambda entry: -times.get(entry["name"], Cost(0, 0, "")).wall)
    loops = [loop_us()]
    found = {entry["name"]: made(entry) for entry in alone}
    loops.append(loop_us())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        costs = list(pool.map(made, others))
    loops.append(loop_us())
    found |= {entry["name"]: cost for entry, cost in zip(others, costs, strict=True)}
    return found, sum(loops) / len(loops)


def main() -> int:
    """Write the pages and the index; fail when a page failed."""
    entries = tomllib.loads((HERE / "pages.toml").read_text(encoding="utf-8"))["page"]
    names = sys.argv[1:] or [entry["name"] for entry in entries]
    begin = time.perf_counter()
    found, loop = all_made([entry for entry in entries if entry["name"] in names])
    minutes = (time.perf_counter() - begin) / 60
    failed = sum(cost is None for cost in found.values())
    times = known_times() | {name: cost for name, cost in found.items() if cost}
    whole = whole_told(minutes, loop) if len(found) == len(entries) else known_whole()
    INDEX.write_text("\n".join(index(entries, times, whole)) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(found)} pages, {failed} failed, {minutes:.1f} minutes, loop {loop:.0f} us a frame")
    return int(failed > 0)


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
