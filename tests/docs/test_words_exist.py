"""What the guide names is there: commands, options, modules, files, parts of a results folder."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
import typer

from gaitdyn_cli.app import app_of
from tests.docs.pages import GUIDE, ROOT, TOP, name_of

PAGES = [page for page in (*TOP, *GUIDE) if page.is_file() and page.name != "CHANGELOG.md"]
OTHERS = ("pip", "pytest", "git", "sphinx-build", "python -m", "python3 -m", "ruff")
ELSEWHERE = "accept/"
MADE_BY_THE_GUIDE = {"data/session.toml"}
_FILE = re.compile(r"(?<![\w/.-])(?:gaitdyn|cli|tests|benchmarks|docs|data)/[\w/.-]*")
_CODE = re.compile(r"```[^\n]*\n.*?```|`[^`\n]+`", re.DOTALL)


def pieces(page):
    """Return the code of a page, line by line, without its quotes."""
    text = page.read_text(encoding="utf-8")
    return [line.strip("` ") for found in _CODE.findall(text) for line in found.splitlines()]


def options():
    """Return the options of every command of ``gaitdyn``, by the words that call it."""
    found = {}

    def walk(words, command, context):
        names = [name for p in command.params for name in (*p.opts, *p.secondary_opts)]
        found[" ".join(words)] = {name for name in names if name.startswith("--")} | {"--help"}
        for name, child in getattr(command, "commands", {}).items():
            walk([*words, name], child, context)

    walk([], typer.main.get_command(app_of()), None)
    return found


LINES = [(line, f"{name_of(page)}: {line}") for page in PAGES for line in pieces(page)]
OPTIONS = options()
ALL = set().union(*OPTIONS.values())


def test_every_command_and_option_of_a_page_is_there():
    for line, told in LINES:
        call = re.search(r"(?:^|[/$] ?)gaitdyn ((?:[a-z][a-z-]* ?)+)", line.split("#")[0])
        words = call[1].split() if call else []
        if words:
            assert words[0] in OPTIONS, f"no command: {told}"
        known = [name for n in (2, 1) if (name := " ".join(words[:n])) and name in OPTIONS]
        if not known and (line.startswith(OTHERS) or ELSEWHERE in line):
            continue
        script = re.search(r"benchmarks/\w+\.py", line)
        for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", line.split("; ")[0]):
            if script and option not in ALL:
                assert option in (ROOT / script[0]).read_text(encoding="utf-8"), told
            else:
                assert option in (OPTIONS[known[0]] if known else ALL), f"no {option}: {told}"


def test_every_name_in_the_library_and_every_file_of_a_page_is_there():
    for line, told in LINES:
        for dotted in re.findall(r"(?<![\w/.\"-])gaitdyn(?:\.[A-Za-z_]\w*)+", line):
            assert found(dotted), f"no {dotted}: {told}"
        for file in set(_FILE.findall(line)) - MADE_BY_THE_GUIDE:
            assert (ROOT / file.rstrip(".")).exists(), f"no {file}: {told}"


@pytest.mark.slow
def test_the_results_folder_of_the_guide_is_the_one_that_is_written(
    synthetic, gaitdyn_here, tmp_path, monkeypatch
):
    monkeypatch.setattr("gaitdyn.uncertainty.cutoffs.CUTOFFS_HZ", (6.0, 12.0))
    trial = synthetic / "walk01.c3d"
    uncertainty = tmp_path / "errors.toml"
    uncertainty.write_text("draws = 20\n", encoding="utf-8")
    words = [
        "--terms",
        "--generalised",
        "--intermediate",
        "--sensitivity",
        "--sweep",
        "cutoff=6,12",
        "--sweep",
        "anthropometry=dempster,deleva",  # left out: the walker has no sex
    ]
    norm = tmp_path / "norm.csv"
    lines = [f"free,,25,hip_angle_flexion,{p},{p},5,deg" for p in range(0, 101, 10)]
    head = "group,speed,count,curve,percent,mean,sd,unit"
    norm.write_text("\n".join([head, *lines]), encoding="utf-8")
    words += ["--norm", str(norm)]
    words += ["--uncertainty", str(uncertainty), "--report", "both", "--no-figures"]
    done = gaitdyn_here("process", trial, *words, "--quiet", "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "walk01"
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    rows = re.findall(
        r"^\| (`.*)$", (ROOT / "docs" / "results.md").read_text("utf-8"), re.MULTILINE
    )
    first = [cell for row in rows if (cell := row.split(" | ")[0])]
    files = {name for cell in first for name in re.findall(r"`([\w.-]+\.\w+)`", cell)}
    twins = [cell for cell in first if "their `.json`" in cell]
    files |= {f"{name}.json" for cell in twins for name in re.findall(r"`(\w+)\.csv`", cell)}
    assert files
    assert files - written == set(), "named, not written"
    assert {name for name in written if "/" not in name} - files == set(), "written, not named"


def found(dotted):
    """Return whether a dotted name is a module, or a name in one, or an attribute of that."""
    head, *rest = dotted.split(".")
    value = import_module(head)
    for i, name in enumerate(rest):
        try:
            value = getattr(value, name)
        except AttributeError:
            try:
                value = import_module(".".join([head, *rest[: i + 1]]))
            except ImportError:
                return False
    return True
