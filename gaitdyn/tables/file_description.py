"""Contents of a file and how it would be processed: the answer of ``gaitdyn info``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.calibrate.axes import axis_names, find_axes, pelvis_displacement
from gaitdyn.calibrate.axis_votes import up_votes
from gaitdyn.calibrate.models.renaming import mended
from gaitdyn.calibrate.statics.find import find_static
from gaitdyn.errors import GaitdynError, ModelNotFound, NobodyWalks, SubjectDataMissing
from gaitdyn.io.c3d.subject import person_names
from gaitdyn.io.recording import read_recording
from gaitdyn.stages.ground_findings import no_kinetics
from gaitdyn.stages.labels import model_of
from gaitdyn.tables.centres_by_rule import hip_centres, limb_centres
from gaitdyn.tables.marked_person import landmark_rows, task_word, upper_parts
from gaitdyn.tables.measures import measures_taken, with_setters
from gaitdyn.tables.model_description import describe_model, rungs_taken
from gaitdyn.tables.recording_description import (
    channels_without_muscle,
    describe_emg,
    describe_file,
    describe_markers,
    describe_plates,
    describe_poses,
    describe_subject,
)
from gaitdyn.tables.run_start import absent_told, start_of_run
from gaitdyn.types.options import NO_STATIC, Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject


def describe(
    path: str | Path,
    options: Options,
    setters: Mapping[str, str] | None = None,
    *,
    show_names: bool = False,
) -> dict[str, Any]:
    """Return the contents of a C3D file as plain values.

    Parameters
    ----------
    path : str or Path
    options : Options
        Given static trial, model, axes and renamed labels.
    setters : mapping, optional
        Name of an option -> the file that set it.
    show_names : bool
        Also return the names of persons in the file.

    Returns
    -------
    dict
        ``file``, ``markers``, ``poses`` (or None), ``model``, ``axes``, ``plates``, ``emg``,
        ``events``, ``subject`` (of the file, and under ``taken`` what a run takes),
        ``missing`` (why a run computes no kinetics; empty if it does), ``refused`` (why there is no
        run, other than for lack of a model; empty if there is one), ``hip_centres``,
        ``knee_centres``, ``ankle_centres``, ``static``, ``notes``, ``labels`` (the meaning of each
        label), ``upper`` (the markers of trunk, head and arms), ``task`` (one word; None if pelvis
        or feet are not visible).

    Raises
    ------
    FileRefused
        If the file cannot be read.
    """
    as_read = read_recording(path, options.subject_prefix, forces=options.forces)
    recording = mended(as_read, options.rename)
    static = _static(path, recording, options)
    static_recording = _standing(static.pop("path"), options)
    ours, model = describe_model(recording, static_recording, options)
    start = start_of_run(path, options)
    body = start.body
    if body is not None and body.model.climbs:  # by the places of the landmarks, too
        model["rungs"] = rungs_taken(body.taken)
    person = None if body is None else with_setters(body.subject, setters or {})
    labels = landmark_rows(recording, static_recording)
    description: dict[str, Any] = {
        "file": describe_file(recording),
        "markers": describe_markers(recording, labels["unresolved"]),
        "poses": describe_poses(recording),
        "model": model,
        "axes": _axes(ours, options),
        "plates": describe_plates(recording),
        "emg": describe_emg(recording, options),
        "channels_without_muscle": channels_without_muscle(recording, options),
        "events": [
            {"side": e.side, "event": e.kind, "time_s": round(e.time_s, 3)}
            for e in recording.events
        ],
        "subject": describe_subject(recording) | {"taken": measures_taken(person)},
        "hip_centres": hip_centres(ours),
        "knee_centres": limb_centres(ours, "knee"),
        "ankle_centres": limb_centres(ours, "ankle"),
        "static": static,
        "notes": [*recording.notes, *absent_told(recording, options), *start.doubts],
        "labels": labels,
    }
    roles = [mark["role"] for mark in labels["landmarks"] if mark["role"]]
    description["upper"] = upper_parts([*roles, *ours.labels])
    description["task"] = task_word(recording, labels["landmarks"], options)
    moves = description["task"] != "standing"
    description["missing"] = _missing(recording, person, options) if moves else ""
    description["refused"] = _refused(start.refusal, recording)
    if show_names:
        description["names"] = person_names(path)
    return description


def _missing(recording: Recording, person: Subject | None, options: Options) -> str:
    """Return why a run of the trial has no kinetics; empty if it has, or if it is refused."""
    if person is None:
        return ""
    usable = any(not plate.problem for plate in recording.plates)
    return no_kinetics(recording, person.mass_kg, options, usable=usable)[1]


def _refused(refusal: GaitdynError | None, recording: Recording) -> str:
    """Return why a run of the trial is refused.

    That no model fits is told with the model, and that nobody walks with the task. One with muscles
    and events is not refused for lack of measures.
    """
    muscles = recording.analog is not None and bool(recording.events)
    elsewhere = (ModelNotFound, NobodyWalks, *((SubjectDataMissing,) if muscles else ()))
    return "" if refusal is None or isinstance(refusal, elsewhere) else str(refusal)


def _standing(path: Path | None, options: Options) -> Recording | None:
    """Return the static trial; None if there is none or it cannot be read."""
    if path is None:
        return None
    try:
        return mended(read_recording(path, options.subject_prefix), options.rename)
    except GaitdynError:
        return None


def _axes(recording: Recording, options: Options) -> dict[str, Any]:
    votes = [str(vote) for vote in up_votes(recording)]
    try:
        R_GL = find_axes(recording, options.up, options.forward)
        walked = float(np.linalg.norm(pelvis_displacement(recording)))
    except (GaitdynError, ValueError):
        return {"forward": None, "up": None, "walked_m": None, "votes": votes}
    forward, up = axis_names(R_GL)
    return {"forward": forward, "up": up, "walked_m": round(walked, 3), "votes": votes}


def _static(path: str | Path, recording: Recording, options: Options) -> dict[str, Any]:
    if options.static == NO_STATIC:
        return {"name": None, "reason": "none was requested", "path": None}
    if options.static is not None:
        frames = options.static_frames
        reason = "given" if frames is None else f"given, frames {frames[0]}-{frames[1]}"
        path = Path(options.static)
        return {"name": path.name, "reason": reason, "path": path}
    try:
        choice = find_static(path, recording, options, model_of(recording, options))
    except (GaitdynError, OSError):
        return {"name": None, "reason": "the folder cannot be searched", "path": None}
    name = None if choice.path is None else choice.path.name
    return {"name": name, "reason": choice.reason, "path": choice.path}
