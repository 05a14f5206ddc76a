"""``result.json``: the inputs, options and decisions of a trial, and the verdict on its result."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.audit.legs import audit_document
from gaitdyn.audit.mechanism import mechanism_document
from gaitdyn.calibrate.axes import axis_names
from gaitdyn.calibrate.body.table_choice import table_name
from gaitdyn.catalogue.methods import method_document
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.cycles.outliers import MANY
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.dynamics.vendor import VENDOR_GRAVITY, edge_frames
from gaitdyn.io.file_kinds import holds_forces
from gaitdyn.io.labels import mask_file
from gaitdyn.kinematics.poses import angle_names
from gaitdyn.quality.rows import finding_rows
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.stages.motion import marker_filter
from gaitdyn.store.binary import without_paths
from gaitdyn.store.machine import machine
from gaitdyn.store.plain import plain
from gaitdyn.tables.answers import (
    cycle_curves_of,
    mechanism_of,
    parameters_of,
    status_of,
    verdict_of,
    verdicts_of,
)
from gaitdyn.types.frozen import by_name
from gaitdyn.types.motion import SEGMENTS
from gaitdyn.types.option_rows import MASKED, files_of
from gaitdyn.types.options import NO_FORCES
from gaitdyn.types.recording import Recording
from gaitdyn.types.result import Processed

SCHEMA = 1


def document_of(result: Processed) -> dict[str, Any]:
    """Return the contents of ``result.json`` in plain values, computed once."""
    return result.once("document", lambda: plain(_document(result)))


def _document(result: Processed) -> dict[str, Any]:
    from gaitdyn.version import __version__

    return {
        "schema": SCHEMA,
        "gaitdyn": __version__,
        "platform": machine(),
        "inputs": _inputs(result),
        "options": resolved_options(result),
        "subject": _subject(result),
        "model": _model(result),
        "file": _file(result),
        "task": result.task,
        "verdict": verdict_of(result),
        "verdicts": verdicts_of(result),
        "status": status_of(result),
        "findings": finding_rows(result),
        "kinetics": result.no_kinetics or "computed",
        **_belts(result),
        **_trends(result),
        "audit": audit_document(result),
        "generalised": mechanism_document(result, mechanism_of(result)),
        "methods": method_document(result),
        "log": list(result.log),
    }


def document_text(document: dict[str, Any]) -> str:
    """Return ``result.json`` as text.

    Parameters
    ----------
    document : dict
        See :func:`document_of`.

    Returns
    -------
    str
        A path that is not UTF-8 is written with JSON escapes.
    """
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _inputs(result: Processed) -> list[dict[str, str]]:
    """Return role, name and SHA-256 of every input file."""
    read = [("trial", result.recording), ("forces", result.recording.forces)]
    read += [("electromyography", result.recording.muscles), ("static", result.static)]
    read += [("static forces", None if result.static is None else result.static.forces)]
    entries = [(role, r.name, r.sha256) for role, r in read if r is not None]
    for role, path in files_of(result.options).items():
        name = mask_file(path.name) if role == MASKED else path.name
        entries.append((role, name, hashlib.sha256(path.read_bytes()).hexdigest()))
    return [dict(zip(("role", "name", "sha256"), entry, strict=True)) for entry in entries]


def _forces_option(result: Processed) -> str | None:
    """Return the name of the force file, or ``none`` if the recording's forces were excluded."""
    if result.options.forces == NO_FORCES and holds_forces(result.recording.name):
        return NO_FORCES
    return None if result.recording.forces is None else result.recording.forces.name


def resolved_options(result: Processed) -> dict[str, Any]:
    """Return every option as it was used; the plug-in-gait profile replaces some of them."""
    options, rate = result.options, result.recording.rate_hz
    vendor = options.profile == "plug-in-gait"
    markers, forces = marker_filter(options, rate), force_filter(options, rate)
    forward, up = _axes(result)
    resolved = by_name(without_paths(result))
    resolved.update(
        static_frames=None if result.static is None else _frames(result.static),
        forces=_forces_option(result),
        up=up,
        forward=forward,
        model=result.model,
        cutoff_hz=markers.cutoff_hz,
        force_cutoff_hz=forces.cutoff_hz,
        baseline="keep" if vendor else options.baseline,
        filter="generalised cross-validation of centres of mass" if vendor else options.filter,
        longest_gap_s=markers.longest_gap_s,
        anthropometry=Path(table_name(options, result.subject)).name,
        gravity_m_s2=VENDOR_GRAVITY if vendor else STANDARD_GRAVITY,
        unpublished_frames=edge_frames(rate) if vendor else markers.reach,
    )
    return resolved


def _axes(result: Processed) -> tuple[str | None, str | None]:
    """Return forward and up axis of the laboratory; None if they are unknown."""
    known = np.isfinite(result.trial.R_GL).all()
    return axis_names(result.trial.R_GL) if known else (None, None)


def _frames(static: Recording) -> tuple[int, int]:
    """Return the first and the last frame of a static that are used."""
    return static.first_frame, static.first_frame + static.n_frames - 1


def _subject(result: Processed) -> dict[str, Any]:
    return {**plain(result.subject), "id": result.subject.id or None}


def _model(result: Processed) -> dict[str, Any]:
    calibration = result.calibration
    return {
        "name": result.model,
        "requested": without_paths(result).model,
        "rungs": result.taken,
        "axes": {side: {"shank": result.pose.leg(side).shank_axis} for side in result.sides},
        "sides": list(result.sides),
        **_markerless(result),
        **_upper(result),
        "offsets_rad": calibration.offsets,
        "flat_foot": calibration.flat_foot,
        "inter_asis_m": calibration.inter_asis_m,
        "marker_diameter_m": calibration.diameter_m,
        "lengths_m": {
            side: dict(zip(SEGMENTS, lengths, strict=True))
            for side, lengths in calibration.lengths_m.items()
        },
    }


def _belts(result: Processed) -> dict[str, Any]:
    """Return each belt and the work of the legs on them; nothing for overground walking."""
    recording = result.recording
    rows = [
        {
            "plate": belt.plate,
            "sides": list(belt.sides),
            "velocity_m_s": belt.velocity_G.tolist(),
            "speed_m_s": belt.speed_m_s,
            "iqr_m_s": belt.iqr_m_s,
            "steady": belt.steady,
            "contacts": [
                {
                    "side": c.side,
                    "first_frame": c.start + recording.first_frame,
                    "last_frame": c.stop + recording.first_frame - 1,
                    "time_s": recording.time_of(c.start),
                    "velocity_m_s": c.velocity_G.tolist(),
                }
                for c in belt.contacts
            ],
        }
        for belt in result.belts
    ]
    if not rows:
        return {}
    from gaitdyn.metrics.external_work import external_work_rows

    return {"belts": rows, "external_work": external_work_rows(result)}


def _trends(result: Processed) -> dict[str, Any]:
    """Return trends of gait parameters, how moments repeat; nothing for a trial of few strides."""
    if max((len(find_cycles(result, side)) for side in result.sides), default=0) <= MANY:
        return {}
    from gaitdyn.metrics.trends import repeatability_rows, trend_rows

    moments = repeatability_rows(cycle_curves_of(result))
    return {"trends": trend_rows(result, parameters_of(result))} | (
        {"moment_repeatability": moments} if moments else {}
    )


def _markerless(result: Processed) -> dict[str, Any]:
    """Return the angles of each side that segment poses do not measure; nothing for markers."""
    if result.engine != "poses":
        return {}
    fixed = {side: angle_names(result.pose.leg(side).fixed) for side in result.sides}
    return {"markerless": {"not_measured": fixed}}


def _upper(result: Processed) -> dict[str, Any]:
    """Return how trunk, head and arms were found; nothing if they have no markers."""
    upper = result.upper
    if upper is None:
        return {}
    entries: dict[str, Any] = {"landmarks": upper.words, "lengths_m": upper.lengths_m}
    if upper.pose.head is not None:
        entries["head_offset_rad"] = upper.pose.head.offset_rad
    return {"upper": entries}


def _file(result: Processed) -> dict[str, Any]:
    recording = result.recording
    forward, up = _axes(result)
    return {
        "rate_hz": recording.rate_hz,
        "analog_per_frame": recording.samples_per_frame,
        "first_frame": recording.first_frame,
        "frames": recording.n_frames,
        "units": recording.units,
        "forward": forward,
        "up": up,
        "R_GL": None if up is None else result.trial.R_GL.astype(int).tolist(),
        "walking_direction_G": result.pose.walking_G.tolist(),
        "plates": [
            {"number": p.number, "type": p.kind, "problem": p.problem or None}
            for p in recording.plates
        ],
    }
