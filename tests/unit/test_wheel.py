"""What a wheel, a source distribution and the repository hold."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
TYPE = {".ttf", ".woff2", ".txt", ".md"}
"""Of the type and its licence."""

RESOURCES = {
    *(".py", ".pyi", ".typed", ".toml", ".csv", ".json", ".sql", ".xml", ".j2", ".js", ".css"),
    *TYPE,
}


DISTRIBUTED = {
    *("gaitdyn", "cli", "tests", "data", "docs", "reports", "benchmarks"),
    *("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", ".gitignore"),
}
OF_THE_REPOSITORY = {".ci", ".github", ".gitattributes", ".pre-commit-config.yaml", "CITATION.cff"}


def builder(name, monkeypatch):
    """Return a builder of hatchling for this folder."""
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("pyproject.toml is not here")
    module = pytest.importorskip(f"hatchling.builders.{name}", reason="needs hatchling")
    monkeypatch.chdir(ROOT)
    return getattr(module, f"{name.title()}Builder" if name == "wheel" else "SdistBuilder")(
        str(ROOT)
    )


def test_a_wheel_holds_the_two_packages_and_nothing_else(tmp_path, monkeypatch):
    build = builder("wheel", monkeypatch)
    (wheel,) = build.build(directory=str(tmp_path), versions=["standard"])
    names = [PurePosixPath(name) for name in zipfile.ZipFile(wheel).namelist()]
    about = {name.name for name in names if name.parts[0].endswith(".dist-info")}
    inside = {name for name in names if not name.parts[0].endswith(".dist-info")}
    assert about == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "LICENSE"}
    assert {name.parts[0] for name in inside} == {"gaitdyn", "gaitdyn_cli"}
    assert {name.suffix for name in inside} <= RESOURCES | {""}
    assert {name.name for name in inside if not name.suffix} <= {"NOTICE"}
    here = {
        PurePosixPath(path.relative_to(folder).as_posix())
        for folder, package in ((ROOT, "gaitdyn"), (ROOT / "cli", "gaitdyn_cli"))
        for path in (folder / package).rglob("*")
        if path.is_file() and path.suffix in RESOURCES
    }
    assert inside >= here, sorted(map(str, here - inside))


def test_a_source_distribution_holds_its_own_tests(tmp_path, monkeypatch):
    build = builder("sdist", monkeypatch)
    (archive,) = build.build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(archive) as source:
        names = [PurePosixPath(*PurePosixPath(n).parts[1:]) for n in source.getnames()]
    tops = {name.parts[0] for name in names if name.parts}
    assert {"gaitdyn", "cli", "tests", "pyproject.toml", "LICENSE", "README.md"} <= tops
    assert tops <= {*DISTRIBUTED, "PKG-INFO"}
    assert PurePosixPath("tests/unit/test_wheel.py") in names
    assert not [name for name in names if "__pycache__" in name.parts]


def test_the_repository_holds_no_results_and_no_recordings_but_its_own():
    git = shutil.which("git")
    if not (ROOT / ".git").exists() or git is None:
        pytest.skip("this is not a repository of git, or there is no git")
    command = [git, "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip(listed.stderr)
    tracked = [PurePosixPath(line) for line in listed.stdout.splitlines()]
    assert {path.parts[0] for path in tracked} <= DISTRIBUTED | OF_THE_REPOSITORY
    assert not [path for path in tracked if path.name in {"result.json", "values.npz"}]
    recordings = {path for path in tracked if path.suffix.lower() in {".c3d", ".trc", ".mot"}}
    assert {path.parts[0] for path in recordings} <= {"data"}
