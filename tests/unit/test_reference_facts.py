"""The published values that ship."""

from __future__ import annotations

import re

import pytest

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.healthy import SCHWARTZ_SPEEDS, expected_peak, reference_facts
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.metrics.scores import FEWEST_PEOPLE, GDI_STAR_A, GDI_STAR_B, MCID_DEG

FACTS = {fact.quantity: fact for fact in reference_facts()}


def test_every_fact_stands_once_and_names_its_source():
    assert len(FACTS) == len(reference_facts())
    for fact in FACTS.values():
        assert re.search(r"(19|20)\d\d", fact.source), fact
        assert fact.sd is None or fact.sd > 0


def test_peaks_are_in_the_units_of_their_curves():
    seen = 0
    for fact in FACTS.values():
        curves = [name for name in UNITS if fact.quantity.startswith(f"{name}_")]
        for curve in curves:
            assert fact.unit == UNITS[curve]
        seen += bool(curves)
    assert seen == 17


def test_facts_of_peaks_and_parameters_go_by_the_names_of_their_tables():
    units = {line.name: line.unit or "1" for line in (*DEFINITIONS, *PARAMETERS)}
    others = {name for name in FACTS if name not in units}
    assert {name for name in others if not name.startswith(("gps_", "gdi_"))} == {"ankle_power_max"}
    for name in FACTS.keys() - others:
        assert FACTS[name].unit == units[name]


def test_ground_forces_are_the_multiples_of_body_weight_of_the_source():
    weights = {f: re.search(r"(-?[\d.]+) times body weight", f.source) for f in FACTS.values()}
    told = {fact: float(found[1]) for fact, found in weights.items() if found}
    assert len(told) == 5
    for fact, weight in told.items():
        assert fact.value == pytest.approx(weight * STANDARD_GRAVITY, rel=5e-3)


PEAKS = sorted({row["quantity"] for row in shipped_rows("gait_reference/peaks.csv")})


@pytest.mark.parametrize("quantity", PEAKS)
def test_a_peak_at_free_speed_is_the_fact(quantity):
    """The card and the part for the engineer have one source."""
    told, fact = expected_peak(quantity), FACTS[quantity]
    assert told is not None
    assert (told.mean, told.sd) == (fact.value, fact.sd)
    slow, fast = (expected_peak(quantity, SCHWARTZ_SPEEDS[group]) for group in ("slow", "fast"))
    assert slow is not None
    assert fast is not None
    assert abs(fast.mean) > abs(slow.mean)


def test_a_peak_that_cannot_be_compared_has_no_norm():
    for name in ("hip_moment_extension_max", "ankle_power_a2_peak", "knee_power_k3_peak"):
        assert expected_peak(name) is None


def test_the_constants_of_the_scores_are_those_of_the_table():
    assert FACTS["gps_mcid"].value == MCID_DEG
    assert (FACTS["gdi_star_a"].value, FACTS["gdi_star_b"].value) == (GDI_STAR_A, GDI_STAR_B)
    assert FACTS["gps_fewest_references"].value == FEWEST_PEOPLE
