"""Pages that are written by code are what the code writes; the map names every package."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.quality.rules import load_rules
from tests.benchmark_scripts import FOLDER, script
from tests.docs.pages import ROOT


def test_the_page_of_quality_codes_is_the_table_of_rules():
    page = (ROOT / "docs" / "quality.md").read_text(encoding="utf-8")
    assert page == script("quality_page").page(), "python benchmarks/quality_page.py writes it"
    for rule in load_rules().rows:
        assert f"| `{rule.code}` | {rule.what} |" in page


def test_the_page_of_options_is_the_table_of_rows():
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    assert page == script("options_page").page(), "python benchmarks/options_page.py writes it"


def test_every_quality_code_says_what_to_do():
    for rule in load_rules().rows:
        assert rule.where == "later" or rule.action, rule.code


def test_every_code_of_the_program_is_in_the_table():
    known = {rule.code for rule in load_rules().rows}
    home = Path(next(iter(import_module("gaitdyn").__path__)))
    used = set()
    for file in home.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        used |= set(re.findall(r'Finding\(\s*"\w+",\s*"([a-z-]+)"', text))
        used |= set(re.findall(r'rules\["([a-z-]+)"\]', text))
    assert used
    assert used <= known, used - known


def test_the_table_of_marker_models_is_that_of_the_files(capsys):
    script("models").main()
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| `")]
    page = (ROOT / "docs" / "marker-models.md").read_text(encoding="utf-8")
    assert rows
    assert "\n".join(rows) in page


def test_what_the_scripts_import_from_the_program_is_there():
    """A script that runs once in a while was broken for days by a name that had changed."""
    scripts = sorted(FOLDER.rglob("*.py"))
    if not scripts:
        pytest.skip("benchmarks/ is not here")
    missing = [
        f"{path.name}:{found.lineno}: {found.module}.{alias.name}"
        for path in scripts
        for found in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(found, ast.ImportFrom) and (found.module or "").split(".")[0] == "gaitdyn"
        for alias in found.names
        if not hasattr(import_module(found.module or ""), alias.name)
        and find_spec(f"{found.module}.{alias.name}") is None
    ]
    assert not missing


def test_packages_import_what_lies_below_them(tmp_path, monkeypatch):
    pytest.importorskip("grimp", reason="needs grimp, which import-linter brings")
    drawing = script("imports")
    names = drawing.packages()
    counts = drawing.imports(names)
    monkeypatch.setattr(drawing, "imports", lambda _: counts)  # the same again for the picture
    upwards = np.argwhere(np.tril(counts))
    named = [(names[row], names[column]) for row, column in upwards]
    assert named == [("gaitdyn.trial", "gaitdyn.report")]  # Result.report, when it is called
    drawing.main(tmp_path)
    assert (tmp_path / "imports.png").read_bytes().startswith(b"\x89PNG")


def test_the_drawings_show_positive_signs_and_are_drawn(tmp_path):
    script("drawings").main(tmp_path)  # a drawing whose sign is not + stops the script
    for name in ("axes", "angles", "moments"):
        drawn = (tmp_path / f"{name}.png").stat().st_size
        assert 5_000 < drawn < 60_000
        assert (ROOT / "docs" / "images" / f"{name}.png").is_file()


def test_the_map_of_the_house_names_every_package():
    page = (ROOT / "docs" / "developing.md").read_text(encoding="utf-8")
    home = Path(next(iter(import_module("gaitdyn").__path__)))
    packages = {file.parent.name for file in home.glob("*/__init__.py")}
    assert packages
    missing = {name for name in packages if f"`{name}/`" not in page}
    assert not missing
