"""The sagittal model from a C3D file against a published planar program (``leg2d``).

The markers and the force of the reference, one leg on a belt, are written as a C3D file and go
through ``gaitdyn process``; benchmarks/leg2d.py tells what the reference did: a body whose three
segments have the mass and the radius of gyration of the foot, a Butterworth filter of 4 Hz. The
force differs by up to 0.03 N/kg, since what the plate reads while the foot swings is left out here
before the filter: 0.02 N m/kg half a metre above.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.core.rotations import columns, cross, unit
from gaitdyn.synthetic.c3d_file import C3dContent, write_c3d
from tests.benchmark_scripts import script

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.real
ROOT = Path(__file__).resolve().parents[2]
LABELS = ("RSHO", "RGTR", "RKNE", "RANK", "RHEE", "RMT5")
CORNERS = np.array([[2.5, 0.6, 0], [2.5, -0.6, 0], [-1.5, -0.6, 0], [-1.5, 0.6, 0]])  # m, z up
BODY = """segment,sex,proximal,distal,mass,cm_along,r_x,r_y,r_z,source
foot,,HEE,TOE,0.0145,0.5,0.475,0.475,0.475,leg2d
shank,,knee centre,ankle centre,0.0145,0.433,0.475,0.475,0.475,leg2d
thigh,,hip centre,knee centre,0.0145,0.433,0.475,0.475,0.475,leg2d
"""
SIGN = {"ankle_moment_plantarflexion": 1.0, "knee_moment_extension": -1.0}
SIGN |= {"hip_moment_extension": -1.0}
"""Columns in the order of the reference, whose words are plantarflexion, flexion, flexion."""


@pytest.fixture(scope="module")
def leg2d(shared: Path) -> Any:
    return script("leg2d")


def as_file(path: Path, data: Any, mass_kg: float) -> None:
    """Write markers and wrench, laboratory x forward, y left, z up, one plate of type 2."""
    R_LG = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    points = np.stack(list(data.markers.values()), axis=1) @ R_LG.T
    wrench = np.nan_to_num(data.wrench) * mass_kg
    force, moment = wrench[:, :3] @ R_LG.T, wrench[:, 3:] @ R_LG.T
    ends = CORNERS[[0, 0]] - CORNERS[[1, 3]]
    x, y = unit(ends[0]), unit(ends[1])
    R_LP = columns(x, y, cross(x, y))
    about = moment - np.cross(CORNERS.mean(axis=0), force)
    channels = np.hstack((force @ R_LP, about @ R_LP * 1000.0))
    content = C3dContent(
        rate_hz=100.0,
        first_frame=1,
        units="mm",
        labels=LABELS,
        points=points * 1000.0,
        analog_labels=("Fx1", "Fy1", "Fz1", "Mx1", "My1", "Mz1"),
        analog_units=("N", "N", "N", "Nmm", "Nmm", "Nmm"),
        analog=channels,
        parameters=(
            ("FORCE_PLATFORM", "USED", 1),
            ("FORCE_PLATFORM", "TYPE", [2]),
            ("FORCE_PLATFORM", "ZERO", [0, 0]),
            ("FORCE_PLATFORM", "CORNERS", CORNERS.T[:, :, None] * 1000.0),
            ("FORCE_PLATFORM", "ORIGIN", np.zeros((3, 1))),
            ("FORCE_PLATFORM", "CHANNEL", np.arange(1, 7).reshape(6, 1)),
        ),
    )
    write_c3d(path, content)


def test_a_published_walk_of_one_leg_has_its_published_moments(
    leg2d: Any, gaitdyn: Callable[..., Any], tmp_path: Path
) -> None:
    data, reference = leg2d.read_data()
    as_file(tmp_path / "leg2d.c3d", data, leg2d.MASS_KG)
    (tmp_path / "body.csv").write_text(BODY)
    done = gaitdyn(
        "process", "leg2d.c3d", "--mass", leg2d.MASS_KG, "--filter", "butterworth", "--cutoff", 4,
        "--force-cutoff", 4, "--baseline", "keep", "--anthropometry", "body.csv", "--out", "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    out = tmp_path / "out" / "leg2d"
    table = np.genfromtxt(out / "timeseries.csv", delimiter=",", names=True)
    assert json.loads((out / "result.json").read_text())["model"]["name"] == "sagittal"
    rows = slice(leg2d.EDGE, -leg2d.EDGE)
    for i, (name, sign) in enumerate(SIGN.items()):
        off = sign * table[f"right_{name}"] / leg2d.MASS_KG - reference[:, i]
        assert np.sqrt(np.mean(off[rows] ** 2)) <= leg2d.LIMIT, name  # N m/kg
    assert 55 < np.nanmax(table["right_knee_angle_flexion"]) < 75
    assert np.isnan(table["right_knee_moment_abduction"]).all()
    contacts = (out / "contacts.csv").read_text().splitlines()[1:]
    assert [line.split(",")[1] for line in contacts] == ["right"] * 3
    assert "body weight in single support" not in "".join(contacts)
