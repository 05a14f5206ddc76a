"""Keys of curves: every column spells itself from its key, and nobody else takes it apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gaitdyn.catalogue.keys import Key, internal_name, key_of, swapped_name
from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE
from gaitdyn.metrics.norms.curve_names import EXTERNAL, UNITS
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.panels import JOINT_FORCES, KINEMATICS, KINETICS
from gaitdyn.tables import answers
from gaitdyn.types.options import Options

ROOT = Path(__file__).resolve().parents[2]
TAKING_APART = re.compile(
    r"""partition\("_(moment|angle|power|force|center|cop|grf)"""
    r"""|["']_(moment|angle|power|force|center|cop|grf)_["']\s+(not )?in"""
    r"""|(startswith|endswith|removeprefix|removesuffix)\(f?["']\{?(side|joint)\}?_"""
    r"""|f["'][^"']*\}_(moment|angle|center|cop|force)_\{"""
)
"""Ways in which a column's name was taken apart or put together outside the catalogue."""
ALLOWED = {"gaitdyn/synthetic"}
"""The truth of the walker is spelled by itself, so that it can tell a wrong name."""


def test_nobody_else_takes_a_column_name_apart():
    found = []
    for path in sorted((ROOT / "gaitdyn").rglob("*.py")) + sorted((ROOT / "cli").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if place.startswith(("gaitdyn/catalogue/", *ALLOWED)):
            continue
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        found += [f"{place}:{i}: {line}" for i, line in lines if TAKING_APART.search(line)]
    assert found == []


@pytest.mark.parametrize("moments_in", ["distal", "lab"])
@pytest.mark.parametrize("convention", ["internal", "external"])
def test_every_column_spells_itself_from_its_key(synthetic, moments_in, convention):
    options = Options(moments_in=moments_in, convention=convention)
    result = process_trial(synthetic / "walk01.c3d", options)
    curves = answers.curves_of(result)
    assert len(curves) > 90
    for curve in curves:
        key = key_of(curve.name)
        assert key.name == curve.name
        assert key.side in result.sides
        assert key.is_place == (curve.unit == "mm")
        assert (key.quantity == "angle") == (curve.unit == "deg")
        if key.is_moment:
            assert curve.unit == "N m"
            assert curve.positive == key.component.replace("_", " ") or moments_in == "lab"
            assert key.plane() in range(3)


def test_moments_have_an_opposite_word_and_come_back():
    for joint, words in MOMENTS.items():
        for plane, word in enumerate(words):
            name = Key("left", joint, "moment", word).name
            other = swapped_name(name)
            assert other == Key("left", joint, "moment", OPPOSITE[word]).name
            assert other is not None
            assert swapped_name(other) == name
            assert internal_name(other) == internal_name(name) == name
            assert key_of(other).plane() == plane
            assert key_of(other).in_laboratory().component == "zxy"[plane]
    assert swapped_name("knee_moment_z") is None
    assert swapped_name("knee_angle_flexion") is None
    assert swapped_name("knee_moment_flexion", {"hip_power"}) is None


def test_panels_peaks_and_reference_sets_are_of_known_quantities():
    names = [
        panel.name for grid in (KINEMATICS, KINETICS, JOINT_FORCES) for row in grid for panel in row
    ]
    names += [one.curve for one in DEFINITIONS] + [*UNITS, *EXTERNAL]
    for name in names:
        key = key_of(name)
        assert key.name == name
        assert key.quantity or name == "free_moment", name
    assert not key_of("free_moment").is_moment
    assert key_of("ankle_power_a2_peak").is_power_part
    assert not key_of("ankle_power").is_power_part
