"""Induced accelerations of limbs whose answer can be seen, and what a run writes of them."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.audit.mechanism import mechanism_document, third_opinion
from gaitdyn.calibrate.body.trunk import rest_of_body
from gaitdyn.dynamics.induced import induced_accelerations
from gaitdyn.dynamics.segment_tree import MeasuredTree, measured_tree
from gaitdyn.dynamics.whole_body import pelvis_motion
from gaitdyn.errors import UsageError
from gaitdyn.pipeline import process_trial
from gaitdyn.stages.mechanism import find_mechanism, leg_moments, shown_rows
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.types.chain import Chain
from gaitdyn.types.generalised import InducedAcceleration, PelvisMotion, Trunk
from gaitdyn.types.options import Options

DATA = Path(__file__).resolve().parents[2] / "data"
G = 9.81
UP, FORWARD = 1, 0
LEG_KG = np.array([1.0, 3.0, 7.0])
TRUNK = Trunk(48.0, 0.3, np.diag([3.0, 0.6, 3.0]))
AT_REST = np.zeros((1, 3))


def standing_leg(ankle: float, knee: float, out: float) -> Chain:
    """Return a leg at rest, its ankle, knee and hip forward by so much of a straight column, m."""
    r_prox = np.array([[[ankle, 0.1, out], [knee, 0.5, out], [0.0, 0.9, out]]])
    r_cm = np.array([[[ankle, 0.05, out], r_prox[0, :2].mean(0), r_prox[0, 1:].mean(0)]])
    zero = np.zeros((1, 3, 3))
    inertia = np.stack([np.eye(3) * size for size in (0.005, 0.05, 0.12)])
    axes = np.broadcast_to(np.eye(3), (1, 3, 3, 3))
    gravity = np.array([0.0, -G, 0.0])
    return Chain(LEG_KG, inertia, axes, r_cm, r_prox, zero, zero, zero, zero, zero, gravity)


def induced(chains: dict[str, Chain], cop: dict[str, list[float]]) -> InducedAcceleration:
    hips = np.mean([chain.r_prox_G[:, 2] for chain in chains.values()], axis=0)
    pelvis = PelvisMotion(np.eye(3)[None], hips, AT_REST, AT_REST, AT_REST, AT_REST)
    measured = measured_tree(pelvis, chains, TRUNK)
    return induced_accelerations(
        measured, chains, {side: np.array([point]) for side, point in cop.items()}
    )


NOWHERE = [np.nan] * 3


def both_legs(**shape: float) -> dict[str, Chain]:
    return {"left": standing_leg(out=-0.1, **shape), "right": standing_leg(out=0.1, **shape)}


def test_a_straight_column_over_its_support_stands_without_any_moment() -> None:
    chains = both_legs(ankle=0.0, knee=0.0)
    found = induced(chains, {"left": [0.0, 0.0, -0.1], "right": [0.0, 0.0, 0.1]})
    np.testing.assert_allclose(found.a_com_G["gravity"], 0.0, atol=1e-9)
    weight = (48.0 + 22.0) * G
    np.testing.assert_allclose(found.force_G["gravity"], [[0.0, weight, 0.0]], atol=1e-8)


def test_a_bent_column_falls_under_its_weight() -> None:
    found = induced(
        both_legs(ankle=0.0, knee=0.1), {"left": [0.0, 0.0, -0.1], "right": [0.0, 0.0, 0.1]}
    )
    assert found.a_com_G["gravity"][0, UP] < -1.0


def test_a_body_in_the_air_falls_freely() -> None:
    found = induced(both_legs(ankle=0.0, knee=0.1), {"left": NOWHERE, "right": NOWHERE})
    np.testing.assert_allclose(found.a_com_G["gravity"], [[0.0, -G, 0.0]], atol=1e-9)


@pytest.mark.parametrize(
    ("joint", "forward", "way"),
    [("knee", 0.0, 1.0), ("ankle", 0.12, 1.0)],
    ids=["a knee that extends lifts", "a plantar-flexing ankle lifts over the toes"],
)
def test_the_moment_that_holds_a_bent_leg_lifts_the_body(
    joint: str, forward: float, way: float
) -> None:
    """The loads of the pose itself: the weight on both feet, the moments that balance it."""
    chains = both_legs(ankle=0.0, knee=0.06)
    weight = (48.0 + 22.0) * G
    for side, chain in chains.items():
        point = np.array([forward, 0.0, -0.1 if side == "left" else 0.1])
        force, moment = np.zeros((2, 1, 3, 3))
        force[:, 0, UP] = weight / 2
        moment[:, 0] = np.cross(point - chain.r_cm_G[:, 0], force[:, 0])
        chains[side] = replace(chain, external_force_G=force, external_moment_G=moment)
    found = induced(chains, {"left": [forward, 0.0, -0.1], "right": [forward, 0.0, 0.1]})
    for side in chains:
        assert way * found.a_com_G[f"{side}_{joint}"][0, UP] > 0.5
    total = np.sum(list(found.a_com_G.values()), axis=0)
    np.testing.assert_allclose(total, 0.0, atol=1e-9)


def test_the_trunk_is_what_the_legs_leave() -> None:
    trunk = rest_of_body(70.0, 22.54, 0.43, 0.42)
    assert trunk.mass == pytest.approx(70.0 * 0.678)
    length = 0.288 * (0.43 + 0.42) / (0.245 + 0.246)
    assert trunk.height_m == pytest.approx(0.626 * length)
    assert trunk.inertia[0, 0] == pytest.approx(trunk.mass * (0.496 * length) ** 2)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    place = tmp_path_factory.mktemp("mechanism")
    trial = DATA / "walk01.c3d"
    result = process_trial(trial, Options(generalised=True))
    folder = ResultsFolder.prepare(place, trial, [])
    return folder.path, write_results(folder, result, figures=True)


def table(path: Path) -> dict[str, np.ndarray]:
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    values = np.array([[float(cell or "nan") for cell in row] for row in rows[1:]])
    return dict(zip(rows[0], values.T, strict=True))


def test_the_parts_in_the_table_add_up_to_the_moments(written: tuple[Path, dict[str, Any]]) -> None:
    folder, document = written
    parts, whole = table(folder / "generalised.csv"), table(folder / "timeseries.csv")
    names = [name for name in whole if "_moment_" in name and not name.startswith("pelvis")]
    names = [name for name in names if "free" not in name]
    assert len(names) == 18
    for name in names:
        total = np.sum([parts[f"{name}_{word}"] for word in "mcge"], axis=0)
        known = np.isfinite(total) & np.isfinite(whole[name])
        assert known.sum() > 100
        np.testing.assert_allclose(total[known], whole[name][known], atol=1e-6)
    assert document["audit"]["third_opinion"] < 1e-12
    assert document["generalised"]["superposition_m_s2"] < 1e-12
    dictionary = json.loads((folder / "generalised.json").read_text(encoding="utf-8"))
    assert set(dictionary) == set(parts)
    assert dictionary["pelvis_residual_force_x"]["unit"] == "N"
    assert {"generalised.png", "induced.png"} <= {p.name for p in (folder / "figures").iterdir()}


def test_the_induced_accelerations_of_both_sides_have_one_sum(
    written: tuple[Path, dict[str, Any]],
) -> None:
    found = table(written[0] / "induced.csv")
    for axis in "xyz":
        sums = [
            np.sum(
                [v for k, v in found.items() if k.startswith(f"{s}_com_acceleration_{axis}_")], 0
            )
            for s in ("left", "right")
        ]
        np.testing.assert_allclose(sums[0], sums[1], atol=1e-6)
        assert np.isfinite(sums[0]).sum() > 100


def test_the_root_is_the_middle_of_the_hips_and_moves_as_it_does(
    written: tuple[Path, dict[str, Any]],
) -> None:
    result = process_trial(DATA / "walk01.c3d", Options(audit=False))
    pelvis = pelvis_motion(result.pose, 100.0)
    middle = (result.pose.left.r_prox_G[:, 2] + result.pose.right.r_prox_G[:, 2]) / 2
    np.testing.assert_allclose(pelvis.r_G, middle, atol=1e-12)
    ahead = np.gradient(middle, 0.01, axis=0)[5:-5]
    np.testing.assert_allclose(pelvis.v_G[5:-5], ahead, atol=0.02)
    mechanism = find_mechanism(result)
    assert mechanism is not None
    assert mechanism.residual is not None
    found = table(written[0] / "generalised.csv")
    shown = shown_rows(result)
    forward = mechanism.residual[:, :3] @ result.pose.walking_G
    np.testing.assert_allclose(found["pelvis_residual_force_x"][shown], forward[shown], atol=1e-4)


def test_a_hip_that_is_hidden_for_a_while_does_not_move_the_root_aside() -> None:
    pose = process_trial(DATA / "walk01.c3d", Options(audit=False)).pose
    whole = pelvis_motion(pose, 100.0)
    centres = pose.left.r_prox_G.copy()
    centres[150:160] = np.nan
    hidden = pelvis_motion(replace(pose, left=replace(pose.left, r_prox_G=centres)), 100.0)
    assert np.isnan(hidden.a_G[150:160]).all()
    for rows in (slice(100, 145), slice(165, 200)):
        np.testing.assert_allclose(hidden.a_G[rows], whole.a_G[rows], atol=0.1)
    centres = np.full_like(centres, np.nan)
    alone = pelvis_motion(replace(pose, left=replace(pose.left, r_prox_G=centres)), 100.0)
    np.testing.assert_array_equal(alone.r_G, pose.right.r_prox_G[:, 2])


def test_why_the_whole_body_has_no_residual_is_told() -> None:
    result = process_trial(DATA / "walk01.c3d", Options(audit=False, generalised=True))
    mechanism = find_mechanism(result)
    assert mechanism is not None
    assert mechanism.residual is not None
    mass, residual = result.subject.mass_kg or 0.0, np.full_like(mechanism.residual, np.nan)
    residual[150:250] = mass * np.array((0.3 * 9.80665, 0.4 * 9.80665, 0.0, 0.0, 0.6, 0.8))
    found = mechanism_document(result, replace(mechanism, residual=residual))
    assert found is not None
    assert 0 < found["residual"].pop("frames") <= 100
    assert found["residual"] == pytest.approx(
        {"force_rms_bw": 0.5, "force_largest_bw": 0.5, "moment_rms_nm_kg": 1.0}
    )
    left = replace(
        mechanism, joints={"left": mechanism.joints["left"]}, residual=None, induced=None
    )
    told = mechanism_document(result, left)
    assert told == {
        "computed": True, "residual": None, "reason": "the loads of the right leg are not known"
    }  # fmt: skip
    alone = replace(result, sides={"left": result.sides["left"]})
    told = mechanism_document(alone, left)
    assert told is not None
    assert told["reason"] == "one leg alone has markers"


def test_frames_that_are_not_published_have_no_source_either(
    written: tuple[Path, dict[str, Any]],
) -> None:
    result = process_trial(DATA / "walk01.c3d", Options(audit=False))
    found = table(written[0] / "induced.csv")
    hidden = ~shown_rows(result)
    assert hidden.any()
    assert all(np.isnan(v[hidden]).all() for k, v in found.items() if "acceleration" in k)
    parts = table(written[0] / "generalised.csv")
    assert np.isnan(parts["pelvis_residual_moment_y"][hidden]).all()


def test_rigid_segments_are_asked_for() -> None:
    with pytest.raises(UsageError, match="generalised needs rigid segments"):
        Options(generalised=True, profile="plug-in-gait")


def test_without_being_asked_nothing_is_computed() -> None:
    result = process_trial(DATA / "walk01.c3d", Options(audit=False))
    mechanism = find_mechanism(replace(result, no_kinetics="no plates"))
    assert mechanism is None


def test_the_third_opinion_of_a_long_recording_comes_in_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = process_trial(DATA / "walk01.c3d", Options(audit=False))
    leg = result.sides["left"]
    assert leg.kinetics is not None
    moment_S = leg.kinetics.loads.moment_S + np.linspace(0.0, 1.0, 3)
    wrong = replace(leg.kinetics, loads=replace(leg.kinetics.loads, moment_S=moment_S))
    spoilt = replace(result, sides={"left": replace(leg, kinetics=wrong)})
    whole = third_opinion(spoilt)
    assert whole > 1e-3
    monkeypatch.setattr("gaitdyn.audit.mechanism.AT_ONCE", 50)
    assert third_opinion(spoilt) == pytest.approx(whole, rel=1e-12)


def test_a_leg_whose_loads_are_never_known_has_no_third_opinion() -> None:
    """A shank that was never tracked ended the run: its tree has no frame at all."""
    result = process_trial(DATA / "walk01.c3d")
    right = result.sides["right"]
    assert right.kinetics is not None
    loads = right.kinetics.loads
    moment_S = np.full_like(loads.moment_S, np.nan)
    kinetics = replace(right.kinetics, loads=replace(loads, moment_S=moment_S))
    sides = result.sides | {"right": replace(right, kinetics=kinetics)}
    assert third_opinion(replace(result, sides=sides)) < 1e-12
    none = np.zeros(len(moment_S), bool)
    pelvis = pelvis_motion(result.pose, result.recording.rate_hz).part(none)
    parts = leg_moments(pelvis, "right", loads.chain.part(none))
    assert {values.shape for values in parts.values()} == {(0, 3, 3)}


def test_the_mechanism_of_a_long_recording_comes_in_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = process_trial(DATA / "walk01.c3d", Options(audit=False))
    whole, lengths = find_mechanism(result), list[int]()

    def counted(pelvis: PelvisMotion, *others: Any) -> MeasuredTree:
        lengths.append(len(pelvis.R_GP))
        return measured_tree(pelvis, *others)

    monkeypatch.setattr("gaitdyn.stages.mechanism.AT_ONCE", 50)
    monkeypatch.setattr("gaitdyn.stages.mechanism.measured_tree", counted)
    parts = find_mechanism(result)
    assert max(lengths) == 50
    assert whole is not None
    assert whole.residual is not None
    assert whole.induced is not None
    assert parts is not None
    assert parts.residual is not None
    assert parts.induced is not None
    np.testing.assert_array_equal(parts.residual, whole.residual)
    np.testing.assert_array_equal(parts.induced.total_G, whole.induced.total_G)
    for name, values in whole.induced.a_com_G.items():
        np.testing.assert_array_equal(parts.induced.a_com_G[name], values)
        np.testing.assert_array_equal(parts.induced.force_G[name], whole.induced.force_G[name])
    for side, moments in whole.joints.items():
        for part, values in moments.items():
            np.testing.assert_array_equal(parts.joints[side][part], values)
