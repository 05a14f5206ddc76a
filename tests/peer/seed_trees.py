"""The trees of the seeds' oracles, built from the numbers that stand in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.multibody import Body, Tree
from tests.shared_files import SEEDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

X, Y, Z = np.eye(3)
JOINTS = {"R": "revolute", "P": "prismatic"}


def oracle(name: str) -> dict[str, Any]:
    return json.loads((SEEDS / f"seed{name}.json").read_text(encoding="utf-8"))


def cases(found: list[dict[str, Any]], key: str) -> Array:
    return np.array([case[key] for case in found])


def manipulator(data: dict[str, Any]) -> Tree:
    axes = {"x": X, "y": Y, "z": Z}
    bodies = [
        Body(
            f"b{i}", None if b["parent"] < 0 else f"b{b['parent']}", JOINTS[b["kind"]],  # type: ignore[arg-type]
            b["m"], b["cg"], b["I_cg"], b["p"], axes[b["axis"]],
        )
        for i, b in enumerate(data["bodies"])
    ]  # fmt: skip
    return Tree(bodies, data["gravity"])


def biped(data: dict[str, Any]) -> Tree:
    """Return the floating biped; hips and ankles are chains of massless bodies."""

    def part(kind: str, name: str, parent: str, axis: Array, p: Any = (0.0, 0.0, 0.0)) -> Body:
        b = data["bodies"][kind]
        return Body(name, parent, "revolute", b["m"], b["com"], np.diag(b["I"]), p, axis)

    hat = data["bodies"]["hat"]
    bodies = [Body("hat", None, "free", hat["m"], hat["com"], np.diag(hat["I"]))]
    for side, z in (("R", 1.0), ("L", -1.0)):
        hip = np.array([0.0, 0.0, z * data["bodies"]["hip_offset_z"]])
        knee = np.array([0.0, -data["bodies"]["thigh"]["L"], 0.0])
        ankle = np.array([0.0, -data["bodies"]["shank"]["L"], 0.0])
        bodies += [
            Body(f"hip_flex_{side}", "hat", "revolute", p=hip, axis=Z),
            Body(f"hip_abd_{side}", f"hip_flex_{side}", "revolute", axis=X),
            part("thigh", f"hip_rot_{side}", f"hip_abd_{side}", Y),
            part("shank", f"knee_{side}", f"hip_rot_{side}", Z, knee),
            Body(f"ankle_flex_{side}", f"knee_{side}", "revolute", p=ankle, axis=Z),
            part("foot", f"ankle_inv_{side}", f"ankle_flex_{side}", X),
        ]
    return Tree(bodies, [0.0, -9.81, 0.0])


def two_cylinders(data: dict[str, Any]) -> Tree:
    """Return the double pendulum of two cylinders on ball joints, y up."""
    p = data["params"]
    L1, L2 = p["L1"], p["L2"]
    upper = Body("upper", None, "ball", p["m1"], np.array([0.0, -L1 / 2, 0.0]), data["I1"])
    lower = Body(
        "lower", "upper", "ball", p["m2"], np.array([0.0, -L2 / 2, 0.0]), data["I2"],
        np.array([0.0, -L1, 0.0]),
    )  # fmt: skip
    return Tree([upper, lower], [0.0, -9.81, 0.0])


def leg(data: dict[str, Any]) -> Tree:
    """Return thigh, shank and foot; the origins are the proximal joint centres."""
    bodies: list[Body] = []
    above = None
    for name in ("thigh", "shank", "foot"):
        s = data["segments"][name]
        com = -np.array(s["prox"])
        p = np.zeros(3)
        if above:
            upper = data["segments"][above]
            p = np.array(upper["dist"]) - np.array(upper["prox"])
        joint = "ball" if above else "free"
        bodies.append(Body(name, above, joint, s["m"], com, s["I"], p))
        above = name
    return Tree(bodies, data["g"])
