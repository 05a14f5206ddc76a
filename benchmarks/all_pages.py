"""Write all pages of reports/validation again, and their index.

usage: python benchmarks/all_pages.py [NAME ...]

Runs the command of every page of pages.toml, one after the other, and prints the time of each; with
NAMEs only these, the times of the others are kept; the name ``index`` runs nothing. Then writes
reports/validation/README.md. A page whose script or material is not there is told and left as it
is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import page

HERE = Path(__file__).parent
INDEX = page.FOLDER / "README.md"
LIMIT_MINUTES = 15


def known_times() -> dict[str, tuple[float, str]]:
    """Return seconds and load of every page as the index has them."""
    text = INDEX.read_text(encoding="utf-8") if INDEX.is_file() else ""
    rows = re.findall(r"^\| \[([\w-]+)\]\(.*\| (\d+) s \| ([\d.]+) \|$", text, re.MULTILINE)
    return {name: (float(seconds), load) for name, seconds, load in rows}


def place(entry: dict[str, Any]) -> Path:
    """Return the file of a page."""
    return page.ROOT / entry.get("file", f"reports/validation/{entry['name']}.md")


def made(entry: dict[str, Any]) -> tuple[float, str] | None:
    """Run the command of a page; return its seconds and the load, or None when it failed."""
    script, *words = entry["command"].split()
    if not (HERE / script).is_file():
        print(f"{entry['name']:18s} there is no benchmarks/{script}", flush=True)
        return None
    path = os.pathsep.join((str(page.ROOT), str(page.ROOT / "cli")))
    env = {**os.environ, "PYTHONPATH": path}
    begin = time.perf_counter()
    command = [sys.executable, str(HERE / script), *words]
    done = subprocess.run(
        command, env=env, cwd=page.ROOT, capture_output=True, text=True, check=False
    )
    seconds, load = time.perf_counter() - begin, f"{page.load():.1f}"
    told = "" if done.returncode == 0 else f"  exit {done.returncode}"
    print(f"{entry['name']:18s} {seconds:6.1f} s  load {load}{told}", flush=True)
    if done.returncode:
        print((done.stdout + done.stderr)[-2000:], flush=True)
        return None
    return seconds, load


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


def index(entries: list[dict[str, Any]], times: dict[str, tuple[float, str]]) -> list[str]:
    """Return the lines of the index."""
    rows = []
    for entry in entries:
        link = os.path.relpath(place(entry), page.FOLDER)
        seconds, load = times.get(entry["name"], (0.0, ""))
        cost = (f"{seconds:.0f} s", load) if load else ("not measured", "")
        command = f"`python benchmarks/{entry['command']}`"
        name = f"[{entry['name']}]({link})"
        rows.append((name, entry["claim"], headline(entry), command, *cost))
    total = sum(times[e["name"]][0] for e in entries if e["name"] in times)
    return [
        "# Validation",
        "",
        "Every page is written by code with one command, from a clean clone with the packages of",
        "the group `dev` and, beside it, the material in `../shared`; a page says so where that is",
        "missing. `python benchmarks/all_pages.py` writes all of them and this index again.",
        f"It took {total / 60:.1f} minutes; the limit is {LIMIT_MINUTES}. The time of a page holds",
        "what else ran on the machine: the load is the number of processes at its end.",
        "",
        *page.stamp("python benchmarks/all_pages.py"),
        *page.table(("page", "claim", "headline", "command", "time", "load"), rows),
    ]


def main() -> int:
    """Write the pages and the index; fail when a page failed."""
    entries = tomllib.loads((HERE / "pages.toml").read_text(encoding="utf-8"))["page"]
    names = sys.argv[1:] or [entry["name"] for entry in entries]
    times, failed = known_times(), 0
    for entry in entries:
        if entry["name"] in names:
            found = made(entry)
            failed += found is None
            if found:
                times[entry["name"]] = found
    INDEX.write_text("\n".join(index(entries, times)) + "\n", encoding="utf-8", newline="\n")
    total = sum(times[e["name"]][0] for e in entries if e["name"] in times)
    print(f"{len(names)} pages, {failed} failed, all pages together {total:.0f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
