"""Our values in the vendor's form, in all axes that the vendor may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import rotate_back
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.dynamics.clinical import clinical_moments, moments_in
from gaitdyn.exchange.curves import read_curves
from gaitdyn.exchange.vendor_vectors import vendor_vectors
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.tables.vendor_names import vendor_curves, vendor_force
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.store import StoredTrial
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.result import Processed

_USUAL = {"Angles": "Cardan", "Moment": "distal", "Power": "scalar", "Force": "distal"}
_MM = 1000.0


@dataclass(frozen=True, slots=True, eq=False)
class ResultVectors:
    """Our curves under the vendor's labels.

    Attributes
    ----------
    vectors : dict
        Label -> axes -> array, shape (n, 3), deg, N mm/kg, W/kg, N/kg; NaN if unknown.
    mass_kg : float
    first_frame : int
        Frame number of the first row in the file.
    rate_hz : float
    cycles : tuple of Cycle
    profile : str
    notes : tuple of str
    """

    vectors: dict[str, dict[str, Array]]
    mass_kg: float
    first_frame: int
    rate_hz: float
    cycles: tuple[Cycle, ...]
    profile: str
    notes: tuple[str, ...] = ()


def result_vectors(result: Processed) -> ResultVectors:
    """Return the values of a processed trial in the vendor's form.

    Parameters
    ----------
    result : Processed
    """
    vectors: dict[str, dict[str, Array]] = {}
    for label, axes, values in _result_vectors(result):
        vectors.setdefault(label, {})[axes] = values
    cycles = [c for side in result.sides for c in find_cycles(result, side)]
    return ResultVectors(
        vectors,
        result.subject.mass_kg or np.nan,
        result.recording.first_frame,
        result.recording.rate_hz,
        tuple(cycles),
        result.options.profile,
    )


def stored_vectors(stored: StoredTrial, again: Processed | None) -> ResultVectors:
    """Return the values of a results folder in the vendor's form.

    Parameters
    ----------
    stored : StoredTrial
    again : Processed or None
        The same trial processed again; supplies the axes that the folder does not contain.
    """
    document = stored.document
    vectors: dict[str, dict[str, Array]] = {}
    if again is not None:
        vectors = {label: dict(axes) for label, axes in result_vectors(again).vectors.items()}
    moments = document["options"].get("moments_in", "distal")
    for vector in vendor_vectors(document, read_curves(stored.path)):
        axes = moments if vector.group == "MOMENTS" else usual_axes(vector.label)
        values = vector.values.copy()
        if vector.group != "POWERS":
            values[:, (values == 0).all(axis=0)] = np.nan
        by_axes = vectors.setdefault(vector.label, {})
        recomputed = by_axes.get(axes)
        if recomputed is not None:
            values = np.where(np.isfinite(values).any(axis=0), values, recomputed)
        by_axes[axes] = values
    file = document["file"]
    note = "moments are compared in the axes of the results only: an input is missing"
    return ResultVectors(
        vectors,
        document["subject"].get("mass_kg") or np.nan,
        int(file["first_frame"]),
        float(file["rate_hz"]),
        tuple(curves.cycle for curves in stored.cycles),
        document["options"].get("profile", "default"),
        () if again is not None else (note,),
    )


def usual_axes(label: str) -> str:
    """Return the usual axes of an output with this vendor label."""
    if "GroundReaction" in label:
        return "lab"
    return next((axes for word, axes in _USUAL.items() if label.endswith(word)), "lab")


def _result_vectors(result: Processed) -> Iterator[tuple[str, str, Array]]:
    curves = {curve.name: curve.values for curve in vendor_curves(result)}
    for name in curves:
        if name.endswith("_1"):
            label = name.removesuffix("_1")
            values = np.stack([curves[f"{label}_{i}"] for i in (1, 2, 3)], axis=1)
            yield label, usual_axes(label), values
            if "GroundReaction" in label:
                walking = progression_frame(result.pose.walking_G)
                yield label, "walking", values @ result.trial.R_GL.T @ walking
    if not result.pose.planar:
        yield from _other_axes(result)


def _other_axes(result: Processed) -> Iterator[tuple[str, str, Array]]:
    """Yield joint moments and forces in proximal and laboratory axes, and JCS moments."""
    mass = result.subject.mass_kg or np.nan
    R_GL = result.trial.R_GL
    for side, leg in result.sides.items():
        if leg.kinetics is None:
            continue
        loads, published = leg.kinetics.loads, leg.kinetics.published
        hidden = np.where(published, 1.0, np.nan)
        R = loads.chain.R_GS
        R_above = np.concatenate((R[:, 1:], result.pose.R_GP[:, None]), axis=1)
        moment = {a: moments_in(loads, result.pose, side, a) for a in ("proximal", "jcs", "lab")}
        force = rotate_back(R_above, loads.force_G)
        for i, joint in enumerate(JOINTS):
            name, per_kg = LETTER[side] + joint.title(), hidden[:, i : i + 1] / mass
            for axes in ("proximal", "jcs"):
                turned = clinical_moments(moment[axes][:, i], joint, side)
                yield f"{name}Moment", axes, turned * per_kg * _MM
            yield f"{name}Moment", "lab", moment["lab"][:, i] @ R_GL * per_kg * _MM
            yield f"{name}Force", "proximal", vendor_force(force[:, i], "knee") * per_kg
            yield f"{name}Force", "lab", loads.force_G[:, i] @ R_GL * per_kg
