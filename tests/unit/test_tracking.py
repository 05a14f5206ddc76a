"""The markers of a segment in a walk: how far each is from its place in the reference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitdyn.calibrate.clusters.tracking import track
from gaitdyn.calibrate.posture.mean import mean_posture
from gaitdyn.calibrate.posture.reference import Reference, ReferenceLeg
from gaitdyn.core.rotations import about
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject
from gaitdyn.types.trial import Trial


def walked(labels: tuple[str, ...], points: np.ndarray) -> Trial:
    read = Recording("walk.c3d", "", 100.0, 1, 1, labels, points, {}, (), (), Subject())
    return Trial(read, np.eye(3), labels, points, ())


def test_the_residual_of_a_marker_is_its_mean_distance_from_the_best_fit() -> None:
    """Kabsch's fit by scipy, frame by frame; one marker slides, and one is another marker."""
    rng, labels = np.random.default_rng(5), ("LASI", "RASI", "LPSI", "RPSI")
    shape = np.array([[0, 1, -0.12], [0, 1, 0.12], [-0.16, 1.02, -0.05], [-0.16, 1, 0.05]])
    places = shape + 0.01 * rng.normal(size=(30, 1, 3)) * [[0.0], [0.0], [0.0], [1.0]]
    turns = Rotation.random(30, random_state=7).as_matrix()
    points = places @ np.swapaxes(turns, 1, 2) + rng.normal(size=(30, 1, 3))
    reference = Reference(np.eye(3), np.zeros(3), (labels, shape), {}, [])
    off = []
    for frame in points:
        centred = frame - frame.mean(axis=0), shape - shape.mean(axis=0)
        turn, _ = Rotation.align_vectors(*centred)
        off.append(np.linalg.norm(centred[0] - turn.apply(centred[1]), axis=1))
    wanted = 1000 * np.sqrt(np.mean(np.square(off), axis=0))
    found = track(walked(labels, points), reference)
    assert [(f.code, f.scope) for f in found.findings] == [("cluster-residual", x) for x in labels]
    assert [f.value for f in found.findings] == pytest.approx(wanted.tolist())
    order = [1, 0, 2, 3]  # sides exchanged: 240 mm
    (told,) = track(walked(labels, points[:, order]), reference).findings
    assert (told.code, told.scope) == ("segment-untracked", "pelvis")


SHAPE = np.array([[0.0, 0.0, 0.06], [0.05, 0.1, 0.05], [0.0, 0.2, 0.07], [-0.04, 0.12, 0.05]])


def test_each_joint_is_carried_from_above_and_known_of_below_too() -> None:
    """Every segment moves by itself, as skin does: a joint has two places, a few mm apart."""
    hip, knee, ankle = np.array([[0.0, 0.9, 0.1], [0.02, 0.5, 0.1], [0.0, 0.1, 0.1]])
    heel, toe = np.add(ankle, (-0.05, -0.06, 0.0)), np.add(ankle, (0.15, -0.06, 0.0))
    clusters = {"PEL": hip + SHAPE, "RTH": knee + SHAPE, "RSK": ankle + SHAPE, "RFT": toe + SHAPE}
    templates = {
        stem: (tuple(f"{stem}{i}" for i in range(1, 5)), places)
        for stem, places in clusters.items()
    }
    foot, shank, thigh = (about("z", a) @ about("x", a) for a in (0.1, 0.2, 0.3))
    axes = foot, shank, thigh
    leg = ReferenceLeg(
        "right", hip, knee, ankle, heel, toe, ankle, axes,
        (templates["RFT"], templates["RSK"], templates["RTH"]),
    )  # fmt: skip
    turns = {s: Rotation.random(6, random_state=k).as_matrix() for k, s in enumerate(clusters)}
    shifts = {s: np.random.default_rng(k).normal(size=(6, 3)) for k, s in enumerate(clusters)}

    def carried(stem: str, place: np.ndarray) -> np.ndarray:
        return turns[stem] @ place + shifts[stem]

    points = np.stack([carried(s, p) for s, places in clusters.items() for p in places], axis=1)
    labels = tuple(label for names, _ in templates.values() for label in names)
    origin = np.array([0.05, 1.0, 0.0])
    reference = Reference(np.eye(3), origin, templates["PEL"], {"right": leg}, [])
    found = track(walked(labels, points), reference)
    pose = found.legs["right"]
    np.testing.assert_allclose(found.origin_G, carried("PEL", origin), atol=1e-9)
    above = [carried("RSK", ankle), carried("RTH", knee), carried("PEL", hip)]
    np.testing.assert_allclose(pose.r_prox_G, np.stack(above, axis=1), atol=1e-9)
    below = [carried("RFT", ankle), carried("RSK", knee), carried("RTH", hip)]
    assert pose.own_prox_G is not None
    np.testing.assert_allclose(pose.own_prox_G, np.stack(below, axis=1), atol=1e-9)
    turned = [turns[s] @ R for s, R in zip(("RFT", "RSK", "RTH"), axes, strict=True)]
    np.testing.assert_allclose(pose.R_GS, np.stack(turned, axis=1), atol=1e-9)
    for end, place in zip(found.feet["right"], (heel, toe), strict=True):
        np.testing.assert_allclose(end, carried("RFT", place), atol=1e-9)


def test_the_mean_posture_is_that_of_the_stance() -> None:
    """Knee 0.1 rad in stance and 0.5 in swing; the shank's own knee 4 mm ahead in stance."""
    hip, knee, ankle = np.array([0.0, 0.9, 0.1]), np.array([0.0, 0.5, 0.1]), np.zeros(3)
    stance = np.arange(10) < 4
    still = np.tile(np.eye(3), (10, 1, 1)), np.zeros((10, 3))
    bend = about("z", np.where(stance, 0.1, 0.5))
    away = np.where(stance, 0.004, 0.0)[:, None] * [1.0, 0.0, 0.0]
    shank = bend, knee + away - bend @ knee
    nothing: tuple[str, ...] = ()
    leg = ReferenceLeg(
        "left", hip, knee, ankle, ankle, ankle, ankle, (np.eye(3), np.eye(3), np.eye(3)),
        ((nothing, SHAPE), (nothing, SHAPE), (nothing, SHAPE)),
    )  # fmt: skip
    motions = {"pelvis": still, "left thigh": still, "left shank": shank, "left foot": shank}
    for rows, angle, ahead in ((stance, 0.1, 0.004), (np.zeros(10, bool), None, 0.0)):
        R, t = mean_posture(motions, [leg], {"left": rows})["left shank"]
        mean = bend.mean(axis=0)
        wanted = about("z", angle or np.arctan2(mean[1, 0], mean[0, 0]))
        np.testing.assert_allclose(R, wanted, atol=1e-9)
        own = about("z", angle or 0.0).T @ [ahead, 0.0, 0.0]  # in the axes of the shank
        np.testing.assert_allclose(R @ (knee - own) + t, knee, atol=1e-9)
