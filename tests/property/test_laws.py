"""Laws of mechanics that inverse dynamics obeys for every chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gaitdyn import inverse_dynamics
from gaitdyn.dynamics.stacked import stacked_system
from gaitdyn.errors import ArrayShapeError, GaitdynError, UsageError
from tests.property.random_chain import CAUSES, Arguments, random_chain, turned

if TYPE_CHECKING:
    from gaitdyn.types.loads import JointLoads

FEW = settings(max_examples=25)
SEEDS, SIZES = st.integers(0, 2**32 - 1), st.integers(1, 5)
METHODS: tuple[Literal["substitution", "stacked"], ...] = ("substitution", "stacked")
# The sums have up to 5 segments and no cancellation worth mentioning: 1e-15 of the largest term
# a sum, and four digits of room for an unlucky chain.
RELATIVE = 1e-11


def same(found: Any, wanted: Any, relative: float = RELATIVE) -> None:
    """Assert equality relative to the largest value."""
    scale = max(np.abs(wanted).max(), 1.0)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=relative * scale)


def changed(chain: Arguments, **values: Any) -> JointLoads:
    return inverse_dynamics(**{**chain, **values})


@FEW
@given(SEEDS, SIZES)
def test_the_stacked_solve_equals_the_substitution(seed: int, s: int) -> None:
    chain = random_chain(np.random.default_rng(seed), 4, s)
    one, other = (inverse_dynamics(**chain, method=method) for method in METHODS)
    # the limit that the design asks for; the system's condition number is below a few hundred
    same(one.force_G, other.force_G, 1e-10)
    same(one.moment_S, other.moment_S, 1e-10)


@FEW
@given(SEEDS, SIZES)
def test_the_stacked_matrix_is_unit_lower_triangular(seed: int, s: int) -> None:
    loads = inverse_dynamics(**random_chain(np.random.default_rng(seed), 2, s))
    A = stacked_system(loads.chain).A
    blocks = A.reshape(2, 2 * s, 3, 2 * s, 3)
    for i in range(2 * s):
        assert (blocks[:, i, :, i] == np.eye(3)).all()
        assert (blocks[:, i, :, i + 1 :] == 0).all()


@FEW
@given(SEEDS, SIZES)
def test_the_loads_solve_the_stacked_system_block_by_block(seed: int, s: int) -> None:
    loads = inverse_dynamics(**random_chain(np.random.default_rng(seed), 3, s))
    system = stacked_system(loads.chain)
    unknowns = np.stack((loads.force_G, loads.moment_S), axis=2).reshape(3, 6 * s)
    # M qdd = C + G + A f + E, as printed in the notebook
    left = system.inertial
    right = system.velocity + system.gravity + turned(system.A, unknowns) + system.external
    same(left, right, 1e-10)  # a product with A adds up to 24 terms


@FEW
@given(SEEDS, SIZES)
def test_the_terms_add_up_to_the_moment(seed: int, s: int) -> None:
    loads = inverse_dynamics(**random_chain(np.random.default_rng(seed), 3, s))
    same(sum(getattr(loads.terms, cause) for cause in CAUSES), loads.moment_S)


@pytest.mark.parametrize(
    ("cause", "without"),
    [
        ("inertial", ("a_cm_G", "alpha_S")),
        ("velocity", ("omega_S",)),
        ("gravity", ("gravity_G",)),
        ("external", ("external_force_G", "external_moment_G")),
    ],
)
@FEW
@given(seed=SEEDS, s=SIZES)
def test_a_term_vanishes_with_its_cause_and_only_that_term(
    cause: str, without: tuple[str, ...], seed: int, s: int
) -> None:
    chain = random_chain(np.random.default_rng(seed), 2, s)
    whole = inverse_dynamics(**chain)
    rest = changed(chain, **{name: np.zeros_like(chain[name]) for name in without})
    assert np.abs(getattr(whole.terms, cause)).max() > 1e-3  # it was there before
    assert (getattr(rest.terms, cause) == 0).all()
    for other in CAUSES:
        if other != cause:
            same(getattr(rest.terms, other), getattr(whole.terms, other))
    same(whole.moment_S - rest.moment_S, getattr(whole.terms, cause))


@FEW
@given(SEEDS, SIZES)
def test_a_turned_laboratory_turns_the_forces_and_keeps_the_moments(seed: int, s: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, 3, s)
    Q = Rotation.random(rng=rng).as_matrix()
    moved: Arguments = {key: turned(Q, v) if key.endswith("_G") else v for key, v in chain.items()}
    moved["R_GS"] = Q @ chain["R_GS"]
    here, there = inverse_dynamics(**chain), inverse_dynamics(**moved)
    same(there.force_G, turned(Q, here.force_G))
    same(there.moment_S, here.moment_S)


@FEW
@given(SEEDS, SIZES)
def test_a_shifted_laboratory_changes_nothing(seed: int, s: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, 3, s)
    shift = rng.normal(size=3) * 5
    there = changed(chain, r_cm_G=chain["r_cm_G"] + shift, r_prox_G=chain["r_prox_G"] + shift)
    here = inverse_dynamics(**chain)
    assert (there.force_G == here.force_G).all()
    same(there.moment_S, here.moment_S)


@FEW
@given(SEEDS, SIZES, st.floats(-3, 3))
def test_loads_are_linear_in_external_wrench_gravity_and_acceleration(
    seed: int, s: int, factor: float
) -> None:
    rng = np.random.default_rng(seed)
    chain, other = random_chain(rng, 3, s), random_chain(rng, 3, s)
    linear = ("external_force_G", "external_moment_G", "gravity_G", "a_cm_G", "alpha_S")
    still = {**chain, "omega_S": np.zeros_like(chain["omega_S"])}
    second = {**still, **{name: other[name] for name in linear}}
    both = {name: chain[name] + factor * other[name] for name in linear}
    a, b, sum_of_both = (inverse_dynamics(**c) for c in (still, second, {**still, **both}))
    same(sum_of_both.force_G, a.force_G + factor * b.force_G)
    same(sum_of_both.moment_S, a.moment_S + factor * b.moment_S)


@FEW
@given(SEEDS, SIZES)
def test_the_velocity_term_grows_with_the_square_of_the_speed(seed: int, s: int) -> None:
    chain = random_chain(np.random.default_rng(seed), 3, s)
    slow, fast = inverse_dynamics(**chain), changed(chain, omega_S=-3.0 * chain["omega_S"])
    same(fast.terms.velocity, 9.0 * slow.terms.velocity)


@FEW
@given(SEEDS, SIZES)
def test_a_mirrored_chain_has_mirrored_loads(seed: int, s: int) -> None:
    """Left becomes right: z changes sign in G and in every segment.

    Vectors (positions, forces) are mirrored; axial vectors (turns, moments) are mirrored and
    reversed.
    """
    chain = random_chain(np.random.default_rng(seed), 3, s)
    mirror = np.diag([1.0, 1.0, -1.0])
    axial = {"omega_S", "alpha_S", "external_moment_G"}
    there = {
        key: v @ (-mirror if key in axial else mirror) if key != "mass" else v
        for key, v in chain.items()
    }
    there["inertia_S"] = mirror @ chain["inertia_S"] @ mirror
    there["R_GS"] = mirror @ chain["R_GS"] @ mirror
    here, there = inverse_dynamics(**chain), inverse_dynamics(**there)
    same(there.force_G, here.force_G @ mirror)
    same(there.moment_S, here.moment_S @ -mirror)


@FEW
@given(SEEDS, SIZES)
def test_the_loads_accelerate_every_segment_as_it_was_seen(seed: int, s: int) -> None:
    """Forward of inverse: Newton and Euler in G, each segment by itself."""
    chain = random_chain(np.random.default_rng(seed), 3, s)
    loads = inverse_dynamics(**chain)
    R, zero = chain["R_GS"], np.zeros((3, 1, 3))
    moment_G = turned(R, loads.moment_S)
    below_F = np.concatenate((zero, loads.force_G[:, :-1]), axis=1)
    below_M = np.concatenate((zero, moment_G[:, :-1]), axis=1)
    to_top = chain["r_prox_G"] - chain["r_cm_G"]
    to_bottom = np.concatenate((zero, chain["r_prox_G"][:, :-1]), axis=1) - chain["r_cm_G"]
    mass = chain["mass"][:, None]
    force = loads.force_G - below_F + chain["external_force_G"] + mass * chain["gravity_G"]
    moment = moment_G - below_M + chain["external_moment_G"]
    moment = moment + np.cross(to_top, loads.force_G) - np.cross(to_bottom, below_F)
    inertia_G = R @ chain["inertia_S"] @ np.swapaxes(R, -1, -2)
    omega_G = turned(R, chain["omega_S"])
    gyroscopic = np.cross(omega_G, turned(inertia_G, omega_G))
    alpha_G = np.linalg.solve(inertia_G, (moment - gyroscopic)[..., None])[..., 0]
    # 1e-9: the closure that the design asks of every frame; light segments amplify the rounding
    # of forces of thousands of newtons by 1 / inertia
    same(force / mass, chain["a_cm_G"], 1e-9)
    same(turned(np.swapaxes(R, -1, -2), alpha_G), chain["alpha_S"], 1e-9)


@FEW
@given(SEEDS, SIZES)
def test_action_equals_reaction_of_the_whole_chain(seed: int, s: int) -> None:
    """The last joint carries the momentum rate of everything below it."""
    chain = random_chain(np.random.default_rng(seed), 3, s)
    loads = inverse_dynamics(**chain)
    R, hip = chain["R_GS"], chain["r_prox_G"][:, -1:]
    thrust = chain["mass"][:, None] * (chain["a_cm_G"] - chain["gravity_G"])
    thrust = thrust - chain["external_force_G"]
    inertia = chain["inertia_S"]
    spin = turned(inertia, chain["alpha_S"])
    spin = spin + np.cross(chain["omega_S"], turned(inertia, chain["omega_S"]))
    moment = turned(R, spin) - chain["external_moment_G"]
    moment = moment + np.cross(chain["r_cm_G"] - hip, thrust)
    same(loads.force_G[:, -1], thrust.sum(axis=1))
    same(turned(R[:, -1], loads.moment_S[:, -1]), moment.sum(axis=1))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "missing",
    ["R_GS", "r_cm_G", "r_prox_G", "a_cm_G", "omega_S", "alpha_S",
     "external_force_G", "external_moment_G"],
)  # fmt: skip
@FEW
@given(seed=SEEDS, s=SIZES, data=st.data())
def test_a_missing_value_stays_in_its_frame_and_in_the_segments_above(
    missing: str, method: Literal["substitution", "stacked"], seed: int, s: int, data: st.DataObject
) -> None:
    chain = random_chain(np.random.default_rng(seed), 5, s)
    frame, segment = data.draw(st.integers(0, 4)), data.draw(st.integers(0, s - 1))
    broken = chain[missing].copy()
    part = data.draw(st.integers(0, 2))
    broken[frame, segment, ... if missing == "R_GS" else part] = np.nan  # a turn misses as a whole
    whole = inverse_dynamics(**chain, method=method)
    rest = inverse_dynamics(**{**chain, missing: broken}, method=method)
    seen = np.ones((5, s), bool)
    seen[frame, segment:] = False
    same(rest.moment_S[seen], whole.moment_S[seen])
    same(rest.force_G[seen], whole.force_G[seen])
    assert np.isnan(rest.moment_S[~seen]).all()
    for cause in CAUSES:
        assert np.isfinite(getattr(rest.terms, cause)[seen]).all()


def test_a_single_segment_held_still_needs_its_weight_and_the_moment_of_its_weight() -> None:
    # 2 kg hang 0.5 m in front of the joint: 20 N up, 10 N m about +z, with g = 10 m/s2
    zero = np.zeros((1, 1, 3))
    for method in METHODS:
        loads = inverse_dynamics(
            [2.0], np.eye(3)[None], np.eye(3)[None, None], zero + np.array([0.5, 0, 0]), zero,
            zero, zero, zero, zero, zero, (0, -10.0, 0), method,
        )  # fmt: skip
        assert loads.force_G.tolist() == [[[0, 20, 0]]]
        assert loads.moment_S.tolist() == [[[0, 0, 10]]]


def test_a_top_that_spins_about_a_tilted_axis_needs_the_gyroscopic_moment() -> None:
    # omega = (1, 1, 0), I = diag(1, 2, 3): omega x I omega = (1, 1, 0) x (1, 2, 0) = (0, 0, 1)
    zero = np.zeros((1, 1, 3))
    for method in METHODS:
        loads = inverse_dynamics(
            [1.0], np.diag([1.0, 2, 3])[None], np.eye(3)[None, None], zero, zero, zero,
            zero + np.array([1, 1, 0]), zero, zero, zero, (0, 0, 0), method,
        )  # fmt: skip
        assert loads.moment_S.tolist() == [[[0, 0, 1]]]


def test_an_inertia_for_every_frame_is_used_in_its_frame() -> None:
    chain = random_chain(np.random.default_rng(1), 6, 3)
    factor = np.arange(1.0, 7)[:, None, None, None]
    each = [
        inverse_dynamics(**{**chain, "inertia_S": f * chain["inertia_S"]}).moment_S[i]
        for i, f in enumerate(range(1, 7))
    ]
    for method in METHODS:
        varying = {**chain, "inertia_S": factor * chain["inertia_S"]}
        same(inverse_dynamics(**varying, method=method).moment_S, np.stack(each))


WRONG = {
    "mass": ((3, 1), "(n,)"),
    "inertia_S": ((2, 3, 3), "(3, 3, 3)"),
    "R_GS": ((4, 2, 3, 3), "(n, 3, 3, 3); mass has 3 segments"),
    "r_cm_G": ((3, 3), "(4, 3, 3)"),
    "r_prox_G": ((4, 3), "(4, 3, 3)"),
    "a_cm_G": ((5, 3, 3), "(4, 3, 3)"),
    "omega_S": ((4, 2, 3), "(4, 3, 3)"),
    "alpha_S": ((4, 3, 2), "(4, 3, 3)"),
    "external_force_G": ((1, 3, 3), "(4, 3, 3)"),
    "external_moment_G": ((4, 3, 3, 1), "(4, 3, 3)"),
    "gravity_G": ((4, 3), "(3,)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_shape_is_refused_with_what_was_found_and_what_was_wanted(name: str) -> None:
    chain = random_chain(np.random.default_rng(0), 4, 3)
    shape, wanted = WRONG[name]
    with pytest.raises(ArrayShapeError) as caught:
        changed(chain, **{name: np.ones(shape)})
    assert str(caught.value) == f"{name} has shape {shape}, wanted {wanted}"
    assert isinstance(caught.value, (GaitdynError, ValueError))


def test_an_inertia_for_every_frame_must_fit_the_frames() -> None:
    chain = random_chain(np.random.default_rng(0), 4, 3)
    message = r"inertia_S has shape \(5, 3, 3, 3\), wanted \(4, 3, 3, 3\)"
    with pytest.raises(ArrayShapeError, match=message):
        changed(chain, inertia_S=np.ones((5, 3, 3, 3)))


def test_a_chain_without_segments_is_refused() -> None:
    none = np.zeros((4, 0, 3))
    with pytest.raises(ArrayShapeError, match="at least one segment"):
        inverse_dynamics(
            [], np.zeros((0, 3, 3)), np.zeros((4, 0, 3, 3)), none, none, none, none, none, none,
            none, np.zeros(3),
        )  # fmt: skip


def test_an_unknown_method_is_refused() -> None:
    chain: dict[str, Any] = random_chain(np.random.default_rng(0), 1, 1)
    with pytest.raises(UsageError, match="method is 'inverse', wanted 'substitution' or 'stacked'"):
        inverse_dynamics(**(chain | {"method": "inverse"}))


def test_inputs_are_left_as_they_were_and_results_are_locked() -> None:
    chain = random_chain(np.random.default_rng(3), 4, 3)
    before = {key: value.copy() for key, value in chain.items()}
    for method in METHODS:
        loads = inverse_dynamics(**chain, method=method)
        assert loads.terms is loads.terms  # computed once
        with pytest.raises(ValueError, match="read-only"):
            loads.force_G[0, 0, 0] = 1.0
    for key, value in chain.items():
        assert (value == before[key]).all()
        assert value.flags.writeable
