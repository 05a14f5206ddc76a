"""Markers that were stored with too few digits lie on a lattice, and that is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.quality.rules.markers.lattice import step_m
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.types.recording import Recording


def heights() -> np.ndarray:
    """Return the heights of twelve markers of a walk, shape (300, 12)."""
    t = np.arange(300)[:, None] / 100.0
    swing = 0.03 * np.sin(2 * np.pi * 1.7 * t + np.arange(12))
    noise = 3e-4 * np.random.default_rng(2).standard_normal((300, 12))
    return np.linspace(0.05, 1.0, 12) + swing + noise


def on_lattice(values: np.ndarray, step: float, off: float = 0.0) -> np.ndarray:
    """Return values as a file of few digits stores them, in single precision."""
    return (np.rint((values - off) / step) * step + off).astype(np.float32).astype(float)


@pytest.mark.parametrize("step", [0.002, 0.003, 0.005, 0.01])
def test_the_step_is_the_one_of_the_digits_wherever_the_origin_lies(step: float) -> None:
    assert step_m(on_lattice(heights(), step)) == pytest.approx(step, rel=1e-3)
    assert step_m(on_lattice(heights(), step, off=0.7 * step)) == pytest.approx(step, rel=1e-3)


def test_a_filled_gap_and_a_held_marker_hide_no_step() -> None:
    values = on_lattice(heights(), 0.005)
    values[100:140, 3] = np.linspace(0.31, 0.33, 40)
    values[20:60, 5] = np.nan
    values[200:230, 7] = 0.6517  # held, between two steps
    assert step_m(values) == pytest.approx(0.005, rel=1e-3)


def test_usual_recordings_have_no_step() -> None:
    assert step_m(heights()) == 0.0
    assert step_m(np.repeat(heights(), 2, axis=0)) == 0.0  # every frame twice
    assert step_m(on_lattice(heights(), 1e-4)) < 2e-4  # integers of a tenth of a millimetre
    assert step_m(on_lattice(heights()[:10], 0.005)) == 0.0  # too few to tell
    assert step_m(np.full((300, 12), 0.4)) == 0.0
    assert step_m(np.full((300, 12), np.nan)) == 0.0


@pytest.mark.parametrize(("step", "told"), [(0.001, False), (0.005, True)])
def test_a_coarse_walk_is_checked(as_read: Session, step: float, told: bool) -> None:
    def coarse() -> Callable[[Recording], Recording]:
        return lambda r: replace(r, markers_L=on_lattice(r.markers_L, step))

    result = processed(as_read, coarse())
    found = [one for one in result.findings if one.code == "marker-coarse"]
    assert bool(found) is told
    if told:
        assert found[0].value == pytest.approx(0.005, rel=1e-3)
        assert "multiples of 5 mm" in found[0].message
        assert result.verdict == "check"
