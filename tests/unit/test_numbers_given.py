"""Numbers given as text are read like those of files: no ``1_000``, no digits of other scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import typer

from gaitdyn.errors import UsageError
from gaitdyn.metrics.norms.speed_groups import parse_groups
from gaitdyn.multibody.systems import find, settings
from gaitdyn.types.option_rows import ROWS
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.on_demand import keepers_of
from gaitdyn.uncertainty.sweeps import parse_sweeps
from gaitdyn_cli.app import app_of
from gaitdyn_cli.choices import fields_of
from gaitdyn_cli.plain_values import WANTED, without_adapters

if TYPE_CHECKING:
    from collections.abc import Callable

NO_NUMBERS = ("1_0", "٦", "infinity", "nan", "1e999")
CUTOFFS = [row for row in ROWS if row.field.endswith("cutoff_hz")]


def groups(text: str) -> object:
    return parse_groups(f"free:0.1..{text}", np.array([]))


def swept(text: str) -> object:
    return parse_sweeps([f"cutoff={text}"])


def simulated(text: str) -> object:
    return settings(find("double-pendulum"), [f"m1={text}"])


def cut_off(text: str) -> object:
    return [fields_of({row: text}) for row in CUTOFFS]


@pytest.mark.parametrize("text", NO_NUMBERS)
@pytest.mark.parametrize("read", [groups, swept, simulated, cut_off])
def test_a_text_that_files_may_not_use_is_no_number(
    read: Callable[[str], object], text: str
) -> None:
    read("6.5")
    with pytest.raises(UsageError, match="wanted"):
        read(text)


@pytest.mark.parametrize("text", ["cutoff=6,-5", "force_cutoff=0", "cutoff=1e6"])
def test_a_cut_off_out_of_range_is_refused_before_any_trial(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--sweep \w+=\S+: \S+ is \S+, wanted 0\.5 to 1000 Hz$"):
        parse_sweeps([text])


def test_a_sweep_that_conflicts_with_an_option_is_refused_before_the_trial() -> None:
    options = Options(hip_centre="harrington")
    with pytest.raises(UsageError, match=r"^--sweep profile=plug-in-gait: "):
        keepers_of(options, sensitivity=False, sweeps=["profile=plug-in-gait"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("process", "w.c3d", "--mass", "7_0"), WANTED[float]),
        (("process", "w.c3d", "--mass", "inf"), WANTED[float]),
        (("batch", "data", "--jobs", "1_0"), WANTED[int]),
    ],
)
def test_so_are_options_that_take_a_number(words: tuple[str, ...], said: str) -> None:
    command = without_adapters(typer.main.get_command(app_of(words[0]))).commands[words[0]]
    with pytest.raises(typer.BadParameter, match=said):
        command.make_context(words[0], list(words[1:]))
    assert command.make_context(words[0], [*words[1:-1], "7"]).params
