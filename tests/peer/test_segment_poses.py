"""Segment poses to joint loads: an OpenSim model's own poses, masses and inertia, exact loads.

The file holds poses of the bodies of a scaled Rajagopal model in the axes of Theia3D; the reference
are net joint forces and moments in the laboratory of OpenSim (x forward, y up, z right), which is G
here. Talus, calcaneus and toes, welded, are one foot. Run with ``-s`` to see the errors.
"""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import gaitdyn
from gaitdyn.core.rotations import rotate

if TYPE_CHECKING:
    from gaitdyn.trial import Result

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
TRIAL = CORPUS / "poses" / "arnold01_poses.c3d"
MODEL = CORPUS / "trc" / "arnold01" / "subject01.osim"
LOADS = CORPUS / "poses" / "arnold01_net_loads_lab.csv"
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
"""From the joint centre to the origin of the body in its axes, right leg, m: joints of the model."""


def body(name: str) -> tuple[float, Array, Array]:
    """Return mass, centre of mass and inertia about it of a body of the model."""
    at = next(b for b in ET.parse(MODEL).getroot().iter("Body") if b.get("name") == name)  # noqa: S314
    read = lambda tag: np.array((at.findtext(tag) or "").split(), float)  # noqa: E731
    return float(read("mass")[0]), read("mass_center"), np.diag(read("inertia")[:3])


def one(parts: list[tuple[float, Array, Array]]) -> tuple[float, Array, Array]:
    """Return bodies that move together as one; centres of mass from the same point."""
    mass = sum(m for m, _, _ in parts)
    cm = sum(m * c for m, c, _ in parts) / mass
    inertia = np.zeros((3, 3))
    for m, c, own in parts:
        d = c - cm
        inertia += own + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, cm, inertia


def moved(part: tuple[float, Array, Array], by: Array) -> tuple[float, Array, Array]:
    """Return a body whose origin stands elsewhere."""
    return part[0], part[1] + by, part[2]


def write_table(path: Path, lengths: tuple[float, float, float]) -> None:
    """Write the model's bodies as a body-segment table."""
    calcaneus = moved(body("calcn_r"), ANKLE_TO_CALCANEUS)
    toes = moved(body("toes_r"), ANKLE_TO_CALCANEUS + CALCANEUS_TO_TOES)
    segments = {
        "foot": ("ANK", "TOE", one([body("talus_r"), calcaneus, toes])),
        "shank": ("knee centre", "ankle centre", moved(body("tibia_r"), KNEE_TO_TIBIA)),
        "thigh": ("hip centre", "knee centre", body("femur_r")),
    }
    lines = [
        "segment,sex,proximal,distal,mass,cm_along,r_x,r_y,r_z,source,cm_x,cm_y,cm_z,r_xy,r_xz,r_yz"
    ]
    for (name, (top, end, (mass, cm, inertia))), length in zip(
        segments.items(), lengths, strict=True
    ):
        radii = np.sqrt(np.diag(inertia) / mass) / length
        products = inertia[[0, 0, 1], [1, 2, 2]]
        products = np.sign(products) * np.sqrt(np.abs(products) / mass) / length
        numbers = ",".join(f"{x:.9f}" for x in (*cm / length, *products))
        told = ",".join(f"{x:.9f}" for x in radii)
        lines.append(f"{name},,{top},{end},{mass / MASS_KG:.9f},,{told},the model,{numbers}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    dempster = gaitdyn.process_trial(TRIAL, cutoff_hz=None)
    table = tmp_path_factory.mktemp("table") / "model.csv"
    write_table(table, dempster.calibration.lengths_m["right"])
    return gaitdyn.process_trial(TRIAL, cutoff_hz=None, anthropometry=str(table))


def reference(side: str, joint: str, what: str) -> Array:
    """Return a vector of the reference, shape (n, 3)."""
    with LOADS.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [f"{joint}_{side[0]}_{what}_{x}" for x in "xyz"]
    return np.array([[float(row[name]) for name in names] for row in rows])


def errors(result: Result, side: str, i: int) -> dict[str, Array]:
    """Return ours less the reference in the frames that are published, in the laboratory."""
    kinetics = result.sides[side].kinetics
    assert kinetics is not None
    loads, shown = kinetics.loads, kinetics.published[:, i]
    R = result.pose.leg(side).R_GS[:, i]
    ours = {
        "M": rotate(R, loads.moment_S[:, i]),
        "F": loads.force_G[:, i],
        "centre": result.pose.leg(side).r_prox_G[:, i],
    }
    return {w: (v - reference(side, JOINTS[i], w))[shown] for w, v in ours.items()}


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("i", "limit"), [(0, 0.05), (1, 0.15), (2, 0.3)])
def test_moments_are_those_of_the_model(result: Result, side: str, i: int, limit: float) -> None:
    off = errors(result, side, i)
    known = np.isfinite(off["M"]).all(axis=1)
    rms = np.sqrt((off["M"][known] ** 2).mean(axis=0))
    print(
        side,
        JOINTS[i],
        known.sum(),
        "rms",
        rms.round(4),
        "worst",
        np.abs(off["M"][known]).max(axis=0).round(3),
    )
    print(
        "   force rms",
        np.sqrt((off["F"][known] ** 2).mean(axis=0)).round(4),
        "centre",
        np.abs(off["centre"][known]).max().round(6),
    )
    assert (rms <= limit).all()
