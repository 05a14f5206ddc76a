"""The public numbers of the session in ``data/`` stay what they were.

``GAITDYN_UPDATE_GOLDEN=1 pytest tests/golden`` rewrites the file after a change that is meant.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).with_name("walk01.json")


@pytest.fixture(scope="module")
def found():
    """Least and largest value of every curve of every cycle."""
    from gaitdyn.cycles.normalise import cycle_curves
    from gaitdyn.pipeline import process_trial
    from gaitdyn.tables.columns import run_curves

    result = process_trial(ROOT / "data" / "walk01.c3d")
    numbers = {}
    for curves in cycle_curves(result, run_curves(result)):
        key = f"{curves.cycle.side} {curves.cycle.number}"
        for i, name in enumerate(curves.names):
            values = curves.values[:, i]
            if np.isfinite(values).any():
                ends = float(np.nanmin(values)), float(np.nanmax(values))
                numbers[f"{key} {name}"] = [round(end, 6) for end in ends]
    return numbers


def test_the_curves_of_the_synthetic_session_are_the_golden_ones(found):
    if os.environ.get("GAITDYN_UPDATE_GOLDEN"):
        text = json.dumps(found, indent=0, sort_keys=True)
        GOLDEN.write_text(text + "\n", encoding="utf-8", newline="\n")
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert set(found) == set(golden)
    for name, ends in golden.items():
        # other processors round the last digits of a solve otherwise: 1e-5 of deg, N m/kg, W/kg
        assert found[name] == pytest.approx(ends, abs=1e-5), name


def test_the_command_in_data_makes_the_session_again(tmp_path):
    from gaitdyn.synthetic.__main__ import main

    (command,) = [
        line.removeprefix("python -m gaitdyn.synthetic data ")
        for line in (ROOT / "data" / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("python -m gaitdyn.synthetic data ")
    ]
    assert main([str(tmp_path), *command.split()]) == 0
    from gaitdyn.io.c3d.reader import read_c3d

    for name in ("static.c3d", "walk01.c3d"):
        made, kept = read_c3d(tmp_path / name), read_c3d(ROOT / "data" / name)
        # float32 in the file: another processor may round the last bit the other way
        np.testing.assert_allclose(made.points, kept.points, rtol=0, atol=1e-3)
        np.testing.assert_allclose(made.analog, kept.analog, rtol=0, atol=1e-2)
