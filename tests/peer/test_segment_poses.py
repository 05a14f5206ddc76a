"""Segment poses to joint loads: an OpenSim model's own poses, masses and inertia, exact loads.

The file holds poses of the bodies of a scaled Rajagopal model in the axes of Theia3D; the reference
are net joint forces and moments in the laboratory of OpenSim (x forward, y up, z right), which is G
here. Talus, calcaneus and toes, welded, are one foot.

The file holds up to 8 N that go with a foot through the air and move its hip by 6 N m. All frames
but five at either end, which are not published, are compared. Errors print with ``-s``.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import gaitdyn
from gaitdyn.core.rotations import rotate
from tests.own_table import write_own_table
from tests.peer.osim_model import welded
from tests.read_back import rows_of
from tests.shared_files import CORPUS

if TYPE_CHECKING:
    from gaitdyn.trial import Result
    from gaitdyn.types.subject import Side
    from tests.own_table import Part

TRIAL = CORPUS / "poses" / "arnold01_poses.c3d"
MODEL = CORPUS / "trc" / "arnold01" / "subject01.osim"
LOADS = CORPUS / "poses" / "arnold01_net_loads_lab.csv"
MARKERLESS = CORPUS / "hostile" / "C3DRotationExample.c3d"
pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(not TRIAL.is_file(), reason="../shared/corpus/poses is not there"),
]
Array = np.ndarray[Any, np.dtype[Any]]
MASS_KG = 72.84
JOINTS = ("ankle", "knee", "hip")
ANKLE_TO_CALCANEUS = np.array([-0.0438771, -0.0429771, 0.0077424])
CALCANEUS_TO_TOES = np.array([0.1971023, -0.0018670, 0.0011454])
KNEE_TO_TIBIA = np.array([0.0098100, 0.0042790, 0.0016942])
"""From a joint centre to the origin of the body in its axes, right leg, m: joints of the model."""

SIDES: tuple[Side, ...] = ("left", "right")
N_FRAMES = 223
LIMITS = [(0, 0.05), (1, 0.15), (2, 0.3)]


def body(name: str, moved: Array | None = None) -> Part:
    """Return mass, centre of mass and inertia about it of a body of the model."""
    found = next(b for b in ET.parse(MODEL).getroot().iter("Body") if b.get("name") == name)  # noqa: S314

    def read(tag: str) -> Array:
        return np.array((found.findtext(tag) or "").split(), float)

    cm = read("mass_center") + (0.0 if moved is None else moved)
    return float(read("mass")[0]), cm, np.diag(read("inertia")[:3])


def model_parts() -> dict[str, Part]:
    toes = body("toes_r", ANKLE_TO_CALCANEUS + CALCANEUS_TO_TOES)
    return {
        "foot": welded([body("talus_r"), body("calcn_r", ANKLE_TO_CALCANEUS), toes]),
        "shank": body("tibia_r", KNEE_TO_TIBIA),
        "thigh": body("femur_r"),
    }


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The trial with the masses and inertia of the model."""
    table = tmp_path_factory.mktemp("table") / "model.csv"
    lengths = gaitdyn.process_trial(TRIAL, cutoff_hz=None).calibration.lengths_m["right"]
    write_own_table(table, model_parts(), lengths, MASS_KG)
    return gaitdyn.process_trial(TRIAL, cutoff_hz=None, anthropometry=str(table))


def reference(side: str, joint: str, what: str) -> Array:
    """Return a vector of the reference, shape (n, 3)."""
    rows = rows_of(LOADS)
    names = [f"{joint}_{side[0]}_{what}_{x}" for x in "xyz"]
    return np.array([[float(row[name]) for name in names] for row in rows])


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("i", "limit"), LIMITS)
def test_moments_are_those_of_the_model(result: Result, side: str, i: int, limit: float) -> None:
    kinetics = result.sides[side].kinetics
    assert kinetics is not None
    shown = kinetics.published[:, i]
    assert shown.sum() == N_FRAMES - 10
    ours = rotate(result.pose.leg(side).R_GS[:, i], kinetics.loads.moment_S[:, i])
    off = (ours - reference(side, JOINTS[i], "M"))[shown]
    rms = np.sqrt((off**2).mean(axis=0))
    print(side, JOINTS[i], shown.sum(), "rms N m", rms.round(3), np.abs(off).max(axis=0).round(3))  # noqa: T201
    assert (rms <= limit).all()


def test_the_load_of_a_foot_in_swing_is_said(result: Result) -> None:
    said = {f.scope: f.message for f in result.findings if f.code == "load-follows-foot"}
    assert "7.8 N travel 0.87 m with the swinging right foot" in said["plate 1"]
    assert "swinging left foot" in said["plate 2"]


@pytest.mark.parametrize("side", SIDES)
def test_centres_are_those_of_the_model(result: Result, side: str) -> None:
    for i, joint in enumerate(JOINTS):
        ours = result.pose.leg(side).r_prox_G[:, i]
        np.testing.assert_allclose(ours, reference(side, joint, "centre"), atol=1e-5)


def test_the_usual_table_gives_curves_of_the_same_shape(result: Result) -> None:
    usual = gaitdyn.process_trial(TRIAL)
    for side in ("left", "right"):
        mine, theirs = (r.sides[side].kinetics for r in (usual, result))
        assert mine is not None
        assert theirs is not None
        for i in range(3):
            shown = mine.published[:, i] & theirs.published[:, i]
            a, b = (k.loads.moment_S[shown, i, 2] for k in (mine, theirs))
            assert np.corrcoef(a, b)[0, 1] > 0.97


@pytest.mark.skipif(not MARKERLESS.is_file(), reason="../shared/corpus/hostile is not there")
def test_a_markerless_walk_on_a_belt() -> None:
    """Speed of the belt from the standing feet, and the knee in swing, deg: specification 2."""
    found = gaitdyn.process_trial(MARKERLESS)
    assert found.engine == "poses"
    assert set(found.sides) == {"left", "right"}
    assert found.no_kinetics.startswith("no force plates")
    for (side, knee), speed in zip((("left", 69.0), ("right", 62.0)), (1.47, 1.49), strict=True):
        cycles = found.cycles()
        own = cycles[cycles["side"] == side]
        mean = own.groupby("percent")["knee_angle_flexion"].mean()
        assert mean.max() == pytest.approx(knee, abs=1.0)
        assert 64 <= int(np.argmax(mean.to_numpy())) <= 76
        assert own["knee_angle_internal_rotation"].isna().all()
        assert own["knee_angle_adduction"].notna().all()
        rows = found.gait_parameters()
        speeds = rows[(rows["side"] == side) & (rows["quantity"] == "speed")]["value"]
        assert speeds.mean() == pytest.approx(speed, abs=0.03)
    assert np.isnan(found.pose.left.R_GS[[0, 336, 339]]).all()
