"""One plate whose samples are late, or whose gain is wrong, beside the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from walkers.laboratory import laboratory
from walkers.laboratory_files import walker_of, write_laboratory

from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import newtonian
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import processed, with_plates

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.types.arrays import Array

CODES = {"plate-delayed", "plate-unlike", "plate-gain"}
Found = dict[str, tuple[str, float | None]]
Change = tuple[float, float, float]
"""Delay, s; gain of all channels; gain of the moments."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, Change], Found]:
    folder: Path = tmp_path_factory.mktemp("laboratory")
    lab = replace(laboratory(5), rate_hz=100.0, analog_ratio=10)
    files = write_laboratory(folder, lab, newtonian(walker_of(lab)))
    session = read_session(files.walk, Options(static=str(files.static)))

    def told(number: int, change: Change, quality: str | None = None) -> Found:
        late_s, gain, of_moments = change

        def changed(channels: Array) -> Array:
            moved = np.roll(channels, round(late_s * 1000), axis=0)
            return gain * moved * ([1.0] * 3 + [of_moments] * 3)

        one = with_plates(
            lambda p: replace(p, channels=changed(p.channels)) if p.number == number else p
        )
        result = processed(session, one, static=str(files.static), quality=quality)
        return {f.code: (f.scope, f.value) for f in result.findings if f.code in CODES}

    return told


@pytest.mark.parametrize("number", [1, 2])
def test_a_plate_as_it_is_says_nothing(found: Callable[..., Found], number: int) -> None:
    assert found(number, (0.0, 1.0, 1.0)) == {}


@pytest.mark.parametrize(("number", "late_s"), [(1, 0.03), (2, 0.03), (2, -0.03)])
def test_one_plate_that_is_late_or_early_is_told(
    found: Callable[..., Found], number: int, late_s: float
) -> None:
    scope, value = found(number, (late_s, 1.0, 1.0))["plate-delayed"]
    assert scope in ("plate 1", "plate 2")
    assert value == pytest.approx(0.03, abs=0.01)


@pytest.mark.parametrize("number", [1, 2])
def test_a_larger_gain_of_one_plate_is_told_without_a_mass(
    found: Callable[..., Found], number: int
) -> None:
    told = found(number, (0.0, 1.25, 1.0))
    assert told["plate-unlike"] == (f"plate {number}", pytest.approx(0.25, abs=0.07))
    assert "plate-gain" not in told  # forces and moments alike keep the centre of pressure


@pytest.mark.parametrize("gain", [0.5, 2.0])
def test_other_moments_of_one_plate_are_told(found: Callable[..., Found], gain: float) -> None:
    told = [found(number, (0.0, 1.0, gain)).get("plate-gain") for number in (1, 2)]
    assert any(of is not None and abs(of[1] or 0.0) > 3.0 for of in told)


def test_a_laboratory_sets_the_least_deviation_that_is_told(
    found: Callable[..., Found], tmp_path: Path
) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[plate-gain]\nleast = 9.0\n")
    assert any("plate-gain" in found(number, (0.0, 1.0, 0.5)) for number in (1, 2))
    assert not any("plate-gain" in found(number, (0.0, 1.0, 0.5), str(own)) for number in (1, 2))
