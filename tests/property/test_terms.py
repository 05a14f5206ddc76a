"""Laws that the parts of the joint moments obey for every chain."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gaitdyn import inverse_dynamics
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.sources import solve_unit_lower, source_terms
from gaitdyn.dynamics.stacked import stacked_system
from gaitdyn.types.chain import Chain
from tests.property.random_chain import CAUSES, random_chain

FEW = settings(max_examples=25)
SEEDS, SIZES = st.integers(0, 2**32 - 1), st.integers(1, 5)


def same(found: Any, wanted: Any) -> None:
    """Assert equality to 1e-10 of the largest value."""
    scale = max(np.abs(wanted).max(), 1.0)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10 * scale)


@FEW
@given(SEEDS, SIZES)
def test_the_parts_of_all_segments_add_up_to_the_moment(seed: int, s: int) -> None:
    loads = inverse_dynamics(**random_chain(np.random.default_rng(seed), 3, s))
    terms = source_terms(loads.chain)
    same(terms.moment_S.sum(axis=(2, 3)), loads.moment_S)
    same(sum(terms.by_cause().values()), loads.moment_S)
    external = terms.by_cause()["external"]
    same(terms.by_segment().sum(axis=2) + external, loads.moment_S)


@FEW
@given(SEEDS, SIZES)
def test_the_parts_by_cause_are_those_with_the_other_causes_switched_off(seed: int, s: int) -> None:
    loads = inverse_dynamics(**random_chain(np.random.default_rng(seed), 3, s))
    parts = source_terms(loads.chain).by_cause()
    for cause in CAUSES:
        same(parts[cause], getattr(loads.terms, cause))


@FEW
@given(SEEDS, SIZES, st.data())
def test_the_part_of_a_segment_is_what_its_mass_and_loads_make(
    seed: int, s: int, data: st.DataObject
) -> None:
    chain = random_chain(np.random.default_rng(seed), 3, s)
    source = data.draw(st.integers(0, s - 1))
    alone = dict(chain)
    others = np.arange(s) != source
    for name in ("mass", "inertia_S"):
        alone[name] = chain[name].copy()
        alone[name][others] = 0.0
    for name in ("external_force_G", "external_moment_G"):
        alone[name] = chain[name].copy()
        alone[name][:, others] = 0.0
    parts = source_terms(inverse_dynamics(**chain).chain).moment_S[:, :, source].sum(axis=2)
    same(parts, joint_loads(Chain(**alone)).moment_S)  # without mass: no leg, an equation


@FEW
@given(SEEDS, SIZES)
def test_a_segment_above_a_joint_has_no_part_in_its_moment(seed: int, s: int) -> None:
    terms = source_terms(inverse_dynamics(**random_chain(np.random.default_rng(seed), 2, s)).chain)
    for joint in range(s):
        assert (terms.moment_S[:, joint, joint + 1 :] == 0).all()


@FEW
@given(SEEDS, SIZES)
def test_the_substitution_solves_the_system(seed: int, s: int) -> None:
    rng = np.random.default_rng(seed)
    A = stacked_system(inverse_dynamics(**random_chain(rng, 2, s)).chain).A
    b = rng.normal(size=(2, 6 * s, 4))
    same(A @ solve_unit_lower(A, b), b)


def test_a_gap_stays_in_its_frame_and_in_the_joints_above_it() -> None:
    arguments = random_chain(np.random.default_rng(2), 3, 3)
    arguments["r_cm_G"][1, 1] = np.nan
    known = np.isfinite(source_terms(inverse_dynamics(**arguments).chain).moment_S)
    assert known[[0, 2]].all()
    assert known[1, 0].all()
    assert not known[1, 1:, :2].any()


def test_an_unknown_ground_force_leaves_the_other_causes_known() -> None:
    arguments = random_chain(np.random.default_rng(3), 2, 3)
    arguments["external_force_G"][1, 0] = np.nan
    terms = source_terms(inverse_dynamics(**arguments).chain).by_cause()
    assert np.isfinite(terms["gravity"]).all()
    assert np.isnan(terms["external"][1]).any()
