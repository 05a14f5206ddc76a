"""OpenSim opens the exported files, and its inverse dynamics tool takes them without an error."""

from __future__ import annotations

import contextlib
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.exchange import export
from gaitdyn.exchange.opensim import trc_text

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.peer
MASS = 1.2
GRAVITY = 9.80665
TOLERANCE_N = 1e-4
"""The loads have nine digits; OpenSim interpolates them at their own times."""


@pytest.fixture(scope="module")
def osim(tmp_path_factory) -> Any:
    """OpenSim, whose log would go to the current folder."""
    with warnings.catch_warnings(), contextlib.chdir(tmp_path_factory.mktemp("log")):
        warnings.simplefilter("ignore")  # of its generated wrappers
        opensim = pytest.importorskip("opensim", reason="needs the package opensim")
        opensim.Logger.removeFileSink()
    opensim.Logger.setLevelString("error")
    return opensim


@pytest.fixture(scope="module")
def files(results, synthetic, tmp_path_factory) -> tuple[Path, ...]:
    folder = tmp_path_factory.mktemp("opensim")
    return export(results, "trc-mot", folder, trial=synthetic / "walk01.c3d").paths


def mot_table(path: Path) -> tuple[list[str], np.ndarray]:
    lines = path.read_text(encoding="utf-8").splitlines()
    at = lines.index("endheader") + 1
    rows = [[float(x) for x in line.split("\t")] for line in lines[at + 1 :]]
    return lines[at].split("\t"), np.array(rows)


def test_opensim_reads_the_markers(osim, files):
    table = osim.TimeSeriesTableVec3(str(files[0]))
    assert (table.getNumRows(), table.getNumColumns()) == (331, 22)
    assert table.getTableMetaDataAsString("Units") == "mm"
    markers = osim.MarkerData(str(files[0]))
    assert (markers.getNumFrames(), markers.getMarkerNames().getSize()) == (331, 22)
    lines = files[0].read_text(encoding="utf-8").splitlines()
    row = [float(x) for x in lines[6].split()]
    first = table.getDependentColumn("LASI")[0]
    np.testing.assert_allclose([first.get(i) for i in range(3)], row[2:5])


def test_opensim_reads_a_gap_as_a_gap(osim, tmp_path):
    rows = np.arange(4.0)
    places = {"A": np.ones((4, 3)), "B": np.ones((4, 3)), "C": np.ones((4, 3))}
    places["B"][1:3] = np.nan
    places["C"][2] = np.nan
    path = tmp_path / "gaps.trc"
    text = trc_text(path.name, 100.0, rows + 1, rows / 100, places)
    path.write_text(text, encoding="utf-8")
    table = osim.TimeSeriesTableVec3(str(path))
    found = {k: [table.getDependentColumn(k)[i].get(0) for i in range(4)] for k in "ABC"}
    np.testing.assert_array_equal(found["A"], [1, 1, 1, 1])
    np.testing.assert_array_equal(found["B"], [1, np.nan, np.nan, 1])
    np.testing.assert_array_equal(found["C"], [1, 1, np.nan, 1])


def test_opensim_reads_the_ground_reaction_and_the_loads(osim, files):
    names, table = mot_table(files[1])
    found = osim.TimeSeriesTable(str(files[1]))
    assert list(found.getColumnLabels()) == names[1:]
    np.testing.assert_allclose(found.getMatrix().to_numpy(), table[:, 1:])
    loads = osim.ExternalLoads(str(files[2]), True)
    assert [loads.get(i).getAppliedToBodyName() for i in range(2)] == ["calcn_r", "calcn_l"]


def two_feet(osim: Any, path: Path) -> None:
    """Write a model of two free feet of MASS at the origin, y up."""
    model = osim.Model()
    model.setName("feet")
    model.setGravity(osim.Vec3(0, -GRAVITY, 0))
    for name in ("calcn_r", "calcn_l"):
        body = osim.Body(name, MASS, osim.Vec3(0), osim.Inertia(0.01, 0.01, 0.01))
        model.addBody(body)
        joint = osim.FreeJoint(f"free_{name}", model.getGround(), body)
        for i in range(6):
            joint.upd_coordinates(i).setName(f"{name}_{i}")
        model.addJoint(joint)
    model.finalizeConnections()
    model.printToXML(str(path))


def at_rest(path: Path, time_s: np.ndarray) -> None:
    names = [f"{body}_{i}" for body in ("calcn_r", "calcn_l") for i in range(6)]
    head = ["rest", "version=1", f"nRows={len(time_s)}", f"nColumns={len(names) + 1}"]
    head += ["inDegrees=no", "endheader", "\t".join(["time", *names])]
    rows = ["\t".join([f"{t:.6f}", *["0"] * len(names)]) for t in time_s]
    path.write_text("\n".join([*head, *rows, ""]), encoding="utf-8")


def test_inverse_dynamics_of_two_resting_feet_gives_the_loads_back(osim, files, tmp_path):
    """What holds a foot at rest at the origin is its weight less the ground's wrench there."""
    names, loads = mot_table(files[1])
    two_feet(osim, tmp_path / "feet.osim")
    at_rest(tmp_path / "rest.mot", loads[:, 0])
    tool = osim.InverseDynamicsTool()
    tool.setModelFileName(str(tmp_path / "feet.osim"))
    tool.setCoordinatesFileName(str(tmp_path / "rest.mot"))
    tool.setExternalLoadsFileName(str(files[2]))
    tool.setLowpassCutoffFrequency(-1)
    tool.setStartTime(loads[0, 0])
    tool.setEndTime(loads[-1, 0])
    tool.setResultsDir(str(tmp_path))
    tool.setOutputGenForceFileName("id.sto")
    assert tool.run()
    found_names, found = mot_table(tmp_path / "id.sto")
    rows = np.searchsorted(loads[:, 0], found[:, 0] - 1e-9)
    for body, stem in (("calcn_r", ""), ("calcn_l", "1_")):
        at = names.index(f"{stem}ground_force_vx")
        force, point, torque = (loads[rows, at + i : at + i + 3] for i in (0, 3, 6))
        column = {name: i for i, name in enumerate(found_names)}
        got_force = found[:, [column[f"{body}_{i}_force"] for i in (3, 4, 5)]]
        got_moment = found[:, [column[f"{body}_{i}_moment"] for i in (0, 1, 2)]]
        weight = [0.0, MASS * GRAVITY, 0.0]
        np.testing.assert_allclose(got_force, weight - force, atol=TOLERANCE_N)
        moment = torque + np.cross(point, force)
        np.testing.assert_allclose(got_moment, -moment, atol=TOLERANCE_N)
        assert np.abs(force).max() > 500
