"""What a command writes is there even if the reader of its output leaves, as ``head`` does."""

from __future__ import annotations

import errno
import io
import shutil
import sys

import pytest
import typer

from gaitdyn_cli import console
from gaitdyn_cli.app import app_of


class _Gone(io.StringIO):
    """A pipe that nobody reads any more."""

    def write(self, _: str) -> int:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (("explain", "{a}/walk01", "--frame", "210", "--segment", "left_shank", "--picture",
          "{out}/body.png"), ("body.png",)),
        (("compare", "{a}", "{b}", "-o", "{out}"), ("change.csv", "statistics.json")),
    ],
    ids=["explain", "compare"],
)  # fmt: skip
def test_files_are_written_before_the_output(results, tmp_path, monkeypatch, words, files):
    """``gaitdyn explain ... --picture body.png | head`` drew no picture."""
    for name in ("a", "b"):
        shutil.copytree(results, tmp_path / name / "walk01")
    out = tmp_path / "out"
    out.mkdir()
    places = {"a": tmp_path / "a", "b": tmp_path / "b", "out": out}
    command = typer.main.get_command(app_of(words[0]))
    monkeypatch.setattr(sys, "stdout", _Gone())
    told = [word.format(**places) for word in words]
    with pytest.raises(SystemExit, match="1"):
        console.run(lambda: command.main(told, "gaitdyn", standalone_mode=False))
    assert {path.name for path in out.iterdir()} >= {*files}
