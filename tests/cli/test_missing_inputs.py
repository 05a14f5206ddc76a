"""An input that is not there is refused with exit code 1 by every command."""

from __future__ import annotations

import pytest
from typer.main import get_command

from gaitdyn_cli.app import app_of

MISSING = [
    "process no.c3d",
    "info no.c3d",
    "info nowhere",
    "batch nowhere",
    "report nowhere",
    "export nowhere --to mat",
    "compare no.c3d",
    "compare nowhere",
    "compare-groups nowhere elsewhere",
    "place nowhere -o norm.json",
    "explain nowhere --frame 3 --segment left_shank",
    "reproduce nowhere",
    "model new no.c3d -o lab.toml",
    "archive add lab.sqlite nowhere",
    "archive ls no.sqlite",
    "archive query no.sqlite knee_angle_flexion",
    "archive export no.sqlite -o out",
    "norms build nowhere -o norm.json",
    "norms show no.json",
    "repeats build nowhere elsewhere -o own.csv",
]
WITHOUT_INPUT = {"demo", "simulate", "norms list"}


def _commands() -> set[str]:
    names = set()
    for name, command in vars(get_command(app_of()))["commands"].items():
        inside = getattr(command, "commands", None)
        names |= {f"{name} {each}" for each in inside} if inside else {name}
    return names


def test_the_table_has_every_command() -> None:
    groups = {"model", "archive", "norms", "repeats"}
    words = [line.split() for line in MISSING]
    tried = {" ".join(w[:2]) if w[0] in groups else w[0] for w in words}
    assert tried | WITHOUT_INPUT == _commands()


@pytest.mark.parametrize("line", MISSING)
def test_a_missing_input_is_refused(gaitdyn, line, tmp_path) -> None:
    done = gaitdyn(*line.split())
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("gaitdyn: no")
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())
