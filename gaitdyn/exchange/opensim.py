"""``--to trc-mot``: markers, ground reaction and external loads for OpenSim.

OpenSim's ground has Y up; here it is G: x along the laboratory axis nearest to the walking
direction, y up, z to the right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import Key
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.errors import ResultsRefused
from gaitdyn.exchange.curves import read_curves
from gaitdyn.exchange.opensim_texts import FEET, loads_text, mot_text, trc_text
from gaitdyn.exchange.targets import Written
from gaitdyn.exchange.vendor_vectors import vendor_vectors
from gaitdyn.io.labels import mask, prefixes
from gaitdyn.io.parameters import read_parameters
from gaitdyn.io.recording import read_recording
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.store.single_file import put_in_place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.exchange.curves import StoredCurves
    from gaitdyn.store import StoredTrial
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.recording import Recording

_MM = 1000.0
_XYZ = ("x", "y", "z")


def write_opensim(stored: StoredTrial, trial: Path, paths: Sequence[Path]) -> Written:
    """Write markers (.trc), ground reaction (.mot) and external loads (.xml).

    Parameters
    ----------
    stored : StoredTrial
    trial : Path
        The recording that was processed: its markers are written unfiltered.
    paths : sequence of 3 Path

    Raises
    ------
    ResultsRefused
        When the results hold a ground force and no centre of pressure, or no axes.
    """
    if stored.document["file"]["R_GL"] is None:
        raise ResultsRefused(
            f"{stored.path}: found results without axes of the laboratory, so that nothing says"
            " which way is up; name them with --up and --forward and process the trial again"
        )
    curves, recording = read_curves(stored.path), recording_of(stored, trial)
    curves.check_frames(recording.n_frames, recording.first_frame)
    R_GL = np.array(stored.document["file"]["R_GL"], float)
    points = {k: _MM * recording.markers_L[:, i] for i, k in marker_names(recording.labels).items()}
    for vector in vendor_vectors(stored.document, curves):
        if not vector.group:
            points.setdefault(vector.label, vector.values)
    feet, notes = _feet(stored, curves)
    markers, ground, loads = paths
    turned = {label: values @ R_GL.T for label, values in points.items()}
    put_in_place(markers, trc_text(markers.name, recording.rate_hz, curves, turned).encode())
    if not feet:
        notes.append("the results hold no ground reaction: only markers were written")
        return Written((markers,), tuple(notes))
    put_in_place(ground, mot_text(ground.name, curves.time_s, feet).encode())
    put_in_place(loads, loads_text(ground.name, tuple(feet)).encode())
    return Written(tuple(paths), tuple(notes))


def recording_of(stored: StoredTrial, trial: Path) -> Recording:
    """Return the recording; the results tell the subject's prefix with stars."""
    masked = stored.document["options"].get("subject_prefix")
    if masked is None:
        return read_recording(trial)
    found = prefixes(read_parameters(trial)[1].strings("POINT", "LABELS"))
    same = [prefix for prefix in found if mask(prefix).lower() == masked.lower()]
    return read_recording(trial, same[0] if len(same) == 1 else None)


def marker_names(labels: Sequence[str]) -> dict[int, str]:
    """Return column -> name without blanks, each once; what has no name is left out."""
    found: dict[int, str] = {}
    for i, label in enumerate(labels):
        name = "_".join(label.split())
        if not name or name.startswith("*"):
            continue
        same = sum(taken == name or taken.startswith(f"{name}__") for taken in found.values())
        found[i] = f"{name}__{same + 1}" if same else name
    return found


def _feet(stored: StoredTrial, curves: StoredCurves) -> tuple[dict[str, Array], list[str]]:
    """Return side -> force, point and free moment (n, 9) in G, N, m, N m; and notes.

    Everything is zero where there is no centre of pressure, since a force needs a place.
    """
    found, notes = {}, []
    walking = progression_frame(np.array(stored.document["file"]["walking_direction_G"], float))
    for side, (_, body) in FEET.items():
        force = curves.vector(*(Key(side, "", "grf", axis).name for axis in _XYZ))
        if force is None and f"{side[0].upper()}GroundReactionForce_1" in curves.names:
            raise ResultsRefused(
                f"{stored.path}: found columns of --names pig, which hold no centre of pressure;"
                " process the trial again with --names gaitdyn"
            )
        point = curves.vector(*(Key(side, "", "cop", axis).name for axis in _XYZ))
        about = curves.vector(f"{side}_free_moment")
        if force is None or point is None or about is None:
            continue
        upright = np.pad(about, ((0, 0), (1, 1)))
        table = np.concatenate((force @ walking.T, point / _MM, upright), axis=1)
        known = complete_rows(table)
        found[side] = np.where(known[:, None], table, 0.0)
        unknown = ~complete_rows(force)
        if unknown.any():
            notes.append(
                f"the force on {body} is not known at {_spans(curves.time_s, unknown)} and 0 there"
            )
    return found, notes


def _spans(time_s: Array, where: Mask) -> str:
    return ", ".join(f"{time_s[a]:.2f}-{time_s[b - 1]:.2f} s" for a, b in runs(where))
