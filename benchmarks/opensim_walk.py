"""The oracle's walk through OpenSim's inverse kinematics and inverse dynamics tools.

Gait2354 is not ours to ship, so the model is built here from the numbers of the oracle: foot,
shank and thigh of both legs on ball joints, the thighs free, four markers on each segment. The
knee of Gait2354 slides; here it stays in place, so the markers cannot be met exactly.
"""

from __future__ import annotations

import contextlib
import time
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    Array = np.ndarray[Any, np.dtype[Any]]

SIDES = {"r": (0, 1, 2), "l": (3, 4, 5)}
NAMES = ("foot_r", "shank_r", "thigh_r", "foot_l", "shank_l", "thigh_l")
FORCES = ("v", "p", "m")


def opensim(folder: Path) -> Any:
    """Return the package; its log would go to the current folder."""
    with warnings.catch_warnings(), contextlib.chdir(folder):
        warnings.simplefilter("ignore")  # of its generated wrappers
        import opensim as osim

        osim.Logger.removeFileSink()
    osim.Logger.setLevelString("off")
    return osim


def mean_local(truth: dict[str, Array], points: Array, segment: int) -> list[float]:
    """Return where points (n, 3) lie in a segment's axes, mean over time, m."""
    arm = points - truth["origin"][:, segment]
    return np.einsum("nji,nj->ni", truth["R"][:, segment], arm).mean(axis=0).tolist()


def write_model(osim: Any, truth: dict[str, Array], path: Path) -> None:
    """Write the model: six bodies, two free joints, four ball joints, 24 markers."""
    model, zero = osim.Model(), osim.Vec3(0)
    model.setName("two_legs")
    model.setGravity(osim.Vec3(*truth["gravity"].tolist()))
    bodies = []
    for i, name in enumerate(NAMES):
        J = truth["inertia_local"][i]
        inertia = osim.Inertia(
            *(float(J[a]) for a in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        )
        centre = osim.Vec3(*truth["com_local"][i].tolist())
        bodies.append(osim.Body(name, float(truth["mass"][i]), centre, inertia))
        model.addBody(bodies[-1])
    for side, (foot, shank, thigh) in SIDES.items():
        hip = osim.FreeJoint(f"hip_{side}", model.getGround(), bodies[thigh])
        for i in range(6):
            hip.upd_coordinates(i).setName(f"hip_{side}_{i}")
        model.addJoint(hip)
        for joint, low, high in (("knee", shank, thigh), ("ankle", foot, shank)):
            centre = truth["jc_prox"][:, low]
            above, below = (osim.Vec3(*mean_local(truth, centre, k)) for k in (high, low))
            ball = osim.BallJoint(
                f"{joint}_{side}", bodies[high], above, zero, bodies[low], below, zero
            )
            for i in range(3):
                ball.upd_coordinates(i).setName(f"{joint}_{side}_{i}")
            model.addJoint(ball)
    for name, place in zip(truth["marker_names"], truth["marker_local"], strict=True):
        at = NAMES.index("_".join(str(name).split("_")[:2]))
        model.addMarker(osim.Marker(str(name), bodies[at], osim.Vec3(*place.tolist())))
    model.finalizeConnections()
    model.printToXML(str(path))


def write_markers(truth: dict[str, Array], path: Path) -> None:
    """Write the markers as TRC, mm."""
    from gaitdyn.exchange.opensim import trc_text

    time_s = truth["time"]
    frame = np.arange(len(time_s)) + 1.0
    places = {str(m): 1000 * truth["markers"][:, i] for i, m in enumerate(truth["marker_names"])}
    path.write_text(trc_text(path.name, 200.0, frame, time_s, places), encoding="utf-8")


def write_loads(osim: Any, truth: dict[str, Array], folder: Path) -> Path:
    """Write the ground's wrench on both feet as MOT and the list of loads beside it."""
    head, parts = ["time"], [truth["time"][:, None]]
    loads = osim.ExternalLoads()
    for i, side in enumerate("rl"):
        for kind, values in zip(FORCES, ("grf_force", "grf_cop", "grf_free_moment"), strict=True):
            head += [f"{side}_{kind}{axis}" for axis in "xyz"]
            parts.append(truth[values][:, i])
        load = osim.ExternalForce()
        load.setName(side)
        load.set_applied_to_body(f"foot_{side}")
        load.set_force_expressed_in_body("ground")
        load.set_point_expressed_in_body("ground")
        load.set_force_identifier(f"{side}_v")
        load.set_point_identifier(f"{side}_p")
        load.set_torque_identifier(f"{side}_m")
        loads.cloneAndAppend(load)
    table = np.nan_to_num(np.concatenate(parts, axis=1))
    rows = ["\t".join(f"{x:.10g}" for x in row) for row in table]
    lines = ["grf", "version=1", f"nRows={len(table)}", f"nColumns={len(head)}", "inDegrees=no"]
    text = "\n".join([*lines, "endheader", "\t".join(head), *rows, ""])
    (folder / "grf.mot").write_text(text, encoding="utf-8")
    loads.setDataFileName(str(folder / "grf.mot"))
    loads.printToXML(str(folder / "loads.xml"))
    return folder / "loads.xml"


def run_tools(osim: Any, folder: Path, span: tuple[float, float]) -> tuple[float, float]:
    """Run inverse kinematics and inverse dynamics; return the processor time of each, s."""
    times = []
    for tool in (osim.InverseKinematicsTool(), osim.InverseDynamicsTool()):
        begin = time.process_time()
        if isinstance(tool, osim.InverseKinematicsTool):
            model = osim.Model(str(folder / "legs.osim"))
            tool.setModel(model)
            tool.setMarkerDataFileName(str(folder / "walk.trc"))
            tool.setOutputMotionFileName(str(folder / "ik.mot"))
        else:
            tool.setModelFileName(str(folder / "legs.osim"))
            tool.setCoordinatesFileName(str(folder / "ik.mot"))
            tool.setExternalLoadsFileName(str(folder / "loads.xml"))
            tool.setLowpassCutoffFrequency(-1)
            tool.setOutputGenForceFileName("id.sto")
        tool.setStartTime(span[0])
        tool.setEndTime(span[1])
        tool.setResultsDir(str(folder))
        if not tool.run():
            raise RuntimeError(type(tool).__name__)
        times.append(time.process_time() - begin)
    return times[0], times[1]


def hip_force_error(folder: Path, truth: dict[str, Array]) -> float:
    """Return the RMS difference of the hip forces that came out from Simbody's, N."""
    lines = (folder / "id.sto").read_text(encoding="utf-8").splitlines()
    at = lines.index("endheader") + 1
    names = lines[at].split("\t")
    table = np.array([[float(x) for x in line.split("\t")] for line in lines[at + 1 :]])
    rows = np.searchsorted(truth["time"], table[:, 0] - 1e-6)
    off = []
    for side, (_, _, thigh) in SIDES.items():
        columns = [names.index(f"hip_{side}_{i}_force") for i in (3, 4, 5)]
        off.append(table[:, columns] - truth["F_prox"][rows, thigh])
    inside = slice(10, -10)
    return float(np.sqrt(np.mean(np.stack([o[inside] for o in off]) ** 2)))
