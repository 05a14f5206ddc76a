"""The markers of a segment in a walk: how far each is from its place in the reference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitdyn.calibrate.landmarks import Reference
from gaitdyn.calibrate.tracking import track
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
