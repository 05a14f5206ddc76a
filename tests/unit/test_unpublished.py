"""Loads that are not published are empty in every column; a residual stands under its own name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from gaitdyn.tables.answers import mechanism_of
from gaitdyn.tables.columns import run_curves
from gaitdyn.tables.generalised import generalised_curves
from gaitdyn.types.options import Options
from tests.walks import processed

WALK = Path(__file__).resolve().parents[2] / "data" / "walk01.c3d"
KNEE = 1


def test_a_joint_that_is_not_published_is_empty_in_all_its_loads() -> None:
    result = processed(WALK)
    left = result.sides["left"]
    assert left.kinetics is not None
    published = left.kinetics.published.copy()
    known = np.isfinite(left.kinetics.loads.moment_S[:, KNEE]).all(axis=1)
    rows = np.flatnonzero(published[:, KNEE] & known)[:40]
    published[rows, KNEE] = False
    hidden = replace(left, kinetics=replace(left.kinetics, published=published))
    before, after = (
        {c.name: c.values for c in run_curves(one)}
        for one in (result, replace(result, sides={**result.sides, "left": hidden}))
    )
    loads = [n for n in before if n.startswith("left_knee_") and "_angle_" not in n]
    loads = [n for n in loads if "_center_" not in n]
    assert {n.split("_")[2] for n in loads} == {"moment", "force", "power"}
    for name, values in after.items():
        wanted = before[name].copy()
        if name in loads:
            assert np.isfinite(wanted[rows]).all()
            wanted[rows] = np.nan
        np.testing.assert_array_equal(values, wanted)


def test_force_and_moment_of_the_residual_are_its_two_halves() -> None:
    result = processed(WALK, Options(generalised=True))
    mechanism = mechanism_of(result)
    assert mechanism is not None
    assert mechanism.residual is not None
    found = {c.name: c.values for c in generalised_curves(result, mechanism)}
    for i, axis in enumerate("xyz"):
        moment, up = found[f"pelvis_residual_moment_{axis}"], found["pelvis_residual_force_y"]
        known = np.isfinite(moment)
        assert known.any()
        np.testing.assert_array_equal(moment[known], mechanism.residual[known, 3 + i])
        np.testing.assert_allclose(up[known], mechanism.residual[known, 1], atol=1e-9)
