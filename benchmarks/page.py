"""What every page of reports/validation says of itself: date, versions, machine, command."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
FOLDER = ROOT / "reports" / "validation"
sys.path[:0] = [str(ROOT), str(ROOT / "cli")]  # this tree, its tests among it, installed or not
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are timed as installed: compiled


def processor() -> str:
    """Return the name of the processor as the system tells it."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.is_file() else ""
    found = re.search(r"model name\s*:\s*(.+)", text)
    return found[1].strip() if found else platform.processor() or platform.machine()


def load() -> float:
    """Return the number of processes that ran at once, mean of the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def gaitdyn_version() -> str:
    """Return the version of this tree, without importing it."""
    text = (ROOT / "gaitdyn" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "(.+)"', text)
    return found[1] if found else "unknown"


def versions(*packages: str) -> str:
    """Return the versions of gaitdyn, Python, numpy, scipy and further packages."""
    words = [f"gaitdyn {gaitdyn_version()}", f"Python {platform.python_version()}"]
    for package in ("numpy", "scipy", *packages):
        try:
            words.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            words.append(f"{package} not installed")
    return ", ".join(words)


def stamp(command: str, *packages: str) -> list[str]:
    """Return the lines that say when, with what and on what a page was made."""
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    cores = os.cpu_count() or 1
    return [
        f"Made on {today} by `{command}`: {versions(*packages)};",
        f"{cores} cores, {processor()}, {platform.system()}; load {load():.1f} at the end.",
        "",
    ]


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return ["| " + " | ".join(c.replace("|", "\\|") for c in line) + " |" for line in lines]


def write(name: str, lines: list[str]) -> None:
    """Write a page and say where."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.md"
    path.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8", newline="\n")
    sys.stderr.write(f"written: {path.relative_to(ROOT)}\n")


def need_shared(*parts: str) -> bool:
    """Say what is missing of ../shared; return whether it is there."""
    there = SHARED.joinpath(*parts).exists()
    if not there:
        sys.stderr.write(f"needs ../shared/{'/'.join(parts)}, which is not here\n")
    return there
