"""Generalised coordinates of a walking leg against Simbody, and of whole trials against us."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitdyn.audit.mechanism import third_opinion
from gaitdyn.dynamics.segment_tree import generalised_loads, measured_tree
from gaitdyn.pipeline import process_trial
from gaitdyn.stages.mechanism import find_mechanism
from gaitdyn.types.chain import Chain
from gaitdyn.types.generalised import PelvisMotion
from gaitdyn.types.motion import JOINTS
from tests.peer.test_oracles import opensim_leg, seed, stacked_case
from tests.shared_files import CORPUS, WITH_ORACLES

TRIALS = ("BTK-A/PiG_Motion-FlatFoot-Full", "BTK-B/PiG_Motion3_FF", "Sydney/S4-AMGait03",
          "McGill/HC002D06")  # fmt: skip
pytestmark = [pytest.mark.peer, WITH_ORACLES]


def any_pelvis(n: int) -> PelvisMotion:
    """The loads of a leg do not ask how the pelvis moves: any motion will do."""
    rng = np.random.default_rng(3)
    R = Rotation.random(n, rng=rng).as_matrix()
    return PelvisMotion(R, *rng.normal(size=(5, n, 3)))


@pytest.mark.parametrize("side", ["left", "right"])
def test_generalised_loads_of_a_walking_leg_are_those_of_simbody(side: str) -> None:
    arguments, _, moment = opensim_leg(side)
    leg = {side: Chain(**arguments)}
    measured = measured_tree(any_pelvis(len(moment)), leg)
    tau = generalised_loads(measured, leg).tau
    for i, joint in enumerate(JOINTS):
        found = tau[:, measured.rows(f"{side}_{joint}_")]
        np.testing.assert_allclose(found, moment[:, i], rtol=0, atol=1e-8)


def test_generalised_loads_of_the_seed_chain_are_those_of_three_engines() -> None:
    document = seed("seed001_stacked_chain")
    frames = document["frames"]
    case = stacked_case(frames, document, free=True)
    leg = {"left": Chain(**case)}
    measured = measured_tree(any_pelvis(len(frames)), leg)
    tau = generalised_loads(measured, leg).tau
    for letter, joint in zip("AKH", JOINTS, strict=True):
        moment = [f["out"][f"M_{letter}_seg"] for f in frames]
        found = tau[:, measured.rows(f"left_{joint}_")]
        np.testing.assert_allclose(found, moment, rtol=0, atol=1e-8)


@pytest.mark.parametrize("trial", TRIALS)
def test_a_real_trial_has_the_same_moments_by_the_third_route(trial: str) -> None:
    path = CORPUS / f"gait/{trial}.c3d"
    if not path.is_file():
        pytest.skip(f"{path.name} is not there")
    result = process_trial(path)
    assert third_opinion(result) < 1e-12
    mechanism = find_mechanism(result)
    assert mechanism is not None
    assert mechanism.induced is not None
    total = np.sum(list(mechanism.induced.a_com_G.values()), axis=0)
    np.testing.assert_allclose(
        total[np.isfinite(total)], mechanism.induced.total_G[np.isfinite(total)], atol=1e-12
    )


def test_the_walker_has_the_same_moments_by_the_third_route() -> None:
    walk = Path(__file__).resolve().parents[2] / "data" / "walk01.c3d"
    assert third_opinion(process_trial(walk)) < 1e-12
