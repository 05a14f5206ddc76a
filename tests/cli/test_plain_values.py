"""Values of the command line come out as typer itself would make them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from gaitdyn_cli.app import app_of
from gaitdyn_cli.plain_values import without_adapters

LINES = (
    ("process", "walk.c3d"),
    ("process", "walk.c3d", "--static", "s.c3d", "-o", "there", "--mass", "70.5", "--no-audit"),
    ("process", "walk.c3d", "--rename", "A=B", "--rename", "C=D", "--quiet", "--cutoff", "none"),
    ("process", "a b", "--quality", "limits.toml", "--subject", "x.toml", "--emg-envelope", "6"),
    ("batch", "a", "b", "--jobs", "2", "--report", "none"),
    ("reproduce", "results", "--tolerance", "0.1"),
    ("archive", "day.sqlite"),
    ("norms", "list"),
)


def values_of(command: Any, words: tuple[str, ...]) -> dict[str, object] | str:
    """Parameters that a line gives to its command, or what is said against it."""
    inner = command.commands[words[0]]
    try:
        return inner.make_context(words[0], list(words[1:])).params
    except Exception as mistake:  # noqa: BLE001  both ways have to fail alike
        return f"{type(mistake).__name__} {mistake}"


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_values_are_those_of_typer(words):
    own = values_of(without_adapters(typer.main.get_command(app_of(words[0]))), words)
    theirs = values_of(typer.main.get_command(app_of(words[0])), words)
    assert own == theirs
    assert repr(own) == repr(theirs)


@pytest.mark.parametrize(
    "words",
    [("batch", "a", ""), ("process", "walk.c3d", "-o", ""), ("info", "")],
    ids=["one of several", "of an option", "alone"],
)
def test_an_empty_text_is_no_path(words):
    told = values_of(without_adapters(typer.main.get_command(app_of(words[0]))), words)
    assert str(told).startswith("BadParameter found an empty text, wanted a path")


@pytest.mark.parametrize(
    "words",
    [
        ("process", "walk.c3d", "--mass", "heavy"),
        ("process", "walk.c3d", "--no-such"),
        ("process",),
        ("batch", "a", "--jobs", "0"),
        ("reproduce", "results", "--tolerance", "-1"),
    ],
    ids=" ".join,
)
def test_mistakes_are_told_as_before(words):
    own = values_of(without_adapters(typer.main.get_command(app_of(words[0]))), words)
    theirs = values_of(typer.main.get_command(app_of(words[0])), words)
    assert isinstance(own, str)
    assert own == theirs


NUMBERS = ("2", "007", "-3", "0", "+5", " 2", "2.0", "0.25", "-.5", "1e3")
NO_NUMBERS = ("1_0", "nan", "\u0663")
"""Numbers to Python, and to typer, that no reader of gaitdyn takes."""


@pytest.mark.parametrize("words", ["batch a --jobs", "reproduce a --tolerance", "process a --mass"])
def test_numbers_are_those_of_typer(words):
    line = words.split()
    for number in NUMBERS:
        own = values_of(without_adapters(typer.main.get_command(app_of(line[0]))), (*line, number))
        theirs = values_of(typer.main.get_command(app_of(line[0])), (*line, number))
        assert repr(own) == repr(theirs), number
    for text in NO_NUMBERS:
        own = values_of(without_adapters(typer.main.get_command(app_of(line[0]))), (*line, text))
        assert isinstance(own, str), text


def test_numbers_in_plain_digits_need_no_adapter(monkeypatch):
    def refused(*_):
        raise AssertionError

    command = without_adapters(typer.main.get_command(app_of("explain")))
    monkeypatch.setattr("typer.core.TyperOption.process_value", refused)
    words = ("explain", "results", "--frame", "140", "--segment", "left_shank")
    found = values_of(command, words)
    assert isinstance(found, dict), found
    assert found["frame"] == 140


def test_a_folder_that_cannot_be_read_is_refused_as_before(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_, **__: False)
    words = ("process", "walk.c3d", "-o", str(tmp_path))
    own = values_of(without_adapters(typer.main.get_command(app_of("process"))), words)
    assert own == values_of(typer.main.get_command(app_of("process")), words)
    assert isinstance(own, str)
    assert "readable" in own


@pytest.mark.parametrize("command", ["process", "batch", "place", "demo", "reproduce"])
def test_help_spells_a_number_as_pages_do(gaitdyn, command):
    """6 Hz is not 6.0 Hz in the help and 6 Hz elsewhere."""
    told = " ".join(gaitdyn(command, "--help").stdout.split())
    numbers = re.findall(r"\[default: ([0-9.]+(?:e-[0-9]+)?)[;\]]", told)
    assert numbers
    assert [n for n in numbers if n != f"{float(n):g}"] == []


def test_help_of_a_comparison_has_the_defaults(gaitdyn):
    told = " ".join(gaitdyn("compare", "--help").stdout.split())
    for default in ("static", "default", "10", "same"):
        assert f"Default: {default}, or as in the results." in told


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        ("process", "process [OPTIONS] TRIAL.c3d"),
        ("archive add", "archive add [OPTIONS] ARCHIVE RESULT..."),
        ("compare", "compare [OPTIONS] RESULT|TRIAL.c3d [RESULT]"),
    ],
)
def test_help_names_arguments_as_the_guide_does(gaitdyn, words, usage):
    told = gaitdyn(*words.split(), "--help").stdout
    assert told.startswith(f"Usage: gaitdyn {usage}\n")
    assert "<" not in told.partition("Options:")[0]
